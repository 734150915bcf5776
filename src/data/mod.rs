//! Game files for training: games with the score of each searched position. Independent of any particular
//! game. Also opening books ([`Book`]), and the rule for every file that the program opens: [`open_file`] and [`open_input`].
//!
//! `docs/data-format.md` describes the format. [`Writer`] writes a file, and [`Reader`] is an iterator over its games:
//!
//! ```
//! use duiyi::data::{Filter, Reader, ReadError};
//! use duiyi::games::chess::Position;
//!
//! fn mean_score(path: &str) -> Result<f64, ReadError> {
//!     let (mut sum, mut count) = (0.0, 0.0);
//!     let filter = Filter::quiet::<Position>();
//!     for record in Reader::open(path, Position::start())? {
//!         record?.replay(|sample| {
//!             if filter.keeps(&sample) {
//!                 sum += f64::from(sample.white_score().value());
//!                 count += 1.0;
//!             }
//!         });
//!     }
//!     Ok(sum / count)
//! }
//! ```

mod bits;
mod book;
mod file;
mod filter;
mod open;
mod record;
mod table_files;

pub use book::{Book, BookEntry, choose_book_move};
pub use file::{Block, Blocks, CutOff, Header, ReadError, Reader, Totals, Writer};
pub use filter::Filter;
pub use open::{check_is_plain_file, open_file, open_input};
pub use record::{GameRecord, MAX_PLIES, RecordError, Sample, Termination};
pub use table_files::table_files;

//! A file of games: a header, then blocks with checksums, so that a truncated end is detected and cut off.

use super::open::open_file;
use super::record::GameRecord;
use crate::game::Notation;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// As in PNG: the first byte is not ASCII, and a conversion of line ends changes the last two.
const MAGIC: [u8; 8] = *b"\x89DUIYI\r\n";
const VERSION: u16 = 1;
/// The first bytes of every block.
const MARKER: [u8; 4] = *b"GMS\n";
/// A block is full when its games take at least this many bytes: about 40 games of chess.
const FULL_BLOCK: usize = 8 << 10;
/// The most bytes of a block: a full block and the longest game.
const MAX_BLOCK: usize = 256 << 10;
/// The size of marker, length, games, positions and checksum in bytes.
const BLOCK_HEADER: usize = 20;
/// The most bytes of a header's text.
const MAX_SETTINGS: usize = 4096;

/// The header of a file: the game and how it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game: a value of the option `UCI_Variant`.
    pub variant: String,
    /// How the games were generated: words and `key=value` pairs in one line. [`Writer::resume`] compares all of it.
    pub settings: String,
}

/// An error while reading a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system's error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends within the header or a block: its writer was interrupted or is still writing.
    #[error("truncated file: expected {expected} more bytes after byte {offset}, found {found}")]
    Truncated {
        /// The offset of the block or header in bytes.
        offset: u64,
        /// The number of bytes expected.
        expected: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// No file of games, another version of the format, or a file of other games.
    #[error("expected {0}")]
    WrongFormat(String),
    /// Another [`Writer`] has locked the file, in this process or another one.
    #[error("expected no other writer, found that another run is writing the file")]
    Locked,
    /// The header or a block is damaged.
    #[error("damaged at byte {offset}: expected {what}")]
    Corrupt {
        /// The offset of the block or header in bytes.
        offset: u64,
        /// What was expected and what was found.
        what: String,
    },
}

/// Numbers of games, positions and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of games.
    pub games: u64,
    /// The number of positions with a score.
    pub positions: u64,
    /// The number of bytes from the beginning of the file.
    pub bytes: u64,
}

/// A block of encoded games.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its offset in the file, in bytes.
    pub offset: u64,
    /// The number of games.
    pub games: u32,
    /// The number of positions with a score.
    pub positions: u32,
    /// The encoded games.
    pub payload: Vec<u8>,
}

impl Block {
    fn empty(offset: u64) -> Block {
        Block { offset, games: 0, positions: 0, payload: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.payload.len() >= FULL_BLOCK
    }

    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for number in [self.payload.len() as u32, self.games, self.positions] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&self.payload);
        hasher.finalize()
    }

    /// Returns an iterator that decodes the games, whose variant is that of `start`.
    fn games<G: Notation>(self, start: G) -> Games<G> {
        Games { block: self, at: 0, games: 0, positions: 0, start }
    }
}

/// An iterator over the games of one block, up to the first error.
#[derive(Debug)]
struct Games<G> {
    block: Block,
    /// The bytes of the payload that were read.
    at: usize,
    games: u32,
    positions: u32,
    /// The start of the game.
    start: G,
}

impl<G: Notation> Iterator for Games<G> {
    type Item = Result<GameRecord<G>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Block { offset, games, positions, ref payload } = self.block;
        let what = if self.at < payload.len() {
            match GameRecord::decode(&self.start, &payload[self.at..]) {
                Ok((record, length)) => {
                    self.at += length;
                    self.games += 1;
                    self.positions += record.scores.len() as u32;
                    return Some(Ok(record));
                }
                Err(error) => format!("in game {} of the block {error}", self.games + 1),
            }
        } else if (self.games, self.positions) != (games, positions) {
            let found = format!("found {} and {}", self.games, self.positions);
            format!("{games} games and {positions} positions in the block, {found}")
        } else {
            return None;
        };
        Some(Err(ReadError::Corrupt { offset, what }))
    }
}

/// Reads up to `length` bytes, fewer only at the end. Allocates memory only for bytes that exist.
fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads exactly `length` bytes of the header or block at `offset`.
fn read_exactly(input: &mut impl Read, length: usize, offset: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = read_up_to(input, length)?;
    if bytes.len() == length {
        Ok(bytes)
    } else {
        Err(ReadError::Truncated { offset, expected: length, found: bytes.len() })
    }
}

fn read_u32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("a slice of four bytes"))
}

/// Locks a file against a second writer. The lock ends when the file is closed or the process ends.
fn lock(file: &File) -> Result<(), ReadError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => ReadError::Locked,
        TryLockError::Error(error) => ReadError::Io(error),
    })
}

impl Header {
    /// Returns the words of this header that are not in `other`, in one line.
    pub fn words_not_in(&self, other: &Header) -> String {
        let words = |header: &Header| -> Vec<String> {
            let settings = header.settings.split(' ').map(String::from);
            std::iter::once(format!("variant={}", header.variant)).chain(settings).collect()
        };
        let others = words(other);
        let missing: Vec<_> = words(self).into_iter().filter(|word| !others.contains(word)).collect();
        if missing.is_empty() { "a header without them".into() } else { missing.join(" ") }
    }

    fn encode(&self) -> Vec<u8> {
        let text = format!("{}\n{}", self.variant, self.settings);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads a header. Returns it and its length in bytes.
    fn read(input: &mut impl Read) -> Result<(Header, u64), ReadError> {
        let wrong_format = |what: String| Err(ReadError::WrongFormat(what));
        let corrupt = |what: String| Err(ReadError::Corrupt { offset: 0, what });
        let mut bytes = read_up_to(input, 12)?;
        let magic = bytes.len().min(MAGIC.len());
        if bytes[..magic] != MAGIC[..magic] {
            return wrong_format(format!("a file of games, found one that begins {:02x?}", &bytes[..magic]));
        }
        if bytes.len() < 12 {
            return Err(ReadError::Truncated { offset: 0, expected: 12, found: bytes.len() });
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return wrong_format(format!("version {VERSION} of the format, found {version}"));
        }
        let length = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
        if length > MAX_SETTINGS {
            return corrupt(format!("a header of at most {MAX_SETTINGS} bytes, found {length}"));
        }
        bytes.extend(read_exactly(input, length + 4, 0)?);
        let (covered, checksum) = bytes.split_at(12 + length);
        let (expected, found) = (read_u32(checksum), crc32fast::hash(covered));
        if expected != found {
            return corrupt(format!("checksum {expected:08x} of the header, found {found:08x}"));
        }
        let text = String::from_utf8_lossy(&covered[12..]);
        let Some((variant, settings)) = text.split_once('\n') else {
            return corrupt("a header of two lines, found one".into());
        };
        Ok((Header { variant: variant.into(), settings: settings.into() }, bytes.len() as u64))
    }
}

/// An iterator over the blocks of a file, checked but not decoded. It ends after the first error.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    header: Header,
    totals: Totals,
    failed: bool,
}

impl<R: Read> Blocks<R> {
    /// Reads the header. `input` should be buffered.
    ///
    /// # Errors
    /// If the header cannot be read or is invalid.
    pub fn new(mut input: R) -> Result<Blocks<R>, ReadError> {
        let (header, bytes) = Header::read(&mut input)?;
        Ok(Blocks { input, header, totals: Totals { bytes, ..Totals::default() }, failed: false })
    }

    /// Returns the file's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the totals of the header and of the valid blocks read so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Reads the next block; `None` at the end of the file.
    fn read(&mut self) -> Result<Option<Block>, ReadError> {
        let offset = self.totals.bytes;
        let corrupt = |what: String| Err(ReadError::Corrupt { offset, what });
        let header = read_up_to(&mut self.input, BLOCK_HEADER)?;
        if header.is_empty() {
            return Ok(None);
        }
        let marker = header.len().min(MARKER.len());
        if header[..marker] != MARKER[..marker] {
            return corrupt(format!("the beginning of a block, found {:02x?}", &header[..marker]));
        }
        if header.len() < BLOCK_HEADER {
            return Err(ReadError::Truncated { offset, expected: BLOCK_HEADER, found: header.len() });
        }
        let field = |i: usize| read_u32(&header[4 * i..4 * i + 4]);
        let (length, games, positions, checksum) = (field(1) as usize, field(2), field(3), field(4));
        if length > MAX_BLOCK {
            return corrupt(format!("a block of at most {MAX_BLOCK} bytes, found {length}"));
        }
        let payload = read_exactly(&mut self.input, length, offset)?;
        let block = Block { offset, games, positions, payload };
        if block.checksum() != checksum {
            return corrupt(format!("checksum {checksum:08x} of the block, found {:08x}", block.checksum()));
        }
        self.totals.games += u64::from(games);
        self.totals.positions += u64::from(positions);
        self.totals.bytes += (BLOCK_HEADER + length) as u64;
        Ok(Some(block))
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.read();
        self.failed = next.is_err();
        next.transpose()
    }
}

/// An iterator over the games of a file. It ends after the first error and holds one block in memory.
///
/// # Examples
///
/// ```
/// use duiyi::data::{Header, Reader, GameRecord, Termination, Writer};
/// use duiyi::game::{Notation, Outcome, Score, Side};
/// use duiyi::games::chess::Position;
///
/// // Fool's mate, with a score for the last two positions.
/// let mut game = Position::start();
/// let mut moves = Vec::new();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     let mv = game.parse_move(text)?;
///     duiyi::game::Game::play(&mut game, mv);
///     moves.push(mv);
/// }
/// let record = GameRecord {
///     start: Position::start(),
///     start_index: Some(0),
///     moves,
///     scores: vec![Score::new(-150), Score::mate_in(duiyi::game::Ply::new(1))],
///     outcome: Outcome::Win(Side::Black),
///     termination: Termination::Rules,
/// };
///
/// let mut file = Vec::new();
/// let header = Header { variant: "chess".into(), settings: "by=hand".into() };
/// let mut writer = Writer::new(&mut file, &header)?;
/// writer.push(&record.encode()?, 2)?;
/// writer.finish()?;
///
/// let reader = Reader::new(file.as_slice(), Position::start())?;
/// assert_eq!(reader.header(), &header);
/// for record in reader {
///     record?.replay(|sample| println!("{} {}", sample.position.position_text(),
///         sample.white_score().value()));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<R, G> {
    blocks: Blocks<R>,
    start: G,
    games: Option<Games<G>>,
    failed: bool,
}

impl<G: Notation> Reader<BufReader<File>, G> {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// As [`Reader::new`], or if the file is not a regular file or cannot be opened.
    pub fn open(path: impl AsRef<Path>, start: G) -> Result<Self, ReadError> {
        Reader::new(BufReader::new(open_file(path.as_ref(), OpenOptions::new().read(true))?), start)
    }
}

impl<R: Read, G: Notation> Reader<R, G> {
    /// Reads the header. `input` should be buffered. `start` is the start of any variant whose positions are of the type of those in
    /// the file.
    ///
    /// # Errors
    /// If the header cannot be read, is invalid, or names a game of another type.
    pub fn new(input: R, start: G) -> Result<Self, ReadError> {
        let blocks = Blocks::new(input)?;
        let (expected, found) = (start.variant(), &blocks.header().variant);
        let wrong = || ReadError::WrongFormat(format!("games of {expected}, found games of {found}"));
        let start = start.initial_of(found).ok_or_else(wrong)?;
        Ok(Reader { blocks, start, games: None, failed: false })
    }

    /// Returns the file's header.
    pub fn header(&self) -> &Header {
        self.blocks.header()
    }

    /// Returns the totals of the blocks read so far.
    pub fn totals(&self) -> Totals {
        self.blocks.totals()
    }
}

impl<R: Read, G: Notation> Iterator for Reader<R, G> {
    type Item = Result<GameRecord<G>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            if let Some(record) = self.games.as_mut().and_then(Games::next) {
                self.failed = record.is_err();
                return Some(record);
            }
            match self.blocks.next()? {
                Ok(block) => self.games = Some(block.games(self.start.clone())),
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

/// Writes encoded games in blocks. Call [`Writer::finish`] at the end: it writes the last block.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    block: Block,
    totals: Totals,
    /// What [`Writer::resume`] has cut off.
    cut_off: Option<CutOff>,
}

/// The end of a file that [`Writer::resume`] has cut off.
#[derive(Debug, thiserror::Error)]
#[error("{reason}; the last {bytes} bytes are cut off")]
pub struct CutOff {
    /// Why it cannot be read.
    pub reason: ReadError,
    /// Its length.
    pub bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        let bytes = header.encode();
        out.write_all(&bytes)?;
        let totals = Totals { bytes: bytes.len() as u64, ..Totals::default() };
        Ok(Writer { out, block: Block::empty(totals.bytes), totals, cut_off: None })
    }

    /// Appends a game encoded by [`GameRecord::encode`]. `positions` is its number of scores.
    ///
    /// # Errors
    /// If writing a full block fails.
    pub fn push(&mut self, game: &[u8], positions: u32) -> io::Result<()> {
        self.block.payload.extend_from_slice(game);
        self.block.games += 1;
        self.block.positions += positions;
        self.totals.games += 1;
        self.totals.positions += u64::from(positions);
        if self.block.is_full() { self.end_block() } else { Ok(()) }
    }

    /// Writes the games pushed since the last block as a block, although it may not be full.
    ///
    /// # Errors
    /// If writing fails.
    pub fn end_block(&mut self) -> io::Result<()> {
        if self.block.games == 0 {
            return Ok(());
        }
        let block = &self.block;
        let mut bytes = MARKER.to_vec();
        for number in [block.payload.len() as u32, block.games, block.positions, block.checksum()] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(&block.payload);
        self.totals.bytes += bytes.len() as u64;
        self.block = Block::empty(self.totals.bytes);
        // In one call, so that a concurrent reader rarely sees a part of a block.
        self.out.write_all(&bytes)?;
        self.out.flush()
    }

    /// Returns what [`Writer::resume`] has cut off because it could not be read.
    pub fn cut_off(&self) -> Option<&CutOff> {
        self.cut_off.as_ref()
    }

    /// Returns the games and positions pushed so far, and the bytes written.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Writes the last block and returns the totals.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self) -> io::Result<Totals> {
        self.end_block()?;
        Ok(self.totals)
    }
}

impl Writer<File> {
    /// Creates the file at `path`, locks it against a second writer and writes the header.
    ///
    /// # Errors
    /// [`ReadError::Io`] of the kind `AlreadyExists` if the file exists; it stays unchanged.
    pub fn create(path: &Path, header: &Header) -> Result<Writer<File>, ReadError> {
        let file = open_file(path, OpenOptions::new().write(true).create_new(true))?;
        lock(&file)?;
        Ok(Writer::new(file, header)?)
    }

    /// Continues an interrupted file and locks it against a second writer.
    ///
    /// Everything after the last whole block is cut off: see [`Writer::cut_off`]. If the last block is not full, the writer continues
    /// it, so the result is the same file as without the interruption.
    ///
    /// # Errors
    /// If another writer has locked the file, if its header is not `header`, or if a block is damaged too far
    /// from the end to be the result of an interruption. The file then stays unchanged.
    pub fn resume(path: &Path, header: &Header) -> Result<Writer<File>, ReadError> {
        let mut file = open_file(path, OpenOptions::new().read(true).write(true))?;
        lock(&file)?;
        let mut blocks = match Blocks::new(BufReader::new(&file)) {
            Ok(blocks) => blocks,
            // The header is incomplete: write the file anew.
            Err(ReadError::Truncated { .. }) => {
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                return Ok(Writer::new(file, header)?);
            }
            Err(error) => return Err(error),
        };
        if blocks.header() != header {
            return Err(ReadError::WrongFormat(format!(
                "a file made with {}, found {}",
                header.words_not_in(blocks.header()),
                blocks.header().words_not_in(header)
            )));
        }
        let length = file.metadata()?.len();
        let (mut last, mut unreadable) = (None, None);
        for block in blocks.by_ref() {
            match block {
                Ok(block) => last = Some(block),
                Err(error @ ReadError::Truncated { .. }) => unreadable = Some(error),
                Err(error @ ReadError::Corrupt { offset, .. }) if length - offset <= MAX_BLOCK as u64 => {
                    unreadable = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        let mut totals = blocks.totals();
        let cut_off = unreadable.map(|reason| CutOff { reason, bytes: length - totals.bytes });
        let block = last.filter(|block| !block.is_full()).unwrap_or(Block::empty(totals.bytes));
        totals.bytes = block.offset;
        file.set_len(totals.bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Writer { out: file, block, totals, cut_off })
    }
}

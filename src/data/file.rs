//! A file of games: a header, then blocks with checksums, so that a torn end is seen and cut off.

use super::record::Record;
use crate::game::Notation;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::Path;

/// The first byte is no text, and whoever rewrites line ends destroys the last two (an idea of PNG's).
const MAGIC: [u8; 8] = *b"\x89DUIYI\r\n";
const VERSION: u16 = 1;
/// Every block begins so.
const MARKER: [u8; 4] = *b"GMS\n";
/// A block is closed as soon as its games take so many bytes: about 40 games of chess.
const BLOCK: usize = 8 << 10;
/// No block is larger: a full one, and the longest game.
const MAX_BLOCK: usize = 256 << 10;
/// Marker, length, games, positions, checksum.
const BLOCK_HEADER: usize = 20;
/// Bytes of a header's text.
const MAX_SETTINGS: usize = 4096;

/// What a file is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game, a value of `UCI_Variant`.
    pub variant: String,
    /// How the games were made: words and `key=value` pairs in one line. [`Writer::resume`] compares all of it.
    pub settings: String,
}

/// Why a file cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system's reason.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The file ends within a block: its writer was interrupted, or is still writing.
    #[error("torn end: expected {expected} bytes more from byte {offset} on, found {found}")]
    Truncated {
        /// Where the block or the header begins.
        offset: u64,
        /// Bytes that should follow.
        expected: usize,
        /// Bytes that do.
        found: usize,
    },
    /// It is no such file, or about something else.
    #[error("expected {0}")]
    WrongFormat(String),
    /// Another [`Writer`] has the file open, in this process or another one.
    #[error("expected no other writer, found that another run is writing the file")]
    Locked,
    /// The bytes are not what was written.
    #[error("damaged at byte {offset}: expected {what}")]
    Corrupt {
        /// Where the block or the header begins.
        offset: u64,
        /// What was expected and what was found.
        what: String,
    },
}

/// Games, positions and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Whole games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// From the file's beginning on.
    pub bytes: u64,
}

/// Some whole games, encoded.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it begins in the file.
    pub offset: u64,
    /// How many games it holds.
    pub games: u32,
    /// How many positions with a score these have.
    pub positions: u32,
    /// The games' bytes.
    pub payload: Vec<u8>,
}

impl Block {
    fn empty(offset: u64) -> Block {
        Block { offset, games: 0, positions: 0, payload: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.payload.len() >= BLOCK
    }

    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for number in [self.payload.len() as u32, self.games, self.positions] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&self.payload);
        hasher.finalize()
    }

    /// Decodes its games.
    pub fn games<G: Notation>(self) -> Games<G> {
        Games { block: self, at: 0, games: 0, positions: 0, failed: false, game: PhantomData }
    }
}

/// The games of one block; ends after the first error.
#[derive(Debug)]
pub struct Games<G> {
    block: Block,
    /// How far the payload was read.
    at: usize,
    games: u32,
    positions: u32,
    failed: bool,
    game: PhantomData<G>,
}

impl<G: Notation> Iterator for Games<G> {
    type Item = Result<Record<G>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Block { offset, games, positions, ref payload } = self.block;
        if self.failed {
            return None;
        }
        let what = if self.at < payload.len() {
            match Record::decode(&payload[self.at..]) {
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
        self.failed = true;
        Some(Err(ReadError::Corrupt { offset, what }))
    }
}

/// Up to `length` bytes; fewer only at the end. Asks for no memory that the input does not fill.
fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Exactly `length` bytes of what begins at `offset`.
fn read_exactly(input: &mut impl Read, length: usize, offset: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = read_up_to(input, length)?;
    if bytes.len() == length {
        Ok(bytes)
    } else {
        Err(ReadError::Truncated { offset, expected: length, found: bytes.len() })
    }
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes were cut out"))
}

/// The lock of a file that is written: released when the file is closed, also by the end of the process.
fn lock(file: &File) -> Result<(), ReadError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => ReadError::Locked,
        TryLockError::Error(error) => ReadError::Io(error),
    })
}

impl Header {
    /// Words of this header that `other` lacks, in one line.
    fn words_not_in(&self, other: &Header) -> String {
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

    /// The header and its length.
    fn read(input: &mut impl Read) -> Result<(Header, u64), ReadError> {
        let foreign = |what: String| Err(ReadError::WrongFormat(what));
        let damaged = |what: String| Err(ReadError::Corrupt { offset: 0, what });
        let mut bytes = read_up_to(input, 12)?;
        let begun = bytes.len().min(MAGIC.len());
        if bytes[..begun] != MAGIC[..begun] {
            return foreign(format!("a file of games, found one that begins {:02x?}", &bytes[..begun]));
        }
        if bytes.len() < 12 {
            return Err(ReadError::Truncated { offset: 0, expected: 12, found: bytes.len() });
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return foreign(format!("version {VERSION} of the format, found {version}"));
        }
        let length = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
        if length > MAX_SETTINGS {
            return damaged(format!("a header of at most {MAX_SETTINGS} bytes, found {length}"));
        }
        bytes.extend(read_exactly(input, length + 4, 0)?);
        let (covered, checksum) = bytes.split_at(12 + length);
        let (expected, found) = (number(checksum), crc32fast::hash(covered));
        if expected != found {
            return damaged(format!("checksum {expected:08x} of the header, found {found:08x}"));
        }
        let text = String::from_utf8_lossy(&covered[12..]);
        let Some((variant, settings)) = text.split_once('\n') else {
            return damaged("a header of two lines, found one".into());
        };
        Ok((Header { variant: variant.into(), settings: settings.into() }, bytes.len() as u64))
    }
}

/// The blocks of a file, one after the other, checked but not decoded; ends after the first error.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    header: Header,
    totals: Totals,
    failed: bool,
}

impl<R: Read> Blocks<R> {
    /// Reads the header. `input` should be buffered.
    pub fn new(mut input: R) -> Result<Blocks<R>, ReadError> {
        let (header, bytes) = Header::read(&mut input)?;
        Ok(Blocks { input, header, totals: Totals { bytes, ..Totals::default() }, failed: false })
    }

    /// The file's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was read so far, as far as it was whole.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// `None` at the end.
    fn read(&mut self) -> Result<Option<Block>, ReadError> {
        let offset = self.totals.bytes;
        let damaged = |what: String| Err(ReadError::Corrupt { offset, what });
        let header = read_up_to(&mut self.input, BLOCK_HEADER)?;
        if header.is_empty() {
            return Ok(None);
        }
        let marked = header.len().min(MARKER.len());
        if header[..marked] != MARKER[..marked] {
            return damaged(format!("the beginning of a block, found {:02x?}", &header[..marked]));
        }
        if header.len() < BLOCK_HEADER {
            return Err(ReadError::Truncated { offset, expected: BLOCK_HEADER, found: header.len() });
        }
        let field = |i: usize| number(&header[4 * i..4 * i + 4]);
        let (length, games, positions, checksum) = (field(1) as usize, field(2), field(3), field(4));
        if length > MAX_BLOCK {
            return damaged(format!("a block of at most {MAX_BLOCK} bytes, found {length}"));
        }
        let payload = read_exactly(&mut self.input, length, offset)?;
        let block = Block { offset, games, positions, payload };
        if block.checksum() != checksum {
            return damaged(format!("checksum {checksum:08x} of the block, found {:08x}", block.checksum()));
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

/// The games of a file, one after the other; ends after the first error. Holds one block at a time.
#[derive(Debug)]
pub struct Reader<R, G> {
    blocks: Blocks<R>,
    games: Option<Games<G>>,
    failed: bool,
}

impl<G: Notation> Reader<BufReader<File>, G> {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Reader::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read, G: Notation> Reader<R, G> {
    /// Reads the header of `input`, which should be buffered; an error if it is about another game than `G`.
    pub fn new(input: R) -> Result<Self, ReadError> {
        let blocks = Blocks::new(input)?;
        let variant = &blocks.header().variant;
        if variant != G::VARIANT {
            return Err(ReadError::WrongFormat(format!("games of {}, found games of {variant}", G::VARIANT)));
        }
        Ok(Reader { blocks, games: None, failed: false })
    }

    /// The file's header.
    pub fn header(&self) -> &Header {
        self.blocks.header()
    }

    /// What was read so far, in whole blocks.
    pub fn totals(&self) -> Totals {
        self.blocks.totals()
    }
}

impl<R: Read, G: Notation> Iterator for Reader<R, G> {
    type Item = Result<Record<G>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            if let Some(record) = self.games.as_mut().and_then(Games::next) {
                self.failed = record.is_err();
                return Some(record);
            }
            match self.blocks.next()? {
                Ok(block) => self.games = Some(block.games()),
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// Writes encoded games in blocks. [`Writer::finish`] must end it: what fills no block is lost otherwise.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    block: Block,
    totals: Totals,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        let bytes = header.encode();
        out.write_all(&bytes)?;
        let totals = Totals { bytes: bytes.len() as u64, ..Totals::default() };
        Ok(Writer { out, block: Block::empty(totals.bytes), totals })
    }

    /// Appends a game that [`Record::encode`] gave, which has so many positions with a score.
    pub fn push(&mut self, game: &[u8], positions: u32) -> io::Result<()> {
        self.block.payload.extend_from_slice(game);
        self.block.games += 1;
        self.block.positions += positions;
        self.totals.games += 1;
        self.totals.positions += u64::from(positions);
        if self.block.is_full() { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> io::Result<()> {
        let block = &self.block;
        let mut bytes = MARKER.to_vec();
        for number in [block.payload.len() as u32, block.games, block.positions, block.checksum()] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(&block.payload);
        self.totals.bytes += bytes.len() as u64;
        self.block = Block::empty(self.totals.bytes);
        // All at once, so that a reader at the same time sees a whole block or none.
        self.out.write_all(&bytes)?;
        self.out.flush()
    }

    /// What was pushed, and the bytes of it that are written.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Writes the last block, full or not.
    pub fn finish(mut self) -> io::Result<Totals> {
        if self.block.games > 0 {
            self.write_block()?;
        }
        Ok(self.totals)
    }
}

impl Writer<File> {
    /// Creates the file at `path`, locks it against a second writer and writes the header.
    ///
    /// # Errors
    ///
    /// [`ReadError::Io`] of the kind `AlreadyExists` if there is such a file, which stays as it is.
    pub fn create(path: &Path, header: &Header) -> Result<Writer<File>, ReadError> {
        let file = File::create_new(path)?;
        lock(&file)?;
        Ok(Writer::new(file, header)?)
    }

    /// Goes on where the writing of the file at `path` ended: whatever follows the last whole block is cut
    /// off, and a last block that is not full is taken up again, so that the file becomes the same as
    /// without the interruption. The file is locked against a second writer.
    ///
    /// # Errors
    ///
    /// The file stays as it was if another writer has it open, if its header is not `header`, or if a block is
    /// damaged so far from the end that the interruption cannot have done it.
    pub fn resume(path: &Path, header: &Header) -> Result<Writer<File>, ReadError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&file)?;
        let mut blocks = match Blocks::new(BufReader::new(&file)) {
            Ok(blocks) => blocks,
            // Not even the header was written.
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
        let mut last = None;
        for block in blocks.by_ref() {
            match block {
                Ok(block) => last = Some(block),
                Err(ReadError::Truncated { .. }) => break,
                Err(ReadError::Corrupt { offset, .. }) if length - offset <= MAX_BLOCK as u64 => break,
                Err(error) => return Err(error),
            }
        }
        let mut totals = blocks.totals();
        let block = last.filter(|block| !block.is_full()).unwrap_or(Block::empty(totals.bytes));
        totals.bytes = block.offset;
        file.set_len(totals.bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Writer { out: file, block, totals })
    }
}

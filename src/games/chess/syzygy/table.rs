//! The file of one table: its header is read when the table is first used, its values one block at a time.
//!
//! The format is that of <https://github.com/syzygy1/tb>. After a magic number come the numberings of the parts (one for
//! each file of the leading pawn and side to move), then their Huffman dictionaries, in a distance table the maps of
//! stored to real distances, then for each part a sparse index of the blocks, the lengths of the blocks, and the blocks.
//! A value is a symbol, and a symbol stands for a pair of symbols or for a value (recursive pairing). Every offset is
//! checked: a damaged file is an error, or a wrong value, but never undefined.

use super::super::board::Board;
use super::index::{Numbering, leading_file};
use super::material::Material;
use crate::game::Side;
use std::fs::File;
use std::io;

/// What a table knows of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Win, draw or loss, with the effect of the fifty-move rule.
    Wdl,
    /// The distance to zeroing: plies to the next capture or pawn move.
    Dtz,
}

impl Kind {
    /// The ending of the files' names.
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => ".rtbw",
            Kind::Dtz => ".rtbz",
        }
    }

    /// The first bytes of a file.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Kind::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Kind::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is another file.
    #[error("expected the first bytes {expected:02x?}, found {found:02x?}")]
    Magic { expected: [u8; 4], found: [u8; 4] },
    /// It is too short.
    #[error("expected at least {expected} bytes, found {found}")]
    Truncated { expected: u64, found: u64 },
    /// It has no possible length.
    #[error("expected a multiple of 64 bytes plus 16, found {0} bytes")]
    Length(u64),
    /// It contradicts itself.
    #[error("expected {0}, found other data")]
    Damaged(&'static str),
}

use TableError::Damaged;

/// The most bytes of a header: eight dictionaries with 4,095 symbols of 3 bytes, and the maps of distances.
const MAX_HEADER_BYTES: u64 = 1 << 20;
const BLOCK_ALIGNMENT: u64 = 64;
const CHECKSUM_BYTES: u64 = 16;
/// The most bytes of a block, as a power of two.
const MAX_BLOCK_BITS: u8 = 20;
/// A symbol of this right half stands for a value.
const NO_SYMBOL: u16 = 0xFFF;
/// Lengths of blocks that are read at once.
const LENGTHS_READ: u32 = 32;

/// Flags of a part of a distance table.
mod flags {
    /// The side to move of the positions that are stored.
    pub const SIDE: u8 = 1;
    pub const MAPPED: u8 = 2;
    /// The distances of wins are in plies, not in moves.
    pub const WIN_PLIES: u8 = 4;
    pub const LOSS_PLIES: u8 = 8;
    /// The map has two bytes for each distance.
    pub const WIDE: u8 = 16;
    /// All positions have the same value.
    pub const SINGLE: u8 = 128;
}

/// A table that is in use.
#[derive(Debug)]
pub struct Table {
    file: File,
    kind: Kind,
    symmetric: bool,
    has_pawns: bool,
    /// One part, or one for each file of the leading pawn; each for one or both sides to move.
    parts: Vec<Vec<Part>>,
}

#[derive(Debug)]
struct Part {
    numbering: Numbering,
    flags: u8,
    values: Values,
    /// The real distance of each stored one: of wins, losses, cursed wins, blessed losses.
    map: [Vec<u16>; 4],
}

#[derive(Debug)]
enum Values {
    Single(u16),
    Blocks(Blocks),
}

#[derive(Debug)]
struct Blocks {
    /// The bytes of a block, as a power of two.
    block_bits: u8,
    /// The positions between two entries of the sparse index, as a power of two.
    span_bits: u8,
    /// Blocks with data, and entries in the list of lengths.
    blocks: u32,
    lengths: u32,
    code: Code,
    /// The two halves of each symbol, or its value and [`NO_SYMBOL`].
    pairs: Vec<(u16, u16)>,
    /// The number of values that each symbol stands for, less one.
    extents: Vec<u32>,
    index_at: u64,
    lengths_at: u64,
    blocks_at: u64,
}

/// A canonical Huffman code.
#[derive(Debug)]
struct Code {
    shortest: u8,
    /// The first symbol of each length.
    first: Vec<u16>,
    /// The lowest code of each length, in the high bits.
    base: Vec<u64>,
}

/// Checks what the first bytes and the length of a file say.
pub fn check(file: &File, kind: Kind) -> Result<(), TableError> {
    let length = file.metadata()?.len();
    let mut found = [0; 4];
    if length < 4 {
        return Err(TableError::Truncated { expected: 4, found: length });
    }
    read_exact_at(file, &mut found, 0)?;
    if found != kind.magic() {
        return Err(TableError::Magic { expected: kind.magic(), found });
    }
    // Whole blocks and a checksum.
    if length % BLOCK_ALIGNMENT != CHECKSUM_BYTES {
        return Err(TableError::Length(length));
    }
    Ok(())
}

impl Table {
    /// Reads the header of `file`, a table of `kind` for `material`.
    pub fn open(file: File, kind: Kind, material: &Material) -> Result<Table, TableError> {
        let length = file.metadata()?.len();
        let mut header = vec![0; length.min(MAX_HEADER_BYTES) as usize];
        read_exact_at(&file, &mut header, 0)?;
        let mut reader = Reader { bytes: &header, at: 0 };
        let found = [reader.u8()?, reader.u8()?, reader.u8()?, reader.u8()?];
        if found != kind.magic() {
            return Err(TableError::Magic { expected: kind.magic(), found });
        }
        let both_sides = reader.u8()? & 1 != 0 && kind == Kind::Wdl;
        if kind == Kind::Wdl && both_sides == material.is_symmetric() {
            return Err(Damaged("values of both sides unless the material is symmetric"));
        }
        let (files, sides) = (if material.has_pawns() { 4 } else { 1 }, 1 + usize::from(both_sides));
        let mut numberings = Vec::new();
        for file in 0..files {
            numberings.push(read_numberings(&mut reader, material, sides, file)?);
        }
        reader.align(2);
        let mut parts = Vec::new();
        for numberings in numberings {
            let part = |numbering| read_part(&mut reader, kind, numbering);
            parts.push(numberings.into_iter().map(part).collect::<Result<Vec<_>, _>>()?);
        }
        if kind == Kind::Dtz {
            for part in parts.iter_mut().flatten().filter(|part| part.flags & flags::MAPPED != 0) {
                part.map = read_map(&mut reader, part.flags)?;
            }
            reader.align(2);
        }
        let expected = place_blocks(&mut parts, reader.at as u64) + CHECKSUM_BYTES;
        if expected > length {
            return Err(TableError::Truncated { expected, found: length });
        }
        Ok(Table { file, kind, symmetric: material.is_symmetric(), has_pawns: material.has_pawns(), parts })
    }

    /// The part for the position on `board`, and whether the table has the position for the other side to move only.
    /// `exchanged`: the table's colours are not the board's.
    fn part(&self, board: &Board, exchanged: bool) -> (&Part, bool) {
        let mover_is_second = if self.symmetric { false } else { (board.side == Side::White) == exchanged };
        let first_piece = self.parts[0][0].numbering.first_piece();
        let file = if self.has_pawns { leading_file(board, first_piece, exchanged) } else { 0 };
        let sides = &self.parts[file];
        let part = &sides[usize::from(mover_is_second).min(sides.len() - 1)];
        let is_other = (part.flags & flags::SIDE != 0) != mover_is_second;
        (part, self.kind == Kind::Dtz && is_other && !self.symmetric)
    }

    /// The result of the position, from -2 (loss) over -1 (blessed loss) to 2 (win), without captures.
    pub fn wdl(&self, board: &Board, exchanged: bool) -> Result<i32, TableError> {
        let exchanged = self.colours(board, exchanged);
        let (part, _) = self.part(board, exchanged);
        let value = self.value(part, board, exchanged)?;
        if value > 4 { Err(Damaged("a result from 0 to 4")) } else { Ok(i32::from(value) - 2) }
    }

    /// The plies to the next capture or pawn move of the position with the result `wdl`, at least 1, without a pawn move
    /// or capture now. `None` if the table has the position for the other side to move only.
    pub fn dtz(&self, board: &Board, exchanged: bool, wdl: i32) -> Result<Option<i32>, TableError> {
        let exchanged = self.colours(board, exchanged);
        let (part, is_other_side) = self.part(board, exchanged);
        if is_other_side {
            return Ok(None);
        }
        let mut value = self.value(part, board, exchanged)?;
        let (map, plies) = match wdl {
            2 => (0, part.flags & flags::WIN_PLIES != 0),
            -2 => (1, part.flags & flags::LOSS_PLIES != 0),
            1 => (2, false),
            _ => (3, false),
        };
        if part.flags & flags::MAPPED != 0 {
            let mapped = part.map[map].get(usize::from(value));
            value = *mapped.ok_or(Damaged("a distance in the map"))?;
        }
        Ok(Some(1 + i32::from(value) * if plies { 1 } else { 2 }))
    }

    /// Whether the table's colours are not the board's. In a symmetric table White is to move.
    fn colours(&self, board: &Board, exchanged: bool) -> bool {
        if self.symmetric { board.side == Side::Black } else { exchanged }
    }

    fn value(&self, part: &Part, board: &Board, exchanged: bool) -> Result<u16, TableError> {
        match &part.values {
            Values::Single(value) => Ok(*value),
            Values::Blocks(blocks) => {
                let index = part.numbering.index(board, exchanged).ok_or(Damaged("a legal placement"))?;
                blocks.value(&self.file, index)
            }
        }
    }
}

/// Reads the numberings of a part for each side to move: they share bytes.
fn read_numberings(
    reader: &mut Reader,
    material: &Material,
    sides: usize,
    file: usize,
) -> Result<Vec<Numbering>, TableError> {
    let first_order = reader.u8()?;
    let pawns_of_both = material.has_pawns() && material.leading_pawns()[1] > 0;
    let second_order = if pawns_of_both { reader.u8()? } else { 0xFF };
    let codes = (0..material.pieces()).map(|_| reader.u8()).collect::<Result<Vec<_>, _>>()?;
    let numbering = |side: usize| {
        let half = |byte: u8| byte >> (4 * side) & 15;
        let codes: Vec<u8> = codes.iter().map(|&code| half(code)).collect();
        Numbering::new(material, [half(first_order), half(second_order)], &codes, file)
            .ok_or(Damaged("the pieces of the file's name"))
    };
    (0..sides).map(numbering).collect()
}

fn read_part(reader: &mut Reader, kind: Kind, numbering: Numbering) -> Result<Part, TableError> {
    let flags = reader.u8()?;
    let map = [const { Vec::new() }; 4];
    if flags & flags::SINGLE != 0 {
        let value = reader.u8()?;
        let value = if kind == Kind::Wdl { value.into() } else { 0 };
        return Ok(Part { numbering, flags, values: Values::Single(value), map });
    }
    let (block_bits, span_bits, padding) = (reader.u8()?, reader.u8()?, reader.u8()?);
    let blocks = reader.u32()?;
    let (longest, shortest) = (reader.u8()?, reader.u8()?);
    if block_bits > MAX_BLOCK_BITS || !(1..=32).contains(&span_bits) {
        return Err(Damaged("sizes of blocks within the limits"));
    }
    // The decoder keeps at least 32 bits.
    if !(1..=longest).contains(&shortest) || longest > 32 {
        return Err(Damaged("codes of 1 to 32 bits"));
    }
    let lengths = usize::from(longest - shortest) + 1;
    let first = (0..lengths).map(|_| reader.u16()).collect::<Result<Vec<_>, _>>()?;
    let mut base = vec![0u64; lengths];
    for i in (0..lengths - 1).rev() {
        let sum = base[i + 1].wrapping_add(first[i].into()).wrapping_sub(first[i + 1].into());
        base[i] = sum / 2;
    }
    for (i, base) in base.iter_mut().enumerate() {
        *base = base.wrapping_shl(64 - u32::from(shortest) - i as u32);
    }
    let symbols = reader.u16()?;
    if symbols > NO_SYMBOL {
        return Err(Damaged("at most 4095 symbols"));
    }
    let mut pairs = Vec::with_capacity(symbols.into());
    for _ in 0..symbols {
        let bytes = [reader.u8()?, reader.u8()?, reader.u8()?].map(u16::from);
        pairs.push((bytes[0] | (bytes[1] & 15) << 8, bytes[1] >> 4 | bytes[2] << 4));
    }
    if symbols % 2 == 1 {
        reader.u8()?;
    }
    let blocks = Blocks {
        block_bits,
        span_bits,
        blocks,
        lengths: blocks.checked_add(padding.into()).ok_or(Damaged("fewer blocks"))?,
        code: Code { shortest, first, base },
        extents: extents(&pairs)?,
        pairs,
        index_at: 0,
        lengths_at: 0,
        blocks_at: 0,
    };
    Ok(Part { numbering, flags, values: Values::Blocks(blocks), map })
}

/// The number of values of each symbol, less one.
fn extents(pairs: &[(u16, u16)]) -> Result<Vec<u32>, TableError> {
    /// `None` while a symbol is being counted: it must not contain itself.
    fn count(pairs: &[(u16, u16)], symbol: u16, done: &mut [Option<Option<u32>>]) -> Result<u32, TableError> {
        let damaged = Damaged("symbols that are pairs of other symbols");
        let Some(&(left, right)) = pairs.get(usize::from(symbol)) else { return Err(damaged) };
        match done[usize::from(symbol)] {
            Some(Some(extent)) => return Ok(extent),
            Some(None) => return Err(damaged),
            None => done[usize::from(symbol)] = Some(None),
        }
        let extent = if right == NO_SYMBOL {
            0
        } else {
            count(pairs, left, done)?.saturating_add(count(pairs, right, done)?).saturating_add(1)
        };
        done[usize::from(symbol)] = Some(Some(extent));
        Ok(extent)
    }
    let mut done = vec![None; pairs.len()];
    (0..pairs.len()).map(|symbol| count(pairs, symbol as u16, &mut done)).collect()
}

fn read_map(reader: &mut Reader, flags: u8) -> Result<[Vec<u16>; 4], TableError> {
    let mut map = [const { Vec::new() }; 4];
    let is_wide = flags & flags::WIDE != 0;
    if is_wide {
        reader.align(2);
    }
    for distances in &mut map {
        let count = if is_wide { reader.u16()? } else { reader.u8()?.into() };
        for _ in 0..count {
            distances.push(if is_wide { reader.u16()? } else { reader.u8()?.into() });
        }
    }
    Ok(map)
}

/// Sets where the data of each part are, from the byte `at` on, and returns where they end.
fn place_blocks(parts: &mut [Vec<Part>], mut at: u64) -> u64 {
    let mut all: Vec<(&mut Blocks, u64)> = Vec::new();
    for part in parts.iter_mut().flatten() {
        if let Values::Blocks(blocks) = &mut part.values {
            all.push((blocks, part.numbering.size));
        }
    }
    for (blocks, size) in &mut all {
        blocks.index_at = at;
        at += 6 * size.div_ceil(1 << blocks.span_bits);
    }
    for (blocks, _) in &mut all {
        blocks.lengths_at = at;
        at += 2 * u64::from(blocks.lengths);
    }
    for (blocks, _) in &mut all {
        at = at.next_multiple_of(BLOCK_ALIGNMENT);
        blocks.blocks_at = at;
        at += u64::from(blocks.blocks) << blocks.block_bits;
    }
    at
}

impl Blocks {
    fn value(&self, file: &File, index: u64) -> Result<u16, TableError> {
        let (block, skip) = self.find(file, index)?;
        let mut bytes = vec![0; 1 << self.block_bits];
        read_exact_at(file, &mut bytes, self.blocks_at + (u64::from(block) << self.block_bits))?;
        self.decode(&bytes, skip)
    }

    /// The block with the value number `index`, and the number of values before it in that block. The sparse index has
    /// the place of the middle of each span.
    fn find(&self, file: &File, index: u64) -> Result<(u32, u32), TableError> {
        let mut entry = [0; 6];
        read_exact_at(file, &mut entry, self.index_at + 6 * (index >> self.span_bits))?;
        let [a, b, c, d, low, high] = entry;
        let mut block = u32::from_le_bytes([a, b, c, d]);
        let in_span = (index & ((1 << self.span_bits) - 1)) as i64;
        let mut skip = in_span - (1i64 << (self.span_bits - 1)) + i64::from(u16::from_le_bytes([low, high]));
        let mut lengths = Lengths { file, blocks: self, first: 0, read: Vec::new() };
        while skip < 0 {
            block = block.checked_sub(1).ok_or(Damaged("a block with the position"))?;
            skip += i64::from(lengths.get(block)?) + 1;
        }
        loop {
            let length = i64::from(lengths.get(block)?);
            if skip <= length {
                break;
            }
            skip -= length + 1;
            block += 1;
        }
        if block >= self.blocks {
            return Err(Damaged("a block with the position"));
        }
        Ok((block, skip as u32))
    }

    /// Decodes the value after the first `skip` ones of a block.
    fn decode(&self, bytes: &[u8], mut skip: u32) -> Result<u16, TableError> {
        let Code { shortest, first, base } = &self.code;
        let word = |i: usize| {
            let bytes = bytes.get(4 * i..4 * i + 4).and_then(|bytes| bytes.try_into().ok());
            u64::from(bytes.map_or(0, u32::from_be_bytes))
        };
        let (mut bits, mut next, mut used) = (word(0) << 32 | word(1), 2, 0);
        let mut symbol = loop {
            // The lowest code of the longest length is 0.
            let length = base.iter().position(|&base| bits >= base).unwrap_or(base.len() - 1);
            let code_bits = u32::from(*shortest) + length as u32;
            let number = (bits - base[length]) >> (64 - code_bits);
            let symbol = u64::from(first[length]).saturating_add(number) as usize;
            let &extent = self.extents.get(symbol).ok_or(Damaged("a known symbol"))?;
            if skip <= extent {
                break symbol;
            }
            skip -= extent + 1;
            bits <<= code_bits;
            used += code_bits;
            if used >= 32 {
                used -= 32;
                bits |= word(next) << used;
                next += 1;
                if 4 * next > bytes.len() + 64 {
                    return Err(Damaged("the value in its block"));
                }
            }
        };
        while self.extents[symbol] > 0 {
            let (left, right) = self.pairs[symbol];
            let extent = self.extents[usize::from(left)];
            symbol = if skip <= extent {
                left.into()
            } else {
                skip -= extent + 1;
                right.into()
            };
        }
        Ok(self.pairs[symbol].0)
    }
}

/// The lengths of the blocks, read in portions.
struct Lengths<'a> {
    file: &'a File,
    blocks: &'a Blocks,
    first: u32,
    read: Vec<u8>,
}

impl Lengths<'_> {
    /// The number of values in a block, less one.
    fn get(&mut self, block: u32) -> Result<u16, TableError> {
        let total = self.blocks.lengths;
        if block >= total {
            return Err(Damaged("a block with the position"));
        }
        let read = self.first..self.first + (self.read.len() / 2) as u32;
        if !read.contains(&block) {
            self.first = block.saturating_sub(LENGTHS_READ / 2);
            let count = LENGTHS_READ.min(total - self.first);
            self.read = vec![0; 2 * count as usize];
            let at = self.blocks.lengths_at + 2 * u64::from(self.first);
            read_exact_at(self.file, &mut self.read, at)?;
        }
        let at = 2 * (block - self.first) as usize;
        Ok(u16::from_le_bytes([self.read[at], self.read[at + 1]]))
    }
}

/// The bytes of a header.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn u8(&mut self) -> Result<u8, TableError> {
        let expected = self.at as u64 + 1;
        let truncated = TableError::Truncated { expected, found: self.bytes.len() as u64 };
        let byte = *self.bytes.get(self.at).ok_or(truncated)?;
        self.at += 1;
        Ok(byte)
    }

    fn u16(&mut self) -> Result<u16, TableError> {
        Ok(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    fn u32(&mut self) -> Result<u32, TableError> {
        Ok(u32::from_le_bytes([self.u8()?, self.u8()?, self.u8()?, self.u8()?]))
    }

    fn align(&mut self, bytes: usize) {
        self.at = self.at.next_multiple_of(bytes);
    }
}

/// Reads all of `buffer` from the byte `at` on. Threads may share the file.
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, buffer, at);
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < buffer.len() {
            let rest = &mut buffer[done..];
            match std::os::windows::fs::FileExt::seek_read(file, rest, at + done as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        Ok(())
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, buffer, at);
        Err(io::ErrorKind::Unsupported.into())
    }
}

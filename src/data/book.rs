//! Opening books in the format of Polyglot: for each position the moves to choose from, with weights.
//!
//! A book is a list of entries of 16 bytes, sorted by the key of the position; all numbers are big-endian:
//! key (8 bytes), move (2), weight (2), and 4 bytes for learning, which are not used here. Source: the page "Book format" of
//! Polyglot's documentation, <http://hgm.nubati.net/book_format.html>. The keys and moves belong to the game:
//! [`Notation::book_key`], [`Notation::book_move`].

use super::open_file;
use crate::game::{Move, Notation, SplitMix64};
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::Path;

const ENTRY_BYTES: usize = 16;
/// The most bytes of a book, which is read as a whole.
const MAX_BYTES: u64 = 1 << 30;

/// A move of a position in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookEntry {
    /// The key of the position.
    pub key: u64,
    /// The code of the move.
    pub mv: u16,
    /// How often the move is chosen, in proportion to the other moves of the position; 0 is never.
    pub weight: u16,
}

impl BookEntry {
    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> BookEntry {
        let [key @ .., m0, m1, w0, w1, _, _, _, _] = *bytes;
        BookEntry {
            key: u64::from_be_bytes(key),
            mv: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
        }
    }

    fn key(bytes: &[u8; ENTRY_BYTES]) -> u64 {
        BookEntry::from_bytes(bytes).key
    }

    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }
}

/// An opening book: the bytes of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book(Vec<u8>);

impl Book {
    /// Reads the book in the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, is larger than 1 GiB, or is no book.
    pub fn open(path: &Path) -> io::Result<Book> {
        let mut bytes = Vec::new();
        let file = open_file(path, OpenOptions::new().read(true))?;
        if file.metadata()?.len() > MAX_BYTES {
            let expected = format!("expected at most {} MiB, found more", MAX_BYTES >> 20);
            return Err(io::Error::other(expected));
        }
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Book::from_bytes(bytes)
    }

    fn from_bytes(bytes: Vec<u8>) -> io::Result<Book> {
        if bytes.is_empty() || !bytes.len().is_multiple_of(ENTRY_BYTES) {
            let found = bytes.len();
            let error = format!("expected entries of {ENTRY_BYTES} bytes, found {found} bytes");
            return Err(io::Error::other(error));
        }
        let book = Book(bytes);
        let is_unsorted = |pair: &[[u8; ENTRY_BYTES]]| BookEntry::key(&pair[0]) > BookEntry::key(&pair[1]);
        match book.entries().windows(2).position(is_unsorted) {
            Some(index) => Err(io::Error::other(format!(
                "expected entries sorted by key, found a smaller key in entry {}",
                index + 2
            ))),
            None => Ok(book),
        }
    }

    /// The book of `entries`: the moves of a position in the order of their weights.
    pub fn new(mut entries: Vec<BookEntry>) -> Book {
        entries.sort_unstable_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
        Book(entries.iter().flat_map(|entry| entry.to_bytes()).collect())
    }

    fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.0.as_chunks().0
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The legal moves of `game` in the book with their weights, which are not 0. Other entries are ignored: two positions
    /// may have the same key.
    pub fn moves<G: Notation>(&self, game: &G) -> Vec<(Move, u16)> {
        let Some(key) = game.book_key() else { return Vec::new() };
        let first = self.entries().partition_point(|bytes| BookEntry::key(bytes) < key);
        let found = self.entries()[first..].iter().map(BookEntry::from_bytes);
        let legal = game.moves();
        found
            .take_while(|entry| entry.key == key)
            .filter(|entry| entry.weight > 0)
            .filter_map(|entry| {
                let mv = legal.iter().find(|&&mv| game.book_move(mv) == entry.mv)?;
                Some((*mv, entry.weight))
            })
            .collect()
    }
}

/// Chooses one of `moves` at random, in proportion to their weights; `None` if there are none.
pub fn choose_book_move(moves: &[(Move, u16)], random: &mut SplitMix64) -> Option<(Move, u16)> {
    let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let mut rest = random.next().checked_rem(total)?;
    moves.iter().copied().find(|&(_, weight)| {
        let chosen = rest < u64::from(weight);
        rest = rest.saturating_sub(weight.into());
        chosen
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, mv: u16, weight: u16) -> BookEntry {
        BookEntry { key, mv, weight }
    }

    #[test]
    fn bytes_of_a_book_are_sorted_entries_of_sixteen_bytes() {
        let book = Book::new(vec![entry(7, 1, 2), entry(0x0102_0304_0506_0708, 0x0910, 5), entry(7, 3, 4)]);
        let bytes = book.bytes();
        assert_eq!(&bytes[..16], [0, 0, 0, 0, 0, 0, 0, 7, 0, 3, 0, 4, 0, 0, 0, 0]);
        assert_eq!(&bytes[32..], [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 0, 5, 0, 0, 0, 0]);
        assert_eq!(Book::from_bytes(bytes.to_vec()).unwrap(), book);
    }

    #[test]
    fn other_bytes_are_no_book() {
        let error = |bytes: &[u8]| Book::from_bytes(bytes.to_vec()).unwrap_err().to_string();
        assert_eq!(error(b""), "expected entries of 16 bytes, found 0 bytes");
        assert_eq!(error(&[0; 40]), "expected entries of 16 bytes, found 40 bytes");
        let unsorted: Vec<u8> = [9, 8].into_iter().flat_map(|key| entry(key, 0, 0).to_bytes()).collect();
        assert_eq!(error(&unsorted), "expected entries sorted by key, found a smaller key in entry 2");
    }

    #[test]
    fn choice_follows_the_weights() {
        let (light, heavy) = ((Move::new(1), 1), (Move::new(2), 9));
        let mut random = SplitMix64::new(1);
        let heavies =
            (0..10_000).filter(|_| choose_book_move(&[light, heavy], &mut random) == Some(heavy)).count();
        assert!((8_800..9_200).contains(&heavies), "{heavies}");
        assert_eq!(choose_book_move(&[], &mut random), None);
    }
}

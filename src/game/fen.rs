//! What position texts have in common that begin with the ranks of a board, as the Forsyth-Edwards notation (FEN) does.

use super::NotationError;

/// The largest counters that a parser accepts. Larger ones are written as these, so that every FEN can be parsed.
pub const MAX_HALFMOVE: u16 = 32_767;
/// See [`MAX_HALFMOVE`].
pub const MAX_FULLMOVE: u32 = 100_000;

/// Writes the ranks from the top. `letter` returns the letter of a square by file and rank, `.` for an empty one.
pub fn ranks_text(files: usize, ranks: usize, letter: impl Fn(usize, usize) -> char) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..=files {
            let letter = if file < files { letter(file, rank) } else { '/' };
            if letter == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
    }
    text.pop();
    text
}

/// The error for field 1 of a FEN, the board.
pub fn board_error(expected: impl std::fmt::Display, field: &str) -> NotationError {
    NotationError::new(format_args!("FEN field 1 (board): expected {expected}"), field)
}

/// Reads the ranks of a FEN on at most 9 files. Calls `put` with file, rank and letter of each piece; it returns whether the letter
/// is one of `letters`.
///
/// # Errors
/// If the text has other ranks.
pub fn parse_ranks(
    field: &str,
    (files, ranks): (usize, usize),
    letters: &str,
    mut put: impl FnMut(usize, usize, char) -> bool,
) -> Result<(), NotationError> {
    let texts: Vec<&str> = field.split('/').take(ranks + 1).collect();
    if texts.len() != ranks {
        return Err(board_error(format_args!("{ranks} ranks separated by /"), field));
    }
    for (rank, text) in (0..ranks).rev().zip(texts) {
        let (mut file, name) = (0, rank + 1);
        let wrong_length = || board_error(format_args!("{files} files on rank {name}"), field);
        for letter in text.chars() {
            let run = letter.to_digit(10).map(|run| run as usize);
            let width = run.filter(|run| (1..=files).contains(run)).unwrap_or(1);
            if file + width > files {
                return Err(wrong_length());
            }
            if run.is_some_and(|run| run != width) {
                return Err(board_error(
                    format_args!("runs of 1 to {files} empty squares on rank {name}"),
                    field,
                ));
            }
            if run.is_none() && !put(file, rank, letter) {
                return Err(board_error(
                    format_args!("pieces {letters}, not {letter:?} on rank {name}"),
                    field,
                ));
            }
            file += width;
        }
        if file != files {
            return Err(wrong_length());
        }
    }
    Ok(())
}

/// Exchanges upper and lower case, the pieces of both sides.
pub fn swap_case(text: &str) -> String {
    let swapped =
        |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(swapped).collect()
}

//! Extended Position Description (EPD): a position and operations on one line, section 16.2 of the PGN
//! standard.

use crate::game::{Notation, NotationError};
use nom::bytes::complete::{tag, take_till, take_while1};
use nom::character::complete::{char, multispace0, satisfy};
use nom::combinator::{opt, recognize};
use nom::multi::many0;
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser, branch::alt};

/// An EPD operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation<'a> {
    /// The name, such as `bm`.
    pub opcode: &'a str,
    /// Words, or quoted texts without their quotation marks.
    pub operands: Vec<&'a str>,
}

/// Parses the position at the start of `line`; returns it with the rest of the line.
///
/// The position is the text before the first semicolon, else the first six words (FEN with operations), else
/// the first four words (EPD of chess): the first of them that is a position of the game of `start`.
///
/// # Errors
/// If none of them is a position of the game.
pub fn position<'a, G: Notation>(start: &G, line: &'a str) -> Result<(G, &'a str), NotationError> {
    let line = line.trim();
    let semicolon = line.find(';').unwrap_or(line.len());
    let ends = [Some(semicolon), end_of_word(line, 6), end_of_word(line, 4)];
    let mut error = None;
    for end in ends.into_iter().flatten().filter(|&end| end <= semicolon) {
        match start.parse_position(&line[..end]) {
            Ok(parsed) => return Ok((parsed.game, line[end..].trim_start_matches([';', ' ', '\t']))),
            Err(found) => error = Some(found),
        }
    }
    Err(error.unwrap_or_else(|| NotationError::new("expected a position", line)))
}

/// The byte offset of the end of the word `number`, from 1.
fn end_of_word(text: &str, number: usize) -> Option<usize> {
    let word = text.split_ascii_whitespace().nth(number - 1)?;
    Some(word.as_ptr() as usize - text.as_ptr() as usize + word.len())
}

/// Parses the operations after the position.
///
/// # Errors
/// If `text` is not a list of operations.
pub fn operations(text: &str) -> Result<Vec<Operation<'_>>, NotationError> {
    let (rest, operations) = many0(operation).parse(text.trim()).map_err(|_| unexpected(text))?;
    if rest.is_empty() { Ok(operations) } else { Err(unexpected(rest)) }
}

fn unexpected(text: &str) -> NotationError {
    NotationError::new("expected an operation such as bm Qg6;", text)
}

/// The semicolon of the operation may be missing, as after the last one of a line.
fn operation(text: &str) -> IResult<&str, Operation<'_>> {
    let letters = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let opcode = recognize(pair(satisfy(|c| c.is_ascii_alphabetic()), opt(letters)));
    let quoted = delimited(char('"'), take_till(|c| c == '"'), char('"'));
    let word = take_while1(|c: char| !c.is_whitespace() && c != ';' && c != '"');
    let operands = many0(preceded(multispace0, alt((quoted, word))));
    let end = preceded(multispace0, opt(tag(";")));
    let (rest, (opcode, operands)) =
        terminated(pair(opcode, operands), pair(end, multispace0)).parse(text)?;
    Ok((rest, Operation { opcode, operands }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_valid_or_invalid_text_gives_operations_or_error() {
        let operations_read = operations("bm Qg6 Rxh7+; id \"WAC; 001\"; dm 4;c0 \"Qg6=10, h4=3\"").unwrap();
        let found: Vec<_> = operations_read
            .iter()
            .map(|operation| (operation.opcode, operation.operands.join("|")))
            .collect();
        let expected = [("bm", "Qg6|Rxh7+"), ("id", "WAC; 001"), ("dm", "4"), ("c0", "Qg6=10, h4=3")];
        assert_eq!(found, expected.map(|(opcode, operands)| (opcode, operands.to_string())));
        assert_eq!(operations(""), Ok(Vec::new()));
        for text in ["; bm e4", "bm \"e4", "0 1", "bm e4; \"x\"", "- bm e4"] {
            let error = operations(text).expect_err(text).to_string();
            assert!(error.starts_with("expected an operation"), "{text}: {error}");
        }
    }
}

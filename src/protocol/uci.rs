//! UCI: the protocol whose commands and replies the server itself has.

use super::Reply;
use super::dialect::{Dialect, Request};
use super::parse::parse;

/// The UCI protocol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uci;

impl Dialect for Uci {
    fn read(&mut self, line: &str) -> Vec<Request> {
        match parse(line) {
            Ok(None) => Vec::new(),
            Ok(Some(parsed)) => {
                let mut requests = Vec::with_capacity(parsed.warnings.len() + 1);
                requests.extend(parsed.warnings.into_iter().map(Reply::InfoString).map(Request::Reply));
                requests.push(Request::Command(parsed.command));
                requests
            }
            Err(error) => vec![Request::Error(error)],
        }
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        Some(reply.to_string())
    }
}

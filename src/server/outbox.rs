//! The replies that wait to be written. A client that reads slowly may lose `info` blocks, but no other reply.

use std::collections::VecDeque;

/// The most `info` blocks that wait. A further one replaces the oldest.
const MAX_INFO_BLOCKS: usize = 64;
/// With more bytes than this waiting, the server reads no further lines.
const HIGH_WATER_BYTES: usize = 4 << 20;

/// The replies that the writer thread has not taken yet, in order.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: VecDeque<Waiting>,
    blocks: usize,
    bytes: usize,
}

#[derive(Debug)]
struct Waiting {
    text: String,
    droppable: bool,
}

impl Outbox {
    /// Adds a reply that is never dropped.
    pub fn push(&mut self, text: String) {
        self.append(text, false);
    }

    /// Adds all lines of one iteration, which may be dropped together while newer ones wait.
    pub fn push_info(&mut self, text: String) {
        if self.blocks == MAX_INFO_BLOCKS
            && let Some(oldest) = self.waiting.iter().position(|waiting| waiting.droppable)
        {
            self.waiting.remove(oldest).inspect(|gone| self.bytes -= gone.text.len());
            self.blocks -= 1;
        }
        self.blocks += 1;
        self.append(text, true);
    }

    /// Makes the last `info` block one that is never dropped, at the end of a search.
    pub fn pin_last_info(&mut self) {
        if let Some(last) = self.waiting.iter_mut().rev().find(|waiting| waiting.droppable) {
            last.droppable = false;
            self.blocks -= 1;
        }
    }

    fn append(&mut self, text: String, droppable: bool) {
        self.bytes += text.len();
        self.waiting.push_back(Waiting { text, droppable });
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn first(&self) -> Option<&str> {
        self.waiting.front().map(|next| next.text.as_str())
    }

    pub fn pop(&mut self) -> Option<String> {
        let next = self.waiting.pop_front()?;
        self.bytes -= next.text.len();
        self.blocks -= usize::from(next.droppable);
        Some(next.text)
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether so much waits that no further line should be read.
    pub fn is_full(&self) -> bool {
        self.bytes > HIGH_WATER_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outbox_without_reader_drops_only_old_info_blocks() {
        let mut out = Outbox::default();
        for search in 0..3 {
            for n in 0..1000 {
                out.push_info(format!("info {search} {n}"));
                if n % 100 == 0 {
                    out.push(format!("readyok {n}"));
                }
            }
            out.pin_last_info();
            out.push(format!("bestmove {search}"));
        }
        let all: Vec<String> = std::iter::from_fn(|| out.pop()).collect();
        assert_eq!(all.iter().filter(|text| text.starts_with("readyok")).count(), 30);
        assert!(all.iter().filter(|text| text.starts_with("info")).count() <= MAX_INFO_BLOCKS + 3);
        for search in 0..3 {
            let best = all.iter().position(|text| *text == format!("bestmove {search}")).unwrap();
            assert!(all[..best].contains(&format!("info {search} 999")));
        }
        assert!(out.is_empty() && !out.is_full() && out.blocks == 0 && out.bytes == 0);
    }
}

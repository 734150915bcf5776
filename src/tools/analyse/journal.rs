//! The file of `--out`: a header and a record for each position searched, each a line of JSON.

use super::{Input, Record, SearchArgs};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// What the format is called.
const FORMAT: &str = "duiyi analysis 1";

/// What the records depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    format: String,
    engine: String,
    variant: String,
    settings: SearchArgs,
    inputs: Vec<Source>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Source {
    file: String,
    bytes: usize,
    crc32: u32,
}

impl Header {
    pub fn new(variant: &str, effort: &SearchArgs, inputs: &[Input]) -> Header {
        let source = |input: &Input| Source {
            file: input.name.clone(),
            bytes: input.bytes.len(),
            crc32: crc32fast::hash(&input.bytes),
        };
        Header {
            format: FORMAT.into(),
            engine: format!("duiyi {}", env!("CARGO_PKG_VERSION")),
            variant: variant.into(),
            settings: effort.clone(),
            inputs: inputs.iter().map(source).collect(),
        }
    }

    /// The first thing in which `found` differs, in words.
    fn difference(&self, found: &Header) -> Option<String> {
        let [ours, theirs] = [self, found].map(|header| {
            let Header { format, engine, variant, settings, inputs } = header;
            let text = |value: serde_json::Result<String>| value.unwrap_or_default();
            let (settings, inputs) = (serde_json::to_string(settings), serde_json::to_string(inputs));
            [format.clone(), engine.clone(), variant.clone(), text(settings), text(inputs)]
        });
        let differs = ours.into_iter().zip(theirs).find(|(ours, theirs)| ours != theirs);
        differs.map(|(ours, theirs)| format!("expected {ours}, found {theirs}"))
    }
}

/// A file of records that grows.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Begins the file at `path`, or continues it and gives what it has, if that is allowed. What was torn off in the middle of a
    /// line is dropped.
    pub fn open(path: &Path, resume: bool, header: &Header) -> anyhow::Result<(Journal, Vec<Record>)> {
        let mut options = File::options();
        options.read(true).write(true);
        let file =
            if resume { options.create(true).truncate(false) } else { options.create_new(true) }.open(path);
        let mut file = match file {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                anyhow::bail!("the file exists; --resume continues it")
            }
            Err(error) => return Err(error.into()),
        };
        if file.try_lock().is_err() {
            anyhow::bail!("another run is writing to this file");
        }
        let bytes = std::fs::read(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let first = serde_json::to_vec(header)?;
        let records = match lines.next() {
            // Not even the header was finished.
            None if first.starts_with(&bytes) => Vec::new(),
            None => anyhow::bail!("expected a file of duiyi analyse; it stays as it is"),
            Some(line) => {
                let found: Header = serde_json::from_slice(line)
                    .map_err(|_| anyhow::anyhow!("expected a file of duiyi analyse; it stays as it is"))?;
                if let Some(difference) = header.difference(&found) {
                    anyhow::bail!("--resume: {difference}; the file stays as it is");
                }
                let record = |(line, number): (&[u8], usize)| {
                    serde_json::from_slice(line).with_context(|| format!("line {number}: expected a record"))
                };
                lines.zip(2..).map(record).collect::<anyhow::Result<Vec<Record>>>()?
            }
        };
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            file.write_all(&[&first[..], b"\n"].concat())?;
        }
        Ok((Journal(file), records))
    }

    /// Appends a record, which is in the system's hands when this returns.
    pub fn push(&mut self, record: &Record) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        Ok(self.0.write_all(&line)?)
    }
}

//! The file of `--out`: a header and one record for each searched position, each a line of JSON.

use super::super::evaluation::evaluation_name;
use super::{Input, PositionRecord, SearchArgs};
use crate::data::open_file;
use crate::nnue::Network;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

const FORMAT: &str = "duiyi analysis 1";

/// The first line of the file: everything that the records depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHeader {
    format: String,
    /// The program, its version and the commit of its sources.
    engine: String,
    /// The hash of the network, or `classical`, which older files do not say.
    #[serde(default = "classical")]
    evaluation: String,
    variant: String,
    settings: SearchArgs,
    inputs: Vec<InputFile>,
}

/// An input file, identified by its name, length and checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputFile {
    file: String,
    bytes: usize,
    crc32: u32,
}

fn classical() -> String {
    evaluation_name(None)
}

impl JournalHeader {
    pub fn new(
        variant: &str,
        search: &SearchArgs,
        network: Option<&Arc<Network>>,
        inputs: &[Input],
    ) -> JournalHeader {
        let source = |input: &Input| InputFile {
            file: input.name.clone(),
            bytes: input.bytes.len(),
            crc32: crc32fast::hash(&input.bytes),
        };
        JournalHeader {
            format: FORMAT.into(),
            engine: format!("duiyi {} {}", env!("CARGO_PKG_VERSION"), env!("DUIYI_COMMIT")),
            evaluation: evaluation_name(network),
            variant: variant.into(),
            settings: search.clone(),
            inputs: inputs.iter().map(source).collect(),
        }
    }

    /// The message about the first field in which `found` differs; `None` if they are equal.
    fn difference(&self, found: &JournalHeader) -> Option<String> {
        let [expected, found] = [self, found].map(|header| {
            let JournalHeader { format, engine, evaluation, variant, settings, inputs } = header;
            let text = |value: serde_json::Result<String>| value.unwrap_or_default();
            let (settings, inputs) = (serde_json::to_string(settings), serde_json::to_string(inputs));
            let names = [format, engine, evaluation, variant].map(String::clone);
            names.into_iter().chain([text(settings), text(inputs)])
        });
        let different = expected.zip(found).find(|(expected, found)| expected != found);
        different.map(|(expected, found)| format!("expected {expected}, found {found}"))
    }
}

/// The open file, to which records are appended.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Creates the file at `path`. With `resume`, continues a file that exists and returns its records. An
    /// incomplete last line is removed.
    ///
    /// # Errors
    /// If the file exists without `resume`, has another header or a wrong record, is used by another run, or
    /// cannot be read or written.
    pub fn open(
        path: &Path,
        resume: bool,
        header: &JournalHeader,
    ) -> anyhow::Result<(Journal, Vec<PositionRecord>)> {
        let mut options = File::options();
        options.read(true).write(true);
        let options = if resume { options.create(true).truncate(false) } else { options.create_new(true) };
        let mut file = match open_file(path, options) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                anyhow::bail!("the file exists; --resume continues it")
            }
            Err(error) => return Err(error.into()),
        };
        if file.try_lock().is_err() {
            anyhow::bail!("another run is writing to this file");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut lines = bytes[..complete].split_inclusive(|&byte| byte == b'\n');
        let first = serde_json::to_vec(header)?;
        let records = match lines.next() {
            // The header is incomplete.
            None if first.starts_with(&bytes) => Vec::new(),
            None => anyhow::bail!("expected a file of duiyi analyse; it stays as it is"),
            Some(line) => {
                let found: JournalHeader = serde_json::from_slice(line)
                    .map_err(|_| anyhow::anyhow!("expected a file of duiyi analyse; it stays as it is"))?;
                if let Some(difference) = header.difference(&found) {
                    anyhow::bail!("--resume: {difference}; the file stays as it is");
                }
                let record = |(line, number): (&[u8], usize)| {
                    serde_json::from_slice(line).with_context(|| format!("line {number}: expected a record"))
                };
                lines.zip(2..).map(record).collect::<anyhow::Result<Vec<PositionRecord>>>()?
            }
        };
        file.set_len(complete as u64)?;
        file.seek(SeekFrom::End(0))?;
        if complete == 0 {
            file.write_all(&[&first[..], b"\n"].concat())?;
        }
        Ok((Journal(file), records))
    }

    /// Appends a record. It is not buffered, so it survives the end of the program.
    pub fn push(&mut self, record: &PositionRecord) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        Ok(self.0.write_all(&line)?)
    }
}

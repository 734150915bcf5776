//! The file of `--curve`: one JSON object for each epoch.

use crate::data::open_file;
use anyhow::{Context, ensure};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// The curves of one or more runs in a file.
pub struct Curve<'a> {
    path: &'a Path,
    /// The recipe and the number of each epoch in the file.
    known: Vec<(String, u64)>,
}

impl<'a> Curve<'a> {
    /// Reads the file at `path`, which need not exist.
    pub fn read(path: &'a Path) -> anyhow::Result<Curve<'a>> {
        let name = || format!("--curve: {}", path.display());
        let mut text = String::new();
        match open_file(path, OpenOptions::new().read(true))
            .and_then(|mut file| file.read_to_string(&mut text))
        {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            // Text that is not UTF-8 is no curve.
            Err(error) if error.kind() == ErrorKind::InvalidData => text.push('x'),
            result => drop(result.with_context(name)?),
        }
        let known: Vec<_> = text.lines().filter_map(epoch).collect();
        let is_curve = text.is_empty() || text.lines().next().and_then(epoch).is_some();
        ensure!(
            is_curve,
            "{}: expected a curve of duiyi train, found another file; nothing is written",
            name()
        );
        Ok(Curve { path, known })
    }

    /// Treats the epochs in the file as those of other runs.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Appends `line` for an epoch of the run with `recipe`, unless a run that was interrupted has done so.
    pub fn append(&self, recipe: &str, epoch: u64, line: &Value) -> anyhow::Result<()> {
        if self.known.iter().any(|(known, number)| known == recipe && *number == epoch) {
            return Ok(());
        }
        open_file(self.path, OpenOptions::new().append(true).create(true))
            .and_then(|mut file| writeln!(file, "{line}"))
            .with_context(|| self.path.display().to_string())
    }
}

/// The recipe and the number of the epoch in a line; `None` if the line has none.
fn epoch(line: &str) -> Option<(String, u64)> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some((value["recipe"].as_str()?.into(), value["epoch"].as_u64()?))
}

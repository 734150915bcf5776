//! The state of a training run in a file, from which the run can go on.

use super::super::files::{CHECKPOINT_MAGIC as MAGIC, replace_file};
use super::model::Model;
use super::optimizer::Values;
use crate::data::open_file;
use anyhow::{Context, ensure};
use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

/// What a run needs to go on, beside the state of its model.
pub struct Checkpoint<'a> {
    /// Everything that the result depends on, in one line.
    pub recipe: &'a str,
    pub epochs: u64,
    pub steps: u64,
}

impl<'a> Checkpoint<'a> {
    /// Writes the checkpoint with the state of `model` to `path`. A run that is interrupted leaves the former file.
    pub fn write(&self, path: &Path, model: &Model) -> anyhow::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.recipe.as_bytes());
        bytes.push(b'\n');
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for value in model.state().flatten() {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        replace_file(path, &bytes)
    }

    /// Reads the checkpoint at `path` of a run with `recipe`, and sets the state of `model`, which must have the size of the
    /// run's.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to a run with another recipe.
    pub fn read(path: &Path, recipe: &'a str, model: &mut Model) -> anyhow::Result<Checkpoint<'a>> {
        Self::parse(path, recipe, model).with_context(|| format!("--resume: {}", path.display()))
    }

    fn parse(path: &Path, recipe: &'a str, model: &mut Model) -> anyhow::Result<Checkpoint<'a>> {
        let mut bytes = Vec::new();
        open_file(path, OpenOptions::new().read(true))?.read_to_end(&mut bytes)?;
        let rest = bytes.strip_prefix(MAGIC).context("expected a checkpoint, found another file")?;
        let end = rest.iter().position(|&byte| byte == b'\n').context("the file is cut off")?;
        let found = String::from_utf8_lossy(&rest[..end]);
        ensure!(found == recipe, "expected a run with {recipe}, found {found}");
        let (body, checksum) = rest[end + 1..].split_last_chunk::<4>().context("the file is cut off")?;
        let length = 16 + size_of::<Values>() * model.state().count();
        ensure!(body.len() == length, "expected {length} bytes of numbers, found {}", body.len());
        let crc32 = crc32fast::hash(&bytes[..bytes.len() - 4]);
        ensure!(u32::from_le_bytes(*checksum) == crc32, "wrong checksum: the file is damaged");
        let (counts, numbers) = body.split_at(16);
        let count = |index: usize| u64::from_le_bytes(counts.as_chunks().0[index]);
        let mut values = numbers.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        model.set_state(|| std::array::from_fn(|_| values.next().expect("the length was checked")));
        Ok(Checkpoint { recipe, epochs: count(0), steps: count(1) })
    }
}

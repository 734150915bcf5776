//! The state of a training run in a file, from which the run can go on.

use super::super::replace_file;
use super::model::{Parameters, Values};
use crate::data::open_file;
use anyhow::{Context, ensure};
use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

const MAGIC: &[u8] = b"Duiyi training checkpoint 1\n";

/// What a run needs to go on.
pub struct Checkpoint<const H: usize> {
    /// Everything that the result depends on, in one line.
    pub recipe: String,
    /// The number of epochs that are done.
    pub epochs: u64,
    /// The number of steps of the optimiser.
    pub steps: u64,
    /// The parameters, and the optimiser's means and squares.
    pub state: [Parameters<H>; 3],
}

impl<const H: usize> Checkpoint<H> {
    /// Writes the checkpoint to `path`. A run that is interrupted leaves the former file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.recipe.as_bytes());
        bytes.push(b'\n');
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        for part in &self.state {
            for row in part.inputs.iter().chain(&part.rest) {
                row.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        replace_file(path, &bytes)
    }

    /// Reads the checkpoint at `path` for a run with `recipe`, whose parameters have the size of `zeros`.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to a run with another recipe.
    pub fn read(path: &Path, recipe: &str, zeros: &Parameters<H>) -> anyhow::Result<Checkpoint<H>> {
        Self::parse(path, recipe, zeros).with_context(|| format!("--resume: {}", path.display()))
    }

    fn parse(path: &Path, recipe: &str, zeros: &Parameters<H>) -> anyhow::Result<Checkpoint<H>> {
        let mut bytes = Vec::new();
        open_file(path, OpenOptions::new().read(true))?.read_to_end(&mut bytes)?;
        let rest = bytes.strip_prefix(MAGIC).context("expected a checkpoint, found another file")?;
        let end = rest.iter().position(|&byte| byte == b'\n').context("the file is cut off")?;
        let found = String::from_utf8_lossy(&rest[..end]);
        ensure!(found == recipe, "expected a run with {recipe}, found {found}");
        let rows = zeros.inputs.len() + zeros.rest.len();
        let (body, checksum) = rest[end + 1..].split_last_chunk::<4>().context("the file is cut off")?;
        let length = 16 + 3 * rows * 4 * H;
        ensure!(body.len() == length, "expected {length} bytes of numbers, found {}", body.len());
        let crc32 = crc32fast::hash(&bytes[..bytes.len() - 4]);
        ensure!(u32::from_le_bytes(*checksum) == crc32, "wrong checksum: the file is damaged");
        let (counts, numbers) = body.split_at(16);
        let count =
            |index: usize| u64::from_le_bytes(*counts.as_chunks().0[index..].first().expect("two counts"));
        let mut values = numbers.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let mut row = |_: &Values<H>| -> Values<H> { std::array::from_fn(|_| values.next().unwrap_or(0.0)) };
        let mut part = |_: usize| Parameters {
            inputs: zeros.inputs.iter().map(&mut row).collect(),
            rest: zeros.rest.iter().map(&mut row).collect(),
        };
        let state = [part(0), part(1), part(2)];
        Ok(Checkpoint { recipe: recipe.into(), epochs: count(0), steps: count(1), state })
    }
}

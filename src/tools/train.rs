//! `duiyi train`: trains the network of a game on files of self-play games.

mod checkpoint;
mod curve;
mod dataset;
mod model;
mod optimizer;
mod scale;

use super::evaluation::read_network;
use super::files::{Files, Replaces, replace_file};
use super::number_in;
use super::progress::Progress;
use crate::game::{SplitMix64, Variant};
use crate::nnue::{Features, LANES, MAX_WIDTH, Network};
use crate::variants::{self, with_network_game};
use anyhow::{Context, ensure};
use checkpoint::Checkpoint;
use curve::Curve;
use dataset::{Dataset, Labels, Sets};
use model::{Losses, Model};
use optimizer::Schedule;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Train the network of a game on the scores and results of self-play games.
///
/// Reads files that datagen has made. Each game in 50 is held out; after each epoch the losses on those games are printed.
/// The same files and options give the same network, byte for byte, on one machine, with any number of threads.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Files of games, made by datagen.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = variants::DEFAULT)]
    variant: String,
    /// Write the network to this file after each epoch, and the state of the run to FILE.checkpoint.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue the run whose state is in the checkpoint of --out; begin it if there is none.
    #[arg(long)]
    resume: bool,
    /// Append one JSON object for each epoch to this file: losses, rate, time.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Replace the file of --out, also if it is a trained network.
    #[arg(long)]
    force: bool,
    /// The score that an output of 1 stands for [default: the mean scale of the files]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    scale: Option<u16>,
    #[command(flatten)]
    recipe: Recipe,
}

impl Arguments {
    fn checkpoint(&self) -> PathBuf {
        self.out.with_added_extension("checkpoint")
    }
}

/// What a network depends on, beside its games.
#[derive(Clone, Debug, clap::Args)]
struct Recipe {
    /// Begin with the weights of this network. Given several times, begin with the means of the weights.
    #[arg(long, value_name = "FILE")]
    init: Vec<PathBuf>,
    /// What to learn: the search's scores, or the static evaluation of positions off the games.
    #[arg(long, value_name = "LABELS", value_enum, default_value_t = Labels::Search)]
    labels: Labels,
    /// The scale of the scores: a side that is ahead by it is expected to get 73 % of the points [default: fitted to the results
    /// of each file]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    score_scale: Option<u16>,
    /// Elements of an accumulator, a multiple of 64 [default: the width of --init, or 256]
    #[arg(long, value_name = "N", value_parser = width)]
    hidden: Option<usize>,
    /// Passes over all positions. After none, the network has the weights that --init says.
    #[arg(long, value_name = "N", default_value_t = 8)]
    epochs: u64,
    /// Train on at most this number of positions, drawn at random.
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Positions per step.
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Highest learning rate. It rises from zero within the first steps and falls by a cosine.
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = number_in(0.0..=100.0))]
    rate: f32,
    /// Learning rate of the last step.
    #[arg(long, value_name = "R", default_value_t = 0.000_01, value_parser = number_in(0.0..=100.0))]
    final_rate: f32,
    /// Number of steps in which the rate rises.
    #[arg(long, value_name = "N", default_value_t = 200)]
    warm_up: u64,
    /// Weight decay, as a share of the rate.
    #[arg(long, value_name = "D", default_value_t = 0.01, value_parser = number_in(0.0..=1.0))]
    decay: f32,
    /// Share of the game's result in the target. The rest is the expected result by the score.
    #[arg(long, value_name = "0..1", default_value_t = 0.1, value_parser = number_in(0.0..=1.0))]
    result_share: f32,
    /// Number of threads: at most one for each 64 elements of an accumulator has work.
    #[arg(long, value_name = "T", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Seed of the random weights and of the order of positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

impl Recipe {
    /// The recipe in one line, for the network's description and the checkpoint.
    fn text(&self, init: &[Network], width: usize, files: usize, positions: usize) -> String {
        let hashes =
            init.iter().map(|network| format!("{:08x}", network.hash())).collect::<Vec<_>>().join("+");
        let init = if init.is_empty() { hashes } else { format!(" init={hashes}") };
        let score_scale = self.score_scale.map_or(String::new(), |scale| format!(" score-scale={scale}"));
        format!(
            "files={files} positions={positions} labels={:?}{init}{score_scale} hidden={width} epochs={} batch={} rate={} final-rate={} \
             warm-up={} decay={} result-share={} seed={}",
            self.labels,
            self.epochs,
            self.batch,
            self.rate,
            self.final_rate,
            self.warm_up,
            self.decay,
            self.result_share,
            self.seed
        )
    }
}

/// Runs the command and writes a table of losses to `out`.
///
/// # Errors
/// If an argument is wrong, or if a file cannot be read or written.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let checkpoint = arguments.checkpoint();
    // The checkpoint is compared with the run before anything is written.
    let continues = arguments.resume && checkpoint.exists();
    let [of_network, of_checkpoint] = match continues {
        true => [Replaces::Anything; 2],
        false => [Replaces::Nothing, Replaces::Checkpoints],
    };
    Files::default()
        .reads(&arguments.files)
        .reads(&arguments.recipe.init)
        .writes("--out", Some(&arguments.out), of_network)
        .writes("the checkpoint of --out", Some(&checkpoint), of_checkpoint)
        .continues("--curve", arguments.curve.as_deref())
        .check(arguments.force)?;
    arguments.curve.as_deref().map(Curve::read).transpose()?;
    with_network_game!(&arguments.variant, |start, CELLS| run::<_, CELLS>(start, arguments, out))
        .context("--variant")?
}

fn width(text: &str) -> Result<usize, String> {
    let is_width = |width: &usize| (1..=MAX_WIDTH).contains(width) && width.is_multiple_of(LANES);
    let width = text.parse().ok().filter(is_width);
    width.ok_or_else(|| format!("expected a multiple of {LANES}, at most {MAX_WIDTH}, got {text:?}"))
}

fn run<G: Variant + Features<CELLS>, const CELLS: usize>(
    start: G,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let recipe = &arguments.recipe;
    let networks = recipe.init.iter().map(|path| read_init::<G>(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let threads = usize::from(recipe.threads);
    let files = &arguments.files;
    let scales = match recipe.score_scale {
        Some(scale) => vec![f64::from(scale); files.len()],
        None => dataset::fit_scales(&start, files, threads)?,
    };
    let Sets { training, held_out, positions } =
        dataset::read(&start, files, &scales, recipe.labels, recipe.seed, threads)?;
    let mut sum = 0.0;
    for ((path, scale), &positions) in files.iter().zip(scales).zip(&positions) {
        writeln!(out, "{}: {positions} positions, scale {scale:.1}", path.display())?;
        sum += scale * positions as f64;
    }
    let mean_scale = sum / positions.iter().sum::<usize>() as f64;
    let scale = arguments.scale.map_or(mean_scale, f64::from);
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    SplitMix64::new(recipe.seed).shuffle(&mut order);
    order.truncate(recipe.positions.unwrap_or(usize::MAX));
    let batch = recipe.batch as usize;
    let steps = (order.len() / batch) as u64;
    ensure!(steps > 0, "expected at least {batch} positions, found {}", order.len());
    writeln!(out, "{} positions, {} held out, scale {scale:.1}", order.len(), held_out.len())?;
    if recipe.epochs > 0 && recipe.warm_up >= steps {
        writeln!(
            out,
            "--warm-up: expected fewer than the {steps} steps of an epoch, got {}; the rate rises in the whole first epoch",
            recipe.warm_up
        )?;
    }
    let layout = training.layout;
    for network in &networks {
        let (expected, found) = (network.width(), recipe.hidden.unwrap_or(networks[0].width()));
        ensure!(
            found == expected,
            "--init: expected --hidden {expected}, the width of the network, found {found}"
        );
    }
    let model = if networks.is_empty() {
        Model::random(layout, recipe.hidden.unwrap_or(256), recipe.seed)
    } else {
        Model::mean(networks.iter().map(|network| Model::from_network(layout, network)).collect())
    };
    let run = Run {
        variant: G::NETWORK,
        training,
        held_out,
        schedule: Schedule {
            rate: recipe.rate,
            final_rate: recipe.final_rate,
            warm_up: recipe.warm_up.min(steps),
            steps: steps * recipe.epochs,
            decay: recipe.decay,
        },
        text: recipe.text(&networks, model.width(), files.len(), order.len()),
        scale,
        arguments,
    };
    run.train(model, order, out)
}

fn read_init<G: Variant>(path: &Path) -> anyhow::Result<Network> {
    read_network::<G>(path).with_context(|| format!("--init: {}", path.display()))
}

struct Run<'a> {
    arguments: &'a Arguments,
    /// The game.
    variant: &'static str,
    training: Dataset,
    held_out: Dataset,
    schedule: Schedule,
    /// The recipe in one line.
    text: String,
    /// The score that an output of 1 stands for.
    scale: f64,
}

impl Run<'_> {
    fn write_network(&self, model: &Model) -> anyhow::Result<()> {
        let description =
            format!("duiyi {} commit={} {}", env!("CARGO_PKG_VERSION"), env!("DUIYI_COMMIT"), self.text);
        let network = model.to_network(self.variant, description, self.scale);
        let bytes = network.to_bytes();
        Network::from_bytes(&bytes)
            .and_then(|network| network.check(self.variant, &self.training.layout))
            .context("the trained network cannot be used")?;
        replace_file(&self.arguments.out, &bytes)
    }

    /// Trains all epochs that are left. `order` lists the positions.
    fn train(&self, mut model: Model, mut order: Vec<u32>, out: &mut dyn Write) -> anyhow::Result<()> {
        let Recipe { epochs, batch, threads, seed, result_share, .. } = self.arguments.recipe;
        let (batch, threads) = (batch as usize, usize::from(threads));
        let checkpoint_path = self.arguments.checkpoint();
        let mut state = Checkpoint { recipe: &self.text, epochs: 0, steps: 0 };
        let mut curve = self.arguments.curve.as_deref().map(Curve::read).transpose()?;
        if self.arguments.resume && checkpoint_path.exists() {
            state = Checkpoint::read(&checkpoint_path, &self.text, &mut model)?;
        }
        if !self.arguments.resume {
            curve.iter_mut().for_each(Curve::forget);
        }
        let per_epoch = (order.len() / batch * batch) as u64;
        let mut progress = Progress::new(epochs * per_epoch, state.epochs * per_epoch);
        writeln!(out, "epoch  training  held out: mix  result  expected       rate  positions/s")?;
        for epoch in state.epochs..epochs {
            let started = Instant::now();
            // The order of an epoch depends on its number alone, so that a resumed run gives the same network.
            order.sort_unstable();
            SplitMix64::new(seed.wrapping_add(1 + epoch)).shuffle(&mut order);
            let mut losses = Losses::default();
            for (index, positions) in order.chunks_exact(batch).enumerate() {
                let step = self.schedule.step(state.steps);
                losses.add(model.train(&self.training, positions, epoch, result_share, step, threads));
                state.steps += 1;
                let positions = (index + 1) * batch;
                let speed = positions as f64 / started.elapsed().as_secs_f64();
                let loss = losses.means()[2];
                let text = format!("epoch {}, loss {loss:.5}, {speed:.0} positions/s", epoch + 1);
                progress.update(epoch * per_epoch + positions as u64, text);
            }
            state.epochs = epoch + 1;
            let speed = per_epoch as f64 / started.elapsed().as_secs_f64();
            let held_out = model.losses(&self.held_out, result_share, threads);
            self.report(&state, [losses, held_out], speed, &progress, curve.as_ref(), out)?;
            // The network last: without a checkpoint, a run that goes on would not know it as its own.
            state.write(&checkpoint_path, &model)?;
            self.write_network(&model)?;
        }
        progress.finish();
        self.write_network(&model)
    }

    /// Prints the losses after an epoch, of the training games and of those held out, and appends them to the curve.
    fn report(
        &self,
        state: &Checkpoint,
        [training, held_out]: [Losses; 2],
        speed: f64,
        progress: &Progress,
        curve: Option<&Curve>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let Checkpoint { epochs: epoch, steps, .. } = *state;
        let [result, expected, mix] = held_out.means();
        let [.., training_mix] = training.means();
        let rate = self.schedule.rate_at(steps.saturating_sub(1));
        progress.suspend(|| {
            writeln!(
                out,
                "{epoch:>5}  {training_mix:.6}       {mix:.6}  {result:.4}   {expected:.6}  {rate:.7}  {speed:>11.0}"
            )?;
            out.flush()
        })?;
        let Some(curve) = curve else { return Ok(()) };
        let line = serde_json::json!({
            "epoch": epoch, "steps": steps, "positions": training.count, "recipe": self.text, "rate": rate,
            "training": training_mix, "held_out": { "mix": mix, "result": result, "expected": expected },
            "positions_per_second": speed.round(),
        });
        curve.append(&self.text, epoch, &line)
    }
}

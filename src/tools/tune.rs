//! `duiyi tune`: fits the weights of an evaluation to the results of games.
//!
//! The expected result is modelled as a logistic function of the evaluation
//! ("Texel tuning", <https://www.chessprogramming.org/Texel%27s_Tuning_Method>). Adam (Kingma and Ba 2014,
//! <https://arxiv.org/abs/1412.6980>) minimises the mean logistic loss in mini-batches.

use super::files::{Files, NewFile, Replaces};
use super::number_in;
use crate::data::{Filter, Reader};
use crate::game::{Heuristics, Notation, SplitMix64, Tunable};
use crate::variants::{self, with_tunable_game};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;

/// Fit the weights of a hand-written evaluation, of chess or xiangqi, to the results of games.
///
/// Reads files that datagen has made. Prints the training and validation loss after each epoch.
/// The same files and options give the same weights.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Files of games, made by datagen.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game: chess or xiangqi.
    #[arg(long, value_name = "V", default_value = variants::DEFAULT)]
    variant: String,
    /// Write the new weights to this file. The next build has those of src/games/chess/classical/weights.in and
    /// src/games/xiangqi/weights.in.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Replace a file that Duiyi has not made, too.
    #[arg(long)]
    force: bool,
    /// Print the N weights that have changed most.
    #[arg(long, value_name = "N", default_value_t = 0)]
    print: usize,
    /// Maximum number of positions to read.
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    #[command(flatten)]
    settings: TuneSettings,
}

/// The parameters of the fit.
#[derive(Clone, Debug, clap::Args)]
pub struct TuneSettings {
    /// Passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub epochs: u32,
    /// Positions per mini-batch.
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// Initial learning rate in centipawns per batch. It falls linearly to zero.
    #[arg(long, value_name = "CP", default_value_t = 0.7, value_parser = number_in(0.0..=100.0))]
    pub rate: f32,
    /// Share of the game's result in the target. The rest is the expected result of the search score.
    #[arg(long, value_name = "0..1", default_value_t = 0.3, value_parser = number_in(0.0..=1.0))]
    pub result_share: f32,
    /// Standard deviation of the prior of each weight around its old value, in centipawns. It limits changes
    /// that are based on few games.
    #[arg(long, value_name = "CP", default_value_t = 80.0, value_parser = number_in(0.1..=10_000.0))]
    pub prior_sd: f32,
    /// Weights that occur in fewer positions do not change.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub min_count: u32,
    /// Seed of the random order of the positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// A training position.
#[derive(Clone, Debug)]
pub struct Example<T> {
    /// The evaluation terms of the position.
    pub trace: T,
    /// The result of the game for White: 1, 1/2 or 0.
    pub result: f32,
    /// The search score for White, in centipawns.
    pub score: f32,
    /// The number of the game, from 0.
    pub game: u64,
}

/// One game in this number is used for validation, the others for training.
const VALIDATION_EVERY: u64 = 20;

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong, a file cannot be read or written, or there are too few games.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    with_tunable_game!(&arguments.variant, |start, T| run::<_, T>(&start, arguments, out))
        .context("--variant")?
}

fn run<G: Heuristics + Notation, T: Tunable<G>>(
    start: &G,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    Files::default()
        .reads(&arguments.files)
        .writes("--write", arguments.write.as_deref(), Replaces::Weights)
        .check(arguments.force)?;
    // Created before the fit, to report a file that cannot be written.
    let file = arguments.write.as_deref().map(NewFile::begin).transpose()?;
    let examples = read::<G, T>(start, arguments)?;
    let weights = fit::<G, T>(examples, &arguments.settings, &mut |line| writeln!(out, "{line}"))?;
    let mut changes: Vec<_> = T::WEIGHTS.numbers().into_iter().zip(&weights).collect();
    changes.sort_by(|a, b| (b.1 - b.0.1).abs().total_cmp(&(a.1 - a.0.1).abs()));
    for ((name, old), new) in changes.into_iter().take(arguments.print) {
        writeln!(out, "{name}: {old:.0} -> {new:.0}")?;
    }
    if let (Some(file), Some(path)) = (file, &arguments.write) {
        file.finish(T::WEIGHTS.file(&weights).as_bytes())?;
        writeln!(out, "written to {}", path.display())?;
    }
    Ok(())
}

fn read<G: Heuristics + Notation, T: Tunable<G>>(
    start: &G,
    arguments: &Arguments,
) -> anyhow::Result<Vec<Example<T::Trace>>> {
    let (limit, filter) = (arguments.positions.unwrap_or(usize::MAX), Filter::quiet::<G>());
    let (mut examples, mut game) = (Vec::new(), 0);
    for path in &arguments.files {
        let in_file = |error| anyhow::Error::new(error).context(path.display().to_string());
        for record in Reader::open(path, start.clone()).map_err(in_file)? {
            record.map_err(in_file)?.replay(|sample| {
                if examples.len() >= limit || !filter.keeps(&sample) {
                    return;
                }
                let Some(trace) = T::trace(sample.position) else { return };
                let Some(result) = sample.white_result() else { return };
                let score = sample.white_score().value() as f32;
                examples.push(Example { trace, result: result as f32, score, game });
            });
            game += 1;
            if examples.len() >= limit {
                break;
            }
        }
    }
    Ok(examples)
}

/// Fits the weights to `examples` and returns those of the epoch with the lowest validation loss. Calls
/// `progress` with a line of text for the start and after each epoch.
///
/// # Errors
/// If there is no example for training or for validation, or if `progress` fails.
pub fn fit<G: Heuristics, T: Tunable<G>>(
    examples: Vec<Example<T::Trace>>,
    settings: &TuneSettings,
    progress: &mut dyn FnMut(String) -> std::io::Result<()>,
) -> anyhow::Result<Vec<f32>> {
    let games = examples.chunk_by(|a, b| a.game == b.game).count();
    let score_k = fit_k(&examples, |example| (example.score, example.result));
    let target = |example: &Example<T::Trace>| {
        settings.result_share * example.result
            + (1.0 - settings.result_share) * logistic(score_k * example.score)
    };
    let (validation, training): (Vec<_>, Vec<_>) =
        examples.iter().partition(|example| example.game % VALIDATION_EVERY == 0);
    anyhow::ensure!(
        !validation.is_empty() && !training.is_empty(),
        "expected positions of at least {VALIDATION_EVERY} games, found {} of {games}",
        examples.len()
    );
    let mut weights: Vec<f32> = T::WEIGHTS.numbers().into_iter().map(|(_, value)| value).collect();
    let k = fit_k(&training, |example| (T::value(&example.trace, &weights), target(example)));
    let is_free = frequent_weights::<G, T>(&training, weights.len(), settings.min_count);
    progress(format!(
        "{} positions of {games} games, {} positions for validation; {} of {} weights free; K {k:.5}, K of scores {score_k:.5}",
        examples.len(),
        validation.len(),
        is_free.iter().filter(|&&is_free| is_free).count(),
        is_free.len(),
    ))?;
    let mean_loss = |examples: &[&Example<T::Trace>], weights: &[f32]| {
        let loss = |e: &&Example<T::Trace>| f64::from(loss(k * T::value(&e.trace, weights), target(e)));
        examples.iter().map(loss).sum::<f64>() / examples.len() as f64
    };
    let mut report = |epoch: u32, weights: &[f32]| {
        let losses = [mean_loss(&training, weights), mean_loss(&validation, weights)];
        progress(format!("epoch {epoch}: loss {:.6}, validation {:.6}", losses[0], losses[1]))
            .map(|()| losses[1])
    };
    let mut best = (report(0, &weights)?, weights.clone());
    let old_weights = weights.clone();
    // The prior counts once for all games, but the loss is a mean, hence the division by the number of games.
    let prior_strength = 1.0 / (settings.prior_sd * settings.prior_sd * games as f32);
    let mut adam = Adam::new(weights.len());
    let mut order: Vec<usize> = (0..training.len()).collect();
    let mut random = SplitMix64::new(settings.seed);
    let mut gradient = vec![0.0; weights.len()];
    let steps = settings.epochs as usize * training.len().div_ceil(settings.batch as usize);
    for epoch in 1..=settings.epochs {
        random.shuffle(&mut order);
        for batch in order.chunks(settings.batch as usize) {
            gradient.fill(0.0);
            for &i in batch {
                let example = training[i];
                let error = logistic(k * T::value(&example.trace, &weights)) - target(example);
                T::add_gradient(&example.trace, &weights, k * error / batch.len() as f32, &mut gradient);
            }
            for (i, slope) in gradient.iter_mut().enumerate() {
                *slope =
                    if is_free[i] { *slope + prior_strength * (weights[i] - old_weights[i]) } else { 0.0 };
            }
            let rate_left = 1.0 - adam.steps as f32 / steps as f32;
            adam.step(&mut weights, &gradient, settings.rate * rate_left);
        }
        let validation_loss = report(epoch, &weights)?;
        if validation_loss < best.0 {
            best = (validation_loss, weights.clone());
        }
    }
    Ok(best.1)
}

fn frequent_weights<G: Heuristics, T: Tunable<G>>(
    examples: &[&Example<T::Trace>],
    weight_count: usize,
    min_count: u32,
) -> Vec<bool> {
    let mut counts = vec![0_u32; weight_count];
    for example in examples {
        T::for_each_weight(&example.trace, &mut |weight| counts[weight] += 1);
    }
    counts.into_iter().map(|count| count >= min_count).collect()
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The logistic loss of the prediction `logistic(x)` for `target`.
fn loss(x: f32, target: f32) -> f32 {
    // ln(1 + e^x) - target·x, in a form that does not overflow.
    x.max(0.0) + (-x.abs()).exp().ln_1p() - target * x
}

/// The K in 0..1 for which logistic(K·value) predicts the target best, by bisection. `pair` returns value and target.
fn fit_k<E>(examples: &[E], pair: impl Fn(&E) -> (f32, f32)) -> f32 {
    let pairs: Vec<(f32, f32)> = examples.iter().map(pair).collect();
    let is_rising = |k: f32| {
        let error = |&(value, target): &(f32, f32)| f64::from((logistic(k * value) - target) * value);
        pairs.iter().map(error).sum::<f64>() > 0.0
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if is_rising(middle) { high = middle } else { low = middle }
    }
    high
}

/// The Adam optimiser: running means of the gradient (`first`) and of its square (`second`).
struct Adam {
    steps: i32,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    const DECAY: (f32, f32) = (0.9, 0.999);
    const EPSILON: f32 = 1e-9;

    fn new(weight_count: usize) -> Adam {
        Adam { steps: 0, first: vec![0.0; weight_count], second: vec![0.0; weight_count] }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let (decay, steps) = (Self::DECAY, self.steps);
        let bias_correction = (1.0 - decay.0.powi(steps), 1.0 - decay.1.powi(steps));
        for (i, &slope) in gradient.iter().enumerate() {
            self.first[i] = decay.0 * self.first[i] + (1.0 - decay.0) * slope;
            self.second[i] = decay.1 * self.second[i] + (1.0 - decay.1) * slope * slope;
            let scale = (self.second[i] / bias_correction.1).sqrt() + Self::EPSILON;
            weights[i] -= rate * self.first[i] / bias_correction.0 / scale;
        }
    }
}

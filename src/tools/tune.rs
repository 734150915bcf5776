//! `duiyi tune`: fits the weights of an evaluation to results of games.
//!
//! The chance to win is taken for a logistic function of the value, and the weights are moved down the
//! gradient of the mean logistic loss ("Texel tuning", <https://www.chessprogramming.org/Texel%27s_Tuning_Method>) by
//! Adam (Kingma and Ba 2014, <https://arxiv.org/abs/1412.6980>) in mini-batches.

use crate::data::{Filter, Reader};
use crate::game::{Heuristics, Notation, SplitMix64, Tunable};
use crate::variants::{self, TunableVisitor};
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

/// Fit the weights of chess's hand-written evaluation to the results of games.
///
/// Reads files that datagen has made and prints the loss after each epoch, also over games that are kept aside. The same
/// files and options give the same weights.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = variants::DEFAULT)]
    variant: String,
    /// Rewrite this file, src/games/chess/classical/weights.rs, with the new weights.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Print the weights that have moved most, so many of them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    print: usize,
    /// Read at most so many positions.
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    #[command(flatten)]
    settings: Settings,
}

/// How to fit.
#[derive(Clone, Debug, clap::Args)]
pub struct Settings {
    /// Passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub epochs: u32,
    /// Positions between two changes of the weights.
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// How far a weight moves at first in one batch, in centipawns; less and less until the end.
    #[arg(long, value_name = "CP", default_value_t = 0.7)]
    pub rate: f32,
    /// How much the game's result counts; the rest is the chance to win by the search's score.
    #[arg(long, value_name = "0..1", default_value_t = 0.3)]
    pub lambda: f32,
    /// How far from what it was a weight is thought to lie, as a standard deviation in centipawns: what few
    /// games show moves little.
    #[arg(long, value_name = "CP", default_value_t = 80.0)]
    pub prior_sd: f32,
    /// A weight seen in fewer positions stays as it is.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub min_count: u32,
    /// Seed of the order of positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct Example<T> {
    /// What its value depends on.
    pub trace: T,
    /// The game's result for White: 1, 1/2 or 0.
    pub result: f32,
    /// The search's score for White.
    pub score: f32,
    /// Which game it is from.
    pub game: u64,
}

/// One game of so many is kept aside to see what the weights are worth for games they do not know.
const VALIDATION_EVERY: u64 = 20;

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong, or a file cannot be read or written.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    variants::visit_tunable(&arguments.variant, Tuning { arguments, out }).context("--variant")?
}

/// The command, once the game is known.
struct Tuning<'a> {
    arguments: &'a Arguments,
    out: &'a mut dyn Write,
}

impl TunableVisitor for Tuning<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Heuristics + Notation, T: Tunable<G>>(self) -> anyhow::Result<()> {
        run::<G, T>(self.arguments, self.out)
    }
}

fn run<G: Heuristics + Notation, T: Tunable<G>>(
    arguments: &Arguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let source = arguments.write.as_ref().map(|path| Ok((path, std::fs::read_to_string(path)?)));
    let source = source.transpose().map_err(|error: std::io::Error| error)?;
    let before: Vec<f32> = T::weights().into_iter().map(|(_, value)| value).collect();
    if let Some((path, text)) = &source {
        // Better now than after the work.
        OpenOptions::new().append(true).open(path).with_context(|| path.display().to_string())?;
        T::replace_weights(text, &before).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    }
    let examples = read::<G, T>(arguments)?;
    let weights = fit::<G, T>(examples, &arguments.settings, &mut |news| writeln!(out, "{news}"))?;
    let mut moved: Vec<_> = T::weights().into_iter().zip(&weights).collect();
    moved.sort_by(|a, b| (b.1 - b.0.1).abs().total_cmp(&(a.1 - a.0.1).abs()));
    for ((name, before), after) in moved.into_iter().take(arguments.print) {
        writeln!(out, "{name}: {before:.0} -> {after:.0}")?;
    }
    if let Some((path, text)) = source {
        let text = T::replace_weights(&text, &weights).map_err(anyhow::Error::msg)?;
        // A disk that is full leaves the old weights.
        let new = path.with_extension("new");
        std::fs::write(&new, text)
            .and_then(|()| std::fs::rename(&new, path))
            .with_context(|| new.display().to_string())?;
        writeln!(out, "written to {}", path.display())?;
    }
    Ok(())
}

fn read<G: Heuristics + Notation, T: Tunable<G>>(
    arguments: &Arguments,
) -> anyhow::Result<Vec<Example<T::Trace>>> {
    let (most, filter) = (arguments.positions.unwrap_or(usize::MAX), Filter::default());
    let (mut examples, mut game) = (Vec::new(), 0);
    for path in &arguments.files {
        let failed = |error| anyhow::Error::new(error).context(path.display().to_string());
        for record in Reader::<_, G>::open(path).map_err(failed)? {
            record.map_err(failed)?.replay(|sample| {
                if examples.len() >= most || !filter.keeps(&sample) {
                    return;
                }
                let Some(trace) = T::trace(sample.position) else { return };
                let score = sample.white_score().value() as f32;
                examples.push(Example { trace, result: sample.white_result() as f32, score, game });
            });
            game += 1;
            if examples.len() >= most {
                break;
            }
        }
    }
    Ok(examples)
}

/// The weights that fit `examples` best, of all epochs those with the least loss over the games kept aside. Tells `news` how it goes.
pub fn fit<G: Heuristics, T: Tunable<G>>(
    examples: Vec<Example<T::Trace>>,
    settings: &Settings,
    progress: &mut dyn FnMut(String) -> std::io::Result<()>,
) -> anyhow::Result<Vec<f32>> {
    let games = examples.chunk_by(|a, b| a.game == b.game).count();
    let of_scores = fit_k(&examples, |example| (example.score, example.result));
    let target = |example: &Example<T::Trace>| {
        settings.lambda * example.result + (1.0 - settings.lambda) * logistic(of_scores * example.score)
    };
    let (aside, known): (Vec<_>, Vec<_>) =
        examples.iter().partition(|example| example.game % VALIDATION_EVERY == 0);
    anyhow::ensure!(
        !aside.is_empty() && !known.is_empty(),
        "expected positions of at least {VALIDATION_EVERY} games, found {} of {games}",
        examples.len()
    );
    let mut weights: Vec<f32> = T::weights().into_iter().map(|(_, value)| value).collect();
    let slope = fit_k(&known, |example| (T::value(&example.trace, &weights), target(example)));
    let free = frequent_weights::<G, T>(&known, weights.len(), settings.min_count);
    progress(format!(
        "{} positions of {games} games, {} of them kept aside; {} of {} weights free; K {slope:.5}, of scores {of_scores:.5}",
        examples.len(),
        aside.len(),
        free.iter().filter(|&&free| free).count(),
        free.len(),
    ))?;
    let mean_loss = |examples: &[&Example<T::Trace>], weights: &[f32]| {
        let loss = |e: &&Example<T::Trace>| f64::from(loss(slope * T::value(&e.trace, weights), target(e)));
        examples.iter().map(loss).sum::<f64>() / examples.len() as f64
    };
    let mut tell = |epoch: u32, weights: &[f32]| {
        let losses = [mean_loss(&known, weights), mean_loss(&aside, weights)];
        progress(format!("epoch {epoch}: loss {:.6}, aside {:.6}", losses[0], losses[1])).map(|()| losses[1])
    };
    let mut best = (tell(0, &weights)?, weights.clone());
    let before = weights.clone();
    // The loss is a mean, the belief in the old weights one for all games together.
    let pull = 1.0 / (settings.prior_sd * settings.prior_sd * games as f32);
    let mut adam = Adam::new(weights.len());
    let mut order: Vec<usize> = (0..known.len()).collect();
    let mut random = SplitMix64::new(settings.seed);
    let mut gradient = vec![0.0; weights.len()];
    let steps = settings.epochs as usize * known.len().div_ceil(settings.batch as usize);
    for epoch in 1..=settings.epochs {
        random.shuffle(&mut order);
        for batch in order.chunks(settings.batch as usize) {
            gradient.fill(0.0);
            for &at in batch {
                let example = known[at];
                let error = logistic(slope * T::value(&example.trace, &weights)) - target(example);
                T::add_gradient(&example.trace, &weights, slope * error / batch.len() as f32, &mut gradient);
            }
            for (at, slope) in gradient.iter_mut().enumerate() {
                *slope = if free[at] { *slope + pull * (weights[at] - before[at]) } else { 0.0 };
            }
            let left = 1.0 - adam.steps as f32 / steps as f32;
            adam.step(&mut weights, &gradient, settings.rate * left);
        }
        let aside = tell(epoch, &weights)?;
        if aside < best.0 {
            best = (aside, weights.clone());
        }
    }
    Ok(best.1)
}

/// Which weights are seen in at least so many examples.
fn frequent_weights<G: Heuristics, T: Tunable<G>>(
    examples: &[&Example<T::Trace>],
    weights: usize,
    least: u32,
) -> Vec<bool> {
    let mut seen = vec![0_u32; weights];
    for example in examples {
        T::for_each_weight(&example.trace, &mut |weight| seen[weight] += 1);
    }
    seen.into_iter().map(|seen| seen >= least).collect()
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The logistic loss of predicting the chance `logistic(x)` where `target` was right.
fn loss(x: f32, target: f32) -> f32 {
    // ln(1 + e^x) - target·x, without overflow.
    x.max(0.0) + (-x.abs()).exp().ln_1p() - target * x
}

/// The K for which logistic(K·value) predicts `target` best, by halving the interval in which the derivative
/// changes its sign; `pair` gives value and target.
fn fit_k<E>(examples: &[E], pair: impl Fn(&E) -> (f32, f32)) -> f32 {
    let pairs: Vec<(f32, f32)> = examples.iter().map(pair).collect();
    let rises = |slope: f32| {
        let error = |&(value, target): &(f32, f32)| f64::from((logistic(slope * value) - target) * value);
        pairs.iter().map(error).sum::<f64>() > 0.0
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if rises(middle) { high = middle } else { low = middle }
    }
    high
}

/// Adam's running means of the gradient and of its square.
struct Adam {
    steps: i32,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    const DECAY: (f32, f32) = (0.9, 0.999);
    const EPSILON: f32 = 1e-9;

    fn new(weights: usize) -> Adam {
        Adam { steps: 0, first: vec![0.0; weights], second: vec![0.0; weights] }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let (decay, steps) = (Self::DECAY, self.steps);
        let warm = (1.0 - decay.0.powi(steps), 1.0 - decay.1.powi(steps));
        for (at, &slope) in gradient.iter().enumerate() {
            self.first[at] = decay.0 * self.first[at] + (1.0 - decay.0) * slope;
            self.second[at] = decay.1 * self.second[at] + (1.0 - decay.1) * slope * slope;
            let scale = (self.second[at] / warm.1).sqrt() + Self::EPSILON;
            weights[at] -= rate * self.first[at] / warm.0 / scale;
        }
    }
}

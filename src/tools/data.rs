//! `duiyi data`: what is in a file of games.

use crate::data::{Blocks, Filter, ReadError, Reader, Record, Sample, Termination};
use crate::game::{Evaluator, Heuristics, Notation, NotationOptions, Outcome, Ply, Side};
use crate::variants::{self, VariantVisitor};
use anyhow::Context;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;

/// Look at a file that datagen has made.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// What to do with a file.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Task {
    /// Count games, results, endings and scores.
    Stats {
        /// The file.
        file: PathBuf,
        /// Which positions to count as kept, or to print.
        #[command(flatten)]
        kept: FilterArgs,
    },
    /// Read every byte: checksums, moves, counts, and results where the rules say them.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Print positions, one in a line: FEN;move;score for White;result for White.
    Epd {
        /// The file.
        file: PathBuf,
        /// Which positions to count as kept, or to print.
        #[command(flatten)]
        kept: FilterArgs,
    },
}

/// Which positions are kept.
#[derive(Clone, Debug, clap::Args)]
pub struct FilterArgs {
    /// Keep every position.
    #[arg(long)]
    all: bool,
    /// Leave out positions with fewer moves behind them.
    #[arg(long, value_name = "N", default_value_t = Filter::default().first_ply)]
    first_ply: usize,
    /// Keep positions in check.
    #[arg(long)]
    in_check: bool,
    /// Keep positions whose best move is a capture or a promotion to a queen.
    #[arg(long)]
    tactical: bool,
    /// Keep positions with a forced win or loss.
    #[arg(long)]
    decisive: bool,
    /// Leave out positions whose score is further from zero.
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    max_score: i32,
}

impl FilterArgs {
    fn filter(&self) -> Filter {
        let &FilterArgs { all, first_ply, in_check, tactical, decisive, max_score } = self;
        if all { Filter::ALL } else { Filter { first_ply, in_check, tactical, decisive, max_score } }
    }
}

/// Runs the command and writes to `out`.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let (Task::Stats { file, .. } | Task::Check { file } | Task::Epd { file, .. }) = &arguments.task;
    let look = || -> anyhow::Result<()> {
        let blocks = Blocks::new(BufReader::new(File::open(file)?))?;
        let variant = &blocks.header().variant;
        let mut out = BufWriter::new(out);
        let inspecting = Inspecting { task: &arguments.task, out: &mut out };
        let done = variants::visit(variant, inspecting).context("the variant in the header")?;
        out.flush()?;
        done
    };
    look().map_err(|error| error.context(file.display().to_string()))
}

/// The command, once the game is known.
struct Inspecting<'a> {
    task: &'a Task,
    out: &'a mut dyn Write,
}

impl VariantVisitor for Inspecting<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> anyhow::Result<()> {
        inspect::<G>(self.task, self.out)
    }
}

fn inspect<G: Heuristics + Notation>(task: &Task, out: &mut dyn Write) -> anyhow::Result<()> {
    match task {
        Task::Stats { file, kept } => stats(Reader::<_, G>::open(file)?, kept.filter(), out),
        Task::Check { file } => check(Reader::<_, G>::open(file)?, out),
        Task::Epd { file, kept } => epd(Reader::<_, G>::open(file)?, kept.filter(), out),
    }
}

fn epd<G: Heuristics + Notation>(
    games: Reader<BufReader<File>, G>,
    filter: Filter,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let style = NotationOptions::default();
    for record in games {
        let mut written = Ok(());
        record?.replay(|sample| {
            if written.is_ok() && filter.keeps(&sample) {
                let (position, mv) =
                    (sample.position.position_text(style), sample.position.move_text(sample.mv, style));
                let (score, result) = (sample.white_score().value(), sample.white_result());
                written = writeln!(out, "{position};{mv};{score};{result}");
            }
        });
        written?;
    }
    Ok(())
}

fn check<G: Heuristics + Notation>(
    mut games: Reader<BufReader<File>, G>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for (record, number) in games.by_ref().zip(1..) {
        let record = record?;
        let last = record.last_position();
        let ended = last.outcome().or_else(|| last.claim(Ply::ROOT));
        anyhow::ensure!(
            record.termination != Termination::Rules || ended == Some(record.outcome),
            "game {number}: expected the rules' result at its end, {ended:?}, found {:?}",
            record.outcome
        );
    }
    let totals = games.totals();
    writeln!(out, "sound: {} games, {} positions, {} bytes", totals.games, totals.positions, totals.bytes)?;
    Ok(())
}

/// Upper ends of the classes of scores.
const SCORES: [i32; 7] = [10, 30, 100, 300, 1000, 3000, 31_000];

/// What is counted.
#[derive(Default)]
struct Counts {
    games: u64,
    positions: u64,
    kept: u64,
    plies: u64,
    /// White wins, draws, Black wins.
    results: [u64; 3],
    /// In the order of [`Ending`].
    endings: [u64; 3],
    /// By [`SCORES`], and then forced ends.
    scores: [u64; SCORES.len() + 1],
    in_check: u64,
    tactical: u64,
}

impl Counts {
    fn game<G: Heuristics + Notation>(&mut self, record: &Record<G>, filter: Filter) {
        self.games += 1;
        self.plies += record.moves.len() as u64;
        let white = match record.outcome {
            Outcome::Win(Side::White) => 1,
            Outcome::Win(Side::Black) => -1,
            Outcome::Draw => 0,
            Outcome::Points(points) => points.signum(),
        };
        self.results[(1 - white) as usize] += 1;
        self.endings[record.termination as usize] += 1;
        record.replay(|sample| self.position(&sample, filter));
    }

    fn position<G: Heuristics + Notation>(&mut self, sample: &Sample<'_, G>, filter: Filter) {
        self.positions += 1;
        self.kept += u64::from(filter.keeps(sample));
        self.in_check += u64::from(sample.position.in_check());
        self.tactical += u64::from(sample.position.is_noisy(sample.mv));
        let (score, decisive) = (sample.score.value().abs(), sample.score.is_decisive());
        let class = SCORES.iter().position(|&most| score <= most && !decisive);
        self.scores[class.unwrap_or(SCORES.len())] += 1;
    }
}

fn stats<G: Heuristics + Notation>(
    mut games: Reader<BufReader<File>, G>,
    filter: Filter,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    let mut fault = None;
    for record in games.by_ref() {
        match record {
            Ok(record) => counts.game(&record, filter),
            // The file may be growing still.
            Err(torn @ ReadError::Truncated { .. }) => fault = Some(torn),
            Err(error) => return Err(error.into()),
        }
    }
    let (header, bytes) = (games.header(), games.totals().bytes);
    let share = |count: u64, of: u64| format!("{count} ({:.1}%)", 100.0 * count as f64 / of.max(1) as f64);
    let (total, positions) = (counts.games, counts.positions);
    let mean = |sum: u64| sum as f64 / total.max(1) as f64;
    writeln!(out, "variant    {}\nmade by    {}", header.variant, header.settings)?;
    writeln!(
        out,
        "games      {total}, {:.1} plies and {:.1} positions each",
        mean(counts.plies),
        mean(positions)
    )?;
    writeln!(out, "bytes      {bytes}, {:.3} a position", bytes as f64 / positions.max(1) as f64)?;
    let [white, draw, black] = counts.results.map(|count| share(count, total));
    writeln!(out, "results    White {white}, draw {draw}, Black {black}")?;
    let [rules, adjudicated, cut] = counts.endings.map(|count| share(count, total));
    writeln!(out, "ended by   rules {rules}, adjudication {adjudicated}, length {cut}")?;
    writeln!(out, "positions  {positions}, kept {}", share(counts.kept, positions))?;
    let (in_check, tactical) = (share(counts.in_check, positions), share(counts.tactical, positions));
    writeln!(out, "           in check {in_check}, best move tactical {tactical}")?;
    for (i, &count) in counts.scores.iter().enumerate() {
        let class = SCORES.get(i).map_or("forced".into(), |most| format!("to {most}"));
        writeln!(out, "score      {class:<9}{}", share(count, positions))?;
    }
    if let Some(fault) = fault {
        writeln!(out, "{fault}")?;
    }
    Ok(())
}

//! `duiyi data`: statistics, validation and positions of a file of games, and one file of several.

use super::files::Files;
use crate::data::{
    Blocks, Filter, GameRecord, Header, ReadError, Reader, Sample, Termination, Totals, Writer, open_file,
};
use crate::game::{Heuristics, Notation, Outcome, Side};
use crate::variants::with_game;
use anyhow::Context;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Inspect a file that datagen has made, or join several.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

/// The action on a file.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Action {
    /// Print statistics of games, results, terminations and scores.
    Stats {
        /// The file.
        file: PathBuf,
        /// The positions to keep.
        #[command(flatten)]
        filter: FilterArgs,
    },
    /// Validate the whole file: checksums, legal moves, counts, and results by the rules.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Print positions, one per line: FEN;move;score for White;result for White, * if the limit of plies ended the game.
    Epd {
        /// The file.
        file: PathBuf,
        /// The positions to keep.
        #[command(flatten)]
        filter: FilterArgs,
    },
    /// Write the games of several files, in order, to a new file. Their headers must be equal: they are parts of one run
    /// (datagen --part). The new file is the one that a single run would have written.
    Join(JoinArgs),
}

/// The arguments of `join`.
#[derive(Clone, Debug, clap::Args)]
pub struct JoinArgs {
    /// The new file.
    out: PathBuf,
    /// The files. With - alone, each line of standard input names one. A line with the numbers of games, positions and bytes of
    /// OUT is then printed at the beginning and after each file.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Continue OUT, whose header must be equal, too; create it if it is missing.
    #[arg(long)]
    resume: bool,
    /// Stop when OUT has this number of games.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop when OUT has at least this number of positions.
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
}

/// The filter of positions.
#[derive(Clone, Debug, clap::Args)]
pub struct FilterArgs {
    /// Keep every position.
    #[arg(long)]
    all: bool,
    /// Remove positions before this ply of games that do not begin with a position of a book [default: the game's own, in
    /// chess 16]
    #[arg(long, value_name = "N")]
    first_ply: Option<usize>,
    /// Keep positions in check.
    #[arg(long)]
    in_check: bool,
    /// Keep positions whose best move is noisy (a capture or a queen promotion).
    #[arg(long)]
    noisy: bool,
    /// Keep positions with a forced win or loss.
    #[arg(long)]
    decisive: bool,
    /// Remove positions with a larger absolute score.
    #[arg(long, value_name = "CP", default_value_t = i32::MAX)]
    max_score: i32,
}

impl FilterArgs {
    fn to_filter<G: Notation>(&self) -> Filter {
        let &FilterArgs { all, first_ply, in_check, noisy, decisive, max_score } = self;
        let first_ply = first_ply.unwrap_or(G::OPENING_PLIES);
        if all { Filter::ALL } else { Filter { first_ply, in_check, noisy, decisive, max_score } }
    }
}

/// Runs the command and writes to `out`.
///
/// # Errors
/// If the file cannot be read or is not valid, or the output cannot be written.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let file = match &arguments.action {
        Action::Stats { file, .. } | Action::Check { file } | Action::Epd { file, .. } => file,
        Action::Join(arguments) => return join(arguments, out),
    };
    let inspect_file = || -> anyhow::Result<()> {
        let mut out = BufWriter::new(out);
        let result =
            with_game!(&header_of(file)?.variant, |start| inspect(start, &arguments.action, &mut out));
        let result = result.context("the variant in the header")?;
        out.flush()?;
        result
    };
    inspect_file().with_context(|| file.display().to_string())
}

fn header_of(path: &Path) -> Result<Header, ReadError> {
    let file = open_file(path, OpenOptions::new().read(true))?;
    Ok(Blocks::new(BufReader::new(file))?.header().clone())
}

fn inspect<G: Heuristics + Notation>(start: G, action: &Action, out: &mut dyn Write) -> anyhow::Result<()> {
    match action {
        Action::Stats { file, filter } => stats(Reader::open(file, start)?, filter.to_filter::<G>(), out),
        Action::Check { file } => check(Reader::open(file, start)?, out),
        Action::Epd { file, filter } => epd(Reader::open(file, start)?, filter.to_filter::<G>(), out),
        Action::Join(_) => unreachable!("it has no single file"),
    }
}

fn epd<G: Heuristics + Notation>(
    games: Reader<BufReader<File>, G>,
    filter: Filter,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for record in games {
        let mut written = Ok(());
        record?.replay(|sample| {
            if written.is_ok() && filter.keeps(&sample) {
                let (position, mv) = (sample.position.position_text(), sample.position.move_text(sample.mv));
                let score = sample.white_score().value();
                let result = sample.white_result().map_or("*".into(), |result| result.to_string());
                written = writeln!(out, "{position};{mv};{score};{result}");
            }
        });
        written?;
    }
    Ok(())
}

type Names<'a> = Box<dyn Iterator<Item = io::Result<PathBuf>> + 'a>;

fn join(arguments: &JoinArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let JoinArgs { out: path, files, resume, .. } = arguments;
    let reads_names = files.len() == 1 && files[0] == Path::new("-");
    let mut names: Names<'_> = if reads_names {
        Box::new(io::stdin().lines().map(|line| line.map(PathBuf::from)))
    } else {
        Files::default().reads(files).continues("OUT", Some(path)).check(false)?;
        Box::new(files.iter().cloned().map(Ok))
    };
    let header = match header_of(path) {
        _ if !resume => None,
        Ok(header) => Some(header),
        // The beginning of a header is written again.
        Err(ReadError::Truncated { .. }) => None,
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            anyhow::bail!("--resume: cannot continue {}: {error}; nothing is changed", path.display())
        }
    };
    let has_header = header.is_some();
    let header = match header {
        Some(header) => header,
        None => {
            if reads_names {
                print_totals(Totals::default(), out)?;
            }
            let Some(first) = names.next().transpose()? else { return Ok(()) };
            let header = header_of(&first).with_context(|| first.display().to_string())?;
            names = Box::new(std::iter::once(Ok(first)).chain(names));
            header
        }
    };
    let mut writer = open_writer("OUT", path, *resume, &header)?;
    if reads_names && has_header {
        print_totals(writer.totals(), out)?;
    }
    let joined = with_game!(&header.variant, |start| {
        names.try_for_each(|file| {
            let file = file?;
            let append = append(&start, arguments, &header, &file, &mut writer);
            append.with_context(|| file.display().to_string())?;
            if reads_names { Ok(print_totals(writer.totals(), out)?) } else { Ok(()) }
        })
    });
    // The games before an error stay in a file that can be continued.
    let totals = writer.finish()?;
    let joined = joined.context("the variant in the header").flatten();
    if joined.is_err() && !resume {
        std::fs::remove_file(path)?;
    }
    joined?;
    if reads_names { Ok(()) } else { Ok(print_totals(totals, out)?) }
}

/// Appends the games of a file, whose header must be `header`.
fn append<G: Notation>(
    start: &G,
    arguments: &JoinArgs,
    header: &Header,
    file: &Path,
    writer: &mut Writer<File>,
) -> anyhow::Result<()> {
    let games = Reader::open(file, start.clone())?;
    let found = games.header();
    anyhow::ensure!(
        found == header,
        "expected a file made with {}, as the first one, found {}",
        header.words_not_in(found),
        found.words_not_in(header)
    );
    for record in games {
        let (record, totals) = (record?, writer.totals());
        if arguments.games.is_some_and(|games| totals.games >= games)
            || arguments.positions.is_some_and(|positions| totals.positions >= positions)
        {
            break;
        }
        writer.push(&record.encode()?, record.scores.len() as u32)?;
    }
    Ok(())
}

fn print_totals(Totals { games, positions, bytes }: Totals, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{games} games, {positions} positions, {bytes} bytes")?;
    out.flush()
}

/// Opens the file of the argument `option` for games with this `header`: a new one or, with `resume`, also one to continue.
///
/// # Errors
/// If the file exists without `resume`, has another header, or cannot be read or written; with its name.
pub fn open_writer(option: &str, path: &Path, resume: bool, header: &Header) -> anyhow::Result<Writer<File>> {
    let shown = path.display();
    if resume && path.exists() {
        let writer = Writer::resume(path, header).map_err(|error| {
            anyhow::anyhow!("--resume: cannot continue {shown}: {error}; nothing is changed")
        })?;
        if let Some(cut_off) = writer.cut_off() {
            // Standard error may be closed.
            let _ = writeln!(io::stderr(), "--resume: {shown}: {cut_off}, their games are played again");
        }
        return Ok(writer);
    }
    match Writer::create(path, header) {
        Ok(writer) => Ok(writer),
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
            anyhow::bail!("{option}: {shown} exists; --resume continues it")
        }
        Err(error) => anyhow::bail!("{option}: {shown}: {error}"),
    }
}

fn check<G: Heuristics + Notation>(
    mut games: Reader<BufReader<File>, G>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for (record, number) in games.by_ref().zip(1..) {
        let record = record?;
        let last = record.last_position();
        let outcome = last.outcome_or_claim();
        anyhow::ensure!(
            record.termination != Termination::Rules || outcome == Some(record.outcome),
            "game {number}: expected the rules' result at its end, {outcome:?}, found {:?}",
            record.outcome
        );
    }
    let totals = games.totals();
    writeln!(out, "sound: {} games, {} positions, {} bytes", totals.games, totals.positions, totals.bytes)?;
    Ok(())
}

/// Upper limits of the score classes, in centipawns.
const SCORE_CLASSES: [i32; 7] = [10, 30, 100, 300, 1000, 3000, 31_000];

#[derive(Default)]
struct GameCounts {
    games: u64,
    positions: u64,
    kept: u64,
    plies: u64,
    /// Wins of White, draws, wins of Black.
    results: [u64; 3],
    /// In the order of [`Termination`].
    terminations: [u64; 3],
    /// By [`SCORE_CLASSES`], with forced wins and losses last.
    scores: [u64; SCORE_CLASSES.len() + 1],
    in_check: u64,
    noisy: u64,
}

impl GameCounts {
    fn add_game<G: Heuristics + Notation>(&mut self, record: &GameRecord<G>, filter: Filter) {
        self.games += 1;
        self.plies += record.moves.len() as u64;
        let winner = match record.outcome {
            Outcome::Win(Side::White) => 1,
            Outcome::Win(Side::Black) => -1,
            Outcome::Draw => 0,
            Outcome::Points(points) => points.signum(),
        };
        if record.termination != Termination::PlyLimit {
            self.results[(1 - winner) as usize] += 1;
        }
        self.terminations[record.termination as usize] += 1;
        record.replay(|sample| self.add_position(&sample, filter));
    }

    fn add_position<G: Heuristics + Notation>(&mut self, sample: &Sample<'_, G>, filter: Filter) {
        self.positions += 1;
        self.kept += u64::from(filter.keeps(sample));
        self.in_check += u64::from(sample.position.in_check());
        self.noisy += u64::from(sample.position.is_noisy(sample.mv));
        let (score, decisive) = (sample.score.value().abs(), sample.score.is_decisive());
        let class = SCORE_CLASSES.iter().position(|&limit| score <= limit && !decisive);
        self.scores[class.unwrap_or(SCORE_CLASSES.len())] += 1;
    }
}

fn stats<G: Heuristics + Notation>(
    mut games: Reader<BufReader<File>, G>,
    filter: Filter,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut counts = GameCounts::default();
    let mut truncation = None;
    for record in games.by_ref() {
        match record {
            Ok(record) => counts.add_game(&record, filter),
            // The end of a file that datagen is writing may be incomplete.
            Err(error @ ReadError::Truncated { .. }) => truncation = Some(error),
            Err(error) => return Err(error.into()),
        }
    }
    let (header, bytes) = (games.header(), games.totals().bytes);
    let share =
        |count: u64, total: u64| format!("{count} ({:.1}%)", 100.0 * count as f64 / total.max(1) as f64);
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
    let [rules, adjudicated, ply_limit] = counts.terminations.map(|count| share(count, total));
    writeln!(out, "ended by   rules {rules}, adjudication {adjudicated}, length {ply_limit}")?;
    writeln!(out, "positions  {positions}, kept {}", share(counts.kept, positions))?;
    let (in_check, noisy) = (share(counts.in_check, positions), share(counts.noisy, positions));
    writeln!(out, "           in check {in_check}, best move noisy {noisy}")?;
    for (i, &count) in counts.scores.iter().enumerate() {
        let class = SCORE_CLASSES.get(i).map_or("forced".into(), |limit| format!("to {limit}"));
        writeln!(out, "score      {class:<9}{}", share(count, positions))?;
    }
    if let Some(error) = truncation {
        writeln!(out, "{error}")?;
    }
    Ok(())
}

//! Syzygy endgame tables (<https://github.com/syzygy1/tb>): win, draw or loss and the distance to the next capture or
//! pawn move, with the effect of the fifty-move rule.
//!
//! The program reads them itself, because the libraries under a fitting licence do not check offsets in the files. What the
//! format means was learned from its author's generator and from the reader `pyrrhic-rs` (MIT).

mod index;
mod material;
mod probe;
mod table;

use super::board::Board;
use super::position::Position;
use crate::game::{Depth, Game, Move, Ply, Probing, RankedMoves, Score, TableFiles, TableResult, Tablebase};
use material::Material;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use table::{Kind, Table, TableError};

/// The tables of a set of files. A file is opened when it is first needed.
#[derive(Debug)]
pub struct Syzygy {
    tables: Vec<TablePair>,
    /// The index in `tables` by the key of the material, and whether the colours are exchanged.
    by_material: HashMap<u64, (usize, bool)>,
    max_pieces: u32,
    open: fn(&Path) -> io::Result<File>,
    problems: Mutex<Problems>,
}

/// The two tables of one material.
#[derive(Debug)]
struct TablePair {
    material: Material,
    wdl: Slot,
    dtz: Option<Slot>,
}

/// A file, and its table once it was opened; `None` if it cannot be used.
#[derive(Debug)]
struct Slot {
    path: PathBuf,
    table: OnceLock<Option<Table>>,
}

/// The files with an error. Each is reported once.
#[derive(Debug, Default)]
struct Problems {
    files: Vec<PathBuf>,
    new: Vec<String>,
}

impl Slot {
    fn new(path: &Path) -> Slot {
        Slot { path: path.into(), table: OnceLock::new() }
    }
}

impl Syzygy {
    /// The tables among `files`. Other files are ignored.
    pub fn open(files: &TableFiles) -> Syzygy {
        let mut syzygy = Syzygy {
            tables: Vec::new(),
            by_material: HashMap::new(),
            max_pieces: 0,
            open: files.open,
            problems: Mutex::default(),
        };
        for (name, path) in &files.paths {
            let Some(name) = name.strip_suffix(Kind::Wdl.extension()) else { continue };
            let Some(material) = Material::parse(name) else { continue };
            let dtz = files.paths.get(&format!("{name}{}", Kind::Dtz.extension()));
            let index = syzygy.tables.len();
            syzygy.by_material.insert(material.mirrored().key(), (index, true));
            syzygy.by_material.insert(material.key(), (index, false));
            syzygy.max_pieces = syzygy.max_pieces.max(material.pieces() as u32);
            syzygy.tables.push(TablePair {
                material,
                wdl: Slot::new(path),
                dtz: dtz.map(|path| Slot::new(path)),
            });
        }
        syzygy.check_first_bytes();
        syzygy
    }

    /// Reads the first bytes of each file, so that the user learns of a foreign or empty file before the search.
    fn check_first_bytes(&self) {
        for entry in &self.tables {
            for (slot, kind) in
                [(&entry.wdl, Kind::Wdl)].into_iter().chain(entry.dtz.as_ref().map(|slot| (slot, Kind::Dtz)))
            {
                let checked = (self.open)(&slot.path).map_err(TableError::from);
                if let Err(error) = checked.and_then(|file| table::check(&file, kind)) {
                    slot.table.get_or_init(|| None);
                    self.report(slot, &error);
                }
            }
        }
    }

    /// The table of `slot`, which is opened if it was not.
    fn table<'a>(&self, slot: &'a Slot, kind: Kind, material: &Material) -> Option<&'a Table> {
        let open = || {
            let opened = (self.open)(&slot.path).map_err(TableError::from);
            match opened.and_then(|file| Table::open(file, kind, material)) {
                Ok(table) => Some(table),
                Err(error) => {
                    self.report(slot, &error);
                    None
                }
            }
        };
        slot.table.get_or_init(open).as_ref()
    }

    /// Notes an error of a file, the first time.
    fn report(&self, slot: &Slot, error: &TableError) {
        let mut problems = self.problems.lock().unwrap_or_else(|error| error.into_inner());
        if !problems.files.contains(&slot.path) {
            problems.files.push(slot.path.clone());
            let name = slot.path.display();
            problems.new.push(format!("cannot use the table {name}: {error}, searching without it"));
        }
    }

    /// The table entry of the material on `board`, and whether its colours are exchanged.
    fn entry(&self, board: &Board) -> Option<(&TablePair, bool)> {
        let &(index, exchanged) = self.by_material.get(&material::key_of(board))?;
        Some((&self.tables[index], exchanged))
    }

    /// The result of the position from -2 to 2 by its table, without captures.
    fn wdl_of_table(&self, board: &Board) -> Option<i32> {
        // Two kings.
        if board.occupied().count() == 2 {
            return Some(0);
        }
        let (entry, exchanged) = self.entry(board)?;
        let table = self.table(&entry.wdl, Kind::Wdl, &entry.material)?;
        table.wdl(board, exchanged).map_err(|error| self.report(&entry.wdl, &error)).ok()
    }

    /// The distance of the position with the result `wdl` by its table. `Some(None)`: only for the other side.
    fn dtz_of_table(&self, board: &Board, wdl: i32) -> Option<Option<i32>> {
        let (entry, exchanged) = self.entry(board)?;
        let slot = entry.dtz.as_ref()?;
        let table = self.table(slot, Kind::Dtz, &entry.material)?;
        table.dtz(board, exchanged, wdl).map_err(|error| self.report(slot, &error)).ok()
    }

    fn may_have(&self, board: &Board, probing: &Probing) -> bool {
        board.occupied().count() <= self.max_pieces.min(probing.max_pieces) && board.castling.is_empty()
    }
}

impl Tablebase<Position> for Syzygy {
    /// The tables assume that the halfmove clock is 0, so other positions are not looked up.
    fn probe(&self, game: &Position, depth: Depth, probing: &Probing) -> Option<TableResult> {
        let board = game.board();
        let limit = self.max_pieces.min(probing.max_pieces);
        if !self.may_have(board, probing)
            || board.rule50 != 0
            || board.occupied().count() == limit && depth < probing.min_depth
        {
            return None;
        }
        Some(match self.wdl(board)? {
            2 => TableResult::Win,
            -2 => TableResult::Loss,
            1 if !probing.fifty_move_rule => TableResult::Win,
            -1 if !probing.fifty_move_rule => TableResult::Loss,
            spoilt => TableResult::Draw(Score::new(spoilt)),
        })
    }

    fn rank_moves(&self, game: &Position, moves: &[Move], probing: &Probing) -> Option<RankedMoves> {
        if !self.may_have(game.board(), probing) {
            return None;
        }
        self.rank_by_distance(game, moves, probing).or_else(|| self.rank_by_result(game, moves, probing))
    }

    fn summary(&self) -> Option<String> {
        if self.tables.is_empty() {
            return None;
        }
        let distances = self.tables.iter().filter(|entry| entry.dtz.is_some()).count();
        let (results, pieces) = (self.tables.len(), self.max_pieces);
        Some(format!("{results} WDL and {distances} DTZ tables for up to {pieces} pieces"))
    }

    fn take_problems(&self) -> Vec<String> {
        let mut problems = self.problems.lock().unwrap_or_else(|error| error.into_inner());
        let mut new = std::mem::take(&mut problems.new);
        // One line: a directory may have hundreds of damaged files.
        if new.len() > 1 {
            let others = new.len() - 1;
            new.truncate(1);
            new[0] += &format!(" (and {others} more)");
        }
        new
    }
}

/// The plies without a capture or pawn move after which a player may claim a draw.
const FIFTY_MOVES: i32 = 100;
/// The rank of a certain win.
const WIN: i32 = 1 << 20;
/// The rank of a win that the fifty-move rule spoils, less the plies to the next capture or pawn move.
const SPOILT_WIN: i32 = 1 << 10;

impl Syzygy {
    /// Ranks `moves` by the distance to the next capture or pawn move. Certain wins are equal, so that the search chooses
    /// among them; but after a repetition the shortest is best, so that the game goes on.
    fn rank_by_distance(&self, game: &Position, moves: &[Move], probing: &Probing) -> Option<RankedMoves> {
        let clock = i32::from(game.board().rule50);
        let repeated = game.has_repetition();
        let mut game = game.clone();
        let mut ranked = Vec::with_capacity(moves.len());
        for &mv in moves {
            game.play(mv);
            let distance = self.distance_after_move(&game);
            game.undo(mv);
            let distance = distance?;
            let is_safe = |distance: i32| distance + clock < FIFTY_MOVES;
            let is_decided = distance.abs() + clock <= FIFTY_MOVES || !probing.fifty_move_rule;
            let rank = match distance {
                0 => 0,
                1.. if is_safe(distance) && !repeated => WIN,
                1.. if is_safe(distance) => WIN - distance,
                1.. => SPOILT_WIN - (distance + clock).min(SPOILT_WIN - 1),
                // The longer loss is better where the opponent may not be in time.
                _ if is_safe(-2 * distance) => -WIN,
                _ => (clock - distance).min(SPOILT_WIN - 1) - SPOILT_WIN,
            };
            ranked.push((rank, score(distance, is_decided)));
        }
        Some(RankedMoves { moves: ranked, ensures_progress: true })
    }

    /// The distance of the position that a move of the root leads to, for the side that moved: positive if it wins, with
    /// the move. A draw by the rules is 0.
    fn distance_after_move(&self, game: &Position) -> Option<i32> {
        let board = game.board();
        if game.claim(Ply::new(1)).is_some() {
            return Some(0);
        }
        if board.rule50 == 0 {
            return Some(probe::distance_before_zeroing(-self.wdl(board)?));
        }
        let distance = -self.dtz(board)?;
        let mates = board.checkers.has_any() && board.count_moves() == 0;
        Some(if mates { 1 } else { distance + distance.signum() })
    }

    /// Ranks `moves` by their results alone. The search must look for progress.
    fn rank_by_result(&self, game: &Position, moves: &[Move], probing: &Probing) -> Option<RankedMoves> {
        let mut game = game.clone();
        let mut ranked = Vec::with_capacity(moves.len());
        for &mv in moves {
            game.play(mv);
            let is_draw = game.claim(Ply::new(1)).is_some();
            let result = if is_draw { Some(0) } else { self.wdl(game.board()) };
            game.undo(mv);
            let result = -result?;
            let is_decided = result.abs() == 2 || !probing.fifty_move_rule;
            let rank = if result.abs() == 2 { result.signum() * WIN } else { result };
            ranked.push((rank, score(result, is_decided)));
        }
        Some(RankedMoves { moves: ranked, ensures_progress: false })
    }
}

/// The score to show for a move of the root with a positive `result` if it wins.
fn score(result: i32, is_decided: bool) -> Score {
    match result.signum() {
        1 if is_decided => Score::table_win(Ply::ROOT),
        -1 if is_decided => -Score::table_win(Ply::ROOT),
        sign => Score::new(sign),
    }
}

#[cfg(test)]
mod tests;

//! What a game tells the search has the effect that `game::Heuristics` and `game::Game` describe.

use duiyi::game::{
    Claim, Evaluator, Game, Heuristics, Move, MoveList, Outcome, Ply, Score, Side, SplitMix64, Window,
};
use duiyi::search::{self, Limits, SearchRequest, SearchState};

/// Every position has the value 0.
#[derive(Default)]
struct Zero;

impl<G: Game> Evaluator<G> for Zero {
    fn evaluate(&mut self, _: &G) -> Score {
        Score::ZERO
    }
}

/// The best move and its score.
fn best<G: Heuristics>(root: G, limits: Limits, state: &mut SearchState) -> (u16, Score) {
    let request = SearchRequest::new(root, limits);
    let never = crossbeam_channel::never();
    let search = search::run_to_end::<G, Zero>(request, state, &never, &mut |_| {}).unwrap();
    (search.result.best.unwrap().bits(), search.last.unwrap().lines[0].score)
}

fn new_state() -> SearchState {
    SearchState::new(1).unwrap()
}

/// Black to move draws with move 1, or plays move 2. White then has one move, to a position from which it wins by force.
/// If that position was on the board before, White loses by rule.
#[derive(Clone)]
struct Repetition {
    was_there: bool,
    path: Vec<u16>,
}

impl Game for Repetition {
    fn side_to_move(&self) -> Side {
        if self.path.len().is_multiple_of(2) { Side::Black } else { Side::White }
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let count = match self.path.as_slice() {
            [] => 2,
            _ if self.outcome().is_some() => 0,
            _ => 1,
        };
        moves.extend((1..=count).map(Move::new));
    }

    fn play(&mut self, mv: Move) {
        self.path.push(mv.bits());
    }

    fn undo(&mut self, _: Move) {
        self.path.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.path.as_slice() {
            [1, ..] => Some(Outcome::Draw),
            [2, _, _, _] => Some(Outcome::Win(Side::White)),
            _ => None,
        }
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(7, |key, &mv| SplitMix64::new(key ^ u64::from(mv)).next())
    }

    fn claim(&self, ply: Ply) -> Option<Claim> {
        (self.was_there && ply > Ply::ROOT && self.path.len() == 2).then_some(Claim::Win(Side::Black))
    }
}

impl Heuristics for Repetition {}

#[test]
fn win_by_rule_is_found_and_not_stored() {
    let mut state = new_state();
    let game = |was_there| Repetition { was_there, path: Vec::new() };
    let by_rule = Score::from_claim(Claim::Win(Side::Black), Side::Black, Ply::new(2));
    assert_eq!(best(game(true), Limits::depth(4), &mut state), (2, by_rule));
    // The same positions with another history: move 2 loses. A null window takes scores from the table.
    let limits = Limits { window: Window::null_window_at_alpha(Score::ZERO), ..Limits::depth(4) };
    assert_eq!(best(game(false), limits, &mut state).1, Score::ZERO);
}

/// Move n ends the game with n points for White. Only moves 2 and 3 of 5 are candidates.
#[derive(Clone)]
struct Candidates {
    points: u16,
}

impl Game for Candidates {
    fn side_to_move(&self) -> Side {
        if self.points == 0 { Side::White } else { Side::Black }
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend((1..=5).filter(|_| self.points == 0).map(Move::new));
    }

    fn play(&mut self, mv: Move) {
        self.points = mv.bits();
    }

    fn undo(&mut self, _: Move) {
        self.points = 0;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.points > 0).then_some(Outcome::Points(self.points.into()))
    }

    fn key(&self) -> u64 {
        SplitMix64::new(self.points.into()).next()
    }
}

impl Heuristics for Candidates {
    const SELECTIVE: bool = true;
    const HAS_CANDIDATES: bool = true;

    fn quiet_moves(&self, moves: &mut MoveList) {
        moves.extend(self.moves().into_iter().filter(|mv| [2, 3].contains(&mv.bits())));
    }
}

#[test]
fn root_moves_are_the_candidates_and_those_of_searchmoves() {
    let root = Candidates { points: 0 };
    let mut state = new_state();
    assert_eq!(best(root.clone(), Limits::depth(2), &mut state), (3, Score::new(3)));
    let requested = |moves: &[u16]| Limits {
        searchmoves: moves.iter().map(|&mv| Move::new(mv)).collect(),
        ..Limits::depth(2)
    };
    assert_eq!(best(root.clone(), requested(&[5, 2]), &mut state), (5, Score::new(5)));
    assert_eq!(best(root, requested(&[1]), &mut state), (1, Score::new(1)));
}

/// White has one move. Black is then in check and draws with move 1 or loses with move 2, its forced move.
#[derive(Clone)]
struct ForcedMove {
    path: Vec<u16>,
}

impl Game for ForcedMove {
    fn side_to_move(&self) -> Side {
        Side::ALL[self.path.len() % 2]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let count = [1, 2, 0][self.path.len()];
        moves.extend((1..=count).map(Move::new));
    }

    fn play(&mut self, mv: Move) {
        self.path.push(mv.bits());
    }

    fn undo(&mut self, _: Move) {
        self.path.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.path.as_slice() {
            [_, 1] => Some(Outcome::Draw),
            [_, _] => Some(Outcome::Win(Side::White)),
            _ => None,
        }
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(7, |key, &mv| SplitMix64::new(key ^ u64::from(mv)).next())
    }
}

impl Heuristics for ForcedMove {
    const SELECTIVE: bool = true;

    fn forced_move(&self) -> Option<Move> {
        (self.path.len() == 1).then(|| Move::new(2))
    }

    fn in_check(&self) -> bool {
        self.path.len() == 1
    }

    fn extends(&self) -> bool {
        false
    }
}

#[test]
fn quiescence_search_plays_the_forced_move_only() {
    let root = ForcedMove { path: Vec::new() };
    assert_eq!(best(root, Limits::depth(1), &mut new_state()), (1, Score::mate_in(Ply::new(2))));
}

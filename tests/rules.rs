//! The rules of chess compared with two independent libraries, on random games from fixed seeds.

use duiyi::game::{
    Claim, Game, Heuristics, MoveList, Notation, OptionValues, Outcome, Ply, Side, SplitMix64, conformance,
};
use duiyi::games::chess::Position;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Position as _, Square};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, PositionError, Role, attacks};

/// `game` with moves and positions written as in Chess960.
fn shredder(game: &Position) -> Position {
    let mut game = game.clone();
    game.set_options(&OptionValues::from([("UCI_Chess960", 1)]));
    game
}

/// Start positions of the random games, in addition to the perft suites.
const ENDGAMES: [&str; 6] = [
    "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
    "8/8/2n1k3/8/8/3BK3/8/8 w - - 0 1",
    "8/5b2/4k3/8/8/3BK3/8/8 b - - 90 1",
    "8/5b2/4k3/8/8/4K3/4B3/8 b - - 90 1",
    "8/p7/4k3/8/8/4K3/7P/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 97 60",
];

fn read(fen: &str) -> Position {
    Position::start().parse_position(fen).unwrap_or_else(|e| panic!("{fen}: {e}")).game
}

fn fens(suite: &str) -> impl Iterator<Item = &str> {
    let lines = suite.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(';').next().unwrap().trim())
}

/// The same game in three implementations.
struct TripleGame {
    ours: Position,
    shakmaty: Chess,
    cozy: cozy_chess::Board,
    /// FENs of all positions so far, without the move counters.
    past: Vec<String>,
}

impl TripleGame {
    fn new(fen: &str) -> TripleGame {
        let shakmaty = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960);
        let shakmaty: Result<Chess, _> = shakmaty.or_else(PositionError::ignore_too_much_material);
        let cozy =
            cozy_chess::Board::from_fen(fen, false).or_else(|_| cozy_chess::Board::from_fen(fen, true));
        TripleGame { ours: read(fen), shakmaty: shakmaty.unwrap(), cozy: cozy.unwrap(), past: Vec::new() }
    }

    fn fen(&self) -> String {
        Fen::from_position(&self.shakmaty, EnPassantMode::Legal).to_string()
    }

    /// Compares all three implementations. Returns the legal moves as text.
    fn check(&mut self) -> Vec<String> {
        let fen = self.fen();
        assert_eq!(self.ours.position_text(), fen);
        let (ours, expected) = (shredder(&self.ours), format!("{:#}", self.cozy));
        let three = |text: &str| text.split(' ').take(3).map(str::to_string).collect::<Vec<_>>();
        assert_eq!(three(&ours.position_text()), three(&expected));
        assert_eq!(self.ours.key(), read(&fen).key(), "{fen}: the key depends on the move history");

        let mut moves: Vec<String> = ours.moves().iter().map(|&mv| ours.move_text(mv)).collect();
        let theirs = self.shakmaty.legal_moves();
        let mut expected: Vec<String> =
            theirs.iter().map(|&mv| UciMove::from_chess960(mv).to_string()).collect();
        let mut cozy = Vec::new();
        self.cozy.generate_moves(|piece_moves| {
            cozy.extend(piece_moves.into_iter().map(|mv| mv.to_string()));
            false
        });
        moves.sort();
        expected.sort();
        cozy.sort();
        assert_eq!(moves, expected, "{fen}");
        assert_eq!(moves, cozy, "{fen}");

        assert_eq!(self.ours.in_check(), self.shakmaty.is_check(), "{fen}: check");
        let outcome = match (moves.is_empty(), self.shakmaty.is_check()) {
            (false, _) => None,
            (true, false) => Some(Outcome::Draw),
            (true, true) => Some(Outcome::Win(match self.shakmaty.turn() {
                Color::White => Side::Black,
                Color::Black => Side::White,
            })),
        };
        assert_eq!(self.ours.outcome(), outcome, "{fen}: outcome");
        self.check_claim(&fen);
        moves
    }

    /// Compares draw claims: insufficient material, 50 moves without progress unless it is mate, threefold repetition.
    fn check_claim(&mut self, fen: &str) {
        let position = fen.rsplitn(3, ' ').last().unwrap().to_string();
        let occurrences = 1 + self.past.iter().filter(|past| **past == position).count();
        self.past.push(position);
        let claim = self.shakmaty.is_insufficient_material()
            || self.shakmaty.halfmoves() >= 100 && !self.shakmaty.is_checkmate()
            || occurrences >= 3;
        assert_eq!(self.ours.claim(Ply::ROOT), claim.then_some(Claim::Draw), "{fen}: claim");
    }

    fn play(&mut self, text: &str) {
        let fen = self.fen();
        let mv = self.ours.parse_move(text).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let gives_check = self.ours.gives_check(mv);
        self.ours.play(mv);
        let theirs = text.parse::<UciMove>().unwrap().to_move(&self.shakmaty).unwrap();
        self.shakmaty.play_unchecked(theirs);
        self.cozy.play(text.parse().unwrap());
        assert_eq!(gives_check, self.shakmaty.is_check(), "{fen}: gives_check of {text}");
    }
}

/// Plays random games of at most `plies` plies. Returns the number of compared positions.
fn play_random(fen: &str, games: usize, plies: usize, random: &mut SplitMix64) -> usize {
    let mut positions = 0;
    for _ in 0..games {
        let mut game = TripleGame::new(fen);
        for _ in 0..plies {
            let moves = game.check();
            positions += 1;
            let Some(text) = random.choose(&moves) else { break };
            game.play(text);
        }
    }
    positions
}

#[test]
fn random_games_from_perft_suites_agree() {
    let mut random = SplitMix64::new(1);
    let suites = [include_str!("data/perft/standard.epd"), include_str!("data/perft/chess960.epd")];
    let starts = suites.into_iter().flat_map(fens).chain(ENDGAMES);
    let positions: usize = starts.map(|fen| play_random(fen, 3, 120, &mut random)).sum();
    assert!(positions > 10_000, "only {positions} positions");
}

#[test]
fn random_games_from_chess960_starts_agree() {
    let mut random = SplitMix64::new(2);
    let starts = fens(include_str!("data/perft/chess960_starts.epd")).step_by(13);
    let positions: usize = starts.map(|fen| play_random(fen, 1, 200, &mut random)).sum();
    assert!(positions > 5_000, "only {positions} positions");
}

#[test]
fn long_random_games_agree() {
    let positions = play_random(&Position::start().position_text(), 20, 500, &mut SplitMix64::new(3));
    assert!(positions > 3_000, "only {positions} positions");
}

/// The SAN of every legal move in random games equals shakmaty's, and several spellings are parsed as the same move.
#[test]
fn san_of_random_moves_agrees() {
    let mut random = SplitMix64::new(6);
    let suites = [include_str!("data/perft/standard.epd"), include_str!("data/perft/chess960.epd")];
    // Moves that need the file, the rank, or both for disambiguation.
    let crowded = ["8/7k/8/Q3Q3/8/8/8/Q3Q2K w - - 0 1", "8/2N1N3/1N3N2/8/1N3N2/2N1N3/8/K6k w - - 0 1"];
    let (mut read, mut castlings) = (0, 0);
    for fen in suites.into_iter().flat_map(fens).chain(ENDGAMES).chain(crowded) {
        let mut game = TripleGame::new(fen);
        for _ in 0..80 {
            let legal = game.shakmaty.legal_moves();
            for &theirs in &legal {
                let expected = SanPlus::from_move(game.shakmaty.clone(), theirs).to_string();
                let mv = game.ours.parse_move(&UciMove::from_chess960(theirs).to_string()).unwrap();
                assert_eq!(game.ours.san_text(mv), expected, "{}", game.fen());
                let bare = expected.trim_end_matches(['+', '#']);
                for text in
                    [&expected, bare, &bare.replace('x', ""), &bare.replace('=', ""), &format!("{bare}!?")]
                {
                    assert_eq!(game.ours.parse_san(text), Ok(mv), "{}: {text}", game.fen());
                    read += 1;
                }
                castlings += usize::from(theirs.is_castle());
            }
            let Some(&mv) = random.choose(&legal) else { break };
            game.play(&UciMove::from_chess960(mv).to_string());
        }
    }
    assert!(read > 400_000 && castlings > 100, "{read} texts, {castlings} castling moves");
}

#[test]
fn invalid_san_is_refused() {
    let position = read("r3k2r/1P6/8/8/1R3R2/8/8/R3K2R w KQkq - 0 1");
    for text in
        ["O-O", "0-0", "o-o+", "O-O-O!", "b8=Q+", "b8Q", "b8(Q)", "b8=q", "bxa8=N", "ba8N", "Rab1", "R4b3"]
    {
        assert!(position.parse_san(text).is_ok(), "{text}: {:?}", position.parse_san(text));
    }
    assert_eq!(position.parse_san("e1g1"), position.parse_san("O-O"));
    let en_passant = read("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    for text in ["exd6", "exd6e.p.", "exd6ep", "ed6e.p.+", "exd6 e.p.", "exd6="] {
        assert_eq!(en_passant.parse_san(text), en_passant.parse_move("e5d6"), "{text}");
    }
    for text in [
        "", "e", "e4", "b8", "b8=K", "b8=", "b8+=", "e.p.", "=", "O", "O-O-O-O", "Rc4x", "Rb4d4f4", "Rd4",
        "Ra9", "Zb1", "--", "é4", "Né", "é", "=Q", "+", "x", "Kxe2=Q", "1-0", "0-1-0",
    ] {
        let error = position.parse_san(text).expect_err(text).to_string();
        assert!(error.starts_with("expected ") && error.contains(&format!("{text:?}")), "{text}: {error}");
    }
    let error = position.parse_san("Rd4").unwrap_err().to_string();
    assert_eq!(error, "expected one legal move, 2 fit, got \"Rd4\"");
}

#[test]
fn chess_passes_conformance_suite() {
    let mut suites: Vec<&str> = fens(include_str!("data/perft/standard.epd")).collect();
    suites.extend(fens(include_str!("data/perft/chess960.epd")));
    suites.extend(fens(include_str!("data/perft/chess960_starts.epd")).step_by(97));
    suites.extend(ENDGAMES);
    for (seed, fen) in suites.into_iter().enumerate() {
        let start = read(fen);
        conformance::check(&start, 1, 60, seed as u64);
        conformance::check_evaluation(&start, None, 1, 60, seed as u64);
    }
    // Games long enough to reach endgames.
    conformance::check_evaluation(&Position::start(), None, 8, 400, 5);
}

#[test]
fn see_equals_recapture_search() {
    let values = piece_values();
    let mut random = SplitMix64::new(4);
    let suite: Vec<&str> = fens(include_str!("data/perft/standard.epd")).collect();
    let mut exchanges = 0;
    for round in 0..300 {
        let mut game = TripleGame::new(suite[round % 7]);
        for _ in 0..60 {
            let moves = game.ours.moves();
            let Some(&mv) = random.choose(&moves) else { break };
            if !has_pins(&game.shakmaty) {
                exchanges += check_exchanges(&game, &moves, &values);
            }
            let text = shredder(&game.ours).move_text(mv);
            game.play(&text);
        }
    }
    assert!(exchanges > 20_000, "only {exchanges} exchanges");
}

fn check_exchanges(game: &TripleGame, moves: &MoveList, values: &[i32; 6]) -> usize {
    for &mv in moves {
        let text = shredder(&game.ours).move_text(mv);
        let theirs = text.parse::<UciMove>().unwrap().to_move(&game.shakmaty).unwrap();
        let won = see_value(&game.shakmaty, theirs, values);
        let results: Vec<bool> =
            [won - 1, won, won + 1].map(|threshold| game.ours.see_ge(mv, threshold)).into();
        assert_eq!(results, [true, true, false], "{}: {text} has the SEE value {won}", game.fen());
    }
    moves.len()
}

/// SEE values from pawn to king, found with `captured_value`.
fn piece_values() -> [i32; 6] {
    let captured_value = |fen: &str, text: &str| {
        let position = read(fen);
        position.captured_value(position.parse_move(text).unwrap())
    };
    let four = "7k/8/8/p1n1b1r1/1P1P1P1P/8/8/K7 w - - 0 1";
    let queen = "7k/8/8/2q5/1P6/8/8/1K6 w - - 0 1";
    let [pawn, knight, bishop, rook] =
        ["b4a5", "b4c5", "d4e5", "f4g5"].map(|text| captured_value(four, text));
    [pawn, knight, bishop, rook, captured_value(queen, "b4c5"), 0]
}

/// Returns true if a piece of either side is pinned to its king.
fn has_pins(position: &Chess) -> bool {
    let board = position.board();
    Color::ALL.into_iter().any(|color| {
        let king = board.king_of(color).unwrap();
        let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
        let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
        let snipers = (diagonal | straight) & board.by_color(!color);
        snipers.into_iter().any(|sniper| (attacks::between(king, sniper) & board.occupied()).count() == 1)
    })
}

/// Static exchange evaluation of `mv` by a plain search: both sides recapture on its target square with their least valuable
/// attacker, or stop.
fn see_value(position: &Chess, mv: shakmaty::Move, values: &[i32; 6]) -> i32 {
    let value = |role: Role| values[role as usize - 1];
    let mut board = position.board().clone();
    if mv.is_castle() {
        return 0;
    }
    let mut won = mv.capture().map_or(0, value);
    let mut piece_on_target = value(mv.role());
    if let Some(role) = mv.promotion() {
        won += value(role) - value(Role::Pawn);
        piece_on_target = value(role);
    }
    let (from, to) = (mv.from().unwrap(), mv.to());
    let piece = board.remove_piece_at(from).unwrap();
    if mv.is_en_passant() {
        board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
    }
    board.set_piece_at(to, piece);
    won - best_recapture(&mut board, to, !position.turn(), piece_on_target, values)
}

fn best_recapture(
    board: &mut shakmaty::Board,
    to: Square,
    side: Color,
    piece_on_target: i32,
    values: &[i32; 6],
) -> i32 {
    let attackers = board.attacks_to(to, side, board.occupied());
    let Some(from) = attackers.into_iter().min_by_key(|&from| board.role_at(from).unwrap()) else { return 0 };
    let piece = board.remove_piece_at(from).unwrap();
    if piece.role == Role::King && board.attacks_to(to, !side, board.occupied()).any() {
        return 0;
    }
    board.set_piece_at(to, piece);
    let reply = best_recapture(board, to, !side, values[piece.role as usize - 1], values);
    (piece_on_target - reply).max(0)
}

/// `upcoming_repetition` finds moves that repeat a position since the root without playing them.
#[test]
fn upcoming_repetition_agrees_with_played_moves() {
    let mut random = SplitMix64::new(24);
    let (mut with_repetition, mut without) = (0, 0);
    for text in [
        "4k3/8/8/3r4/8/8/1N6/R3K3 w Q - 0 1",
        "8/8/2k3q1/8/8/4B3/5K2/8 b - - 0 1",
        "4k2r/8/8/8/8/8/P7/4K3 w k - 0 1",
    ] {
        for _ in 0..200 {
            let mut game = Position::start().parse_position(text).unwrap().game;
            for n in 0..12 {
                let moves = game.moves();
                // A ply as if the root were up to two plies back.
                let ply = Ply::new((n + random.next() as usize % 3).saturating_sub(2));
                let repeats = moves.iter().any(|&mv| {
                    let mut after = game.clone();
                    after.play(mv);
                    after.claim(ply.next()).is_some() && after.claim(Ply::ROOT).is_none()
                });
                assert_eq!(game.upcoming_repetition(ply), repeats, "{} ply {ply:?}", game.position_text());
                if repeats {
                    with_repetition += 1
                } else {
                    without += 1
                }
                if moves.is_empty() || game.claim(Ply::ROOT).is_some() {
                    break;
                }
                game.play(moves[random.next() as usize % moves.len()]);
            }
        }
    }
    assert!(with_repetition > 50 && without > 50, "{with_repetition} with a repetition, {without} without");
}

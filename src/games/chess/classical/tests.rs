use super::*;
use crate::game::{Game, Notation, SplitMix64, conformance};

/// All positions of random games, so that all kinds of material occur.
fn positions(games: usize, plies: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(20);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut game = Position::start();
        for _ in 0..plies {
            let Some(&mv) = random.choose(&game.moves()) else { break };
            game.play(mv);
            found.push(game.clone());
        }
    }
    found
}

fn position(text: &str) -> Position {
    Position::start().parse_position(text).unwrap().game
}

fn value(text: &str) -> i32 {
    Classical::default().evaluate(&position(text)).value()
}

#[test]
fn terms_of_random_positions_sum_to_the_evaluation() {
    let mut evaluator = Classical::default();
    // No pawns, for which an empty pawn table must be correct; then a king move with the same pawns.
    let few = [
        "8/8/4k3/8/8/3QK3/8/8 w - - 0 1",
        "8/5p2/4k3/8/8/3QK3/4P3/8 w - - 0 1",
        "8/5p2/4k3/8/8/3Q4/3KP3/8 b - - 0 1",
    ];
    for game in few.into_iter().map(position).chain(positions(20, 300)) {
        let balance: TaperedScore = Classical::terms(&game)
            .iter()
            .map(|term| {
                let [white, black] =
                    term.sides.map(|(middlegame, endgame)| TaperedScore::new(middlegame, endgame));
                white - black
            })
            .sum();
        let white = balance.taper(phase(game.board()), MAX_PHASE);
        let value = if game.side_to_move() == Side::White { white } else { -white };
        assert_eq!(evaluator.evaluate(&game).value(), value, "{}", game.position_text());
    }
}

#[test]
fn evaluation_of_start_is_at_most_tempo() {
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((1..=WEIGHTS.value(TEMPO).middlegame()).contains(&start), "{start}");
}

#[test]
fn evaluation_of_fifteen_queens_is_in_range() {
    let queens = value("7k/6pp/8/QQQQ4/QQQQ4/QQQQ4/QQQ5/K7 w - - 0 1");
    assert!((6_000..30_000).contains(&queens), "{queens}");
}

#[test]
fn evaluation_of_drawn_endings_is_near_zero() {
    for text in [
        "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
        "8/8/4k3/8/2N5/3NK3/8/8 w - - 0 1",
        "8/4b3/4k3/8/8/3RK3/8/8 w - - 0 1",
        "8/4n3/4k3/8/8/3RK3/8/8 w - - 0 1",
        // The bishop does not control h8.
        "7k/8/8/6KP/8/8/8/3B4 w - - 0 1",
        "k7/8/8/P1K5/8/8/8/8 w - - 0 1",
    ] {
        let value = value(text);
        assert!(value.abs() <= 40, "{text}: {value}");
    }
}

#[test]
fn evaluation_of_won_endings_is_high() {
    for text in [
        "8/8/4k3/8/8/3QK3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3RK3/8/8 w - - 0 1",
        "8/8/4k3/8/8/2BBK3/8/8 w - - 0 1",
        "8/8/4k3/8/8/2NBK3/8/8 w - - 0 1",
        // The rule of the square.
        "8/8/8/P6k/8/8/8/K7 w - - 0 1",
    ] {
        let value = value(text);
        assert!(value >= 500, "{text}: {value}");
    }
}

/// In each pair the first position must score higher for White, the side to move in both.
#[test]
fn evaluation_prefers_better_of_two_positions() {
    for (better, worse) in [
        // A light-squared bishop mates on a8 and h1.
        ("k7/8/2K5/8/8/3B4/3N4/8 w - - 0 1", "7k/8/5K2/8/8/3B4/3N4/8 w - - 0 1"),
        // An advanced passed pawn.
        ("6k1/5ppp/8/P7/8/8/5PPP/6K1 w - - 0 1", "6k1/5ppp/8/8/8/P7/5PPP/6K1 w - - 0 1"),
        // Connected pawns against doubled and isolated ones.
        ("6k1/ppp5/8/8/8/8/PPP5/6K1 w - - 0 1", "6k1/ppp5/8/8/8/P7/P1P5/6K1 w - - 0 1"),
        // A rook on an open file.
        ("6k1/pppp2pp/8/8/8/8/PPPP2PP/4R1K1 w - - 0 1", "6k1/pppp2pp/8/8/8/8/PPPP2PP/3R2K1 w - - 0 1"),
        // A knight on an outpost, which no pawn can attack.
        ("6k1/pp3ppp/8/3N4/4P3/8/5PPP/6K1 w - - 0 1", "6k1/ppp2ppp/8/3N4/4P3/8/5PPP/6K1 w - - 0 1"),
        // Unmoved pawns in front of a castled king.
        (
            "r4rk1/pppq1ppp/8/8/8/8/PPPQ1PPP/R4RK1 w - - 0 1",
            "r4rk1/pppq1ppp/8/8/5PPP/8/PPPQ4/R4RK1 w - - 0 1",
        ),
    ] {
        assert!(value(better) > value(worse), "{better}: {}, {worse}: {}", value(better), value(worse));
    }
}

#[test]
fn wdl_of_one_pawn_in_middlegame_is_half_wins() {
    let game = position("r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1 w - - 0 1");
    let wdl = Classical::wdl(&game, Score::new(100));
    assert!((400..600).contains(&wdl.win), "{wdl:?}");
}

/// The evaluation rounds three divisions towards zero (danger, scale, phase), and a scale may be above 1. The last two lose
/// half a centipawn each on average.
#[test]
fn trace_of_evaluation_passes_conformance() {
    conformance::check_tunable::<_, Classical>(&Position::start(), 60, 300, 3.5, 20);
    conformance::check_weights_file::<Position, Classical>(include_str!("weights.in"));
}

//! Rules, notation and knowledge.

use super::bitboard::PieceType;
use super::moves::XiangqiMove;
use super::see::SEE_VALUES;
use super::{HandWritten, Xiangqi};
use crate::game::conformance::{self, play};
use crate::game::perft::perft;
use crate::game::{Claim, Game, Heuristics, Move, Notation, OptionValues, Outcome, Ply, Side, SplitMix64};

const PERFT_2: &str = "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1";
const PERFT_3: &str = "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1";

fn position(text: &str) -> Xiangqi {
    Xiangqi::start().parse_position(text).unwrap().game
}

#[test]
fn perft_equals_published_counts() {
    let start = Xiangqi::start().position_text();
    for (text, counts) in [
        (start.as_str(), [44, 1_920, 79_666, 3_290_240].as_slice()),
        (PERFT_2, &[49, 2_265, 100_326]),
        (PERFT_3, &[13, 272, 3_707, 92_741]),
    ] {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&mut position(text), depth, &mut || false), Some(count), "{text} depth {depth}");
        }
    }
}

#[test]
fn xiangqi_passes_conformance() {
    for text in [Xiangqi::start().position_text().as_str(), PERFT_2, PERFT_3] {
        conformance::check(&position(text), 6, 150, 9);
        conformance::check_evaluation(&position(text), None, 6, 150, 9);
    }
}

#[test]
fn trace_of_evaluation_passes_conformance() {
    conformance::check_tunable::<_, HandWritten>(&Xiangqi::start(), 20, 300, 2.0, 20);
    conformance::check_weights_file::<Xiangqi, HandWritten>(include_str!("weights.in"));
}

#[test]
fn fen_accepts_letters_of_other_programs() {
    let usual = position("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    for other in [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r",
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1",
    ] {
        assert_eq!(position(other).position_text(), usual.position_text());
    }
}

#[test]
fn malformed_positions_are_errors_with_reasons() {
    for (text, reason) in [
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "face each other"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", "expected w, r or b"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", "10 ranks"),
        ("3k6/9/9/9/9/9/9/9/9/4K4 w", "9 files on rank 10"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", "one red king, found 0"),
        ("9/9/9/3k5/9/9/9/9/9/4K4 w", "no black king on d7"),
        ("3k5/9/9/9/9/9/9/9/A8/4K4 w", "no red adviser on a2"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", "no red pawn on a3"),
        ("3k5/9/9/9/9/9/9/RRR6/9/4K4 w", "at most 2 red rooks, found 3"),
        ("3k5/9/9/9/9/3R5/9/9/9/4K4 w", "the black king can be captured"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1", "halfmove clock"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w KQ", "fields 3 and 4"),
        ("3k5/9/9/9/9/9/9/9/9/4K3x w", "pieces KABNRCP"),
    ] {
        let error = Xiangqi::start().parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn side_without_legal_move_loses() {
    let mate = position("3k5/3P5/3P5/9/9/9/9/9/9/4K4 b");
    assert_eq!((mate.outcome(), mate.outcome_reason()), (Some(Outcome::Win(Side::White)), Some("checkmate")));
    // The pawn guards d9, and the red king the e file.
    let stalemate = position("3k5/9/3P5/9/9/9/9/9/9/4K4 b");
    assert_eq!(
        (stalemate.outcome(), stalemate.outcome_reason()),
        (Some(Outcome::Win(Side::White)), Some("stalemate"))
    );
    assert!(!stalemate.in_check());
}

#[test]
fn perpetual_check_loses_and_other_repetitions_are_draws() {
    // The red rook checks on d and e files; the black king has only two squares.
    let mut game = position("3k5/9/9/9/9/9/9/9/9/R4K3 w");
    play(&mut game, "a1d1 d10e10 d1e1 e10d10");
    assert_eq!(game.claim(Ply::new(0)), None);
    play(&mut game, "e1d1 d10e10 d1e1 e10d10 e1d1");
    assert_eq!(game.claim(Ply::ROOT), Some(Claim::Win(Side::Black)));
    assert_eq!(game.outcome_or_claim(), Some(Outcome::Win(Side::Black)));
    assert_eq!(game.outcome_reason(), Some("perpetual check"));

    let mut game = position("3k5/9/9/9/9/9/9/9/9/R4K3 w");
    play(&mut game, "a1a2 d10d9 a2a1 d9d10");
    // Within a search, the first repetition counts.
    assert_eq!(game.claim(Ply::new(5)), Some(Claim::Draw));
    assert_eq!(game.claim(Ply::new(4)), None);
    play(&mut game, "a1a2 d10d9 a2a1 d9d10");
    assert_eq!(game.claim(Ply::ROOT), Some(Claim::Draw));
    assert_eq!(game.outcome_reason(), Some("repetition"));
}

#[test]
fn perpetual_chase_loses() {
    let repeated = |fen: &str, moves: &str| {
        let mut game = position(fen);
        play(&mut game, moves);
        assert_eq!(game.claim(Ply::ROOT), None);
        play(&mut game, moves);
        (game.claim(Ply::ROOT), game.outcome_reason())
    };
    let chase = "d2c2 c5d7 c2d2 d7c5";
    let lost = (Some(Claim::Win(Side::Black)), Some("perpetual chase"));
    let drawn = (Some(Claim::Draw), Some("repetition"));
    // The rook follows the horse. One rook protects it on one of its squares only; two rooks protect it on both.
    assert_eq!(repeated("4k4/9/9/9/9/2n6/9/9/3R5/5K3 w", chase), lost);
    assert_eq!(repeated("2r1k4/9/9/9/9/2n6/9/9/3R5/5K3 w", chase), drawn);
    assert_eq!(repeated("2rrk4/9/9/9/9/2n6/9/9/3R5/5K3 w", chase), drawn);
    // A cannon in the place of the rook has nothing to jump over.
    assert_eq!(repeated("4k4/9/9/9/9/2n6/9/9/3C5/5K3 w", chase), drawn);
}

#[test]
fn sixty_moves_without_capture_are_a_draw_unless_the_rule_is_off() {
    // A pawn's move counts, too.
    let mut game = position("3k5/9/9/9/9/4P4/9/9/9/4K4 w - - 118 90");
    play(&mut game, "e5e6");
    assert_eq!((game.claim(Ply::ROOT), game.outcome_reason()), (None, None));
    play(&mut game, "d10d9");
    assert_eq!((game.claim(Ply::new(3)), game.outcome_reason()), (Some(Claim::Draw), Some("60-move rule")));
    game.set_options(&OptionValues::from([("Sixty Move Rule", 0)]));
    assert_eq!((game.claim(Ply::ROOT), game.outcome_reason()), (None, None));
    // A capture begins anew.
    let mut game = position("3k5/9/9/9/9/9/9/9/4r4/4K4 w - - 119 90");
    play(&mut game, "e1e2");
    assert_eq!(game.claim(Ply::ROOT), None);
    // A side without a legal move has lost.
    let stalemate = position("3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 120 90");
    assert_eq!((stalemate.claim(Ply::ROOT), stalemate.outcome_reason()), (None, Some("stalemate")));
}

#[test]
fn move_limit_is_near_ten_plies_before_the_draw_unless_the_rule_is_off() {
    let near = |clock| position(&format!("3k5/9/9/9/9/4P4/9/9/9/4K4 w - - {clock} 90"));
    assert_eq!([0, 109, 110, 300].map(|clock| near(clock).is_near_move_limit()), [false, false, true, true]);
    let mut game = near(110);
    game.set_options(&OptionValues::from([("Sixty Move Rule", 0)]));
    assert!(!game.is_near_move_limit());
}

#[test]
fn moves_are_written_in_wxf() {
    let start = Xiangqi::start();
    let wxf = |game: &Xiangqi, mv: &str| game.san_text(game.parse_move(mv).unwrap());
    for (mv, text) in [
        ("h3e3", "C2=5"),
        ("b1c3", "H8+7"),
        ("h1g3", "H2+3"),
        ("c1e3", "E7+5"),
        ("d1e2", "A6+5"),
        ("a1a2", "R9+1"),
        ("h3h10", "C2+7"),
        ("c4c5", "P7+1"),
        ("e1e2", "K5+1"),
    ] {
        assert_eq!(wxf(&start, mv), text);
    }
    let mut game = start.clone();
    play(&mut game, "h3e3 h8e8 b3b5 b10c8");
    assert_eq!(wxf(&game, "b5e5"), "C8=5");
    play(&mut game, "b5e5");
    assert_eq!(wxf(&game, "c8e9"), "H3-5");
    play(&mut game, "a10a9");
    assert_eq!((wxf(&game, "e5d5"), wxf(&game, "e3d3")), ("C+=6".into(), "C-=6".into()));
    let parse = |text: &str| start.parse_san(text).map(|mv| start.move_text(mv));
    for text in ["C2.5", "c2=5", "h3e3", "H3E3"] {
        assert_eq!(parse(text).as_deref(), Ok("h3e3"));
    }
    assert_eq!(parse("N2+3").as_deref(), Ok("h1g3"));
    assert!(parse("R9=8").is_err());
}

#[test]
fn chinese_notation_is_read_in_both_scripts_and_written_as_records_have_it() {
    let mut game = Xiangqi::start();
    for text in ["炮二平五", "砲二平五", "炮2平5", "炮２平５", "C2=5"] {
        assert_eq!(game.parse_san(text).map(|mv| game.move_text(mv)).as_deref(), Ok("h3e3"), "{text}");
    }
    for text in ["炮二平", "炮二平五五", "兵二平五", "炮零平五", "前炮平五", "二炮平五", "炮二炮五"]
    {
        assert!(game.parse_san(text).is_err(), "{text}");
    }
    assert_eq!(game.native_text(game.parse_move("h3e3").unwrap()).as_deref(), Some("炮二平五"));
    play(&mut game, "h3e3");
    for text in ["馬8進7", "马８进７", "馬八進七"] {
        assert_eq!(game.parse_san(text).map(|mv| game.move_text(mv)).as_deref(), Ok("h10g8"), "{text}");
    }
    assert_eq!(game.native_text(game.parse_move("h10g8").unwrap()).as_deref(), Some("马8进7"));
    play(&mut game, "h8e8 b3b5 b10c8 b5e5 a10a9");
    assert_eq!(game.native_text(game.parse_move("e5d5").unwrap()).as_deref(), Some("前炮平六"));
    assert_eq!(game.parse_san("後炮平六"), game.parse_move("e3d3"));
    // What is written is read, along a game that takes the moves in turn.
    let mut game = Xiangqi::start();
    for ply in 0..120 {
        let moves = game.moves();
        let native = moves.iter().filter_map(|&mv| Some((mv, game.native_text(mv)?)));
        for (mv, text) in native {
            assert_eq!(game.parse_san(&text), Ok(mv), "{text}");
        }
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
        game.play(mv);
    }
}

#[test]
fn picture_has_river_palaces_and_pieces_on_the_crossings() {
    let picture = Xiangqi::start().picture();
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!(lines[0], "10 車──馬──象──士──將──士──象──馬──車");
    assert_eq!(lines[1], "   │   │   │   │ ╲ │ ╱ │   │   │   │");
    assert_eq!(lines[4], " 8 ├───砲──┼───┼───┼───┼───┼───砲──┤ ");
    assert_eq!(lines[9], "   │     楚  河         漢  界     │");
    assert_eq!(lines[18], " 1 俥──傌──相──仕──帥──仕──相──傌──俥");
    assert_eq!(lines[19], "   a   b   c   d   e   f   g   h   i");
}

#[test]
fn diagram_has_letters_and_characters() {
    let diagram = Xiangqi::start().diagram();
    assert!(diagram.starts_with(
        "10 r n b a k a b n r   車馬象士將士象馬車\n 9 . . . . . . . . .   ．．．．．．．．．\n"
    ));
    assert!(diagram.contains("\n 1 R N B A K A B N R   俥傌相仕帥仕相傌俥\n"));
}

/// The gain of the exchange that `mv` starts, by a search of all recaptures on the square with the least valuable piece.
fn exchange(game: &mut Xiangqi, mv: Move) -> i32 {
    let gain = game.captured_value(mv);
    game.play(mv);
    let recaptures = game.moves().into_iter().filter(|reply| reply.to() == mv.to());
    let least = recaptures.min_by_key(|&reply| {
        let king = game.board().piece_on(reply.from()).kind() == Some(PieceType::King);
        (king, game.attacker_value(reply))
    });
    let reply = least.map_or(0, |reply| exchange(game, reply).max(0));
    game.undo(mv);
    gain - reply
}

#[test]
fn see_equals_search_of_recaptures_where_nothing_is_pinned() {
    let mut random = SplitMix64::new(64);
    let (mut compared, mut different) = (0, 0);
    for _ in 0..150 {
        let mut game = Xiangqi::start();
        for _ in 0..80 {
            let moves = game.moves();
            let Some(&next) = random.choose(&moves) else { break };
            for &mv in &moves {
                let value = exchange(&mut game, mv);
                for threshold in [value, value + 1] {
                    compared += 1;
                    different += usize::from(game.see_ge(mv, threshold) != (value >= threshold));
                }
            }
            game.play(next);
        }
    }
    // Pins, checks and equal pieces that attack in another order make a few differences.
    assert!(compared > 500_000 && different < compared / 100, "{different} of {compared}");
}

#[test]
fn exchanges_count_screens_and_defenders() {
    // The cannon on a4 captures the horse over the pawn; the rook on i8 recaptures.
    let game = position("3k5/9/n7r/9/9/P8/C8/9/9/4K4 w");
    let capture = game.parse_move("a4a8").unwrap();
    assert!(game.see_ge(capture, SEE_VALUES[3] - SEE_VALUES[4]));
    assert!(!game.see_ge(capture, SEE_VALUES[3] - SEE_VALUES[4] + 1));
}

#[test]
fn checks_come_from_every_kind_of_piece() {
    for (text, checked) in [
        ("3k5/9/9/9/9/3R5/9/9/9/4K4 b", true),
        ("3k5/9/9/3P5/9/3C5/9/9/9/4K4 b", true),
        ("3k5/9/9/9/9/3C5/9/9/9/4K4 b", false),
        ("3k5/9/2N6/9/9/9/9/9/9/4K4 b", true),
        ("3k5/2n6/2N6/9/9/9/9/9/9/4K4 b", false),
        ("3k5/3P5/9/9/9/9/9/9/9/4K4 b", true),
        ("2Pk5/9/9/9/9/9/9/9/9/4K4 b", true),
    ] {
        assert_eq!(
            Xiangqi::start().parse_position(text).map(|parsed| parsed.game.in_check()),
            Ok(checked),
            "{text}"
        );
    }
}

"""Single games: results, failures and records."""

import asyncio
import io

import chess
import chess.pgn
import pytest

from conftest import mock_engine
from duiyi_match.boards import Board
from duiyi_match.engines import start_once
from duiyi_match.openings import Opening
from duiyi_match.settings import DrawRule, ResignRule


def ending(record):
    return record["result"], record["termination"]


def parse_pgn(record):
    game = chess.pgn.read_game(io.StringIO(record["pgn"]))
    assert not game.errors
    return game


@pytest.mark.parametrize(
    "fen, white, black, result, how",
    [
        (None, "f2f3,g2g4", "e7e5,d8h4", "0-1", "checkmate"),
        (None, "g1f3,f3g1,g1f3,f3g1", "g8f6,f6g8,g8f6,f6g8", "1/2-1/2", "repetition"),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "g5g6", "", "1/2-1/2", "stalemate"),
        ("7k/7p/8/8/8/8/8/K6R w - - 98 90", "h1h2", "h8g8", "1/2-1/2", "fifty moves"),
        ("6k1/5ppp/8/8/8/8/8/K6R w - - 99 90", "h1e1", "", "1/2-1/2", "fifty moves"),
        ("6k1/5ppp/8/8/8/8/7P/K3R3 w - - 99 90", "e1e8", "", "1-0", "checkmate"),
        ("8/8/8/8/8/1q6/8/K1k5 w - - 0 1", "", "", "1/2-1/2", "stalemate"),
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", "", "1/2-1/2", "insufficient material"),
    ],
)
def test_game_over_by_rules_has_result_and_termination(play, fen, white, black, result, how):
    record = play(mock_engine("w", f"script={white}"), mock_engine("b", f"script={black}"), Opening(fen))
    assert ending(record) == (result, how)
    assert record["fault"] is None and "lines" not in record
    assert parse_pgn(record).headers["Termination"] == "normal"


def test_engine_crash_records_exit_code_and_last_lines(play):
    first, second = play(mock_engine("w"), mock_engine("b", "do=crash", "at=3"), games=2, maxmoves=6)
    assert ending(first) == ("1-0", "crash")
    assert (first["fault"], first["detail"]) == ("b", "engine b: exit code 7")
    assert first["lines"]["b"][-1] == "! about to crash"
    assert first["lines"]["b"][-2] == "> go nodes 100"
    assert first["plies"] == 5
    assert ending(second) == ("1-0", "crash")  # the engine restarted after the first crash


def test_engine_stall_in_second_game_loses_it(play):
    first, second = play(mock_engine("w", "do=stall", "at=2"), mock_engine("b"), games=2, stall=2.5, maxmoves=1)
    assert ending(first) == ("1/2-1/2", "move limit")
    assert ending(second) == ("0-1", "stall")
    assert second["fault"] == "w" and second["detail"].startswith("engine w: no move after 2.")


def test_late_move_loses_with_overrun(play):
    record = play(mock_engine("w", tc="60"), mock_engine("b", "do=late", "ms=300", tc="0.2", margin=10))
    assert ending(record) == ("1-0", "time") and record["fault"] == "b"
    over = int(record["detail"].removeprefix("engine b: ").removesuffix(" ms over"))
    assert 95 <= over < 10_000, "300 ms minus the 200 ms of the clock, plus delays"
    assert parse_pgn(record).headers["Termination"] == "time forfeit"
    assert record["plies"] == 2, "the record contains the late move"


def test_time_per_move_exceeded_loses(play):
    record = play(mock_engine("w", st=30), mock_engine("b", "do=late", "ms=400", st=0.05, margin=30))
    assert ending(record) == ("1-0", "time") and record["fault"] == "b"
    patient = play(mock_engine("w", st=30, margin=0), mock_engine("b", "do=late", "ms=50", st=30, margin=0), maxmoves=2)
    assert ending(patient) == ("1/2-1/2", "move limit")


@pytest.mark.parametrize("text", ["e2e5", "0000", "(none)", "", "nonsense", "e7e8q", "e2"])
def test_illegal_move_loses(play, text):
    record = play(mock_engine("w", "do=reply", f"text={text}", "at=2"), mock_engine("b"))
    assert ending(record) == ("0-1", "illegal move") and record["fault"] == "w"
    assert record["detail"].startswith(f"engine w: bestmove {text}".rstrip())
    assert parse_pgn(record).headers["Termination"] == "rules infraction"
    assert record["plies"] == 2


def test_bestmove_before_go_loses(play):
    record = play(mock_engine("w", "do=early"), mock_engine("b"))
    assert ending(record) == ("0-1", "illegal move")
    assert record["detail"] == "engine w: bestmove e2e4, before `go`"


@pytest.mark.parametrize("text", ["e7e5", "nonsense", "(none)", ""])
def test_other_bestmove_before_go_loses_its_game_only(play, text):
    games = play(mock_engine("w", "do=early", "at=2", f"text={text}"), mock_engine("b"), games=3, maxmoves=1)
    assert [ending(record)[1] for record in games] == ["move limit", "illegal move", "move limit"]
    assert games[1]["detail"] == f"engine w: bestmove {text}, before `go`"


def test_invalid_output_before_bestmove_is_ignored(play):
    record = play(mock_engine("w", "do=junk", "at=1"), mock_engine("b", "do=junk", "at=2"), maxmoves=3)
    assert ending(record) == ("1/2-1/2", "move limit")


def test_draw_adjudication_requires_scores_of_both_engines(play):
    rule = DrawRule(movenumber=3, movecount=2, score=5)
    assert ending(play(mock_engine("w", "score=5"), mock_engine("b", "score=-5"), draw=rule)) == (
        "1/2-1/2",
        "draw adjudication",
    )
    for other in ("6", "none"):
        record = play(mock_engine("w", "score=5"), mock_engine("b", f"score={other}"), draw=rule, maxmoves=6)
        assert ending(record) == ("1/2-1/2", "move limit")
    early = play(mock_engine("w", "score=0"), mock_engine("b", "score=0"), draw=rule)
    assert early["plies"] == 4, "move 3 is next and each engine has reported two scores"


def test_resign_adjudication_after_low_scores_ends_game(play):
    rule = ResignRule(movecount=3, score=400)
    record = play(mock_engine("w", "score=-400"), mock_engine("b", "score=10"), resign=rule)
    assert ending(record) == ("0-1", "win adjudication") and record["plies"] == 5
    both = ResignRule(movecount=3, score=400, twosided=True)
    record = play(mock_engine("w", "score=-400"), mock_engine("b", "score=10"), resign=both, maxmoves=6)
    assert ending(record) == ("1/2-1/2", "move limit")
    record = play(mock_engine("w", "score=-400"), mock_engine("b", "score=401"), resign=both)
    assert ending(record) == ("0-1", "win adjudication") and record["plies"] == 6


def test_pgn_comments_have_score_depth_time_and_nodes(play):
    game = parse_pgn(
        play(mock_engine("w", "score=31"), mock_engine("b", "score=none"), Opening(moves=("e2e4", "e7e5")), maxmoves=2)
    )
    comments = [node.comment for node in game.mainline()]
    assert comments[:2] == ["book", "book"]
    score, took, nodes = comments[2].split()
    assert (score, nodes) == ("+0.31/5", "n=1234") and took.endswith("s,")
    assert comments[3].startswith("-/0 ") and comments[3].endswith("; move limit")


def test_chess960_castling_is_written_as_san(play):
    opening = Opening("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1")
    game = parse_pgn(
        play(mock_engine("w", "script=e1g1"), mock_engine("b", "script=e8b8"), opening, variant="chess960", maxmoves=1)
    )
    assert game.headers["Variant"] == "Chess960" and game.headers["FEN"] == opening.fen
    assert [node.san() for node in game.mainline()] == ["O-O", "O-O-O"]


def test_go_command_has_clocks_and_pondering_is_off(play, tmp_path):
    log = tmp_path / "input"
    play(mock_engine("w", f"log={log}", tc="2/60+9"), mock_engine("b", tc="30"), maxmoves=3)
    received = log.read_text().splitlines()
    go_commands = [line.split() for line in received if line.startswith("go")]
    assert go_commands[0] == ["go", "wtime", "60000", "btime", "30000", "winc", "9000", "binc", "0", "movestogo", "2"]
    assert [command[-1] for command in go_commands] == ["2", "1", "2"]
    assert 60_000 < int(go_commands[1][2]) <= 69_000 and 120_000 < int(go_commands[2][2]) <= 138_000
    assert "ponder" not in " ".join(received) and "setoption name Ponder value true" not in received
    assert received.index("ucinewgame") < received.index("position startpos")


def test_game_is_set_before_the_options_that_depend_on_it(tmp_path):
    log = tmp_path / "input"
    engine = mock_engine("w", f"log={log}", nodes=100, options={"Hash": 2})
    asyncio.run(start_once(engine, Board.for_variant("nim", "7 w")))
    options = [line for line in log.read_text().splitlines() if line.startswith("setoption")]
    assert options[:2] == ["setoption name UCI_Variant value nim", "setoption name Hash value 2"]


def test_each_position_has_all_moves_of_its_game(play, tmp_path):
    log, start = tmp_path / "input", "position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    white = mock_engine("w", f"log={log}")
    play(white, mock_engine("b"), Opening("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), games=2, maxmoves=3)
    play(white, mock_engine("b", "script=e7e5"), maxmoves=2)
    positions = [line for line in log.read_text().splitlines() if line.startswith("position")]
    game = [f"{start} moves e8d7", f"{start} moves e8d7 e1d1 d7c6"]
    assert positions == [*game, *game, "position startpos", "position startpos moves a2a3 e7e5"]


def test_unknown_game_ends_by_engine_rules(play):
    record = play(mock_engine("w", "script=take3,take1"), mock_engine("b", "script=take2"), variant="nim")
    assert ending(record) == ("0-1", "game over"), "White took 3, Black 2, White 1, Black the last"
    assert "take3" in record["pgn"] and '[FEN "7 w"]' in record["pgn"]
    record = play(
        mock_engine("w", "script=TAKE1,take2"), mock_engine("b", "script=take1"), Opening("4 w"), variant="nim"
    )
    assert ending(record) == ("1-0", "game over"), "moves are compared without case"


def test_unknown_game_with_different_rules_is_disagreement(play):
    record = play(mock_engine("w"), mock_engine("b", "take=2"), variant="nim")
    assert ending(record) == ("*", "disagreement")
    assert record["detail"] == "7 w with take1 take2 take3, but 7 w with take1 take2"
    assert set(record["lines"]) == {"w", "b"}
    record = play(mock_engine("w"), mock_engine("b", "lost=cp 0"), variant="nim")
    assert ending(record) == ("*", "disagreement")
    assert record["detail"] == "0 b is 1-0, but 1/2-1/2"


def test_unknown_game_with_different_counters_continues(play):
    assert ending(play(mock_engine("w", "fen= 0 1"), mock_engine("b", "fen= 12"), variant="nim")) == (
        "1-0",
        "game over",
    )
    assert ending(play(mock_engine("w", "fen= x"), mock_engine("b"), variant="nim")) == ("*", "disagreement")


def test_unknown_game_with_engine_failure_is_lost(play):
    assert ending(play(mock_engine("w"), mock_engine("b", "do=reply", "text=take9"), variant="nim")) == (
        "1-0",
        "illegal move",
    )
    assert ending(play(mock_engine("w", "do=crash", "at=2"), mock_engine("b"), variant="nim")) == ("0-1", "crash")

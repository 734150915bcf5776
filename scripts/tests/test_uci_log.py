"""Logs of the lines of UCI engines, in the forms of several programs."""

import logging

import chess
import chess.engine
import pytest

from conftest import MOCK_COMMAND
from duiyi_log.page import page_data
from duiyi_log.reading import LogError, mate_cp, read_file

STOCKFISH = """>> uci
<< id name Stockfish 15.1
<<
<< uciok
>> position startpos moves e2e4 e7e5
>> go depth 2
<< info string NNUE evaluation using nn-ad9b42354671.nnue enabled
<< info depth 1 seldepth 1 multipv 1 score cp 16 nodes 61 nps 30500 hashfull 0 tbhits 0 time 2 pv g1f3
<< info depth 1 seldepth 1 multipv 2 score cp 7 nodes 61 nps 30500 hashfull 0 tbhits 0 time 2 pv f1c4
<< info depth 2 seldepth 3 multipv 1 score cp 60 lowerbound nodes 100 nps 70500 hashfull 0 tbhits 0 time 2 pv d2d4
<< info depth 2 currmove g1f3 currmovenumber 1
<< info depth 2 seldepth 3 multipv 1 score mate 3 nodes 141 nps 70500 hashfull 0 tbhits 0 time 4 pv f1c4 g8f6
<< bestmove f1c4 ponder g8f6
>> position fen 8/8/8/8/4k3/8/4P3/4K3 b - - 0 1
>> go nodes 3000
<< info depth 1 seldepth 1 score cp 9 nodes 6 time 1 pv e4d4
"""

CUTECHESS = """12 >Carp 3.0 (dev)(0): uci
Started game 1 of 2 (Carp 3.0 (dev) vs other)
20 >Carp 3.0 (dev)(0): position startpos moves g1f3 g8f6
20 >Carp 3.0 (dev)(0): go depth 1
21 <Carp 3.0 (dev)(0): info depth 1 score cp 20 nodes 20 time 1 pv d2d4
24 <Carp 3.0 (dev)(0): bestmove d2d4
25 >other(1): position startpos moves g1f3 g8f6 d2d4
25 >other(1): go depth 1
26 <other(1): info depth 1 score cp -5 nodes 22 time 1 pv e7e6
27 <other(1): bestmove e7e6
"""


def log_of(tmp_path, text):
    path = tmp_path / "engine.log"
    path.write_text(text)
    return path


def test_log_of_stockfish_has_its_searches(tmp_path):
    (first, second), (game, ending) = read_file(log_of(tmp_path, STOCKFISH))
    found = [(i.depth, i.seldepth, i.score, i.nodes, i.time_ms, i.pv) for i in first.iterations]
    assert found == [(1, 1, 16, 61, 2, ("g1f3",)), (2, 3, mate_cp(3), 141, 4, ("f1c4", "g8f6"))]
    assert (first.engine, first.bestmove, first.nodes, first.time_ms, first.ply) == ("engine", "f1c4", 141, 4, 2)
    assert first.position == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert (second.bestmove, second.nodes) == (None, 6), "a search without bestmove is unfinished"
    assert [move.score for move in ending.moves] == [-9], "scores are from White's view"
    assert [move.text for move in game.moves] == ["f1c4"]


def test_log_of_cutechess_has_the_game_of_both_engines(tmp_path):
    searches, (game,) = read_file(log_of(tmp_path, CUTECHESS))
    assert [search.engine for search in searches] == ["Carp 3.0 (dev)", "other"]
    assert [(move.engine, move.text, move.score) for move in game.moves] == [
        ("Carp 3.0 (dev)", "d2d4", 20),
        ("other", "e7e6", 5),
    ]


def test_log_of_python_chess_has_the_searches_of_both_engines(tmp_path):
    """The library itself writes the log of a short game."""
    path = tmp_path / "game.log"
    handler = logging.FileHandler(path)
    logger = logging.getLogger("chess.engine")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        engines = [chess.engine.SimpleEngine.popen_uci([*MOCK_COMMAND, f"score={score}"]) for score in (10, -20)]
        board = chess.Board()
        for ply in range(4):
            board.push(engines[ply % 2].play(board, chess.engine.Limit(nodes=1)).move)
        for engine in engines:
            engine.quit()
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    searches, games = read_file(path)
    moves = [move.uci() for move in board.move_stack]
    assert [search.bestmove for search in searches] == moves
    assert [search.ply for search in searches] == [0, 1, 2, 3]
    # Both engines have the same name, so their games are not one.
    assert [[move.text for move in game.moves] for game in games] == [moves[::2], moves[1::2]]


def searched(position, move):
    return [
        f">> position {position}",
        ">> go depth 1",
        f"<< info depth 1 score cp 1 nodes 1 pv {move}",
        f"<< bestmove {move}",
    ]


def test_each_start_and_each_new_game_begin_a_game(tmp_path):
    first = [">> uci", ">> setoption name UCI_Variant value xiangqi", *searched("startpos", "h3e3"), ">> ucinewgame"]
    second = [*searched("startpos moves h3e3 h10g8", "h1g3"), ">> uci", *searched("startpos", "e2e4")]
    searches, games = read_file(log_of(tmp_path, "\n".join([*first, *second, ""])))
    assert [search.variant for search in searches] == ["xiangqi", "xiangqi", "chess"]
    assert [[move.text for move in game.moves] for game in games] == [["h3e3"], ["h1g3"], ["e2e4"]]


@pytest.mark.parametrize("end, played", [(">> stop", ["e2e4", "g1f3"]), (">> ponderhit", ["e2e4", "b1c3", "g1f3"])])
def test_search_while_pondering_counts_after_a_ponderhit(tmp_path, end, played):
    position, go, *lines = searched("startpos moves e2e4 e7e5", "b1c3")
    ponder = [position, f"{go} ponder", lines[0], end, lines[1]]
    after = searched(
        "startpos moves e2e4 e7e5 b1c3 b8c6" if end == ">> ponderhit" else "startpos moves e2e4 c7c5", "g1f3"
    )
    _, (game,) = read_file(log_of(tmp_path, "\n".join([*searched("startpos", "e2e4"), *ponder, *after, ""])))
    assert [move.text for move in game.moves] == played


def test_search_whose_go_waits_has_its_own_position(tmp_path):
    log = log_of(
        tmp_path,
        """>> go depth 1
>> position startpos moves e2e4
>> go depth 1
<< info depth 1 score cp 20 nodes 20 time 1 pv e2e4
<< bestmove e2e4
<< info depth 1 score cp -15 nodes 30 time 1 pv e7e5
<< bestmove e7e5
""",
    )
    searches, (game,) = read_file(log)
    assert [(search.ply, search.nodes, search.bestmove) for search in searches] == [(0, 20, "e2e4"), (1, 30, "e7e5")]
    assert [move.text for move in game.moves] == ["e2e4", "e7e5"]


def test_go_without_position_searches_the_start_position(tmp_path):
    ((search,), _) = read_file(log_of(tmp_path, ">> go depth 1\n<< info depth 1 score cp 1 nodes 1 pv e2e4\n"))
    assert search.position == chess.STARTING_FEN


def test_last_line_may_be_incomplete(tmp_path):
    complete = read_file(log_of(tmp_path, STOCKFISH))
    assert read_file(log_of(tmp_path, STOCKFISH + "<< info depth 2 score cp")) == complete


def test_chess960_has_the_pieces_of_chess_in_the_page(tmp_path):
    text = ">> setoption name UCI_Chess960 value true\n>> go depth 1\n<< info depth 1 score cp 1 nodes 1 pv e2e4\n"
    searches, games = read_file(log_of(tmp_path, text))
    assert searches[0].variant == "chess960"
    assert page_data([], searches, games)["games"][0]["moves"][0]["search"]["variant"] == "chess"


@pytest.mark.parametrize(
    "options, command, position",
    [
        ("UCI_Chess960 value true", "fen 4k3/8/8/8/8/8/8/RK6 w A - 0 1 moves b1a1", "8/2KR4 b"),
        ("UCI_Variant value xiangqi", "startpos moves h3e3", "1C2C4"),
        ("UCI_Variant value shogi", "startpos moves 7g7f", "startpos moves 7g7f"),
        ("Hash value 16", "startpos moves e2e5", "startpos moves e2e5"),
    ],
)
def test_positions_are_those_after_the_moves(tmp_path, options, command, position):
    text = (
        f">> setoption name {options}\n>> position {command}\n>> go depth 1\n<< info depth 1 score cp 1 nodes 1 pv x\n"
    )
    ((search,), _) = read_file(log_of(tmp_path, text))
    assert position in search.position


@pytest.mark.parametrize(
    "line", ["info depth x score cp 1 pv e2e4", "info depth 1 score cp", "info depth -1 score cp 1 pv e2e4"]
)
def test_invalid_line_is_one_line_of_error(tmp_path, line):
    path = log_of(tmp_path, STOCKFISH + f"<< {line}\n")
    with pytest.raises(LogError, match=f"engine.log:17: expected a line of a UCI engine, got '<< {line}"):
        read_file(path)

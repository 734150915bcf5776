"""Logs of the lines of UCI engines, in the forms of several programs."""

import logging

import chess
import chess.engine
import pytest

from conftest import MOCK_COMMAND
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


def test_log_of_python_chess_has_the_game_of_both_engines(tmp_path):
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
    assert [search.bestmove for search in searches] == [move.uci() for move in board.move_stack]
    assert [search.ply for search in searches] == [0, 1, 2, 3]
    assert sorted(move.text for game in games for move in game.moves) == sorted(move.uci() for move in board.move_stack)


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

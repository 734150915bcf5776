"""The UCI client reads information as python-chess does."""

import chess
import chess.engine
import pytest

from duiyi_match.uci import parse_info

FLAGS = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE


@pytest.mark.parametrize("board", [chess.Board(), chess.Board("8/8/8/8/8/5k2/6p1/6K1 b - - 0 1")])
@pytest.mark.parametrize(
    "line",
    [
        "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 4567 nps 100 hashfull 3 tbhits 0 time 45 pv e2e4 e7e5",
        "info depth 3 seldepth 4 multipv 2 score mate -2 lowerbound nodes 9 time 0 pv g1h1",
        "info score cp 0 upperbound depth 1",
        "info nodes 18446744073709551615 score mate 0",
        "info depth 5 currmove e2e4 currmovenumber 1",
        "info string depth 3 score cp 5 nodes 7",
        "info  depth 4  score cp 12",
        "info depth 4 score cp",
        "info depth 4 score cp x nodes 3",
        "info",
    ],
)
def test_information_is_that_of_python_chess(line, board):
    expected = chess.engine._parse_uci_info(line.removeprefix("info"), board, FLAGS)
    found = parse_info(line, board)
    for name in ("score", "depth", "nodes", "multipv"):
        assert found.get(name) == expected.get(name), name

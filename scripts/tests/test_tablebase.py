"""Adjudication by Syzygy tables. The tests with real tables read the folder that DUIYI_SYZYGY names."""

import os
from pathlib import Path

import chess
import pytest
from test_match import engine, match  # noqa: F401

from conftest import mock_engine
from duiyi_match import tablebase
from duiyi_match.errors import MatchError
from duiyi_match.openings import Opening
from duiyi_match.settings import TablebaseRule

TABLES = os.environ.get("DUIYI_SYZYGY", "")
needs_tables = pytest.mark.skipif(
    not Path(TABLES, "KQvK.rtbw").exists(), reason="DUIYI_SYZYGY names no folder with Syzygy tables of 3 to 5 pieces"
)
RULE = TablebaseRule("stub", 5)


class StubTables:
    """Stands for python-chess's tables. Every position has the value `wdl`, for the side to move."""

    def __init__(self, wdl):
        self.wdl = wdl

    def get_wdl(self, board):
        if isinstance(self.wdl, Exception):
            raise self.wdl
        return self.wdl


@pytest.fixture
def tables(monkeypatch):
    """Returns a function that gives all positions one value."""
    return lambda wdl: monkeypatch.setattr(tablebase, "open_tables", lambda paths: StubTables(wdl))


def verdict(fen, rule=RULE):
    return tablebase.verdict(rule, chess.Board(fen))


@pytest.mark.parametrize(
    "wdl, white, black, ignoring_fifty",
    [
        (2, "1-0", "0-1", "1-0"),
        (1, "1/2-1/2", "1/2-1/2", "1-0"),
        (0, "1/2-1/2", "1/2-1/2", "1/2-1/2"),
        (-1, "1/2-1/2", "1/2-1/2", "0-1"),
        (-2, "0-1", "1-0", "0-1"),
        (None, None, None, None),
    ],
)
def test_value_for_the_side_to_move_becomes_a_result(tables, wdl, white, black, ignoring_fifty):
    tables(wdl)
    assert verdict("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") == white
    assert verdict("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1") == black
    assert verdict("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", TablebaseRule("stub", 5, True)) == ignoring_fifty


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/3PP3/3PP3/4K3 w - - 0 1",  # six pieces
        "4k3/8/8/8/8/8/4P3/4K3 w - - 1 1",  # a move without capture or pawn move came before
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  # castling is possible
    ],
)
def test_positions_outside_the_tables_go_on(tables, fen):
    tables(2)
    assert verdict(fen) is None


def test_unreadable_table_stops_the_match(tables):
    tables(OSError("invalid magic header"))
    with pytest.raises(MatchError, match="--tb: expected readable tables in stub, got: OSError.*invalid magic header"):
        verdict("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


def test_game_ends_when_a_capture_reaches_the_tables(tables, play):
    tables(0)
    opening = Opening("4k3/8/8/8/8/1p6/P7/4K3 w - - 0 1")
    engines = mock_engine("w", "script=e1f1"), mock_engine("b", "script=b3a2")
    record = play(*engines, opening, tb=TablebaseRule("stub", 3))
    assert (record["result"], record["termination"], record["plies"]) == ("1/2-1/2", "tablebase adjudication", 2)
    assert '[Termination "adjudication"]' in record["pgn"]


def test_wrong_tablebase_arguments_print_one_line(match, tmp_path):  # noqa: F811
    two = [*engine("a"), *engine("b"), "--each", "nodes=1"]
    (tmp_path / "empty").mkdir()
    for arguments, message in (
        (["--tb", "empty"], f"--tb: expected Syzygy tables (.rtbw) in {tmp_path}/empty, found none"),
        (["--tb", "nowhere"], f"--tb: expected a folder, got {tmp_path}/nowhere (No such file or directory)"),
        (["--tbpieces", "4"], "expected --tb FOLDERS, got none"),
        (["--tb", "empty", "--variant", "tictactoe"], "--tb: expected chess or chess960, got tictactoe"),
    ):
        _, err = match(*two, *arguments, code=2)
        assert message in err and err.count("\n") == 1


@needs_tables
@pytest.mark.parametrize(
    "fen, result",
    [
        ("8/8/8/8/8/k7/8/KQ6 w - - 0 1", "1-0"),
        ("8/8/8/8/8/k7/8/KQ6 b - - 0 1", "1-0"),
        ("8/8/8/8/4k3/8/8/K1N5 w - - 0 1", "1/2-1/2"),
        ("8/8/8/8/4k3/8/8/K1N5 w - - 3 9", None),
    ],
)
def test_real_tables(fen, result):
    assert tablebase.largest_table(TABLES) >= 3
    assert verdict(fen, TablebaseRule(TABLES, 5)) == result

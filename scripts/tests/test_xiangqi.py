"""Engines of UCCI and UCI-Cyclone."""

import asyncio
import json

import chess.engine
import pytest
from test_match import match, records  # noqa: F401

from duiyi_match.boards import new_board
from duiyi_match.errors import MatchError
from duiyi_match.settings import build_parser, new_settings
from duiyi_match.xiangqi import CycloneClient, UcciClient, position_line, ranks_from_one, ranks_from_zero

CLOCKS = dict(white_clock=60.5, black_clock=2, white_inc=1.25, black_inc=0.5)


def with_client(kind, function):
    """Returns what `function` returns for a client, which exists only while a loop runs."""

    async def run():
        return function(kind())

    return asyncio.run(run())


def test_moves_are_translated():
    for from_one, from_zero in (("h3e3", "h2e2"), ("h10g8", "h9g7"), ("a1i10", "a0i9")):
        assert (ranks_from_zero(from_one), ranks_from_one(from_zero)) == (from_zero, from_one)
    assert ranks_from_one("H9G7") == "H10G8"
    for word in ("h10g8", "a1", "j1j2", "0000"):
        assert ranks_from_one(word) == f"?{word}", "a text that is no move"
    assert ranks_from_one("ponder") == "ponder"


def test_position_has_the_moves_since():
    board = new_board("xiangqi")
    for move in ("h3e3", "h10g8", "e3e7", "i10i9"):
        board.push_uci(move)
    start = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    assert position_line(board) == f"{start} moves h2e2 h9g7 e2e6 i9i8"
    sent = []

    def search(client):
        client.send_line = sent.append
        client.search(board, chess.engine.Limit(depth=3))

    with_client(UcciClient, search)
    after = "position fen rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2 moves i9i8"
    assert sent == [after, "go depth 3"], "the position after the last capture"


@pytest.mark.parametrize(
    "limit, turn, expected",
    [
        (dict(depth=7), True, "go depth 7"),
        (dict(nodes=100), True, "go nodes 100"),
        (dict(time=0.5), True, "go time 500 movestogo 1"),
        (CLOCKS, True, "go time 60500 increment 1250 opptime 2000 oppincrement 500"),
        (CLOCKS, False, "go time 2000 increment 500 opptime 60500 oppincrement 1250"),
        ({**CLOCKS, "remaining_moves": 9}, False, "go time 2000 movestogo 9 opptime 60500"),
    ],
)
def test_limits_of_ucci(limit, turn, expected):
    def lines(client):
        client.unit = 1000
        return [client.go_line(chess.engine.Limit(**limit), turn, ponder) for ponder in (False, True)]

    assert with_client(UcciClient, lines) == [expected, "go ponder" + expected.removeprefix("go")]


def test_engine_of_ucci_without_milliseconds_gets_whole_seconds():
    limit = chess.engine.Limit(**CLOCKS)
    line = with_client(UcciClient, lambda client: client.go_line(limit, True))
    assert line == "go time 60 increment 1 opptime 2 oppincrement 0"


def test_lines_of_ucci_are_those_of_uci():
    def check(client):
        for line, expected in (
            ("uci", "ucci"),
            ("setoption name hashsize value 64", "setoption hashsize 64"),
            ("setoption name clear_hash", "setoption clear_hash"),
            ("ucinewgame", "uccinewgame"),
            ("isready", "isready"),
        ):
            assert client.to_engine(line) == (expected,)
        client.options["newgame"] = None
        assert client.to_engine("ucinewgame") == ("setoption newgame",)
        for line, expected in (
            ("ucciok", "uciok"),
            ("option hashsize type spin min 1 max 9 default 2", "option name hashsize type spin min 1 max 9 default 2"),
            ("nobestmove", "bestmove (none)"),
            ("bestmove h2e2 ponder h9g7 draw", "bestmove h3e3 ponder h10g8 draw"),
            ("info depth 6 score -4 pv h2e2", "info depth 6 score cp -4 pv h2e2"),
            ("info depth 6 score mate 4 pv h2e2", "info depth 6 score mate 4 pv h2e2"),
            ("readyok", "readyok"),
        ):
            assert client.from_engine(line) == expected
        assert client.is_reply("nobestmove") and not client.is_reply("bye")

    with_client(UcciClient, check)
    assert with_client(CycloneClient, lambda client: client.to_engine("uci")) == ("ucicyclone", "uci")


@pytest.mark.parametrize(
    "words, reason",
    [
        (["--variant", "chess"], "expected --variant xiangqi with protocol=ucci, got chess"),
        (["--variant", "xiangqi", "--each", "nodes=5", "tc=3"], "expected one of tc, st, nodes and depth"),
    ],
)
def test_settings_that_ucci_cannot_have_are_refused(words, reason):
    engines = ["--engine", "cmd=a", "name=a", "depth=1", "protocol=ucci", "--engine", "cmd=b", "name=b", "depth=1"]
    with pytest.raises(MatchError, match=reason):
        new_settings(build_parser().parse_args(engines + words))


def test_whole_games_between_all_protocols(match, tmp_path, program):  # noqa: F811
    log = tmp_path / "ucci.log"
    match(
        *("--engine", f"cmd={program}", "name=uci", "nodes=300", "ponder=true"),
        *("--engine", f"cmd={program}", "name=cyclone", "nodes=150", "protocol=cyclone", "ponder=true"),
        *("--engine", f"cmd={program}", "name=ucci", "nodes=50", "protocol=ucci", f"option.debug_log_file={log}"),
        *("--variant", "xiangqi", "--random-openings", "4", "--rounds", "1", "--json", "r.json"),
    )
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["games"] == 6 and data["faults"] == []
    for record in records(tmp_path / "match.jsonl"):
        assert record["plies"] > 10 and all(spent["nodes"] > 0 for spent in record["spent"].values())
    lines = log.read_text()
    for text in ("setoption newgame", "go nodes 50", "info depth ", "position fen ", "bestmove "):
        assert text in lines
    assert "ucinewgame" not in lines and " cp " not in lines

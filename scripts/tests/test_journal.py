"""The journal of a match: checksums, games that are there twice or do not belong there, and a full disk."""

import json
import re
import resource
import shutil
import subprocess

import pytest
from test_match import DRAW, command, engine, games, match, records  # noqa: F401  (a fixture)

from duiyi_match.errors import MatchError
from duiyi_match.journal import Journal, line_of, parse_line

MATCH = [*engine("a"), *engine("b"), "--each", "nodes=1", "--rounds", "2", *DRAW, "--pgn", "g.pgn"]


@pytest.fixture(scope="module")
def finished_match(tmp_path_factory):
    """The folder of a finished match of four games."""
    folder = tmp_path_factory.mktemp("match")
    subprocess.run(command(*MATCH), cwd=folder, check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture
def journal(finished_match, tmp_path):
    """A finished match of four games in `tmp_path`: the path of its journal."""
    shutil.copytree(finished_match, tmp_path, dirs_exist_ok=True)
    return tmp_path / "match.jsonl"


def old_lines(journal):
    """Returns the lines of a journal as an older version wrote them."""
    lines = [re.sub(r',"crc32":"\w+"}$', "}", line) for line in journal.read_text().splitlines()]
    return [lines[0].replace('"version":2', '"version":1'), *lines[1:]]


def write_lines(journal, lines):
    journal.write_text("".join(f"{line}\n" for line in lines))


def test_line_has_a_checksum_and_comes_back():
    record = {"game": 1, "text": "é\ud800\n"}
    line = line_of(record).rstrip(b"\n")
    assert parse_line(line, 2) == record and json.loads(line)["game"] == 1
    for at in range(len(line)):
        with pytest.raises(ValueError):
            parse_line(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :], 2)
    assert parse_line(b'{"game":1}', 1) == {"game": 1}


def test_line_that_is_there_twice_is_one_game(journal, match, tmp_path):  # noqa: F811
    pgn, data = (tmp_path / "g.pgn").read_bytes(), journal.read_bytes()
    for text in ("\n".join(old_lines(journal)) + "\n", data.decode()):
        last = text.splitlines(keepends=True)[-1]
        journal.write_text(text + last + last)
        out, _ = match("--resume", "match.jsonl")
        assert "Games   4:" in out and (tmp_path / "g.pgn").read_bytes() == pgn


@pytest.mark.parametrize("version", [1, 2])
def test_damaged_line_is_named_and_without_it_the_game_is_played_again(journal, match, tmp_path, version):  # noqa: F811
    lines = old_lines(journal) if version == 1 else journal.read_text().splitlines()
    damaged = lines[2].replace('"game"', '"ga}e"' if version == 2 else '"game')
    write_lines(journal, [*lines[:2], damaged, *lines[3:]])
    before = journal.read_bytes()
    _, err = match("--resume", "match.jsonl", code=2)
    assert err.startswith("match.py: journal match.jsonl, line 3 is damaged: expected ") and err.count("\n") == 1
    assert "nothing is played (without this line its game is played again)" in err and journal.read_bytes() == before
    write_lines(journal, [*lines[:2], *lines[3:]])
    match("--resume", "match.jsonl")
    assert sorted(record["game"] for record in records(journal)) == [0, 1, 2, 3]
    assert len(games(tmp_path / "g.pgn")) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": 9999, "pair": 4999}, "expected a game of the match, found number 9999"),
        ({"game": -1}, "expected a game of the match, found number -1"),
        ({"game": "1"}, "expected the number of a game as 'game', found '1'"),
        ({"pair": 5}, "expected 0 as 'pair', found 5"),
        ({"white": "c"}, "expected 'a' as 'white', found 'c'"),
        ({"result": "2-0"}, "expected a result as 'result', found '2-0'"),
        ({"result": ["1-0"]}, "expected a result as 'result'"),
        ({"pgn": None}, "expected a text as 'pgn', found None"),
        ({"pgn": ...}, "expected a record with 'pgn', found none"),
        ({"spent": ...}, "expected a record with 'spent', found none"),
        ({"spent": {}}, "expected the sums of both engines as 'spent', found {}"),
        ({"termination": ...}, "expected a record with 'termination', found none"),
        ({"delay": float("inf")}, "expected a number as 'delay', found inf"),
        ({"game": 0, "result": "0-1"}, None),
    ],
)
def test_record_that_is_no_game_of_the_match_is_one_line_of_error(journal, match, change, message):  # noqa: F811
    header, first, *rest = map(json.loads, old_lines(journal))
    changed = {key: value for key, value in (first | change).items() if value is not ...}
    if message is None:
        rest, message = [*rest, changed], "expected game 0 once, found it again with another record"
        changed = first
    write_lines(journal, map(json.dumps, [header, changed, *rest]))
    _, err = match("--resume", "match.jsonl", code=2)
    assert message in err and err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "[" * 100_000, '{"log":5}', "[]", "\udcff", '{"log":"duiyi match","version":2}'])
def test_other_file_is_no_journal(tmp_path, text):
    path = tmp_path / "x"
    path.write_bytes(text.encode(errors="surrogateescape") + b"\n")
    with pytest.raises(MatchError, match="expected a journal of match.py in .*; nothing is played"):
        Journal.read(path)


def test_fewer_rounds_keep_the_games(journal, match):  # noqa: F811
    match("--resume", "match.jsonl", "--rounds", "1")
    assert "Games   4:" in match("--resume", "match.jsonl")[0]


def test_full_disk_at_the_start_leaves_no_journal(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = subprocess.run(command(*MATCH), cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "journal match.jsonl: cannot create the file (File too large); the match does not start" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_full_disk_leaves_complete_lines(journal):
    opened = Journal.open(journal)
    before, limits = journal.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            opened.append({"game": 4, "text": "x" * 100})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    opened.append({"game": 4})
    opened.file.close()
    assert journal.read_bytes() == before + line_of({"game": 4})


def test_journal_of_a_device_is_refused(match):  # noqa: F811
    assert "expected a journal, got /dev/zero (a device, not a file)" in match("--resume", "/dev/zero", code=2)[1]

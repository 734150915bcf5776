"""The output files of cluster.py: what a resumed run keeps of them, and what it says of the rest."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from duiyi_cluster.outputs import AnalysisOutput, GamesOutput
from duiyi_match.errors import MatchError

SCRIPT = Path(__file__).resolve().parents[1] / "cluster.py"
GAMES = 40


def header():
    begin = GamesOutput.HEADER.pack(GamesOutput.MAGIC, 1, 4) + b"text"
    return begin + zlib.crc32(begin).to_bytes(4, "little")


def write_games(path, first=0, resume=False):
    """Writes games of 1,000 bytes and 10 positions each."""
    output = GamesOutput(path, resume, GAMES, None)
    if output.header is None:
        output.start(header())
    for number in range(first, GAMES):
        output.append((bytes([number]) * 1000, 10))
    output.close()
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.bin"


def blocks_of(data):
    """Returns the first byte of each block."""
    starts, at = [], len(header())
    while at < len(data):
        starts.append(at)
        at += GamesOutput.BLOCK.size + GamesOutput.BLOCK.unpack_from(data, at)[1]
    return starts


@pytest.mark.parametrize("offset", [0, 4, 200])
def test_damaged_file_says_what_is_lost_and_becomes_whole(path, capsys, offset):
    whole = write_games(path)
    second = blocks_of(whole)[1]
    damaged = bytearray(whole)
    damaged[second + offset] ^= 1
    path.write_bytes(damaged)
    output = GamesOutput(path, True, GAMES, None)
    assert output.count == 9
    output.close()
    assert path.read_bytes() == damaged, "a run that is refused changes nothing"
    line = capsys.readouterr().err
    # The counts of a block whose marker is damaged are unknown.
    games = {0: 22, 4: 31, 200: 31}[offset]
    lost = f"the last {len(whole) - second} bytes with {games} games and {10 * games} positions are cut off"
    assert line.startswith(
        f"cluster.py: {path}: from byte {second} on damaged; {lost}, and these games are played again"
    )
    assert write_games(path, 9, resume=True) == whole


def test_incomplete_block_at_the_end_is_cut_off_and_named(path, capsys):
    whole = write_games(path)
    *_, last = blocks_of(whole)
    for cut in (last + 3, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert write_games(path, 36, resume=True) == whole
        line = capsys.readouterr().err
        assert f"from byte {last} on an incomplete block; the last {cut - last} bytes" in line
    assert "with 4 games and 40 positions" in line
    path.write_bytes(whole[:9])
    assert write_games(path, resume=True) == whole
    assert "the incomplete header of 9 bytes is cut off" in capsys.readouterr().err
    assert write_games(path, GAMES, resume=True) == whole
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("at", [10, 11, 13])
def test_damaged_header_is_refused(path, at):
    data = bytearray(write_games(path))
    data[at] ^= 0x80
    path.write_bytes(data)
    with pytest.raises(MatchError, match=r"is damaged at byte \d+; nothing is changed"):
        GamesOutput(path, True, GAMES, None)
    assert path.read_bytes() == data


def test_records_of_analyse_are_checked(tmp_path, capsys):
    path = tmp_path / "x.jsonl"
    head = '{"format":"duiyi analysis 1"}\n'
    path.write_text(head + '{"at":1}\n{"at":')
    assert AnalysisOutput(path, True).count == 1
    assert "the incomplete last line of 6 bytes is cut off; its position is searched again" in capsys.readouterr().err
    path.write_text(head + '{"at":1\n{"at":2}\n')
    with pytest.raises(MatchError, match="x.jsonl: line 2 is damaged"):
        AnalysisOutput(path, True)


def test_files_of_the_user_are_kept(tmp_path):
    def refusal(*words):
        command = [sys.executable, SCRIPT, "tcp://127.0.0.1:9", sys.executable, *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    for name in ("games.pgn", "other.pgn", "page.html"):
        (tmp_path / name).write_text('[White "mine"]\n')
    before = sorted(tmp_path.iterdir())
    analyse = ["analyse", "games.pgn", "--out"]
    assert "--out: expected another file than that of an input" in refusal(*analyse, "games.pgn", "--resume")
    assert "--pgn: expected another file than that of an input" in refusal(
        *analyse, "x", "--pgn", "games.pgn", "--force"
    )
    assert "--html: expected another file than that of --out" in refusal(*analyse, "x", "--html", "x")
    assert "--pgn: expected no file other.pgn, or one of this kind by Duiyi" in refusal(
        *analyse, "x", "--pgn", "other.pgn"
    )
    assert "(--force replaces it)" in refusal(*analyse, "x", "--html", "page.html")
    book = ["datagen", "--games", "1", "--book", "games.pgn", "--out", "games.pgn", "--resume"]
    assert "--out: expected another file than that of --book" in refusal(*book)
    assert sorted(tmp_path.iterdir()) == before

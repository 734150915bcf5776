"""The output files of cluster.py: what a resumed run keeps of them, and what it says of the rest."""

import subprocess
import sys
from pathlib import Path

import pytest

from duiyi_cluster.outputs import AnalysisOutput, GamesOutput
from duiyi_match.errors import MatchError

SCRIPT = Path(__file__).resolve().parents[1] / "cluster.py"
DATAGEN = ["datagen", "--nodes", "1", "--hash", "1", "--max-plies", "20"]


@pytest.fixture
def part(program):
    """Returns a function that plays the games of a part."""

    def play(first, count, *more):
        return subprocess.run([program, *DATAGEN, "--part", str(first), str(count), *more], capture_output=True).stdout

    return play


def write_games(path, program, parts, games=30):
    """Appends parts to the file. Returns the number of games in it before."""
    output = GamesOutput(path, True, program, games, None)
    before = output.count
    for part in parts:
        output.append(part)
    output.close()
    return before


def test_parts_of_games_are_the_file_of_one_machine_also_after_damage(tmp_path, program, part, capsys):
    path, here = tmp_path / "games.bin", tmp_path / "here.bin"
    subprocess.run([program, *DATAGEN, "--games", "30", "--out", here], check=True, capture_output=True)
    assert write_games(path, program, [part(0, 0), part(0, 20)]) == 0
    assert write_games(path, program, [part(20, 11)]) == 20
    assert path.read_bytes() == here.read_bytes(), "the game too many is left out"
    assert capsys.readouterr().err == ""
    path.write_bytes(path.read_bytes()[:-1])
    kept = write_games(path, program, [])
    line = capsys.readouterr().err
    assert line.startswith(f"cluster.py: --resume: {path}: truncated file: ") and line.count("\n") == 1
    assert "bytes are cut off, their games are played again" in line
    write_games(path, program, [part(kept, 30 - kept)])
    assert path.read_bytes() == here.read_bytes()


def test_part_of_another_run_is_refused_and_the_games_before_it_stay(tmp_path, program, part):
    path = tmp_path / "games.bin"
    with pytest.raises(MatchError, match="^expected a file made with seed=1, as the first one, found seed=2$"):
        write_games(path, program, [part(0, 5), part(5, 5, "--seed", "2")])
    assert write_games(path, program, []) == 5
    path.write_text("mine")
    with pytest.raises(MatchError, match="cannot continue .*: expected a file of games, .*; nothing is changed$"):
        write_games(path, program, [])
    assert path.read_text() == "mine"
    with pytest.raises(MatchError, match="exists; --resume continues it"):
        GamesOutput(path, False, program, 1, None)


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

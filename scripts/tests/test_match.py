"""Complete matches by the command line of match.py."""

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import chess.pgn
import pytest

from conftest import MOCK_COMMAND
from duiyi_match.journal import Journal
from duiyi_match.settings import Settings
from duiyi_match.workers import EnginePool, quit_engines

SCRIPT = Path(__file__).resolve().parents[1] / "match.py"
DRAW = ["--maxmoves", "2"]


def engine(name, *words):
    return ["--engine", f"cmd={shlex.join([*MOCK_COMMAND, *words])}", f"name={name}"]


def command(*arguments):
    """Returns the command of a match. Its games begin at the start position unless an argument says otherwise."""
    words = list(arguments)
    if not {"--openings", "--random-openings", "--resume"} & set(words):
        words += ["--random-openings", "0"]
    return [sys.executable, str(SCRIPT), *words]


@pytest.fixture
def match(tmp_path):
    """Returns a function that runs match.py in `tmp_path`, checks the exit code, and returns standard output and error."""

    def run(*arguments, code=0):
        done = subprocess.run(command(*arguments), cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout, done.stderr

    return run


def games(path):
    text = io.StringIO(path.read_text())
    return list(iter(lambda: chess.pgn.read_game(text), None))


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines() if '"game":' in line]


def test_match_with_output_files_writes_pgn_and_json(match, tmp_path):
    (tmp_path / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/8/4K3 b - -\n")
    out, err = match(
        *engine("strong", "score=900"),
        *engine("weak", "score=-900", "do=crash", "at=9"),
        "--each",
        "nodes=10",
        "option.Hash=2",
        "--openings",
        "file=book.epd",
        "--rounds",
        "3",
        "--concurrency",
        "2",
        "--resign",
        "movecount=2",
        "score=500",
        "--pgn",
        "g.pgn",
        "--json",
        "r.json",
    )
    data = json.loads((tmp_path / "r.json").read_text())
    (result,) = data["results"]
    assert data["state"] == "done" and data["games"] == 6
    assert (result["wins"], result["draws"], result["losses"], result["pentanomial"]) == (6, 0, 0, [0, 0, 0, 0, 3])
    assert data["terminations"].keys() <= {"win adjudication", "crash"}
    assert data["engines"]["strong"]["nodes"] == 1234 * data["engines"]["strong"]["moves"]
    assert "Pairs   3: [0, 0, 0, 0, 3]" in out and "Elo     unknown" in out
    assert len(re.findall(r"^\d/6 game \d ", err, re.M)) == 6 and "games/min" in err
    played = sorted(games(tmp_path / "g.pgn"), key=lambda game: game.headers["Round"])
    assert [game.headers["Round"] for game in played] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]
    assert [game.headers["White"] for game in played] == ["strong", "weak"] * 3
    assert played[0].headers["FEN"] == played[1].headers["FEN"] == played[5].headers["FEN"] != played[2].headers["FEN"]


FOUR = [*engine("a"), *engine("b"), *engine("c"), *engine("d"), "--each", "depth=1", "--rounds", "2", *DRAW]


@pytest.mark.parametrize(
    "arguments, pairings",
    [
        ([], ["ab", "ac", "ad", "bc", "bd", "cd"]),
        (["--tournament", "gauntlet"], ["ab", "ac", "ad"]),
        (["--tournament", "gauntlet", "--seeds", "2"], ["ab", "ac", "ad", "bc", "bd"]),
    ],
)
def test_tournament_plays_each_pairing_in_each_round(match, tmp_path, arguments, pairings):
    out, _ = match(*FOUR, *arguments, "--concurrency", "2", "--json", "r.json", "--pgn", "g.pgn")
    data = json.loads((tmp_path / "r.json").read_text())
    assert [r["engine"] + r["opponent"] for r in data["results"]] == pairings
    assert {(r["games"], tuple(r["pentanomial"])) for r in data["results"]} == {(4, (0, 0, 2, 0, 0))}
    assert sorted(rank["engine"] for rank in data["ranking"]) == ["a", "b", "c", "d"]
    assert re.search(r"^1 [a-d] +\+0\.00 +unknown ", out, re.M) and re.search(r"^  points +1 +2 +3 +4$", out, re.M)
    played = sorted(games(tmp_path / "g.pgn"), key=lambda game: [int(n) for n in game.headers["Round"].split(".")])
    first_round = [game.headers["White"] + game.headers["Black"] for game in played[: len(played) // 2]]
    assert first_round == [text for pairing in pairings for text in (pairing, pairing[::-1])]


def test_tournament_interrupted_and_resumed_plays_each_game_once(match, tmp_path):
    arguments = [*FOUR, *engine("e", "do=late", "at=9", "ms=100"), "--concurrency", "2", "--pgn", "g.pgn"]
    journal = tmp_path / "match.jsonl"
    process = subprocess.Popen(command(*arguments), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 5)
    process.kill()
    process.wait(30)
    kept = records(journal)
    assert 5 <= len(kept) < 40
    match("--resume", "match.jsonl")
    assert sorted(record["game"] for record in records(journal)) == list(range(40))
    headers = [(game.headers["White"], game.headers["Black"]) for game in games(tmp_path / "g.pgn")]
    assert len(headers) == 40 and len(set(headers)) == 20, "each of 5 engines with each colour against 4 others, twice"


def test_engine_that_cannot_be_asked_to_exit_is_killed(monkeypatch):
    process = subprocess.Popen(["sleep", "60"])
    transport = SimpleNamespace(get_pid=lambda: process.pid)
    client = SimpleNamespace(quit_command="quit", send_line=lambda _: transport.closed, transport=transport)
    monkeypatch.setattr(EnginePool, "all_players", [SimpleNamespace(client=client)])
    quit_engines()
    assert process.wait(30) == -signal.SIGKILL


def test_journal_of_an_older_version_resumes_as_gauntlet(match, tmp_path):
    match(*FOUR, "--tournament", "gauntlet")
    journal = tmp_path / "match.jsonl"
    header, *games_played = journal.read_text().splitlines()
    old = json.loads(header) | {"version": 1}
    del old["settings"]["tournament"], old["settings"]["seeds"], old["crc32"]
    games_played = [re.sub(r',"crc32":"\w+"}$', "}", line) for line in games_played]
    journal.write_text("\n".join([json.dumps(old), *games_played[:5]]) + "\n")
    match("--resume", "match.jsonl", "--json", "r.json")
    assert [r["opponent"] for r in json.loads((tmp_path / "r.json").read_text())["results"]] == ["b", "c", "d"]
    assert len(records(journal)) == 12


def test_pgn_has_each_game_when_it_ends(match, tmp_path):
    arguments = [*engine("a"), *engine("b", "do=stall", "at=3"), "--each", "nodes=1", "--rounds", "1", *DRAW]
    process = subprocess.Popen(command(*arguments, "--pgn", "g.pgn"), cwd=tmp_path, stderr=subprocess.DEVNULL)
    pgn = tmp_path / "g.pgn"
    wait_for(lambda: pgn.exists() and pgn.read_text().endswith(" 1/2-1/2\n\n"))
    assert len(games(pgn)) == 1 and process.poll() is None, "the second game of the pair is not over"
    process.send_signal(signal.SIGINT)
    process.wait(30)
    assert len(games(pgn)) == 1 and len(records(tmp_path / "match.jsonl")) == 1


def test_pgn_has_time_controls_and_duration(match, tmp_path):
    arguments = [*engine("a"), *engine("b"), "tc=40/5:00+0.5", "--rounds", "1", *DRAW]
    match(*arguments, "--each", "st=2", "--pgn", "st.pgn", code=2)
    match(*arguments, "--each", "tc=8+0.08", "--pgn", "g.pgn")
    first, second = games(tmp_path / "g.pgn")
    assert [first.headers[tag] for tag in ("WhiteTimeControl", "BlackTimeControl")] == ["8+0.08", "40/300+0.5"]
    assert second.headers["WhiteTimeControl"] == "40/300+0.5" and "TimeControl" not in second.headers
    assert first.headers["PlyCount"] == "4" and re.fullmatch(r"00:00:\d\d", first.headers["GameDuration"])
    assert first.headers["GameStartTime"] <= first.headers["GameEndTime"]


def test_sprt_bound_reached_stops_after_complete_pair(match, tmp_path):
    out, _ = match(
        *engine("a", "score=900"),
        *engine("b", "score=-900"),
        "--each",
        "nodes=10",
        "--rounds",
        "500",
        "--concurrency",
        "2",
        "--resign",
        "movecount=1",
        "--sprt",
        "elo0=0",
        "elo1=200",
        "--json",
        "r.json",
    )
    (result,) = json.loads((tmp_path / "r.json").read_text())["results"]
    assert result["sprt"]["decision"] == "H1" and result["sprt"]["decided_with_llr"] >= result["sprt"]["high"]
    assert result["games"] == 2 * result["pairs"] < 100
    assert f"H1 accepted after {result['sprt']['decided_after_pairs']} pairs" in out
    before = (tmp_path / "match.jsonl").read_text()
    again, _ = match("--resume", "match.jsonl")
    assert again == out and (tmp_path / "match.jsonl").read_text() == before, "resuming a decided match changes nothing"


def test_match_without_book_plays_openings_of_genfens_and_says_so(match, tmp_path):
    arguments = [*engine("a"), *engine("b", "genfens=6"), "--each", "nodes=10", "--rounds", "60", "--maxmoves", "4"]
    command = [sys.executable, str(SCRIPT), *arguments, "--pgn", "g.pgn"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr.splitlines()[0] == "no opening book: random openings by genfens of b, seed 1"
    assert "Book    none, random openings by genfens of b, seed 1" in done.stdout and "Warning" not in done.stdout
    played = sorted(games(tmp_path / "g.pgn"), key=lambda game: float(game.headers["Round"].split(".")[0]))
    positions = [game.headers["FEN"] for game in played]
    assert positions[::2] == positions[1::2], "both games of a pair have one opening"
    assert len(set(positions)) == 60 and len({game.board().fen() for game in played}) == 60
    sources = {record["opening"] for record in records(tmp_path / "match.jsonl")}
    assert any(re.fullmatch(r"b: genfens 50 seed \d+, opening 7", source) for source in sources)
    (tmp_path / "g.pgn").unlink()
    match("--resume", "match.jsonl", "--rounds", "61")
    assert len({record["opening"] for record in records(tmp_path / "match.jsonl")}) == 61


def test_match_without_book_and_genfens_plays_random_moves(tmp_path):
    arguments = [*engine("a"), *engine("b"), "--each", "nodes=10", "--rounds", "5", "--maxmoves", "6", "--seed", "4"]
    command = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr.splitlines()[0] == "no opening book: openings of 8 random moves, seed 4"
    assert len({record["moves"] for record in records(tmp_path / "match.jsonl")}) == 10


def test_repeated_games_are_reported(match, tmp_path):
    arguments = [*engine("a"), *engine("b"), "--each", "nodes=10", "--rounds", "6", *DRAW, "--random-openings", "0"]
    out, err = match(*arguments, "--json", "r.json")
    assert err.splitlines()[0] == "no opening book: each game begins at the start position"
    assert "Warning 10 of 12 games repeat an earlier game move by move" in out
    assert json.loads((tmp_path / "r.json").read_text())["repeated_games"] == 10


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def processes_of(folder):
    """Returns the IDs of processes with `log=folder` in their arguments: engines of a match in that folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"log={folder}" in (entry / "cmdline").read_text():
                found.append(entry.name)
        except OSError:
            pass
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="requires /proc")
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_match_interrupted_and_resumed_plays_each_game_once(match, tmp_path, kind):
    arguments = [
        *engine("a", f"log={tmp_path}/a", "do=late", "at=5", "ms=50"),
        *engine("b", f"log={tmp_path}/b"),
        "--each",
        "nodes=10",
        "--rounds",
        "40",
        *DRAW,
        "--concurrency",
        "2",
        "--pgn",
        "g.pgn",
        "--json",
        "r.json",
    ]
    journal = tmp_path / "match.jsonl"
    process = subprocess.Popen(command(*arguments), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 5)
    process.send_signal(kind)
    assert process.wait(30) == (-kind if kind == signal.SIGKILL else 130)
    wait_for(lambda: not processes_of(tmp_path))
    kept = records(journal)
    assert 5 <= len(kept) < 80
    with open(journal, "a") as file:
        file.write('{"game": 3, "half a line')
    with open(tmp_path / "g.pgn", "a") as file:
        file.write('[Event "half a ga')
    match("--resume", "match.jsonl", "--concurrency", "1")
    all_records = records(journal)
    assert all_records[: len(kept)] == kept
    assert sorted(record["game"] for record in all_records) == list(range(80)), "each game once"
    assert len(games(tmp_path / "g.pgn")) == 80
    (result,) = json.loads((tmp_path / "r.json").read_text())["results"]
    assert (result["draws"], result["pentanomial"]) == (80, [0, 0, 40, 0, 0])


def test_match_resumed_with_more_rounds_continues(match, tmp_path):
    match(*engine("a"), *engine("b"), "--each", "nodes=1", "--rounds", "1", *DRAW)
    match("--resume", "match.jsonl", "--rounds", "2")
    assert len(records(tmp_path / "match.jsonl")) == 4
    match("--resume", "match.jsonl")
    assert len(records(tmp_path / "match.jsonl")) == 4, "the journal has the new number of rounds"


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        ([*engine("a")], 2, "expected at least two of --engine, got 1"),
        ([*engine("a"), *engine("a"), "--each", "nodes=1"], 2, "expected engines with different names, got a, a"),
        ([*engine("a"), *engine("b")], 2, "--engine a: expected tc, st, nodes or depth, got no limit"),
        (
            [*engine("a"), *engine("b"), "--each", "tc=x"],
            2,
            "tc: expected [MOVES/][MINUTES:]SECONDS[+INCREMENT] or inf, got 'x'",
        ),
        ([*engine("a"), *engine("b"), "--each", "nodes=many"], 2, "--engine: expected nodes=int, got 'many'"),
        ([*engine("a"), *engine("b"), "--each", "node=1"], 2, "got 'node'"),
        ([*engine("a"), *engine("b"), "--each", "st=nan"], 2, "--engine a: expected positive limits"),
        ([*engine("a"), *engine("b"), "--each", "st=inf"], 2, "--engine a: expected positive limits"),
        (["--engine", "cmd='x", *engine("b"), "--each", "nodes=1"], 2, 'with paired quotation marks, got "\'x"'),
        ([*engine("a"), *engine("b"), "--each", "nodes=1", "dir=none"], 2, "--engine: expected dir=FOLDER, got "),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--resign", "movecount=0"],
            2,
            "--resign: expected movecount of at least 1 and score of at least 0, got movecount=0 score=600",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--json", "."],
            2,
            "--json: expected a file, got the folder",
        ),
        ([*engine("a"), *engine("b"), "--each", "nodes"], 2, "--each: expected KEY=VALUE, got 'nodes'"),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--sprt", "elo0=0"],
            2,
            "--sprt: expected elo1=..., got nothing",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--sprt", "elo0=5", "elo1=0"],
            2,
            "--sprt: expected elo0 below elo1",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--sprt", "elo0=0", "elo1=300"],
            2,
            "--sprt: expected elo0 and elo1 from -200 to 200 with model=normalized, got elo0=0 elo1=300",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--random-openings", "4", "--openings", "file=x"],
            2,
            "expected --openings or --random-openings, got both",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--random-openings", "4", "--variant", "nim"],
            2,
            "--random-openings: expected chess, one of its variants, tictactoe, ",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--openings", "file=none"],
            2,
            "--openings: expected a file",
        ),
        (
            [*engine("a"), *engine("b"), *engine("c"), "--each", "nodes=1", "--sprt", "elo0=0", "elo1=5"],
            2,
            "expected two engines with --sprt, got 3; the match does not start",
        ),
        (
            [*engine("a"), *engine("b"), *engine("c"), "--each", "nodes=1", "--seeds", "1"],
            2,
            "--seeds: expected --tournament gauntlet, got none",
        ),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--tournament", "gauntlet", "--seeds", "2"],
            2,
            "--seeds: expected fewer than the 2 engines, got 2",
        ),
        (
            [*engine("a"), *engine("b\nc"), "--each", "nodes=1"],
            2,
            "--engine: name: expected a text without line breaks",
        ),
        ([*engine("a"), *engine("b\x1b[2J"), "--each", "nodes=1"], 2, "--engine: name: expected a text without"),
        ([*engine("a"), *engine("b"), "--each", "nodes=1", "--event", "x\ny"], 2, "--event: expected a text without"),
        ([*engine("a"), *engine("b"), "--each", f"tc={'9' * 400}"], 2, "tc: expected [MOVES/]"),
        ([*engine("a"), *engine("b"), "--each", "st=1", f"timemargin={'9' * 400}"], 2, "--engine a: expected positive"),
        (["--resume", "none.jsonl"], 2, "expected a journal, got none.jsonl (No such file or directory)"),
        (
            [*engine("a"), "--engine", "cmd=/no/engine", "--each", "nodes=1"],
            1,
            "engine engine: expected a program, got '/no/engine'",
        ),
        ([*engine("a"), *engine("b", "start=crash"), "--each", "nodes=1"], 1, "engine b ("),
        ([*engine("a"), *engine("b"), "--each", "nodes=1", "option.Nope=1"], 1, "engine does not support option Nope"),
        (
            [*engine("a"), *engine("b"), "--each", "nodes=1", "--variant", "go"],
            1,
            "invalid value for combo option 'UCI_Variant'",
        ),
    ],
)
def test_wrong_arguments_print_one_line(match, tmp_path, arguments, code, message):
    out, err = match(*arguments, code=code)
    assert message in err and err.count("\n") == 1
    assert not (tmp_path / "match.jsonl").exists()


def test_rating_interval_shows_results_and_faults_only(match):
    arguments = [*engine("a"), *engine("b", "do=crash", "at=4"), "--each", "nodes=1", "--rounds", "4", *DRAW]
    _, *lines = match(*arguments, "--ratinginterval", "3")[1].splitlines()
    # Engine b crashes in its fourth search: in every second game.
    assert [line.split()[0] for line in lines] == ["2/8", "3/8", "4/8", "6/8", "8/8"]
    assert lines[1].startswith("3/8 games | +1 -0 =2, Elo ") and "4/8 game 4 b - a 0-1 (crash" in lines[2]


def test_number_of_games_at_a_time_has_a_limit(match, tmp_path):
    err = match(*engine("a"), *engine("b"), "--each", "nodes=1", "--concurrency", "9" * 20, code=2)[1]
    assert err.splitlines()[-1].endswith("expected a whole number from 1 to 1024, got '99999999999999999999'")
    assert list(tmp_path.iterdir()) == []


def test_missing_engine_is_found_before_the_first_game(match, tmp_path):
    arguments = [*engine("a"), *engine("b"), "--engine", "cmd=./c", "--each", "nodes=1", "--rounds", "1", *DRAW]
    out, err = match(*arguments, "--pgn", "g.pgn", code=1)
    assert out == "" and err.count("\n") == 1 and "engine c: expected a program, got " in err
    assert list(tmp_path.iterdir()) == []
    program = tmp_path / "c"
    program.write_text(f"#!/bin/sh\nexec {shlex.join(MOCK_COMMAND)}\n")
    program.chmod(0o755)
    out, _ = match(*arguments)
    program.unlink()
    assert match("--resume", "match.jsonl")[0] == out, "a finished match starts no engine"
    _, err = match("--resume", "match.jsonl", "--rounds", "2", code=1)
    assert "engine c: expected a program" in err and "match.py --resume match.jsonl continues this match" in err
    assert len(records(tmp_path / "match.jsonl")) == 6


def test_journal_of_a_running_match_is_refused(match, tmp_path):
    match(*engine("a"), *engine("b"), "--each", "nodes=1", "--rounds", "1", *DRAW)
    running = Journal.open(tmp_path / "match.jsonl")
    message = "expected a journal that no other run writes, got match.jsonl; nothing is played"
    assert message in match("--resume", "match.jsonl", "--rounds", "2", code=2)[1]
    running.file.close()
    match("--resume", "match.jsonl", "--rounds", "2")


def test_existing_files_and_settings_are_kept(match, tmp_path):
    (tmp_path / "match.jsonl").write_text("mine\n")
    arguments = [*engine("a"), *engine("b"), "--each", "nodes=1", "--rounds", "1", *DRAW]
    assert "expected no file match.jsonl, found one" in match(*arguments, code=2)[1]
    assert "expected a journal of match.py in match.jsonl" in match("--resume", "match.jsonl", code=2)[1]
    assert (tmp_path / "match.jsonl").read_text() == "mine\n"
    (tmp_path / "g.pgn").write_text("mine\n")
    assert "expected no file" in match(*arguments, "--journal", "m.jsonl", "--pgn", "g.pgn", code=2)[1]
    out, err = match(*arguments, "--journal", "u.jsonl", "--pgn", "nowhere/g.pgn", code=1)
    assert err.count("\n") == 1 and not (tmp_path / "u.jsonl").exists(), "no game was played, so no journal remains"
    out, err = match(*arguments, "--journal", "m.jsonl", "--json", "nowhere/m.json", code=1)
    assert "Elo" in out and err.splitlines()[-1].startswith("match.py: "), "the report is printed despite the error"
    assert "--seed cannot change" in match("--resume", "m.jsonl", "--seed", "3", code=2)[1]


def test_settings_after_json_round_trip_are_equal(tmp_path, match):
    (tmp_path / "x.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n")
    match(
        *engine("a"),
        "tc=10+0.1",
        *engine("b"),
        "--each",
        "nodes=1",
        "option.Hash=2",
        "--openings",
        "file=x.epd",
        "plies=3",
        "--draw",
        "--resign",
        "twosided=true",
        "--sprt",
        "elo0=0",
        "elo1=5",
        "model=logistic",
        "--rounds",
        "1",
        *DRAW,
    )
    header = json.loads((tmp_path / "match.jsonl").read_text().splitlines()[0])
    settings = Settings.from_json(header["settings"])
    assert json.loads(json.dumps(settings.to_json())) == header["settings"]
    assert (settings.draw.score, settings.resign.twosided, settings.sprt.model, settings.book.plies) == (
        10,
        True,
        "logistic",
        3,
    )
    assert (settings.engines[0].tc, settings.engines[1].tc, settings.engines[1].options) == (
        "10+0.1",
        None,
        {"Hash": "2"},
    )
    assert os.path.isabs(settings.book.file)
    (tmp_path / "x.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 b - -\n")
    assert "x.epd unchanged since the match started" in match("--resume", "match.jsonl", code=2)[1]

"""Tuning by SPSA: the values on an objective with a known maximum, and complete runs by the command line of spsa.py."""

import json
import math
import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from test_match import wait_for

from conftest import MOCK_COMMAND, mock_engine
from duiyi_match import engines
from duiyi_match.errors import MatchError
from duiyi_match.settings import Settings
from duiyi_spsa.parameters import Parameter, parse_line, read_parameters
from duiyi_spsa.runner import TuningJournal, TuningSettings, main
from duiyi_spsa.tuner import Schedule, Tuner

SCRIPT = Path(__file__).resolve().parents[1] / "spsa.py"

BEST = {"low": 30, "high": 470, "small": 3}
"""The maximum of `play_quadratic`."""

QUADRATIC = (
    Parameter("low", 60, 0, 200, 10, 0.01),
    Parameter("high", 350, 100, 900, 40, 0.01),
    Parameter("small", 6, 1, 10, 0.5, 0.01),
)
"""Parameters that begin three, three and six steps away from the maximum."""


def play_quadratic(perturbation, rng):
    """Returns the score of two games. In each parameter a distance of one step from the maximum costs 6 Elo."""

    def elo(values):
        return -6 * sum(((v - BEST[p.name]) / p.step) ** 2 for p, v in zip(QUADRATIC, values))

    expected = 1 / (1 + 10 ** ((elo(perturbation.minus) - elo(perturbation.plus)) / 400))
    return sum(1 if rng.random() < expected else -1 for _ in range(2))


def distance(values):
    return math.dist(
        [value / p.step for p, value in zip(QUADRATIC, values)], [BEST[p.name] / p.step for p in QUADRATIC]
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("overlap", [1, 32])
def test_noisy_quadratic_converges_to_its_maximum(seed, overlap):
    tuner, rng = Tuner(QUADRATIC, Schedule(6000, overlap), seed), random.Random(seed)
    assert distance(tuner.values) > 7
    for pair in range(6000):
        tuner.add_score(pair, play_quadratic(tuner.perturbation(pair), rng))
    assert distance(tuner.values) < 1.5


def test_values_without_a_difference_stay_near_the_start():
    tuner, rng = Tuner(QUADRATIC, Schedule(2000), 1), random.Random(1)
    for pair in range(2000):
        tuner.add_score(pair, rng.choice((-2, -1, 0, 1, 2)))
    assert all(abs(change) < 3 for _, change in tuner.changes())


def test_effects_are_those_of_the_larger_values():
    tuner, rng = Tuner(QUADRATIC, Schedule(4000, effects=True), 1), random.Random(1)
    for pair in range(4000):
        tuner.add_score(pair, play_quadratic(tuner.perturbation(pair), rng))
    assert tuner.values == tuple(parameter.value for parameter in QUADRATIC)
    effects = {parameter.name: (elo, error) for parameter, elo, error in tuner.effects()}
    # A step is worth 6 Elo times the square of the distance from the maximum, in steps.
    expected = {"high": 6 * (4**2 - 2**2), "low": -6 * (4**2 - 2**2), "small": -6 * (7**2 - 5**2)}
    assert list(effects) == ["high", "low", "small"]
    for name, (elo, error) in effects.items():
        assert 5 < error < 9 and elo == pytest.approx(expected[name], abs=2 * error + 0.2 * abs(expected[name]))


def test_run_for_effects_prints_a_table(program, tmp_path):
    (tmp_path / "p.txt").write_text("Move Overhead, int, 20, 0, 100, 10, 0.002\nHash, int, 3, 1, 100, 2, 0.002\n")
    engine = ["--engine", f"cmd={program}", "nodes=50", "--random-openings", "4", "--maxmoves", "9"]
    out, _ = run(tmp_path, "--parameters", "p.txt", "--effects", "--pairs", "2", *engine, "--journal", "a.jsonl")
    lines = out.splitlines()
    assert lines[0] == "# 2 of 2 pairs, seed 1: Elo of the larger value, 95 % error"
    assert sorted(line.split()[-5:-2] for line in lines[1:]) == [["1", "5", "+0.0"], ["10", "30", "+0.0"]]
    assert run(tmp_path, "--show", "a.jsonl")[0] == out


def test_values_do_not_depend_on_the_order_of_scores():
    schedule, rng = Schedule(64, overlap=16), random.Random(5)
    scores = [rng.choice((-2, -1, 0, 1, 2)) for _ in range(64)]
    in_order, mixed = Tuner(QUADRATIC, schedule, 9), Tuner(QUADRATIC, schedule, 9)
    for pair, score in enumerate(scores):
        in_order.add_score(pair, score)
    waiting, started = [], 0
    while started < 64 or waiting:
        while mixed.can_start(started):
            waiting.append((started, mixed.perturbation(started)))
            started += 1
        assert len(waiting) <= 16
        pair, perturbation = waiting.pop(rng.randrange(len(waiting)))
        assert perturbation == in_order.perturbation(pair)
        mixed.add_score(pair, scores[pair])
    assert mixed.history == in_order.history


def test_last_pair_has_the_step_and_the_rate_of_the_parameter():
    schedule, parameter = Schedule(1000), QUADRATIC[1]
    assert schedule.step(parameter, 999) == pytest.approx(40)
    assert schedule.gain(parameter, 999) == pytest.approx(0.01 * 40)
    # The formulas of OpenBench and fishtest, for pair 10 of 1,000 with A = 100.
    c = 40 * 1000**0.101 / 10**0.101
    a = 0.01 * 40**2 * (100 + 1000) ** 0.602 / (100 + 10) ** 0.602
    assert schedule.step(parameter, 9) == pytest.approx(c)
    assert schedule.gain(parameter, 9) == pytest.approx(a / c)


def test_perturbation_plays_whole_numbers_in_range_with_the_value_as_mean():
    parameter = Parameter("x", 9.3, 0, 10, 2, 0.002)
    tuner = Tuner((parameter,), Schedule(4000, overlap=4000), 1)
    pairs = [tuner.perturbation(pair) for pair in range(4000)]
    assert {type(value) for pair in pairs for value in pair.plus + pair.minus} == {int}
    assert all(0 <= value <= 10 for pair in pairs for value in pair.plus + pair.minus)
    wide = Tuner((Parameter("x", 9.3, -90, 90, 2, 0.002),), Schedule(4000, overlap=4000), 1)
    values = [value for pair in range(4000) for value in wide.perturbation(pair).plus]
    assert sum(values) / len(values) == pytest.approx(9.3, abs=0.15)


@pytest.mark.parametrize(
    "line",
    [
        "x, int, 5, 0, 10, 1",
        "x, float, 5, 0, 10, 1, 0.002",
        "x, int, 11, 0, 10, 1, 0.002",
        "x, int, 5, 0, 10, 0, 0.002",
        "x, int, 5, 0, 10, 11, 0.002",
        "x, int, 5, 0, 10, 1, 0",
        "x, int, five, 0, 10, 1, 0.002",
        "x, int, nan, 0, 10, 1, 0.002",
        ", int, 5, 0, 10, 1, 0.002",
    ],
)
def test_invalid_line_names_file_and_line(tmp_path, line):
    path = tmp_path / "p.txt"
    path.write_text(f"# parameters\n\n{line}\n")
    with pytest.raises(MatchError, match="p.txt:3: .*expected"):
        read_parameters(str(path))


def test_line_of_a_parameter_is_read_again():
    parameter = parse_line("rfp_margin, int, 58, 30, 200, 8.5, 0.002")
    assert parse_line(parameter.line(58)) == parameter
    assert parameter.line(61.6) == "rfp_margin, int, 62, 30, 200, 8.5, 0.002"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"pair": 9}, "expected a number below 2 as 'pair', found 9"),
        ({"score": 3}, "expected a score of two games as 'score', found 3"),
        ({"score": 1.0}, "expected a score of two games as 'score', found 1.0"),
        ({"score": -1}, "expected pair 0 once, found it again with another record"),
    ],
)
def test_record_that_is_no_pair_of_the_tuning_is_an_error(tmp_path, record, message):
    path = tmp_path / "spsa.jsonl"
    settings = TuningSettings(Settings((mock_engine("plus"), mock_engine("minus"))), QUADRATIC, Schedule(2))
    journal = TuningJournal.create(path, settings)
    first = {"pair": 0, "score": 1}
    journal.append(first)
    journal.append(first)
    assert TuningJournal.read(path)[:2] == (settings, [first])
    journal.append(first | record)
    journal.file.close()
    with pytest.raises(MatchError, match=f"line 4 is damaged: {message}; nothing is played"):
        TuningJournal.read(path)


def run(folder, *arguments, code=0):
    """Runs spsa.py in `folder`, checks the exit code and returns standard output and error."""
    words = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def pairs_of(path):
    """Returns the records of a journal in the order of the pairs, without what depends on the clock."""
    pairs = [json.loads(line) for line in path.read_text().splitlines() if '"pair":' in line]
    for pair in pairs:
        del pair["crc32"]
        for game in pair["games"]:
            del game["seconds"]
    return sorted(pairs, key=lambda pair: pair["pair"])


def test_tuning_of_the_program_is_the_same_after_an_interruption(program, tmp_path):
    (tmp_path / "p.txt").write_text(
        "UCI_Elo, int, 1900, 1320, 3190, 400, 0.1\nMove Overhead, int, 10, 0, 100, 10, 0.002\n"
    )
    (tmp_path / "book.epd").write_text(
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n"
    )
    engine = ["--engine", f"cmd={program}", "nodes=300", "option.UCI_LimitStrength=true", "option.Strength Seed=1"]
    arguments = ["--parameters", "p.txt", "--pairs", "2", *engine, "--openings", "file=book.epd", "--resign"]
    out, err = run(tmp_path, *arguments, "--journal", "a.jsonl", "--concurrency", "2")
    whole = pairs_of(tmp_path / "a.jsonl")
    assert [pair["pair"] for pair in whole] == [0, 1] and err.count("\n") == 2
    assert {game["termination"] for pair in whole for game in pair["games"]} <= {
        "checkmate",
        "win adjudication",
        "repetition",
        "fifty moves",
        "insufficient material",
        "stalemate",
    }
    for pair in whole:
        assert pair["plus"][0] != pair["minus"][0] and [game["white"] for game in pair["games"]] == ["plus", "minus"]
        points = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
        first, second = (points[game["result"]] for game in pair["games"])
        assert pair["score"] == first - second

    text = (tmp_path / "a.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_text("".join(text[:2]) + text[2][:40])
    assert run(tmp_path, "--resume", "b.jsonl", "--concurrency", "1")[0] == out
    assert pairs_of(tmp_path / "b.jsonl") == whole

    lines = out.splitlines()
    assert lines[0] == "# values after 2 of 2 pairs, seed 1" and lines[1].startswith("UCI_Elo, int, ")
    value = parse_line(lines[1]).value
    assert lines[3] == f"# match.py: option.UCI_Elo={value:.0f} 'option.Move Overhead=10'"
    assert run(tmp_path, "--show", "a.jsonl", "--plot", "a.svg")[0] == out
    assert "UCI_Elo: 1900" in (tmp_path / "a.svg").read_text()
    (tmp_path / "next.txt").write_text(out)
    assert [parameter.name for parameter in read_parameters(str(tmp_path / "next.txt"))] == ["UCI_Elo", "Move Overhead"]


def mock(*words):
    """Returns the arguments of a tuning with a mock engine."""
    command = shlex.join([*MOCK_COMMAND, *words])
    return ["--engine", f"cmd={command}", "nodes=1", "--random-openings", "0", "--maxmoves", "2"]


HASH = "Hash, int, 30, 1, 64, 10, 0.05\n"


def test_interrupted_tuning_resumes(tmp_path):
    (tmp_path / "p.txt").write_text(HASH)
    arguments = ["--parameters", "p.txt", "--pairs", "12", *mock("do=late", "ms=100")]
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), *arguments], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "spsa.jsonl"
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 3)
    process.send_signal(signal.SIGTERM)
    assert "spsa.py --resume spsa.jsonl continues this tuning" in process.communicate(timeout=60)[1]
    assert process.returncode == 130 and 3 <= len(pairs_of(journal)) < 12
    run(tmp_path, "--resume", "spsa.jsonl", "--concurrency", "4")
    assert [pair["pair"] for pair in pairs_of(journal)] == list(range(12))
    assert {pair["score"] for pair in pairs_of(journal)} == {0}


def test_option_of_each_side_reaches_its_engine(tmp_path):
    (tmp_path / "p.txt").write_text(HASH)
    run(tmp_path, "--parameters", "p.txt", "--pairs", "1", *mock(f"log={tmp_path}/log"))
    (pair,) = pairs_of(tmp_path / "spsa.jsonl")
    assert pair["plus"] != pair["minus"]
    for value in pair["plus"] + pair["minus"]:
        assert f"setoption name Hash value {value}\n" in (tmp_path / "log").read_text()


def test_engine_that_does_not_reply_prints_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engines, "STARTUP_TIMEOUT", 0.5)
    (tmp_path / "p.txt").write_text(HASH)
    assert main(["--parameters", "p.txt", "--pairs", "1", "--engine", "cmd=cat", "nodes=1"]) == 2
    err = capsys.readouterr().err
    assert "expected a UCI engine, got: no reply within 0.5 s" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected --parameters, got none"),
        (["--parameters", "p.txt", *mock()], "expected --pairs, got none"),
        (["--parameters", "p.txt", "--pairs", "1"], "expected one --engine, which plays itself, got 0"),
        (["--parameters", "p.txt", "--pairs", "1", "--rounds", "1"], "expected no --rounds"),
        (["--parameters", "none.txt", "--pairs", "1", *mock()], "expected a file, got 'none.txt'"),
        (["--parameters", "empty.txt", "--pairs", "1", *mock()], "in 'empty.txt', found none"),
        (["--parameters", "twice.txt", "--pairs", "1", *mock()], "twice.txt:2: expected each name once, got Hash"),
        (["--parameters", "nope.txt", "--pairs", "1", *mock()], "expected a spin option of "),
        (["--parameters", "wide.txt", "--pairs", "1", *mock()], "Hash: expected a range within 1 to 64"),
        (
            ["--parameters", "p.txt", "--pairs", "1", "--engine", "cmd=/no/engine", "nodes=1"],
            "expected a program, got '/no/engine'",
        ),
        (
            ["--parameters", "p.txt", "--pairs", "1", *mock(), "--engine", "cmd=x"],
            "expected one --engine, which plays itself, got 2",
        ),
        (
            ["--parameters", "p.txt", "--pairs", "1", "--effects", "--plot", "a.svg", *mock()],
            "expected no --plot with --effects",
        ),
        (["--resume", "p.txt"], "expected a journal of spsa.py in p.txt"),
        (["--show", "none.jsonl"], "expected a journal, got none.jsonl"),
        (["--show", "p.txt", "--pairs", "1"], "expected only --plot with --show, got --pairs"),
        (["--resume", "p.txt", "--overlap", "3"], "--overlap cannot change"),
    ],
)
def test_wrong_arguments_print_one_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.txt").write_text(HASH)
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "twice.txt").write_text(HASH + HASH)
    (tmp_path / "nope.txt").write_text(HASH.replace("Hash", "Nope"))
    (tmp_path / "wide.txt").write_text(HASH.replace("64", "65"))
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1 and err.startswith("spsa.py: ")
    assert not (tmp_path / "spsa.jsonl").exists()

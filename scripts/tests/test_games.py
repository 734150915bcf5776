"""Matches of the program in every game."""

import collections
import json
import subprocess

import pytest
from test_match import match, records  # noqa: F401

from conftest import variants_of
from duiyi_match.rules import GAMES

PLIES = {"gametree": 1}
"""Random moves of the openings; 4 if not named."""


def test_rules_cover_all_games_of_the_program(program):
    assert set(variants_of(program)) == {"chess", *GAMES}


@pytest.mark.parametrize("variant", ["chess", *GAMES])
def test_match_of_program_ends_by_the_rules_and_is_readable(match, tmp_path, program, variant):  # noqa: F811
    match(
        *("--engine", f"cmd={program}", "name=strong", "nodes=400", "option.Hash=1"),
        *("--engine", f"cmd={program}", "name=weak", "nodes=20", "option.Hash=1"),
        *("--variant", variant, "--random-openings", str(PLIES.get(variant, 4)), "--rounds", "2"),
        *("--maxmoves", "230", "--pgn", "g.pgn", "--json", "r.json"),
    )
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["games"] == 4 and data["faults"] == [] and data["results"][0]["pairs"] == 2
    played = records(tmp_path / "match.jsonl")
    assert played[0]["pgn"].count("{book}") == PLIES.get(variant, 4)
    analyse = [program, "analyse", "g.pgn", "--variant", variant, "--nodes", "1", "--json"]
    analysis = subprocess.run(analyse, cwd=tmp_path, capture_output=True, text=True, check=True)
    moves = collections.Counter()
    for line in analysis.stdout.splitlines():
        position = json.loads(line)
        moves[position.get("game")] += position.get("played") is not None
    del moves[None]
    assert [moves[number + 1] for number in range(4)] == [record["plies"] for record in played]

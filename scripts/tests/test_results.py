"""Counts of results and decisions of the SPRT."""

import pytest

from duiyi_match.results import Results
from duiyi_match.settings import Engine, Settings
from duiyi_match.statistics import Sprt


def settings(*names, **more):
    return Settings(tuple(Engine(name, ("x",), nodes=1) for name in names), **more)


def record(game, white, black, result, **more):
    spent = {name: {"moves": 2, "nodes": 30, "depth": 9, "seconds": 0.5} for name in (white, black)}
    data = {"game": game, "pair": game // 2, "white": white, "black": black, "result": result, "spent": spent}
    return data | {"termination": "checkmate", "detail": "", "fault": None} | more


def test_pairs_in_any_order_are_counted_when_complete():
    results = Results(settings("a", "b"))
    played = [
        record(0, "a", "b", "1-0"),
        record(3, "b", "a", "1-0"),
        record(1, "b", "a", "0-1"),
        record(2, "a", "b", "0-1"),
        record(4, "a", "b", "1/2-1/2"),
        record(6, "a", "b", "1/2-1/2"),
        record(5, "b", "a", "0-1"),
    ]
    assert [results.add(game) for game in played] == [True] * 7
    assert results.add(played[0]) is False, "a game added twice counts once"
    score = results.scores["a", "b"]
    assert (score.wins, score.losses, score.draws, score.counts) == (3, 2, 2, [1, 0, 0, 1, 1])
    data = results.to_json("running")
    assert data["games"] == 7 and data["results"][0]["pairs"] == 3, "the pair of game 6 is incomplete"
    assert data["engines"]["a"] == {"moves": 14, "nodes": 210, "seconds": 3.5, "nps": 60, "mean_depth": 4.5}


def test_game_without_result_excludes_its_pair():
    results = Results(settings("a", "b"))
    results.add(record(0, "a", "b", "*", termination="disagreement", lines={"a": [], "b": []}))
    results.add(record(1, "b", "a", "0-1"))
    assert results.scores["a", "b"].counts == [0] * 5 and results.scores["a", "b"].wins == 1
    assert results.games_done == {0, 1} and [fault["game"] for fault in results.faults] == [1]  # people count from 1


def three_engines(tournament="gauntlet"):
    """Returns the results of a won and a lost pair of a, and in a round robin a drawn pair of the others."""
    results = Results(settings("a", "b", "c", tournament=tournament))
    for game in (
        record(0, "a", "b", "1-0"),
        record(2, "a", "c", "0-1"),
        record(1, "b", "a", "0-1"),
        record(3, "c", "a", "1/2-1/2"),
    ):
        results.add(game)
    if tournament == "roundrobin":
        results.add(record(4, "b", "c", "1/2-1/2"))
        results.add(record(5, "c", "b", "1-0"))
    return results


def test_gauntlet_results_are_separate_for_each_opponent():
    results = three_engines()
    assert [score.counts for score in results.scores.values()] == [[0, 0, 0, 0, 1], [0, 1, 0, 0, 0]]
    assert "a against c: +0 -1 =1, Elo -190.8 +/- unknown" in results.report().splitlines()


def test_ranking_counts_the_pairs_of_both_sides():
    ranks = three_engines("roundrobin").ranking
    assert [(rank.name, rank.points, rank.games) for rank in ranks] == [("c", 3, 4), ("a", 2.5, 4), ("b", 0.5, 4)]
    assert [rank.pentanomial.counts for rank in ranks] == [(0, 0, 0, 2, 0), (0, 1, 0, 0, 1), (1, 1, 0, 0, 0)]
    data = three_engines("roundrobin").to_json("done")["ranking"][1]
    assert (data["engine"], data["score"]) == ("a", 0.625)
    assert data["elo"] == pytest.approx(88.74, abs=0.01), "400 * log10(0.625 / 0.375)"


def test_report_of_a_round_robin_is_a_ranking_and_a_cross_table():
    lines = three_engines("roundrobin").report().splitlines()
    assert lines[:9] == [
        "  engine     Elo     +/- games points  score  draws",
        "1 c      +190.85 unknown     4      3 75.0 % 50.0 %",
        "2 a       +88.74 unknown     4    2.5 62.5 % 25.0 %",
        "3 b      -338.04 unknown     4    0.5 12.5 % 25.0 %",
        "",
        "  points     1     2     3",
        "1 c          - 1.5/2 1.5/2",
        "2 a      0.5/2     -   2/2",
        "3 b      0.5/2   0/2     -",
    ]


def test_sprt_decision_stays_after_later_pairs():
    results = Results(settings("a", "b", sprt=Sprt(0, 100)))
    pair = 0
    while not results.is_decided:
        results.add(record(2 * pair, "a", "b", "1-0"))
        results.add(record(2 * pair + 1, "b", "a", "1/2-1/2"))
        pair += 1
    hypothesis, pairs, llr = results.scores["a", "b"].decision
    assert (hypothesis, pairs) == ("H1", pair) and llr >= Sprt(0, 100).bounds()[1]
    before = results.scores["a", "b"].sprt.llr(results.scores["a", "b"].pentanomial)
    for later in range(pair, pair + 3):  # pairs that finish after the decision
        results.add(record(2 * later, "a", "b", "0-1"))
        results.add(record(2 * later + 1, "b", "a", "1-0"))
    test = results.to_json("done")["results"][0]["sprt"]
    assert test["llr"] < before and (test["decision"], test["decided_after_pairs"]) == ("H1", pair)
    assert test["decided_with_llr"] == pytest.approx(llr)

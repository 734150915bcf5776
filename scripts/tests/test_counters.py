"""Tables of the counters of searches, from logs of the program."""

import json
import subprocess

import pytest

import search_log
from duiyi_log.counters import change_text, counter_table, value_text, values
from duiyi_log.page import page_data
from duiyi_log.reading import LogError, games_from_searches, read_file


@pytest.fixture
def counted_log(program, tmp_path):
    """Returns a function that writes a log of searches of the start position to these depths."""

    def write(name, *depths, counters="true"):
        path = tmp_path / f"{name}.jsonl"
        lines = [command for depth in depths for command in ("ucinewgame", f"go depth {depth}")]
        subprocess.run(
            [program, "--search-log", path, f"setoption name Search Counters value {counters}", *lines],
            check=True,
            capture_output=True,
        )
        return path

    return write


def cells(table):
    return {row[0]: row[1:] for row in table.rows}


def test_log_of_the_program_has_counters_only_with_the_option(counted_log):
    (search,), _ = read_file(str(counted_log("on", 8)))
    assert sum(search.counters["cutoffs"]) > 0 and search.counters["quiescence_nodes"] < search.nodes
    parts = sum(search.times_us.values())
    assert search.times_us["search"] > 0 and search.times_us["wait"] < 1000 * search.time_ms
    assert 1000 * search.time_ms <= parts + 1000 and parts <= 1000 * (search.time_ms + 1)
    (search,), _ = read_file(str(counted_log("off", 8, counters="false")))
    assert search.counters is None and counter_table([search]) is None


def test_several_searches_of_one_position_stand_side_by_side(counted_log):
    searches, _ = read_file(str(counted_log("three", 6, 7, 8)))
    table = counter_table(searches)
    assert table.header == ("counter", "search 1", "search 2", "search 3")
    assert [int(cell) for cell in cells(table)["nodes"]] == [search.nodes for search in searches]


def test_two_builds_have_the_change_of_each_counter(counted_log, capsys):
    paths = [str(counted_log(name, depth)) for name, depth in (("old", 7), ("new", 9))]
    assert search_log.main(paths) == 0
    printed = capsys.readouterr().out
    assert "counter" in printed and "change" in printed and "LMR re-searches" in printed
    searches = [search for path in paths for search in read_file(path)[0]]
    rows = cells(counter_table(searches))
    before, after = (search.nodes for search in searches)
    assert rows["nodes"] == (str(before), str(after), f"{100 * (after - before) / before:+.1f} %")
    data = page_data(["old", "new"], searches, games_from_searches(searches))
    assert data["counters"]["header"] == ("counter", "old", "new", "change")
    assert search_log.main([paths[0], "--search", "1"]) == 0
    assert "Counters of search 1 of old" in capsys.readouterr().out


def test_values_are_shares_and_rates():
    sums = dict.fromkeys(
        [
            "tt_cutoffs_exact",
            "tt_cutoffs_lower",
            "tt_cutoffs_upper",
            "futility_skips",
            "late_move_skips",
            "history_skips",
            "see_skips",
            "check_extensions",
            "singular_extensions",
            "double_extensions",
            "negative_extensions",
            "multi_cuts",
            "aspiration_fail_lows",
            "aspiration_fail_highs",
        ],
        0,
    )
    lists = {"lmr_searches": [0, 0, 8, 8] + [0] * 28, "lmr_researches": [0, 0, 1, 3] + [0] * 28}
    sums |= lists | {"nodes": 10_000, "searches": 1, "quiescence_nodes": 6000, "cutoffs": [70, 20, 10, 0]}
    sums |= {"tt_probes": 400, "tt_hits": 100, "null_move_tries": 0, "null_move_cutoffs": 0}
    sums |= {"ms": {"start": 0.5, "search": 20.0, "helpers": 0.0, "wait": None}}
    sums |= {"multi_cuts": 8, "corrections": 4, "correction_sum": 10}
    rows = values(sums)
    assert rows["quiescence"] == (60, "%") and rows["cutoffs at the first move"] == (70, "%")
    assert rows["TT hits"] == (25, "%") and rows["multi-cuts"] == (2, "/1000")
    assert rows["LMR re-searches at depth 1 to 3"] == (25, "%")
    assert rows["LMR re-searches at depth 15 and more"] == (None, "%")
    assert rows["null moves that cut off"] == (None, "%") and rows["mean correction"] == (2.5, "cp")
    assert rows["time a search, before the search"] == (0.5, "ms") and value_text(0.5, "ms") == "0.5 ms"
    assert [change_text(40.0, 50.0, unit) for unit in ("%", "")] == ["+10.0", "+25.0 %"]
    assert change_text(0, 5, "") == change_text(None, 5, "") == "-"


@pytest.mark.parametrize(
    "change", [{"tt_hits": -1}, {"cutoffs": [1]}, {"cutoffs": [1, 2, 3, "x"]}, {"tt_probes": None}]
)
def test_wrong_counter_is_one_line_of_error(counted_log, change):
    path = counted_log("wrong", 4)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[-1]["counters"] |= change
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(LogError, match="expected a line of a search log"):
        read_file(str(path))

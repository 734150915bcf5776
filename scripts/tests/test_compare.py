"""Plots and tables of `duiyi compare`."""

import json
import re
import subprocess

import pytest

import compare_docs
import compare_plot
from conftest import ROOT
from duiyi_match.files import picture
from plot_file import save


def row(method, depth, nodes, order="-"):
    """A row of `duiyi compare --json`. A textbook method has an order of moves."""
    data = {"method": method, "order": order, "depth": depth, "nodes": nodes, "leaves": nodes, "minimum": None}
    return data | {"evaluations": nodes, "value": "+0.10", "move": "e2e4"}


TREE = [(1, 3), (2, 7)]
"""Depth and positions of minimax in a tree of two moves per position."""


@pytest.mark.parametrize("engine", ["engine", "full"])
def test_engine_row_by_old_or_new_name_adds_no_depth_column(engine, tmp_path):
    rows = [
        row("minimax", 1, 20, "natural"),
        row("minimax", 2, 400, "natural"),
        row(engine, 1, 21),
        row(engine, 9, 900),
    ]
    comparison = {"variant": "chess", "position": "startpos", "rows": rows}
    heading, _, minimax, own = compare_docs.nodes_table(comparison).split("\n")
    assert heading == "| positions to depth | 1 | 2 | reached | value | move |"
    assert minimax.startswith("| minimax, natural | 20 | 400 | 2 |") and own.startswith(f"| {engine} | 21 | – | 9 |")
    path = tmp_path / "compare.svg"
    save(compare_plot.draw(comparison), picture("--output", str(path)))
    assert path.read_text().startswith("<?xml")


def test_equal_methods_share_a_line_and_the_least_is_of_positions(tmp_path):
    rows = [row(method, depth, nodes, "natural") for method in ("minimax", "negamax") for depth, nodes in TREE]
    rows += [row("alphabeta-soft", 1, 3, "natural"), row("alphabeta-soft", 2, 6, "natural")]
    assert compare_plot.series_by_method(rows) == {
        "minimax, natural = negamax, natural": TREE,
        "alphabeta-soft, natural": [(1, 3), (2, 6)],
    }
    # b = 2: the root, both moves, and the 3 of 4 leaves that alpha-beta needs.
    for data in rows:
        data["leaves"] = {1: 2, 2: 4}[data["depth"]]
    assert compare_plot.least_nodes(rows) == [(1, 3), (2, 6)]
    comparison = {"variant": "chess", "position": "startpos", "rows": rows}
    path = tmp_path / "compare.svg"
    save(compare_plot.draw(comparison), picture("--output", str(path)))
    text = path.read_text()
    assert "minimax, natural = negamax, natural" in text and "least positions of alpha-beta" in text


def counts_of(page):
    """Returns the positions that minimax and memoised search visit in the tables of docs/compare.md, by title and depth."""
    counts = {}
    for section in page.split("\n### ")[1:]:
        title = section.split("\n")[0]
        rows = [
            re.search(rf"^\| {method}, natural \|(.*)", section, re.MULTILINE)[1] for method in ("minimax", "memoised")
        ]
        # After the positions come the depth reached, the value and the move.
        cells = [[cell.strip().replace(",", "") for cell in row.split("|")[:-4]] for row in rows]
        counts[title] = [{depth: int(cell) for depth, cell in enumerate(row, 1) if cell != "–"} for row in cells]
    return counts


def test_savings_of_memoised_search_are_those_of_tables():
    page = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    counts = counts_of(page)
    assert set(counts) == {title for title, _, _ in compare_docs.POSITIONS}
    assert compare_docs.savings(counts) in page, "make compare-docs writes the figures again"


@pytest.mark.parametrize(
    ("title", "depth"),
    [("Tic-tac-toe, from the start", 6), ("Triangle War, from the start", 3), ("Chess, from the start", 3)],
)
def test_positions_of_minimax_and_memoised_search_are_those_of_program(program, title, depth):
    (variant,) = (variant for name, variant, _ in compare_docs.POSITIONS if name == title)
    command = [program, "compare", "--variant", variant, "--depth", str(depth), "--json"]
    comparison = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    page = counts_of((ROOT / "docs" / "compare.md").read_text(encoding="utf-8"))[title]
    for found, documented in zip(compare_docs.memoised_counts(comparison), page):
        assert len(found) == depth and found.items() <= documented.items()

"""Plots and tables of `duiyi compare`."""

import pytest

import compare_docs
import compare_plot


def row(method, depth, nodes, order="-"):
    """A row of `duiyi compare --json`. A textbook method has an order of moves."""
    data = {"method": method, "order": order, "depth": depth, "nodes": nodes, "leaves": nodes, "minimum": None}
    return data | {"evaluations": nodes, "value": "+0.10", "move": "e2e4"}


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
    compare_plot.draw(comparison, str(path))
    assert path.read_text().startswith("<?xml")

#!/usr/bin/env python3
"""Runs `duiyi compare` on a list of positions and writes docs/compare.md from the template compare_docs.md."""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

import compare_plot

# Title, variant, position.
POSITIONS = [
    ("The textbooks' worked tree", "gametree", "worked"),
    ("Tic-tac-toe, from the start", "tictactoe", None),
    ("Tic-tac-toe on sixteen cells, from the start", "tictactoe4", None),
    ("Triangle War, from the start", "trianglewar", None),
    ("Chess, from the start", "chess", None),
    (
        "Chess, Kiwipete: many captures",
        "chess",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        "Chess, an open middlegame",
        "chess",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ),
    ("Chess, an endgame", "chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    (
        "Chess, a combination (Win at Chess 1)",
        "chess",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ),
]
PLOTTED = "Chess, from the start"
ORDERS = ["worst", "random", "natural", "heuristic", "best-first"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="./duiyi", help="the program")
    parser.add_argument("--nodes", type=int, default=6_000_000, help="positions for each method")
    parser.add_argument("--folder", type=Path, default=Path("docs"), help="where compare.md and compare.png go")
    return parser.parse_args()


def compare(options, variant, position):
    command = [options.program, "compare", "--variant", variant, "--nodes", str(options.nodes), "--json"]
    if position is not None:
        command += ["--position", position]
    try:
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    except subprocess.CalledProcessError as error:
        sys.exit(f"compare_docs.py: {' '.join(command)} failed: {error.stderr.strip()}")
    except (OSError, ValueError) as error:
        sys.exit(f"compare_docs.py: no comparison by {options.program}: {error}")


def commit():
    """The checked-out commit, which the figures belong to; "unknown" outside a git repository."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def table(headings, rows):
    """A Markdown table with text in the first column and numbers in the others."""
    lines = ["| " + " | ".join(map(str, headings)) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def by_method(comparison):
    """{(method, order): {depth: row}}, in the order of the rows."""
    methods = {}
    for row in comparison["rows"]:
        methods.setdefault((row["method"], row["order"]), {})[row["depth"]] = row
    return methods


def number(value):
    return "–" if value is None else f"{value:,.0f}"


def nodes_table(comparison):
    """Positions visited by method and depth, with the greatest depth reached."""
    methods = by_method(comparison)
    textbook = [depth for (method, _), rows in methods.items() if method != "engine" for depth in rows]
    depths = range(1, max(textbook) + 1)
    rows = []
    for (method, order), found in methods.items():
        name = method if order == "-" else f"{method}, {order}"
        cells = [number(found[depth]["nodes"]) if depth in found else "–" for depth in depths]
        last = found[max(found)]
        solved = " (all)" if last["evaluations"] == 0 else ""
        rows.append([name, *cells, f"{max(found)}{solved}", last["value"], last["move"]])
    return table(["positions to depth", *depths, "reached", "value", "move"], rows)


def orders_table(comparison):
    """Alpha-beta's leaves by move order, beside the theoretical minimum, from depth 2 on."""
    methods = by_method(comparison)
    minimax = methods[("minimax", "natural")]
    orders = [methods[("alphabeta-soft", order)] for order in ORDERS]
    rows = []
    for depth in range(2, max(max(found) for found in orders) + 1):
        best = orders[-1].get(depth)
        known = minimax.get(depth)
        b = breadth(minimax, depth)
        least = b ** math.ceil(depth / 2) + b ** (depth // 2) - 1
        rows.append(
            [
                depth,
                number(known and known["leaves"]),
                f"{b:.1f}" if known else f"({b:.1f})",
                number(least),
                *(number(found[depth]["leaves"] if depth in found else None) for found in orders),
                f"{best['leaves'] / least:.2f}" if best else "–",
                f"{best['leaves'] ** (1 / depth):.1f}" if best else "–",
                f"{math.sqrt(b):.1f}",
            ]
        )
    headings = ["depth", "minimax", "b", "least", *ORDERS, "best-first / least", "best-first^(1/d)", "√b"]
    return table(headings, rows)


def breadth(minimax, depth):
    """b such that minimax has b^d leaves, at `depth` or the greatest depth it reached."""
    depth = min(depth, max(minimax))
    return minimax[depth]["leaves"] ** (1 / depth)


def summary(results):
    """Depth that alpha-beta in the best order reaches with minimax's number of positions."""
    rows = []
    for title, comparison in results:
        methods = by_method(comparison)
        minimax, best = methods[("minimax", "natural")], methods[("alphabeta-soft", "best-first")]
        # Nothing is deeper than a game that was searched to its end.
        deepest = max(minimax)
        spent = minimax[deepest]["nodes"]
        reached = max(depth for depth, row in best.items() if row["nodes"] <= spent)
        b = breadth(minimax, deepest)
        rows.append(
            [
                title,
                f"{b:.1f}",
                f"{math.sqrt(b):.1f}",
                f"{best[reached]['leaves'] ** (1 / reached):.1f}",
                f"{deepest}: {number(spent)}",
                f"{reached}: {number(best[reached]['nodes'])}",
                number(best[deepest]["nodes"]) if deepest in best else "–",
            ]
        )
    headings = [
        "position",
        "b",
        "√b",
        "best-first",
        "minimax, depth: positions",
        "best-first, no more positions",
        "best-first, same depth",
    ]
    return table(headings, rows)


def main():
    options = arguments()
    results = []
    for title, variant, position in POSITIONS:
        print(title, file=sys.stderr)
        results.append((title, compare(options, variant, position)))
    sections = [
        f"### {title}\n\n`{found['variant']}`: `{found['position']}`\n\n{nodes_table(found)}\n\n"
        f"Alpha-beta's leaves by move order:\n\n{orders_table(found)}\n"
        for title, found in results
    ]
    template = (Path(__file__).parent / "compare_docs.md").read_text(encoding="utf-8")
    fields = {
        "COMMIT": commit(),
        "NODES": number(options.nodes),
        "SUMMARY": summary(results),
        "SECTIONS": "\n".join(sections),
    }
    for name, text in fields.items():
        template = template.replace("{{" + name + "}}", text)
    (options.folder / "compare.md").write_text(template, encoding="utf-8")
    compare_plot.draw(dict(results)[PLOTTED], str(options.folder / "compare.png"))


if __name__ == "__main__":
    main()

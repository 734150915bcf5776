#!/usr/bin/env python3
"""Writes docs/compare.md and docs/compare.png from `duiyi compare` on eleven positions.

The text comes from the template compare_docs.md; this script fills in the tables.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import compare_plot
from duiyi_match.errors import MatchError
from duiyi_match.files import check_files, document, picture
from plot_file import save
from program import output_of

# Title, variant, position.
POSITIONS = [
    ("The textbooks' worked tree", "gametree", "worked"),
    ("Tic-tac-toe, from the start", "tictactoe", None),
    ("Tic-tac-toe on sixteen cells, from the start", "tictactoe4", None),
    ("Connect Four, from the start", "cfour", None),
    ("Gomoku on 15x15 cells, from the start", "gomokufreestyle", None),
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


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="./duiyi", help="program to run (default ./duiyi)")
    parser.add_argument("--nodes", type=int, default=6_000_000, help="node limit for each method (default 6000000)")
    parser.add_argument(
        "--folder", type=Path, default=Path("docs"), help="folder for compare.md and compare.png (default docs)"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that Duiyi did not write")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"--folder: expected a folder, got {options.folder}")
    return options


def run_compare(options, variant, position):
    command = [options.program, "compare", "--variant", variant, "--nodes", str(options.nodes), "--json"]
    if position is not None:
        command += ["--position", position]
    try:
        return json.loads(output_of(command))
    except ValueError as error:
        sys.exit(
            f"compare_docs.py: expected JSON from {options.program} compare, got none ({error}); no file is written"
        )


def current_commit():
    """Returns the checked-out commit, to which the counts belong, or "unknown" outside a git repository."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def markdown_table(headings, rows):
    """Returns a Markdown table. The first column is aligned left, the others right."""
    lines = ["| " + " | ".join(map(str, headings)) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def rows_by_method(comparison):
    """Returns {(method, order): {depth: row}}, in the order of the rows."""
    methods = {}
    for row in comparison["rows"]:
        methods.setdefault((row["method"], row["order"]), {})[row["depth"]] = row
    return methods


def number_text(value):
    return "–" if value is None else f"{value:,.0f}"


def nodes_table(comparison):
    """Returns the table of nodes by method and depth, with the depth that each method reached."""
    methods = rows_by_method(comparison)
    textbook = [
        depth for (method, _), rows in methods.items() if method not in compare_plot.ENGINE_METHODS for depth in rows
    ]
    depths = range(1, max(textbook) + 1)
    rows = []
    for (method, order), rows_by_depth in methods.items():
        name = method if order == "-" else f"{method}, {order}"
        cells = [number_text(rows_by_depth[depth]["nodes"]) if depth in rows_by_depth else "–" for depth in depths]
        last = rows_by_depth[max(rows_by_depth)]
        solved = " (all)" if last["evaluations"] == 0 else ""
        rows.append([name, *cells, f"{max(rows_by_depth)}{solved}", last["value"], last["move"]])
    return markdown_table(["positions to depth", *depths, "reached", "value", "move"], rows)


def orders_table(comparison):
    """Returns the table of alpha-beta leaves by move order, with the minimum, from depth 2 on."""
    methods = rows_by_method(comparison)
    minimax = methods[("minimax", "natural")]
    orders = [methods[("alphabeta-soft", order)] for order in ORDERS]
    rows = []
    for depth in range(2, max(max(rows_by_depth) for rows_by_depth in orders) + 1):
        best = orders[-1].get(depth)
        known = minimax.get(depth)
        b = branching_factor(minimax, depth)
        least = b ** math.ceil(depth / 2) + b ** (depth // 2) - 1
        rows.append(
            [
                depth,
                number_text(known and known["leaves"]),
                f"{b:.1f}" if known else f"({b:.1f})",
                number_text(least),
                *(
                    number_text(rows_by_depth[depth]["leaves"] if depth in rows_by_depth else None)
                    for rows_by_depth in orders
                ),
                f"{best['leaves'] / least:.2f}" if best else "–",
                f"{best['leaves'] ** (1 / depth):.1f}" if best else "–",
                f"{math.sqrt(b):.1f}",
            ]
        )
    headings = ["depth", "minimax", "b", "least", *ORDERS, "best-first / least", "best-first^(1/d)", "√b"]
    return markdown_table(headings, rows)


def branching_factor(minimax, depth):
    """Returns b such that minimax has b^d leaves at depth d: `depth`, or the deepest depth that minimax reached."""
    depth = min(depth, max(minimax))
    return minimax[depth]["leaves"] ** (1 / depth)


def summary_table(results):
    """Returns the table of depths that minimax and best-first alpha-beta reach with equal numbers of nodes."""
    rows = []
    for title, comparison in results:
        methods = rows_by_method(comparison)
        minimax, best = methods[("minimax", "natural")], methods[("alphabeta-soft", "best-first")]
        deepest = max(minimax)
        spent = minimax[deepest]["nodes"]
        reached = max(depth for depth, row in best.items() if row["nodes"] <= spent)
        b = branching_factor(minimax, deepest)
        rows.append(
            [
                title,
                f"{b:.1f}",
                f"{math.sqrt(b):.1f}",
                f"{best[reached]['leaves'] ** (1 / reached):.1f}",
                f"{deepest}: {number_text(spent)}",
                f"{reached}: {number_text(best[reached]['nodes'])}",
                number_text(best[deepest]["nodes"]) if deepest in best else "–",
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
    return markdown_table(headings, rows)


def savings(counts):
    """Returns the lines about the positions that memoised search saves. `counts` has, by title, the positions that minimax
    and memoised search visit, each by depth."""

    def percent(title, depth):
        minimax, memoised = counts[title]
        return round(100 * (1 - memoised[depth] / minimax[depth]))

    at_four = [percent(title, 4) for title, variant, _ in POSITIONS if variant == "chess"]
    return "\n".join(
        [
            f"- Tic-tac-toe to the end: {percent('Tic-tac-toe, from the start', 9)} % fewer than minimax. "
            f"Triangle War to depth 5: {percent('Triangle War, from the start', 5)} % fewer.",
            f"- Chess to depth 4: {min(at_four)} to {max(at_four)} % fewer. To depth 5: {percent(PLOTTED, 5)} % fewer from the "
            f"start, {percent('Chess, an endgame', 5)} % in the endgame.",
        ]
    )


def memoised_counts(comparison):
    """Returns the positions that minimax and memoised search visit, each by depth."""
    methods = rows_by_method(comparison)
    return [
        {depth: row["nodes"] for depth, row in methods[(method, "natural")].items()}
        for method in ("minimax", "memoised")
    ]


def main():
    options = parse_arguments()
    path = Path(__file__).parent / "compare_docs.md"
    template = path.read_text(encoding="utf-8")
    try:
        page = document("--folder", options.folder / "compare.md", template, force=options.force)
        plot = picture("--folder", options.folder / "compare.png", force=options.force)
        check_files([("the template", path), ("the program", shutil.which(options.program))], [page, plot])
    except MatchError as error:
        sys.exit(f"compare_docs.py: {error}")
    results = []
    for title, variant, position in POSITIONS:
        print(title, file=sys.stderr)
        results.append((title, run_compare(options, variant, position)))
    sections = [
        f"### {title}\n\n`{comparison['variant']}`: `{comparison['position']}`\n\n{nodes_table(comparison)}\n\n"
        f"Alpha-beta's leaves by move order:\n\n{orders_table(comparison)}\n"
        for title, comparison in results
    ]
    fields = {
        "COMMIT": current_commit(),
        "NODES": number_text(options.nodes),
        "SUMMARY": summary_table(results),
        "SAVINGS": savings({title: memoised_counts(comparison) for title, comparison in results}),
        "SECTIONS": "\n".join(sections),
    }
    for name, text in fields.items():
        template = template.replace("{{" + name + "}}", text)
    try:
        page.write(template)
        save(compare_plot.draw(dict(results)[PLOTTED]), plot)
    except (MatchError, OSError) as error:
        sys.exit(f"compare_docs.py: {error}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes docs/tour.md and docs/tour.zh.md: the claims of the textbooks, each with its command and its figures.

The texts come from the templates tour.md and tour.zh.md beside this script; the program makes the figures.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

from duiyi_match.errors import MatchError
from duiyi_match.files import check_files, document
from program import output_of

TEMPLATES = Path(__file__).parent
NAMES = ("tour.md", "tour.zh.md")
ESTIMATES = "A(B=5(E=3 F=12) C=7(G=8 H=2))"
BOARD = "?\no...\n.ox.\n.xxx\nxooo\n$\n"
"""A board of POJ 1568 that x can win."""
LINES = "4\n6\n2 4\n4 5\n5 9\n3 6\n2 5\n3 5\n7\n2 4\n4 5\n5 9\n3 6\n2 5\n3 5\n7 8\n6\n1 2\n2 3\n1 3\n2 4\n2 5\n4 5\n"
LINES += "10\n1 2\n2 5\n3 6\n5 8\n4 7\n6 10\n2 4\n4 5\n4 8\n7 8\n"
"""The sample of POJ 1085."""
TIMELESS = ["--nodes", "10000000"]
"""A limit in nodes, so that the figures do not depend on the machine."""


def run(program, *arguments, text=None):
    return output_of([program, *arguments], text)


def trace(program, position, *arguments):
    command = ["trace", "--variant", "gametree", "--position", position, *arguments, "--json"]
    return json.loads(run(program, *command))


def compare(program, variant, depth):
    """Returns {(method, order, depth): row}."""
    command = ["compare", "--variant", variant, "--depth", str(depth), *TIMELESS, "--json"]
    rows = json.loads(run(program, *command))["rows"]
    return {(row["method"], row["order"], row["depth"]): row for row in rows}


def meaning_of(document, name):
    """The value of a node, with `<=` or `>=` if it is a bound."""
    (node,) = (node for node in document["tree"] if node["move"] == name)
    return {"exact": "", "at-most": "<= ", "at-least": ">= "}[node["meaning"]] + node["value"]


def figures(program):
    """Returns the figures by their names in the templates."""
    found = {}
    for method in ("minimax", "negamax", "maxmin-soft", "maxmin-hard"):
        document = trace(program, "worked", "--method", method)
        for key in ("value", "move", "nodes", "leaves", "cutoffs"):
            found[f"{method}-{key}"] = document[key]
        if method.startswith("maxmin"):
            found[f"{method}-c"] = meaning_of(document, "C")
    for position in ("worked", "seven", "bags"):
        document = trace(program, position)
        found[f"{position}-nodes"], found[f"{position}-all"] = document["nodes"], document["minimax_nodes"]
        found[f"{position}-saved"] = document["minimax_nodes"] - document["nodes"]
    for depth in (1, 2):
        document = trace(program, ESTIMATES, "--depth", str(depth))
        found |= {f"estimates-{depth}-{key}": document[key] for key in ("value", "move")}
    drops = compare(program, "cfour", 6)
    every = drops["minimax", "natural", 6]["leaves"]
    for order in ("worst", "random", "natural", "heuristic", "best-first"):
        row = drops["alphabeta-soft", order, 6]
        found[f"{order}-leaves"], found[f"{order}-b"] = row["leaves"], row["leaves"] ** (1 / 6)
    found |= {"every-leaf": every, "every-b": every ** (1 / 6), "root-b": every ** (1 / 12)}
    found["least-leaves"] = round(drops["minimax", "natural", 6]["minimum"])
    for order in ("natural", "heuristic"):
        deepening = [drops["alphabeta-soft", order, depth]["nodes"] for depth in range(1, 7)]
        found |= {f"{order}-last": deepening[-1], f"{order}-iterations": sum(deepening)}
        found[f"{order}-share"] = 100 * (sum(deepening) - deepening[-1]) / deepening[-1]
    crosses = compare(program, "tictactoe", 9)
    for name, method in (("all", "minimax"), ("cut", "alphabeta-soft"), ("memo", "memoised")):
        found[f"crosses-{name}"] = crosses[method, "natural", 9]["nodes"]
    found["crosses-stored"] = crosses["memoised", "natural", 9]["stored"]
    found["crosses-value"] = crosses["minimax", "natural", 9]["value"]
    found["poj1568"] = run(program, "solve", "poj1568", text=BOARD).strip()
    found["poj1085"] = run(program, "solve", "poj1085", text=LINES).strip()
    return found


def shown(value):
    if isinstance(value, float):
        return f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else value


def documents(program):
    """Returns {name: text} of the documents."""
    words = {f"<<{name}>>": shown(value) for name, value in figures(program).items()}
    texts = {}
    for name in NAMES:
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        texts[name] = text
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="./duiyi", help="program to run (default ./duiyi)")
    parser.add_argument("--folder", type=Path, default=Path("docs"), help="folder of the documents (default docs)")
    parser.add_argument("--force", action="store_true", help="replace a file that Duiyi did not write")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"--folder: expected a folder, got {options.folder}")
    templates = {name: TEMPLATES / name for name in NAMES}
    try:
        outputs = {
            name: document("--folder", options.folder / name, path.read_text(encoding="utf-8"), force=options.force)
            for name, path in templates.items()
        }
        inputs = [("a template", path) for path in templates.values()]
        check_files([*inputs, ("the program", shutil.which(options.program))], outputs.values())
        for name, text in documents(options.program).items():
            outputs[name].write(text)
    except (MatchError, OSError) as error:
        sys.exit(f"tour.py: {error}")


if __name__ == "__main__":
    main()

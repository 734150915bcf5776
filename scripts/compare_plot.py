#!/usr/bin/env python3
"""Plots the output of `duiyi compare --json`: nodes by depth on a logarithmic scale, one line per method."""

import argparse
import json
import math
import sys
from collections import defaultdict

import matplotlib

from duiyi_match.errors import MatchError
from duiyi_match.files import check_files, picture, read_file
from plot_file import save

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ENGINE_METHODS = ("engine", "full")
"""Names of the engine's own search in the input. Programs before the rename to `engine` write `full`."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", nargs="?", help="output of `duiyi compare --json` (default: standard input)")
    parser.add_argument(
        "-o", "--output", default="compare.png", help="image file to write, .png or .svg (default compare.png)"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that Duiyi did not write")
    return parser.parse_args()


def series_by_method(rows):
    """Returns {name: [(depth, nodes)]}, a series for each method and order. Equal series are one, with both names."""
    methods = defaultdict(list)
    for row in rows:
        name = row["method"] if row["order"] == "-" else f"{row['method']}, {row['order']}"
        methods[name].append((row["depth"], max(row["nodes"], 1)))
    names = defaultdict(list)
    for name, points in methods.items():
        names[tuple(points)].append(name)
    return {" = ".join(equal): list(points) for points, equal in names.items()}


def least_nodes(rows):
    """Returns [(depth, nodes)]: the least number of positions that alpha-beta visits in a uniform tree.

    At each level it is b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore 1975); b^d is the number of leaves of minimax.
    """
    points = []
    for row in rows:
        if row["method"] == "minimax":
            b = row["leaves"] ** (1 / row["depth"])
            levels = (b ** math.ceil(d / 2) + b ** (d // 2) - 1 for d in range(row["depth"] + 1))
            points.append((row["depth"], sum(levels)))
    return points


def draw(comparison):
    """Returns the figure of a comparison."""
    methods, least = series_by_method(comparison["rows"]), least_nodes(comparison["rows"])
    figure, axes = plt.subplots(figsize=(9, 6.5), layout="constrained")
    for place, ((name, points), marker) in enumerate(zip(methods.items(), "os^vD<>pP*X")):
        # Earlier lines are wider and their markers larger, so that a later line on top does not hide them.
        rank = len(methods) - place
        axes.plot(
            *zip(*points),
            marker=marker,
            markersize=4 + rank,
            markerfacecolor="none",
            linewidth=1 + rank / 2,
            alpha=0.7,
            label=name,
        )
    if least:
        axes.plot(*zip(*least), color="black", linestyle="--", label="least positions of alpha-beta")
    textbook = [depth for name, points in methods.items() if name not in ENGINE_METHODS for depth, _ in points]
    axes.set_xlim(0.8, max(textbook, default=1) + 2.2)
    axes.set_yscale("log")
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("positions (nodes) of the search to this depth")
    axes.set_title(f"{comparison['variant']}: {comparison['position']}", fontsize=9)
    axes.grid(True, which="major", alpha=0.3)
    # Below the axes, where it hides no line.
    figure.legend(fontsize=8, ncols=3, loc="outside lower center")
    return figure


def main():
    options = parse_arguments()
    try:
        output = picture("--output", options.output, force=options.force)
        check_files([("the input", options.json)], [output])
    except MatchError as error:
        sys.exit(f"compare_plot.py: {error}")
    try:
        comparison = json.loads(sys.stdin.read() if options.json is None else read_file(options.json))
        figure = draw(comparison)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(
            "compare_plot.py: expected the output of `duiyi compare --json`, "
            f"got invalid input ({type(error).__name__}: {error}); no image is written"
        )
    try:
        save(figure, output)
    except (MatchError, OSError, ValueError) as error:
        sys.exit(f"compare_plot.py: {options.output}: expected an image file to write ({error}); no image is written")


if __name__ == "__main__":
    main()

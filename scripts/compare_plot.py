#!/usr/bin/env python3
"""Draws what `duiyi compare --json` prints: nodes by depth, one line a method, logarithmic."""

import argparse
import json
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", nargs="?", help="the comparison; standard input if not given")
    parser.add_argument("-o", "--output", default="compare.png", help="the picture, .png or .svg")
    return parser.parse_args()


def series_by_method(rows):
    """Points (depth, nodes) by method and order, and (depth, leaves) of the theoretical minimum."""
    methods, minimum = defaultdict(list), {}
    for row in rows:
        name = row["method"] if row["order"] == "-" else f"{row['method']}, {row['order']}"
        methods[name].append((row["depth"], max(row["nodes"], 1)))
        if row["minimum"] is not None:
            minimum[row["depth"]] = row["minimum"]
    return methods, sorted(minimum.items())


def draw(comparison, path):
    methods, minimum = series_by_method(comparison["rows"])
    figure, axes = plt.subplots(figsize=(9, 6))
    for (name, points), marker in zip(methods.items(), "os^vD<>pP*X"):
        axes.plot(*zip(*points), marker=marker, markersize=5, label=name)
    if minimum:
        axes.plot(*zip(*minimum), color="black", linestyle="--", label="least leaves of alpha-beta")
    textbook = [depth for name, points in methods.items() if name != "full" for depth, _ in points]
    axes.set_xlim(0.8, max(textbook, default=1) + 2.2)
    axes.set_yscale("log")
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("positions visited by the search to this depth")
    axes.set_title(f"{comparison['variant']}: {comparison['position']}", fontsize=9)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    # Without the date the same figures give the same file.
    figure.savefig(path, dpi=110, metadata={"Date": None} if path.endswith(".svg") else None)


def main():
    options = parse_arguments()
    try:
        if options.json is None:
            comparison = json.load(sys.stdin)
        else:
            with open(options.json, encoding="utf-8") as file:
                comparison = json.load(file)
        draw(comparison, options.output)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"compare_plot.py: no comparison by `duiyi compare --json`: {error!r}")


if __name__ == "__main__":
    main()

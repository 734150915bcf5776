#!/usr/bin/env python3
"""Plots the losses that `duiyi train --curve FILE` writes: on the training games and on the games held out."""

import argparse
import json
import sys
from pathlib import Path

import matplotlib

from duiyi_match.errors import MatchError
from duiyi_match.files import check_files, picture, read_file
from plot_file import save

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curve", nargs="+", type=Path, help="files of `duiyi train --curve`, one run each")
    parser.add_argument(
        "-o", "--output", default="losses.png", help="image file to write, .png or .svg (default losses.png)"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that Duiyi did not write")
    return parser.parse_args()


def read_curve(path):
    """Returns the epochs of the last run in the file: a run begins with epoch 1."""
    epochs = [json.loads(line) for line in read_file(path).decode().splitlines()]
    if not epochs:
        raise ValueError("no epochs")
    for epoch in epochs:
        epoch["positions"], epoch["held_out"]["mix"], epoch["training"]
    first = max(index for index, epoch in enumerate(epochs) if epoch["epoch"] == 1 or index == 0)
    return epochs[first:]


def draw(curves, output):
    """Draws `curves`, a list of (name, epochs), to a file."""
    figure, axes = plt.subplots(figsize=(9, 6))
    for name, epochs in curves:
        seen = [sum(epoch["positions"] for epoch in epochs[: last + 1]) / 1e6 for last in range(len(epochs))]
        (line,) = axes.plot(seen, [epoch["held_out"]["mix"] for epoch in epochs], marker="o", label=f"{name}, held out")
        training = [epoch["training"] for epoch in epochs]
        axes.plot(seen, training, color=line.get_color(), linestyle="--", label=f"{name}, training")
    axes.set_xlabel("positions seen (millions)")
    axes.set_ylabel("mean squared error")
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    save(figure, output)


def main():
    options = parse_arguments()
    try:
        output = picture("--output", options.output, force=options.force)
        check_files([("a curve", path) for path in options.curve], [output])
    except MatchError as error:
        sys.exit(f"loss_plot.py: {error}")
    curves = []
    for path in options.curve:
        try:
            curves.append((path.stem, read_curve(path)))
        except (OSError, ValueError, KeyError, TypeError) as error:
            sys.exit(
                f"loss_plot.py: {path}: expected the file of `duiyi train --curve`, "
                f"got invalid input ({type(error).__name__}: {error}); no image is written"
            )
    try:
        draw(curves, output)
    except (MatchError, OSError, ValueError) as error:
        sys.exit(f"loss_plot.py: {options.output}: expected an image file to write ({error}); no image is written")


if __name__ == "__main__":
    main()

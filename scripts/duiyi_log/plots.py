"""Plots of games and searches, as PNG."""

import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

from plot_file import image

from .reading import group_by_engine
from .tables import cut_text, pv_tree

PAWNS_SHOWN = 10
"""Scores are clipped to this number of pawns. Arrows mark clipped scores."""


def png_bytes(figure):
    """Returns the figure as PNG."""
    figure.tight_layout()
    data = image(figure, ".png")
    plt.close(figure)
    return data


def plot_game(game):
    """Plots score (White's view), depth and time by move, one line per engine."""
    clipped = False
    figure, (scores, depths, times) = plt.subplots(3, sharex=True, figsize=(9, 8), height_ratios=(3, 2, 2))
    for (name, moves), marker in zip(group_by_engine(game.moves).items(), "os^v"):
        at = [m.ply / 2 + 1 for m in moves]
        shown = [None if m.score is None else max(-PAWNS_SHOWN, min(PAWNS_SHOWN, m.score / 100)) for m in moves]
        (line,) = scores.plot(
            at, [float("nan") if s is None else s for s in shown], marker=marker, markersize=3, label=name
        )
        for sign, arrow in ((1, "^"), (-1, "v")):
            beyond = [x for x, m in zip(at, moves) if m.score is not None and sign * m.score > 100 * PAWNS_SHOWN]
            limit = [sign * PAWNS_SHOWN] * len(beyond)
            scores.plot(beyond, limit, arrow, markersize=9, color=line.get_color(), gid=f"beyond{sign:+d}")
            clipped = clipped or bool(beyond)
        depths.plot(at, [m.depth for m in moves], marker=marker, markersize=3)
        times.bar(at, [m.seconds or 0 for m in moves], width=0.45)
    scores.axhline(0, color="black", linewidth=0.8)
    scores.set_ylabel(f"score for White\n(arrows: beyond {PAWNS_SHOWN})" if clipped else "score for White")
    depths.set_ylabel("depth")
    times.set_ylabel("time (s)")
    times.set_xlabel("move")
    times.xaxis.set_major_locator(MaxNLocator(integer=True))
    scores.set_title(game.name, fontsize=10)
    scores.legend(fontsize=8)
    for axes in (scores, depths, times):
        axes.grid(True, alpha=0.3)
        axes.set_axisbelow(True)
    return png_bytes(figure)


def plot_nodes_by_depth(searches):
    """Plots the median and the quartiles of nodes by depth on a logarithmic scale, one line per engine.

    Omits depths that fewer than half of an engine's searches reached: those searches are of easy positions.
    """
    figure, axes = plt.subplots(figsize=(9, 5))
    for (name, searches_of_engine), marker in zip(group_by_engine(searches).items(), "os^v"):
        nodes = {}
        for search in searches_of_engine:
            for iteration in search.iterations:
                nodes.setdefault(iteration.depth, []).append(max(iteration.nodes, 1))
        depths = sorted(d for d in nodes if 2 * len(nodes[d]) >= len(searches_of_engine))
        quartiles = [
            statistics.quantiles(nodes[d], n=4, method="inclusive") if len(nodes[d]) > 1 else nodes[d] * 3
            for d in depths
        ]
        (line,) = axes.plot(
            depths,
            [q[1] for q in quartiles],
            marker=marker,
            markersize=4,
            label=f"{name} ({len(searches_of_engine)} searches)",
        )
        axes.fill_between(
            depths, [q[0] for q in quartiles], [q[2] for q in quartiles], color=line.get_color(), alpha=0.2
        )
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("nodes to this depth: median and quartiles")
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=8)
    return png_bytes(figure)


def plot_pv_tree(search):
    """Plots the tree of the iterations' PVs. The last PV is dark; moves in the PVs of more depths have thicker lines."""
    root = pv_tree(search)
    coordinates, rows = {}, 0

    def assign(node, ply):
        nonlocal rows
        for child in node.children.values():
            assign(child, ply + 1)
        if node.children:
            coordinates[node] = ply, sum(coordinates[child][1] for child in node.children.values()) / len(node.children)
        else:
            coordinates[node] = ply, -rows
            rows += 1

    assign(root, 0)
    last = search.iterations[-1].depth
    plies = max(ply for ply, _ in coordinates.values())
    figure, axes = plt.subplots(figsize=(1.6 * plies + 2, 0.45 * rows + 1.2))
    for node, (x, y) in coordinates.items():
        for child in node.children.values():
            target = coordinates[child]
            final = last in child.depths
            axes.plot(
                (x, target[0]),
                (y, target[1]),
                color="#1f4e79" if final else "#b0b0b0",
                linewidth=0.8 + 0.4 * len(child.depths),
                zorder=1,
            )
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            axes.text(
                *target,
                child.label(),
                fontsize=7,
                ha="center",
                va="center",
                bbox=box,
                color="black" if final else "#606060",
            )
    cut = f" ({cut_text(search)})" if cut_text(search) else ""
    axes.set_title(
        f"{search.engine}, search {search.number}: principal variations, depths in brackets{cut}\n{search.position}",
        fontsize=8,
    )
    axes.set_xlim(-0.2, plies + 0.7)
    axes.set_ylim(-rows + 0.4, 0.6)
    axes.axis("off")
    return png_bytes(figure)

"""Tables of searches and games, as text or HTML."""

import html
import statistics
from dataclasses import dataclass

import chess

from duiyi_match.boards import is_chess, new_board

from .reading import MATE_CP, group_by_engine


@dataclass
class Table:
    title: str
    header: tuple
    rows: list

    def text(self):
        """Formats the table as text: words aligned left, numbers right."""
        rows = [self.header, *self.rows]
        widths = [max(len(row[k]) for row in rows) for k in range(len(self.header))]
        left = [not any(row[k][:1].isdigit() or row[k][:1] in "+-" for row in self.rows) for k in range(len(widths))]
        lines = [
            "  ".join(
                cell.ljust(w) if to_left else cell.rjust(w) for cell, w, to_left in zip(row, widths, left)
            ).rstrip()
            for row in rows
        ]
        return "\n".join([self.title, *lines])

    def html(self):
        def html_row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "\n".join(html_row(cells, "td") for cells in self.rows)
        return f"<h2>{html.escape(self.title)}</h2>\n<table>\n{html_row(self.header, 'th')}\n{body}\n</table>"


def score_text(cp):
    if cp is None:
        return "-"
    if abs(cp) > MATE_CP - 100_000:
        return f"{'+' if cp > 0 else '-'}M{(MATE_CP - abs(cp)) // 100}"
    return f"{cp / 100:+.2f}"


def ratio_text(a, b, digits=2):
    return f"{a / b:.{digits}f}" if b else "-"


def engine_table(searches, games):
    """Compares the engines by the moves they played, and by their logs if there are any."""
    rows = []
    moves, logged = group_by_engine(m for game in games for m in game.moves), group_by_engine(searches)
    for name, played in moves.items():
        nodes = [m.nodes for m in played if m.nodes is not None]
        seconds = sum(m.seconds for m in played if m.nodes is not None)
        times = [m.seconds for m in played if m.seconds is not None]
        branching_factors = [m.nodes ** (1 / m.depth) for m in played if m.nodes and m.depth]
        searches_of_engine = logged.get(name, [])
        rows.append(
            (
                name,
                str(len(played)),
                f"{statistics.mean(m.depth for m in played):.1f}",
                f"{statistics.median(times):.3f}" if times else "-",
                f"{max(times):.3f}" if times else "-",
                str(sum(nodes)) if nodes else "-",
                ratio_text(sum(nodes), seconds, 0) if nodes else "-",
                f"{statistics.geometric_mean(branching_factors):.2f}" if branching_factors else "-",
                ratio_text(sum(s.best_move_changes for s in searches_of_engine), len(searches_of_engine))
                if searches_of_engine
                else "-",
            )
        )
    header = (
        "engine",
        "moves",
        "depth",
        "median s",
        "longest s",
        "nodes",
        "nps",
        "nodes^(1/depth)",
        "best-move changes",
    )
    return Table("Engines", header, rows)


def depth_table(searches):
    """Lists by depth and engine: medians, growth over the previous depth, and how often the best move is the final one."""
    rows = []
    groups = group_by_engine(searches)
    for depth in sorted({i.depth for s in searches for i in s.iterations}):
        for name, searches_of_engine in groups.items():
            reached = [(s, k) for s in searches_of_engine for k, i in enumerate(s.iterations) if i.depth == depth]
            if not reached:
                continue
            reached_iterations = [s.iterations[k] for s, k in reached]
            growth = [
                i.nodes / s.iterations[k - 1].nodes
                for (s, k), i in zip(reached, reached_iterations)
                if k and s.iterations[k - 1].nodes and i.nodes
            ]
            final = sum(
                i.pv[0] == (s.bestmove or s.iterations[-1].pv[0]) for (s, _), i in zip(reached, reached_iterations)
            )
            time_ms = sum(i.time_ms for i in reached_iterations)
            rows.append(
                (
                    str(depth),
                    name,
                    str(len(reached_iterations)),
                    f"{statistics.median(i.time_ms for i in reached_iterations):.0f}",
                    f"{statistics.median(i.nodes for i in reached_iterations):.0f}",
                    ratio_text(1000 * sum(i.nodes for i in reached_iterations), time_ms, 0),
                    f"{statistics.geometric_mean(growth):.2f}" if growth else "-",
                    f"{100 * final / len(reached_iterations):.0f} %",
                )
            )
    header = ("depth", "engine", "searches", "median ms", "median nodes", "nps", "growth", "final move")
    return Table("Depths", header, rows)


def move_table(game):
    """Lists the moves of a game. Scores are from White's view."""
    rows = [
        (
            m.number_text,
            m.engine,
            m.text,
            score_text(m.score),
            str(m.depth),
            "-" if m.seconds is None else f"{m.seconds:.3f}",
            "-" if m.nodes is None else str(m.nodes),
        )
        for m in game.moves
    ]
    return Table(game.name, ("move", "engine", "played", "score", "depth", "s", "nodes"), rows)


def iteration_table(search):
    """Lists the iterations of a search. Scores are from the side to move's view."""
    rows, previous = [], None
    for i in search.iterations:
        growth = ratio_text(i.nodes, previous.nodes) if previous else "-"
        nps = ratio_text(1000 * i.nodes, i.time_ms, 0)
        rows.append(
            (
                str(i.depth),
                str(i.seldepth),
                score_text(i.score),
                str(i.nodes),
                growth,
                str(i.time_ms),
                nps,
                " ".join(i.pv),
            )
        )
        previous = i
    title = f"Search {search.number} of {search.engine}: {search.position}, {search.bestmove or 'unfinished'}"
    return Table(title, ("depth", "seldepth", "score", "nodes", "growth", "ms", "nps", "pv"), rows)


class PvNode:
    """A move in the tree of a search's principal variations, with the depths of the PVs that contain it."""

    def __init__(self, move):
        self.move, self.depths, self.children = move, [], {}

    def label(self):
        """Formats the move and its depths; consecutive depths as `3-7`."""
        runs = []
        for depth in self.depths:
            if runs and depth == runs[-1][1] + 1:
                runs[-1][1] = depth
            else:
                runs.append([depth, depth])
        return f"{self.move} [{','.join(str(a) if a == b else f'{a}-{b}' for a, b in runs)}]"


TREE_PLIES = 8
"""Plies of each PV in the tree of PVs."""


def pv_tree(search):
    """Returns the tree of all iterations' PVs, cut after TREE_PLIES moves."""
    root = PvNode("")
    for iteration in search.iterations:
        node = root
        for move in san_moves(search, iteration.pv[:TREE_PLIES]):
            node = node.children.setdefault(move, PvNode(move))
            node.depths.append(iteration.depth)
    return root


def cut_text(search):
    """Returns what the tree of a search's PVs leaves out, or an empty text if it has all moves."""
    longest = max(len(iteration.pv) for iteration in search.iterations)
    return f"first {TREE_PLIES} of up to {longest} plies" if longest > TREE_PLIES else ""


def san_moves(search, moves):
    """Returns UCI moves from the position of a search as SAN, if python-chess knows the game and the moves; else as given."""
    if not is_chess(search.variant):
        return moves
    try:
        # Chess960 mode reads castling of both kinds.
        board = new_board(search.variant, None) if search.variant != "chess" else chess.Board(chess960=True)
        board.set_fen(search.position)
        return [board.san_and_push(board.parse_uci(move)) for move in moves]
    except ValueError:
        return moves


def pv_tree_text(node, indent=0):
    """Formats the tree as a list of indented lines."""
    lines = []
    for child in node.children.values():
        lines += [f"{'  ' * indent}{child.label()}", *pv_tree_text(child, indent + 1)]
    return lines

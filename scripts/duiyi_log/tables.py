"""Tables of searches and games."""

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


@dataclass
class DepthStatistics:
    """What an engine's searches have in common at a depth."""

    depth: int
    engine: str
    searches: int
    """Number of searches that reached the depth."""
    time_ms: float
    """Median time to the depth."""
    nodes: float
    """Median nodes to the depth."""
    nps: float | None
    growth: float | None
    """Geometric mean of nodes divided by the nodes of the iteration before."""
    changed: float | None
    """Share of searches whose best move is another than in the iteration before."""
    final: float
    """Share of searches whose best move is the move that they chose in the end."""


def depth_statistics(searches):
    """Returns the statistics of each depth and engine, by depth."""
    groups = group_by_engine(searches)
    depths = sorted({iteration.depth for search in searches for iteration in search.iterations})
    rows = (depth_row(depth, name, group) for depth in depths for name, group in groups.items())
    return [row for row in rows if row]


def depth_row(depth, engine, searches):
    """Returns the statistics of the searches that reached a depth, or None if none did."""
    places = [(s, k) for s in searches for k, iteration in enumerate(s.iterations) if iteration.depth == depth]
    if not places:
        return None
    reached = [search.iterations[k] for search, k in places]
    pairs = [(search.iterations[k - 1], search.iterations[k]) for search, k in places if k]
    growth = [after.nodes / before.nodes for before, after in pairs if before.nodes and after.nodes]
    changed = [before.pv[0] != after.pv[0] for before, after in pairs]
    final = [search.iterations[k].pv[0] == (search.bestmove or search.iterations[-1].pv[0]) for search, k in places]
    time_ms = sum(iteration.time_ms for iteration in reached)
    return DepthStatistics(
        depth,
        engine,
        len(reached),
        statistics.median(iteration.time_ms for iteration in reached),
        statistics.median(iteration.nodes for iteration in reached),
        1000 * sum(iteration.nodes for iteration in reached) / time_ms if time_ms else None,
        statistics.geometric_mean(growth) if growth else None,
        statistics.mean(changed) if changed else None,
        statistics.mean(final),
    )


def depth_table(searches):
    """Lists by depth and engine: medians, growth over the previous depth, and how often the best move changes or is final."""
    rows = [
        (
            str(row.depth),
            row.engine,
            str(row.searches),
            f"{row.time_ms:.0f}",
            f"{row.nodes:.0f}",
            "-" if row.nps is None else f"{row.nps:.0f}",
            "-" if row.growth is None else f"{row.growth:.2f}",
            "-" if row.changed is None else f"{100 * row.changed:.0f} %",
            f"{100 * row.final:.0f} %",
        )
        for row in depth_statistics(searches)
    ]
    header = ("depth", "engine", "searches", "median ms", "median nodes", "nps", "growth", "changed", "final move")
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
    for iteration, line in zip(search.iterations, san_lines(search, [i.pv[:TREE_PLIES] for i in search.iterations])):
        node = root
        for move in line:
            node = node.children.setdefault(move, PvNode(move))
            node.depths.append(iteration.depth)
    return root


def cut_text(search):
    """Returns what the tree of a search's PVs leaves out, or an empty text if it has all moves."""
    longest = max(len(iteration.pv) for iteration in search.iterations)
    return f"first {TREE_PLIES} of up to {longest} plies" if longest > TREE_PLIES else ""


def board_of(search):
    """Returns the board of a search's position, or None if python-chess does not know the game. Raises ValueError."""
    if not is_chess(search.variant):
        return None
    # Chess960 mode reads castling of both kinds.
    board = new_board(search.variant, None) if search.variant != "chess" else chess.Board(chess960=True)
    board.set_fen(search.position)
    return board


def san_lines(search, lines):
    """Returns lines of UCI moves from the position of a search as SAN, if python-chess knows the game and all moves; else as
    given. Moves that a line shares with the line before it are read once."""
    played, sans, found = [], [], []
    try:
        if (board := board_of(search)) is None:
            return lines
        for line in lines:
            shared = next((k for k, (a, b) in enumerate(zip(played, line)) if a != b), min(len(played), len(line)))
            for _ in played[shared:]:
                board.pop()
            del sans[shared:]
            sans += [board.san_and_push(board.parse_uci(move)) for move in line[shared:]]
            played = line
            found.append(tuple(sans))
    except ValueError:
        return lines
    return found


def coordinates(search, move):
    """Returns a move of a search in coordinates, whether it is given so or as SAN."""
    try:
        board = board_of(search)
        return board.uci(board.parse_san(move), chess960=search.variant != "chess") if board else move
    except ValueError:
        return move


def pv_tree_text(node, indent=0):
    """Formats the tree as a list of indented lines."""
    lines = []
    for child in node.children.values():
        lines += [f"{'  ' * indent}{child.label()}", *pv_tree_text(child, indent + 1)]
    return lines

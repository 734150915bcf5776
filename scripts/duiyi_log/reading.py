"""Reads search logs (the option `Search Log File`, see protocol.md) and PGN files with a comment at each move."""

import collections
import json
import os
import re
from dataclasses import dataclass, field

import chess
import chess.pgn

from duiyi_match.boards import SIDE_WORDS

MATE_CP = 100_000
"""A mate in n moves is this less 100 n, so that one number holds every score."""

COMMENT = re.compile(r"(?:([+-]?\d+\.\d+)|([+-])M(\d+)|-)/(\d+)\s+(\d+(?:\.\d+)?)s(?:,\s+n=(\d+))?")
"""Score, depth, seconds and nodes as match runners write them, e.g. `+0.31/12 0.103s, n=45120`, on one line or on two."""


class LogError(Exception):
    """One line: what was expected and what came."""


@dataclass
class Iteration:
    """A line of a search: one depth. `score` in cp of the side to move."""

    depth: int
    seldepth: int
    score: int
    nodes: int
    time_ms: int
    pv: tuple


@dataclass
class Search:
    """A search from `go` to `bestmove`; `iterations` has the last exact first line of each depth."""

    engine: str
    session: int
    number: int
    variant: str
    position: str
    iterations: list = field(default_factory=list)
    bestmove: str | None = None
    nodes: int = 0
    time_ms: int = 0

    @property
    def best_move_changes(self):
        """How often an iteration preferred another move than the one before."""
        first = [iteration.pv[0] for iteration in self.iterations]
        return sum(a != b for a, b in zip(first, first[1:]))

    @property
    def white_to_move(self):
        """Unknown positions count as White's."""
        return next((SIDE_WORDS[word] for word in self.position.split() if word in SIDE_WORDS), chess.WHITE)

    @property
    def ply(self):
        """Half-moves since the game's start, if the position is a FEN with its move number."""
        fields = self.position.split()
        if len(fields) == 6 and fields[1] in "wb" and fields[5].isdigit():
            return 2 * (int(fields[5]) - 1) + (fields[1] == "b")
        return None


@dataclass
class Move:
    """A move that an engine played. `score` in cp, White's view; None is unknown."""

    engine: str
    ply: int
    text: str
    score: int | None
    depth: int
    seconds: float
    nodes: int | None


@dataclass
class Game:
    name: str
    moves: list


def read_file(path):
    """(searches, games) of a file: one of the two is empty for a PGN, the games of a log are what its searches played."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            first = file.read(1)
            file.seek(0)
            if first == "{":
                searches = read_log(file, path)
                return searches, games_from_searches(searches)
            if first == "[":
                return [], read_pgn(file)
    except OSError as error:
        raise LogError(f"expected a search log or a PGN, got {path} ({error.strerror})") from None
    raise LogError(f"expected a search log or a PGN, got {path}, which begins with {first!r}")


def read_log(file, path):
    """The finished and unfinished searches of a log, in its order."""
    engine, searches = os.path.splitext(os.path.basename(path))[0], {}
    lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            data = json.loads(line)
            if "log" in data:
                continue
            key = data["session"], data["search"]
            if key not in searches:
                searches[key] = Search(engine, *key, data["variant"], data["position"])
            add_line(searches[key], data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # Cut off by a full disk, or still being written.
            if isinstance(error, json.JSONDecodeError) and line.startswith("{"):
                continue
            raise LogError(f"{path}:{number}: expected a line of a search log, got {line[:80]!r} ({error!r})") from None
    return [search for search in searches.values() if search.iterations]


def add_line(search, data):
    """Adds a line of the log to its search."""
    if "bestmove" in data:
        search.bestmove, search.nodes, search.time_ms = data["bestmove"], data["nodes"], data["time_ms"]
    elif data.get("multipv") == 1 and data["bound"] == "exact" and data["pv"]:
        score = data["score"]
        cp = score["cp"] if "cp" in score else mate_cp(score["mate"])
        iteration = Iteration(data["depth"], data["seldepth"], cp, data["nodes"], data["time_ms"], tuple(data["pv"]))
        if search.iterations and search.iterations[-1].depth == iteration.depth:
            search.iterations.pop()
        search.iterations.append(iteration)
        if search.bestmove is None:
            search.nodes, search.time_ms = iteration.nodes, iteration.time_ms


def mate_cp(moves):
    return MATE_CP - 100 * moves if moves > 0 else -MATE_CP - 100 * moves


def games_from_searches(searches):
    """The moves of a log's searches; a game ends where the next position is not further on, or of another variant."""
    games, last = [], None
    for search in searches:
        ply = search.ply
        if last is None or (search.session, search.variant) != last[:2] or (ply is not None and ply <= last[2]):
            games.append(Game(f"{search.engine}, game {len(games) + 1}", []))
            last = None
        if ply is None:
            ply = last[2] + 1 if last else 0
        last = search.session, search.variant, ply
        best = search.iterations[-1]
        score = best.score if search.white_to_move else -best.score
        move = search.bestmove or best.pv[0]
        games[-1].moves.append(Move(search.engine, ply, move, score, best.depth, search.time_ms / 1000, search.nodes))
    return games


def merge_logs(logs):
    """The games of all logs. Those of two engines that played each other are joined: the moves of one fit between the other's."""
    games = [game for log in logs for game in log]
    if len(logs) != 2 or len(logs[0]) != len(logs[1]):
        return games
    joined = []
    for number, (first, second) in enumerate(zip(*logs), 1):
        moves = sorted(first.moves + second.moves, key=lambda move: move.ply)
        if any(a.engine == b.engine or a.ply + 1 != b.ply for a, b in zip(moves, moves[1:])):
            return games
        joined.append(Game(f"{moves[0].engine} - {moves[1].engine}, game {number}", moves))
    return joined


def read_pgn(file):
    """Games whose moves have comments with score, depth and time; other moves, as those of a book, are left out."""
    games = []
    while game := chess.pgn.read_game(file):
        tags = game.headers
        name = f"{tags.get('White')} - {tags.get('Black')} {tags.get('Result')}, round {tags.get('Round')}"
        games.append(Game(name, []))
        for node in game.mainline():
            if match := COMMENT.match(node.comment):
                white = node.turn() == chess.BLACK
                engine = tags.get("White" if white else "Black")
                games[-1].moves.append(move_from_comment(match, engine, node, white))
    return games


def move_from_comment(match, engine, node, white):
    pawns, sign, mate, depth, seconds, nodes = match.groups()
    score = None
    if pawns:
        score = round(100 * float(pawns))
    elif mate:
        score = mate_cp(int(mate)) * (1 if sign == "+" else -1)
    if score is not None and not white:
        score = -score
    return Move(engine, node.ply() - 1, node.san(), score, int(depth), float(seconds), int(nodes) if nodes else None)


def group_by_engine(items):
    """Searches or moves of each engine, engines in the order of their first."""
    groups = collections.defaultdict(list)
    for item in items:
        groups[item.engine].append(item)
    return dict(groups)

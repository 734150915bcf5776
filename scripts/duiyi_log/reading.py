"""Reads search logs (option `Search Log File`, see protocol.md) and PGN files with engine comments."""

import collections
import json
import os
import re
from dataclasses import dataclass, field

import chess
import chess.pgn

from duiyi_match.boards import SIDE_WORDS, score_unit

MATE_CP = 10_000_000
"""A mate in n moves has the score MATE_CP - 100 n. All scores are hundredths of a unit: centipawns in chess."""

COMMENT = re.compile(r"(?:([+-]?\d+\.\d+)|([+-])M(\d+)|-)/(\d+)\s+(\d+(?:\.\d+)?)s(?:,\s+n=(\d+))?")
"""Score, depth, seconds and nodes in a PGN comment, e.g. `+0.31/12 0.103s, n=45120`. It may contain a line break."""


class LogError(Exception):
    """An error message of one line: what was expected and what was found."""


@dataclass
class Iteration:
    """A finished iteration. `score` is in hundredths of a unit from the side to move's view."""

    depth: int
    seldepth: int
    score: int
    nodes: int
    time_ms: int
    pv: tuple


@dataclass
class Search:
    """A search from `go` to `bestmove`. `iterations` has the last exact first PV of each depth."""

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
        """Number of iterations whose best move differs from that of the previous iteration."""
        first = [iteration.pv[0] for iteration in self.iterations]
        return sum(a != b for a, b in zip(first, first[1:]))

    @property
    def white_to_move(self):
        """Whether White is to move. True if the position does not name the side."""
        return next((SIDE_WORDS[word] for word in self.position.split() if word in SIDE_WORDS), chess.WHITE)

    @property
    def ply(self):
        """Plies since the start of the game if the position is a FEN with a move number, else None."""
        fields = self.position.split()
        if len(fields) == 6 and fields[1] in "wb" and fields[5].isdigit():
            return 2 * (int(fields[5]) - 1) + (fields[1] == "b")
        return None


@dataclass
class Move:
    """A move played by an engine. `score` is in hundredths of a unit from White's view, or None if unknown."""

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
    """Returns (searches, games) of a file. Raises LogError.

    A PGN file has no searches. The games of a log consist of the moves that its searches chose.
    """
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
    raise LogError(f"expected a search log or a PGN, got {path}, which starts with {first!r}")


def read_log(file, path):
    """Returns all searches of a log with at least one iteration, in file order. Raises LogError."""
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
            # An incomplete line: the disk was full, or the engine is still writing.
            if isinstance(error, json.JSONDecodeError) and line.startswith("{"):
                continue
            raise LogError(f"{path}:{number}: expected a line of a search log, got {line[:80]!r} ({error!r})") from None
    return [search for search in searches.values() if search.iterations]


def add_line(search, data):
    """Adds the data of a log line to its search."""
    if "bestmove" in data:
        search.bestmove, search.nodes, search.time_ms = data["bestmove"], data["nodes"], data["time_ms"]
    elif data.get("multipv") == 1 and data["bound"] == "exact" and data["pv"]:
        score = data["score"]
        cp = score["cp"] * 100 // score_unit(search.variant) if "cp" in score else mate_cp(score["mate"])
        iteration = Iteration(data["depth"], data["seldepth"], cp, data["nodes"], data["time_ms"], tuple(data["pv"]))
        if search.iterations and search.iterations[-1].depth == iteration.depth:
            search.iterations.pop()
        search.iterations.append(iteration)
        if search.bestmove is None:
            search.nodes, search.time_ms = iteration.nodes, iteration.time_ms


def mate_cp(moves):
    return MATE_CP - 100 * moves if moves > 0 else -MATE_CP - 100 * moves


def games_from_searches(searches):
    """Returns the games of a log. A new game starts if session or variant change or the ply does not increase."""
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
    """Returns the games of all logs. Merges the games of two logs if their plies alternate, as in a match of two engines."""
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
    """Returns the games of a PGN file, with the moves whose comment has score, depth and time. Book moves have none."""
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
    """Returns {engine: items} for searches or moves. Engines are in order of first appearance."""
    groups = collections.defaultdict(list)
    for item in items:
        groups[item.engine].append(item)
    return dict(groups)

"""Reads logs of the lines between UCI engines and their GUI: Stockfish's `Debug Log File`, what cutechess-cli prints with
`-debug`, and the log of python-chess. Their arrows point in different directions, so lines are told apart by their first word."""

import collections
import itertools
import re
from dataclasses import dataclass, field

from duiyi_match.boards import new_board

LINE = re.compile(
    r"[^<>]*(?:<\w+ \(pid=(?P<pid>\d+)\)>: )?(?:<<|>>|[<>](?P<name>[^<>]+)\((?P<number>\d+)\):)(?: (?P<text>.*))?"
)
"""For example `<< bestmove e2e4`, `452 >Stockfish(0): go depth 8` or `<UciProtocol (pid=7)>: << isready`."""

FIRST_LINES = 100
"""One of so many lines at the start of a log must be one that an engine sent or got."""

NUMBERS = {"depth": "depth", "seldepth": "seldepth", "multipv": "multipv", "nodes": "nodes", "time": "time_ms"}
"""The numbers of an `info` line that are read, with their names in a search log."""


@dataclass
class Search:
    """A search from `go` to `bestmove`, with the position at its `go`."""

    session: int
    number: int
    variant: str
    position: str
    nodes: int = 0
    time_ms: int = 0
    held: list | None = None
    """What was said while it ponders. It counts only after `ponderhit`: the position may never be reached."""


@dataclass
class Session:
    """The state of an engine, by its log."""

    number: int
    """The number of its game, counted over all engines of the log."""
    name: str | None = None
    """The name of the engine, in a log of several engines."""
    variant: str = "chess"
    position: str = ""
    """The FEN, or the text of the last command if the rules or a move are not known."""
    root: str = ""
    """The position before the moves of the last command, and below these moves."""
    moves: list = field(default_factory=list)
    board: object = None
    """The board after them, or None if it is not known."""
    searches: collections.deque = field(default_factory=collections.deque)
    """The search that runs, and those whose `go` waits for its end."""


class UciLog:
    """Follows a log line by line."""

    def __init__(self):
        self.sessions, self.numbers, self.searches = {}, itertools.count(1), 0

    def search_lines(self, line):
        """Returns the (engine, data) pairs that a line gives, mostly one or none. `data` is that of a line of a search log.

        `engine` is None in a log that does not name its engine. Raises ValueError or IndexError if the line is invalid.
        """
        match = LINE.fullmatch(line)
        words = (match["text"] or "").split() if match else []
        if not words:
            return []
        key = match["pid"] or match["number"]
        if key not in self.sessions or words[0] == "uci":
            self.sessions[key] = Session(next(self.numbers), match["name"])
            set_position(self.sessions[key], ["startpos"])
        session = self.sessions[key]
        if words[:2] == ["id", "name"] and match["pid"]:
            session.name = " ".join(words[2:])
        elif words[0] == "ucinewgame":
            session.number = next(self.numbers)
        elif words[0] == "setoption":
            set_option(session, words)
        elif words[0] == "position":
            set_position(session, words[1:])
        elif words[0] == "go":
            self.searches += 1
            search = Search(session.number, self.searches, session.variant, session.position)
            search.held = [] if "ponder" in words else None
            session.searches.append(search)
        elif words[0] == "ponderhit" and session.searches:
            held, session.searches[0].held = session.searches[0].held or [], None
            return held
        elif session.searches and words[0] in ("info", "bestmove", "nobestmove"):
            return said(session, words)
        return []


def said(session, words):
    """Returns what the line of a search gives; nothing while the engine ponders. Raises ValueError or IndexError."""
    search = session.searches[0]
    data = {
        "session": search.session,
        "search": search.number,
        "variant": search.variant,
        "position": search.position,
    }
    if words[0] == "info":
        data |= info(search, words[1:])
    else:
        session.searches.popleft()
        data |= best_move(search, words)
    if search.held is None:
        return [(session.name, data)]
    search.held.append((session.name, data))
    return []


def is_uci_log(lines):
    """Returns whether one of the first lines is one that an engine sent or got."""
    return any(LINE.fullmatch(line) for line in lines[:FIRST_LINES])


def set_option(session, words):
    """Notes the variant that the option chooses, if it chooses one."""
    name, _, value = " ".join(words[2:]).partition(" value ")
    variant = session.variant
    if name.lower() == "uci_variant":
        variant = value
    elif name.lower() == "uci_chess960" and variant in ("chess", "chess960"):
        variant = "chess960" if value == "true" else "chess"
    if variant != session.variant:
        session.variant, session.board = variant, None
        set_position(session, ["startpos"])


def set_position(session, words):
    """Sets the position of a command. After an unknown variant or an illegal move there is no board."""
    session.position = " ".join(words)
    root, _, moves = session.position.partition(" moves ")
    moves, known = moves.split(), len(session.moves)
    try:
        if session.board is None or root != session.root or moves[:known] != session.moves:
            start = None if root == "startpos" else root.removeprefix("fen ")
            session.board, known = new_board(session.variant, start), 0
        for move in moves[known:]:
            session.board.push_uci(move)
        session.position = session.board.fen()
    except ValueError:
        session.board = None
    session.root, session.moves = root, moves


def info(search, words):
    """Returns the data of an `info` line. Raises ValueError or IndexError."""
    data = {"multipv": 1, "bound": "exact", "pv": [], "depth": 0, "seldepth": 0}
    place = 0
    while place < len(words) and words[place] != "string":
        word = words[place]
        if word == "pv":
            data["pv"] = words[place + 1 :]
            break
        if word == "score":
            data["score"] = {words[place + 1]: int(words[place + 2])}
            place += 2
        elif word in ("lowerbound", "upperbound"):
            data["bound"] = word.removesuffix("bound")
        elif word in NUMBERS:
            data[NUMBERS[word]] = int(words[place + 1])
            place += 1
        place += 1
    search.nodes = data.setdefault("nodes", search.nodes)
    search.time_ms = data.setdefault("time_ms", search.time_ms)
    return data if "score" in data else data | {"pv": []}


def best_move(search, words):
    """Returns the data of a `bestmove` line, with the nodes and the time of the last `info` line."""
    move = words[1] if len(words) > 1 and words[1] not in ("(none)", "0000") else None
    return {"bestmove": move, "nodes": search.nodes, "time_ms": search.time_ms}

"""Reads the lines that UCI engines and their GUI exchanged, as a GUI or an engine logs them: Stockfish's `Debug Log File`,
what cutechess-cli prints with `-debug`, and the log of python-chess. Arrows mean opposite directions in them, so lines are told
apart by their first word."""

import re
from dataclasses import dataclass, field

from duiyi_match.boards import new_board

LINE = re.compile(
    r"[^<>]*(?:<\w+ \(pid=(?P<pid>\d+)\)>: )?(?:<<|>>|[<>](?P<name>[^<>]+)\((?P<number>\d+)\):)(?: (?P<text>.*))?"
)
"""For example `<< bestmove e2e4`, `452 >Stockfish(0): go depth 8` or `<UciProtocol (pid=7)>: << isready`."""

FIRST_LINES = 100
"""In so many lines at the start of a log stands one that an engine sent or got."""

NUMBERS = {"depth": "depth", "seldepth": "seldepth", "multipv": "multipv", "nodes": "nodes", "time": "time_ms"}
"""The numbers of an `info` line that are read, with their names in a search log."""


@dataclass
class Session:
    """What an engine was told last."""

    number: int
    name: str | None = None
    """The name of the engine, in a log of several engines."""
    variant: str = "chess"
    position: str = "startpos"
    root: str = ""
    """The position before the moves of the last command, and below these moves."""
    moves: list = field(default_factory=list)
    board: object = None
    """The board after them, or None if it is not known."""
    search: int | None = None
    """The number of its search, from `go` to `bestmove`."""
    nodes: int = 0
    time_ms: int = 0


class UciLog:
    """Follows a log line by line."""

    def __init__(self):
        self.sessions, self.searches = {}, 0

    def search_line(self, line):
        """Returns (engine, data) if a line says something of a search, else None. `data` is that of a search log's line.

        `engine` is None in a log that does not name its engine. Raises ValueError or IndexError if the line is invalid.
        """
        match = LINE.fullmatch(line)
        words = (match["text"] or "").split() if match else []
        if not words:
            return None
        session = self.sessions.setdefault(match["pid"] or match["number"], Session(len(self.sessions) + 1))
        session.name = match["name"] or session.name
        if words[:2] == ["id", "name"] and match["pid"]:
            session.name = " ".join(words[2:])
        elif words[0] == "setoption":
            set_option(session, words)
        elif words[0] == "position":
            set_position(session, words[1:])
        elif words[0] == "go":
            self.searches += 1
            session.search, session.nodes, session.time_ms = self.searches, 0, 0
        elif session.search and words[0] in ("info", "bestmove", "nobestmove"):
            data = {"session": session.number, "search": session.search}
            data |= {"variant": session.variant, "position": session.position}
            return session.name, data | (info(session, words[1:]) if words[0] == "info" else best_move(session, words))
        return None


def is_uci_log(lines):
    """Returns whether one of the first lines is one that an engine sent or got."""
    return any(LINE.fullmatch(line) for line in lines[:FIRST_LINES])


def set_option(session, words):
    """Notes the variant that the option chooses, if it chooses one."""
    name, _, value = " ".join(words[2:]).partition(" value ")
    if name.lower() == "uci_variant":
        session.variant, session.board = value, None
    elif name.lower() == "uci_chess960" and session.variant in ("chess", "chess960"):
        session.variant, session.board = "chess960" if value == "true" else "chess", None


def set_position(session, words):
    """Sets the position of a command as its FEN. Without the rules, or after an illegal move, it is the command's own text."""
    root, _, moves = " ".join(words).partition(" moves ")
    moves, known = moves.split(), len(session.moves)
    try:
        if session.board is None or root != session.root or moves[:known] != session.moves:
            session.board, known = (
                new_board(session.variant, root.removeprefix("fen ") if root != "startpos" else None),
                0,
            )
        for move in moves[known:]:
            session.board.push_uci(move)
        session.root, session.moves, session.position = root, moves, session.board.fen()
    except ValueError:
        session.board, session.position = None, " ".join(words)


def info(session, words):
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
    session.nodes = data.setdefault("nodes", session.nodes)
    session.time_ms = data.setdefault("time_ms", session.time_ms)
    return data if "score" in data else data | {"pv": []}


def best_move(session, words):
    """Returns the data of a `bestmove` line, with the nodes and the time of the last `info` line."""
    move = words[1] if len(words) > 1 and words[1] not in ("(none)", "0000") else None
    session.search = None
    return {"bestmove": move, "nodes": session.nodes, "time_ms": session.time_ms}

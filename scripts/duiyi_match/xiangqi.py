"""Clients for xiangqi engines whose squares have ranks from 0: UCI-Cyclone and UCCI (<https://www.xqbase.com/protocol/cchess_ucci.htm>).

The moves of a game are those of UCI, with ranks from 1. Lines to and from the engine are translated, so that the UCI client does
the rest. The transcript has the engine's lines.
"""

import re

import chess

from .uci import UciClient


def ranks_from_zero(move):
    """Returns a move like h10g8 as h9g7."""
    return re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move)


def ranks_from_one(word):
    """Returns a move like h9g7 as h10g8, and another word with digits as a text that is no move."""
    if re.fullmatch(r"[a-i]\d[a-i]\d", word.lower()):
        return re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), word)
    return f"?{word}" if re.search(r"\d", word) else word


def position_line(board, since=0):
    """Returns the command `position` for `board`: the position after `since` moves, and the other moves."""
    moves = "".join(f" {ranks_from_zero(move)}" for move in board.move_stack[since:])
    return f"position fen {board.positions[since].text()}" + (" moves" + moves if moves else "")


class CycloneClient(UciClient):
    """A client for UCI-Cyclone: no option for the game, and ranks from 0."""

    def to_engine(self, line):
        """Returns the engine's lines for a line of UCI. An engine that speaks only UCI-Cyclone ignores the first of all."""
        return ("ucicyclone", "uci") if line == "uci" else (line,)

    def from_engine(self, line):
        """Returns the line of UCI for a line of the engine."""
        word, *rest = line.split() or [""]
        return " ".join([word, *map(ranks_from_one, rest)]) if word == "bestmove" else line

    def search(self, board, limit, ponder=False):
        self.send_line(position_line(board))
        self._go(limit, ponder=ponder)

    def send_line(self, line):
        for text in self.to_engine(line):
            super().send_line(text)

    def _line_received(self, line):
        self.line_received(line)
        if self.command:
            self.command._line_received(self.from_engine(line))


class UcciClient(CycloneClient):
    """A client for UCCI. What an engine says about a draw or its resignation is ignored."""

    unit = 1
    """The engine's units of time in a second."""

    async def initialize(self):
        await super().initialize()
        if "usemillisec" in self.options:
            self.unit = 1000
            self.send_line("setoption name usemillisec value true")

    def to_engine(self, line):
        if line == "ucinewgame":
            return ("setoption newgame" if "newgame" in self.options else "uccinewgame",)
        return ("ucci" if line == "uci" else re.sub(r"^setoption name (\S+)(?: value)?", r"setoption \1", line),)

    def from_engine(self, line):
        word, _, rest = line.strip().partition(" ")
        if word == "option":
            return f"option name {rest}"
        if word == "info":
            return re.sub(r" score (?=-?\d)", " score cp ", line)
        return {"ucciok": "uciok", "nobestmove": "bestmove (none)"}.get(word) or super().from_engine(line)

    def search(self, board, limit, ponder=False):
        clocks = (position.clock for position in board.positions)
        since = max((i for i, clock in enumerate(clocks) if clock == 0), default=0)  # after the last capture
        self.send_line(position_line(board, since))
        self.send_line(self.go_line(limit, board.turn, ponder))

    def go_line(self, limit, turn, ponder=False):
        """Returns the command `go`. UCCI has one limit."""
        go = "go ponder" if ponder else "go"
        if limit.depth or limit.nodes:
            return f"{go} depth {limit.depth}" if limit.depth else f"{go} nodes {limit.nodes}"
        if limit.time:
            return f"{go} time {self._time(limit.time)} movestogo 1"
        own, other = (limit.white_clock, limit.white_inc), (limit.black_clock, limit.black_inc)
        if turn == chess.BLACK:
            own, other = other, own
        time, opponent = f"time {self._time(own[0])}", f"opptime {self._time(other[0])}"
        if limit.remaining_moves:
            return f"{go} {time} movestogo {limit.remaining_moves} {opponent}"
        increment, opponents = (int(self.unit * clock[1]) for clock in (own, other))
        return f"{go} {time} increment {increment} {opponent} oppincrement {opponents}"

    def _time(self, seconds):
        return max(1, int(self.unit * seconds))

    def is_reply(self, line):
        return line.split(maxsplit=1)[:1] in (["bestmove"], ["nobestmove"])

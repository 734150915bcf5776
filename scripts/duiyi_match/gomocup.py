"""A client for engines of the Gomocup protocol: <https://plastovicka.github.io/protocl2en.htm>.

The protocol has no search by nodes or depth and no score. The engine knows its time for a move (`timeout_turn`), for the game
(`timeout_match`) and for the rest of the game (`time_left`).
"""

import asyncio
import re

import chess.engine

from .rules import move_to
from .transcript import Transcript

UNLIMITED = 2_147_483_647
"""The value of `time_left` in a game without a time limit, in milliseconds."""

TOURNAMENT = 2
"""The value of `game_type` in a tournament."""

REPLY = re.compile(r"\s*(-?\d+\s*,|error\b)", re.IGNORECASE)
"""A line that ends a search: coordinates, or an error."""


class GomocupClient(Transcript, chess.engine.Protocol):
    """A client for one game. `play` is that of python-chess's clients, as far as a match uses it."""

    quit_command = "END"

    def __init__(self):
        super().__init__()
        self.options, self.id = {}, {}
        self.stones = {}
        """The stones that the engine knows."""
        self.match_time = None
        """The value of `timeout_match`; None before the engine's first move."""

    def starts_search(self, line):
        return line.split(" ")[0] in ("BEGIN", "TURN", "DONE")

    def is_reply(self, line):
        return REPLY.match(line) is not None

    def send_info(self, values):
        for key, value in values.items():
            self.send_line(f"INFO {key} {value}")

    async def prepare(self, board, options):
        """Starts a game on an empty board of the size of `board`'s, and sends the options. Raises EngineError."""
        await self.communicate(lambda client: StartCommand(client, board.position.width))
        self.send_info({"game_type": TOURNAMENT, "rule": board.position.gomocup_rule, "max_memory": 0} | options)

    async def play(self, board, limit, **_):
        return await self.communicate(lambda client: MoveCommand(client, board, limit))

    async def quit(self):
        self.send_line(self.quit_command)
        await asyncio.shield(self.returncode)

    # No match uses these methods, but python-chess requires them.

    async def initialize(self):
        raise NotImplementedError

    ping = configure = analysis = send_opponent_information = send_game_result = initialize


class StartCommand(chess.engine.BaseCommand):
    """`START` with the size of the board."""

    def __init__(self, client, size):
        super().__init__(client)
        self.size = size

    def check_initialized(self):
        """The engine is initialised by this command."""

    def start(self):
        self._engine.send_line(f"START {self.size}")

    def line_received(self, line):
        word = line.strip().partition(" ")[0].upper()
        if word == "OK":
            self._engine.initialized = True
            self.result.set_result(None)
            self.set_finished()
        elif word in ("ERROR", "UNKNOWN"):
            raise chess.engine.EngineError(f"expected OK in reply to START {self.size}, got {line!r}")


class MoveCommand(chess.engine.BaseCommand):
    """Sends the time and the moves that the engine does not know yet, and waits for coordinates."""

    def __init__(self, client, board, limit):
        super().__init__(client)
        self.board, self.limit = board, limit

    def start(self):
        clock = self.limit.white_clock if self.board.turn == chess.WHITE else self.limit.black_clock
        clock, turn = (None if s is None else max(1, round(1000 * s)) for s in (clock, self.limit.time))
        client, stones = self._engine, self.board.position.stones
        if client.match_time is None:
            client.match_time = clock or 0
            client.send_info({"timeout_match": client.match_time})
        # Without a limit for each move, a move can take all the time that is left.
        client.send_info({"timeout_turn": turn or clock, "time_left": clock or UNLIMITED})
        new = [square for square in stones if square not in client.stones]
        if not stones:
            client.send_line("BEGIN")
        elif len(new) == 1 and stones[new[0]] != self.board.turn:
            client.send_line(f"TURN {coordinates(new[0])}")
        else:
            client.send_line("BOARD")
            for square in in_turns(stones, self.board.turn):
                client.send_line(f"{coordinates(square)},{1 if stones[square] == self.board.turn else 2}")
            client.send_line("DONE")

    def line_received(self, line):
        if not self._engine.is_reply(line):
            return  # MESSAGE, DEBUG, or UNKNOWN in reply to INFO
        try:
            move = self.board.parse_uci(move_text(line))
        except ValueError as error:
            raise chess.engine.EngineError(error) from None
        self._engine.stones = self.board.position.play(move).stones
        self.result.set_result(chess.engine.PlayResult(move, None, {}))
        self.set_finished()


def in_turns(stones, turn):
    """Returns the squares of `stones` in an order in which the sides take turns and `turn` is next, as far as possible.

    Some engines take the sides of `BOARD` from the order of its lines.
    """
    sides = {side: [square for square, owner in stones.items() if owner == side] for side in (turn, not turn)}
    squares, side = [], not turn
    while sides[True] or sides[False]:
        squares.append((sides[side] or sides[not side]).pop())
        side = not side
    return squares[::-1]


def coordinates(square):
    """Returns a square as in the protocol, `x,y` from 0."""
    return "{},{}".format(*square)


def move_text(line):
    """Returns the move of a line `x,y`. Raises ValueError."""
    found = re.fullmatch(r"\s*(\d{1,2})\s*,\s*(\d{1,2})\s*", line)
    if not found or int(found[1]) >= 26:
        raise ValueError("expected the coordinates of a square, from 0")
    return move_to((int(found[1]), int(found[2])))

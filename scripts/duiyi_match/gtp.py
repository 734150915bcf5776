"""A client for engines of GTP 2: <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>.

The protocol has no search by nodes or depth and no score. An engine with the command `lz-setoption` of Leela Zero has options,
and nodes as the option `visits`. Each command has a number; its answer has it too, and ends at an empty line.
"""

import asyncio
import re

import chess.engine

from .go import point_text
from .transcript import Transcript

ANSWER = re.compile(r"([=?])(\d*)\s*(.*)", re.DOTALL)

OPTION = "lz-setoption"


class GtpClient(Transcript, chess.engine.Protocol):
    """A client for one game after another. `play` is that of python-chess's clients, as far as a match uses it."""

    quit_command = "quit"

    def __init__(self):
        super().__init__()
        self.options, self.id, self.initialized = {}, {}, True
        self.number, self.search_number = 0, None
        """The numbers of the last command and of the last `genmove`."""
        self.commands = set()
        """The commands that the engine knows."""
        self.game, self.moves_sent = None, 0
        """The game that the engine knows, and how many of its moves."""

    def starts_search(self, line):
        return line.partition(" ")[2].startswith("genmove")

    def is_reply(self, line):
        """Returns whether a line begins the answer to `genmove`, or refuses another command: that ends the game, too."""
        return line.startswith("?") or bool(re.match(rf"={self.search_number}(?!\d)", line))

    async def prepare(self, board, options):
        """Sends the options, and the board of a game. Raises EngineError."""
        (commands,) = await self.exchange("list_commands")
        self.commands = set(commands.split())
        for name, value in options.items():
            if OPTION not in self.commands:
                raise chess.engine.EngineError(f"no command {OPTION}, which {name}={value} needs")
            await self.exchange(f"{OPTION} name {name} value {value}")
        if "kgs-rules" in self.commands:
            await self.exchange("kgs-rules chinese")
        await self.exchange(*board_lines(board.position))

    async def play(self, board, limit, *, game, **_):
        """Sends the moves that the engine does not know and searches. Returns a PlayResult, which may be a resignation."""
        side = side_letter(board.turn)
        if game != self.game:
            self.game, self.moves_sent = game, 0
            root = board.positions[0]
            stones = [f"play {side_letter(owner)} {point_text(point)}" for point, owner in root.stones.items()]
            await self.exchange(*board_lines(root), *stones, *time_settings(limit, board.turn))
        new = range(self.moves_sent, len(board.move_stack))
        moves = [f"play {side_letter(board.positions[n].turn)} {board.move_stack[n]}" for n in new]
        await self.exchange(*moves, *time_left(limit, board.turn))
        (answer,) = await self.exchange(f"genmove {side}")
        if answer.lower() == "resign":
            return chess.engine.PlayResult(None, None, {}, resigned=True)
        try:
            move = board.parse_uci(answer.lower())
        except ValueError as error:
            raise chess.engine.EngineError(error) from None
        self.moves_sent = len(board.move_stack) + 1
        return chess.engine.PlayResult(move, None, {})

    async def exchange(self, *lines):
        """Sends commands and returns their answers. Raises EngineError if one is refused."""
        return await self.communicate(lambda client: Exchange(client, lines)) if lines else []

    def send_numbered(self, line):
        self.number += 1
        if line.startswith("genmove"):
            self.search_number = self.number
        self.send_line(f"{self.number} {line}")

    async def quit(self):
        self.send_line("0 quit")
        await asyncio.shield(self.returncode)

    # No match uses these methods, but python-chess requires them.

    async def initialize(self):
        raise NotImplementedError

    ping = configure = analysis = send_opponent_information = send_game_result = initialize


class Exchange(chess.engine.BaseCommand):
    """Sends commands together and collects their answers."""

    def __init__(self, client, lines):
        super().__init__(client)
        self.lines, self.answers, self.text = lines, [], None
        """`text` has the lines of an answer that has begun."""

    def start(self):
        self.first_number = self._engine.number + 1
        for line in self.lines:
            self._engine.send_numbered(line)

    def line_received(self, line):
        line = line.rstrip()
        if self.text is None:
            # Lines outside answers are ignored, as those of some engines at their start.
            self.text = [line] if line.startswith(("=", "?")) else None
        elif line:
            self.text.append(line)
        else:
            text, self.text = "\n".join(self.text), None
            self._end_answer(text)

    def _end_answer(self, text):
        sign, number, answer = ANSWER.fullmatch(text).groups()
        index = len(self.answers)
        if number != str(self.first_number + index):
            raise chess.engine.EngineError(f"expected an answer to command {self.first_number + index}, got {text!r}")
        if sign == "?":
            raise chess.engine.EngineError(f"{self.lines[index]}: {answer}")
        self.answers.append(answer.strip())
        if len(self.answers) == len(self.lines):
            if not self.result.cancelled():
                self.result.set_result(self.answers)
            self.set_finished()


def side_letter(side):
    """Returns the side as the protocol names it. Black, who moves first, is python-chess's White."""
    return "b" if side == chess.WHITE else "w"


def board_lines(position):
    """Returns the commands for an empty board of the size and with the komi of `position`."""
    return f"boardsize {position.size}", "clear_board", f"komi {position.komi:g}"


def time_settings(limit, side):
    """Returns the commands for the time of a game: a time for each move, for a number of moves, or for the game."""
    if limit.time is not None:
        return [f"time_settings 0 {limit.time:g} 1"]
    clock = own_clock(limit, side)
    if clock is None:
        return []
    return [
        f"time_settings 0 {clock} {limit.remaining_moves}" if limit.remaining_moves else f"time_settings {clock} 0 0"
    ]


def time_left(limit, side):
    """Returns the command for the time that is left before a move."""
    if limit.time is not None:
        return [f"time_left {side_letter(side)} {limit.time:g} 1"]
    clock = own_clock(limit, side)
    return [] if clock is None else [f"time_left {side_letter(side)} {clock} {limit.remaining_moves or 0}"]


def own_clock(limit, side):
    """Returns the whole seconds on the clock of `side`, at least one, as engines read no fractions; None without a clock."""
    clock = limit.white_clock if side == chess.WHITE else limit.black_clock
    return None if clock is None else max(1, int(clock))

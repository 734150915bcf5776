"""A client for UCI engines: python-chess's, with searches of our own that ponder and read only the lines of output that count."""

import re

import chess
import chess.engine

from .transcript import Transcript

NO_MOVE = ("", "(none)", "null")
"""Words after `bestmove` or `ponder` that stand for no move, in lower case."""


SCORE = re.compile(r" score (cp|mate) (-?\d+)")
COUNTS = re.compile(r" (depth|nodes|multipv) (\d+)")


def parse_info(line, board):
    """Returns what a line `info` says of score, depth, nodes and multipv, as python-chess does."""
    if not line.startswith("info ") or " string " in line or not (score := SCORE.search(line)):
        arguments = line.strip().removeprefix("info")
        return chess.engine._parse_uci_info(arguments, board, chess.engine.INFO_BASIC | chess.engine.INFO_SCORE)
    info = {name: int(number) for name, number in COUNTS.findall(line.partition(" pv ")[0])}
    kind = chess.engine.Cp if score[1] == "cp" else chess.engine.Mate
    return info | {"score": chess.engine.PovScore(kind(int(score[2])), board.turn)}


class UciClient(Transcript, chess.engine.UciProtocol):
    """python-chess's UCI client, with a transcript and pondering."""

    quit_command = "quit"

    def __init__(self):
        super().__init__()
        self.pondered_moves = None
        """The moves of the game to the position that the engine ponders, or None."""
        self.pondering_infos = []
        """The lines with a score that the engine has sent while pondering."""
        self.is_ponder_hit = False
        """Whether the opponent has played the expected move and the engine does not know it yet."""
        self.held_line = ""
        """A line that is sent with the next one."""
        self.board_sent, self.moves_sent, self.position_line = None, 0, ""
        """The board of the latest search, its number of moves then, and the command `position` for it."""

    async def prepare(self, board, options):
        """Starts the protocol and sets the options. Raises EngineError.

        The game comes first, because the values of other options can depend on it: `EvalFile` reads a network for the
        current game.
        """
        await self.initialize()
        variant = getattr(board, "uci_variant", "chess")
        if variant != "chess" and "UCI_Variant" in self.options:
            self._setoption("UCI_Variant", variant)
        await self.configure(options)
        await self.ping()

    async def play(self, board, limit, *, game, ponder=False):
        """Searches a position and returns a PlayResult. With `ponder` the result may have the expected reply.

        If the engine ponders this position, the search goes on; another position is a new search.
        """
        return await self.communicate(lambda client: MoveCommand(client, board, limit, game, ponder))

    async def start_pondering(self, board, limit):
        """Starts to ponder a position and returns. `limit` has the clocks of the search after a ponder hit."""
        await self.communicate(lambda client: PonderCommand(client, board, limit))

    async def stop_pondering(self):
        """Stops the search if the engine ponders."""
        if self.pondered_moves is not None:
            await self.ping()

    def search(self, board, limit, ponder=False):
        """Sends a position and `go`."""
        if board is self.board_sent:
            moves = "".join(f" {move.uci()}" for move in board.move_stack[self.moves_sent :])
            self.position_line += " moves" + moves if moves and not self.moves_sent else moves
            self.send_line(self.position_line)
        else:
            self._position(board)  # sends the options of the variant too
            self.board_sent, self.position_line = board, self.held_line
        self.moves_sent = len(board.move_stack)
        self._go(limit, ponder=ponder)

    def write_line(self, line):
        """Holds a position until the next line, because each write may wake the engine."""
        if line.startswith("position "):
            self.held_line = line
        else:
            held, self.held_line = self.held_line, ""
            super().write_line(f"{held}\n{line}" if held else line)

    def starts_search(self, line):
        return line == "ponderhit" or (line.startswith("go") and not line.startswith("go ponder"))

    def is_reply(self, line):
        return not line.startswith("info ") and line.split(maxsplit=1)[:1] == ["bestmove"]


class MoveCommand(chess.engine.BaseCommand):
    """Searches a position, with `ponderhit` if the engine ponders it."""

    def __init__(self, client, board, limit, game, ponder):
        super().__init__(client)
        self.board, self.limit, self.game, self.ponder = board, limit, game, ponder
        self.sent_isready, self.infos = False, []
        client.is_ponder_hit = game == client.game and client.pondered_moves == board.move_stack

    def start(self):
        client = self._engine
        if client.is_ponder_hit:
            client.is_ponder_hit, self.infos = False, client.pondering_infos
            client.send_line("ponderhit")
            return
        if client.first_game or client.game != self.game:
            for name, value in (("UCI_AnalyseMode", False), ("Ponder", self.ponder)):
                if name in client.options and name not in client.target_config:
                    client._setoption(name, value)
            if "MultiPV" in client.options:
                client._setoption("MultiPV", client.options["MultiPV"].default)
            client.game = self.game
            client._ucinewgame()
            client._isready()
            self.sent_isready = True
        else:
            self._go()

    def _go(self):
        self.sent_isready = False
        self._engine.search(self.board, self.limit)

    def line_received(self, line):
        if line.startswith("info "):
            if " score " in line:
                self.infos.append(line)
            return
        word = line.split(maxsplit=1)[:1]
        if word == ["bestmove"]:
            self._finish(line.split()[1:])
        elif self.sent_isready and line.strip() == "readyok":
            self._go()

    def _finish(self, words):
        if not self.result.cancelled():
            move, reply = self._parse_moves(words)
            self.result.set_result(chess.engine.PlayResult(move, reply, self._last_info()))
        self.set_finished()

    def _parse_moves(self, words):
        """Returns (move, expected reply) of the words after `bestmove`. None stands for no move. Raises EngineError."""
        text = words[0].lower() if words else ""  # AnMon 5.75 has promotions in capitals
        if text in NO_MOVE:
            return None, None
        try:
            move = self.board.parse_uci(text)
        except ValueError as error:
            raise chess.engine.EngineError(error) from None
        if not move or not self.ponder or words[1:2] != ["ponder"] or words[2:3] == []:
            return move, None
        after = self.board.copy(stack=False)
        after.push(move)
        try:
            return move, after.parse_uci(words[2].lower()) or None
        except ValueError:  # no move, or an illegal one: the engine does not ponder
            return move, None

    def _last_info(self):
        """Returns the last information with a score of the main line."""
        for line in reversed(self.infos):
            info = parse_info(line, self.board)
            if "score" in info and info.get("multipv", 1) == 1:
                return info
        return {}

    def cancel(self):
        self._engine.send_line("stop")


class PonderCommand(chess.engine.BaseCommand):
    """Ponders a position. The next command ends it: by `stop`, or by `ponderhit` if it searches the same position."""

    def __init__(self, client, board, limit):
        super().__init__(client)
        self.board, self.limit = board, limit

    def start(self):
        client = self._engine
        client.search(self.board, self.limit, ponder=True)
        client.pondered_moves, client.pondering_infos = self.board.move_stack[:], []
        self.result.set_result(None)

    def line_received(self, line):
        word = line.split(maxsplit=1)[:1]
        if word == ["info"] and " score " in line:
            self._engine.pondering_infos.append(line)
        elif word == [
            "bestmove"
        ]:  # after `stop`; without it the engine is wrong, and this position will be a new search
            self._end()

    def cancel(self):
        if self._engine.is_ponder_hit:
            self._end()
        else:
            self._engine.send_line("stop")

    def _end(self):
        self._engine.pondered_moves = None
        self.set_finished()

    def engine_terminated(self, error):
        """The next command reports it."""
        self._end()

"""Running engines: python-chess's UCI client, with what a match needs to know besides the moves."""

import asyncio
import collections
import contextlib
import time

import chess.engine

from .errors import MatchError

START_SECONDS = 60
"""For `uciok` and `readyok`. Long, because a slow start is no fault in play."""

KEPT_LINES = 30
"""Lines of the talk with an engine that are kept for the record of a failure."""


class Failure(Exception):
    """A player's fault that ends the game. `kind` is how records call it."""

    kind = ""

    def __init__(self, player, text):
        super().__init__(text)
        self.player = player


class Crash(Failure):
    """The engine's process has ended."""

    kind = "crash"


class Stall(Failure):
    """The engine has not answered in time, nor for a good while after."""

    kind = "stall"


class Illegal(Failure):
    """The engine has answered with what is no legal move."""

    kind = "illegal move"


class Client(chess.engine.UciProtocol):
    """python-chess's client, which also keeps the last lines and when a search began, was heard of, and ended."""

    def __init__(self):
        super().__init__()
        self.lines = collections.deque(maxlen=KEPT_LINES)
        self.began = self.heard = self.ended = None
        self.answer = ""

    def send_line(self, line):
        self.lines.append(f"> {line}")
        if line.startswith("go"):
            self.began = self.heard = time.perf_counter()
        super().send_line(line)

    def line_received(self, line):
        self.heard = time.perf_counter()
        if line.split(maxsplit=1)[:1] == ["bestmove"]:
            self.ended, self.answer = self.heard, line
        self.lines.append(f"< {line}")

    def error_line_received(self, line):
        self.lines.append(f"! {line}")

    def pipe_data_received(self, fd, data):
        try:
            super().pipe_data_received(fd, data)
        except Exception as error:  # junk that the client cannot read: the search then stalls, and these lines say why
            self.lines.append(f"! not understood: {error!r}")


class Question(chess.engine.BaseCommand):
    """Asks for the position as text and the legal moves: `d` and `go perft 1`, after `board` or at the variant's start."""

    def __init__(self, client, board, variant):
        super().__init__(client)
        self.board, self.variant, self.fen, self.moves = board, variant, None, []

    def start(self):
        if self.board is None:
            self._engine._setoption("UCI_Variant", self.variant)
            self._engine.send_line("position startpos")
        else:
            self._engine._position(self.board)
        self._engine.send_line("d")
        self._engine.send_line("go perft 1")

    def line_received(self, line):
        key, colon, value = line.strip().rpartition(":")
        if not colon:
            return
        if key == "Nodes searched":
            if self.result.done():
                return
            self.result.set_result((self.fen, self.moves))
            self.set_finished()
        elif key == "Fen" and self.fen is None:
            self.fen = value.strip()
        elif value.strip() == "1" and len(key.split()) == 1:
            self.moves.append(key)


class Player:
    """An engine, started when it is needed and started again after it has failed."""

    def __init__(self, engine, stall):
        self.engine, self.stall = engine, stall
        self.client = None

    @property
    def lines(self):
        """The last lines of the talk: `>` to the engine, `<` from it, `!` from its standard error."""
        return list(self.client.lines) if self.client else []

    async def ready(self):
        """Starts the engine unless it runs. Raises MatchError."""
        if self.client is not None and not self.client.returncode.done():
            return
        name, command = self.engine.name, " ".join(self.engine.command)
        try:
            _, self.client = await Client.popen(list(self.engine.command), setpgrp=True, cwd=self.engine.directory)
        except OSError as error:
            raise MatchError(
                f"engine {name}: expected a program, got {command!r} ({error.strerror}); the match stops"
            ) from None
        try:
            async with asyncio.timeout(START_SECONDS):
                await self.client.initialize()
                await self.client.configure(self.engine.options)
                await self.client.ping()
        except (chess.engine.EngineError, TimeoutError) as error:
            said = " | ".join(self.lines[-3:])
            self.kill()
            reason = str(error) or f"no answer within {START_SECONDS} s"
            raise MatchError(
                f"engine {name} ({command}): expected a UCI engine, got: {reason} [{said}]; the match stops"
            ) from None

    async def think(self, board, limit, game, seconds):
        """The answer in a position: a `PlayResult`, and the seconds from `go` to `bestmove`.

        `seconds` is how long the engine may take, None without a limit. Raises a Failure, or MatchError.
        """
        client = self.client
        client.began, client.answer = None, "no bestmove"
        asked = client.heard = time.perf_counter()
        info = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
        task = asyncio.ensure_future(client.play(board, limit, game=game, info=info))
        while not task.done():
            if client.began is None:
                due = asked + START_SECONDS
            elif seconds is None:
                due = client.heard + self.stall
            else:
                due = client.began + seconds + self.stall
            wait = due - time.perf_counter()
            if wait <= 0:
                task.cancel()
                raise Stall(self, f"no move after {time.perf_counter() - (client.began or asked):.1f} s")
            await asyncio.wait({task}, timeout=min(wait, self.stall))  # what is due changes meanwhile
        played = await self._answered(task)
        if client.began is None:
            raise Illegal(self, f"{client.answer}, before it was asked")
        if not played.move:
            raise Illegal(self, client.answer)
        return played, client.ended - client.began

    async def ask(self, board, variant):
        """(position, sorted legal moves) as the engine says. Raises a Failure, or MatchError."""
        self.client.began = None
        fen, moves = await self._soon(self.client.communicate(lambda client: Question(client, board, variant)))
        return fen, sorted(moves)

    async def final_score(self, board):
        """What the engine says of a position without moves: a python-chess score, or None. Raises a Failure."""
        limit, game = chess.engine.Limit(depth=1), self.client.game
        said = await self._soon(self.client.play(board, limit, info=chess.engine.INFO_SCORE, game=game))
        return said.info.get("score")

    async def _soon(self, question):
        """The answer to what needs no thought."""
        task = asyncio.ensure_future(question)
        await asyncio.wait({task}, timeout=self.stall)
        if not task.done():
            task.cancel()
            raise Stall(self, f"asked for the rules, no answer after {self.stall:g} s")
        return await self._answered(task)

    async def _answered(self, task):
        """The result of a finished conversation, its errors as ours."""
        try:
            return await task
        except chess.engine.EngineTerminatedError:
            raise Crash(self, await self._end_of_process()) from None
        except chess.engine.EngineError as error:
            if self.client.began is None:
                raise MatchError(f"engine {self.engine.name}: {error}; the match stops") from None
            raise Illegal(self, f"{self.client.answer} ({error})") from None

    async def _end_of_process(self):
        code = await self.client.returncode
        return f"killed by signal {-code}" if code < 0 else f"exit code {code}"

    def kill(self):
        """Ends the process at once."""
        if self.client is not None:
            with contextlib.suppress(ProcessLookupError):
                self.client.transport.kill()
            self.client.transport.close()
            self.client = None

    async def quit(self):
        """Asks the engine to end, and ends it if it does not."""
        if self.client is not None and not self.client.returncode.done():
            with contextlib.suppress(TimeoutError, chess.engine.EngineError):
                await asyncio.wait_for(self.client.quit(), 2)
        self.kill()

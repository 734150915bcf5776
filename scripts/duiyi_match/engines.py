"""Engine processes: clients for engines of each protocol with timestamps, a transcript and typed failures."""

import asyncio
import contextlib
import logging
import time

import chess.engine

from .affinity import on_engine_cores
from .errors import MatchError
from .gomocup import GomocupClient
from .gtp import GtpClient
from .uci import UciClient
from .xiangqi import CycloneClient, UcciClient

STARTUP_TIMEOUT = 60
"""Time limit for `uciok` and `readyok`, or `OK`, in seconds. Long, because a slow start does not affect play."""


READ_BYTES = 16 << 10
"""The most bytes of output read at once. For its default of 256 KiB asyncio maps and unmaps memory with each line."""


class EngineFailure(Exception):
    """A failure of an engine that ends the game. `kind` is its name in the game record."""

    kind = ""

    def __init__(self, player, text):
        super().__init__(text)
        self.player = player


class EngineCrash(EngineFailure):
    """The engine's process has ended."""

    kind = "crash"


class EngineStall(EngineFailure):
    """The engine sent no reply before the stall timeout."""

    kind = "stall"


class IllegalMove(EngineFailure):
    """The engine replied with an illegal move, without a move, or without a `go`."""

    kind = "illegal move"


CLIENTS = {
    "uci": UciClient,
    "gomocup": GomocupClient,
    "ucci": UcciClient,
    "cyclone": CycloneClient,
    "gtp": GtpClient,
}
"""The client for each value of `protocol=`."""

PROTOCOL_NAMES = {"uci": "UCI", "gomocup": "Gomocup", "ucci": "UCCI", "cyclone": "UCI-Cyclone", "gtp": "GTP"}


class PositionQuery(chess.engine.BaseCommand):
    """Queries a position as text and its legal moves, by `d` and `go perft 1`.

    The position is that of `board`, or the start position of `variant` if `board` is None.
    """

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


def silence_libraries():
    """Turns off the messages of python-chess and asyncio about an engine: the game record has its last lines."""
    for name in ("chess.engine", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


async def start_once(engine, board=None):
    """Starts an engine, for a game on `board`, and quits it. Returns its options by name. Raises MatchError."""
    silence_libraries()
    player = Player(engine, stall_timeout=0)
    try:
        await player.ensure_started(board)
        return player.client.options
    finally:
        await player.quit()


class Player:
    """An engine process. It starts on first use and restarts after a failure."""

    def __init__(self, engine, stall_timeout):
        self.engine, self.stall_timeout = engine, stall_timeout
        self.client = None

    @property
    def last_lines(self):
        """The last lines exchanged: `>` to the engine, `<` from the engine, `!` from its standard error."""
        return list(self.client.lines) if self.client else []

    async def ensure_started(self, board=None):
        """Starts the engine for a game on `board` unless it is running. Raises MatchError.

        A Gomocup engine starts for each game: `RESTART` is optional in that protocol.
        """
        if self.client is not None and not self.client.returncode.done():
            if self.engine.protocol != "gomocup":
                return
            await self.quit()
        name, command = self.engine.name, " ".join(self.engine.command)
        try:
            with on_engine_cores():
                transport, self.client = await CLIENTS[self.engine.protocol].popen(
                    list(self.engine.command), setpgrp=True, cwd=self.engine.directory
                )
        except OSError as error:
            raise MatchError(
                f"engine {name}: expected a program, got {command!r} ({error.strerror}); the match stops"
            ) from None
        for stream in (1, 2):
            transport.get_pipe_transport(stream).max_size = READ_BYTES
        try:
            async with asyncio.timeout(STARTUP_TIMEOUT):
                await self.client.prepare(board, self.engine.options)
            if self.engine.ponder and "Ponder" not in self.client.options:
                raise chess.engine.EngineError("no option Ponder, which ponder=true needs")
        except (chess.engine.EngineError, TimeoutError) as error:
            last_output = " | ".join(self.last_lines[-3:])
            self.kill()
            reason = str(error) or f"no reply within {STARTUP_TIMEOUT} s"
            protocol = PROTOCOL_NAMES[self.engine.protocol]
            raise MatchError(
                f"engine {name} ({command}): expected a {protocol} engine, got: {reason} [{last_output}]; the match stops"
            ) from None

    async def request_move(self, board, limit, game, time_allowed):
        """Returns the engine's `PlayResult` for a position, a move or a resignation, and the seconds from `go` to `bestmove`.

        `time_allowed` is in seconds; None means no limit. Raises EngineFailure or MatchError.
        """
        client = self.client
        client.go_sent_at, client.bestmove_line = None, ""
        requested_at = client.last_line_at = time.perf_counter()
        loop = asyncio.get_running_loop()

        def check_deadline():
            """Ends the wait if the deadline is over. It moves with the engine's output."""
            nonlocal timer
            if client.go_sent_at is None:
                deadline = requested_at + STARTUP_TIMEOUT
            elif time_allowed is None:
                deadline = client.last_line_at + self.stall_timeout
            else:
                deadline = client.go_sent_at + time_allowed + self.stall_timeout
            wait = deadline - time.perf_counter()
            if wait <= 0:
                scope.reschedule(loop.time())
            else:
                timer = loop.call_later(min(wait, self.stall_timeout), check_deadline)

        timer = loop.call_later(self.stall_timeout, check_deadline)
        try:
            async with asyncio.timeout(None) as scope:
                reply = await self._result_or_failure(client.play(board, limit, game=game, ponder=self.engine.ponder))
        except TimeoutError:
            seconds = time.perf_counter() - (client.go_sent_at or requested_at)
            raise EngineStall(self, f"no move after {seconds:.1f} s") from None
        finally:
            timer.cancel()
        if client.go_sent_at is None:
            raise IllegalMove(self, f"{client.bestmove_line}, before `go`")
        if not reply.move and not reply.resigned:
            raise IllegalMove(self, client.bestmove_line)
        return reply, client.bestmove_at - client.go_sent_at

    async def start_pondering(self, board, limit):
        """Lets the engine ponder a position. `limit` has the clocks after a ponder hit. The next request reports a failure."""
        with contextlib.suppress(chess.engine.EngineError):
            await self.client.start_pondering(board, limit)

    async def stop_pondering(self):
        """Stops pondering at the end of a game. Kills the process if it does not stop within the stall timeout."""
        if self.engine.ponder and self.client is not None:
            try:
                await asyncio.wait_for(self.client.stop_pondering(), self.stall_timeout)
            except (TimeoutError, chess.engine.EngineError):
                self.kill()

    async def query_position(self, board, variant):
        """Returns (position, sorted legal moves) as the engine reports them. Raises EngineFailure or MatchError."""
        self.client.go_sent_at, self.client.bestmove_line = None, ""
        fen, moves = await self._await_reply(
            self.client.communicate(lambda client: PositionQuery(client, board, variant))
        )
        return fen, sorted(moves)

    async def final_score(self, board):
        """Returns the engine's score for a position without legal moves, or None. Raises EngineFailure."""
        limit, game = chess.engine.Limit(depth=1), self.client.game
        reply = await self._await_reply(self.client.play(board, limit, game=game))
        return reply.info.get("score")

    async def _await_reply(self, request):
        """Returns the reply to a request that needs no search. Raises EngineFailure or MatchError."""
        task = asyncio.ensure_future(request)
        await asyncio.wait({task}, timeout=self.stall_timeout)
        if not task.done():
            task.cancel()
            raise EngineStall(self, f"no reply to a query of the position after {self.stall_timeout:g} s")
        return await self._result_or_failure(task)

    async def _result_or_failure(self, task):
        """Returns the result of a task. Converts errors of python-chess to EngineFailure or MatchError."""
        try:
            return await task
        except chess.engine.EngineTerminatedError:
            raise EngineCrash(self, await self._exit_reason()) from None
        except chess.engine.EngineError as error:
            if self.client.go_sent_at is None and self.client.bestmove_line:
                raise IllegalMove(self, f"{self.client.bestmove_line}, before `go`") from None
            if self.client.go_sent_at is None:
                raise MatchError(f"engine {self.engine.name}: {error}; the match stops") from None
            raise IllegalMove(self, f"{self.client.bestmove_line or 'no bestmove'} ({error})") from None

    async def _exit_reason(self):
        code = await self.client.returncode
        return f"killed by signal {-code}" if code < 0 else f"exit code {code}"

    def kill(self):
        """Kills the process."""
        if self.client is not None:
            with contextlib.suppress(ProcessLookupError):
                self.client.transport.kill()
            self.client.transport.close()
            self.client = None

    async def quit(self):
        """Asks the process to exit, and kills it if it does not within 2 s."""
        if self.client is not None and not self.client.returncode.done():
            with contextlib.suppress(TimeoutError, chess.engine.EngineError):
                await asyncio.wait_for(self.client.quit(), 2)
        self.kill()

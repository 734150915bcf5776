"""Plays one game between two engines."""

import datetime
import hashlib
import time
from dataclasses import dataclass

import chess
import chess.engine

from . import sgf
from .adjudication import MATE_CP, Adjudicator
from .boards import has_rules, score_unit
from .clock import Clock
from .engines import EngineFailure
from .load import DelayMeter
from .openings import Opening
from .pgn import TERMINATION_TAGS, game_text, move_comment, time_control_tags
from .referee import RESULT_OF_WINNER, Disagreement, new_referee

RESTART_AFTER = ("illegal move", "crash", "stall", "disagreement")
"""Terminations after which both engines restart."""


@dataclass(frozen=True)
class Game:
    """A game to play: the numbers of the game and of its pair, from 0, the engines' indices in the settings, the opening, and
    the PGN tag Round."""

    number: int
    pair: int
    white: int
    black: int
    opening: Opening
    round: str = "-"


@dataclass
class GameEnd:
    """How a game ended. `fault` is the side that failed, broke a rule or overran its time, or None."""

    result: str
    termination: str
    detail: str = ""
    fault: chess.Color | None = None


class Totals:
    """Sums over the moves of one engine in one game. Their names are keys of the journal."""

    def __init__(self):
        self.moves = self.nodes = self.depth = 0
        self.seconds = 0.0

    def add(self, info, seconds):
        self.moves += 1
        self.nodes += info.get("nodes", 0)
        self.depth += info.get("depth", 0)
        self.seconds = round(self.seconds + seconds, 6)


def reason_text(termination, detail):
    """Returns how a game ended, in words."""
    return termination + (f", {detail}" if detail else "")


class GameRunner:
    """Runs a game and builds its record."""

    def __init__(self, settings, game, players):
        """`players` are (White, Black)."""
        self.settings, self.game = settings, game
        self.players = dict(zip((chess.WHITE, chess.BLACK), players))
        self.clocks = {
            side: Clock(player.engine.time_control) if player.engine.time_control else None
            for side, player in self.players.items()
        }
        self.adjudicator = Adjudicator(settings)
        self.moves = []
        self.totals = {side: Totals() for side in self.players}
        self.referee = new_referee(settings.variant, game.opening, players)
        self.score_unit = score_unit(settings.variant)
        self.first_move_number = getattr(self.board, "fullmove_number", 1)

    @property
    def board(self):
        return self.referee.board

    async def play(self):
        """Plays the game and returns its record for the journal. Raises MatchError."""
        for player in self.players.values():
            await player.ensure_started(self.board)
        started_at, started = time.perf_counter(), datetime.datetime.now().astimezone()
        for text in self.game.opening.moves:
            move = self.board.parse_uci(text)
            side = self.board.turn
            self.moves.append((side, self.referee.play(move), "book"))
        async with DelayMeter() as meter:
            end = await self._play_until_end()
        for player in self.players.values():
            await player.stop_pondering()
        lines = {}
        if end.fault is not None or end.result == "*":
            lines = {player.engine.name: player.last_lines for player in self.players.values()}
        if end.termination in RESTART_AFTER:
            for player in self.players.values():
                player.kill()
        record = self._build_record(end, lines, time.perf_counter() - started_at, started)
        return record | {"delay": round(meter.longest, 4)}

    async def _play_until_end(self):
        try:
            while True:
                end = await self._game_over() or await self._play_move()
                if end:
                    return end
        except Disagreement as error:
            return GameEnd("*", "disagreement", str(error))
        except EngineFailure as error:
            side = error.player is self.players[chess.WHITE]
            return GameEnd(RESULT_OF_WINNER[not side], error.kind, f"engine {self._engine_name(side)}: {error}", side)

    async def _game_over(self):
        """Returns a GameEnd if the game is over by the rules or by adjudication."""
        verdict = await self.referee.verdict() or self.adjudicator.verdict(self.board)
        return GameEnd(*verdict) if verdict else None

    async def _play_move(self):
        """Plays a move. Returns a GameEnd if the engine resigned or exceeded its time. Raises EngineFailure."""
        side = self.board.turn
        player, clock = self.players[side], self.clocks[side]
        limits = (clock and clock.remaining, player.engine.st)
        time_allowed = min((seconds for seconds in limits if seconds is not None), default=None)
        reply, seconds = await player.request_move(self.board, self._search_limit(side), self.game.number, time_allowed)
        if reply.resigned:
            return GameEnd(RESULT_OF_WINNER[not side], "resignation")
        self.totals[side].add(reply.info, seconds)
        comment = move_comment(reply.info, seconds, self.score_unit)
        self.moves.append((side, self.referee.play(reply.move), comment))
        overrun_ms = 0 if time_allowed is None else round(1000 * (seconds - time_allowed))
        if overrun_ms > player.engine.margin:
            return GameEnd(
                RESULT_OF_WINNER[not side], "time", f"engine {self._engine_name(side)}: {overrun_ms} ms over", side
            )
        if clock:
            clock.spend(seconds)
        score = reply.info.get("score")
        self.adjudicator.record_score(side, score and score.relative.score(mate_score=MATE_CP))
        if reply.ponder:
            await self._ponder(side, reply.ponder)
        return None

    async def _ponder(self, side, expected_move):
        """Lets the engine of `side` think on the opponent's time, with its clock as it will be after the expected move."""
        board = self.board.copy()
        board.push(expected_move)
        if any(board.legal_moves):
            await self.players[side].start_pondering(board, self._search_limit(side))

    def _search_limit(self, side):
        """Returns the limits for `go`. If only the side to move has a clock, the opponent's clock is shown as equal to it."""
        engine, limit = self.players[side].engine, chess.engine.Limit()
        limit.time, limit.nodes, limit.depth = engine.st, engine.nodes, engine.depth
        if self.clocks[side]:
            white, black = (self.clocks[s] or self.clocks[side] for s in (chess.WHITE, chess.BLACK))
            limit.white_clock, limit.black_clock = white.remaining, black.remaining
            limit.white_inc, limit.black_inc = white.control.increment, black.control.increment
            limit.remaining_moves = self.clocks[side].moves_to_go
        return limit

    def _engine_name(self, side):
        return self.players[side].engine.name

    def _digest(self, root):
        """Returns a checksum of the engines, the position `root` and the moves: equal games have equal checksums."""
        words = [self.settings.variant, self._engine_name(chess.WHITE), self._engine_name(chess.BLACK), root or ""]
        words += [text for _, text, _ in self.moves]
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]

    def _build_record(self, end, lines, seconds, started):
        game, opening = self.game, self.game.opening
        headers = {
            "Event": self.settings.event,
            "Site": "?",
            "Date": f"{started:%Y.%m.%d}",
            "Round": game.round,
            "White": self._engine_name(chess.WHITE),
            "Black": self._engine_name(chess.BLACK),
            "Result": end.result,
        }
        if self.settings.variant != "chess":
            headers["Variant"] = "Chess960" if self.settings.variant == "chess960" else self.settings.variant
        root = opening.fen or (self.board.fen() if self.board and not has_rules(self.settings.variant) else None)
        if root:
            headers |= {"SetUp": "1", "FEN": root}
        ended = started + datetime.timedelta(seconds=seconds)
        headers |= {
            "GameDuration": time.strftime("%H:%M:%S", time.gmtime(seconds)),
            "GameStartTime": started.isoformat(timespec="seconds"),
            "GameEndTime": ended.isoformat(timespec="seconds"),
            "PlyCount": len(self.moves),
            "Termination": TERMINATION_TAGS.get(end.termination, "normal"),
            **time_control_tags(*(self.players[side].engine for side in (chess.WHITE, chess.BLACK))),
        }
        moves = list(self.moves)
        reason = reason_text(end.termination, end.detail)
        if moves:
            side, text, comment = moves[-1]
            moves[-1] = side, text, f"{comment}; {reason}"
        record = {
            "game": game.number,
            "pair": game.pair,
            "white": headers["White"],
            "black": headers["Black"],
            "result": end.result,
            "termination": end.termination,
            "detail": end.detail,
            "fault": None if end.fault is None else self._engine_name(end.fault),
            "opening": opening.source,
            "plies": len(moves),
            "moves": self._digest(root),
            "seconds": round(seconds, 3),
            "spent": {self._engine_name(side): vars(totals) for side, totals in self.totals.items()},
            "pgn": game_text(headers, moves, self.first_move_number),
        }
        if self.settings.variant == sgf.VARIANT:
            record["sgf"] = sgf.game_text(headers, self.board.positions[0], moves, end)
        return record | ({"lines": lines} if lines else {})

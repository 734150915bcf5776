"""One game between two engines."""

import time
from dataclasses import dataclass

import chess
import chess.engine

from .adjudication import MATE_CP, Adjudicator
from .boards import is_chess, new_board
from .clock import Clock
from .engines import Failure
from .openings import Opening
from .pgn import KINDS, comment, pgn
from .referee import WON, ChessReferee, Disagreement, EnginesReferee

BREAKS = ("illegal move", "crash", "stall", "disagreement")
"""Ends after which both engines are started anew."""


@dataclass(frozen=True)
class Game:
    """A game to play: its number and its pair's, both from 0, and the engines' indices."""

    number: int
    pair: int
    white: int
    black: int
    opening: Opening


@dataclass
class End:
    """How a game ended. `fault` is the side that broke a rule or its clock, None if nobody did."""

    result: str
    termination: str
    detail: str = ""
    fault: chess.Color | None = None


class Tally:
    """What an engine spent on a game."""

    def __init__(self):
        self.moves = self.nodes = self.depth = 0
        self.seconds = 0.0

    def add(self, info, seconds):
        self.moves += 1
        self.nodes += info.get("nodes", 0)
        self.depth += info.get("depth", 0)
        self.seconds = round(self.seconds + seconds, 6)


class Table:
    """A game in play."""

    def __init__(self, settings, game, players):
        """`players` are White's and Black's."""
        self.settings, self.game = settings, game
        self.players = dict(zip((chess.WHITE, chess.BLACK), players))
        self.clocks = {
            side: Clock(player.engine.time_control) if player.engine.time_control else None
            for side, player in self.players.items()
        }
        self.adjudicator = Adjudicator(settings)
        self.moves = []
        self.tallies = {side: Tally() for side in self.players}
        if is_chess(settings.variant):
            self.referee = ChessReferee(new_board(settings.variant, game.opening.fen))
        else:
            self.referee = EnginesReferee(settings.variant, game.opening, players)
        self.first_move = getattr(self.board, "fullmove_number", 1)

    @property
    def board(self):
        return self.referee.board

    async def play(self):
        """The game's record, ready for the journal. Raises MatchError."""
        for player in self.players.values():
            await player.ready()
        began, date = time.perf_counter(), time.strftime("%Y.%m.%d")
        for text in self.game.opening.moves:
            move = self.board.parse_uci(text)
            self.moves.append((self.board.turn, self.referee.text(move), "book"))
            self.board.push(move)
        end = await self._to_the_end()
        lines = {}
        if end.fault is not None or end.result == "*":
            lines = {player.engine.name: player.lines for player in self.players.values()}
        if end.termination in BREAKS:
            for player in self.players.values():
                player.kill()
        return self._record(end, lines, time.perf_counter() - began, date)

    async def _to_the_end(self):
        try:
            while True:
                end = await self._ended() or await self._move()
                if end:
                    return end
        except Disagreement as error:
            return End("*", "disagreement", str(error))
        except Failure as error:
            side = error.player is self.players[chess.WHITE]
            return End(WON[not side], error.kind, f"{self._name(side)}: {error}", side)

    async def _ended(self):
        """An End if the game is over, by rule or by adjudication."""
        verdict = await self.referee.verdict() or self.adjudicator.verdict(self.board.fullmove_number)
        return End(*verdict) if verdict else None

    async def _move(self):
        """Plays a move. Returns an End if it came too late. Raises a Failure."""
        side = self.board.turn
        player, clock = self.players[side], self.clocks[side]
        allowed = clock.left if clock else player.engine.st
        played, seconds = await player.think(self.board, self._limit(side), self.game.number, allowed)
        self.tallies[side].add(played.info, seconds)
        self.moves.append((side, self.referee.text(played.move), comment(played.info, seconds)))
        over = 0 if allowed is None else round(1000 * (seconds - allowed))
        if over > player.engine.margin:
            return End(WON[not side], "time", f"{self._name(side)}: {over} ms over", side)
        if clock:
            clock.spend(seconds)
        score = played.info.get("score")
        self.adjudicator.note(side, score and score.relative.score(mate_score=MATE_CP))
        self.board.push(played.move)
        return None

    def _limit(self, side):
        """What the mover is told. Both clocks, if both engines play on one."""
        engine, limit = self.players[side].engine, chess.engine.Limit()
        limit.time, limit.nodes, limit.depth = engine.st, engine.nodes, engine.depth
        if self.clocks[side]:
            white, black = (self.clocks[s] or self.clocks[side] for s in (chess.WHITE, chess.BLACK))
            limit.white_clock, limit.black_clock = white.left, black.left
            limit.white_inc, limit.black_inc = white.control.increment, black.control.increment
            limit.remaining_moves = self.clocks[side].moves_to_go
        return limit

    def _name(self, side):
        return self.players[side].engine.name

    def _record(self, end, lines, seconds, date):
        game, opening = self.game, self.game.opening
        headers = {
            "Event": self.settings.event,
            "Site": "?",
            "Date": date,
            "Round": f"{game.pair + 1}.{game.number % 2 + 1}",
            "White": self._name(chess.WHITE),
            "Black": self._name(chess.BLACK),
            "Result": end.result,
            "Termination": KINDS.get(end.termination, "normal"),
        }
        if self.settings.variant != "chess":
            headers["Variant"] = "Chess960" if self.settings.variant == "chess960" else self.settings.variant
        root = opening.fen or (self.board.root_text if self.board and not is_chess(self.settings.variant) else None)
        if root:
            headers |= {"SetUp": "1", "FEN": root}
        moves = list(self.moves)
        reason = end.termination + (f": {end.detail}" if end.detail else "")
        if moves:
            side, text, said = moves[-1]
            moves[-1] = side, text, f"{said}; {reason}"
        record = {
            "game": game.number,
            "pair": game.pair,
            "white": headers["White"],
            "black": headers["Black"],
            "result": end.result,
            "termination": end.termination,
            "detail": end.detail,
            "fault": None if end.fault is None else self._name(end.fault),
            "opening": opening.source,
            "plies": len(moves),
            "seconds": round(seconds, 3),
            "spent": {self._name(side): vars(tally) for side, tally in self.tallies.items()},
            "pgn": pgn(headers, moves, self.first_move),
        }
        return record | ({"lines": lines} if lines else {})

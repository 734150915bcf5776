"""Whether a game has ended, and how. python-chess judges chess and its variants, the engines themselves every other game."""

import asyncio
import re

import chess
import chess.engine

from .adjudication import MATE_CP
from .boards import TextBoard, side_to_move

WON = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}

ENDS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "fifty moves",
    chess.Termination.FIVEFOLD_REPETITION: "repetition",
}


class Disagreement(Exception):
    """The engines do not say the same about the rules of a game that only they know."""


def uncounted(position):
    """A position without the counters of moves at its end, which engines keep differently where they mean nothing."""
    return re.sub(r"(\s+\d+)+$", "", position)


class ChessReferee:
    """Draws by repetition and by fifty moves are given without a claim."""

    def __init__(self, board):
        self.board = board

    async def verdict(self):
        """(result, how) or None."""
        outcome = self.board.outcome()
        if outcome is not None:
            return WON[outcome.winner], ENDS.get(outcome.termination, "variant end")
        if self.board.is_repetition(3):
            return WON[None], "repetition"
        if self.board.is_fifty_moves():
            return WON[None], "fifty moves"
        return None

    def text(self, move):
        """The move as a PGN writes it, before it is played."""
        return self.board.san(move)


class EnginesReferee:
    """Before every move both engines are asked for the position and the legal moves; what they say must be the same."""

    def __init__(self, variant, opening, players):
        self.variant, self.players = variant, players
        self.board = TextBoard.of(variant, opening.fen) if opening.fen else None

    async def verdict(self):
        """(result, how) or None. Raises Disagreement or a Failure."""
        (fen, moves), (other, other_moves) = await self._same(lambda player: player.ask(self.board, self.variant))
        if fen is None or other is None:
            raise Disagreement('an engine does not answer "d" with a line "Fen:"')
        if (uncounted(fen), moves) != (uncounted(other), other_moves):
            first, second = (f"{f} with {' '.join(m) or 'no move'}" for f, m in ((fen, moves), (other, other_moves)))
            raise Disagreement(f"{first}, but {second}")
        if self.board is None:
            self.board = TextBoard.of(self.variant, fen)
        self.board.legal, self.board.turn = moves, side_to_move(fen)
        if moves:
            return None
        first, second = await self._same(self._result)
        if first != second:
            raise Disagreement(f"{fen} is {first}, but {second}")
        return first, "game over"

    async def _same(self, question):
        return await asyncio.gather(*(question(player) for player in self.players))

    async def _result(self, player):
        """The result in a position without moves, where engines answer with a score and no move."""
        score = await player.final_score(self.board)
        if score is None:
            raise Disagreement(f"engine {player.engine.name} gives no score for the end of the game")
        if score.relative == chess.engine.Mate(0):  # the side to move has lost
            return WON[not self.board.turn]
        worth = score.white().score(mate_score=MATE_CP)
        return WON[None if worth == 0 else worth > 0]

    def text(self, move):
        return str(move)

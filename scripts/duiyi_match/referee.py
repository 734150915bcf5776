"""Detects the end of a game. python-chess knows the rules of chess and its variants; for other games both engines must agree."""

import asyncio
import re

import chess
import chess.engine

from .adjudication import MATE_CP
from .boards import TextBoard, side_to_move

RESULT_OF_WINNER = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}

TERMINATION_NAMES = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "fifty moves",
    chess.Termination.FIVEFOLD_REPETITION: "repetition",
}


class Disagreement(Exception):
    """The engines disagree about the rules of a game that python-chess does not know."""


def without_counters(position):
    """Removes the move counters at the end of a position. Engines may count differently in games without such a rule."""
    return re.sub(r"(\s+\d+)+$", "", position)


class ChessReferee:
    """The referee of chess and its variants. Draws by threefold repetition and fifty moves need no claim."""

    def __init__(self, board):
        self.board = board

    async def verdict(self):
        """Returns (result, termination), or None if the game goes on."""
        outcome = self.board.outcome()
        if outcome is not None:
            return RESULT_OF_WINNER[outcome.winner], TERMINATION_NAMES.get(outcome.termination, "variant end")
        if self.board.is_repetition(3):
            return RESULT_OF_WINNER[None], "repetition"
        if self.board.is_fifty_moves():
            return RESULT_OF_WINNER[None], "fifty moves"
        return None

    def move_text(self, move):
        """Returns the move in SAN. Call it before the move is played."""
        return self.board.san(move)


class ConsensusReferee:
    """The referee of all other games.

    Before every move it queries both engines for the position and the legal moves, which must agree.
    """

    def __init__(self, variant, opening, players):
        self.variant, self.players = variant, players
        self.board = TextBoard.for_variant(variant, opening.fen) if opening.fen else None

    async def verdict(self):
        """Returns (result, termination), or None if the game goes on. Raises Disagreement or EngineFailure."""
        (fen, moves), (other, other_moves) = await self._query_both(
            lambda player: player.query_position(self.board, self.variant)
        )
        if fen is None or other is None:
            raise Disagreement('expected a line "Fen:" in reply to "d" from both engines, got none from one')
        if (without_counters(fen), moves) != (without_counters(other), other_moves):
            first, second = (f"{f} with {' '.join(m) or 'no move'}" for f, m in ((fen, moves), (other, other_moves)))
            raise Disagreement(f"{first}, but {second}")
        if self.board is None:
            self.board = TextBoard.for_variant(self.variant, fen)
        self.board.legal_moves, self.board.turn = moves, side_to_move(fen)
        if moves:
            return None
        first, second = await self._query_both(self._final_result)
        if first != second:
            raise Disagreement(f"{fen} is {first}, but {second}")
        return first, "game over"

    async def _query_both(self, query):
        return await asyncio.gather(*(query(player) for player in self.players))

    async def _final_result(self, player):
        """Returns the result in a position without legal moves, from the score that the engine reports."""
        score = await player.final_score(self.board)
        if score is None:
            raise Disagreement(f"engine {player.engine.name} reports no score at the end of the game")
        if score.relative == chess.engine.Mate(0):  # the side to move has lost
            return RESULT_OF_WINNER[not self.board.turn]
        score_for_white = score.white().score(mate_score=MATE_CP)
        return RESULT_OF_WINNER[None if score_for_white == 0 else score_for_white > 0]

    def move_text(self, move):
        return str(move)

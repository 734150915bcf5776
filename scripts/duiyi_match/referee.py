"""Detects the end of a game: by the rules, if they are known here, else by the agreement of both engines."""

import asyncio
import re

import chess
import chess.engine

from .adjudication import MATE_CP
from .boards import RulesBoard, TextBoard, has_rules, new_board, side_to_move
from .rules import RESULT_OF_WINNER

TERMINATION_NAMES = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "fifty moves",
    chess.Termination.FIVEFOLD_REPETITION: "repetition",
}


class Disagreement(Exception):
    """The engines disagree about the rules of a game whose rules are not known here."""


def without_counters(position):
    """Removes the move counters at the end of a position. Engines may count differently in games without such a rule."""
    return re.sub(r"(\s+\d+)+$", "", position)


def new_referee(variant, opening, players):
    """Returns the referee of a game of `variant`, at the opening's position. Raises ValueError if it is not valid."""
    if has_rules(variant):
        return RulesReferee(new_board(variant, opening.fen))
    return ConsensusReferee(variant, opening, players)


def ending(board):
    """Returns (result, termination) or (result, termination, detail) by the rules; None if the game goes on.

    In chess, draws by threefold repetition and fifty moves need no claim.
    """
    if isinstance(board, RulesBoard):
        return board.position.ending
    outcome = board.outcome()
    if outcome is not None:
        return RESULT_OF_WINNER[outcome.winner], TERMINATION_NAMES.get(outcome.termination, "variant end")
    if board.is_repetition(3):
        return RESULT_OF_WINNER[None], "repetition"
    if board.is_fifty_moves():
        return RESULT_OF_WINNER[None], "fifty moves"
    return None


class RulesReferee:
    """The referee of games whose rules are known here."""

    def __init__(self, board):
        self.board = board

    async def verdict(self):
        """Returns the `ending` of the game; None if it goes on."""
        return ending(self.board)

    def play(self, move):
        """Plays a move. Returns it for the record: in chess as SAN."""
        if not isinstance(self.board, RulesBoard):
            return self.board.san_and_push(move)
        self.board.push(move)
        return str(move)


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

    def play(self, move):
        self.board.push(move)
        return str(move)

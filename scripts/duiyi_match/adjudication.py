"""Adjudication: ends a game early, by tablebases or by the scores that the engines report."""

import chess

from . import tablebase

MATE_CP = 100_000
"""Score of a mate in centipawns."""


class Adjudicator:
    """Collects the score of every move and ends the game when a rule of the settings applies."""

    def __init__(self, settings):
        self.draw, self.resign, self.maxmoves = settings.draw, settings.resign, settings.maxmoves
        self.tb = settings.tb
        self.scores = {chess.WHITE: [], chess.BLACK: []}

    def record_score(self, side, score):
        """Adds the score of a move, in cp from the mover's view. None (no score) satisfies no rule."""
        self.scores[side].append(score)

    def verdict(self, board):
        """Returns (result, termination), or None if the game goes on. Raises MatchError."""
        if self.tb and (result := tablebase.verdict(self.tb, board)):
            return result, "tablebase adjudication"
        move_number = board.fullmove_number  # of the next move
        if (
            self.draw
            and move_number >= self.draw.movenumber
            and self._last_scores_all(
                (chess.WHITE, chess.BLACK), self.draw.movecount, lambda score: abs(score) <= self.draw.score
            )
        ):
            return "1/2-1/2", "draw adjudication"
        if self.resign:
            count, threshold = self.resign.movecount, self.resign.score
            for side, result in ((chess.WHITE, "0-1"), (chess.BLACK, "1-0")):
                if not self._last_scores_all((side,), count, lambda score: score <= -threshold):
                    continue
                if not self.resign.twosided or self._last_scores_all(
                    (not side,), count, lambda score: score >= threshold
                ):
                    return result, "win adjudication"
        if self.maxmoves and move_number > self.maxmoves:
            return "1/2-1/2", "move limit"
        return None

    def _last_scores_all(self, sides, count, condition):
        """Returns whether the last `count` scores of each side exist and satisfy `condition`."""
        last = [score for side in sides for score in self.scores[side][-count:]]
        return len(last) == count * len(sides) and all(score is not None and condition(score) for score in last)

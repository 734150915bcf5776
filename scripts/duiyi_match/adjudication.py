"""Games that are decided before they are over, by what both engines say of them."""

import chess

MATE_CP = 100_000
"""Hundredths of a pawn that a mate counts for."""


class Adjudicator:
    """Sees every move's score and says when a game need not be played on."""

    def __init__(self, settings):
        self.draw, self.resign, self.maxmoves = settings.draw, settings.resign, settings.maxmoves
        self.scores = {chess.WHITE: [], chess.BLACK: []}

    def record_score(self, side, score):
        """`score` is the mover's own view in cp, None if it gave none: that agrees with nothing."""
        self.scores[side].append(score)

    def verdict(self, move_number):
        """(result, how) or None. `moves` is the number of the move that comes next."""
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
        last = [score for side in sides for score in self.scores[side][-count:]]
        return len(last) == count * len(sides) and all(score is not None and condition(score) for score in last)

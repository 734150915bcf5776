"""Games that are decided before they are over, by what both engines say of them."""

import chess

MATE_CP = 100_000
"""Hundredths of a pawn that a mate counts for."""


class Adjudicator:
    """Sees every move's score and says when a game need not be played on."""

    def __init__(self, settings):
        self.draw, self.resign, self.maxmoves = settings.draw, settings.resign, settings.maxmoves
        self.scores = {chess.WHITE: [], chess.BLACK: []}

    def note(self, side, score):
        """`score` is the mover's own view in cp, None if it gave none: that agrees with nothing."""
        self.scores[side].append(score)

    def verdict(self, moves):
        """(result, how) or None. `moves` is the number of the move that comes next."""
        if (
            self.draw
            and moves >= self.draw.movenumber
            and self._all((chess.WHITE, chess.BLACK), self.draw.movecount, lambda score: abs(score) <= self.draw.score)
        ):
            return "1/2-1/2", "draw adjudication"
        if self.resign:
            count, score = self.resign.movecount, self.resign.score
            for side, result in ((chess.WHITE, "0-1"), (chess.BLACK, "1-0")):
                if not self._all((side,), count, lambda s: s <= -score):
                    continue
                if not self.resign.twosided or self._all((not side,), count, lambda s: s >= score):
                    return result, "win adjudication"
        if self.maxmoves and moves > self.maxmoves:
            return "1/2-1/2", "move limit"
        return None

    def _all(self, sides, count, holds):
        last = [score for side in sides for score in self.scores[side][-count:]]
        return len(last) == count * len(sides) and all(s is not None and holds(s) for s in last)

"""The ranking and the cross table of a tournament of more than two engines."""

import itertools
from dataclasses import dataclass

from .statistics import Pentanomial


@dataclass(frozen=True)
class Rank:
    """The results of an engine against all its opponents. Its Elo is relative to them, from its pairs of games."""

    name: str
    wins: int
    losses: int
    draws: int
    pentanomial: Pentanomial

    @property
    def games(self):
        return self.wins + self.losses + self.draws

    @property
    def points(self):
        return self.wins + self.draws / 2

    @property
    def score(self):
        """Points per game, 0 to 1, or None without a game."""
        return self.points / self.games if self.games else None

    def to_json(self):
        elo, elo_error = self.pentanomial.elo()
        return {
            "engine": self.name,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "score": self.score,
            "pentanomial": list(self.pentanomial.counts),
            "elo": elo,
            "elo_error": elo_error,
        }


def ranking(names, scores):
    """Returns the Rank of each engine, the best score first. `scores` are the PairingScores of the match."""
    ranks = []
    for name in names:
        views = [score.view(name) for score in scores if name in (score.first, score.second)]
        wins, losses, draws = (sum(view[k] for view in views) for k in range(3))
        counts = tuple(sum(column) for column in zip(*(view[3] for view in views)))
        ranks.append(Rank(name, wins, losses, draws, Pentanomial(counts)))
    return sorted(ranks, key=lambda rank: -1 if rank.score is None else rank.score, reverse=True)


def table(rows):
    """Returns lines of columns with equal widths. The second column is a name and aligned left, the others right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        " ".join(
            f"{cell:<{width}}" if k == 1 else f"{cell:>{width}}" for k, (cell, width) in enumerate(zip(row, widths))
        )
        for row in rows
    ]


def cross_table(ranks, scores):
    """Returns the lines of a table with the points of each engine against each other, such as `3.5/6`."""
    points = {}
    for score, name in itertools.chain.from_iterable(((s, s.first), (s, s.second)) for s in scores):
        wins, losses, draws, _ = score.view(name)
        opponent = score.second if name == score.first else score.first
        points[name, opponent] = f"{wins + draws / 2:g}/{wins + losses + draws}"
    rows = [["", "points", *(str(k) for k in range(1, len(ranks) + 1))]]
    for place, rank in enumerate(ranks, 1):
        rows.append([str(place), rank.name, *(points.get((rank.name, other.name), "-") for other in ranks)])
    return table(rows)

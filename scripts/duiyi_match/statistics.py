"""Statistics of a match: Elo, normalised Elo, LOS and SPRT from pairs of games.

Both games of a pair have the same opening with colours reversed, so they are not independent, but pairs are. All
statistics count pairs by the points of the first engine: 0, 1/2, 1, 1 1/2 or 2 (the pentanomial model). Elo is logistic.
Normalised Elo is the expected score above 1/2 in standard deviations; it depends less on the draw ratio of the openings.
Sources: M. Van den Bergh, "Normalized Elo" and "The generalized maximum likelihood ratio for the expectation value of a
distribution" (the generalised SPRT).
"""

import math
from dataclasses import dataclass

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of a pair for 0, 1/2, 1, 1 1/2 and 2 points, as fractions of 2 points."""

Z_95 = 1.959963984540054
"""Half-width of the central 95 % interval of a normal distribution, in standard deviations."""

NELO_PER_DEVIATION = 800 / math.log(10)
"""Normalised Elo of an expected score one standard deviation (of one game) above 1/2."""

MAX_NELO = 200
"""The largest normalised Elo of a hypothesis, without its sign. The fit of the normalised model starts at a uniform distribution
and finds no distribution above 231."""

FEW_PAIRS = 10
"""Below this number of pairs the mean score is not close to a normal distribution."""

ZERO_COUNT_SUBSTITUTE = 1e-3
"""Replaces a count of 0 in the LLR, so that no result has likelihood 0."""


def expected_score(elo):
    """Returns the expected score, 0 to 1, of an engine that is stronger by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_score(score):
    """Inverse of `expected_score`. Returns None for scores 0 and 1, whose Elo is infinite."""
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None


@dataclass(frozen=True)
class Pentanomial:
    """Numbers of pairs in which the first engine scored 0, 1/2, 1, 1 1/2 and 2 points."""

    counts: tuple

    @property
    def pairs(self):
        return sum(self.counts)

    @property
    def score(self):
        """Mean score, 0 to 1. Requires at least one pair."""
        return sum(count * score for count, score in zip(self.counts, PAIR_SCORES)) / self.pairs

    @property
    def variance(self):
        """Variance of the score of one pair."""
        mean = self.score
        return sum(n * (s - mean) ** 2 for n, s in zip(self.counts, PAIR_SCORES)) / self.pairs

    @property
    def error(self):
        """Half-width of the 95 % confidence interval of the score."""
        return Z_95 * math.sqrt(self.variance / self.pairs)

    def elo(self):
        """Returns (Elo difference, half-width of its 95 % interval). None stands for an infinite or unknown value.

        If all pairs have the same result, they say nothing about the error.
        """
        if not self.pairs:
            return None, None
        if not self.variance:
            return elo_from_score(self.score), None
        low, high = elo_from_score(self.score - self.error), elo_from_score(self.score + self.error)
        return elo_from_score(self.score), None if low is None or high is None else (high - low) / 2

    def nelo(self):
        """Returns (normalised Elo, half-width of its 95 % interval), or (None, None) if all pairs have the same result."""
        if not self.pairs or not self.variance:
            return None, None
        deviation = math.sqrt(2 * self.variance)  # of one game
        return NELO_PER_DEVIATION * (self.score - 0.5) / deviation, NELO_PER_DEVIATION * self.error / deviation

    def los(self):
        """Returns the likelihood of superiority: the probability, 0 to 1, that the first engine is stronger.

        From few or equal pairs: the probability that the engine wins more than half of all pairs with a winner, if each share
        was equally likely before (a beta distribution). From more pairs: by the normal distribution of the mean score.
        """
        if not self.pairs:
            return None
        if self.pairs < FEW_PAIRS or not self.variance:
            lost, won = sum(self.counts[:2]), sum(self.counts[3:])
            return sum(math.comb(won + lost + 1, k) for k in range(won + 1)) / 2 ** (won + lost + 1)
        return 0.5 * (1 + math.erf((self.score - 0.5) / math.sqrt(2 * self.variance / self.pairs)))

    def drawn_pair_ratio(self):
        """Returns the fraction of pairs in which both engines scored 1 point."""
        return self.counts[2] / self.pairs if self.pairs else None


@dataclass(frozen=True)
class Sprt:
    """Sequential probability ratio test. H0: the first engine is `elo0` stronger. H1: it is `elo1` stronger.

    `alpha` and `beta` are the probabilities of accepting the wrong hypothesis under H0 and H1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def bounds(self):
        """Returns the LLR bounds (low, high). H0 is accepted at or below low, H1 at or above high."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial):
        """Returns the generalised log-likelihood ratio: the maximum likelihood under H1 over that under H0."""
        if not pentanomial.pairs:
            return 0.0
        counts = [count or ZERO_COUNT_SUBSTITUTE for count in pentanomial.counts]
        total = sum(counts)
        observed = [count / total for count in counts]
        fit = self._fit_elo if self.model == "logistic" else self._fit_nelo
        under0, under1 = fit(observed, self.elo0), fit(observed, self.elo1)
        return total * sum(p * math.log(q1 / q0) for p, q0, q1 in zip(observed, under0, under1))

    def decision(self, llr) -> str | None:
        """Returns "H0" or "H1" if that hypothesis is accepted, None if the test continues."""
        low, high = self.bounds()
        return "H1" if llr >= high else "H0" if llr <= low else None

    @staticmethod
    def _fit_elo(observed, elo):
        """Returns the maximum likelihood distribution whose mean is the expected score of `elo`."""
        target = expected_score(elo)
        return max_likelihood(observed, [score - target for score in PAIR_SCORES])

    @staticmethod
    def _fit_nelo(observed, nelo):
        """Returns the maximum likelihood distribution whose normalised Elo is `nelo`.

        The constraint is not linear in the probabilities. Each iteration replaces it by its tangent at the previous guess,
        until the guess converges (Van den Bergh).
        """
        target = nelo * math.sqrt(2) / NELO_PER_DEVIATION  # standard deviations of one pair
        guess = [1 / len(PAIR_SCORES)] * len(PAIR_SCORES)
        for _ in range(100):
            mean = sum(p * s for p, s in zip(guess, PAIR_SCORES))
            deviation = math.sqrt(sum(p * (s - mean) ** 2 for p, s in zip(guess, PAIR_SCORES)))
            tangent = [s - 0.5 - target * deviation / 2 * (1 + ((s - mean) / deviation) ** 2) for s in PAIR_SCORES]
            previous, guess = guess, max_likelihood(observed, tangent)
            if max(abs(p - q) for p, q in zip(previous, guess)) < 1e-12:
                break
        return guess


def max_likelihood(observed, constraint):
    """Returns the distribution p with sum(p * constraint) = 0 that maximises the likelihood of `observed`.

    By Lagrange multipliers p = observed / (1 + x * constraint). Bisection finds the x that satisfies the constraint.
    """
    low, high = -1 / max(constraint), -1 / min(constraint)
    for _ in range(200):
        x = (low + high) / 2
        if sum(p * c / (1 + x * c) for p, c in zip(observed, constraint)) > 0:
            low = x
        else:
            high = x
    return [p / (1 + x * c) for p, c in zip(observed, constraint)]

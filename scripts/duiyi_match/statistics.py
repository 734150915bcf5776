"""What the results of pairs of games say about the strength of two engines.

Both games of a pair are played from one opening with colours changed, so they are not independent; pairs are. Everything
here therefore counts pairs, by the points of the first engine: 0, 1/2, 1, 1 1/2 or 2 (the pentanomial model). Elo here is
logistic; normalised Elo, which does not depend on how drawish the openings are, and the generalised sequential probability
ratio test are M. Van den Bergh's ("Normalized Elo" and "The generalized maximum likelihood ratio for the expectation value
of a distribution").
"""

import math
from dataclasses import dataclass

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points of a pair, as a part of what could be had."""

Z_95 = 1.959963984540054
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""

NELO_PER_DEVIATION = 800 / math.log(10)
"""Normalised Elo for an expected gain of one standard deviation a game."""

ZERO_COUNT_SUBSTITUTE = 1e-3
"""Pairs counted where none was observed, so that the likelihood of an unseen result is not zero."""


def expected_score(elo):
    """The part of the points that a player who is `elo` stronger gets."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_score(score):
    """The inverse of `expected_score`; None where it is infinite."""
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None


@dataclass(frozen=True)
class Pentanomial:
    """Pairs by the first engine's points: counts for 0, 1/2, 1, 1 1/2 and 2."""

    counts: tuple

    @property
    def pairs(self):
        return sum(self.counts)

    @property
    def score(self):
        """Mean part of the points, 0 to 1. Needs a pair."""
        return sum(count * score for count, score in zip(self.counts, PAIR_SCORES)) / self.pairs

    @property
    def variance(self):
        """Of one pair's score."""
        mean = self.score
        return sum(n * (s - mean) ** 2 for n, s in zip(self.counts, PAIR_SCORES)) / self.pairs

    @property
    def error(self):
        """Half the width of the score's 95 % interval."""
        return Z_95 * math.sqrt(self.variance / self.pairs)

    def elo(self):
        """Elo difference and half the width of its 95 % interval; None for what is infinite or unknown."""
        if not self.pairs:
            return None, None
        low, high = elo_from_score(self.score - self.error), elo_from_score(self.score + self.error)
        return elo_from_score(self.score), None if low is None or high is None else (high - low) / 2

    def nelo(self):
        """Normalised Elo and half the width of its 95 % interval; None where every pair ended alike."""
        if not self.pairs or not self.variance:
            return None, None
        deviation = math.sqrt(2 * self.variance)  # of one game
        return NELO_PER_DEVIATION * (self.score - 0.5) / deviation, NELO_PER_DEVIATION * self.error / deviation

    def los(self):
        """Likelihood of superiority: the probability, 0 to 1, that the first engine is the stronger one."""
        if not self.pairs:
            return None
        if not self.variance:
            return 0.5 + math.copysign(0.5, self.score - 0.5) if self.score != 0.5 else 0.5
        return 0.5 * (1 + math.erf((self.score - 0.5) / math.sqrt(2 * self.variance / self.pairs)))

    def drawn_pair_ratio(self):
        """The part of the pairs that ended level."""
        return self.counts[2] / self.pairs if self.pairs else None


@dataclass(frozen=True)
class Sprt:
    """Sequential probability ratio test of H1 "the first engine is stronger by `elo1`" against H0 "by `elo0`"."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def bounds(self):
        """H0 is accepted at or below the first, H1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial):
        """Logarithm of the ratio of the greatest likelihoods of what was seen under H1 and under H0."""
        if not pentanomial.pairs:
            return 0.0
        counts = [count or ZERO_COUNT_SUBSTITUTE for count in pentanomial.counts]
        total = sum(counts)
        observed = [count / total for count in counts]
        fit = self._fit_elo if self.model == "logistic" else self._fit_nelo
        under0, under1 = fit(observed, self.elo0), fit(observed, self.elo1)
        return total * sum(p * math.log(q1 / q0) for p, q0, q1 in zip(observed, under0, under1))

    def decision(self, llr) -> str | None:
        """ "H0", "H1" or None: go on."""
        low, high = self.bounds()
        return "H1" if llr >= high else "H0" if llr <= low else None

    @staticmethod
    def _fit_elo(observed, elo):
        """The likeliest distribution whose mean is that of `elo`."""
        target = expected_score(elo)
        return max_likelihood(observed, [score - target for score in PAIR_SCORES])

    @staticmethod
    def _fit_nelo(observed, nelo):
        """The likeliest distribution whose mean is `nelo` above one half, in its own standard deviations.

        That condition is not linear in the probabilities. It is replaced by its tangent at the last guess until the guess
        stays, as Van den Bergh does.
        """
        target = nelo * math.sqrt(2) / NELO_PER_DEVIATION  # of one pair
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
    """Of all distributions p with sum(p * constraint) = 0 the one under which `observed` is likeliest.

    By Lagrange p = observed / (1 + x * constraint); the x that meets the condition is found by bisection.
    """
    low, high = -1 / max(constraint), -1 / min(constraint)
    for _ in range(200):
        x = (low + high) / 2
        if sum(p * c / (1 + x * c) for p, c in zip(observed, constraint)) > 0:
            low = x
        else:
            high = x
    return [p / (1 + x * c) for p, c in zip(observed, constraint)]

"""Simultaneous perturbation stochastic approximation (SPSA), without games.

Spall 1992, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation", with the
schedule of Spall 1998, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization". The scaling
of a parameter by `c_end` and `r_end` is that of fishtest (https://github.com/official-stockfish/fishtest) and OpenBench
(https://github.com/AndyGrant/OpenBench, OpenBench/spsa_utils.py).
"""

import math
import random
import statistics
from dataclasses import dataclass

MIN_STEP = 0.5
"""The smallest distance from the value: of a whole number a smaller one would often play two equal values."""

ELO_PER_SCORE = 1600 / math.log(10)
"""The slope of the Elo difference by the score, where both sides have half of the points."""


@dataclass(frozen=True)
class Schedule:
    """How the steps shrink over a run of `pairs` pairs of games."""

    pairs: int
    overlap: int = 8
    """The largest number of pairs in play. Pair n starts from the values after pair n - overlap."""
    stability: float = 0.1
    """The constant A of SPSA as a part of the number of pairs: it makes the first steps smaller."""
    alpha: float = 0.602
    gamma: float = 0.101
    effects: bool = False
    """Whether the run measures what each parameter does: the steps do not shrink, and the values stay."""

    def step(self, parameter, pair):
        """Returns c_k: the distance of the two values of a pair from the value between them."""
        if self.effects:
            return max(parameter.step, MIN_STEP)
        return max(parameter.step * (self.pairs / (pair + 1)) ** self.gamma, MIN_STEP)

    def gain(self, parameter, pair):
        """Returns a_k / c_k: the change of the value if the positive perturbation wins a pair by one game."""
        if self.effects:
            return 0
        stability = self.stability * self.pairs
        gain = parameter.rate * parameter.step**2
        gain *= ((stability + self.pairs) / (stability + pair + 1)) ** self.alpha
        return gain / self.step(parameter, pair)


@dataclass(frozen=True)
class Perturbation:
    """The values of both sides of a pair, and the direction of each parameter: 1 if `plus` has the larger value, else -1."""

    plus: tuple
    minus: tuple
    signs: tuple


class Tuner:
    """The values of the parameters. They depend on the seed and on the pairs' scores, not on the order of the scores."""

    def __init__(self, parameters, schedule, seed):
        self.parameters, self.schedule, self.seed = parameters, schedule, seed
        self.scores = {}
        """Wins less losses of the positive perturbation in each finished pair, also in those that are not used yet."""
        self.history = [tuple(parameter.value for parameter in parameters)]
        """The values at the start, and after each pair in turn."""

    @property
    def values(self):
        return self.history[-1]

    def can_start(self, pair):
        """Returns whether the values from which a pair starts are known."""
        return pair < self.schedule.pairs and pair - self.schedule.overlap < len(self.history) - 1

    def start_values(self, pair):
        """Returns the values from which a pair starts. `can_start` must hold."""
        return self.history[max(0, pair - self.schedule.overlap + 1)]

    def perturbation(self, pair):
        """Returns the values that play in a pair. `can_start` must hold."""
        rng = random.Random(f"{self.seed}/{pair}")
        plus, minus, signs = [], [], []
        for parameter, value in zip(self.parameters, self.start_values(pair)):
            sign, fraction = rng.choice((-1, 1)), rng.random()
            distance = sign * self.schedule.step(parameter, pair)
            # Rounded up with the probability of the fraction, so that the mean is the value itself.
            plus.append(parameter.clamp(math.floor(value + distance + fraction)))
            minus.append(parameter.clamp(math.floor(value - distance + fraction)))
            signs.append(sign)
        return Perturbation(tuple(plus), tuple(minus), tuple(signs))

    def add_score(self, pair, score):
        """Adds the score of a pair and updates the values by all pairs up to the first that is missing."""
        self.scores[pair] = score
        while (pair := len(self.history) - 1) in self.scores:
            signs = self.perturbation(pair).signs
            self.history.append(
                tuple(
                    parameter.clamp(value + self.schedule.gain(parameter, pair) * self.scores[pair] * sign)
                    for parameter, value, sign in zip(self.parameters, self.values, signs)
                )
            )

    def effects(self):
        """Returns (parameter, Elo, error): of the larger value over the smaller one, with a part of the others at each value.

        The error is that of 95 %. The largest comes first. Requires two pairs.
        """
        pairs = [(self.perturbation(pair).signs, score) for pair, score in self.scores.items()]
        effects = []
        for number, parameter in enumerate(self.parameters):
            scores = [(2 + signs[number] * score) / 4 for signs, score in pairs]
            mean, error = statistics.fmean(scores), 1.96 * statistics.stdev(scores) / math.sqrt(len(scores))
            effects.append((parameter, (mean - 0.5) * ELO_PER_SCORE, error * ELO_PER_SCORE))
        return sorted(effects, key=lambda effect: -effect[1])

    def changes(self):
        """Returns (parameter, change since the start in steps), the largest change first."""
        changes = [(p, (value - p.value) / p.step) for p, value in zip(self.parameters, self.values)]
        return sorted(changes, key=lambda change: -abs(change[1]))

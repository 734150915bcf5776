"""Statistics compared with independent sources.

The log-likelihood ratios were computed by direct maximisation of the likelihood under constraints (scipy's SLSQP). Elo,
normalised Elo and LOS are those that the match runner fastchess prints for the same counts.
"""

import itertools
import math

import pytest

from duiyi_match.results import probability
from duiyi_match.statistics import MAX_NELO, Pentanomial, Sprt, elo_from_score, expected_score

LARGE, SMALL, LOPSIDED, LONG = (
    (19, 66, 120, 114, 81),
    (6, 16, 29, 14, 5),
    (0, 0, 10, 3, 0),
    (100, 500, 900, 520, 120),
)


@pytest.mark.parametrize(
    "counts, elo, nelo, los",
    [
        (LARGE, (75.88, 20.10), (93.92, 24.08), 100.00),
        ((6, 16, 30, 14, 5), (-9.79, 41.42), (-13.58, 57.14), 32.07),
        ((0, 0, 11, 3, 0), (37.37, 37.93), (128.30, 128.69), 97.47),
        (LONG, (4.87, 6.93), (7.31, 10.41), 91.58),
    ],
)
def test_elo_nelo_and_los_equal_fastchess(counts, elo, nelo, los):
    pentanomial = Pentanomial(counts)
    assert pentanomial.elo() == pytest.approx(elo, abs=0.0051)
    assert pentanomial.nelo() == pytest.approx(nelo, abs=0.0051)
    assert 100 * pentanomial.los() == pytest.approx(los, abs=0.0051)


@pytest.mark.parametrize(
    "counts, normalized, logistic",
    [  # LLR of (elo0, elo1) = (0, 5) and (-3, 1)
        (LARGE, (2.8423, 2.3629), (3.3504, 2.7901)),
        (SMALL, (-0.0936, -0.0587), (-0.1360, -0.0783)),
        (LOPSIDED, (0.0874, 0.0726), (0.1856, 0.1500)),
        (LONG, (0.8533, 1.1788), (0.9475, 1.8761)),
    ],
)
def test_llr_equals_direct_maximisation(counts, normalized, logistic):
    for model, expected in (("normalized", normalized), ("logistic", logistic)):
        for (elo0, elo1), llr in zip(((0, 5), (-3, 1)), expected):
            test = Sprt(elo0, elo1, model=model)
            assert test.llr(Pentanomial(counts)) == pytest.approx(llr, abs=6e-5)


def test_llr_of_mirrored_results_or_hypotheses_is_symmetric():
    llr = Sprt(-2, 4).llr(Pentanomial(SMALL))
    mirrored = Sprt(2, -4).llr(Pentanomial(SMALL[::-1]))
    assert llr == pytest.approx(mirrored) and llr != 0
    assert Sprt(4, -2).llr(Pentanomial(SMALL)) == pytest.approx(-llr)


@pytest.mark.parametrize("nelo", [MAX_NELO, -MAX_NELO])
def test_fit_of_extreme_hypothesis_has_its_nelo(nelo):
    for counts in itertools.product((0, 1, 30), repeat=5):
        if any(counts):
            total = sum(count or 1e-3 for count in counts)
            fit = Sprt._fit_nelo([(count or 1e-3) / total for count in counts], nelo)
            assert min(fit) > 0 and sum(fit) == pytest.approx(1)
            assert Pentanomial(tuple(fit)).nelo()[0] == pytest.approx(nelo)


def test_llr_beyond_bound_decides():
    test = Sprt(0, 5, alpha=0.05, beta=0.10)
    assert test.bounds() == pytest.approx((math.log(0.10 / 0.95), math.log(0.90 / 0.05)))
    assert [test.decision(llr) for llr in (-2.26, -2.24, 2.88, 2.90)] == ["H0", None, None, "H1"]


def test_degenerate_counts_have_no_elo():
    empty = Pentanomial((0, 0, 0, 0, 0))
    assert (empty.elo(), empty.nelo(), empty.los()) == ((None, None), (None, None), None)
    assert Sprt(0, 5).llr(empty) == 0
    drawn = Pentanomial((0, 0, 50, 0, 0))
    assert (drawn.elo(), drawn.nelo(), drawn.los()) == ((0, None), (None, None), 0.5)
    won = Pentanomial((0, 0, 0, 0, 7))
    assert (won.elo(), won.los()) == ((None, None), 1 - 1 / 2**8)
    assert 0 < Sprt(0, 5).llr(won) < Sprt(0, 5).llr(Pentanomial((0, 0, 0, 0, 70)))


@pytest.mark.parametrize(
    "counts, los, shown",
    [
        ((0, 0, 0, 0, 1), 0.75, "75.0 %"),
        ((1, 0, 0, 0, 0), 0.25, "25.0 %"),
        ((0, 0, 3, 0, 0), 0.5, "50.0 %"),
        ((1, 0, 4, 0, 2), 0.6875, "68.8 %"),
        ((0, 0, 0, 0, 30), 1 - 1 / 2**31, "> 99.9 %"),
        ((99, 0, 0, 0, 0), 1 / 2**100, "< 0.1 %"),
    ],
)
def test_los_of_few_or_equal_pairs_is_never_certain(counts, los, shown):
    assert Pentanomial(counts).los() == pytest.approx(los) and probability(Pentanomial(counts).los()) == shown


def test_elo_from_score_inverts_expected_score():
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_from_score(expected_score(-123.4)) == pytest.approx(-123.4)

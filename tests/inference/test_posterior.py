from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import isocost as ic
from isocost.errors import InputError

counts = st.integers(0, 60)


def probability(cost, pcf, tp, fn, fp, tn, a, b):
    """P(cost of the line ≤ cost), integrating over the miss rate, the other way round than the library."""
    alarms, misses = stats.beta(fp + a, tn + b), stats.beta(fn + a, tp + b)
    edges = np.unique(
        np.clip([0, (cost - (1 - pcf)) / pcf, cost / pcf, *misses.ppf([0.01, 0.1, 0.5, 0.9, 0.99])], 0, 1)
    )
    # Equal steps of the quantile: the density, which may be infinite at the ends, drops out.
    ranks = misses.cdf(edges)
    return sum(
        integrate.quad(lambda u: alarms.cdf((cost - pcf * misses.ppf(u)) / (1 - pcf)), lo, hi, epsabs=1e-12, limit=200)[
            0
        ]
        for lo, hi in pairwise(ranks)
    )


@settings(max_examples=15)
@given(counts, counts, counts, counts, st.sampled_from([(0.5, 0.5), (1.0, 1.0), (2.0, 3.0)]), st.floats(0.05, 0.95))
def test_limits_are_exact_quantiles(tp, fn, fp, tn, prior, pcf):
    """The probability below each limit is the tail, by an independent integration."""
    tp, tn = tp + 1, tn + 1
    band = ic.inference.posterior_band(tp, fn, fp, tn, prior=prior, grid=[0.0, pcf, 1.0])
    for limit, tail in ((band.low[1], 0.05), (band.high[1], 0.95)):
        assert probability(limit, pcf, tp, fn, fp, tn, *prior) == pytest.approx(tail, abs=1e-7)


def test_ends_are_quantiles_of_the_beta_distributions():
    """At pcf 0 only the fpr matters, at pcf 1 only the misses."""
    band = ic.inference.posterior_band(16, 4, 4, 6, prior=(1, 1), level=0.8)
    assert [band.low[0], band.high[0]] == pytest.approx(stats.beta(5, 7).ppf([0.1, 0.9]))
    assert [band.low[-1], band.high[-1]] == pytest.approx(stats.beta(5, 17).ppf([0.1, 0.9]))


def test_an_error_never_seen_still_has_a_band():
    """Resamples of a perfect row have no width; the posterior has."""
    band = ic.inference.posterior_band(20, 0, 4, 6)
    assert band.low[-1] < 0.001
    assert band.high[-1] > 0.05
    assert band.apparent[-1] == 0


def test_many_cases_agree_with_the_bootstrap():
    """With much data prior and method do not matter."""
    exact = ic.inference.posterior_band(1600, 400, 400, 600, grid=5)
    drawn = ic.inference.bootstrap_confusion({"a": (1600, 400, 400, 600)}, grid=5, n_resamples=20_000).band("a")
    assert exact.low == pytest.approx(drawn.low, abs=0.003)
    assert exact.high == pytest.approx(drawn.high, abs=0.003)


@pytest.mark.parametrize(
    ("cells", "options", "message"),
    [
        ((0, 0, 3, 4), {}, "no positive case"),
        ((1, 2, -3, 4), {}, "fp must be at least 0, got -3"),
        ((1, 2, 3, 4), {"prior": (0.1, 1)}, "prior must be finite and at least 0.5, got 0.1"),
        ((1, 2, 3, 4), {"prior": 1}, "prior must be a pair of positive numbers, got 1"),
        ((1, 2, 3, 4), {"level": 1.5}, "level must lie strictly between 0 and 1, got 1.5"),
    ],
)
def test_bad_input_is_named(cells, options, message):
    """Every refusal says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        ic.inference.posterior_band(*cells, **options)

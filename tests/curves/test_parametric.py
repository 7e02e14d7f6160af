import numpy as np
import pytest
from scipy import stats

import isocost as ic


class Mixture:
    """Equal parts of two narrow normal distributions, with what isocost uses of a frozen distribution."""

    def __init__(self, *means):
        self.parts = [stats.norm(mean, 0.5) for mean in means]

    def pdf(self, x):
        """Density."""
        return sum(part.pdf(x) for part in self.parts) / 2

    def cdf(self, x):
        """Distribution function."""
        return sum(part.cdf(x) for part in self.parts) / 2

    def sf(self, x):
        """Its complement."""
        return sum(part.sf(x) for part in self.parts) / 2

    def ppf(self, u):
        """Quantiles, roughly: they only place the sample."""
        x = np.linspace(-12, 14, 20_001)
        return np.interp(u, self.cdf(x), x)


def test_best_threshold_of_two_normals_is_found_to_the_last_digits():
    """Equal variances: 1/2 + log(t/(1-t)) for means 0 and 1."""
    curve = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
    t = np.linspace(0.01, 0.99, 99)
    np.testing.assert_allclose(curve.optimal_threshold(t), 0.5 + np.log(t / (1 - t)), atol=1e-13)


def test_where_the_curve_bends_inwards_the_threshold_jumps_at_the_double_tangent():
    """Positives around 0 and 4, negatives around -2 and 2: by symmetry the jump is at t = 1/2, from about 1 - 2 to 3."""
    curve = ic.RocCurve.from_distributions(Mixture(0, 4), Mixture(-2, 2))
    inner = curve.breaks[(curve.breaks > 0.01) & (curve.breaks < 0.99)]
    assert inner == pytest.approx([0.5], abs=1e-14)
    below, above = curve.optimal_threshold([0.5 - 1e-9, 0.5 + 1e-9])
    assert (below, above) == (pytest.approx(-1, abs=1e-6), pytest.approx(3, abs=1e-6))


@pytest.mark.parametrize("deviation", [0.5, 2.0])
def test_cost_is_the_least_over_all_thresholds_also_next_to_a_jump(deviation):
    """Unequal variances: the hook of the curve gives way to a trivial classifier."""
    positive, negative = stats.norm(1, deviation), stats.norm(0, 1)
    curve = ic.RocCurve.from_distributions(positive, negative)
    cut = np.linspace(-15, 15, 300_001)
    jump = curve.breaks[(curve.breaks > 0.01) & (curve.breaks < 0.99)][0]
    for t in (0.05, 0.5, 0.9, jump - 1e-7, jump, jump + 1e-7):
        tried = t * negative.sf(cut) + (1 - t) * positive.cdf(cut)
        assert float(curve.optimal_cost(t)) == pytest.approx(min(tried.min(), t, 1 - t), abs=1e-9)
        assert float(curve.optimal_cost(t)) <= tried.min() + 1e-16
    fpr, tpr = curve.rates_at(curve.optimal_threshold([jump - 1e-9, jump + 1e-9]))
    assert jump == pytest.approx(np.diff(tpr)[0] / (np.diff(tpr)[0] + np.diff(fpr)[0]), abs=1e-8)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import isocost as ic
from isocost.curves.binormal import _minus_log_likelihood
from isocost.errors import InputError, UnknownNameError


@given(st.floats(0.2, 3), st.floats(0.3, 2.5))
def test_regression_finds_the_line_that_points_lie_on(intercept, slope):
    """Points of a binormal curve are a straight line in normal deviates."""
    z = np.linspace(-1.5, 1, 9)
    curve = ic.RocCurve.from_points(stats.norm.cdf(z), stats.norm.cdf(intercept + slope * z))
    fit = ic.curves.fit_binormal(curve, method="regression")
    assert (fit.intercept, fit.slope) == (pytest.approx(intercept, abs=1e-9), pytest.approx(slope, abs=1e-9))
    assert fit.points == 9


@pytest.mark.parametrize(("intercept", "slope"), [(1.0, 1.0), (1.5, 0.6), (0.8, 1.4)])
def test_likelihood_finds_the_model_that_made_the_counts(intercept, slope):
    """Expected counts of the model itself, which no other parameters fit better."""
    z = np.array([-np.inf, -1.2, -0.5, 0.1, 0.7, 1.4, np.inf])
    negatives, positives = 5e5 * np.diff(stats.norm.cdf(z)), 2e5 * np.diff(stats.norm.cdf(slope * z - intercept))
    counts = ic.ScoreCounts(np.arange(6.0)[::-1], positives[::-1], negatives[::-1])
    fit = ic.curves.fit_binormal(ic.RocCurve.from_counts(counts, name="made"))
    assert (fit.intercept, fit.slope) == (pytest.approx(intercept, abs=1e-4), pytest.approx(slope, abs=1e-4))
    assert fit.points == 6
    assert fit.curve.name == "made (binormal model)"


def test_likelihood_recovers_the_truth_from_many_rows():
    """Whatever rising transformation the scores went through."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40_000)
    latent = np.where(y == 1, rng.normal(1.5, 1.25, y.size), rng.normal(0, 1, y.size))
    for scores in (latent, np.exp(latent), np.round(latent, 1)):
        fit = ic.curves.fit_binormal(ic.RocCurve.from_scores(y, scores))
        assert (fit.intercept, fit.slope) == (pytest.approx(1.2, abs=0.03), pytest.approx(0.8, abs=0.03))


@given(st.integers(0, 10_000))
def test_gradient_of_the_likelihood_is_right(seed):
    """Against differences."""
    rng = np.random.default_rng(seed)
    negatives, positives = rng.integers(0, 50, 6).astype(float), rng.integers(0, 50, 6).astype(float)
    x = np.concatenate([[-1.0], rng.normal(-0.5, 0.3, 4), [rng.normal(1, 0.5), rng.normal(0, 0.3)]])
    value = lambda v: _minus_log_likelihood(v, negatives, positives)[0]  # noqa: E731
    numeric = optimize.approx_fprime(x, value, 1e-6)
    np.testing.assert_allclose(_minus_log_likelihood(x, negatives, positives)[1], numeric, atol=1e-2, rtol=1e-4)


def test_the_fit_is_a_model_and_says_so():
    """Its area in closed form is that of its curve."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500)
    fit = ic.curves.fit_binormal(ic.RocCurve.from_scores(y, rng.normal(size=500) + y))
    assert ic.auc(fit.curve) == pytest.approx(fit.auc, abs=1e-9)
    assert "a model" in repr(fit)
    assert fit.to_dict()["method"] == "likelihood"
    assert fit.curve.name == "binormal model"


def test_what_cannot_be_fitted_is_explained():
    """Too few inner points, falling points, no counts, separated classes, bad options."""
    y = [1, 1, 0, 1, 0, 0, 1, 0]
    curve = ic.RocCurve.from_scores(y, range(8, 0, -1))
    with pytest.raises(InputError, match="strictly between 0 and 1, the curve has 0"):
        ic.curves.fit_binormal(ic.RocCurve.from_scores([1, 1, 0], [3, 2, 1]))
    with pytest.raises(InputError, match="tpr does not rise with fpr"):
        ic.curves.fit_binormal(ic.RocCurve.from_points([0.2, 0.4], [0.6, 0.5]), method="regression")
    with pytest.raises(InputError, match="method='likelihood' needs counts per score"):
        ic.curves.fit_binormal(ic.RocCurve.from_points([0.2, 0.4], [0.5, 0.6]))
    with pytest.raises(UnknownNameError, match="unknown method 'ml'"):
        ic.curves.fit_binormal(curve, method="ml")
    with pytest.raises(InputError, match="categories must be between 3 and 10000, got 2"):
        ic.curves.fit_binormal(curve, categories=2)
    degenerate = ic.RocCurve.from_scores([0, 0, 1, 0, 1, 0, 1, 0], [4, 2, 4, 3, 4, 0, 1, 1])
    with pytest.raises(InputError, match="has no maximum here"):
        ic.curves.fit_binormal(degenerate)
    with pytest.raises(InputError, match="a model already"):
        ic.curves.fit_binormal(ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1)))

"""Which costs a rule in use assumes: those at which no other rule of its model is cheaper by more than sampling error."""

import math

import numpy as np
import pytest

import isocost as ic
from isocost.decide.decision import NOISE


def implied(curve, cut, prevalence):
    """Return the current rule with the cost ratios that it assumes."""
    decision = ic.Comparison([curve]).decide(ic.Condition(prevalence=prevalence), current=(curve.name, cut))
    return decision.current


def sample(seed, n=400, shift=1.2):
    """Return labels and scores of normal classes."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, rng.normal(size=n) + shift * y


@pytest.mark.parametrize("seed", range(5))
def test_range_is_where_no_rule_is_cheaper_beyond_the_tolerance(seed):
    """Inside the range every other threshold costs at least as much up to the tolerance; just outside one does not."""
    y, score = sample(seed)
    curve = ic.RocCurve.from_scores(y, score, name="m")
    cut = float(np.quantile(score, 0.6))
    found = implied(curve, cut, y.mean())
    low, high = found.implied
    p, n0, n1 = y.mean(), np.count_nonzero(~y), np.count_nonzero(y)
    u, v = found.fpr - curve.fpr, found.tpr - curve.tpr

    def as_good(ratio):
        r = ratio * p / (1 - p)
        error = np.sqrt((np.abs(u) + 1 / n0) / n0 + r**2 * (np.abs(v) + 1 / n1) / n1)
        return bool(np.all(u - r * v <= NOISE * error))

    assert as_good(low * 1.001)
    assert as_good(high * 0.999)
    assert not as_good(low * 0.999)
    assert not as_good(high * 1.001)


def test_truly_best_rule_is_hardly_ever_called_never_the_best():
    """The costs for which a threshold is truly the best lie inside the range in most samples."""
    held = 0
    for seed in range(60):
        y, score = sample(seed, n=600)
        # The likelihood ratio of two normals of distance s is exp(s·x - s²/2); at costs r the best threshold has 1/r.
        ratio = (2.0, 4.0, 8.0)[seed % 3]
        cut = (math.log(0.7 / 0.3 / ratio) + 1.2**2 / 2) / 1.2
        ends = implied(ic.RocCurve.from_scores(y, score, name="m"), cut, 0.3).implied
        held += ends is not None and ends[0] <= ratio <= ends[1]
    assert held >= 52


def test_points_without_totals_have_no_tolerance():
    """The range of a vertex ends where its neighbours take over."""
    curve = ic.RocCurve.from_points([0.1, 0.3], [0.5, 0.8], thresholds=[0.6, 0.4], name="m")
    assert implied(curve, 0.6, 0.5).implied == pytest.approx((0.2, 0.2 / 0.3))


def test_dominated_rule_is_never_the_best():
    """Far below the hull no costs make a rule the best."""
    y = np.repeat([0, 1, 0, 1], [500, 400, 500, 100])
    score = np.repeat([1.0, 3.0, 2.0, 0.0], [500, 400, 500, 100])
    assert implied(ic.RocCurve.from_scores(y, -score, name="m"), -2.0, 0.3).implied is None

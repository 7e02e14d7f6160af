import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from isocost.errors import InputError
from strategies import samples


@given(samples())
def test_rates_at_a_threshold_are_those_of_the_cases(sample):
    """Flagged are the cases with scores ≥ the threshold, whatever lies between two scores."""
    rates = ic.curves.rate_curve(sample.curve)
    y, s = np.asarray(sample.y), np.asarray(sample.s)
    weights = np.ones(y.size) if sample.w is None else np.asarray(sample.w, dtype=float)
    for threshold, tpr, tnr in zip(rates.thresholds, rates.tpr, rates.tnr, strict=True):
        for rate, own, ok in ((tpr, y == 1, s >= threshold), (tnr, y != 1, s < threshold)):
            assert rate == pytest.approx(weights[own & ok].sum() / weights[own].sum(), abs=1e-12)


def test_rates_are_counted():
    """By hand, on five cases."""
    y, score = np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.8, 0.7, 0.6, 0.2])
    rates = ic.curves.rate_curve(ic.RocCurve.from_scores(y, score, name="demo"))
    for cut, tpr, tnr in zip(rates.thresholds, rates.tpr, rates.tnr, strict=True):
        assert tpr == np.mean(score[y == 1] >= cut)
        assert tnr == np.mean(score[y == 0] < cut)
    assert rates.balanced == 0.7
    assert str(rates) == "CurveForm rates of 'demo': 6 points, balanced 0.7"


def test_thresholds_must_be_known():
    """Points may have none."""
    with pytest.raises(InputError, match="has points without thresholds"):
        ic.curves.rate_curve(ic.RocCurve.from_points([0.1], [0.5]))

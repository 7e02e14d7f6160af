import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from strategies import samples


@given(samples(), st.floats(-1, 2))
def test_rates_at_a_threshold_are_those_of_the_cases(sample, cut):
    """Flagged are the cases with scores ≥ the threshold, whatever lies between two scores."""
    rates = ic.curves.rate_curve(sample.curve)
    for threshold in (cut, *rates.thresholds):
        place = np.flatnonzero(rates.thresholds >= threshold)[-1]
        tpr, tnr = rates(threshold)
        assert (tpr, tnr) == (sample.curve.tpr[place], 1 - sample.curve.fpr[place])


def test_rates_are_counted():
    """By hand, on five cases."""
    y, score = np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.8, 0.7, 0.6, 0.2])
    rates = ic.curves.rate_curve(ic.RocCurve.from_scores(y, score, name="demo"))
    for cut in (-1.0, 0.2, 0.25, 0.6, 0.8, 0.85, 1.0):
        tpr, tnr = rates(cut)
        assert tpr == np.mean(score[y == 1] >= cut)
        assert tnr == np.mean(score[y == 0] < cut)
    assert rates.balanced == 0.7
    assert str(rates) == (
        "At threshold 0.7 demo flags 66.67 % of the positives and leaves 50 % of the negatives alone."
    )


def test_thresholds_must_be_known():
    """Points may have none."""
    with pytest.raises(InputError, match="needs thresholds"):
        ic.curves.rate_curve(ic.RocCurve.from_points([0.1], [0.5]))

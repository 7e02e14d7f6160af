import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.errors import InputError
from strategies import curves, inside_unit, samples


@given(samples(kinds=("tied", "probabilities"), weighted=(None,)))
def test_ks_equals_the_one_sided_two_sample_statistic(sample):
    """The D⁺ of scipy, of the positives' scores against the negatives'."""
    positives, negatives = sample.s[sample.y == 1], sample.s[sample.y == 0]
    expected = stats.ks_2samp(negatives, positives, alternative="greater", method="asymp").statistic
    assert ic.measures.ks(sample.curve) == pytest.approx(expected, abs=1e-12)


@given(curves())
def test_ks_is_the_best_youden_index(curve):
    """The largest tpr - fpr over the points themselves."""
    assert ic.measures.ks(curve) == pytest.approx(np.max(curve.tpr - curve.fpr), abs=1e-14)


@given(curves(), inside_unit)
def test_error_rate_is_the_least_over_all_points(curve, prevalence):
    """At the given prevalence, or the data's own."""
    for pi, asked in ((prevalence, prevalence), (curve.prevalence, None)):
        expected = np.min((1 - pi) * curve.fpr + pi * (1 - curve.tpr))
        assert ic.measures.minimum_error_rate(curve, prevalence=asked) == pytest.approx(expected, abs=1e-14)


@given(curves(), inside_unit, st.floats(0.01, 100))
def test_weighted_loss_is_the_least_over_all_points(curve, pi, ratio):
    """Twice the loss at cost share ratio/(1 + ratio)."""
    c = ratio / (1 + ratio)
    expected = 2 * np.min(c * (1 - pi) * curve.fpr + (1 - c) * pi * (1 - curve.tpr))
    value = ic.measures.minimum_weighted_loss(curve, severity_ratio=ratio, prevalence=pi)
    assert value == pytest.approx(expected, abs=1e-14)


@given(curves())
def test_equal_severity_is_the_error_rate(curve):
    """A ratio of 1 weighs both errors alike."""
    value = ic.measures.minimum_weighted_loss(curve, severity_ratio=1)
    assert value == pytest.approx(ic.measures.minimum_error_rate(curve), abs=1e-14)


@given(curves())
def test_default_severity_makes_it_ks_in_disguise(curve):
    """At ratio π/(1-π) both errors weigh π(1-π): 2π(1-π)·(1 - KS)."""
    pi = curve.prevalence
    assert ic.measures.minimum_weighted_loss(curve) == pytest.approx(
        2 * pi * (1 - pi) * (1 - ic.measures.ks(curve)), abs=1e-14
    )


def test_backward_scores_have_no_ks():
    """A two-sided statistic would be 1 here."""
    assert ic.measures.ks(ic.RocCurve.from_scores([0, 0, 1, 1], [4, 3, 2, 1])) == 0


def test_prevalence_must_be_known():
    """Points without class totals have none of their own; 0 and 1 are legal for the error rate only."""
    curve = ic.RocCurve.from_points([0.1], [0.8])
    for measure in (ic.measures.minimum_error_rate, ic.measures.minimum_weighted_loss):
        with pytest.raises(InputError, match="the prevalence is unknown"):
            measure(curve)
    assert ic.measures.minimum_error_rate(curve, prevalence=0) == 0
    with pytest.raises(InputError, match="strictly between 0 and 1, got 0"):
        ic.measures.minimum_weighted_loss(curve, prevalence=0)
    with pytest.raises(InputError, match="severity_ratio must be positive and finite, got -1"):
        ic.measures.minimum_weighted_loss(curve, prevalence=0.1, severity_ratio=-1)

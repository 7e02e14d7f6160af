"""Calibration by the hull is pooling adjacent violators."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import isocost as ic
from isocost.curves.roc import reliability_bins
from strategies import applied, curves, inside_unit, samples


@given(samples())
def test_calibrator_equals_isotonic_regression(sample):
    """scikit-learn's fit by pooling adjacent violators, on the ranks of the scores, ties and weights included."""
    counted = np.ones(sample.y.size, dtype=bool) if sample.w is None else sample.w > 0
    rank = np.unique(sample.s, return_inverse=True)[1]
    fit = IsotonicRegression(y_min=0, y_max=1).fit(rank, sample.y, sample_weight=sample.w)
    found = sample.curve.calibrator()(sample.s)
    assert found[counted] == pytest.approx(fit.predict(rank)[counted], abs=1e-12)


@given(curves())
def test_steps_rise_with_the_score_and_keep_the_prevalence(curve):
    """Probabilities are strictly ordered, and their mean over the cases is the share of positives."""
    calibrator = curve.calibrator()
    assert np.all(np.diff(calibrator.probabilities) < 0)
    probabilities = calibrator(curve.thresholds[1:])
    cases = np.diff(curve.tp) + np.diff(curve.fp)
    assert (probabilities * cases).sum() / cases.sum() == pytest.approx(curve.prevalence, abs=1e-12)


@given(curves(), inside_unit)
def test_another_prevalence_shifts_the_odds(curve, pi):
    """By Bayes' theorem: odds times the ratio of the prior odds."""
    own, shifted = curve.calibrator().probabilities, curve.calibrator(prevalence=pi).probabilities
    ratio = pi / (1 - pi) * (1 - curve.prevalence) / curve.prevalence
    with np.errstate(divide="ignore"):
        expected = 1 / (1 + (1 - own) / (own * ratio))
    assert shifted == pytest.approx(expected, abs=1e-12)


@given(curves())
def test_applying_the_calibrator_leaves_the_hull(curve):
    """Scores of one step become ties: the points left are the vertices, and their hull is the same."""
    calibrated = applied(curve.calibrator(), curve)
    assert calibrated.fp.tolist() == curve.hull.fp.tolist()
    assert calibrated.tp.tolist() == curve.hull.tp.tolist()
    assert calibrated.hull.fp.tolist() == curve.hull.fp.tolist()


def test_unseen_scores_are_treated_like_those_that_no_threshold_tells_apart():
    """A score between two steps falls below the upper one's threshold, so it belongs to the lower; ends extend."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
    assert curve.calibrator()([[100, 8], [7.99, 6]]).tolist() == [[1, 1], [0.5, 0.5]]
    assert curve.calibrator()([5.9, 4, -1e300]).tolist() == [0, 0, 0]


@given(curves(), curves())
def test_applied_to_other_cases_it_gives_their_curve_at_its_thresholds(curve, other):
    """Each point of the calibrated curve is a point of the other curve, flagging the scores of the steps so far."""
    calibrator = curve.calibrator()
    calibrated = applied(calibrator, other)
    probabilities = calibrator(other.thresholds[1:])
    for point, cut in enumerate(calibrated.thresholds[1:], 1):
        flagged = probabilities >= cut
        assert calibrated.tp[point] == pytest.approx(np.diff(other.tp)[flagged].sum())
        assert calibrated.fp[point] == pytest.approx(np.diff(other.fp)[flagged].sum())
    assert calibrated.positives == other.positives


@pytest.mark.parametrize("prevalence", [0, 1])
def test_a_class_that_does_not_occur_gets_all_or_nothing(prevalence):
    """Without positives no score makes one likely; without negatives every one does."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
    assert curve.calibrator(prevalence=prevalence)([9, 6, 4]).tolist() == [prevalence] * 3


def test_only_scores_can_be_calibrated():
    """Crisp classifiers have none."""
    crisp = ic.RocCurve.from_confusion(16, 4, 4, 6)
    curve = ic.RocCurve.from_scores([1, 0], [1, 0])
    with pytest.raises(ic.IsocostError, match="has points without thresholds"):
        crisp.calibrator()
    with pytest.raises(ic.IsocostError, match=r"scores is missing in 1 of 2 rows"):
        curve.calibrator()([0.5, np.nan])


def test_calibrator_is_plain_data():
    """Steps, probabilities and the prevalence they hold at."""
    calibrator = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4]).calibrator()
    assert calibrator.to_dict() == {
        "thresholds": [8, 6, 4], "probabilities": [1, 0.5, 0], "prevalence": 0.5,
    }  # fmt: skip
    assert repr(calibrator) == "<Calibrator: 3 steps, probabilities from 0 to 1 at prevalence 0.5>"


@given(samples(kinds=("tied", "probabilities")), st.sampled_from([None, 0.2]))
def test_calibrated_scores_have_the_lowest_brier_score_of_all_monotone_ones(sample, pi):
    """No worse than the scores themselves, at the prevalence they are calibrated for."""
    curve = sample.curve
    calibrated = applied(curve.calibrator(prevalence=pi), curve)
    assert ic.measures.brier_loss(calibrated, prevalence=pi) <= ic.measures.brier_loss(curve, prevalence=pi) + 1e-12


def test_bins_hold_neighbouring_scores_in_ascending_order():
    """About equally many cases each; those of one score stay together."""
    scores = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.6, 0.6, 0.9, 1.0])
    y = np.array([0, 0, 1, 0, 1, 1, 0, 1, 1, 1])
    found = reliability_bins(ic.RocCurve.from_scores(y, scores), 3)
    assert [one.cases for one in found] == [3, 5, 2]
    assert [one.score for one in found] == pytest.approx([0.2, 0.54, 0.95])
    assert [one.share for one in found] == pytest.approx([1 / 3, 3 / 5, 1])

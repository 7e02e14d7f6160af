"""Score-driven curves: what a model costs when its scores are taken as probabilities."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

import isocost as ic
from oracles import threshold_choice
from strategies import applied, curves, inside_unit, samples, unit

PROBABILITIES = ("tied", "probabilities")
prevalences = st.none() | inside_unit
axes = st.sampled_from(["pcf", "cost_proportion"])


def prevalence(sample, given_one, axis):
    """The π of an axis, exactly."""
    if axis == "pcf":
        return Fraction(1, 2)
    return threshold_choice.prevalence_of(sample.y, sample.w) if given_one is None else Fraction(given_one)


@given(samples(kinds=PROBABILITIES), prevalences, axes, st.floats(0, 1, exclude_max=True))
def test_score_driven_curve_flags_what_the_scores_say(sample, pi, axis, x):
    """Row by row: a case is flagged when x ≥ 1 - score; jumps belong to the right."""
    found = ic.cost_curve(sample.curve, method="score_driven", axis=axis, prevalence=pi)
    expected = threshold_choice.score_driven(sample, prevalence(sample, pi, axis), x)
    assert float(found(x)) == pytest.approx(float(expected), abs=1e-12)


def test_jumps_are_exactly_where_the_scores_are():
    """At 1 - score the flagged set changes: both limits are known."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.75, 0.5, 0.5, 0.25])
    found = ic.cost_curve(curve, method="score_driven")
    assert found.breaks.tolist() == [0, 0.25, 0.5, 0.75, 1]
    # Nobody; the best positive; three; everybody.
    assert found.right.tolist() == [0.25, 0.25, 0.125, 0]
    assert found([0.25, 0.5, 0.75]).tolist() == [0.125, 0.25, 0.25]


def test_certain_scores_change_nothing_between_the_ends():
    """Scores of 0 and 1 leave one piece: the same cases are flagged at every x inside."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [1, 1, 0, 0])
    found = ic.cost_curve(curve, method="score_driven", axis="cost_proportion")
    assert found.breaks.tolist() == [0, 1]
    assert found([0, 0.3, 1]).tolist() == [0.5, 0.5, 0.5]


@given(samples(kinds=PROBABILITIES))
def test_area_is_the_brier_score(sample):
    """As scikit-learn computes it from the rows, weights and all."""
    curve = sample.curve
    brier = brier_score_loss(sample.y, sample.s, sample_weight=sample.w)
    assert ic.cost_curve(curve, method="score_driven", axis="cost_proportion").area() == pytest.approx(brier, abs=1e-12)


@given(samples(kinds=PROBABILITIES), prevalences, axes)
def test_area_at_any_prevalence_weighs_the_squared_errors_of_the_classes(sample, pi, axis):
    """π times the mean over positives plus 1 - π times the mean over negatives; on pcf each counts one half."""
    w = np.ones(sample.y.size) if sample.w is None else sample.w
    of_class = [np.average((sample.s - label) ** 2, weights=np.where(sample.y == label, w, 0)) for label in (0, 1)]
    p = float(prevalence(sample, pi, axis))
    area = ic.cost_curve(sample.curve, method="score_driven", axis=axis, prevalence=pi).area()
    assert area == pytest.approx((1 - p) * of_class[0] + p * of_class[1], abs=1e-12)


@given(curves(kinds=PROBABILITIES), prevalences, axes, unit)
def test_calibrated_scores_make_the_score_driven_choice_optimal(curve, pi, axis, x):
    """After pooling by the hull at the prevalence of the axis, the score-driven curve is the lower envelope."""
    at = 0.5 if axis == "pcf" else pi
    calibrated = applied(curve.calibrator(prevalence=at), curve)
    found = ic.cost_curve(calibrated, method="score_driven", axis=axis, prevalence=pi)
    envelope = ic.cost_curve(curve, axis=axis, prevalence=pi)
    assert float(found(x)) == pytest.approx(float(envelope(x)), abs=1e-12)
    assert found.area() == pytest.approx(envelope.area(), abs=1e-12)


@given(curves(kinds=PROBABILITIES), prevalences, axes, unit)
def test_brier_decomposition_adds_up_and_calibration_never_helps(curve, pi, axis, x):
    """Score-driven = refinement + calibration at every x, and nothing beats the envelope."""
    parts = ic.curves.brier_decomposition(curve, axis=axis, prevalence=pi)
    assert float(parts.total(x)) == pytest.approx(float(parts.base(x) + parts.excess(x)), abs=1e-12)
    assert parts.excess.minimum > -1e-12
    assert parts.total_loss == pytest.approx(parts.base_loss + parts.excess_loss, abs=1e-12)
    assert parts.total_loss == pytest.approx(ic.measures.brier_loss(curve, axis=axis, prevalence=pi), abs=1e-12)
    assert parts.base_loss == pytest.approx(ic.cost_curve(curve, axis=axis, prevalence=pi).area(), abs=1e-12)


def test_brier_decomposition_says_its_parts():
    """In words and as plain numbers."""
    parts = ic.curves.brier_decomposition(ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1]))
    # The middle two swapped cases pool to one half: a Brier score of 2·(1/4)/4.
    losses = {"total_loss": 0.1575, "base_loss": 0.125, "excess_loss": 0.0325}
    assert {name: parts.to_dict()[name] for name in losses} == pytest.approx(losses)
    assert repr(parts) == "<CostDecomposition score_driven: loss 0.1575 = 0.125 refinement + 0.0325 calibration>"


@pytest.mark.parametrize("build", [ic.curves.brier_decomposition, lambda c: ic.cost_curve(c, method="score_driven")])
def test_scores_that_are_no_probabilities_are_refused(build):
    """The message says the range seen, how many are outside, and what to do."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [3.5, 0.5, 0.2, -1])
    expected = (
        r"needs probabilities: scores between 0 and 1, got scores from -1 to 3\.5 \(2 of 4 distinct ones outside, the first 3\.5\); "
        r"map them first, for instance with curve\.calibrator\(\)"
    )
    with pytest.raises(ic.IsocostError, match=expected):
        build(curve)
    build(applied(curve.calibrator(), curve))


def test_points_without_scores_are_refused():
    """Crisp classifiers and score distributions have no scores of cases."""
    from scipy import stats

    with pytest.raises(ic.IsocostError, match="the curve has points without thresholds"):
        ic.cost_curve(ic.RocCurve.from_points([0.2], [0.7]), method="score_driven")
    smooth = ic.RocCurve.from_distributions(stats.beta(3, 2), stats.beta(2, 3))
    with pytest.raises(ic.IsocostError, match="needs a finite list of operating points"):
        ic.cost_curve(smooth, method="score_driven")

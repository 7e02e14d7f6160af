"""Fixed thresholds, and thresholds chosen on other cases than those that are paid for."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from oracles import brute_force, threshold_choice
from strategies import Sample, applied, curves, inside_unit, samples, unit

METHODS = ("best", "rate_driven", "score_driven")
prevalences = st.none() | inside_unit
axes = st.sampled_from(["pcf", "cost_proportion"])


@st.composite
def two_sets(draw):
    """Cases to choose on and cases to pay for, scored by one model on one scale."""
    chosen, paid = (draw(samples(max_size=16, kinds=("tied", "probabilities"))) for _ in range(2))
    if draw(st.booleans()):  # many common scores
        paid = Sample(paid.y, np.round(paid.s * 5) / 5, paid.w)
    return chosen, paid


def rates_at(sample, threshold):
    """The rates of flagging scores ≥ threshold, in fractions."""
    w = np.ones(sample.y.size) if sample.w is None else sample.w
    hit = sample.s >= threshold

    def share(label):
        rows = sample.y == label
        return sum(map(Fraction, w[rows & hit])) / sum(map(Fraction, w[rows]))

    return share(0), share(1)


@given(samples(), st.floats(-1, 2), prevalences, unit)
def test_fixed_threshold_is_a_straight_line(sample, threshold, pi, x):
    """Whatever the condition the same cases are flagged."""
    fpr, tpr = rates_at(sample, threshold)
    p = threshold_choice.prevalence_of(sample.y, sample.w) if pi is None else Fraction(pi)
    found = ic.cost_curve(sample.curve, method="fixed", threshold=threshold, axis="cost_proportion", prevalence=pi)
    assert float(found(x)) == pytest.approx(float(threshold_choice.cost(Fraction(x), p, fpr, tpr)), abs=1e-12)
    found = ic.cost_curve(sample.curve, method="fixed", threshold=threshold)
    assert float(found(x)) == pytest.approx(
        float(threshold_choice.cost(Fraction(x), Fraction(1, 2), fpr, tpr)), abs=1e-12
    )
    assert found.breaks.size == 2


@given(samples(kinds=("probabilities",)), unit)
def test_fixed_takes_predicted_labels_through_a_crisp_curve(sample, x):
    """Predictions of 0 and 1 for scores give the line of their threshold."""
    reported = (sample.s >= 0.5).astype(int)
    assume(0 < reported.sum() < reported.size)
    crisp = ic.RocCurve.from_scores(sample.y, reported, sample_weight=sample.w)
    assume(len(crisp) == 3)
    from_labels = ic.cost_curve(crisp, method="fixed", axis="cost_proportion")
    from_threshold = ic.cost_curve(sample.curve, method="fixed", threshold=0.5, axis="cost_proportion")
    assert float(from_labels(x)) == pytest.approx(float(from_threshold(x)), abs=1e-12)


@given(curves(kinds=("tied", "probabilities")), prevalences, axes)
def test_thresholds_from_the_same_cases_change_nothing(curve, pi, axis):
    """Choosing and paying on the same cases is the plain curve, for every method."""
    x = np.linspace(0, 1, 23)
    for method in METHODS:
        plain = ic.cost_curve(curve, method=method, axis=axis, prevalence=pi)
        same = ic.cost_curve(curve, method=method, axis=axis, prevalence=pi, thresholds_from=curve)
        assert same(x) == pytest.approx(plain(x), abs=1e-12)
        assert same.area() == pytest.approx(plain.area(), abs=1e-12)


@given(two_sets(), unit)
def test_honest_optimal_curve_pays_for_the_choice_made_elsewhere(pair, share):
    """In the middle of each stretch: the cheapest point of one set, found by trying all, applied to the rows of the other."""
    chosen, paid = pair
    honest = ic.cost_curve(paid.curve, thresholds_from=chosen.curve)
    own = ic.cost_curve(chosen.curve)
    piece = min(int(share * own.left.size), own.left.size - 1)
    x = Fraction(float((own.breaks[piece] + own.breaks[piece + 1]) / 2))
    points = brute_force.points(chosen.y, chosen.s, chosen.w)
    best = min(points, key=lambda point: brute_force.cost(1 - x, point[0], point[1]))
    rates = best[:2] if best[:2] in ((0, 0), (1, 1)) else rates_at(paid, best[2])
    assert float(honest(float(x))) == pytest.approx(float(brute_force.cost(1 - x, *rates)), abs=1e-12)


@given(two_sets(), prevalences, unit)
def test_honest_rate_driven_curve_mixes_the_thresholds_chosen_elsewhere(pair, pi, x):
    """The two thresholds and the coin that give the rate on one set, applied to the rows of the other."""
    chosen, paid = pair
    honest = ic.cost_curve(
        paid.curve, method="rate_driven", axis="cost_proportion", prevalence=pi, thresholds_from=chosen.curve
    )
    p = threshold_choice.prevalence_of(paid.y, paid.w) if pi is None else Fraction(pi)
    points = brute_force.points(chosen.y, chosen.s, chosen.w)
    # The path that the thresholds of one set draw on the other, and where on the first it stands.
    there = [(0, 0), *(rates_at(paid, cut) for _, _, cut in points[1:-1]), (1, 1)]
    rates = [p * tpr + (1 - p) * fpr for fpr, tpr, _ in points]
    i = next(i for i in range(len(rates) - 1) if rates[i] <= Fraction(x) <= rates[i + 1])
    part = (Fraction(x) - rates[i]) / (rates[i + 1] - rates[i])
    fpr, tpr = (a + part * (b - a) for a, b in zip(there[i], there[i + 1], strict=True))
    expected = threshold_choice.cost(Fraction(x), p, fpr, tpr)
    # The cost may change by the whole of it between two rates of the choosing set, as close as its lightest case.
    steepest = max([1.0, *(1 / float(b - a) for a, b in pairwise(rates) if b > a)])
    assert float(honest(x)) == pytest.approx(float(expected), abs=1e-14 * steepest + 1e-12)


@given(two_sets(), prevalences, axes)
def test_no_honest_choice_beats_the_best_one(pair, pi, axis):
    """The envelope of the cases that are paid for is the least they can cost."""
    chosen, paid = (sample.curve for sample in pair)
    lowest = ic.cost_curve(paid, axis=axis, prevalence=pi)
    for method in METHODS:
        honest = ic.cost_curve(paid, method=method, axis=axis, prevalence=pi, thresholds_from=chosen)
        assert (honest - lowest).minimum > -1e-12


@given(two_sets(), prevalences)
def test_honest_calibration_makes_the_honest_optimal_choice(pair, pi):
    """Calibrated on one set and believed on the other: the same thresholds as the best of the first set."""
    chosen, paid = (sample.curve for sample in pair)
    p = paid.prevalence if pi is None else pi
    calibrated = applied(chosen.calibrator(prevalence=p), paid)
    believed = ic.cost_curve(calibrated, method="score_driven", axis="cost_proportion", prevalence=p)
    optimal = ic.cost_curve(paid, axis="cost_proportion", prevalence=p, thresholds_from=chosen)
    assert believed.area() == pytest.approx(optimal.area(), abs=1e-12)


def test_a_threshold_belongs_to_the_fixed_method():
    """The others choose their own."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1])
    for method in METHODS:
        with pytest.raises(ic.IsocostError, match=rf"threshold= goes with method='fixed': '{method}' chooses its own"):
            ic.cost_curve(curve, method=method, threshold=0.5)


def test_fixed_needs_a_threshold_or_one_classifier():
    """Which of six points is meant cannot be guessed."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1])
    with pytest.raises(ic.IsocostError, match="method='fixed' needs a threshold: the curve has 5 points"):
        ic.cost_curve(curve, method="fixed")
    with pytest.raises(ic.IsocostError, match="the curve has points without thresholds"):
        ic.cost_curve(ic.RocCurve.from_points([0.1, 0.2], [0.5, 0.7]), method="fixed", threshold=0.5)


def test_a_fixed_threshold_of_zero_is_one():
    """0 is a threshold, not a missing one."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [2, 1, -1, -2])
    assert ic.cost_curve(curve, method="fixed", threshold=0)([0, 1]).tolist() == [0.5, 0.5]


def test_thresholds_from_points_without_thresholds_are_refused():
    """There is nothing to carry over."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1])
    for method in ("best", "rate_driven"):
        with pytest.raises(ic.IsocostError, match="thresholds_from has points without thresholds"):
            ic.cost_curve(curve, method=method, thresholds_from=ic.RocCurve.from_points([0.2], [0.7]))


def test_unknown_method_offers_the_nearest():
    """A slip of the pen is answered with the word meant."""
    curve = ic.RocCurve.from_scores([1, 0], [1, 0])
    with pytest.raises(ic.IsocostError, match=r"unknown method 'rate-driven': did you mean 'rate_driven'"):
        ic.cost_curve(curve, method="rate-driven")

"""What each way of choosing the threshold costs, at one condition and over many."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from scipy.integrate import quad

import isocost as ic
from isocost.curves.roc import points_at
from strategies import conditions, curves, uncertain_conditions

PROBABILITIES = ("tied", "probabilities")
WAYS = ("best", "rate_driven", "score_driven")


def costs(curve, condition, **options):
    """The mean normalised cost of each way of choosing."""
    table = ic.Comparison([curve]).table(condition, methods=WAYS, **options)
    return next(iter(table.rows)).values


@given(curves(kinds=PROBABILITIES), conditions())
def test_costs_at_a_condition_are_those_of_the_thresholds_themselves(curve, condition):
    """Best, rate-driven, score-driven and fixed: each rule applied, its rates priced by the condition."""
    found = costs(curve, condition)
    flagged = condition.prevalence * curve.tpr + (1 - condition.prevalence) * curve.fpr
    mixed = [np.interp(condition.cost_proportion, flagged, rates) for rates in (curve.fpr, curve.tpr)]
    assert found["best"] == pytest.approx(ic.best_threshold(curve, condition).normalised_cost, abs=1e-12)
    assert found["rate_driven"] == pytest.approx(condition.normalised_cost(*mixed), abs=1e-12)
    at = int(points_at(curve, 0.4))
    fixed = ic.cost_curve(curve, method="fixed", threshold=0.4).mean_normalised_cost(condition)
    assert fixed == pytest.approx(condition.normalised_cost(curve.fpr[at], curve.tpr[at]), abs=1e-12)
    flag = condition.cost_proportion >= 1 - curve.thresholds[1:]
    fpr, tpr = (np.diff(counts)[flag].sum() / counts[-1] for counts in (curve.fp, curve.tp))
    assert found["score_driven"] == pytest.approx(condition.normalised_cost(fpr, tpr), abs=1e-12)


@given(curves(kinds=PROBABILITIES), uncertain_conditions())
def test_nothing_is_cheaper_than_the_best_threshold(curve, over):
    """At any distribution of conditions."""
    found = costs(curve, over)
    assert min(found.values()) > found["best"] - 1e-12


def test_costs_over_a_range_are_averages_of_costs_at_conditions():
    """Uniform over t from 0.2 to 0.7: every way against adaptive quadrature of the costs at single conditions."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.2, 0.1], name="m")
    found = costs(curve, ic.Conditions.uniform(t=(0.2, 0.7)), prevalence=0.3)
    breaks = {0.2, 0.7}
    for method in WAYS:
        c = ic.cost_curve(curve, method=method, axis="cost_proportion", prevalence=0.3).breaks
        breaks |= {t for t in ((1 - c) * 0.7 / ((1 - c) * 0.7 + c * 0.3)).tolist() if 0.2 < t < 0.7}

    def cost_at(t, method):
        # At prevalence 0.3 the costs t/0.7 and (1-t)/0.3 give t.
        curve_of = ic.cost_curve(curve, method=method, axis="cost_proportion", prevalence=0.3)
        return curve_of.mean_normalised_cost(ic.Condition(t / 0.7, (1 - t) / 0.3, 0.3))

    for method in WAYS:
        expected = sum(quad(cost_at, a, b, args=(method,))[0] for a, b in pairwise(sorted(breaks)))
        assert found[method] == pytest.approx(expected / 0.5, abs=1e-9)


def test_a_score_exactly_at_the_threshold_is_flagged():
    """A miss costs as much as a false alarm: the score-driven threshold is 0.5 itself, at any prevalence."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1], name="m")
    for pi in (0.1, 0.3, 0.7):
        assert costs(curve, ic.Condition(1, 1, pi))["score_driven"] == pytest.approx((1 - pi) / 2)


@pytest.mark.parametrize("prevalence", [1e-6, 1e-3, 0.5, 1 - 1e-6])
def test_mean_rate_driven_cost_at_rare_prevalences(prevalence):
    """All scores tied: the share x flagged of each class costs t·x + (1-t)(1-x), x following from t."""
    curve = ic.RocCurve.from_scores([1, 0], [0.5, 0.5], name="m")
    found = costs(curve, None, prevalence=prevalence)["rate_driven"]
    a, b = 1 - prevalence, prevalence

    def cost(t):
        x = (1 - t) * a / ((1 - t) * a + t * b)
        return t * x + (1 - t) * (1 - x)

    # Steep near the ends of t, so the ends are cut into decades.
    decades = 10.0 ** np.arange(-12, 0)
    edges = np.concatenate([[0], decades, 1 - decades[::-1], [1]])
    expected = sum(quad(cost, low, high, epsabs=1e-15)[0] for low, high in pairwise(edges))
    assert found == pytest.approx(expected, abs=1e-12)

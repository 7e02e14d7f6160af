import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from strategies import inside_unit, model_sets, uncertain_conditions


def lowest(comparison, t):
    """Lowest cost at t of any model at any threshold."""
    return min(float(np.min(t * c.fpr + (1 - t) * (1 - c.tpr))) for c in comparison.curves)


def at(over, shares):
    """Values of t spread over a range."""
    return [over.low + share * (over.high - over.low) for share in shares]


@given(model_sets(max_models=4), uncertain_conditions(), st.lists(inside_unit, max_size=10))
def test_regret_is_the_cost_above_the_best_choice(data, over, shares):
    """At every condition, on average and at worst; never negative."""
    comparison = ic.Comparison.from_scores(*data)
    for name in comparison.names:
        regret = comparison.regret(name, over)
        assert 0 <= regret.mean <= regret.worst + 1e-12
        assert over.low <= regret.worst_t <= over.high
        for t in at(over, shares):
            extra = float(comparison[name].optimal_cost(t)) - lowest(comparison, t)
            assert float(regret.curve(1 - t)) == pytest.approx(extra, abs=1e-12)
            if not hasattr(over.density, "weights"):
                assert extra <= regret.worst + 1e-12
        best = ic.cost_curve(comparison.hybrid()).expectation(over)
        assert regret.mean == pytest.approx(ic.cost_curve(comparison[name]).expectation(over) - best, abs=1e-9)


@given(model_sets(max_models=3), uncertain_conditions(), st.lists(inside_unit, max_size=10), st.data())
def test_regret_of_a_fixed_threshold_is_that_of_its_line(data, over, shares, draw):
    """One model with one threshold against the best choice at each condition; worst at an end of the range."""
    comparison = ic.Comparison.from_scores(*data)
    curve = comparison["m0"]
    threshold = draw.draw(st.sampled_from(curve.thresholds.tolist()))
    regret = comparison.regret("m0", over, threshold=threshold)
    index = int(np.flatnonzero(curve.thresholds == threshold)[-1])  # a score may be inf itself
    for t in [*at(over, shares), over.low, over.high]:
        extra = t * curve.fpr[index] + (1 - t) * (1 - curve.tpr[index]) - lowest(comparison, t)
        assert float(regret.curve(1 - t)) == pytest.approx(extra, abs=1e-12)
        assert extra <= regret.worst + 1e-12
    assert regret.threshold == threshold
    assert regret.mean >= comparison.regret("m0", over).mean - 1e-12


def test_at_one_condition_regret_is_a_difference_of_costs():
    """None for the cheapest model."""
    a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    comparison = ic.Comparison([a, b])
    condition = ic.Condition.from_t(0.5)
    assert comparison.regret("b", condition).mean == 0
    assert comparison.regret("a", condition).worst == pytest.approx(0.3 - 0.25)


def test_values_that_can_be_checked_by_hand():
    """Trivial classifiers and one point at (0, 0.5), all conditions equally likely."""
    half = ic.Comparison([ic.RocCurve.from_points([0.0], [0.5], thresholds=[1.0], name="half")])
    fixed = half.regret("half", threshold=1.0)
    assert (fixed.mean, fixed.worst, fixed.worst_t) == (pytest.approx(1 / 12), pytest.approx(0.5), 0.0)


def test_regret_shows_itself():
    """In words and as plain data."""
    a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[3.0], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[2.0], name="b")
    comparison = ic.Comparison([a, b])
    assert repr(comparison.regret("a")).startswith("<Regret: a (threshold chosen at each condition) costs 0.03214 more")
    assert "a (threshold 3) costs" in str(comparison.regret("a", threshold=3))
    assert comparison.regret("a").to_dict()["name"] == "a"

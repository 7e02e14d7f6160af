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
        best = ic.cost_curve(comparison.hybrid().curve).expectation(over)
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


@given(model_sets(max_models=4), uncertain_conditions())
def test_information_is_worth_the_gap_between_now_and_later(data, over):
    """Everything chosen later costs least, everything chosen now most; the gaps are the regrets of the best choices."""
    comparison = ic.Comparison.from_scores(*data)
    value = comparison.value_of_information(over)
    assert value.perfect <= value.one_model + 1e-12
    assert value.one_model <= value.fixed + 1e-9
    assert value.value_for_model == pytest.approx(
        min(comparison.regret(n, over).mean for n in comparison.names), abs=1e-9
    )
    found = comparison.decide(over).uncertain
    if over.means is None and found is not None:  # with costs a decision tells it in their unit
        assert value.value == pytest.approx(found.mean_regret, abs=1e-12)


@given(model_sets(max_models=3, max_size=16), uncertain_conditions())
def test_the_minimax_regret_choice_has_the_smallest_worst_regret(data, over):
    """Of all models at all fixed thresholds, or of all models with thresholds that follow the condition."""
    comparison = ic.Comparison.from_scores(*data)
    worst = [
        comparison.regret(name, over, threshold=threshold).worst
        for name in comparison.names
        for threshold in comparison[name].thresholds
    ]
    fixed = comparison.minimax_regret(over)
    assert fixed.worst == pytest.approx(min(worst), abs=1e-12)
    assert fixed.worst == pytest.approx(comparison.regret(fixed.name, over, threshold=fixed.threshold).worst, abs=1e-12)
    following = comparison.minimax_regret(over, thresholds="best")
    assert following.worst == min(comparison.regret(name, over).worst for name in comparison.names)
    assert following.threshold is None


def test_a_certain_condition_needs_no_information():
    """When t is known the best fixed choice is the best choice."""
    a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    comparison = ic.Comparison([a, b])
    condition = ic.Condition.from_t(0.5)
    assert comparison.value_of_information(condition).value == 0
    assert comparison.regret("b", condition).mean == 0
    assert comparison.regret("a", condition).worst == pytest.approx(0.3 - 0.25)


def test_values_that_can_be_checked_by_hand():
    """Trivial classifiers and one point at (0, 0.5), all conditions equally likely."""
    half = ic.Comparison([ic.RocCurve.from_points([0.0], [0.5], thresholds=[1.0], name="half")])
    value = half.value_of_information()
    # The envelope is t up to 1/3 and (1-t)/2 after it: its mean is 1/18 + 1/9.
    assert value.perfect == pytest.approx(1 / 6)
    assert value.fixed == pytest.approx(1 / 4)
    assert value.value == pytest.approx(1 / 12)
    fixed = half.regret("half", threshold=1.0)
    assert (fixed.mean, fixed.worst, fixed.worst_t) == (pytest.approx(1 / 12), pytest.approx(0.5), 0.0)
    assert half.minimax_regret().worst == pytest.approx(0.5)


def test_regret_and_information_show_themselves():
    """In words and as plain data."""
    a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[3.0], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[2.0], name="b")
    comparison = ic.Comparison([a, b])
    assert repr(comparison.regret("a")).startswith("<Regret: a (threshold chosen at each condition) costs 0.03214 more")
    assert "a (threshold 3) costs" in str(comparison.regret("a", threshold=3))
    assert comparison.regret("a").to_dict()["name"] == "a"
    value = comparison.value_of_information()
    assert "knowing the condition before choosing saves" in repr(value)
    assert value.to_dict()["value"] == value.value
    with pytest.raises(ic.IsocostError, match=r"unknown thresholds 'fix': did you mean 'fixed'"):
        comparison.minimax_regret(thresholds="fix")

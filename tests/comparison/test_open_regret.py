import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from strategies import bucketed_models, uncertain_conditions

SLACK = 1e-9


def holds(bounds, certain, truth):
    """Tell whether both numbers lie between two bounds; without bounds they are the same."""
    low, high = (certain, certain) if bounds is None else bounds
    return low - SLACK <= certain <= high + SLACK and low - SLACK <= truth <= high + SLACK


@given(bucketed_models(), uncertain_conditions())
def test_the_regret_of_the_cases_lies_between_the_bounds(pair, over):
    """Of every model with the best threshold at each condition, on average and at worst; and at every condition."""
    exact, wide = pair
    t = np.linspace(0, 1, 21)
    for name in exact.names:
        found, truth = wide.regret(name, over), exact.regret(name, over)
        assert holds(found.mean_bounds, found.mean, truth.mean)
        assert holds(found.worst_bounds, found.worst, truth.worst)
        low, high = (found.curve, found.curve) if found.curve_bounds is None else found.curve_bounds
        assert np.all(low(1 - t) <= truth.curve(1 - t) + SLACK)
        assert np.all(truth.curve(1 - t) <= high(1 - t) + SLACK)


@given(bucketed_models(), uncertain_conditions(), st.data())
def test_the_regret_of_a_threshold_lies_between_the_bounds(pair, over, data):
    """Of any end of a bucket."""
    exact, wide = pair
    name = data.draw(st.sampled_from(exact.names))
    cut = float(data.draw(st.sampled_from(wide[name].thresholds[1:].tolist())))
    found, truth = (c.regret(name, over, threshold=cut) for c in (wide, exact))
    assert holds(found.mean_bounds, found.mean, truth.mean)
    assert holds(found.worst_bounds, found.worst, truth.worst)


@given(bucketed_models(), uncertain_conditions(), st.sampled_from(["fixed", "best"]))
def test_the_safest_choice_is_among_those_named(pair, over, thresholds):
    """If it is settled no choice of the cases is safer; else the safest is of a model that is named."""
    exact, wide = pair
    found, truth = (c.minimax_regret(over, thresholds=thresholds) for c in (wide, exact))
    low, high = (found.worst,) * 2 if found.worst_bounds is None else found.worst_bounds
    assert truth.worst <= high + SLACK
    if not found.open_to:
        assert truth.worst >= low - SLACK
    if thresholds == "best" and not found.open_to:
        assert exact.regret(found.name, over).worst <= truth.worst + SLACK
    elif not found.open_to:
        own = exact.regret(found.name, over, threshold=found.threshold).worst
        assert own <= truth.worst + SLACK


@given(bucketed_models(), uncertain_conditions())
def test_what_knowing_the_condition_is_worth_lies_between_the_bounds(pair, over):
    """Each of the three costs, and what their differences save."""
    exact, wide = pair
    found, truth = wide.value_of_information(over), exact.value_of_information(over)
    for name in ("fixed", "one_model", "perfect"):
        high, low = getattr(found, name), getattr(found, f"{name}_low")
        assert (high if low is None else low) - SLACK <= getattr(truth, name) <= high + SLACK
    assert holds(found.value_bounds, found.value, truth.value)
    assert holds(found.value_for_model_bounds, found.value_for_model, truth.value_for_model)


@given(bucketed_models(), uncertain_conditions())
def test_the_hybrid_of_the_cases_is_as_near_as_is_said(pair, over):
    """No condition at which it is cheaper by more than what is open, and every measure between its bounds."""
    exact, wide = pair
    found, truth = wide.hybrid(), exact.hybrid()
    t = np.linspace(0, 1, 21)
    gap = found.curve.optimal_cost(t) - truth.curve.optimal_cost(t)
    assert np.all(gap >= -SLACK)
    assert np.all(gap <= found.open + SLACK)
    values = truth.measures(over)
    for name, value in found.measures(over).items():
        low, high = (value.low, value.high) if isinstance(value, ic.measures.bounds.Bounds) else (value, value)
        assert low - SLACK <= values[name] <= high + SLACK


def test_open_regrets_say_so():
    """Two numbers in place of one, and who may have a safer choice."""
    a = ic.RocCurve.from_counts(ic.ScoreCounts([0.5, 0.0], [8, 2], [1, 9], [0.9, 0.4]), name="a")
    b = ic.RocCurve.from_counts(ic.ScoreCounts([0.7, 0.2], [8, 2], [2, 8]), name="b")
    pair = ic.Comparison([a, b])
    over = ic.Conditions.uniform(t=(0.3, 0.7))
    assert "b (threshold chosen at each condition) costs 0.05 to 0.1504 more than the best choice on average" in str(
        pair.regret("b", over)
    )
    assert str(pair.minimax_regret(over)).endswith("; unless a has a safer choice inside its buckets")
    assert "saves 0 to 0.1004 (" in repr(pair.value_of_information(over))
    assert repr(pair.hybrid()).endswith("finer thresholds could save up to 0.16>")

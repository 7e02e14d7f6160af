import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from oracles import brute_force
from strategies import inside_unit, model_sets, uncertain_conditions

pairs = model_sets(min_models=2, max_models=2, max_size=20)


@given(pairs, st.lists(st.fractions(0, 1, max_denominator=97), min_size=1, max_size=10))
def test_the_difference_is_that_of_the_best_costs(data, ts):
    """At every condition cost(a) - cost(b), each with its best threshold or a trivial classifier."""
    y, models = data
    comparison = ic.Comparison.from_scores(y, models)
    gap = comparison.difference("m0", "m1")
    a, b = (brute_force.points(y, s) for s in models.values())
    for t in ts:
        expected = brute_force.envelope(a, t) - brute_force.envelope(b, t)
        assert float(gap(float(1 - t))) == pytest.approx(float(expected), abs=1e-14)


@given(pairs)
def test_the_difference_of_equals_is_zero_without_rounding(data):
    """Where two models share an operating point their difference is 0.0, not nearly so."""
    y, models = data
    gap = ic.Comparison.from_scores(y, {"a": models["m0"], "b": models["m0"]}).difference("a", "b")
    assert not gap.left.any()
    assert not gap.right.any()


@given(pairs)
def test_swapping_the_models_turns_the_sign(data):
    """difference(a, b) = -difference(b, a), and both vanish at pcf 0 and 1."""
    comparison = ic.Comparison.from_scores(*data)
    one, other = comparison.difference("m0", "m1"), comparison.difference("m1", "m0")
    np.testing.assert_array_equal(one.left, -other.left)
    np.testing.assert_array_equal(one.right, -other.right)
    assert (one(0.0), one(1.0)) == (0, 0)


@given(pairs)
def test_crossovers_are_zeros_of_the_difference(data):
    """At a crossover both cost the same."""
    comparison = ic.Comparison.from_scores(*data)
    gap = comparison.difference("m0", "m1")
    assert all(abs(float(gap(1 - t))) < 1e-14 for t in comparison.crossovers("m0", "m1"))


@given(pairs, uncertain_conditions(), st.lists(inside_unit, max_size=20))
def test_the_advantage_bounds_and_averages_the_difference(data, over, ts):
    """Its extremes are reached where it says and never passed; its mean is the difference of the mean costs."""
    comparison = ic.Comparison.from_scores(*data)
    gain = comparison.gain("m0", "m1", over)
    gap = comparison.difference("m1", "m0")
    assert float(gap(1 - gain.largest_t)) == pytest.approx(gain.largest, abs=1e-15)
    assert float(gap(1 - gain.smallest_t)) == pytest.approx(gain.smallest, abs=1e-15)
    assert over.low <= min(gain.largest_t, gain.smallest_t)
    assert max(gain.largest_t, gain.smallest_t) <= over.high
    if not hasattr(over.density, "weights"):
        inside = over.low + (over.high - over.low) * np.array(ts)
        values = gap(1 - inside)
        assert np.all(values <= gain.largest + 1e-14)
        assert np.all(values >= gain.smallest - 1e-14)
    costs = [ic.cost_curve(comparison[name]).expectation(over) for name in ("m1", "m0")]
    assert gain.mean == pytest.approx(costs[0] - costs[1], abs=1e-9)
    assert gain.smallest - 1e-12 <= gain.mean <= gain.largest + 1e-12


def test_the_advantage_over_a_sample_of_conditions_looks_at_the_sample_only():
    """Between the drawn conditions nothing is claimed."""
    a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    sample = ic.Conditions.from_beliefs(cost_fn=(1, 3), prevalence=(0.2, 0.6), size=20)
    gain = ic.Comparison([a, b]).gain("a", "b", sample)
    assert gain.largest_t in sample.density.t
    assert gain.smallest_t in sample.density.t


def test_figure_8_of_drummond_and_holte():
    """A horizontal line at 0.3 against a curve that is better at 0.3 and 0.7 by 0.05: "about 20 %" of 0.25."""
    solid = ic.RocCurve.from_points([0.3], [0.7], name="solid")
    dashed = ic.RocCurve.from_points([0.1, 0.3, 0.6], [0.4, 0.7, 0.9], name="dashed")
    comparison = ic.Comparison([solid, dashed])
    assert comparison.dominates("dashed", "solid")
    gain = comparison.gain("dashed", "solid")
    assert gain.largest == pytest.approx(0.05)
    assert gain.largest_t == pytest.approx(0.3) or gain.largest_t == pytest.approx(0.7)
    assert gain.smallest == 0
    assert "at best 0.05 cheaper" in str(gain)
    assert "at worst equal" in repr(gain)
    assert gain.to_dict()["better"] == "dashed"

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.comparison.parity_fixed import cheapest_near, cheapest_window
from isocost.comparison.parity_mixed import LeastCost

steps = st.integers(0, 8).map(lambda k: k / 8)
# A group's rates and costs; flagging nobody, at rate 0, is always possible.
groups = st.tuples(steps, st.lists(st.tuples(steps, steps), max_size=6)).map(
    lambda drawn: np.array([(0.0, drawn[0]), *drawn[1]]).T
)


@given(st.lists(groups, min_size=2, max_size=5), st.one_of(steps, st.floats(0, 1)))
def test_looking_only_where_mixtures_are_cheap_finds_what_looking_everywhere_finds(drawn, tolerance):
    """Mixtures of thresholds cost less still, so nothing cheap is passed by."""
    rates, costs = [rate for rate, _ in drawn], [cost for _, cost in drawn]
    least = [LeastCost.of(rate, cost, np.arange(rate.size)) for rate, cost in zip(rates, costs, strict=True)]
    group = np.repeat(np.arange(len(rates)), [rate.size for rate in rates])
    rate, cost = np.concatenate(rates), np.concatenate(costs)
    everywhere = cheapest_window(rate, cost, group, tolerance)
    points = cheapest_near(rates, costs, tolerance, least)
    assert sum(costs[g][point] for g, point in enumerate(points)) == pytest.approx(cost[everywhere].sum(), abs=1e-12)
    chosen = [rates[g][point] for g, point in enumerate(points)]
    assert max(chosen) - min(chosen) <= tolerance + 1e-11


@given(st.lists(groups, min_size=2, max_size=3), steps)
def test_no_choice_of_one_point_a_group_is_cheaper(drawn, tolerance):
    """Compared with every combination of points."""
    rates, costs = [rate for rate, _ in drawn], [cost for _, cost in drawn]
    least = [LeastCost.of(rate, cost, np.arange(rate.size)) for rate, cost in zip(rates, costs, strict=True)]
    points = cheapest_near(rates, costs, tolerance, least)
    allowed = [
        sum(costs[g][point] for g, point in enumerate(some))
        for some in product(*(range(rate.size) for rate in rates))
        if np.ptp([rates[g][point] for g, point in enumerate(some)]) <= tolerance + 1e-12
    ]
    assert sum(costs[g][point] for g, point in enumerate(points)) == pytest.approx(min(allowed), abs=1e-12)

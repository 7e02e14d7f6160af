from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isocost.groups.parity import cheapest_window

steps = st.integers(0, 8).map(lambda k: k / 8)
# A group's rates and costs; flagging nobody, at rate 0, is always possible.
groups = st.tuples(steps, st.lists(st.tuples(steps, steps), max_size=6)).map(
    lambda drawn: np.array([(0.0, drawn[0]), *drawn[1]]).T
)


def cheapest(drawn, tolerance):
    """The points of the cheapest window, with rates, costs and groups of all points."""
    rate, cost = np.concatenate(drawn, axis=1)
    group = np.repeat(np.arange(len(drawn)), [len(rates) for rates, _ in drawn])
    return cheapest_window(rate, cost, group, tolerance), rate, cost, group


@given(st.lists(groups, min_size=2, max_size=3), steps)
def test_no_choice_of_one_point_per_group_is_cheaper(drawn, tolerance):
    """Compared with every combination of points."""
    points, rate, cost, group = cheapest(drawn, tolerance)
    allowed = [
        cost[list(some)].sum()
        for some in product(*(np.flatnonzero(group == g).tolist() for g in range(len(drawn))))
        if np.ptp(rate[list(some)]) <= tolerance + 1e-12
    ]
    assert cost[points].sum() == pytest.approx(min(allowed), abs=1e-12)


@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from([0.0, 0.003, 0.02, 0.1, 0.4]), st.booleans())
@settings(max_examples=150)
def test_no_window_is_cheaper(seed, many, tolerance, several):
    """Compared with every window that begins at a point; groups as thresholds make them, or two models on top of each other."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(many):
        size = int(rng.integers(5, 120))
        steps = rng.random((2, size)) * (rng.random((2, size)) < 0.6)
        rates = np.append(0.0, np.cumsum(steps[0]) / max(steps[0].sum(), 1e-9))
        costs = rng.normal() + 0.3 * np.append(0.0, np.cumsum(steps[1] - steps[0])) / size
        drawn.append(np.array([rates.clip(0, 1), costs]))
    if several:
        drawn = [np.concatenate([one, one[:, ::3] + [[0], [0.01]]], axis=1) for one in drawn]
    points, rate, cost, group = cheapest(drawn, tolerance)
    totals = []
    for begin in rate:
        held = [(rate >= begin) & (rate <= begin + tolerance + 1e-12) & (group == g) for g in range(many)]
        totals.append(sum(cost[own].min() for own in held) if all(own.any() for own in held) else np.inf)
    assert cost[points].sum() == pytest.approx(min(totals), abs=1e-12)
    assert np.ptp(rate[points]) <= tolerance + 1e-11

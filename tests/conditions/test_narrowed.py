import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.conditions import Truncated, narrowed

BELIEFS = {"lognormal": stats.lognorm(s=0.8, scale=6), "beta": stats.beta(2, 5), "triangular": stats.triang(0.3, 1, 4)}


@settings(max_examples=20)
@given(st.sampled_from(sorted(BELIEFS)), st.floats(0.01, 0.99), st.booleans())
def test_a_part_of_a_belief_is_the_belief_given_the_answer(name, share, upper):
    """Distribution, quantiles and mean are those of the parent on one side of a value."""
    parent = BELIEFS[name]
    at = float(parent.ppf(share))
    low, high = parent.support()
    part = Truncated(parent, at, high) if upper else Truncated(parent, low, at)
    u = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    values = part.ppf(u)
    assert part.cdf(values) == pytest.approx(u, abs=1e-9)
    assert part.sf(values) == pytest.approx(1 - u, abs=1e-9)
    assert part.isf(1 - u[1:]) == pytest.approx(values[1:], rel=1e-7)
    ends = (at, high) if upper else (low, at)
    expected = parent.expect(lambda x: x, lb=ends[0], ub=ends[1]) / (1 - share if upper else share)
    assert part.mean() == pytest.approx(expected, rel=1e-5)
    drawn = part.rvs(size=50, random_state=np.random.default_rng(0))
    assert drawn.min() >= ends[0]
    assert drawn.max() <= ends[1]


def test_a_part_of_a_part_is_a_part():
    """Narrowed twice, the ends are those of the second answer, and the digits those of the first parent."""
    once = Truncated(BELIEFS["lognormal"], 5.0, np.inf)
    twice = Truncated(once, 2.0, 30.0)
    assert twice.support() == (5.0, 30.0)
    assert twice.cdf(10.0) == pytest.approx(float((once.cdf(10.0) - once.cdf(5.0)) / once.cdf(30.0)))


def test_ranges_stay_ranges_and_beliefs_stay_beliefs():
    """The quantity is cut in two; all others stay."""
    less, more = narrowed(ic.Conditions.from_costs(1, (2, 10), (0.1, 0.3)), "cost_fn", 4.0)
    assert (less.ranges["cost_fn"], more.ranges["cost_fn"]) == ((2, 4), (4, 10))
    assert less.ranges["prevalence"] == (0.1, 0.3)
    over = ic.Conditions.from_beliefs(cost_fn=BELIEFS["lognormal"], prevalence=(0.1, 0.3))
    less, more = narrowed(over, "prevalence", 0.2)
    assert less.quantities["prevalence"].high == more.quantities["prevalence"].low == 0.2
    assert less.means.cost_fn == over.means.cost_fn

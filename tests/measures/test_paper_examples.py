"""Worked examples of Ratigan & Cowen that join costs, hulls and areas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic


def test_example_40_false_alarms_and_misses_carry_the_cost_equally():
    """At t = 0.4 the point (1/2, 2/3) costs 2/5; the best points it does not dominate cost half of that."""
    condition = ic.Condition.from_t(0.4)
    assert condition.normalised_cost(1 / 2, 2 / 3) == pytest.approx(2 / 5)
    assert condition.normalised_cost(1 / 2, 1.0) == pytest.approx(1 / 5)
    assert condition.normalised_cost(0.0, 2 / 3) == pytest.approx(1 / 5)


@given(st.floats(0.05, 1), st.floats(0, 0.95), st.floats(0.01, 0.99))
def test_example_49_one_iso_cost_line_bounds_the_same_area_as_the_hull(x, y, t):
    """For (x, 1) and (0, y) the area of lesser classifiers is that under the hull at slope (1-y)/x, and larger elsewhere."""
    curve = ic.RocCurve.from_points([0.0, x], [y, 1.0])
    equal = (1 - y) / (x + 1 - y)
    area = ic.auc(curve.hull)
    assert ic.measures.lesser_area(float(curve.optimal_cost(equal)), equal) == pytest.approx(area, abs=1e-12)
    elsewhere = ic.measures.lesser_area(float(curve.optimal_cost(np.float64(t))), t)
    assert elsewhere >= area - 1e-12
    if abs(t - equal) > 1e-3:
        assert elsewhere > area

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from isocost.curves.cost import CostLine, line_to_point, point_to_line
from isocost.errors import InputError
from strategies import points

wide = st.floats(-5, 5).map(lambda v: round(v, 6))


@given(wide, wide)
def test_point_to_line_and_back(fpr, tpr):
    """Also for points outside the unit square, which duals of constraint lines need."""
    x, y = CostLine.from_point(fpr, tpr).point
    assert x == fpr
    assert y == pytest.approx(tpr, abs=1e-14)


@given(wide.filter(lambda v: abs(v + 1) > 1e-3), wide)
def test_line_to_point_and_back(slope, start):
    """Slope and intercept come back; a negative slope has its point outside [0, 1]."""
    pcf, value = line_to_point(slope, start)
    again = point_to_line(pcf, value)
    assert again[0] == pytest.approx(slope, abs=1e-9)
    assert again[1] == pytest.approx(start, abs=1e-9)
    if slope < 0:
        assert not 0 <= pcf <= 1


@given(points, points)
def test_two_points_on_a_roc_line_cross_at_its_dual_point(a, b):
    """The cost lines of two operating points meet in the dual of the line through them."""
    (x1, y1), (x2, y2) = a, b
    assume(abs(x1 - x2) >= 1e-3 and abs((y2 - y1) / (x2 - x1) + 1) >= 1e-3)
    slope = (y2 - y1) / (x2 - x1)
    expected = line_to_point(slope, y1 - slope * x1)
    assert CostLine.from_point(*a).meet(CostLine.from_point(*b)) == pytest.approx(expected, abs=1e-6)


def test_the_classifier_of_figure_8():
    """FPR 0.09 and TPR 0.36: from 0.09 on the left to 0.64 on the right (Drummond & Holte 2000)."""
    line = CostLine.from_point(0.09, 0.36)
    assert (line.at(0), line.at(1)) == (0.09, 0.64)
    assert line.as_curve()([0, 1]).tolist() == [0.09, 0.64]
    assert line.slope == pytest.approx(0.55)


def test_the_four_extreme_classifiers_of_figure_7():
    """Always wrong, always right, always negative, always positive."""
    ends = {(1, 0): (1, 1), (0, 1): (0, 0), (0, 0): (0, 1), (1, 1): (1, 0)}
    for point, (left, right) in ends.items():
        line = CostLine.from_point(*point)
        assert (line.at(0), line.at(1)) == (left, right)


def test_lines_without_a_dual_point_are_refused():
    """Slope -1 joins parallel cost lines; a vertical line is told what its point is."""
    assert CostLine.from_point(0.2, 0.5).meet(CostLine.from_point(0.3, 0.4)) is None
    with pytest.raises(InputError, match="parallel"):
        line_to_point(-1, 0.5)
    with pytest.raises(InputError, match="vertical line of ROC space has pcf = 0"):
        line_to_point(math.inf, 0)
    with pytest.raises(InputError, match="fpr = value"):
        point_to_line(0, 0.3)

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.curves.roc import bare_rates
from isocost.errors import InputError
from oracles import volume
from strategies import curves, point_sets, uncertain_conditions, unit


@given(st.fractions(0, 1, max_denominator=1000), st.fractions(0, 1, max_denominator=1000))
@example(Fraction(0), Fraction(0))
@example(Fraction(1), Fraction(1))
@example(Fraction(1, 2), Fraction(1, 2))
def test_area_equals_the_clipped_square(cost, t):
    """Exact fractions of a polygon agree, for costs better and worse than trivial and at t = 0 and t = 1."""
    assert ic.measures.lesser_area(float(cost), float(t)) == pytest.approx(
        float(volume.lesser_area(cost, t)), abs=1e-15
    )


@given(unit, unit)
def test_area_equals_the_general_formula(cost, t):
    """1 - F with F the distribution function of tU + (1-t)V, in exact fractions."""
    c, s = Fraction(cost), Fraction(t)
    if s in (0, 1):
        expected = 1 - c
    else:
        terms = [c, c - s, c - 1 + s, c - 1]
        squares = [max(v, 0) ** 2 for v in terms]
        expected = 1 - (squares[0] - squares[1] - squares[2] + squares[3]) / (2 * s * (1 - s))
    # t is what a float holds, so 1 - t is exact next to 1 but not next to 0.
    assert ic.measures.lesser_area(cost, t) == pytest.approx(float(expected), abs=4e-16)


@given(unit, unit, unit)
def test_area_falls_with_cost(a, b, t):
    """Lemma 45: at a fixed t more cost means fewer lesser classifiers."""
    low, high = sorted((a, b))
    assert ic.measures.lesser_area(low, t) >= ic.measures.lesser_area(high, t) - 1e-15


@pytest.mark.parametrize("t", [0.0, 5e-324, 1e-308, 1e-16, 1 - 2**-53, 1.0])
def test_area_has_its_limits_next_to_the_ends(t):
    """At t → 0 and t → 1 one rate decides alone; no warning, no NaN, whatever the cost."""
    cost = np.array([0.0, 5e-324, 1e-308, 1e-17, 0.3, 1 - 2**-53, 1.0])
    areas = ic.measures.lesser_area(cost, t)
    assert np.all(np.diff(areas) <= 0)
    assert areas[0] == 1
    assert areas[4] == pytest.approx(0.7, abs=1e-15)
    assert areas[-1] == 0


def test_arrays_broadcast():
    """A column of costs against a row of t."""
    areas = ic.measures.lesser_area(np.array([[0.1], [0.2]]), np.array([0.3, 0.5, 0.7]))
    assert areas.shape == (2, 3)
    assert areas[1, 2] == ic.measures.lesser_area(0.2, 0.7)


@pytest.mark.parametrize(
    ("cost", "t", "message"),
    [
        (1.5, 0.5, "cost must lie between 0 and 1, got 1.5: 1 of 1 rows, the first is row 1"),
        ([0.1, -0.2, np.nan], 0.5, "cost must lie between 0 and 1, got -0.2: 2 of 3 rows, the first is row 2"),
        (0.5, 2, "t must lie between 0 and 1, got 2.0"),
        ("high", 0.5, "cost must hold numbers between 0 and 1"),
    ],
)
def test_numbers_outside_the_unit_interval_are_errors(cost, t, message):
    """The message shows the value, how many there are and where."""
    with pytest.raises(InputError) as caught:
        ic.measures.lesser_area(cost, t)
    assert message in str(caught.value)


@given(curves(), unit)
def test_curve_has_the_area_of_the_cheapest_point(curve, t):
    """At every t, the area of lesser classifiers of the best vertex."""
    expected = ic.measures.lesser_area(float(np.clip(curve.optimal_cost(t), 0, 1)), t)
    assert ic.measures.lesser_area_curve(curve)(t) == pytest.approx(expected, abs=1e-14)


@given(point_sets(), st.floats(0.01, 0.99))
def test_bare_points_have_the_area_of_the_cheapest_of_them(points, t):
    """Without the trivial classifiers the best point may be worse than both."""
    curve = ic.RocCurve.from_points(*points)
    x, y = bare_rates(curve)
    cost = np.min(t * x + (1 - t) * (1 - y))
    assert ic.measures.lesser_area_curve(curve, include_trivial=False)(t) == pytest.approx(
        ic.measures.lesser_area(cost, t), abs=1e-14
    )


@given(curves(), uncertain_conditions())
def test_expectation_equals_the_mean_of_the_areas(curve, over):
    """The closed form of every distribution against integrating the areas themselves."""
    areas = ic.measures.lesser_area_curve(curve)
    assert areas.expectation(over) == pytest.approx(over.density.expect(areas, areas.breaks), abs=1e-9)


def test_breaks_are_exact():
    """Where the cheapest of three vertices changes, t = slope/(1 + slope)."""
    areas = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.25], [0.75]))
    assert areas.breaks.tolist() == [0.0, 0.25, 0.75, 1.0]
    assert areas.to_dict() == {
        "name": None,
        "breaks": [0.0, 0.25, 0.75, 1.0],
        "fpr": [1.0, 0.25, 0.0],
        "tpr": [1.0, 0.75, 0.0],
        "missed": [0.0, 0.25, 1.0],
    }


def test_continuous_curves_are_refused():
    """They have no pieces."""
    curve = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
    with pytest.raises(InputError, match=r"lesser_area_curve needs a finite list of operating points"):
        ic.measures.lesser_area_curve(curve)


def test_a_curve_of_one_score_has_no_bare_points():
    """Flagging nobody and everybody is all that a constant score can do."""
    curve = ic.RocCurve.from_scores([0, 1], [0.5, 0.5])
    with pytest.raises(InputError, match="besides the trivial classifiers there is none"):
        ic.measures.lesser_area_curve(curve, include_trivial=False)

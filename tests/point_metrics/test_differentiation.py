import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from isocost.point_metrics import METRICS
from isocost.point_metrics.differentiation import turn

rng = np.random.default_rng(11)
FPR, TPR = rng.uniform(0.01, 0.99, (2, 300))
SKEW = np.exp(rng.uniform(-3, 3, 300))


def as_function(metric):
    """The metric without its closed forms, in the way a user would write it: arrays in, arrays out, complex or not."""
    return lambda fpr, tpr, c: metric._value(fpr, tpr, np.ones_like(c), c, **metric.options)


@pytest.mark.parametrize("name", METRICS)
def test_a_function_has_the_effective_skew_of_the_metric_it_copies(name):
    """Differentiating numerically gives the closed form, to 1e-6 of an angle at worst and far better for most."""
    apart = np.abs(TPR - FPR) > 0.01
    got = ic.effective_skew(as_function(METRICS[name].counted(30)), FPR[apart], TPR[apart], skew_ratio=SKEW[apart])
    expected = ic.effective_skew(METRICS[name].counted(30), FPR[apart], TPR[apart], skew_ratio=SKEW[apart])
    error = turn(got, expected)
    assert error.max() < 1e-6
    assert np.median(error) < 1e-10


def test_analytic_functions_are_differentiated_to_rounding():
    """The complex step has no truncation error, also on the border."""

    def smooth(fpr, tpr, c):
        return np.exp(tpr) / (1 + c * np.sin(fpr))

    fpr, tpr = np.array([0, 0.3, 1, 0.5]), np.array([0.5, 0, 1, 0.999])
    expected = 2 * np.cos(fpr) / (1 + 2 * np.sin(fpr))
    np.testing.assert_allclose(ic.effective_skew(smooth, fpr, tpr, skew_ratio=2), expected, rtol=1e-14)


@pytest.mark.parametrize(
    "function",
    [
        lambda fpr, tpr, c: tpr - c * abs(fpr - 0.5) ** 3 - c * fpr,
        lambda fpr, tpr, c: np.real(tpr - c * np.abs(fpr - 0.5) ** 3 - c * fpr),
        lambda fpr, tpr, c: float(tpr) - c * math.pow(abs(fpr - 0.5), 3) - c * fpr,
        lambda fpr, tpr, c: (
            (tpr - c * fpr - c * (0.5 - fpr) ** 3) if fpr < 0.5 else (tpr - c * fpr - c * (fpr - 0.5) ** 3)
        ),
    ],
    ids=["complex only in part", "real part", "numbers only", "branches"],
)
def test_functions_that_cannot_take_a_complex_step_fall_back_on_differences(function):
    """Moduli, casts to float and branches: still right to 1e-8, inside and on the border."""
    fpr, tpr = np.array([0.0, 0.2, 0.7, 1.0]), np.array([0.3, 0.0, 1.0, 0.4])
    expected = 2 * (1 + 3 * np.sign(fpr - 0.5) * (fpr - 0.5) ** 2)
    np.testing.assert_allclose(ic.effective_skew(function, fpr, tpr, skew_ratio=2), expected, rtol=1e-8)


def test_a_modulus_that_hides_the_derivative_is_noticed():
    """Fpr + |fpr - 1/2| keeps a complex type but loses half its derivative under a complex step; differences win."""
    slope = ic.effective_skew(lambda h, k, c: k - (h + np.abs(h - 0.5)) + 0 * c, [0.2, 0.8], 0.5)
    np.testing.assert_allclose(slope, [0, 2], atol=1e-9)


def test_functions_of_single_numbers_are_called_point_by_point():
    """math.sqrt and if-statements work; the result has the shape of the points."""
    metric = ic.point_metrics.from_function(lambda h, k, c: math.sqrt(k) if h < k else c * k, name="scalar")
    values = metric(np.array([[0.1], [0.9]]), [0.25, 0.5], 3)
    np.testing.assert_allclose(values, [[0.5, math.sqrt(0.5)], [0.75, 1.5]])


def test_an_error_inside_a_function_is_the_functions_own():
    """It is not swallowed by the second attempt."""

    def broken(*_):
        raise ValueError("no data today")

    with pytest.raises(ValueError, match="no data today"):
        ic.point_metrics.from_function(broken)(0.1, 0.8, 1)


def test_a_function_must_return_one_number_for_each_point():
    """Text and arrays of another shape are named."""
    with pytest.raises(InputError, match="metric 'words' must return numbers, got <U4"):
        ic.point_metrics.from_function(lambda *_: "good", name="words")(0.1, 0.8)
    with pytest.raises(InputError, match=r"metric 'pair' must return one value for each point: got shape \(2,\)"):
        ic.point_metrics.from_function(lambda *_: [1, 2], name="pair")(0.1, [0.8, 0.9, 1])


def test_where_the_gradient_vanishes_there_is_no_slope():
    """NaN, not a guess; a vertical isometric is +inf whichever way the metric grows."""
    assert math.isnan(ic.effective_skew(lambda h, k, c: (k - h) ** 2 + 0 * c, 0.4, 0.4))
    assert ic.effective_skew(lambda h, k, c: -h + 0 * k + 0 * c, 0.4, 0.4) == math.inf
    assert ic.effective_skew(lambda h, k, c: h + 0 * k + 0 * c, 0.4, 0.4) == math.inf


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_turn_is_the_angle_between_lines(a, b):
    """Symmetric, at most a right angle, and blind to the sign of an infinite slope."""
    first, second = np.array(a), np.array(b)
    cosine = abs(1 + a * b) / math.sqrt((1 + a * a) * (1 + b * b))
    assert turn(first, second) == pytest.approx(math.acos(min(cosine, 1)), abs=1e-6)
    assert turn(np.array(np.inf), np.array(-np.inf)) == pytest.approx(0, abs=1e-15)

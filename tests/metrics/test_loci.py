import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError
from isocost.metrics import METRICS
from isocost.metrics.loci import clip, root_between, trace, turn

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
    got = ic.metrics.effective_skew(
        as_function(METRICS[name].counted(30)), FPR[apart], TPR[apart], skew_ratio=SKEW[apart]
    )
    expected = ic.metrics.effective_skew(METRICS[name].counted(30), FPR[apart], TPR[apart], skew_ratio=SKEW[apart])
    error = turn(got, expected)
    assert error.max() < 1e-6
    assert np.median(error) < 1e-10


def test_smooth_functions_are_differentiated_almost_to_rounding():
    """Also on the border."""

    def smooth(fpr, tpr, c):
        return np.exp(tpr) / (1 + c * np.sin(fpr))

    fpr, tpr = np.array([0, 0.3, 1, 0.5]), np.array([0.5, 0, 1, 0.999])
    expected = 2 * np.cos(fpr) / (1 + 2 * np.sin(fpr))
    np.testing.assert_allclose(ic.metrics.effective_skew(smooth, fpr, tpr, skew_ratio=2), expected, rtol=1e-10)


@pytest.mark.parametrize(
    "function",
    [
        lambda fpr, tpr, c: tpr - c * abs(fpr - 0.5) ** 3 - c * fpr,
        lambda fpr, tpr, c: np.real(tpr - c * np.abs(fpr - 0.5) ** 3 - c * fpr),
    ],
    ids=["modulus", "real part"],
)
def test_functions_need_not_be_analytic(function):
    """Moduli and real parts: right to 1e-8, inside and on the border."""
    fpr, tpr = np.array([0.0, 0.2, 0.7, 1.0]), np.array([0.3, 0.0, 1.0, 0.4])
    expected = 2 * (1 + 3 * np.sign(fpr - 0.5) * (fpr - 0.5) ** 2)
    np.testing.assert_allclose(ic.metrics.effective_skew(function, fpr, tpr, skew_ratio=2), expected, rtol=1e-8)


def test_a_modulus_has_a_slope_on_either_side():
    """Fpr + |fpr - 1/2| has two slopes."""
    slope = ic.metrics.effective_skew(lambda h, k, c: k - (h + np.abs(h - 0.5)) + 0 * c, [0.2, 0.8], 0.5)
    np.testing.assert_allclose(slope, [0, 2], atol=1e-9)


def test_an_error_inside_a_function_is_the_functions_own():
    """It is not swallowed."""

    def broken(*_):
        raise ValueError("no data today")

    with pytest.raises(ValueError, match="no data today"):
        ic.metrics.from_function(broken)(0.1, 0.8, 1)


def test_a_function_must_return_one_number_for_each_point():
    """Text and arrays of another shape are named."""
    with pytest.raises(InputError, match="metric 'words' must return one number for each point, got <U4"):
        ic.metrics.from_function(lambda *_: "good", name="words")(0.1, 0.8)
    with pytest.raises(
        InputError, match=r"metric 'pair' must return one number for each point, got int64 of shape \(2,\)"
    ):
        ic.metrics.from_function(lambda *_: [1, 2], name="pair")(0.1, [0.8, 0.9, 1])


def test_where_the_gradient_vanishes_there_is_no_slope():
    """NaN, not a guess; a vertical isometric is +inf whichever way the metric grows."""
    assert math.isnan(ic.metrics.effective_skew(lambda h, k, c: (k - h) ** 2 + 0 * c, 0.4, 0.4))
    assert ic.metrics.effective_skew(lambda h, k, c: -h + 0 * k + 0 * c, 0.4, 0.4) == math.inf
    assert ic.metrics.effective_skew(lambda h, k, c: h + 0 * k + 0 * c, 0.4, 0.4) == math.inf


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_turn_is_the_angle_between_lines(a, b):
    """Symmetric, at most a right angle, and blind to the sign of an infinite slope."""
    first, second = np.array(a), np.array(b)
    cosine = abs(1 + a * b) / math.sqrt((1 + a * a) * (1 + b * b))
    assert turn(first, second) == pytest.approx(math.acos(min(cosine, 1)), abs=1e-6)
    assert turn(np.array(np.inf), np.array(-np.inf)) == pytest.approx(0, abs=1e-15)


coefficient = st.floats(-3, 3).map(lambda x: round(x, 3))


@given(coefficient, coefficient, coefficient)
def test_clipping_keeps_what_a_dense_sample_of_the_line_finds(a, b, c):
    """Ends lie on the line and on the border; a sampled point of the line inside the square lies between them."""
    path = clip((a, b, c))
    if (a, b) == (0, 0):
        assert path is None
        return
    norm = a * a + b * b
    along = np.linspace(-3, 3, 2001)
    fpr, tpr = a * c / norm - b * along, b * c / norm + a * along
    inside = (fpr >= 0) & (fpr <= 1) & (tpr >= 0) & (tpr <= 1)
    if path is None:
        assert not inside.any()
        return
    size = abs(a) + abs(b) + abs(c)
    np.testing.assert_allclose(a * path.fpr + b * path.tpr, c, atol=1e-11 * size)
    assert np.all((path.fpr >= 0) & (path.fpr <= 1) & (path.tpr >= 0) & (path.tpr <= 1))
    assert all(min(h, 1 - h, k, 1 - k) < 1e-9 for h, k in zip(path.fpr, path.tpr, strict=True))
    if inside.any():
        assert fpr[inside].min() >= path.fpr.min() - 1e-9
        assert fpr[inside].max() <= path.fpr.max() + 1e-9
        assert tpr[inside].min() >= path.tpr.min() - 1e-9
        assert tpr[inside].max() <= path.tpr.max() + 1e-9


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ((1, -1, 0), [(0, 0), (1, 1)]),
        ((1, 1, 1), [(0, 1), (1, 0)]),
        ((1, 0, 0.25), [(0.25, 0), (0.25, 1)]),
        ((0, 2, 1), [(0, 0.5), (1, 0.5)]),
        ((1, 1, 0), [(0, 0)]),
        ((1, 1, 2), [(1, 1)]),
        ((-1, 1, 1), [(0, 1)]),
        ((1, 1, 2.1), None),
        ((1, 1, 2 + 1e-9), None),
        ((1, 1, 2 + 1e-14), [(1, 1)]),
        ((0, 1, -0.1), None),
    ],
)
def test_clipping_of_special_lines(line, points):
    """Diagonals, verticals, horizontals, lines that touch a corner, lines that miss."""
    path = clip(line)
    found = None if path is None else list(zip(path.fpr.tolist(), path.tpr.tolist(), strict=True))
    assert found == points


def test_roots_are_found_to_the_last_bit():
    """All brackets at once, rising or falling, with roots at their ends too."""
    target = np.array([0.0, 0.1, 1 / 3, 0.7, 1.0])
    for sign in (1, -1):

        def field(x, sign=sign):
            return sign * (x - target) ** 3

        found = root_between(field, field(np.zeros(5)), field(np.ones(5)))
        np.testing.assert_allclose(found, target, rtol=0, atol=2**-52)


def test_a_circle_is_traced_as_a_closed_path():
    """A curve that does not reach the border comes back to its start."""
    locus = trace(lambda h, k: (h - 0.5) ** 2 + (k - 0.4) ** 2 - 0.09, caller="test")
    (path,) = locus.paths
    assert (path.fpr[0], path.tpr[0]) == (path.fpr[-1], path.tpr[-1])
    np.testing.assert_allclose(np.hypot(path.fpr - 0.5, path.tpr - 0.4), 0.3, atol=1e-15)


def test_zeros_without_a_change_of_sign_are_found_on_sides_diagonals_and_corners():
    """And only there; a field that is zero everywhere is the whole square."""
    assert trace(lambda h, k: 0 * h * k, caller="test").whole_square
    (line,) = trace(lambda h, k: (h - k) ** 2, caller="test").paths
    assert (line.fpr.tolist(), line.tpr.tolist()) == ([0, 1], [0, 1])
    (corner,) = trace(lambda h, k: h + 1 - k, caller="test").paths
    assert (corner.fpr.tolist(), corner.tpr.tolist()) == ([0], [1])
    assert trace(lambda h, k: h + k + 1, caller="test").paths == ()


def test_a_curve_that_meets_a_side_of_zeros_is_found_with_it():
    """The field k·(k - (1 - 2h)) is zero on the fpr axis and on a line: both, and nothing else."""
    paths = trace(lambda h, k: k * (k - (1 - 2 * h)), caller="test").paths
    fpr, tpr = (np.concatenate([getattr(path, name) for path in paths]) for name in ("fpr", "tpr"))
    np.testing.assert_allclose(tpr * (tpr - (1 - 2 * fpr)), 0, atol=1e-15)
    assert (fpr[tpr == 0].min(), fpr[tpr == 0].max(), tpr.max()) == (0, 1, 1)


def test_where_the_field_has_no_value_nothing_is_traced():
    """NaN cells are left out, the rest of the curve stays."""
    locus = trace(lambda h, k: np.where(h < 0.3, np.nan, k - 0.51), caller="test")
    (path,) = locus.paths
    assert path.fpr.min() >= 0.3
    assert path.fpr.max() == 1
    np.testing.assert_allclose(path.tpr, 0.51, atol=1e-15)

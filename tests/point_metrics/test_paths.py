import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isocost.point_metrics.paths import clip, root_between, trace

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


def test_a_curve_that_meets_a_side_of_zeros_ends_there():
    """The field k·(k - (1 - 2h)) is zero on the fpr axis and on a line; they come out apart, joined exactly."""
    paths = trace(lambda h, k: k * (k - (1 - 2 * h)), caller="test").paths
    assert len(paths) == 2
    ends = sorted(tuple(np.round([p.fpr[0], p.tpr[0], p.fpr[-1], p.tpr[-1]], 12)) for p in paths)
    assert ends in ([(0, 0, 1, 0), (0, 1, 0.5, 0)], [(0, 0, 1, 0), (0.5, 0, 0, 1)])


def test_where_the_field_has_no_value_nothing_is_traced():
    """NaN cells are left out, the rest of the curve stays."""
    locus = trace(lambda h, k: np.where(h < 0.3, np.nan, k - 0.51), caller="test")
    (path,) = locus.paths
    assert path.fpr.min() >= 0.3
    assert path.fpr.max() == 1
    np.testing.assert_allclose(path.tpr, 0.51, atol=1e-15)

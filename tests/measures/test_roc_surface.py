import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.errors import InputError
from strategies import curves, points, unit


@given(points, unit)
def test_every_point_of_a_level_saddle_costs_the_same_at_its_t(point, t):
    """Lemma 51: the line through (h, k) with slope t/(1-t), cut to the unit square."""
    h, k = point
    saddle = ic.measures.level_saddle(h, k)
    x0, y0, x1, y1 = (float(v) for v in saddle.line(t))
    for x, y in ((x0, y0), (x1, y1)):
        assert t * x + (1 - t) * (1 - y) == pytest.approx(t * h + (1 - t) * (1 - k), abs=1e-14)
    # Both ends lie on the border.
    assert min(x0, y0) == pytest.approx(0, abs=1e-14)
    assert max(x1, y1) == pytest.approx(1, abs=1e-14)


@given(curves(), unit)
def test_the_surface_follows_the_cheapest_point(curve, t):
    """Lemma 54: at each t the line that the best vertex's cost draws."""
    x0, y0, x1, y1 = (float(v) for v in ic.measures.RocSurface.from_curve(curve).line(t))
    for x, y in ((x0, y0), (x1, y1)):
        assert t * x + (1 - t) * (1 - y) == pytest.approx(float(curve.optimal_cost(t)), abs=1e-13)


@given(curves())
def test_patches_join_and_cover_every_t(curve):
    """Each begins where the one before ends; the breaks are the switches of the hull."""
    surface = ic.measures.RocSurface.from_curve(curve)
    assert surface.breaks[0] == 0
    assert surface.breaks[-1] == 1
    for before, after in zip(surface.patches[:-1], surface.patches[1:], strict=True):
        assert before.t_high == after.t_low
        ends = [ic.measures.level_saddle(patch.fpr, patch.tpr).line(before.t_high) for patch in (before, after)]
        np.testing.assert_allclose(*ends, atol=1e-12)
    assert set(surface.breaks[1:-1]) <= set(curve.switches)


@given(curves(), st.integers(2, 30), st.integers(2, 10))
def test_grid_has_a_row_at_every_break(curve, rows, columns):
    """Rows are lines of one t, columns run from border to border."""
    surface = ic.measures.RocSurface.from_curve(curve)
    fpr, tpr, t = surface.grid(rows, columns)
    assert fpr.shape == tpr.shape == t.shape == (len(t), columns)
    assert set(surface.breaks) <= set(t[:, 0])
    assert np.ptp(t, axis=1).max() == 0
    cost = t * fpr + (1 - t) * (1 - tpr)
    assert np.ptp(cost, axis=1).max() < 1e-13


def test_volume_below_the_surface_is_the_voros():
    """The share of points (x, y, t) of a fine grid that cost at least as much as the surface there."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9])
    centre = (np.arange(80) + 0.5) / 80
    x, y, t = np.meshgrid(centre, centre, centre)
    x0, y0, *_ = ic.measures.RocSurface.from_curve(curve).line(t)
    share = np.mean(t * x + (1 - t) * (1 - y) >= t * x0 + (1 - t) * (1 - y0))
    assert share == pytest.approx(ic.voros(curve), abs=2e-3)


def test_bad_input_is_explained():
    """Rates outside the square, and curves without vertices."""
    with pytest.raises(InputError, match=r"fpr must be between 0 and 1, got 1\.2"):
        ic.measures.level_saddle(1.2, 0.5)
    with pytest.raises(InputError, match="is continuous: sample it"):
        ic.measures.RocSurface.from_curve(ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1)))

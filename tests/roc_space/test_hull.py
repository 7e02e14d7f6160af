from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.roc_space.hull import upper_hull
from oracles import brute_force
from strategies import point_sets, samples


@given(samples(weighted=(None, "whole")))
def test_hull_of_counts_equals_exact_brute_force(sample):
    """Vertices only, no collinear point, by exact fractions over every pair of points."""
    expected = brute_force.hull(brute_force.points(sample.y, sample.s, sample.w))
    curve = sample.curve
    got = [
        (Fraction(int(fp), int(curve.negatives)), Fraction(int(tp), int(curve.positives)))
        for fp, tp in zip(curve.hull.fp, curve.hull.tp, strict=True)
    ]
    assert got == expected


@given(point_sets())
def test_hull_of_points_covers_every_point_and_is_concave(points):
    """For rates given as floats, up to their rounding."""
    fpr, tpr = points
    hull = ic.RocCurve.from_points(fpr, tpr).hull
    for t in np.linspace(0, 1, 21):
        lowest = np.min(t * fpr + (1 - t) * (1 - tpr), initial=min(t, 1 - t))
        assert hull.optimal_cost(t) == pytest.approx(lowest, abs=1e-14)
    slopes = np.diff(hull.tpr) / np.maximum(np.diff(hull.fpr), 1e-300)
    assert np.all(np.diff(slopes) < 0)
    assert (hull.fpr[0], hull.tpr[0], hull.fpr[-1], hull.tpr[-1]) == (0, 0, 1, 1)


def test_collinear_rates_are_not_vertices():
    """0.1, 0.2, 0.3 are not exactly on a line in binary; they are meant to be."""
    hull = ic.RocCurve.from_points([0.1, 0.2, 0.3], [0.3, 0.6, 0.9]).hull
    assert hull.fpr.tolist() == [0, 0.3, 1]


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(65, 3000), st.integers(1, 50))
def test_elimination_of_many_points_equals_the_plain_walk(seed, size, levels):
    """Rounds of elimination drop only what the walk would drop, with ties and long collinear runs."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, levels, (2, size))
    x, y = np.cumsum(steps, axis=1)
    x, y = np.concatenate([[0], x]), np.concatenate([[0], y])
    got = upper_hull(x, y)
    from isocost.roc_space import hull as module

    expected = module._walk(x, y, module._distinct(x, y), exact=True)
    assert got.tolist() == expected.tolist()


def test_counts_beyond_the_range_of_products_stay_exact():
    """Class totals whose product overflows 64 bits give the exact hull: one case in 10^12 makes the vertex."""
    big = 10**12
    x = np.array([0, big, 2 * big, 3 * big + 1, 4 * big])
    y = np.array([0, big, 2 * big + 1, 3 * big + 1, 4 * big])
    assert upper_hull(x, y).tolist() == [0, 2, 4]

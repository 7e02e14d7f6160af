from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.curves import hull as module
from isocost.curves.hull import cheapest, upper_hull
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
    new = np.append(True, (np.diff(x) > 0) | (np.diff(y) > 0))
    expected = module._walk(x, y, np.flatnonzero(new), exact=True)
    assert upper_hull(x, y).tolist() == expected.tolist()


def test_a_hull_that_loses_one_point_a_round_is_left_to_the_walk():
    """All points of a bend, up to the last: each round drops only the one before it."""
    x = np.arange(301)
    y = np.append(np.cumsum(np.arange(300)), 0)
    y[-1] = y[-2]
    x[-1] += 10**6
    assert upper_hull(x, -y).tolist() == [0, 300]


@pytest.mark.parametrize("k", [2**25, 2**39 + 1, 2**61])
def test_a_turn_of_one_unit_is_seen(k):
    """The least there is, whether products of counts fit 64 bits or not."""
    assert upper_hull(np.array([0, k, 2 * k + 1]), -np.array([0, k - 1, 2 * k - 1])).size == 3
    assert upper_hull(np.array([0, k + 1, 2 * k + 1]), -np.array([0, k, 2 * k - 1])).size == 2


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(30, 2000), st.integers(1, 20), st.sampled_from(["path", "arc", "points"]))
def test_parts_and_blocks_that_are_looked_at_first_give_the_same_hull(seed, size, levels, kind):
    """Of paths with ties, of arcs that are all vertices, of points in any order."""
    rng = np.random.default_rng(seed)
    match kind:
        case "path":
            x, y = np.cumsum(rng.integers(0, levels, (2, size)), axis=1)
        case "arc":
            x = np.arange(size)
            y = np.cumsum(np.arange(size)[::-1] + rng.integers(0, 2, size))
        case "points":
            x, y = np.sort(rng.random(size)), rng.random(size)
    ends = np.repeat(np.arange(size), np.where(np.arange(size) == size - 1, 12, 1))  # the last point several times
    x, y = (np.concatenate([v[:1] * 0, v[ends]]) for v in (x, y))
    expected = upper_hull(x, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PART", 6)
        assert upper_hull(x, y).tolist() == expected.tolist()
        patch.setattr(module, "_MANY", 8)
        patch.setattr(module, "_BLOCK", 5)
        assert upper_hull(x, y).tolist() == expected.tolist()


def test_counts_beyond_the_range_of_products_stay_exact():
    """Class totals whose product overflows 64 bits give the exact hull: one case in 10^12 makes the vertex."""
    big = 10**12
    x = np.array([0, big, 2 * big, 3 * big + 1, 4 * big])
    y = np.array([0, big, 2 * big + 1, 3 * big + 1, 4 * big])
    assert upper_hull(x, y).tolist() == [0, 2, 4]


@given(point_sets())
def test_cheapest_points_are_those_of_a_plain_search(points):
    """At every t the cheapest of the points themselves, with no trivial classifier added."""
    order = np.lexsort((points[1], points[0]))
    x, y = points[0][order], points[1][order]
    index, switch_t = cheapest(x, y)
    assert np.all(np.diff(switch_t) >= 0)
    for t in np.linspace(0, 1, 21):
        best = index[::-1][np.searchsorted(switch_t, t, side="right")]
        assert t * x[best] + (1 - t) * (1 - y[best]) == pytest.approx(np.min(t * x + (1 - t) * (1 - y)), abs=1e-14)

"""Dominance, and the lemmas of Ratigan & Cowen about it (as corrected in docs/explanation/errata.md), in fractions."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.curves.roc import renamed
from oracles import brute_force
from strategies import conditions, curves, model_sets, point_sets, points, uncertain_conditions

share = st.fractions(0, 1, max_denominator=60)
exact_point = st.tuples(share, share)


def dominates(p, q):
    """Definition 2: above and to the left, or equal."""
    return p[0] <= q[0] and p[1] >= q[1]


def as_curve(xy):
    """A point set as a curve without names."""
    return ic.RocCurve.from_points(*xy)


def collection(curve):
    """The operating points of a curve."""
    return list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))


@given(points, points)
def test_a_point_dominates_another_above_and_to_the_left(p, q):
    """Definition 2, and strict if one of the two inequalities is."""
    assert ic.compare.roc_dominates(p, q) == dominates(p, q)
    assert ic.compare.roc_dominates(p, q, strict=True) == (dominates(p, q) and p != q)


@given(point_sets(), point_sets())
def test_a_curve_dominates_when_each_point_of_the_other_has_a_better_one(a, b):
    """The first clause of Definition 3, over all pairs of points."""
    a, b = as_curve(a), as_curve(b)
    covered = all(any(dominates(f, g) for f in collection(a)) for g in collection(b))
    assert ic.compare.roc_dominates(a, b) == covered


@given(point_sets(), point_sets())
def test_no_useful_point_of_a_dominating_curve_is_strictly_dominated(a, b):
    """The second clause of Definition 3 in the strict sense, for the points that their own curve does not make useless."""
    a, b = as_curve(a), as_curve(b)
    assume(ic.compare.roc_dominates(a, b))
    useful = [f for f in collection(a) if not any(dominates(g, f) and g != f for g in collection(a))]
    assert not any(dominates(g, f) and g != f for f in useful for g in collection(b))


@given(point_sets(max_size=4), point_sets(max_size=4), point_sets(max_size=4))
def test_strict_dominance_is_a_partial_order(a, b, c):
    """Lemma 4: irreflexive, antisymmetric and transitive, for curves."""
    a, b, c = map(as_curve, (a, b, c))
    assert not ic.compare.roc_dominates(a, a, strict=True)
    assert not (ic.compare.roc_dominates(a, b, strict=True) and ic.compare.roc_dominates(b, a, strict=True))
    if ic.compare.roc_dominates(a, b, strict=True) and ic.compare.roc_dominates(b, c, strict=True):
        assert ic.compare.roc_dominates(a, c, strict=True)


@given(curves(), points)
def test_a_point_and_a_curve_can_be_compared(curve, p):
    """A point counts as a collection of one."""
    assert ic.compare.roc_dominates(curve, p) == any(dominates(f, p) for f in collection(curve))
    assert ic.compare.roc_dominates(p, curve) == all(dominates(p, f) for f in collection(curve))


def test_the_perfect_curve_of_scores_dominates_a_random_one():
    """Thresholds that add nothing but false alarms do not stand in its way."""
    y = np.array([0, 1] * 20)
    perfect = ic.RocCurve.from_scores(y, y + np.linspace(0, 0.5, 40))
    noise = ic.RocCurve.from_scores(y, np.random.default_rng(1).random(40))
    assert ic.compare.roc_dominates(perfect, noise, strict=True)
    assert not ic.compare.roc_dominates(noise, perfect)


@given(share, exact_point)
def test_cost_of_the_trivial_and_of_the_antidiagonal_points(t, point):
    """Lemma 20, its second part corrected: the cost lies between fpr and 1 - tpr, whichever is larger."""
    x, y = point
    assert (brute_force.cost(t, 0, 0), brute_force.cost(t, 1, 1)) == (1 - t, t)
    assert min(x, 1 - y) <= brute_force.cost(t, x, y) <= max(x, 1 - y)
    assert brute_force.cost(t, x, 1 - x) == x
    a = min(x, 1 - x) * (2 * y - 1)
    assert brute_force.cost(t, x + a, 1 - x + a) == x + (2 * t - 1) * a
    condition = ic.Condition.from_t(float(t))
    assert condition.normalised_cost(float(x), float(y)) == pytest.approx(brute_force.cost(t, x, y), abs=1e-15)


@given(exact_point, exact_point, share)
def test_dominance_in_roc_space_is_dominance_at_all_costs(p, q, t):
    """Lemma 25: never more expensive at any t; and whoever costs no more at t = 0 and t = 1 dominates."""
    ends = [brute_force.cost(end, *p) <= brute_force.cost(end, *q) for end in (0, 1)]
    assert ic.compare.roc_dominates(p, q) == all(ends)
    if ic.compare.roc_dominates(p, q):
        assert brute_force.cost(t, *p) <= brute_force.cost(t, *q)


@given(exact_point, exact_point)
def test_equal_cost_means_the_slope_between_the_points(p, q):
    """Lemma 26: two points cost the same exactly at the t with t/(1-t) equal to their slope."""
    dx, dy = p[0] - q[0], p[1] - q[1]
    assume(dx * dy > 0)
    t = dy / (dx + dy)
    assert brute_force.cost(t, *p) == brute_force.cost(t, *q)
    other = t / 2
    assert brute_force.cost(other, *p) != brute_force.cost(other, *q)
    assert ic.Comparison([as_curve(p), as_curve(q)]).difference("model 1", "model 2")(float(1 - t)) == pytest.approx(
        float(min(brute_force.cost(t, *p), t, 1 - t) - min(brute_force.cost(t, *q), t, 1 - t)), abs=1e-15
    )


@given(exact_point, exact_point, st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50))
def test_cost_dominance_compares_the_slope_with_the_cost_ratio(p, q, t):
    """Lemma 28, both cases: right of the other the slope must exceed t/(1-t), left of it the slope must be less."""
    dx, dy = p[0] - q[0], p[1] - q[1]
    assume(dx != 0)
    m = t / (1 - t)
    assume(dy / dx != m)
    expected = dy / dx > m if dx > 0 else dy / dx < m
    at = ic.Condition.from_t(float(t))
    assert (at.normalised_cost(*map(float, p)) < at.normalised_cost(*map(float, q))) == expected


@given(point_sets(max_size=8))
def test_the_vertices_of_the_hull_are_exactly_the_points_that_are_optimal_alone(xy):
    """Lemma 32: each vertex is cheapest on its own at some t; no other point ever is."""
    tenths = [tuple(Fraction(round(float(v) * 10), 10) for v in point) for point in zip(*xy, strict=True)]
    all_points = sorted({*tenths, (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))})
    curve = ic.RocCurve.from_points([float(x) for x, _ in all_points], [float(y) for _, y in all_points])
    vertices = {(vertex.fpr, vertex.tpr): vertex for vertex in curve.vertices}
    for p in all_points:
        crossings = sorted(
            {(p[1] - q[1]) / ((p[0] - q[0]) + (p[1] - q[1])) for q in all_points if (p[0] - q[0]) * (p[1] - q[1]) > 0}
            | {Fraction(0), Fraction(1)}
        )
        middles = [(low + high) / 2 for low, high in pairwise(crossings)]
        alone = any(
            all(brute_force.cost(t, *p) < brute_force.cost(t, *q) for q in all_points if q != p) for t in middles
        )
        vertex = vertices.get((float(p[0]), float(p[1])))
        assert alone == (vertex is not None and vertex.t_low < vertex.t_high)


@given(exact_point, exact_point, share)
def test_what_does_not_dominate_a_point_costs_at_least_one_of_its_two_parts(p, q, t):
    """Theorem 39: min{t·fpr, (1-t)(1-tpr)} bounds the cost of all points that do not dominate, and is approached."""
    x, y = p
    bound = min(t * x, (1 - t) * (1 - y))
    if not ic.compare.roc_dominates(q, p):
        assert brute_force.cost(t, *q) >= bound
    step = Fraction(1, 10**9)
    near = [
        point for point in ((x + step, Fraction(1)), (Fraction(0), y - step)) if min(point) >= 0 and max(point) <= 1
    ]
    for point in near:
        assert not dominates(point, p)
    if len(near) == 2:
        assert min(brute_force.cost(t, *point) for point in near) <= bound + step


@given(curves(), curves(), conditions())
def test_cost_dominance_of_curves_compares_their_best_points(a, b, condition):
    """Definition 23: each point of the other has a cheaper one, so the best of it has."""
    costs = [min(condition.normalised_cost(c.fpr, c.tpr)) for c in (a, b)]
    if abs(costs[0] - costs[1]) > 1e-12:
        one, other = renamed(a, "a"), renamed(b, "b")
        assert ic.Comparison([one, other], same_data=False).dominates("a", "b", condition) == (costs[0] < costs[1])


def test_corrected_example_36():
    """Neither point dominates the other in ROC space, yet one costs a tenth of the other."""
    p, q, rare = (0.1, 0.5), (0.15, 0.95), ic.Condition.from_t(0.001)
    assert not ic.compare.roc_dominates(p, q)
    assert not ic.compare.roc_dominates(q, p)
    assert [round(rare.normalised_cost(*point), 4) for point in (p, q)] == [0.4996, 0.0501]


@given(model_sets(min_models=2, max_models=2), uncertain_conditions())
def test_a_model_dominates_on_a_range_when_it_never_costs_more_there(data, over):
    """Checked at the ends and at every switch of either model inside the range: costs are lines in between."""
    comparison = ic.Comparison.from_scores(*data)
    a, b = comparison.curves
    inner = np.concatenate([a.switches, b.switches])
    t = np.unique(np.concatenate([[over.low, over.high], inner[(inner > over.low) & (inner < over.high)]]))
    assume(over.low == over.high or over.high - over.low > 1e-6)
    gap = a.optimal_cost(t) - b.optimal_cost(t)
    assume(not np.any((gap != 0) & (np.abs(gap) < 1e-9)))  # too near to call in floats
    worse, better = gap.max() > 0, gap.min() < 0
    assert comparison.dominates(*comparison.names, over) == (better and not worse)
    if not worse:
        assert comparison.dominates(*comparison.names, over, strict=False)


@given(model_sets(min_models=2, max_models=2))
def test_dominance_in_roc_space_implies_dominance_in_cost_space(data):
    """Not the other way round: the hull of a model may do what none of its points does."""
    comparison = ic.Comparison.from_scores(*data)
    if ic.compare.roc_dominates(comparison["m0"], comparison["m1"]):
        assert comparison.dominates("m0", "m1", strict=False)


def test_a_hull_may_dominate_where_no_point_does():
    """A mix of two thresholds reaches what costs compare, but no single threshold does."""
    a = ic.RocCurve.from_points([0.0, 0.6], [0.4, 1.0], name="a")
    b = ic.RocCurve.from_points([0.3], [0.65], name="b")
    comparison = ic.Comparison([a, b])
    assert comparison.dominates("a", "b")
    assert not ic.compare.roc_dominates(a, b)


def test_bad_points_conditions_and_options_are_named():
    """What was expected, and what came."""
    with pytest.raises(ic.IsocostError, match=r"a must be a RocCurve or a point \(fpr, tpr\), got 3"):
        ic.compare.roc_dominates(3, (0, 1))
    with pytest.raises(ic.IsocostError, match=r"tpr of b must be between 0 and 1, got 2"):
        ic.compare.roc_dominates((0, 1), (0, 2))
    from scipy import stats

    smooth = ic.RocCurve.from_distributions(stats.norm(1), stats.norm(0))
    with pytest.raises(ic.IsocostError, match=r"is continuous: sample it"):
        ic.compare.roc_dominates(smooth, (0, 1))

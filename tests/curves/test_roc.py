import copy
import dataclasses
import json
import math
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_curve

import isocost as ic
from isocost.curves.roc import bare_rates, best_vertex, is_path, own_points, renamed
from isocost.errors import InputError
from oracles import brute_force
from strategies import point_sets, samples, unit

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text())


@given(samples())
def test_points_equal_applying_every_threshold(sample):
    """A threshold applied with score >= threshold has the rates the curve states."""
    curve = sample.curve
    expected = brute_force.points(sample.y, sample.s, sample.w)
    assert curve.thresholds.tolist() == [p[2] for p in expected]
    assert curve.fpr == pytest.approx([float(p[0]) for p in expected], abs=1e-14)
    assert curve.tpr == pytest.approx([float(p[1]) for p in expected], abs=1e-14)


@given(samples(kinds=("tied", "probabilities")))
def test_curve_equals_scikit_learn(sample):
    """Ties and weights included."""
    keep = slice(None) if sample.w is None else sample.w > 0
    weights = None if sample.w is None else sample.w[keep]
    fpr, tpr, thresholds = roc_curve(sample.y[keep], sample.s[keep], sample_weight=weights, drop_intermediate=False)
    curve = sample.curve
    assert curve.thresholds.tolist() == thresholds.tolist()
    assert curve.fpr == pytest.approx(fpr, abs=1e-14)
    assert curve.tpr == pytest.approx(tpr, abs=1e-14)


@given(samples(kinds=("tied", "probabilities")))
def test_a_strictly_monotone_transformation_changes_thresholds_only(sample):
    """Only the order of the scores matters."""
    curve = sample.curve
    moved = ic.RocCurve.from_scores(sample.y, 3 * sample.s - 7, sample_weight=sample.w)
    if len(moved) == len(curve):  # a transformation that merges neighbouring floats is not strictly monotone
        assert np.array_equal(moved.fp, curve.fp)
        assert np.array_equal(moved.tp, curve.tp)


@given(samples(weighted=(None, "whole")))
def test_swapping_the_classes_mirrors_roc_space(sample):
    """Calling negatives positive and turning the scores around exchanges fpr with 1 - tpr (Flach 2003, section 2.3)."""
    curve = sample.curve
    mirrored = ic.RocCurve.from_scores(1 - sample.y, -sample.s, sample_weight=sample.w)
    assert np.array_equal(mirrored.fp, (curve.tp[-1] - curve.tp)[::-1])
    assert np.array_equal(mirrored.tp, (curve.fp[-1] - curve.fp)[::-1])
    assert mirrored.switches == pytest.approx((1 - curve.switches)[::-1], abs=1e-14)


@given(samples(weighted=(None, "whole")), unit)
def test_the_vertex_said_to_be_cheapest_at_t_is(sample, t):
    """Against the minimum over every threshold, in exact arithmetic; its interval of t holds t (Lemma 32)."""
    curve = sample.curve
    expected = brute_force.envelope(brute_force.points(sample.y, sample.s, sample.w), Fraction(t))
    assert float(curve.optimal_cost(t)) == pytest.approx(float(expected), abs=1e-15)
    vertex = curve.vertices[int(best_vertex(curve, np.asarray(t)))]
    assert vertex.t_low <= t <= vertex.t_high


@given(samples())
def test_the_intervals_of_the_vertices_partition_the_axis(sample):
    """From t = 1 at (0, 0) down to t = 0 at (1, 1), without gap or overlap."""
    vertices = sample.curve.vertices
    assert vertices[0].t_high == 1
    assert vertices[-1].t_low == 0
    assert [v.t_low for v in vertices[:-1]] == [v.t_high for v in vertices[1:]]
    assert all(v.t_low <= v.t_high for v in vertices)
    assert vertices[0].trivial
    assert vertices[-1].trivial
    assert sum(v.trivial for v in vertices) == 2


@pytest.mark.parametrize("name", ["model_A", "model_B"])
def test_models_a_and_b_of_the_cost_space_paper(name):
    """Their hulls, switching points and areas as exact fractions."""
    golden = PAPERS[name]
    curve = ic.RocCurve.from_scores(golden["labels"], golden["scores"])
    hull = [(Fraction(int(v.fp), 3), Fraction(int(v.tp), 7)) for v in curve.vertices]
    assert hull == [tuple(map(Fraction, p)) for p in golden["hull"]]
    assert curve.switches == pytest.approx([float(t) for t in golden["switch_t"]], abs=1e-15)
    assert ic.auc(curve) == float(Fraction(golden["auc"]))
    assert ic.auc(curve.hull) == pytest.approx(float(Fraction(golden["area_under_hull"])), abs=1e-15)


def test_example_31_of_the_voros_paper():
    """The hull of four crisp classifiers (corrected: (1, 0), not (0, 1), closes the region)."""
    golden = PAPERS["voros_example_31"]
    fpr, tpr = zip(*golden["points"], strict=True)
    curve = ic.RocCurve.from_points(fpr, tpr)
    assert [[v.fpr, v.tpr] for v in curve.vertices] == golden["hull"]
    assert curve.switches == pytest.approx([float(t) for t in golden["switch_t"]], abs=1e-15)
    assert ic.auc(curve.hull) == pytest.approx(float(golden["area_under_hull"]), abs=1e-15)


def test_points_are_sorted_and_ends_are_marked_as_added():
    """The trivial classifiers are ends, but not part of what was given, unless they were."""
    curve = ic.RocCurve.from_points([0.8, 0.2], [0.75, 0.5], thresholds=[1, 2], name="pair")
    assert curve.fpr.tolist() == [0, 0.2, 0.8, 1]
    assert curve.thresholds.tolist() == [math.inf, 2, 1, -math.inf]
    assert own_points(curve) == slice(1, 3)
    assert bare_rates(curve)[0].tolist() == [0.2, 0.8]
    assert bare_rates(ic.RocCurve.from_points([0], [0]))[0].tolist() == [0]
    assert bare_rates(ic.RocCurve.from_scores([1, 0, 1], [3, 2, 1]))[1].tolist() == [0.5, 0.5]


def test_points_with_class_totals_are_whole_counts():
    """Rates that are counts over the totals become those counts; others stay rates."""
    curve = ic.RocCurve.from_points([0.1, 0.2, 0.3], [0.3, 0.6, 0.9], positives=10, negatives=10)
    assert curve.fp.dtype.kind == "i"
    assert curve.fp.tolist() == [0, 1, 2, 3, 10]
    assert curve.prevalence == 0.5
    assert ic.RocCurve.from_points([0.15], [0.5], positives=10, negatives=10).fp.dtype.kind == "f"
    assert ic.RocCurve.from_points([0.15], [0.5]).prevalence is None


def test_a_confusion_matrix_is_one_point():
    """16 of 20 positives caught, 4 of 10 negatives flagged."""
    curve = ic.RocCurve.from_confusion(16, 4, 4, 6, name="one")
    assert curve.fpr.tolist() == [0, 0.4, 1]
    assert curve.tpr.tolist() == [0, 0.8, 1]
    assert (curve.positives, curve.negatives) == (20, 10)
    assert curve.vertices[1].tp == 16


@given(point_sets())
def test_the_hull_of_the_hull_is_the_hull(points):
    """And it keeps thresholds and names."""
    hull = ic.RocCurve.from_points(*points, name="x").hull
    assert np.array_equal(hull.hull.fpr, hull.fpr)
    assert hull.hull.name == "x"


@given(st.floats(0.05, 4), st.floats(0.3, 3), st.lists(unit, min_size=1, max_size=20))
def test_binormal_curve_is_optimal_at_the_threshold_it_names(mu, sigma, where):
    """Against a fine search over thresholds, for equal and unequal spreads (where the curve is not concave)."""
    curve = ic.RocCurve.from_distributions(stats.norm(mu, sigma), stats.norm(0, 1))
    t = np.array(where)
    cuts = np.linspace(-40, 40, 20001)
    costs = t[:, None] * stats.norm.sf(cuts) + (1 - t)[:, None] * stats.norm(mu, sigma).cdf(cuts)
    lowest = np.minimum(costs.min(axis=1), np.minimum(t, 1 - t))
    found = curve.optimal_cost(t)
    assert np.all(found <= lowest + 1e-15)
    assert found == pytest.approx(lowest, abs=2e-6)


def test_binormal_curve_with_equal_spreads_has_closed_forms():
    """Best threshold μ/2 + log(t/(1-t))/μ; the point over fpr is optimal at r'/(1+r') (Lemma 59, corrected)."""
    curve = ic.RocCurve.from_distributions(stats.norm(2, 1), stats.norm(0, 1), name="binormal")
    t = np.array([0.01, 0.2, 0.5, 0.9])
    cut = 1 + np.log(t / (1 - t)) / 2
    assert curve.optimal_threshold(t) == pytest.approx(cut, abs=1e-6)
    assert curve.optimal_cost(t) == pytest.approx(t * stats.norm.sf(cut) + (1 - t) * stats.norm.cdf(cut - 2), abs=1e-15)
    assert curve.tpr_at(0.5) == pytest.approx(stats.norm.cdf(2))


@pytest.mark.parametrize(("mu", "name"), [(1, "binormal_mu_1"), (2, "binormal_mu_2")])
def test_area_under_binormal_curves(mu, name):
    """Φ(μ/√2)."""
    curve = ic.RocCurve.from_distributions(stats.norm(mu, 1), stats.norm(0, 1))
    assert ic.auc(curve) == pytest.approx(float(PAPERS[name]["auc"]), abs=1e-10)


def test_uniform_scores_give_a_curve_with_corners():
    """Distributions with bounded support: all costs are exact at the corners."""
    curve = ic.RocCurve.from_distributions(stats.uniform(0.5, 1), stats.uniform(0, 1))
    assert ic.auc(curve) == pytest.approx(0.875, abs=1e-9)
    assert curve.optimal_cost([0.3, 0.5, 0.8]) == pytest.approx([0.15, 0.25, 0.1], abs=1e-9)


def test_backward_scores_are_taken_as_they_are():
    """Never flipped: the hull is then the two trivial classifiers."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 0], [1, 2, 3, 4])
    assert ic.auc(curve) == 0
    assert all(v.trivial for v in curve.vertices)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ic.RocCurve.from_points([0.1, 1.2], [0.5, 0.5]),
            r"fpr must lie between 0 and 1, got 1.2: 1 of 2 rows, the first is row 2",
        ),
        (lambda: ic.RocCurve.from_points([0.1], [math.nan]), r"tpr must lie between 0 and 1, got nan"),
        (lambda: ic.RocCurve.from_points([0.1, 0.2], [0.5]), r"fpr has shape \(2,\), tpr has shape \(1,\)"),
        (lambda: ic.RocCurve.from_points([], []), r"fpr is empty"),
        (
            lambda: ic.RocCurve.from_points([0.1], [0.2], positives=3),
            r"give both class totals or none, got positives=3, negatives=None",
        ),
        (
            lambda: ic.RocCurve.from_points([0.1], [0.2], positives=0, negatives=1),
            r"positives must be positive and finite, got 0",
        ),
        (lambda: ic.RocCurve.from_confusion(1, -1, 2, 3), r"fn must be at least 0, got -1"),
        (lambda: ic.RocCurve.from_confusion(0, 0, 2, 3), r"no positive case"),
        (lambda: ic.RocCurve.from_confusion(1, 1, math.inf, 3), r"fp must be finite"),
        (
            lambda: ic.RocCurve.from_distributions(1, stats.norm()),
            r"positive must be a frozen scipy.stats distribution.*got 1",
        ),
    ],
)
def test_bad_points_are_refused(make, message):
    """With the argument, the value and the place."""
    with pytest.raises(InputError, match=message):
        make()


def test_the_repr_says_what_the_curve_holds():
    """Points, hull, cases."""
    curve = ic.RocCurve.from_scores([1, 0, 1], [3, 2, 1], name="x")
    assert repr(curve) == "<RocCurve 'x': 4 points, 3 on the hull, 2 positives, 1 negative>"
    assert renamed(curve, "y").name == "y"


def test_points_are_laid_out_only_when_asked_for():
    """Hull, area, VOROS, costs, name and length need the sorted rows only; the points, once there, are the same curve."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    s = np.round(rng.normal(size=200) + y, 1)
    curve = ic.RocCurve.from_scores(y, s, name="a")
    notice = repr(curve), ic.auc(curve), ic.voros(curve), curve.optimal_cost([0.2, 0.5]).tolist(), is_path(curve)
    assert {"fp", "tp", "thresholds"} <= set(dir(curve))
    other = renamed(curve, "b")
    assert other.hull.name == other.name == "b"
    assert not {"fp", "tp", "thresholds"} & (vars(curve).keys() | vars(other).keys())
    points = ic.RocCurve.from_counts(ic.ScoreCounts.from_arrays(y, s), name="a")
    for field in ("fp", "tp", "thresholds", "_added", "positives", "negatives"):
        assert np.array_equal(getattr(curve, field), getattr(points, field))
    again = repr(points), ic.auc(points), ic.voros(points), points.optimal_cost([0.2, 0.5]).tolist(), is_path(points)
    assert notice == again
    assert renamed(curve, "b").hull.fp.tolist() == other.hull.fp.tolist()


@given(samples())
def test_a_pickled_curve_is_the_same_curve(sample):
    """Points, types and whatever follows from them come back, of counts and of weights; nothing derived travels."""
    curve = sample.curve
    before = len(pickle.dumps(curve))
    derived = curve.fpr, curve.tpr, curve.hull, curve.switches
    assert len(pickle.dumps(curve)) == before
    back = pickle.loads(pickle.dumps(curve))
    for name in ("fp", "tp", "thresholds"):
        one, other = getattr(curve, name), getattr(back, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    for one, other in zip(derived, (back.fpr, back.tpr, back.hull, back.switches), strict=True):
        assert np.array_equal(one.fpr if one is curve.hull else one, other.fpr if other is back.hull else other)


def test_a_curve_from_scores_survives_copying():
    """Pickled or copied before its points are laid out, it still has them; it has no attribute it should not have."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    for copied in (pickle.loads(pickle.dumps(curve)), copy.deepcopy(curve), dataclasses.replace(curve)):
        assert copied.tp.tolist() == [0, 1, 2, 2]
        assert copied.thresholds.tolist() == [np.inf, 0.9, 0.4, 0.1]
    with pytest.raises(AttributeError, match="points"):
        _ = curve.points


def test_at_a_switch_the_vertex_that_flags_fewer_is_chosen():
    """Two vertices cost the same there; a point at (¼, ¾) has switches at ¼ and ¾."""
    curve = ic.RocCurve.from_confusion(tp=3, fn=1, fp=1, tn=3)
    assert curve.switches.tolist() == [0.25, 0.75]
    assert best_vertex(curve, np.array([0.2, 0.25, 0.5, 0.75, 0.8])).tolist() == [2, 1, 1, 0, 0]

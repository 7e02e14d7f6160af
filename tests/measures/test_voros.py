import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import integrate, stats

import isocost as ic
from isocost.curves.roc import bare_rates
from isocost.errors import ConditionError, InputError
from oracles import brute_force, volume
from strategies import curves, point_sets, samples, uncertain_conditions, unit

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text())
NORMAL = ic.RocCurve.from_distributions(stats.norm(1.5, 1), stats.norm(0, 1))
PERFECT = ic.RocCurve.from_points([0.0], [1.0])


def between(low, high):
    """All t from low to high, equally likely."""
    return ic.Conditions.uniform(t=(low, high))


def published():
    """Every published or derived VOROS of points or data, with its range of t."""
    for name, entry in PAPERS.items():
        if "voros" in entry and ("points" in entry or "labels" in entry):
            for span, value in entry["voros"].items():
                yield pytest.param(entry, *map(float, span.split(",")), float(value), id=f"{name}-{span}")


@pytest.mark.parametrize(("entry", "low", "high", "value"), list(published()))
def test_published_values_are_met(entry, low, high, value):
    """To the twelfth digit; the single point (0, 0) is meant without the trivial classifiers."""
    if "labels" in entry:
        curve = ic.RocCurve.from_scores(entry["labels"], entry["scores"])
    else:
        curve = ic.RocCurve.from_points(*np.transpose(entry["points"]))
    alone = entry["points"] == [[0, 0]] if "points" in entry else False
    assert ic.voros(curve, condition=between(low, high), include_trivial=not alone) == pytest.approx(value, abs=1e-12)


def test_the_papers_baseline_row_is_met():
    """80.7, 92.5, 68.9 and 92.5 per cent for the trivial classifiers."""
    trivial = ic.RocCurve.from_scores([0, 1], [0.5, 0.5])
    spans = [(0, 1), (0, 0.25), (0.25, 0.75), (0.75, 1)]
    assert [round(100 * ic.voros(trivial, condition=between(*s)), 1) for s in spans] == [80.7, 92.5, 68.9, 92.5]


@pytest.mark.parametrize("mean", [1, 2])
def test_continuous_curves_have_the_published_values(mean):
    """Two normal distributions one or two deviations apart."""
    curve = ic.RocCurve.from_distributions(stats.norm(mean, 1), stats.norm(0, 1))
    expected = float(PAPERS[f"binormal_mu_{mean}"]["voros"]["0,1"])
    assert ic.voros(curve) == pytest.approx(expected, abs=1e-11)


@given(samples(max_size=14), unit, unit)
def test_value_equals_brute_force_quadrature(sample, a, b):
    """Every threshold tried at every node, between every crossing of two cost lines."""
    low, high = sorted((a, b))
    points = [(float(x), float(y)) for x, y, _ in brute_force.points(sample.y, sample.s, sample.w)]
    assume(high - low >= 1e-3)
    cuts = volume.crossings(points)
    x, y = np.array(points).T
    expected = volume.mean(lambda t: volume.lesser_area(np.min(t * x + (1 - t) * (1 - y)), t), cuts, low=low, high=high)
    assert ic.voros(sample.curve, condition=between(low, high)) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-6, 1e-4, 1e-2]), st.booleans())
def test_rare_positives_are_no_trouble(seed, prevalence, weighted):
    """Prevalence down to one in a million, tied and weighted scores, conditions next to t = 1: no warning, exact."""
    rng = np.random.default_rng(seed)
    y = np.array([1, 1, 1, *[0] * 20])
    s = np.round(rng.normal(size=y.size) + 2 * y, 1)
    w = np.where(y == 1, 1.0, 3 / prevalence / 20)
    w = w * rng.uniform(0.5, 2, y.size) if weighted else np.round(w)
    curve = ic.RocCurve.from_scores(y, s, sample_weight=w)
    over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(1, 100), prevalence=(prevalence / 2, prevalence))
    points = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
    expected = volume.mean(
        lambda t: volume.lesser_area(np.min(t * curve.fpr + (1 - t) * (1 - curve.tpr)), t),
        volume.crossings(points), low=over.low, high=over.high,
    )  # fmt: skip
    assert ic.voros(curve, condition=over) == pytest.approx(expected, abs=1e-9)
    assert 0.5 <= ic.voros(curve) <= 1


@given(point_sets(max_size=6), st.floats(0, 0.9), st.floats(0.05, 1))
def test_bare_points_equal_brute_force_quadrature(points, low, width):
    """Without the trivial classifiers, points worse than both included."""
    high = min(low + width, 1.0)
    curve = ic.RocCurve.from_points(*points)
    x, y = bare_rates(curve)
    lines = [*zip(x.tolist(), y.tolist(), strict=True), (0.0, 0.0), (1.0, 1.0)]
    expected = volume.mean(
        lambda t: volume.lesser_area(np.min(t * x + (1 - t) * (1 - y)), t), volume.crossings(lines), low=low, high=high
    )
    value = ic.voros(curve, condition=between(low, high), include_trivial=False)
    assert value == pytest.approx(expected, abs=1e-9)


def distributions():
    """Conditions of every kind with the density they put on t."""
    beta = stats.beta
    return [
        (ic.Conditions.beta(2, 5), beta(2, 5).pdf),
        (ic.Conditions.beta(1, 1), np.ones_like),
        (ic.Conditions.beta(0.7, 1.4), beta(0.7, 1.4).pdf),
        (ic.Conditions.beta(200, 3), beta(200, 3).pdf),
        (ic.Conditions.from_distribution(stats.truncnorm(-3, 2, 0.6, 0.2)), stats.truncnorm(-3, 2, 0.6, 0.2).pdf),
        (ic.Conditions.from_distribution(beta(0.5, 1.5)), beta(0.5, 1.5).pdf),
        (ic.Conditions.uniform(skew_ratio=(0, 9)), lambda t: 1 / (9 * (1 - t) ** 2)),
    ]


@pytest.mark.parametrize("index", range(7))
@pytest.mark.parametrize("include_trivial", [True, False])
def test_distributions_of_conditions_equal_quadrature(index, include_trivial):
    """Partial moments of Beta, adaptive integration of any other density, uniform in the cost ratio; also where 1/t has no mean."""
    over, pdf = distributions()[index]
    curve = ic.RocCurve.from_points([0.05, 0.2, 0.5], [0.4, 0.7, 0.97])
    x, y = (curve.fpr, curve.tpr) if include_trivial else bare_rates(curve)
    lines = [*zip(x.tolist(), y.tolist(), strict=True), (0.0, 0.0), (1.0, 1.0)]
    area = lambda t: volume.lesser_area(np.min(t * x + (1 - t) * (1 - y)), t)  # noqa: E731
    expected = volume.mean(area, volume.crossings(lines), low=over.low, high=over.high, density=pdf)
    assert ic.voros(curve, condition=over, include_trivial=include_trivial) == pytest.approx(expected, abs=1e-9)


@given(curves(), st.booleans())
def test_a_sample_of_conditions_is_a_weighted_sum(curve, ends):
    """Each drawn t counts once, t = 0 and t = 1 included."""
    t = np.array([0.0, 0.0, 0.2, 0.2, 0.9, 1.0] if ends else [0.3, 0.5])
    over = ic.Conditions(ic.conditions.Atoms(t, np.full(t.size, 1 / t.size)), "some")
    expected = np.mean([ic.voros(curve, condition=ic.Conditions.from_t(v)) for v in t])
    assert ic.voros(curve, condition=over) == pytest.approx(expected, abs=1e-14)


@given(curves(), unit)
def test_a_range_without_width_is_the_area_at_that_t(curve, t):
    """With low = high it is the area of lesser classifiers there."""
    expected = ic.measures.lesser_area_curve(curve)(t)
    assert ic.voros(curve, condition=between(t, t)) == pytest.approx(float(expected), abs=1e-15)
    assert ic.voros(curve, condition=ic.Condition.from_t(t)) == pytest.approx(float(expected), abs=1e-12)


@given(curves(), st.floats(1e-9, 1 - 1e-9), st.sampled_from([1e-3, 1e-6, 1e-9, 1e-12]))
def test_narrow_ranges_approach_the_area_at_one_t(curve, t, width):
    """Closed forms do not cancel when the range shrinks."""
    low, high = t, min(t * (1 + width), t + (1 - t) * width)
    if high > low:
        value = ic.voros(curve, condition=between(low, high))
        areas = ic.measures.lesser_area_curve(curve)([low, high])
        assert value == pytest.approx(float(areas.mean()), abs=width + 1e-9)


@given(curves())
def test_the_sum_by_parts_is_the_mean_of_the_pieces(curve):
    """Over all conditions the volume is summed edge by edge; piece by piece it is the same to the last digits."""
    pieces = ic.measures.lesser_area_curve(curve).expectation()
    assert ic.voros(curve) == pytest.approx(pieces, abs=1e-14)
    assert ic.voros(curve, condition=ic.Conditions.uniform()) == ic.voros(curve)


@given(curves(), st.lists(unit, min_size=1, max_size=4, unique=True))
def test_ranges_add_up(curve, cuts):
    """The value over [0, 1] is the mean of those over its parts, weighted by their widths."""
    edges = np.union1d(cuts, [0.0, 1.0])
    parts = [(b - a) * ic.voros(curve, condition=between(a, b)) for a, b in itertools.pairwise(edges)]
    assert sum(parts) == pytest.approx(ic.voros(curve), abs=1e-12)


@given(curves(), uncertain_conditions())
def test_hull_area_is_a_lower_bound(curve, over):
    """Theorems 48 and 63 as corrected: at every t, hence on average, at least the area under the hull."""
    assert ic.voros(curve, condition=over) >= ic.measures.auch(curve) - 1e-9


@given(curves(), uncertain_conditions())
def test_trivial_classifiers_are_a_lower_bound(curve, over):
    """A model that may be left unused is never worse than no model."""
    trivial = ic.RocCurve.from_scores([0, 1], [0.5, 0.5])
    assert ic.voros(curve, condition=over) >= ic.voros(trivial, condition=over) - 1e-9


@given(uncertain_conditions())
def test_a_perfect_classifier_scores_one(over):
    """The only one for which hull area and VOROS agree."""
    assert ic.voros(PERFECT, condition=over) == pytest.approx(1, abs=1e-9)


@given(curves(), unit, unit)
def test_square_of_the_cost_gives_the_value(curve, a, b):
    """Theorem 62 as corrected: the mean of 1 - c²/(2t(1-t)), with scipy's integrator."""
    low, high = sorted((a, b))
    assume(high - low >= 1e-2)
    area = lambda t: 1 - float(curve.optimal_cost(t)) ** 2 / (2 * t * (1 - t))  # noqa: E731
    edges = np.union1d(curve.switches[(curve.switches > low) & (curve.switches < high)], [low, high])
    pieces = [integrate.quad(area, x, y, epsabs=1e-12)[0] for x, y in itertools.pairwise(edges)]
    assert ic.voros(curve, condition=between(low, high)) == pytest.approx(sum(pieces) / (high - low), abs=1e-9)


@pytest.mark.parametrize("include_trivial", [True, False])
def test_value_is_the_probability_to_beat_a_random_classifier(include_trivial):
    """Random fpr, tpr and t: the share that costs at least as much, within four standard errors."""
    rng = np.random.default_rng(0)
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.45, 0.9])
    n = 200_000
    x, y, t = rng.random(n), rng.random(n), rng.uniform(0.3, 0.8, n)
    h, k = (curve.fpr, curve.tpr) if include_trivial else bare_rates(curve)
    best = np.min(t[:, None] * h + (1 - t[:, None]) * (1 - k), axis=1)
    share = np.mean(t * x + (1 - t) * (1 - y) >= best)
    value = ic.voros(curve, condition=between(0.3, 0.8), include_trivial=include_trivial)
    assert abs(share - value) < 4 * np.sqrt(value * (1 - value) / n)


def test_the_other_averaging_differs():
    """Uniform in the cost ratio from 1/9 to 9 is not uniform in t from 0.1 to 0.9."""
    curve = ic.RocCurve.from_points([0.1], [0.6])
    over_t = ic.voros(curve, condition=between(0.1, 0.9))
    over_ratio = ic.voros(curve, condition=ic.Conditions.uniform(skew_ratio=(1 / 9, 9)))
    m = np.linspace(1 / 9, 9, 200_001)
    t = m / (1 + m)
    assert over_ratio == pytest.approx(np.mean(ic.measures.lesser_area_curve(curve)(t)), abs=1e-5)
    assert abs(over_t - over_ratio) > 0.01


def test_example_66_is_a_narrow_range_next_to_one():
    """Negatives outnumber positives 100 to 1000 times at nearly equal costs."""
    over = ic.Conditions.from_costs(cost_fp=(0.95, 1.05), cost_fn=1, prevalence=(1 / 1001, 1 / 101))
    low, high = 95 / 96, 1050 / 1051
    assert (over.low, over.high) == (pytest.approx(low, abs=1e-15), pytest.approx(high, abs=1e-15))
    curve = ic.RocCurve.from_points([0.001, 0.1], [0.4, 0.9])
    expected = volume.mean(
        lambda t: volume.lesser_area(np.min(t * curve.fpr + (1 - t) * (1 - curve.tpr)), t),
        volume.crossings(list(zip(curve.fpr, curve.tpr, strict=True))), low=over.low, high=over.high,
    )  # fmt: skip
    assert ic.voros(curve, condition=over) == pytest.approx(expected, abs=1e-12)


def test_a_continuous_curve_with_an_inward_bend_equals_its_fine_sample():
    """Unequal variances: the hull jumps over the hook; a dense sample of thresholds comes close from below."""
    curve = ic.RocCurve.from_distributions(stats.norm(1, 2), stats.norm(0, 1))
    cut = np.linspace(-12, 12, 40_001)
    sample = ic.RocCurve.from_points(stats.norm(0, 1).sf(cut), stats.norm(1, 2).sf(cut))
    gap = ic.voros(curve) - ic.voros(sample)
    assert 0 <= gap < 1e-7


@given(st.floats(0.01, 0.99))
def test_likelihood_ratio_gives_the_t_of_a_point(fpr):
    """Lemma 59 as corrected: t = r'/(1 + r'), and the cheapest threshold at that t is that point's."""
    curve = NORMAL
    slope = np.exp(1.5 * stats.norm.isf(fpr) - 1.5**2 / 2)
    t = slope / (1 + slope)
    if 1e-3 < t < 1 - 1e-3:
        assert float(curve.optimal_threshold(t)) == pytest.approx(stats.norm.isf(fpr), abs=1e-8)


def test_bad_arguments_are_explained():
    """What came and what to do instead."""
    curve = ic.RocCurve.from_points([0.1], [0.6])
    with pytest.raises(ConditionError, match="condition must be a Condition or Conditions"):
        ic.voros(curve, condition=(0, 1))
    with pytest.raises(InputError, match=r"prevalence= goes with min_precision or max_flagged"):
        ic.voros(curve, prevalence=0.1)
    with pytest.raises(InputError, match="prevalence must be between 0 and 1, got 2"):
        ic.voros(curve, prevalence=2, max_flagged=0.5)


def test_weights_too_small_to_be_seen_in_t_do_no_harm():
    """A negative that weighs 1e-20 of its class moves the last switch to t = 1 exactly; its term is 0, not infinite."""
    curve = ic.RocCurve.from_scores([0, 1, 0], [3, 2, 1], sample_weight=[1e-20, 1, 1])
    assert curve.switches[-1] == 1
    assert ic.voros(curve) == pytest.approx(1, abs=1e-15)
    assert ic.voros(curve, condition=ic.Conditions.beta(2, 0.5)) == pytest.approx(1, abs=1e-12)


@given(point_sets(), st.floats(0.2, 5), st.floats(0.2, 5), st.booleans())
def test_exchanging_the_classes_exchanges_the_conditions(points, a, b, include_trivial):
    """(fpr, tpr) → (1 - tpr, 1 - fpr) and t → 1 - t leave the value as it is; 1/t or 1/(1-t) may have no mean."""
    curve = ic.RocCurve.from_points(*points)
    mirror = ic.RocCurve.from_points(1 - points[1], 1 - points[0])
    here = ic.voros(curve, condition=ic.Conditions.beta(a, b), include_trivial=include_trivial)
    there = ic.voros(mirror, condition=ic.Conditions.beta(b, a), include_trivial=include_trivial)
    assert here == pytest.approx(there, abs=1e-9)


RARE = [
    ic.Conditions.beta(1, 1), ic.Conditions.beta(2, 0.5), ic.Conditions.beta(0.5, 2), ic.Conditions.beta(3, 1.5),
    ic.Conditions.beta(3, 1.005), ic.Conditions.from_distribution(stats.beta(3, 1.5)),
    ic.Conditions.from_beliefs(cost_fn=stats.lognorm(1), prevalence=1e-4),
    ic.Conditions.from_beliefs(cost_fn=5, prevalence=stats.beta(2, 2000)),
    ic.Conditions.uniform(skew_ratio=(0, 1e6)),
]  # fmt: skip


@pytest.mark.parametrize("over", RARE, ids=str)
@pytest.mark.parametrize("fpr", [1e-3, 1e-6, 1e-10, 1e-15])
def test_operating_points_next_to_no_false_alarms_are_no_trouble(over, fpr):
    """Cheapest up to t = 1 - fpr, where 1/(1-t) is mostly rounding: the value stays put as fpr shrinks to 0."""
    curve, limit = ic.RocCurve.from_points([fpr, 0.3], [0.7, 0.95]), ic.RocCurve.from_points([0.0, 0.3], [0.7, 0.95])
    value, best = ic.voros(curve, condition=over), ic.voros(limit, condition=over)
    assert best - 2 * fpr <= value <= best + 1e-11


def test_more_cases_than_a_float_tells_apart_have_a_volume():
    """Vertices of the hull whose rates are the same number add nothing."""
    counts = ic.ScoreCounts([0.9, 0.5, 0.1], [2**60, 5, 0], [1, 2**60, 7])
    assert ic.voros(ic.RocCurve.from_counts(counts)) == pytest.approx(1.0)

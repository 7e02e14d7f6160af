"""Rate-driven curves, Kendall curves and their decomposition: Hernández-Orallo, Flach & Ferri (2013), statement by statement."""

import json
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

import isocost as ic
from oracles import brute_force, threshold_choice
from strategies import curves, inside_unit, samples, unit

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text(encoding="utf-8"))
MODELS = {name: PAPERS[f"model_{name}"] for name in "AB"}
TENTHS = np.arange(11) / 10
prevalences = st.none() | inside_unit


def model(name):
    """The running example: its ranking as a curve."""
    return ic.RocCurve.from_scores(MODELS[name]["labels"], MODELS[name]["scores"], name=name)


def fractions(values):
    """Printed fractions as floats."""
    return [float(Fraction(v)) for v in values]


def prevalence(sample, given_one):
    """The prevalence an oracle needs: the given one, else the data's own."""
    return threshold_choice.prevalence_of(sample.y, sample.w) if given_one is None else Fraction(given_one)


@pytest.mark.parametrize("name", MODELS)
def test_running_example_at_every_tenth(name):
    """Both curves of both models, point by point as in Figures 3-7."""
    curve = model(name)
    rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    assert rate_driven(TENTHS) == pytest.approx(fractions(MODELS[name]["rate_driven_at_tenths"]), abs=1e-15)
    assert ic.curves.kendall_curve(curve)(TENTHS) == pytest.approx(
        fractions(MODELS[name]["kendall_at_tenths"]), abs=1e-15
    )


@pytest.mark.parametrize("name", MODELS)
def test_breaks_of_the_running_example_are_the_rates_themselves(name):
    """Ten cases: tenths, without rounding, on both curves, and the pieces bend by half the squared step."""
    curve = model(name)
    rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    assert rate_driven.breaks.tolist() == TENTHS.tolist() == ic.curves.kendall_curve(curve).breaks.tolist()
    assert rate_driven.bend == pytest.approx(np.full(10, 0.005), abs=1e-17)


@pytest.mark.parametrize("name", MODELS)
def test_areas_of_the_running_example(name):
    """Rate-driven on both axes, Kendall, their convex skulls."""
    curve, paper = model(name), MODELS[name]
    found = {
        "rate_driven_area": ic.cost_curve(curve, method="rate_driven", axis="cost_proportion").area(),
        "rate_driven_area_skew": ic.cost_curve(curve, method="rate_driven").area(),
        "kendall_area": ic.curves.kendall_curve(curve).area(),
        "kendall_area_hull": ic.curves.convex_skull(curve, of="kendall").area(),
        "convex_skull_area": ic.curves.convex_skull(curve).area(),
        "kendall_partial_area_0.1_0.5": ic.curves.kendall_curve(curve).area(0.1, 0.5),
    }
    assert found == pytest.approx({key: float(Fraction(paper[key])) for key in found}, abs=1e-15)


def test_two_crisp_classifiers_of_figure_2():
    """Lines from 0.2 to 0.4 and from 0.2 to 0.6, that cost 0.28 at 0.4 and 0.44 at 0.6."""
    curve = model("A")
    for threshold, line in zip((5, 6), MODELS["A"]["cost_line_points"], strict=True):
        found = ic.cost_curve(curve, method="fixed", threshold=threshold, axis="cost_proportion")
        at = [0, 1, line["cost_proportion"]]
        assert found(at) == pytest.approx([line["at_0"], line["at_1"], line["cost"]], abs=1e-15)
        crisp = ic.RocCurve.from_points(
            [float(Fraction(line["fpr"]))], [float(Fraction(line["tpr"]))], positives=7, negatives=3
        )
        assert ic.cost_curve(crisp, method="fixed", axis="cost_proportion")(at) == pytest.approx(found(at), abs=1e-15)


def test_optimal_curve_of_figure_1():
    """It follows the ascending diagonal, the line from 0.2, and the line from 0.6; (2/3, 6/7) only touches it, at 0.5."""
    envelope = ic.cost_curve(model("A"), axis="cost_proportion")
    assert envelope.breaks == pytest.approx([0, 0.25, 0.5, 1])
    assert envelope([0.1, 0.25, 0.5, 1]) == pytest.approx([0.1, 0.25, 0.3, 0])
    touching = ic.cost_curve(model("A"), method="fixed", threshold=3, axis="cost_proportion")
    assert touching([0, 0.5]) == pytest.approx([0.4, 0.3])


def test_convex_skull_meets_the_envelope_where_the_rate_happens_to_be_best():
    """Model A: at the ends, at 0.2, the rate of a vertex, and at 0.25, where all points of the edge it is on are best."""
    curve = model("A")
    gap = ic.curves.convex_skull(curve) - ic.cost_curve(curve, axis="cost_proportion")
    at = MODELS["A"]["envelope_meets_convex_skull_at"]
    meeting = [0, *at, 1]
    assert gap(meeting) == pytest.approx(np.zeros(4), abs=1e-15)
    elsewhere = np.linspace(0, 1, 101)
    elsewhere = elsewhere[np.abs(elsewhere[:, None] - meeting).min(axis=1) > 0.005]
    assert np.all(gap(elsewhere) > 1e-4)


def isometric_length(decomposition, x):
    """How far a rate-driven curve is from a perfect ranker's along the line of equal rate x in ROC space (Theorem 3)."""
    pi = decomposition.excess.prevalence
    return decomposition.excess(x) * (math.hypot(pi, 1 - pi) / (2 * pi * (1 - pi)))


def test_diagonals_of_figure_6():
    """Eight unit segments of length 0.363, one to three a rate."""
    paper = MODELS["A"]
    lengths = isometric_length(ic.curves.rate_driven_decomposition(model("A")), TENTHS)
    unit_length = math.sqrt(0.7**2 + 0.3**2) / (0.3 * 0.7 * 10)
    assert f"{unit_length:.3f}" == paper["isometric_unit_length"]
    assert lengths[::-1] / unit_length == pytest.approx(paper["isometric_units_from_rate_1_to_0"], abs=1e-14)


@given(samples(max_size=16), prevalences, unit)
def test_rate_driven_curve_is_the_cost_at_that_rate(sample, pi, x):
    """Walking along the path to the rate x, in fractions: on both axes, tied, weighted, at any prevalence."""
    found = ic.cost_curve(sample.curve, method="rate_driven", axis="cost_proportion", prevalence=pi)
    expected = threshold_choice.rate_driven(sample, prevalence(sample, pi), x)
    assert float(found(x)) == pytest.approx(float(expected), abs=1e-12)
    on_pcf = ic.cost_curve(sample.curve, method="rate_driven", axis="pcf")
    assert float(on_pcf(x)) == pytest.approx(float(threshold_choice.rate_driven(sample, Fraction(1, 2), x)), abs=1e-12)


@given(samples(max_size=16), prevalences, unit)
def test_kendall_curve_counts_false_alarms_then_misses(sample, pi, x):
    """By its definition, in fractions."""
    expected = threshold_choice.kendall(sample, prevalence(sample, pi), x)
    assert float(ic.curves.kendall_curve(sample.curve, prevalence=pi)(x)) == pytest.approx(float(expected), abs=1e-12)
    expected = threshold_choice.kendall(sample, Fraction(1, 2), x)
    assert float(ic.curves.kendall_curve(sample.curve, axis="pcf")(x)) == pytest.approx(float(expected), abs=1e-12)


@given(samples(max_size=16), prevalences)
def test_theorem_1_rate_driven_area_is_linear_in_auc(sample, pi):
    """π(1-π)(1-2·AUC) + 1/3."""
    area = ic.cost_curve(sample.curve, method="rate_driven", axis="cost_proportion", prevalence=pi).area()
    p = prevalence(sample, pi)
    expected = p * (1 - p) * (1 - 2 * brute_force.auc(sample.y, sample.s, sample.w)) + Fraction(1, 3)
    assert area == pytest.approx(float(expected), abs=1e-12)


@given(samples(max_size=16))
def test_corollary_1_rate_driven_area_over_skews(sample):
    """(1-2·AUC)/4 + 1/3."""
    area = ic.cost_curve(sample.curve, method="rate_driven", axis="pcf").area()
    expected = (1 - 2 * brute_force.auc(sample.y, sample.s, sample.w)) / 4 + Fraction(1, 3)
    assert area == pytest.approx(float(expected), abs=1e-12)


@given(st.integers(1, 20), st.integers(1, 20), prevalences, unit)
def test_lemma_1_curve_of_a_perfect_ranker(positives, negatives, pi, x):
    """2x(π-x) up to π, 2(1-x)(x-π) above, whatever the number of cases; area 1/3 - π(1-π)."""
    y = np.repeat([1, 0], [positives, negatives])
    curve = ic.RocCurve.from_scores(y, -np.arange(y.size))
    p = positives / y.size if pi is None else pi
    expected = 2 * x * (p - x) if x <= p else 2 * (1 - x) * (x - p)
    for found in (
        ic.cost_curve(curve, method="rate_driven", axis="cost_proportion", prevalence=pi),
        ic.curves.perfect_ranker_curve(prevalence=p),
    ):
        assert float(found(x)) == pytest.approx(expected, abs=1e-12)
        assert found.area() == pytest.approx(1 / 3 - p * (1 - p), abs=1e-12)
    assert ic.curves.perfect_ranker_curve(axis="pcf").area() == pytest.approx(1 / 12, abs=1e-15)


@given(samples(max_size=16), prevalences, st.sampled_from(["pcf", "cost_proportion"]), unit)
def test_theorem_2_every_rate_driven_cost_is_a_perfect_rankers_plus_the_rankings(sample, pi, axis, x):
    """At every x and in the areas; the ranking's area is 2π(1-π)(1-AUC)."""
    parts = ic.curves.rate_driven_decomposition(sample.curve, axis=axis, prevalence=pi)
    assert float(parts.total(x)) == pytest.approx(float(parts.base(x) + parts.excess(x)), abs=1e-12)
    rest = parts.total - parts.base - parts.excess
    assert max(abs(rest.minimum), abs(rest.maximum)) < 1e-12
    assert parts.total_loss == pytest.approx(parts.base_loss + parts.excess_loss, abs=1e-12)
    p = Fraction(1, 2) if axis == "pcf" else prevalence(sample, pi)
    expected = 2 * p * (1 - p) * (1 - brute_force.auc(sample.y, sample.s, sample.w))
    assert parts.excess_loss == pytest.approx(float(expected), abs=1e-12)


def distance_to_perfect(sample, p, x):
    """Length of the rate isometric from the ROC path to the path of a perfect ranker, from the two points."""
    fpr, tpr = threshold_choice.point_at_rate(brute_force.points(sample.y, sample.s, sample.w), p, Fraction(x))
    goal = (Fraction(0), Fraction(x) / p) if Fraction(x) <= p else ((Fraction(x) - p) / (1 - p), Fraction(1))
    return math.hypot(float(fpr - goal[0]), float(tpr - goal[1])), fpr, tpr


@given(samples(max_size=16), st.none() | st.floats(0.01, 0.99), unit)
def test_proposition_1_and_theorem_3_height_in_cost_space_is_length_in_roc_space(sample, pi, x):
    """The Kendall curve, times √(π²+(1-π)²)/(2π(1-π)), is how far the curve is from perfect along a line of equal rate."""
    p = prevalence(sample, pi)
    length, fpr, tpr = distance_to_perfect(sample, p, x)
    scale = math.hypot(float(p), float(1 - p))
    proposition_1 = float(fpr / p if Fraction(x) <= p else (1 - tpr) / (1 - p)) * scale
    assert proposition_1 == pytest.approx(length, abs=1e-12)
    found = float(isometric_length(ic.curves.rate_driven_decomposition(sample.curve, prevalence=pi), x))
    assert found == pytest.approx(length, abs=1e-12 / min(float(p), float(1 - p)))


@given(samples(max_size=16, weighted=(None, "whole")))
def test_proposition_2_and_corollary_2_area_above_the_curve_by_adding_heights(sample):
    """Summed over the rates i/n: diagonals, heights of the Kendall curve, and discordant pairs give the same area."""
    curve = sample.curve
    n = int(curve.positives + curve.negatives)
    p = curve.prevalence
    rates = np.arange(n + 1) / n
    above = float(1 - brute_force.auc(sample.y, sample.s, sample.w))
    lengths = isometric_length(ic.curves.rate_driven_decomposition(curve), rates)
    assert lengths.sum() / (n * math.hypot(p, 1 - p)) == pytest.approx(above, abs=1e-12)
    heights = ic.curves.kendall_curve(curve)(rates)
    assert heights.sum() / (2 * p * (1 - p) * n) == pytest.approx(above, abs=1e-12)
    pairs = float(threshold_choice.discordant_pairs(sample.y, sample.s, sample.w))
    assert ic.curves.kendall_curve(curve).area() == pytest.approx(2 * pairs / n**2, abs=1e-12)


@given(curves(), prevalences, unit)
def test_convex_skulls_lie_between_the_envelope_and_their_curves(curve, pi, x):
    """The hull is never worse at a rate, and the best threshold never worse than the one of a rate."""
    skull = ic.curves.convex_skull(curve, prevalence=pi)
    rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion", prevalence=pi)
    envelope = ic.cost_curve(curve, axis="cost_proportion", prevalence=pi)
    assert envelope(x) - 1e-12 <= skull(x) <= rate_driven(x) + 1e-12
    assert (
        ic.curves.convex_skull(curve, of="kendall", prevalence=pi)(x)
        <= ic.curves.kendall_curve(curve, prevalence=pi)(x) + 1e-12
    )


@given(curves(), prevalences)
def test_convex_skull_has_the_area_of_the_hull(curve, pi):
    """Theorems 1 and 2 hold of the hull."""
    p = curve.prevalence if pi is None else pi
    under = ic.auc(curve.hull)
    assert ic.curves.convex_skull(curve, prevalence=pi).area() == pytest.approx(
        p * (1 - p) * (1 - 2 * under) + 1 / 3, abs=1e-12
    )
    kendall = ic.curves.convex_skull(curve, of="kendall", prevalence=pi)
    assert kendall.area() == pytest.approx(2 * p * (1 - p) * (1 - under), abs=1e-12)


@given(curves())
def test_kendall_convex_skull_is_convex_on_each_side_of_the_prevalence(curve):
    """The hull's slopes fall, so false alarms are added ever faster and misses taken away ever more slowly."""
    skull = ic.curves.convex_skull(curve, of="kendall")
    slopes = np.diff(np.concatenate([skull.left, skull.right[-1:]])) / np.diff(skull.breaks)
    left = skull.breaks[1:] <= curve.prevalence
    assert np.all(np.diff(slopes[left]) >= -1e-9)
    assert np.all(np.diff(slopes[~left]) >= -1e-9)


@given(samples(weighted=(None, "whole")), unit)
def test_swapping_the_classes_mirrors_the_rate_driven_curve(sample, x):
    """Positive for negative and scores turned around: the curve read from right to left."""
    mirrored = ic.RocCurve.from_scores(1 - sample.y, -sample.s, sample_weight=sample.w)
    for build in (
        lambda curve: ic.cost_curve(curve, method="rate_driven", axis="cost_proportion"),
        lambda curve: ic.cost_curve(curve, method="rate_driven"),
        ic.curves.kendall_curve,
    ):
        assert float(build(mirrored)(1 - x)) == pytest.approx(float(build(sample.curve)(x)), abs=1e-12)


def warped(curve, dist):
    """The area of a curve whose axis is warped by a distribution."""
    return ic.Conditions.from_distribution(dist).density.expect(curve, curve.breaks)


@pytest.mark.parametrize(
    "dist", [stats.uniform(0.1, 0.4), stats.beta(2, 8), stats.triang(0.2)], ids=lambda d: d.dist.name
)
def test_every_curve_can_be_warped_by_how_likely_each_x_is(dist):
    """Bent, straight and jumping pieces: the mean over the distribution, against adaptive quadrature."""
    curve = ic.RocCurve.from_scores(MODELS["A"]["labels"], np.array(MODELS["A"]["scores"]) / 11)
    for method in ("best", "rate_driven", "score_driven"):
        cost = ic.cost_curve(curve, method=method, axis="cost_proportion")
        edges = np.union1d(cost.breaks, [0.1, 0.2, 0.5])  # where these densities have their corners
        expected = sum(quad(lambda x, c=cost: float(c(x)) * dist.pdf(x), a, b)[0] for a, b in pairwise(edges))
        assert warped(cost, dist) == pytest.approx(expected, abs=1e-11)
    flat = stats.uniform(0.1, 0.4)
    assert warped(cost, flat) == pytest.approx(cost.area(0.1, 0.5) / 0.4, abs=1e-12)


def test_rate_driven_of_crisp_classifiers_needs_a_path():
    """Points that cross each other have no one rate; the hull has."""
    crossing = ic.RocCurve.from_points([0.1, 0.5], [0.6, 0.4], positives=10, negatives=10)
    for build in (ic.curves.kendall_curve, lambda c: ic.cost_curve(c, method="rate_driven")):
        with pytest.raises(ic.IsocostError, match=r"no monotone path: use curve\.hull"):
            build(crossing)
        assert build(crossing.hull).area() > 0


def test_prevalence_must_leave_both_classes():
    """On the cost_proportion axis π is strictly inside (0, 1)."""
    for build in (
        ic.curves.kendall_curve,
        ic.curves.rate_driven_decomposition,
        ic.curves.convex_skull,
        ic.curves.brier_decomposition,
    ):
        with pytest.raises(ic.IsocostError, match="prevalence must lie strictly between 0 and 1, got 0"):
            build(model("A"), prevalence=0)
    with pytest.raises(ic.IsocostError, match=r"prevalence must be between 0 and 1, got 1\.5"):
        ic.cost_curve(model("A"), method="rate_driven", axis="pcf", prevalence=1.5)
    with pytest.raises(ic.IsocostError, match="prevalence must be a number, got None"):
        ic.curves.perfect_ranker_curve()
    with pytest.raises(ic.IsocostError, match="the prevalence is unknown"):
        ic.curves.kendall_curve(ic.RocCurve.from_points([0.2], [0.7]))


def test_unknown_skull_is_refused():
    """With the words that are known."""
    with pytest.raises(ic.IsocostError, match=r"unknown of 'kendal': did you mean 'kendall'\?"):
        ic.curves.convex_skull(model("A"), of="kendal")


def test_decomposition_says_its_parts():
    """In words and as plain numbers."""
    parts = ic.curves.rate_driven_decomposition(model("A"))
    assert repr(parts) == "<CostDecomposition rate_driven: loss 0.2833 = 0.1233 of any ranking + 0.16 of this one>"
    losses = {"total_loss": 17 / 60, "base_loss": 37 / 300, "excess_loss": 4 / 25}
    assert {name: parts.to_dict()[name] for name in losses} == pytest.approx(losses)

"""Losses under the threshold choices of Hernández-Orallo, Flach & Ferri."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

import isocost as ic
from oracles import threshold_choice
from strategies import applied, curves, inside_unit, samples, unit

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text(encoding="utf-8"))
MODELS = {name: PAPERS[f"model_{name}"] for name in "AB"}
prevalences = st.none() | inside_unit
ranges = st.tuples(unit, unit).map(sorted)


def model(name):
    """The running example."""
    return ic.RocCurve.from_scores(MODELS[name]["labels"], MODELS[name]["scores"])


@pytest.mark.parametrize("name", MODELS)
def test_losses_of_the_running_example(name):
    """Areas 17/60 and 4/25 and their like, whole and between rates 0.1 and 0.5."""
    curve, paper = model(name), MODELS[name]
    found = {
        "rate_driven_area": ic.measures.rate_driven_loss(curve),
        "rate_driven_area_skew": ic.measures.rate_driven_loss(curve, axis="pcf"),
        "kendall_area": ic.measures.kendall_loss(curve),
        "kendall_area_hull": ic.measures.kendall_loss(curve.hull),
        "convex_skull_area": ic.measures.rate_driven_loss(curve.hull),
        "kendall_partial_area_0.1_0.5": ic.measures.kendall_loss(curve, between=(0.1, 0.5)),
    }
    assert found == pytest.approx({key: float(Fraction(paper[key])) for key in found}, abs=1e-15)
    above = ic.measures.kendall_loss(curve, between=(0.1, 0.5), normalised=True)
    assert f"{above:.3f}" == paper["partial_area_above_roc_0.1_0.5"]


def test_discordant_pairs_of_the_running_example():
    """Eight swaps from 0 0 1 0 0 0 1 0 1 0 to the perfect ranking; the Kendall area is 2/n² of them."""
    assert ic.measures.kendall_distance(model("A")) == MODELS["A"]["kendall_distance"]
    assert ic.measures.kendall_loss(model("A")) == pytest.approx(2 / 100 * MODELS["A"]["kendall_distance"])


def test_a_ranking_can_be_better_in_the_range_that_matters_and_worse_overall():
    """Between 10 % and 50 % inspected model B makes fewer mistakes, over all rates model A does."""
    a, b = model("A"), model("B")
    assert ic.measures.kendall_loss(b, between=(0.1, 0.5)) < ic.measures.kendall_loss(a, between=(0.1, 0.5))
    assert ic.measures.kendall_loss(a) < ic.measures.kendall_loss(b)
    assert ic.auc(a) > ic.auc(b)


@given(samples(max_size=16))
def test_kendall_distance_counts_pairs_in_the_wrong_order(sample):
    """Every pair looked at, ties one half, weights multiplied."""
    pairs = threshold_choice.discordant_pairs(sample.y, sample.s, sample.w)
    assert ic.measures.kendall_distance(sample.curve) == pytest.approx(float(pairs), rel=1e-12, abs=1e-12)


@given(curves(), prevalences, ranges)
def test_losses_are_areas_of_their_curves(curve, pi, between):
    """Whole by closed form or in part: the same as the area under the curve."""
    for axis in ("pcf", "cost_proportion"):
        rate_driven = ic.cost_curve(curve, method="rate_driven", axis=axis, prevalence=pi)
        assert ic.measures.rate_driven_loss(curve, axis=axis, prevalence=pi) == pytest.approx(
            rate_driven.area(), abs=1e-12
        )
        part = ic.measures.rate_driven_loss(curve, axis=axis, prevalence=pi, between=between)
        assert part == pytest.approx(rate_driven.area(*between), abs=1e-12)
    kendall = ic.curves.kendall_curve(curve, prevalence=pi)
    assert ic.measures.kendall_loss(curve, prevalence=pi) == pytest.approx(kendall.area(), abs=1e-12)
    assert ic.measures.kendall_loss(curve, prevalence=pi, between=between) == pytest.approx(
        kendall.area(*between), abs=1e-12
    )


@given(curves(), ranges)
def test_partial_losses_add_up(curve, between):
    """The range and what lies beside it make the whole."""
    low, high = between
    parts = [(0.0, low), (low, high), (high, 1.0)]
    assert sum(ic.measures.kendall_loss(curve, between=part) for part in parts) == pytest.approx(
        ic.measures.kendall_loss(curve), abs=1e-12
    )


@given(curves(), curves(), ranges)
def test_rate_driven_and_kendall_losses_agree_on_which_model_is_better(one, other, between):
    """At one prevalence they differ by the perfect ranker's part only, in any range."""
    gaps = [
        loss(one, prevalence=0.3, between=between) - loss(other, prevalence=0.3, between=between)
        for loss in (ic.measures.rate_driven_loss, ic.measures.kendall_loss)
    ]
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-12)


@given(curves())
def test_normalised_kendall_loss_is_the_area_above_the_roc_curve(curve):
    """At any prevalence, when all rates count."""
    for pi in (None, 0.2):
        assert ic.measures.kendall_loss(curve, prevalence=pi, normalised=True) == pytest.approx(
            1 - ic.auc(curve), abs=1e-12
        )


@settings(max_examples=15)
@given(curves(max_size=10), st.floats(1, 6), st.floats(1, 6))
def test_rates_can_be_weighed_by_how_likely_they_are(curve, a, b):
    """The mean of the Kendall curve over a Beta distribution of rates, against adaptive quadrature."""
    dist = stats.beta(a, b)
    kendall = ic.curves.kendall_curve(curve)
    pieces = pairwise(kendall.breaks)
    expected = sum(quad(lambda x: float(kendall(x)) * dist.pdf(x), low, high)[0] for low, high in pieces)
    assert ic.measures.kendall_loss(curve, rates=dist) == pytest.approx(expected, abs=1e-10)
    assert ic.measures.kendall_loss(curve, rates=stats.uniform()) == pytest.approx(
        ic.measures.kendall_loss(curve), abs=1e-12
    )


def test_likely_rates_change_which_model_is_better():
    """When about 20 % inspected is likelier than 30 %, model B; when about 80 % is, model A."""
    a, b = model("A"), model("B")
    few, many = stats.beta(4, 16), stats.beta(16, 4)
    assert ic.measures.kendall_loss(b, rates=few) < ic.measures.kendall_loss(a, rates=few)
    assert ic.measures.kendall_loss(a, rates=many) < ic.measures.kendall_loss(b, rates=many)


@given(curves(kinds=("tied", "probabilities")), prevalences)
def test_calibration_loss_is_what_lies_between_the_score_driven_curve_and_the_envelope(curve, pi):
    """As the decomposition says; nothing once the scores are calibrated."""
    for axis in ("pcf", "cost_proportion"):
        parts = ic.curves.brier_decomposition(curve, axis=axis, prevalence=pi)
        found = ic.measures.calibration_loss(curve, axis=axis, prevalence=pi)
        assert found == pytest.approx(parts.excess_loss, abs=1e-12)
    calibrated = applied(curve.calibrator(prevalence=pi), curve)
    assert ic.measures.calibration_loss(calibrated, prevalence=pi) == pytest.approx(0, abs=1e-12)


def test_brier_score_of_a_coarse_forecast():
    """Worked by hand: (0.1² + 0.4² + 0.5² + 0.2²)/4, and the mean of the classes' means when they differ in size."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 0], [0.9, 0.6, 0.5, 0.2])
    assert ic.measures.brier_loss(curve) == pytest.approx((0.01 + 0.16 + 0.25 + 0.04) / 4)
    curve = ic.RocCurve.from_scores([1, 0, 0], [0.9, 0.5, 0.2])
    assert ic.measures.brier_loss(curve, axis="pcf") == pytest.approx((0.01 + (0.25 + 0.04) / 2) / 2)


def test_continuous_curves_have_exact_losses():
    """Two normals: the closed forms of their AUC."""
    smooth = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
    auc = stats.norm.cdf(1 / np.sqrt(2))
    assert ic.measures.kendall_loss(smooth, prevalence=0.3) == pytest.approx(0.42 * (1 - auc), abs=1e-12)
    assert ic.measures.rate_driven_loss(smooth, axis="pcf") == pytest.approx((1 - 2 * auc) / 4 + 1 / 3, abs=1e-12)


def test_bad_ranges_and_scores_are_refused():
    """With what came and what to do."""
    curve = model("A")
    with pytest.raises(ic.IsocostError, match=r"between has low > high: \(0\.5, 0\.1\); swap them"):
        ic.measures.kendall_loss(curve, between=(0.5, 0.1))
    with pytest.raises(ic.IsocostError, match=r"between high must be between 0 and 1, got 2"):
        ic.measures.rate_driven_loss(curve, between=(0, 2))
    with pytest.raises(ic.IsocostError, match="between= and rates= together"):
        ic.measures.kendall_loss(curve, between=(0, 0.5), rates=stats.beta(2, 2))
    with pytest.raises(ic.IsocostError, match=r"dist has mass outside \[0, 1\]"):
        ic.measures.kendall_loss(curve, rates=stats.norm(0.2, 0.1))
    with pytest.raises(ic.IsocostError, match=r"the Brier score needs probabilities: .* got scores from 1 to 10"):
        ic.measures.brier_loss(curve)
    with pytest.raises(ic.IsocostError, match="pairs can only be counted with class totals"):
        ic.measures.kendall_distance(ic.RocCurve.from_points([0.2], [0.7]))


@pytest.mark.parametrize("power", [20, 30, 31, 40, 58])
def test_pairs_of_many_cases_are_not_counted_round_the_end(power):
    """From 2^31 cases a class on, pairs are more than a 64-bit whole number holds."""
    up, down = np.array([5, 3, 0, 1]), np.array([0, 2, 4, 1])
    few = ic.RocCurve.from_counts(ic.ScoreCounts([4.0, 3.0, 2.0, 1.0], up, down))
    many = ic.RocCurve.from_counts(ic.ScoreCounts([4.0, 3.0, 2.0, 1.0], up << power, down << power))
    assert ic.measures.kendall_distance(many) == ic.measures.kendall_distance(few) * 4.0**power
    for measure in ic.registered_measures().values():
        if measure.unavailable(few) is None:
            assert measure(many) == pytest.approx(measure(few), abs=1e-15), measure.name


@pytest.mark.parametrize(("hits", "cases"), [([4, 2, 3], [5, 7, 6]), ([4, 3, 5], [6, 8, 9]), ([3, 3, 3], [6, 5, 7])])
def test_calibrated_scores_lose_nothing_to_calibration(hits, cases):
    """Each score is the share of positives that have it: 0 up to rounding, and never below."""
    y = np.concatenate([[1] * hit + [0] * (n - hit) for hit, n in zip(hits, cases, strict=True)])
    loss = ic.measures.calibration_loss(ic.RocCurve.from_scores(y, np.repeat(np.divide(hits, cases), cases)))
    assert 0 <= loss < 1e-15

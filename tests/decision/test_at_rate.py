"""The rate-driven rule itself, and cut points that are never worth choosing."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from oracles import brute_force
from strategies import curves, inside_unit, samples, unit

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text(encoding="utf-8"))
prevalences = st.none() | inside_unit


def running_example(name="A", scores=None):
    """A model of the paper; its scores grow with the negative class, so they are turned around."""
    paper = PAPERS[f"model_{name}"]
    return ic.RocCurve.from_scores(paper["labels"], paper["scores"] if scores is None else -np.array(scores))


def test_example_1():
    """Rate 0.725: seven of ten flagged with probability 3/4, eight with 1/4, at the thresholds the paper gives."""
    paper = PAPERS["rate_driven_example_1"]
    curve = running_example(scores=paper["scores_of_negative_class"])
    choice = ic.rate_threshold(curve, paper["cost_proportion"])
    assert 1 - choice.other_probability == pytest.approx(paper["probability_of_first"], abs=1e-14)
    assert (choice.threshold, choice.other_threshold) == (-1.47, -1.49)
    at = curve._points_at([choice.threshold, choice.other_threshold])
    assert ((curve.fp + curve.tp)[at] / 10).tolist() == paper["rates"]
    assert choice.flagged == pytest.approx(paper["cost_proportion"], abs=1e-15)
    # "Just the closest rate isometric": 0.7.
    closest = ic.rate_threshold(curve, paper["cost_proportion"], randomised=False)
    assert closest.threshold == -1.47
    assert closest.flagged == pytest.approx(0.7)
    assert closest.other_threshold is None


@given(samples(), prevalences, unit)
def test_the_share_asked_for_is_flagged_on_average(sample, pi, share):
    """And the cost is the value of the rate-driven curve there."""
    curve = sample.curve
    choice = ic.rate_threshold(curve, share, prevalence=pi)
    assert choice.flagged == pytest.approx(share, abs=1e-12)
    p = curve.prevalence if pi is None else pi
    cost = 2 * ((1 - share) * (1 - p) * choice.fpr + share * p * (1 - choice.tpr))
    curve_value = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion", prevalence=pi)(share)
    assert cost == pytest.approx(float(curve_value), abs=1e-12)
    assert choice.expected_cost == pytest.approx(cost, abs=1e-12)


@given(samples(weighted=(None, "whole")), unit)
def test_deterministic_choice_is_the_nearest_rate(sample, share):
    """Among all thresholds, tried one by one; of two equally near the one that flags fewer."""
    choice = ic.rate_threshold(sample.curve, share, randomised=False)
    p = Fraction(int(sample.curve.positives), int(sample.curve.positives + sample.curve.negatives))
    rates = [p * tpr + (1 - p) * fpr for fpr, tpr, _ in brute_force.points(sample.y, sample.s, sample.w)]
    nearest = min(abs(rate - Fraction(share)) for rate in rates)
    assert abs(choice.flagged - share) == pytest.approx(float(nearest), abs=1e-12)
    assert choice.other_threshold is None


def test_rates_on_a_point_need_no_coin():
    """Also when the share asked for is only equal up to rounding; 0 flags nobody and 1 everybody."""
    curve = running_example()
    assert ic.rate_threshold(curve, 0.1 + 0.2).threshold == 8
    assert ic.rate_threshold(curve, 0.1 + 0.2).other_threshold is None
    assert ic.rate_threshold(curve, 0).threshold == np.inf
    assert ic.rate_threshold(curve, 1).threshold == 1
    assert ic.rate_threshold(curve, 0.25, randomised=False).threshold == 9


def test_only_the_order_of_the_scores_matters():
    """Any increasing map of the scores flags the same cases with the same coin."""
    plain, other = (
        running_example(),
        running_example(scores=PAPERS["rate_driven_example_1"]["scores_of_negative_class"]),
    )
    for share in (0.05, 0.33, 0.725):
        a, b = ic.rate_threshold(plain, share), ic.rate_threshold(other, share)
        assert (a.fpr, a.tpr, a.other_probability) == (b.fpr, b.tpr, b.other_probability)


def test_bad_rates_and_points_without_thresholds_are_refused():
    """With what came and what to do."""
    with pytest.raises(ic.IsocostError, match=r"cost_proportion must be between 0 and 1, got 1\.2"):
        ic.rate_threshold(running_example(), 1.2)
    crisp = ic.RocCurve.from_points([0.2], [0.7], positives=5, negatives=5)
    with pytest.raises(ic.IsocostError, match="points have no thresholds: build it with from_scores"):
        ic.rate_threshold(crisp, 0.3)


@pytest.mark.parametrize("name", ["A", "B"])
def test_dominated_rates_of_the_running_example(name):
    """Between 10 % and 50 % inspected: the rates that should never be chosen."""
    cuts = ic.dominated_cuts(running_example(name), between=(0.1, 0.5))
    assert cuts.rates.tolist() == PAPERS[f"model_{name}"]["dominated_rates_0.1_0.5"]


@given(curves(), prevalences, st.tuples(unit, unit).map(sorted))
def test_cuts_left_over_are_best_somewhere_and_dominated_ones_nowhere_alone(curve, pi, between):
    """Every cost line drawn: at the middle of each stretch between crossings one of the cuts left is the cheapest of the range."""
    p = curve.prevalence if pi is None else pi
    dominated = ic.dominated_cuts(curve, between=between, prevalence=pi)
    rate = p * curve.tpr + (1 - p) * curve.fpr
    inside = (rate >= between[0] - 1e-15) & (rate <= between[1] + 1e-15)
    gone = np.isin(curve.thresholds, dominated.thresholds) & np.isin(rate.round(13), dominated.rates.round(13)) & inside
    assert gone.sum() == len(dominated)
    assume(bool(inside.any()))
    left = np.flatnonzero(inside & ~gone)
    assert left.size > 0
    t = np.linspace(0, 1, 41)[:, None]
    costs = t * curve.fpr + (1 - t) * (1 - curve.tpr)
    assert np.all(costs[:, left].min(axis=1) <= costs[:, inside].min(axis=1) + 1e-12)


@given(curves(weighted=(None, "whole")))
def test_without_a_range_the_cuts_left_are_the_vertices_with_a_range_of_costs(curve):
    """The hull's vertices, less a trivial end that is cheapest at one value of t only."""
    dominated = set(ic.dominated_cuts(curve).rates.tolist())
    rates = set(((curve.fp + curve.tp) / (curve.positives + curve.negatives)).tolist())
    n = curve.positives + curve.negatives
    kept = {(v.fp + v.tp) / n for v in curve.vertices if v.t_low < v.t_high}
    assert rates - dominated == kept


def test_cut_points_show_themselves():
    """Count, range and plain data; an empty range has none."""
    cuts = ic.dominated_cuts(running_example(), between=(0.1, 0.5))
    assert repr(cuts) == "<CutPoints: 3, flagging 0.1 to 0.4 of all cases>"
    assert cuts.to_dict()["thresholds"] == [10, 8, 7]
    empty = ic.dominated_cuts(running_example(), between=(0.41, 0.42))
    assert len(empty) == 0
    assert repr(empty) == "<CutPoints: 0>"
    with pytest.raises(ic.IsocostError, match=r"between has low > high: \(0\.5, 0\.1\); swap them"):
        ic.dominated_cuts(running_example(), between=(0.5, 0.1))

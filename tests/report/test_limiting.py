"""The page's decision within limits is the library's."""

import re

import numpy as np
import pytest
from doors.data_sets import DATA_SETS
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from report.javascript import call, evaluated, load, state_of

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InfeasibleError
from isocost.report.summary import summarise

SAME = ("model", "rule", "tied", "warnings")
CLOSE = ("fpr", "tpr", "flagged", "precision", "normalised_cost", "expected_cost", "per_1000")


@pytest.fixture(scope="module")
def credit():
    """Three credit models and their summary."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return comparison, summarise(comparison, over=ic.Condition(1, 5, 0.3), n_resamples=0)


def assert_same(comparison, summary, over, limits):
    """Model, rule, costs, ties, warnings and rivals of the page within limits are the library's."""
    load(summary)
    state = state_of(over) | {"limits": limits}
    page = evaluated("((d) => ({ ...d, says: says(d) }))(decideAt(loaded, a))", state)
    try:
        found = comparison.decide(over, **limits).to_dict()
    except InfeasibleError:
        assert page["warnings"][0] == "No threshold keeps your limits here: this is the answer without them."
        assert page["model"] == comparison.decide(over).model
        return
    for name in SAME:
        assert page[name] == found[name]
    for name in CLOSE:
        assert page[name] == (None if found[name] is None else pytest.approx(found[name], rel=1e-9, abs=1e-12))
    for key in ("rule", "aim"):
        assert page["says"][key] == found["says"][key]
    assert [row["model"] for row in page["alternatives"]] == [row["model"] for row in found["alternatives"]]
    for mine, theirs in zip(page["alternatives"], found["alternatives"], strict=True):
        assert mine["rule"] == theirs["rule"]
        assert mine["extra_cost"] == (
            None if theirs["extra_cost"] is None else pytest.approx(theirs["extra_cost"], abs=1e-11)
        )


@settings(max_examples=60)
@given(
    st.floats(0.01, 100),
    st.floats(0.01, 0.99),
    st.one_of(st.none(), st.floats(0, 1)),
    st.one_of(st.none(), st.floats(0, 1)),
)
def test_page_keeps_limits_as_the_library_does(credit, cost_fn, prevalence, max_flagged, min_precision):
    """At any condition, with either limit or both."""
    limits = {"max_flagged": max_flagged, "min_precision": min_precision}
    limits = {kind: value for kind, value in limits.items() if value is not None}
    if limits:
        assert_same(*credit, ic.Condition(1, cost_fn, prevalence), limits)


@pytest.mark.parametrize("name", DATA_SETS)
def test_page_keeps_limits_on_odd_data(name):
    """Ties, constant, identical, inverted and perfect models."""
    data = DATA_SETS[name]
    comparison = ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights)
    summary = summarise(comparison, over=ic.Condition(1, 3, 0.4), n_resamples=0)
    for limits in ({"max_flagged": 0.3}, {"min_precision": 0.6}, {"max_flagged": 0.5, "min_precision": 0.4}):
        assert_same(comparison, summary, ic.Condition(1, 3, 0.4), limits)


def test_the_map_within_limits_is_the_librarys(credit):
    """At corners of the grid the winner and its cost are those of `decide`."""
    comparison, summary = credit
    load(summary)
    limits = {"max_flagged": 0.35, "min_precision": 0.4}
    condition = {"fpGap": 1.0, "cost_tn": 0.0, "cost_tp": 0.0}
    grid = evaluated("gridWithin(loaded, a, b, c, d, 4)", limits, condition, [-1, 3], [-2, 1])
    import math

    for j in range(5):
        for i in range(5):
            over = ic.Condition(1, math.exp(-1 + i), 1 / (1 + math.exp(2 - 0.75 * j)))
            cell = grid[5 * j + i]
            try:
                found = comparison.decide(over, **limits)
            except InfeasibleError:
                continue
            assert cell["cost"] == pytest.approx(1000 * found.expected_cost, rel=1e-9)
            who = comparison.names[cell["who"]] if isinstance(cell["who"], int) else cell["who"]
            assert who in (found.model, *found.tied)


def test_scores_counted_in_buckets_have_no_limits_on_the_page(credit):
    """Which threshold keeps a limit is not known then: the page says what to do, and offers no limits."""
    _, summary = credit
    load(summary)
    assert evaluated("whyNoLimits(loaded)") == ""
    open_model = [{"name": "m", "about": {"thinned": True, "roc": {"within": 0.01}}}]
    assert "from the scores themselves" in call("whyNoLimits", {"models": open_model})


@pytest.fixture(scope="module")
def many():
    """Two models of so many cases that the page holds some of their thresholds."""
    rng = np.random.default_rng(5)
    y = rng.random(2500) < 0.3
    scores = {name: 1 / (1 + np.exp(-(rng.normal(size=y.size) + y * gain))) for name, gain in (("a", 1.2), ("b", 1.1))}
    comparison = ic.Comparison.from_scores(y, scores)
    return comparison, summarise(comparison, over=ic.Condition(1, 4, 0.3), n_resamples=0)


@settings(max_examples=25)
@given(st.floats(0.05, 0.9), st.floats(0.1, 1), st.floats(0, 0.7), st.floats(0.05, 30))
def test_limits_on_a_thinned_curve_are_kept_within_bounds(many, prevalence, max_flagged, min_precision, cost_fn):
    """The page's rule keeps the limits, and the page says how much more than the cheapest of all it can cost at most."""
    comparison, summary = many
    assert all(model["thinned"] for model in summary["models"])
    limits, over = {"max_flagged": max_flagged, "min_precision": min_precision}, ic.Condition(1, cost_fn, prevalence)
    load(summary)
    page = evaluated("decideAt(loaded, a)", state_of(over) | {"limits": limits})
    try:
        best = comparison.decide(over, **limits)
    except InfeasibleError:
        assume(False)
    assume("No threshold" not in " ".join(page["warnings"]))
    low = page["normalised_cost"] if page["normalised_cost_low"] is None else page["normalised_cost_low"]
    chosen = {row["model"]: row for row in page["alternatives"]}
    hidden = [page["normalised_cost"] + row["extra_low"] for row in chosen.values() if row["extra_low"] is not None]
    assert min([low, *hidden]) - 1e-12 <= best.normalised_cost <= page["normalised_cost"] + 1e-12
    assert page["flagged"] <= max_flagged + 1e-12
    assert page["precision"] is None or page["precision"] >= min_precision - 1e-12
    # The rule can be typed back: it flags what the page says.
    if page["model"] in comparison.names and "≥" in page["rule"]:
        cut = float(page["rule"].rpartition("≥ ")[2])
        rows = comparison._rows
        assert page["fpr"] == pytest.approx(np.mean(rows.scores[page["model"]][~rows.positive] >= cut), abs=1e-12)


@settings(max_examples=25)
@given(st.floats(0.05, 0.9), st.floats(0, 1), st.floats(0.05, 30))
def test_a_limit_on_a_thinned_curve_costs_at_most_a_step_between_its_points(many, prevalence, max_flagged, cost_fn):
    """The next held point above the cheapest threshold keeps the limit too, and catches no fewer than a step less."""
    comparison, summary = many
    step = max(np.diff(model["roc"]["tp"]).max() / model["positives"] for model in summary["models"])
    limits, over = {"max_flagged": max_flagged}, ic.Condition(1, cost_fn, prevalence)
    load(summary)
    page = evaluated("decideAt(loaded, a)", state_of(over) | {"limits": limits})
    best = comparison.decide(over, **limits)
    assert page["normalised_cost"] - best.normalised_cost <= step + 1e-12


def test_a_thinned_curve_says_what_other_thresholds_could_save(many):
    """In money, beside the limits."""
    _, summary = many
    load(summary)
    state = state_of(ic.Condition(1, 4, 0.3)) | {"limits": {"max_flagged": 0.123}}
    notes = evaluated("notes(decideAt(loaded, a), speechOf(loaded.summary))", state)
    said = [text for text, _ in notes if text.startswith("Within your limits")]
    assert said[0].startswith("Within your limits: at most 123 of 1000 flagged. The page holds only some thresholds: ")
    assert re.search(r"another one could save up to [\d.]+ per 1000\.", said[0])


@settings(max_examples=25)
@given(st.floats(0.05, 0.9), st.floats(0.1, 1), st.floats(0, 0.7), st.floats(0.05, 30))
def test_lines_within_limits_are_the_librarys(credit, prevalence, max_flagged, min_precision, cost_fn):
    """At every cost of a miss the lowest line is what the decision costs, and its model wins there."""
    comparison, summary = credit
    limits, over = {"max_flagged": max_flagged, "min_precision": min_precision}, ic.Condition(1, cost_fn, prevalence)
    try:
        found = comparison.decide(over, **limits)
    except InfeasibleError:
        assume(False)
    load(summary)
    lines = """(({ least, wins }) => ({ least: least(c), wins }))(
      costLines(loaded, { limits: a }, { fpGap: 1, prevalence: b }))"""
    page = evaluated(lines, limits, prevalence, over.pcf)
    assert page["least"] == pytest.approx(found.normalised_cost, abs=1e-12)
    near = [win for win in page["wins"] if win["from"] - 1e-9 <= over.pcf <= win["to"] + 1e-9]
    names = [comparison.names[win["model"]] if isinstance(win["model"], int) else win["model"] for win in near]
    assert {*names} & {found.model, *found.tied}

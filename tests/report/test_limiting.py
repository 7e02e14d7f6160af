"""The page's decision within limits is the library's."""

import pytest
from doors.data_sets import DATA_SETS
from hypothesis import given, settings
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


def test_without_every_threshold_the_page_keeps_no_limits(credit):
    """Curves thinned for drawing may lack the cheapest threshold: the page says so and offers no limits."""
    _, summary = credit
    load(summary)
    assert evaluated("whyNoLimits(loaded)") == ""
    thinned = [{"name": "m", "about": {"thinned": True, "roc": {"within": 0}}}]
    assert "knows all" in call("whyNoLimits", {"models": thinned})

"""How sure the page is within limits and with second looks: the library's numbers, from the cases drawn."""

import numpy as np
import pytest
from doors.data_sets import DATA_SETS
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from report.javascript import evaluated, load, state_of
from report.test_core import differences

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InfeasibleError
from isocost.report import drawn_cases
from isocost.report.summary import summarise

RESAMPLES = 40
REVIEWER = {"max_reviewed": None, "reviewer_fpr": 0.0, "reviewer_tpr": 1.0}
RESAMPLED = ("share", "interval", "extra_interval")


@pytest.fixture(scope="module")
def credit():
    """Three credit models and their summary."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return comparison, summarise(comparison, over=ic.Condition(1, 5, 0.3), n_resamples=RESAMPLES)


def assert_as_sure(comparison, summary, over, *, limits=None, reviews=None):
    """Grade, share, interval, regret, labels and every rival's share and intervals are those of `decide`."""
    load(summary)
    state = state_of(over) | {"limits": limits, "review": reviews}
    page = evaluated("((d) => ({ ...d, says: says(d) }))(decideAt(loaded, a))", state)
    mine = comparison.decide(over, **(limits or {}), **(reviews or {}), n_resamples=RESAMPLES).to_dict()
    assert mine["surety"]["grade"] is not None
    assert differences(mine["surety"], page["surety"]) == []
    for theirs, own in zip(mine["alternatives"], page["alternatives"], strict=True):
        assert theirs["model"] == own["model"]
        assert differences({name: theirs[name] for name in RESAMPLED}, own) == []
    return page["says"]["sure"], mine["says"]["sure"]


@settings(max_examples=25)
@given(st.floats(0.05, 50), st.floats(0.02, 0.9), st.none() | st.floats(0, 1), st.none() | st.floats(0, 0.9))
def test_the_page_is_as_sure_within_limits_as_the_library(credit, cost_fn, prevalence, max_flagged, min_precision):
    """Rules that keep limits stay as they are on every resample."""
    limits = {"max_flagged": max_flagged, "min_precision": min_precision}
    limits = {kind: value for kind, value in limits.items() if value is not None}
    assume(limits)
    over = ic.Condition(1, cost_fn, prevalence)
    try:
        credit[0].decide(over, **limits)
    except InfeasibleError:
        assume(False)
    page, library = assert_as_sure(*credit, over, limits=limits)
    assert page == library


@settings(max_examples=25)
@given(
    st.floats(0.05, 50),
    st.floats(0.02, 0.9),
    st.floats(0, 1.5),
    st.none() | st.floats(0, 0.5),
    st.sampled_from([(0.0, 1.0), (0.05, 0.9)]),
)
def test_the_page_is_as_sure_with_second_looks_as_the_library(credit, cost_fn, prevalence, price, most, reviewer):
    """Bands stay as they are on every resample, reviews included; with a price above any gain they are single thresholds."""
    reviews = {"cost_review": price, "max_reviewed": most, "reviewer_fpr": reviewer[0], "reviewer_tpr": reviewer[1]}
    assert_as_sure(*credit, ic.Condition(1, cost_fn, prevalence), reviews=reviews)


@pytest.mark.filterwarnings("ignore::isocost.errors.FewCasesWarning")
@pytest.mark.parametrize("name", DATA_SETS)
def test_odd_data_are_as_sure(name):
    """Ties, weights, constant, identical, inverted and perfect models."""
    data = DATA_SETS[name]
    comparison = ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights)
    over = ic.Condition(1, 3, 0.4)
    summary = summarise(comparison, over=over, n_resamples=RESAMPLES)
    if min(comparison._rows.sizes) < 2:
        assert summary["drawn"] is None
        return
    assert_as_sure(comparison, summary, over, limits={"max_flagged": 0.5})
    assert_as_sure(comparison, summary, over, reviews={"cost_review": 0.2} | REVIEWER)


def test_many_cases_are_known_at_the_vertices_of_hulls(monkeypatch):
    """Where not every threshold fits the file, bands of the hull are as sure; a limit met elsewhere is not known, and says what tells."""
    monkeypatch.setattr(drawn_cases, "BUDGET", 12_000)
    rng = np.random.default_rng(3)
    y = rng.random(900) < 0.3
    comparison = ic.Comparison.from_scores(y, {name: rng.normal(size=900) + y for name in ("a", "b")})
    over = ic.Condition(1, 4, 0.3)
    summary = summarise(comparison, over=over, n_resamples=RESAMPLES)
    assert [table["at"] for table in summary["drawn"]] == ["hull", "hull"]
    assert_as_sure(comparison, summary, over, reviews={"cost_review": 0.2} | REVIEWER)
    load(summary)
    page = evaluated("decideAt(loaded, a)", state_of(over) | {"limits": {"max_flagged": 0.123}})
    assert page["surety"]["grade"] is None
    assert "isocost choose" in page["surety"]["doubts"][0]


def test_clusters_are_drawn_as_a_whole():
    """The cases drawn are those of the library, clusters and all."""
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, scores, cluster=np.arange(len(y)) // 4)
    over = ic.Condition(1, 5, 0.3)
    summary = summarise(comparison, over=over, n_resamples=RESAMPLES)
    assert_as_sure(comparison, summary, over, limits={"max_flagged": 0.3})


def test_without_resamples_nothing_is_known(credit):
    """The page says what would give it."""
    comparison, _ = credit
    summary = summarise(comparison, over=ic.Condition(1, 5, 0.3), n_resamples=0)
    assert summary["drawn"] is None
    load(summary)
    page = evaluated("decideAt(loaded, a)", state_of(ic.Condition(1, 5, 0.3)) | {"limits": {"max_flagged": 0.3}})
    assert page["surety"]["grade"] is None
    assert "n_resamples" in page["surety"]["doubts"][0]

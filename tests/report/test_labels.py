"""The page's value of labels and its claims are the library's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.javascript import call, decided, state_of

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decision.pricing import Pricing
from isocost.decision.surety import LabelTerms
from isocost.inference.label_value import Actions, valued
from isocost.report.summary import summarise

CONDITION = ic.Condition(1, 5, 0.3, cost_tp=0.5)


@pytest.fixture(scope="module")
def credit():
    """The bundled predictions, three models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 60), st.sampled_from([None, 0.0, 0.02, 3.0]),
    st.sampled_from([None, 0.0, 0.5, 20.0]), st.sampled_from([1.0, 1000.0, 1e6]),
)  # fmt: skip
def test_page_values_labels_as_the_library_does(seed, actions, resamples, price, good_enough, cases):
    """Regret now, the worth of all labels, and how many are enough, with a price and without."""
    rng = np.random.default_rng(seed)
    costs = rng.uniform(0.2, 0.3, size=(actions, resamples))
    lost = rng.uniform(0, 0.01, size=actions)
    today = int(rng.integers(actions))
    terms = LabelTerms(price, good_enough, cases)
    pricing = Pricing.of(CONDITION)
    library = valued(Actions([""] * actions, costs, None, lost, today), pricing, 400.0, terms)
    about = {
        "unit": 1000 * pricing.unit_cost, "constant": 1000 * CONDITION.best_cost, "level": 0.95,
        "terms": vars(terms) | {"labelled": 400},
    }  # fmt: skip
    page = call("valueOfLabels", costs.tolist(), lost.tolist(), today, about)
    for name, value in (
        ("expected", library.regret_now.expected), ("worst", library.regret_now.worst), ("perfect", library.perfect),
        ("good_enough", library.tolerance),
    ):  # fmt: skip
        assert page[name] == pytest.approx(value, rel=1e-9, abs=1e-9)
    if price is None and library.enough is not None and page["enough"] is not None:
        # A rounding may move a number at the edge by one.
        assert abs(page["enough"] - library.enough) <= 1
    elif price is not None:
        assert library.net(page["enough"]) == pytest.approx(library.net(library.enough), rel=1e-9, abs=1e-9)
    else:
        assert page["enough"] == library.enough


def test_page_says_how_many_labels_would_settle_it_wherever_its_condition_is_dragged(credit):
    """Up to the rounding of resampled costs in the file, as the library does at the same condition."""
    summary = summarise(credit, over=CONDITION, n_resamples=60, labels=LabelTerms(None, 4.0, 500.0))
    for node in (40, 60, 70):
        over = ic.Condition.from_pcf(summary["resamples"]["grid"][node])
        found = credit.decide(over, n_resamples=60, good_enough=4, cases=500).surety.labels
        page = decided(summary, state_of(over))["surety"]["labels"]
        assert (page["labelled"], page["cases"], page["cost_per_label"]) == (1000, 500, None)
        assert page["good_enough"] == found.good_enough == 4
        assert page["perfect"] == pytest.approx(found.perfect, abs=0.1)
        assert page["enough"] == pytest.approx(found.enough, rel=0.05, abs=5)


def test_page_claims_what_the_library_claims(credit):
    """Ranges of pcf in ascending order, of two models in whatever order they are asked for."""
    pairs = credit.bootstrap(800, grid=np.linspace(0, 1, 41)).significant_pairs(0.5)
    assert pairs
    claims = {"anywhere": [vars(claim) for claim in pairs]}
    for a, b in pairs.bands:
        theirs = sorted((1 - c.t_high, 1 - c.t_low, c.better) for c in pairs if {c.better, c.worse} == {a, b})
        for names in ((a, b), (b, a)):
            mine = [(c["low"], c["high"], c["better"]) for c in call("claimsOf", claims, *names)]
            assert mine == theirs


def test_words_of_significance_need_many_resamples(credit):
    """800 are drawn by default, of which the page holds 200; with fewer nothing is claimed."""
    summary = summarise(credit, over=CONDITION)
    found = summary["significance"]
    assert (found["n_resamples"], found["level"], summary["resamples"]["n"]) == (800, 0.9, 200)
    every = credit.bootstrap(800, grid=summary["resamples"]["grid"])
    for name, over in (("anywhere", None), ("declared", CONDITION)):
        assert found[name] == [vars(claim) for claim in every.significant_pairs(over=over)]
    assert found["anywhere"]
    assert summary["decision"]["surety"]["n_resamples"] == 200
    assert summarise(credit, over=CONDITION, n_resamples=799)["significance"] is None


def test_report_draws_the_cases_of_a_cluster_together():
    """Pairs of equal rows are one unit: intervals are wider than of as many independent rows."""
    y, scores = load_german_credit_predictions()
    twice = ic.Comparison.from_scores(np.repeat(y, 2), {name: np.repeat(s, 2) for name, s in scores.items()})
    case = np.arange(y.size).repeat(2)
    spans = {}
    for name, cluster in (("rows", None), ("clusters", case)):
        low, high = twice.report(over=CONDITION, n_resamples=200, cluster=cluster).summary["decision"]["surety"][
            "interval"
        ]
        spans[name] = high - low
    assert spans["clusters"] > 1.2 * spans["rows"]
    named = ic.Comparison.from_scores(np.repeat(y, 2), {n: np.repeat(s, 2) for n, s in scores.items()}, cluster=case)
    low, high = named.decide(CONDITION, n_resamples=200).surety.interval
    assert high - low == pytest.approx(spans["clusters"], rel=1e-9)

"""Smooth thresholds on the page: the library's cut at any costs, and how sure it is at the report's own question alone."""

import numpy as np
import pytest
from report.javascript import decided
from report.test_twin import same

import isocost as ic
from isocost.conditions import NAMES
from isocost.datasets import load_german_credit_predictions
from isocost.report import packing

AT = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


def asked(condition, **more):
    """The state of a page that asks for smooth thresholds."""
    return {name: [getattr(condition, name)] * 2 for name in NAMES} | {"method": "smooth", **more}


@pytest.fixture(scope="module")
def made():
    """German credit, and its report with smooth thresholds."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    return comparison, comparison.report(condition=AT, method="smooth", n_resamples=20).summary


def test_page_opens_with_the_librarys_answer(made):
    """Price and grade included."""
    comparison, summary = made
    expected = comparison.decide(AT, method="smooth", n_resamples=20).to_dict()
    assert summary["decision"] == expected
    assert expected["confidence"]["price"] is not None
    same(expected, decided(summary, asked(AT, words=expected["question"]["words"])))
    assert "method='smooth'" in summary["provenance"]["call"]


@pytest.mark.parametrize("cost_fn", [0.01, 0.5, 1, 2.34, 8, 40, 900])
@pytest.mark.parametrize("options", [{}, {"max_flagged": 0.6}])
def test_page_has_the_librarys_cut_at_other_costs(made, cost_fn, options):
    """Without a price, since nothing is fitted in the browser."""
    comparison, summary = made
    condition = ic.Condition(cost_fn=cost_fn, prevalence=0.2)
    expected = comparison.decide(condition, method="smooth", **options).to_dict()
    found = decided(summary, asked(condition, limits=options, words=expected["question"]["words"]))
    same(expected, found)
    assert found["confidence"] is None


def test_tables_that_do_not_fit_keep_the_cut_of_the_report(monkeypatch):
    """Of many thresholds the page holds some: the decided one among them."""
    monkeypatch.setattr(packing, "TABLES", 0)
    rng = np.random.default_rng(2)
    y = rng.random(2000) < 0.3
    comparison = ic.Comparison.from_scores(y, {"a": rng.normal(size=2000) + y, "b": rng.normal(size=2000)})
    summary = comparison.report(condition=AT, method="smooth", n_resamples=0).summary
    assert not summary["models"][0]["table"]["complete"]
    expected = comparison.decide(AT, method="smooth").to_dict()
    moved = {name: [2 * getattr(AT, name)] * 2 for name in NAMES} | {"prevalence": [0.3, 0.3]}
    found = decided(summary, moved | {"method": "smooth", "words": expected["question"]["words"]})
    assert (found["model"], found["threshold"]) == (expected["model"], expected["threshold"])


def test_other_reports_hold_no_smooth_thresholds(made):
    """Which would make them larger."""
    comparison, _ = made
    assert "smooth" not in comparison.report(condition=AT, n_resamples=0).summary["models"][0]["table"]

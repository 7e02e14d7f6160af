"""One mark a case, drawn by Python and by the page's script alike."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.javascript import call, state_of

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decision.vocabulary import vocabulary
from isocost.report.thousand_marks import marks, picture

REVIEWER = {"max_reviewed": None, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9}


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


def drawn(svg):
    """How many marks of each colour and cap there are, holes left out."""
    found = {}
    for path in re.findall(r"<path ([^>]*)/>", svg):
        colour, width = (re.search(rf'{name}="([^"]*)"', path).group(1) for name in ("stroke", "stroke-width"))
        if width != "4" or colour != "#ffffff":
            found[colour] = len(re.findall(r"M", re.search(r'd="([^"]*)"', path).group(1)))
    return found


@settings(max_examples=40)
@given(st.floats(0.1, 30), st.floats(0.02, 0.9), st.floats(0, 1), st.booleans())
def test_script_and_python_mark_the_same_cases(credit, cost_fn, prevalence, price, looked):
    """Whole numbers that sum to 1000, with second looks and without."""
    over = ic.Condition(1, cost_fn, prevalence)
    decision = credit.decide(over, **({"cost_review": price} | REVIEWER if looked else {})).to_dict()
    mine = marks(decision)
    assert sum(mine.values()) == 1000
    assert call("marks", decision, state_of(over)) == mine


def test_looked_at_cases_are_squares(credit):
    """Between those flagged and those left alone; those judged wrongly are drawn as the error that they are, and all are counted."""
    decision = credit.decide(ic.Condition(1, 5, 0.3), cost_review=0.3, **REVIEWER).to_dict()
    svg = picture(decision, vocabulary())
    counts = marks(decision)
    assert drawn(svg)["#3f7688"] == counts["found"] + counts["cleared"] > 100
    assert sum(drawn(svg).values()) - drawn(svg).get("#fbfaf6", 0) == 1000
    assert 'stroke-linecap="square"' in svg
    looked = sum(counts[fate] for fate in ("found", "cleared", "overlooked", "accused"))
    assert f"{looked} looked at again" in svg
    assert counts["overlooked"] > 0
    without = picture(credit.decide(ic.Condition(1, 5, 0.3)).to_dict(), vocabulary())
    assert "looked at" not in without
    assert "square" not in without


def test_the_bill_of_second_looks_adds_up(credit):
    """Errors, looks and right answers that cost something sum to what 1000 cases cost."""
    for costs in ({}, {"cost_tp": 0.4, "cost_tn": 0.1}):
        over = ic.Condition(1, 5, 0.3, **costs)
        decision = credit.decide(over, cost_review=0.3, **REVIEWER).to_dict()
        lines = call("billOf", decision, state_of(over))
        assert sum(line["money"] for line in lines) == pytest.approx(decision["per_1000"], rel=1e-12)

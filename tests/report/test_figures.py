"""The figures of the page, and the marks of those who read it without a script."""

import re

import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.report.figures import figures, sentences, told
from isocost.report.marks import outcomes, picture, size


@pytest.fixture(scope="module")
def credit():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


COSTS = ic.Condition(200, 1000, 0.3)


def test_figures_say_cost_saving_and_what_is_at_stake(credit):
    """From the decision alone, with three digits."""
    decision = credit.decide(COSTS, unit="€", n_resamples=200, rng=0, current=("always-negative", 1.0)).to_dict()
    cost, today, stake = figures(decision, 3)
    assert cost == ("It would cost", "€107,000", "per 1000 cases", "likely €94,900 to €118,000")
    assert today[:2] == ("Against today", "€193,000 less")
    assert today[3].endswith("Today: flag nobody")
    assert stake == ("At stake if this is wrong", "at most €10,000", "", "per 1000 cases, 95 % sure")


def test_without_a_rule_in_use_the_comparison_is_with_no_model(credit):
    """Nothing is invented about today."""
    _, today, _ = figures(credit.decide(COSTS, n_resamples=60, rng=0).to_dict(), 3)
    assert today[0] == "Against no model"
    assert today[3].endswith("less than flagging everybody")


def test_without_resamples_nothing_is_claimed_about_new_cases(credit):
    """The third figure is not known."""
    cost, _, stake = figures(credit.decide(COSTS).to_dict(), 3)
    assert cost[3] == "on these cases; on new ones it is not known"
    assert stake[1] == "not known"


def test_without_costs_there_are_no_figures(credit):
    """The page asks first."""
    decision = credit.decide().to_dict()
    assert told(decision, 3)["state"] == "ask"
    assert [value for _, value, _, _ in figures(decision, 3)] == ["–", "–", "–"]


def test_limits_are_told_by_how_often_they_hold(credit):
    """Instead of what is at stake."""
    decision = credit.decide(COSTS, max_flagged=0.2, n_resamples=100, rng=0).to_dict()
    title, value, _, below = figures(decision, 3)[2]
    assert title == "The limit holds"
    assert re.fullmatch(r"\d+ times in 10|nearly always|hardly ever", value)
    assert below.startswith("on new cases")


def test_every_figure_has_its_sentences():
    """Keys of the page do not take the place of those of decisions."""
    held = sentences()
    for name in ("cost", "today", "stake"):
        assert all(f"{name}_{part}" in held["sentences"] for part in ("title", "value", "small", "below"))
    assert held["sentences"]["headline"]


@pytest.mark.parametrize(("prevalence", "n"), [(0.3, 1000), (0.02, 1000), (0.019, 10_000), (0.0019, 100_000)])
def test_rare_events_are_told_of_more_cases(prevalence, n):
    """At least twenty positives, if 100,000 cases hold them."""
    assert size(prevalence) == n


def test_marks_are_the_rounded_outcomes(credit):
    """One mark per case, crosses for those missed."""
    decision = credit.decide(COSTS).to_dict()
    svg = picture(decision)
    found = outcomes(decision, 0.3, 1000)
    assert sum(found.values()) == pytest.approx(1000)
    crosses = max(svg.count("l6 6m0-6l-6 6"), 0)
    assert crosses == round(found["missed"])
    assert svg.count("a3 3 0 1 0 6 0") == round(found["alarms"])


def test_those_looked_at_are_squares(credit):
    """Between the two ends of a band."""
    decision = credit.decide(ic.Condition(1, 5, 0.3), cost_review=0.1).to_dict()
    assert decision["rule"] == "band"
    assert "looked at by a person (squares)" in picture(decision)

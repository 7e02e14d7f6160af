"""The report's data, its page without JavaScript and its script give the library's answer too."""

import html
import re

import pytest
from doors.data_sets import DATA_SETS
from doors.questions import CERTAIN, RANGES, REVIEWS, Question, switches
from report.javascript import decided, state_of

import isocost as ic
from isocost.report.static import static_block
from oracles import decisions as oracle

SAME = ("model", "rule", "tied", "warnings")
CLOSE = ("threshold", "fpr", "tpr", "flagged", "expected_cost", "per_1000", "normalised_cost")


def compared(data):
    """The library's comparison."""
    return ic.Comparison.from_scores(data.y, data.models, sample_weight=data.weights)


def asked(data):
    """Every question that the page can be asked: both kinds of error must cost something there."""
    yield Question("nothing")
    for costs in (*CERTAIN, *switches(data)):
        if costs["cost_fp"] and costs["cost_fn"]:
            yield Question("costs", costs)
    for costs in RANGES:
        yield Question("ranges", costs)


def assert_script_says(page, expected):
    """The page's script has the same model, rule and sentences, and the same numbers up to rounding."""
    for name in SAME:
        assert page[name] == expected[name]
    for name in CLOSE:
        mine, theirs = (None if value is None else float(value) for value in (expected[name], page[name]))
        assert theirs == (mine if mine is None else pytest.approx(mine, rel=1e-9, abs=1e-11))
    for name, sentence in expected["says"].items():
        assert name == "sure" or page["says"][name] == sentence
    rows = [(row["model"], row["rule"]) for row in expected["alternatives"]]
    assert [(row["model"], row["rule"]) for row in page["alternatives"]] == rows


def assert_one_answer(data, comparison, question):
    """The whole of it for one question."""
    summary = comparison.report(over=question.over, n_resamples=0).summary
    expected = comparison.decide(question.over, n_resamples=0).to_dict()
    assert summary["decision"] == expected
    shown = html.unescape(re.sub(r"<[^>]+>", "\n", static_block(summary))).replace("\u00a0", " ").replace("\u2060", "")
    for sentence in (*expected["says"].values(), *expected["warnings"]):
        assert sentence in shown
    opened = summary["opened"]
    untouched = decided(summary, {**opened["quantities"], "belief": opened["belief"], "author": True})
    assert_script_says(untouched, expected)
    if question.costs:
        found = oracle.rules(data.y, data.models, data.weights)
        lowest = oracle.lowest_cost(found, oracle.Prices.of(**question.costs))
        assert untouched["expected_cost"] == pytest.approx(float(lowest), rel=1e-9, abs=1e-11)


def assert_dragged_page_follows(comparison, question, summary):
    """A page that opened elsewhere says the same once it is dragged to the condition."""
    page = decided(summary, state_of({"cost_fp": 1, "cost_fn": 1, **question.costs}))
    assert_script_says(page, comparison.decide(question.over).to_dict())


def assert_page_reviews_as_the_library_does(comparison, question, summary):
    """A page on which a person can look says what the library says; a mixture is not asked of it."""
    reviews = {"max_reviewed": None, "reviewer_fpr": 0.0, "reviewer_tpr": 1.0, **question.asked}
    page = decided(summary, state_of(question.costs) | {"review": reviews})
    assert_script_says(page, comparison.decide(question.over, **question.asked).to_dict())


@pytest.mark.parametrize("name", ["ordinary", "ties", "infinite"])
def test_report_gives_the_librarys_answer(name):
    """One condition and one range for some data sets; `make test-long` asks all of them."""
    data = DATA_SETS[name]
    comparison = compared(data)
    for costs in (CERTAIN[0], RANGES[2]):
        assert_one_answer(data, comparison, Question("costs", costs))
    elsewhere = comparison.report(n_resamples=0).summary
    assert_dragged_page_follows(comparison, Question("costs", CERTAIN[5]), elsewhere)
    for reviews in (REVIEWS[0], REVIEWS[3]):
        assert_page_reviews_as_the_library_does(comparison, Question("reviews", CERTAIN[0], reviews), elsewhere)


@pytest.mark.long
@pytest.mark.parametrize("name", DATA_SETS)
def test_report_gives_the_librarys_answer_to_every_question(name):
    """Conditions at switches and away from them, and ranges; opened there, and dragged there."""
    data = DATA_SETS[name]
    comparison = compared(data)
    elsewhere = comparison.report(n_resamples=0).summary
    for question in asked(data):
        assert_one_answer(data, comparison, question)
        if question.costs:
            assert_dragged_page_follows(comparison, question, elsewhere)
    for reviews in REVIEWS:
        if "randomised" not in reviews:
            for costs in (CERTAIN[0], RANGES[2]):
                assert_page_reviews_as_the_library_does(comparison, Question("reviews", costs, reviews), elsewhere)


@pytest.mark.parametrize("name", ["ordinary", "weights"])
def test_beliefs_are_priced_at_their_means_by_every_door(name):
    """A log-normal cost and a Beta prevalence: the cheapest rule at their means, from library, report and page."""
    from scipy.stats import beta, lognorm

    data = DATA_SETS[name]
    comparison = compared(data)
    cost, prevalence = lognorm(0.5, scale=4), beta(3, 7)
    over = ic.Conditions.from_beliefs(cost_fp=1.0, cost_fn=cost, prevalence=prevalence)
    summary = comparison.report(over=over, n_resamples=0).summary
    expected = comparison.decide(over, n_resamples=0).to_dict()
    assert summary["decision"] == expected
    prices = oracle.Prices.of(1, float(cost.mean()), float(prevalence.mean()))
    lowest = oracle.lowest_cost(oracle.rules(data.y, data.models, data.weights), prices)
    assert expected["expected_cost"] == pytest.approx(float(lowest), rel=1e-6)
    opened = summary["opened"]
    page = decided(summary, {**opened["quantities"], "belief": opened["belief"], "author": True})
    for key in ("model", "rule"):
        assert page[key] == expected[key]

"""Reports: saved, shown, read again, made of every kind of data."""

import json
import sys

import numpy as np
import pytest
from report.javascript import evaluated, load

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.report import Report

COSTS = ic.Condition(1, 5, 0.3)


@pytest.fixture(scope="module")
def models():
    """Three credit models."""
    return ic.Comparison.from_scores(*load_german_credit_predictions())


@pytest.fixture(scope="module")
def credit(models):
    """Their report."""
    return models.report(condition=COSTS, n_resamples=40, unit="DM")


def test_suffix_says_how_a_report_is_saved(credit, tmp_path):
    """A page, data or text; page and data are read again."""
    for suffix in (".html", ".json", ".md"):
        path = credit.save(tmp_path / f"report{suffix}")
        assert path.read_text(encoding="utf-8")
        if suffix != ".md":
            assert Report.load(path).summary == json.loads(credit.json)


def test_unknown_suffix_is_refused_before_anything_is_written(credit, tmp_path):
    """The message names those that are known."""
    with pytest.raises(InputError, match=r"a report ends with \.html, \.json or \.md"):
        credit.save(tmp_path / "report.pdf")
    assert list(tmp_path.iterdir()) == []


def test_report_shows_itself_in_notebooks_and_terminals(credit):
    """The page in a frame, the sentences as text."""
    assert repr(credit).startswith("<Report: random_forest or naive_bayes: too close to call.")
    assert "Use random_forest: flag cases with score" in str(credit)
    bundle = credit._repr_mimebundle_()
    assert bundle["text/html"].startswith("<iframe srcdoc=")
    assert "**random\\_forest or naive\\_bayes: too close to call" in bundle["text/markdown"]


def test_show_opens_the_page(credit, monkeypatch):
    """In the browser, from a folder of its own."""
    seen = []
    monkeypatch.setattr("webbrowser.open", seen.append)
    assert credit.show().as_uri() == seen[0]


def test_a_report_holds_the_decision_of_the_same_question(models):
    """Whole dict, with limits, reviews, the rule in use and ranges."""
    questions = [
        {"condition": COSTS, "max_flagged": 0.3, "current": ("naive_bayes", 0.5)},
        {"condition": COSTS, "cost_review": 0.2, "reviewer_tpr": 0.9},
        {"condition": ic.Conditions.from_costs(cost_fn=(2, 9), prevalence=0.3), "unit": "DM"},
        {"condition": COSTS, "method": "score_driven"},
        {"max_fpr": 0.1},
        {},
    ]
    for asked in questions:
        report = models.report(n_resamples=30, rng=3, **asked)
        assert report.summary["decision"] == models.decide(n_resamples=30, rng=3, **asked).to_dict()


def test_without_costs_the_report_asks_for_them(models):
    """No model is called cheapest."""
    report = models.report(n_resamples=0)
    assert repr(report) == "<Report: Say what a mistake costs to get an answer.>"
    assert report.summary["decision"]["question"]["costs_given"] is False


def test_report_works_from_curves_and_points():
    """There is nothing to draw again."""
    curves = [
        ic.RocCurve.from_points([0.1, 0.3], [0.6, 0.8], name="a"),
        ic.RocCurve.from_points([0.2], [0.7], name="b"),
    ]
    report = ic.Comparison(curves).report(condition=ic.Condition(1, 4, 0.2))
    assert report.summary["draws"] is None
    assert "has not been worked out" in report.summary["decision"]["says"]["headline"]
    assert Report(json.loads(report.json)).html == report.html


def test_same_seed_gives_the_same_report(models):
    """Another seed another one."""
    first, again, other = (models.report(condition=COSTS, n_resamples=30, rng=seed).json for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_uncertain_costs_open_the_page_as_ranges(models):
    """Both ends of each."""
    conditions = ic.Conditions.from_costs(cost_fp=1.0, cost_fn=(4.0, 6.0), prevalence=(0.25, 0.35))
    opened = models.report(condition=conditions, n_resamples=0).summary["opened"]
    assert opened["quantities"]["cost_fn"] == [4.0, 6.0]
    assert opened["quantities"]["prevalence"] == [0.25, 0.35]
    assert opened["belief"] is None


def test_beliefs_open_the_page_at_their_means(models):
    """With what they are in words."""
    from scipy.stats import lognorm

    conditions = ic.Conditions.from_beliefs(cost_fp=1.0, cost_fn=lognorm(0.8, scale=4), prevalence=0.3)
    opened = models.report(condition=conditions, n_resamples=0).summary["opened"]
    low, high = opened["quantities"]["cost_fn"]
    assert low == high == pytest.approx(opened["belief"]["quantities"]["cost_fn"]["mean"])
    assert opened["belief"]["text"]


def test_conditions_that_leave_no_choice_are_refused(models):
    """One kind of error that costs nothing, or one class alone."""
    for condition in (ic.Condition(0, 5, 0.3), ic.Condition(1, 5, 0.0)):
        with pytest.raises(ConditionError, match="both kinds of error can cost something"):
            models.report(condition=condition)


def test_odd_numbers_of_resamples_are_refused(models):
    """A number of times is whole and not below 0."""
    for count in (-1, 2.5):
        with pytest.raises(InputError, match="n_resamples"):
            models.report(condition=COSTS, n_resamples=count)


def test_notes_name_the_file_and_its_label(credit):
    """What the copied command needs."""
    noted = credit.noted(["All read."], file="loans.csv", label="bad")
    assert noted.summary["data"]["notes"] == ["All read."]
    assert (noted.summary["data"]["file"], noted.summary["data"]["label"]) == ("loans.csv", "bad")
    with pytest.raises(InputError, match="notes must be a list"):
        credit.noted("All read.")
    for amounts, wrong in (
        (3, "amounts must be a mapping"),
        ({"python": 3, "condition": ""}, "python of amounts must be"),
    ):
        with pytest.raises(InputError, match=wrong):
            credit.noted([], amounts=amounts)


def test_odd_models_make_a_report():
    """Reversed, useless, perfect and constant scores."""
    rng = np.random.default_rng(5)
    y = np.arange(200) < 60
    scores = {
        "reversed": rng.random(200) / 3 - y.astype(float),
        "noise": rng.random(200),
        "perfect": y + rng.random(200) / 3,
        "flat": np.ones(200),
    }
    report = ic.Comparison.from_scores(y.astype(int), scores).report(condition=ic.Condition(1, 2, 0.3), n_resamples=20)
    assert {model["name"]: (model["backwards"], model["flawless"]) for model in report.summary["models"]} == {
        "reversed": (True, False), "noise": (False, False), "perfect": (False, True), "flat": (False, False),
    }  # fmt: skip
    assert any("appear to be reversed" in text for text in report.summary["decision"]["warnings"])
    assert report.html


def test_report_needs_no_optional_package(models, monkeypatch):
    """The page is made with what every installation has."""
    for name in ("matplotlib", "pandas", "polars", "duckdb"):
        monkeypatch.setitem(sys.modules, name, None)
    assert models.report(condition=COSTS, n_resamples=5).html.startswith("<!doctype html>")


def test_a_cascade_goes_along_as_data_and_says_the_same_on_the_page():
    """What the library says of it is what the page's script says; other things and unknown models are refused."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    found = comparison.cascade("naive_bayes", "random_forest", ic.Condition(1, 5, 0.3), cost_call=0.02, n_resamples=5)
    report = comparison.report(n_resamples=0)
    held = report.cascaded(found).summary
    assert (held["cascade"]["asked"], held["cascade"]["then_threshold"]) == (found.asked, found.then_threshold)
    notice = held["cascade"] | {"question": {"words": report.summary["decision"]["question"]["words"]}}
    load(held)
    assert evaluated("loaded.speaker.say('cascade', a)", notice) == str(found)
    with pytest.raises(InputError, match=r"cascade must be what Comparison\.cascade returns, got dict"):
        report.cascaded({})
    other = ic.Comparison.from_scores(*load_german_credit_predictions()).report(n_resamples=0)
    other.summary["models"] = other.summary["models"][:1]
    with pytest.raises(UnknownNameError):
        other.cascaded(found)

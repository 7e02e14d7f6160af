"""Reports of scores that were counted in buckets: the page says what they leave open, as the library does."""

import numpy as np
import pytest
from report.javascript import call, decided, state_of

import isocost as ic
from isocost.decision.answer_wording import Speech
from isocost.errors import InputError
from isocost.report.embedding import embedded, extract
from isocost.report.report import build
from isocost.report.static import static_block
from strategies import in_buckets

CLOSE = ("fpr", "tpr", "flagged", "expected_cost", "normalised_cost", "normalised_cost_low")
AT = [ic.Condition(1, miss, share) for miss in (0.3, 1, 3, 20) for share in (0.02, 0.3)]
RANGES = [
    {"cost_fp": 1.0, "cost_fn": (1.0, 9.0), "prevalence": 0.3},
    {"cost_fp": 1.0, "cost_fn": (2.0, 30.0), "prevalence": (0.05, 0.2)},
]


def counted(names, edges=9, size=600):
    """A comparison of models whose scores were counted in a few buckets: one, one much like it, and one that tells little."""
    rng = np.random.default_rng(3)
    y = rng.random(size) < 0.3
    y[:2] = True, False
    a = np.round(rng.normal(1.5 * y), 2)
    scores = {"a": a, "near": a + np.round(rng.normal(0, 0.2, size), 2), "far": np.round(rng.normal(0.3 * y), 2)}
    cuts = np.linspace(-2, 3, edges)
    return ic.Comparison([in_buckets(y, scores[name], cuts, name)[1] for name in names])


def close(mine, theirs):
    """Tell whether two numbers are the same up to rounding, or both missing."""
    return mine is None if theirs is None else float(mine) == pytest.approx(float(theirs), rel=1e-9, abs=1e-11)


def assert_same(page, expected):
    """The page's decision is the library's: model, rule, bounds and sentences."""
    for name in ("model", "rule", "tied"):
        assert page[name] == expected[name]
    for name in CLOSE:
        assert close(page[name], expected[name]), name
    for mine, theirs in zip(page["alternatives"], expected["alternatives"], strict=True):
        assert (mine["model"], mine["rule"]) == (theirs["model"], theirs["rule"])
        assert close(mine["extra_low"], theirs["extra_low"])
    for name in ("rule", "price", "holds", "follows"):
        assert page["says"][name] == expected["says"][name]


@pytest.mark.parametrize("names", [["a", "near"], ["a", "far"], ["a", "near", "far"], ["far"]], ids="+".join)
@pytest.mark.parametrize("edges", [5, 9])
def test_the_page_says_what_the_library_says_of_open_hulls(names, edges):
    """At every condition and over ranges: the same rule, the same bounds, the same words."""
    comparison = counted(names, edges)
    summary = build(comparison, n_resamples=0).summary
    assert not all(curve.hull_is_exact for curve in comparison.curves)
    for condition in AT:
        assert_same(decided(summary, state_of(condition)), comparison.decide(condition).to_dict())
    for over in RANGES:
        expected = comparison.decide(ic.Conditions.from_costs(**over)).to_dict()
        page = decided(summary, state_of(over))
        assert_same(page, expected)
        assert all(
            close(page["uncertain"][name], expected["uncertain"][name]) for name in page["uncertain"] if "high" in name
        )


LOOKS = [
    {"cost_review": 0.2, "max_reviewed": None, "reviewer_fpr": 0.0, "reviewer_tpr": 1.0},
    {"cost_review": 0.1, "max_reviewed": 0.15, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9},
]


@pytest.mark.parametrize("looks", LOOKS, ids=["no limit", "a limit"])
@pytest.mark.parametrize("names", [["a", "near"], ["a", "far"]], ids="+".join)
def test_the_page_says_what_the_library_says_of_second_looks(names, looks):
    """Bands between ends of buckets, what finer ones could save, and who could then be the cheapest."""
    comparison = counted(names)
    summary = build(comparison, n_resamples=0).summary
    for condition in AT[:6]:
        expected = comparison.decide(condition, **looks).to_dict()
        page = decided(summary, state_of(condition) | {"review": looks})
        assert_same(page, expected)
        for mine, theirs in zip([page, *page["alternatives"]], [expected, *expected["alternatives"]], strict=True):
            if theirs["review"] is not None:
                for name in ("review_from", "flag_from", "reviewed", "expected_cost", "expected_cost_low", "saving"):
                    assert close(mine["review"][name], theirs["review"][name]), name
    opened = build(comparison, over=AT[4], n_resamples=0, **looks)
    assert opened.summary["decision"] == comparison.decide(AT[4], n_resamples=0, **looks).to_dict()
    assert "Scores were grouped: a finer threshold could save up to" in str(opened)


def test_the_first_answer_says_what_is_open_letter_for_letter():
    """In the page's script and in the text made without it."""
    for names in (["a", "near"], ["a", "far"]):
        summary = build(counted(names), over=ic.Condition(1, 3, 0.3), n_resamples=0, unit="€").summary
        page = decided(summary, state_of(ic.Condition(1, 3, 0.3)))
        shown = {model["name"]: model["short"] for model in summary["models"]}
        python = Speech(summary["decision"], summary["words"], shown, [run["model"] for run in summary["winners"]])
        said = [text for text, _ in call("notes", page, call("speechOf", summary))]
        assert said == python.notes
        assert any(text.startswith("Scores were grouped: a finer threshold could save up to ") for text in said)
        assert ("a could then be the cheapest." in " ".join(said)) == (names == ["a", "near"])


def test_a_report_of_an_open_hull_says_so_and_comes_back():
    """In its text and in the page without JavaScript; data that do not fit are refused."""
    report = build(counted(["a", "near"]), over=ic.Condition(1, 3, 0.3), n_resamples=0)
    assert "Scores were grouped: a finer threshold could save up to" in str(report)
    assert "Scores were grouped: a finer threshold could save up to" in static_block(report.summary)
    assert extract(embedded(report.summary).replace("\\u003c", "<")) == report.summary
    broken = report.summary | {"open": None}
    with pytest.raises(InputError, match="what is open does not fit its models"):
        extract(embedded(broken))
    short = report.summary | {"open": report.summary["open"] | {"fpr": [0.0]}}
    with pytest.raises(InputError, match="open needs rates and their switches"):
        extract(embedded(short))


def test_joint_counts_alone_make_a_report_with_intervals():
    """Blocks of scores leave the hulls open; resamples of them say how sure the answer is."""
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.3
    joint = ic.JointCounts.from_arrays(y, {"a": rng.normal(1.5 * y), "b": rng.normal(1.2 * y)}, blocks=40)
    summary = build(ic.Comparison.from_joint_counts(joint), over=ic.Condition(1, 3, 0.3), n_resamples=40).summary
    assert summary["resamples"]["n"] == 40
    assert summary["decision"]["surety"]["share"] is not None
    assert summary["open"] is not None
    page = decided(summary, state_of(ic.Condition(1, 3, 0.3)))
    assert page["says"]["holds"] == summary["decision"]["says"]["holds"]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("blocks", [3, 30])
def test_the_page_is_as_sure_of_blocks_of_scores_as_the_library(blocks, exact):
    """Shares, grade and doubts, at the author's condition and at others; differences are as wide as blocks leave open."""
    rng = np.random.default_rng(2)
    y = rng.random(2000) < 0.5
    scores = {"a": np.round(rng.normal(2 * y), 2), "b": np.round(rng.normal(1.9 * y), 2)}
    joint = ic.JointCounts.from_arrays(y, scores, blocks=blocks)
    counts = {name: ic.ScoreCounts.from_arrays(y, s) for name, s in scores.items()} if exact else None
    comparison = ic.Comparison.from_joint_counts(joint, counts=counts)
    at = ic.Condition(10, 1, 0.5)
    summary = build(comparison, over=at, n_resamples=100).summary
    assert (summary["resamples"]["slack"] is None) == (summary["resamples"]["saved"] is None)
    page, expected = decided(summary, state_of(at)), summary["decision"]
    assert page["surety"]["grade"] == expected["surety"]["grade"]
    assert page["surety"]["doubts"] == expected["surety"]["doubts"]
    assert close(page["surety"]["share"], expected["surety"]["share"])
    rivals = {rival["model"]: rival for rival in expected["alternatives"]}
    for rival in page["alternatives"]:
        assert close(rival["share"], rivals[rival["model"]]["share"])
        width, wanted = (np.ptp(of["extra_interval"]) for of in (rival, rivals[rival["model"]]))
        assert width == pytest.approx(wanted, rel=0.3, abs=1e-3)
    moved = ic.Condition(3, 1, 0.4)
    page, library = decided(summary, state_of(moved)), comparison.decide(moved, n_resamples=100)
    assert page["model"] == library.model
    assert page["surety"]["grade"] == library.surety.grade

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError, InputError
from oracles import challenge as oracle

WORKED = json.loads((Path(__file__).parents[1] / "golden" / "challenge.json").read_text(encoding="utf-8"))
CONDITION = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
FEW = ([1, 0, None, 1], [0, 0, 1, 1], [1, 0, 0, 1])


def agrees(found, expected):
    """Compare the fields that a worked case gives."""
    for name, held in expected.items():
        value = held["value"] if isinstance(held, dict) else held
        own = getattr(found, name)
        assert (own.tolist() if name == "to_label" else own) == (
            pytest.approx(value, rel=1e-12, abs=1e-15) if isinstance(value, float) else value
        ), name


@pytest.mark.parametrize("case", WORKED["cases"], ids=lambda case: str(len(case["inputs"]["labels"])))
def test_small_cases_are_those_of_exact_arithmetic(case):
    """Bounds over every labelling, and the evidence along the order."""
    given = case["inputs"]
    found = ic.challenge(
        given["labels"],
        given["current"],
        given["new"],
        ic.Condition(**given["condition"]),
        rng=given["rng"],
        level=given["level"],
    )
    agrees(found, case["expected"])


@pytest.mark.parametrize("case", WORKED["german_credit"]["cases"], ids=lambda case: f"{case['new']} {case['labels']}")
def test_rules_of_the_credit_models_are_worked_out(case):
    """Two models and two thresholds, with all labels and with those of the flagged alone."""
    y, scores = load_german_credit_predictions()
    rules = []
    for name in ("current", "new"):
        model, _, threshold = case.pop(name).rpartition(":")
        rules.append(np.asarray(scores[model]) >= float(threshold))
    labels = np.asarray(y, dtype=float)
    if case.pop("labels") == "flagged":
        labels[~rules[0]] = np.nan
    found = ic.challenge(labels, *rules, CONDITION)
    assert found.to_label[:5].tolist() == case.pop("first_to_label")
    agrees(found, case)


def made():
    """Return 20,000 cases, the flags of two rules, and the labels of those that the first one flags."""
    r = np.random.default_rng(0)
    y = (r.random(20_000) < 0.1).astype(float)
    a, b = r.normal(size=y.size) + y, r.normal(size=y.size) + 2 * y
    return y, a >= 1, b >= 1.2, np.where(a >= 1, y, np.nan)


@pytest.mark.parametrize("step", WORKED["made"]["steps"], ids=lambda step: str(step["more_labels"]))
def test_labels_that_come_in_settle_the_question(step):
    """The same call with more labels, in the order that the first call gave."""
    y, current, new, labels = made()
    condition = ic.Condition(1, 10, 0.1)
    rows = ic.challenge(labels, current, new, condition).to_label[: step.pop("more_labels")]
    labels[rows] = y[rows]
    agrees(ic.challenge(labels, current, new, condition), step)


@settings(max_examples=60)
@given(st.data())
def test_bounds_and_evidence_are_those_of_trying_everything(data):
    """Every labelling of up to seven cases, and every bet, in fractions."""
    n = data.draw(st.integers(1, 7))
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    current, new = data.draw(flags), data.draw(flags)
    labels = data.draw(st.lists(st.sampled_from([0, 1, None]), min_size=n, max_size=n))
    false_alarm, miss = data.draw(st.integers(0, 4)) / 2, data.draw(st.integers(1, 9)) / 4
    seed = data.draw(st.integers(0, 5))
    found = ic.challenge(labels, current, new, ic.Condition(false_alarm, miss), rng=seed)
    low, high = oracle.bounds(labels, current, new, false_alarm, miss)
    assert (found.low, found.high) == pytest.approx((float(low), float(high)), abs=1e-14)
    order = np.random.default_rng(seed).permutation(np.flatnonzero(np.array(current) != np.array(new)))
    for name, for_new in (("evidence_new", True), ("evidence_current", False)):
        path = oracle.evidence(labels, current, new, order, false_alarm, miss, for_new=for_new)
        assert getattr(found, name) == pytest.approx(float(max(path)), rel=1e-12)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_unknown_labels_never_add_evidence_and_widen_the_bounds(seed, share):
    """Whoever hides labels, whichever they are, cannot bring a verdict about."""
    r = np.random.default_rng(seed)
    y, current, new = (r.random(200) < 0.4 for _ in range(3))
    hidden = np.where(r.random(200) < share, np.nan, y)
    full, part = (ic.challenge(labels, current, new, CONDITION) for labels in (y, hidden))
    assert part.evidence_new <= full.evidence_new * (1 + 1e-12)
    assert part.evidence_current <= full.evidence_current * (1 + 1e-12)
    assert part.low <= full.low + 1e-12
    assert full.high <= part.high + 1e-12


def test_exchanging_the_rules_exchanges_the_answer():
    """What the new rule costs more, the other costs less."""
    _, current, new, labels = made()
    one, other = ic.challenge(labels, current, new, CONDITION), ic.challenge(labels, new, current, CONDITION)
    assert (one.low, one.high, one.known) == pytest.approx((-other.high, -other.low, -other.known))
    assert one.evidence_new == pytest.approx(other.evidence_current)


def test_evidence_runs_through_several_blocks_and_may_be_infinite():
    """150,000 cases on which the new rule is always right: more evidence than a float holds."""
    found = ic.challenge(np.ones(150_000), np.zeros(150_000), np.ones(150_000), CONDITION)
    assert (found.evidence_new, found.verdict, found.labels_used) == (math.inf, "new", 7)
    assert "more than 1,000,000 to 1" in str(found)
    assert found.to_dict()["evidence_new"] == "Infinity"


def test_costs_that_cancel_are_equal_whatever_rounding_leaves():
    """Three false alarms of 0.1 more and one miss of 0.3 less."""
    found = ic.challenge([0, 0, 0, 1], [0] * 4, [1] * 4, ic.Condition(0.1, 0.3))
    assert (found.low, found.high, found.on_these) == (0, 0, "open")
    assert "both rules cost the same" in str(found)


def test_prevalence_of_the_condition_does_not_matter():
    """The share of positives is that of these cases; ranges count with their means."""
    ranges = ic.Conditions.from_costs(1, (2, 8), (0.1, 0.2))
    ways = [ic.challenge(*FEW, condition).low for condition in (CONDITION, ic.Condition(1, 5, 0.9), ranges)]
    assert ways == [ways[0]] * 3


def test_every_way_to_leave_a_label_out_is_understood():
    """None, NaN and pandas.NA; 0 and 1, truth values, and words with pos_label."""
    kinds = [
        [1, 0, None, 1],
        np.array([1, 0, np.nan, 1]),
        pd.Series([1, 0, pd.NA, 1], dtype="Int64"),
        pd.Series([True, False, None, True], dtype="boolean"),
    ]
    found = [ic.challenge(labels, *FEW[1:], CONDITION).to_dict() for labels in kinds]
    found.append(ic.challenge(["bad", "good", None, "bad"], *FEW[1:], CONDITION, pos_label="bad").to_dict())
    assert found == [found[0]] * 5
    assert ic.challenge([None] * 4, *FEW[1:], CONDITION).to_label.tolist() == [0, 2]


def test_the_frame_has_a_row_for_each_change():
    """Newly flagged and newly cleared, with what is known of each."""
    found = ic.challenge(*FEW, CONDITION)
    assert found.to_frame().to_dict("records") == [
        {"change": "newly flagged", "cases": 1, "labelled": 1, "positives": 1, "known": -1.25},
        {"change": "newly cleared", "cases": 1, "labelled": 0, "positives": 0, "known": 0.0},
    ]


def test_sentences_say_what_is_known_and_what_to_do():
    """Open with labels missing, settled by bounds, all labelled, and never different."""
    y, current, new, labels = made()
    found = ic.challenge(labels, current, new, ic.Condition(1, 10, 0.1))
    assert str(found) == (
        "The rules differ on 5,235 of 20,000 cases (26.2 %): 2,507 newly flagged, 2,728 newly cleared; 2,507 of these have no label. "
        "On these cases the new rule costs between 1,270 less and 111 more per 1000 cases than the one in use, whatever the missing "
        "labels are. Which rule is cheaper on new cases is open: the evidence is 1 to 1 for the new rule and 1.5 to 1 for the one in "
        "use, of 20 to 1 asked for. Label the 2,507 cases in the order given and ask again."
    )
    labels[found.to_label[:50]] = y[found.to_label[:50]]
    assert str(ic.challenge(labels, current, new, ic.Condition(1, 10, 0.1))).endswith(
        "On new cases the new rule is cheaper: the evidence is 28 to 1, and 20 to 1 was asked for (90 % sure, however often you look)."
    )
    assert "between €1,500 less and €0 more" in str(ic.challenge(*FEW, CONDITION, unit="€"))
    assert str(ic.challenge([1], [0], [0], CONDITION)) == "The rules never differ on these cases."
    assert str(ic.challenge([1, 0], [0, 0], [1, 0], CONDITION)).endswith(
        "Whether that holds on new cases is open: the evidence is 1.5 to 1 for the new rule and 1 to 1 for the one in use, of 20 to 1 "
        "asked for. All labels are known: only more cases can tell."
    )
    settled = ic.challenge([None, 1, 1], [0] * 3, [1] * 3, ic.Condition(1, 1))
    assert "costs between 333 and 1,000 less per 1000 cases" in str(settled)


def test_a_rule_that_is_no_better_is_rarely_called_cheaper():
    """200 pairs of rules of equal cost, looked at after each of 300 labels: at most one verdict in ten is false."""
    r = np.random.default_rng(1)
    false = 0
    for _ in range(200):
        y = (r.random(300) < 1 / 6).astype(float)
        found = ic.challenge(y, np.zeros(300), np.ones(300), CONDITION)  # a sixth at 5 is five sixths at 1
        false += found.verdict != "open"
    assert 0 < false <= 20


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"current": [0.2, 0.7, 1, 0]}, InputError, "current must say of each case whether it is flagged: pass scores >= thresh"),
        ({"new": ["a", "b", "a", "a"]}, InputError, "new must say of each case whether it is flagged"),
        ({"new": [1, 0, None, np.nan]}, InputError, r"new is missing in 2 of 4 rows, the first is row 3"),
        ({"current": [1, 0, 1]}, InputError, "different lengths: .*current has shape"),
        ({"y_true": [], "current": [], "new": []}, InputError, "y_true is empty"),
        ({"y_true": [2, 3, None, 2]}, InputError, "which class is positive"),
        ({"y_true": ["bad", "bad", None, "bad"]}, InputError, "which class is positive"),
        ({"y_true": ["good"] * 4, "pos_label": "bad"}, InputError, "pos_label 'bad' is not among the classes of y_true: 'good'"),
        ({"y_true": [0, 1, 2, None]}, InputError, "y_true holds 3 classes"),
        ({"level": 0.4}, InputError, "level must be at least 0.5 and below 1, got 0.4"),
        ({"level": 1}, InputError, "level must be at least 0.5 and below 1, got 1"),
        ({"condition": 5}, ConditionError, "condition must be a Condition or Conditions, .* got 5"),
        ({"condition": ic.Conditions.uniform(t=(0.1, 0.2))}, ConditionError, "do not say what errors cost: use Conditions.from_costs"),
        ({"rng": -1}, InputError, "rng must be at least 0"),
        ({"unit": 3}, InputError, "unit must be text"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_name(change, error, match):
    """Each message names the argument, the value, and what to do."""
    given = dict(zip(("y_true", "current", "new"), FEW, strict=True)) | {"condition": CONDITION} | change
    with pytest.raises(error, match=match):
        ic.challenge(**given)

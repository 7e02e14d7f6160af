import copy
import json
import re
from functools import cache
from importlib.resources import files
from random import Random

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decide.say import KINDS, Speaker, found, say, speaker

HELD = json.loads(files("isocost.decide").joinpath("sentences.json").read_text(encoding="utf-8"))
WORDS = {
    "case": "applicant", "cases": "applicants", "positive": "bad risk", "positives": "bad risks", "negative": "good customer",
    "negatives": "good customers", "flag": "turn down", "flags": "turns down", "flagged": "turned down", "flagging": "turning down",
    "unit": "€",
}  # fmt: skip
QUANTITY = {"low": 0.25, "high": 0.75, "mean": 0.5, "certain": True}
RULE = {
    "model": "a", "rule": "score", "threshold": 0.25, "below": 0.24, "fpr": 0.2, "tpr": 0.8, "flagged": 0.4, "precision": 0.6,
    "expected_cost": 0.5, "normalised_cost": 0.25, "share": 0.125,
}  # fmt: skip
BASE = RULE | {
    "interval": [-0.031, 0.008], "extra_cost": 0.009,
    "key": "duplicates", "column": "customer", "count": 12,
    "models": 3, "kind": "max_fpr", "value": 0.2, "item": "a", "extra_interval": [-0.05, 0.05], "positives": 12, "negatives": 30,
    "misses": 0.02, "alarms": 0.03, "resolution": 0.002, "tied": ["a", "b"], "cost_ratio": [1.5, 4.0], "prevalence": [0.1, 0.4],
    "verdict": "open", "on_these": "open", "unlabelled": 7, "differing": 9, "cases": 20, "differ": 0.45,
    "newly_flagged": 4, "newly_cleared": 5, "low": -0.2, "high": 0.1, "evidence_new": 2.5,
    "evidence_current": 1.0, "evidence_asked": 20.0, "level": 0.9, "limited": True, "cost": 500.0, "best_within": 480.0,
    "deployed": {key: {"prevalence": 0.2, "rule": "Turn down nobody.", "cost": 400.0} for key in ("moved", "held")}
    | {"same": True, "rejected": True},
    "shown": {
        "differing": "9", "cases": "20", "newly_flagged": "4", "newly_cleared": "5", "unlabelled": "7", "low": "200", "high": "100",
    },
    "about": "cost_fn", "at": 6.5, "worth": 0.02, "regret_after": 0.01, "questions": 1, "range": [1.0, 20.0],
    "same": False, "several": False,
    "now": RULE, "less": RULE, "more": RULE, "exchange": {"rate": 6.5, "alarms": 200.0, "catches": 30.0},
    "first": "small", "then": "big", "ask_from": 0.1, "flag_from": 0.4, "then_threshold": 0.3, "asked": 0.2, "cleared": 0.4, "saving": 0.01,
    "worth_up_to": 0.4, "new": [0.5, 0.6, 0.7], "use": True, "expected_cost_first": 0.6, "expected_cost_then": 0.7,
    "less_than_first": 0.1, "less_than_then": 0.2,
    "given": [1.0, 20.0], "mean": 10.5, "entry": "labelling 'a' as 'b'", "changes": 18, "most": True, "refers": True, "referred": 0.79,
    "every": "'a'", "sure": 0.95, "likeliest": 0.683, "own": 0.702, "rival": {"model": "b", "extra_interval": [-0.05, 0.05]},
    "fewest": {"label": "'a'", "cases": 12}, "leaders": [{"model": "a", "share": 0.86, "most": True}, {"model": "b", "share": 0.14}],
    "always": [{"changes": 0}], "within": [{"changes": 2}], "restless": [{"changes": 18}],
    "limits_kept": [0.2, 0.5], "implied": [1.0, 3.0], "one": RULE, "other": RULE, "warnings": [], "reviewed": 0.2,
    "price_of_capacity": 0.2, "without": RULE, "alone": 0.5, "free": 0.1, "cheaper": RULE, "decided_cost": 0.4, "best": RULE,
    "per_case": 2.5, "amount_caught": 0.9, "multiplier": 2.0, "multiplier_low": 0.5, "multiplier_high": 4.0, "trivial": True, "by": 0.5,
    "saves": [{"model": "b", "by": 0.5}], "chance": 0.8, "limits_cost": 0.02, "look": {"price": "€3", "right": "95"},
    "as_it_is": {"model": "a", "low": 0.4, "high": 0.6, "level": 0.9},
    "stays": {"name": "a", "mine": "b", "model": True, "from": "2×", "to": "9×", "low": "1×", "high": "50×", "next": "c"},
    "bill": {"extra": 0.1, "shown": "€12", "base": "€30", "both": True}, "worst": 0.3, "worst_t": 0.4, "condition": "t in 0.2–0.6",
    "total": 300, "measure": "cost", "difference": 12.0, "auc": 0.75, "power": 0.8, "estimate": 0.21, "assumption": "So it is assumed.",
    "misfit": "p = 0.01", "instead": 0.3,
    "question": {
        "quantities": dict.fromkeys(("cost_fp", "cost_fn", "prevalence", "t"), QUANTITY), "ratio": 5.0, "certain": False,
        "limits": [{"kind": "max_fpr", "value": 0.2}, {"kind": "min_tpr", "value": 0.7}], "priced": True, "has_unit": True,
        "costs_given": True, "aim": "cheapest", "method": "best", "sure": 0.9, "reviews": {"cost": 1.0}, "words": WORDS,
    },
    "review": {"flag_from": dict(RULE), "review_from": dict(RULE), "reviewed": 0.1, "saving": 0.02, "worth_up_to": 1.5},
    "alternatives": [RULE | {"extra": 0.01, "extra_cost": 0.02, "extra_interval": [0.004, 0.041]}],
    "model_drift": {"cost_ratio": [1.5, 4.0], "prevalence": [0.1, 0.4]},
    "threshold_drift": {"t": [0.2, 0.4], "cost_ratio": [1.5, 4.0], "prevalence": None},
    "uncertain": {
        "mean_regret": 0.01, "worst_regret": 0.04, "worst_cost": 0.9, "safest": RULE, "safest_regret": 0.02, "limits_kept": [0.2, 0.5],
    },
    "current": RULE | {"saving": 0.035, "saving_interval": [-0.027, 0.089], "implied": [1.0, 3.0], "same": False, "keep": False},
    "confidence": {
        "price": 0.536, "interval": [0.475, 0.589], "worst_loss": 0.05, "worst_share": 0.3, "good_enough": 0.027, "grade": "leaning",
        "limits_hold": {"max_flagged": 0.47, "min_precision": 0.8, "max_fpr": 0.47, "min_tpr": 0.99}, "broken": 0.53, "pays": True,
        "labels": {"enough": 3000, "on_differences": 400}, "rival": RULE | {"model": "b", "extra_interval": [-0.05, 0.05]},
        "either": {"model": "b", "within": 0.012}, "best_model": {"model": "a", "price": 0.735, "interval": [0.69, 0.79]},
        "surer": {"sure": 0.9, "choice": RULE, "needs": None, "class": "negatives"}, "n_resamples": 200, "level": 0.9, "one_sided": 0.95,
        "positives": 300, "negatives": 700, "cases": 1000, "too_few": False,
        "cautions": [{"key": "repeated_ids", "column": "customer", "count": 9, "value": 0.999}],
    },
}  # fmt: skip
ASSUMED = {
    "prevalence": 0.2, "regret": 12.0, "regret_low": 0.0, "regret_high": 30.0, "threshold": 0.5, "misfit": 0.1, "rejected": False,
}  # fmt: skip
CHANGE = {"size": 14.0, "less": False}
BASE |= CHANGE | {
    "check": {
        "rule": "a ≥ 0.25", "versus": "b ≥ 0.5", "cases": "1,000", "sure": 0.95, "limit": "max_fpr", "at_least": False, "value": 0.2,
        "low": 0.1, "high": 0.3, "bound": 0.4, "verdict": "kept", "marked": "kept", "known": True, "needed": "1,200",
        "change": {"value": CHANGE, "low": CHANGE, "high": CHANGE, "bound": CHANGE},
    },
    "regret": 12.0, "regret_low": 0.0, "regret_high": 30.0, "review_from": 0.125,
    "watch": {
        "period": "May", "cases": "1,000", "labelled": "100", "all": False, "looked": 2, "alarm": "change", "basis": "labels",
        "advice": "change", "cost": 500.0, "cost_low": 450.0, "cost_high": 560.0, "ignore_below": 20.0, "broken": [],
        "moved": ASSUMED, "held": ASSUMED, "change": {"threshold": 0.25, "review_from": None},
        "saving": {"value": 100.0, "low": 50.0, "high": 150.0, "known": True},
        "to_label": {"count": 99, "score_from": 0.25, "score_below": 0.5}, "first": {"period": "May", "kind": "label"},
    },
}  # fmt: skip
BASE["parity"] = {
    "criterion": "tpr", "tolerance": 0.05, "points": 5.0, "apart": 4.5, "expected_cost": 0.5, "prevalence": "each group at its own share",
    "new": {"estimate": 0.55, "interval": [0.5, 0.6]}, "interval": [-0.03, 0.02], "level": 0.9, "price": 0.023, "price_per_point": 0.001,
    "left_out": ["x", "y"],
}  # fmt: skip
OPTIONAL = ("confidence.labels.enough", "alternatives.0.extra_interval.0", "tied.0", "current.saving_interval.0")
VARIANTS = [(key, place) for key, variants in HELD["sentences"].items() for place in range(len(variants))]


def put(data, path, value):
    """Set what is at a dotted path; an item of a list that is None goes with all after it."""
    *way, last = path.split(".")
    for name in way:
        step = int(name) if isinstance(data, list) else name
        if (isinstance(data, list) and step >= len(data)) or data[step] is None:
            return
        data = data[step]
    if not isinstance(data, list):
        data[last] = value
    elif value is None:
        del data[int(last) :]
    elif int(last) < len(data):
        data[int(last)] = value


def values_for(path, conditions):
    """Return values at a path for which its conditions hold or do not."""
    own = found(path, BASE)
    values = [True] if own is False else [own]
    for sign, wanted in conditions:
        if sign in ("<", ">"):
            values += [float(wanted) - 0.01, float(wanted) + 0.01, 0.0, 1.0, *([None] if path in OPTIONAL else [])]
        elif sign == "":
            values += [None]
        else:
            values += [{"true": True, "false": False, "": None}.get(wanted, wanted)]
            values += ["mix"] if isinstance(own, str) and own != "Infinity" else []
    return values


def place_said(key, data):
    """Return which variant of a sentence is used."""
    for place, variant in enumerate(HELD["sentences"][key]):
        if Speaker({**HELD, "sentences": {key: [{**variant, "say": "x"}]}}).say(key, data):
            return place
    return None


@cache
def data_of(key):
    """Return data for each variant of a sentence, found by trying values that the conditions tell apart."""
    conditions = {}
    for variant in HELD["sentences"][key]:
        for condition in variant.get("when", []):
            path, sign, wanted = re.fullmatch(r"!?([\w.]+)(!=|=|<|>|)(.*)", condition).groups()
            conditions.setdefault(path, []).append((sign, wanted))
    values, random = {path: values_for(path, own) for path, own in sorted(conditions.items())}, Random(0)
    reported = {}
    for _ in range(4000):
        data = copy.deepcopy(BASE)
        for path, choices in values.items():
            put(data, path, copy.deepcopy(random.choice(choices)))
        possible = bool(data["question"]["limits"]) or data["question"]["aim"] != "most_caught"
        possible &= bool(data["review"]) or data["rule"] != "band"
        possible &= (
            not data["current"] or data["current"]["saving"] is not None or not data["current"]["saving_interval"]
        )
        if possible:
            reported.setdefault(place_said(key, data), data)
        if len(reported.keys() - {None}) == len(HELD["sentences"][key]):
            break
    return reported


@pytest.mark.parametrize(("key", "place"), VARIANTS, ids=str)
def test_every_variant_of_every_sentence_can_be_said_without_a_gap(key, place):
    """There are data for which it is the first that holds; no slot is left, no word is missing."""
    text = say(key, data_of(key)[place])
    assert not re.search(r"[{}>]|<(?! [\d-])|None|nan|True|False|  | [.,;]|\.\.", text.strip()), text


def test_every_sentence_is_in_the_order_or_part_of_another():
    """Nothing in the file is dead, and no slot names what is not there."""
    slots = [
        slot
        for variants in HELD["sentences"].values()
        for v in variants
        for slot in re.findall(r"\{([^{}]+)\}", v["say"])
    ]
    parts = {re.split(r"[@>*+]", slot)[1] for slot in slots if re.search(r"[@>*+]", slot)}
    kinds = {slot.partition(":")[2] for slot in slots if ":" in slot}
    alone = {
        "one_for_all",
        "warning",
        "choice",
        "challenge",
        "cascade",
        "check_head",
        "check_item",
        "no_rule",
        "table_model",
        "table_rule",
    }
    alone |= {"parity", "parity_prices", "ask", "ask_cut", "watch_period", "watch_first"}
    alone |= {
        f"classes_{key}" for key in ("rule", "price", "holds", "leads", "number", "sure", "labels", "uncalibrated")
    }
    alone |= {
        "page_stays",
        "page_single",
        "page_limit_holds",
        "page_limits_cost",
        "page_look",
        "page_bill",
        "unclear_yet",
    }
    alone |= {
        "per_group",
        "buckets",
        "as_it_is",
        "regret",
        "study",
        "prevalence_estimate",
        "watch_share_caption",
        "watch_cost_caption",
    }
    alone |= {"confidence_alone", "drift_alone", "labels_alone"}
    alone |= {"band", "evaluation", "deployed", "amount_choice", "amount_decision"}
    assert parts <= set(HELD["sentences"])
    assert set(HELD["sentences"]) == parts | set(HELD["order"]) | alone
    assert kinds <= set(KINDS)
    assert HELD["order"] == ["headline", *(key for line in HELD["lines"] for key in line)]


def test_the_words_are_the_readers():
    """No word of the library is left in sentences with the user's own words."""
    for key, place in VARIANTS:
        text = say(key, data_of(key)[place]).replace("--lower-is-positive", "").replace("lower_is_positive", "")
        assert not re.search(r"\b([Ff]lag\w*|cases?|positives?|negatives?)\b", text), text


def test_numbers_are_written_by_kind():
    """Money with its unit, three digits of rough amounts and ratios, counts in full, shares as percentages."""
    unit = {"question": {"words": {"unit": "€"}}}
    written = {
        ("money", 2.5): "€2.5", ("per_1000", 0.502): "€502", ("rough_1000", 0.46452): "€465", ("size_1000", -0.05): "€50",
        ("ratio", 2.66666): "2.67", ("count", 2995): "2995", ("about", 3127): "3000", ("probability", 0.123456): "0.1235",
        ("percent", 0.05): "5.0 %", ("share", 0.05): "5 %", ("tenths", 0.64): "6", ("exact", 0.3115): "0.3115",
        ("start", "turn down"): "Turn down", ("ratio", "Infinity"): "∞", ("size", -0.05): "0.05",
    }  # fmt: skip
    assert {key: KINDS[key[0]](key[1], unit) for key in written} == written
    assert KINDS["span_1000"]([-0.027, 0.089], {}) == "−27 to 89"
    assert KINDS["threshold"](0.248605, {"below": 0.247912}) == "0.248"
    assert KINDS["threshold"](0.248605, {"below": "-Infinity"}) == "0.248605"


def test_a_price_is_said_with_its_interval():
    """As one sentence: the honest price, its interval, and what it is on the cases it was chosen on."""
    data = copy.deepcopy(BASE)
    data["question"]["words"] = WORDS | {"unit": "", "cases": "cases"}
    expected = "Expect a cost of about 536 per 1000 new cases (90 % interval 475 to 589); on the cases it was chosen on, it is 500."
    assert speaker().say("price", data) == expected
    assert expected in speaker().text(speaker().all(data))


def test_lists_are_joined_by_commas_and_and():
    """Two by "and", three by a comma and "and", sentences by spaces."""
    sentences = {
        "all": [{"say": "{names*one}."}],
        "each": [{"say": "{names+two}"}],
        "one": [{"say": "{item}"}],
        "two": [{"say": "{item}."}],
    }
    own = Speaker({**HELD, "sentences": sentences})
    assert own.say("all", {"names": ["a", "b", "c"]}) == "a, b and c."
    assert own.say("all", {"names": ["a"]}) == "a."
    assert own.say("each", {"names": ["a", "b"]}) == "a. b."


def test_a_slot_without_a_number_is_an_error():
    """Nothing unknown is ever printed as a number."""
    with pytest.raises(TypeError):
        KINDS["ratio"](None, {})


@pytest.mark.parametrize("cases", [60, 200, 1000])
@pytest.mark.parametrize("t", [(0.0, 1.0), (0.1, 0.4), (0.01, 0.1)])
@pytest.mark.parametrize("many", [True, False])
def test_normalised_costs_are_not_said_per_1000_and_a_trivial_rule_is_not_chosen(cases, t, many):
    """Without a unit nothing is an amount; flagging everybody stands for itself, as in "Flagging everybody may ..."."""
    y, scores = load_german_credit_predictions()
    named = {name: np.asarray(own)[:cases] for name, own in scores.items() if many or name == "random_forest"}
    comparison = ic.Comparison.from_scores(np.asarray(y)[:cases], named)
    reported = comparison.decide(ic.Conditions.uniform(t=t), n_resamples=50, rng=0).says
    text = " ".join(reported.values())
    assert reported["sure"]
    assert not re.search(r"per 1,?000|hoosing flagging", text)
    money = comparison.decide(ic.Condition(1, 30, 0.3), n_resamples=50, rng=0).says
    assert "hoosing flagging" not in " ".join(money.values())

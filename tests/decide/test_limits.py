import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.decide import rules
from isocost.decide.limits import allowed, needed, tightened
from isocost.errors import ConditionError, InfeasibleError, InputError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "limits.json").read_text(encoding="utf-8"))
CURVE = ic.RocCurve.from_scores([0] * 50 + [1] * 50, range(100))


@pytest.mark.parametrize("case", GOLDEN["allowed"], ids=str)
def test_how_many_errors_are_allowed_and_how_many_cases_are_needed(case):
    """Both as by exact sums."""
    assert allowed(case["cases"], case["limit"], case["delta"]) == case["allowed"]
    assert needed(case["limit"], case["delta"]) == case["needed"]


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0.01, 0.5))
def test_what_is_allowed_is_the_largest_number_that_is_rare_enough(cases, share, delta):
    """P(Bin ≤ k) ≤ δ for it and not for the next."""
    from math import comb

    tail = np.cumsum([comb(cases, i) * share**i * (1 - share) ** (cases - i) for i in range(cases + 1)])
    k = allowed(cases, share, delta)
    assert k == -1 or tail[k] <= delta * (1 + 1e-9)
    assert tail[k + 1] > delta * (1 - 1e-9)


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=range(len(GOLDEN["cases"])))
def test_how_sure_a_fixed_threshold_is(case):
    """Every limit, all together, and what was counted."""
    curve, wanted = (
        ic.RocCurve.from_scores(case["inputs"]["labels"], case["inputs"]["scores"]),
        case["limit_confidence"],
    )
    found = ic.limit_confidence(curve, wanted["threshold"], **wanted["limits"])
    assert found.holds == pytest.approx(wanted["holds"], abs=1e-9)
    assert found.together == pytest.approx(wanted["together"], abs=1e-9)
    assert {kind: list(count) for kind, count in found.counts.items()} == wanted["counts"]


def tight(limits, sure, positives, negatives):
    """Return the tighter limits of one model."""
    return tightened(ic.Question.of(sure=sure, **limits), positives, negatives, 1).limits


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=range(len(GOLDEN["cases"])))
def test_a_tightened_limit_chooses_the_threshold_of_the_reference(case):
    """To be sure only replaces a limit by a tighter one."""
    curve, wanted = ic.RocCurve.from_scores(case["inputs"]["labels"], case["inputs"]["scores"]), case["best_threshold"]
    limits = tight(wanted["limits"], wanted["sure"], int(curve.positives), int(curve.negatives))
    found = ic.best_threshold(curve, ic.Condition(**wanted["condition"]), **limits)
    assert (found.threshold, found.fpr, found.tpr) == pytest.approx(
        [wanted["expected"][k] for k in ("threshold", "fpr", "tpr")]
    )


@pytest.mark.parametrize("case", GOLDEN["german_credit"], ids=str)
def test_decisions_that_are_sure_choose_the_rules_of_the_reference(case):
    """One model or three, one limit or two; and how sure the chosen threshold is by itself."""
    y, scores = load_german_credit_predictions()
    names = [case["model"]] if case["model"] in scores else list(scores)
    comparison = ic.Comparison.from_scores(y, {name: scores[name] for name in names})
    condition = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    found = comparison.decide(condition, **case["limits"], sure=case["sure"])
    assert (found.model, found.question.sure) == (case.get("chosen", case["model"]), case["sure"])
    assert (found.threshold, found.expected_cost) == pytest.approx((case["threshold"], case["expected_cost"]), abs=1e-9)
    if "holds" in case:
        curve = ic.RocCurve.from_scores(y, scores[case["model"]])
        holds = ic.limit_confidence(curve, case["threshold"], **case["limits"]).holds
        assert holds == pytest.approx(case["holds"], abs=1e-9)
        assert ic.best_threshold(curve, condition, **case["limits"], sure=case["sure"]).threshold == case["threshold"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "sure= needs a limit"),
        ({"max_fpr": 0.2, "randomised": True}, "sure= goes with one threshold per model: drop randomised"),
        ({"max_fpr": 0.2, "worst_case": True}, "sure= goes with expected costs: drop worst_case"),
        ({"max_fpr": 0.2, "method": "score_driven"}, "sure= goes with method='best'"),
        ({"min_precision": 0.2}, "sure= cannot go with min_precision"),
        ({"max_flagged": 0.2}, r"sure= with max_flagged holds at the prevalence of the data, 0\.3, got 0\.1"),
        ({"max_fpr": 0.001, "sure": 0.95}, "cannot be 95 % sure: that needs 3294 negatives|2995"),
        ({"max_fpr": 0.01, "min_tpr": 0.99}, "to be 90 % sure"),
    ],
    ids=str,
)
def test_what_cannot_be_sure_is_refused_by_name(given, message):
    """Precision, mixtures, worst cases, methods, another prevalence, too few cases, limits that exclude each other."""
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, {"a": scores["random_forest"]})
    with pytest.raises((InputError, ConditionError, InfeasibleError), match=message):
        comparison.decide(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.1), **{"sure": 0.9} | given)


def test_a_limit_of_everything_holds_and_no_flagged_case_says_nothing():
    """A share of 1 is always kept; without a flagged case precision is unknown."""
    assert ic.limit_confidence(CURVE, 200, max_fpr=1).together == 1
    assert ic.limit_confidence(CURVE, 200, min_precision=0.5).together == 0
    assert tight({"max_fpr": 1.0, "min_tpr": 0.0}, 0.9, 50, 50) == {"max_fpr": 1.0, "min_tpr": 0.0}


def test_too_few_cases_are_named_with_the_number_that_is_needed():
    """No threshold can be shown to keep a limit that needs more cases."""
    with pytest.raises(
        InfeasibleError, match=r"max_fpr=0\.001 cannot be 95 % sure: that needs 2995 negatives at least, there are 700"
    ):
        tight({"max_fpr": 0.001}, 0.95, 300, 700)
    with pytest.raises(InfeasibleError, match="min_tpr=1 cannot be 90 % sure: no number of cases is enough"):
        tight({"min_tpr": 1.0}, 0.9, 300, 700)


@pytest.mark.parametrize("sure", [0.3, 1, 90, "much", float("nan")])
def test_how_sure_is_a_share_from_a_half_on(sure):
    """Anything else is refused by name."""
    with pytest.raises(ConditionError, match="sure must"):
        ic.Question.of(max_fpr=0.1, sure=sure)


@pytest.mark.parametrize(
    ("threshold", "limits", "message"),
    [
        (0.5, {}, "limit_confidence is to hold is empty: give max_fpr="),
        (float("nan"), {"max_fpr": 0.1}, "threshold must be"),
        (0.5, {"max_fpr": 1.5}, r"max_fpr must be"),
        (0.5, {"min_tpr": "high"}, "min_tpr must be a number"),
    ],
)
def test_bad_input_is_refused_by_name(threshold, limits, message):
    """No limit, a threshold that is not a number, limits outside [0, 1]."""
    with pytest.raises((InputError, ConditionError), match=message):
        ic.limit_confidence(CURVE, threshold, **limits)


def test_weights_and_rates_are_not_counts():
    """A test counts independent cases."""
    weighted = ic.RocCurve.from_scores([0, 1, 1], [1, 2, 3], sample_weight=[0.5, 1, 1])
    with pytest.raises(InputError, match="counts independent cases"):
        ic.limit_confidence(weighted, 2, max_fpr=0.1)
    with pytest.raises(InputError, match="counts independent cases"):
        ic.limit_confidence(ic.RocCurve.from_points([0.2], [0.8]), 2, max_fpr=0.1)


def test_a_rule_that_was_made_sure_is_judged_on_cases_with_another_share_of_positives():
    """The best rule there keeps the limits as they are; what was promised of new cases is judged by their exact limits."""
    y, scores = load_german_credit_predictions()
    asked = {"max_flagged": 0.4, "n_resamples": 0}
    decision = ic.Comparison.from_scores(y, scores).decide(ic.Condition(1, 5, 0.3), sure=0.8, **asked)
    held = {name: values[::2] for name, values in scores.items()}
    found = decision.evaluate_on(y[::2], held)
    best = ic.Comparison.from_scores(y[::2], held).decide(ic.Condition(1, 5, 0.3), **asked)
    assert found.best.model == best.model
    assert found.best.threshold == best.threshold


@pytest.mark.parametrize(
    "limits", [{"max_flagged": 0.3}, {"min_precision": 0.4}, {"max_flagged": 0.6, "min_tpr": 0.2}], ids=str
)
def test_of_many_rules_those_that_cannot_be_best_are_left_out_and_nothing_changes(limits, monkeypatch):
    """How far the prevalence may move: as by looking at every rule at every step, and at most a step from what the walk finds."""
    rng = np.random.default_rng(0)
    y = np.arange(600) % 3 == 0
    models = ic.Comparison.from_scores(y, {"a": rng.normal(y, 1.0), "b": rng.normal(0.9 * y, 1.0)})
    asked = {"condition": ic.Condition(1, 4, 0.3), "n_resamples": 0, **limits}
    walked = models.decide(**asked).model_drift.prevalence
    monkeypatch.setattr(rules, "MANY", 10)
    found = models.decide(**asked).model_drift.prevalence
    assert found == pytest.approx(walked, abs=1e-3)
    monkeypatch.setattr(rules, "_in_reach", lambda mine, lines, *_: (mine, lines))
    assert models.decide(**asked).model_drift.prevalence == found

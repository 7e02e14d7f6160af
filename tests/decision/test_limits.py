import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InfeasibleError, InputError
from strategies import conditions, model_sets, unit

LIMITS = ("max_flagged", "min_precision", "max_fpr", "min_tpr")
SLACK = 1e-12


@st.composite
def limits(draw):
    """One to four limits together."""
    found = {name: draw(unit) for name in LIMITS if draw(st.booleans())}
    return found or {"max_flagged": draw(unit)}


def keeps(fpr, tpr, prevalence, asked):
    """Whether a rule keeps every limit, by its definition; precision of nobody is nobody's fault."""
    flagged = prevalence * tpr + (1 - prevalence) * fpr
    return (
        flagged <= asked.get("max_flagged", 1) + SLACK
        and prevalence * tpr >= asked.get("min_precision", 0) * flagged - SLACK
        and fpr <= asked.get("max_fpr", 1) + SLACK
        and tpr >= asked.get("min_tpr", 0) - SLACK
    )


def rules(comparison, prevalence, asked):
    """Every model at every threshold that keeps the limits."""
    points = [(float(x), float(y)) for c in comparison.curves for x, y in zip(c.fpr, c.tpr, strict=True)]
    return [p for p in points if keeps(*p, prevalence, asked)]


def mixes(comparison, prevalence, asked):
    """Every mix of two thresholds of one model that keeps the limits, in steps of a hundredth."""
    for curve in comparison.curves:
        points = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
        for (x0, y0), (x1, y1) in itertools.combinations(points, 2):
            for p in np.linspace(0, 1, 101).tolist():
                mixed = (x0 + p * (x1 - x0), y0 + p * (y1 - y0))
                if keeps(*mixed, prevalence, asked):
                    yield mixed


@given(model_sets(max_models=3, max_size=14), conditions(), limits())
def test_with_costs_the_cheapest_rule_that_keeps_every_limit_is_found(data, condition, asked):
    """Over every model and threshold; what none can keep is refused."""
    comparison = ic.Comparison.from_scores(*data)
    kept = rules(comparison, condition.prevalence, asked)
    flagging = [p for p in kept if p[1] > 0] if asked.get("min_precision", 0) > 0 else kept
    try:
        decision = comparison.decide(condition, **asked)
    except InfeasibleError:
        assert not flagging
        assume(False)
    assert keeps(decision.fpr, decision.tpr, condition.prevalence, asked)
    least = min(condition.expected_cost(*p) for p in kept)
    assert decision.expected_cost == pytest.approx(least, abs=1e-9 * condition.worst_cost)
    assert decision.asked.aim == "cheapest"


@given(model_sets(max_models=3, max_size=14), limits())
def test_without_costs_the_rule_that_catches_most_within_the_limits_is_found(data, asked):
    """And of those the one with the fewest false alarms; no cost is stated."""
    comparison = ic.Comparison.from_scores(*data)
    kept = rules(comparison, comparison.prevalence, asked)
    assume([p for p in kept if p[1] > 0] if asked.get("min_precision", 0) > 0 else kept)
    decision = comparison.decide(**asked)
    best = max((y, -x) for x, y in kept)
    assert (decision.tpr, -decision.fpr) == pytest.approx(best, abs=1e-12)
    assert (decision.expected_cost, decision.asked.aim) == (None, "most_caught")
    assert "No costs given." in str(decision)


@given(model_sets(max_models=2, max_size=8), conditions(), limits(), st.booleans())
def test_no_mix_of_two_thresholds_is_better_than_the_randomised_rule(data, condition, asked, priced):
    """Found among mixes of every two thresholds; the rule keeps its limits and is never worse than a plain one."""
    comparison = ic.Comparison.from_scores(*data)
    prevalence = condition.prevalence if priced else comparison.prevalence
    found = list(mixes(comparison, prevalence, asked))
    assume([p for p in found if p[1] > 1e-9] if asked.get("min_precision", 0) > 0 else found)
    decision = comparison.decide(condition if priced else None, **asked, randomised=True)
    assert keeps(decision.fpr, decision.tpr, prevalence, asked)
    if priced:
        least = min(condition.expected_cost(*p) for p in found)
        assert decision.expected_cost <= least + 1e-9 * condition.worst_cost
    else:
        assert decision.tpr >= max(y for _, y in found) - 1e-9
    if decision.other_threshold is not None:
        [curve] = [c for c in comparison.curves if c.name == decision.model]
        a, b = (int(curve._points_at(cut)) for cut in (decision.threshold, decision.other_threshold))
        p = decision.other_probability
        assert decision.tpr == pytest.approx((1 - p) * curve.tpr[a] + p * curve.tpr[b], abs=1e-12)


def test_randomised_rules_of_every_model_carry_both_thresholds():
    """The decision and its alternatives alike, as numbers and in words."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    decision = comparison.decide(ic.Condition(1, 5, 0.3), max_flagged=0.3, randomised=True)
    for row in (decision, *(a for a in decision.alternatives if a.model in comparison.names)):
        assert row.other_threshold < row.threshold
        assert 0 < row.other_probability < 1
        assert "; but with probability" in row.rule
    rows = decision.to_dict()["alternatives"]
    assert {"threshold", "other_threshold", "other_probability", "rule"} <= rows[0].keys()


def test_a_limit_does_not_forget_the_costs():
    """The rule that catches most within 30 % flagged is not the cheapest that keeps the limit where misses are cheap."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    cheap_misses = ic.Condition(1, 0.5, 0.3)
    decision = comparison.decide(cheap_misses, max_flagged=0.3)
    caught = comparison.decide(max_flagged=0.3)
    assert decision.expected_cost < cheap_misses.expected_cost(caught.fpr, caught.tpr)
    assert "It is the cheapest rule that flags at most 30 % of cases." in str(decision)


def test_models_that_keep_no_limit_are_listed_with_the_reason():
    """They stand last among the alternatives; the others decide."""
    y = [1, 0, 1, 0]
    comparison = ic.Comparison.from_scores(y, {"a": [3, 3, 2, 1], "b": [3, 2, 1, 0]})
    decision = comparison.decide(min_precision=0.9)
    assert decision.model == "b"
    last = decision.alternatives[-1]
    assert (last.model, last.rule, last.threshold) == ("a", "", None)
    assert "the highest precision is 0.666667" in last.remark


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"max_flagged": 1.2}, r"max_flagged must be between 0 and 1, got 1\.2"),
        ({"method": "score_driven", "max_fpr": 0.1}, "method='score_driven' sets the threshold itself.*drop max_fpr"),
        ({"method": "fixed"}, "method='fixed' needs a threshold="),
        ({"threshold": 0.5}, "method='best' takes none, got threshold=0.5"),
        ({"method": "cheapest"}, "unknown method 'cheapest'"),
        ({"max_fpr": 0.1, "worst_case": True}, "worst_case looks at costs alone, got max_fpr as well"),
        ({"current": "m"}, r"current must be a pair \(model, threshold\), got 'm'"),
        ({"current": ("x", 0.5)}, "unknown model in current 'x'"),
        ({"n_resamples": -1}, "n_resamples must be"),
        ({"level": 1.5}, "level must"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, text):
    """Naming the argument, what came and what to do."""
    comparison = ic.Comparison.from_scores([1, 0, 1, 0], {"m": [0.9, 0.8, 0.7, 0.1]})
    with pytest.raises(ic.IsocostError, match=text):
        comparison.decide(**options)


def test_a_prevalence_beside_costs_must_be_theirs():
    """Two prevalences leave open which one is meant."""
    comparison = ic.Comparison.from_scores([1, 0, 1, 0], {"m": [0.9, 0.8, 0.7, 0.1]})
    with pytest.raises(
        InputError, match=r"the conditions are at prevalence 0\.3, got prevalence=0\.2 as well: pass one"
    ):
        comparison.decide(ic.Condition(1, 5, 0.3), prevalence=0.2)
    assert comparison.decide(max_flagged=0.5, prevalence=0.2).prevalence == 0.2

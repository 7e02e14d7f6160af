import math

import numpy as np
import pytest
from hypothesis import assume, given

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from strategies import samples

CONDITION = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


@given(samples(weighted=(None,)), samples(weighted=(None,)))
def test_a_rule_is_charged_as_counting_the_cases_would(chosen, other):
    """False alarms and misses of "score ≥ threshold", at the prevalence of the condition."""
    decision = ic.Comparison.from_scores(chosen.y, {"a": chosen.s}).decide(CONDITION)
    assume(math.isfinite(decision.threshold) and decision.rule not in ("flag nobody", "flag everybody"))
    found = decision.charged_on(other.y, other.s)
    flagged = other.s >= decision.threshold
    fpr, tpr = flagged[other.y == 0].mean(), flagged[other.y == 1].mean()
    assert (found.fpr, found.tpr) == pytest.approx((fpr, tpr))
    assert found.expected_cost == pytest.approx(CONDITION.expected_cost(fpr, tpr))
    assert found.best_cost <= found.expected_cost + 1e-12
    assert found.cases == other.y.size
    assert found == decision.charged_on(other.y, {"a": other.s, "b": -other.s})


@given(samples(weighted=(None,)))
def test_on_its_own_cases_a_rule_costs_what_was_said(sample):
    """And nothing there is cheaper."""
    decision = ic.Comparison.from_scores(sample.y, {"a": sample.s}).decide(CONDITION)
    assume(decision.model == "a")
    found = decision.charged_on(sample.y, sample.s)
    assert found.expected_cost == pytest.approx(decision.expected_cost)
    assert found.best_cost == pytest.approx(decision.expected_cost)


def test_flagging_nobody_stays_so():
    """Whatever the other cases are."""
    decision = ic.Comparison.from_scores([1, 0, 0], {"a": [0.1, 0.5, 0.9]}).decide(
        ic.Condition(cost_fp=9, prevalence=0.1)
    )
    found = decision.charged_on([1, 0], [0.9, 0.1])
    assert (decision.rule, found.fpr, found.tpr) == ("flag nobody", 0, 0)
    assert math.isnan(found.precision)


def test_a_mix_is_charged_as_a_mix():
    """Each threshold with its probability."""
    y, s = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    decision = ic.Comparison.from_scores(y, {"a": s}).decide(max_flagged=0.4, randomised=True)
    assert decision.other_threshold is not None
    found = decision.charged_on(y, s)
    assert (found.fpr, found.tpr) == pytest.approx((decision.fpr, decision.tpr))
    assert found.expected_cost is None
    assert "Charged on 6 other cases." in str(found)


def test_what_cannot_be_charged_is_refused():
    """Another model, rules without thresholds, reviews."""
    y, s = [1, 0, 1, 0], np.array([0.9, 0.8, 0.3, 0.1])
    decision = ic.Comparison.from_scores(y, {"a": s}).decide(ic.Condition(cost_fn=2, prevalence=0.5))
    with pytest.raises(UnknownNameError, match="'a'"):
        decision.charged_on(y, {"b": s})
    crisp = ic.Comparison([ic.RocCurve.from_points([0.1], [0.8], name="a")]).decide(CONDITION)
    with pytest.raises(InputError, match="no threshold"):
        crisp.charged_on(y, s)
    reviewed = ic.Comparison.from_scores(y, {"a": s}).decide(CONDITION, cost_review=0.1)
    with pytest.raises(InputError, match="cost_review"):
        reviewed.charged_on(y, s)

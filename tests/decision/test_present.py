import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from strategies import samples

finite = {"max_size": 14}


@given(samples(**finite), st.floats(0.05, 0.95), st.data())
def test_implied_costs_are_those_at_which_the_threshold_is_cheapest(sample, prevalence, data):
    """Inside the range no threshold of the model is cheaper, a little outside one is; any number is a threshold."""
    curve = sample.curve
    cuts = [c for c in curve.thresholds.tolist() if math.isfinite(c)]
    cut = data.draw(st.one_of(st.sampled_from(cuts), st.floats(min(cuts) - 1, max(cuts) + 1)))
    found = ic.implied_costs(curve, cut, prevalence=prevalence)
    own = ic.best_threshold(curve, method="fixed", threshold=cut)
    assert (found.fpr, found.tpr) == (own.fpr, own.tpr)

    def loses(ratio):
        condition = ic.Condition(1, ratio, prevalence)
        least = condition.normalised_cost(curve.fpr, curve.tpr).min()
        return condition.normalised_cost(found.fpr, found.tpr) - least

    if found.low is None:
        assert all(loses(ratio) > 0 for ratio in (0.1, 0.5, 1, 2, 10))
        better = found.cheaper
        assert better.fpr <= found.fpr + 1e-12
        assert better.tpr >= found.tpr - 1e-12
        assert (better.fpr, better.tpr) != (found.fpr, found.tpr)
        return
    low, high = max(found.low, 1e-9), min(found.high, 1e9)
    assert loses(math.sqrt(low * high)) <= 1e-9
    assume(found.low > 1e-6 and found.high < 1e6)
    assert loses(found.low * 0.99) > 0
    assert loses(found.high * 1.01) > 0


def test_the_rule_in_use_is_priced_against_the_decision():
    """What it costs, what changing saves, and what it assumes, in one sentence each."""
    y, scores = load_german_credit_predictions()
    comparison = ic.Comparison.from_scores(y, scores)
    condition = ic.Condition(1, 5, 0.3)
    decision = comparison.decide(condition, current=("random_forest", 0.3115), n_resamples=200)
    now = decision.current
    flagged = scores["random_forest"] >= 0.3115
    cost = (1 * (flagged & (y == 0)) + 5 * (~flagged & (y == 1))).mean()
    assert now.expected_cost == pytest.approx(cost)
    assert now.flagged == pytest.approx(flagged.mean())
    assert now.saving == pytest.approx(cost - decision.expected_cost)
    low, high = now.saving_interval
    assert low < now.saving < high
    assert (
        "acts as if a miss cost 2.6 to 2.77 false alarms. At 5 it costs 571 per 1000 cases; changing saves 69"
        in str(decision)
    )
    assert decision.to_dict()["current"]["implied"]["low"] == now.implied.low
    same = comparison.decide(condition, current=(decision.model, decision.threshold)).current
    assert same.saving == pytest.approx(0.0, abs=1e-12)

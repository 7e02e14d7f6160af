import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 40), st.sampled_from(["own", "condition"]))
def test_the_cheapest_rules_at_any_costs_stand_on_the_hulls(seed, cost_fp, cost_fn, prevalence):
    """Of each group and of one threshold for all; with ties between scores, and two models."""
    rng = np.random.default_rng(seed)
    y, g = np.arange(60) % 2, np.repeat(["a", "b", "c"], [10, 20, 30])
    scores = {name: np.round(rng.normal(size=60) + shift * y, 1) for name, shift in (("m", 0.5), ("n", 1.0))}
    groups = ic.Groups.from_scores(y, scores, g)
    condition = ic.Condition(cost_fp, cost_fn, 0.3)
    hulls, shared = groups.rule_hulls(prevalence=prevalence)
    each = groups.decide(condition, prevalence=prevalence)
    one = groups.decide(condition, thresholds="one", prevalence=prevalence)
    total = np.zeros(len(shared.rule))
    for place, (name, choice) in enumerate(each.groups.items()):
        hull = hulls[name]
        costs = choice.condition.expected_cost(hull.fp[:, 0] / choice.negatives, hull.tp[:, 0] / choice.positives)
        assert costs.min() == pytest.approx(choice.cost, abs=1e-12)
        assert len(set(zip(hull.fp[:, 0], hull.tp[:, 0], strict=True))) == len(hull.rule)
        rates = shared.fp[:, place] / choice.negatives, shared.tp[:, place] / choice.positives
        total += choice.share * choice.condition.expected_cost(*rates)
    assert total.min() == pytest.approx(one.expected_cost, abs=1e-12)


def test_counts_come_back_whole():
    """Cases without weights are counted."""
    hulls, shared = ic.Groups.from_scores([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], ["a", "a", "a", "b", "b"]).rule_hulls()
    for hull in (*hulls.values(), shared):
        assert np.array_equal(hull.fp, np.rint(hull.fp))
        assert np.array_equal(hull.tp, np.rint(hull.tp))

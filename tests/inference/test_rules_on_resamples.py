import numpy as np
import pytest

import isocost as ic
from isocost.datasets import load_german_credit_predictions

Y, SCORES = load_german_credit_predictions()
POSITIVE = np.asarray(Y) == 1
COMPARISON = ic.Comparison.from_scores(Y, SCORES)
CONDITION = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)


def slow_costs(rules, resamples=2000):
    """Normalised costs of (model, threshold) rules on plain resamples within the classes, the same for all rules."""
    rng = np.random.default_rng(99)
    ups, downs = np.flatnonzero(POSITIVE), np.flatnonzero(~POSITIVE)
    flags = {rule: np.asarray(SCORES[rule[0]]) >= rule[1] for rule in rules}
    found = {rule: np.empty(resamples) for rule in rules}
    for i in range(resamples):
        up, down = rng.choice(ups, ups.size), rng.choice(downs, downs.size)
        for rule, flagged in flags.items():
            found[rule][i] = CONDITION.normalised_cost(float(flagged[down].mean()), float(flagged[up].mean()))
    return found


def test_rules_under_a_limit_are_judged_on_the_same_resamples():
    """The share of resamples in which the chosen rule is cheapest is that of a plain bootstrap of all rules together."""
    decision = COMPARISON.decide(CONDITION, max_flagged=0.4, n_resamples=400)
    rules = [(decision.model, decision.threshold)]
    rules += [(a.model, a.threshold) for a in decision.alternatives if a.model in COMPARISON.names]
    costs = np.array(list(slow_costs(rules).values()))
    trivial = min(CONDITION.pcf, np.inf)
    share = float(np.mean(costs[0] <= np.minimum(costs.min(axis=0), trivial) + 1e-12))
    assert 0.2 < share < 0.95  # else this would show nothing
    assert decision.surety.share == pytest.approx(share, abs=0.08)
    rival = next(a for a in decision.alternatives if a.model == rules[1][0])
    low, high = np.quantile(costs[1] - costs[0], [0.05, 0.95]) * CONDITION.worst_cost
    assert rival.extra_interval == pytest.approx((low, high), abs=0.15 * (high - low))


@pytest.mark.parametrize("current", [("random_forest", 0.3), ("naive_bayes", 0.06), ("random_forest", 0.25)])
def test_the_rule_in_use_is_judged_on_the_same_resamples_as_the_decision(current):
    """The saving of changing has the interval of a paired bootstrap, which is narrower than that of two apart."""
    decision = COMPARISON.decide(CONDITION, current=current, n_resamples=400)
    own, used = slow_costs([(decision.model, decision.threshold), current]).values()
    low, high = np.quantile(used - own, [0.05, 0.95]) * CONDITION.worst_cost
    assert decision.current.saving_interval == pytest.approx((low, high), abs=0.15 * (high - low))

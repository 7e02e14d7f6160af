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


@pytest.mark.parametrize(
    "asked",
    [
        {"cost_review": 0.3, "max_reviewed": 0.1},
        {"cost_review": 0.4, "reviewer_fpr": 0.05, "reviewer_tpr": 0.9},
        {"cost_review": 0.3, "max_reviewed": 0.1, "randomised": True},
        {"cost_review": 0.0, "max_reviewed": 0.2},
    ],
)
def test_bands_with_reviews_are_judged_on_the_same_resamples(asked):
    """Every case of a resample is flagged, reviewed or cleared as the bands say, and the reviews are paid for."""
    decision = COMPARISON.decide(CONDITION, n_resamples=400, **asked)
    listed = {decision.model: decision.review} | {a.model: a.review for a in decision.alternatives if a.review}
    costs = {name: slow_bands(band) for name, band in listed.items()}
    least = np.min(list(costs.values()), axis=0)
    share = float(np.mean(costs[decision.model] <= least + 1e-12))
    assert 0.2 < share < 0.99  # else this would show nothing
    assert decision.surety.share == pytest.approx(share, abs=0.08)
    own = costs[decision.model]
    assert decision.surety.interval == pytest.approx(np.quantile(own, [0.05, 0.95]), abs=0.15 * np.ptp(own) / 2)
    rival = decision.alternatives[0]
    low, high = np.quantile(costs[rival.model] - own, [0.05, 0.95])
    assert rival.extra_interval == pytest.approx((low, high), abs=0.15 * (high - low))
    assert decision.surety.regret == pytest.approx(float(np.mean(own - least)), abs=0.003)


def slow_bands(band, resamples=2000):
    """Costs of a band a case on plain resamples within the classes, the same for all bands."""
    rng = np.random.default_rng(99)
    ups, downs = np.flatnonzero(POSITIVE), np.flatnonzero(~POSITIVE)
    scores = np.asarray(SCORES[band.model])

    def flagged(choice):
        share = choice.other_probability or 0.0
        other = choice.threshold if choice.other_threshold is None else choice.other_threshold
        return (1 - share) * (scores >= choice.threshold) + share * (scores >= other)

    outright, reached = flagged(band.flag_choice), flagged(band.review_choice)
    seen = reached - outright
    alarm = CONDITION.cost_fp * (outright + band.reviewer_fpr * seen) + band.cost_review * seen
    miss = CONDITION.cost_fn * (1 - outright - band.reviewer_tpr * seen) + band.cost_review * seen
    found = np.empty(resamples)
    for i in range(resamples):
        up, down = rng.choice(ups, ups.size), rng.choice(downs, downs.size)
        found[i] = 0.7 * alarm[down].mean() + 0.3 * miss[up].mean()
    return found


def test_where_no_review_can_pay_the_thresholds_alone_are_judged():
    """A price above every gain: the same rules as without reviews, and still said how sure that is."""
    decision = COMPARISON.decide(CONDITION, cost_review=2, n_resamples=60)
    assert decision.review.reviewed == 0
    assert decision.surety.grade is not None
    assert decision.surety.interval[0] < decision.expected_cost < decision.surety.interval[1]


def test_without_cases_a_decision_with_reviews_says_why_nothing_is_known():
    """Curves alone cannot be resampled."""
    decision = ic.Comparison(list(COMPARISON.curves)).decide(CONDITION, cost_review=0.3, n_resamples=60)
    assert decision.surety.grade is None
    assert "Resampling needs the cases" in decision.surety.doubts[0]

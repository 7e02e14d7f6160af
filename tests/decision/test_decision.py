import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from strategies import conditions, model_sets, uncertain_conditions, unit

TRIVIAL = {"always-negative": (0.0, 0.0), "always-positive": (1.0, 1.0)}


def all_points(comparison):
    """Every model at every threshold: fpr, tpr."""
    return (np.concatenate([getattr(curve, rate) for curve in comparison.curves]) for rate in ("fpr", "tpr"))


@given(model_sets(max_models=5), conditions())
def test_nothing_is_cheaper_than_the_decision(data, condition):
    """No model at any threshold, and no trivial classifier."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(condition)
    assert isinstance(decision, ic.Choice)
    assert (
        decision.expected_cost <= condition.expected_cost(*all_points(comparison)).min() + 1e-12 * condition.worst_cost
    )
    assert decision.per_1000 == 1000 * decision.expected_cost
    [win] = comparison.winners(condition)
    assert (decision.model, decision.threshold) == (win.name, win.points[0].threshold)


@given(model_sets(max_models=5), conditions())
def test_the_runner_up_is_the_cheapest_of_the_others(data, condition):
    """Every other model at its best threshold that flags some but not all, and both trivial classifiers, in order."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(condition)
    expected = dict(TRIVIAL.items())
    costs = {name: condition.normalised_cost(*point) for name, point in expected.items() if name != decision.model}
    for name in comparison.names:
        fpr, tpr = comparison[name].fpr, comparison[name].tpr
        inner = ((fpr > 0) | (tpr > 0)) & ((fpr < 1) | (tpr < 1))
        if name != decision.model:  # a constant score can flag nobody or everybody, and no more
            some = inner if inner.any() else np.ones_like(inner)
            costs[name] = condition.normalised_cost(fpr[some], tpr[some]).min()
    stated = {rival.model: rival.normalised_cost for rival in decision.alternatives}
    assert stated == pytest.approx(costs, abs=1e-12)
    extras = [rival.extra for rival in decision.alternatives]
    assert extras == sorted(extras)
    assert decision.runner_up.extra == extras[0] >= 0
    for rival in decision.alternatives:
        assert rival.extra == pytest.approx(rival.normalised_cost - decision.normalised_cost, abs=1e-12)
        assert rival.extra_cost == pytest.approx(
            rival.expected_cost - decision.expected_cost, abs=1e-9 * condition.worst_cost
        )


@given(model_sets(max_models=5), unit)
def test_the_decision_flips_exactly_where_it_says(data, t):
    """At each end of the stated range the next float changes the choice, and no float inside does."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(ic.Condition.from_t(t))
    span = decision.threshold_drift.t
    for end, beyond in ((span.t_low, -1.0), (span.t_high, 2.0)):
        inside = np.nextafter(end, 0.5 * (span.t_low + span.t_high))
        assert cheapest_point(comparison, inside) == (decision.fpr, decision.tpr)
        if 0 < end < 1:
            assert cheapest_point(comparison, np.nextafter(end, beyond)) != (decision.fpr, decision.tpr)


def cheapest_point(comparison, t):
    """The operating point of the joint hull at a float t; `Condition` could round it away."""
    stretch = comparison._joint.stretches[comparison._joint.at(float(t))]
    return stretch.fpr, stretch.tpr


@given(model_sets(max_models=5), conditions())
def test_costs_or_prevalence_may_drift_exactly_as_far_as_stated(data, condition):
    """A little inside the stated limits the model (and threshold) is still the cheapest, a little outside no longer."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(condition)
    assume(condition.cost_tp == condition.cost_tn == 0)
    for drift, same in ((decision.model_drift, same_model), (decision.threshold_drift, same_point)):
        low, high = drift.cost_ratio
        for end, side in ((low, -1), (high, 1)):
            if 0 < end < math.inf:
                moved = [ic.Condition(1, end * (1 + side * step), condition.prevalence) for step in (-1e-7, 1e-7)]
                assume(in_range(moved[0], drift))
                assert [same(comparison, decision, c) for c in moved] == [True, False]
        low, high = drift.prevalence
        for end, side in ((low, -1), (high, 1)):
            if 1e-6 < end < 1 - 1e-6:
                step = side * 1e-8 * min(end, 1 - end)
                moved = [ic.Condition(condition.cost_fp, condition.cost_fn, end + s) for s in (-step, step)]
                assume(in_range(moved[0], drift))
                assert [same(comparison, decision, c) for c in moved] == [True, False]


def in_range(condition, drift):
    """Whether a range is wide enough for a step inside from one end not to leave it at the other."""
    return drift.t.t_low <= condition.t <= drift.t.t_high


def same_point(comparison, decision, condition):
    """Whether the decided point is still the cheapest of all."""
    least = condition.normalised_cost(*all_points(comparison)).min()
    return condition.normalised_cost(decision.fpr, decision.tpr) <= least


def same_model(comparison, decision, condition):
    """Whether the decided model is still the cheapest, with whatever threshold."""
    least = condition.normalised_cost(*all_points(comparison)).min()
    if decision.model in TRIVIAL:
        return condition.normalised_cost(*TRIVIAL[decision.model]) <= least
    # A trivial classifier is everybody's: it does not count as the model's own success.
    trivial = min(condition.normalised_cost(*point) for point in TRIVIAL.values())
    own = condition.normalised_cost(comparison[decision.model].fpr, comparison[decision.model].tpr).min()
    return own <= least < trivial


@given(model_sets(max_models=4), uncertain_conditions())
def test_over_uncertain_conditions_the_decision_has_the_lowest_mean_cost(data, over):
    """Of every model at every fixed threshold: in the unit where costs are known, else in mean normalised cost."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(over)
    fpr, tpr = all_points(comparison)
    if over.means is None:
        line = ic.CostCurve.from_lines([0.0, 1.0], [decision.fpr], [1 - decision.tpr])
        assert decision.normalised_cost == pytest.approx(line.expectation(over), abs=1e-9)
        assert decision.normalised_cost <= (over.mean * fpr + (1 - over.mean) * (1 - tpr)).min() + 1e-9
        assert decision.expected_cost is None
    else:
        assert decision.expected_cost <= over.means.expected_cost(fpr, tpr).min() + 1e-9 * over.means.worst_cost
    assert decision.asked.over is over


@given(model_sets(max_models=4), st.sampled_from([ic.Conditions.beta(2, 3), ic.Conditions.uniform(t=(0.2, 0.7))]))
def test_models_are_also_ranked_with_thresholds_that_follow_the_condition(data, over):
    """By the mean of their envelopes; knowing everything first saves the gap between the fixed choice and the joint one."""
    comparison = ic.Comparison.from_scores(*data)
    found = comparison.decide(over).uncertain
    means = {name: ic.cost_curve(comparison[name]).expectation(over) for name in comparison.names}
    assert {cost.model: cost.mean for cost in found.rechosen} == pytest.approx(means, abs=1e-12)
    assert [c.mean for c in found.rechosen] == sorted(c.mean for c in found.rechosen)
    perfect = ic.cost_curve(comparison.hybrid().curve).expectation(over)
    assert found.information == pytest.approx(comparison.decide(over).normalised_cost - perfect, abs=1e-9)
    assert found.information >= 0


@given(model_sets(max_models=3), st.floats(0.05, 0.9), st.floats(0.2, 3), st.booleans())
def test_beliefs_are_priced_in_their_unit(data, low, spread, several):
    """The lowest expected cost of any model at any threshold: false alarms and misses at their expected costs."""
    comparison = ic.Comparison.from_scores(*data)
    share = (low / 2, low) if several else low
    over = ic.Conditions.from_beliefs(cost_fp=1, cost_fn=(low, low + spread), prevalence=share, size=200, rng=0)
    decision = comparison.decide(over)
    mean = 0.75 * low if several else low
    alarms, misses = 1 - mean, (low + spread / 2) * mean
    fpr, tpr = all_points(comparison)
    assert decision.expected_cost == pytest.approx((alarms * fpr + misses * (1 - tpr)).min(), abs=1e-9)
    assert decision.expected_cost == pytest.approx(alarms * decision.fpr + misses * (1 - decision.tpr), abs=1e-9)
    assert comparison.decide(ic.Conditions.uniform()).expected_cost is None


def test_a_belief_with_a_long_tail_of_dear_misses_counts_them_in_money():
    """At the median cost the other model is cheaper; the mean of the belief decides, and is said."""
    from scipy import stats

    over = ic.Conditions.from_beliefs(cost_fn=stats.lognorm(s=1.5, scale=0.5), prevalence=0.4)
    decision = two_models().decide(over)
    assert two_models().decide(ic.Condition(cost_fn=0.5, prevalence=0.4)).model == "a"
    assert decision.model == "b"
    assert decision.condition.cost_fn == pytest.approx(0.5 * math.exp(1.5**2 / 2))
    assert "a miss costs 1.54 on average; 40 % positive" in str(decision)


def test_ranges_without_width_are_a_known_condition():
    """Conditions that say the same as a Condition are answered the same, with costs in the user's unit."""
    comparison = two_models()
    known = ic.Conditions.from_costs(cost_fp=1, cost_fn=2, prevalence=0.4)
    found, same = comparison.decide(known).to_dict(), comparison.decide(ic.Condition(1, 2, 0.4)).to_dict()
    assert {k: v for k, v in found.items() if k not in ("asked", "says", "text")} == {
        k: v for k, v in same.items() if k not in ("asked", "says", "text")
    }


def two_models():
    """Two crisp classifiers whose cost lines cross."""
    a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    return ic.Comparison([a, b])


def test_a_decision_in_words():
    """What to deploy, with which rule and cost; against whom; and how far that holds."""
    text = str(two_models().decide(ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4)))
    assert text == (
        "Deploy b: flag cases with score ≥ 0.2.\n"
        "Expected cost 320 per 1000 cases (a miss costs 2 false alarms, 40 % positive): 140 less than a, the next best model, "
        "280 less than flagging everybody and 480 less than flagging nobody. It flags 60 % of cases and catches 90 % of the positives.\n"
        "b stays cheapest while a miss costs 1.13 to 9 false alarms (at this prevalence), or 27.3 to 75 % are positive (at these costs)."
    )


def test_a_decision_for_no_model_in_words():
    """Where flagging everybody is cheapest, no model is named."""
    decision = two_models().decide(ic.Condition(cost_fp=1, cost_fn=100, prevalence=0.5))
    assert decision.model == "always-positive"
    assert decision.threshold == -math.inf
    assert decision.rule == "flag everybody"
    assert decision.runner_up.model == "b"
    assert str(decision) == (
        "Deploy no model: flag everybody.\n"
        "Expected cost 500 per 1000 cases (a miss costs 100 false alarms, 50 % positive): 4700 less than b, the next best model and "
        "49,500 less than flagging nobody. It flags 100 % of cases and catches 100 % of the positives.\n"
        "This stays cheapest while a miss costs at least 6 false alarms (at this prevalence), or at least 5.66 % are positive "
        "(at these costs)."
    )


def test_a_decision_over_a_distribution_of_t_in_words():
    """There is no unit: the mean normalised cost, its regret, and what knowing the condition is worth."""
    text = str(two_models().decide(ic.Conditions.uniform(t=(0.2, 0.6))))
    assert text == (
        "Deploy b: flag cases with score ≥ 0.2.\n"
        "Mean normalised cost 0.22 (PCF(+) 0.4 to 0.8, 0.6 on average): "
        "0.12 less than a, the next best model, 0.18 less than flagging everybody and "
        "0.38 less than flagging nobody. It catches 90 % of positives and flags 40 % of negatives.\n"
        "b stays cheapest while PCF(+) is between 0.429 and 0.857 on average.\n"
        "Over these conditions the rule costs 0.0007143 more than the best one at each, on average; at most 0.02 (at PCF(+) 0.4). "
        "Knowing the condition before choosing would save 0.0007143 on average."
    )


def test_ties_are_told():
    """A model with the same costs is named, whether it ties over a stretch or at one t."""
    a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    same = ic.Comparison([a, a._renamed("twin")]).decide(ic.Condition())
    assert same.tied == ("twin",)
    assert "deploy a: use it as it is (twin is identical on these cases)" in repr(same)
    assert [a.identical for a in same.alternatives if a.model == "twin"] == [True]
    halves = ic.Comparison([ic.RocCurve.from_points([0.5], [0.25], name="poor")]).decide(ic.Condition())
    assert halves.model == "always-negative"
    assert halves.tied == ("always-positive",)
    assert "(flagging everybody costs the same)" in str(halves)


def test_a_tie_at_a_crossover_is_exact():
    """At the t where two cost lines cross both are named, and neither is said to cost a rounding error more."""
    comparison = two_models()
    [t] = comparison.crossovers("a", "b")
    decision = comparison.decide(ic.Conditions.from_t(t))
    assert (decision.model, decision.tied, decision.runner_up.extra) == ("a", ("b",), 0.0)
    assert decision.model_drift.t.t_low == t


def test_with_one_class_or_one_free_error_some_drift_is_unlimited():
    """At prevalence 0 costs do not matter; with free false alarms the prevalence does not."""
    comparison = two_models()
    none = comparison.decide(ic.Condition(prevalence=0.0))
    assert none.model_drift.cost_ratio == (0.0, math.inf)
    assert "whatever errors cost (at this prevalence)" in str(none)
    free = comparison.decide(ic.Condition(cost_fp=0, cost_fn=1, prevalence=0.5))
    assert free.model_drift.prevalence == (0.0, 1.0)
    assert "whatever the prevalence (at these costs)" in str(free)


@given(st.floats(0.01, 0.99))
def test_precision_and_flagged_of_an_uncertain_decision_refer_to_a_prevalence_that_was_given(share):
    """The prevalence of the ranges if it is one number, else the data's, else none."""
    comparison = two_models()
    over = ic.Conditions.from_costs(cost_fn=(1, 3), prevalence=share)
    assert comparison.decide(over).prevalence == share
    assert comparison.decide(ic.Conditions.uniform()).prevalence is None


def test_a_decision_is_plain_data_too():
    """Everything in a dict that JSON can hold: infinities as words, NaN as null."""
    import json

    decision = two_models().decide(ic.Conditions.beta(2, 3))
    plain = json.loads(json.dumps(decision.to_dict()))
    assert plain["model"] == decision.model
    assert plain["asked"]["over"] == "Beta(2, 3): t in 0–1"
    assert plain["text"] == str(decision)
    span = decision.model_drift.t
    assert (plain["model_drift"]["t"]["t_low"], plain["model_drift"]["t"]["t_high"]) == (span.t_low, span.t_high)


def test_what_is_no_condition_is_refused():
    """With what came."""
    with pytest.raises(ic.IsocostError, match=r"over must be a Condition or Conditions, got 0\.3"):
        two_models().decide(0.3)


def test_a_rival_whose_buckets_may_hide_a_better_threshold_is_said_to_cost_at_most_so_much():
    """Its own hull is exact, but the cheapest of its points that flags somebody lies beside a bucket."""
    counts = ic.ScoreCounts([0.9, 0.7, 0.5, 0.1], [2, 4, 44, 50], [1, 2, 2, 95], upper=[0.9, 0.8, 0.5, 0.1])
    rival, other = ic.RocCurve.from_counts(counts, name="b"), ic.RocCurve.from_points([0.5], [0.6], name="a")
    assert rival.hull_is_exact
    decision = ic.Comparison([other, rival], same_data=False).decide(ic.Condition.from_t(0.99))
    assert decision.model == "always-negative"
    [found] = [a for a in decision.alternatives if a.model == "b"]
    assert (found.threshold, found.fpr, found.tpr) == (0.9, 0.01, 0.02)
    # The bucket's four positives may all lie above its negatives: (0.01, 0.06).
    assert found.extra == pytest.approx(0.99 * 0.01 - 0.01 * 0.02)
    assert found.extra_low == pytest.approx(0.99 * 0.01 - 0.01 * 0.06)
    assert "at most 9.7 less than b, the next best model" in str(decision)
    exact = ic.RocCurve.from_counts(ic.ScoreCounts(counts.scores, counts.positives, counts.negatives), name="b")
    rivals = ic.Comparison([other, exact], same_data=False).decide(ic.Condition.from_t(0.99)).alternatives
    assert [a.extra_low for a in rivals] == [None, None, None]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (ic.Condition(1, 4, 0.0), "always-negative"),
        (ic.Condition(1, 0, 0.3), "always-negative"),
        (ic.Condition(1, 4, 1.0), "always-positive"),
        (ic.Condition(0, 4, 0.3), "always-positive"),
    ],
)
def test_where_one_error_costs_nothing_no_model_is_needed(condition, expected):
    """A model that ties there gives way to the trivial classifier, and is said to cost the same; everywhere."""
    comparison = ic.Comparison.from_scores([1, 1, 0, 1, 0], {"m": [5, 4, 3, 2, 1]})
    rule = {"always-negative": "flag nobody", "always-positive": "flag everybody"}[expected]
    for asked in ({}, {"max_flagged": 1.0}, {"cost_review": 0.1}):
        decision = comparison.decide(condition, **asked)
        assert (decision.model, decision.rule, decision.expected_cost) == (expected, rule, 0)
        assert decision.tied == ("m",)
    assert "m costs the same" in str(comparison.decide(condition))
    [win] = comparison.winners(condition)
    assert win.name == expected
    assert ic.best_threshold(comparison["m"], condition).rule == rule
    assert ic.review_band(comparison["m"], condition, cost_review=0.1).without.rule == rule
    assert comparison.hybrid().at(condition).threshold == (math.inf if expected == "always-negative" else -math.inf)

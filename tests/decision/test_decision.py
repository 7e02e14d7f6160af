import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InexactError
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
        if name != decision.model and inner.any():
            costs[name] = condition.normalised_cost(fpr[inner], tpr[inner]).min()
    stated = {rival.model: rival.normalised_cost for rival in decision.alternatives}
    assert stated == pytest.approx(costs, abs=1e-12)
    extras = [rival.extra for rival in decision.alternatives]
    assert extras == sorted(extras)
    assert decision.margin == extras[0] >= 0
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
    """Of every model at every fixed threshold; its mean cost is the cost at the mean of t, a fixed choice being linear."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(over)
    t = over.mean
    fpr, tpr = all_points(comparison)
    costs = t * fpr + (1 - t) * (1 - tpr)
    line = ic.CostCurve.from_lines([0.0, 1.0], [decision.fpr], [1 - decision.tpr])
    assert decision.normalised_cost == pytest.approx(line.expectation(over), abs=1e-9)
    assert decision.normalised_cost <= costs.min() + 1e-9
    assert decision.expected_cost is None
    assert decision.conditions is over


@given(model_sets(max_models=4), uncertain_conditions())
def test_models_are_also_ranked_with_thresholds_that_follow_the_condition(data, over):
    """By the mean of their envelopes; knowing everything first saves the gap between the fixed choice and the joint one."""
    comparison = ic.Comparison.from_scores(*data)
    decision = comparison.decide(over)
    means = {name: ic.cost_curve(comparison[name]).expectation(over) for name in comparison.names}
    assert {cost.model: cost.mean for cost in decision.rechosen} == pytest.approx(means, abs=1e-12)
    assert [c.mean for c in decision.rechosen] == sorted(c.mean for c in decision.rechosen)
    perfect = ic.cost_curve(comparison.hybrid().curve).expectation(over)
    assert decision.information == pytest.approx(decision.normalised_cost - perfect, abs=1e-9)
    assert decision.information >= 0


@given(model_sets(max_models=3), st.floats(0.05, 0.9), st.floats(0.2, 3), st.booleans())
def test_over_beliefs_the_cheapest_choice_in_units_is_also_told(data, low, spread, several):
    """The lowest expected cost of any model at any threshold: false alarms and misses at their expected costs."""
    comparison = ic.Comparison.from_scores(*data)
    share = (low / 2, low) if several else low
    over = ic.Conditions.from_beliefs(cost_fp=1, cost_fn=(low, low + spread), prevalence=share, size=200, rng=0)
    decision = comparison.decide(over)
    if several:
        t, worst = over.density.t, over.worst_cost
        alarms, misses = np.mean(worst * t), np.mean(worst * (1 - t))
    else:
        alarms, misses = 1 - low, (low + spread / 2) * low
    fpr, tpr = all_points(comparison)
    best = decision.in_units
    assert best.expected_cost == pytest.approx((alarms * fpr + misses * (1 - tpr)).min(), abs=1e-9)
    assert best.expected_cost == pytest.approx(alarms * best.fpr + misses * (1 - best.tpr), abs=1e-9)
    own = alarms * decision.fpr + misses * (1 - decision.tpr)
    assert best.extra_cost == pytest.approx(best.expected_cost - own, abs=1e-9)
    assert comparison.decide(ic.Conditions.uniform()).in_units is None


def test_beliefs_in_words_tell_money_from_shares():
    """A belief with a long tail of dear misses: in money they count for more than in the mean normalised cost."""
    from scipy import stats

    over = ic.Conditions.from_beliefs(cost_fn=stats.lognorm(s=1.5, scale=0.5), prevalence=0.4)
    decision = two_models().decide(over)
    assert (decision.model, decision.in_units.model) == ("a", "b")
    assert "where dear conditions weigh more, b at ≥ 0.2 is cheapest" in str(decision)
    narrow = ic.Conditions.from_beliefs(cost_fn=(2, 2.5), prevalence=0.4)
    assert "Its expected cost in the unit of the costs is 330 per 1000 cases, the lowest of all." in str(
        two_models().decide(narrow)
    )


def test_ranges_without_width_are_a_known_condition():
    """Conditions that say the same as a Condition are answered the same, with costs in the user's unit."""
    comparison = two_models()
    known = ic.Conditions.from_costs(cost_fp=1, cost_fn=2, prevalence=0.4)
    assert comparison.decide(known) == comparison.decide(ic.Condition(1, 2, 0.4))


def two_models():
    """Two crisp classifiers whose cost lines cross."""
    a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    return ic.Comparison([a, b])


def test_a_decision_in_words():
    """What to deploy, at which threshold and cost; against whom; and how far that holds."""
    text = str(two_models().decide(ic.Condition(cost_fp=1, cost_fn=2, prevalence=0.4)))
    assert text == (
        "Deploy b and flag scores ≥ 0.2: expected cost 320 per 1000 cases "
        "(a miss costs 2 false alarms, 40 % positive; t = 0.429).\n"
        "a at ≥ 0.7 costs 140 more, flagging everybody costs 280 more, flagging nobody costs 480 more.\n"
        "Model and threshold stay cheapest while a miss costs 1.12 to 9 false alarms, other things equal, "
        "or 27.3 to 75 % are positive."
    )


def test_a_decision_for_no_model_in_words():
    """Where flagging everybody is cheapest, no model is named."""
    decision = two_models().decide(ic.Condition(cost_fp=1, cost_fn=100, prevalence=0.5))
    assert decision.model == "always-positive"
    assert decision.threshold == -math.inf
    assert decision.flag_everybody is None
    assert decision.runner_up.model == "b"
    assert str(decision) == (
        "Use no model, flag everybody: expected cost 500 per 1000 cases (a miss costs 100 false alarms, 50 % positive; "
        "t = 0.0099).\nb at ≥ 0.2 costs 4700 more, flagging nobody costs 49,500 more.\n"
        "That stays cheapest while a miss costs at least 6 false alarms, other things equal, or at least 5.66 % are positive."
    )


def test_an_uncertain_decision_in_words():
    """The mean cost, the best model with a following threshold, and what knowing the condition is worth."""
    text = str(two_models().decide(ic.Conditions.uniform(t=(0.2, 0.6))))
    assert text == (
        "Deploy b and flag scores ≥ 0.2: mean normalised cost 0.22 (uniform; t in 0.2–0.6).\n"
        "a at ≥ 0.7 costs 0.12 more, flagging everybody costs 0.18 more, flagging nobody costs 0.38 more.\n"
        "It stays the cheapest single choice while the mean of t stays between 0.143 and 0.571. "
        "Knowing the condition before choosing would save 0.000714 on average. "
        "If the threshold can follow the condition, b is the best model (mean 0.22; a 0.0768 more)."
    )


def test_ties_are_told():
    """A model with the same costs is named, whether it ties over a stretch or at one t."""
    a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    same = ic.Comparison([a, a._renamed("twin")]).decide(ic.Condition())
    assert same.tied == ("twin",)
    assert "deploy a as it is (or twin, which costs the same)" in repr(same)
    assert "twin costs the same" in str(same)
    halves = ic.Comparison([ic.RocCurve.from_points([0.5], [0.25], name="poor")]).decide(ic.Condition())
    assert halves.model == "always-negative"
    assert halves.tied == ("always-positive",)
    assert "flagging everybody, which costs the same" in str(halves)


def test_a_tie_at_a_crossover_is_exact():
    """At the t where two cost lines cross both are named, and neither is said to cost a rounding error more."""
    comparison = two_models()
    [t] = comparison.crossovers("a", "b")
    decision = comparison.decide(ic.Conditions.from_t(t))
    assert (decision.model, decision.tied, decision.margin) == ("a", ("b",), 0.0)
    assert decision.model_drift.t.t_low == t


def test_with_one_class_or_one_free_error_some_drift_is_unlimited():
    """At prevalence 0 costs do not matter; with free false alarms the prevalence does not."""
    comparison = two_models()
    none = comparison.decide(ic.Condition(prevalence=0.0))
    assert none.model_drift.cost_ratio == (0.0, math.inf)
    assert "errors cost whatever they may" in str(none)
    free = comparison.decide(ic.Condition(cost_fp=0, cost_fn=1, prevalence=0.5))
    assert free.model_drift.prevalence == (0.0, 1.0)
    assert "any share is positive" in str(free)


@given(st.floats(0.01, 0.99))
def test_precision_and_flagged_of_an_uncertain_decision_refer_to_a_prevalence_that_was_given(share):
    """The prevalence of the ranges if it is one number, else the data's, else none."""
    comparison = two_models()
    over = ic.Conditions.from_costs(cost_fn=(1, 3), prevalence=share)
    assert comparison.decide(over).prevalence == share
    assert comparison.decide(ic.Conditions.uniform()).prevalence is None


def test_a_decision_is_plain_data_too():
    """Everything in a dict that JSON can hold, but for infinities."""
    import json

    decision = two_models().decide(ic.Conditions.beta(2, 3))
    plain = json.loads(json.dumps(decision.to_dict()))
    assert plain["model"] == decision.model
    assert plain["conditions"] == "Beta(2, 3): t in 0–1"
    assert plain["text"] == str(decision)
    assert plain["model_drift"]["t"] == {"t_low": decision.model_drift.t.t_low, "t_high": decision.model_drift.t.t_high}


def test_what_is_no_condition_is_refused():
    """With what came."""
    with pytest.raises(ic.IsocostError, match=r"condition must be a Condition or Conditions, got 0\.3"):
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
    assert "b at ≥ 0.9 costs at most" in str(decision)
    assert "At most: scores were counted together in buckets, which may hide a better threshold." in str(decision)
    exact = ic.RocCurve.from_counts(ic.ScoreCounts(counts.scores, counts.positives, counts.negatives), name="b")
    rivals = ic.Comparison([other, exact], same_data=False).decide(ic.Condition.from_t(0.99)).alternatives
    assert [a.extra_low for a in rivals] == [None, None, None]


def in_buckets(y, scores, edges, name):
    """The curve of a model's scores, and that of the same counted together between the edges."""
    counts = ic.ScoreCounts.from_arrays(y, scores)
    place = np.searchsorted(np.unique(edges), counts.scores, side="right")
    start = np.concatenate([[0], np.flatnonzero(np.diff(place)) + 1])
    end = np.concatenate([start[1:], [len(counts)]]) - 1
    ups, downs = (np.add.reduceat(c, start) for c in (counts.positives, counts.negatives))
    wide = ic.ScoreCounts(counts.scores[end], ups, downs, upper=counts.scores[start])
    return ic.RocCurve.from_counts(counts, name=name), ic.RocCurve.from_counts(wide, name=name)


@given(model_sets(max_models=3), conditions(), st.lists(unit, max_size=4))
def test_what_buckets_leave_open_of_a_decision_holds_the_truth(data, condition, edges):
    """The choice can be used and costs what is said; the truly cheapest lies between that and the least said, and so do rivals."""
    y, scores = data
    exact, wide = zip(*(in_buckets(y, s, edges, name) for name, s in scores.items()), strict=True)
    decision, truth = ic.Comparison(wide).decide(condition), ic.Comparison(exact).decide(condition)
    least = decision.normalised_cost if decision.normalised_cost_low is None else decision.normalised_cost_low
    assert least - 1e-12 <= truth.normalised_cost <= decision.normalised_cost + 1e-12
    if not decision.hulls_are_exact:
        assert (decision.t_low, decision.model_drift.cost_ratio) == (None, None)
    for rival in decision.alternatives:
        if rival.model not in TRIVIAL and not decision.hulls_are_exact:
            [curve] = [c for c in exact if c.name == rival.model]
            low = rival.extra if rival.extra_low is None else rival.extra_low
            assert float(curve.optimal_cost(condition.t)) >= decision.normalised_cost + min(low, rival.extra) - 1e-12


def test_a_decision_that_buckets_leave_open_says_so():
    """Which model is cheapest is settled or not by the buckets, whatever the sample says; uncertain conditions are refused."""
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.3
    a = rng.normal(1.5 * y)
    edges = np.linspace(-3, 5, 17)
    curves = {
        name: in_buckets(y, s, edges, name)[1]
        for name, s in (("a", a), ("near", a + rng.normal(0, 0.1, a.size)), ("far", rng.normal(size=a.size)))
    }
    condition = ic.Condition(cost_fp=1, cost_fn=3, prevalence=0.3)
    open_ = ic.Comparison([curves["a"], curves["near"]]).decide(condition)
    assert not open_.hulls_are_exact
    assert open_.runner_up.extra_low < 0
    assert (
        f"{open_.runner_up.model} could be the cheapest model. Counting finer would tell; more data would not."
        in str(open_)
    )
    settled = ic.Comparison([curves["a"], curves["far"]]).decide(condition)
    assert settled.model == "a"
    assert "no other model can be cheaper" in str(settled)
    assert "(the cheapest end of a bucket of scores): expected cost" in repr(settled)
    saved = 1000 * (settled.normalised_cost - settled.normalised_cost_low) * condition.worst_cost
    assert f"thresholds inside could save {saved:.4g} at most" in str(settled)
    with pytest.raises(InexactError, match="a decision over uncertain conditions"):
        ic.Comparison([curves["a"]]).decide(ic.Conditions.uniform())

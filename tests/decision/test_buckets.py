"""Decisions from scores that were counted together in buckets: what they say holds the truth, whatever the buckets hold."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.decision.limits import Limits
from isocost.decision.pricing import Pricing
from isocost.decision.uncertain import uncertain
from isocost.errors import InexactError, InfeasibleError
from isocost.roc_space.joint_hull import TRIVIAL_NAMES
from strategies import bucketed_models, conditions, in_buckets, unit

SLACK = 1e-12
FINE, COARSE = np.linspace(-3, 5, 17), np.linspace(-2, 3, 11)


@given(bucketed_models(max_size=30), conditions())
def test_what_buckets_leave_open_of_a_decision_holds_the_truth(pair, condition):
    """The choice can be used and costs what is said; the truly cheapest lies between that and the least said, and so do rivals."""
    exact, wide = pair
    decision, truth = wide.decide(condition), exact.decide(condition)
    least = decision.normalised_cost if decision.normalised_cost_low is None else decision.normalised_cost_low
    assert least - SLACK <= truth.normalised_cost <= decision.normalised_cost + SLACK
    assume(not all(curve.hull_is_exact for curve in wide.curves))
    assert decision.threshold_drift is None
    for rival in decision.alternatives:
        if rival.model not in TRIVIAL_NAMES:
            low = rival.extra if rival.extra_low is None else rival.extra_low
            cost = float(exact[rival.model].optimal_cost(condition.t))
            assert cost >= decision.normalised_cost + min(low, rival.extra) - SLACK
    # A settled model is the cheapest at least as far as is said.
    far = (
        (condition.t,) * 2
        if decision.model_drift is None
        else (decision.model_drift.t.t_low, decision.model_drift.t.t_high)
    )
    t = np.linspace(*far, 9)
    costs = {"always-negative": 1 - t, "always-positive": t} | {c.name: c.optimal_cost(t) for c in exact.curves}
    rest = np.min(list(costs.values()), axis=0)
    assert decision.model_drift is None or np.all(costs[decision.model] <= rest + SLACK)


@given(bucketed_models(max_size=30), conditions())
def test_no_rival_is_said_to_cost_more_than_its_true_rule_does(pair, condition):
    """The cheapest rule that flags somebody but not everybody may lie inside a bucket, also at an end and of one class alone."""
    exact, wide = pair
    decision, truth = wide.decide(condition), exact.decide(condition)
    true = {rival.model: rival.normalised_cost for rival in truth.alternatives}
    for rival in decision.alternatives:
        if rival.model not in TRIVIAL_NAMES and rival.model in true:
            low = rival.extra if rival.extra_low is None else min(rival.extra, rival.extra_low)
            assert true[rival.model] >= decision.normalised_cost + low - SLACK


@st.composite
def ranges(draw):
    """Conditions that are not known: costs or a prevalence in a range, or t alone."""
    low, high = sorted(draw(st.tuples(unit, unit)))
    kind = draw(st.sampled_from(["costs", "prevalence", "t"]))
    if kind == "t":
        return ic.Conditions.uniform(t=(low, high))
    prevalence = (0.1 + 0.5 * low, 0.2 + 0.5 * high) if kind == "prevalence" else 0.3
    return ic.Conditions.from_costs(cost_fn=(0.5 + 9 * low, 1 + 9 * high), prevalence=prevalence)


@given(bucketed_models(), ranges(), st.sampled_from([None, 0.2, 0.5]))
def test_the_safest_rule_may_lie_inside_a_bucket(pair, over, max_flagged):
    """The truly smallest worst regret lies between what is said, on the hull or off it."""
    exact, wide = pair
    try:
        found, truth = (c.decide(over, max_flagged=max_flagged).uncertain for c in (wide, exact))
    except InfeasibleError:
        return
    low, high = (
        found.safest_regret if end is None else end for end in (found.safest_regret_low, found.safest_regret_high)
    )
    assert low - SLACK <= truth.safest_regret <= high + SLACK


@given(bucketed_models(), ranges(), st.sampled_from([None, 0.2, 0.5]))
def test_regret_over_ranges_holds_the_truth(pair, over, max_flagged):
    """What the rule costs more than the best, what knowing would save, and what each model costs: between the bounds."""
    exact, wide = pair
    limits = Limits(max_flagged=max_flagged)
    decision = wide.decide(over, max_flagged=max_flagged)
    found = decision.uncertain
    assume(found is not None)
    # The same rule, judged by the cases.
    truth = uncertain(exact.curves, decision, Pricing.of(over), limits)
    for name in ("mean_regret", "worst_regret"):
        low, high, true = getattr(found, name), getattr(found, f"{name}_high"), getattr(truth, name)
        assert low - 1e-9 <= true <= (low if high is None else high) + 1e-9
    bounds = (found.information,) * 2 if found.information_bounds is None else found.information_bounds
    assert bounds[0] - 1e-9 <= found.information <= bounds[1] + 1e-9
    assert bounds[0] - 1e-9 <= truth.information <= bounds[1] + 1e-9
    means = {model.model: model.mean for model in truth.rechosen}
    for model in found.rechosen:
        low = model.mean if model.mean_low is None else model.mean_low
        assert low - 1e-9 <= means[model.model] <= model.mean + 1e-9
    if found.mean_regret_high is None:
        assert truth.to_dict() == found.to_dict()


@given(
    bucketed_models(), conditions(), st.booleans(),
    st.dictionaries(st.sampled_from(["max_flagged", "min_precision", "max_fpr", "min_tpr"]), unit, min_size=1, max_size=2),
)  # fmt: skip
def test_the_cheapest_rule_within_limits_lies_between_what_is_said(pair, condition, randomised, limits):
    """Thresholds inside the buckets may be cheaper, as far as is said, and never dearer; so for every rival."""
    exact, wide = pair
    try:
        truth = exact.decide(condition, **limits, randomised=randomised)
    except InfeasibleError:
        truth = None
    try:
        decision = wide.decide(condition, **limits, randomised=randomised)
    except InexactError:
        return
    except InfeasibleError:
        assert truth is None
        return
    low = decision.normalised_cost if decision.normalised_cost_low is None else decision.normalised_cost_low
    assert low - 1e-9 <= truth.normalised_cost <= decision.normalised_cost + 1e-9
    rules = {truth.model: truth} | {a.model: a for a in truth.alternatives if a.rule}
    for rival in decision.alternatives:
        if rival.model in rules and rival.rule:
            least = rival.extra if rival.extra_low is None else rival.extra_low
            assert rules[rival.model].normalised_cost >= decision.normalised_cost + least - 1e-9


@given(bucketed_models(), unit, st.booleans())
def test_the_most_that_is_caught_within_limits_lies_between_what_is_said(pair, most, randomised):
    """Without costs: by the decided model, and by every other."""
    exact, wide = pair
    truth = exact.decide(max_flagged=most, randomised=randomised)
    decision = wide.decide(max_flagged=most, randomised=randomised)
    rules = {truth.model: truth} | {a.model: a for a in truth.alternatives}
    for rule in (decision, *decision.alternatives):
        high = rule.tpr if rule.tpr_high is None else rule.tpr_high
        if rule.model not in TRIVIAL_NAMES:
            assert rules[rule.model].tpr <= high + 1e-9
    assert truth.tpr >= decision.tpr - 1e-9


def three_models(edges=FINE):
    """Curves of a model, of one much like it, and of one that tells nothing, all in a few buckets."""
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.3
    a = rng.normal(1.5 * y)
    scores = (("a", a), ("near", a + rng.normal(0, 0.1, a.size)), ("far", rng.normal(size=a.size)))
    return {name: in_buckets(y, s, edges, name)[1] for name, s in scores}


def test_a_decision_that_buckets_leave_open_says_so():
    """Which model is cheapest is settled or not by the buckets, whatever the sample says."""
    curves = three_models()
    condition = ic.Condition(cost_fp=1, cost_fn=3, prevalence=0.3)
    open_ = ic.Comparison([curves["a"], curves["near"]]).decide(condition)
    assert open_.model_drift is None
    assert open_.runner_up.extra_low < 0
    assert (
        f"{open_.runner_up.model} could be the cheapest model. Counting finer would tell; more data would not."
        in str(open_)
    )
    settled = ic.Comparison([curves["a"], curves["far"]]).decide(condition)
    assert settled.model == "a"
    assert "No other model can be cheaper. That holds at all costs and prevalences." in str(settled)
    saved = 1000 * (settled.normalised_cost - settled.normalised_cost_low) * condition.worst_cost
    assert f"a finer threshold could save up to {saved:.3g}" in str(settled)
    coarse = three_models(COARSE)
    there = ic.Comparison([coarse["a"], coarse["far"]]).decide(condition)
    low = there.model_drift.cost_ratio[0]
    assert f"That holds while a miss costs at least {low:.3g} false alarms" in str(there)
    assert ", and perhaps beyond." in str(there)


def test_regret_over_ranges_is_said_with_what_buckets_leave_open():
    """Two numbers where one is not known, and every model that may be the best."""
    curves = three_models()
    over = ic.Conditions.from_costs(cost_fn=(1, 9), prevalence=0.3)
    decision = ic.Comparison([curves["a"], curves["near"]]).decide(over)
    found = decision.uncertain
    low, high = (f"{1000 * v:.3g}" for v in (found.mean_regret, found.mean_regret_high))
    assert f"the rule costs {low} to {high} per 1000 cases more than the best one at each" in str(decision)
    assert f"at most {1000 * found.worst_regret_high:.3g} (" in str(decision)
    assert "would save " in str(decision)
    assert "If the threshold can follow the condition, a or near is the best model." in str(decision).replace(
        "near or a", "a or near"
    )
    far = ic.Comparison([curves["a"], curves["far"]]).decide(over)
    assert "If the threshold can follow" not in str(far)


def test_limits_are_answered_with_what_buckets_leave_open():
    """The best end of a bucket, and what a threshold inside one could save or catch."""
    curves = three_models()
    pair = ic.Comparison([curves["a"], curves["near"]])
    cheapest = pair.decide(ic.Condition(cost_fn=3, prevalence=0.3), max_flagged=0.2)
    assert cheapest.flagged <= 0.2
    assert "Scores were grouped: a finer threshold could save up to " in str(cheapest)
    caught = pair.decide(max_flagged=0.2)
    assert "Scores were grouped: a finer threshold could catch up to " in str(caught)
    assert "could catch most. Counting finer would tell" in str(caught)


def test_a_model_of_which_it_is_open_whether_it_keeps_the_limits_does_not_stop_the_others():
    """It is listed without a rule, and could be the cheapest."""
    one = ic.RocCurve.from_counts(ic.ScoreCounts([0.5, 0.0], [5, 5], [5, 15], upper=[1.0, 0.4]), name="one")
    other = ic.RocCurve.from_counts(ic.ScoreCounts([0.9, 0.1], [2, 8], [0, 20]), name="other")
    condition = ic.Condition(cost_fn=5, prevalence=1 / 3)
    decision = ic.Comparison([one, other]).decide(condition, min_precision=0.9)
    [rival] = [a for a in decision.alternatives if a.model == "one"]
    assert (decision.model, rival.rule) == ("other", "")
    assert "whether a threshold keeps min_precision=0.9 depends on" in rival.remark
    assert rival.extra_low < 0
    assert "one could be the cheapest model." in str(decision)
    with pytest.raises(InexactError, match=r"whether a threshold keeps min_precision=0\.9"):
        ic.Comparison([one]).decide(condition, min_precision=0.9)


@given(bucketed_models(), ranges(), st.booleans())
def test_the_least_worst_cost_is_answered_where_buckets_settle_it(pair, over, randomised):
    """It is then that of the cases; else the error says what it lies between."""
    exact, wide = pair
    ends = [ic.Condition.from_t(t) for t in (ic.Conditions.of(over).low, ic.Conditions.of(over).high)]
    for name in exact.names:
        truth = ic.minimax(exact[name], over=over, randomised=randomised)
        worst = max(end.normalised_cost(truth.fpr, truth.tpr) for end in ends)
        try:
            found = ic.minimax(wide[name], over=over, randomised=randomised)
        except InexactError as error:
            low, high = (float(text) for text in error.what.split("(")[1].rstrip(")").split(" to "))
            assert low - 1e-3 <= worst <= high + 1e-3
        else:
            assert max(end.normalised_cost(found.fpr, found.tpr) for end in ends) == pytest.approx(worst, abs=1e-12)

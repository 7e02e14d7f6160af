"""Thresholds as they are set in use, of scores counted in buckets: what is said holds the truth, whatever the buckets hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.decision.limits import Limits
from isocost.decision.numbers import percent
from isocost.decision.pricing import Pricing
from isocost.decision.uncertain import uncertain
from isocost.errors import InputError
from isocost.roc_space.joint_hull import TRIVIAL_NAMES
from strategies import bucketed_models, conditions, in_buckets, unit

SLACK = 1e-12
CONDITION = ic.Condition(cost_fp=1, cost_fn=3, prevalence=0.3)
probabilities = bucketed_models(kinds=("tied", "probabilities"))


@st.composite
def ways(draw):
    """How thresholds are set by the scores, or given."""
    cut = draw(st.none() | unit)
    return {"method": "score_driven"} if cut is None else {"method": "fixed", "threshold": cut}


def least(rule):
    """What a rule costs at least."""
    return rule.normalised_cost if rule.normalised_cost_low is None else rule.normalised_cost_low


@given(probabilities, conditions(), ways())
def test_a_threshold_inside_a_bucket_does_what_is_said_between_two_ends(pair, condition, way):
    """Its rates and costs on the cases lie between those of the best and of the worst case; outside of buckets they are exact."""
    exact, wide = pair
    for name in exact.names:
        truth, found = (ic.best_threshold(compared[name], condition, **way) for compared in (exact, wide))
        low, high = (found.fpr, found.tpr) if found._fpr_low is None else (found._fpr_low, found.tpr_high)
        assert low - SLACK <= truth.fpr <= found.fpr + SLACK
        assert found.tpr - SLACK <= truth.tpr <= high + SLACK
        assert least(found) - SLACK <= truth.normalised_cost <= found.normalised_cost + SLACK
        if found._fpr_low is None:
            assert (truth.fpr, truth.tpr) == (found.fpr, found.tpr)
        elif way["method"] == "fixed":
            assert found.threshold == way["threshold"]


@given(probabilities, conditions(), ways())
def test_what_dividing_buckets_leaves_open_of_a_decision_holds_the_truth(pair, condition, way):
    """The decided model costs at most what is said, and is the cheapest where no other could be; rivals cost at least what is said."""
    exact, wide = pair
    decision, truth = wide.decide(condition, **way), exact.decide(condition, **way)
    assert least(decision) - SLACK <= truth.normalised_cost <= decision.normalised_cost + SLACK
    costs = {truth.model: truth.normalised_cost} | {a.model: a.normalised_cost for a in truth.alternatives}
    assert costs[decision.model] <= decision.normalised_cost + SLACK
    for rival in decision.alternatives:
        low = rival.extra if rival.extra_low is None else rival.extra_low
        assert decision.normalised_cost + low - SLACK <= costs[rival.model] <= rival.normalised_cost + SLACK
    if all(a.extra_low is None or a.extra_low >= 0 for a in decision.alternatives):
        assert costs[decision.model] <= truth.normalised_cost + SLACK
        # So far at least as is said.
        if decision.model_drift is not None and decision.normalised_cost_low is not None:
            t = np.linspace(decision.model_drift.t.t_low, decision.model_drift.t.t_high, 7)
            rules = {r.model: r for r in (truth, *truth.alternatives)}
            lines = {name: t * rule.fpr + (1 - t) * (1 - rule.tpr) for name, rule in rules.items()}
            assert np.all(lines[decision.model] <= np.min(list(lines.values()), axis=0) + SLACK)
    else:
        assert "could be the cheapest model. Counting finer would tell" in str(decision)


@given(probabilities, conditions(), st.booleans())
def test_a_share_that_ends_inside_a_bucket_is_reached_by_mixing_its_ends(pair, condition, randomised):
    """The mix flags that share, costs what is said, and no finer one is cheaper than the least said; rivals likewise."""
    exact, wide = pair
    for name in exact.names:
        share = condition.cost_proportion
        truth, found = (
            ic.rate_threshold(c[name], share, prevalence=condition.prevalence, randomised=randomised)
            for c in (exact, wide)
        )
        assert truth.normalised_cost >= least(found) - SLACK
        if randomised:
            assert found.flagged == pytest.approx(share, abs=1e-12)
        cuts = [found.threshold] if found.other_threshold is None else [found.threshold, found.other_threshold]
        points = exact[name]._points_at(cuts)
        mix = [1.0] if len(cuts) == 1 else [1 - found.other_probability, found.other_probability]
        assert found.fpr == pytest.approx(float(exact[name].fpr[points] @ mix), abs=1e-12)
        assert found.tpr == pytest.approx(float(exact[name].tpr[points] @ mix), abs=1e-12)
    decision, truth = (c.decide(condition, method="rate_driven") for c in (wide, exact))
    costs = {truth.model: truth.normalised_cost} | {a.model: a.normalised_cost for a in truth.alternatives}
    assert truth.normalised_cost >= least(decision) - SLACK
    for rival in decision.alternatives:
        low = rival.extra if rival.extra_low is None else rival.extra_low
        if rival.model not in TRIVIAL_NAMES:
            assert costs[rival.model] >= decision.normalised_cost + low - SLACK


@given(probabilities, unit, st.tuples(unit, unit))
def test_regret_of_a_threshold_inside_a_bucket_holds_the_truth(pair, cut, ends):
    """On average and at worst, of the rule as it is on the cases."""
    exact, wide = pair
    low, high = sorted(ends)
    over = ic.Conditions.from_costs(cost_fn=(0.5 + 9 * low, 1 + 9 * high), prevalence=0.3)
    decision = wide.decide(over, method="fixed", threshold=cut)
    if decision.uncertain is None:
        return
    rule = decision
    if decision.model not in TRIVIAL_NAMES:
        rule = ic.best_threshold(exact[decision.model], over, method="fixed", threshold=cut)
    truth, found = uncertain(exact.curves, rule, Pricing.of(over), Limits()), decision.uncertain
    for name in ("mean_regret", "worst_regret"):
        fewest, most = getattr(found, name), getattr(found, f"{name}_high")
        assert fewest - 1e-9 <= getattr(truth, name) <= (fewest if most is None else most) + 1e-9


def three_models(edges=12):
    """Probabilities of a model, of one much like it and of one that tells nothing, in a few buckets."""
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.3
    a = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    scores = {"a": a, "near": np.clip(a + rng.normal(0, 0.02, a.size), 0, 1), "far": rng.random(a.size)}
    return {name: in_buckets(y, s, np.linspace(0, 1, edges), name)[1] for name, s in scores.items()}


def test_a_rule_inside_a_bucket_is_said_with_both_ends():
    """Costs and shares as what they lie between, and whether another model could be cheaper."""
    curves = three_models()
    settled = ic.Comparison([curves["a"], curves["far"]]).decide(CONDITION, method="score_driven")
    low, high = (1000 * CONDITION.worst_cost * cost for cost in (settled.normalised_cost_low, settled.normalised_cost))
    text = str(settled)
    assert f"Expected cost {low:.0f} to {high:.0f} per 1000 cases" in text
    assert f"catches {percent(settled.tpr)} to {percent(settled.tpr_high)} of the positives" in text
    assert "this threshold lies inside a group: how many of its cases are flagged is not known." in text
    assert text.endswith("No other model can be cheaper.")
    doubtful = ic.Comparison([curves["a"], curves["near"]]).decide(CONDITION, method="fixed", threshold=0.31)
    assert f"{doubtful.runner_up.model} could be the cheapest model." in str(doubtful)
    alone = ic.best_threshold(curves["a"], CONDITION, method="fixed", threshold=0.31)
    assert "scores were grouped, and the threshold lies inside a group" in str(alone)
    mixed = ic.Comparison([curves["a"], curves["far"]]).decide(CONDITION, method="rate_driven")
    assert "Scores were grouped: a finer threshold could save up to " in str(mixed)


def test_a_threshold_between_buckets_is_exact():
    """Where no bucket is divided nothing is open, whatever the others hold."""
    curves = three_models()
    cut = float(curves["a"].thresholds[4])
    found = ic.best_threshold(curves["a"], CONDITION, method="fixed", threshold=cut)
    assert (found._fpr_low, found.tpr_high, found.normalised_cost_low) == (None, None, None)
    assert (found.fpr, found.tpr) == (curves["a"].fpr[4], curves["a"].tpr[4])


def test_scores_of_buckets_must_be_probabilities_at_both_ends():
    """As those of cases must."""
    curve = ic.RocCurve.from_counts(ic.ScoreCounts([0.5, 0.0], [3, 1], [1, 3], upper=[1.5, 0.4]))
    with pytest.raises(InputError, match="score_driven"):
        ic.best_threshold(curve, CONDITION, method="score_driven")


@given(probabilities, conditions(), unit)
def test_what_leaving_a_rule_inside_a_bucket_saves_lies_between_what_is_said(pair, condition, cut):
    """Of the rule in use as it is on the cases, against the decision of the buckets."""
    exact, wide = pair
    decision = wide.decide(condition, current=("m0", cut))
    now = decision.current
    point = exact["m0"]._points_at(cut)
    cost = condition.expected_cost(float(exact["m0"].fpr[point]), float(exact["m0"].tpr[point]))
    slack = 1e-9 * (condition.worst_cost - condition.best_cost)
    low, saved = (now.expected_cost, now.saving) if now.saving_low is None else (now.expected_cost_low, now.saving_low)
    assert low - slack <= cost <= now.expected_cost + slack
    assert saved - slack <= cost - decision.expected_cost <= now.saving + slack


def test_a_rule_in_use_inside_a_bucket_is_said_with_both_ends():
    """What it costs and what changing saves."""
    curves = three_models()
    decision = ic.Comparison([curves["a"], curves["far"]]).decide(CONDITION, current=("a", 0.03))
    now = decision.current
    low, high = (f"{1000 * cost:.0f}" for cost in (now.expected_cost_low, now.expected_cost))
    assert f"costs {low} to {high} per 1000 cases; changing saves " in str(decision)
    assert str(decision).endswith("(scores were grouped).")

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import ConditionError
from strategies import model_sets

QUANTITIES = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")


@st.composite
def ranges(draw):
    """Typed quantities, each a number or a range; errors cost more than correct answers throughout."""
    found = {}
    for name, low, high in (
        ("cost_fp", 0.5, 3),
        ("cost_fn", 0.5, 30),
        ("prevalence", 0.05, 0.9),
        ("cost_tp", -2, 0.2),
        ("cost_tn", -1, 0.2),
    ):
        a, b = sorted(draw(st.tuples(st.floats(low, high), st.floats(low, high))))
        found[name] = (a, b) if draw(st.booleans()) else a
    return found


def drawn(quantities, size=200):
    """Conditions on a fine grid of the ranges' quantiles: every combination of midpoints, for at most two uncertain quantities."""
    u = (np.arange(size) + 0.5) / size
    axes = [v[0] + u * (v[1] - v[0]) if isinstance(v, tuple) else np.array([v]) for v in quantities.values()]
    return dict(zip(quantities, (grid.ravel() for grid in np.meshgrid(*axes)), strict=True))


def costs_of(point, values):
    """What a rule costs per case at each drawn condition, in full: four outcomes with their costs."""
    fpr, tpr = point
    p = values["prevalence"]
    negatives = fpr * values["cost_fp"] + (1 - fpr) * values["cost_tn"]
    positives = (1 - tpr) * values["cost_fn"] + tpr * values["cost_tp"]
    return (1 - p) * negatives + p * positives


def every_rule(comparison):
    """Every model at every threshold."""
    return [(float(x), float(y)) for curve in comparison.curves for x, y in zip(curve.fpr, curve.tpr, strict=True)]


def at_most_two(quantities):
    """The first two uncertain quantities stay so; the others are taken in their middle, to keep the slow way quick."""
    kept, found = 0, {}
    for name, value in quantities.items():
        kept += isinstance(value, tuple)
        found[name] = sum(value) / 2 if isinstance(value, tuple) and kept > 2 else value
    return found


@given(model_sets(max_models=3, max_size=12), ranges().map(at_most_two))
def test_ranges_are_priced_regretted_and_informed_as_by_drawing_every_condition(data, quantities):
    """Mean cost, mean regret and its worst over a fine grid of conditions, every model and threshold tried at each."""
    comparison = ic.Comparison.from_scores(*data)
    over = ic.Conditions.from_costs(**quantities)
    decision = comparison.decide(over)
    values = drawn(quantities)
    table = np.array([costs_of(point, values) for point in every_rule(comparison)])
    own = costs_of((decision.fpr, decision.tpr), values)
    scale = max(1.0, over.means.worst_cost)
    assert decision.expected_cost == pytest.approx(own.mean(), abs=1e-9 * scale)
    assert decision.expected_cost <= table.mean(axis=1).min() + 1e-9 * scale
    unsure = any(isinstance(v, tuple) and v[0] < v[1] for v in quantities.values())
    assert (decision.uncertain is not None) == unsure
    assume(unsure)
    regret = own - table.min(axis=0)
    assert decision.uncertain.mean_regret == pytest.approx(regret.mean(), abs=2e-4 * scale)
    assert decision.uncertain.information == pytest.approx(regret.mean(), abs=2e-4 * scale)
    assert decision.uncertain.worst_regret >= regret.max() - 1e-9 * scale
    assert decision.uncertain.worst_regret <= regret.max() + 0.02 * scale


@given(model_sets(max_models=3, max_size=10), ranges())
def test_the_worst_regret_is_at_a_corner_and_the_safest_rule_has_the_smallest(data, quantities):
    """Each cost is linear in each quantity, so corners suffice; no rule of any model has a smaller largest regret."""
    comparison = ic.Comparison.from_scores(*data)
    found = comparison.decide(ic.Conditions.from_costs(**quantities)).uncertain
    assume(found is not None)
    ends = [v if isinstance(v, tuple) else (v, v) for v in quantities.values()]
    corners = [dict(zip(quantities, c, strict=True)) for c in np.array(np.meshgrid(*ends)).reshape(5, -1).T.tolist()]
    values = {name: np.array([c[name] for c in corners]) for name in quantities}
    table = np.array([costs_of(point, values) for point in every_rule(comparison)])
    regrets = (table - table.min(axis=0)).max(axis=1)
    scale = max(1.0, abs(table).max())
    assert found.safest_regret == pytest.approx(regrets.min(), abs=1e-9 * scale)
    assert found.worst_regret >= found.safest_regret - 1e-12 * scale
    worst = {name: np.array([getattr(found.worst_at, name)]) for name in QUANTITIES}
    decision = comparison.decide(ic.Conditions.from_costs(**quantities))
    at = costs_of((decision.fpr, decision.tpr), worst)[0] - min(costs_of(p, worst)[0] for p in every_rule(comparison))
    assert found.worst_regret == pytest.approx(at, abs=1e-9 * scale)


@pytest.mark.parametrize(
    "quantities",
    [
        {"cost_fn": stats.lognorm(s=1, scale=5), "prevalence": 0.3},
        {"cost_fn": stats.gamma(2, scale=3), "prevalence": stats.beta(3, 7)},
        {"cost_fp": stats.uniform(0.5, 1), "cost_fn": stats.lognorm(s=0.7, scale=5), "prevalence": stats.beta(3, 7)},
        {"cost_fn": stats.poisson(4, loc=1), "prevalence": 0.3},
    ],
    ids=["one", "two", "three", "whole numbers"],
)
def test_beliefs_are_as_their_draws_say(quantities):
    """Mean cost and mean regret agree with many draws, up to their own error."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    decision = comparison.decide(ic.Conditions.from_beliefs(**quantities))
    rng = np.random.default_rng(1)
    size = 200_000
    values = {"cost_fp": 1.0, "cost_tp": 0.0, "cost_tn": 0.0} | {
        name: belief.rvs(size=size, random_state=rng) if hasattr(belief, "rvs") else belief
        for name, belief in quantities.items()
    }
    values = {name: np.broadcast_to(v, size) for name, v in values.items()}
    own = costs_of((decision.fpr, decision.tpr), values)
    joint = comparison.hybrid().curve
    best = np.min([costs_of((x, y), values) for x, y in zip(joint.fpr, joint.tpr, strict=True)], axis=0)
    error = 5 / math.sqrt(size)
    assert decision.expected_cost == pytest.approx(own.mean(), abs=error * own.std())
    assert decision.uncertain.mean_regret == pytest.approx((own - best).mean(), abs=error * (own - best).std() + 1e-4)


def test_a_wide_range_is_decided_in_money():
    """Each cost equally likely: naive Bayes at 0.0078 costs 0.637 a case; the rule best in mean normalised cost would cost 1.30."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    over = ic.Conditions.from_costs(cost_fn=(2, 50), prevalence=0.3)
    decision = comparison.decide(over)
    assert (decision.model, round(decision.threshold, 4), round(decision.expected_cost, 3)) == (
        "naive_bayes",
        0.0078,
        0.637,
    )
    over_t = comparison.decide(ic.Conditions.uniform(t=(over.low, over.high)))
    assert (over_t.model, round(over_t.threshold, 4)) == ("random_forest", 0.2486)
    assert over.means.expected_cost(over_t.fpr, over_t.tpr) == pytest.approx(1.30, abs=0.005)


def test_correct_answers_that_cost_something_are_part_of_the_price():
    """Ranges and beliefs take cost_tp and cost_tn; with no width they are a condition's."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    known = ic.Condition(1, 5, 0.3, cost_tp=0.5, cost_tn=-0.2)
    same = ic.Conditions.from_costs(1, 5, 0.3, cost_tp=0.5, cost_tn=-0.2)
    assert comparison.decide(same).expected_cost == pytest.approx(comparison.decide(known).expected_cost)
    assert same.low == pytest.approx(known.t)
    wide = ic.Conditions.from_beliefs(cost_fn=(4, 6), prevalence=0.3, cost_tp=(0.0, 1.0), cost_tn=-0.2)
    assert wide.means == known
    one = ic.Conditions.from_beliefs(cost_fn=(4, 6), prevalence=0.3, cost_tp=0.5, cost_tn=-0.2)
    draws = (np.arange(1000) + 0.5) / 1000 * 2 + 4
    t = [ic.Condition(1, c, 0.3, cost_tp=0.5, cost_tn=-0.2).t for c in draws]
    assert one.mean == pytest.approx(np.mean(t), abs=1e-6)
    with pytest.raises(ConditionError, match="cost_fn must exceed cost_tp"):
        ic.Conditions.from_beliefs(cost_fn=(1, 3), cost_tp=(0.5, 2))


def test_a_belief_without_a_mean_has_no_expected_cost():
    """It is refused with what to do, where money is asked for."""
    over = ic.Conditions.from_beliefs(cost_fn=stats.pareto(0.9), prevalence=0.3)
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    with pytest.raises(ConditionError, match="cost_fn has no finite mean, so no cost is expected: truncate it"):
        comparison.decide(over)


def test_a_limit_under_an_uncertain_prevalence_says_how_far_it_is_kept():
    """It is kept at the mean prevalence, and broken just beyond the one stated."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    over = ic.Conditions.from_costs(cost_fn=5, prevalence=(0.2, 0.4))
    decision = comparison.decide(over, max_flagged=0.35, min_precision=0.5)
    low, high = decision.uncertain.limits_kept
    for prevalence in (low, high):
        flagged = prevalence * decision.tpr + (1 - prevalence) * decision.fpr
        kept = (flagged <= 0.35 + 1e-12, prevalence * decision.tpr >= 0.5 * flagged - 1e-12)
        assert kept == (True, True)
    beyond = high + 1e-6
    assert beyond * decision.tpr + (1 - beyond) * decision.fpr > 0.35
    below = low - 1e-6
    assert below * decision.tpr < 0.5 * (below * decision.tpr + (1 - below) * decision.fpr)
    assert f"The limits are kept while the prevalence is {100 * low:.3g} % to {100 * high:.3g} %." in str(decision)


@given(model_sets(max_models=2, max_size=10), ranges().map(at_most_two), st.floats(0.2, 1), st.floats(0, 0.6))
def test_under_limits_regret_is_against_the_rules_that_keep_them(data, quantities, max_flagged, min_tpr):
    """Mean and worst over a fine grid of conditions; limits are kept at the mean prevalence."""
    comparison = ic.Comparison.from_scores(*data)
    over = ic.Conditions.from_costs(**quantities)
    p = over.means.prevalence
    kept = [
        (x, y) for x, y in every_rule(comparison) if p * y + (1 - p) * x <= max_flagged + 1e-12 and y >= min_tpr - 1e-12
    ]
    assume(kept)
    decision = comparison.decide(over, max_flagged=max_flagged, min_tpr=min_tpr)
    assume(decision.uncertain is not None)
    values = drawn(quantities)
    table = np.array([costs_of(point, values) for point in kept])
    regret = costs_of((decision.fpr, decision.tpr), values) - table.min(axis=0)
    scale = max(1.0, over.means.worst_cost)
    assert decision.uncertain.mean_regret == pytest.approx(regret.mean(), abs=2e-4 * scale)
    assert regret.max() - 1e-9 * scale <= decision.uncertain.worst_regret <= regret.max() + 0.02 * scale


def test_five_uncertain_quantities_cost_on_average_what_many_conditions_do():
    """Errors' costs, correct answers' costs and the prevalence together, against the mean over a fine sample of each."""
    comparison = ic.Comparison.from_scores([1, 1, 0, 1, 0, 0, 1, 0], {"m": [8, 7, 6, 5, 4, 3, 2, 1]})
    ranges = {"cost_fp": (1, 2), "cost_fn": (3, 9), "prevalence": (0.2, 0.4), "cost_tp": (0.1, 1), "cost_tn": (0, 0.5)}
    found = comparison.decide(ic.Conditions.from_costs(**ranges)).uncertain
    middles = [low + (np.arange(10) + 0.5) / 10 * (high - low) for low, high in ranges.values()]
    fp, fn, p, tp, tn = (grid.ravel() for grid in np.meshgrid(*middles, indexing="ij"))
    alarms, misses = (fp - tn) * (1 - p), (fn - tp) * p
    curve = comparison["m"]
    costs = alarms[:, None] * curve.fpr + misses[:, None] * (1 - curve.tpr)
    assert found.rechosen[0].mean == pytest.approx(costs.min(axis=1).mean(), abs=1e-3)
    assert found.information == pytest.approx(costs.mean(axis=0).min() - costs.min(axis=1).mean(), abs=1e-3)

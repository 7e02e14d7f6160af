import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import ConditionError, InputError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "row_costs.json").read_text())
NAMES = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")


def golden_costs():
    """The costs that empulse was given."""
    return ic.RowCosts.from_columns(GOLDEN["y"], **{name: GOLDEN[name] for name in NAMES})


def by_hand(costs, flagged, multiplier=1.0):
    """Case by case: the cost of what happened, misses' excess counted `multiplier` times."""
    total = 0.0
    for i, positive in enumerate(costs.positive):
        if positive:
            total += costs.cost_tp[i]
            total += 0 if flagged[i] else multiplier * (costs.cost_fn[i] - costs.cost_tp[i])
        else:
            total += costs.cost_fp[i] if flagged[i] else costs.cost_tn[i]
    return total


@st.composite
def rows(draw):
    """Cases with costs and tied scores."""
    size = draw(st.integers(4, 14))
    y = np.array([1, 0, *draw(st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2))])
    amount = st.floats(0, 100).map(lambda v: round(v, 2))
    columns = [np.array(draw(st.lists(amount, min_size=size, max_size=size))) for _ in range(4)]
    right = {"cost_tp": columns[0] - 50, "cost_tn": columns[1] - 50}
    wrong = {"cost_fp": right["cost_tn"] + columns[2], "cost_fn": right["cost_tp"] + columns[3]}
    wrong["cost_fn"][0] += 1  # no class without anything at stake
    wrong["cost_fp"][1] += 1
    scores = np.array(draw(st.lists(st.integers(0, 6), min_size=size, max_size=size))) / 6
    return ic.RowCosts.from_columns(y, **right, **wrong), scores


@given(rows(), st.floats(0.01, 100))
def test_no_threshold_costs_less_than_the_one_chosen(case, multiplier):
    """By trying all, and adding up the cost of each case."""
    costs, scores = case
    choice = costs.best_threshold(scores, multiplier=multiplier)
    every = [by_hand(costs, scores >= cut, multiplier) for cut in [*scores, np.inf]]
    assert choice.total == pytest.approx(min(every), abs=1e-9 * multiplier)
    assert choice.total == pytest.approx(by_hand(costs, scores >= choice.threshold, multiplier), abs=1e-9 * multiplier)
    assert choice.per_case == choice.total / len(costs)
    assert choice.multiplier_low * (1 - 1e-9) <= multiplier <= choice.multiplier_high * (1 + 1e-9)


@given(rows())
def test_envelope_covers_every_multiplier_once(case):
    """Ranges meet, and inside each the threshold is the cheapest one."""
    costs, scores = case
    found = costs.envelope(scores)
    assert (found[0].multiplier_low, found[-1].multiplier_high) == (0.0, math.inf)
    for a, b in pairwise(found):
        assert a.multiplier_high == b.multiplier_low
        assert a.threshold > b.threshold
    for choice in found:
        low, high = choice.multiplier_low, choice.multiplier_high
        assert low <= choice.multiplier <= high
        best = costs.best_threshold(scores, multiplier=max(choice.multiplier, 1e-9)).total
        assert costs.cost(scores >= choice.threshold, multiplier=max(choice.multiplier, 1e-9)) == pytest.approx(
            best, abs=1e-6
        )


@given(rows(), st.floats(0.01, 100))
def test_the_curve_of_amounts_carries_the_costs(case, multiplier):
    """Unavoidable cost plus amounts at stake times the condition's cost: all of isocost works with the weights."""
    costs, scores = case
    curve, condition = costs.curve(scores), costs.condition(multiplier)
    choice = ic.best_threshold(curve, condition)
    total = costs.unavoidable + costs.weights.sum() * choice.expected_cost
    assert costs.best_threshold(scores, multiplier=multiplier).total == pytest.approx(total, abs=1e-9 * multiplier)
    over = costs.conditions((multiplier, 2 * multiplier))
    assert over.high == pytest.approx(condition.t)


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: str(case["threshold"]))
def test_costs_and_savings_are_those_of_empulse(case):
    """Another library's sums, made by tests/golden/make_row_costs.py."""
    flagged = np.array(GOLDEN["score"]) >= case["threshold"]
    assert golden_costs().cost(flagged) == pytest.approx(case["cost"])
    assert golden_costs().savings(flagged) == pytest.approx(case["savings"])


def test_equal_amounts_are_the_ordinary_case():
    """With one cost for all cases the choice is `best_threshold` at the data's prevalence."""
    y, s = np.array(GOLDEN["y"]), np.array(GOLDEN["score"])
    costs = ic.RowCosts.from_columns(y, cost_fp=1, cost_fn=5)
    plain = ic.best_threshold(ic.RocCurve.from_scores(y, s), ic.Condition(1, 5, y.mean()))
    choice = costs.best_threshold(s)
    assert choice.threshold == plain.threshold
    assert choice.per_case == pytest.approx(plain.expected_cost)
    assert choice.flagged == np.mean(s >= plain.threshold)


def test_expected_gain_is_positive_where_flagging_pays():
    """With true probabilities, deciding by the gain never costs more in expectation than any single threshold."""
    rng = np.random.default_rng(0)
    p = rng.random(4000)
    y = (rng.random(4000) < p).astype(int)
    amount = rng.lognormal(3, 1, 4000)
    costs = ic.RowCosts.from_columns(y, cost_fp=10, cost_fn=amount)
    gain = costs.gain(p)
    assert np.array_equal(gain >= 0, p >= 10 / (10 + amount))
    assert costs.cost(gain >= 0) < costs.best_threshold(p).total


def test_weights_go_through_comparison_and_bootstrap():
    """Winners are those of amounts, not of cases."""
    y = np.array([1, 1, 0, 0, 1, 0, 0, 0])
    amount = np.array([1000, 1, 1, 1, 1, 1, 1, 1.0])
    big, small = np.array([9, 1, 5, 2, 3, 4, 2, 1]), np.array([1, 9, 5, 2, 8, 4, 2, 1])
    costs = ic.RowCosts.from_columns(y, cost_fp=50, cost_fn=amount)
    found = ic.Comparison.from_scores(
        y, {"big": big, "small": small}, sample_weight=costs.weights, condition=costs.condition()
    )
    assert found.decide().model == "big"
    assert ic.Comparison.from_scores(y, {"big": big, "small": small}).decide().model == "small"


def test_resampling_draws_cases_and_keeps_their_amounts():
    """An interval of the cost as a share of what is at stake surrounds that share."""
    rng = np.random.default_rng(3)
    y = (rng.random(400) < 0.3).astype(int)
    score = rng.normal(size=400) + y
    costs = ic.RowCosts.from_columns(y, cost_fp=10, cost_fn=rng.gamma(2, 10, 400))
    found = ic.Comparison.from_scores(y, {"model": score}, sample_weight=costs.weights)
    interval = found.bootstrap(n_resamples=200).interval("model", "mean_normalised_cost", condition=costs.condition())
    share = (costs.best_threshold(score).total - costs.unavoidable) / costs.weights.sum()
    assert ic.measures.mean_normalised_cost(found["model"], condition=costs.condition()) == pytest.approx(share)
    assert interval.low < share < interval.high


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"cost_fp": 1, "cost_fn": [1, 2]}, r"y_true has shape \(4,\), cost_fn has shape \(2,\)"),
        ({"cost_fp": [1, 1, 1, np.nan], "cost_fn": 1}, "cost_fp must be finite, got nan"),
        ({"cost_fp": 1, "cost_fn": [5, 0, -2, 0]}, r"not negative, and is not in 1 of 4 rows, the first is row 3 .* with -2.0"),
        ({"cost_fp": 1, "cost_fn": 3, "cost_tn": 2}, r"what being wrong costs more .* is not in 2 of 4 rows.* with -1.0"),
        ({"cost_fp": 1, "cost_fn": [0, 9, 0, 9]}, "more than being right of the positive class sums to 0"),
    ],
)  # fmt: skip
def test_costs_that_make_no_sense_are_named(columns, text):
    """Costs of the other class do not matter: only row 3 of the third case is wrong."""
    with pytest.raises(InputError, match=text):
        ic.RowCosts.from_columns([1, 0, 1, 0], **columns)


def test_decisions_and_multipliers_are_checked():
    """Scores are no decisions, and a multiplier is positive."""
    costs = golden_costs()
    with pytest.raises(InputError, match=r"y_pred must hold labels of y_true, got .* for scores use"):
        costs.cost(GOLDEN["score"])
    with pytest.raises(ConditionError, match="multiplier must be positive and finite, got 0"):
        costs.best_threshold(GOLDEN["score"], multiplier=0)
    with pytest.raises(InputError, match="different lengths"):
        costs.best_threshold([1.0, 2.0])
    with pytest.raises(InputError, match="gain needs probabilities"):
        costs.gain(np.array(GOLDEN["score"]) * 5)
    with pytest.raises(InputError, match="cheaper trivial classifier, which costs -"):
        ic.RowCosts.from_columns([1, 0], cost_fp=1, cost_fn=1, cost_tp=-9).savings([True, False])


@given(rows(), st.floats(0.01, 100))
def test_the_cheapest_model_is_that_of_the_cheapest_rule(case, multiplier):
    """The first of equals; none if flagging everybody or nobody costs no more than any."""
    costs, scores = case
    models = {"turned": 1 - scores, "plain": scores}
    found = costs.decide(models, multiplier=multiplier)
    alone = {name: costs.best_threshold(values, multiplier=multiplier) for name, values in models.items()}
    assert found.choices == alone
    assert found.choice.total == min(choice.total for choice in alone.values())
    assert found.choice.total <= (1 + 1e-12) * len(costs) * min(found.flag_nobody, found.flag_everybody) + 1e-9
    assert found.model is None or alone[found.model].total == found.choice.total


def test_models_that_cost_the_same_are_named():
    """And a decision for no model names none."""
    costs = ic.RowCosts.from_columns([1, 0, 1, 0], cost_fp=10, cost_fn=[200, 0, 15, 0])
    scores = [0.9, 0.7, 0.5, 0.1]
    assert "It costs the same as b." in str(costs.decide({"a": scores, "b": scores}))
    assert str(costs.decide({"a": [0.5] * 4, "b": [0.5] * 4})).startswith(
        "Use no model: flag everybody. It costs 5000 per"
    )


def test_a_decision_needs_models():
    """Named ones."""
    costs = ic.RowCosts.from_columns([1, 0, 1, 0], cost_fp=10, cost_fn=[200, 0, 15, 0])
    with pytest.raises(InputError, match="at least one model"):
        costs.decide({})
    with pytest.raises(InputError, match="dict of name to scores"):
        costs.decide([0.1, 0.2, 0.3, 0.4])


def test_of_rules_that_cost_the_same_the_one_that_flags_fewer_is_taken_and_the_other_named():
    """Cases that cost nothing either way are not flagged, though flagging everybody costs no more."""
    costs = ic.RowCosts.from_columns([1, 0, 0, 0], cost_fp=[1, 1, 0, 0], cost_fn=10)
    found = costs.best_threshold([0.5, 0.9, 0.3, 0.1])
    assert (found.rule, found.flagged, found.total) == ("flag cases with score ≥ 0.5", 0.5, 1.0)
    assert "It costs the same as flagging everybody." in str(costs.decide({"m": [0.5, 0.9, 0.3, 0.1]}))
    twins = costs.decide({"b": [0.5, 0.9, 0.3, 0.1], "a": [0.5, 0.9, 0.3, 0.1]})
    assert "It costs the same as a and flagging everybody." in str(twins)

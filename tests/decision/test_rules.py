import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from strategies import conditions, model_sets


def flagged_by(rule, scores):
    """What a rule in words flags, as a person reading it would."""
    if rule in ("flag nobody", "flag everybody"):
        return np.full(len(scores), rule == "flag everybody")
    [cut] = re.fullmatch(r"flag cases with score ≥ (\S+)", rule).groups()
    return np.asarray(scores) >= float(cut.replace("∞", "inf"))


@given(model_sets(max_models=3), conditions())
def test_every_printed_rule_flags_exactly_the_cases_claimed(data, condition):
    """The decision's and every alternative's, applied to the scores as they are printed."""
    y, scores = data
    y = np.asarray(y)
    comparison = ic.Comparison.from_scores(y, scores)
    decision = comparison.decide(condition)
    for row in (decision, *decision.alternatives):
        flagged = flagged_by(row.rule, scores.get(row.model, y))
        assert (flagged[y == 0].mean(), flagged[y == 1].mean()) == pytest.approx((row.fpr, row.tpr), abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from([20, 300, 70_000]), st.integers(1, 9), st.booleans())
def test_rules_are_short_and_right_however_the_rows_are_kept(seed, size, decimals, rare):
    """Rows sorted with labels, apart by class, or counted by score, and laid out or not."""
    rng = np.random.default_rng(seed)
    y = rng.random(size) < (0.01 if rare else 0.4)
    y[:2] = True, False
    s = np.round(rng.normal(y * 1.0, 1.0), decimals)
    curve = ic.RocCurve.from_scores(y, s)
    choice = ic.best_threshold(curve, ic.Condition(1, 3, 0.3))
    flagged = flagged_by(choice.rule, s)
    assert (flagged[~y].mean(), flagged[y].mean()) == pytest.approx((choice.fpr, choice.tpr), abs=1e-12)
    assert curve.thresholds.size > 1  # now the points are laid out
    assert ic.best_threshold(curve, ic.Condition(1, 3, 0.3)).rule == choice.rule


def test_points_without_thresholds_are_named():
    """By their place among the model's points; a single one is the model as it is."""
    tree = ic.RocCurve.from_points([0.05, 0.1, 0.4], [0.3, 0.5, 0.9], name="tree")
    decision = ic.Comparison([tree]).decide(ic.Condition(1, 1, 0.4))
    assert decision.rule == "use the second of its 3 points (10 % false alarms, 50 % caught)"
    assert "nan" not in str(decision).lower()
    assert decision.to_dict()["threshold"] is None
    crisp = ic.Comparison([ic.RocCurve.from_confusion(16, 4, 4, 6, name="crisp")]).decide(ic.Condition(prevalence=0.5))
    assert str(crisp).startswith("Deploy crisp: use it as it is.")


def test_infinite_scores_can_be_flagged_or_not():
    """Flagging nobody is a rule of its own: a threshold of +inf flags the cases whose score is infinite."""
    y, s = [1, 1, 0, 0, 0], [np.inf, np.inf, np.inf, 0.5, 0.1]
    comparison = ic.Comparison.from_scores(y, {"m": s})
    some = comparison.decide(ic.Condition(1, 5, 0.5))
    assert (some.rule, some.threshold, some.tpr) == ("flag cases with score ≥ ∞", np.inf, 1.0)
    nobody = comparison.decide(ic.Condition(100, 1, 0.5))
    assert (nobody.rule, nobody.model) == ("flag nobody", "always-negative")


def test_a_constant_model_is_listed_and_identical_ones_are_called_so():
    """Every model stands among the alternatives; twins are not called undecided."""
    y, scores = load_german_credit_predictions()
    forest = scores["random_forest"]
    models = {"forest": forest, "twin": forest.copy(), "constant": np.full(len(y), 0.3)}
    comparison = ic.Comparison.from_scores(y, models)
    decision = comparison.decide(ic.Condition(1, 5, 0.3), n_resamples=100)
    rows = {a.model: a for a in decision.alternatives}
    assert rows.keys() == {"twin", "constant", "always-negative", "always-positive"}
    assert rows["constant"].rule in ("flag nobody", "flag everybody")
    assert (decision.tied, rows["twin"].identical) == (("twin",), True)
    assert "(twin is identical on these cases)" in str(decision)
    assert decision.surety.share == pytest.approx(1.0)
    assert decision.surety.grade == "clear"


def test_a_decision_has_few_names():
    """At most thirty-two, what it inherits included."""
    decision = ic.Comparison.from_scores([1, 0, 1, 0], {"m": [0.9, 0.8, 0.7, 0.1]}).decide()
    assert len([name for name in dir(decision) if not name.startswith("_")]) <= 32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.datasets import load_german_credit_predictions
from isocost.errors import InputError, UnknownNameError

Y = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
A = [0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
B = [0.7, 0.2, 0.9, 0.3, 0.4, 0.6, 0.8, 0.1, 0.35, 0.25]
RULES = ("score_driven", "rate_driven", "score_uniform", "rate_uniform")


@pytest.fixture
def comparison():
    """Two models of ten cases."""
    return ic.Comparison.from_scores(Y, {"a": A, "b": B})


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (
            {"methods": ["score_driven"]},
            [
                ("always-positive", None, 1 / 7), ("a", "score_driven", 1 / 3), ("b", "score_driven", 9 / 23),
                ("a", "score_driven", 1 / 2), ("b", "score_driven", 6 / 7), ("a", "score_driven", 27 / 29),
                ("always-negative", None, 1.0),
            ],
        ),
        (
            {"methods": ["score_driven", "rate_driven"]},
            [
                ("a", "rate_driven", 1 / 3), ("b", "score_driven", 9 / 23), ("a", "score_driven", 1 / 2),
                ("b", "score_driven", 7 / 9), ("b", "rate_driven", 27 / 29), ("a", "rate_driven", 1.0),
            ],
        ),
    ],
)  # fmt: skip
def test_winners_under_rules_are_those_of_exact_arithmetic(asked, expected, comparison):
    """Who, with which rule, up to which t."""
    found = comparison.winners(**asked)
    assert [(win.name, win.rule) for win in found] == [(name, rule) for name, rule, _ in expected]
    assert [win.t_high for win in found] == pytest.approx([high for *_, high in expected], abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 0.1, 0.6]))
def test_no_model_and_rule_is_cheaper_than_the_winner(seed, prevalence):
    """At drawn conditions, by plain evaluation of every curve; the ranges partition the conditions."""
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 8), [0, 1])
    comparison = ic.Comparison.from_scores(y, {name: rng.integers(0, 6, 10) / 5 for name in "ab"})
    found = comparison.winners(methods=RULES, prevalence=prevalence)
    pi = y.mean() if prevalence is None else prevalence
    assert [win.t_low for win in found] == [0.0, *(win.t_high for win in found[:-1])]
    for x in rng.random(20):
        t = (1 - x) * (1 - pi) / ((1 - x) * (1 - pi) + x * pi)
        costs = {("always-positive", None): 2 * (1 - x) * (1 - pi), ("always-negative", None): 2 * x * pi}
        for curve in comparison.curves:
            for rule in RULES:
                line = ic.cost_curve(curve, method=rule, axis="cost_proportion", prevalence=pi)
                costs[curve.name, rule] = float(line(x))
        win = next(win for win in found if win.t_low <= t <= win.t_high)
        if min(abs(t - win.t_low), abs(t - win.t_high)) > 1e-9:
            assert costs[win.name, win.rule] <= min(costs.values()) + 1e-12


def test_best_thresholds_win_as_they_do_without_a_rule():
    """The same ranges, whichever way they are found."""
    comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    plain, ruled = comparison.winners(), comparison.winners(methods=["best"])
    assert [win.name for win in ruled] == [win.name for win in plain]
    assert [win.t_high for win in ruled] == pytest.approx([win.t_high for win in plain], abs=1e-12)
    assert {win.rule for win in ruled if not win.trivial} == {"best"}
    assert {win.rule for win in plain} == {None}


def test_a_range_of_conditions_is_kept(comparison):
    """The winners begin and end where it does; one condition has one winner."""
    found = comparison.winners(ic.Conditions.uniform(t=(0.3, 0.6)), methods=["score_driven"])
    assert (found[0].t_low, found[-1].t_high) == (0.3, 0.6)
    [only] = comparison.winners(ic.Condition.from_t(0.2), methods=["score_driven"], prevalence=0.4)
    assert only.name == "a"
    assert "score_driven" in str(only)


def test_differences_under_a_rule_are_those_of_its_curves(comparison):
    """Over cost proportions, with the names of both."""
    gap = comparison.difference("a", "b", method="rate_driven")
    x = np.linspace(0, 1, 101)
    a, b = (ic.cost_curve(c, method="rate_driven", axis="cost_proportion")(x) for c in comparison.curves)
    assert gap(x) == pytest.approx(a - b, abs=1e-12)
    assert (gap.axis, gap.name) == ("cost_proportion", "a − b")


@pytest.mark.parametrize(
    "asked", [{"methods": []}, {"methods": ["tuned"]}, {"methods": ["rate_driven"], "prevalence": 0.0}]
)
def test_what_is_no_rule_is_refused(asked, comparison):
    """None, unknown ones, a prevalence without two classes."""
    with pytest.raises((InputError, UnknownNameError)):
        comparison.winners(**asked)


@pytest.mark.parametrize("over", [None, ic.Condition(cost_fn=5, prevalence=0.3), ic.Conditions.beta(2, 3)])
def test_a_table_of_rules_holds_the_mean_cost_of_each_model_under_each(comparison, over):
    """That of its own cost curve; the lowest has rank 1."""
    rules = ["best", "rate_driven", "score_driven"]
    table = comparison.table(over, methods=rules)
    pi = 0.3 if isinstance(over, ic.Condition) else comparison["a"].prevalence
    for name in "ab":
        alone = {
            rule: ic.cost_curve(comparison[name], method=rule, axis="cost_proportion", prevalence=pi) for rule in rules
        }
        assert table[name].values == pytest.approx({rule: alone[rule].mean_normalised_cost(over) for rule in rules})
    for rule in rules:
        least = min("ab", key=lambda name: table[name][rule])
        assert least in table.best(rule)
    assert "rate_driven ↓" in repr(table)
    assert comparison.table(over, methods=["rate_driven"]).measures == ("rate_driven",)


def test_a_table_leaves_out_rules_that_a_model_cannot_have():
    """And says why."""
    comparison = ic.Comparison.from_scores(Y, {"a": A, "b": [10 * s for s in B]})
    table = comparison.table(methods=["score_driven", "rate_driven"])
    assert table["b"]["score_driven"] is None
    assert table.missing["score_driven"].startswith("b: ")
    assert table["a"].ranks["score_driven"] == 1


def test_a_table_of_rules_takes_no_measures(comparison):
    """Nor options of measures."""
    for options in ({"measures": ["auc"]}, {"max_flagged": 0.1}):
        with pytest.raises(InputError, match="compared by their cost"):
            comparison.table(methods=["best"], **options)
    with pytest.raises(UnknownNameError):
        comparison.table(methods=["tuned"])


def test_two_models_may_choose_in_different_ways(comparison):
    """The difference is that of the two cost curves, also of one model with itself."""
    found = comparison.difference("a", "b", method=("best", "score_driven"), prevalence=0.3)
    x = np.array([0.13, 0.42, 0.77])
    one = ic.cost_curve(comparison["a"], axis="cost_proportion", prevalence=0.3)
    two = ic.cost_curve(comparison["b"], method="score_driven", axis="cost_proportion", prevalence=0.3)
    assert found(x) == pytest.approx(one(x) - two(x), abs=1e-12)
    assert found.name == "a (best) − b (score_driven)"
    assert comparison.difference("a", "a", method=("rate_driven", "rate_uniform")).area() == pytest.approx(-1 / 6)
    with pytest.raises(UnknownNameError):
        comparison.difference("a", "b", method=("best", "tuned"))

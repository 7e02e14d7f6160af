"""Other ways of choosing thresholds, of scores counted in buckets: costs, winners, differences and tables hold the truth."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.cost_space.choice_methods import mean_cost
from isocost.errors import InexactError
from strategies import bucketed_models, conditions, in_buckets, unit

X = np.linspace(0.005, 0.995, 67)
RULES = ("best", "score_driven", "rate_driven", "score_uniform", "rate_uniform")
probabilities = bucketed_models(kinds=("tied", "probabilities"))
ways = st.sampled_from(RULES)


@given(probabilities, ways, unit, st.sampled_from(["pcf", "cost_proportion"]))
def test_the_cost_of_the_cases_lies_between_the_bounds(pair, method, cut, axis):
    """At every condition, whatever the buckets hold; the same curve twice where they do not matter."""
    exact, wide = pair
    for name in exact.names:
        for options in ({"method": method}, {"method": "fixed", "threshold": cut}):
            truth = ic.cost_curve(exact[name], axis=axis, **options)(X)
            low, high = ic.cost_curve_bounds(wide[name], axis=axis, **options)
            assert np.all(low(X) <= truth + 1e-12)
            assert np.all(truth <= high(X) + 1e-12)
            if low is high:
                assert low(X) == pytest.approx(truth, abs=1e-12)
                assert ic.cost_curve(wide[name], axis=axis, **options)(X) == pytest.approx(truth, abs=1e-12)
                continue
            with pytest.raises(InexactError, match=rf"cost_curve_bounds\(curve, method='{options['method']}'"):
                ic.cost_curve(wide[name], axis=axis, **options)


@given(probabilities, st.lists(ways, min_size=1, max_size=3, unique=True))
def test_settled_winners_under_rules_are_those_of_the_cases(pair, methods):
    """And where a winner is open, the cheapest model and rule is among those named."""
    exact, wide = pair
    pi = exact.curves[0].prevalence
    winners = wide.winners(methods=methods)
    assert (winners[0].t_low, winners[-1].t_high) == (0, 1)
    assert all(a.t_high == b.t_low for a, b in pairwise(winners))
    cost = {
        (name, rule): ic.cost_curve(exact[name], method=rule, axis="cost_proportion", prevalence=pi)
        for name in exact.names
        for rule in methods
    }
    trivial = {"always-positive": lambda x: 2 * (1 - x) * (1 - pi), "always-negative": lambda x: 2 * x * pi}
    for win in winners:
        # Inside each range, away from its ends, where rules may jump.
        t = win.t_low + np.array([0.31, 0.5, 0.83]) * (win.t_high - win.t_low)
        x = pi_to_share(t, pi)
        named = {(win.name, win.rule)}
        for other in win.open_to:
            name, _, rule = other.partition(" (")
            named.add((name, rule.rstrip(")") or methods[0]))
        every = {key: curve(x) for key, curve in cost.items()} | {(k, None): f(x) for k, f in trivial.items()}
        assert np.all(np.min([every[key] for key in named], axis=0) <= np.min(list(every.values()), axis=0) + 1e-9)


def pi_to_share(t, pi):
    """The cost proportion at which false alarms carry the share t of the cost."""
    return (1 - t) * (1 - pi) / ((1 - t) * (1 - pi) + t * pi)


@given(probabilities, conditions(), st.sampled_from(["score_driven", "rate_driven", ("best", "rate_driven")]))
def test_differences_tables_and_methods_hold_the_truth(pair, condition, method):
    """Between their bounds; ranks say only what is certain."""
    exact, wide = pair
    truth = exact.difference("m0", "m1", method=method)(X)
    low, high = wide.difference_bounds("m0", "m1", method=method)
    assert np.all(low(X) <= truth + 1e-12)
    assert np.all(truth <= high(X) + 1e-12)
    if low is high:
        assert wide.difference("m0", "m1", method=method)(X) == pytest.approx(truth, abs=1e-12)
    else:
        call = re.escape(f"comparison.difference_bounds('m0', 'm1', method={method!r}) gives its limits")
        with pytest.raises(InexactError, match=call):
            wide.difference("m0", "m1", method=method)
    tables = [compared.table(condition, methods=RULES) for compared in (exact, wide)]
    for true, row in zip(*tables, strict=True):
        for rule in RULES:
            value = row[rule]
            ends = (value.low, value.high) if isinstance(value, ic.measures.Bounds) else (value, value)
            assert ends[0] - 1e-9 <= true[rule] <= ends[1] + 1e-9
            assert row.ranks[rule] <= true.ranks[rule]
    pi = condition.prevalence
    for name in exact.names:
        rows = ic.choice_methods(wide[name], condition, threshold=0.5)
        known = {row.method: row for row in ic.choice_methods(exact[name], condition, threshold=0.5).rows}
        for row in rows.rows:
            cost = known[row.method].cost
            assert (row.cost if row.cost_low is None else row.cost_low) - 1e-9 <= cost <= row.cost + 1e-9
            low, high = row.excess_bounds or (row.excess, row.excess)
            if row.method != "best":
                assert low - 1e-9 <= known[row.method].excess <= high + 1e-9
        best = ic.cost_curve(exact[name], axis="cost_proportion", prevalence=pi)
        assert mean_cost(best, condition) == pytest.approx(known["best"].cost, abs=1e-9)


def test_one_rule_names_models_and_several_name_rules():
    """Who else may be cheapest, as it can be read."""
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.4
    scores = {"a": np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1), "b": np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1)}
    pair = ic.Comparison([in_buckets(y, s, np.linspace(0, 1, 9), name)[1] for name, s in scores.items()])
    alone = {name for win in pair.winners(method="score_driven") for name in win.open_to}
    assert alone == {"a", "b"}
    several = {name for win in pair.winners(methods=["score_driven", "rate_driven"]) for name in win.open_to}
    assert several == {f"{name} ({rule})" for name in "ab" for rule in ("score_driven", "rate_driven")}
    assert "to" in str(pair.table(methods=["score_driven"]))
    assert " to " in repr(ic.choice_methods(pair["a"]))


def test_bounds_that_meet_up_to_rounding_share_a_rank():
    """Small costs that were added up in another order: nobody is certain to be better."""

    def curve(scores, positives, negatives, upper, name):
        return ic.RocCurve.from_counts(ic.ScoreCounts(scores, positives, negatives, upper=upper), name=name)

    wide = ic.Comparison([
        curve([0.0], [3], [4], [0.2], "m0"), curve([1.0, 0.0], [3, 0], [1, 3], [1.0, 0.5], "m1"),
    ])  # fmt: skip
    rows = wide.table(ic.Condition(0.01, 4.0, 0.5), methods=["rate_driven"])
    assert [row.ranks["rate_driven"] for row in rows] == [1, 1]

"""One table of what each way of choosing the threshold costs."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import isocost as ic
from isocost.curves.roc import points_at
from strategies import conditions, curves, inside_unit, uncertain_conditions

PROBABILITIES = ("tied", "probabilities")


@given(curves(kinds=PROBABILITIES), conditions())
def test_costs_at_a_condition_are_those_of_the_thresholds_themselves(curve, condition):
    """Optimal, rate-driven, score-driven and fixed: each rule applied, its rates priced by the condition."""
    table = ic.curves.choice_methods(curve, condition, threshold=0.4)
    best = ic.best_threshold(curve, condition)
    flagged = condition.prevalence * curve.tpr + (1 - condition.prevalence) * curve.fpr
    mixed = [np.interp(condition.cost_proportion, flagged, rates) for rates in (curve.fpr, curve.tpr)]
    assert table["best"].cost == pytest.approx(best.normalised_cost, abs=1e-12)
    assert table["best"].expected_cost == pytest.approx(best.expected_cost, rel=1e-12, abs=1e-12)
    assert table["rate_driven"].cost == pytest.approx(condition.normalised_cost(*mixed), abs=1e-12)
    at = int(points_at(curve, 0.4))
    assert table["fixed"].cost == pytest.approx(condition.normalised_cost(curve.fpr[at], curve.tpr[at]), abs=1e-12)
    assert table["trivial"].cost == pytest.approx(min(condition.t, condition.pcf), abs=1e-12)
    flag = condition.cost_proportion >= 1 - curve.thresholds[1:]
    fpr, tpr = (np.diff(counts)[flag].sum() / counts[-1] for counts in (curve.fp, curve.tp))
    assert table["score_driven"].cost == pytest.approx(condition.normalised_cost(fpr, tpr), abs=1e-12)


@given(curves(kinds=PROBABILITIES), uncertain_conditions(), st.none() | inside_unit)
def test_nothing_is_cheaper_than_optimal_and_rows_are_in_order(curve, over, pi):
    """Excess is measured from the optimal row, and never negative."""
    table = ic.curves.choice_methods(curve, over, prevalence=pi)
    costs = [row.cost for row in table.rows]
    assert costs == sorted(costs)
    assert {row.method for row in table.rows} == {"best", "score_driven", "rate_driven", "fixed", "trivial"}
    for row in table.rows:
        assert row.excess == pytest.approx(row.cost - table["best"].cost, abs=1e-15)
        assert row.excess > -1e-12
        assert row.expected_cost is None


def test_costs_over_a_range_are_averages_of_costs_at_conditions():
    """Uniform over t from 0.2 to 0.7: every row against adaptive quadrature of the rows at single conditions."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.2, 0.1])
    over = ic.Conditions.uniform(t=(0.2, 0.7))
    table = ic.curves.choice_methods(curve, over, prevalence=0.3)
    found = {0.5}  # where the cheaper trivial classifier changes
    for method in ("best", "rate_driven", "score_driven"):
        c = ic.cost_curve(curve, method=method, axis="cost_proportion", prevalence=0.3).breaks
        found |= set(((1 - c) * 0.7 / ((1 - c) * 0.7 + c * 0.3)).tolist())
    breaks = sorted(t for t in found if 0.2 < t < 0.7)

    def cost_at(t, method):
        # At prevalence 0.3 the costs t/0.7 and (1-t)/0.3 give t.
        return ic.curves.choice_methods(curve, ic.Condition(t / 0.7, (1 - t) / 0.3, 0.3))[method].cost

    for row in table.rows:
        expected = sum(
            quad(cost_at, a, b, args=(row.method,))[0] for a, b in zip([0.2, *breaks], [*breaks, 0.7], strict=True)
        )
        assert row.cost == pytest.approx(expected / 0.5, abs=1e-9)


def test_prevalence_is_that_of_the_condition_the_range_or_the_data():
    """In this order, unless it is given."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0, 0], [0.9, 0.6, 0.5, 0.1, 0.2])
    assert ic.curves.choice_methods(curve, ic.Condition(1, 5, 0.2)).prevalence == 0.2
    assert ic.curves.choice_methods(curve, ic.Conditions.from_costs(1, (2, 3), 0.1)).prevalence == 0.1
    assert ic.curves.choice_methods(curve, ic.Conditions.from_costs(1, 2, (0.1, 0.2))).prevalence == 0.4
    assert ic.curves.choice_methods(curve).prevalence == 0.4
    assert ic.curves.choice_methods(curve, prevalence=0.05).prevalence == 0.05
    with pytest.raises(
        ic.IsocostError, match=r"the condition is at prevalence 0\.2, got prevalence=0\.3 as well: pass one"
    ):
        ic.curves.choice_methods(curve, ic.Condition(1, 5, 0.2), prevalence=0.3)


def test_a_score_exactly_at_the_threshold_is_flagged():
    """A miss costs as much as a false alarm: the score-driven threshold is 0.5 itself, at any prevalence."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1])
    for pi in (0.1, 0.3, 0.7):
        assert ic.curves.choice_methods(curve, ic.Condition(1, 1, pi))["score_driven"].cost == pytest.approx(
            (1 - pi) / 2
        )


def test_methods_that_cannot_be_used_are_left_out_with_the_reason():
    """Scores that are no probabilities have no score-driven cost and no threshold of 0.5; the rest is told."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [9, 6, 5, 1], name="raw")
    table = ic.curves.choice_methods(curve)
    assert {row.method for row in table.rows} == {"best", "rate_driven", "trivial"}
    assert "needs probabilities" in table.left_out["score_driven"]
    assert "needs a threshold" in table.left_out["fixed"]
    assert "left out: score_driven (method='score_driven' needs probabilities" in repr(table)
    with pytest.raises(ic.IsocostError, match="unknown method 'score_driven'"):
        table["score_driven"]
    assert ic.curves.choice_methods(curve, threshold=5)["fixed"].cost > 0


def test_crisp_classifiers_have_their_own_fixed_row():
    """One confusion matrix: fixed is itself, and points that form no path have no rate."""
    crisp = ic.RocCurve.from_confusion(16, 4, 4, 6)
    assert ic.curves.choice_methods(crisp, ic.Condition.from_t(0.5))["fixed"].cost == pytest.approx(0.3)
    crossing = ic.RocCurve.from_points([0.1, 0.5], [0.6, 0.4], positives=10, negatives=10)
    assert "no monotone path" in ic.curves.choice_methods(crossing).left_out["rate_driven"]


def test_honest_table_costs_more_than_the_flattering_one():
    """Thresholds chosen on other cases: the optimal row is the honest optimal curve."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    s = rng.normal(y, 1.5)
    chosen, paid = (ic.RocCurve.from_scores(y[half], s[half]) for half in (slice(0, 100), slice(100, None)))
    flattering = ic.curves.choice_methods(paid)["best"].cost
    honest = ic.curves.choice_methods(paid, thresholds_from=chosen)["best"].cost
    assert honest > flattering
    expected = ic.cost_curve(paid, thresholds_from=chosen).expectation()
    assert honest == pytest.approx(expected, abs=1e-12)


def test_table_shows_itself():
    """As text, as HTML, as plain data."""
    curve = ic.RocCurve.from_scores([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1], name="<demo>")
    table = ic.curves.choice_methods(curve, ic.Condition(1, 3, 0.25))
    assert repr(table).splitlines()[1].split() == ["method", "cost", "above", "best", "cost", "per", "case", "needs"]
    assert "<th>cost per case</th>" in table._repr_html_()
    assert table.to_dict()["rows"][0]["method"] == "best"
    assert table.to_dict()["model"] == "<demo>"


@pytest.mark.parametrize("prevalence", [1e-6, 1e-3, 0.5, 1 - 1e-6])
def test_mean_rate_driven_cost_at_rare_prevalences(prevalence):
    """All scores tied: the share x flagged of each class costs t·x + (1-t)(1-x), x following from t."""
    curve = ic.RocCurve.from_scores([1, 0], [0.5, 0.5])
    found = ic.curves.choice_methods(curve, prevalence=prevalence)["rate_driven"].cost
    a, b = 1 - prevalence, prevalence

    def cost(t):
        x = (1 - t) * a / ((1 - t) * a + t * b)
        return t * x + (1 - t) * (1 - x)

    # Steep near the ends of t, so the ends are cut into decades.
    decades = 10.0 ** np.arange(-12, 0)
    edges = np.concatenate([[0], decades, 1 - decades[::-1], [1]])
    expected = sum(quad(cost, low, high, epsabs=1e-15)[0] for low, high in pairwise(edges))
    assert found == pytest.approx(expected, abs=1e-12)

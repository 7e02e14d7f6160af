import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.javascript import engine

import isocost as ic
from isocost.conditions import Condition
from isocost.cost_space import perfect_ranker_curve
from isocost.datasets import load_german_credit_predictions
from isocost.report import drawn_curves
from isocost.report.drawn_curves import drawn_models


def page_cost(model, method, condition):
    """What the page says a method costs at a condition."""
    c, pcf, p = condition.cost_proportion, condition.pcf, condition.prevalence
    engine().set("given", json.dumps(model["roc"]))
    return engine().eval(f"methodCost(pathOf(JSON.parse(given)), '{method}', {pcf!r}, {p!r}, {{ c: {c!r} }})")


@pytest.fixture(scope="module")
def credit():
    """The credit models as the page holds them, opened at 5 : 1 and 30 %."""
    curves = ic.Comparison.from_scores(*load_german_credit_predictions()).curves
    models = drawn_models(curves, Condition(1, 5, 0.3))
    return {curve.name: (curve, model) for curve, model in zip(curves, models, strict=True)}


@pytest.mark.parametrize(
    ("method", "cost_fn", "cost"), [("score_driven", 5, 0.241), ("rate_driven", 5, 0.259), ("score_driven", 1, 0.238)]
)
def test_tabs_answer_for_the_prevalence_of_the_condition(credit, method, cost_fn, cost):
    """Trusting the scores and a quota cost what they cost at 30 % positives, not at 50 %."""
    _, model = credit["random_forest"]
    assert page_cost(model, method, Condition(1, cost_fn, 0.3)) == pytest.approx(cost, abs=5e-4)


@given(st.floats(0.01, 100), st.floats(0.01, 0.99), st.sampled_from(["score_driven", "rate_driven", "kendall"]))
def test_tabs_say_what_the_library_says(credit, cost_fn, prevalence, method):
    """The page's costs are those of the library at any costs and any prevalence."""
    curve, model = credit["naive_bayes"]
    condition = Condition(1, cost_fn, prevalence)
    rows = {row.method: row.cost for row in ic.choice_methods(curve, condition).rows}
    if method == "kendall":
        c, pi = condition.cost_proportion, condition.prevalence
        perfect = float(perfect_ranker_curve(prevalence=pi)(c)) / (2 * (c * pi + (1 - c) * (1 - pi)))
        assert page_cost(model, method, condition) == pytest.approx(rows["rate_driven"] - perfect, abs=1e-9)
    else:
        assert page_cost(model, method, condition) == pytest.approx(rows[method], abs=1e-12)


def test_a_thinned_curve_keeps_what_the_authors_condition_needs(monkeypatch):
    """Of many points few are drawn, yet at the author's condition every method costs exactly what all points say."""
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.3
    scores = np.clip(0.3 + 0.2 * y + 0.2 * rng.normal(size=y.size), 0, 1)
    curve = ic.RocCurve.from_scores(y.astype(int), scores)
    monkeypatch.setattr(drawn_curves, "_MOST_POINTS", 0)
    condition = Condition(1, 3, 0.2)
    [model] = drawn_models([curve], condition)
    assert model["thinned"]
    assert len(model["roc"]["fp"]) < 220 + len(curve.hull)
    rows = {row.method: row.cost for row in ic.choice_methods(curve, condition).rows}
    for method in ("score_driven", "rate_driven"):
        assert page_cost(model, method, condition) == pytest.approx(rows[method], abs=1e-12)


def test_a_method_that_needs_more_says_what():
    """Scores that are no probabilities, and points without scores, each say what is missing."""
    [wide] = drawn_models([ic.RocCurve.from_scores([0, 1, 0, 1], [1.0, 3.0, 2.0, 4.0])], Condition())
    assert list(wide["unavailable"]) == ["score_driven"]
    assert not wide["roc"]["probabilities"]
    assert "probabilities" in wide["unavailable"]["score_driven"]

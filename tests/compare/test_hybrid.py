import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from strategies import conditions, inside_unit, model_sets, unit


@given(model_sets(max_models=5), unit)
def test_the_hybrid_costs_what_the_cheapest_model_costs(data, t):
    """Never more expensive than any model, never cheaper than all of them."""
    comparison = ic.Comparison.from_scores(*data)
    cost = float(comparison.hybrid().curve.optimal_cost(t))
    assert cost == pytest.approx(min(float(c.optimal_cost(t)) for c in comparison.curves), abs=1e-14)


@given(model_sets(max_models=5), conditions())
def test_each_part_is_a_model_at_a_threshold(data, condition):
    """Applied to the rows, model and threshold of every part have its rates; at a condition it is the decision."""
    y, models = data
    comparison = ic.Comparison.from_scores(y, models)
    hybrid = comparison.hybrid()
    for part in hybrid.parts:
        flagged = models.get(part.model, np.zeros(y.size)) >= part.threshold
        assert (flagged[y == 0].mean(), flagged[y == 1].mean()) == (part.fpr, part.tpr)
    used = hybrid.at(condition)
    cost = condition.normalised_cost(used.fpr, used.tpr)
    assert cost == pytest.approx(comparison.decide(condition).normalised_cost, abs=1e-12)


@given(model_sets(max_models=4), inside_unit)
def test_a_mix_of_two_parts_reaches_the_hull(data, fpr):
    """At any fpr: the rates are those of the mix, and the height is that of the joint hull."""
    hybrid = ic.Comparison.from_scores(*data).hybrid()
    mix = hybrid.at_fpr(fpr)
    assert mix.fpr == fpr
    assert mix.tpr == pytest.approx(np.interp(fpr, hybrid.curve.fpr, hybrid.curve.tpr), abs=1e-12)
    if mix.second is not None:
        p = mix.probability
        assert 0 < p < 1
        assert (1 - p) * mix.first.fpr + p * mix.second.fpr == pytest.approx(fpr, abs=1e-12)
        assert (1 - p) * mix.first.tpr + p * mix.second.tpr == pytest.approx(mix.tpr, abs=1e-12)


def test_no_mix_is_needed_at_a_vertex():
    """And of two points with that fpr the higher one is meant."""
    hybrid = ic.Comparison([ic.RocCurve.from_points([0.0], [0.5], name="a")]).hybrid()
    mix = hybrid.at_fpr(0.0)
    assert (mix.first.model, mix.second, mix.tpr) == ("a", None, 0.5)
    assert hybrid.at_fpr(1).first.model == "always-positive"


def test_every_measure_takes_the_hybrid():
    """Its curve counts cases as the models' curves do."""
    y, s = [0, 1, 0, 1, 1], {"a": [1, 2, 3, 4, 5], "b": [2, 1, 3, 5, 4]}
    hybrid = ic.Comparison.from_scores(y, s).hybrid()
    assert (hybrid.curve.positives, hybrid.curve.negatives) == (3, 2)
    assert ic.auc(hybrid.curve) >= max(ic.auc(ic.RocCurve.from_scores(y, v)) for v in s.values())
    assert hybrid.to_dict()["parts"][0]["model"] == "always-negative"
    useless = ic.Comparison.from_scores(y, {"a": [1, 1, 1, 1, 1]}).hybrid()
    assert repr(useless) == "<Hybrid: 2 points, the trivial ones only>"
    with pytest.raises(ic.IsocostError, match=r"condition must be a Condition, got None"):
        hybrid.at(None)


@pytest.mark.parametrize("flagged", [0.0, 0.05, 0.3, 0.62, 1.0])
@pytest.mark.parametrize("prevalence", [None, 0.01, 0.6])
def test_a_workforce_is_used_to_the_full_and_best(flagged, prevalence):
    """The share is flagged exactly, and no mix of two points of any model catches more with it."""
    rng = np.random.default_rng(5)
    y = np.append(rng.integers(0, 2, 20), [0, 1])
    comparison = ic.Comparison.from_scores(y, {name: rng.integers(0, 8, 22) + y for name in "ab"})
    mix = comparison.hybrid().at_flagged(flagged, prevalence=prevalence)
    pi = y.mean() if prevalence is None else prevalence
    assert pi * mix.tpr + (1 - pi) * mix.fpr == pytest.approx(flagged, abs=1e-12)
    points = [point for curve in comparison.curves for point in zip(curve.fpr, curve.tpr, strict=True)]
    for x0, y0 in points:
        for x1, y1 in points:
            low, high = pi * y0 + (1 - pi) * x0, pi * y1 + (1 - pi) * x1
            if low < flagged < high:
                assert mix.tpr >= y0 + (flagged - low) / (high - low) * (y1 - y0) - 1e-12

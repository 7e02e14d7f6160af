import numpy as np
import pytest
from hypothesis import given

import isocost as ic
from strategies import model_sets, unit


@given(model_sets(max_models=5), unit)
def test_the_hybrid_costs_what_the_cheapest_model_costs(data, t):
    """Never more expensive than any model, never cheaper than all of them."""
    comparison = ic.Comparison.from_scores(*data)
    cost = float(comparison.hybrid().optimal_cost(t))
    assert cost == pytest.approx(min(float(c.optimal_cost(t)) for c in comparison.curves), abs=1e-14)


@given(model_sets(max_models=5))
def test_each_part_is_a_model_at_a_threshold(data):
    """Applied to the rows, model and threshold of every winning point have its rates: the vertices of the hybrid."""
    y, models = data
    comparison = ic.Comparison.from_scores(y, models)
    hybrid = comparison.hybrid()
    vertices = set(zip(hybrid.fpr.tolist(), hybrid.tpr.tolist(), strict=True))
    for part in (point for win in comparison.winners() for point in win.points):
        flagged = models.get(part.model, np.zeros(y.size)) >= part.threshold
        assert (flagged[y == 0].mean(), flagged[y == 1].mean()) == (part.fpr, part.tpr)
        assert (part.fpr, part.tpr) in vertices


def test_every_measure_takes_the_hybrid():
    """Its curve counts cases as the models' curves do."""
    y, s = [0, 1, 0, 1, 1], {"a": [1, 2, 3, 4, 5], "b": [2, 1, 3, 5, 4]}
    hybrid = ic.Comparison.from_scores(y, s).hybrid()
    assert (hybrid.positives, hybrid.negatives) == (3, 2)
    assert ic.auc(hybrid) >= max(ic.auc(ic.RocCurve.from_scores(y, v)) for v in s.values())
    assert len(ic.Comparison.from_scores(y, {"a": [1, 1, 1, 1, 1]}).hybrid()) == 2

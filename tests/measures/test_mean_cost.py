import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.curves.roc import best_vertex
from oracles import brute_force, volume
from strategies import conditions, curves, samples, uncertain_conditions

PAPERS = json.loads((Path(__file__).parents[1] / "golden" / "papers.json").read_text())
NORMAL = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
CURVE = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])


@pytest.mark.parametrize("name", ["baselines", "voros_example_31", "model_A", "model_B"])
def test_published_values_are_met(name):
    """The area under the lower envelope, every t equally likely."""
    entry = PAPERS[name]
    if "labels" in entry:
        curve = ic.RocCurve.from_scores(entry["labels"], entry["scores"])
    else:
        curve = ic.RocCurve.from_points(*np.transpose(entry["points"]))
    assert ic.measures.mean_normalised_cost(curve) == pytest.approx(float(entry["expected_cost"]), abs=1e-14)


@pytest.mark.parametrize("mean", [1, 2])
def test_continuous_curves_have_the_published_values(mean):
    """Two normal distributions one or two deviations apart."""
    curve = ic.RocCurve.from_distributions(stats.norm(mean, 1), stats.norm(0, 1))
    expected = float(PAPERS[f"binormal_mu_{mean}"]["expected_cost"])
    assert ic.measures.mean_normalised_cost(curve) == pytest.approx(expected, abs=1e-11)


@given(samples(max_size=14), st.floats(0, 0.9), st.floats(0.05, 1))
def test_value_equals_brute_force_quadrature(sample, low, width):
    """Every threshold tried at every node, between every crossing."""
    high = min(low + width, 1.0)
    points = [(float(x), float(y)) for x, y, _ in brute_force.points(sample.y, sample.s, sample.w)]
    x, y = np.array(points).T
    expected = volume.mean(lambda t: np.min(t * x + (1 - t) * (1 - y)), volume.crossings(points), low=low, high=high)
    over = ic.Conditions.uniform(t=(low, high))
    assert ic.measures.mean_normalised_cost(sample.curve, condition=over) == pytest.approx(expected, abs=1e-12)


@given(curves(), uncertain_conditions())
def test_value_is_the_mean_of_the_cost_curve(curve, over):
    """The same number through the envelope in cost space."""
    assert ic.measures.mean_normalised_cost(curve, condition=over) == pytest.approx(
        ic.cost_curve(curve).expectation(over), abs=1e-12
    )


@given(curves(), conditions())
def test_one_condition_is_the_cost_of_the_best_threshold(curve, condition):
    """What best_threshold promises."""
    choice = ic.best_threshold(curve, condition)
    assert ic.measures.mean_normalised_cost(curve, condition=condition) == pytest.approx(
        choice.normalised_cost, abs=1e-14
    )


@pytest.mark.parametrize("name", ["cost_fp", "cost_fn", "prevalence"])
def test_the_mean_in_the_unit_is_that_of_a_decision_whose_threshold_follows(name):
    """Against averaging over the belief itself on a fine grid of its quantiles."""
    belief = {
        "cost_fp": stats.gamma(3, scale=0.5), "cost_fn": stats.lognorm(0.6, scale=8), "prevalence": stats.beta(2, 20)
    }[name]  # fmt: skip
    known = {"cost_fp": 1.5, "cost_fn": 9.0, "prevalence": 0.08}
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    values = belief.ppf((np.arange(20_000) + 0.5) / 20_000)
    costs = [
        ic.Condition(**{**known, name: float(v)}).expected_cost(x, y)
        for v in values
        for x, y in [_best(curve, ic.Condition(**{**known, name: float(v)}).t)]
    ]
    decision = ic.Comparison([curve]).decide(ic.Conditions.from_beliefs(**{**known, name: belief}))
    assert decision.uncertain.rechosen[0].mean == pytest.approx(np.mean(costs), rel=1e-4)


def _best(curve, t):
    i = int(best_vertex(curve, np.asarray(t)))
    return float(curve.hull.fpr[i]), float(curve.hull.tpr[i])

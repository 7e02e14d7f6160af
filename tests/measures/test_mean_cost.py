import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.curves.roc import best_vertex
from isocost.errors import ConditionError, InputError
from oracles import brute_force, volume
from strategies import conditions, curves, samples, uncertain_conditions, unit

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


@given(curves(), conditions(), st.integers(1, 10**6))
def test_total_cost_at_a_condition_is_the_choices_cost_times_the_cases(curve, condition, cases):
    """In the user's unit, what correct decisions cost included."""
    total = ic.measures.total_cost(curve, condition, cases=cases)
    expected = cases * ic.best_threshold(curve, condition).expected_cost
    assert total.mean == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert total.mean == total.low == total.high
    assert total.cases == cases


pair = st.tuples(st.floats(0.1, 20), st.floats(0.1, 20)).map(sorted)
shares = st.tuples(st.floats(0.001, 0.999), st.floats(0.001, 0.999)).map(sorted)


@given(curves(), pair, pair, shares, st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=8))
def test_ranges_give_bounds_that_hold_and_are_reached(curve, fp, fn, prevalence, places):
    """No condition of the box lies outside them, and its corners or inner maximum reach them."""
    over = ic.Conditions.from_costs(cost_fp=tuple(fp), cost_fn=tuple(fn), prevalence=tuple(prevalence))
    total = ic.measures.total_cost(curve, over)
    assert (total.mean is None) == (fp[0] < fp[1] or fn[0] < fn[1] or prevalence[0] < prevalence[1])

    def cost(u, v, w):
        mix = [low + share * (high - low) for (low, high), share in ((fp, u), (fn, v), (prevalence, w))]
        return ic.best_threshold(curve, ic.Condition(*mix)).expected_cost

    for place in places:
        assert total.low - 1e-12 <= cost(*place) <= total.high + 1e-12
    assert min(cost(0, 0, w) for w in (0, 1)) == pytest.approx(total.low, abs=1e-12)
    p = np.linspace(*prevalence, 401)
    worst = fp[1] * (1 - p) + fn[1] * p
    finest = np.max(worst * curve.optimal_cost(fp[1] * (1 - p) / worst))
    assert finest == pytest.approx(total.high, abs=0.003 * max(fp[1], fn[1]))


@pytest.mark.parametrize("name", ["cost_fp", "cost_fn", "prevalence"])
def test_one_belief_gives_the_mean_of_the_cost(name):
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
    total = ic.measures.total_cost(curve, ic.Conditions.from_beliefs(**{**known, name: belief}), cases=10)
    assert total.mean == pytest.approx(10 * np.mean(costs), rel=1e-4)
    assert total.low <= total.mean <= total.high


def _best(curve, t):
    i = int(best_vertex(curve, np.asarray(t)))
    return float(curve.hull.fpr[i]), float(curve.hull.tpr[i])


def test_several_beliefs_give_the_mean_over_the_draws():
    """A costly condition weighs more than a cheap one: not the product of two means."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    over = ic.Conditions.from_beliefs(cost_fp=(1, 2), cost_fn=(1, 50), prevalence=(0.02, 0.3), size=500, rng=3)
    expected = np.mean(over.worst_cost * curve.optimal_cost(over.density.t))
    total = ic.measures.total_cost(curve, over)
    assert total.mean == pytest.approx(expected, rel=1e-13)
    assert total.mean != pytest.approx(
        np.mean(over.worst_cost) * ic.measures.mean_normalised_cost(curve, condition=over), rel=0.01
    )
    assert total.low <= total.mean <= total.high


def test_unbounded_beliefs_still_have_finite_bounds_where_a_trivial_classifier_limits_the_cost():
    """However expensive a miss, flagging everybody costs only the false alarms."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1])
    total = ic.measures.total_cost(curve, ic.Conditions.from_beliefs(cost_fn=stats.lognorm(1), prevalence=0.2))
    assert (total.low, total.high) == (0, pytest.approx(0.8 * 0.5))


def test_continuous_curves_have_no_total_cost():
    """Their bounds would not be exact."""
    with pytest.raises(InputError, match="total_cost needs a finite list of operating points"):
        ic.measures.total_cost(NORMAL, ic.Condition(1, 5, 0.3))


def test_result_reads_well_and_is_plain_data():
    """Mean, span and number of cases."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    total = ic.measures.total_cost(curve, ic.Condition(1, 5, 0.3))
    assert repr(total) == "<TotalCost: 0.35 for 1 case>"
    assert total.to_dict() == {
        "mean": pytest.approx(0.35), "low": pytest.approx(0.35), "high": pytest.approx(0.35), "cases": 1.0,
        "model": "demo", "condition": "a miss costs 5 false alarms, 30 % positive: t = 0.318",
    }  # fmt: skip


def test_conditions_without_costs_are_refused():
    """A distribution of t alone has no unit; negative cases make no sense."""
    with pytest.raises(ConditionError, match=r"<Conditions: uniform: t in 0–1> is a distribution of t without costs"):
        ic.measures.total_cost(CURVE, ic.Conditions.uniform())
    with pytest.raises(InputError, match="cases must be at least 0, got -1"):
        ic.measures.total_cost(CURVE, ic.Condition(), cases=-1)


def test_total_cost_counts_what_correct_answers_cost():
    """Bounds and mean against every condition of a fine grid; a range of such a cost is refused."""
    curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    options = {"cost_fn": (5, 20), "prevalence": (0.1, 0.3), "cost_tp": 2.0, "cost_tn": -0.5}
    found = ic.measures.total_cost(curve, ic.Conditions.from_costs(**options))
    grid = [
        ic.measures.total_cost(curve, ic.Condition(1, fn, p, cost_tp=2.0, cost_tn=-0.5)).mean
        for fn in np.linspace(5, 20, 16)
        for p in np.linspace(0.1, 0.3, 41)
    ]
    assert found.low == pytest.approx(min(grid))
    assert found.high == pytest.approx(max(grid), rel=1e-3)
    belief = ic.measures.total_cost(curve, ic.Conditions.from_beliefs(cost_fn=(5, 20), prevalence=0.1, cost_tp=2.0))
    costs = np.linspace(5, 20, 2001)
    means = [ic.measures.total_cost(curve, ic.Condition(1, fn, 0.1, cost_tp=2.0)).mean for fn in costs]
    assert belief.mean == pytest.approx(np.trapezoid(means, costs) / 15, rel=1e-6)
    with pytest.raises(
        ConditionError, match="cost_tp of total_cost must be one number here, got 0 to 1: pass a number"
    ):
        ic.measures.total_cost(curve, ic.Conditions.from_costs(cost_fn=5, cost_tp=(0, 1)))

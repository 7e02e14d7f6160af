import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.errors import ConditionError, InputError
from isocost.metrics import METRICS
from strategies import curves

LINEAR = [name for name, metric in METRICS.items() if metric._lines is not None]


@given(curves(), st.sampled_from(sorted(METRICS)))
def test_no_point_of_the_curve_is_better(curve, name):
    """The value is the largest over all points, and the point is one of the curve's."""
    best = ic.metrics.best_point(curve, name)
    values = METRICS[name].counted(curve.positives + curve.negatives)(curve.fpr, curve.tpr, best.skew_ratio)
    assert best.value == pytest.approx(values.max(), abs=1e-12)
    at = (curve.fpr == best.fpr) & (curve.tpr == best.tpr)
    assert at.any()
    assert best.threshold in curve.thresholds[at]


@given(curves(weighted=(None,)), st.sampled_from(LINEAR))
def test_with_straight_isometrics_the_costs_of_the_sentence_choose_the_same_point(curve, name):
    """On the hull, with the metric's own t inside the range, and cheapest at every t of the range."""
    best = ic.metrics.best_point(curve, name)
    assume(not math.isnan(best.t))  # precision where nobody is flagged
    if not best.on_hull:
        # Tied with a vertex along an edge of the hull: no cheaper, but no vertex either.
        assert best.excess == pytest.approx(0, abs=1e-12)
        return
    assert best.t_low - 1e-9 <= best.t <= best.t_high + 1e-9
    for t in (best.t_low, (best.t_low + best.t_high) / 2, best.t_high):
        cost = t * best.fpr + (1 - t) * (1 - best.tpr)
        assert cost == pytest.approx(float(curve.optimal_cost(t)), abs=1e-12)
    prevalence = curve.prevalence
    for ratio, t in zip((best.miss_cost, *best.miss_costs), (best.t, best.t_high, best.t_low), strict=True):
        if 0 < ratio < math.inf:
            assert ic.Condition(cost_fp=1, cost_fn=ratio, prevalence=prevalence).t == pytest.approx(t, abs=1e-12)


@given(curves(weighted=(None,)))
def test_maximising_f1_is_a_miss_costing_two_less_f_over_f(curve):
    """The known link between the best F1 and the probability threshold F1/2."""
    best = ic.metrics.best_point(curve, "f_measure")
    assert best.miss_cost == pytest.approx((2 - best.value) / best.value)
    assert 1 / (1 + best.miss_cost) == pytest.approx(best.value / 2)


@given(curves(weighted=(None,)))
def test_maximising_accuracy_is_equal_costs(curve):
    """A miss costs one false alarm, whatever the curve; the threshold is that of `best_threshold`."""
    best = ic.metrics.best_point(curve, "accuracy")
    assert best.miss_cost == pytest.approx(1)
    choice = ic.best_threshold(curve, ic.Condition(1, 1, curve.prevalence))
    cost = best.t * best.fpr + (1 - best.t) * (1 - best.tpr)
    assert cost == pytest.approx(choice.normalised_cost, abs=1e-12)


def test_the_sentence():
    """What a team that maximises F1 gets, with the range that comes to the same."""
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.1
    curve = ic.RocCurve.from_scores(y, y + rng.normal(0, 0.8, 2000), name="triage")
    best = ic.metrics.best_point(curve, "f_measure")
    assert str(best) == (
        f"triage: maximising f_measure here is the same as a miss costing {best.miss_cost:.3g} false alarms "
        f"(the same threshold for {best.miss_costs[0]:.3g} to {best.miss_costs[1]:.3g})"
    )
    assert best.miss_costs[0] < best.miss_cost < best.miss_costs[1]
    assert repr(best) == f"<MetricOptimum: {best}>"
    assert best.to_dict()["model"] == "triage"


def test_the_sentence_at_the_ends():
    """Recall makes false alarms free, specificity misses; a ratio below one is printed as its reciprocal."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.8], positives=10, negatives=40)
    assert "a false alarm costing nothing (" in str(ic.metrics.best_point(curve, "recall"))
    assert "a miss costing nothing (" in str(ic.metrics.best_point(curve, "specificity"))
    kind = ic.metrics.best_point(curve, ic.metrics.net_benefit.with_options(threshold=0.75))
    assert kind.metric == "net_benefit(threshold=0.75)"
    assert "is the same as a false alarm costing 3 misses" in str(kind)


def test_a_threshold_no_costs_justify():
    """A metric that likes a dent of the curve shows how much it wastes even under the best costs."""
    curve = ic.RocCurve.from_points([0.2, 0.4, 0.6], [0.6, 0.65, 0.9], positives=10, negatives=10)
    dent = ic.metrics.from_function(lambda h, k, c: -abs(h - 0.4) - abs(k - 0.65) + 0 * c, name="closeness")
    best = ic.metrics.best_point(curve, dent)
    assert (best.fpr, best.tpr) == (0.4, 0.65)
    assert not best.on_hull
    t = np.linspace(0, 1, 100_001)
    waste = t * 0.4 + (1 - t) * 0.35 - curve.optimal_cost(t)
    assert best.excess == pytest.approx(waste.min(), abs=1e-6)
    assert "chooses a threshold that no costs justify" in str(best)
    assert best.miss_costs is None


def test_another_class_ratio_than_that_of_the_data():
    """`skew_ratio=` is the class ratio in use; rates alone need it."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.6, 0.9])
    with pytest.raises(ConditionError, match=r"the class ratio is unknown .* pass skew_ratio="):
        ic.metrics.best_point(curve, "accuracy")
    assert ic.metrics.best_point(curve, "accuracy", skew_ratio=0.5).fpr == 0.4
    assert ic.metrics.best_point(curve, "accuracy", skew_ratio=4).fpr == 0.1


def test_ties_go_to_the_point_that_dominates_or_flags_fewer_negatives():
    """Precision is 1 along the tpr axis: the highest point. Accuracy ties along an edge: the one to the left."""
    curve = ic.RocCurve.from_points([0, 0, 0.5], [0.3, 0.6, 0.9], positives=10, negatives=10)
    assert ic.metrics.best_point(curve, "precision").tpr == 0.6
    edge = ic.RocCurve.from_points([0.1, 0.3], [0.6, 0.8], positives=10, negatives=10)
    assert ic.metrics.best_point(edge, "accuracy").fpr == 0.1


def test_a_metric_of_which_less_is_better_is_minimised():
    """Normalised cost leads where accuracy leads."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.6, 0.9], positives=10, negatives=20)
    cost = ic.metrics.from_function(lambda h, k, c: (c * h + 1 - k) / (1 + c), direction="lower")
    best, accuracy = (ic.metrics.best_point(curve, m) for m in (cost, "accuracy"))
    assert (best.fpr, best.tpr) == (accuracy.fpr, accuracy.tpr)
    assert best.value == pytest.approx(1 - accuracy.value)
    assert str(best).startswith("minimising <lambda> here is the same as a miss costing 1 false alarms")


def test_a_continuous_curve_is_refused():
    """It has no finite list of thresholds; a sample of it has."""
    curve = ic.RocCurve.from_distributions(stats.norm(1.5, 1), stats.norm(0, 1))
    with pytest.raises(InputError, match="best_point needs a finite list of operating points"):
        ic.metrics.best_point(curve, "accuracy", skew_ratio=4)


def test_bad_input_is_named():
    """Scores instead of a curve; a metric without values."""
    with pytest.raises(InputError, match=r"the curve that best_point takes must be a RocCurve, as in .* got list"):
        ic.metrics.best_point([0.1, 0.2], "accuracy")
    curve = ic.RocCurve.from_points([0.1], [0.6], positives=10, negatives=20)
    with pytest.raises(InputError, match="metric 'empty' has no value at any point"):
        ic.metrics.best_point(curve, ic.metrics.from_function(lambda h, k, c: h * np.nan + k + c, name="empty"))

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import isocost as ic
from isocost.curves.roc import is_path
from isocost.errors import InputError, UnknownNameError
from strategies import curves, point_sets

PCF = np.linspace(0, 1, 101)
several = st.lists(curves(max_size=16, weighted=(None,)), min_size=1, max_size=4)
hulls = st.lists(point_sets(max_size=5).map(lambda p: ic.RocCurve.from_points(*p).hull), min_size=1, max_size=4)

# Two hulls whose averages can be worked out by hand.
ONE, TWO = ic.RocCurve.from_points([0.1], [0.6]), ic.RocCurve.from_points([0.4], [0.9])


def cost(curve):
    """Lowest cost at every pcf."""
    return ic.cost_curve(curve)(PCF)


@given(several)
def test_cost_average_is_the_mean_cost_at_each_condition(curves):
    """Exactly the mean of the envelopes, from ROC curves or from their cost curves."""
    expected = np.mean([cost(c) for c in curves], axis=0)
    assert ic.curves.average_cost_curves(curves)(PCF) == pytest.approx(expected, abs=1e-12)
    assert ic.curves.average_cost_curves([ic.cost_curve(c) for c in curves])(PCF) == pytest.approx(expected, abs=1e-12)


@given(hulls)
def test_cost_average_seen_in_roc_space_has_the_same_costs(curves):
    """Points that are best at the same condition, averaged, are the dual of the averaged cost curves."""
    roc = ic.curves.average_roc_curves(curves, method="cost")
    assert cost(roc) == pytest.approx(ic.curves.average_cost_curves(curves)(PCF), abs=1e-12)


@settings(max_examples=40)
@given(several, st.sampled_from(["vertical", "threshold"]))
def test_no_roc_average_is_cheaper_than_the_cost_average(curves, method):
    """Any other correspondence of points includes some that are not the best there (Drummond & Holte 2000, section 2.2.3)."""
    roc = ic.curves.average_roc_curves(curves, method=method)
    assert np.all(cost(roc) >= ic.curves.average_cost_curves(curves)(PCF) - 1e-12)


def test_worked_averages_of_two_hulls():
    """Vertical: (0.1, (0.6 + 0.225)/2) and (0.4, (0.7333 + 0.9)/2). Cost: points best at the same pcf."""
    vertical = ic.curves.average_roc_curves([ONE, TWO], method="vertical")
    assert vertical.fpr == pytest.approx([0, 0.1, 0.4, 1])
    assert vertical.tpr == pytest.approx([0, 0.4125, (0.6 + 0.3 / 0.9 * 0.4 + 0.9) / 2, 1])
    by_cost = ic.curves.average_roc_curves([ONE, TWO], method="cost")
    assert by_cost.fpr == pytest.approx([0, 0.05, 0.25, 0.7, 1])
    assert by_cost.tpr == pytest.approx([0, 0.3, 0.75, 0.95, 1])
    # At pcf = ½ the two are worth 0.25 each; the vertical average costs more.
    assert float(ic.curves.average_cost_curves([ONE, TWO])(0.5)) == pytest.approx(0.25)
    assert float(ic.cost_curve(vertical)(0.5)) == pytest.approx(0.5 - (0.8166666667 - 0.4) / 2)


@given(several)
def test_vertical_average_is_the_mean_height(curves):
    """At any fpr where no curve stands upright its tpr is the mean of theirs."""
    mean = ic.curves.average_roc_curves(curves, method="vertical")
    x = (mean.fpr[1:] + mean.fpr[:-1])[np.diff(mean.fpr) > 1e-9] / 2
    expected = np.mean([np.interp(x, c.fpr, c.tpr) for c in curves], axis=0)
    assert np.interp(x, mean.fpr, mean.tpr) == pytest.approx(expected, abs=1e-9)
    assert is_path(mean)


@given(several)
def test_threshold_average_is_the_mean_point(curves):
    """At each threshold the rates are the means of the rates of flagging scores at or above it."""
    mean = ic.curves.average_roc_curves(curves, method="threshold")
    for cut, x, y in zip(mean.thresholds, mean.fpr, mean.tpr, strict=True):
        at = [np.searchsorted(-c.thresholds, -cut, side="right") - 1 for c in curves]
        assert x == pytest.approx(np.mean([c.fpr[i] for c, i in zip(curves, at, strict=True)]))
        assert y == pytest.approx(np.mean([c.tpr[i] for c, i in zip(curves, at, strict=True)]))


def test_pooled_average_is_the_curve_of_all_cases():
    """Pooling adds up the counts of every evaluation."""
    y, s = np.array([1, 0, 1, 0, 1, 0]), np.array([3, 2, 2, 1, 1, 3.0])
    parts = [ic.RocCurve.from_scores(y[i], s[i]) for i in (slice(0, 4), slice(4, 6))]
    pooled = ic.curves.average_roc_curves(parts, method="pooled", name="all")
    whole = ic.RocCurve.from_scores(y, s)
    assert pooled.fp.tolist() == whole.fp.tolist()
    assert pooled.tp.tolist() == whole.tp.tolist()
    assert pooled.name == "all"


def test_band_over_folds_is_students():
    """At each condition mean ± t·s/√k."""
    y = np.arange(120) % 2
    s = np.random.default_rng(0).normal(size=120) + y
    rng = np.random.default_rng(3)
    folds = [ic.RocCurve.from_scores(y[i], s[i]) for i in np.split(rng.permutation(120), 4)]
    band = ic.inference.band_over_folds(folds, 0.9, grid=PCF)
    costs = np.array([cost(c) for c in folds])
    low, high = stats.t(3).interval(0.9)
    spread = costs.std(axis=0, ddof=1) / 2
    assert band.centre == pytest.approx(costs.mean(axis=0))
    assert band.high == pytest.approx(costs.mean(axis=0) + high * spread)
    assert band.low == pytest.approx(np.maximum(costs.mean(axis=0) + low * spread, 0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ic.curves.average_cost_curves([]), "average_cost_curves got no curves"),
        (lambda: ic.curves.average_cost_curves(ONE), "takes a list of curves, got RocCurve"),
        (lambda: ic.curves.average_cost_curves([ONE, 3]), "takes curves, got int at place 1"),
        (
            lambda: ic.curves.average_roc_curves([ic.cost_curve(ONE)]),
            "takes ROC curves, got CostCurve; use average_cost_curves",
        ),
        (
            lambda: ic.curves.average_roc_curves([ONE], method="threshold"),
            "method='threshold' needs curves with thresholds",
        ),
        (lambda: ic.curves.average_roc_curves([ONE], method="pooled"), "method='pooled' needs curves with counts"),
        (
            lambda: ic.curves.average_roc_curves([ic.RocCurve.from_points([0.2, 0.4], [0.9, 0.5])]),
            "average curve.hull instead",
        ),
        (lambda: ic.inference.band_over_folds([ONE]), "needs at least 2 curves to see how much they differ, got 1"),
        (lambda: ic.inference.band_over_folds([ONE, TWO], 90), "level must lie strictly between 0 and 1, got 90"),
    ],
)
def test_bad_input_is_named(call, message):
    """Every refusal says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        call()


def test_continuous_curves_are_refused_and_unknown_methods_named():
    """A continuous curve has no vertices to average."""
    with pytest.raises(InputError, match="is continuous: sample it"):
        ic.curves.average_cost_curves([ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))])
    with pytest.raises(UnknownNameError, match=r"unknown method 'verticl': did you mean 'vertical'\?"):
        ic.curves.average_roc_curves([ONE], method="verticl")

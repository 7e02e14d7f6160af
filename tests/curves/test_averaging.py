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
@given(several)
def test_no_roc_average_is_cheaper_than_the_cost_average(curves):
    """Any other correspondence of points includes some that are not the best there (Drummond & Holte 2000, section 2.2.3)."""
    roc = ic.curves.average_roc_curves(curves, method="vertical")
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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ic.curves.average_cost_curves(np.array(5)), "curves must be a list of curves, .* got ndarray"),
        (lambda: ic.curves.average_cost_curves([]), "average_cost_curves takes at least one model"),
        (lambda: ic.curves.average_cost_curves(ONE), "curves must be a list of curves, .* got RocCurve"),
        (
            lambda: ic.curves.average_cost_curves([ONE, 3]),
            r"curves\[1\] must be a curve, as RocCurve.from_scores makes it, got int",
        ),
        (
            lambda: ic.curves.average_roc_curves([ic.cost_curve(ONE)]),
            "must be a curve, as .* got CostCurve",
        ),
        (
            lambda: ic.curves.average_roc_curves([ic.RocCurve.from_points([0.2, 0.4], [0.9, 0.5])]),
            "use curve.hull instead",
        ),
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

import numpy as np
import pytest
from matplotlib.figure import Figure

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def test_the_optimum_is_one_point_in_both_spaces(curves, condition):
    """The dot on the right is the cost of the dot on the left, at the condition."""
    roc, cost = plots.DualityDisplay(curves, condition=condition).plot().ax_
    dots = []
    for axes in (roc, cost):
        line = next(line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1)
        dots.append((line.get_xdata()[0], line.get_ydata()[0]))
    (fpr, tpr), (pcf, value) = dots
    assert pcf == condition.pcf
    assert value == pytest.approx(condition.normalised_cost(fpr, tpr))


@pytest.mark.parametrize("t", [None, 0.1, 0.9])
def test_a_model_looks_the_same_in_both_spaces(many, t):
    """The best five are the same, on average or at any condition."""
    display = plots.DualityDisplay(many, condition=None if t is None else ic.Condition.from_t(t))
    assert display.roc.looks == display.cost.looks
    assert sum(look.named for look in display.roc.looks) == 5


def test_lines_on_the_right_are_the_points_on_the_left():
    """One faint line a point."""
    curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9])
    roc, cost = plots.DualityDisplay(curve, lines=True).plot().ax_
    segments = cost.collections[0].get_segments()
    assert np.allclose([s[0][1] for s in segments], curve.fpr)
    assert np.allclose([s[1][1] for s in segments], 1 - curve.tpr)
    assert roc.get_aspect() == 1


def test_two_axes_are_needed(curves):
    """And they are the ones drawn on."""
    figure = Figure()
    pair = figure.subplots(1, 2)
    assert plots.DualityDisplay(curves).plot(pair).ax_.tolist() == list(pair)
    with pytest.raises(InputError, match="ax must be two matplotlib axes"):
        plots.DualityDisplay(curves).plot(pair[0])

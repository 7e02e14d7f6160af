import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError

CONDITION = ic.Condition(cost_fp=1, cost_fn=3, prevalence=1 / 3)
BOOT = ic.bootstrap_confusion({"tree": (16, 4, 4, 6)}, grid=[0, CONDITION.pcf, 1])


def test_what_is_left_to_gain_is_drawn_with_how_many_labels_are_enough():
    """The curve is `remaining`, falls, and passes the line of what is good enough at the dot."""
    worth = BOOT.value_of_labels(CONDITION, tolerance=2)
    axes = worth.plot().ax_
    curve, limit, dot = axes.lines
    x, y = curve.get_xdata(), curve.get_ydata()
    assert y == pytest.approx([worth.remaining(v) for v in x])
    assert np.all(np.diff(y) <= 1e-12)
    assert limit.get_ydata()[0] == 2
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (111, pytest.approx(worth.remaining(111)))
    assert axes.get_xlim()[0] < 111 < axes.get_xlim()[1]
    assert [text.get_text() for text in axes.texts] == ["good enough: 2", "110 more"]


@pytest.mark.parametrize("tolerance", [50.0, 0.0])
def test_without_a_number_of_labels_there_is_no_dot(tolerance):
    """None are needed, or none are enough."""
    axes = BOOT.value_of_labels(CONDITION, tolerance=tolerance).plot(linewidth=3).ax_
    assert len(axes.lines) == 2
    assert axes.lines[0].get_linewidth() == 3


def test_something_else_is_refused():
    """A display says what it draws."""
    with pytest.raises(InputError, match="worth must be a ValueOfLabels, got int"):
        plots.ValueOfLabelsDisplay(3)

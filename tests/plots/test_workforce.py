import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError


def two():
    """Two classifiers of one point each."""
    return [
        ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a"),
        ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b"),
    ]


def drawn_as(axes, name):
    """The data of the line of that id."""
    (line,) = [line for line in axes.lines if line.get_gid() == name]
    return np.array(line.get_data())


@pytest.mark.parametrize("prevalence", [0.2, 0.5, 0.8])
def test_the_rule_lies_on_the_joint_hull_and_fills_the_workforce(prevalence):
    """It flags the share of cases given, no rule of either model that does catches more, and its cost line meets the virtual point."""
    display = ic.plots.WorkforceDisplay(two(), 0.3, prevalence=prevalence).plot()
    roc, cost = display.ax_
    (x,), (y,) = drawn_as(roc, "rule")
    assert prevalence * y + (1 - prevalence) * x == pytest.approx(0.3)
    hull = drawn_as(roc, "joint hull")
    assert y == pytest.approx(np.interp(x, *hull))
    ends, costs = drawn_as(cost, "rule")
    line = x + ends * (1 - y - x)
    assert costs == pytest.approx(line)
    if prevalence == 0.5:
        assert display.virtual is None
    else:
        assert display.virtual[1] == pytest.approx(x + display.virtual[0] * (1 - y - x))


def test_every_rule_that_fills_the_workforce_passes_through_the_virtual_point():
    """Points of one line of ROC space are lines through one point of cost space."""
    pcf, cost = ic.plots.WorkforceDisplay(two(), 0.3, prevalence=0.2).virtual
    for fpr in (0.15, 0.2, 0.3):
        tpr = (0.3 - 0.8 * fpr) / 0.2
        assert fpr + pcf * (1 - tpr - fpr) == pytest.approx(cost)


def test_the_rule_is_said():
    """Model and threshold, and how often the other is used."""
    assert ic.plots.WorkforceDisplay(two(), 0.3, prevalence=0.2).rule == "a ≥ 0.7; with probability 0.375 b ≥ 0.2"
    at_a_point = ic.plots.WorkforceDisplay(ic.Comparison(two()), 0.3, prevalence=0.5)
    assert at_a_point.rule == "a ≥ 0.7"


def test_what_cannot_be_drawn_is_refused():
    """A share that is none, no prevalence, one pair of axes."""
    with pytest.raises(InputError, match="which share of all cases"):
        ic.plots.WorkforceDisplay(two())
    with pytest.raises(InputError, match="flagged"):
        ic.plots.WorkforceDisplay(two(), 1.0, prevalence=0.2)
    with pytest.raises(InputError, match="prevalence"):
        ic.plots.WorkforceDisplay(two(), 0.3)
    from matplotlib.figure import Figure

    with pytest.raises(InputError, match="two matplotlib axes"):
        ic.plots.WorkforceDisplay(two(), 0.3, prevalence=0.2).plot(Figure().subplots())

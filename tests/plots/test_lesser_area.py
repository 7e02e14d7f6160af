import numpy as np
import pytest

import isocost as ic
from isocost import plots


def test_curves_are_drawn_as_they_are(curves):
    """Through every break, and curved between; higher is better, up to 1."""
    areas = [ic.measures.lesser_area_curve(curve) for curve in curves]
    axes = plots.LesserAreaDisplay(areas).plot().ax_
    for area in areas:
        found = [ln for ln in axes.lines if np.isin(area.breaks, ln.get_xdata()).all()]
        assert any(np.array_equal(ln.get_ydata(), area(ln.get_xdata())) for ln in found)
    lowest = min(line.get_ydata().min() for line in axes.lines)
    assert axes.get_ylim()[0] < lowest
    assert axes.get_ylim()[1] == 1
    assert axes.get_xlim() == (0, 1)
    assert axes.get_xlabel() == "share of the worst cost that false alarms carry (t)"
    assert {text.get_text() for text in axes.texts} == {curve.name for curve in curves}


def test_conditions_are_marked_at_their_t(curves, condition):
    """A line for one, a shade for a range."""
    area = ic.measures.lesser_area_curve(curves[0])
    one = area.plot(over=condition).ax_
    assert any(np.allclose(line.get_xdata(), condition.t) for line in one.lines)
    shade = area.plot(over=ic.Conditions.uniform(t=(0.2, 0.5))).ax_.patches[0]
    assert (shade.get_x(), round(shade.get_width(), 12)) == (0.2, 0.3)


def test_the_best_five_of_twelve_are_named(many):
    """Best by VOROS."""
    areas = [ic.measures.lesser_area_curve(curve) for curve in many]
    display = plots.LesserAreaDisplay(areas).plot()
    best = set(np.argsort([-ic.voros(curve) for curve in many])[:5])
    assert {i for i, look in enumerate(display.looks) if look.named} == best


def test_a_perfect_model_lies_on_the_upper_edge():
    """The axis ends at 1, the most there is."""
    perfect = ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], name="perfect")
    axes = ic.measures.lesser_area_curve(perfect).plot().ax_
    assert axes.get_ylim() == (0.9, 1.0)


def test_second_axis_says_the_cost_ratio_at_each_t(curves):
    """A tick "5:1" stands at the t of a miss that costs five false alarms."""
    display = plots.LesserAreaDisplay(ic.measures.lesser_area_curve(curves[0]), prevalence=0.3).plot()
    display.figure_.draw_without_rendering()
    top = display.ax_.child_axes[0]
    ticks = {label.get_text(): float(x) for label, x in zip(top.get_xticklabels(), top.get_xticks(), strict=True)}
    assert len(ticks) >= 3
    for text, x in ticks.items():
        miss, alarm = map(float, text.split(":"))
        assert x == pytest.approx(ic.Condition(alarm, miss, 0.3).t)

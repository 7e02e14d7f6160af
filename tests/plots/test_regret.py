import numpy as np
import pytest

import isocost as ic
from isocost import plots


def test_curves_and_their_worst_points_are_drawn(curves):
    """Each regret through its breaks, with a dot where it is largest."""
    comparison = ic.Comparison(curves)
    regrets = [comparison.regret(name) for name in comparison.names]
    axes = plots.RegretDisplay(regrets).plot().ax_
    lines = [(ln.get_xdata(), ln.get_ydata()) for ln in axes.lines if ln.get_linewidth() == 1.6]
    grid = np.linspace(0, 1, 501)
    for (x, y), regret in zip(lines, regrets, strict=True):
        assert np.allclose(np.interp(grid, x, y), regret.curve(grid), atol=1e-15)
    dots = [(ln.get_xdata()[0], ln.get_ydata()[0]) for ln in axes.lines if ln.get_marker() == "o"]
    assert dots == [pytest.approx((1 - r.worst_t, r.worst)) for r in regrets]
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylabel() == "extra cost (normalised)"


def test_a_fixed_threshold_is_part_of_the_name(curves):
    """One model may stand there twice."""
    comparison = ic.Comparison(curves)
    fixed = comparison.regret("naive_bayes", threshold=0.25)
    assert plots.RegretDisplay([comparison.regret("naive_bayes"), fixed]).names == ["naive_bayes", "naive_bayes ≥ 0.25"]


def test_no_regret_has_an_axis_with_plain_numbers(curves):
    """The only model is always the best; rounding is not blown up to fill the figure."""
    axes = ic.Comparison(curves[:1]).regret(curves[0].name).plot().ax_
    assert axes.get_ylim() == (0, 0.1)

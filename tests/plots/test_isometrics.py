import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError


def test_lines_are_the_isometrics_with_a_dash_a_skew():
    """Solid for the first skew ratio, dashed for the second, both in the legend."""
    both = [ic.isometrics("accuracy", [0.3, 0.5, 0.8], skew_ratio=c) for c in (1, 0.5)]
    axes = plots.IsometricsDisplay(both).plot().ax_
    lines = [line for isometrics in both for line in isometrics]
    assert len(axes.lines) == len(lines)
    for drawn, line in zip(axes.lines, lines, strict=True):
        assert np.array_equal(drawn.get_xdata(), line.fpr)
        assert np.array_equal(drawn.get_ydata(), line.tpr)
    assert [line.get_linestyle() for line in axes.lines] == ["-"] * 3 + ["--"] * 3
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["skew ratio 1", "skew ratio 0.5"]
    assert axes.get_title() == "Isometrics of accuracy"
    assert sorted(t.get_text() for t in axes.texts) == ["0.3", "0.5", "0.8"]


def test_values_may_be_left_out():
    """And one skew ratio needs no legend."""
    axes = ic.isometrics("precision", [0.5]).plot(values=False).ax_
    assert len(axes.texts) == 0
    assert axes.get_legend() is None


def test_different_metrics_and_too_many_skews_are_refused():
    """They could not be told apart."""
    with pytest.raises(InputError, match="isometrics of one metric make one figure, got accuracy and precision"):
        plots.IsometricsDisplay([ic.isometrics("accuracy", 0.5), ic.isometrics("precision", 0.5)])
    with pytest.raises(InputError, match="at most 3 skew ratios"):
        plots.IsometricsDisplay([ic.isometrics("accuracy", 0.5, skew_ratio=c) for c in (1, 2, 3, 4)])

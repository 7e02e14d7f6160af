import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import IsocostError

# The running example of Hernández-Orallo, Flach and Ferri (2013), and a second model.
A = ic.RocCurve.from_scores([1, 1, 0, 1, 1, 1, 0, 1, 0, 1], range(10, 0, -1), name="A")
B = ic.RocCurve.from_scores([1, 1, 1, 0, 1, 0, 0, 1, 1, 1], range(10, 0, -1), name="B")
GRID = np.linspace(0, 1, 101)


def values(line):
    """The drawn line at every hundredth."""
    return np.interp(GRID, line.get_xdata(), line.get_ydata())


def test_kendall_curves_and_their_skulls_are_drawn():
    """Solid the curve, thin the curve of the hull, for each model."""
    axes = plots.KendallDisplay([A, B]).plot().ax_
    skulls = [line for line in axes.lines if line.get_gid() == "skull"]
    curves = [line for line in axes.lines if line.get_linewidth() == 1.6]
    for curve, drawn, skull in zip((A, B), curves, skulls, strict=True):
        assert np.allclose(values(drawn), ic.kendall_curve(curve)(GRID), atol=1e-12)
        assert np.allclose(values(skull), ic.cost_space.convex_skull(curve, of="kendall")(GRID), atol=1e-12)
    assert axes.get_xlabel() == "share of cases flagged"
    assert axes.get_xlim() == (0, 1)
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylim()[1] > ic.kendall_curve(B).maximum


def test_rate_driven_curves_stand_above_that_of_a_perfect_ranking():
    """The parabolas are drawn as round as they are."""
    axes = plots.KendallDisplay(A, of="rate_driven", skull=False).plot().ax_
    drawn, perfect = axes.lines
    curve = ic.cost_curve(A, method="rate_driven", axis="cost_proportion")
    assert np.allclose(drawn.get_ydata(), curve(np.clip(drawn.get_xdata(), 0, 1)), atol=1e-12)
    assert np.allclose(
        perfect.get_ydata(), ic.cost_space.perfect_ranker_curve(prevalence=0.7)(perfect.get_xdata()), atol=1e-12
    )
    assert {text.get_text() for text in axes.texts} == {"A", "perfect ranking"}


def test_range_of_interest_is_shaded():
    """From its low to its high end."""
    shade = plots.KendallDisplay(A, between=(0.1, 0.5)).plot().ax_.patches[0]
    assert (shade.get_x(), shade.get_width()) == pytest.approx((0.1, 0.4))


def test_a_perfect_ranking_has_a_flat_curve():
    """All zeros, and still a figure."""
    perfect = ic.RocCurve.from_scores([1, 1, 0], [3, 2, 1])
    assert plots.KendallDisplay(perfect).plot().ax_.get_ylim() == (0, 0.1)


def test_unknown_kinds_are_refused():
    """The nearest one is offered."""
    with pytest.raises(IsocostError, match="unknown of 'kendal': did you mean 'kendall'"):
        plots.KendallDisplay(A, of="kendal")


def test_thin_lines_are_explained(curves):
    """One skull is named beside its line, several by a note."""
    one, several = (plots.KendallDisplay(c).plot().ax_ for c in (curves[0], curves))
    assert "convex skull" in [text.get_text() for text in one.texts]
    assert several.get_title(loc="right") == "thin: convex skulls"

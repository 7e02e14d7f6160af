import numpy as np
import pytest

import isocost as ic
from isocost import plots
from isocost.errors import InputError
from isocost.inference import Band


def band_of(difference, pcf, names=("random_forest", "naive_bayes")):
    """A band of a hundredth to both sides."""
    value = difference(pcf)
    return Band(pcf, value - 0.01, value, value + 0.01, value, 0.9, "pointwise", "made up", names)


@pytest.fixture(scope="module")
def difference(curves):
    """Of two models that cross."""
    return ic.Comparison(curves).difference("random_forest", "naive_bayes")


def test_difference_is_drawn_exactly_with_its_zero(difference):
    """Through every break; the sides say who is cheaper."""
    display = plots.DifferenceDisplay(difference).plot()
    x, y = next((ln.get_xdata(), ln.get_ydata()) for ln in display.ax_.lines if ln.get_linewidth() == 1.6)
    grid = np.linspace(0, 1, 501)
    assert np.allclose(np.interp(grid, x, y), difference(grid), atol=1e-15)
    assert display.ax_.get_ylabel().replace("\n", " ") == "cost of random_forest − cost of naive_bayes"
    low, high = display.ax_.get_ylim()
    assert low == -high
    texts = {text.get_text(): text.xy[1] for text in display.ax_.texts}
    assert texts["random_forest cheaper"] == 0
    assert texts["naive_bayes cheaper"] == 1


def test_band_and_significance_are_drawn_where_they_are(difference):
    """The band's edges, and a bar on the side of the better model."""
    pcf = np.linspace(0, 1, 11)
    band = band_of(difference, pcf)
    bars = [(0.6, 0.9, "random_forest"), (0.02, 0.08, "naive_bayes")]
    axes = plots.DifferenceDisplay(difference, band=band, significant=bars).plot().ax_
    edges = [ln.get_ydata() for ln in axes.lines if np.array_equal(ln.get_xdata(), pcf)]
    assert np.array_equal(edges, [band.low, band.high])
    drawn = [(ln.get_xdata(), ln.get_ydata()[0]) for ln in axes.lines if ln.get_gid() == "significant"]
    assert np.allclose([x for x, _ in drawn], [(0.1, 0.4), (0.92, 0.98)])
    assert (drawn[0][1], drawn[1][1]) == (0, 1)  # the lower edge of the axes, and the upper one
    assert axes.get_ylim()[1] > band.high.max()


def test_a_band_brings_its_line_its_names_and_its_significance(difference):
    """The estimate is drawn, and bars where the band keeps away from 0."""
    band = band_of(difference, np.linspace(0, 1, 201))
    display = band.plot()
    assert type(display) is plots.DifferenceDisplay
    assert display.names == ("random_forest", "naive_bayes")
    line = next(ln for ln in display.ax_.lines if ln.get_linewidth() == 1.6)
    assert np.allclose(np.interp(band.pcf, line.get_xdata(), line.get_ydata()), band.centre, atol=1e-15)
    bars = [ln.get_xdata() for ln in display.ax_.lines if ln.get_gid() == "significant"]
    assert np.allclose(bars, [(1 - s.t_high, 1 - s.t_low) for s in band.significant()])
    assert display.ax_.get_title(loc="right") == "bars: significant (90 %, pointwise)"


def test_other_results_are_refused(difference, curves):
    """A difference is a cost curve or a band of two models, and bands are on pcf."""
    with pytest.raises(InputError, match="difference must be a CostCurve or a Band, got RocCurve"):
        plots.DifferenceDisplay(curves[0])
    other = ic.cost_curve(curves[0], axis="cost_proportion")
    pcf = np.linspace(0, 1, 11)
    with pytest.raises(InputError, match="bands are known on the pcf axis"):
        plots.DifferenceDisplay(other - other, band=band_of(difference, pcf))
    with pytest.raises(InputError, match="difference of two models, got one of 'a'"):
        plots.DifferenceDisplay(difference, band=band_of(difference, pcf, names=("a",)))

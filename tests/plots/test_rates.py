import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError
from isocost.inference import curve_band

Y, SCORES = np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.8, 0.7, 0.6, 0.2])


def test_both_rates_are_drawn_as_steps():
    """At every threshold each line passes through its rate there, and stays until the next score."""
    rates = ic.rates_curve(ic.RocCurve.from_scores(Y, SCORES, name="demo"))
    drawn = rates.plot(threshold=0.65)
    for line, which in zip(drawn.ax_.lines[:2], (0, 1), strict=True):
        x, y = line.get_data()
        for cut in (0.2, 0.3, 0.6, 0.65, 0.79, 0.85):
            # Of the corners, those at the next higher threshold hold the rate just below it.
            after = x >= cut
            value = y[after][-1]
            assert value == rates(cut)[which]
    assert drawn.ax_.lines[2].get_xdata()[0] == 0.65
    assert drawn.ax_.get_title() == "demo"


def test_a_long_name_is_shortened_above_the_rates():
    """The title stays inside the figure."""
    curve = ic.RocCurve.from_scores(Y, SCORES, name="credit_risk_2026_gradient_boosting_depth_6_balanced_v2")
    figure = ic.plots.RatesDisplay(ic.rates_curve(curve)).plot().figure_
    figure.draw_without_rendering()
    assert figure.get_tightbbox().x1 <= figure.get_figwidth()


def test_bands_of_rates_are_shaded():
    """Of both rates, at one level; other bands are refused."""
    resampled = ic.bootstrap(np.tile(Y, 20), {"demo": np.tile(SCORES, 20)}, n_resamples=20)
    rates = ic.rates_curve(ic.RocCurve.from_scores(Y, SCORES))
    bands = [curve_band(resampled, "demo", of) for of in ("tpr", "tnr")]
    drawn = ic.plots.RatesDisplay(rates, bands=bands).plot()
    assert len(drawn.ax_.collections) == 2
    assert drawn.ax_.get_title() == "90 % pointwise bands"
    with pytest.raises(InputError, match="of tpr or tnr here"):
        ic.plots.RatesDisplay(rates, bands=curve_band(resampled, "demo", "pr"))
    with pytest.raises(InputError, match="one level"):
        ic.plots.RatesDisplay(rates, bands=[bands[0], curve_band(resampled, "demo", "tnr", level=0.5)])
    with pytest.raises(InputError, match="rates_curve makes one"):
        ic.plots.RatesDisplay(Y)

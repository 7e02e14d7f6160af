import numpy as np
import pytest

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from isocost.inference import curve_band

FORMS = {
    "pr": (ic.pr_curve, ic.plots.PrDisplay),
    "pr_gain": (ic.pr_gain_curve, ic.plots.PrGainDisplay),
    "gain": (ic.gain_curve, ic.plots.GainDisplay),
    "det": (ic.det_curve, ic.plots.DetDisplay),
}


@pytest.fixture(scope="module")
def two():
    """Two models and their resamples."""
    rng = np.random.default_rng(2)
    y = np.arange(80) < 30
    scores = {"a": rng.normal(size=80) + y, "b": rng.normal(size=80) + 0.5 * y}
    return ic.Comparison.from_scores(y, scores), ic.bootstrap(y, scores, n_resamples=30)


def shades(display):
    """The corners of what is shaded."""
    return [shade.get_paths()[0].vertices for shade in display.ax_.collections]


@pytest.mark.parametrize("of", FORMS)
def test_bands_are_shaded_around_their_lines(two, of):
    """One shade a model, in its colour, as high as the limits."""
    comparison, resampled = two
    make, display = FORMS[of]
    bands = [curve_band(resampled, name, of) for name in ("a", "b")]
    drawn = display([make(curve) for curve in comparison.curves], bands=bands).plot()
    assert len(shades(drawn)) == 2
    if of != "det":
        for corners, band in zip(shades(drawn), bands, strict=True):
            assert corners[:, 1].max() == pytest.approx(band.high.max())
            assert corners[:, 1].min() == pytest.approx(band.low.min())
    assert np.isfinite(np.concatenate(shades(drawn))).all()
    assert drawn.ax_.get_title() == "90 % pointwise bands"


def test_lift_is_the_gain_over_the_share(two):
    """So are its limits."""
    comparison, resampled = two
    band = curve_band(resampled, "a", "gain", at=[0.1, 0.5])
    drawn = ic.plots.GainDisplay(ic.gain_curve(comparison["a"]), of="lift", bands=band).plot()
    assert shades(drawn)[0][:, 1].max() == pytest.approx(max(band.high[0] / 0.1, band.high[1] / 0.5))


def test_bands_of_something_else_are_refused(two):
    """Another curve, another model, another prevalence, two levels."""
    comparison, resampled = two
    curves = [ic.gain_curve(curve) for curve in comparison.curves]
    gain = curve_band(resampled, "a", "gain")
    with pytest.raises(InputError, match="bands must be of gain here, got one of pr"):
        ic.plots.GainDisplay(curves, bands=curve_band(resampled, "a", "pr"))
    others = [ic.gain_curve(ic.RocCurve.from_scores([1, 0], [1, 0], name=name), prevalence=3 / 8) for name in "xy"]
    with pytest.raises(UnknownNameError, match="'a'"):
        ic.plots.GainDisplay(others, bands=gain)
    with pytest.raises(InputError, match="make both alike"):
        ic.plots.GainDisplay(curves, bands=curve_band(resampled, "a", "gain", prevalence=0.1))
    with pytest.raises(InputError, match="one level"):
        ic.plots.GainDisplay(curves, bands=[gain, curve_band(resampled, "b", "gain", level=0.5)])
    with pytest.raises(InputError, match="bands must be bands of a bootstrap"):
        ic.plots.GainDisplay(curves, bands=[1])


def test_every_beta_of_a_precision_gain_curve_lies_inside_the_frame(two):
    """The hull runs along the upper and the right end of the frame, so they stand on its other side."""
    display = ic.plots.PrGainDisplay(ic.pr_gain_curve(two[0].curves[0])).plot()
    display.figure_.draw_without_rendering()
    room = display.ax_.get_window_extent()
    texts = [text for text in display.ax_.texts if text.get_text().startswith("β")]
    assert texts
    for text in texts:
        box = text.get_window_extent()
        assert room.x0 <= box.x0
        assert box.x1 <= room.x1
        assert box.y1 <= room.y1

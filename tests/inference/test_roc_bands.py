import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.inference import curve_band
from isocost.inference.band import quantiles
from isocost.inference.curve_bands import tpr_at
from isocost.inference.resample import PlainResampler


def data(n=80, decimals=1):
    """Labels and a model."""
    rng = np.random.default_rng(0)
    y = np.arange(n) < 0.4 * n
    return y, {"a": np.round(rng.normal(size=n) + y, decimals)}


@given(st.floats(0, 1))
def test_tpr_at_an_fpr_is_the_highest_of_the_polygon(fpr):
    """At a vertical step its upper end; between two points the straight line."""
    curve = ic.RocCurve.from_points([0.2, 0.2, 0.6], [0.3, 0.5, 0.9])
    expected = np.interp(fpr, [0.0, 0.2], [0.0, 0.3]) if fpr < 0.2 else np.interp(fpr, [0.2, 0.6, 1.0], [0.5, 0.9, 1.0])
    assert tpr_at(curve, fpr) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("fold", [None, np.arange(80) % 2])
def test_limits_come_from_the_curves_of_resamples(fold):
    """Percentiles of the tpr at each fpr, curve by curve; simultaneous: one width, that of the largest deviation."""
    boot = ic.bootstrap(*data(), n_resamples=60, fold=fold)
    sample, x = boot._sample, np.array([0.0, 0.15, 0.5, 1.0])
    values = []
    for drawn in PlainResampler(sample).draws(4, 64):
        for times in drawn:
            parts = [
                np.repeat(np.flatnonzero(sample.parts == k), times[sample.parts == k]) for k in range(sample.folds)
            ]
            curves = [ic.RocCurve.from_scores(sample.positive[p], sample.scores["a"][p]) for p in parts]
            values.append([np.mean([tpr_at(c, at) for c in curves]) for at in x])
    values = np.array(values)
    band = curve_band(boot, "a", "roc", at=x)
    low, high = quantiles(values, (0.05, 0.95))
    assert (band.low, band.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    wide = curve_band(boot, "a", "roc", kind="simultaneous", at=x)
    reach = quantiles(np.abs(values - wide.centre).max(axis=1)[:, None], (0.9,))[0, 0]
    assert wide.low == pytest.approx((wide.centre - reach).clip(0, 1), abs=1e-12)
    assert wide.high == pytest.approx((wide.centre + reach).clip(0, 1), abs=1e-12)
    assert np.all(wide.high - wide.low >= 0)

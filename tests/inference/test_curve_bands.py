import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.errors import InputError, UnknownNameError
from isocost.inference import curve_band
from isocost.inference.band import quantiles
from isocost.inference.intervals import tpr_at


def data(n=60):
    """Labels and a model with ties."""
    rng = np.random.default_rng(0)
    y = np.arange(n) < 0.4 * n
    return y, {"a": np.round(rng.normal(size=n) + y, 1)}


def slowly(of, curve, x, pi):
    """Read one curve at one place: the best rule, or mix of two neighbours, that reaches it."""
    if of in ("tpr", "tnr"):
        rates = ic.curves.rate_curve(curve)
        return getattr(rates, of)[rates.thresholds >= x][-1]
    found = []
    for i in range(1, len(curve)):
        (x0, y0), (x1, y1) = (curve.fpr[i - 1], curve.tpr[i - 1]), (curve.fpr[i], curve.tpr[i])
        wanted = 1 / (1 + (1 - x) * (1 - pi) / pi) if of == "pr_gain" else x
        ends = (x0, x1) if of == "det" else (y0, y1)
        if of == "gain":
            ends = (pi * y0 + (1 - pi) * x0, pi * y1 + (1 - pi) * x1)
        if not ends[0] - 1e-12 <= wanted <= ends[1] + 1e-12:
            continue
        shares = [0.0, 1.0] if ends[0] == ends[1] else [(wanted - ends[0]) / (ends[1] - ends[0])]
        found += [(x0 + s * (x1 - x0), y0 + s * (y1 - y0)) for s in shares]
    best = {
        "pr": lambda p: pi * p[1] / (pi * p[1] + (1 - pi) * p[0]), "pr_gain": lambda p: 1 - p[0] / p[1],
        "gain": lambda p: p[1], "det": lambda p: p[1],
    }[of]  # fmt: skip
    value = max(best(point) for point in found)
    return 1 - value if of == "det" else value


@pytest.mark.parametrize(
    ("of", "places"),
    [
        ("pr", [0.05, 0.5, 1.0]), ("pr_gain", [-0.5, 0.0, 0.7, 1.0]), ("gain", [0.0, 0.13, 1.0]), ("det", [0.0, 0.31, 1.0]),
        ("tpr", [-9.0, 0.25, 0.3, 9.0]), ("tnr", [-9.0, 0.25, 0.3, 9.0]),
    ],
)  # fmt: skip
def test_limits_are_percentiles_of_the_curves_of_resamples(of, places):
    """Each resample is made into a curve of its own and read slowly."""
    boot = ic.bootstrap(*data(), n_resamples=40)
    sample = boot.sample
    pi = 0.2 if of in ("pr", "pr_gain", "gain") else None
    band = curve_band(boot, "a", of, at=places, level=0.8, prevalence=pi)
    values = []
    for drawn in sample.draws(4, 44):
        for times in drawn:
            rows = np.repeat(np.arange(times.size), times)
            curve = ic.RocCurve.from_scores(sample.positive[rows], sample.scores["a"][rows])
            values.append([slowly(of, curve, x, pi) for x in places])
    low, high = quantiles(np.array(values, dtype=float), (0.1, 0.9))
    assert (band.low, band.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    own = ic.RocCurve.from_scores(*data()[:1], data()[1]["a"])
    assert band.centre == pytest.approx([slowly(of, own, x, pi) for x in places], abs=1e-12)


@pytest.mark.parametrize("of", ["pr", "pr_gain", "gain", "det", "tpr", "tnr"])
def test_by_default_a_band_lies_at_the_points_of_the_curve(of):
    """The centre is the curve of the data there; of many points some are taken."""
    boot = ic.bootstrap(*data(), n_resamples=20)
    curve = ic.RocCurve.from_scores(*data()[:1], data()[1]["a"])
    band = curve_band(boot, "a", of)
    own = {
        "pr": curve.tpr[curve.tpr > 0], "gain": ic.curves.gain_curve(curve).flagged, "det": curve.fpr, "tpr": curve.thresholds[1:],
        "tnr": curve.thresholds[1:], "pr_gain": np.append(0.0, ic.curves.pr_gain_curve(curve).recall_gain),
    }[of]  # fmt: skip
    own = own[own >= 0] if of == "pr_gain" else own
    assert band.at == pytest.approx(np.unique(own), abs=1e-12)
    assert np.all(band.low <= band.centre + 1e-9)
    assert np.all(band.centre <= band.high + 1e-9)
    rng = np.random.default_rng(1)
    many = ic.bootstrap(np.arange(900) < 400, {"b": rng.normal(size=900)}, n_resamples=5)
    assert curve_band(many, "b", "gain").at.size == 401


def test_weights_count():
    """A case of weight 2 is two cases on the curve of the data."""
    y, scores = data()
    weight = np.arange(60) % 3 + 1.0
    band = curve_band(ic.bootstrap(y, scores, sample_weight=weight, n_resamples=5), "a", "gain", at=[0.2, 0.5])
    curve = ic.RocCurve.from_scores(y, scores["a"], sample_weight=weight)
    gains = ic.curves.gain_curve(curve)
    assert band.centre == pytest.approx(np.interp([0.2, 0.5], gains.flagged, gains.tpr), abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"of": "pr", "at": [0.5, 0.2]}, "at must ascend, each value once, got 0.2"),
        ({"of": "pr", "at": [0.0, 0.2]}, "at must lie where precision has a value, got 0.0"),
        ({"of": "pr_gain", "at": [0.5, 1.2]}, "at must lie where precision gain has a value, got 1.2"),
        ({"of": "det", "prevalence": 0.3}, "prevalence= changes nothing about fpr and fnr"),
        ({"of": "gain", "at": [0.2, 1.2]}, "at must"),
        ({"of": "gain", "level": 1.0}, "level"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    """Said with what was expected."""
    boot = ic.bootstrap(*data(), n_resamples=5)
    with pytest.raises(InputError, match=message):
        curve_band(boot, "a", **arguments)


def test_other_models_folds_and_matrices_are_refused():
    """There is no one curve to be sure of."""
    boot = ic.bootstrap(*data(), n_resamples=5)
    with pytest.raises(UnknownNameError, match="lorenz"):
        curve_band(boot, "a", "lorenz")
    with pytest.raises(UnknownNameError, match="b"):
        curve_band(boot, "b", "pr")
    with pytest.raises(InputError, match="resample without fold="):
        curve_band(ic.bootstrap(*data(), n_resamples=5, fold=np.arange(60) % 2), "a", "pr")
    with pytest.raises(InputError, match="needs the cases"):
        curve_band(ic.inference.bootstrap_confusion({"a": (16, 4, 4, 6)}), "a", "pr")
    with pytest.raises(InputError, match="resampled must be what bootstrap"):
        curve_band("boot", "a", "pr")


@given(st.floats(0, 1))
def test_tpr_at_an_fpr_is_the_highest_of_the_polygon(fpr):
    """At a vertical step its upper end; between two points the straight line."""
    curve = ic.RocCurve.from_points([0.2, 0.2, 0.6], [0.3, 0.5, 0.9])
    expected = np.interp(fpr, [0.0, 0.2], [0.0, 0.3]) if fpr < 0.2 else np.interp(fpr, [0.2, 0.6, 1.0], [0.5, 0.9, 1.0])
    assert tpr_at(curve, fpr) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("fold", [None, np.arange(80) % 2])
def test_limits_come_from_the_curves_of_resamples(fold):
    """Percentiles of the tpr at each fpr, curve by curve; simultaneous: one width, that of the largest deviation."""
    boot = ic.bootstrap(*data(80), n_resamples=60, fold=fold)
    sample, x = boot.sample, np.array([0.0, 0.15, 0.5, 1.0])
    values = []
    for drawn in sample.draws(4, 64):
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

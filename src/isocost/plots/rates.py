"""Sensitivity and specificity against the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.errors import InputError
from isocost.inference.curve_bands import CurveBand
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.labels import Points, name_lines
from isocost.plots.models import looks_of, several
from isocost.plots.style import MUTED
from isocost.results.short_names import shorten
from isocost.roc_space.rates_by_threshold import RatesCurve

_NAMES = ("sensitivity (tpr)", "specificity (1 − fpr)")
# Beyond the outermost scores nothing changes; so much of their range is shown of it.
_BEYOND = 0.03


class RatesDisplay(Display):
    """Sensitivity and specificity of one model against its threshold, as the steps they are.

    Parameters
    ----------
    curve : RatesCurve
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "tpr")` and `"tnr"`, drawn as shades.
    threshold : float, optional
        One to mark.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.rates_curve(curve).plot(threshold=0.6).ax_.get_xlabel()
    'threshold: cases are flagged from this score on'
    """

    def __init__(self, curve: RatesCurve, *, bands: Any = None, threshold: float | None = None) -> None:
        if not isinstance(curve, RatesCurve):
            raise InputError(f"curve must be a RatesCurve, got {type(curve).__name__}: rates_curve makes one")
        self.curve = curve
        self.threshold = None if threshold is None else validate.number(threshold, "threshold")
        self.bands: list[CurveBand] = [] if bands is None else several(bands, CurveBand, "bands")
        for band in self.bands:
            if band.of not in ("tpr", "tnr"):
                raise InputError(f"bands must be of tpr or tnr here, got one of {band.of}")
        if len({band.level for band in self.bands}) > 1:
            raise InputError("bands of one level make one figure")
        self.looks = looks_of(_NAMES, [0.0, 1.0])

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x="threshold: cases are flagged from this score on", y="share")
        scores = self.curve.thresholds[np.isfinite(self.curve.thresholds)]
        low, high = float(scores.min()), float(scores.max())
        beyond = _BEYOND * (high - low or 1.0)
        axes.set(xlim=(low - beyond, high + beyond), ylim=(0, 1.02))
        for band in self.bands:
            colour = self.looks[("tpr", "tnr").index(band.of)].colour
            axes.fill_between(band.at, band.low, band.high, step="pre", color=colour, alpha=0.15, linewidth=0, zorder=1)
        if self.bands or self.curve.model is not None:
            said = [] if self.curve.model is None else shorten([self.curve.model])
            said += [f"{100 * self.bands[0].level:g} % pointwise bands"] if self.bands else []
            axes.set_title(", ".join(said), fontsize=text_size(axes, 1.1), parse_math=False)
        drawn: list[Points] = []
        for rates, look in zip((self.curve.tpr, self.curve.tnr), self.looks, strict=True):
            points = _steps(self.curve.thresholds, rates, low - beyond, high + beyond)
            axes.plot(*points, **look.line(**style))
            drawn.append(points)
        if self.threshold is not None:
            axes.axvline(self.threshold, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        ink: list[Points] = [] if self.threshold is None else [([self.threshold] * 2, [0.0, 1.0])]
        name_lines(axes, list(_NAMES), drawn, self.looks, ink)


def _steps(thresholds: np.ndarray, rates: np.ndarray, low: float, high: float) -> Points:
    """Return the corners of a step function: at a threshold its own cases are flagged, just above it they are not."""
    ends = np.clip(thresholds, low, high)
    x = np.append(np.repeat(ends, 2)[1:], low)
    return x, np.repeat(rates, 2)

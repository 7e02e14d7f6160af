"""Misses against false alarms on the scale of normal deviates."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.inference.curve_bands import CurveBand
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.labels import Points, Tag
from isocost.plots.lines import LinesDisplay
from isocost.plots.style import MUTED
from isocost.roc_space.detection import DetCurve

_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)


class DetDisplay(LinesDisplay):
    """Detection error trade-off: share of positives missed against share of negatives flagged, on scales of normal deviates.

    Points at 0 and 1 lie infinitely far out; they are drawn half a step beyond the last point inside.

    Parameters
    ----------
    curves : DetCurve or several of them
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "det")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the lowest equal error rate.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.det_curve(curve).plot().ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    _of = ("det",)
    _kind = DetCurve
    _labels = (AXIS_LABELS["fpr"], "share of positives missed (1 − tpr)")

    def _merit(self, curve: DetCurve) -> float:
        return -curve.equal_error_rate

    def _line(self, curve: DetCurve) -> Points:
        from scipy.special import ndtri

        return ndtri(_inside(curve.fpr)), ndtri(_inside(curve.fnr))

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        from scipy.special import ndtri

        # The limits are cut where the line is.
        inside = _nearest(self.curves[self.names.index(band.name) if band.name in self.names else 0].fnr)
        low, high = (ndtri(np.clip(limit, inside, 1 - inside)) for limit in (band.low, band.high))
        return ndtri(_inside(band.at)), low, high

    def _surround(self, axes: Axes) -> list[Tag]:
        from scipy.special import ndtri

        lines = [self._line(curve) for curve in self.curves]
        x = np.concatenate([np.asarray(line[0]) for line in lines])
        y = np.concatenate([np.asarray(line[1]) for line in lines])
        axes.set(xlim=(x.min(), x.max()), ylim=(y.min(), y.max()))
        for low, high, place in ((x.min(), x.max(), axes.xaxis), (y.min(), y.max(), axes.yaxis)):
            ticks = [share for share in _TICKS if low <= ndtri(share) <= high]
            place.set_ticks([float(ndtri(share)) for share in ticks], [f"{100 * share:g} %" for share in ticks])
        ends = np.array([max(x.min(), y.min()), min(x.max(), y.max())])
        axes.plot(ends, ends, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("equal error rates", ends, ends, MUTED)]


def _inside(rates: np.ndarray) -> np.ndarray:
    """Return rates with 0 and 1 moved to half of the smallest step beside them."""
    nearest = _nearest(rates)
    return np.asarray(np.clip(rates, nearest, 1 - nearest))


def _nearest(rates: np.ndarray) -> float:
    """Return half of the smallest step beside 0 and 1."""
    steps = rates[(rates > 0) & (rates < 1)]
    return float(min(steps.min(), 1 - steps.max())) / 2 if steps.size else 0.25

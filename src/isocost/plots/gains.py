"""Cumulative gains, and lift."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.inference.curve_bands import CurveBand
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.labels import Points, Tag
from isocost.plots.lines import LinesDisplay
from isocost.plots.style import MUTED
from isocost.roc_space.gains import GainCurve

Of = Literal["gain", "lift"]
OF: tuple[Of, ...] = ("gain", "lift")


class GainDisplay(LinesDisplay):
    """Share of positives caught, or lift, against share of cases flagged; dotted: flagging at random.

    Parameters
    ----------
    curves : GainCurve or several of them
    of : {"gain", "lift"}
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "gain")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the largest area.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.gain_curve(curve).plot(of="lift").ax_.get_ylabel()
    'lift: times as many positives as at random'
    """

    _of = ("gain",)
    _kind = GainCurve
    _labels = (AXIS_LABELS["flagged"], AXIS_LABELS["tpr"])

    def __init__(self, curves: Any, *, of: Of = "gain", **options: Any) -> None:
        validate.choice(of, "of", OF)
        self.of = of
        super().__init__(curves, **options)

    def _merit(self, curve: GainCurve) -> float:
        return curve.accuracy_ratio

    def _line(self, curve: GainCurve) -> Points:
        return curve.flagged, curve.tpr if self.of == "gain" else curve.lift

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        if self.of == "gain":
            return super()._limits(band)
        x = band.at[band.at > 0]
        return x, band.low[band.at > 0] / x, band.high[band.at > 0] / x

    def _surround(self, axes: Axes) -> list[Tag]:
        x = np.array([0.0, 1.0])
        if self.of == "lift":
            axes.set_ylabel("lift: times as many positives as at random")
            axes.set(xlim=(0, 1), ylim=(0, 1.08 * max(float(curve.lift.max()) for curve in self.curves)))
        else:
            axes.set(xlim=(0, 1), ylim=(0, 1.02))
        y = x if self.of == "gain" else np.ones(2)
        axes.plot(x, y, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("flagging at random", x, y, MUTED)]

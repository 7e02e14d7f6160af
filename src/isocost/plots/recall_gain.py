"""Precision gain against recall gain."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from isocost.plots.display import text_size
from isocost.plots.labels import Points, Tag
from isocost.plots.lines import LinesDisplay
from isocost.plots.style import INK
from isocost.roc_space.recall_gain import PrGainCurve

# The least distance between two labels, in gains.
_APART = 0.1
# Left of this a label has its room on the right.
_NARROW = 0.18


class PrGainDisplay(LinesDisplay):
    """Precision gain against recall gain, from recall gain 0; for a single model also the hull, with the β at which its vertices change.

    Parameters
    ----------
    curves : PrGainCurve or several of them
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "pr_gain")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the largest area.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.pr_gain_curve(curve).plot().ax_.get_xlabel()
    'recall gain'
    """

    _of = ("pr_gain",)
    _kind = PrGainCurve
    _labels = ("recall gain", "precision gain")

    def _merit(self, curve: PrGainCurve) -> float:
        return curve.area

    def _line(self, curve: PrGainCurve) -> Points:
        seen = np.isfinite(curve.recall_gain) & np.isfinite(curve.precision_gain)
        return curve.recall_gain[seen], curve.precision_gain[seen]

    def _surround(self, axes: Axes) -> list[Tag]:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        if len(self.curves) > 1:
            return []
        hull, colour = self.curves[0].hull, self.looks[0].colour
        x = np.array([vertex.recall_gain for vertex in hull])
        y = np.array([vertex.precision_gain for vertex in hull])
        axes.plot(
            x, y, color=colour, linewidth=0.8, linestyle=(0, (2, 1.5)), marker="o", markersize=3, zorder=2, gid="hull"
        )
        size, last = text_size(axes, 0.85), (-1.0, -1.0)
        for vertex, after in pairwise(hull):
            middle = (max(vertex.recall_gain, 0.0) + after.recall_gain) / 2
            height = float(np.interp(middle, x, y))
            # Where vertices crowd, their labels would cover each other.
            if after.recall_gain <= 0 or math.dist((middle, height), last) < _APART:
                continue
            last = (middle, height)
            # On the side of the curve where there is room: the other ends at the frame.
            side = "right" if middle > _NARROW else "left"
            axes.annotate(
                f"β = {vertex.beta_high:.2g}", last, xytext=(-5 if side == "right" else 0, -6),
                textcoords="offset points", fontsize=size, color=INK, ha=side, va="top",
            )  # fmt: skip
        return []

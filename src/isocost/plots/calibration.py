"""Do scores mean what they say: share of positives against score."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.cost_space.score_driven import probabilities_of
from isocost.measures import calibration_loss
from isocost.plots.labels import Points, Tag
from isocost.plots.lines import LinesDisplay
from isocost.plots.style import MUTED
from isocost.roc_space import RocCurve
from isocost.roc_space.calibration import reliability_bins


class CalibrationDisplay(LinesDisplay):
    """Share of positives at each score, by the isotonic line of the hull; dotted: scores that mean what they say.

    The line is `curve.calibrator()`: as many steps as the hull has edges, with no bins to choose. It is fitted to the cases at
    hand, so small steps away from the diagonal are chance.

    Parameters
    ----------
    curves : RocCurve or several of them
        Of scores between 0 and 1.
    bins : int, optional
        Also draw this many bins of about equal size: mean score and share of positives.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the lowest calibration loss.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.plots.CalibrationDisplay(curve).plot().ax_.get_ylabel()
    'share of positives'
    """

    _kind = RocCurve
    _labels = ("score", "share of positives")

    def __init__(self, curves: Any, *, bins: int | None = None, **options: Any) -> None:
        self.bins = None if bins is None else validate.whole(bins, "bins", low=2)
        super().__init__(curves, **options)

    def _name(self, curve: RocCurve) -> str | None:
        return curve.name

    def _merit(self, curve: RocCurve) -> float:
        return -calibration_loss(curve)

    def _line(self, curve: RocCurve) -> Points:
        probabilities_of(curve, "a figure of calibration")
        found = curve.calibrator()
        # Ascending: each step begins at its lowest score, and the lowest reaches down to 0.
        starts, shares = found.thresholds[::-1].copy(), found.probabilities[::-1]
        starts[0] = 0.0
        return np.append(np.repeat(starts, 2)[1:], 1.0), np.repeat(shares, 2)

    def _surround(self, axes: Axes) -> list[Tag]:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        bins = self.bins
        for curve, look in zip(self.curves, self.looks, strict=True):
            rows = [] if bins is None else reliability_bins(curve, bins)
            if not rows:
                continue
            x, y = [row.score for row in rows], [row.share for row in rows]
            axes.plot(x, y, color=look.colour, linestyle="", marker="o", markersize=4, zorder=3, gid="bins")
        ends = np.array([0.0, 1.0])
        axes.plot(ends, ends, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("scores as they should be", ends, ends, MUTED)]

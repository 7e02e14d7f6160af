"""The area of lesser classifiers at each t, whose mean is the VOROS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.conditions import Condition, Conditions
from isocost.measures.lesser_area import LesserAreaCurve
from isocost.plots import buckets
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.cost_axes import ratio_axis
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, name_lines
from isocost.plots.models import looks_of, names_of, several
from isocost.plots.style import INK
from isocost.validate import Floats

# Enough that the curved pieces look as round as they are.
_PER_PIECE = 16


class LesserAreaDisplay(Display):
    """The share of ROC space that is no better than a model, at each t; higher is better, the mean is the VOROS.

    Parameters
    ----------
    curves : LesserAreaCurve or several of them
        From `lesser_area_curve`.
    over : Condition or Conditions, optional
        Draw a line at the condition, or shade the range.
    best_case : LesserAreaCurve or several of them, optional
        For counts in buckets: the curves of the best case that the buckets allow; `curves` are then those of the worst case. The
        gap between them is shaded, and its width stated.
    prevalence : float, optional
        Adds a second axis: the ratio of costs that each t stands for when this share is positive.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the best five.

    References
    ----------
    Ratigan & Cowen (2025), The VOROS, AAAI 39:20148-20156, doi:10.1609/aaai.v39i19.34219.

    Examples
    --------
    >>> import isocost as ic
    >>> area = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7], name="one point"))
    >>> display = ic.plots.LesserAreaDisplay(area).plot()
    >>> display.ax_.get_ylabel()
    'area of lesser classifiers (0 to 1)'
    """

    _size = (5.0, 3.6)

    def __init__(
        self,
        curves: Any,
        *,
        over: Condition | Conditions | None = None,
        best_case: Any = None,
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.curves: list[LesserAreaCurve] = several(curves, LesserAreaCurve, "curves")
        self.best_case: list[LesserAreaCurve] = buckets.best_cases(best_case, self.curves, LesserAreaCurve)
        self.over = over
        self.prevalence = prevalence
        self.names = names_of(self.curves)
        self.looks = looks_of(self.names, [-curve.expectation(over) for curve in self.curves], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        drawn: list[Points] = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            t = _between(curve.breaks)
            area = curve(t)
            axes.plot(t, area, **look.line(**({"clip_on": False} | style)))
            drawn.append((t, area))
        for curve, points, look in zip(self.best_case, drawn, self.looks, strict=False):
            t = _between(curve.breaks)
            buckets.shade(axes, points, (t, curve(t)), look)
        lowest = min(float(np.min(area)) for _, area in drawn)
        axes.set(xlim=(0, 1), ylim=(max(min(lowest - 0.06 * (1 - lowest), 0.9), 0), 1.0))
        ink: list[Points] = []
        if isinstance(self.over, Condition):
            axes.axvline(self.over.t, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
            ink.append(([self.over.t] * 2, [lowest, 1]))
        elif self.over is not None:
            axes.axvspan(self.over.low, self.over.high, color=INK, alpha=0.07, linewidth=0, zorder=0)
        label_axes(axes, x=AXIS_LABELS["t"], y="area of lesser classifiers (0 to 1)")
        if self.prevalence is not None:
            ratio_axis(axes, "t", self.prevalence)
        if self.best_case:
            pairs = zip(self.best_case, self.curves, strict=True)
            buckets.say(axes, "VOROS", max(a.expectation(self.over) - b.expectation(self.over) for a, b in pairs))
        if any(self.names):
            name_lines(axes, self.names, drawn, self.looks, ink)


def _between(breaks: Floats) -> Floats:
    """Return every break and points between."""
    inner = breaks[:-1, None] + np.diff(breaks)[:, None] * np.linspace(0, 1, _PER_PIECE, endpoint=False)
    return np.append(inner.ravel(), breaks[-1])

"""Precision against recall."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.errors import InputError
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.labels import Points, Tag
from isocost.plots.lines import LinesDisplay
from isocost.plots.style import MUTED
from isocost.roc_space.precision_recall import PrCurve

# Points drawn along the hyperbola between two thresholds, where there are few of them.
_BETWEEN, _MOST_STEPS = 24, 400


class PrDisplay(LinesDisplay):
    """Precision against recall, curved between thresholds as if they were mixed; dotted: flagging at random.

    Parameters
    ----------
    curves : PrCurve or several of them
        At one prevalence.
    bands : CurveBand or several of them, optional
        From `inference.curve_band(resampled, name, "pr")`, drawn as shades.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the largest area.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.pr_curve(curve).plot().ax_.get_xlabel()
    'recall: share of positives flagged (tpr)'
    """

    _of = ("pr",)
    _kind = PrCurve
    _labels = (f"recall: {AXIS_LABELS['tpr']}", "precision: share of flagged that are positive")

    def __init__(self, curves: Any, **options: Any) -> None:
        super().__init__(curves, **options)
        if len({curve.prevalence for curve in self.curves}) > 1:
            raise InputError("curves of one prevalence make one figure: precision differs between prevalences")

    def _merit(self, curve: PrCurve) -> float:
        return curve.area

    def _line(self, curve: PrCurve) -> Points:
        recall, precision, pi = curve.recall, curve.precision, curve.prevalence
        if recall.size > _MOST_STEPS:
            return recall, precision
        flagged = np.where(recall > 0, pi * recall / np.where(precision > 0, precision, 1.0), 0.0)
        steps = np.linspace(0, 1, _BETWEEN)
        caught, wide = (a[:-1, None] + np.diff(a)[:, None] * steps for a in (pi * recall, flagged))
        with np.errstate(invalid="ignore"):
            bent = np.where(wide > 0, caught / wide, precision[1:, None])
        return (caught / pi).ravel(), bent.ravel()

    def _surround(self, axes: Axes) -> list[Tag]:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        level = self.curves[0].prevalence
        x = np.array([0.0, 1.0])
        axes.plot(x, [level, level], color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        return [Tag("flagging at random", x, np.full(2, level), MUTED)]

"""The lower envelope of cost lines: the dual of the ROC hull."""

from __future__ import annotations

import numpy as np

from isocost.cost_space.axes import Axis
from isocost.cost_space.curve import CostCurve
from isocost.roc_space import RocCurve


def envelope(curve: RocCurve, *, axis: Axis = "pcf", prevalence: float | None = None) -> CostCurve:
    """Return the cheapest cost at each x, trivial classifiers included: one line per hull vertex."""
    hull = curve.hull
    # From (0, 0), cheapest at t = 1, that is pcf = 0, to (1, 1).
    breaks = np.concatenate([[0.0], (1 - curve.switch_t)[::-1], [1.0]])
    result = CostCurve.from_lines(breaks, hull.fpr, 1 - hull.tpr, name=curve.name)
    return result if axis == "pcf" else result._on_axis(axis, prevalence=curve._prevalence_or(prevalence))


def line(
    fpr: float, tpr: float, *, axis: Axis = "pcf", prevalence: float | None = None, name: str | None = None
) -> CostCurve:
    """Return the cost line of one operating point."""
    if axis == "pcf":
        return CostCurve.from_lines([0.0, 1.0], [fpr], [1 - tpr], name=name)
    pi = 0.5 if prevalence is None else prevalence
    return CostCurve.from_lines(
        [0.0, 1.0], [2 * (1 - pi) * fpr], [2 * pi * (1 - tpr)], axis=axis, prevalence=pi, name=name
    )

"""What a metric given as a plain function looks like: told from its values and slopes at evenly spread points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from isocost.errors import InputError
from isocost.point_metrics.differentiation import turn
from isocost.point_metrics.paths import Locus, trace
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.point_metrics.metric import PointMetric

Landscape = Literal["parallel", "rotating", "nonlinear"]

# Points that fill the square evenly, skews on both sides of 1.
_GOLDEN = np.arange(1, 65)[:, None] * np.array([0.7548776662466927, 0.5698402909980532]) % 1.0
SAMPLE_FPR: Floats = 0.01 + 0.98 * _GOLDEN[:, 0]
SAMPLE_TPR: Floats = 0.01 + 0.98 * _GOLDEN[:, 1]
SAMPLE_SKEWS: tuple[float, ...] = (0.02, 0.2, 0.5, 1.0, 3.0, 10.0, 70.0)


def landscape(metric: PointMetric, skew_ratio: float = 1.0) -> tuple[Landscape, tuple[float, float] | None]:
    """Tell the landscape of a function, and the rotation point of its lines, from slopes at evenly spread points."""
    h, k, c = SAMPLE_FPR, SAMPLE_TPR, np.asarray(skew_ratio)
    slope = metric.effective_skew(h, k, c)
    known = np.isfinite(slope) | np.isinf(slope)
    h, k, slope = h[known], k[known], slope[known]
    if not h.size:
        raise InputError(f"metric {metric.name!r} is constant at skew ratio {skew_ratio:g}: it has no isometrics")
    angle = np.arctan(slope)
    for reach in (-0.4, -0.1, 0.1, 0.4):
        there_h, there_k = h + reach * np.cos(angle), k + reach * np.sin(angle)
        inside = (there_h >= 0) & (there_h <= 1) & (there_k >= 0) & (there_k <= 1)
        there = metric.effective_skew(there_h[inside], there_k[inside], c)
        if np.any(turn(there, slope[inside]) > 1e-6):
            return "nonlinear", None
    if np.all(turn(slope, slope[:1]) <= 1e-6):
        return "parallel", None
    # Lines sin·h - cos·k = const; the point that best lies on all of them.
    rows = np.column_stack([np.sin(angle), -np.cos(angle)])
    offsets = rows[:, 0] * h + rows[:, 1] * k
    centre = np.linalg.lstsq(rows, offsets)[0]
    common = bool(np.all(np.abs(rows @ centre - offsets) <= 1e-6))
    return "rotating", (float(centre[0]), float(centre[1])) if common else None


def indifference(metric: PointMetric) -> Locus:
    """Return where the values at all sampled skew ratios coincide."""
    weights = [np.asarray(c) for c in SAMPLE_SKEWS]
    one = np.asarray(1.0)

    def difference(h: Floats, k: Floats, c: Any) -> Floats:
        return metric.value_at(h, k, one, c) - metric.value_at(h, k, one, one)

    found = trace(lambda h, k: difference(h, k, weights[-1]), caller=f"skew_indifference of {metric.name}")
    if found.whole_square:
        h, k = SAMPLE_FPR, SAMPLE_TPR
        if all(np.all(np.abs(difference(h, k, c)) <= 1e-12) for c in weights):
            return found
    # A crossing of two skews counts only if every other skew passes through it.
    kept = []
    for path in found.paths:
        share = np.linspace(0.0, path.fpr.size - 1, 33)[1:-1] if path.fpr.size > 1 else np.zeros(1)
        h, k = (np.interp(share, np.arange(path.fpr.size), axis) for axis in (path.fpr, path.tpr))
        if path.fpr.size > 2:
            h, k = path.fpr, path.tpr
        if all(np.all(np.abs(difference(h, k, c)) <= 1e-9) for c in weights):
            kept.append(path)
    return Locus(False, tuple(kept))

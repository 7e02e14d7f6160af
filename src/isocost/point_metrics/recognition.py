"""What a metric given as a plain function looks like: told from its values and slopes at evenly spread points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from isocost.errors import InputError
from isocost.point_metrics.differentiation import turn
from isocost.point_metrics.paths import Locus, inner_points, trace
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
    one = np.asarray(1.0)

    def differences(h: Floats, k: Floats) -> list[Floats]:
        base = metric.value_at(h, k, one, one)
        return [metric.value_at(h, k, one, np.asarray(c)) - base for c in SAMPLE_SKEWS if c != 1]

    def mixed(h: Floats, k: Floats) -> Floats:
        # Weights without a pattern: differences that do not vanish together do not cancel either, except by chance.
        total: Floats = np.zeros(np.broadcast_shapes(h.shape, k.shape))
        for index, difference in enumerate(differences(h, k)):
            total = total + math.cos(index + 1) * difference
        return total

    def everywhere(h: Floats, k: Floats) -> bool:
        return all(bool(np.all(np.abs(difference) <= 1e-9)) for difference in differences(h, k))

    found = trace(mixed, caller=f"skew_indifference of {metric.name}")
    if found.whole_square:
        return Locus(everywhere(SAMPLE_FPR, SAMPLE_TPR), ())
    # A crossing of some skews counts only if every other skew passes through it.
    return Locus(False, tuple(path for path in found.paths if everywhere(*inner_points(path))))

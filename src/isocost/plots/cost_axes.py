"""The x axis of cost space: plain or in log odds, with a second axis in cost ratios."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.cost_space import CostCurve
from isocost.cost_space.axes import Axis
from isocost.errors import InputError
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.display import text_size, width_of
from isocost.validate import Floats

Scale = Literal["linear", "log-odds"]
SCALES: tuple[Scale, ...] = ("linear", "log-odds")

# Enough that a parabola, or a straight line on the log-odds scale, looks as round as it is.
_PER_PIECE = 24


def polyline(curve: CostCurve, scale: Scale = "linear") -> tuple[Floats, Floats]:
    """Return the points to draw a curve through: the ends of its pieces, and points between where it is not straight."""
    between = _PER_PIECE if scale == "log-odds" else np.where(curve._bend != 0, _PER_PIECE, 1)
    steps = np.broadcast_to(between, curve._left.shape)
    if scale == "linear" and curve._degree < 2:
        x, y = curve.ends
    else:
        parts = []
        for i, n in enumerate(steps.tolist()):
            u = np.linspace(0, 1, n + 1)
            if scale == "log-odds":
                u = _spread(float(curve.breaks[i]), float(curve.breaks[i + 1]), n)
            x_part = (1 - u) * curve.breaks[i] + u * curve.breaks[i + 1]
            y_part = (1 - u) * curve._left[i] + u * curve._right[i] + 4 * curve._bend[i] * u * (1 - u)
            parts.append(np.column_stack([x_part, y_part]))
        x, y = np.concatenate(parts).T
    same = np.concatenate([[False], (np.diff(x) == 0) & (np.diff(y) == 0)])
    return x[~same], y[~same]


def _spread(low: float, high: float, n: int) -> Floats:
    """Return positions from 0 to 1 between two breaks whose log odds are spread evenly."""
    first, last = (math.log(x / (1 - x)) for x in (max(low, 1e-9), min(high, 1 - 1e-9)))
    x = 1 / (1 + np.exp(-np.linspace(first, last, 4 * n)))
    return np.asarray(np.clip((x - low) / (high - low), 0, 1))


def finish_x(axes: Axes, axis: Axis, *, scale: Scale, inner: Floats, prevalence: float | None) -> None:
    """Set scale, limits, label and the second axis of a cost space.

    `inner` holds the x that must be seen on a log-odds scale, which has no ends.
    """
    size = text_size(axes)
    label = AXIS_LABELS[axis]
    axes.set_xlabel(label if scale == "linear" else label.replace(" (pcf)", "") + " (log odds)", fontsize=size)
    if scale == "linear":
        axes.set_xlim(0, 1)
    else:
        seen = inner[(inner > 0) & (inner < 1)]
        low = min(0.05, float(seen.min(initial=0.05)) / 2)
        high = max(0.95, 1 - (1 - float(seen.max(initial=0.95))) / 2)
        axes.set_xscale("logit")
        axes.set_xlim(low, high)
        ticks = [10.0**-k for k in range(6, 0, -1)] + [0.5] + [1 - 10.0**-k for k in range(1, 7)]
        ticks = [x for x in ticks if low <= x <= high]
        axes.set_xticks(ticks, [f"{x:.7g}" for x in ticks])
        axes.minorticks_off()
    axes.tick_params(labelsize=text_size(axes, 0.92))
    if prevalence is not None:
        ratio_axis(axes, axis, prevalence)


def ratio_axis(axes: Axes, axis: Axis | Literal["t"], prevalence: float) -> None:
    """Write, on top, how many false alarms a miss costs at each x."""
    size = text_size(axes)
    pi = validate.strictly_between(prevalence, "prevalence", 0, 1)
    # At a cost ratio r: pcf = r·π/(r·π + 1 - π), t = 1 - pcf, and the cost proportion is r/(1 + r) whatever the prevalence.
    weight = 1.0 if axis == "cost_proportion" else pi / (1 - pi)
    ratios = np.array([m * 10.0**k for k in range(-4, 5) for m in (1, 2, 5)])
    x = ratios * weight / (ratios * weight + 1)
    if axis == "t":
        x = 1 - x
    low, high = axes.get_xlim()
    to_screen = axes.transData.transform
    left, right = (float(to_screen((v, 0.5))[0]) for v in (low, high))
    # Round ratios win over 2s and 5s where there is no room for all.
    room = (right - left) * 3.4 * size / (72 * width_of(axes))
    order = sorted(
        range(ratios.size), key=lambda i: (not math.log10(ratios[i]).is_integer(), abs(math.log10(ratios[i])))
    )
    taken: list[float] = []
    ticks: list[int] = []
    for i in order:
        if not low < x[i] < high:
            continue
        at = float(to_screen((float(x[i]), 0.5))[0])
        if left + 0.4 * room < at < right - 0.4 * room and all(abs(at - other) > room for other in taken):
            taken.append(at)
            ticks.append(i)
    top = axes.secondary_xaxis("top", functions=(lambda v: v, lambda v: v))
    # Of itself it follows the limits of the axes below, but no other scale than a logarithm.
    top.set_xscale(axes.get_xscale())
    top.spines["top"].set_visible(True)
    ticks.sort()
    top.set_xticks([float(x[i]) for i in ticks], [_ratio_text(float(ratios[i])) for i in ticks])
    top.minorticks_off()
    top.tick_params(labelsize=text_size(axes, 0.92))
    where = "" if axis == "cost_proportion" else f" at {100 * pi:.3g} % positive"
    top.set_xlabel(f"cost ratio, miss : false alarm{where}", fontsize=size)


def _ratio_text(ratio: float) -> str:
    return f"{ratio:g}:1" if ratio >= 1 else f"1:{1 / ratio:g}"


def same_axis(curves: list[CostCurve]) -> tuple[Axis, float | None]:
    """Return the axis all curves are on, or say that they differ."""
    found = {(curve.axis, curve.prevalence) for curve in curves}
    if len(found) > 1:
        said = " and ".join(sorted(f"{axis} (prevalence {pi})" for axis, pi in found))
        raise InputError(f"curves on different axes cannot share a figure: {said}")
    return found.pop()

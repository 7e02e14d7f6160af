"""The axes of cost space: plain or in log odds, a second axis in cost ratios, and the trivial classifiers' triangle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes

from isocost.curves import CostCurve
from isocost.curves.cost import Axis, trivial_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.plots.display import AXIS_LABELS, MUTED, Scale, settle, text_size, width_of
from isocost.plots.labels import Points, gap, pixels

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
    pi = checks.strictly_between(prevalence, "prevalence", 0, 1)
    # At a cost ratio r: pcf = r·π/(r·π + 1 - π), t = 1 - pcf, and the cost proportion is r/(1 + r) whatever the prevalence.
    weight = 1.0 if axis == "cost_proportion" else pi / (1 - pi)
    ratios = np.array([m * 10.0**k for k in range(-4, 5) for m in (1, 2, 5)])
    x = ratios * weight / (ratios * weight + 1)
    if axis == "t":
        x = 1 - x
    low, high = axes.get_xlim()
    to_screen = axes.transData.transform
    left, right = (float(to_screen((v, 0.5))[0]) for v in (low, high))
    # Round ratios win over 2s and 5s where there is no space for all.
    bounds = (right - left) * 3.4 * size / (72 * width_of(axes))
    order = sorted(
        range(ratios.size), key=lambda i: (not math.log10(ratios[i]).is_integer(), abs(math.log10(ratios[i])))
    )
    taken: list[float] = []
    ticks: list[int] = []
    for i in order:
        if not low < x[i] < high:
            continue
        at = float(to_screen((float(x[i]), 0.5))[0])
        if left + 0.4 * bounds < at < right - 0.4 * bounds and all(abs(at - other) > bounds for other in taken):
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


# Along a side from its foot to the peak, and outside of the triangle before inside: first come, first served.
_PLACES = [(share, side) for side in (1, -1) for share in (0.62, 0.5, 0.72, 0.38, 0.82, 0.28, 0.9, 0.2)]


def draw_trivial(axes: Axes, *, axis: Axis = "pcf", prevalence: float | None = None, scale: Scale = "linear") -> Points:
    """Draw both as one dotted line, and return its points."""
    points = polyline(trivial_curve(axis, prevalence), scale)
    axes.plot(*points, color=MUTED, linewidth=0.9, linestyle=":", zorder=2, gid="trivial")
    return points


def name_trivial(
    axes: Axes, ink: Sequence[Points], *, axis: Axis = "pcf", prevalence: float | None = None, scale: Scale = "linear"
) -> None:
    """Name the two sides of the triangle along them, where the name covers nothing else; else leave it to the reader."""
    if scale != "linear":
        return
    settle(axes)
    curve = trivial_curve(axis, prevalence)
    drawn = np.concatenate([np.empty((0, 2)), *(pixels(axes, *points) for points in ink)])
    for text, end in (("flag nobody", 0.0), ("flag everybody", 1.0)):
        _name_side(axes, text, curve, end, drawn)


def _name_side(axes: Axes, text: str, curve: CostCurve, end: float, drawn: Floats) -> None:
    peak, height = float(curve.breaks[1]), curve.maximum
    slope = float(np.degrees(np.arctan2(height, peak) if end == 0 else np.arctan2(-height, 1 - peak)))
    label = axes.text(
        0, 0, text, color=MUTED, ha="center", va="center", fontsize=text_size(axes, 0.85), rotation_mode="anchor", zorder=2.5
    )  # fmt: skip
    box = label.get_window_extent()
    half = np.array([box.width, box.height]) / 2
    label.set(rotation=slope, transform_rotates_text=True)
    foot, top = axes.transData.transform([(end, 0.0), (peak, height)])
    along = (top - foot) / np.hypot(*(top - foot)) * (1 if end == 0 else -1)
    up = np.array([-along[1], along[0]])
    frame = axes.get_window_extent()
    spare = 0.35 * half[1]
    for share, side in _PLACES:
        middle = foot + share * (top - foot) + side * (half[1] + 2) * up
        reach = np.abs(half[0] * along) + np.abs(half[1] * up)
        if (middle - reach < (frame.x0, frame.y0)).any() or (middle + reach > (frame.x1, frame.y1)).any():
            continue
        turned = (drawn - middle) @ np.column_stack([along, up])
        if gap(np.zeros((1, 2)), half, turned)[0] > spare:
            at = axes.transData.inverted().transform(middle)
            label.set_position((float(at[0]), float(at[1])))
            return
    label.remove()

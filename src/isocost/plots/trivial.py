"""The trivial classifiers in cost space: the triangle that every model has to beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from isocost.cost_space import CostCurve
from isocost.cost_space.axes import Axis
from isocost.cost_space.curve import trivial_curve
from isocost.plots.cost_axes import Scale, polyline
from isocost.plots.display import settle, text_size
from isocost.plots.free_space import gap
from isocost.plots.labels import Points, pixels
from isocost.plots.style import MUTED
from isocost.validate import Floats

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

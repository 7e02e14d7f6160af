"""The trivial classifiers in cost space: the triangle that every model has to beat."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from isocost.cost_space import CostCurve
from isocost.cost_space.curve import Axis, trivial_curve
from isocost.plots.cost_axes import Scale, polyline
from isocost.plots.display import text_size
from isocost.plots.labels import Points
from isocost.plots.style import MUTED


def draw_trivial(
    axes: Axes, *, axis: Axis = "pcf", prevalence: float | None = None, scale: Scale = "linear", away_from: float = -1.0
) -> Points:
    """Draw both as one dotted line, name its two sides away from a condition, and return its points."""
    curve = trivial_curve(axis, prevalence)
    points = polyline(curve, scale)
    axes.plot(*points, color=MUTED, linewidth=0.9, linestyle=":", zorder=2, gid="trivial")
    if scale == "linear":
        _name_sides(axes, curve, away_from)
    return points


def _name_sides(axes: Axes, curve: CostCurve, away_from: float) -> None:
    peak, height = float(curve.breaks[1]), curve.maximum
    for text, end, shift in (("flag nobody", 0.0, -3), ("flag everybody", 1.0, 3)):
        places = [end + share * (peak - end) for share in (0.62, 0.3, 0.85)]
        x = next((p for p in places if abs(p - away_from) > 0.16), places[0])
        axes.annotate(
            text, (x, float(curve(x))), xytext=(shift, 2), textcoords="offset points", color=MUTED, ha="center", va="bottom",
            fontsize=text_size(axes, 0.85), rotation=float(np.degrees(np.arctan(height / (peak - end)))),
            rotation_mode="anchor", transform_rotates_text=True,
        )  # fmt: skip

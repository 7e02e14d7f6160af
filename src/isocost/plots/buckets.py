"""What scores counted together in buckets leave open: a shade between the certain curve and the best case, and how wide it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.cost_space import CostCurve, cost_curve
from isocost.errors import InputError
from isocost.plots.display import text_size
from isocost.plots.labels import Points
from isocost.plots.models import several
from isocost.plots.style import Look
from isocost.roc_space import RocCurve

# More points than this only slow the drawing down.
_MOST_POINTS = 4000


def best_cases(given: Any, curves: Sequence[Any], kind: type) -> list[Any]:
    """Return the best case of each curve, none if nothing is open."""
    if given is None:
        return []
    found = several(given, kind, "best_case")
    if len(found) != len(curves):
        raise InputError(f"best_case must be one a curve: got {len(found)} for {len(curves)} curves")
    return found


def envelopes(curves: Sequence[RocCurve]) -> tuple[list[CostCurve], list[CostCurve] | None]:
    """Return the cost with the thresholds that are certain, and the least it can be if buckets may hide better ones."""
    certain = [cost_curve(curve._inner_hull) for curve in curves]
    if all(curve.hull_is_exact for curve in curves):
        return certain, None
    return certain, [cost_curve(curve._optimistic) for curve in curves]


def shade(axes: Axes, one: Points, other: Points, look: Look) -> None:
    """Shade what lies between two lines with common ends."""
    (x, y), (u, v) = (_thinned(*line) for line in (one, other))
    outline = np.concatenate([x, u[::-1]]), np.concatenate([y, v[::-1]])
    axes.fill(*outline, color=look.colour, alpha=0.25, linewidth=0.3, zorder=2, gid="buckets")


def _thinned(x: Any, y: Any) -> Points:
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.size <= _MOST_POINTS:
        return x, y
    length = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
    at = np.unique(np.searchsorted(length, np.linspace(0, length[-1], _MOST_POINTS)))
    return x[at], y[at]


def say(axes: Axes, what: str, width: float) -> None:
    """Write above the axes how far apart the two cases are."""
    text = f"shaded: scores counted together in buckets, {what} known within {width:.2g}"
    axes.set_title(text, fontsize=text_size(axes, 0.9))

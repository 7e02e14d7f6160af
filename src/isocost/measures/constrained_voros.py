"""VOROS among the classifiers that keep limits on precision, flagged share, tpr or fpr."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from isocost.conditions import Conditions
from isocost.errors import InputError
from isocost.geometry.hull import cheapest
from isocost.roc_space import RocCurve
from isocost.roc_space.feasible_region import FeasibleRegion
from isocost.validate import Floats


def constrained_voros(
    curve: RocCurve,
    condition: Conditions,
    limits: Mapping[Any, float],
    *,
    prevalence: float | None,
    include_trivial: bool,
) -> float:
    """Return the mean over t of area(feasible ∩ {cost ≥ c(t)}) / area(feasible), c(t) the best feasible point's cost.

    Between the values of t at which the best point changes, or its iso-cost line meets a corner of the feasible polygon,
    the area is a smooth rational function of t: each such piece is integrated to machine precision.
    """
    from isocost.roc_space.parametric import ContinuousRocCurve

    if isinstance(curve, ContinuousRocCurve):
        raise InputError(
            "constraints need operating points with thresholds: sample the continuous curve, "
            "for example RocCurve.from_points(curve.fpr, curve.tpr, thresholds=curve.thresholds)"
        )
    region = FeasibleRegion.within(limits, judged_prevalence(curve, condition, limits, prevalence))
    x, y = curve.fpr, curve.tpr
    if not include_trivial and curve._given is not None:
        x, y = curve._bare()
    inside = region.feasible(x, y)
    x, y = x[inside], y[inside]
    best, switch_t = cheapest(x, y)
    h, k = x[best][::-1], y[best][::-1]
    share = _LesserShare(region.corners, region.area, h, k, switch_t)
    return condition.density.expect(share, share.breaks)


def judged_prevalence(
    curve: RocCurve, condition: Conditions, limits: Collection[Any], prevalence: float | None
) -> float:
    """Return what precision and flagged share refer to: given, stated by the conditions, or the data's own."""
    if not set(limits) & {"min_precision", "max_flagged"}:
        return 0.5  # not used
    if prevalence is None and condition.ranges is not None:
        low, high = condition.ranges["prevalence"]
        if low != high:
            raise InputError(
                f"the conditions range over prevalences from {low:g} to {high:g}: "
                f"say with prevalence= which one {' and '.join(limits)} refer to"
            )
        prevalence = low
    return curve._prevalence_or(prevalence)


class _LesserShare:
    """The share of a convex polygon that costs at least as much as the cheapest of some points, as a function of t."""

    def __init__(self, corners: Floats, area: float, h: Floats, k: Floats, switch_t: Floats) -> None:
        self.corners, self.area = corners, area
        self.h, self.k, self.switch_t = h, k, switch_t

    @property
    def breaks(self) -> Floats:
        """Where the best point changes, or the iso-cost line through it meets a corner."""
        dx = self.corners[:, 0] - self.h[:, None]
        dy = self.corners[:, 1] - self.k[:, None]
        # t·dx = (1-t)·dy
        with np.errstate(divide="ignore", invalid="ignore"):
            meets = dy / (dx + dy)
        edges = np.concatenate([[0.0], self.switch_t, [1.0]])
        active = (meets > edges[:-1, None]) & (meets < edges[1:, None])
        return np.union1d(self.switch_t, meets[active])

    def __call__(self, t: Floats) -> Floats:
        """Sum, over the polygon's edges, the part on the dearer side as triangles with their tip on the iso-cost line."""
        best = np.searchsorted(self.switch_t, t, side="right")
        # Corners seen from the best point, which lies on the cutting line: the cut itself then spans no area.
        x = self.corners[:, 0] - self.h[best][..., None]
        y = self.corners[:, 1] - self.k[best][..., None]
        dearer = t[..., None] * x - (1 - t[..., None]) * y
        x2, y2, dearer2 = (np.roll(v, -1, axis=-1) for v in (x, y, dearer))
        up, down = np.maximum(dearer, 0) + np.maximum(dearer2, 0), np.minimum(dearer, 0) + np.minimum(dearer2, 0)
        with np.errstate(invalid="ignore"):
            part = np.nan_to_num(up / (up - down), nan=0.0)
        total = np.sum(part * (x * y2 - y * x2), axis=-1) / (2 * self.area)
        return np.asarray(np.clip(total, 0.0, 1.0))

"""The part of ROC space that keeps limits on precision, flagged share, tpr and fpr: a convex polygon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.errors import InfeasibleError
from isocost.results import Columns, Result

Kind = Literal["min_precision", "max_flagged", "min_tpr", "max_fpr"]
_EPS = float(np.finfo(np.float64).eps)
# Rates are quotients of counts: equality with a limit is meant up to the rounding of one division.
SLACK = 4 * _EPS
_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_QUANTITY = {"min_precision": "precision", "max_flagged": "flagged share", "min_tpr": "tpr", "max_fpr": "fpr"}


@dataclass(frozen=True)
class Limit(Result):
    """One constraint on an operating point; in ROC space a half-plane."""

    kind: Kind
    value: float
    prevalence: float

    @classmethod
    def checked(cls, kind: Kind, value: float, prevalence: float = 0.5) -> Limit:
        """Return a limit in [0, 1]; min_tpr and max_fpr do not depend on the prevalence."""
        return cls(kind, checks.number(value, kind, low=0.0, high=1.0), prevalence)

    def kept(self, fpr: Floats, tpr: Floats) -> Bools:
        """Return which points keep the limit, up to rounding."""
        return np.asarray(self.excess(fpr, tpr) <= SLACK)

    def excess(self, fpr: Floats, tpr: Floats) -> Floats:
        """Return how far points are beyond the limit, linear in fpr and tpr; kept where ≤ 0."""
        pi, v = self.prevalence, self.value
        match self.kind:
            case "min_precision":
                # pi·tpr ≥ v·(pi·tpr + (1-pi)·fpr)
                return v * (1 - pi) * fpr - (1 - v) * pi * tpr
            case "max_flagged":
                return pi * tpr + (1 - pi) * fpr - v
            case "min_tpr":
                return v - tpr
            case "max_fpr":
                return fpr - v

    def quantity(self, fpr: Floats, tpr: Floats) -> Floats:
        """Return what is limited at each point: precision, flagged share, tpr or fpr; NaN for precision without flagged cases."""
        pi = self.prevalence
        flagged = pi * tpr + (1 - pi) * fpr
        match self.kind:
            case "min_precision":
                return np.divide(pi * tpr, flagged, out=np.full_like(flagged, np.nan), where=flagged > 0)
            case "max_flagged":
                return flagged
            case "min_tpr":
                return tpr
            case "max_fpr":
                return fpr

    def best(self, fpr: Floats, tpr: Floats) -> float:
        """Return the value of the quantity farthest on the right side; NaN if it is not defined at any point."""
        values = self.quantity(fpr, tpr)
        values = values[~np.isnan(values)]
        if values.size == 0:
            return np.nan
        return float(values.max() if self.kind.startswith("min") else values.min())

    @property
    def quantity_text(self) -> str:
        """What `best` means, in words."""
        return f"the {'highest' if self.kind.startswith('min') else 'lowest'} {_QUANTITY[self.kind]}"

    def __str__(self) -> str:
        """Return the limit as it was given."""
        return f"{self.kind}={self.value:g}"


@dataclass(frozen=True, eq=False)
class FeasibleRegion(Result):
    """All of ROC space that keeps every limit.

    Attributes
    ----------
    limits : tuple of Limit
    corners : ndarray of shape (k, 2)
        fpr and tpr of the polygon's corners, counter-clockwise.
    """

    limits: tuple[Limit, ...]
    corners: Floats

    def _columns(self) -> Columns:
        return {"fpr": self.corners[:, 0], "tpr": self.corners[:, 1]}

    @classmethod
    def within(cls, limits: Mapping[Kind, float], prevalence: float) -> FeasibleRegion:
        """Check the limits and cut them out of the unit square.

        Raises
        ------
        InfeasibleError
            If they leave no area.
        """
        checked = tuple(Limit.checked(kind, value, prevalence) for kind, value in limits.items())
        region = cls(checked, _cut(checked))
        if not region.has_area:
            raise InfeasibleError(region._why_empty())
        return region

    @property
    def area(self) -> float:
        """Share of the unit square."""
        return float(_cross(self.corners, np.roll(self.corners, -1, axis=0)).sum() / 2)

    @property
    def has_area(self) -> bool:
        """Whether it is more than a segment, a point or a sliver made by rounding."""
        if len(self.corners) < 3:
            return False
        return self.area > SLACK * float(np.ptp(self.corners, axis=0).max())

    def contains(self, fpr: Floats, tpr: Floats) -> Bools:
        """Return which points keep every limit, up to rounding."""
        return np.asarray(np.all([limit.kept(fpr, tpr) for limit in self.limits], axis=0))

    def feasible(self, fpr: Floats, tpr: Floats) -> Bools:
        """Return which operating points keep every limit.

        Raises
        ------
        InfeasibleError
            If none does, or none of those that flag anybody although a precision is asked for.
        """
        inside = self.contains(fpr, tpr)
        wanted = inside
        if any(limit.kind == "min_precision" and limit.value > 0 for limit in self.limits):
            wanted = inside & ((fpr > 0) | (tpr > 0))
        if not wanted.any():
            raise InfeasibleError(self._why_unreached(fpr, tpr))
        return inside

    def _said(self) -> str:
        at = ""
        if any(limit.kind in ("min_precision", "max_flagged") for limit in self.limits):
            at = f" at prevalence {self.limits[0].prevalence:.4g}"
        return " and ".join(map(str, self.limits)) + at

    def _why_empty(self) -> str:
        parts = []
        for limit in self.limits:
            others = tuple(other for other in self.limits if other is not limit)
            rest = FeasibleRegion(others, _cut(others))
            best = limit.best(*rest.corners.T) if rest.has_area else np.nan
            if not np.isnan(best):
                side = "below" if limit.kind.startswith("min") else "above"
                keeping = f" keeping {' and '.join(map(str, others))}" if others else ""
                parts.append(f"{limit.quantity_text} possible{keeping} is {best:.6g}: set {limit.kind} {side} that")
        return f"no area of ROC space is left by {self._said()}; " + "; or ".join(parts)

    def _why_unreached(self, fpr: Floats, tpr: Floats) -> str:
        flagging = (fpr > 0) | (tpr > 0)
        parts, alone = [], []
        for limit in self.limits:
            others = tuple(other for other in self.limits if other is not limit)
            rest = replace(self, limits=others).contains(fpr, tpr) & flagging if others else flagging
            if rest.any():
                keeping = f" keeping {' and '.join(map(str, others))}" if others else ""
                parts.append(f"{limit.quantity_text}{keeping} is {limit.best(fpr[rest], tpr[rest]):.6g}")
            if flagging.any():
                alone.append(f"{limit.quantity_text} is {limit.best(fpr[flagging], tpr[flagging]):.6g}")
        said = "; ".join(parts or alone) or "the curve has no point that flags anybody"
        return f"no threshold of this curve keeps {self._said()}: {said}"


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _cut(limits: tuple[Limit, ...]) -> Floats:
    """Cut the unit square with one half-plane after the other."""
    corners = _SQUARE
    for limit in limits:
        corners = _clip(corners, limit.excess(corners[:, 0], corners[:, 1]))
    return corners


def _clip(corners: Floats, excess: Floats) -> Floats:
    """Return the part of a convex polygon where a linear function, given at the corners, is ≤ 0."""
    kept: list[Floats] = []
    for i in range(len(corners)):
        j = (i + 1) % len(corners)
        if excess[i] <= 0:
            kept.append(corners[i])
        if (excess[i] < 0 < excess[j]) or (excess[j] < 0 < excess[i]):
            kept.append(corners[i] + (corners[j] - corners[i]) * (excess[i] / (excess[i] - excess[j])))
    return np.array(kept).reshape(-1, 2)

"""The part of ROC space that keeps limits on precision, flagged share, tpr and fpr: a convex polygon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.errors import InfeasibleError

Kind = Literal["min_precision", "max_flagged", "min_tpr", "max_fpr"]
# Rates are quotients of counts: equality with a limit is meant up to the rounding of one division.
SLACK = 4 * float(np.finfo(np.float64).eps)
_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_QUANTITY = {"min_precision": "precision", "max_flagged": "flagged share", "min_tpr": "tpr", "max_fpr": "fpr"}


@dataclass(frozen=True)
class Limit:
    """One constraint on an operating point; in ROC space the half-plane x·fpr + y·tpr ≤ most."""

    kind: Kind
    value: float
    prevalence: float

    def excess(self, fpr: Floats, tpr: Floats) -> Floats:
        """Return how far points are beyond the limit; kept where ≤ 0."""
        pi, v = self.prevalence, self.value
        x, y, most = {
            # pi·tpr ≥ v·(pi·tpr + (1-pi)·fpr)
            "min_precision": (v * (1 - pi), (v - 1) * pi, 0.0),
            "max_flagged": (1 - pi, pi, v),
            "min_tpr": (0.0, -1.0, -v),
            "max_fpr": (1.0, 0.0, v),
        }[self.kind]
        return np.asarray(x * fpr + y * tpr - most)

    def best(self, fpr: Floats, tpr: Floats) -> float:
        """Return what is limited at the point that is best for the limit; NaN if it is defined at none, as precision without flags."""
        caught = self.prevalence * tpr
        flagged = caught + (1 - self.prevalence) * fpr
        if self.kind == "min_precision":
            values = caught[flagged > 0] / flagged[flagged > 0]
        else:
            values = {"max_flagged": flagged, "min_tpr": tpr, "max_fpr": fpr}[self.kind]
        if values.size == 0:
            return np.nan
        return float(values.max() if self.kind.startswith("min") else values.min())

    def __str__(self) -> str:
        """Return the limit as it was given."""
        return f"{self.kind}={self.value:g}"


@dataclass(frozen=True, eq=False)
class FeasibleRegion:
    """All of ROC space that keeps every limit; the corners of the polygon, fpr and tpr, run counter-clockwise."""

    limits: tuple[Limit, ...]
    corners: Floats

    @classmethod
    def within(cls, limits: Mapping[Kind, float], prevalence: float) -> FeasibleRegion:
        """Check the limits and cut them out of the unit square; raise InfeasibleError if they leave no area."""
        checked = tuple(
            Limit(kind, checks.number(value, kind, low=0.0, high=1.0), prevalence) for kind, value in limits.items()
        )
        region = cls(checked, _cut(checked))
        if region.has_area:
            return region

        def advice(limit: Limit, others: tuple[Limit, ...]) -> str:
            rest = cls(others, _cut(others))
            best = limit.best(*rest.corners.T) if rest.has_area else np.nan
            side = "below" if limit.kind.startswith("min") else "above"
            possible = f"{_named(limit)} possible{_keeping(others)} is {best:.6g}: set {limit.kind} {side} that"
            return "" if np.isnan(best) else possible

        raise InfeasibleError(f"no area of ROC space is left by {region}; " + "; or ".join(region._one_by_one(advice)))

    @property
    def area(self) -> float:
        """Share of the unit square."""
        (x, y), (u, v) = self.corners.T, np.roll(self.corners, -1, axis=0).T
        return float((x * v - y * u).sum() / 2)

    @property
    def has_area(self) -> bool:
        """Whether it is more than a segment, a point or a sliver made by rounding."""
        return len(self.corners) > 2 and self.area > SLACK * float(np.ptp(self.corners, axis=0).max())

    def feasible(self, fpr: Floats, tpr: Floats) -> Bools:
        """Return which operating points keep every limit.

        Raise InfeasibleError if none does, or none of those that flag a case although a precision is asked for.
        """
        inside, flagging = _keeps(self.limits, fpr, tpr), (fpr > 0) | (tpr > 0)
        precise = any(limit.kind == "min_precision" and limit.value > 0 for limit in self.limits)
        if (inside & flagging if precise else inside).any():
            return inside

        def reached(limit: Limit, others: tuple[Limit, ...]) -> str:
            rest = _keeps(others, fpr, tpr) & flagging
            return f"{_named(limit)}{_keeping(others)} is {limit.best(fpr[rest], tpr[rest]):.6g}" if rest.any() else ""

        reasons = self._one_by_one(reached) or self._one_by_one(lambda limit, _: reached(limit, ()))
        why = "; ".join(reasons) or "the curve has no point that flags a case"
        raise InfeasibleError(f"no threshold of this curve keeps {self}: {why}")

    def _one_by_one(self, say: Callable[[Limit, tuple[Limit, ...]], str]) -> list[str]:
        """Return a text for each limit, with the others kept; empty ones are left out."""
        texts = (say(limit, tuple(other for other in self.limits if other is not limit)) for limit in self.limits)
        return [text for text in texts if text]

    def __str__(self) -> str:
        """Return the limits, and the prevalence where it matters."""
        depends = any(limit.kind in ("min_precision", "max_flagged") for limit in self.limits)
        at = f" at prevalence {self.limits[0].prevalence:.4g}" if depends else ""
        return " and ".join(map(str, self.limits)) + at


def _named(limit: Limit) -> str:
    return f"the {'highest' if limit.kind.startswith('min') else 'lowest'} {_QUANTITY[limit.kind]}"


def _keeping(others: tuple[Limit, ...]) -> str:
    return f" keeping {' and '.join(map(str, others))}" if others else ""


def _keeps(limits: tuple[Limit, ...], fpr: Floats, tpr: Floats) -> Bools:
    """Return which points keep every limit, up to rounding."""
    return np.asarray(np.all([np.ones(fpr.size), *(limit.excess(fpr, tpr) <= SLACK for limit in limits)], axis=0))


def _cut(limits: tuple[Limit, ...]) -> Floats:
    """Cut the unit square with one half-plane after the other."""
    corners = _SQUARE
    for limit in limits:
        excess = limit.excess(corners[:, 0], corners[:, 1])
        kept: list[Floats] = []
        for a, b, over, after in zip(corners, np.roll(corners, -1, 0), excess, np.roll(excess, -1), strict=True):
            if over <= 0:
                kept.append(a)
            if over < 0 < after or after < 0 < over:
                kept.append(a + (b - a) * (over / (over - after)))
        corners = np.array(kept).reshape(-1, 2)
    return corners

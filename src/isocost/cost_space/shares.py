"""A ROC path as shares of all cases: what every curve over rates or cost proportions is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.cost_space.axes import Axis
from isocost.roc_space import RocCurve
from isocost.validate import Floats


@dataclass(frozen=True, eq=False)
class Shares:
    """Flagged cases, false alarms and misses at each point of a curve, as shares of all cases at prevalence π.

    On the cost_proportion axis the cost of a point is 2·[(1-x)·false_alarms + x·misses]; the pcf axis is the same with π = ½.
    At the data's own prevalence the shares are quotients of counts, with no rounding before the division.
    """

    curve: RocCurve
    axis: Axis
    prevalence: float
    own: bool

    @classmethod
    def of(cls, curve: RocCurve, axis: Axis, prevalence: float | None) -> Shares:
        """Return the shares of a curve on an axis; the prevalence is part of x on the pcf axis and has no effect there."""
        if axis == "pcf":
            if prevalence is not None:
                validate.number(prevalence, "prevalence", low=0.0, high=1.0)
            return cls(curve, axis, 0.5, own=False)
        pi = validate.inner_rate(curve._prevalence_or(prevalence), "prevalence")
        return cls(curve, axis, pi, own=prevalence is None)

    @property
    def about(self) -> dict[str, Any]:
        """Axis, prevalence and name, as a `CostCurve` wants them."""
        pi = None if self.axis == "pcf" else self.prevalence
        return {"axis": self.axis, "prevalence": pi, "name": self.curve.name}

    @property
    def _cases(self) -> float:
        return float(self.curve.tp[-1] + self.curve.fp[-1])

    @cached_property
    def rate(self) -> Floats:
        """Share of all cases flagged: π·tpr + (1-π)·fpr."""
        c = self.curve
        if self.own:
            return np.asarray((c.tp + c.fp) / self._cases, dtype=np.float64)
        rate = self.prevalence * c.tpr + (1 - self.prevalence) * c.fpr
        rate[-1] = 1.0
        return np.asarray(rate)

    @cached_property
    def false_alarms(self) -> Floats:
        """Share of all cases that are negatives flagged: (1-π)·fpr."""
        c = self.curve
        share = c.fp / self._cases if self.own else (1 - self.prevalence) * c.fpr
        return np.asarray(share, dtype=np.float64)

    @cached_property
    def hits(self) -> Floats:
        """Share of all cases that are positives flagged: π·tpr."""
        c = self.curve
        share = c.tp / self._cases if self.own else self.prevalence * c.tpr
        return np.asarray(share, dtype=np.float64)

    @cached_property
    def misses(self) -> Floats:
        """Share of all cases that are positives not flagged: π·(1-tpr)."""
        c = self.curve
        share = (c.tp[-1] - c.tp) / self._cases if self.own else self.prevalence * (1 - c.tpr)
        return np.asarray(share, dtype=np.float64)

    def at(self, x: Floats, points: NDArray[np.intp] | None = None) -> Floats:
        """Return the cost of each point (or of the points named) at the x of the same place."""
        alarms, misses = (v if points is None else v[points] for v in (self.false_alarms, self.misses))
        return np.asarray(2 * ((1 - x) * alarms + x * misses))

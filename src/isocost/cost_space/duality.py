"""Points of ROC space are lines of cost space, and lines of ROC space are points of it (Drummond & Holte 2000, eq. 8-9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from isocost import validate
from isocost.cost_space.curve import CostCurve
from isocost.errors import InputError
from isocost.results import Result


@dataclass(frozen=True)
class CostLine(Result):
    """The line value(pcf) = intercept + slope·pcf: one operating point, or any line of cost space.

    Examples
    --------
    >>> from isocost.cost_space.duality import CostLine
    >>> line = CostLine.from_point(0.09, 0.36)
    >>> line.at(0.0), line.at(1.0)
    (0.09, 0.64)
    >>> fpr, tpr = line.point
    >>> round(fpr, 12), round(tpr, 12)
    (0.09, 0.36)
    """

    intercept: float
    end: float

    @classmethod
    def from_point(cls, fpr: float, tpr: float) -> CostLine:
        """Return the line of a point of ROC space; points outside the unit square are legal, as in the dual of any line."""
        return cls(validate.number(fpr, "fpr"), 1 - validate.number(tpr, "tpr"))

    @property
    def slope(self) -> float:
        """1 - tpr - fpr."""
        return self.end - self.intercept

    @property
    def point(self) -> tuple[float, float]:
        """The point (fpr, tpr) of ROC space."""
        return self.intercept, 1 - self.end

    def at(self, pcf: float) -> float:
        """Return the value at any pcf, inside [0, 1] or not."""
        return self.intercept * (1 - pcf) + self.end * pcf

    def meet(self, other: CostLine) -> tuple[float, float] | None:
        """Return where two lines cross, as (pcf, value); None if they are parallel."""
        if self.slope == other.slope:
            return None
        pcf = (other.intercept - self.intercept) / (self.slope - other.slope)
        return pcf, self.at(pcf)

    def as_curve(self, name: str | None = None) -> CostCurve:
        """Return the line on [0, 1] as a cost curve."""
        return CostCurve.from_lines([0.0, 1.0], [self.intercept], [self.end], name=name)


def line_to_point(slope: float, tpr_at_0: float) -> tuple[float, float]:
    """Return the point (pcf, value) of cost space dual to the ROC line tpr = tpr_at_0 + slope·fpr.

    pcf = 1/(1 + slope), value = (1 - tpr_at_0)·pcf. A negative slope gives a point outside [0, 1].
    """
    slope, tpr_at_0 = validate.number(slope, "slope"), validate.number(tpr_at_0, "tpr_at_0")
    if math.isinf(slope):
        raise InputError("a vertical line of ROC space has pcf = 0; its value is the fpr at which it stands")
    if slope == -1:
        raise InputError(
            "a ROC line of slope -1 joins points whose cost lines are parallel: it has no point in cost space"
        )
    pcf = 1 / (1 + slope)
    return pcf, (1 - tpr_at_0) * pcf


def point_to_line(pcf: float, value: float) -> tuple[float, float]:
    """Return (slope, tpr at fpr = 0) of the ROC line dual to a point of cost space with pcf ≠ 0."""
    pcf, value = validate.number(pcf, "pcf"), validate.number(value, "value")
    if pcf == 0:
        raise InputError("pcf = 0 is dual to a vertical line of ROC space, fpr = value")
    return (1 - pcf) / pcf, 1 - value / pcf

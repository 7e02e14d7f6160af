"""Precision against recall, exact between thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from isocost.roc_space.curve import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.curve_form import AtPrevalence, inner_prevalence, ratio_from_the_next
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class PrCurve(AtPrevalence):
    """Precision and recall at every threshold, and the areas below; build one with `pr_curve`.

    Attributes
    ----------
    recall, precision : ndarray
        In the order of the ROC curve: the first point flags nobody. The precision there is its limit, that of the next point.
    thresholds : ndarray
        Flag a case when its score ≥ it; the first is +inf.
    prevalence : float
        Share of positives the precision refers to.
    average_precision : float
        Sum of each step of the recall times the precision after it, as in scikit-learn.
    area : float
        Exact area below the curve if neighbouring thresholds are mixed.
    hull_area : float
        The same for the ROC hull.
    floor : float
        Area of the worst ranking at this prevalence.
    normalised_area : float
        (area - floor)/(1 - floor).
    break_even : float
        The precision, and the recall, where as many cases are flagged as are positive and both are equal; thresholds mixed if needed.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> ic.pr_curve(curve)
    <PrCurve 'demo': 6 points at prevalence 0.6, average precision 0.8056, area 0.769>
    """

    _display = "PrDisplay"

    recall: Floats
    precision: Floats
    thresholds: Floats
    prevalence: float
    average_precision: float
    area: float
    hull_area: float
    floor: float
    normalised_area: float
    break_even: float
    model: str | None = None

    def __str__(self) -> str:
        """Say the areas in a sentence."""
        return (
            f"{self._who} has average precision {self.average_precision:.4f} and area {self.area:.4f} under the "
            f"precision-recall curve {self._when} (the worst ranking has {self.floor:.4f})."
        )

    def _numbers(self) -> str:
        return f"average precision {self.average_precision:.4g}, area {self.area:.4g}"


@takes_curve()
def pr_curve(curve: RocCurve, *, prevalence: float | None = None) -> PrCurve:
    """Return precision against recall, with the exact areas; higher is better, the floor to 1.

    Between two thresholds the curve is that of mixing them: straight in ROC space, a hyperbola here. Trapezoids would
    overstate it.

    Parameters
    ----------
    curve : RocCurve
        With every point known.
    prevalence : float, optional
        Between 0 and 1; the data's own by default.

    References
    ----------
    Davis & Goadrich (2006), doi:10.1145/1143844.1143874. Keilwagen, Grosse & Grau (2014), doi:10.1371/journal.pone.0092209.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> found = ic.pr_curve(curve, prevalence=0.1)
    >>> found.precision.round(4).tolist(), round(found.area, 4)
    ([1.0, 1.0, 0.069, 0.129, 0.1818, 0.1], 0.4185)
    """
    pi = inner_prevalence(curve, prevalence)
    curve._require_path()
    area, floor = area_below_precision(curve, pi), _floor(pi)
    return PrCurve(
        curve.tpr, _precision(curve, pi), curve.thresholds, pi, average_precision_of(curve, pi), area,
        area_below_precision(curve.hull, pi), floor, (area - floor) / (1 - floor),
        float(np.interp(pi, _caught_and_flagged(curve, pi)[1], curve.tpr)), curve.name,
    )  # fmt: skip


def _precision(curve: RocCurve, pi: float) -> Floats:
    return ratio_from_the_next(*_caught_and_flagged(curve, pi))


def _caught_and_flagged(curve: RocCurve, pi: float) -> tuple[Floats, Floats]:
    caught = pi * curve.tpr
    return caught, caught + (1 - pi) * curve.fpr


def average_precision_of(curve: RocCurve, pi: float) -> float:
    """Return the sum of each step of the recall times the precision after it."""
    return float(np.sum(np.diff(curve.tpr) * _precision(curve, pi)[1:]))


def area_below_precision(curve: RocCurve, pi: float) -> float:
    """Integrate precision over recall, thresholds mixed in between."""
    caught, flagged = _caught_and_flagged(curve, pi)
    return float(np.sum(steps_of_area(caught[:-1], flagged[:-1], caught[1:], flagged[1:])) / pi)


def _floor(pi: float) -> float:
    """Return the area of the worst ranking, 1 + (1-π)·ln(1-π)/π; by its series where that cancels."""
    if pi < 0.05:
        return math.fsum(pi**k / (k * (k + 1)) for k in range(1, 13))
    return 1 + (1 - pi) * math.log1p(-pi) / pi


def steps_of_area(caught: Floats, flagged: Floats, more: Floats, wider: Floats) -> Floats:
    """Return π times the area of each step from (caught, flagged) to (more, wider), in closed form."""
    rise, run = more - caught, wider - flagged
    with np.errstate(divide="ignore", invalid="ignore"):
        growth = run / flagged
        share = np.where(flagged > 0, np.log1p(growth) / growth, 0.0)
        before = np.where(flagged > 0, caught / flagged, 0.0)
        step = rise * (share * before + (1 - share) * (rise / run))
    return np.where(rise > 0, step, 0.0)

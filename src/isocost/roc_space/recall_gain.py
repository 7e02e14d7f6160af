"""Precision-recall gain: the curve in whose space mixing is straight, and the vertices that maximise an F-measure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from isocost.numbers import counted
from isocost.results import Result
from isocost.roc_space.curve import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.curve_form import AtPrevalence, inner_prevalence
from isocost.validate import Floats


@dataclass(frozen=True)
class PrGainVertex(Result):
    """An operating point that has the highest F-measure for every β from `beta_low` to `beta_high`.

    Attributes
    ----------
    threshold, fpr, tpr : float
    recall_gain, precision_gain : float
    beta_low, beta_high : float
        Weight of the recall against the precision.
    """

    threshold: float
    fpr: float
    tpr: float
    recall_gain: float
    precision_gain: float
    beta_low: float
    beta_high: float


@dataclass(frozen=True, eq=False, repr=False)
class PrGainCurve(AtPrevalence):
    """Precision gain against recall gain at every threshold; build one with `pr_gain_curve`.

    Attributes
    ----------
    recall_gain, precision_gain : ndarray
        In the order of the ROC curve; -inf where nothing positive is caught.
    thresholds : ndarray
    prevalence : float
    area : float
        Area from recall gain 0 to 1 (AUPRG); what lies below 0 counts as negative.
    hull : tuple of PrGainVertex
        The points that maximise an F-measure; their ranges of β cover [0, ∞].
    hull_area : float
        Area under the hull.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> found = ic.pr_gain_curve(curve)
    >>> found
    <PrGainCurve 'demo': 6 points at prevalence 0.6, area 0.3333, 2 on the hull>
    >>> [(vertex.threshold, round(vertex.beta_low, 4), round(vertex.beta_high, 4)) for vertex in found.hull]
    [(0.9, 0.0, 0.4082), (0.6, 0.4082, inf)]
    """

    _display = "PrGainDisplay"

    recall_gain: Floats
    precision_gain: Floats
    thresholds: Floats
    prevalence: float
    area: float
    hull: tuple[PrGainVertex, ...]
    hull_area: float
    model: str | None = None

    def __str__(self) -> str:
        """Say the areas in a sentence."""
        return (
            f"{self._who} has area {self.area:.4f} under the precision-recall-gain curve and {self.hull_area:.4f} under its "
            f"hull {self._when}; {counted(len(self.hull), 'point')} {'maximises' if len(self.hull) == 1 else 'maximise'} an F-measure."
        )

    def _numbers(self) -> str:
        return f"area {self.area:.4g}, {len(self.hull)} on the hull"


@takes_curve()
def pr_gain_curve(curve: RocCurve, *, prevalence: float | None = None) -> PrGainCurve:
    """Return precision gain against recall gain; the area is at most 1, higher is better.

    recall gain = 1 - π/(1-π)·(1-tpr)/tpr, precision gain = 1 - fpr/tpr: 0 for flagging everybody, 1 for a perfect model. The map
    from ROC space keeps straight lines straight, so trapezoids are exact and the hull is the ROC hull's.

    Parameters
    ----------
    curve : RocCurve
        With every point known.
    prevalence : float, optional
        Between 0 and 1; the data's own by default.

    References
    ----------
    Flach & Kull (2015), Precision-recall-gain curves: PR analysis done right, NIPS 28.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.pr_gain_curve(curve).recall_gain.round(4).tolist()
    [-inf, -2.0, -2.0, 0.25, 1.0, 1.0]
    """
    pi = inner_prevalence(curve, prevalence)
    curve._require_path()
    recall, precision = _gains(curve.fpr, curve.tpr, pi)
    # Nobody flagged: the limit of mixing with the next point.
    precision[0] = precision[1]
    hull = curve.hull
    return PrGainCurve(
        recall, precision, curve.thresholds, pi, area_below_gain(curve, pi), _vertices(hull, pi),
        area_below_gain(hull, pi), curve.name,
    )  # fmt: skip


def _gains(fpr: Floats, tpr: Floats, pi: float) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        recall = np.where(tpr > 0, 1 - pi / (1 - pi) * ((1 - tpr) / tpr), -np.inf)
        precision = np.where(tpr > 0, 1 - fpr / tpr, -np.inf)
    return recall, precision


def area_below_gain(curve: RocCurve, pi: float) -> float:
    """Integrate precision gain from recall gain 0, where tpr = π, on the segment that passes it."""
    fpr, tpr = curve.fpr, curve.tpr
    after = int(np.argmax(tpr >= pi))
    x, y = fpr[after - 1 : after + 1], tpr[after - 1 : after + 1]
    start = x[0] + (pi - y[0]) / (y[1] - y[0]) * (x[1] - x[0])
    recall, precision = _gains(np.append(start, fpr[after:]), np.append(pi, tpr[after:]), pi)
    recall[0] = 0.0
    return float(np.trapezoid(precision, recall))


def _vertices(hull: RocCurve, pi: float) -> tuple[PrGainVertex, ...]:
    fpr, tpr = hull.fpr[1:], hull.tpr[1:]
    # Flagging everybody is beaten by any other point that catches every positive.
    last = int(np.argmax(tpr >= 1)) + 1
    fpr, tpr, cut = fpr[:last], tpr[:last], hull.thresholds[1 : last + 1]
    recall, precision = _gains(fpr, tpr, pi)
    slope = np.diff(tpr) / np.diff(fpr)
    switch = np.sqrt((1 - pi) / pi * (tpr[1:] / slope - fpr[1:]))
    beta = [0.0, *switch.tolist(), math.inf]
    columns = [column.tolist() for column in (cut, fpr, tpr, recall, precision)]
    return tuple(PrGainVertex(*point) for point in zip(*columns, beta[:-1], beta[1:], strict=True))

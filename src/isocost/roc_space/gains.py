"""Cumulative gains and lift: what is caught when the highest scores are flagged first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.roc_space.curve import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.curve_form import AtPrevalence, inner_prevalence, ratio_from_the_next
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class GainCurve(AtPrevalence):
    """Share of the positives caught against share of the cases flagged; build one with `gain_curve`, call it with a share.

    Attributes
    ----------
    flagged, tpr : ndarray
        In the order of the ROC curve: the first point flags nobody.
    lift : ndarray
        tpr/flagged; at the start its limit, which is that of the next point.
    thresholds : ndarray
    prevalence : float
    area : float
        Area under the curve, π/2 + (1-π)·AUC.
    accuracy_ratio : float
        Area above the diagonal relative to a perfect model's: 2·AUC - 1, whatever the prevalence.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> gains = ic.gain_curve(curve)
    >>> gains
    <GainCurve 'demo': 6 points at prevalence 0.6, area 0.5667, accuracy ratio 0.3333>
    >>> round(float(gains(0.5)), 4)
    0.5
    """

    _display = "GainDisplay"

    flagged: Floats
    tpr: Floats
    lift: Floats
    thresholds: Floats
    prevalence: float
    area: float
    accuracy_ratio: float
    model: str | None = None

    def __call__(self, flagged: ArrayLike) -> Floats:
        """Return the share of positives caught when this share of the cases is flagged, straight between the points."""
        return np.asarray(np.interp(validate.rates(flagged, "flagged"), self.flagged, self.tpr))

    def __str__(self) -> str:
        """Say what the first tenth catches."""
        caught = float(self(0.1))
        return (
            f"Flagging the highest tenth of the cases, {self._who} catches {100 * caught:.4g} % of the positives "
            f"({caught / 0.1:.3g} times as many as at random) {self._when}."
        )

    def _numbers(self) -> str:
        return f"area {self.area:.4g}, accuracy ratio {self.accuracy_ratio:.4g}"


@takes_curve()
def gain_curve(curve: RocCurve, *, prevalence: float | None = None) -> GainCurve:
    """Return cumulative gains and lift: what is caught against what is flagged.

    Parameters
    ----------
    curve : RocCurve
        With every point known.
    prevalence : float, optional
        Between 0 and 1; the data's own by default.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.gain_curve(curve).lift.round(4).tolist()
    [1.6667, 1.6667, 0.8333, 1.1111, 1.25, 1.0]
    """
    pi = inner_prevalence(curve, prevalence)
    curve._require_path()
    flagged = pi * curve.tpr + (1 - pi) * curve.fpr
    auc = float(np.trapezoid(curve.tpr, curve.fpr))
    return GainCurve(
        flagged, curve.tpr, ratio_from_the_next(curve.tpr, flagged), curve.thresholds, pi, pi / 2 + (1 - pi) * auc,
        2 * auc - 1, curve.name,
    )  # fmt: skip

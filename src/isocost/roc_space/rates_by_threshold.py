"""Sensitivity and specificity against the threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.errors import InputError
from isocost.roc_space.curve import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.curve_form import CurveForm
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class RatesCurve(CurveForm):
    """Sensitivity and specificity as the threshold moves; build one with `rates_curve`, call it with a threshold.

    Both are steps: between two scores nothing changes, and a case is flagged when its score ≥ the threshold.

    Attributes
    ----------
    thresholds : ndarray
        In the order of the ROC curve: the first is inf and flags nobody.
    tpr, tnr : ndarray
        Sensitivity, the share of positives flagged, and specificity, the share of negatives left alone.
    balanced : float
        The threshold at which the lower of the two rates is highest; if there are several, the highest.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> rates = ic.rates_curve(curve)
    >>> rates
    <RatesCurve 'demo': 6 points, balanced at 0.7>
    >>> [round(float(rate), 4) for rate in rates(0.65)]
    [0.6667, 0.5]
    """

    _display = "RatesDisplay"

    thresholds: Floats
    tpr: Floats
    tnr: Floats
    balanced: float
    model: str | None = None

    def __call__(self, threshold: ArrayLike) -> tuple[Floats, Floats]:
        """Return sensitivity and specificity at thresholds."""
        cut = validate.reals(threshold, "threshold")
        # Thresholds descend: as many points lie at or above the cut as flag no case below it.
        place = self.thresholds.size - np.searchsorted(self.thresholds[::-1], cut, side="left") - 1
        return self.tpr[place], self.tnr[place]

    def __str__(self) -> str:
        """Say where both rates are balanced."""
        high, low = (float(rate) for rate in self(self.balanced))
        return (
            f"At threshold {self.balanced!r} {self._who} flags {100 * high:.4g} % of the positives and leaves "
            f"{100 * low:.4g} % of the negatives alone."
        )

    def _numbers(self) -> str:
        return f"balanced at {self.balanced!r}"


@takes_curve()
def rates_curve(curve: RocCurve) -> RatesCurve:
    """Return sensitivity and specificity against the threshold.

    Parameters
    ----------
    curve : RocCurve
        With every point known, and thresholds.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.rates_curve(curve).tnr.round(4).tolist()
    [1.0, 1.0, 0.5, 0.5, 0.5, 0.0]
    """
    curve._require_path()
    thresholds = np.asarray(curve.thresholds, dtype=np.float64)
    if np.isnan(thresholds).any():
        raise InputError("rates_curve needs thresholds, and some points of the curve have none: build it from scores")
    tpr, tnr = curve.tpr, 1 - curve.fpr
    return RatesCurve(thresholds, tpr, tnr, float(thresholds[np.argmax(np.minimum(tpr, tnr))]), curve.name)

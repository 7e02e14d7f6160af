"""Detection error trade-off: misses against false alarms on normal deviates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isocost.roc_space.curve import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.curve_form import CurveForm
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(CurveForm):
    """Share of positives missed against share of negatives flagged; build one with `det_curve`.

    Attributes
    ----------
    fpr, fnr : ndarray
        In the order of the ROC curve: the first point flags nobody.
    fpr_deviate, fnr_deviate : ndarray
        Both on the scale of normal deviates, where binormal curves are straight; infinite at 0 and 1.
    thresholds : ndarray
    equal_error_rate : float
        The rate at which fpr = fnr, neighbouring thresholds mixed if needed.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> ic.det_curve(curve)
    <DetCurve 'demo': 6 points, equal error rate 0.5>
    """

    _display = "DetDisplay"

    fpr: Floats
    fnr: Floats
    fpr_deviate: Floats
    fnr_deviate: Floats
    thresholds: Floats
    equal_error_rate: float
    model: str | None = None

    def __str__(self) -> str:
        """Say the equal error rate."""
        rate = f"{100 * self.equal_error_rate:.4g} %"
        return f"{self._who} misses {rate} of the positives where it flags {rate} of the negatives."

    def _numbers(self) -> str:
        return f"equal error rate {self.equal_error_rate:.4g}"


@takes_curve()
def det_curve(curve: RocCurve) -> DetCurve:
    """Return misses against false alarms, also as normal deviates.

    Parameters
    ----------
    curve : RocCurve
        With every point known.

    References
    ----------
    Martin et al. (1997), The DET curve in assessment of detection task performance, Eurospeech, doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.det_curve(curve).fnr.round(4).tolist()
    [1.0, 0.6667, 0.6667, 0.3333, 0.0, 0.0]
    """
    from scipy.special import ndtri

    curve._require_path()
    fpr, fnr = curve.fpr, 1 - curve.tpr
    return DetCurve(fpr, fnr, ndtri(fpr), ndtri(fnr), curve.thresholds, equal_error_rate_of(fpr, fnr), curve.name)


def equal_error_rate_of(fpr: Floats, fnr: Floats) -> float:
    """Return where the path meets fpr = fnr, neighbouring thresholds mixed."""
    lead = fpr - fnr  # from -1 to 1 along the path
    after = int(np.argmax(lead >= 0))
    low, high = lead[after - 1], lead[after]
    return float(fpr[after - 1] + -low / (high - low) * (fpr[after] - fpr[after - 1]))

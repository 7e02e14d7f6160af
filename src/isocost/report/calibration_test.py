"""Whether scores mean what they say: observed shares against scores, and one test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from isocost.curves import RocCurve
from isocost.curves.roc import reliability_bins

BINS = 10


def calibration(curve: RocCurve) -> dict[str, Any] | None:
    """Return bins of about equal size and Spiegelhalter's z, or None if the scores are not probabilities of counted cases.

    z = Σ(y-p)(1-2p) / √(Σ(1-2p)²p(1-p)) is about standard normal when every score is the case's true probability.
    It is None if every score is 0, 1/2 or 1: the test then has no variance to go by.

    References
    ----------
    Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials, Statistics in Medicine 5:421-433,
    doi:10.1002/sim.4780050506.
    """
    if curve.positives is None or not curve._is_path or curve.upper is not None:
        return None
    scores = curve.thresholds[1:]
    if not np.all((scores >= 0) & (scores <= 1)):
        return None
    positives, negatives = np.diff(curve.tp), np.diff(curve.fp)
    cases = positives + negatives
    lean = 1 - 2 * scores
    variance = float(np.sum(cases * lean**2 * scores * (1 - scores)))
    z = float(np.sum((positives - cases * scores) * lean)) / math.sqrt(variance) if variance > 0 else None
    found = reliability_bins(curve, BINS)
    return {"bins": [[row.score, row.share, row.cases] for row in found], "z": z}

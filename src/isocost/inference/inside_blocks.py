"""What resamples of scores that are known up to their block leave out: thresholds inside the blocks."""

from __future__ import annotations

import numpy as np

from isocost.cost_space.envelope import envelope
from isocost.resampling.replicates import Replicates
from isocost.roc_space import RocCurve
from isocost.validate import Floats


def saved_inside(model: Replicates, curve: RocCurve, pcf: Floats, *, at_best: bool = False) -> Floats:
    """Return what thresholds inside blocks cost less, on the data, than those at their ends, which resamples have.

    Where buckets leave that open too it is taken for nothing, or for the most it can be.
    """
    if model.slack is None or not (curve.hull_is_exact or at_best):
        return np.zeros(pcf.size)
    known = envelope(curve if curve.hull_is_exact else curve._optimistic)(pcf)
    return np.maximum(model.apparent - known, 0.0)

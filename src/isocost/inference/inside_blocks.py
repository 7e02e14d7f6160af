"""What resamples of scores that are known up to their block leave out: thresholds inside the blocks."""

from __future__ import annotations

import numpy as np

from isocost.curves import RocCurve
from isocost.curves.cost import envelope
from isocost.resampling.replicates import Replicates
from isocost.validate import Floats


def saved_inside(model: Replicates, curve: RocCurve, pcf: Floats) -> Floats:
    """Return what thresholds inside blocks cost less, on the data, than those at their ends, which resamples have."""
    if model.slack is None:
        return np.zeros(pcf.size)
    return np.maximum(model.apparent - envelope(curve)(pcf), 0.0)

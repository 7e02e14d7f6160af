"""Limits of an area under the ROC curve on the logit scale, and exact ones where the classes do not overlap."""

from __future__ import annotations

import math
from statistics import NormalDist


def logit_limits(area: float, error: float, level: float) -> tuple[float, float]:
    """Return limits that are symmetric in log(A / (1 - A)); an area of 0 or 1 has no width."""
    if not 0 < area < 1:
        return area, area
    middle = math.log(area / (1 - area))
    reach = NormalDist().inv_cdf((1 + level) / 2) * error / (area * (1 - area))
    low, high = (1 / (1 + math.exp(-min(max(end, -700.0), 700.0))) for end in (middle - reach, middle + reach))
    return low, high


def separated_limits(smaller: int, level: float, *, perfect: bool) -> tuple[float, float]:
    """Return exact limits under complete separation.

    As many disjoint pairs as the smaller class has cases (or clusters) are all in the right order. That has at most the
    probability AUC to the power of their number.
    """
    least = ((1 - level) / 2) ** (1 / smaller)
    return (least, 1.0) if perfect else (0.0, 1 - least)

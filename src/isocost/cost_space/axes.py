"""The two x axes of cost space, PCF(+) and the cost proportion at a fixed prevalence: both are forms of t."""

from __future__ import annotations

from typing import Literal

import numpy as np

from isocost.validate import Floats

Axis = Literal["pcf", "cost_proportion"]
AXES: tuple[Axis, ...] = ("pcf", "cost_proportion")


def turned(values: Floats, axis: Axis, prevalence: float | None) -> Floats:
    """Return t at each x of the axis, or x at each t: the map is its own inverse, and falls."""
    if axis == "pcf" or prevalence is None:
        return 1 - values
    fp, fn = (1 - values) * (1 - prevalence), values * prevalence
    return np.asarray(fp / (fp + fn))

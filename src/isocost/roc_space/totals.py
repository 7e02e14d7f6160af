"""Class totals, and rates turned back into the counts they came from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.errors import InputError
from isocost.validate import Floats


def whole_total(value: float, name: str) -> float:
    """Return a class total, an int if it is whole."""
    total = validate.count(value, name)
    if total == 0:
        raise InputError(f"{name} must be more than 0, got {value!r}")
    return int(total) if total == math.floor(total) else total


def counts_of(rates: Floats, total: float) -> NDArray[Any]:
    """Return whole counts if every rate is one over the total up to rounding, else plain products."""
    product = rates * total
    nearest = np.rint(product)
    if isinstance(total, int) and np.all(np.abs(product - nearest) <= 4 * np.finfo(float).eps * np.maximum(product, 1)):
        return nearest.astype(np.int64)
    return product

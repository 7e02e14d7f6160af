"""Anything that holds numbers as a NumPy array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_array(values: Any) -> NDArray[Any]:
    """Return an array; a tensor is taken off its graph and device first."""
    if isinstance(values, np.ndarray):
        return np.asarray(values)
    for step in ("detach", "cpu"):
        values = getattr(values, step, lambda values=values: values)()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.asarray(np.from_dlpack(values))
    return np.asarray(values)

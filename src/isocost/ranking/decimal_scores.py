"""Scores with few decimals, as rounded probabilities and points of a scorecard have: counted without being sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Bools, Floats

# So many decimals are looked for.
_DECIMALS = 5
# Scores that are looked at first: usually they tell that there are more.
_LOOK = 1000
# Rows worked on at a time, which stay in the processor's cache.
_CHUNK = 2**15
# Steps between the lowest score and the highest, at most, and rows to a step, at least.
_STEPS, _OFTEN = 2**15, 16


def count_decimals(positive: Bools, scores: NDArray[Any]) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]] | None:
    """Return distinct scores, descending, with the negatives and positives at or above each; None unless decimals are few.

    A score is k/10^d for a whole number k if dividing k by 10^d gives it back to the last bit: then k stands for it.
    """
    some = scores[:: max(1, scores.size // _LOOK)]
    unit = next((10.0**d for d in range(_DECIMALS) if _wholes(some, 10.0**d) is not None), None)
    if unit is None:
        return None
    low, high = float(scores.min()), float(scores.max())
    # Infinite scores, and whole numbers that floats do not hold exactly, are out.
    if not ((high - low) * unit < min(_STEPS, scores.size // _OFTEN) and max(-low, high) * unit < 2**53):
        return None
    first = round(low * unit)
    cells = 2 * (round(high * unit) - first + 1)
    counts = np.zeros(cells, dtype=np.int64)
    for start in range(0, scores.size, _CHUNK):
        wholes = _wholes(scores[start : start + _CHUNK], unit)
        if wholes is None:
            return None
        wholes -= first
        wholes *= 2
        wholes += positive[start : start + _CHUNK]
        counts += np.bincount(wholes.astype(np.intp), minlength=cells)
    downs, ups = counts[::2], counts[1::2]
    found = np.flatnonzero(downs + ups)[::-1]
    return (found + first) / unit, np.cumsum(downs[found]), np.cumsum(ups[found])


def _wholes(scores: NDArray[Any], unit: float) -> Floats | None:
    """Return the whole numbers that scores are multiples of 1/unit by, or None if some are not."""
    exact = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore"):
        wholes = np.rint(exact * unit)
    return wholes if np.array_equal(wholes / unit, exact) else None

"""Rows of counts in any order to rows in the order of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Floats


def merged(
    scores: Floats,
    positives: NDArray[Any],
    negatives: NDArray[Any],
    upper: Floats | None = None,
    unlabelled: NDArray[Any] | None = None,
) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats, NDArray[Any] | None]:
    """Return the columns of a table from rows in any order, in which scores may repeat and buckets overlap."""
    high = scores if upper is None else upper
    # Fractional counts are added in an order of their own, so that a + b is b + a to the last bit.
    cases = [positives, negatives, *([] if unlabelled is None else [unlabelled])]
    whole = all(column.dtype.kind == "i" for column in cases)
    order = np.argsort(scores) if whole else np.lexsort((*cases[::-1], high, scores))
    low, high = scores[order], high[order]
    # Rows belong together while they begin before all rows so far have ended; one score is a bucket of no width.
    reach = np.maximum.accumulate(high)
    start = np.concatenate([[0], np.flatnonzero(low[1:] > reach[:-1]) + 1])
    ups, downs, *unknown = (np.add.reduceat(column[order], start)[::-1] for column in cases)
    return low[start][::-1], ups, downs, np.maximum.reduceat(high, start)[::-1], unknown[0] if unknown else None

"""Labels, scores and weights to distinct scores with class totals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.sorting import sort_scores
from isocost.validate import Bools, Floats

# Sums of whole weights below this are exact in float64, so such weights are repetitions.
_EXACT = 2.0**53

Table = tuple[Floats, NDArray[Any], NDArray[Any]]


def whole_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return int64 when every value is a whole number and their sum is exact, else the values unchanged."""
    if values.dtype.kind == "f" and np.all(values == np.rint(values)) and float(values.sum()) < _EXACT:
        return values.astype(np.int64)
    return values


def count_scores(positive: Bools, scores: NDArray[Any], weights: Floats | None) -> Table:
    """Return distinct scores in descending order with the positives and negatives at each.

    Counts are int64 without weights or with whole-number weights, float64 otherwise. Rows of weight 0 do not count.
    """
    if weights is None:
        thresholds, fp, tp = sort_scores(positive, scores).points()
        return thresholds[1:], np.diff(tp), np.diff(fp)
    weights = whole_numbers(weights)
    if not weights.all():
        kept = weights > 0
        positive, scores, weights = positive[kept], scores[kept], weights[kept]
    return _count_ranked(positive, scores, weights)


def _count_ranked(positive: Bools, scores: NDArray[Any], weights: NDArray[Any]) -> Table:
    """Count by ranking the rows: the slow way, which weights need."""
    order = np.argsort(scores)[::-1]
    ranked = scores[order]
    starts = np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    hits, mass = positive[order], weights[order]
    ups, downs = np.where(hits, mass, 0), np.where(hits, 0, mass)
    # Adding 0.0 turns -0.0 into 0.0, which ties with it.
    return ranked[starts].astype(np.float64) + 0.0, np.add.reduceat(ups, starts), np.add.reduceat(downs, starts)

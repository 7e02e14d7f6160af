"""The scores of each class sorted apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.row_labels import RowIndex
from isocost.validate import Floats


@dataclass(frozen=True, eq=False)
class SplitScores:
    """The scores of each class, ascending: for rare positives (or negatives), and for scores that leave no bit for the label."""

    of_negatives: NDArray[Any]
    of_positives: NDArray[Any]

    @property
    def size(self) -> int:
        """Rows."""
        return self.negatives + self.positives

    @property
    def positives(self) -> int:
        """Rows with a positive label."""
        return int(self.of_positives.size)

    @property
    def negatives(self) -> int:
        """Rows with a negative label."""
        return int(self.of_negatives.size)

    @cached_property
    def _places(self) -> tuple[RowIndex, RowIndex]:
        """How many scores of the larger class lie below each of the rarer one, and how many below or level."""
        few, many = self._rarer
        return np.searchsorted(many, few, side="left"), np.searchsorted(many, few, side="right")

    @cached_property
    def twice_won(self) -> int:
        """Pairs of a positive and a negative that are ranked rightly, twice, plus tied pairs once: an exact whole number."""
        won = int(np.sum(self._places[0])) + int(np.sum(self._places[1]))
        return won if self.positives <= self.negatives else 2 * self.positives * self.negatives - won

    @property
    def _rarer(self) -> tuple[NDArray[Any], NDArray[Any]]:
        few, many = self.of_positives, self.of_negatives
        return (few, many) if few.size <= many.size else (many, few)

    def corners(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return fp and tp, ascending, of every point that can be a vertex of the hull.

        A vertex is reached by going up and left by going right: its threshold is a positive's score, and the next score
        below it a negative's. Looking at the rarer class is enough.
        """
        few, _ = self._rarer
        change = few[1:] != few[:-1]
        if few is self.of_positives:
            first = np.flatnonzero(np.concatenate([[True], change]))
            low, below = first, self._places[0][first]
        else:
            last = np.flatnonzero(np.concatenate([change, [True]]))
            below, low = last + 1, self._places[1][last]
        fp = np.concatenate([[0], (self.negatives - below)[::-1], [self.negatives]])
        tp = np.concatenate([[0], (self.positives - low)[::-1], [self.positives]])
        return fp, tp

    def thresholds(self, fp: NDArray[np.int64], tp: NDArray[np.int64]) -> Floats:
        """Return the lowest scores flagged where so many negatives and positives are; +inf for none."""
        lowest = [
            np.where(flagged == 0, np.inf, of_one[np.minimum(of_one.size - flagged, of_one.size - 1)])
            for of_one, flagged in ((self.of_negatives, fp), (self.of_positives, tp))
        ]
        return np.asarray(np.minimum(*lowest), dtype=np.float64) + 0.0

    @property
    def distinct(self) -> int:
        """Distinct scores."""
        return int(self.points()[0].size) - 1

    def points(self) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Return +inf and every distinct score, descending, with the negatives and positives at or above it."""
        few, many = self._rarer
        rare = np.zeros(self.size + 1, dtype=np.bool_)
        rare[self._places[0] + np.arange(few.size)] = True
        merged = np.empty(self.size, dtype=many.dtype)
        merged[rare[:-1]], merged[~rare[:-1]] = few, many
        edges = np.concatenate([[0], np.flatnonzero(merged[1:] != merged[:-1]) + 1, [self.size]])[::-1]
        above = np.asarray(few.size - (np.cumsum(rare) - rare)[edges], dtype=np.int64)
        rest = np.asarray(self.size - edges - above, dtype=np.int64)
        fp, tp = (rest, above) if few is self.of_positives else (above, rest)
        scores = np.empty(edges.size)
        scores[0] = np.inf
        # Adding 0.0 turns -0.0 into 0.0, which ties with it.
        np.add(merged[edges[1:]], 0.0, out=scores[1:])
        return scores, fp, tp

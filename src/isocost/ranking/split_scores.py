"""The scores of each class sorted apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.counted_places import counted_places
from isocost.ranking.number_sort import sort_numbers, sorts_slowly
from isocost.ranking.row_labels import RowIndex
from isocost.validate import Floats

# From so many scores of the larger class on, counting saves time where sorting is slow.
_MANY = 2**18
# It does while the rarer class has at most one in so many.
_RARE = 16


@dataclass(frozen=True, eq=False)
class SplitScores:
    """The scores of each class, ascending: for rare positives (or negatives), and for scores that leave no bit for the label.

    Hull and area need no more of the larger class than where the rarer one stands in it. Where sorting is slow and positives are rare,
    that is counted, and negatives stay in no order until somebody asks for it.
    """

    _negatives: NDArray[Any]
    of_positives: NDArray[Any]
    is_counted: bool

    @classmethod
    def of(cls, negatives: NDArray[Any], positives: NDArray[Any]) -> SplitScores:
        """Take scores in no order; they are sorted where they are."""
        is_counted = negatives.size >= max(_MANY, _RARE * positives.size) and sorts_slowly(negatives.itemsize)
        sort_numbers(positives)
        if not is_counted:
            sort_numbers(negatives)
        return cls(negatives, positives, is_counted)

    @cached_property
    def of_negatives(self) -> NDArray[Any]:
        """The scores of negatives, ascending."""
        if not self.is_counted:
            return self._negatives
        # A copy: another thread may be counting.
        ordered = self._negatives.copy()
        sort_numbers(ordered)
        return ordered

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
        return int(self._negatives.size)

    @cached_property
    def _places(self) -> tuple[RowIndex, RowIndex]:
        """How many scores of the larger class lie below each of the rarer one, and how many below or level."""
        if self.is_counted:
            return counted_places(self.of_positives, self._negatives)
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
        rare_positives = self.positives <= self.negatives
        few = self.of_positives if rare_positives else self.of_negatives
        change = few[1:] != few[:-1]
        if rare_positives:
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
        if self.is_counted and (found := self._of_corners(fp, tp)) is not None:
            return found
        lowest = [
            np.where(flagged == 0, np.inf, of_one[np.minimum(of_one.size - flagged, of_one.size - 1)])
            for of_one, flagged in ((self.of_negatives, fp), (self.of_positives, tp))
        ]
        return np.asarray(np.minimum(*lowest), dtype=np.float64) + 0.0

    def _of_corners(self, fp: NDArray[np.int64], tp: NDArray[np.int64]) -> Floats | None:
        """Return the thresholds if every point but the ends flags no negative below its lowest positive; else None."""
        ends = (fp + tp == 0) | (fp + tp == self.size)
        lowest = np.minimum(self.positives - tp, self.positives - 1)
        if not np.all(ends | ((tp > 0) & (fp == self.negatives - self._places[0][lowest]))):
            return None
        found = np.asarray(self.of_positives[lowest], dtype=np.float64) + 0.0
        found[fp + tp == 0] = np.inf
        found[fp + tp == self.size] = min(self.of_positives[0], self._negatives.min()) + 0.0
        return found

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

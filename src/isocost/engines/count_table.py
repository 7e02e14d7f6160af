"""Counts by score or bucket of scores, as an engine returns them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Bools, Floats

Keys = NDArray[np.int64]
# In place of a key: a row that is not opened any more. Keys are places, or sums of places that may be just below 0.
CLOSED = -(2**62)


@dataclass(frozen=True)
class CountTable:
    """Rows of counts, in descending order of scores; a row is one score where low equals high."""

    low: Floats
    high: Floats
    positives: NDArray[Any]
    negatives: NDArray[Any]
    keys: Keys

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.low.size)

    def __getitem__(self, rows: Any) -> CountTable:
        """Return some of the rows."""
        return CountTable(*(column[rows] for column in self._columns))

    def closed(self, rows: Bools) -> CountTable:
        """Return some of the rows, none of which is opened any more."""
        low, high, positives, negatives = (column[rows] for column in self._columns[:4])
        return CountTable(low, high, positives, negatives, _no_keys(low.size))

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.low, self.high, self.positives, self.negatives, self.keys

    def __add__(self, other: CountTable) -> CountTable:
        """Return the rows of both, which must not overlap."""
        if not len(self) or not len(other):
            return self if len(self) else other
        # Stable, because that way of sorting merges what is in order already.
        order = np.argsort(np.concatenate([self.low, other.low]), kind="stable")[::-1]
        mine = order < len(self)
        del order
        keyed = self.keys.strides != (0,) or other.keys.strides != (0,)
        pairs = list(zip(self._columns, other._columns, strict=True))[: 5 if keyed else 4]
        columns = [_interleaved(mine, *pair) for pair in pairs]
        return CountTable(*columns, *([] if keyed else [_no_keys(mine.size)]))

    @classmethod
    def listed(cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any]) -> CountTable:
        """Return rows of single scores."""
        if np.any(scores[1:] > scores[:-1]):
            order = np.argsort(scores)[::-1]
            scores, positives, negatives = scores[order], positives[order], negatives[order]
        return cls(scores, scores, positives, negatives, _no_keys(scores.size))

    @property
    def counted(self) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats]:
        """Lowest scores, positives, negatives and highest scores: what score counts are made of."""
        return self.low, self.positives, self.negatives, self.high

    def ends(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return false and true positives at the rows' ends, from none."""
        return cumulated(self.negatives), cumulated(self.positives)


def cumulated(column: NDArray[Any]) -> NDArray[Any]:
    """Return the sums up to each row, from none."""
    sums = np.zeros(column.size + 1, dtype=column.dtype)
    np.cumsum(column, out=sums[1:])
    return sums


def _interleaved(mine: Bools, one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return two columns in one, each in its order, without laying them end to end first."""
    both = np.empty(mine.size, dtype=np.result_type(one, other))
    both[mine], both[~mine] = one, other
    return both


def _no_keys(size: int) -> Keys:
    """Return keys of rows that are not opened any more, which take no memory."""
    return np.broadcast_to(np.int64(CLOSED), size)

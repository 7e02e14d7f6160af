"""Scores that many rows share, each counted once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.sorted_keys import SortedKeys
from isocost.validate import Floats


@dataclass(frozen=True, eq=False)
class TiedScores:
    """Distinct scores, descending, with the negatives and positives at or above each: for scores that many rows share."""

    scores: Floats
    fp: NDArray[np.int64]
    tp: NDArray[np.int64]

    @classmethod
    def of(cls, rows: SortedKeys) -> TiedScores:
        """Count sorted rows key by key: a score has at most two keys, that of its negatives and that of its positives."""
        starts = rows.starts()
        keys = rows.keys[starts]
        ups = (np.append(starts[1:], rows.size) - starts) * (keys & 1).astype(np.int64)
        below = np.cumsum(ups) - ups
        first = np.append(0, np.flatnonzero((keys[1:] ^ keys[:-1]) > 1) + 1)[::-1]
        tp = rows.positives - below[first]
        return cls(rows.scores_of(keys[first]), rows.size - starts[first] - tp, tp)

    @property
    def size(self) -> int:
        """Rows."""
        return self.negatives + self.positives

    @property
    def positives(self) -> int:
        """Rows with a positive label."""
        return int(self.tp[-1])

    @property
    def negatives(self) -> int:
        """Rows with a negative label."""
        return int(self.fp[-1])

    @property
    def distinct(self) -> int:
        """Distinct scores."""
        return int(self.scores.size)

    @cached_property
    def twice_won(self) -> int:
        """Pairs of a positive and a negative that are ranked rightly, twice, plus tied pairs once: an exact whole number."""
        fp, tp = self._points
        return int(np.sum((fp[1:] - fp[:-1]) * (tp[1:] + tp[:-1])))

    @cached_property
    def _points(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        fp, tp = (np.zeros(self.scores.size + 1, dtype=np.int64) for _ in range(2))
        fp[1:], tp[1:] = self.fp, self.tp
        return fp, tp

    def corners(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return fp and tp, ascending, of every point that can be a vertex of the hull: reached by going up, left by going right."""
        fp, tp = self._points
        corner = np.ones(fp.size, dtype=np.bool_)
        np.logical_and(tp[1:-1] > tp[:-2], fp[2:] > fp[1:-1], out=corner[1:-1])
        return fp[corner], tp[corner]

    def thresholds(self, fp: NDArray[np.int64], tp: NDArray[np.int64]) -> Floats:
        """Return the lowest scores flagged where so many negatives and positives are; +inf for none."""
        return np.append(np.inf, self.scores)[np.searchsorted(self.fp + self.tp, fp + tp, side="left") + (fp + tp > 0)]

    def points(self) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Return +inf and every distinct score, descending, with the negatives and positives at or above it."""
        return np.append(np.inf, self.scores), *self._points

"""The rows that one model scored, in the order of their scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Bools, Floats

Ranks = tuple[Floats, NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class RankedScores:
    """The rows that one model scored, from the highest score to the lowest; ranked when that is first asked for.

    Attributes
    ----------
    rank : callable
        Returns `scores`, `order` and `start`.
    upper : ndarray of float64 or None
        Where scores were counted together in blocks, of which `scores` are the lowest: the highest of each.
    """

    rank: Callable[[], Ranks]
    upper: Floats | None = None

    @classmethod
    def of_blocks(cls, block: NDArray[np.integer], low: Floats, high: Floats) -> RankedScores:
        """Rank rows by their blocks, which are numbered from the highest scores down."""
        return cls(partial(_rank_blocks, block, low), None if np.array_equal(low, high) else high)

    @classmethod
    def of(cls, scores: NDArray[Any], rows: NDArray[np.intp]) -> RankedScores:
        """Rank some rows by their scores."""
        return cls(partial(_rank, scores, rows))

    @cached_property
    def _ranked(self) -> Ranks:
        return self.rank()

    @property
    def scores(self) -> Floats:
        """Distinct scores, descending."""
        return self._ranked[0]

    @property
    def order(self) -> NDArray[np.intp]:
        """The rows in that order."""
        return self._ranked[1]

    @property
    def start(self) -> NDArray[np.intp]:
        """Where each distinct score begins in `order`."""
        return self._ranked[2]

    def totals(self, drawn: NDArray[Any], positive: Bools) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return positives and negatives of each replicate at each distinct score; both of shape (replicates, scores)."""
        ranked = np.take(drawn, self.order, axis=1)
        hits = positive[self.order]
        positives, negatives = ranked * hits, ranked * ~hits
        if self.start.size == self.order.size:
            return positives, negatives
        return np.add.reduceat(positives, self.start, axis=1), np.add.reduceat(negatives, self.start, axis=1)


def _rank(scores: NDArray[Any], rows: NDArray[np.intp]) -> Ranks:
    # In which order equal scores come makes no difference.
    order = rows[np.argsort(scores[rows])[::-1]]
    ranked = scores[order]
    start = np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    # Adding 0.0 turns -0.0 into 0.0, which ties with it.
    return ranked[start].astype(np.float64) + 0.0, order, start


def _rank_blocks(block: NDArray[np.integer], low: Floats) -> Ranks:
    order = np.argsort(block, kind="stable")
    return low, order, np.searchsorted(block[order], np.arange(low.size))

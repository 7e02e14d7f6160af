"""Rows of several models resampled together: who was drawn how often, and what each model makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.validate import Bools, Floats

# Cells of one batch of replicates: bounds the memory whatever the number of rows and replicates.
_CELLS = 2**21
# A replicate that misses a class is drawn again; so many times in a row means it will never have both.
_TRIES = 1000


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


@dataclass(frozen=True, eq=False)
class Resampler:
    """Draws rows, or whole groups of rows, with replacement inside strata.

    Replicate i depends on the seed and on i alone: neither on batches nor on how many replicates there are.

    Attributes
    ----------
    positive : ndarray of bool
    unit : ndarray of int
        Which unit each row belongs to; a unit is drawn as a whole.
    strata : tuple of ndarray of int
        The units of each stratum; as many are drawn from it as it has.
    parts : ndarray of int
        Which part (fold) each row belongs to: every replicate keeps both classes in every part.
    weights : ndarray or None
        What a row counts each time it is drawn.
    entropy : tuple of int
    cases : ndarray of int or None
        How many cases a row stands for, all of one unit each; one by default.
    """

    positive: Bools
    unit: NDArray[np.intp]
    strata: tuple[NDArray[np.intp], ...]
    parts: NDArray[np.intp]
    weights: Floats | None
    entropy: tuple[int, ...]
    cases: NDArray[np.int64] | None = None

    @cached_property
    def single(self) -> bool:
        """Whether every row is a unit of its own."""
        return self.unit.size == int(self.unit.max()) + 1

    @property
    def always_complete(self) -> bool:
        """Whether every draw has both classes in every part: each stratum lies in one class and one part."""
        pure = np.full(int(self.unit.max()) + 1, -1)
        key = 2 * self.parts + self.positive
        pure[self.unit] = key
        whole = bool(np.all(pure[self.unit] == key))
        return whole and all(np.unique(pure[units]).size == 1 for units in self.strata)

    def batches(self, start: int, stop: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield (first, drawn): how often each row is drawn (times its weight) in consecutive replicates."""
        size = max(1, _CELLS // self.positive.size)
        check = not self.always_complete
        for first in range(start, stop, size):
            drawn = [self._draw(i, check=check) for i in range(first, min(first + size, stop))]
            yield first, np.stack(drawn)

    def _draw(self, replicate: int, *, check: bool) -> NDArray[Any]:
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*self.entropy, replicate])))
        if self.cases is not None:
            return _drawn_of(self.cases, self.strata, rng)
        for _ in range(_TRIES):
            times = np.empty(int(self.unit.max()) + 1, dtype=np.int32)
            for units in self.strata:
                # Whole numbers only, so that every platform draws the same rows.
                picked = rng.integers(0, units.size, size=units.size, dtype=np.int32)
                times[units] = np.bincount(picked, minlength=units.size)
            rows = times[self.unit]
            if not check or self._complete(rows):
                return rows if self.weights is None else rows * self.weights
        raise InputError(
            f"{_TRIES} resamples in a row missed a class: the positives or negatives sit in too few of the "
            f"{int(self.unit.max()) + 1} groups to resample groups"
        )

    def _complete(self, rows: NDArray[Any]) -> bool:
        seen = np.bincount(2 * self.parts + self.positive, rows > 0, minlength=2 * (int(self.parts.max()) + 1))
        return bool(np.all(seen > 0))


def _drawn_of(
    cases: NDArray[np.int64], strata: tuple[NDArray[np.intp], ...], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return how many cases of each row are drawn: as if they were drawn one by one and counted."""
    drawn = np.empty_like(cases)
    for rows in strata:
        total = int(cases[rows].sum())
        drawn[rows] = rng.multinomial(total, cases[rows] / total)
    return drawn

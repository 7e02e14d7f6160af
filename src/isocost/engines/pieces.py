"""Buckets divided again, each into as many steps as its cases are worth, by the bit patterns of its numbers.

Equal steps over the whole range would be in vain where scores lie in clusters many orders of magnitude apart. Bit patterns of
float64, counted in order, are next to each other where the numbers are, however small; a bucket of one pattern is one score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.engines.count_table import CountTable, Keys
from isocost.engines.grid import Grid, number, ordered
from isocost.validate import Bools, Floats

# Every bucket is divided into at least so many steps, unless it has fewer numbers.
_LEAST_STEPS = 8


class FirstGrid(Grid):
    """Equal steps, which are divided into `Pieces`."""

    def divided(self, rows: CountTable, most: int) -> Pieces:  # type: ignore[override]
        """Return the buckets in some rows, divided into about so many in all."""
        return Pieces.of(rows, most)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Keys from 0 on: those of each bucket follow those of the bucket below it.

    Attributes
    ----------
    start, end : ndarray of int64
        The first and last bit pattern of each bucket, ascending.
    shift : ndarray of uint64
        log2 of the patterns in each of its steps.
    first : ndarray of int64
        The key of its first step, and how many steps all have.
    """

    start: Keys
    end: Keys
    shift: NDArray[np.uint64]
    first: Keys

    @classmethod
    def of(cls, rows: CountTable, most: int) -> Pieces:
        """Return the buckets in some rows, divided into about so many in all, in proportion to their cases."""
        start, end = ordered(rows.low[::-1]), ordered(rows.high[::-1])
        mass = (rows.positives + rows.negatives)[::-1]
        steps = np.maximum(_LEAST_STEPS, mass * (most / mass.sum()))
        # Unsigned, because patterns of both signs may be further apart than int64 reaches.
        width = (end - start).view(np.uint64)
        shift = np.ceil(np.log2((width + 1.0) / steps)).clip(0, 63).astype(np.uint64)
        return cls(start, end, shift, np.append(0, np.cumsum((width >> shift).view(np.int64) + 1)))

    def divided(self, rows: CountTable, most: int) -> Pieces:
        """Return the buckets in some rows, divided into about so many in all."""
        return Pieces.of(rows, most)

    @property
    def size(self) -> int:
        """How many keys there are."""
        return int(self.first[-1])

    def keys(self, scores: Floats) -> tuple[Bools, Keys]:
        """Tell which scores are in a bucket, and return the keys of those."""
        mine = ordered(scores)
        at = np.searchsorted(self.start, mine, side="right") - 1
        here = (at >= 0) & (mine <= self.end[at])
        mine, at = mine[here], at[here]
        return here, self.first[at] + ((mine - self.start[at]).view(np.uint64) >> self.shift[at]).view(np.int64)

    def spans(self, keys: Keys) -> tuple[Floats, Floats]:
        """Return the lowest and highest number of each key."""
        at = np.searchsorted(self.first, keys, side="right") - 1
        low = self.start[at] + ((keys - self.first[at]).view(np.uint64) << self.shift[at]).view(np.int64)
        high = np.where(keys + 1 == self.first[at + 1], self.end[at], low + ((1 << self.shift[at]) - 1).view(np.int64))
        return number(low), number(high)

"""The labels of sorted rows: for few rows as running sums, for many as bits, which take an eighth of a byte a row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

RowIndex = NDArray[np.intp]
Counts = NDArray[np.int64]

# For each binary digit of a bit's place in its word, the places where that digit is 1.
_DIGITS = np.array(
    [sum(1 << place for place in range(64) if place >> digit & 1) for digit in range(6)], dtype=np.uint64
)


@dataclass(frozen=True, eq=False)
class LabelSums:
    """How many positives there are before each row, and in all: quickest if rows are few."""

    below: Counts

    @classmethod
    def of(cls, labels: NDArray[np.integer[Any]]) -> LabelSums:
        """Return the sums of labels that are 0 or 1, or of counts."""
        below = np.zeros(labels.size + 1, dtype=np.int64)
        labels.cumsum(out=below[1:])
        return cls(below)

    def positives_below(self, edges: RowIndex) -> Counts:
        """Return how many positives lie below each edge."""
        return self.below[edges]

    @property
    def places(self) -> int:
        """The sum of the rows that are positive: each has as many rows before it as sums after it do not count it."""
        return (self.below.size - 1) * int(self.below[-1]) - int(self.below[1:].sum())

    def turns(self) -> RowIndex:
        """Return the positive rows that follow a negative one: where a vertex can be if no tie holds both classes."""
        flat = self.below[1:] == self.below[:-1]
        return np.asarray((flat[:-1] > flat[1:]).nonzero()[0] + 1)


@dataclass(frozen=True, eq=False)
class LabelBits:
    """Bit i of word w tells whether row 64 w + i is positive; bits after the last row are 0."""

    words: NDArray[np.uint64]

    @cached_property
    def below(self) -> Counts:
        """Positives before each word, and in all."""
        return LabelSums.of(np.bitwise_count(self.words)).below

    def positives_below(self, edges: RowIndex) -> Counts:
        """Return how many positives lie below each edge: those of whole words, and the bits up to the edge of its own."""
        word = edges >> 6
        # Shifted up, only the bits below the edge are left; in two steps, as all 64 cannot go in one.
        places = (63 - (edges & 63)).astype(np.uint64)
        own = self.words[np.minimum(word, self.words.size - 1)] << places << np.uint64(1)
        return np.asarray(self.below[word] + np.bitwise_count(own), dtype=np.int64)

    @property
    def places(self) -> int:
        """The sum of the rows that are positive: 64 for every word before theirs, and their place in it, digit by digit."""
        digits = np.bitwise_count(self.words & _DIGITS[:, None]).sum(axis=1, dtype=np.int64)
        inside = sum(int(many) << digit for digit, many in enumerate(digits.tolist()))
        return 64 * LabelSums(self.below).places + inside

    @cached_property
    def _turns(self) -> NDArray[np.uint64]:
        before = self.words << np.uint64(1)
        before[1:] |= self.words[:-1] >> np.uint64(63)
        return self.words & ~before

    def turns_in(self, quarters: RowIndex) -> RowIndex:
        """Return the positive rows that follow a negative one, and row 0 if positive, in quarters of words given by first row."""
        place = np.flatnonzero(np.unpackbits(self._turns.view("<u2")[quarters >> 4].view(np.uint8), bitorder="little"))
        return np.asarray(quarters[place >> 4] + (place & 15), dtype=np.intp)

"""The rows of one classifier in the order of their scores: 8 bytes a row, everything else derived from it when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.row_labels import LabelBits, LabelSums, RowIndex
from isocost.validate import Bools, Floats

# Rows worked on at a time: what is made of them on the way stays in the processor's cache.
_CHUNK = 2**16
# Up to so many rows are worked on all at once.
FEW_ROWS = 2**15
# Ties are measured step by step up to this length; longer ones by bisection.
_SHORT = 4
# Whole numbers and floats of as many bits.
_TYPES: dict[int, tuple[type[Any], type[Any], type[Any]]] = {
    32: (np.uint32, np.int32, np.float32),
    64: (np.uint64, np.int64, np.float64),
}
# With more rows than this to a distinct score they are counted by score.
_OFTEN = 16
# Sorted rows are looked through by such stretches, in which nothing changes if the ends are equal.
_STRETCH = 64


@dataclass(frozen=True, eq=False)
class SortedKeys:
    """Integers that sort like the scores, with the label in the lowest bit; ascending.

    Sorting them is several times faster than ranking rows, because NumPy sorts plain numbers with vector instructions and
    nothing has to be gathered afterwards. Within a tie the negatives come first. An edge is a number of rows from the
    lowest score up: those below a threshold. If scores have signs, magnitudes are counted from `offset`.
    """

    keys: NDArray[Any]
    positives: int
    offset: int | None
    float_type: type[np.floating[Any]]

    @property
    def size(self) -> int:
        """Rows."""
        return int(self.keys.size)

    @property
    def negatives(self) -> int:
        """Rows with a negative label."""
        return self.size - self.positives

    @cached_property
    def _scanned(self) -> tuple[LabelSums | LabelBits, RowIndex]:
        """The labels, and the last negative of each tie that holds both classes."""
        if self.size <= FEW_ROWS:
            mixed_in_all = ((self.keys[1:] ^ self.keys[:-1]) == 1).nonzero()[0]
            return LabelSums.of(self.keys.view(_TYPES[8 * self.keys.itemsize][1]) & 1), mixed_in_all
        octets = np.zeros(-(-self.size // 64) * 8, dtype=np.uint8)
        mixed = []
        for start, keys in self._chunks():
            packed = np.packbits(keys[:_CHUNK].astype(np.uint8) & 1, bitorder="little")
            octets[start // 8 : start // 8 + packed.size] = packed
            # Only a negative and a positive of one score differ in the label bit and nothing else.
            mixed.append(np.flatnonzero((keys[1:] ^ keys[:-1]) == 1) + start)
        return LabelBits(octets.view("<u8")), np.concatenate(mixed)

    @property
    def labels(self) -> LabelSums | LabelBits:
        """The labels, to count positives."""
        return self._scanned[0]

    @property
    def has_mixed_ties(self) -> bool:
        """Whether a positive and a negative share a score somewhere."""
        return bool(self._scanned[1].size)

    def _chunks(self) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield consecutive rows, each time with the first row of the next chunk."""
        for start in range(0, self.size, _CHUNK):
            yield start, self.keys[start : start + _CHUNK + 1]

    @property
    def often_tied(self) -> bool:
        """Whether few rows begin a new score, as one in every stretch tells; of few rows, whether many ties hold both classes."""
        if self.size <= FEW_ROWS:
            return bool(_OFTEN * self._scanned[1].size > self.size)
        new = (self.keys[_STRETCH::_STRETCH] ^ self.keys[_STRETCH - 1 : -1 : _STRETCH]) > 1
        return bool(_OFTEN * np.count_nonzero(new) < new.size)

    def starts(self) -> RowIndex:
        """Return where each key begins, ascending; quick if most stretches of rows are even."""
        ends = self.keys[::_STRETCH]
        uneven = np.flatnonzero(ends[1:] != ends[:-1])
        if self.size <= FEW_ROWS or 4 * uneven.size > ends.size:
            found = [np.flatnonzero(keys[1:] != keys[:-1]) + (start + 1) for start, keys in self._chunks()]
            return np.concatenate([[0], *found])
        inside = np.lib.stride_tricks.sliding_window_view(self.keys, _STRETCH + 1)[::_STRETCH][uneven]
        stretch, place = np.nonzero(inside[:, 1:] != inside[:, :-1])
        last = (self.size - 1) // _STRETCH * _STRETCH
        tail = np.flatnonzero(self.keys[last + 1 :] != self.keys[last:-1])
        return np.concatenate([[0], uneven[stretch] * _STRETCH + place + 1, tail + last + 1])

    def flagged(self, edges: RowIndex) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the negatives and positives at or above each edge: fp and tp."""
        low = self.labels.positives_below(edges)
        return self.negatives - (edges - low), self.positives - low

    def corners_of_few(self, sums: LabelSums) -> RowIndex:
        """Return edges, ascending, that can be vertices of the hull: from a negative up to a positive, and about ties of both classes."""
        turns, last_negative = sums.turns(), self._scanned[1]
        if not last_negative.size:
            return turns
        low = last_negative + 1 - _run(self.keys, last_negative, -1)
        high = last_negative + 1 + _run(self.keys, last_negative + 1, 1)
        found = np.zeros(self.size + 1, dtype=np.bool_)
        found[turns] = True
        # Within a tie nothing begins.
        found[last_negative + 1] = False
        found[low] = found[high] = True
        return np.asarray(found[1:-1].nonzero()[0] + 1)

    def is_edge(self, rows: RowIndex) -> Bools:
        """Tell which rows (from 1 on) begin a new score; 0 and all rows are edges too."""
        inside = np.clip(rows, 1, self.size - 1)
        return np.asarray(((self.keys[inside] ^ self.keys[inside - 1]) > 1) | (inside != rows), dtype=np.bool_)

    @cached_property
    def distinct(self) -> int:
        """Distinct scores."""
        return 1 + sum(int(np.count_nonzero((keys[1:] ^ keys[:-1]) > 1)) for _, keys in self._chunks())

    def edges(self) -> RowIndex:
        """Return where each distinct score begins, ascending."""
        found = [np.flatnonzero((keys[1:] ^ keys[:-1]) > 1) + (start + 1) for start, keys in self._chunks()]
        return np.concatenate([[0], *found])

    @cached_property
    def twice_won(self) -> int:
        """Pairs of a positive and a negative that are ranked rightly, twice, plus tied pairs once: an exact whole number."""
        many = self.positives
        return 2 * (self.labels.places - many * (many - 1) // 2) - self._tied_pairs

    @property
    def _tied_pairs(self) -> int:
        _, last_negative = self._scanned
        pairs = 0
        for start in range(0, last_negative.size, _CHUNK):
            some = last_negative[start : start + _CHUNK]
            pairs += int(np.sum(_run(self.keys, some, -1) * _run(self.keys, some + 1, 1)))
        return pairs

    def thresholds(self, fp: NDArray[np.int64], tp: NDArray[np.int64]) -> Floats:
        """Return the lowest scores flagged where so many negatives and positives are; +inf for none."""
        return self.scores_from(self.size - fp - tp)

    def scores_from(self, edges: RowIndex) -> Floats:
        """Return the lowest scores from each edge on; +inf from that above all rows."""
        scores = self.scores_of(self.keys.take(edges, mode="clip"))
        scores[edges == self.size] = np.inf
        return scores

    def scores_of(self, keys: NDArray[Any]) -> Floats:
        """Return the scores that keys stand for."""
        if self.offset is None:
            return np.asarray((keys >> 1).view(self.float_type), dtype=np.float64)
        width = 8 * keys.dtype.itemsize
        bits = (keys ^ keys.dtype.type(2 ** (width - 1))).view(f"i{width // 8}") >> 1
        size = np.where(bits == 0, 0, np.abs(bits) + self.offset)
        return np.asarray(np.copysign(size.view(self.float_type), bits), dtype=np.float64) + 0.0

    def points(self) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Return +inf and every distinct score, descending, with the negatives and positives at or above it."""
        if self.distinct < self.size:
            edges = np.append(self.edges(), self.size)[::-1]
            return self.scores_from(edges), *self.flagged(edges)
        # Nothing but the results is laid out in full: touching memory for the first time takes longer than all else.
        keys, signed = self.keys[::-1], _TYPES[8 * self.keys.itemsize][1]
        scores = np.empty(self.size + 1)
        fp, tp = (np.zeros(self.size + 1, dtype=np.int64) for _ in range(2))
        scores[0] = np.inf
        for start in range(0, self.size, _CHUNK):
            part = keys[start : start + _CHUNK]
            to = slice(start + 1, start + 1 + part.size)
            scores[to] = self.scores_of(part)
            np.cumsum((part & 1).view(signed), out=tp[to])
            tp[to] += tp[start]
            np.subtract(np.arange(to.start, to.stop), tp[to], out=fp[to])
        return scores, fp, tp


def _run(keys: NDArray[Any], at: RowIndex, step: int) -> NDArray[np.int64]:
    """Return how many equal keys there are from each place on, itself included, going up (step 1) or down (-1)."""
    length = np.ones(at.size, dtype=np.int64)
    going = np.arange(at.size)
    for reach in range(1, _SHORT):
        place = at[going] + step * reach
        inside = (place >= 0) & (place < keys.size)
        going, place = going[inside], place[inside]
        going = going[keys[place] == keys[at[going]]]
        length[going] += 1
    long = at[going]
    if step > 0:
        length[going] = np.searchsorted(keys, keys[long], side="right") - long
    else:
        length[going] = long + 1 - np.searchsorted(keys, keys[long], side="left")
    return length


def pack(positive: Bools, scores: NDArray[Any], many: int) -> SortedKeys | None:
    """Return order-preserving keys of float32 or float64 scores, not yet sorted; None where they do not fit."""
    width = 8 * scores.dtype.itemsize
    unsigned, signed, float_type = _TYPES[width]
    bits: NDArray[Any] = np.ascontiguousarray(scores).view(unsigned)
    if scores.min() >= 0:
        # No sign to keep: its bit makes room for the label, and -0.0 becomes 0.0.
        keys: NDArray[Any] = bits << 1
        keys |= positive
        return SortedKeys(keys, many, None, float_type)
    # Magnitudes are counted from the smallest one that occurs, which frees the bit unless they span all exponents.
    magnitude = unsigned(2 ** (width - 1) - 1)
    parts = [slice(i, i + _CHUNK) for i in range(0, bits.size, _CHUNK)]
    # One less than the smallest but zero, which wraps round to the largest number there is.
    offset = min(int(((bits[part] & magnitude) - unsigned(1)).min()) for part in parts)
    offset = 0 if offset >= 2 ** (width - 1) else offset
    if max(int((bits[part] & magnitude).max()) for part in parts) - offset >= 2 ** (width - 2):
        return None
    keys = np.empty(bits.size, dtype=unsigned)
    for part in parts:
        size = (bits[part] & magnitude).view(signed)
        size -= signed(offset)
        np.maximum(size, 0, out=size)
        # All ones for negative scores: flipping all bits and adding one changes the sign.
        sign = bits[part].view(signed) >> (width - 1)
        size ^= sign
        size -= sign
        size <<= 1
        np.bitwise_or(size, positive[part], out=size)
        # The other way round in the top bit, numbers with a sign sort like numbers without.
        np.bitwise_xor(size.view(unsigned), unsigned(2 ** (width - 1)), out=keys[part])
    return SortedKeys(keys, many, offset, float_type)

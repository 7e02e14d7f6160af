"""The rows of one classifier in the order of their scores: 8 bytes a row, everything else derived from it when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Bools, Floats

Rows = NDArray[np.intp]

# Rows worked on at a time: what is made of them on the way stays in the processor's cache.
_CHUNK = 2**15
# With fewer than this share of rows in a class, sorting the classes apart is quicker than putting the label into the key.
_RARE = 0.05
# Ties are measured step by step up to this length; longer ones by bisection.
_SHORT = 4


def sort_scores(positive: Bools, scores: NDArray[Any]) -> SortedKeys | SplitScores:
    """Sort float32 or float64 scores with their labels, unweighted, in whichever way is quickest."""
    many = int(np.count_nonzero(positive))
    if min(many, positive.size - many) >= _RARE * positive.size:
        packed = pack(positive, scores)
        if packed is not None:
            packed.keys.sort()
            return packed
    classes = [scores[~positive], scores[positive]]
    for of_one in classes:
        of_one.sort()
    return SplitScores(*classes)


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

    @cached_property
    def _scanned(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], Rows]:
        """Labels as bits, 64 a word; positives before each word; the last negative of each tie that holds both classes."""
        bits = np.zeros(-(-self.size // 64) * 8, dtype=np.uint8)
        mixed = []
        for start, keys in self._chunks():
            labels = (keys[:_CHUNK] & 1).astype(np.bool_)
            packed = np.packbits(labels, bitorder="little")
            bits[start // 8 : start // 8 + packed.size] = packed
            # Only a negative and a positive of one score differ in the label bit and nothing else.
            mixed.append(np.flatnonzero((keys[1:] ^ keys[:-1]) == 1) + start)
        words = bits.view("<u8")
        before = np.concatenate([[0], np.cumsum(np.bitwise_count(words), dtype=np.int64)])
        return words, before, np.concatenate(mixed)

    def _chunks(self) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield consecutive rows, each time with the first row of the next chunk."""
        for start in range(0, self.size, _CHUNK):
            yield start, self.keys[start : start + _CHUNK + 1]

    @property
    def negatives(self) -> int:
        """Rows with a negative label."""
        return self.size - self.positives

    def positives_below(self, edges: Rows) -> NDArray[np.int64]:
        """Return how many positives lie below each edge: those of whole words, and the bits up to the edge of its own."""
        words, before, _ = self._scanned
        word, place = edges >> 6, (edges & 63).astype(np.uint64)
        own = words[np.minimum(word, words.size - 1)] & ((np.uint64(1) << place) - np.uint64(1))
        return np.asarray(before[word] + np.bitwise_count(own), dtype=np.int64)

    def flagged(self, edges: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the negatives and positives at or above each edge: fp and tp."""
        low = self.positives_below(edges)
        return self.negatives - (edges - low), self.positives - low

    def is_edge(self, rows: Rows) -> Bools:
        """Tell which rows (from 1 on) begin a new score; 0 and all rows are edges too."""
        inside = np.clip(rows, 1, self.size - 1)
        return np.asarray(((self.keys[inside] ^ self.keys[inside - 1]) > 1) | (inside != rows), dtype=np.bool_)

    @cached_property
    def distinct(self) -> int:
        """Distinct scores."""
        return 1 + sum(int(np.count_nonzero((keys[1:] ^ keys[:-1]) > 1)) for _, keys in self._chunks())

    def edges(self) -> Rows:
        """Return where each distinct score begins, ascending."""
        found = [np.flatnonzero((keys[1:] ^ keys[:-1]) > 1) + (start + 1) for start, keys in self._chunks()]
        return np.concatenate([[0], *found])

    @cached_property
    def twice_won(self) -> int:
        """Pairs of a positive and a negative that are ranked rightly, twice, plus tied pairs once: an exact whole number."""
        words, _, mixed = self._scanned
        many = self.positives
        # Places of the positives, summed: those of the 64-bit words, of the bytes in a word, and a table for bits in a byte.
        counts = np.bitwise_count(words).astype(np.int64)
        octets = words.view(np.uint8).reshape(-1, 8)
        in_octet = np.bitwise_count(octets).sum(axis=0, dtype=np.int64)
        total = 64 * int((counts * np.arange(counts.size)).sum()) + 8 * int((in_octet * np.arange(8)).sum())
        total += int(_PLACES[octets].sum(dtype=np.int64))
        tied = self._tied_pairs(mixed) if mixed.size else 0
        return 2 * (total - many * (many - 1) // 2) - tied

    def _tied_pairs(self, last_negative: Rows) -> int:
        lows = _run(self.keys, last_negative, -1)
        highs = _run(self.keys, last_negative + 1, 1)
        return int(np.sum(lows * highs))

    def thresholds(self, fp: NDArray[np.int64], tp: NDArray[np.int64]) -> Floats:
        """Return the lowest scores flagged where so many negatives and positives are; +inf for none."""
        edges = self.size - fp - tp
        scores = self.scores_of(self.keys[np.minimum(edges, self.size - 1)])
        return np.where(edges == self.size, np.inf, scores)

    def scores_of(self, keys: NDArray[Any]) -> Floats:
        """Return the scores that keys stand for."""
        if self.offset is None:
            return np.asarray((keys >> 1).view(self.float_type), dtype=np.float64)
        width = 8 * keys.dtype.itemsize
        bits = (keys ^ keys.dtype.type(2 ** (width - 1))).view(f"i{width // 8}") >> 1
        size = np.where(bits == 0, 0, np.abs(bits) + self.offset)
        return np.asarray(np.copysign(size.view(self.float_type), bits), dtype=np.float64) + 0.0

    def path(self) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Return every distinct score, descending, with the negatives and positives at or above it."""
        if self.distinct == self.size:
            keys = self.keys[::-1]
            tp = np.cumsum(keys & 1, dtype=np.int64)
            return self.scores_of(keys), np.arange(1, self.size + 1) - tp, tp
        edges = self.edges()[::-1]
        return self.scores_of(self.keys[edges]), *self.flagged(edges)


# For every byte, the places of its set bits summed.
_PLACES = np.array([sum(i for i in range(8) if byte >> i & 1) for byte in range(256)], dtype=np.uint8)


def _run(keys: NDArray[Any], at: Rows, step: int) -> NDArray[np.int64]:
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
    def _places(self) -> tuple[Rows, Rows]:
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
        return int(self.path()[0].size)

    def path(self) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Return every distinct score, descending, with the negatives and positives at or above it."""
        few, many = self._rarer
        rare = np.zeros(self.size, dtype=np.bool_)
        rare[self._places[0] + np.arange(few.size)] = True
        merged = np.empty(self.size, dtype=many.dtype)
        merged[rare], merged[~rare] = few, many
        edges = np.concatenate([[0], np.flatnonzero(merged[1:] != merged[:-1]) + 1])[::-1]
        above = np.asarray(few.size - (np.cumsum(rare) - rare)[edges], dtype=np.int64)
        rest = np.asarray(self.size - edges - above, dtype=np.int64)
        fp, tp = (rest, above) if few is self.of_positives else (above, rest)
        # Adding 0.0 turns -0.0 into 0.0, which ties with it.
        return merged[edges].astype(np.float64) + 0.0, fp, tp


def pack(positive: Bools, scores: NDArray[Any]) -> SortedKeys | None:
    """Return order-preserving keys for float32 or float64 scores, not yet sorted; None where they do not fit."""
    many, width = int(np.count_nonzero(positive)), 8 * scores.dtype.itemsize
    unsigned, signed = (np.dtype(f"{kind}{width // 8}").type for kind in "ui")
    float_type: type[np.floating[Any]] = np.float64 if width == 64 else np.float32
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

"""Rows in the order of one score: sorted, counted where scores repeat, and the hull that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import upper_hull
from isocost.data.checks import Bools, Floats

RowIndex = NDArray[np.intp]
Counts = NDArray[np.int64]
# Distinct scores, descending, with counts at (or at and above) each.
Table = tuple[Floats, NDArray[Any], NDArray[Any]]

# Whole numbers and floats of as many bytes.
_TYPES: dict[int, tuple[type[Any], type[Any], type[Any]]] = {
    4: (np.uint32, np.int32, np.float32),
    8: (np.uint64, np.int64, np.float64),
}
# Rows worked on at a time: what is made of them on the way stays in the processor's cache.
_CHUNK = 2**16
# Numbers to a window: the longest row that vector instructions sort without parting it. Fewer numbers than the other are soon sorted.
_WINDOW, _FEW = 256, 2**12
# So many decimals are looked for in so many scores first; then steps between the lowest score and the highest, at most, and rows to a
# step, at least. Fewer rows are soon sorted.
_DECIMALS, _LOOK, _STEPS, _OFTEN, _MANY = 5, 1000, 2**15, 16, 2**15
# Sums of whole weights below this are exact in float64, so such weights are repetitions.
_EXACT = 2.0**53


def sort_numbers(keys: NDArray[Any]) -> None:
    """Sort whole numbers without a sign in place; NumPy's sort takes several times as long on some processors."""
    if keys.size <= _FEW:
        keys.sort()
    elif keys.size <= 2 * _CHUNK:
        _sort_by_cells(keys)
    elif (low := keys.min()) < (high := keys.max()):
        _sort_by_buckets(keys, low, _shift(low, high, 8))


def _sort_by_cells(keys: NDArray[Any]) -> None:
    low = keys.min()
    shift = _shift(low, keys.max(), 16)
    keys[:] = keys.take(_places(keys, low, shift).astype(np.uint16).argsort(kind="stable"))
    if shift == 0:
        return
    # No number of a cell that fits half a window is further than that from its place: then two rounds will do.
    for first in (0, _WINDOW // 2):
        rest = first + (keys.size - first) // _WINDOW * _WINDOW
        keys[first:rest].reshape(-1, _WINDOW).sort(axis=1)
        keys[rest:].sort()
    if np.any(keys[1:] < keys[:-1]):
        keys.sort()


def _sort_by_buckets(keys: NDArray[Any], low: Any, shift: int) -> None:
    """Group the numbers of each chunk by 256 places; neighbouring places make buckets that stay in the cache, each sorted by itself."""
    from concurrent.futures import ThreadPoolExecutor

    size, chunk = keys.size, _CHUNK // 2
    grouped = np.empty_like(keys)

    def group(start: int) -> RowIndex:
        part = keys[start : start + chunk]
        place = _places(part, low, shift).astype(np.uint8)
        order = place.argsort(kind="stable")
        # Told to clip, NumPy writes to where it should without a copy between.
        part.take(order, out=grouped[start : start + chunk], mode="clip")
        return start + np.append(0, np.cumsum(np.bincount(place, minlength=256)))

    def sort(bucket: int) -> None:
        own = keys[ends[bucket] : ends[bucket + 1]]
        if own.size:
            pieces = zip(bounds[bucket], bounds[bucket + 1], strict=True)
            np.concatenate([grouped[i:j] for i, j in pieces], out=own)
            sort_numbers(own)

    # NumPy lets threads run at once.
    with ThreadPoolExecutor(2) as pool:
        starts = np.column_stack([*pool.map(group, range(0, size, chunk))])
        before = (starts - starts[0]).sum(axis=1)
        first = np.searchsorted(before, np.arange(0, size, _CHUNK), side="right") - 1
        # A place of more numbers than that is a bucket of its own.
        cuts = np.unique(np.concatenate([first, first[1:][first[1:] == first[:-1]] + 1, [256]]))
        ends, bounds = before[cuts].tolist(), starts[cuts].tolist()
        list(pool.map(sort, range(len(ends) - 1)))


def _shift(low: Any, high: Any, bits: int) -> int:
    """Return how many of the lowest bits to leave out, to tell 2^bits places apart."""
    return max(0, (int(high) - int(low)).bit_length() - bits)


def _places(keys: NDArray[Any], low: Any, shift: int) -> NDArray[Any]:
    """Return the place of each number, from 0 for the lowest on."""
    return np.asarray((keys - low) >> keys.dtype.type(shift))


@dataclass(frozen=True, eq=False)
class SortedRows:
    """Whole numbers that sort like the scores, ascending, with the label in the lowest bit; with signs, magnitudes count from `offset`."""

    keys: NDArray[Any]
    positives: int
    offset: int | None

    @classmethod
    def packed(cls, positive: Bools, scores: NDArray[Any], positives: int) -> SortedRows | None:
        """Return keys of float32 or float64 scores, not yet sorted; None where they leave no bit for the label."""
        unsigned, signed, _ = _TYPES[scores.itemsize]
        bits: NDArray[Any] = np.ascontiguousarray(scores).view(unsigned)
        if scores.min() >= 0:
            # No sign to keep: its bit makes way for the label, and -0.0 becomes 0.0.
            keys: NDArray[Any] = bits << 1
            keys |= positive
            return cls(keys, positives, None)
        # Magnitudes are counted from the smallest one that occurs, which frees the bit unless they span all exponents.
        top = 8 * scores.itemsize - 1
        size = bits & unsigned(2**top - 1)
        # One less than the smallest but zero, which wraps round to the largest number there is.
        offset = int((size - unsigned(1)).min())
        if int(size.max()) - offset >= 2 ** (top - 1):
            return None
        step = size.view(signed)
        step -= signed(offset)
        np.maximum(step, 0, out=step)
        # All ones for negative scores: flipping all bits and adding one changes the sign.
        sign = bits.view(signed) >> top
        step ^= sign
        step -= sign
        step <<= 1
        size |= positive
        # The other way round in the top bit, numbers with a sign sort like numbers without.
        size ^= unsigned(2**top)
        return cls(size, positives, offset)

    @property
    def size(self) -> int:
        """Rows."""
        return int(self.keys.size)

    @property
    def negatives(self) -> int:
        """Rows with a negative label."""
        return self.size - self.positives

    @cached_property
    def _scanned(self) -> tuple[RowIndex, Counts, RowIndex]:
        """Where runs of positives begin, the positives before each, and the first positive of each tie that holds both classes."""
        changes, mixed = [], []
        for start in range(0, self.size, _CHUNK):
            keys = self.keys[start : start + _CHUNK + 1]
            step = keys[1:] ^ keys[:-1]
            changes.append(((step.astype(np.uint8) & 1).view(np.bool_)).nonzero()[0] + (start + 1))
            # Only a negative and a positive of one score differ in the label bit and nothing else.
            mixed.append((step == 1).nonzero()[0] + (start + 1))
        ends = np.concatenate(
            [*([[0]] if self.keys[0] & 1 else []), *changes, *([[self.size]] if self.keys[-1] & 1 else [])]
        )
        rises, falls = ends[::2].astype(np.intp), ends[1::2]
        lengths = falls - rises
        return rises, np.cumsum(lengths) - lengths, np.concatenate(mixed)

    def _ties(self) -> tuple[RowIndex, RowIndex]:
        """Return where each tie that holds both classes begins and ends."""
        first_positive = self._scanned[2]
        low, high = self.keys[first_positive - 1], self.keys[first_positive]
        return np.searchsorted(self.keys, low), np.searchsorted(self.keys, high, side="right")

    @cached_property
    def twice_won(self) -> int:
        """Pairs of a positive and a negative that are ranked rightly, twice, plus tied pairs once: an exact whole number."""
        rises, below, mixed = self._scanned
        lengths = np.diff(below, append=self.positives)
        won = 2 * int(np.sum(lengths * (rises - below)))
        if not mixed.size:
            return won
        low, high = self._ties()
        return won - int(np.sum((mixed - low) * (high - mixed)))

    def hull(self) -> tuple[Counts, Counts, Floats]:
        """Return fp, tp and thresholds of the hull's vertices, from (0, 0) to the class totals, without laying out the curve."""
        # Going up and left by going right: from a negative up to a positive, and at both ends of a mixed tie. Positives below,
        # over the edges, are the ROC curve turned round and sheared: their lower hull has its vertices.
        edges, below, mixed = self._scanned
        if mixed.size:
            low, high = self._ties()
            # Within a tie nothing begins.
            inside = np.searchsorted(edges, mixed)
            own = below[inside]
            edges = np.concatenate([np.delete(edges, inside), low, high])
            below = np.concatenate([np.delete(below, inside), own, own + high - mixed])
            edges, first = np.unique(edges, return_index=True)
            below = below[first]
        inner = (edges > 0) & (edges < self.size)
        edges = np.concatenate([[0], edges[inner], [self.size]])
        below = np.concatenate([[0], below[inner], [self.positives]])
        vertex = upper_hull(edges, -below)[::-1]
        edges, below = edges[vertex], below[vertex]
        thresholds = self.scores_of(self.keys.take(edges, mode="clip"))
        thresholds[0] = np.inf
        return self.negatives - edges + below, self.positives - below, thresholds

    @cached_property
    def distinct(self) -> int:
        """Distinct scores."""
        return 1 + int(np.count_nonzero((self.keys[1:] ^ self.keys[:-1]) > 1))

    def scores_of(self, keys: NDArray[Any]) -> Floats:
        """Return the scores that keys stand for."""
        _, signed, floating = _TYPES[keys.itemsize]
        if self.offset is None:
            return np.asarray((keys >> 1).view(floating), dtype=np.float64)
        bits = (keys ^ keys.dtype.type(2 ** (8 * keys.itemsize - 1))).view(signed) >> 1
        size = np.where(bits == 0, 0, np.abs(bits) + self.offset)
        return np.asarray(np.copysign(size.view(floating), bits), dtype=np.float64) + 0.0

    def next_score(self, fp: int, tp: int) -> float:
        """Return the highest score that is not flagged where so many negatives and positives are; -inf if all are."""
        left = self.size - fp - tp
        return -math.inf if left == 0 else float(self.scores_of(self.keys[left - 1 : left])[0])

    def points(self) -> Table:
        """Return +inf and every distinct score, descending, with the negatives and positives at or above it."""
        keys = self.keys[::-1]
        scores, fp, tp = np.empty(self.size + 1), *(np.zeros(self.size + 1, dtype=np.int64) for _ in range(2))
        scores[0] = np.inf
        # Nothing but the results is laid out in full: touching memory for the first time takes longer than all else.
        for start in range(0, self.size, _CHUNK):
            part = keys[start : start + _CHUNK]
            to = slice(start + 1, start + 1 + part.size)
            scores[to] = self.scores_of(part)
            np.cumsum((part & 1).view(_TYPES[keys.itemsize][1]), out=tp[to])
            tp[to] += tp[start]
            np.subtract(np.arange(to.start, to.stop), tp[to], out=fp[to])
        if self.distinct == self.size:
            return scores, fp, tp
        last = np.concatenate([[True], scores[1:-1] != scores[2:], [True]])
        return scores[last], fp[last], tp[last]


def sort_scores(positive: Bools, scores: NDArray[Any]) -> SortedRows | Table:
    """Sort float32 or float64 scores with their labels, unweighted; a table of points where counting is quicker or keys do not fit."""
    if positive.size > _MANY and (counted := count_decimals(positive, scores)) is not None:
        return counted
    rows = SortedRows.packed(positive, scores, int(np.count_nonzero(positive)))
    if rows is None:
        distinct, ups, downs = _count_ranked(positive, scores, np.ones(positive.size, dtype=np.int64))
        return np.append(np.inf, distinct), np.cumsum(np.append(0, downs)), np.cumsum(np.append(0, ups))
    sort_numbers(rows.keys)
    return rows


def count_decimals(positive: Bools, scores: NDArray[Any]) -> Table | None:
    """Return +inf and the distinct scores, descending, with fp and tp at each, without sorting; None unless they are few k/10^d."""
    some = scores[:: max(1, scores.size // _LOOK)]
    unit = next((10.0**d for d in range(_DECIMALS) if _wholes(some, 10.0**d) is not None), None)
    if unit is None:
        return None
    low, high = float(scores.min()), float(scores.max())
    # Infinite scores, and whole numbers that floats do not hold exactly, are out.
    if not ((high - low) * unit < min(_STEPS, scores.size // _OFTEN) and max(-low, high) * unit < _EXACT):
        return None
    first = round(low * unit)
    cells = 2 * (round(high * unit) - first + 1)
    counts = np.zeros(cells, dtype=np.int64)
    for start in range(0, scores.size, _CHUNK):
        wholes = _wholes(scores[start : start + _CHUNK], unit)
        if wholes is None:
            return None
        place = 2 * (wholes - first) + positive[start : start + _CHUNK]
        counts += np.bincount(place.astype(np.intp), minlength=cells)
    downs, ups = counts[::2], counts[1::2]
    found = np.flatnonzero(downs + ups)[::-1]
    fp, tp = (np.cumsum(np.append(0, many[found])) for many in (downs, ups))
    return np.append(np.inf, (found + first) / unit), fp, tp


def _wholes(scores: NDArray[Any], unit: float) -> Floats | None:
    """Return the whole numbers that scores are multiples of 1/unit by, or None if some are not."""
    exact = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore"):
        wholes = np.rint(exact * unit)
    return wholes if np.array_equal(wholes / unit, exact) else None


def whole_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return int64 when every value is a whole number and their sum is exact, else the values unchanged."""
    if values.dtype.kind == "f" and np.all(values == np.rint(values)) and float(values.sum()) < _EXACT:
        return values.astype(np.int64)
    return values


def count_scores(positive: Bools, scores: NDArray[Any], weights: Floats | None) -> Table:
    """Return distinct scores, descending, with positives and negatives: int64 for whole weights; rows of weight 0 do not count."""
    if weights is None:
        rows = sort_scores(positive, scores)
        thresholds, fp, tp = rows.points() if isinstance(rows, SortedRows) else rows
        return thresholds[1:], np.diff(tp), np.diff(fp)
    weights = whole_numbers(weights)
    if not weights.all():
        kept = weights > 0
        positive, scores, weights = positive[kept], scores[kept], weights[kept]
    return _count_ranked(positive, scores, weights)


def _count_ranked(positive: Bools, scores: NDArray[Any], weights: NDArray[Any]) -> Table:
    """Count by ranking the rows: the slow way, which weights need."""
    # In which order equal scores come makes no difference.
    order = np.argsort(scores)[::-1]
    ranked, hits, mass = scores[order], positive[order], weights[order]
    starts = np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    positives, negatives = (np.add.reduceat(np.where(own, mass, 0), starts) for own in (hits, ~hits))
    # Adding 0.0 turns -0.0 into 0.0, which ties with it.
    return ranked[starts].astype(np.float64) + 0.0, positives, negatives

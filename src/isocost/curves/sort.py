"""Rows in the order of one score: sorted, split, counted, and the hull that follows from them."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import lower_hull_of_steps
from isocost.validate import Bools, Floats

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


# From so many numbers on, two threads sort them faster than one.
_TWO_THREADS = 2**19
# Fewer numbers than this are soon sorted in any way.
_FEW = 2**12
# NumPy's sort is slow if it takes so many times as long, for each byte of a number, as one pass that ranks bytes: half of what is
# measured where it is slow, twice of where it is fast. Fewer numbers than these are no trial: without vector instructions, a
# processor learns their order by heart.
_SLOW, _TRIED = 0.6, 2**13
# Numbers to a row, grouped by themselves: what is made of them on the way stays in the processor's cache. Rows grouped by one call:
# threads that call seldom seldom wait for each other. And numbers to a bucket, about.
_ROW, _ROWS, _BUCKET = 2**15, 2, 2**16
# More numbers than this in a bucket are parted again, unless it has more than such a share of them all, as if many are equal.
_LARGE, _MOST = 2**17, 0.99
# Some of the numbers, from which buckets of about one size are found; a few at both ends, which may be far off, say nothing about them.
_SOME, _ENDS = 2**12, 4
# As many places as a byte tells apart, which NumPy ranks by counting.
_PLACES = 2**8
# As many cells as two bytes tell apart, which NumPy ranks by counting.
_CELLS = 2**16
# Numbers to a window: the longest row that vector instructions sort without parting it.
_WINDOW = 256


def sort_numbers(values: NDArray[Any]) -> None:
    """Sort whole numbers without a sign, or floats, none of them NaN, in place; whichever way is taken, the result is the same.

    Examples
    --------
    >>> import numpy as np
    >>> from isocost.curves.sort import sort_numbers
    >>> values = np.array([0.5, 0.25, 1.0, -1.0])
    >>> sort_numbers(values)
    >>> values
    array([-1.  ,  0.25,  0.5 ,  1.  ])
    """
    if values.size >= _FEW and sorts_slowly(values.itemsize):
        sort_in_buckets(values)
    elif values.size < _TWO_THREADS or _one_core() or _repeated(values):
        values.sort()
    else:
        # Parted in the middle, each half is sorted by a thread.
        half = values.size // 2
        values.partition(half)
        _at_once(np.ndarray.sort, [values[:half], values[half:]])


@cache
def sorts_slowly(width: int) -> bool:
    """Tell whether NumPy sorts numbers of so many bytes slowly here, as with AVX-512 on AMD's Zen 4: tried out once."""
    # Multiples of an odd number, each higher bits of the last product, look as if drawn.
    mixed = np.arange(_TRIED, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    keys, octets = (mixed >> np.uint64(64 - 8 * size) for size in (width, 1))
    keys, octets = keys.astype(f"u{width}"), octets.astype(np.uint8)

    def seconds(work: Callable[[], Any]) -> float:
        taken = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
        return min(taken)

    return seconds(lambda: np.sort(keys)) > _SLOW * width * seconds(lambda: np.argsort(octets, kind="stable"))


def sort_in_buckets(values: NDArray[Any]) -> None:
    """Sort in place as `sort_numbers` does: values are parted into buckets that fit the processor's cache, and each is sorted."""
    if values.dtype.kind != "f":
        _sort_in_buckets(values, threads=values.size >= _TWO_THREADS and not _one_core())
        return
    below = values < 0
    if np.any(below):
        signs = [-values[below], values[~below]]
        for of_one in signs:
            sort_in_buckets(of_one)
        np.concatenate([-signs[0][::-1], signs[1]], out=values)
        return
    # Without signs, which -0.0 has too, floats are in the order of their bits.
    sort_in_buckets(np.abs(values, out=values).view(f"u{values.itemsize}"))


def _sort_in_buckets(keys: NDArray[Any], threads: bool) -> None:
    size = keys.size
    if size <= _LARGE:
        _sort_cell_by_cell(keys.copy(), keys)
        return
    some = np.sort(keys[:: max(1, size // _SOME)])[_ENDS:-_ENDS]
    low, high = some[0], some[-1]
    shift = _shift(low, high, _PLACES)
    # The first place of each bucket, such that they share some of the numbers out evenly; the first has all that are lower. A place of
    # more numbers than that is a bucket of its own.
    cuts = np.linspace(0, some.size, -(-size // _BUCKET), endpoint=False).astype(np.intp)
    places = _places(some[cuts], low, shift)
    firsts = np.unique(np.append(places, places[1:][places[1:] == places[:-1]] + 1))
    firsts = firsts[firsts < _PLACES].astype(np.uint8)
    rows = -(-size // _ROW)
    starts = np.empty((rows, firsts.size + 1), dtype=np.intp)
    starts[:, -1] = np.minimum(np.arange(1, rows + 1) * _ROW, size)
    grouped = np.empty_like(keys)

    def group(first: int, last: int) -> None:
        whole = min(last, size // _ROW)
        stops = sorted({*range(first, whole, _ROWS), whole, last})
        for row, end in pairwise(stops):
            part = keys[row * _ROW : end * _ROW]
            place = _places(np.clip(part, low, high), low, shift).astype(np.uint8).reshape(end - row, -1)
            order = place.argsort(axis=1, kind="stable")
            for of_row, ranks, found in zip(place, order, starts[row:end], strict=True):
                found[:-1] = of_row.searchsorted(firsts, sorter=ranks)
            starts[row:end, :-1] += np.arange(row, end)[:, None] * _ROW
            order += np.arange(end - row)[:, None] * _ROW
            # Told to clip, NumPy writes to where it should without a copy between.
            part.take(order.ravel(), out=grouped[row * _ROW : end * _ROW], mode="clip")

    _shared_out(group, rows, threads)
    ends = [0, *np.cumsum(np.diff(starts, axis=1).sum(axis=0)).tolist()]
    pieces = starts.T.tolist()

    def sort(first: int, last: int) -> None:
        for bucket in range(first, last):
            own = keys[ends[bucket] : ends[bucket + 1]]
            part = np.concatenate([grouped[i:j] for i, j in zip(pieces[bucket], pieces[bucket + 1], strict=True)])
            if own.size <= _LARGE:
                _sort_cell_by_cell(part, own)
            else:
                own[:] = part
                if own.size > _MOST * size:
                    own.sort()
                else:
                    _sort_in_buckets(own, threads=threads and own.size > size // 2)

    _shared_out(sort, firsts.size, threads)


def _sort_cell_by_cell(keys: NDArray[Any], out: NDArray[Any]) -> None:
    """Sort whole numbers: by cells of a few each, and what is left within cells through windows over neighbours."""
    if keys.size <= _WINDOW:
        out[:] = np.sort(keys)
        return
    low, high = keys.min(), keys.max()
    cell = _places(keys, low, _shift(low, high, _CELLS)).astype(np.uint16)
    keys.take(cell.argsort(kind="stable"), out=out, mode="clip")
    # No number of a cell that fits half a window is further than that from its place: then two rounds will do.
    for first in (0, _WINDOW // 2):
        rest = first + (out.size - first) // _WINDOW * _WINDOW
        out[first:rest].reshape(-1, _WINDOW).sort(axis=1)
        out[rest:].sort()
    if np.any(out[1:] < out[:-1]):
        out.sort()


def _shift(low: Any, high: Any, places: int) -> int:
    """Return how many of the lowest bits to leave out, to tell at most so many places apart."""
    return max(0, (int(high) - int(low)).bit_length() - (places.bit_length() - 1))


def _places(keys: NDArray[Any], low: Any, shift: int) -> NDArray[Any]:
    """Return the place of each number, from 0 for the lowest on."""
    above: NDArray[Any] = keys - low
    above >>= keys.dtype.type(shift)
    return above


def _shared_out(work: Callable[[int, int], None], many: int, threads: bool) -> None:
    """Do work on the numbers from 0 on, from a first one up to a last one each time, by two threads if asked for."""
    halves = [(0, many // 2), (many // 2, many)] if threads else [(0, many)]
    _at_once(lambda half: work(*half), halves)


def _at_once(work: Callable[[Any], None], parts: Sequence[Any]) -> None:
    """Work on each part, the first one here and each other one in a thread of its own; NumPy lets them run at once."""
    if len(parts) == 1:
        work(parts[0])
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(parts) - 1) as pool:
        others = [pool.submit(work, part) for part in parts[1:]]
        work(parts[0])
    for other in others:
        other.result()


def _one_core() -> bool:
    return (os.cpu_count() or 1) < 2


def _repeated(values: NDArray[Any]) -> bool:
    """Tell from a thousand numbers whether many are equal; these are soon sorted, and parting them takes as long."""
    some = np.sort(values[:: max(1, values.size // 1000)])
    return int(np.count_nonzero(some[1:] == some[:-1])) > some.size // 100


# Scores looked at together.
_CHUNK = 2**17
# Cells to one of the few scores, about: with so many, hardly any of the many share a cell with one of the few. And the most cells.
_CELLS_counted_places, _MOST_counted_places = 16, 2**22


def counted_places(few: NDArray[Any], many: NDArray[Any]) -> tuple[RowIndex, RowIndex]:
    """Return how many of `many` lie below each of `few`, and how many below or level; `few` ascend.

    Scores fall into cells. In a cell without one of the few it is known how many of them are lower, and scores are only counted; the
    others are sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from isocost.curves.sort import counted_places
    >>> below, level = counted_places(np.array([0.2, 0.9]), np.array([0.9, 0.1, 0.5, 0.95]))
    >>> below.tolist(), level.tolist()
    ([1, 2], [1, 3])
    """
    signed = bool(few[0] < 0 or many.min() < 0)
    keys = _in_order(few, signed)
    low = keys[0]
    shift = max(
        0,
        (int(keys[-1]) - int(low)).bit_length()
        - min(_CELLS_counted_places * few.size, _MOST_counted_places).bit_length(),
    )
    cells, counts = np.unique((keys - low) >> keys.dtype.type(shift), return_counts=True)
    cells = cells.astype(np.intp)
    # Twice the few that are lower, and one more where some of them are in the cell itself; above all cells, twice all of them.
    lower = np.cumsum(counts) - counts
    codes = np.column_stack([2 * lower, 2 * lower + 1]).ravel()
    between = np.diff(cells, prepend=-1) - 1
    lengths = np.column_stack([between, np.ones_like(between)]).ravel()
    code_of = np.repeat(np.append(codes, 2 * few.size), np.append(lengths, 1)).astype(np.int32)

    found = np.zeros(2 * few.size + 1, dtype=np.intp)
    unclear = []
    for start in range(0, many.size, _CHUNK):
        part = many[start : start + _CHUNK]
        # Scores below all of the few come into the first cell, which is looked into.
        cell = np.maximum(_in_order(part, signed), low)
        cell -= low
        cell >>= cell.dtype.type(shift)
        code = code_of.take(cell.astype(np.intp, copy=False), mode="clip")
        found += np.bincount(code, minlength=found.size)
        unclear.append(part[(code & 1).astype(np.bool_)])
    inside = np.concatenate(unclear)
    sort_numbers(inside)
    clear = np.cumsum(found[:-1:2])
    return clear + inside.searchsorted(few, side="left"), clear + inside.searchsorted(few, side="right")


def _in_order(scores: NDArray[Any], signed: bool) -> NDArray[Any]:
    """Return whole numbers in the order of the scores; 0.0 and -0.0 are the same."""
    width = scores.itemsize
    bits: NDArray[Any] = (scores + scores.dtype.type(0)).view(f"u{width}")
    if signed:
        top = bits.dtype.type(1 << (8 * width - 1))
        bits ^= np.where(bits & top, ~bits.dtype.type(0), top)
    return bits


# So many decimals are looked for.
_DECIMALS = 5
# Scores that are looked at first: usually they tell that there are more.
_LOOK = 1000
# Rows worked on at a time, which stay in the processor's cache.
_CHUNK_decimal_scores = 2**15
# Steps between the lowest score and the highest, at most, and rows to a step, at least.
_STEPS, _OFTEN = 2**15, 16


def count_decimals(positive: Bools, scores: NDArray[Any]) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]] | None:
    """Return distinct scores, descending, with the negatives and positives at or above each; None unless decimals are few.

    A score is k/10^d for a whole number k if dividing k by 10^d gives it back to the last bit: then k stands for it.
    """
    some = scores[:: max(1, scores.size // _LOOK)]
    unit = next((10.0**d for d in range(_DECIMALS) if _wholes(some, 10.0**d) is not None), None)
    if unit is None:
        return None
    low, high = float(scores.min()), float(scores.max())
    # Infinite scores, and whole numbers that floats do not hold exactly, are out.
    if not ((high - low) * unit < min(_STEPS, scores.size // _OFTEN) and max(-low, high) * unit < 2**53):
        return None
    first = round(low * unit)
    cells = 2 * (round(high * unit) - first + 1)
    counts = np.zeros(cells, dtype=np.int64)
    for start in range(0, scores.size, _CHUNK_decimal_scores):
        wholes = _wholes(scores[start : start + _CHUNK_decimal_scores], unit)
        if wholes is None:
            return None
        wholes -= first
        wholes *= 2
        wholes += positive[start : start + _CHUNK_decimal_scores]
        counts += np.bincount(wholes.astype(np.intp), minlength=cells)
    downs, ups = counts[::2], counts[1::2]
    found = np.flatnonzero(downs + ups)[::-1]
    return (found + first) / unit, np.cumsum(downs[found]), np.cumsum(ups[found])


def _wholes(scores: NDArray[Any], unit: float) -> Floats | None:
    """Return the whole numbers that scores are multiples of 1/unit by, or None if some are not."""
    exact = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore"):
        wholes = np.rint(exact * unit)
    return wholes if np.array_equal(wholes / unit, exact) else None


# Rows worked on at a time: what is made of them on the way stays in the processor's cache.
_CHUNK_sorted_keys = 2**16
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
_OFTEN_sorted_keys = 16
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
            packed = np.packbits(keys[:_CHUNK_sorted_keys].astype(np.uint8) & 1, bitorder="little")
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
        for start in range(0, self.size, _CHUNK_sorted_keys):
            yield start, self.keys[start : start + _CHUNK_sorted_keys + 1]

    @property
    def often_tied(self) -> bool:
        """Whether few rows begin a new score, as one in every stretch tells; of few rows, whether many ties hold both classes."""
        if self.size <= FEW_ROWS:
            return bool(_OFTEN_sorted_keys * self._scanned[1].size > self.size)
        new = (self.keys[_STRETCH::_STRETCH] ^ self.keys[_STRETCH - 1 : -1 : _STRETCH]) > 1
        return bool(_OFTEN_sorted_keys * np.count_nonzero(new) < new.size)

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
        for start in range(0, last_negative.size, _CHUNK_sorted_keys):
            some = last_negative[start : start + _CHUNK_sorted_keys]
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
        for start in range(0, self.size, _CHUNK_sorted_keys):
            part = keys[start : start + _CHUNK_sorted_keys]
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
    parts = [slice(i, i + _CHUNK_sorted_keys) for i in range(0, bits.size, _CHUNK_sorted_keys)]
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


# With fewer than this share of rows in a class, sorting the classes apart is quicker than putting the label into the key.
_RARE_sorting = 0.05


def sort_scores(positive: Bools, scores: NDArray[Any]) -> SortedKeys | SplitScores | TiedScores:
    """Sort float32 or float64 scores with their labels, unweighted, in whichever way is quickest."""
    if positive.size > FEW_ROWS and (counted := count_decimals(positive, scores)) is not None:
        return TiedScores(*counted)
    many = int(np.count_nonzero(positive))
    if min(many, positive.size - many) >= _RARE_sorting * positive.size:
        packed = pack(positive, scores, many)
        if packed is not None:
            sort_numbers(packed.keys)
            return TiedScores.of(packed) if packed.often_tied else packed
    return SplitScores.of(scores[~positive], scores[positive])


def next_score(rows: SortedKeys | SplitScores | TiedScores, fp: int, tp: int) -> float:
    """Return the highest score that is not flagged where so many negatives and positives are; -inf if all are.

    Examples
    --------
    >>> import numpy as np
    >>> from isocost.curves.sort import sort_scores
    >>> rows = sort_scores(np.array([True, False, True]), np.array([0.9, 0.5, 0.2]))
    >>> next_score(rows, 0, 1), next_score(rows, 1, 2)
    (0.5, -inf)
    """
    left = rows.size - fp - tp
    if left == 0:
        return -math.inf
    if isinstance(rows, SortedKeys):
        return float(rows.scores_of(rows.keys[left - 1 : left])[0])
    if isinstance(rows, SplitScores):
        kept = ((rows.of_negatives, fp), (rows.of_positives, tp))
        return max(float(scores[scores.size - flagged - 1]) + 0.0 for scores, flagged in kept if flagged < scores.size)
    return float(rows.scores[int(np.searchsorted(rows.fp + rows.tp, fp + tp, side="right"))])


# So many rows are tried to find an edge. Words are further apart.
_REACH = 32
# Quarters of words looked at together.
_PART = 512
_EPS = float(np.finfo(np.float64).eps)


def hull_of_rows(rows: SortedKeys | SplitScores | TiedScores) -> tuple[Counts, Counts, Floats]:
    """Return fp, tp and thresholds of the hull's vertices, from (0, 0) to the class totals, without laying out the curve."""
    if isinstance(rows, SortedKeys):
        edges, below = (v[::-1] for v in lower_hull_of_steps(*_known(rows, _near_the_hull(rows))))
        return rows.negatives - edges + below, rows.positives - below, rows.scores_from(edges)
    fp, tp = rows.corners()
    # Over all cases flagged, false alarms are the curve sheared: their lower hull has the same vertices.
    flagged, fp = lower_hull_of_steps(fp + tp, fp)
    tp = flagged - fp
    return fp, tp, rows.thresholds(fp, tp)


def _known(rows: SortedKeys, near: RowIndex) -> tuple[RowIndex, Counts]:
    """Return edges among some rows, both ends included, and the positives below each.

    Drawn over the edges, positives below are the ROC curve turned round and sheared: their lower hull has its vertices.
    """
    edges = np.concatenate([[0], near, [rows.size]])
    if rows.has_mixed_ties and isinstance(rows.labels, LabelBits):
        edges = edges[rows.is_edge(edges)]
    return edges, rows.labels.positives_below(edges)


def _edges_from(rows: SortedKeys, at: RowIndex) -> RowIndex:
    """Return the first edge from each row on, if it is soon found; rows far inside a tie of both classes stay what they are."""
    if rows.has_mixed_ties:
        at = at.copy()
        inside = np.flatnonzero(~rows.is_edge(at))
        for _ in range(_REACH):
            if not inside.size:
                break
            at[inside] += 1
            inside = inside[~rows.is_edge(at[inside])]
    return at[at < rows.size]


def _near_the_hull(rows: SortedKeys) -> RowIndex:
    """Return rows, ascending, among which all vertices are.

    No chord of the curve lies below its hull. A block of rows comes lowest with all its negatives first: where that corner is
    above a chord, no row of the block can be a vertex. Blocks are words of label bits, then quarters of those left.
    """
    labels, size = rows.labels, rows.size
    if isinstance(labels, LabelSums):
        return rows.corners_of_few(labels)
    word, low, inside = np.arange(0, size, 64), labels.below[:-1], labels.below[1:] - labels.below[:-1]
    edges, below = lower_hull_of_steps(*_known(rows, _edges_from(rows, word[1:])))

    def under(at: RowIndex, below_it: Counts) -> NDArray[np.bool_]:
        """Tell which points are on or under the chords between neighbouring edges; by rounding, also some just above."""
        return below_it < np.interp(at, edges, below) + 8 * _EPS * size

    held = np.flatnonzero(under(np.minimum(word + 64, size) - inside, low))
    quarter = (word[held, None] + np.arange(0, 64, 16)).ravel()
    quarter = quarter[quarter < size]
    inside = np.bitwise_count(labels.words[held].view("<u2"))[: quarter.size]
    quarter = quarter[under(np.minimum(quarter + 16, size) - inside, labels.positives_below(quarter))]
    # Where ties hold both classes, any row may be an edge: so many rows are looked at by parts, to save memory.
    mixed = rows.has_mixed_ties
    near = []
    for some in np.array_split(quarter, 1 + quarter.size // _PART if mixed else 1):
        at = (some[:, None] + np.arange(16)).ravel() if mixed else labels.turns_in(some)
        at = at[(at > 0) & (at < size)]
        near.append(at[under(at, labels.positives_below(at))])
    return np.concatenate(near)


# Sums of whole weights below this are exact in float64, so such weights are repetitions.
_EXACT = 2.0**53

Table = tuple[Floats, NDArray[Any], NDArray[Any]]


def whole_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return int64 when every value is a whole number and their sum is exact, else the values unchanged."""
    if values.dtype.kind == "f" and np.all(values == np.rint(values)) and float(values.sum()) < _EXACT:
        return values.astype(np.int64)
    return values


def count_scores(positive: Bools, scores: NDArray[Any], weights: Floats | None) -> Table:
    """Return distinct scores in descending order with the positives and negatives at each.

    Counts are int64 without weights or with whole-number weights, float64 otherwise. Rows of weight 0 do not count.
    """
    if weights is None:
        thresholds, fp, tp = sort_scores(positive, scores).points()
        return thresholds[1:], np.diff(tp), np.diff(fp)
    weights = whole_numbers(weights)
    if not weights.all():
        kept = weights > 0
        positive, scores, weights = positive[kept], scores[kept], weights[kept]
    return _count_ranked(positive, scores, weights)


def _count_ranked(positive: Bools, scores: NDArray[Any], weights: NDArray[Any]) -> Table:
    """Count by ranking the rows: the slow way, which weights need."""
    order = np.argsort(scores)[::-1]
    ranked = scores[order]
    starts = np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    hits, mass = positive[order], weights[order]
    ups, downs = np.where(hits, mass, 0), np.where(hits, 0, mass)
    # Adding 0.0 turns -0.0 into 0.0, which ties with it.
    return ranked[starts].astype(np.float64) + 0.0, np.add.reduceat(ups, starts), np.add.reduceat(downs, starts)


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

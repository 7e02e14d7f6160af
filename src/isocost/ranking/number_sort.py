"""Sorting numbers: by NumPy's sort or, on processors where that is slow, through buckets."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    >>> from isocost.ranking.number_sort import sort_numbers
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

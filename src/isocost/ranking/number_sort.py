"""Sorting numbers: by NumPy's sort or, on processors where that is slow, through buckets."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

# From so many numbers on, two threads sort them faster than one.
_TWO_THREADS = 2**19
# Fewer numbers than this are soon sorted in any way.
_FEW = 2**12
# NumPy's sort is slow if it takes so many times as long as one pass that ranks bytes.
_SLOW = 4
# Numbers grouped at a time: what is made of them on the way stays in the processor's cache, and threads seldom wait for each other. And
# numbers to a bucket, about.
_CHUNK, _BUCKET = 2**15, 2**16
# More numbers than this in a bucket are parted again.
_LARGE = 2**17
# The places between the lowest and the highest number that are told apart to find buckets of one size.
_PLACES = 2**12
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
    mixed = np.arange(_FEW, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    keys, octets = (mixed >> np.uint64(64 - 8 * size) for size in (width, 1))
    keys, octets = keys.astype(f"u{width}"), octets.astype(np.uint8)

    def seconds(work: Callable[[], Any]) -> float:
        taken = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
        return min(taken)

    return seconds(lambda: np.sort(keys)) > _SLOW * seconds(lambda: np.argsort(octets, kind="stable"))


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
    if keys.size <= _LARGE:
        _sort_cell_by_cell(keys)
        return
    some = np.sort(keys[:: max(1, keys.size // _PLACES)])
    buckets = min(256, -(-keys.size // _BUCKET))
    low, high, shift = some[0], some[-1], _shift(some[0], some[-1], _PLACES)
    # Each place goes to the bucket that evens them out among some of the numbers.
    before = np.searchsorted(_places(some, low, shift), np.arange(1 + (int(high) - int(low) >> shift)), side="left")
    bucket_of = np.minimum(before * buckets // some.size, buckets - 1).astype(np.uint8)
    starts, every = range(0, keys.size, _CHUNK), np.arange(buckets, dtype=np.uint8)
    counts = np.empty((len(starts), buckets), dtype=np.intp)

    def group(chunks: Sequence[int]) -> None:
        for chunk in chunks:
            part = keys[chunk * _CHUNK : (chunk + 1) * _CHUNK]
            # NumPy 2.0 takes no places that are unsigned; those above the highest are its own.
            places = _places(np.maximum(part, low), low, shift).astype(np.intp, copy=False)
            bucket = bucket_of.take(places, mode="clip")
            order = bucket.argsort(kind="stable")
            # Unlike bincount, this lets the other thread run.
            counts[chunk] = np.diff(bucket.take(order).searchsorted(every), append=part.size)
            part[:] = part.take(order)

    _shared_out(group, len(starts), threads)
    inside = np.cumsum(counts, axis=1) + np.array(starts)[:, None]
    firsts, lasts = (inside - counts).T.tolist(), inside.T.tolist()
    ends = [0, *np.cumsum(counts.sum(axis=0)).tolist()]
    found = np.empty_like(keys)

    def sort(which: Sequence[int]) -> None:
        for bucket in which:
            own = found[ends[bucket] : ends[bucket + 1]]
            pieces = [keys[i:j] for i, j in zip(firsts[bucket], lasts[bucket], strict=True)]
            np.concatenate(pieces, out=own)
            if own.size <= _LARGE:
                _sort_cell_by_cell(own)
            elif own.size > keys.size // 2:
                own.sort()
            else:
                _sort_in_buckets(own, threads=False)

    _shared_out(sort, buckets, threads)
    keys[:] = found


def _sort_cell_by_cell(keys: NDArray[Any]) -> None:
    """Sort whole numbers in place: by cells of a few each, and what is left within cells through windows over neighbours."""
    if keys.size <= _WINDOW:
        keys.sort()
        return
    low, high = keys.min(), keys.max()
    cell = _places(keys, low, _shift(low, high, _CELLS)).astype(np.uint16)
    near = keys.take(np.argsort(cell, kind="stable"), mode="clip")
    # No number of a cell that fits half a window is further than that from its place: then two rounds will do.
    for first in (0, _WINDOW // 2):
        rest = first + (keys.size - first) // _WINDOW * _WINDOW
        near[first:rest].reshape(-1, _WINDOW).sort(axis=1)
        near[rest:].sort()
    if np.any(near[1:] < near[:-1]):
        near.sort()
    keys[:] = near


def _shift(low: Any, high: Any, places: int) -> int:
    """Return how many of the lowest bits to leave out, to tell at most so many places apart."""
    return max(0, (int(high) - int(low)).bit_length() - (places.bit_length() - 1))


def _places(keys: NDArray[Any], low: Any, shift: int) -> NDArray[Any]:
    """Return the place of each number, from 0 for the lowest on."""
    above: NDArray[Any] = keys - low
    above >>= keys.dtype.type(shift)
    return above


def _shared_out(work: Callable[[Sequence[int]], None], many: int, threads: bool) -> None:
    """Do work on the numbers from 0 on, by two threads if asked for."""
    if threads:
        _at_once(work, [range(many // 2), range(many // 2, many)])
    else:
        work(range(many))


def _at_once(work: Callable[[Any], None], parts: Sequence[Any]) -> None:
    """Work on each part in a thread of its own; NumPy lets them run at once."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(work, parts))


def _one_core() -> bool:
    return (os.cpu_count() or 1) < 2


def _repeated(values: NDArray[Any]) -> bool:
    """Tell from a thousand numbers whether many are equal; these are soon sorted, and parting them takes as long."""
    some = np.sort(values[:: max(1, values.size // 1000)])
    return int(np.count_nonzero(some[1:] == some[:-1])) > some.size // 100

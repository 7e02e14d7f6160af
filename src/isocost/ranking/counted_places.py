"""The places of a few sorted scores among many that are in no order, by counting: the many need not be sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.ranking.number_sort import sort_numbers
from isocost.ranking.row_labels import RowIndex

# Scores looked at together.
_CHUNK = 2**17
# Cells to one of the few scores, about: with so many, hardly any of the many share a cell with one of the few. And the most cells.
_CELLS, _MOST = 16, 2**22


def counted_places(few: NDArray[Any], many: NDArray[Any]) -> tuple[RowIndex, RowIndex]:
    """Return how many of `many` lie below each of `few`, and how many below or level; `few` ascend.

    Scores fall into cells. In a cell without one of the few it is known how many of them are lower, and scores are only counted; the
    others are sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from isocost.ranking.counted_places import counted_places
    >>> below, level = counted_places(np.array([0.2, 0.9]), np.array([0.9, 0.1, 0.5, 0.95]))
    >>> below.tolist(), level.tolist()
    ([1, 2], [1, 3])
    """
    signed = bool(few[0] < 0 or many.min() < 0)
    keys = _in_order(few, signed)
    low = keys[0]
    shift = max(0, (int(keys[-1]) - int(low)).bit_length() - min(_CELLS * few.size, _MOST).bit_length())
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

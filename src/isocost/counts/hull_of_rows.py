"""The hull of one classifier's curve from its sorted rows, without laying out the points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.counts.sorted_scores import SortedKeys, SplitScores
from isocost.hull import blocks_above, upper_hull

# Above this many rows it pays to look at blocks of them first, of at least so many.
_MANY = 32_768
_BLOCK = 16


def hull_of_rows(rows: SortedKeys | SplitScores) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return fp and tp of the hull's vertices, from (0, 0) to the class totals, without laying out the curve."""
    fp, tp = rows.corners() if isinstance(rows, SplitScores) else rows.flagged(_edges_near_the_hull(rows))
    vertex = upper_hull(fp, tp)
    return fp[vertex], tp[vertex]


def _edges_near_the_hull(rows: SortedKeys) -> NDArray[np.intp]:
    """Return, descending, edges among which all vertices are; first and last included."""
    if rows.size <= _MANY:
        able = _able(rows.keys, np.array([0]))
        return np.append(np.flatnonzero(able), rows.size)[::-1]
    # The hull has about n^(1/3) vertices: with blocks of a fraction of that, most are seen to hold none.
    ends = np.arange(0, rows.size, max(_BLOCK, round(rows.size ** (1 / 3) / 6)))
    between = rows.is_edge(ends)
    if np.count_nonzero(between) < ends.size / 4:
        return np.append(rows.edges(), rows.size)[::-1]  # few scores, many ties: all of them are soon looked at
    ends = np.append(ends[between], rows.size)[::-1]
    fp, tp = rows.flagged(ends)
    vertex, above = blocks_above(fp, tp, tp[1:])
    # The blocks beside the vertices too, so that these are among the ends.
    above[0] = above[vertex[1:] - 1] = True
    return _opened(rows, ends[1:][above][::-1], ends[:-1][above][::-1])


def _opened(rows: SortedKeys, start: NDArray[np.intp], stop: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return, descending, the edges inside some blocks that can be vertices, with each block's start and the last stop."""
    size = stop - start
    begin = np.cumsum(size) - size
    at = np.arange(int(size.sum())) + np.repeat(start - begin, size)
    return np.append(at[_able(rows.keys[at], begin)], stop[-1:])[::-1]


def _able(keys: NDArray[Any], begin: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which rows of some blocks, given where each block begins, may be the lowest ones flagged at a vertex."""
    new = np.empty(keys.size + 1, dtype=np.bool_)  # whether a score begins here; the end of a block is an edge as well
    np.greater(keys[1:] ^ keys[:-1], 1, out=new[1:-1])
    new[begin] = new[-1] = True
    # A vertex is reached by going up and left by going right: a lone negative above it, or a lone positive below it, rules
    # it out.
    positive = (keys & 1).astype(np.bool_)
    able = new[:-1] & (positive | ~new[1:])
    able[1:] &= ~(positive[:-1] & new[:-2])
    able[begin] = True
    return able

"""Keys that an engine computes of scores: equal steps over their range, and finer ones of their own over heavy buckets.

Equal steps over the whole range are in vain where scores lie in clusters many orders of magnitude apart. Engines do not show the
bit patterns of numbers, but they add up whole numbers: a sum of keys that never fall as scores rise tells apart whatever one of
them does, and no more. So a bucket that holds many cases gets steps from its lowest to its highest score, and the rest stays as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from isocost.engines.any_frame import narwhals, summed
from isocost.engines.count_table import CountTable, Keys
from isocost.engines.grid import Grid, number, ordered
from isocost.validate import Floats

# An engine computes the steps of every one of these for every score.
_MOST_GRIDS = 64
# Of the cases to be counted again, what one bucket must hold to have steps of its own.
_HEAVY = 1 / 256
# Into so many ranges, equal in bit patterns, a bucket of very different numbers is divided.
_RANGES = 8
# Numbers whose bit patterns are closer than this are of about the same size.
_ALIKE = 2**53
# Less cannot be told to part the ends of a range, and more would not add up in 64 bits.
_LEAST_BITS, _MOST_BITS = 3, 54


@dataclass(frozen=True)
class FrameGrid:
    """Keys of scores: the sums of those on several grids, the first of which covers all scores."""

    grids: tuple[Grid, ...]

    @classmethod
    def over(cls, low: float, high: float) -> Self:
        """Return equal steps over a range of finite scores."""
        return cls((Grid.over(low, high),))

    def divided(self, rows: CountTable, most: int) -> FrameGrid | None:
        """Return the buckets in some rows divided into about so many, heavy ones by themselves; None if they cannot be."""
        cases = rows.positives + rows.negatives
        share = cases / cases.sum()
        places = np.argsort(share)[::-1][: max(0, _MOST_GRIDS - len(self.grids))]
        heavy = places[share[places] > _HEAVY]
        finer = list(self.grids)
        if left := len(rows) - heavy.size:
            room = int(math.log2(max(1.0, most * (1 - share[heavy].sum()) / left)))
            finer = [_finer(grid, max(_LEAST_BITS, room)) for grid in finer]
        if not heavy.size and finer == list(self.grids):
            return None
        each = min(_RANGES, (_MOST_GRIDS - len(finer)) // max(1, heavy.size))
        added = [grid for row in heavy.tolist() for grid in _ranges(rows[[row]], float(share[row] * most), each)]
        return FrameGrid((*finer, *added))

    def keys(self, scores: Floats) -> Keys:
        """Return the key of each score."""
        # Scores far outside a grid become infinite on it, and are clipped.
        with np.errstate(over="ignore"):
            return np.asarray(sum(grid.keys(scores) for grid in self.grids), dtype=np.int64)

    def expression(self, score: Any) -> Any:
        """Return the same as an expression of a frame."""
        return summed(lambda i: _expression(self.grids[i], score), len(self.grids))


def _finer(grid: Grid, bits: int) -> Grid:
    return grid if grid.bits + bits > _MOST_BITS else grid.finer(bits)


def _ranges(row: CountTable, steps: float, most: int) -> list[Grid]:
    """Return about so many steps over the range of a bucket, in ranges that are equal in bit patterns."""
    first, last = (int(ordered(end)[0]) for end in (row.low, row.high))
    parts = 1 if last - first < _ALIKE else max(1, most)
    ends = number(np.array([first + (last - first) * i // parts for i in range(parts + 1)], dtype=np.int64)).tolist()
    bits = min(max(_LEAST_BITS, int(math.log2(max(1.0, steps / parts)))), _MOST_BITS)
    return [Grid.over(low, high, bits) for low, high in pairwise(ends)]


def _expression(grid: Grid, score: Any) -> Any:
    nw = narwhals()
    if grid.scale == 0:
        place = nw.when(score.is_finite()).then(nw.lit(0.0, nw.Float64)).otherwise(score)
    else:
        scaled = score * nw.lit(grid.unit, nw.Float64) if grid.unit != 1 else score
        place = (scaled - nw.lit(grid.low, nw.Float64)) * nw.lit(grid.scale, nw.Float64)
    # In this order: infinities must be clipped before floor, and floor comes before the cast.
    return place.clip(-1.0, grid.end).floor().cast(nw.Int64)

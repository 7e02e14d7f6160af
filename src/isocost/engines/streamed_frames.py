"""The first pass over rows that an engine in this process reads, a lazy Polars frame or a DuckDB relation, counted batch by batch.

Grouped by many keys, Polars would keep those of all rows. Counters of the buckets take the same memory whatever the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.engines.any_frame import narwhals, score_of
from isocost.engines.buckets import Pass
from isocost.engines.count_table import CountTable
from isocost.engines.failures import run
from isocost.engines.frame_checks import FrameCases
from isocost.engines.frame_grid import FrameGrid
from isocost.engines.streaming import numbers_in
from isocost.errors import InputError
from isocost.validate import Floats

# Rows of a batch: few enough for the processor's cache while they are counted.
_BATCH = 2**17
# More keys than this are not counted one by one.
_MOST_KEYS = 2**22


def serves(cases: FrameCases, wanted: Mapping[str, Pass[FrameGrid]]) -> bool:
    """Tell whether a pass is counted here: all rows, by equal steps, of an engine that hands out batches."""
    return _hands_out(cases.frame) and all(
        one.within is None and one.grid is not None and len(one.grid.grids) == 1 and one.grid.grids[0].end <= _MOST_KEYS
        for one in wanted.values()
    )


def _hands_out(frame: Any) -> bool:
    if not isinstance(frame, narwhals().LazyFrame):
        return False
    # Polars before 1.34 has no batches.
    return frame.implementation.is_duckdb() or (
        frame.implementation.is_polars() and hasattr(frame.to_native(), "collect_batches")
    )


def _batches(frame: Any) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield the columns of a frame in the order of its rows, so that sums of weights are the same on every run."""
    native = frame.to_native()
    if frame.implementation.is_polars():
        for batch in native.collect_batches(chunk_size=_BATCH, maintain_order=True, engine="streaming"):
            yield {name: batch[name].to_numpy() for name in batch.columns}
        return
    # Called differently before DuckDB 2.0.
    reader = getattr(native, "to_arrow_reader", None) or native.fetch_arrow_reader
    for batch in reader(_BATCH):
        if any(column.null_count for column in batch.columns):
            raise InputError("the duckdb frame changed while it was counted: there was no gap before; count again")
        kinds = (np.int8 if name == "up" else np.float64 for name in batch.schema.names)
        yield dict(zip(batch.schema.names, map(numbers_in, batch.columns, kinds), strict=True))


def counted(cases: FrameCases, wanted: Mapping[str, Pass[FrameGrid]]) -> dict[str, CountTable]:
    """Return what the first pass counts of each column of scores: one query."""
    nw = narwhals()
    one, none = nw.lit(1, nw.Int8), nw.lit(0, nw.Int8)
    columns = {"up": nw.when(cases.positive).then(one).otherwise(none)}
    if cases.weight is not None:
        columns["weight"] = nw.col(cases.weight).cast(nw.Float64)
    columns |= {f"score {place}": score_of(name) for place, name in enumerate(wanted)}
    tallies = [_Tally(one.grid, cases) for one in wanted.values() if one.grid is not None]

    def query() -> None:
        for batch in _batches(cases.weighing.select(**columns)):
            for place, tally in enumerate(tallies):
                tally.add(batch[f"score {place}"], batch["up"], batch.get("weight"))

    run(cases.engine, f"counting column{'s' if len(wanted) > 1 else ''} {', '.join(map(repr, wanted))}", query)
    return {name: tally.table() for name, tally in zip(wanted, tallies, strict=True)}


class _Tally:
    """Counters of the buckets of one column of scores, and the lowest and highest score of each."""

    def __init__(self, grid: FrameGrid, cases: FrameCases) -> None:
        self._grid = grid
        self._engine = cases.engine
        size = int(grid.grids[0].end) + 2
        self._totals: NDArray[Any] = np.zeros(2 * size, dtype=np.int64 if cases.weight is None else np.float64)
        self._low, self._high = np.full(size, np.inf), np.full(size, -np.inf)

    def add(self, score: Floats, up: NDArray[np.int8], weight: Floats | None) -> None:
        """Count some rows; the key -1 counts at the end, as an index does."""
        if np.isnan(score).any():
            raise InputError(f"the {self._engine} changed while it was counted: there was no gap before; count again")
        place = self._grid.keys(score)
        np.minimum.at(self._low, place, score)
        np.maximum.at(self._high, place, score)
        place *= 2
        place += up
        np.add.at(self._totals, place, 1 if weight is None else weight)

    def table(self) -> CountTable:
        """Return the buckets that hold a case."""
        totals, low, high = np.roll(self._totals, 2), np.roll(self._low, 1), np.roll(self._high, 1)
        at = np.flatnonzero(totals[::2] + totals[1::2])[::-1]
        downs, ups = (whole_numbers(totals[start::2][at]) for start in (0, 1))
        return CountTable(low[at], high[at], ups, downs, at - 1)

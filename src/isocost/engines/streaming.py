"""Columns of checked files in batches, read ahead by a thread, and counted by key without being kept."""

from __future__ import annotations

import ctypes
import queue
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import count_scores, whole_numbers
from isocost.engines import grid
from isocost.engines.count_table import CountTable, Keys
from isocost.engines.pieces import FirstGrid, Pieces
from isocost.errors import InputError
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.engines.duckdb import Engine

# Rows of a batch: few enough for the processor's cache while they are counted, and enough to be worth handing over.
_BATCH = 2**17
_AHEAD = 4

Within = tuple[FirstGrid | Pieces, Keys]
Batch = tuple[Floats, NDArray[np.int8], Floats | None]


class UnconfirmedError(Exception):
    """The rows are not what the file's statistics say: they must be examined before they are counted."""


class KeptLabels:
    """The labels of rows that are read in the same order in every pass, a bit each: one pass must unpack them, not all."""

    def __init__(self, most: int) -> None:
        self._bits: NDArray[np.uint8] = np.zeros(most // 8 + 1, dtype=np.uint8)
        self.rows = 0
        self.complete = False

    def clear(self) -> None:
        """Begin anew."""
        self._bits[:] = 0
        self.rows = 0

    def keep(self, up: NDArray[np.int8]) -> None:
        """Add the labels of the next rows."""
        packed = np.packbits(np.concatenate([np.zeros(self.rows % 8, np.int8), up]))
        self._bits[self.rows // 8 :][: packed.size] |= packed
        self.rows += up.size

    def of(self, start: int, size: int) -> NDArray[np.int8]:
        """Return the labels of some rows."""
        held = self._bits[start // 8 : -(-(start + size) // 8)]
        return np.unpackbits(held)[start % 8 :][:size].view(np.int8)


class StreamedScores:
    """One column of scores of a query, with labels and weights, read from beginning to end in every pass.

    The query has the `columns` score, up, which the `parameters` are for, and perhaps weight. Labels that a pass before has
    `kept` are not read again.

    To `confirm` what was only believed is to raise an `UnconfirmedError` unless there are so many rows, both labels, scores
    in the span and nothing else.
    """

    def __init__(
        self,
        engine: Engine,
        columns: Mapping[str, str],
        table: str,
        parameters: Sequence[Any],
        rows: int,
        span: tuple[float, float],
        kept: KeptLabels | None,
        *,
        confirm: bool = False,
    ) -> None:
        # Twice the buckets that are asked of an engine: they are counted here and need not be sent.
        self.grid = FirstGrid.over(*span, grid.BITS + 1)
        self.engine = engine
        self.columns = columns
        self.table = table
        self.parameters = parameters
        self.rows = rows
        self.span = span
        self.kept = kept
        self.confirm = confirm

    def batches(self) -> Generator[Batch, None, None]:
        """Yield scores, labels (1 or 0) and weights; the next batches are read meanwhile."""
        ready: queue.Queue[Any] = queue.Queue(_AHEAD)
        stop = threading.Event()
        done = [0]
        reader = threading.Thread(target=self._read, args=(ready, stop), daemon=True)
        with (
            self.engine.explained(),
            self.engine.meanwhile(lambda: 100 * done[0] / self.rows),
        ):
            reader.start()
            try:
                while (item := ready.get()) is not None:
                    if isinstance(item, BaseException):
                        raise item
                    yield item
                    done[0] += item[0].size
            finally:
                # Ctrl-C, or an error here: the reader must not outlive the pass.
                stop.set()
                if reader.is_alive():
                    self.engine.connection.interrupt()
                    while reader.is_alive():
                        _emptied(ready)
                        reader.join(0.05)

    def _read(self, ready: queue.Queue[Any], stop: threading.Event) -> None:
        connection, kept = self.engine.connection, self.kept
        known = kept is not None and kept.complete
        columns = [f"{sql} AS {name}" for name, sql in self.columns.items() if not (known and name == "up")]
        if kept is not None and not known:
            kept.clear()
        start = 0
        try:
            # One thread unpacks while another counts; more of them would only hold more memory.
            connection.execute("SET threads = 1")
            relation = connection.sql(
                f"SELECT {', '.join(columns)} FROM {self.table}", params=[] if known else list(self.parameters)
            )
            # Called differently before DuckDB 2.0.
            reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
            for batch in reader(_BATCH):
                if stop.is_set():
                    return
                found = self._columns(batch, start)
                start += batch.num_rows
                ready.put(found)
            self._end(start)
            connection.execute("RESET threads")
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    def _columns(self, batch: Any, start: int) -> Batch:
        """Return the columns of the rows from `start` on, all of which must hold numbers."""
        kept = self.kept
        end, most = start + batch.num_rows, kept.rows if kept is not None and kept.complete else self.rows
        if end > most:
            raise self._otherwise(f"{most} rows before, {end} or more now")
        if any(column.null_count for column in batch.columns):
            raise self._otherwise("there was no gap before")
        score = numbers_in(batch.column("score"), np.float64)
        weight = numbers_in(batch.column("weight"), np.float64) if "weight" in self.columns else None
        if kept is not None and kept.complete:
            up = kept.of(start, score.size)
        else:
            up = numbers_in(batch.column("up"), np.int8)
            if self.confirm and up.view(np.uint8).max(initial=0) > 1:
                raise UnconfirmedError
            if kept is not None:
                kept.keep(up)
        # NaN is neither above nor below.
        if self.confirm and not (score.size == 0 or (score.min() >= self.span[0] and score.max() <= self.span[1])):
            raise UnconfirmedError
        return score, up, weight

    def _end(self, rows: int) -> None:
        """Make sure that so many rows had kept labels, and keep them."""
        if self.kept is not None:
            if rows != self.kept.rows:
                raise self._otherwise(f"{self.kept.rows} rows before, {rows} now")
            self.kept.complete = True

    def _otherwise(self, how: str) -> Exception:
        """Return what to raise if the rows are not what they were."""
        if self.confirm:
            return UnconfirmedError()
        return InputError(f"{self.engine.name} changed while it was counted: {how}; count again")

    def count(self, grid: FirstGrid | Pieces, within: Within | None) -> CountTable:
        """Count by key."""
        chosen = None if within is None else self._chosen(within)
        size = grid.size if isinstance(grid, Pieces) else int(grid.end) + 2
        # Four bytes a counter where they suffice: half of the cache that is needed.
        totals: NDArray[Any] = np.zeros(2 * size, dtype=np.uint32 if self.rows < 2**32 else np.int64)
        ones: NDArray[Any] = np.ones(_BATCH, dtype=totals.dtype)
        with closing(self.batches()) as batches:
            for score, up, weight in batches:
                if weight is not None and totals.dtype.kind != "f":
                    totals = totals.astype(np.float64)
                if chosen is None or not isinstance(grid, Pieces):
                    # The key -1 counts at the end, as an index does.
                    at: Any = slice(None)
                    place = self.grid.keys(score, inside=self.confirm)
                else:
                    at = chosen.near(score)
                    here, place = grid.keys(score[at])
                    at = at[here]
                place <<= 1
                place |= up[at]
                mass = ones[: place.size] if weight is None else weight[at]
                np.add.at(totals, place, mass.astype(totals.dtype, copy=False))
        totals = totals if isinstance(grid, Pieces) else np.roll(totals, 2)
        totals = whole_numbers(totals) if totals.dtype.kind == "f" else totals
        keys = np.flatnonzero(totals[::2] + totals[1::2])[::-1]
        downs, ups = (totals[start::2][keys] for start in (0, 1))
        del totals
        if downs.dtype.kind != "f":
            downs, ups = downs.astype(np.int64), ups.astype(np.int64)
        if self.confirm and within is None and not (0 < ups.sum() < self.rows == ups.sum() + downs.sum()):
            raise UnconfirmedError
        _give_back()
        if not isinstance(grid, Pieces):
            keys -= 1
        return CountTable(*self._spans(grid, keys), ups, downs, keys)

    def _spans(self, grid: FirstGrid | Pieces, keys: Keys) -> tuple[Floats, Floats]:
        """Return the lowest and highest number of each key, which descend."""
        return grid.spans(keys) if isinstance(grid, Pieces) else grid.spans(keys, self.span[1])

    def _chosen(self, within: Within) -> Chosen:
        grid, keys = within
        ends = self._spans(grid, keys[::-1]) if isinstance(grid, Pieces) else None
        return Chosen(self.grid, keys, ends, inside=self.confirm)

    def each(self, within: Within | None) -> CountTable:
        """Count by score."""
        chosen = None if within is None else self._chosen(within)
        parts: list[Batch] = []
        with closing(self.batches()) as batches:
            for score, up, weight in batches:
                at = slice(None) if chosen is None else chosen.rows(score)
                # Copies: a view would keep the whole batch in memory.
                parts.append((score[at].copy(), up[at].copy(), None if weight is None else weight[at].copy()))
        scores, up = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        weights = None if parts[0][2] is None else np.concatenate([part[2] for part in parts])
        del parts
        table = CountTable.listed(*count_scores(up.view(np.bool_), scores, weights))
        del up, scores, weights
        _give_back()
        return table


def _give_back() -> None:
    """Return freed memory to the system where the C library keeps it, so that what follows does not come on top."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def numbers_in(column: Any, kind: type[np.generic]) -> NDArray[Any]:
    """Return an Arrow column without gaps as it lies in memory; its own `to_numpy` would load pandas where that is."""
    held = column.buffers()[1]
    return np.frombuffer(b"" if held is None else held, kind)[column.offset :][: len(column)]


def _emptied(ready: queue.Queue[Any]) -> None:
    while not ready.empty():
        ready.get_nowait()


class Chosen:
    """Keys of the first grid whose rows are to be found, or buckets of finer ones between two ends, descending.

    `inside` as in `Grid.keys`.
    """

    def __init__(self, first: FirstGrid, keys: Keys, ends: tuple[Floats, Floats] | None, *, inside: bool) -> None:
        self.first = first
        self.inside = inside
        self.ends = None if ends is None else (ends[0][::-1], ends[1][::-1])
        # The key -1 is the last index.
        self.wanted = np.zeros(int(first.end) + 2, dtype=np.bool_)
        self.wanted[keys if self.ends is None else first.keys(self.ends[0])] = True

    def near(self, scores: Floats) -> NDArray[np.intp]:
        """Return where scores are that have one of the keys as far as the first grid tells."""
        return np.flatnonzero(self.wanted[self.first.keys(scores, inside=self.inside)])

    def rows(self, scores: Floats) -> NDArray[np.intp]:
        """Return where scores are that have one of the keys."""
        at = self.near(scores)
        if self.ends is not None:
            low, high = self.ends
            mine = scores[at]
            place = np.searchsorted(low, mine, side="right") - 1
            at = at[(place >= 0) & (mine <= high[place])]
        return at

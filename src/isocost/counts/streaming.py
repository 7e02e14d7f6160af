"""Columns of checked files in batches, read ahead by a thread, and counted by key without being kept."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.counts import buckets
from isocost.counts.buckets import Grid, Keys, Table
from isocost.counts.from_arrays import count_scores, whole_numbers
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.counts.engine import Engine

# Rows of a batch: as many as there are counters to add up after each.
_BATCH = 2**21
_AHEAD = 2

Batch = tuple[Floats, NDArray[np.int8], Floats | None]


class StreamedScores:
    """One column of scores of a query, with labels and weights, read from beginning to end in every pass."""

    def __init__(self, engine: Engine, sql: str, parameters: Sequence[Any], rows: int, high: float) -> None:
        self.engine = engine
        self.sql = sql
        self.parameters = parameters
        self.rows = rows
        self.high = high

    def batches(self) -> Generator[Batch, None, None]:
        """Yield scores, labels (1 or 0) and weights; the next batches are read meanwhile."""
        ready: queue.Queue[Any] = queue.Queue(_AHEAD)
        stop = threading.Event()
        done = [0]
        reader = threading.Thread(target=self._read, args=(ready, stop), daemon=True)
        with (
            self.engine.explained(),
            self.engine.progress(f"reading {self.engine.name}", lambda: 100 * done[0] / self.rows),
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
        try:
            relation = self.engine.connection.sql(self.sql, params=list(self.parameters))
            # Called differently before DuckDB 2.0.
            reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
            for batch in reader(_BATCH):
                if stop.is_set():
                    return
                columns = {name: batch.column(name) for name in batch.schema.names}
                score, up = (columns[name].to_numpy(zero_copy_only=False) for name in ("score", "up"))
                weight = columns["weight"].to_numpy(zero_copy_only=False) if "weight" in columns else None
                ready.put((score, up, weight))
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    def count(self, grid: Grid, within: tuple[Grid, Keys] | None) -> Table:
        """Count by key."""
        keys = np.arange(-1, int(grid.end) + 1) if within is None else _finer_keys(grid, within)
        totals: NDArray[Any] = np.zeros(2 * keys.size)
        with closing(self.batches()) as batches:
            for score, up, weight in batches:
                if within is None:
                    place = grid.keys(score)
                    place += 1
                    chosen, mass = up, weight
                else:
                    at = _kept(score, within)
                    place = np.searchsorted(keys, grid.keys(score[at]))
                    chosen, mass = up[at], None if weight is None else weight[at]
                place *= 2
                place += chosen
                totals += np.bincount(place, weights=mass, minlength=totals.size)
        totals = whole_numbers(totals)
        downs, ups = totals[::2], totals[1::2]
        found = np.flatnonzero(ups + downs)[::-1]
        low, high = grid.spans(keys[found], self.high)
        return Table(low, high, ups[found], downs[found], keys[found])

    def each(self, within: tuple[Grid, Keys] | None) -> Table:
        """Count by score."""
        parts: list[Batch] = []
        with closing(self.batches()) as batches:
            for score, up, weight in batches:
                at = slice(None) if within is None else _kept(score, within)
                # Copies: a view would keep the whole batch in memory.
                parts.append((score[at].copy(), up[at].copy(), None if weight is None else weight[at].copy()))
        scores, up = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        weights = None if parts[0][2] is None else np.concatenate([part[2] for part in parts])
        return Table.listed(*count_scores(up.astype(np.bool_), scores, weights))


def _emptied(ready: queue.Queue[Any]) -> None:
    while not ready.empty():
        ready.get_nowait()


def _finer_keys(grid: Grid, within: tuple[Grid, Keys]) -> Keys:
    """Return all keys that those of the coarser grid are divided into."""
    coarse, keys = within
    times = grid.bits - coarse.bits
    inner = (keys[:, None] << times) + np.arange(1 << times)
    # The keys of infinite scores are not divided.
    inner[keys == -1] = -1
    inner[keys == int(coarse.end)] = int(grid.end)
    return np.unique(inner)


def _kept(scores: Floats, within: tuple[Grid, Keys]) -> NDArray[np.intp]:
    """Return places of the scores that have one of the keys: looked up on the first grid, then searched for on finer ones."""
    grid, keys = within
    finer = grid.bits - buckets.BITS
    first = grid.finer(-finer)
    wanted = np.zeros(int(first.end) + 2, dtype=np.bool_)
    wanted[(keys >> finer) + 1] = True
    at = np.flatnonzero(wanted[first.keys(scores) + 1])
    if finer:
        mine = grid.keys(scores[at])
        place = np.minimum(np.searchsorted(keys, mine), keys.size - 1)
        at = at[keys[place] == mine]
    return at

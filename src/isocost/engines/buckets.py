"""Too many distinct scores to list: count them in buckets, and open only the buckets that matter.

A bucket confines the ROC path to a rectangle whose lower left and upper right corners are certain. Only a bucket whose upper
left corner lies above the hull of the certain points can hide a vertex of the hull; only those are counted again, finer, until
few enough rows remain to list their scores. Every pass must find exactly the cases that the one before has left open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import reaching, upper_hull
from isocost.engines.count_table import CLOSED, CountTable, Keys
from isocost.engines.grid import Grid
from isocost.errors import EngineError, InputError
from isocost.validate import Bools

# Rows of one table: bounds what an engine sends here, whatever the number of cases.
MOST_ROWS = 2**22
# A pass multiplies the resolution by what the table has room for; more passes than this have never been needed.
PASSES = 20


class Divisible(Protocol):
    """Buckets by key that can be divided further."""

    def divided(self, rows: CountTable, most: int) -> Any:
        """Return the buckets in some rows divided into about so many, or None if each score is to be listed instead."""


G_contra = TypeVar("G_contra", bound=Divisible, contravariant=True)
G = TypeVar("G", bound=Divisible)


class Source(Protocol[G_contra]):
    """Cases that can be counted over and over."""

    def count(self, grid: G_contra, within: tuple[G_contra, Keys] | None) -> CountTable:
        """Return the counts by key, of all cases or of those that have one of some keys on a coarser grid."""

    def each(self, within: tuple[G_contra, Keys]) -> CountTable:
        """Return the counts by score of the cases that have one of some keys."""


@dataclass(frozen=True)
class Totals:
    """What the check before counting found out about one column of scores; None where the first pass is to tell."""

    rows: int
    positives: float | None
    negatives: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Pass(Generic[G]):
    """What is to be counted next: by the keys of a grid, or each score where there is none.

    Of all cases, or of those that have one of some keys on a coarser grid.
    """

    grid: G | None
    within: tuple[G, Keys] | None


Plan = Generator[Pass[G], CountTable, CountTable]


def count(
    source: Source[G],
    totals: Totals,
    what: str,
    *,
    grid: G | None = None,
    most_rows: int | None = None,
) -> CountTable:
    """Return the counts of a source after the passes that `passes` asks for."""
    plan = passes(totals, what, grid=grid, most_rows=most_rows)
    return together({what: plan}, lambda wanted: {what: _counted(source, wanted[what])})[what]


def together(
    plans: Mapping[str, Plan[G]], answer: Callable[[dict[str, Pass[G]]], dict[str, CountTable]]
) -> dict[str, CountTable]:
    """Follow several plans at once: what all of them ask for next is answered in one go."""
    found: dict[str, CountTable] = {}
    wanted = {name: next(plan) for name, plan in plans.items()}
    while wanted:
        counted = answer(wanted)
        wanted = {}
        while counted:
            name, table = counted.popitem()
            try:
                wanted[name] = plans[name].send(table)
            except StopIteration as done:
                found[name] = done.value
            del table
        wanted = {name: wanted[name] for name in plans if name in wanted}
    return {name: found[name] for name in plans}


def _counted(source: Source[G], wanted: Pass[G]) -> CountTable:
    if wanted.grid is not None:
        return source.count(wanted.grid, wanted.within)
    return source.each(cast("tuple[G, Keys]", wanted.within))


def listing(totals: Totals, what: str) -> Plan[Any]:
    """Ask for every score, once."""
    found = yield Pass(None, None)
    if totals.positives is not None and totals.negatives is not None:
        conserved(found, totals.positives, totals.negatives, what)
    return found


def passes(
    totals: Totals,
    what: str,
    *,
    grid: G | None = None,
    most_rows: int | None = None,
    heaviest: float | None = None,
) -> Plan[G]:
    """Ask for counts in buckets, and again for those that may hold a vertex of the hull, until the hull is exact.

    `grid` and `most_rows` stand in for the usual ones where a source can do with more or less. No bucket keeps more than the share
    `heaviest` of the cases, classes taken alike.
    """
    most_rows = MOST_ROWS if most_rows is None else most_rows
    if grid is None:
        grid = cast("G", Grid.over(totals.low, totals.high))
    new = yield Pass(grid, None)
    if totals.positives is not None and totals.negatives is not None:
        conserved(new, totals.positives, totals.negatives, what)
    everything = new.positives.sum() + new.negatives.sum()
    done = new[:0]
    for _ in range(PASSES):
        table = done + new
        here = table.keys != CLOSED
        here &= _open(table, heaviest=heaviest, every=_few_untied(table, most_rows))
        if not here.any():
            return table
        rows = table[here]
        within = grid, np.unique(rows.keys)
        ups, downs = rows.positives.sum(), rows.negatives.sum()
        done = table.closed(~here)
        # With weights, about how many rows are left.
        left = totals.rows * (ups + downs) / everything
        grid = None if left <= most_rows else grid.divided(rows, most_rows)
        # What was counted is held by nothing else now, and need not be while the next pass is made.
        del table, new, rows
        new = yield Pass(grid, within)
        conserved(new, ups, downs, what)
        if grid is None:
            return done + new
    raise EngineError(
        f"counting {what}: the hull was not exact after {PASSES} passes; please report this with the data"
    )


def _few_untied(table: CountTable, most_rows: int) -> bool:
    """Return whether every score can be listed, because most rows are single scores already."""
    open_rows = table.high > table.low
    cases = table.positives + table.negatives
    return bool(cases[open_rows].sum() <= most_rows / 4)


def conserved(table: CountTable, positives: float, negatives: float, what: str) -> None:
    """Raise unless a pass found the cases that it had to find: otherwise the data changed, or an engine erred."""
    for name, before, column in (("positives", positives, table.positives), ("negatives", negatives, table.negatives)):
        now = column.sum()
        whole = column.dtype.kind == "i"
        if (now != before) if whole else not math.isclose(now, before, rel_tol=1e-9):
            raise InputError(
                f"{what} changed while it was counted: {before:.12g} {name} before, {now:.12g} now; count again"
            )


def _open(table: CountTable, *, heaviest: float | None, every: bool) -> Bools:
    """Tell which buckets must be counted finer."""
    untied = table.high > table.low
    if every:
        return untied
    fp, tp = table.ends()
    mixed = untied & (table.positives > 0) & (table.negatives > 0)
    x, y = _comparable(fp, tp)
    hull = upper_hull(x, y)
    # A vertex at the end of a bucket needs the bucket's lowest score as its threshold.
    at_vertex = np.zeros(len(table) + 1, dtype=np.bool_)
    at_vertex[hull] = True
    opened = (mixed & reaching(x, y, hull)) | (untied & at_vertex[1:])
    if heaviest is not None:
        share = table.positives / table.positives.sum() + table.negatives / table.negatives.sum()
        opened |= untied & (share > 2 * heaviest)
    return np.asarray(opened)


def _comparable(fp: NDArray[Any], tp: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return (fp, tp) if fp.dtype.kind == "i" else (fp / fp[-1], tp / tp[-1])

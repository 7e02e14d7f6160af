"""Too many distinct scores to list: count them in buckets, and open only the buckets that matter.

A bucket confines the ROC path to a rectangle whose lower left and upper right corners are certain. Only a bucket whose upper
left corner lies above the hull of the certain points can hide a vertex of the hull; only those are counted again, finer, until
few enough rows remain to list their scores. Every pass must find exactly the cases that the one before has left open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InexactError, InputError
from isocost.geometry.hull import upper_hull
from isocost.geometry.hulls import reaching
from isocost.validate import Bools, Floats

# log2 of the buckets of the first pass, and of the largest key that float64 still tells apart.
BITS = 20
_MOST_BITS = 60
# A pass that gains less is not worth reading the data again.
_LEAST_BITS = 3
# Rows of one table: bounds what an engine sends here, whatever the number of cases.
MOST_ROWS = 2**22
# A pass multiplies the resolution by what the table has room for; more passes than this have never been needed.
PASSES = 20

# Rows of a table looked at together, few enough to stay in the processor's cache.
_FEW = 2**14

Keys = NDArray[np.int64]
# In place of a key: a row that is not opened any more.
CLOSED = -2


@dataclass(frozen=True)
class Grid:
    """Equal steps between the lowest and the highest finite score: score ↦ floor((score·unit - low)·scale).

    Every operation rounds monotonously, so keys never fall as scores rise. -inf has key -1, +inf the key after the last.
    Doubling the scale splits each step in two exactly.
    """

    low: float
    scale: float
    unit: float
    bits: int

    @classmethod
    def over(cls, low: float, high: float, bits: int | None = None) -> Self:
        """Return 2 to the power of `bits` steps over a range of finite scores."""
        bits = BITS if bits is None else bits
        # A range that overflows, or is too narrow to divide by, is counted in other units: a power of two loses nothing.
        with np.errstate(over="ignore"):
            width = high - low
        if width == 0:
            return cls(low, 0.0, 1.0, bits)
        unit = 1.0 if 1e-280 < width < 1e300 else 0.125 if width > 1 else 2.0**600
        width = high * unit - low * unit
        return cls(low * unit, (2.0**bits - 1) / width, unit, bits)

    def finer(self, bits: int) -> Grid:
        """Return steps smaller by 2 to the power of `bits`."""
        return replace(self, scale=self.scale * 2.0**bits, bits=self.bits + bits)

    def divided(self, rows: Table, most: int) -> Grid | None:
        """Return finer steps, of which some rows would have about so many; None if numbers are not told apart so finely."""
        room = max(_LEAST_BITS, int(math.log2(most / len(rows))))
        return None if self.bits + room > _MOST_BITS else self.finer(room)

    @property
    def end(self) -> float:
        """The key of +inf."""
        return 2.0**self.bits

    def keys(self, scores: Floats, *, inside: bool = False) -> Keys:
        """Return the key of each score; `inside` if all are known to be in the range."""
        place = (scores * self.unit if self.unit != 1 else scores) - self.low
        with np.errstate(invalid="ignore"):
            place *= self.scale
        # An infinite score over a range of no width: its sign decides.
        if self.scale == 0:
            place = np.where(np.isinf(scores), scores, 0.0)
        if not inside:
            np.clip(place, -1, self.end, out=place)
            np.floor(place, out=place)
        return place.astype(np.int64)

    def spans(self, keys: Keys, high: float) -> tuple[Floats, Floats]:
        """Return the lowest and highest score that each key can have, none of them above `high` but +inf; keys must descend."""
        low, top = np.full(keys.size, -np.inf), np.full(keys.size, -np.inf)
        low[keys >= self.end] = top[keys >= self.end] = np.inf
        inside = slice(*np.searchsorted(-keys, [1 - self.end, 1]))
        if self.scale == 0:
            low[inside] = top[inside] = high
            return low, top
        mine = keys[inside]
        low[inside] = self._lowest(mine)
        # Where the next key is there too, its lowest number is known already.
        beyond = np.empty(mine.size)
        beyond[1:] = low[inside][:-1]
        alone = np.append(True, mine[:-1] != mine[1:] + 1)[: mine.size]
        beyond[alone] = self._lowest(mine[alone] + 1)
        top[inside] = np.minimum(np.nextafter(beyond, -np.inf), high)
        return low, top

    def _lowest(self, keys: Keys) -> Floats:
        """Return the smallest number of each key, 0 to the end; a few at a time, which the processor's cache holds."""
        found = np.empty(keys.size)
        for start in range(0, keys.size, _FEW):
            found[start : start + _FEW] = self._lowest_of_few(keys[start : start + _FEW])
        return found

    def _lowest_of_few(self, keys: Keys) -> Floats:
        """Do so in float64 bit patterns counted in order: it is nearly always next to where real numbers have it."""
        most = np.finfo(float).max
        with np.errstate(over="ignore"):
            guess = ordered(np.clip((keys / self.scale + self.low) / self.unit, -most, most))
        reached = self._reach(guess, keys)
        beside = np.where(reached, guess - 1, guess + 1)
        found = np.where(reached, guess, beside)
        if (far := np.flatnonzero(self._reach(beside, keys) == reached)).size:
            found[far] = self._searched(guess[far], keys[far])
        return number(found)

    def _searched(self, guess: Keys, keys: Keys) -> Keys:
        """Return the smallest bit pattern of each key: by steps that double, then by halving."""
        low, high = np.maximum(guess - 1, _LEAST), np.minimum(guess + 1, -_LEAST)
        step = np.int64(1)
        late = np.arange(keys.size)
        while (late := late[self._reach(low[late], keys[late])]).size:
            step = min(step * 2, _FAR)
            low[late] = np.where(low[late] < _LEAST + step, _LEAST, low[late] - step)
        step = np.int64(1)
        early = np.arange(keys.size)
        while (early := early[~self._reach(high[early], keys[early])]).size:
            step = min(step * 2, _FAR)
            high[early] = np.where(high[early] > -_LEAST - step, -_LEAST, high[early] + step)
        while (wide := np.flatnonzero(high - low > 1)).size:
            middle = low[wide] + (high[wide] - low[wide]) // 2
            inside = self._reach(middle, keys[wide])
            high[wide[inside]], low[wide[~inside]] = middle[inside], middle[~inside]
        return np.asarray(high)

    def _reach(self, places: Keys, keys: Keys) -> Bools:
        """Tell which numbers, counted in order, have at least some keys: as `keys` does, but without rounding to the key."""
        place = number(places)
        if self.bits > 52:
            # Such keys are not all floats.
            return self.keys(place) >= keys
        with np.errstate(over="ignore", invalid="ignore"):
            if self.unit != 1:
                place *= self.unit
            place -= self.low
            place *= self.scale
        return place >= keys


_SIGN = np.int64(-(2**63))


def ordered(numbers: Floats) -> Keys:
    """Return whole numbers in the order of the floats, next to each other where those are."""
    bits = np.ascontiguousarray(numbers).view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def number(places: Keys) -> Floats:
    """Return the floats of such whole numbers."""
    return np.where(places < 0, _SIGN - places, places).view(np.float64)


_LEAST = ordered(np.array([-np.inf]))[0]
_FAR = np.int64(2**60)


@dataclass(frozen=True)
class Table:
    """Rows of counts, in descending order of scores; a row is one score where low equals high."""

    low: Floats
    high: Floats
    positives: NDArray[Any]
    negatives: NDArray[Any]
    keys: Keys

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.low.size)

    def __getitem__(self, rows: Any) -> Table:
        """Return some of the rows."""
        return Table(*(column[rows] for column in self._columns))

    def closed(self, rows: Bools) -> Table:
        """Return some of the rows, none of which is opened any more."""
        low, high, positives, negatives = (column[rows] for column in self._columns[:4])
        return Table(low, high, positives, negatives, _no_keys(low.size))

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.low, self.high, self.positives, self.negatives, self.keys

    def __add__(self, other: Table) -> Table:
        """Return the rows of both, which must not overlap."""
        if not len(self) or not len(other):
            return self if len(self) else other
        # Stable, because that way of sorting merges what is in order already.
        order = np.argsort(np.concatenate([self.low, other.low]), kind="stable")[::-1]
        mine = order < len(self)
        del order
        keyed = self.keys.strides != (0,) or other.keys.strides != (0,)
        pairs = list(zip(self._columns, other._columns, strict=True))[: 5 if keyed else 4]
        columns = [_interleaved(mine, *pair) for pair in pairs]
        return Table(*columns, *([] if keyed else [_no_keys(mine.size)]))

    @classmethod
    def listed(cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any]) -> Table:
        """Return rows of single scores."""
        if np.any(scores[1:] > scores[:-1]):
            order = np.argsort(scores)[::-1]
            scores, positives, negatives = scores[order], positives[order], negatives[order]
        return cls(scores, scores, positives, negatives, _no_keys(scores.size))

    def ends(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return false and true positives at the rows' ends, from none."""
        return cumulated(self.negatives), cumulated(self.positives)


def cumulated(column: NDArray[Any]) -> NDArray[Any]:
    """Return the sums up to each row, from none."""
    sums = np.zeros(column.size + 1, dtype=column.dtype)
    np.cumsum(column, out=sums[1:])
    return sums


def _interleaved(mine: Bools, one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return two columns in one, each in its order, without laying them end to end first."""
    both = np.empty(mine.size, dtype=np.result_type(one, other))
    both[mine], both[~mine] = one, other
    return both


def _no_keys(size: int) -> Keys:
    """Return keys of rows that are not opened any more, which take no memory."""
    return np.broadcast_to(np.int64(CLOSED), size)


class Divisible(Protocol):
    """Buckets by key that can be divided further."""

    def divided(self, rows: Table, most: int) -> Any:
        """Return the buckets in some rows divided into about so many, or None if each score is to be listed instead."""


G_contra = TypeVar("G_contra", bound=Divisible, contravariant=True)
G = TypeVar("G", bound=Divisible)


class Source(Protocol[G_contra]):
    """Cases that can be counted over and over."""

    def count(self, grid: G_contra, within: tuple[G_contra, Keys] | None) -> Table:
        """Return the counts by key, of all cases or of those that have one of some keys on a coarser grid."""

    def each(self, within: tuple[G_contra, Keys]) -> Table:
        """Return the counts by score of the cases that have one of some keys."""


@dataclass(frozen=True)
class Totals:
    """What the check before counting found out about one column of scores; None where the first pass is to tell."""

    rows: int
    positives: float | None
    negatives: float | None
    low: float
    high: float


def count(
    source: Source[G],
    totals: Totals,
    what: str,
    *,
    exact: bool,
    tolerance: float | None,
    grid: G | None = None,
    most_rows: int | None = None,
) -> Table:
    """Return counts in buckets, opened as far as asked: until the hull is exact, or until bounds are closer than a tolerance.

    `grid` and `most_rows` stand in for the usual ones where a source can do with more or less.
    """
    most_rows = MOST_ROWS if most_rows is None else most_rows
    if grid is None:
        grid = cast("G", Grid.over(totals.low, totals.high))
    new = source.count(grid, None)
    if totals.positives is not None and totals.negatives is not None:
        conserved(new, totals.positives, totals.negatives, what)
    everything = new.positives.sum() + new.negatives.sum()
    done = new[:0]
    for _ in range(PASSES):
        table = done + new
        here = table.keys != CLOSED
        here &= _open(table, exact=exact, tolerance=tolerance, every=_few_untied(table, most_rows))
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
        if grid is None:
            new = source.each(within)
            conserved(new, ups, downs, what)
            return done + new
        new = source.count(grid, within)
        conserved(new, ups, downs, what)
    raise InexactError(f"after {PASSES} passes, {what} still")


def _few_untied(table: Table, most_rows: int) -> bool:
    """Return whether every score can be listed, because most rows are single scores already."""
    open_rows = table.high > table.low
    cases = table.positives + table.negatives
    return bool(cases[open_rows].sum() <= most_rows / 4)


def conserved(table: Table, positives: float, negatives: float, what: str) -> None:
    """Raise unless a pass found the cases that it had to find: otherwise the data changed, or an engine erred."""
    for name, before, column in (("positives", positives, table.positives), ("negatives", negatives, table.negatives)):
        now = column.sum()
        whole = column.dtype.kind == "i"
        if (now != before) if whole else not math.isclose(now, before, rel_tol=1e-9):
            raise InputError(
                f"{what} changed while it was counted: {before:.12g} {name} before, {now:.12g} now; count again"
            )


def _open(table: Table, *, exact: bool, tolerance: float | None, every: bool) -> Bools:
    """Tell which buckets must be counted finer."""
    untied = table.high > table.low
    if every:
        return untied
    fp, tp = table.ends()
    mixed = untied & (table.positives > 0) & (table.negatives > 0)
    x, y = _comparable(fp, tp)
    hull = upper_hull(x, y)
    above = mixed & reaching(x, y, hull)
    opened = np.zeros(len(table), dtype=np.bool_)
    if exact:
        # A vertex at the end of a bucket needs the bucket's lowest score as its threshold.
        at_vertex = np.zeros(len(table) + 1, dtype=np.bool_)
        at_vertex[hull] = True
        opened |= above | (untied & at_vertex[1:])
    if tolerance is not None:
        shares = table.negatives / fp[-1], table.positives / tp[-1]
        # The envelope is known within t(1-t)·mass, VOROS within mass/4, of the heaviest bucket above the hull.
        opened |= above & ((shares[0] + shares[1]) / 4 > tolerance)
        area = np.where(mixed & ~opened, shares[0] * shares[1], 0.0)
        closed = table.keys == CLOSED
        left = tolerance - float(area[closed].sum())
        if float(area.sum()) > tolerance:
            # Half of what is left of the tolerance, so that later passes have some too.
            order = np.argsort(np.where(closed, 0.0, area))
            kept = np.cumsum(np.where(closed, 0.0, area)[order]) <= left / 2
            opened[order[~kept]] = True
    return opened


def _comparable(fp: NDArray[Any], tp: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return (fp, tp) if fp.dtype.kind == "i" else (fp / fp[-1], tp / tp[-1])

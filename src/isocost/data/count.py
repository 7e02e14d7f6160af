"""Counting scores by the passes that make the hull exact: buckets first, then only those that may hold a vertex."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import reaching, upper_hull
from isocost.curves.sort import count_scores, whole_numbers
from isocost.data.checks import Bools, Floats
from isocost.errors import EngineError, InputError

if TYPE_CHECKING:
    from isocost.data.tables import Engine

Keys = NDArray[np.int64]
# In place of a key: a row that is not opened any more. Keys are places, or sums of places that may be just below 0.
CLOSED = -(2**62)
# log2 of the buckets of the first pass.
BITS = 20
# Rows of one table: bounds what an engine sends here, whatever the number of cases.
MOST_ROWS = 2**22
# A pass multiplies the resolution by what fits into the table; more passes than this have never been needed.
PASSES = 20
# Every bucket is divided into at least so many steps, unless it has fewer numbers.
_LEAST_STEPS = 8
# Rows of a batch: few enough for the processor's cache while they are counted, and enough to be worth handing over.
_BATCH = 2**17


@dataclass(frozen=True)
class CountTable:
    """Rows of counts, in descending order of scores; a row is one score where low equals high."""

    low: Floats
    high: Floats
    positives: NDArray[Any]
    negatives: NDArray[Any]
    keys: Keys

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.low.size)

    def __getitem__(self, rows: Any) -> CountTable:
        """Return some of the rows."""
        return CountTable(*(column[rows] for column in vars(self).values()))

    def closed(self, rows: Bools) -> CountTable:
        """Return some of the rows, none of which is opened any more."""
        low, high, positives, negatives = (column[rows] for column in list(vars(self).values())[:4])
        return CountTable(low, high, positives, negatives, np.full(low.size, CLOSED))

    def __add__(self, other: CountTable) -> CountTable:
        """Return the rows of both, which must not overlap."""
        if not len(self) or not len(other):
            return self if len(self) else other
        # Stable, because that way of sorting merges what is in order already.
        order = np.argsort(np.concatenate([self.low, other.low]), kind="stable")[::-1]
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return CountTable(*(np.concatenate(pair)[order] for pair in pairs))

    @classmethod
    def listed(cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any]) -> CountTable:
        """Return rows of single scores."""
        if np.any(scores[1:] > scores[:-1]):
            order = np.argsort(scores)[::-1]
            scores, positives, negatives = scores[order], positives[order], negatives[order]
        return cls(scores, scores, positives, negatives, np.full(scores.size, CLOSED))

    @property
    def counted(self) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats]:
        """Lowest scores, positives, negatives and highest scores: what score counts are made of."""
        return self.low, self.positives, self.negatives, self.high

    @property
    def sums(self) -> tuple[Any, Any]:
        """All positives and all negatives."""
        return self.positives.sum(), self.negatives.sum()


def cumulated(column: NDArray[Any]) -> NDArray[Any]:
    """Return the sums up to each row, from none."""
    sums = np.zeros(column.size + 1, dtype=column.dtype)
    np.cumsum(column, out=sums[1:])
    return sums


@dataclass(frozen=True)
class Grid:
    """Equal steps from the lowest score on: score ↦ floor((score·unit - low)·scale), at least -1 and at most `end`.

    Every operation rounds monotonously, so keys never fall as scores rise. -inf has key -1, +inf the key `end`.
    Doubling the scale splits each step in two exactly.
    """

    low: float
    scale: float
    unit: float
    end: float

    @classmethod
    def over(cls, low: float, high: float, bits: int) -> Self:
        """Return 2 to the power of `bits` steps over a range of finite scores."""
        # A range that overflows, or is too narrow to divide by, is counted in other units: a power of two loses nothing.
        with np.errstate(over="ignore"):
            width = high - low
        if width == 0:
            return cls(low, 0.0, 1.0, 2.0**bits)
        unit = 1.0 if 1e-280 < width < 1e300 else 0.125 if width > 1 else 2.0**600
        width = high * unit - low * unit
        return cls(low * unit, (2.0**bits - 1) / width, unit, 2.0**bits)

    def finer(self, bits: int) -> Self:
        """Return steps smaller by 2 to the power of `bits`."""
        return replace(self, scale=self.scale * 2.0**bits, end=self.end * 2.0**bits)

    def keys(self, scores: Floats) -> Keys:
        """Return the key of each score."""
        with np.errstate(invalid="ignore"):
            place = ((scores * self.unit if self.unit != 1 else scores) - self.low) * self.scale
        # An infinite score over a range of no width: its sign decides.
        if self.scale == 0:
            place = np.where(np.isinf(scores), scores, 0.0)
        np.clip(place, -1, self.end, out=place)
        np.floor(place, out=place)
        return place.astype(np.int64)


@dataclass(frozen=True)
class Steps:
    """Equal steps from the lowest score to the highest, each a power of two: the key of a score costs two additions.

    Added to `shift`, 1.5·2^52 steps, a score is rounded to whole steps, which are then the lowest bits of the sum.
    """

    low: float
    high: float
    step: float
    unit: float

    @classmethod
    def over(cls, low: float, high: float, bits: int) -> Self:
        """Return 3/4 to 3/2 times 2 to the power of `bits` steps, unless that would part neighbouring numbers."""
        most = max(-low, high)
        # Numbers too large to be shifted are counted in other units, in which none but the very smallest are rounded.
        unit = 1.0 if most < 2.0**900 else 2.0**-200
        power = max(math.frexp((high * unit - low * unit) / 1.5)[1] - bits, math.frexp(most * unit)[1] - 50, -1073)
        # Adding 0.0 turns -0.0 into 0.0.
        return cls(low + 0.0, high + 0.0, 2.0**power, unit)

    @cached_property
    def shift(self) -> float:
        """What is added to a score."""
        return 1.5 * 2.0**52 * self.step

    @cached_property
    def first(self) -> int:
        """The bits of the sum of the lowest score."""
        return int(self._sums(np.array([self.low]))[0])

    @cached_property
    def size(self) -> int:
        """How many keys there are."""
        return int(self.keys(np.array([self.high]))[0]) + 1

    def _sums(self, scores: Floats) -> Keys:
        return ((scores * self.unit if self.unit != 1 else scores) + self.shift).view(np.int64)

    def keys(self, scores: Floats) -> Keys:
        """Return the key of each score between the lowest and the highest."""
        keys = self._sums(scores)
        keys -= self.first
        return keys

    def _lowest(self, keys: Keys) -> Floats:
        """Return the smallest number of each key: what lies between two whole numbers of steps is rounded to the even one."""
        whole = keys + (self.first - np.float64(self.shift).view(np.int64))
        with np.errstate(over="ignore"):
            edge = (whole - 0.5) * self.step / self.unit
        return np.where(whole & 1, np.nextafter(edge, np.inf), edge)

    def spans(self, keys: Keys) -> tuple[Floats, Floats]:
        """Return the lowest and highest number of each key within the range."""
        ends = self._lowest(keys), np.nextafter(self._lowest(keys + 1), -np.inf)
        return np.maximum(ends[0], self.low), np.minimum(ends[1], self.high)

    def divided(self, rows: CountTable, most: int) -> Pieces:
        """Return the buckets in some rows, divided into about so many in all."""
        return Pieces.divided(rows, most)


_SIGN = np.int64(-(2**63))


def ordered(numbers: Floats) -> Keys:
    """Return whole numbers in the order of the floats, next to each other where those are."""
    bits = np.ascontiguousarray(numbers).view(np.int64)
    return np.where(bits < 0, _SIGN - bits, bits)


def number(places: Keys) -> Floats:
    """Return the floats of such whole numbers."""
    return np.where(places < 0, _SIGN - places, places).view(np.float64)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Keys of the scores in some buckets: the places of `edges`, ascending, each of which begins a step or ends a bucket."""

    edges: Floats

    @classmethod
    def divided(cls, rows: CountTable, most: int) -> Pieces:
        """Return the buckets in some rows, divided by bit patterns into about so many steps in all, in proportion to their cases."""
        mass = rows.positives + rows.negatives
        # Unsigned, because patterns of both signs may be further apart than int64 reaches.
        width = (ordered(rows.high) - ordered(rows.low)).view(np.uint64)
        step = (width / np.maximum(_LEAST_STEPS, mass * (most / mass.sum()))).astype(np.uint64) + np.uint64(1)
        steps = (width // step).astype(np.int64) + 1
        nth = (np.arange(steps.sum()) - np.repeat(np.cumsum(steps) - steps, steps)).view(np.uint64)
        begin = np.repeat(ordered(rows.low), steps) + (nth * np.repeat(step, steps)).view(np.int64)
        return cls(np.unique(np.concatenate([number(begin), number(ordered(rows.high) + 1)])))

    @property
    def size(self) -> int:
        """How many keys there are, the last of which no bucket has."""
        return self.edges.size

    def keys(self, scores: Floats) -> Keys:
        """Return the key of each score from the first edge on."""
        return np.searchsorted(self.edges, scores, side="right") - 1

    def spans(self, keys: Keys) -> tuple[Floats, Floats]:
        """Return the lowest and highest number of each key."""
        return self.edges[keys], np.nextafter(self.edges[keys + 1], -np.inf)


@dataclass(frozen=True)
class Totals:
    """How many rows, and how many positives and negatives (or their weight), the check before counting found."""

    rows: int
    positives: float
    negatives: float


@dataclass(frozen=True)
class Pass:
    """What is to be counted next: by the keys of a grid, or each score where there is none.

    Of all cases, or of those that have one of some keys on a coarser grid. A grid is anything that can be `divided` further.
    """

    grid: Any
    within: tuple[Any, Keys] | None


# One table for each part of the cases that is counted apart, and one if there are none.
Tables = list[CountTable]
Plan = Generator[Pass, Tables, Tables]


def count(source: StreamedScores, totals: Totals, what: str, *, grid: Any, most_rows: int | None = None) -> CountTable:
    """Return the counts of a source after the passes that `passes` asks for."""

    def answer(wanted: dict[str, Pass]) -> dict[str, Tables]:
        one = wanted[what]
        return {what: [source.each(one.within) if one.grid is None else source.count(one.grid, one.within)]}

    return together({what: passes(totals, what, grid=grid, most_rows=most_rows)}, answer)[what][0]


def together(plans: Mapping[str, Plan], answer: Callable[[dict[str, Pass]], dict[str, Tables]]) -> dict[str, Tables]:
    """Follow several plans at once: what all of them ask for next is answered in one go."""
    found: dict[str, Tables] = {}
    wanted = {name: next(plan) for name, plan in plans.items()}
    while wanted:
        counted, asked = answer(wanted), {}
        for name in wanted:
            try:
                asked[name] = plans[name].send(counted.pop(name))
            except StopIteration as done:
                found[name] = done.value
        wanted = asked
    return {name: found[name] for name in plans}


def passes(
    totals: Totals, what: str, *, grid: Any, most_rows: int | None = None, heaviest: float | None = None
) -> Plan:
    """Ask for counts in buckets, and again for those that may hold a vertex of a hull, until the hulls are exact.

    Without a grid every score is asked for, once.

    Parts of the cases have the same buckets and are opened together, so that thresholds are common to all: the table of all cases comes
    first, then that of each part. No bucket keeps more than the share `heaviest` of all cases, classes taken alike.
    """
    most_rows = MOST_ROWS if most_rows is None else most_rows
    new = _summed((yield Pass(grid, None)))
    conserved(new[0], totals.positives, totals.negatives, what)
    if grid is None:
        return new
    everything, done = sum(new[0].sums), [table[:0] for table in new]
    for _ in range(PASSES):
        tables = [one + other for one, other in zip(done, new, strict=True)]
        opened = np.unique(np.concatenate([_open(table, heaviest, most_rows) for table in tables]))
        if not opened.size:
            return tables
        here = [np.isin(table.keys, opened) for table in tables]
        sums = [table[rows].sums for table, rows in zip(tables, here, strict=True)]
        rows, within = tables[0][here[0]], (grid, opened)
        done = [table.closed(~rows) for table, rows in zip(tables, here, strict=True)]
        # With weights, about how many rows are left.
        few = totals.rows * sum(sums[0]) / everything <= most_rows
        grid = None if few else grid.divided(rows, most_rows // max(1, len(sums) - 1))
        # What was counted is held by nothing else now, and need not be while the next pass is made.
        del tables, new, rows, here
        new = _summed((yield Pass(grid, within)))
        for table, (ups, downs) in zip(new, sums, strict=True):
            conserved(table, ups, downs, what)
        if grid is None:
            return [one + other for one, other in zip(done, new, strict=True)]
    raise EngineError(
        f"counting {what}: the hull was not exact after {PASSES} passes; please report this with the data"
    )


def _summed(parts: Tables) -> Tables:
    """Return the sum of several parts and the parts, with the same ends wherever they have the same bucket."""
    if len(parts) == 1:
        return parts
    low, high, ups, downs, keys = (np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0]))
    names, first, place = np.unique(low if np.all(keys == CLOSED) else keys, return_index=True, return_inverse=True)
    ends = ends_of(place, names.size, low, high)
    ups, downs = sums_at(place, names.size, ups, downs)
    whole = CountTable(*ends, ups, downs, keys[first])[::-1]
    where = np.split(place, np.cumsum([len(part) for part in parts])[:-1])
    return [whole, *(replace(part, low=ends[0][at], high=ends[1][at]) for part, at in zip(parts, where, strict=True))]


def sums_at(place: Any, size: Any, *columns: NDArray[Any]) -> list[NDArray[Any]]:
    """Return the sums of columns at each of so many places, of their own types."""
    sums = [np.zeros(size, dtype=column.dtype) for column in columns]
    for total, column in zip(sums, columns, strict=True):
        np.add.at(total, place, column)
    return sums


def blocks_of(keys: NDArray[Any], low: Floats, high: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Return the lowest and highest score of each key, descending, and the place there of each row."""
    found, place = np.unique(keys, return_inverse=True)
    ends = ends_of(place, found.size, low, high)
    return ends[0][::-1] + 0.0, ends[1][::-1] + 0.0, found.size - 1 - place


def ends_of(place: NDArray[np.intp], size: int, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the lowest and the highest score at each of so many places."""
    ends = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(ends[0], place, low)
    np.maximum.at(ends[1], place, high)
    return ends


def conserved(table: CountTable, positives: float, negatives: float, what: str) -> None:
    """Raise unless a pass found the cases that it had to find: otherwise the data changed, or an engine erred."""
    for name, before, column in (("positives", positives, table.positives), ("negatives", negatives, table.negatives)):
        now = column.sum()
        if now != before if column.dtype.kind == "i" else not math.isclose(now, before):
            how = f"{before:.12g} {name} before, {now:.12g} now"
            raise InputError(f"{what} changed while it was counted: {how}; count again")


def _open(table: CountTable, heaviest: float | None, most_rows: int) -> Keys:
    """Return the keys of the buckets that must be counted finer."""
    untied = (table.high > table.low) & (table.keys != CLOSED)
    ups, downs = table.sums
    if not (ups and downs):
        return np.asarray(table.keys[:0])
    # Every score is listed where most rows are single scores already.
    if (table.positives + table.negatives)[table.high > table.low].sum() <= most_rows / 4:
        return np.asarray(table.keys[untied])
    x, y = cumulated(table.negatives), cumulated(table.positives)
    x, y = (x, y) if x.dtype.kind == "i" else (x / x[-1], y / y[-1])
    hull = upper_hull(x, y)
    # A vertex at the end of a bucket needs the bucket's lowest score as its threshold.
    opened = np.zeros(len(table) + 1, dtype=np.bool_)
    opened[hull] = True
    opened = opened[1:] | ((table.positives > 0) & (table.negatives > 0) & reaching(x, y, hull))
    if heaviest is not None:
        opened |= table.positives / ups + table.negatives / downs > 2 * heaviest
    return np.asarray(table.keys[untied & opened])


Within = tuple[Any, Keys]
Batch = tuple[Floats, NDArray[np.int8], Floats | None]


@dataclass(eq=False)
class StreamedScores:
    """One column of scores of a query, with labels and weights, read from beginning to end in every pass.

    The query has the `columns` score, up, which the `parameters` are for, and perhaps weight.
    """

    engine: Engine
    columns: Mapping[str, str]
    table: str
    parameters: Sequence[Any]
    rows: int
    span: tuple[float, float]

    @cached_property
    def grid(self) -> Steps:
        """Twice the buckets that are asked of an engine: they are counted here and need not be sent."""
        return Steps.over(*self.span, BITS + 1)

    def batches(self) -> Generator[Batch, None, None]:
        """Yield scores, labels (1 or 0) and weights; the next batch is read meanwhile."""
        from concurrent.futures import ThreadPoolExecutor, wait

        connection, rows = self.engine.connection, 0
        columns = ", ".join(f"{sql} AS {name}" for name, sql in self.columns.items())
        query = f"SELECT {columns} FROM {self.table}"
        with (
            self.engine.explained(),
            self.engine.meanwhile(lambda: 100 * rows / self.rows),
            ThreadPoolExecutor(1) as reader,
        ):
            # One thread unpacks while another counts; more of them would only hold more memory.
            connection.execute("SET threads = 1")
            found = connection.sql(query, params=list(self.parameters)).to_arrow_reader(_BATCH)
            ahead = reader.submit(next, found, None)
            try:
                while (batch := ahead.result()) is not None:
                    ahead = reader.submit(next, found, None)
                    yield self._columns(batch, rows + batch.num_rows)
                    rows += batch.num_rows
            finally:
                # Ctrl-C, or an error here: the reader must not outlive the pass.
                if not ahead.done():
                    connection.interrupt()
                    wait([ahead])
            connection.execute("RESET threads")

    def _columns(self, batch: Any, rows: int) -> Batch:
        """Return the columns of some rows, up to so many in all, all of which must hold numbers."""
        if rows > self.rows:
            raise self._otherwise(f"{self.rows} rows before, {rows} or more now")
        if any(column.null_count for column in batch.columns):
            raise self._otherwise("there was no gap before")
        score, up = numbers_in(batch.column("score"), np.float64), numbers_in(batch.column("up"), np.int8)
        if up.view(np.uint8).max(initial=0) > 1:
            raise self._otherwise("there were two labels before")
        weight = numbers_in(batch.column("weight"), np.float64) if "weight" in self.columns else None
        return score, up, weight

    def _keys(self, score: Floats) -> Keys:
        """Return the keys of scores, all of which must lie where they were."""
        keys = self.grid.keys(score)
        # What is below the lowest is large without a sign.
        if keys.view(np.uint64).max(initial=0) >= self.grid.size:
            raise self._otherwise("scores from {:.12g} to {:.12g} before, others now".format(*self.span))
        return keys

    def _otherwise(self, how: str) -> InputError:
        """Return what to raise if the rows are not what they were."""
        return InputError(f"{self.engine.name} changed while it was counted: {how}; count again")

    def count(self, grid: Steps | Pieces, within: Within | None) -> CountTable:
        """Count by key."""
        weighted = "weight" in self.columns
        # Four bytes a counter where they suffice: half of the cache that is needed.
        kind = np.float64 if weighted else np.uint32 if self.rows < 2**32 else np.int64
        totals: NDArray[Any] = np.zeros(2 * grid.size, dtype=kind)
        ones: NDArray[Any] = np.ones(_BATCH, dtype=kind)
        with closing(self._chosen(within)) as batches:
            for score, up, weight in batches:
                place = self._keys(score) if within is None else grid.keys(score)
                place <<= 1
                place |= up
                np.add.at(totals, place, ones[: place.size] if weight is None else weight)
        at = np.flatnonzero(totals[::2] + totals[1::2])[::-1]
        kind = np.float64 if weighted else np.int64
        downs, ups = (whole_numbers(totals[start::2][at].astype(kind)) for start in (0, 1))
        return CountTable(*grid.spans(at), ups, downs, at)

    def each(self, within: Within | None) -> CountTable:
        """Count by score."""
        # Copies: a view would keep the whole batch in memory.
        with closing(self._chosen(within)) as batches:
            parts = [[None if column is None else column.copy() for column in batch] for batch in batches]
        score, up, *weights = (np.concatenate(column) for column in zip(*parts, strict=True) if column[0] is not None)
        return CountTable.listed(*count_scores(up.view(np.bool_), score, weights[0] if weights else None))

    def _chosen(self, within: Within | None) -> Generator[Batch, None, None]:
        """Yield the rows that have one of the keys, or all; what is opened later lies within what was opened first."""
        if within is None:
            yield from self.batches()
            return
        grid, keys = within
        wanted = np.zeros(grid.size, dtype=np.bool_)
        wanted[keys] = True
        if isinstance(grid, Steps):
            self._first = wanted
        with closing(self.batches()) as batches:
            for batch in batches:
                at = np.flatnonzero(self._first.take(self._keys(batch[0])))
                if isinstance(grid, Pieces):
                    at = at[wanted[grid.keys(batch[0][at])]]
                yield batch[0][at], batch[1][at], None if batch[2] is None else batch[2][at]


def numbers_in(column: Any, kind: type[np.generic]) -> NDArray[Any]:
    """Return an Arrow column without gaps as it lies in memory; its own `to_numpy` would load pandas where that is."""
    buffer = column.buffers()[1]
    return np.frombuffer(b"" if buffer is None else buffer, kind)[column.offset :][: len(column)]

"""Counting scores by the passes that make the hull exact: buckets first, then only those that may hold a vertex."""

from __future__ import annotations

import ctypes
import math
import queue
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast

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
        return CountTable(*(column[rows] for column in self._columns))

    def closed(self, rows: Bools) -> CountTable:
        """Return some of the rows, none of which is opened any more."""
        low, high, positives, negatives = (column[rows] for column in self._columns[:4])
        return CountTable(low, high, positives, negatives, _no_keys(low.size))

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.low, self.high, self.positives, self.negatives, self.keys

    def __add__(self, other: CountTable) -> CountTable:
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
        return CountTable(*columns, *([] if keyed else [_no_keys(mine.size)]))

    @classmethod
    def listed(cls, scores: Floats, positives: NDArray[Any], negatives: NDArray[Any]) -> CountTable:
        """Return rows of single scores."""
        if np.any(scores[1:] > scores[:-1]):
            order = np.argsort(scores)[::-1]
            scores, positives, negatives = scores[order], positives[order], negatives[order]
        return cls(scores, scores, positives, negatives, _no_keys(scores.size))

    @property
    def counted(self) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats]:
        """Lowest scores, positives, negatives and highest scores: what score counts are made of."""
        return self.low, self.positives, self.negatives, self.high

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


# log2 of the buckets of the first pass, and of the largest key that float64 still tells apart.
BITS = 20
_MOST_BITS = 60
# A pass that gains less is not worth reading the data again.
_LEAST_BITS = 3
# Keys worked on together, few enough to stay in the processor's cache.
_FEW_KEYS = 2**14


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

    def divided(self, rows: CountTable, most: int) -> Grid | None:
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
        for start in range(0, keys.size, _FEW_KEYS):
            found[start : start + _FEW_KEYS] = self._lowest_of_few(keys[start : start + _FEW_KEYS])
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


# Every bucket is divided into at least so many steps, unless it has fewer numbers.
_LEAST_STEPS = 8


class FirstGrid(Grid):
    """Equal steps, which are divided into `Pieces`."""

    def divided(self, rows: CountTable, most: int) -> Pieces:  # type: ignore[override]
        """Return the buckets in some rows, divided into about so many in all."""
        return Pieces.of(rows, most)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Keys from 0 on: those of each bucket follow those of the bucket below it.

    Attributes
    ----------
    start, end : ndarray of int64
        The first and last bit pattern of each bucket, ascending.
    shift : ndarray of uint64
        log2 of the patterns in each of its steps.
    first : ndarray of int64
        The key of its first step, and how many steps all have.
    """

    start: Keys
    end: Keys
    shift: NDArray[np.uint64]
    first: Keys

    @classmethod
    def of(cls, rows: CountTable, most: int) -> Pieces:
        """Return the buckets in some rows, divided into about so many in all, in proportion to their cases."""
        start, end = ordered(rows.low[::-1]), ordered(rows.high[::-1])
        mass = (rows.positives + rows.negatives)[::-1]
        steps = np.maximum(_LEAST_STEPS, mass * (most / mass.sum()))
        # Unsigned, because patterns of both signs may be further apart than int64 reaches.
        width = (end - start).view(np.uint64)
        shift = np.ceil(np.log2((width + 1.0) / steps)).clip(0, 63).astype(np.uint64)
        return cls(start, end, shift, np.append(0, np.cumsum((width >> shift).view(np.int64) + 1)))

    def divided(self, rows: CountTable, most: int) -> Pieces:
        """Return the buckets in some rows, divided into about so many in all."""
        return Pieces.of(rows, most)

    @property
    def size(self) -> int:
        """How many keys there are."""
        return int(self.first[-1])

    def keys(self, scores: Floats) -> tuple[Bools, Keys]:
        """Tell which scores are in a bucket, and return the keys of those."""
        mine = ordered(scores)
        at = np.searchsorted(self.start, mine, side="right") - 1
        here = (at >= 0) & (mine <= self.end[at])
        mine, at = mine[here], at[here]
        return here, self.first[at] + ((mine - self.start[at]).view(np.uint64) >> self.shift[at]).view(np.int64)

    def spans(self, keys: Keys) -> tuple[Floats, Floats]:
        """Return the lowest and highest number of each key."""
        at = np.searchsorted(self.first, keys, side="right") - 1
        low = self.start[at] + ((keys - self.first[at]).view(np.uint64) << self.shift[at]).view(np.int64)
        high = np.where(keys + 1 == self.first[at + 1], self.end[at], low + ((1 << self.shift[at]) - 1).view(np.int64))
        return number(low), number(high)


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
        self.grid = FirstGrid.over(*span, BITS + 1)
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

"""Dataframes and relations of any library that narwhals knows, checked and counted where their rows are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.data import checks, count
from isocost.data.checks import Floats
from isocost.data.count import CountTable, Grid, Keys, Pass, Totals, number, numbers_in, ordered
from isocost.data.files import run
from isocost.errors import EngineError, InputError, UnknownNameError

# Whole numbers up to this size are exact in float64.
EXACT = 2**53


def narwhals() -> Any:
    """Return the one interface to all frames."""
    import narwhals.stable.v2 as nw

    return nw


def opened(frame: Any) -> tuple[Any, str]:
    """Return a frame as narwhals sees it, and what computes it."""
    nw = narwhals()
    try:
        table = nw.from_native(frame)
    except TypeError as error:
        raise InputError(
            f"frame must be a dataframe or relation (pandas, polars, pyarrow, duckdb, dask, pyspark, daft, …), "
            f"got {type(frame).__name__}"
        ) from error
    except nw.exceptions.DuplicateError as error:
        said = " ".join(str(error).split())
        raise InputError(f"the columns of the frame must have different names: {said}") from error
    engine = f"{_name_of(table)} frame"
    if table.implementation.is_pyarrow():
        table = nw.from_native(_without_halves(table.to_native()))
    if table.implementation.is_dask():
        # An index of the name of a column would be in its way.
        table = nw.from_native(table.to_native().rename_axis(index=None))
    return table, engine


def _without_halves(table: Any) -> Any:
    """Return a table of pyarrow with halves as single floats: older narwhals take halves for no numbers."""
    import pyarrow as pa

    halves = [place for place, kind in enumerate(table.schema.types) if pa.types.is_float16(kind)]
    for place in halves:
        field = table.schema.field(place).with_type(pa.float32())
        table = table.set_column(place, field, table.column(place).cast(pa.float32()))
    return table


def require_columns(table: Any, names: Sequence[str], engine: str) -> Any:
    """Return the schema of a frame that has these columns; Spark would take some of their names for something else."""
    schema = run(engine, "reading the columns", table.collect_schema)
    checks.columns(names, list(schema))
    if table.implementation.is_spark_like():
        for name in names:
            if "." in name or "`" in name:
                renamed = name.replace(".", "_").replace("`", "_")
                raise InputError(
                    f"column {name!r} of the {engine} has a name that Spark takes for a field of a structure: "
                    f"pass frame.withColumnRenamed({name!r}, {renamed!r})"
                )
            if len(alike := [other for other in schema if other.lower() == name.lower()]) > 1:
                raise InputError(
                    f"Spark does not tell the columns {' and '.join(map(repr, alike))} of the {engine} apart: rename one of them"
                )
    return schema


def require_numbers(schema: Any, names: Sequence[str], engine: str) -> None:
    """Raise unless these columns hold numbers."""
    for name in names:
        if not (schema[name].is_numeric() or schema[name] == narwhals().Boolean):
            raise InputError(f"column {name!r} of the {engine} must hold numbers, got {schema[name]}")


def score_of(name: str) -> Any:
    """Return a column of scores as floats; adding 0.0 turns -0.0 into 0.0, which some engines would group apart."""
    nw = narwhals()
    return nw.col(name).cast(nw.Float64) + nw.lit(0.0, nw.Float64)


def collected(frame: Any) -> Any:
    """Return a frame's rows, computed if it is lazy; by Polars batch by batch, which its memory need not hold at once."""
    if not hasattr(frame, "collect"):
        return frame
    return frame.collect(engine="streaming") if frame.implementation.is_polars() else frame.collect()


def summed(term: Callable[[int], Any], count: int, first: int = 0) -> Any:
    """Return term(first) + … of so many, by halves: Spark Connect refuses expressions that are nested deeply."""
    if count == 1:
        return term(first)
    half = count // 2
    return summed(term, half, first) + summed(term, count - half, first + half)


def _name_of(table: Any) -> str:
    """Return what computes a frame; engines that come to narwhals as plugins it does not name itself."""
    known: str = table.implementation.value
    return known if known != "unknown" else type(table.to_native()).__module__.partition(".")[0]


def is_lazy(frame: Any) -> bool:
    """Tell whether the rows of a frame are not in memory."""
    nw = narwhals()
    return isinstance(nw.from_native(frame, pass_through=True), nw.LazyFrame)


_COLLECTED = {
    "polars": "collect()",
    "duckdb": "df()",
    "dask": "compute()",
    "pyspark": "toPandas()",
    "daft": "to_pandas()",
}


def require_in_memory(frame: Any, purpose: str, otherwise: str = "") -> None:
    """Raise if the rows of a frame would have to be collected, and say how to do that; nothing is collected in silence."""
    if not is_lazy(frame):
        return
    _, engine = opened(frame)
    name = engine.partition(" ")[0].partition("[")[0]
    instead = f"; {otherwise}" if otherwise else ""
    raise InputError(
        f"{purpose} needs the rows in memory, and those of a {engine} are not: pass frame.{_COLLECTED.get(name, 'collect()')} "
        f"if they fit{instead}"
    )


def turned_columns(frame: Any, models: Sequence[str], lower_is_positive: Any) -> tuple[Any, list[str]]:
    """Return a frame with the sign of some scores turned, under a name with a minus, and the names of all scores."""
    nw = narwhals()
    turned = checks.names([lower_is_positive] if isinstance(lower_is_positive, str) else lower_is_positive, "model")
    for name in turned:
        if name not in models:
            raise UnknownNameError("model in lower_is_positive", name, models)
    if not turned:
        return frame, list(models)
    table, engine = opened(frame)
    schema = require_columns(table, turned, engine)
    require_numbers(schema, turned, engine)
    for name in turned:
        if f"-{name}" in schema:
            raise InputError(
                f"the {engine} has a column {f'-{name}'!r}, as {name!r} with its sign turned is called: rename it"
            )
    minus = [_minus(nw.col(name), schema[name]).alias(f"-{name}") for name in turned]
    return table.with_columns(*minus).to_native(), [f"-{name}" if name in turned else name for name in models]


def wide(kind: Any) -> bool:
    """Tell whether numbers of a type may be whole and too large for float64."""
    nw = narwhals()
    return kind in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)


def too_large(column: Any, kind: Any) -> Any:
    """Tell which whole numbers of a wide type float64 does not hold."""
    nw = narwhals()
    if kind in (nw.UInt64, nw.UInt128):
        # A literal of another type would make pyarrow turn the column into that.
        return column > nw.lit(EXACT, kind)
    return (column > EXACT) | (column < -EXACT)


def _minus(column: Any, kind: Any) -> Any:
    """Return numbers with their sign turned; whole ones stay whole, and those that float64 cannot hold stay too large for it."""
    nw = narwhals()
    if not wide(kind):
        return nw.lit(0.0, nw.Float64) - column.cast(nw.Float64)
    fitting = nw.when(too_large(column, kind)).then(nw.lit(2 * EXACT, kind)).otherwise(column)
    return nw.lit(0, nw.Int64) - fitting.cast(nw.Int64)


_SHOWN = 12


@dataclass(frozen=True)
class FrameCases:
    """A frame with columns of labels and scores, checked by one query.

    Attributes
    ----------
    frame : narwhals.DataFrame or narwhals.LazyFrame
    engine : str
        What computes it, for messages.
    positive : narwhals.Expr
        Whether a row is positive.
    rows : int
    positives, negatives : float
        Cases, or their weight.
    spans : dict of str to (float, float)
        The lowest and highest finite score of each column.
    """

    frame: Any
    engine: str
    positive: Any
    weight: str | None
    rows: int
    positives: float
    negatives: float
    spans: dict[str, tuple[float, float]]

    @classmethod
    def of(cls, frame: Any, label: str | None, scores: Sequence[str], weight: str | None, pos_label: Any) -> FrameCases:
        """Check the columns: types by the schema, values by one query of one row. Without labels all are counted as positive."""
        nw = narwhals()
        table, engine = opened(frame)
        others, unlabelled = [*scores, *([] if weight is None else [weight])], label is None
        if label is None:
            require_columns(table, others, engine)
            label, pos_label = f"no label beside {', '.join(others)}", None
            table = table.with_columns(nw.lit(True, nw.Boolean).alias(label))
        names = [label, *others]
        schema = require_columns(table, names, engine)
        if table.implementation.is_pandas() and any(schema[name] == nw.Object for name in names):
            # Columns without a type hold what they hold: 0 and 1 are labels as anywhere else.
            table = nw.from_native(table.to_native()[list(dict.fromkeys(names))].infer_objects())
            schema = table.collect_schema()
        of_pandas = table.implementation.is_pandas() or table.implementation.is_dask()
        if of_pandas and _are_words(table.to_native().dtypes[label]):
            # Before pandas 3 words are objects, which have no order beside missing ones.
            table = nw.from_native(table.to_native()[list(dict.fromkeys(names))].astype({label: "string"}))
            schema = table.collect_schema()
        require_numbers(schema, others, engine)
        wanted = _wanted(nw, schema[label], pos_label)
        if wanted is None:
            raise InputError(_which(table, engine, label, pos_label))
        numbers = {n: schema[n] for n in others}
        decimals = [name for name, kind in numbers.items() if kind == nw.Decimal]
        if decimals and isinstance(table, nw.DataFrame) and not table.implementation.is_polars():
            # As floats of pyarrow, decimals would not all be the nearest: 0.3 is not 0.30000000000000004.
            table = table.with_columns(nw.col(*decimals).cast(nw.String).cast(nw.Float64))
        check = _Check(nw, label, schema[label], wanted, weight, numbers, pos_label is not None, unlabelled)
        checking = f"checking the columns {', '.join(map(repr, names))}"
        queries = check.queries()
        # Dask cannot put in order the words of parts some of which have none.
        words = table.implementation.is_dask() and check.of_words
        if words:
            del queries["least other"], queries["most other"]
        try:
            row = _row(run(engine, checking, lambda: collected(table.select(**queries))))
        except EngineError as error:
            if schema[label] != nw.Unknown:
                raise
            raise InputError(
                f"column {label!r} of the {engine} has a type that it does not compare: make it text, whole numbers or booleans"
            ) from error
        if words and not row[f"missing {label}"]:
            others = [kind for kind in _classes(table, engine, label) if kind != wanted] or [wanted]
            row |= {"least other": min(others), "most other": max(others)}
        check.raise_for(row, table, engine, lambda: _which(table, engine, label, pos_label))
        spans = {name: (row[f"low {name}"], row[f"high {name}"]) for name in scores}
        return cls(table, engine, check.positive, weight, int(row["rows"]), row["up"], row["down"],
                   {name: (0.0, 0.0) if low is None else (float(low), float(high)) for name, (low, high) in spans.items()})  # fmt: skip

    @property
    def weighing(self) -> Any:
        """The rows that have a weight above 0, and all where there are none."""
        nw = narwhals()
        if self.weight is None:
            return self.frame
        return self.frame.filter(nw.col(self.weight).cast(nw.Float64) > nw.lit(0.0, nw.Float64))


def _are_words(dtype: Any) -> bool:
    """Tell whether a type of pandas is that of words, or of categories which are words, and keeps them as objects."""
    return str(dtype) == "object" or (
        hasattr(dtype, "categories") and str(getattr(dtype.categories, "dtype", "")) == "object"
    )


@dataclass(frozen=True)
class _Check:
    """The one preliminary query, and what its row means."""

    nw: Any
    label: str
    kind: Any
    wanted: Any
    weight: str | None
    numbers: dict[str, Any]
    said: bool
    unlabelled: bool

    @property
    def _types(self) -> dict[str, Any]:
        return {self.label: self.kind} | self.numbers

    @property
    def of_words(self) -> bool:
        """Whether labels are text, perhaps as categories."""
        return self.kind in (self.nw.String, self.nw.Categorical, self.nw.Enum)

    @property
    def positive(self) -> Any:
        return self.nw.col(self.label) == self.nw.lit(self.wanted)

    def _missing(self, name: str) -> Any:
        column = self.nw.col(name)
        if not self._types[name].is_float():
            return column.is_null()
        # Not all engines compute with halves.
        column = column.cast(self.nw.Float64)
        # Not finite and not infinite: understood by every engine, and not folded away by statistics that leave NaN out.
        return column.is_null() | (~column.is_finite() & (column.abs() != float("inf")))

    def queries(self) -> dict[str, Any]:
        """Return the aggregates, by name."""
        nw = self.nw
        number = nw.col(self.weight).cast(nw.Float64) if self.weight is not None else nw.lit(1, nw.Int64)
        nothing = nw.lit(0.0 if self.weight is not None else 0, nw.Float64 if self.weight is not None else nw.Int64)
        label = nw.col(self.label)
        # Categories have no order in some engines; text has one.
        categories = self.kind in (nw.Categorical, nw.Enum)
        other = nw.when(~self.positive).then(label.cast(nw.String) if categories else label)
        found = {
            "rows": nw.len(),
            "up": nw.when(self.positive).then(number).otherwise(nothing).sum(),
            "down": nw.when(~self.positive).then(number).otherwise(nothing).sum(),
            "is positive": nw.when(self.positive).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64)).sum(),
        }
        # Of two truth values it is clear which is the other.
        if self.kind != nw.Boolean:
            found |= {"least other": other.min(), "most other": other.max()}
        for name, kind in self.numbers.items():
            # Wide integers are not cast before it is known that they can be.
            column = nw.col(name) if wide(kind) else nw.col(name).cast(nw.Float64)
            # Nor compared where they cannot: older pyarrow frames hand back no whole number of 2**63 or more.
            held = ~too_large(column, kind) if wide(kind) else column.is_finite()
            finite = nw.when(held).then(column)
            found |= {f"low {name}": finite.min(), f"high {name}": finite.max()}
        return found | {f"{kind} {name}": self._count(wrong) for (kind, name), wrong in self.faults.items()}

    @property
    def faults(self) -> dict[tuple[str, str], Any]:
        """Which rows have which fault, by kind of fault and column."""
        nw = self.nw
        found = {("missing", name): self._missing(name) for name in self._types}
        for name, kind in self.numbers.items():
            column = nw.col(name) if wide(kind) else nw.col(name).cast(nw.Float64)
            if wide(kind):
                found["wide", name] = too_large(column, kind)
            elif kind == nw.Decimal:
                found["wide", name] = (column >= EXACT) | (column <= -EXACT)
            elif kind.is_float() and name != self.weight:
                found["infinite", name] = column.abs() == float("inf")
        if self.weight is not None:
            column = nw.col(self.weight).cast(nw.Float64)
            found["weight", self.weight] = (column < 0) | ~column.is_finite()
        return found

    def _count(self, condition: Any) -> Any:
        nw = self.nw
        return nw.when(condition).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64)).sum()

    def raise_for(self, row: dict[str, Any], table: Any, engine: str, which: Callable[[], str]) -> None:
        """Say what is wrong with the columns, if anything."""
        rows = int(row["rows"])
        if rows == 0:
            raise InputError(f"the {engine} is empty: at least one positive and one negative are needed")
        for (kind, name), wrong in self.faults.items():
            if count := int(row[f"{kind} {name}"]):
                role = "label" if name == self.label else "weight" if name == self.weight else "score"
                first = run(engine, f"looking for the first row of {name!r}", lambda: first_row(table, wrong))  # noqa: B023
                raise checks.fault(kind, f"{engine}: {role} {name!r}", count, rows, first)
        if self.unlabelled:
            return
        positives = int(row["is positive"])
        other = row.get("least other", not self.wanted)
        if positives in (0, rows) or other != row.get("most other", other) or not self._obvious(other):
            raise InputError(which())
        for label, total in (("positive", row["up"]), ("negative", row["down"])):
            if not total > 0:
                raise InputError(
                    f"column {self.weight!r}: the weights of the {label} class sum to 0: nothing is left of it"
                )

    def _obvious(self, other: Any) -> bool:
        """Return whether the other class goes with the positive one, where that was not said."""
        return self.said or other in (0, -1) or not isinstance(other, int | float)


def first_row(table: Any, wrong: Any) -> int | None:
    """Return the first of the rows that something is wrong with, counting from 1; None where rows have no order."""
    nw = narwhals()
    name, native = "row of isocost", table.to_native()
    if table.implementation.is_polars():
        numbered = nw.from_native(native.with_row_index(name))
    elif table.implementation.is_duckdb():
        numbered = nw.from_native(native.project(f'*, row_number() OVER () - 1 AS "{name}"'))
    elif isinstance(table, nw.DataFrame):
        numbered = table.with_row_index(name)
    else:
        return None
    return 1 + int(collected(numbered.filter(wrong).select(nw.col(name).min()))[name].to_list()[0])


def _wanted(nw: Any, kind: Any, pos_label: Any) -> Any:
    """Return the label to detect as a column of this type holds it; None if that is not obvious, or if it cannot."""
    number = kind.is_numeric()
    if pos_label is None:
        return True if kind == nw.Boolean else 1 if number else None
    value = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    if kind == nw.Boolean:
        return bool(value) if value in (0, 1) else None
    if number:
        return int(value) if isinstance(value, bool) else None if isinstance(value, str) else value
    return None if kind == nw.String and not isinstance(value, str) else value


def _which(table: Any, engine: str, label: str, pos_label: Any) -> str:
    """Return what is wrong with the labels, having looked at them."""
    rows = _classes(table, engine, label)
    found = sorted(rows, key=lambda v: (isinstance(v, str), v is not None, v))
    what = f"{engine}: label {label!r}"
    if len(found) != 2:
        return checks.class_fault(what, found, many=f"more than {_SHOWN}" if len(found) > _SHOWN else "")
    if pos_label is not None:
        return f"pos_label {pos_label!r} is not among the classes of {what}: {checks.listed(found)}"
    return checks.which_positive(what, found, [rows[kind] for kind in found])


def _classes(table: Any, engine: str, label: str) -> dict[Any, int]:
    """Return the cases of each of the first few labels."""
    nw = narwhals()
    listing = f"listing the labels of column {label!r}"
    found = run(engine, listing, lambda: collected(table.group_by(label).agg(rows=nw.len()).head(_SHOWN + 1)))
    return dict(zip(found[label].to_list(), map(int, found["rows"].to_list()), strict=True))


def _row(frame: Any) -> dict[str, Any]:
    """Return the only row, as plain numbers."""
    return {name: _plain(frame[name].to_list()[0]) for name in frame.columns}


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if type(value).__name__ == "NAType":
        return None
    # Sums of some engines are decimals.
    return int(value) if type(value).__name__ == "Decimal" and value == int(value) else value


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


def tallied(cases: FrameCases, wanted: Mapping[str, Pass[FrameGrid]]) -> dict[str, CountTable]:
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


FramePass = Pass[FrameGrid]


def count_frame(
    frame: Any,
    label: str | None,
    scores: Sequence[str],
    weight: str | None,
    pos_label: Any,
    *,
    max_distinct: int,
) -> dict[str, CountTable]:
    """Return the counts of each column of scores."""
    cases = FrameCases.of(frame, label, scores, weight, pos_label)
    return count_cases(cases, max_distinct=max_distinct)


def count_cases(cases: FrameCases, *, max_distinct: int, heaviest: float | None = None) -> dict[str, CountTable]:
    """Return the counts of each column of scores of a checked frame."""
    plans = {}
    for name, (low, high) in cases.spans.items():
        totals = Totals(cases.rows, cases.positives, cases.negatives, low, high)
        what = f"column {name!r} of the {cases.engine}"
        if cases.rows <= max_distinct:
            plans[name] = count.listing(totals, what)
        else:
            plans[name] = count.passes(
                totals, what, grid=FrameGrid.over(low, high),
                # What comes here at once is of all models.
                most_rows=count.MOST_ROWS // len(cases.spans), heaviest=heaviest,
            )  # fmt: skip
    return count.together(plans, lambda wanted: counted(cases, wanted))


def counted(cases: FrameCases, wanted: Mapping[str, FramePass]) -> dict[str, CountTable]:
    """Return what one pass counts of each column of scores."""
    nw = narwhals()
    if serves(cases, wanted):
        return tallied(cases, wanted)
    found: dict[str, CountTable] = {}
    # Rows in memory are not read anew for every query, and laid out for all models they would take a multiple.
    lazy = isinstance(cases.frame, nw.LazyFrame)
    for some in [wanted] if lazy else [{name: one} for name, one in wanted.items()]:
        found |= _counted(cases, some)
    return found


def _counted(cases: FrameCases, wanted: Mapping[str, FramePass]) -> dict[str, CountTable]:
    """Count several columns by one query: the lowest and highest score of each bucket come along."""
    nw = narwhals()
    listed = [one.grid is None for one in wanted.values()]
    by = ["model", *([] if all(listed) else ["key"]), *(["score"] if any(listed) else [])]
    sums = {"up": nw.col("up").sum(), "down": nw.col("down").sum()}
    if not all(listed):
        sums |= {"low": nw.col("value").min(), "high": nw.col("value").max()}
    kind = nw.Int64 if cases.weight is None else nw.Float64
    # Sums are cast only afterwards, as some engines widen them.
    columns = [nw.col(name).cast(kind) if name in ("up", "down") else nw.col(name) for name in (*by, *sums)]

    def query() -> Any:
        parts = [selected(cases, place, *one) for place, one in enumerate(wanted.items())]
        return collected(_stacked(parts).group_by(*by).agg(**sums).select(*columns))

    named = f"column{'s' if len(wanted) > 1 else ''} {', '.join(map(repr, wanted))}"
    got = run(cases.engine, f"counting {named}", query)
    fetched = {name: np.asarray(got[name].to_numpy()) for name in (*by, *sums)}
    del got
    for name, column in fetched.items():
        if column.dtype.kind not in "if" or not np.all(column == column):  # noqa: PLR0124 - NaN
            raise EngineError(
                f"the {cases.engine} returned {column.dtype} with gaps for {name!r} of {named}; count again"
            )
    return dict(zip(wanted, _tables(fetched, listed), strict=True))


def _stacked(parts: Sequence[Any]) -> Any:
    """Return the rows of several frames with the same columns, as often as they occur."""
    nw = narwhals()
    if len(parts) == 1:
        return parts[0]
    # Daft, which comes as a plugin, keeps equal rows only once if columns are taken in their order.
    plugin = parts[0].implementation.value == "unknown"
    return nw.concat(parts, how="diagonal" if plugin else "vertical")


def _tables(fetched: dict[str, NDArray[Any]], listed: Sequence[bool]) -> Iterator[CountTable]:
    """Return the table of each model from what was fetched of all."""
    model = fetched.pop("model")
    for place, single in enumerate(listed):
        mine = slice(None) if len(listed) == 1 else model == place
        columns = {name: column[mine] for name, column in fetched.items()}
        up, down = (whole_numbers(columns[name]) for name in ("up", "down"))
        if single:
            yield _merged(columns["score"], up, down)
            continue
        order = np.argsort(columns["key"])[::-1]
        low, high = (columns[name][order] + 0.0 for name in ("low", "high"))
        yield CountTable(low, high, up[order], down[order], columns["key"][order].astype(np.int64))


def _merged(score: NDArray[Any], *counts: NDArray[Any]) -> CountTable:
    """Return rows of single scores; engines may tell 0.0 from -0.0."""
    distinct, place = np.unique(score + 0.0, return_inverse=True)
    totals = [np.zeros(distinct.size, dtype=column.dtype) for column in counts]
    for total, column in zip(totals, counts, strict=True):
        np.add.at(total, place, column)
    return CountTable.listed(distinct, *totals)


def selected(cases: FrameCases, place: int, name: str, wanted: FramePass) -> Any:
    """Return the rows that one pass counts of a column of scores, with their keys and what each adds to either class."""
    nw = narwhals()
    kind = nw.Int64 if cases.weight is None else nw.Float64
    number_of = nw.lit(1, nw.Int64) if cases.weight is None else nw.col(cases.weight).cast(nw.Float64)
    nothing = nw.lit(0, kind)
    score = score_of(name)
    # Not a literal alone, of which not all engines make a column.
    zero = nw.when(cases.positive).then(nw.lit(0, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
    columns = {
        "value": score,
        "score": score if wanted.grid is None else zero.cast(nw.Float64),
        "model": zero + nw.lit(place, nw.Int64),
        "key": zero if wanted.grid is None else wanted.grid.expression(score),
        "up": nw.when(cases.positive).then(number_of).otherwise(nothing),
        "down": nw.when(cases.positive).then(nothing).otherwise(number_of),
    }
    chosen = cases.weighing
    if wanted.within is None:
        return chosen.select(**columns)
    grid, keys = wanted.within
    return only(chosen.select(**columns, coarse=grid.expression(score)), keys)


def only(frame: Any, keys: Keys) -> Any:
    """Return the rows with one of the keys."""
    nw = narwhals()
    if frame.implementation.is_spark_like():
        # Thousands of literals take Spark longer to plan than to count.
        wanted = frame.to_native().sparkSession.createDataFrame([(int(key),) for key in keys], "coarse long")
        return frame.join(nw.from_native(wanted.hint("broadcast")), on="coarse", how="semi")
    return frame.filter(nw.col("coarse").is_in(keys.tolist()))

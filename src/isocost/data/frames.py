"""Dataframes and relations of any library that narwhals knows, checked and counted where their rows are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.data import checks, count
from isocost.data.checks import Floats
from isocost.data.count import CountTable, Grid, Keys, Pass, Tables, Totals, number, ordered
from isocost.data.files import run
from isocost.errors import EngineError, InputError

# Whole numbers up to this size are exact in float64.
EXACT = 2**53
# So many different labels are shown.
_SHOWN = 12
# Parts of the cases, such as groups, that are counted apart.
MOST_PARTS = 100


class _Narwhals:
    """The one interface to all frames, imported when it is first used."""

    def __getattr__(self, name: str) -> Any:
        import narwhals.stable.v2

        return getattr(narwhals.stable.v2, name)


nw: Any = _Narwhals()


def opened(frame: Any) -> tuple[Any, str]:
    """Return a frame as narwhals sees it, and what computes it."""
    try:
        table = nw.from_native(frame)
    except (TypeError, nw.exceptions.DuplicateError) as error:
        why = "" if isinstance(error, TypeError) else f": {' '.join(str(error).split())}"
        raise InputError(
            f"frame must be a dataframe or relation (pandas, polars, pyarrow, duckdb, dask, pyspark, daft, …) whose columns have "
            f"different names, got {type(frame).__name__}{why}"
        ) from error
    # Engines that come to narwhals as plugins it does not name itself.
    known = table.implementation.value
    engine = known if known != "unknown" else type(table.to_native()).__module__.partition(".")[0]
    if table.implementation.is_dask():
        # An index of the name of a column would be in its way.
        table = nw.from_native(table.to_native().rename_axis(index=None))
    return table, f"{engine} frame"


def require_columns(table: Any, names: Sequence[str], engine: str) -> Any:
    """Return the schema of a frame that has these columns; Spark would take some of their names for something else."""
    schema = run(engine, "reading the columns", table.collect_schema)
    checks.columns(names, list(schema))
    for name in names if table.implementation.is_spark_like() else ():
        renamed = name.replace(".", "_").replace("`", "_")
        alike = [other for other in schema if other.lower() == name.lower() and other != name]
        if renamed != name or alike:
            why = f"it does not tell {alike[0]!r} apart from it" if alike else "dots and backticks belong to structures"
            renamed = f"{name}_2" if alike else renamed
            raise InputError(
                f"Spark misreads the name of column {name!r} of the {engine}, as {why}: "
                f"pass frame.withColumnRenamed({name!r}, {renamed!r})"
            )
    return schema


def score_of(name: str) -> Any:
    """Return a column of scores as floats; adding 0.0 turns -0.0 into 0.0, which some engines would group apart."""
    return nw.col(name).cast(nw.Float64) + nw.lit(0.0, nw.Float64)


def either(condition: Any, then: Any, otherwise: Any = 0) -> Any:
    """Return one of two expressions for each row; whole numbers are taken as such, which not all engines do by themselves."""
    then, otherwise = (nw.lit(v, nw.Int64) if isinstance(v, int) else v for v in (then, otherwise))
    return nw.when(condition).then(then).otherwise(otherwise)


def collected(frame: Any) -> Any:
    """Return a frame's rows, computed if it is lazy; by Polars batch by batch, which its memory need not hold at once."""
    if not hasattr(frame, "collect"):
        return frame
    return frame.collect(engine="streaming") if frame.implementation.is_polars() else frame.collect()


def fetched(engine: str, doing: str, query: Callable[[], Any]) -> dict[str, NDArray[Any]]:
    """Return the columns of a query, all of which must hold numbers without gaps; `part` may hold anything."""
    got = run(engine, doing, query)
    found = {name: np.asarray(got[name].to_numpy()) for name in got.columns}
    for name, column in found.items():
        # Parts may be distinguished by words.
        if name != "part" and (column.dtype.kind not in "if" or not np.all(column == column)):  # noqa: PLR0124 - NaN
            raise EngineError(f"the {engine} returned {column.dtype} with gaps for {name!r} while {doing}; count again")
    return found


def summed(term: Callable[[int], Any], count: int, first: int = 0) -> Any:
    """Return term(first) + … of so many, by halves: Spark Connect refuses expressions that are nested deeply."""
    if count == 1:
        return term(first)
    half = count // 2
    return summed(term, half, first) + summed(term, count - half, first + half)


def is_lazy(frame: Any) -> bool:
    """Tell whether the rows of a frame are not in memory."""
    return isinstance(nw.from_native(frame, pass_through=True), nw.LazyFrame)


_COLLECTED = {"duckdb": "df()", "dask": "compute()", "pyspark": "toPandas()", "daft": "to_pandas()"}


def fetch(frame: Any) -> str:
    """Return how the rows of a frame are brought into memory; nothing is collected silently."""
    name = opened(frame)[1].partition(" ")[0].partition("[")[0]
    return f"frame.{_COLLECTED.get(name, 'collect()')}"


def wide(kind: Any) -> bool:
    """Tell whether numbers of a type may be whole and too large for float64."""
    return kind in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)


def too_large(column: Any, kind: Any) -> Any:
    """Tell which whole numbers of a wide type float64 does not hold."""
    if kind in (nw.UInt64, nw.UInt128):
        # A literal of another type would make pyarrow turn the column into that.
        return column > nw.lit(EXACT, kind)
    return (column > EXACT) | (column < -EXACT)


# More names of models than anybody compares: another column was meant.
MOST_PIVOTED = 1000


def by_case(
    frame: Any, label: str, score: str, model: str, case: str, others: Sequence[str], pos_label: Any
) -> tuple[Any, list[str]]:
    """Return a frame with a row for each case, of one with a row for each case and model, and the columns of the models."""
    FrameCases.of(frame, label, [score], None, pos_label, marks=(model, case))
    (table, engine), kept = opened(frame), [label, *others]
    require_columns(table, kept, engine)
    named = nw.col(model).cast(nw.String)
    models = sorted(str(row[0]) for row in collected(table.select(named).unique().head(MOST_PIVOTED + 1)).rows())
    if len(models) > MOST_PIVOTED:
        raise InputError.of("many models", name=engine, column=model, most=MOST_PIVOTED)
    checks.names([*models, *dict.fromkeys([*kept, case])], "column")
    many, mine = ({name: f"{what} of {name}" for name in models} for what in ("rows", "score"))
    table = table.with_columns(
        **{many[name]: either(named == name, 1) for name in models},
        **{mine[name]: nw.when(named == name).then(nw.col(score).cast(nw.Float64)) for name in models},
    )
    found = table.group_by(case).agg(
        *(nw.col(mine[name]).max().alias(name) for name in models), **{n: nw.col(n).sum() for n in many.values()},
        **{f"least {name}": nw.col(name).min() for name in kept}, **{f"most {name}": nw.col(name).max() for name in kept},
    )  # fmt: skip
    wrong = {f"has several rows of one {model}": nw.max_horizontal(*many.values()) > 1}
    wrong[f"lacks the row of one {model}"] = nw.min_horizontal(*many.values()) == 0
    for name in kept:
        wrong[f"has rows with different values of {name!r}"] = nw.col(f"least {name}") != nw.col(f"most {name}")
    for what, test in wrong.items():
        if cases := collected(found.filter(test).select(case).head(1)).rows():
            raise InputError.of("case", name=engine, column=case, case=cases[0][0], wrong=what)
    return found.select(case, *models, *(nw.col(f"least {name}").alias(name) for name in kept)).to_native(), models


@dataclass(frozen=True, eq=False)
class FrameCases:
    """A frame with columns of labels and scores, checked by one query.

    `engine` is what computes it, for messages, `positive` and `part` are expressions of narwhals, `rows`, the sums `positives` and
    `negatives` (cases, or their weight) and `sizes` (how many of each class weigh something) what the check counted. `spans` are the lowest
    and highest finite score of each column; of the weights the lowest is the lowest above 0. `parts` tell the parts of the cases apart that
    are counted by themselves too, by their place in it.
    """

    frame: Any
    engine: str
    positive: Any
    weight: str | None
    rows: int
    positives: float
    negatives: float
    sizes: tuple[int, int]
    spans: dict[str, tuple[float, float]]
    parts: tuple[Any, ...] = ()
    part: Any = None

    @classmethod
    def of(
        cls,
        frame: Any,
        label: str | None,
        scores: Sequence[str],
        weight: str | None,
        pos_label: Any,
        marks: Sequence[str] = (),
    ) -> FrameCases:
        """Check the columns: types by the schema, values by one query of one row. Without labels all are counted as positive.

        No value of the `marks` may be missing.
        """
        table, engine = opened(frame)
        numbers, unlabelled = [*scores, *([] if weight is None else [weight])], label is None
        if label is None:
            require_columns(table, numbers, engine)
            label, pos_label = f"no label beside {', '.join(numbers)}", None
            table = table.with_columns(nw.lit(True, nw.Boolean).alias(label))
        names = [label, *numbers, *marks]
        table = _with_types(table, names, require_columns(table, names, engine))
        schema = table.collect_schema()
        _require_numbers(schema, numbers, engine)
        wanted = _wanted(schema[label], pos_label)
        if wanted is None:
            _ask_which(table, engine, label, pos_label)
        kinds = {name: schema[name] for name in names}
        decimals = [name for name in numbers if kinds[name] == nw.Decimal]
        given = table
        if decimals and isinstance(table, nw.DataFrame) and not table.implementation.is_polars():
            # As floats of pyarrow, decimals would not all be the nearest: 0.3 is not 0.30000000000000004.
            table = table.with_columns(nw.col(*decimals).cast(nw.String).cast(nw.Float64))
        check = _Check(label, kinds, numbers, nw.col(label) == nw.lit(wanted), weight)
        checking = f"checking the columns {', '.join(map(repr, names))}"
        got = run(engine, checking, lambda: collected(table.select(**check.queries())))
        row = {name: _plain(got[name].to_list()[0]) for name in got.columns}
        check.refuse_faults(row, table, engine)
        for name in decimals:
            if name in scores:
                _refuse_equal(given, name, engine)
        if not unlabelled:
            check.refuse_classes(row, table, engine, wanted, pos_label)
        spans = {name: (float(row[f"low {name}"] or 0.0), float(row[f"high {name}"] or 0.0)) for name in numbers}
        sizes = int(row["ups"]), int(row["downs"])
        return cls(table, engine, check.positive, weight, int(row["rows"]), row["up"], row["down"], sizes, spans)

    @property
    def weighing(self) -> Any:
        """The rows that have a weight above 0, and all where there are none."""
        return self.frame if self.weight is None else self.frame.filter(self.mass > nw.lit(0.0, nw.Float64))

    @property
    def mass(self) -> Any:
        """What each row counts."""
        return nw.lit(1, nw.Int64) if self.weight is None else nw.col(self.weight).cast(nw.Float64)

    @property
    def kind(self) -> Any:
        """The type of what rows count."""
        return nw.Int64 if self.weight is None else nw.Float64

    def parted(self, column: str) -> FrameCases:
        """Return the same cases, to be counted for each value of a column too."""
        require_columns(self.frame, [column], self.engine)
        marks = self.values(column)
        instead = f"pass {fetch(self.frame.to_native())} if the rows fit"
        why = f"the {self.engine} counts {MOST_PARTS} parts at most; {instead}"
        checks.at_most(len(marks), MOST_PARTS, f"{column!r} holds {len(marks)} different values", why)
        part = summed(lambda i: either(nw.col(column) == nw.lit(marks[i]), i), len(marks))
        return replace(self, parts=tuple(marks), part=part)

    def values(self, column: str) -> list[Any]:
        """Return the different values of a column of marks, in order."""
        query = self.weighing.select(column).unique
        found = run(self.engine, f"listing the values of {column!r}", lambda: collected(query()))
        return sorted(checks.groups(found.get_column(column).to_numpy(), column).tolist(), key=str)


def _refuse_equal(table: Any, name: str, engine: str) -> None:
    """Refuse decimals that differ and are equal as float64."""
    same = table.select(v=nw.col(name), n=nw.col(name).cast(nw.Float64)).group_by("n")
    pairs = same.agg(least=nw.col("v").min(), most=nw.col("v").max()).filter(nw.col("least") != nw.col("most"))
    if found := run(engine, f"comparing the numbers of {name!r}", lambda: collected(pairs.head(1))).rows():
        raise checks.equal_numbers(f"{engine}: score {name!r}", *found[0][1:])


def _with_types(table: Any, names: Sequence[str], schema: Any) -> Any:
    """Return a frame of pandas or Dask whose columns have types: 0 and 1 as objects are labels as anywhere else."""
    if not (table.implementation.is_pandas() or table.implementation.is_dask()):
        return table
    if table.implementation.is_pandas() and any(schema[name] == nw.Object for name in names):
        table = nw.from_native(table.to_native()[list(dict.fromkeys(names))].infer_objects())
    dtype = table.to_native().dtypes[names[0]]
    # Before pandas 3 words are objects, or categories of objects, which have no order beside missing ones.
    if "object" in (str(dtype), str(getattr(getattr(dtype, "categories", None), "dtype", ""))):
        table = nw.from_native(table.to_native().astype({names[0]: "string"}))
    return table


@dataclass(frozen=True)
class _Check:
    """The one preliminary query, and what its row means."""

    label: str
    kinds: dict[str, Any]
    numbers: list[str]
    positive: Any
    weight: str | None

    @property
    def _words(self) -> bool:
        """Whether labels are text, perhaps as categories, which not all engines put in order: they are listed."""
        return self.kinds[self.label] in (nw.String, nw.Categorical, nw.Enum)

    def _number(self, name: str) -> Any:
        """Return a column as floats; wide whole numbers are not cast before it is known that they can be."""
        column = nw.col(name)
        return column if wide(self.kinds[name]) else column.cast(nw.Float64)

    def queries(self) -> dict[str, Any]:
        """Return the aggregates, by name."""
        label = nw.col(self.label)
        mass: Any = 1 if self.weight is None else nw.col(self.weight).cast(nw.Float64)
        nothing: Any = 0 if self.weight is None else nw.lit(0.0, nw.Float64)
        one: Any = 1 if self.weight is None else either(mass > nothing, 1)
        found = {"rows": nw.len(), "is positive": either(self.positive, 1).sum()}
        for name, side in (("up", self.positive), ("down", ~self.positive)):
            found |= {name: either(side, mass, nothing).sum(), f"{name}s": either(side, one).sum()}
        # Of two truth values it is clear which is the other.
        if not self._words and self.kinds[self.label] != nw.Boolean:
            other = nw.when(~self.positive).then(label)
            found |= {"least other": other.min(), "most other": other.max()}
        for name in self.numbers:
            column, kind = self._number(name), self.kinds[name]
            # Not compared where they cannot be: older pyarrow frames hand back no whole number of 2**63 or more.
            within = ~too_large(column, kind) if wide(kind) else column.is_finite()
            low = within & (column > 0) if name == self.weight else within
            found[f"low {name}"] = nw.when(low).then(column).min()
            found[f"high {name}"] = nw.when(within).then(column).max()
        return found | {f"{kind} {name}": either(wrong, 1).sum() for (kind, name), wrong in self.faults.items()}

    @property
    def faults(self) -> dict[tuple[str, str], Any]:
        """Which rows have which fault, by kind of fault and column."""
        found = {("missing", name): self._missing(name) for name in self.kinds}
        for name in self.numbers:
            column, kind = self._number(name), self.kinds[name]
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

    def _missing(self, name: str) -> Any:
        column = nw.col(name)
        if not self.kinds[name].is_float():
            return column.is_null()
        # Not all engines compute with halves.
        column = column.cast(nw.Float64)
        # Not finite and not infinite: understood by every engine, and not folded away by statistics that leave NaN out.
        return column.is_null() | (~column.is_finite() & (column.abs() != float("inf")))

    def refuse_faults(self, row: dict[str, Any], table: Any, engine: str) -> None:
        """Raise if something is wrong with some rows."""
        rows = int(row["rows"])
        checks.some(range(rows), f"the {engine}", "at least one positive and one negative are needed")
        for (kind, name), wrong in self.faults.items():
            if many := int(row[f"{kind} {name}"]):
                roles = dict.fromkeys(self.numbers, "score") | {self.label: "label", self.weight: "weight"}
                role = roles.get(name, "column")
                first = run(engine, f"looking for the first row of {name!r}", lambda: first_row(table, wrong))  # noqa: B023
                raise checks.fault(kind, f"{engine}: {role} {name!r}", many, rows, first)

    def refuse_classes(self, row: dict[str, Any], table: Any, engine: str, wanted: Any, pos_label: Any) -> None:
        """Raise unless there are two classes, one of which is the positive one, and something is left of both."""
        if self._words:
            others = [kind for kind in _classes(table, engine, self.label) if kind != wanted] or [wanted]
            row |= {"least other": min(others), "most other": max(others)}
        other = row.get("least other", not wanted)
        obvious = pos_label is not None or other in (0, -1) or not isinstance(other, int | float)
        if int(row["is positive"]) in (0, int(row["rows"])) or other != row.get("most other", other) or not obvious:
            _ask_which(table, engine, self.label, pos_label)
        if self.weight is not None:
            what = f"{engine}: weight {self.weight!r}"
            checks.both_classes(row["up"], row["down"], what, "the weights of that class sum to 0")


def first_row(table: Any, wrong: Any) -> int | None:
    """Return the first of the rows that something is wrong with, counting from 1; None where rows have no order."""
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


def _require_numbers(schema: Any, names: Sequence[str], engine: str) -> None:
    for name in names:
        if not (schema[name].is_numeric() or schema[name] == nw.Boolean):
            raise InputError(f"column {name!r} of the {engine} must hold numbers, got {schema[name]}")


def _wanted(kind: Any, pos_label: Any) -> Any:
    """Return the label to detect as a column of this type holds it; None if that is not obvious, or if it cannot."""
    numeric = kind.is_numeric()
    if pos_label is None:
        return True if kind == nw.Boolean else 1 if numeric else None
    value = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    if np.ndim(value) or isinstance(value, dict):
        return None
    if kind == nw.Boolean:
        return bool(value) if value in (0, 1) else None
    if numeric:
        return int(value) if isinstance(value, bool) else None if isinstance(value, str) else value
    return None if kind == nw.String and not isinstance(value, str) else value


def _ask_which(table: Any, engine: str, label: str, pos_label: Any) -> None:
    """Look at the labels, and raise what is wrong with them."""
    rows = _classes(table, engine, label)
    found = sorted(rows, key=lambda v: (isinstance(v, str), v is not None, v))
    what = f"{engine}: label {label!r}"
    if len(found) != 2:
        raise checks.class_fault(what, found, many=f"more than {_SHOWN}" if len(found) > _SHOWN else "")
    checks.positive_class(found, pos_label, what, cases=[rows[kind] for kind in found])


def _classes(table: Any, engine: str, label: str) -> dict[Any, int]:
    """Return the cases of each of the first few labels."""
    query = table.group_by(label).agg(rows=nw.len()).head(_SHOWN + 1)
    found = run(engine, f"listing the labels of column {label!r}", lambda: collected(query))
    return dict(zip(found[label].to_list(), map(int, found["rows"].to_list()), strict=True))


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
# Fewer do not tell the ends of a range apart, and more would not add up in 64 bits.
_LEAST_BITS, _MOST_BITS = 3, 54


@dataclass(frozen=True)
class FrameGrid:
    """Keys of scores: the sums of those on several grids, the first of which covers all scores."""

    grids: tuple[Grid, ...]

    @classmethod
    def over(cls, low: float, high: float, bits: int | None = None) -> Self:
        """Return equal steps over a range of finite scores."""
        return cls((Grid.over(low, high, count.BITS if bits is None else bits),))

    def divided(self, rows: CountTable, most: int) -> FrameGrid | None:
        """Return the buckets in some rows divided into about so many, heavy ones by themselves; None if they cannot be."""
        cases = rows.positives + rows.negatives
        share = cases / cases.sum()
        places = np.argsort(share)[::-1][: max(0, _MOST_GRIDS - len(self.grids))]
        heavy = places[share[places] > _HEAVY]
        finer = list(self.grids)
        if left := len(rows) - heavy.size:
            bits = max(_LEAST_BITS, int(math.log2(max(1.0, most * (1 - share[heavy].sum()) / left))))
            finer = [grid if grid.end * 2.0**bits > 2.0**_MOST_BITS else grid.finer(bits) for grid in finer]
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


def _ranges(row: CountTable, steps: float, most: int) -> list[Grid]:
    """Return about so many steps over the range of a bucket, in ranges that are equal in bit patterns."""
    first, last = (int(ordered(end)[0]) for end in (row.low, row.high))
    parts = 1 if last - first < _ALIKE else max(1, most)
    ends = number(np.array([first + (last - first) * i // parts for i in range(parts + 1)], dtype=np.int64)).tolist()
    bits = min(max(_LEAST_BITS, int(math.log2(max(1.0, steps / parts)))), _MOST_BITS)
    return [Grid.over(low, high, bits) for low, high in pairwise(ends)]


def _expression(grid: Grid, score: Any) -> Any:
    if grid.scale == 0:
        place = nw.when(score.is_finite()).then(nw.lit(0.0, nw.Float64)).otherwise(score)
    else:
        scaled = score * nw.lit(grid.unit, nw.Float64) if grid.unit != 1 else score
        place = (scaled - nw.lit(grid.low, nw.Float64)) * nw.lit(grid.scale, nw.Float64)
    # In this order: infinities must be clipped before floor, and floor comes before the cast.
    return place.clip(-1.0, grid.end).floor().cast(nw.Int64)


def count_cases(
    cases: FrameCases, scores: Sequence[str], *, max_distinct: int | None = None, heaviest: float | None = None
) -> dict[str, Tables]:
    """Return the counts of each column of scores of a checked frame: of all cases, and then of each part if there are parts.

    Every score is listed up to so many rows, by default as many as fit for all columns and parts together.
    """
    plans, totals = {}, Totals(cases.rows, cases.positives, cases.negatives)
    # All parts of all models come here at once.
    bits = count.BITS - math.ceil(math.log2(len(scores) * max(1, len(cases.parts))))
    most_rows = count.MOST_ROWS // (4 * len(scores) if cases.parts else len(scores))
    if max_distinct is None:
        max_distinct = 2 * most_rows if cases.parts else most_rows
    for name in scores:
        grid = None if cases.rows <= max_distinct else FrameGrid.over(*cases.spans[name], bits)
        what = f"column {name!r} of the {cases.engine}"
        plans[name] = count.passes(totals, what, grid=grid, most_rows=most_rows, heaviest=heaviest)
    return count.together(plans, lambda wanted: counted(cases, wanted))


def counted(cases: FrameCases, wanted: Mapping[str, Pass]) -> dict[str, Tables]:
    """Return what one pass counts of each column of scores."""
    # Rows in memory are not read anew for every query, and laid out for all models they would take a multiple.
    lazy = isinstance(cases.frame, nw.LazyFrame)
    queries = [wanted] if lazy else [{name: one} for name, one in wanted.items()]
    found: dict[str, Tables] = {}
    for name, columns in (pair for query in queries for pair in bucketed(cases, query).items()):
        part, single = columns.pop("part", None), wanted[name].grid is None
        apart: list[Any] = [slice(None)] if part is None else [part == i for i in range(len(cases.parts))]
        found[name] = [_table({key: column[at] for key, column in columns.items()}, single=single) for at in apart]
    return found


def bucketed(cases: FrameCases, wanted: Mapping[str, Pass]) -> dict[str, dict[str, NDArray[Any]]]:
    """Group several columns of scores by one query: the lowest and highest score of each bucket come along, and what part it is of."""
    listed = [one.grid is None for one in wanted.values()]
    by = ["model", *(["part"] if cases.parts else []), *([] if all(listed) else ["key"]), *(["score"] if any(listed) else [])]  # fmt: skip
    sums = {"up": nw.col("up").sum(), "down": nw.col("down").sum()}
    if not all(listed):
        sums |= {"low": nw.col("value").min(), "high": nw.col("value").max()}
    # Sums are cast only afterwards, as some engines widen them.
    columns = [nw.col(name).cast(cases.kind) if name in ("up", "down") else nw.col(name) for name in (*by, *sums)]

    def query() -> Any:
        parts = [selected(cases, place, *one) for place, one in enumerate(wanted.items())]
        # Daft, which comes as a plugin, keeps equal rows only once if columns are taken in their order.
        plugin = parts[0].implementation.value == "unknown"
        rows = nw.concat(parts, how="diagonal" if plugin else "vertical") if len(parts) > 1 else parts[0]
        return collected(rows.group_by(*by).agg(**sums).select(*columns))

    doing = f"counting column{'s' if len(wanted) > 1 else ''} {', '.join(map(repr, wanted))}"
    got = fetched(cases.engine, doing, query)
    model = got.pop("model")
    if len(wanted) == 1:
        return dict.fromkeys(wanted, got)
    rows = {name: np.flatnonzero(model == place) for place, name in enumerate(wanted)}
    return {name: {key: column[at] for key, column in got.items()} for name, at in rows.items()}


def _table(columns: dict[str, NDArray[Any]], *, single: bool) -> CountTable:
    """Return the table of a model from what was fetched of it."""
    up, down = (whole_numbers(columns[name]) for name in ("up", "down"))
    if single:
        # Engines may tell 0.0 from -0.0.
        scores, place = np.unique(columns["score"] + 0.0, return_inverse=True)
        return CountTable.listed(scores, *count.sums_at(place, scores.size, up, down))
    order = np.argsort(columns["key"])[::-1]
    low, high = (columns[name][order] + 0.0 for name in ("low", "high"))
    return CountTable(low, high, up[order], down[order], columns["key"][order].astype(np.int64))


def selected(cases: FrameCases, place: int, name: str, wanted: Pass) -> Any:
    """Return the rows that one pass counts of a column of scores, with their keys and what each adds to either class."""
    score, nothing = score_of(name), nw.lit(0, cases.kind)
    # Not a literal alone, of which not all engines make a column.
    zero = either(cases.positive, 0)
    columns = {
        "value": score,
        "score": score if wanted.grid is None else zero.cast(nw.Float64),
        "model": zero + nw.lit(place, nw.Int64),
        "key": zero if wanted.grid is None else wanted.grid.expression(score),
        "up": either(cases.positive, cases.mass, nothing),
        "down": either(cases.positive, nothing, cases.mass),
    }
    if cases.parts:
        columns["part"] = cases.part
    if wanted.within is None:
        return cases.weighing.select(**columns)
    grid, keys = wanted.within
    return only(cases.weighing.select(**columns, coarse=grid.expression(score)), keys)


def only(frame: Any, keys: Keys) -> Any:
    """Return the rows with one of the keys."""
    if frame.implementation.is_spark_like():
        # Thousands of literals take Spark longer to plan than to count.
        wanted = frame.to_native().sparkSession.createDataFrame([(int(key),) for key in keys], "coarse long")
        return frame.join(nw.from_native(wanted.hint("broadcast")), on="coarse", how="semi")
    return frame.filter(nw.col("coarse").is_in(keys.tolist()))

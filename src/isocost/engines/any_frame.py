"""Any dataframe or relation through the one interface to all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from isocost import validate
from isocost.engines.failures import run
from isocost.errors import InputError, UnknownNameError

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
    validate.columns(names, list(schema))
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
    turned = validate.names([lower_is_positive] if isinstance(lower_is_positive, str) else lower_is_positive, "model")
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

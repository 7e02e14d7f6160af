"""A look at a table before it is read: its columns, their types and first values, and how its numbers are spelt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from isocost.engines.columns import NUMERIC, PERCENT, Look
from isocost.engines.duckdb import Engine, column_names, identifier
from isocost.engines.text_files import TextForm, has_decimal_commas, has_decimal_points, is_percent, present
from isocost.errors import InputError

# Values of the first rows that are fetched.
_MOST_CELLS = 100_000
_MOST_ROWS = 500
# More take the engine minutes, in which it does not listen.
MOST_COLUMNS = 20_000
# Characters of a text that are looked at.
_TEXT = 100


def look_at(source: Engine, form: TextForm) -> Look:
    """Return what the table shows, and settle the decimal mark of text."""
    if source.files[0].format == "csv":
        return _text_table(source, form)
    _one_spelling(_own_names(source), source.name)
    types = _types(source)
    if source.files[0].format == "json":
        types |= _numbers_in_disguise(source, [name for name, kind in types.items() if kind == "VARCHAR"])
    return Look(source.name, types, lambda: _first_values(source, types))


def _text_table(source: Engine, form: TextForm) -> Look:
    file = source.files[0]
    names = column_names(file)
    _one_spelling(names, source.name)
    cells = zip(*file.rows, strict=True) if file.rows else ((),) * len(names)
    first = {name: present(values) for name, values in zip(names, cells, strict=True)}
    if form.decimal is not None:
        source.decimal, source.decimal_named = form.decimal, True
    elif any(map(has_decimal_commas, first.values())) and not any(map(has_decimal_points, first.values())):
        source.decimal = ","
    if not file.rows and not source.row(f"SELECT 1 FROM {source.table(dict.fromkeys(names, 'VARCHAR'))} LIMIT 1"):
        raise InputError(f"{source.name} holds no rows, only column names")
    types = _types(source)
    texts = [name for name, kind in types.items() if kind == "VARCHAR"]
    types |= _numbers_in_disguise(source, texts)
    return Look(source.name, types | {name: PERCENT for name in texts if is_percent(first[name])}, lambda: first)


def _types(source: Engine) -> dict[str, str]:
    """Return the columns and their types."""
    try:
        rows = source.rows(f"DESCRIBE SELECT * FROM {source.table()}")
    except InputError:
        if source.files[0].format == "csv":  # guessing types fails without a reason; reading text tells the line
            texts = dict.fromkeys(column_names(source.files[0]), "VARCHAR")
            source.query(f"SELECT count(COLUMNS(*)) FROM {source.table(texts)}")
        raise
    return {str(row[0]): str(row[1]) for row in rows}


def _numbers_in_disguise(source: Engine, columns: Sequence[str]) -> dict[str, str]:
    """Return columns of numbers that were taken for text because of an infinity, or quotes."""
    if not columns:
        return {}
    counts = ", ".join(f"count({c}), count(TRY_CAST({c} AS DOUBLE))" for c in map(identifier, columns))
    row = source.row(f"SELECT {counts} FROM (SELECT * FROM {source.table()} LIMIT 20000)")
    pairs = zip(columns, row[::2], row[1::2], strict=True)
    return {name: "DOUBLE" for name, found, numbers in pairs if found == numbers > 0}


def _first_values(source: Engine, types: dict[str, str]) -> dict[str, tuple[Any, ...]]:
    """Return the first values of numbers, texts and truth values; of anything else nothing is needed."""
    wanted = [name for name, kind in types.items() if NUMERIC.match(kind) or kind in ("VARCHAR", "BOOLEAN", "JSON")]
    if not wanted:
        return {}
    parts = [
        f"left(CAST({identifier(name)} AS VARCHAR), {_TEXT})"
        if types[name] in ("VARCHAR", "JSON")
        else identifier(name)
        for name in wanted
    ]
    rows = min(_MOST_ROWS, max(_MOST_CELLS // len(wanted), 1))
    found = source.rows(f"SELECT {', '.join(parts)} FROM {source.table()} LIMIT {rows}")
    columns = zip(*found, strict=True) if found else ((),) * len(wanted)
    return {
        name: tuple(value for value in values if value is not None and value == value)  # noqa: PLR0124 - NaN
        for name, values in zip(wanted, columns, strict=True)
    }


def _own_names(source: Engine) -> list[str]:
    """Return the names of columns as the file spells them: DuckDB renames one that differs in capitals only."""
    match source.files[0].format:
        case "parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            try:
                names = [str(name) for name in pq.read_schema(source.files[0].path.absolute()).names]
            except (pa.ArrowException, OSError):
                return []  # damaged: whoever reads it says how
            if not names:
                raise InputError(f"{source.name} has no columns")
            return names
        case "json":
            keys = source.row(f"SELECT json_keys(json) FROM {source.objects} LIMIT 1")
            return [str(name) for name in keys[0]] if keys and keys[0] else []
        case _:
            return [str(name) for name in source.connection.table("arrow_files").columns]


def _one_spelling(names: Sequence[str], table: str) -> None:
    """Refuse columns that differ in capitals only: DuckDB would read the one for the other. And more than it reads in seconds."""
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"{table} has {len(names):,} columns, and isocost reads at most {MOST_COLUMNS:,}: write the label and the scores to a file "
            "of their own"
        )
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(name.lower(), name)
        if twin != name:
            raise InputError(f"columns {twin!r} and {name!r} of {table} differ in capitals only: rename one of them")

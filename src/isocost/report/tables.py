"""Tables that a browser sends: the bytes of a CSV or Parquet file as columns, and which of them are labels and scores."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError, MissingDependencyError, UnknownNameError

Columns = dict[str, NDArray[Any]]
_LABELS = ("y", "y_true", "label", "target", "class", "truth", "outcome")
_DELIMITERS = ",;\t|"


def read_table(data: bytes, name: str) -> Columns:
    """Return the columns of a file: numbers where every value is one, else text."""
    if data.startswith(b"PAR1"):
        return _parquet(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is neither UTF-8 text nor Parquet: byte {error.start} is 0x{data[error.start]:02x}"
        ) from error
    if "\x00" in text:
        raise InputError(f"{name} is not a text file: it holds zero bytes; save it as CSV or Parquet")
    if not text.strip():
        raise InputError(f"{name} is empty")
    head = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error as error:
        raise InputError(f"{name} cannot be read as CSV: {error}") from error
    rows = [row for row in rows if row]
    _check_shape(header, rows, name)
    return {column: _numbers(np.array(values)) for column, values in zip(header, zip(*rows, strict=True), strict=True)}


def _check_shape(header: list[str], rows: list[list[str]], name: str) -> None:
    if len(header) < 2 or not rows:
        raise InputError(
            f"{name} needs a line of column names, at least two columns and one row, got {len(header)} and {len(rows)}"
        )
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        raise InputError(f"{name} has {header.count(twice)} columns called {twice!r}: give each a name of its own")
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise InputError(f"{name} has {len(header)} columns, but {len(row)} values in line {number}")


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    try:
        return values.astype(np.float64)
    except ValueError:
        return values


def _parquet(data: bytes) -> Columns:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("reading Parquet", "pyarrow", "duckdb") from error
    try:
        table = pq.read_table(io.BytesIO(data))
        return {name: np.asarray(table[name].to_numpy(zero_copy_only=False)) for name in table.column_names}
    except pa.ArrowException as error:
        raise InputError(f"this Parquet file cannot be read: {error}") from error


@dataclass(frozen=True)
class Roles:
    """Which column holds the labels, which value of it is positive (None: settled by the usual rules), and which hold scores."""

    label: str
    scores: tuple[str, ...]
    pos_label: Any = None


def guessed(columns: Columns) -> Roles:
    """Return the likely roles: a column with two values and a telling name, or else the first with two; the other numbers are scores."""
    two = [name for name, values in columns.items() if len(np.unique(values.astype(str))) == 2]
    if not two:
        raise InputError(
            f"no column has exactly two values, so none can hold the labels; columns: {', '.join(columns)}"
        )
    label = next((name for name in two if name.lower() in _LABELS), two[0])
    scores = tuple(name for name, values in columns.items() if name != label and values.dtype.kind in "fiu")
    if not scores:
        raise InputError(
            f"no column beside {label!r} holds numbers, so none can hold scores; columns: {', '.join(columns)}"
        )
    return Roles(label, scores)


def chosen(columns: Columns, label: str, scores: list[str], pos_label: str | None) -> Roles:
    """Return roles a user chose, checked against the columns."""
    for name in (label, *scores):
        if name not in columns:
            raise UnknownNameError("column", name, columns)
    if not scores:
        raise InputError("choose at least one column of scores")
    if label in scores:
        raise InputError(f"column {label!r} cannot be both the label and a score")
    if not pos_label:
        return Roles(label, tuple(scores))
    known = {str(v): v for v in np.unique(columns[label]).tolist()}
    # A person types 1 where the column holds 1.0.
    known |= {f"{v:g}": v for v in known.values() if isinstance(v, float)}
    if pos_label not in known:
        raise UnknownNameError("label", pos_label, known)
    return Roles(label, tuple(scores), known[pos_label])

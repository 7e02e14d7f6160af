"""Tables of counts as text and as files, the same on every platform."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError, MissingDependencyError

# What a table holds at least; `UPPER` stands beside the score where scores were counted together in buckets.
COLUMNS = ("score", "positives", "negatives")
UPPER = "upper"

Columns = dict[str, NDArray[Any]]


def to_text(columns: Columns) -> str:
    """Return CSV text that `from_text` reads back exactly."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def from_text(text: str) -> Columns:
    """Read what `to_text` wrote."""
    header, _, body = text.partition("\n")
    names = header.strip().split(",")
    if not is_table(names):
        raise InputError(f"not a score count table: the first line must be {','.join(COLUMNS)!r}, got {header[:80]!r}")
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2)
    except ValueError as error:
        raise InputError(f"not a score count table: {error}") from error
    return {name: rows[:, i] for i, name in enumerate(names)}


def is_table(names: list[str]) -> bool:
    """Return whether these are the columns of a table of counts."""
    return len(names) == len(set(names)) and set(names) - {UPPER} == set(COLUMNS)


def save(path: Path, columns: Columns) -> None:
    """Write columns to a .parquet (needs pyarrow), .npz or .csv file."""
    match path.suffix:
        case ".parquet":
            arrow, parquet = _pyarrow("ScoreCounts.save")
            parquet.write_table(arrow.Table.from_pydict(columns), path)
        case ".npz":
            np.savez_compressed(path, **columns)  # type: ignore[arg-type]
        case ".csv":
            path.write_text(to_text(columns), encoding="utf-8")
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def load(path: Path) -> Columns:
    """Read what `save` wrote."""
    if not path.is_file():
        raise InputError(f"no such file: {path}")
    try:
        return _read(path)
    except InputError:
        raise
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise InputError(f"{path.name} could not be read as score counts: {error}") from error


def _read(path: Path) -> Columns:
    match path.suffix:
        case ".parquet":
            _, parquet = _pyarrow("ScoreCounts.load")
            table = parquet.read_table(path)
            names = table.column_names
            missing = [c for c in COLUMNS if c not in names]
            if missing:
                raise InputError(f"{path.name} is not a score count table: no column {missing[0]!r} among {names}")
            return {c: table[c].to_numpy() for c in (*COLUMNS, UPPER) if c in names}
        case ".npz":
            with np.load(path) as stored:
                return {c: stored[c] for c in (*COLUMNS, *([UPPER] if UPPER in stored else []))}
        case ".csv":
            return from_text(path.read_text(encoding="utf-8"))
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def _pyarrow(caller: str) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError(caller, "pyarrow", "duckdb") from error
    return pa, pyarrow.parquet

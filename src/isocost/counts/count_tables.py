"""Tables of score counts as files: one row a model and distinct score."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isocost.counts import storage
from isocost.errors import InputError, MissingDependencyError
from isocost.results import atomically

if TYPE_CHECKING:
    from isocost.counts import ScoreCounts

SUFFIXES = (".parquet", ".arrow", ".feather", ".csv")


def as_csv(counts: Mapping[str, ScoreCounts]) -> str:
    """Return the table as CSV text that reads back exactly."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = _columns(counts)
    writer.writerow(columns)
    model, *numbers = (column.tolist() for column in columns.values())
    writer.writerows([name, *map(repr, row)] for name, *row in zip(model, *numbers, strict=True))
    return text.getvalue()


def write(counts: Mapping[str, ScoreCounts], output: str) -> None:
    """Write the table in the format of the suffix, whole or not at all."""
    with atomically(output) as path:
        match Path(output).suffix.lower():
            case ".csv":
                path.write_text(as_csv(counts), encoding="utf-8")
            case ".parquet":
                _pyarrow().parquet.write_table(_table(counts), path)
            case _:
                _pyarrow().feather.write_feather(_table(counts), path, compression="uncompressed")


def _columns(counts: Mapping[str, ScoreCounts]) -> dict[str, Any]:
    import numpy as np

    tables = list(counts.values())
    columns = {
        "model": np.repeat(list(counts), [len(table) for table in tables]),
        "score": np.concatenate([table.scores for table in tables]),
        "positives": np.concatenate([table.positives for table in tables]),
        "negatives": np.concatenate([table.negatives for table in tables]),
    }
    if not all(table.exact for table in tables):
        uppers = [table.scores if table.upper is None else table.upper for table in tables]
        columns["upper"] = np.concatenate(uppers)
    if any(table.unlabelled is not None for table in tables):
        unknown = [np.zeros_like(table.positives) if table.unlabelled is None else table.unlabelled for table in tables]
        columns["unlabelled"] = np.concatenate(unknown)
    return columns


def _table(counts: Mapping[str, ScoreCounts]) -> Any:
    columns = _columns(counts)
    return storage.sealed(_pyarrow().Table.from_pydict(columns), columns)


def verify(path: Path, name: str, form: str) -> None:
    """Raise if a Parquet or Arrow file carries a checksum that is not that of its columns; text carries none."""
    if form not in ("parquet", "arrow"):
        return
    arrow = _pyarrow()
    try:
        read = arrow.parquet.read_table if form == "parquet" else arrow.feather.read_table
        storage.verify_table(name, read(path))
    except InputError:
        raise
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        raise InputError(f"{name} could not be read as score counts: {error}") from error


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError("isocost", "pyarrow", "cli") from error
    return pa

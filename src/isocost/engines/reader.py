"""Files of labels and scores to counts per score, in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from isocost import validate
from isocost.engines.count_table import CountTable
from isocost.engines.duckdb import Progress, Words, engine, memory_bytes, silent
from isocost.engines.file_rows import Columns, Predictions
from isocost.engines.files import opened
from isocost.errors import InputError

Paths = str | Path | Sequence[str | Path]


def count_files(
    paths: Paths,
    label: str,
    scores: Sequence[str],
    weight: str | None,
    pos_label: Any,
    memory: str | int | None,
    progress: Progress | None,
    effort: Mapping[str, Any],
) -> dict[str, CountTable]:
    """Return the counts of each column of scores."""
    columns = Columns(label, tuple(scores), weight)
    with predictions_in(paths, columns, pos_label, memory, progress, hasty=True) as predictions:
        return {name: predictions.counts(name, **effort) for name in scores}


@contextmanager
def predictions_in(
    paths: Paths,
    columns: Columns,
    pos_label: Any,
    memory: str | int | None,
    progress: Progress | None,
    *,
    hasty: bool = False,
) -> Iterator[Predictions]:
    """Yield checked predictions in files; whatever happens, temporary files are removed."""
    words = Words()
    limit = memory_bytes(memory, words.memory.rstrip("="))
    with opened(_names(paths)) as files, engine(files, limit, progress or silent, words) as source:
        types = source.describe()
        validate.columns(columns.all, list(types))
        wanted = None if pos_label is None else str(pos_label)
        yield Predictions(source, columns, types, wanted, limit, hasty=hasty)


def _names(paths: Any) -> list[str]:
    try:
        found = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    except TypeError:
        raise InputError(f"paths must be a path or several of them, got {paths!r}") from None
    if not found:
        raise InputError("paths is empty: name at least one file")
    return [str(path) for path in found]

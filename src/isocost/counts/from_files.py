"""Files of labels and scores to counts per score, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isocost import validate
from isocost.counts.buckets import Table
from isocost.counts.engine import Progress, Words, engine, memory_bytes, silent
from isocost.counts.files import opened
from isocost.counts.predictions import Columns, Predictions


def count_files(
    paths: str | Path | Sequence[str | Path],
    label: str,
    scores: Sequence[str],
    weight: str | None,
    pos_label: Any,
    memory: str | int | None,
    progress: Progress | None,
    effort: Mapping[str, Any],
) -> dict[str, Table]:
    """Return the counts of each column of scores; whatever happens, temporary files are removed."""
    words = Words()
    limit = memory_bytes(memory, words.memory.rstrip("="))
    names = [str(paths)] if isinstance(paths, str | Path) else [str(path) for path in paths]
    with opened(names) as files, engine(files, limit, progress or silent, words) as source:
        types = source.describe()
        columns = Columns(label, tuple(scores), weight)
        validate.columns(columns.all, list(types))
        wanted = None if pos_label is None else str(pos_label)
        predictions = Predictions(source, columns, types, wanted, limit, hasty=True)
        return {name: predictions.counts(name, **effort) for name in scores}

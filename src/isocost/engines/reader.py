"""The one reader: labelled cases in files or bytes, for the library, the command and the explorer."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from isocost import validate
from isocost.engines.columns import Columns, Look, Missing, Roles, settled
from isocost.engines.count_table import CountTable
from isocost.engines.duckdb import Engine, Progress, engine, memory_bytes, shown_by
from isocost.engines.file_rows import FileRows, LoadedRows
from isocost.engines.files import InputFile, Upload, opened
from isocost.engines.looking import look_at
from isocost.engines.text_files import TextForm
from isocost.engines.words import Words
from isocost.errors import InputError

Paths = str | Path | Sequence[str | Path]

_LIBRARY = Words()
_AS_FOUND = TextForm()


class Reader(Protocol):
    """Labelled cases wherever they are: checked when opened; counting twice gives the same table."""

    columns: Columns
    cases: int
    dropped: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found out while reading, and must not be silent."""

    def counts(self, name: str, *, max_distinct: int) -> CountTable:
        """Return the counts of a model: listed if its scores are few or repeat themselves, else in buckets."""

    def load(self, purpose: str) -> LoadedRows:
        """Load the cases."""


@dataclass(frozen=True)
class OpenTable:
    """A table in files that was looked at; `rows` settles its columns and checks them."""

    engine: Engine
    look: Look
    words: Words
    memory: int

    def columns(self, roles: Roles) -> Columns:
        """Settle the columns, or say which is missing."""
        return settled(roles, self.look, self.words)

    def rows(self, roles: Roles, *, hasty: bool = False) -> FileRows:
        """Return the checked rows; if `hasty`, the statistics of a file may be believed until the rows are counted."""
        return FileRows(self.engine, self.columns(roles), self.look, roles, self.memory, hasty=hasty)


@contextmanager
def open_files(
    source: Paths | Upload, form: TextForm = _AS_FOUND, words: Words = _LIBRARY
) -> Iterator[list[InputFile]]:
    """Yield the files of a source, each told by its content."""
    with opened(source if isinstance(source, Upload) else _names(source), form, words) as files:
        yield files


@contextmanager
def open_table(
    files: Sequence[InputFile],
    *,
    form: TextForm = _AS_FOUND,
    memory: str | int | None = None,
    progress: Progress | None = None,
    words: Words = _LIBRARY,
    seconds: float | None = None,
) -> Iterator[OpenTable]:
    """Yield a look at the files as one table; whatever happens, temporary files are removed."""
    limit = memory_bytes(memory, words.memory.rstrip("="))
    with engine(files, limit, shown_by(progress), words, seconds) as source:
        yield OpenTable(source, look_at(source, form), words, limit)


@contextmanager
def open_reader(
    source: Paths | Upload,
    roles: Roles,
    *,
    form: TextForm = _AS_FOUND,
    memory: str | int | None = None,
    progress: Progress | None = None,
    hasty: bool = False,
) -> Iterator[FileRows]:
    """Yield checked rows in files."""
    # A size that is none is said before anything is read, and so is progress that cannot be shown.
    memory_bytes(memory, _LIBRARY.memory.rstrip("="))
    shown_by(progress)
    with open_files(source, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        yield table.rows(roles, hasty=hasty)


def asked(
    label: Any,
    scores: tuple[str, ...],
    *,
    weight: Any,
    pos_label: Any,
    missing: Missing,
    lower_is_positive: Any,
    decimal: Any,
    encoding: Any,
    unlabelled: bool = False,
) -> tuple[Roles, TextForm]:
    """Return what a call of the library says about columns, and about text, checked."""
    optional = ("label", "weight") if unlabelled else ("weight",)
    for name, value in (("label", label), ("weight", weight)):
        if not isinstance(value, str) and not (value is None and name in optional):
            raise InputError(f"{name} must be the name of a column, got {value!r:.80}")
    validate.choice(missing, "missing", ("error", "drop"))
    for name, value in (("decimal", decimal), ("encoding", encoding)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{name} must be text, got {value!r:.80}")
    turned = validate.names([lower_is_positive] if isinstance(lower_is_positive, str) else lower_is_positive, "score")
    positive = None if pos_label is None else str(pos_label)
    roles = Roles(label, scores, weight, None, positive, turned, missing, unlabelled)
    return roles, TextForm(decimal, encoding, alone=unlabelled)


def count_files(
    paths: Paths,
    roles: Roles,
    form: TextForm,
    memory: str | int | None,
    progress: Progress | None,
    max_distinct: int,
) -> dict[str, CountTable]:
    """Return the counts of each column of scores."""
    with open_reader(paths, roles, form=form, memory=memory, progress=progress, hasty=True) as rows:
        return {
            name: rows.counts(model, max_distinct=max_distinct)
            for name, model in zip(roles.scores, rows.columns.models, strict=True)
        }


def _names(paths: Any) -> list[str]:
    try:
        found = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    except TypeError:
        raise InputError(f"paths must be a path or several of them, got {paths!r}") from None
    if not found:
        raise InputError("paths is empty: name at least one file")
    for path in found:
        validate.path(path, "paths")
    return [os.fspath(path) for path in found]

"""Which column is the label, which are scores, and which were left out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isocost.engines.duckdb import NUMERIC
from isocost.engines.file_rows import Columns
from isocost.errors import InputError, UnknownNameError

LABELS = ("label", "y_true", "y", "target")
COUNTS = ("score", "positives", "negatives")
UPPER = "upper"
_IDENTIFIER = re.compile(r"(?i:(.*[_ .-])?(id|index|row))|.*[a-z]I[dD]")


@dataclass(frozen=True)
class Asked:
    """What the user said about the columns."""

    label: str | None = None
    scores: tuple[str, ...] = ()
    weight: str | None = None
    fold: str | None = None
    positive: str | None = None


def is_count_table(names: Sequence[str]) -> bool:
    """Return whether the columns are those of a table of score counts."""
    return set(names) - {"model", UPPER} == set(COUNTS)


def columns(asked: Asked, types: Mapping[str, str], file: str) -> Columns:
    """Settle the columns, or say which is missing."""
    for option, name in (("--label", asked.label), ("--weight", asked.weight), ("--fold", asked.fold)):
        if name is not None:
            _there(name, types, f"column of {file} for {option}")
    label = asked.label if asked.label is not None else _label(types, file)
    roles = {label, asked.weight, asked.fold}
    if asked.scores:
        for name in asked.scores:
            _there(name, types, f"column of {file} for --score")
        scores = tuple(dict.fromkeys(asked.scores))
        if taken := [name for name in scores if name in roles]:
            raise InputError(f"column {taken[0]!r} of {file} cannot be a score and something else")
        return Columns(label, scores, asked.weight, asked.fold, ())
    usable = [name for name, kind in types.items() if name not in roles and _may_score(name, kind)]
    left_out = tuple(name for name in types if name not in roles and name not in usable)
    return Columns(label, tuple(usable), asked.weight, asked.fold, left_out)


def _may_score(name: str, kind: str) -> bool:
    if not NUMERIC.match(kind):
        return False
    # What pandas writes when it keeps the index, and numbers that only tell rows apart.
    index = name.startswith(("(unnamed ", "Unnamed: ", "__index_level_"))
    return not index and not ("INT" in kind and _IDENTIFIER.fullmatch(name))


def _there(name: str, types: Mapping[str, str], what: str) -> None:
    if name not in types:
        raise UnknownNameError(what, name, types)


def _label(types: Mapping[str, str], file: str) -> str:
    found = [name for name in types if name.lower() in LABELS]
    if len(found) == 1:
        return found[0]
    names = ", ".join(map(repr, found or types))
    raise InputError(f"which column of {file} holds the labels? Say so with --label: {names}")

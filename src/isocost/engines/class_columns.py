"""Columns of scores that are named after the classes: which belongs to which model and class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from isocost.errors import InputError

_MARKS = "_ .-:"
# A model without a name: its columns are called like the classes.
UNNAMED = "score"


def by_class(columns: Sequence[str], classes: Sequence[Any]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the columns of each model in the order of the classes, and the columns named after none.

    The class stands at the end of the names, or at the beginning of all of them.

    Examples
    --------
    >>> by_class(["rf_low", "rf_high", "low", "high", "age"], ["high", "low"])
    ({'rf': ['rf_high', 'rf_low'], 'score': ['high', 'low']}, ['age'])
    >>> by_class(["low_rf", "high_rf"], ["high", "low"])
    ({'rf': ['high_rf', 'low_rf']}, [])
    """
    try:
        return _grouped(columns, classes, "end")
    except InputError as error:
        try:
            return _grouped(columns, classes, "beginning")
        except InputError:
            raise error from None


def _grouped(columns: Sequence[str], classes: Sequence[Any], side: str) -> tuple[dict[str, list[str]], list[str]]:
    found: dict[str, dict[Any, str]] = {}
    rest = []
    for column in columns:
        named = [label for label in classes if _model(column, str(label), side) is not None]
        if not named:
            rest.append(column)
            continue
        # Of a class whose name ends in that of another, the longer name is meant.
        label = max(named, key=lambda label: len(str(label)))
        model = str(_model(column, str(label), side))
        if label in found.setdefault(model, {}):
            raise InputError(
                f"{column!r} and {found[model][label]!r} are both scores of {model} for class {label!r}: keep one"
            )
        found[model][label] = column
    for model, known in found.items():
        missing = [label for label in classes if label not in known]
        if missing:
            raise InputError(
                f"model {model!r} has scores for {', '.join(map(repr, known))} and none for {', '.join(map(repr, missing))}: "
                f"each class needs a column whose name ends in it, or begins with it"
            )
    if not found:
        raise InputError(
            f"no column of scores is named after a class ({', '.join(map(repr, classes))}): call them like the classes, "
            f"or with a mark between, as in rf_{classes[0]} or {classes[0]}_rf"
        )
    return {model: [known[label] for label in classes] for model, known in found.items()}, rest


def _model(column: str, label: str, side: str) -> str | None:
    """Return whose score of a class a column is, None if it is not named after the class."""
    if column == label:
        return UNNAMED
    if side == "end":
        rest = column.removesuffix(label)
        mark, name = rest[-1:], rest[:-1]
    else:
        rest = column.removeprefix(label)
        mark, name = rest[:1], rest[1:]
    return name if rest != column and mark in _MARKS and name else None

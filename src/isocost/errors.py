"""Everything isocost raises on bad input is an `IsocostError`, which is also a `ValueError`.

A message names the argument, what was expected, what came, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any, Self

__all__ = [
    "ConditionError", "EngineError", "FewCasesWarning", "InfeasibleError", "InputError", "IsocostError", "MissingDependencyError",
    "UnknownNameError",
]  # fmt: skip

# Names listed in a message, and characters of each that are compared and shown.
_MOST_NAMES = 40
_LONGEST = 200


# What can be wrong with files, with the tables in them and with where results are written.
FAULTS = {
    # Naming files.
    "named twice": "{name} is named twice: its cases would count twice",
    "no file": "no such file: {name}{hint}",
    "no match": "no file matches {name!r}",
    "address": "{name} is an address, and isocost reads files of this machine only: download it, and name the file",
    "directory": "{name} is a directory: name its files, for example '{place}/*.parquet'",
    "device": "{name} is a device or a socket, not a file: name a file or a pipe",
    "read twice": "standard input (-) can be read only once",
    "no input": "nothing comes in on standard input (-): pipe a file into it",
    "unreadable": "{name} cannot be read: {why}",
    # What they hold.
    "empty": "{name} is empty (0 bytes)",
    "blank": "{name} is empty: it holds nothing but white space",
    "other format": "{name} is {what}",
    "no table": (
        "{name} is neither UTF-8 text nor Parquet nor Arrow: save it as UTF-8 CSV or as Parquet, or say how it is encoded ({option})"
    ),
    "damaged": "{name} is a damaged {kind}: {why}",
    "archive": "{name} is a ZIP archive: unpack it, and name the file inside",
    "unpacks": "{name} unpacks to more than {most} GB: {hint}",
    "no sheet": "{name} holds no sheet with a table",
    "several sheets": "{name} has {many} sheets ({sheets}): {how}",
    "decimal mark": "the decimal mark must be '.' or ',', got {given!r}",
    "unknown encoding": "unknown encoding {given!r} of text: use a name such as utf-8, utf-16, latin-1 or cp1252",
    "not UTF-8": (
        "{name} is not UTF-8 text: byte 0x{byte:02x} at position {place}. Save it as UTF-8, or say how it is encoded ({option})"
    ),
    "not in encoding": "{name} is not {encoding} text: {why}",
    "not JSON": "{name} is not JSON that can be read: {why}",
    "no objects": "{name} holds no objects with names and values",
    "other table": "{name} is no part of the table of {first}: its {what} are {here!r} and not {there!r}",
    "other types": "{name} and other files differ in their columns: {why}",
    "lacks column": "{name} has no column {column!r}, which others of the {many} files have",
    # Their columns.
    "long line": "{name} has a first line of more than {many:,} characters: is it a table in text?",
    "one column": "{name} has a single column, {line!r}: columns must be separated by a comma, semicolon, tab or |",
    "no header": "{name} begins with numbers, {line!r}: its first line must hold the names of the columns",
    "no columns": "{name} has no columns",
    "no rows": "{name} holds no rows, only column names",
    "too wide": "{name} has {many:,} columns, and isocost reads at most {most:,}: write the label and the scores to a file of their own",
    "twin columns": "{name} has {many} columns called {column!r}: give each a name of its own",
    "capitals": "columns {one!r} and {other!r} of {name} differ in capitals only: rename one of them",
    "column": "column {column!r} of {name} {wrong}",
    "which label": "{name} has {problem}. Choose one: {option} (columns: {columns}{made})",
    "no scores": "{name} has no numeric column of scores{beside}. Left out: {why}.{hint}",
    "many scores": (
        "{name} has {many:,} numeric columns, too many to be models all. Name those that hold scores, for example {option} "
        "({kind}: {columns})"
    ),
    "two probabilities": (
        "{one!r} and {other!r} of {name} add up to 1 in every row: they are the two probabilities of one model. Name that of the class "
        "to detect, as in {option}"
    ),
    "case alone": "{option} goes with the column that names the models: {model}",
    "no class columns": "{problem}: call them like the classes, or with a mark between, as in rf_{label} or {label}_rf",
    # Their rows.
    "dots": (
        "{name}: score {column!r} holds {value!r}, whose dot may be a decimal point or stand between thousands: "
        "write it without thousands marks, or {option}"
    ),
    "long table": (
        "{name} has a row for every {case} and {model}: each case would count several times. If {model} names models, {long}; "
        "if rows of one {case} are cases that belong together, {cluster} keeps them so"
    ),
    "copied cases": (
        "{name} has several rows for every {case}, equally many and with one label. If they come from several models, name the "
        "column that tells these apart ({model}); if they are cases that belong together, {cluster} keeps them so; "
        "if each is a case of its own, name the scores: {score}"
    ),
    "long form": "{name}: a row for each case and model needs {what}: {option}",
    "many models": "{name}: {column!r} names more than {most:,} models: is it the right column?",
    "case": "{name}: {column} {case!r} {wrong}: each case needs one row per model",
    "many periods": "{name} has more periods or labels than can be watched: is {column!r} the right column?",
    "other label": "{name} holds the label {label!r}; those of the reference are {positive!r} and {negative!r}",
    "no class": "{label} is not among the classes of {name}: {known}",
    "nothing left": "all {rows} rows of {name} miss {what}: nothing is left",
    "counts": "positives and negatives of {name} must be whole numbers of cases",
    # Memory and time.
    "memory": (
        "{purpose} needs the cases in memory, and the {rows:,} rows of {name} take {size:.1f} GB, more than {option} allows; raise it, "
        "or do without"
    ),
    "must be": "{name} must be {what}, got {given}",
    "slow": "{name} takes longer than {seconds:g} seconds: use the command for it",
    # Where results go.
    "unwritable": "cannot write {output}: {why}",
}


class IsocostError(ValueError):
    """Base class of every error that isocost raises on purpose."""

    @classmethod
    def of(cls, fault: str, /, **found: Any) -> Self:
        """Return the error about a fault of files, in the words of `FAULTS`."""
        return cls(FAULTS[fault].format(**found))

    def __reduce__(self) -> tuple[Callable[..., IsocostError], tuple[Any, ...]]:
        """Pickle the message, not the arguments it was made of: an error must get out of a worker process."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[IsocostError], args: tuple[Any, ...], attributes: dict[str, Any]) -> IsocostError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class InputError(IsocostError):
    """Labels, scores, weights, points or counts that cannot be used as given."""


class ConditionError(IsocostError):
    """Costs, prevalences, or ranges and distributions of them that make no sense."""


class InfeasibleError(IsocostError):
    """No operating point meets the constraint."""


class UnknownNameError(IsocostError):
    """A name that is not there; the message offers the nearest ones."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        names = [str(k) for k in known]
        shown = str(name)[:_LONGEST]
        close = difflib.get_close_matches(shown, [k for k in names if len(k) <= _LONGEST], n=3, cutoff=0.5)
        more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
        known_names = (", ".join(f"{k!r:.{_LONGEST}}" for k in names[:_MOST_NAMES]) or "none") + more
        hint = f"did you mean {', '.join(map(repr, close))}?" if close else f"known: {known_names}"
        given = repr(name)
        super().__init__(f"unknown {kind} {given if len(given) <= 80 else given[:77] + '…'}: {hint}")


class EngineError(IsocostError):
    """An engine (DuckDB, Spark, Dask, …) that could not read or count; the message begins with what it was doing."""


class MissingDependencyError(IsocostError, ImportError):
    """An optional package is needed and not installed."""

    def __init__(self, caller: str, package: str, extra: str | None) -> None:
        # A package that no extra of isocost brings is installed by its own name.
        install = f"pip install {package}" if extra is None else f"pip install 'isocost[{extra}]'"
        super().__init__(f"{caller} needs the package {package!r}, which is not installed: {install}")


class FewCasesWarning(UserWarning):
    """There are too few cases for an interval to keep its stated level; the message says what that means for it."""

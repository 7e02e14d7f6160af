"""Everything isocost raises on bad input is an `IsocostError`, which is also a `ValueError`.

A message names the argument, what was expected, what came, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any

__all__ = [
    "ConditionError", "EngineError", "FewCasesWarning", "InfeasibleError", "InputError", "IsocostError", "MissingDependencyError",
    "UnknownNameError",
]  # fmt: skip

# Names listed in a message, and characters of each that are compared and shown.
_MOST_NAMES = 40
_LONGEST = 200


class IsocostError(ValueError):
    """Base class of every error that isocost raises on purpose."""

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

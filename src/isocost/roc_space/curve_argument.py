"""What every function that takes a curve says when it is given something else."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from isocost.errors import InputError
from isocost.roc_space.curve import RocCurve

P = ParamSpec("P")
T = TypeVar("T")


def takes_curve(of_labels: str | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Check the first argument of a function; `of_labels` is the function that takes labels and scores instead."""

    def checking(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def checked(*args: P.args, **options: P.kwargs) -> T:
            given: Any = args[0] if args else options.get("curve")
            if not isinstance(given, RocCurve) and (args or "curve" in options):
                raise InputError(wanted(function.__name__, given, of_labels))
            return function(*args, **options)

        return checked

    return checking


def wanted(caller: str, given: Any, of_labels: str | None = None) -> str:
    """Say that a curve was wanted, what came, and which function takes labels."""
    how = (
        f"{of_labels}(y_true, y_score) takes labels and scores"
        if of_labels
        else f"of labels and scores make one first: {caller}(RocCurve.from_scores(y_true, y_score))"
    )
    return f"{caller} takes a RocCurve, got {type(given).__name__}; {how}"

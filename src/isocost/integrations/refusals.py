"""Labels that a scorer cannot take stop a cross-validation, which would turn any error of a scorer into a score of NaN."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, NoReturn, Self

from isocost import validate
from isocost.errors import InputError

# Who calls scorers for cross_validate, cross_val_score and every search, and sets the score if that fails.
_CALLER = ("sklearn.model_selection._validation", "_score")
_NEAR = 6  # calls from there to here, with some to spare


class Refusing:
    """A function of labels and scores that refuses labels which cannot be understood, wherever it is called.

    Such labels are the same in every fold, so that there is nothing to go on with. Errors of one fold, such as a fold of one class,
    stay with scikit-learn's `error_score=`.
    """

    def __init__(self, function: Callable[..., float]) -> None:
        self.function = function
        update_wrapper(self, function)

    def __call__(self, y_true: Any, *args: Any, **options: Any) -> Any:
        """Return the score, or in a cross-validation what makes it stop."""
        try:
            validate.labels(y_true, options.get("pos_label"), both=False)
        except InputError as error:
            if not _in_cross_validation():
                raise
            return Refusal(error)
        return self.function(y_true, *args, **options)

    def __reduce__(self) -> tuple[type[Self], tuple[Callable[..., float]]]:
        """Pickle the function by its name."""
        return type(self), (self.function,)


class Refusal:
    """An error in place of a score: raised as soon as anybody looks whether it is a number."""

    def __init__(self, error: InputError) -> None:
        self.error = error

    def __rmul__(self, sign: int) -> Self:
        """Stay what it is: a loss has its sign changed."""
        return self

    @property
    def item(self) -> NoReturn:
        """Raise: arrays of one number are asked for it."""
        raise self.error


def _in_cross_validation() -> bool:
    frame = inspect.currentframe()
    for _ in range(_NEAR):
        if frame is None:
            break
        if (frame.f_globals.get("__name__"), frame.f_code.co_name) == _CALLER:
            return True
        frame = frame.f_back
    return False

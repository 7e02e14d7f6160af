"""Labels that a scorer cannot take stop a cross-validation, which would turn any error of a scorer into a score of NaN."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, NoReturn, Self

from isocost.data import checks
from isocost.errors import InputError

# A cross-validation has one, which takes the place of a score when the scorer raises; a score that is no number stops it.
_SUBSTITUTE = "error_score"
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
            checks.labels(y_true, options.get("pos_label"), both=False)
        except InputError as error:
            if not _is_swallowed():
                raise
            return Refusal(error)
        return self.function(y_true, *args, **options)

    def __reduce__(self) -> tuple[type[Self], tuple[Callable[..., float]]]:
        """Pickle the function by its name."""
        return type(self), (self.function,)


class Refusal:
    """An error in place of a score: raised as soon as anybody takes it for a number."""

    def __init__(self, error: InputError) -> None:
        self.error = error

    def __repr__(self) -> str:
        """Say what was wrong: scikit-learn quotes a score that is no number."""
        return str(self.error)

    def __mul__(self, sign: int) -> Self:
        """Stay what it is: a loss has its sign changed."""
        return self

    __rmul__ = __mul__

    @property
    def item(self) -> NoReturn:
        """Raise: arrays of one number are asked for it."""
        raise self.error

    def __float__(self) -> NoReturn:
        raise self.error

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise self.error


def _is_swallowed() -> bool:
    """Tell whether scikit-learn would set a score of its own in place of an exception. No public function tells."""
    frame = inspect.currentframe()
    for _ in range(_NEAR):
        if frame is None:
            break
        if str(frame.f_globals.get("__name__")).startswith("sklearn.") and _SUBSTITUTE in frame.f_locals:
            return True
        frame = frame.f_back
    return False

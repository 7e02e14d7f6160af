"""Labels of two classes, and which of them is positive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.errors import InputError
from isocost.numbers import counted
from isocost.validate.arrays import Bools, aligned, located, missing, refuse_missing, same_length, vector
from isocost.validate.numbers import shown

# Pairs whose positive member is obvious: the usual codings of a detected class.
_OBVIOUS: tuple[tuple[Any, Any], ...] = ((0, 1), (-1, 1), (False, True))


def labels(values: ArrayLike, pos_label: Any = None, name: str = "y_true", *, both: bool = True) -> Bools:
    """Return True where the label is positive; unless `both`, one class is enough, as in a batch."""
    array = vector(values, name)
    refuse_missing(array, name, "drop those rows first", "labels")
    if array.dtype == np.bool_ and pos_label is None:
        positive = array
        classes: list[Any] = [False, True]
    else:
        classes = _classes(array, name)
        known = both or pos_label is None or len(classes) > 1
        if not known and np.ndim(pos_label):
            raise InputError(f"pos_label must be one label, got {shown(pos_label)}")
        positive = array == (positive_class(classes, pos_label, name, among=array) if known else pos_label)
    if not both:
        return np.asarray(positive, dtype=np.bool_)
    total = int(np.count_nonzero(positive))
    if total in (0, positive.size):
        found = "positive" if total else "negative"
        raise InputError(
            f"{name} holds only one class ({found}; classes found: {listed(classes if len(classes) == 1 else np.unique(array).tolist())}): "
            "at least one positive and one negative are needed"
        )
    return np.asarray(positive, dtype=np.bool_)


def known_labels(values: ArrayLike, pos_label: Any = None, name: str = "y_true") -> tuple[Bools, Bools]:
    """Return True where the label is positive, and True where it is known: None, NaN and null are unknown, and may be all of them."""
    array = vector(values, name)
    known = ~missing(array)
    positive = np.zeros(array.size, dtype=np.bool_)
    if known.any():
        told = array[known]
        positive[known] = told == positive_class(_classes(told, name), pos_label, name, among=told)
    return positive, known


def flags(values: ArrayLike, name: str) -> Bools:
    """Return True where a rule flags a case; only True and False, or 1 and 0, say so."""
    array = vector(values, name)
    refuse_missing(array, name, "say of every case whether it is flagged", "flags")
    try:
        wrong = ~np.isin(array, (0, 1)) if array.dtype.kind in "biufO" else np.ones(array.size, dtype=np.bool_)
    except TypeError:
        wrong = np.ones(array.size, dtype=np.bool_)
    if wrong.any():
        value = array[int(np.argmax(wrong))]
        raise InputError(
            f"{name} must say of each case whether it is flagged: pass scores >= threshold; got {shown(value)}: {located(wrong)}"
        )
    return array.astype(np.bool_)


def predictions(y_true: ArrayLike, y_pred: ArrayLike, pos_label: Any = None) -> tuple[Bools, Bools]:
    """Return where the label is positive and where the prediction is; both in one coding, predictions of any class."""
    aligned(y_true=y_true, y_pred=y_pred)
    true, said = vector(y_true, "y_true"), vector(y_pred, "y_pred")
    same_length(y_true=true, y_pred=said)
    positive = labels(true, pos_label)
    refuse_missing(said, "y_pred", "drop those rows first", "labels")
    flagged = said == true[int(np.argmax(positive))]
    strange = ~flagged & (said != true[int(np.argmin(positive))])
    if np.any(strange):
        value = said[int(np.argmax(strange))]
        raise InputError(
            f"y_pred holds {value!r}, which is no label of y_true: {located(np.asarray(strange, dtype=np.bool_))}; "
            "for scores use from_scores"
        )
    return positive, np.asarray(flagged, dtype=np.bool_)


def refuse_labels(values: ArrayLike, targets: ArrayLike, caller: str) -> None:
    """Refuse predictions that are labels, in the coding of the targets or in a usual one."""
    told = set(vector(values, "predictions").tolist())
    if any(told <= set(known) for known in (vector(targets, "targets").tolist(), *_OBVIOUS)):
        raise InputError(
            f"{caller} needs scores, and the predictions are labels already: let the model return probabilities "
            "(predict_proba), or name the column of scores as predictions="
        )


def _classes(array: NDArray[Any], name: str) -> list[Any]:
    if array.dtype.kind in "biuf":
        low, high = array.min().item(), array.max().item()
        # Two values are found without sorting, neighbouring whole numbers without looking again.
        near = low == high or (array.dtype.kind != "f" and high - low == 1)
        if near or np.count_nonzero(array == low) + np.count_nonzero(array == high) == array.size:
            return [low] if low == high else [low, high]
    try:
        found: list[Any] = np.unique(array).tolist()
    except TypeError:
        try:
            found = sorted(set(array.tolist()), key=repr)
        except TypeError as error:
            raise InputError(
                f"{name} must hold plain labels such as 0 and 1, got {shown(array[0])}: {error}"
            ) from error
    if len(found) > 2:
        raise InputError(
            f"{name} holds {len(found)} classes ({listed(found)}): isocost needs two; "
            "compare one class with the rest by passing y_true == that class"
        )
    return found


def same(value: Any, other: Any) -> bool:
    """Return whether two labels are equal; those that refuse to be compared are not."""
    try:
        return bool(value == other)
    except (TypeError, ValueError, ArithmeticError):
        return False


def positive_class(
    classes: Sequence[Any], pos_label: Any = None, name: str = "y_true", *, among: NDArray[Any] | None = None
) -> Any:
    """Return which of at most two classes is the positive one; `among` are the labels themselves, to count them in a message."""
    if pos_label is not None:
        if np.ndim(pos_label) or not any(same(pos_label, c) for c in classes):
            raise InputError(f"pos_label {shown(pos_label)} is not among the classes of {name}: {listed(classes)}")
        return pos_label
    if any(all(c in pair for c in classes) for pair in _OBVIOUS) and not any(isinstance(c, str) for c in classes):
        return 1
    cases = None if among is None else [int(np.count_nonzero(among == c)) for c in classes]
    raise InputError(which_positive(name, classes, cases))


def which_positive(name: str, classes: Sequence[Any], cases: Sequence[int] | None = None) -> str:
    """Return the question which class to detect: all are named, with their cases if known, and none is suggested."""
    held = [shown(c) for c in classes]
    if cases is not None:
        held = [f"{text} ({n:,} case{'' if n == 1 else 's'})" for text, n in zip(held, cases, strict=True)]
    ways = " or ".join(f"pos_label={shown(c)}" for c in classes)
    return f"which class is positive? {name} holds {' and '.join(held)}; say which to detect: {ways}"


def listed(classes: Iterable[Any]) -> str:
    """Return the first ten values as text, and how many more there are."""
    texts = [shown(c) for c in classes]
    return ", ".join(texts[:10]) + (f", … {len(texts) - 10} more" if len(texts) > 10 else "")


def two_of_each(positive: Bools, what: str) -> None:
    """Raise unless there are at least two positives and two negatives, without which nothing can vary."""
    positives = int(np.count_nonzero(positive))
    for label, many in (("positive", positives), ("negative", positive.size - positives)):
        if many < 2:
            raise InputError(
                f"{what} needs at least 2 positives and 2 negatives, got {counted(many, label)} among {positive.size} cases"
            )

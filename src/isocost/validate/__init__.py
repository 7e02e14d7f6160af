"""User input to exact arrays: the only place that checks input.

Every function either returns clean values or raises an `IsocostError` that names the argument,
the offending value, how many there are, where the first is, and what to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.errors import ConditionError, InputError, IsocostError, UnknownNameError
from isocost.validate.arrays import as_array

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Pairs whose positive member is obvious: the usual codings of a detected class.
_OBVIOUS: tuple[tuple[Any, Any], ...] = ((0, 1), (-1, 1), (False, True))


def vector(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return `values` as a non-empty one-dimensional array, whatever its element type."""
    try:
        array = as_array(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(f"{name} could not be read as an array: {error}") from error
    if isinstance(values, np.ndarray) and type(values) is not np.ndarray and np.any(getattr(values, "mask", False)):
        hidden = np.broadcast_to(np.asarray(values.mask), array.shape).ravel()  # type: ignore[attr-defined]
        raise InputError(f"{name} is a masked array with missing values: {_first(hidden)}; drop those rows first")
    if array.ndim != 1:
        raise InputError(
            f"{name} must be one-dimensional, got shape {array.shape}; for predict_proba output pass one column, p[:, 1]"
        )
    if array.size == 0:
        raise InputError(f"{name} is empty (shape {array.shape}): at least one positive and one negative are needed")
    return array


def same_length(**arrays: NDArray[Any] | None) -> None:
    """Raise unless all given arrays have one length."""
    shapes = {name: a.shape for name, a in arrays.items() if a is not None}
    if len(set(shapes.values())) > 1:
        raise InputError(
            "different lengths: " + ", ".join(f"{name} has shape {shape}" for name, shape in shapes.items())
        )


def _first(bad: Bools) -> str:
    count = int(np.count_nonzero(bad))
    return f"{count} of {bad.size} values, the first at row {int(np.argmax(bad))}"


def _missing(array: NDArray[Any]) -> Bools | None:
    if array.dtype.kind == "f":  # the least of some numbers is NaN if any is: to find none, no array is made
        return np.isnan(array) if array.size and np.isnan(array.min()) else None
    if array.dtype.kind == "O":
        # NaN, NaT and pandas.NA are all unequal to themselves or refuse to say.
        missing = np.fromiter((_is_missing(v) for v in array), dtype=np.bool_, count=array.size)
        return missing if missing.any() else None
    return None  # numbers and booleans of these types always say something


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return not bool(value == value)  # noqa: PLR0124 - NaN is the value that differs from itself
    except (TypeError, ValueError):
        return True


def _refuse_missing(array: NDArray[Any], name: str, hint: str, what: str = "values") -> None:
    missing = _missing(array)
    if missing is not None:
        raise InputError(f"{name} has missing {what} (NaN or null): {_first(missing)}; {hint}")


def scores(values: ArrayLike, name: str = "y_score") -> NDArray[Any]:
    """Return scores as a float32 or float64 vector; ±inf is legal, NaN is not."""
    array = vector(values, name)
    _refuse_missing(array, name, "drop or score those rows first")
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize in (4, 8):
        # Bit patterns are looked at later, which must be in the order of this machine.
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if kind == "c" or kind not in "biufO":
        raise InputError(f"{name} must hold numbers, got dtype {array.dtype} (first value {array[0]!r})")
    numbers = _as_floats(array, name)
    if kind in "iu" and array.dtype.itemsize == 8:
        changed = (numbers >= 2.0**63) if kind == "i" else (numbers >= 2.0**64)
        inside = ~changed
        changed[inside] = numbers[inside].astype(array.dtype) != array[inside]
        if changed.any():
            raise InputError(
                f"{name} has integers that do not fit float64 exactly: {_first(changed)} "
                f"(value {array[int(np.argmax(changed))]}); rank or rescale the scores first"
            )
    return numbers


def _as_floats(array: NDArray[Any], name: str) -> Floats:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers, got {array[0]!r} (dtype {array.dtype}): {error}") from error


def labels(values: ArrayLike, pos_label: Any = None, name: str = "y_true", *, both: bool = True) -> Bools:
    """Return True where the label is positive; unless `both`, one class is enough, as in a batch."""
    array = vector(values, name)
    _refuse_missing(array, name, "drop those rows first", "labels")
    if array.dtype == np.bool_ and pos_label is None:
        positive = array
        classes: list[Any] = [False, True]
    else:
        classes = _classes(array, name)
        known = both or pos_label is None or len(classes) > 1
        positive = array == (positive_class(classes, pos_label, name) if known else pos_label)
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


def predictions(y_true: ArrayLike, y_pred: ArrayLike, pos_label: Any = None) -> tuple[Bools, Bools]:
    """Return where the label is positive and where the prediction is; both in one coding, predictions of any class."""
    true, said = vector(y_true, "y_true"), vector(y_pred, "y_pred")
    same_length(y_true=true, y_pred=said)
    positive = labels(true, pos_label)
    _refuse_missing(said, "y_pred", "drop those rows first", "labels")
    flagged = said == true[int(np.argmax(positive))]
    strange = ~flagged & (said != true[int(np.argmin(positive))])
    if np.any(strange):
        value = said[int(np.argmax(strange))]
        raise InputError(
            f"y_pred holds {value!r}, which is no label of y_true: {_first(np.asarray(strange, dtype=np.bool_))}; "
            "for scores use from_scores"
        )
    return positive, np.asarray(flagged, dtype=np.bool_)


def probabilities(values: Floats, what: str) -> Floats:
    """Return the scores of a method that reads them as probabilities of the positive class."""
    bad = ~((values >= 0) & (values <= 1))
    if bad.any():
        raise InputError(
            f"{what} needs probabilities: scores between 0 and 1, got scores from {values.min():g} to {values.max():g} "
            f"({int(np.count_nonzero(bad))} of {values.size} distinct ones outside, the first {values[int(np.argmax(bad))]:g}); "
            "map them first, for instance with curve.calibrator()"
        )
    return values


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
        found = sorted(set(array.tolist()), key=repr)
    if len(found) > 2:
        raise InputError(
            f"{name} holds {len(found)} classes ({listed(found)}): isocost needs two; "
            "compare one class with the rest by passing y_true == that class"
        )
    return found


def positive_class(
    classes: Sequence[Any], pos_label: Any = None, name: str = "y_true", *, option: str = "pos_label"
) -> Any:
    """Return which of at most two classes is the positive one; `option` is what the caller's users write."""
    if pos_label is not None:
        if pos_label not in classes:
            raise InputError(f"{option} {pos_label!r} is not among the classes of {name}: {listed(classes)}")
        return pos_label
    if any(all(c in pair for c in classes) for pair in _OBVIOUS) and not any(isinstance(c, str) for c in classes):
        return 1
    example = classes[-1] if option.startswith("-") else repr(classes[-1])
    raise InputError(f"which class is positive? {name} holds {listed(classes)}; say so with {option}={example}")


def listed(classes: Iterable[Any]) -> str:
    """Return the first ten values as text, and how many more there are."""
    texts = [repr(c) for c in classes]
    return ", ".join(texts[:10]) + (f", … {len(texts) - 10} more" if len(texts) > 10 else "")


def weights(
    values: ArrayLike | None, positive: Bools, name: str = "sample_weight", *, both: bool = True
) -> Floats | None:
    """Return finite, non-negative weights that leave mass in both classes (in a batch, they need not)."""
    if values is None:
        return None
    array = vector(values, name)
    if array.dtype.kind not in "biufO":
        raise InputError(f"{name} must hold numbers, got dtype {array.dtype}")
    numbers = _as_floats(array, name)
    bad = ~np.isfinite(numbers) | (numbers < 0)
    if bad.any():
        raise InputError(f"{name} must be finite and not negative, got {numbers[int(np.argmax(bad))]}: {_first(bad)}")
    same_length(**{name: numbers, "y_true": positive})
    for label, mask in (("positive", positive), ("negative", ~positive)):
        if both and not numbers[mask].sum() > 0:
            raise InputError(f"{name} of the {label} class sums to 0: nothing is left of that class")
    return numbers


def number(
    value: Any, name: str, *, low: float = -math.inf, high: float = math.inf, error: type[IsocostError] = InputError
) -> float:
    """Return `value` as a float inside [low, high]."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise error(f"{name} must be a number, got {value!r}") from None
    if math.isnan(result) or not low <= result <= high:
        raise error(f"{name} must be {_range_text(low, high)}, got {value!r}")
    return result


def positive(value: Any, name: str, *, error: type[IsocostError] = InputError) -> float:
    """Return `value` as a float above 0 and below infinity."""
    result = number(value, name, error=error)
    if not 0 < result < math.inf:
        raise error(f"{name} must be positive and finite, got {value!r}")
    return result


def inner_rate(value: Any, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    return strictly_between(value, name, 0, 1)


def pair(value: Any, name: str, what: str = "a pair", error: type[IsocostError] = InputError) -> tuple[Any, Any]:
    """Return the two members of a pair, not yet checked themselves."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise error(f"{name} must be {what}, got {value!r}") from None
    return first, second


def _range_text(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return "a number"
    if math.isinf(high):
        return f"at least {low:g}"
    return f"between {low:g} and {high:g}"


def interval(
    value: Any, name: str, *, low: float = 0.0, high: float = 1.0, error: type[IsocostError] = ConditionError
) -> tuple[float, float]:
    """Return a (low, high) pair of numbers in order."""
    first, second = pair(value, name, "a pair (low, high)", error)
    a = number(first, f"{name} low", low=low, high=high, error=error)
    b = number(second, f"{name} high", low=low, high=high, error=error)
    if a > b:
        raise error(f"{name} has low > high: ({a:g}, {b:g}); swap them")
    return a, b


def rates(values: ArrayLike, name: str) -> Floats:
    """Return numbers in [0, 1] as float64, of any shape."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers between 0 and 1: {error}") from error
    bad = np.atleast_1d(~((array >= 0) & (array <= 1)))
    if bad.any():
        raise InputError(
            f"{name} must lie between 0 and 1, got {np.atleast_1d(array)[bad].flat[0]}: {_first(bad.ravel())}"
        )
    return array


def point(value: Any, name: str) -> tuple[float, float]:
    """Return a pair (fpr, tpr) of rates."""
    fpr, tpr = pair(value, name, "a RocCurve or a point (fpr, tpr)")
    return number(fpr, f"fpr of {name}", low=0.0, high=1.0), number(tpr, f"tpr of {name}", low=0.0, high=1.0)


def count(value: Any, name: str) -> float:
    """Return a finite, non-negative count of cases."""
    result = number(value, name, low=0.0)
    if math.isinf(result):
        raise InputError(f"{name} must be finite, got {value!r}")
    return result


def choice(value: str, name: str, known: Sequence[str]) -> str:
    """Return `value` if it is one of the known words, else offer the nearest ones."""
    if value not in known:
        raise UnknownNameError(name, value, known)
    return value


def skew_ratios(values: ArrayLike, name: str = "skew_ratio") -> Floats:
    """Return positive, finite skew ratios as float64, of any shape."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ConditionError(f"{name} must hold positive numbers: {error}") from error
    bad = np.atleast_1d(~((array > 0) & np.isfinite(array)))
    if bad.any():
        raise ConditionError(
            f"{name} must be positive and finite, got {np.atleast_1d(array)[bad].flat[0]}: {_first(bad.ravel())}; "
            "it is t/(1-t), for class balance alone negatives/positives"
        )
    return array


def same_shape(**arrays: NDArray[Any]) -> None:
    """Raise unless the given arrays can be combined element by element."""
    try:
        np.broadcast_shapes(*(a.shape for a in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} has shape {a.shape}" for name, a in arrays.items())
        raise InputError(f"the arrays do not fit together: {shapes}; pass numbers or arrays of one shape") from None


def strictly_between(value: Any, name: str, low: float, high: float) -> float:
    """Return `value` as a float inside the open interval (low, high)."""
    result = number(value, name)
    if not low < result < high:
        raise InputError(f"{name} must lie strictly between {low:g} and {high:g}, got {value!r}")
    return result


def confusion(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[float, float, float, float]:
    """Return the four counts of a confusion matrix that holds both classes."""
    cells = {n: count(v, n) for n, v in (("tp", tp), ("fn", fn), ("fp", fp), ("tn", tn))}
    for label, total in (("positive", cells["tp"] + cells["fn"]), ("negative", cells["fp"] + cells["tn"])):
        if total == 0:
            raise InputError(f"the confusion matrix has no {label} case: {cells}")
    return cells["tp"], cells["fn"], cells["fp"], cells["tn"]


def numbers(values: Any, name: str) -> Floats:
    """Return one or more finite numbers as a one-dimensional float64 array."""
    try:
        array = np.atleast_1d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers: {error}") from error
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} must be a number or a non-empty list of numbers, got shape {array.shape}")
    bad = ~np.isfinite(array)
    if bad.any():
        raise InputError(f"{name} must be finite, got {array[bad][0]}: {_first(bad)}")
    return array


def present(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Return `values` unless some are missing (NaN or null)."""
    _refuse_missing(values, name, "drop or fill those rows first")
    return values


def columns(names: Sequence[str], present: Sequence[str]) -> None:
    """Raise unless every named column is there."""
    for name in names:
        if name not in present:
            raise UnknownNameError("column", name, present)


def groups(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return fold or group marks as a vector without missing values."""
    array = vector(values, name)
    _refuse_missing(array, name, f"give every row a {name}")
    return array


def names(values: Iterable[Any], kind: str) -> tuple[str, ...]:
    """Return non-empty names, each of them once."""
    found = tuple(values)
    for value in found:
        if not isinstance(value, str) or not value:
            raise InputError(f"a {kind} needs a name, a non-empty string: got {value!r}")
    twice = [value for value in dict.fromkeys(found) if found.count(value) > 1]
    if twice:
        raise InputError(
            f"two {kind}s are called {twice[0]!r} ({found.count(twice[0])} of {len(found)}, the first at place "
            f"{found.index(twice[0])}): give each its own name"
        )
    return found


def level(value: Any) -> float:
    """Return a confidence level strictly between 0 and 1."""
    result = number(value, "level")
    if not 0 < result < 1:
        raise InputError(f"level must lie strictly between 0 and 1, got {value!r}; 0.9 means 90 %")
    return result


def whole(value: Any, name: str, *, low: int) -> int:
    """Return a whole number of at least `low`."""
    result = number(value, name, low=low)
    if not result.is_integer():
        raise InputError(f"{name} must be a whole number, got {value!r}")
    return int(result)


def pcf_grid(value: Any) -> Floats:
    """Return where curves are evaluated: so many equal steps over [0, 1], or the given ascending values of pcf."""
    if np.ndim(value) == 0:
        return np.linspace(0.0, 1.0, whole(value, "grid", low=2))
    grid = rates(vector(value, "grid"), "grid")
    if np.any(np.diff(grid) <= 0):
        raise InputError(
            f"grid must be ascending values of pcf, each once; got {grid[int(np.argmax(np.diff(grid) <= 0)) + 1]:g} too late"
        )
    return grid


def two_of_each(positive: Bools, what: str) -> None:
    """Raise unless there are at least two positives and two negatives, without which nothing can vary."""
    positives = int(np.count_nonzero(positive))
    for label, many in (("positives", positives), ("negatives", positive.size - positives)):
        if many < 2:
            raise InputError(
                f"{what} needs at least 2 positives and 2 negatives, got {many} {label} among {positive.size} cases"
            )


def entropy(rng: Any) -> tuple[int, ...]:
    """Return what seeds every replicate: from a whole number, a Generator (which moves on), or 0 if nothing is given."""
    if rng is None:
        return (0,)
    if isinstance(rng, np.random.Generator):
        return tuple(int(v) for v in rng.integers(0, 2**32, size=4, dtype=np.uint32))
    return (whole(rng, "rng", low=0),)

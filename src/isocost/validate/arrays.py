"""Arrays a user passes: one-dimensional, without gaps, of numbers where numbers are needed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.errors import ConditionError, InputError
from isocost.validate.numbers import whole

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def as_array(values: Any) -> NDArray[Any]:
    """Return an array; a tensor is taken off its graph and device first."""
    if isinstance(values, np.ndarray):
        return np.asarray(values)
    for step in ("detach", "cpu"):
        values = getattr(values, step, lambda values=values: values)()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.asarray(np.from_dlpack(values))
    return np.asarray(values)


def vector(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return `values` as a non-empty one-dimensional array, whatever its element type."""
    try:
        array = as_array(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(f"{name} could not be read as an array: {error}") from error
    if isinstance(values, np.ndarray) and type(values) is not np.ndarray and np.any(getattr(values, "mask", False)):
        hidden = np.broadcast_to(np.asarray(values.mask), array.shape).ravel()  # type: ignore[attr-defined]
        raise InputError(f"{name} is a masked array with missing values: {located(hidden)}; drop those rows first")
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


def located(bad: Bools) -> str:
    """Return how many values are bad and where the first is."""
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


def refuse_missing(array: NDArray[Any], name: str, hint: str, what: str = "values") -> None:
    """Raise if some values are missing (NaN or null)."""
    missing = _missing(array)
    if missing is not None:
        raise InputError(f"{name} has missing {what} (NaN or null): {located(missing)}; {hint}")


def scores(values: ArrayLike, name: str = "y_score") -> NDArray[Any]:
    """Return scores as a float32 or float64 vector; ±inf is legal, NaN is not."""
    array = vector(values, name)
    refuse_missing(array, name, "drop or score those rows first")
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
                f"{name} has integers that do not fit float64 exactly: {located(changed)} "
                f"(value {array[int(np.argmax(changed))]}); rank or rescale the scores first"
            )
    return numbers


def _as_floats(array: NDArray[Any], name: str) -> Floats:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers, got {array[0]!r} (dtype {array.dtype}): {error}") from error


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
        raise InputError(f"{name} must be finite and not negative, got {numbers[int(np.argmax(bad))]}: {located(bad)}")
    same_length(**{name: numbers, "y_true": positive})
    for label, mask in (("positive", positive), ("negative", ~positive)):
        if both and not numbers[mask].sum() > 0:
            raise InputError(f"{name} of the {label} class sums to 0: nothing is left of that class")
    return numbers


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


def rates(values: ArrayLike, name: str) -> Floats:
    """Return numbers in [0, 1] as float64, of any shape."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers between 0 and 1: {error}") from error
    bad = np.atleast_1d(~((array >= 0) & (array <= 1)))
    if bad.any():
        raise InputError(
            f"{name} must lie between 0 and 1, got {np.atleast_1d(array)[bad].flat[0]}: {located(bad.ravel())}"
        )
    return array


def skew_ratios(values: ArrayLike, name: str = "skew_ratio") -> Floats:
    """Return positive, finite skew ratios as float64, of any shape."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ConditionError(f"{name} must hold positive numbers: {error}") from error
    bad = np.atleast_1d(~((array > 0) & np.isfinite(array)))
    if bad.any():
        raise ConditionError(
            f"{name} must be positive and finite, got {np.atleast_1d(array)[bad].flat[0]}: {located(bad.ravel())}; "
            "it is t/(1-t), for class balance alone negatives/positives"
        )
    return array


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
        raise InputError(f"{name} must be finite, got {array[bad][0]}: {located(bad)}")
    return array


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


def same_shape(**arrays: NDArray[Any]) -> None:
    """Raise unless the given arrays can be combined element by element."""
    try:
        np.broadcast_shapes(*(a.shape for a in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} has shape {a.shape}" for name, a in arrays.items())
        raise InputError(f"the arrays do not fit together: {shapes}; pass numbers or arrays of one shape") from None


def present(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Return `values` unless some are missing (NaN or null)."""
    refuse_missing(values, name, "drop or fill those rows first")
    return values


def groups(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return fold or group marks as a vector without missing values."""
    array = vector(values, name)
    refuse_missing(array, name, f"give every row a {name}")
    return array

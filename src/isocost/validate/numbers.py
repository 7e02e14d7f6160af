"""Single numbers: rates, costs, counts, levels, seeds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from isocost.errors import ConditionError, InputError, IsocostError


def shown(value: Any) -> str:
    """Return a value as text of bounded length: whole numbers may have more digits than Python prints."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"a whole number of {value.bit_length()} bits"
    text = str(value) if isinstance(value, np.generic) else repr(value)
    return text if len(text) <= 200 else f"{text[:197]}…"


def number(
    value: Any, name: str, *, low: float = -math.inf, high: float = math.inf, error: type[IsocostError] = InputError
) -> float:
    """Return `value` as a float inside [low, high]."""
    try:
        result = float(value)
    except OverflowError:
        raise error(f"{name} must be {_range_text(low, high)}, got a number too large for float64") from None
    except Exception:  # foreign objects fail in any way they can
        raise error(f"{name} must be a number, got {shown(value)}") from None
    if math.isnan(result) or not low <= result <= high:
        hint = f"; for {result:g} % write {result / 100:g}" if (low, high) == (0, 1) and 1 < result <= 100 else ""
        raise error(f"{name} must be {_range_text(low, high)}, got {shown(value)}{hint}")
    return result


def positive(value: Any, name: str, *, error: type[IsocostError] = InputError) -> float:
    """Return `value` as a float above 0 and below infinity."""
    result = number(value, name, error=error)
    if not 0 < result < math.inf:
        raise error(f"{name} must be positive and finite, got {shown(value)}")
    return result


def inner_rate(value: Any, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    return strictly_between(value, name, 0, 1)


def pair(value: Any, name: str, what: str = "a pair", error: type[IsocostError] = InputError) -> tuple[Any, Any]:
    """Return the two members of a pair, not yet checked themselves."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise error(f"{name} must be {what}, got {shown(value)}") from None
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


def point(value: Any, name: str) -> tuple[float, float]:
    """Return a pair (fpr, tpr) of rates."""
    fpr, tpr = pair(value, name, "a RocCurve or a point (fpr, tpr)")
    return number(fpr, f"fpr of {name}", low=0.0, high=1.0), number(tpr, f"tpr of {name}", low=0.0, high=1.0)


def count(value: Any, name: str) -> float:
    """Return a finite, non-negative count of cases."""
    result = number(value, name, low=0.0)
    if result > _MOST:
        raise InputError(f"{name} must be finite, at most {_MOST:g}, got {shown(value)}")
    return result


# Products of two counts of this size, and of their sums, are still numbers.
_MOST = 1e150


def strictly_between(value: Any, name: str, low: float, high: float) -> float:
    """Return `value` as a float inside the open interval (low, high)."""
    result = number(value, name)
    if not low < result < high:
        raise InputError(f"{name} must lie strictly between {low:g} and {high:g}, got {shown(value)}")
    return result


def confusion(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[float, float, float, float]:
    """Return the four counts of a confusion matrix that holds both classes."""
    cells = {n: count(v, n) for n, v in (("tp", tp), ("fn", fn), ("fp", fp), ("tn", tn))}
    for label, total in (("positive", cells["tp"] + cells["fn"]), ("negative", cells["fp"] + cells["tn"])):
        if total == 0:
            raise InputError(f"the confusion matrix has no {label} case: {cells}")
    return cells["tp"], cells["fn"], cells["fp"], cells["tn"]


def level(value: Any) -> float:
    """Return a confidence level strictly between 0 and 1."""
    result = number(value, "level")
    if not (0 < result < 1 and (1 + result) / 2 < 1):
        raise InputError(f"level must lie strictly between 0 and 1, got {shown(value)}; 0.9 means 90 %")
    return result


def flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def whole(value: Any, name: str, *, low: int, high: float = math.inf, error: type[IsocostError] = InputError) -> int:
    """Return a whole number of at least `low`, and of at most `high`."""
    result = number(value, name, low=low, high=high, error=error)
    if not result.is_integer():
        raise error(f"{name} must be a whole number, got {shown(value)}")
    # A whole number of many digits is not what it is as a float.
    return int(value) if isinstance(value, (int, np.integer)) else int(result)


def entropy(rng: Any) -> tuple[int, ...]:
    """Return what seeds every replicate: from a whole number, a Generator (which moves on), or 0 if nothing is given."""
    if rng is None:
        return (0,)
    if isinstance(rng, np.random.Generator):
        return tuple(int(v) for v in rng.integers(0, 2**32, size=4, dtype=np.uint32))
    return (whole(rng, "rng", low=0),)

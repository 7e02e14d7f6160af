"""What a user passes, checked: numbers, names, arrays, labels. The one place that says what is wrong with input."""

from __future__ import annotations

import math
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.errors import ConditionError, InputError, IsocostError, UnknownNameError
from isocost.numbers import ROUNDING, counted

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Error = type[IsocostError]
T = TypeVar("T")

# Products of two counts of this size, and of their sums, are still numbers.
_MOST_CASES = 1e150
# Beyond, formulas of rates and skew leave float64.
_MOST_SKEW = 1e100
# More equal steps than anybody wants to see, few enough to be held.
_MOST_STEPS = 2**20
# From here on not every whole number is a float64.
_WHOLE = 2.0**53
# More take days, or more memory than there is.
_MOST_RESAMPLES = 1_000_000
# log2 of weights whose products are still far from the ends of float64.
_EXTREME = 250
# Pairs whose positive member is obvious: the usual codings of a detected class.
_OBVIOUS: tuple[tuple[Any, Any], ...] = ((0, 1), (-1, 1))


def shown(value: Any) -> str:
    """Return a value as text of bounded length: whole numbers may have more digits than Python prints."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"a whole number of {value.bit_length()} bits"
    text = str(value) if isinstance(value, np.generic) else repr(value)
    return text if len(text) <= 200 else f"{text[:197]}…"


def number(
    value: Any, name: str, *, low: float = -math.inf, high: float = math.inf, error: Error = InputError
) -> float:
    """Return `value` as a float inside [low, high]."""
    fit = "a number" if math.isinf(low) else f"between {low:g} and {high:g}"
    if high >= sys.float_info.max and not math.isinf(low):
        fit = f"{'' if math.isinf(high) else 'finite and '}at least {low:g}"
        fit = "finite" if -low >= sys.float_info.max else fit
    try:
        result = float(value)
    except OverflowError:
        raise error(f"{name} must be {fit}, got a number too large for float64") from None
    except Exception:  # foreign objects fail in any way they can
        raise error(f"{name} must be a number, got {shown(value)}") from None
    if math.isnan(result) or not low <= result <= high:
        hint = f"; for {result:g} % write {result / 100:g}" if (low, high) == (0, 1) and 1 < result <= 100 else ""
        raise error(f"{name} must be {fit}, got {shown(value)}{hint}")
    return result


def positive(value: Any, name: str, *, error: Error = InputError) -> float:
    """Return `value` as a float above 0 and below infinity."""
    result = number(value, name, error=error)
    if not 0 < result < math.inf:
        raise error(f"{name} must be positive and finite, got {shown(value)}")
    return result


def between(value: Any, name: str, low: float, high: float, *, error: Error = InputError) -> float:
    """Return `value` as a float strictly between two others."""
    result = number(value, name, error=error)
    if not low < result < high:
        raise error(f"{name} must lie strictly between {low:g} and {high:g}, got {shown(value)}")
    return result


def inner_rate(value: Any, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    return between(value, name, 0.0, 1.0)


def level(value: Any, name: str = "level", *, low: float = 0.0, error: Error = InputError) -> float:
    """Return a confidence above 0, or of at least `low`, and so far below 1 that a quantile tells it from that."""
    result = number(value, name, error=error)
    if not (0 < result < 1 and result >= low and (1 + result) / 2 < 1):
        fit = f"be at least {low:g} and below 1" if low else "lie strictly between 0 and 1"
        raise error(f"{name} must {fit}, got {shown(value)}; 0.9 means 90 %")
    return result


def whole(value: Any, name: str, *, low: int, high: float = math.inf, error: Error = InputError) -> int:
    """Return a whole number of at least `low`, and of at most `high`."""
    result = number(value, name, low=low, high=high, error=error)
    if not result.is_integer():
        raise error(f"{name} must be a whole number, got {shown(value)}")
    # A whole number of many digits is not what it is as a float.
    return int(value) if isinstance(value, (int, np.integer)) else int(result)


def resamples(value: Any, *, low: int = 1, each: int = 1) -> int:
    """Return a number of resamples that ends; `each` of them redoes so many pieces of work."""
    return whole(value, "n_resamples", low=low, high=max(_MOST_RESAMPLES // each, low))


def count(value: Any, name: str) -> float:
    """Return a finite, non-negative count of cases."""
    result = number(value, name, low=0.0)
    if result > _MOST_CASES:
        raise InputError(f"{name} must be finite, at most {_MOST_CASES:g}, got {shown(value)}")
    return result


def pair(value: Any, name: str, what: str = "a pair", error: Error = InputError) -> tuple[Any, Any]:
    """Return the two members of a pair, not yet checked themselves."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise error(f"{name} must be {what}, got {shown(value)}") from None
    return first, second


def interval(
    value: Any, name: str, *, low: float = 0.0, high: float = 1.0, wide: bool = False, error: Error = ConditionError
) -> tuple[float, float]:
    """Return a (low, high) pair of numbers in order, of different ones if it must be `wide`."""
    ends = zip(("low", "high"), pair(value, name, "a pair (low, high)", error), strict=True)
    a, b = (number(end, f"{name} {which}", low=low, high=high, error=error) for which, end in ends)
    if a > b:
        raise error(f"{name} has low > high: ({a:g}, {b:g}); swap them")
    if wide and a == b:
        raise error(f"{name} must be a range with low < high, got ({a:g}, {b:g})")
    return a, b


def single(low: float, high: float, name: str, advice: str, *, error: Error = ConditionError) -> float:
    """Return the one number that a range without width holds."""
    if low != high:
        raise error(f"{name} must be one number here, got {low:g} to {high:g}: {advice}")
    return low


def point(value: Any, name: str) -> tuple[float, float]:
    """Return a pair (fpr, tpr) of rates."""
    fpr, tpr = pair(value, name, "a RocCurve or a point (fpr, tpr)")
    return number(fpr, f"fpr of {name}", low=0.0, high=1.0), number(tpr, f"tpr of {name}", low=0.0, high=1.0)


def confusion(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[float, float, float, float]:
    """Return the four counts of a confusion matrix that holds both classes."""
    cells = {n: count(v, n) for n, v in (("tp", tp), ("fn", fn), ("fp", fp), ("tn", tn))}
    both_classes(cells["tp"] + cells["fn"], cells["fp"] + cells["tn"], "the confusion matrix", f"{cells}")
    return cells["tp"], cells["fn"], cells["fp"], cells["tn"]


def entropy(rng: Any) -> tuple[int, ...]:
    """Return what seeds every replicate: from a whole number, a Generator (which moves on), or 0 if nothing is given."""
    if isinstance(rng, np.random.Generator):
        return tuple(int(v) for v in rng.integers(0, 2**32, size=4, dtype=np.uint32))
    return (0 if rng is None else whole(rng, "rng", low=0),)


def flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def choice(value: Any, name: str, known: Iterable[str]) -> str:
    """Return `value` if it is one of the known words, else offer the nearest ones."""
    if not isinstance(value, str) or value not in known:
        raise UnknownNameError(name, value, known)
    return value


def instance(value: Any, name: str, kind: type | UnionType, what: str) -> Any:
    """Return `value` if it is of this type, which `what` names."""
    if not isinstance(value, kind):
        raise InputError(f"{name} must be {what}, got {type(value).__name__}")
    return value


def some(values: T, name: str, advice: str) -> T:
    """Return something that holds at least one value."""
    if not len(values):  # type: ignore[arg-type]
        raise InputError(f"{name} is empty: {advice}")
    return values


def needed(value: T | None, otherwise: str, *, error: Error = InputError) -> T:
    """Return what must be given, or known; `otherwise` says what to do if it is None."""
    if value is None:
        raise error(otherwise)
    return value


def left_out(why: str, **options: Any) -> None:
    """Raise if one of these options is given (not None) where it means nothing; `why` follows its name."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"{name}= {why}")


def at_most_one(advice: str = "give one of them", *, error: Error = InputError, **options: Any) -> None:
    """Raise if several of these options are given (not None)."""
    given = [f"{name}=" for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise error(f"{' and '.join(given)} together: {advice}")


def together(advice: str = "give all of them or none", *, error: Error = InputError, **options: Any) -> bool:
    """Tell whether these options are given (not None); raise if only some of them are."""
    absent = [name for name, value in options.items() if value is None]
    if absent and len(absent) < len(options):
        got = ", ".join(f"{name}={shown(value)}" for name, value in options.items())
        raise error(f"{' and '.join(options)} go together: {advice}, got {got}")
    return not absent


def one_each(values: T, name: str, size: int, what: str) -> T:
    """Return values of which there must be one for each of so many things."""
    if len(values) != size:  # type: ignore[arg-type]
        raise InputError(f"{name} must be one for each of {size} {what}, got {len(values)}")  # type: ignore[arg-type]
    return values


def sequence(values: Any, name: str, what: str = "a list") -> list[Any]:
    """Return the members of a list, which `what` describes; a text is none."""
    try:
        found = None if isinstance(values, str | bytes) else list(values)
    except TypeError:
        found = None
    if found is None:
        raise InputError(f"{name} must be {what}, got {shown(values)}")
    return found


def distinct(values: Iterable[T], name: str, *, low: int = 0) -> list[T]:
    """Return different values, at least `low` of them."""
    found = sequence(values, name)
    again = next((value for place, value in enumerate(found) if any(same(value, v) for v in found[:place])), None)
    if again is not None or len(found) < low:
        raise InputError(f"{name} must be {f'{low} or more ' if low else ''}different values, got {listed(found)}")
    return found


def same_names(given: Iterable[Any], known: Iterable[Any], name: str, of: str) -> None:
    """Raise unless two lists hold the same names, in whatever order."""
    one, other = list(given), list(known)
    if len(one) != len(other) or not all(value in other for value in one):
        raise InputError(f"{name} must name those of {of}, {listed(other)}; got {listed(one)}")


def same_cases(totals: Mapping[str, Any], what: str) -> None:
    """Raise unless the class totals of several models are the same."""
    found = {name: np.asarray(total, dtype=np.float64).tolist() for name, total in totals.items()}
    first, *others = found.values()
    if not all(np.allclose(first, other, rtol=1000 * ROUNDING, atol=0) for other in others):
        raise InputError(f"{what} are not of the same cases, their class totals differ: {shown(found)}")


def some_of_each(totals: Mapping[Any, float], what: str) -> None:
    """Raise unless there are cases, or weight, of each class or group."""
    for name, total in totals.items():
        if not total > 0:
            raise InputError(f"{what} {name!r} has no case, or its weights sum to 0: leave it out")


def every(
    good: Bools, values: NDArray[Any], name: str, rule: str, hint: str = "", *, error: Error = InputError
) -> None:
    """Raise unless all values keep the `rule`: the first that does not is named, and how many there are."""
    bad = np.atleast_1d(~good).ravel()
    if bad.any():
        raise error(f"{name} must {rule}, got {shown(np.ravel(values)[bad][0])}: {located(bad)}{hint}")


def both_classes(positives: Any, negatives: Any, what: str, advice: str = "cases of both classes are needed") -> None:
    """Raise unless there are cases, or weight, of both classes."""
    for name, total in (("positive", positives), ("negative", negatives)):
        if not total > 0:
            raise InputError(f"{what} has no {name} case: {advice}")


def at_most(many: int, most: int, what: str, why: str) -> None:
    """Raise if there is more of something than can be worked with; `what` says how many there are."""
    if many > most:
        raise InputError(f"{what}, more than {most:,}: {why}")


def distribution(value: Any, name: str, needs: Iterable[str], example: str, *, error: Error = ConditionError) -> Any:
    """Return a frozen distribution of scipy.stats that has these methods; anything that has them will do."""
    if not all(hasattr(value, one) for one in needs):
        raise error(f"{name} must be a frozen scipy.stats distribution such as {example}, got {shown(value)}")
    return value


def suffix(path: Path, known: Sequence[str], what: str = "file") -> str:
    """Return how the name of a file ends, in small letters: one of the known ways."""
    found = path.suffix.lower()
    if found not in known:
        *others, last = known
        ends = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"cannot tell the format of {path.name!r} from {path.suffix!r}: a {what} ends with {ends}")
    return found


def text(value: Any, name: str) -> str:
    """Return text that can be written to a file."""
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {value!r:.80}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} holds half a character, which no file can hold: {value!r:.80}") from None
    return value


def path(value: Any, name: str = "path") -> Path:
    """Return the name of a file as a path."""
    named = isinstance(value, str | os.PathLike) and isinstance(os.fspath(value), str) and os.fspath(value)
    if not named or "\0" in str(value):
        why = ": a file name holds no null character" if named else ""
        raise InputError(f"{name} must be the name of a file, got {value!r}{why}")
    return Path(value)


def columns(names: Iterable[Any], present: Iterable[str], what: str = "column") -> None:
    """Raise unless every named column is there."""
    known = list(present)
    for name in names:
        choice(name, what, known)


def names(values: Iterable[Any], kind: str, *, reserved: Iterable[str] = ()) -> tuple[str, ...]:
    """Return non-empty names, each of them once and none of those that mean something else; a text is one name."""
    found = (values,) if isinstance(values, str) and values else tuple(sequence(values, f"{kind}s", "listed by name"))
    for value in found:
        if not isinstance(value, str) or not value:
            raise InputError(f"a {kind} needs a name, a non-empty string: got {value!r}")
    for value in dict.fromkeys(found):
        if (many := found.count(value)) > 1:
            where = f"{many} of {len(found)}, the first at place {found.index(value)}"
            raise InputError(f"two {kind}s are called {value!r} ({where}): give each its own name")
        if value in reserved:
            raise InputError(f"a {kind} is called {value!r}, which means something else here: rename it")
    return found


def texts(value: Any, name: str, known: Sequence[str]) -> dict[str, str]:
    """Return texts by name, each name one of the known ones and no text empty; none where nothing is given."""
    given = {} if value is None else instance(value, name, Mapping, f"a mapping from {', '.join(known)} to texts")
    found = {}
    for key, text in given.items():
        choice(key, f"{name} key", known)
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{name}[{key!r}] must be a text, got {text!r}; leave it out for the usual word")
        found[key] = " ".join(text.split())
    return found


def listed(values: Iterable[Any]) -> str:
    """Return the first ten values as text, and how many more there are."""
    texts = [shown(value) for value in values]
    return ", ".join(texts[:10]) + (f", … {len(texts) - 10} more" if len(texts) > 10 else "")


# What is wrong with some rows of a column: the same words whether they are in arrays, frames or files.
_FAULTS = {
    "missing": "is missing in {where}; drop these rows{hint}",
    "text": "is not a number in {where}; write numbers such as 1234.5{hint}",
    "infinite": "is infinite in {where}; give these cases finite scores or drop them",
    "wide": "has whole numbers that do not fit float64 exactly in {where}; rank or rescale them first{hint}",
    "weight": "must be finite and not negative, and is not in {where}",
}


def fault(
    kind: str, what: str, count: int, rows: int, first: int | None = None, *, value: Any = None, hint: str = ""
) -> InputError:
    """Return the error about some rows of a column; `first` counts from 1, and is None where rows have no order.

    Examples
    --------
    >>> print(fault("missing", "bad.csv: score 'm'", 1, 4, 2, hint=" or use missing='drop'"))
    bad.csv: score 'm' is missing in 1 of 4 rows, the first is row 2 (counting from 1); drop these rows or use missing='drop'
    """
    where = f"{count} of {rows} rows" + ("" if first is None else f", the first is row {first} (counting from 1)")
    where += "" if value is None else f", with {shown(value)}"
    return InputError(f"{what} {_FAULTS[kind].format(where=where, hint=hint)}")


def fault_of(kind: str, what: str, bad: Bools, *, value: Any = None) -> InputError:
    """Return the error about some rows of an array."""
    return fault(kind, what, int(np.count_nonzero(bad)), bad.size, int(np.argmax(bad)) + 1, value=value)


def located(bad: Bools) -> str:
    """Return how many values are bad and where the first is."""
    first = int(np.argmax(bad)) + 1
    return f"{int(np.count_nonzero(bad))} of {bad.size} rows, the first is row {first} (counting from 1)"


def _per_value(test: Callable[..., bool], *values: Any) -> Bools:
    """Return what a test says of each value, whatever type it has."""
    return np.fromiter((test(*row) for row in zip(*values, strict=True)), dtype=np.bool_, count=len(values[0]))


def as_array(values: Any) -> NDArray[Any]:
    """Return an array; a tensor is taken off its graph and device first."""
    if isinstance(values, np.ndarray):
        return np.asarray(values)
    for step in ("detach", "cpu"):
        values = getattr(values, step, lambda values=values: values)()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.asarray(np.from_dlpack(values))
    array = np.asarray(values)
    if array.dtype.kind == "f" and isinstance(values, (list, tuple)) and np.any(np.abs(array) >= _WHOLE):
        # Beside a fraction, whole numbers become floats before anybody has looked at them.
        return np.array(values, dtype=object) if any(map(_rounds, values)) else array
    return array


def _rounds(value: Any) -> bool:
    return isinstance(value, int) and not (abs(value) < _WHOLE or (abs(value) < 2**1023 and int(float(value)) == value))


def vector(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return `values` as a non-empty one-dimensional array, whatever its element type."""
    try:
        array = as_array(values)
    except Exception as error:  # foreign objects that claim to be arrays fail in any way they can
        advice = "convert it first, such as tensor.float()" if "BFloat16" in str(error) else "pass a flat list or array"
        raise InputError(f"{name} could not be read as an array: {error}; {advice}") from error
    if isinstance(values, np.ndarray) and type(values) is not np.ndarray and np.any(getattr(values, "mask", False)):
        hidden = np.broadcast_to(np.asarray(values.mask), array.shape).ravel()  # type: ignore[attr-defined]
        raise fault_of("missing", name, hidden)
    if array.ndim != 1:
        raise InputError(f"{name} must be one-dimensional, {_shape(values, array)}")
    if array.size == 0:
        raise InputError(f"{name} is empty (shape {array.shape}): at least one positive and one negative are needed")
    return array


def _shape(values: Any, array: NDArray[Any]) -> str:
    """Say what came in place of a vector, and what to pass."""
    if array.ndim == 0 and isinstance(values, Iterable) and not isinstance(values, (str, bytes)):
        return f"got a {type(values).__name__}; pass a list or an array, one value per case"
    column = array.ndim == 2 and array.shape[1] == 1
    hint = "pass its column, [:, 0]" if column else "for predict_proba output pass one column, p[:, 1]"
    return f"got shape {array.shape}; {hint}"


def ascending(values: Floats, name: str, hint: str = "") -> Floats:
    """Return numbers each of which is above the one before."""
    late = np.append(False, np.diff(values) <= 0)
    every(~late, values, name, "ascend, each value once", hint)
    return values


def same_length(**arrays: NDArray[Any] | None) -> None:
    """Raise unless all given arrays have one length."""
    shapes = {name: a.shape for name, a in arrays.items() if a is not None}
    if len(set(shapes.values())) > 1:
        found = ", ".join(f"{name} has shape {shape}" for name, shape in shapes.items())
        raise InputError(f"different lengths: {found}; give each one value per case")


def same_shape(**arrays: NDArray[Any]) -> None:
    """Raise unless the given arrays can be combined element by element."""
    try:
        np.broadcast_shapes(*(a.shape for a in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} has shape {a.shape}" for name, a in arrays.items())
        raise InputError(f"the arrays do not fit together: {shapes}; pass numbers or arrays of one shape") from None


# What rows are called by pandas, and the argument that says so.
RowIndex = tuple[str, Any]


def aligned(known: RowIndex | None = None, /, **values: Any) -> RowIndex | None:
    """Raise if pandas objects are in different orders; return the first index, to be passed as `known` with every later array."""
    indexed = [] if known is None else [known]
    for name, value in values.items():
        mapped = isinstance(value, Mapping)
        parts = {f"{name} of {key!r}": part for key, part in value.items()} if mapped else {name: value}
        indexed += [(what, part.index) for what, part in parts.items() if _has_index(part)]
    for (one, index), (other, second) in combinations(indexed, 2):
        if second is index or len(second) != len(index) or second.equals(index):
            continue
        how = f"align {other} first, with .reindex({one}.index), or pass both with .to_numpy() if row by row they belong together"
        if index.isin(second).all() and second.isin(index).all():
            raise InputError(f"{one} and {other} have the same index labels in another order: {how}")
        if not any(type(i).__name__ == "RangeIndex" and (i.start, i.step) == (0, 1) for i in (index, second)):
            raise InputError(f"{one} and {other} have different index labels: {how}")
    return next(iter(indexed), None)


def _has_index(value: Any) -> bool:
    """Tell a pandas Series or DataFrame without importing pandas."""
    return type(value).__module__.partition(".")[0] == "pandas" and hasattr(getattr(value, "index", None), "isin")


def by_name(scores: Any, name: str = "scores") -> dict[str, Any]:
    """Return the scores of several models by name, from a dict or from the columns of a dataframe."""
    if isinstance(scores, Mapping):
        return dict(scores)
    what = f"{name} must be a dict of name to scores or a dataframe"
    if not hasattr(type(scores), "columns"):
        raise InputError(f"{what}, got {type(scores).__name__}; for one model write {{'model': scores}}")
    import narwhals as nw

    try:
        frame = nw.from_native(scores, eager_only=True)
    except Exception as error:  # whatever else has columns
        raise InputError(f"{what} in memory, got {type(scores).__name__}: {error}") from error
    return {column: frame[column].to_native() for column in frame.columns}


def _is_missing(value: Any) -> bool:
    """Tell None, and NaN, NaT and pandas.NA, which are unequal to themselves or refuse to say."""
    try:
        return value is None or not bool(value == value)  # noqa: PLR0124 - NaN is the value that differs from itself
    except (TypeError, ValueError, ArithmeticError):  # the last one for a signalling NaN
        return True


def missing(array: NDArray[Any]) -> Bools:
    """Return True where a value is missing (NaN or null)."""
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array))
    # Numbers and booleans of other types always say something.
    return _per_value(_is_missing, array) if array.dtype.kind == "O" else np.zeros(array.size, dtype=np.bool_)


def present(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Return `values` unless some are missing (NaN or null)."""
    # The least of some numbers is NaN if any is: to find none, no array is made.
    clear = values.dtype.kind != "O" and not (values.dtype.kind == "f" and values.size and np.isnan(values.min()))
    if not clear and (absent := missing(values)).any():
        raise fault_of("missing", name, absent)
    return values


def groups(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return marks of folds, clusters or groups as a vector without missing values."""
    return present(vector(values, name), name)


def scores(values: ArrayLike, name: str = "y_score") -> NDArray[Any]:
    """Return finite scores as a float32 or float64 vector."""
    array = thresholds(values, name)
    if not (np.isfinite(array.min()) and np.isfinite(array.max())):
        raise fault_of("infinite", name, np.isinf(array))
    return array


def thresholds(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return scores, among which ±inf may be, as a float32 or float64 vector."""
    array = _numeric(values, name)
    if array.dtype.kind == "f" and array.dtype.itemsize in (4, 8):
        # Bit patterns are looked at later, which must be in the order of this machine.
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    return _as_floats(array, name)


def _numeric(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return a vector without missing values of a type that may hold numbers."""
    array = groups(values, name)
    kind = array.dtype.kind
    if kind not in "biufO":
        hint = "; convert them first, as with [float(x) for x in values]" if kind in "US" else ""
        first = f"(first value {array[:1].tolist()[0]!r})"
        raise InputError(f"{name} must hold numbers, got dtype {array.dtype} {first}{hint}")
    return array


def _as_floats(array: NDArray[Any], name: str) -> Floats:
    """Return numbers as float64, unless some whole number is none or different numbers would become equal."""
    try:
        with np.errstate(over="ignore"):
            numbers = array.astype(np.float64)
    except OverflowError:
        large = _per_value(_rounds, array)
        raise fault_of("wide", name, large, value=array[int(np.argmax(large))]) from None
    except Exception as error:  # foreign numbers fail in any way they can
        odd = next((value for value in array if not is_number(value)), array[0])
        raise InputError(f"{name} must hold numbers, got {shown(odd)} (dtype {array.dtype}): {error}") from error
    changed = _changed(array, numbers, name)
    if changed.any():
        raise fault_of("wide", name, changed, value=array[int(np.argmax(changed))])
    return numbers


def _changed(array: NDArray[Any], numbers: Floats, name: str) -> Bools:
    """Return which whole numbers are no float64; raise if different numbers would become equal."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "O" or (kind == "f" and size > 8):
        if odd := next((value for value in array if isinstance(value, (str, bytes))), None) if kind == "O" else None:
            hint = "text is not converted; do so first, as with [float(x) for x in values]"
            raise InputError(f"{name} must hold numbers, got {shown(odd)} (dtype {array.dtype}): {hint}")
        changed = _per_value(operator.ne, array, numbers.tolist())
        large = changed & (np.abs(numbers) >= _WHOLE)
        if changed.any() and not large.any():
            _refuse_equal(array, numbers, name)
        return np.asarray(large)
    if kind in "iu" and size == 8:
        changed = numbers >= (2.0**63 if kind == "i" else 2.0**64)
        changed[~changed] = numbers[~changed].astype(array.dtype) != array[~changed]
        return np.asarray(changed)
    return np.zeros(1, dtype=bool)


def _refuse_equal(array: NDArray[Any], numbers: Floats, name: str) -> None:
    """Refuse different numbers that are equal as float64."""
    seen: dict[float, Any] = {}
    for value, number in zip(array.tolist(), numbers.tolist(), strict=True):
        if (other := seen.setdefault(number, value)) != value:
            raise equal_numbers(name, other, value)


def equal_numbers(name: str, one: Any, other: Any) -> InputError:
    """Return the error about two different numbers that are equal as float64."""
    pair = f"such as {one!s:.200} and {other!s:.200}"
    return InputError(f"{name} has different numbers that are equal as float64, {pair}; rank or rescale them first")


def is_number(value: Any) -> bool:
    """Tell whether a value can be read as a number."""
    try:
        float(value)
    except Exception:  # foreign numbers fail in any way they can
        return False
    return True


def weights(
    values: ArrayLike | None, positive: Bools, name: str = "sample_weight", *, both: bool = True
) -> Floats | None:
    """Return finite, non-negative weights that leave mass in both classes (in a batch, they need not)."""
    if values is None:
        return None
    numbers = _as_floats(_numeric(values, name), name)
    bad = ~np.isfinite(numbers) | (numbers < 0)
    if bad.any():
        raise fault_of("weight", name, bad, value=numbers[int(np.argmax(bad))])
    same_length(**{name: numbers, "y_true": positive})
    for label, mask in (("positive", positive), ("negative", ~positive)):
        with np.errstate(over="ignore"):
            total = numbers[mask].sum()
        what = f"{name} of the {label} class sums to"
        if np.isinf(total):
            raise InputError(f"{what} more than float64 holds: divide all weights by one number")
        if both and not total > 0:
            raise InputError(f"{what} 0: nothing is left of that class")
    return numbers


def in_range(positives: NDArray[Any], negatives: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return weights of extreme size in another unit, a power of two: their products must neither overflow nor vanish."""
    totals = [float(column.sum()) for column in (positives, negatives)]
    exponent = int(np.frexp(max(totals))[1])
    if positives.dtype.kind != "f" or (abs(exponent) < _EXTREME and min(totals) > 2.0**-_EXTREME):
        return positives, negatives
    if min(totals) / max(totals) < 2.0**-_EXTREME:
        raise InputError(
            f"the weights of the classes are too far apart to be compared: {totals[0]:g} of the positives, "
            f"{totals[1]:g} of the negatives; rescale one of them"
        )
    return np.ldexp(positives, -exponent), np.ldexp(negatives, -exponent)


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


def _real(
    values: Any,
    name: str,
    fit: Callable[[Floats], Any],
    what: str,
    rule: str,
    hint: str = "",
    error: Error = InputError,
) -> Floats:
    """Return numbers that all fit as float64, of any shape; `what` they are, and the `rule` that they must keep."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except Exception as cause:  # foreign objects fail in any way they can
        raise error(f"{name} must hold {what}: {cause}") from cause
    every(fit(array), array, name, rule, hint, error=error)
    return array


def rates(values: ArrayLike, name: str) -> Floats:
    """Return numbers in [0, 1] as float64, of any shape."""
    what = "numbers between 0 and 1"
    return _real(values, name, lambda x: (x >= 0) & (x <= 1), what, "lie between 0 and 1")


def amounts(values: ArrayLike, name: str) -> Floats:
    """Return finite numbers of cases, none below 0, as float64."""
    return _real(values, name, lambda x: np.isfinite(x) & (x >= 0), "counts", "be finite counts, not negative")


def reals(values: ArrayLike, name: str) -> Floats:
    """Return numbers as float64, of any shape; ±inf is legal, NaN is not."""
    return _real(values, name, lambda x: ~np.isnan(x), "numbers", "hold numbers")


def skew_ratios(values: ArrayLike, name: str = "skew_ratio") -> Floats:
    """Return positive, finite skew ratios as float64, of any shape."""
    rule, what = "be positive and finite (1e-100 to 1e100)", "positive numbers"
    hint = "; it is t/(1-t), for class balance alone negatives/positives"
    return _real(values, name, lambda x: (x >= 1 / _MOST_SKEW) & (x <= _MOST_SKEW), what, rule, hint, ConditionError)


def table(values: ArrayLike, name: str, rows: int, columns: int) -> Floats:
    """Return numbers, not NaN, as float64 of this shape."""
    array = reals(values, name)
    if array.shape != (rows, columns):
        raise InputError(f"{name} must have shape {(rows, columns)}, got {array.shape}")
    return array


def numbers(values: Any, name: str) -> Floats:
    """Return one or more finite numbers as a one-dimensional float64 array."""
    array = np.atleast_1d(_real(values, name, np.isfinite, "numbers", "be finite"))
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} must be a number or a non-empty list of numbers, got shape {array.shape}")
    return array


def pcf_grid(value: Any) -> Floats:
    """Return where curves are evaluated: so many equal steps over [0, 1], or the given ascending values of pcf."""
    if np.ndim(value) == 0:
        return np.linspace(0.0, 1.0, whole(value, "grid", low=2, high=_MOST_STEPS))
    return ascending(rates(vector(value, "grid"), "grid"), "grid")


def shares_of_classes(values: ArrayLike, name: str, *, classes: int | None = None) -> Floats:
    """Return the share of each class (row) in each column of a table of counts; columns without cases are left out."""
    rule = "hold finite counts, not negative"
    table = _real(values, name, lambda x: (x >= 0) & (x <= _MOST_CASES), "numbers", rule)
    wanted = "two classes or more" if classes is None else f"{classes} classes"
    if table.ndim != 2 or table.shape[0] < 2 or (classes is not None and table.shape[0] != classes):
        raise InputError(f"{name} must be a table with a row for each of {wanted}, got shape {table.shape}")
    totals = table.sum(axis=1)
    if not totals.all():
        raise InputError(f"{name} must have cases of every class: row {int(np.argmin(totals))} has none")
    return np.asarray((table / totals[:, None])[:, table.any(axis=0)])


def labels(values: ArrayLike, pos_label: Any = None, name: str = "y_true", *, both: bool = True) -> Bools:
    """Return True where the label is positive; unless `both`, one class is enough, as in a batch."""
    array = groups(values, name)
    positive, classes = array, [False, True]
    if array.dtype != np.bool_ or pos_label is not None:
        classes = _classes(array, name)
        known = both or pos_label is None or len(classes) > 1
        if not known and np.ndim(pos_label):
            raise InputError(f"pos_label must be one label, got {shown(pos_label)}")
        positive = array == (positive_class(classes, pos_label, name, among=array) if known else pos_label)
    positive = np.asarray(positive, dtype=np.bool_)
    if both and int(np.count_nonzero(positive)) in (0, positive.size):
        raise class_fault(name, np.unique(array).tolist() if array.dtype == np.bool_ else classes[:1])
    return positive


def known_labels(values: ArrayLike, pos_label: Any = None, name: str = "y_true") -> tuple[Bools, Bools]:
    """Return True where the label is positive, and True where it is known: None, NaN and null are unknown, and may be all of them."""
    array = vector(values, name)
    known = ~missing(array)
    positive = np.zeros(array.size, dtype=np.bool_)
    if known.any():
        given = array[known]
        positive[known] = given == positive_class(_classes(given, name), pos_label, name, among=given)
    return positive, known


def flags(values: ArrayLike, name: str) -> Bools:
    """Return True where a rule flags a case; only True and False, or 1 and 0, say so."""
    array = groups(values, name)
    if array.dtype.kind in "biuf":
        wrong = ~((array == 0) | (array == 1))
    else:
        wrong = _per_value(lambda value: not (same(value, 0) or same(value, 1)), array)
    every(~wrong, array, name, "say of each case whether it is flagged: pass scores >= threshold")
    return array.astype(np.bool_)


def predictions(y_true: ArrayLike, y_pred: ArrayLike, pos_label: Any = None) -> tuple[Bools, Bools]:
    """Return where the label is positive and where the prediction is; both in one coding, predictions of any class."""
    aligned(y_true=y_true, y_pred=y_pred)
    true, reported = vector(y_true, "y_true"), vector(y_pred, "y_pred")
    same_length(y_true=true, y_pred=reported)
    positive = labels(true, pos_label)
    flagged = present(reported, "y_pred") == true[int(np.argmax(positive))]
    known = np.asarray(flagged | (reported == true[int(np.argmin(positive))]), dtype=np.bool_)
    every(known, reported, "y_pred", "hold labels of y_true", "; for scores use from_scores")
    return positive, np.asarray(flagged, dtype=np.bool_)


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
            what = f"{name} must hold plain labels such as 0 and 1, got {shown(array[0])}"
            raise InputError(f"{what}: {error}") from error
    if len(found) > 2:
        raise class_fault(name, found)
    return found


def same(value: Any, other: Any) -> bool:
    """Return whether two labels are equal; those that refuse to be compared are not."""
    try:
        return bool(value == other)
    except (TypeError, ValueError, ArithmeticError):
        return False


def positive_class(
    classes: Sequence[Any],
    pos_label: Any = None,
    name: str = "y_true",
    *,
    among: NDArray[Any] | None = None,
    cases: Sequence[int] | None = None,
    ways: Sequence[str] | None = None,
) -> Any:
    """Return which of at most two classes is the positive one, or ask: with the cases of each, or `among` the labels themselves."""
    if pos_label is not None:
        if np.ndim(pos_label) or not any(same(pos_label, c) for c in classes):
            raise InputError.of("no class", label=f"pos_label {shown(pos_label)}", name=name, known=listed(classes))
        return pos_label
    if any(all(c in pair for c in classes) for pair in _OBVIOUS):
        return 1
    counted = cases if among is None else [int(np.count_nonzero(among == c)) for c in classes]
    raise which_positive(name, classes, counted, ways)


def class_fault(what: str, classes: Sequence[Any], *, many: str = "", several: str = "", hint: str = "") -> InputError:
    """Return the error about labels of too many classes, or of one."""
    if len(classes) < 2:
        one = f"{what} holds only one class, {listed(classes)}"
        return InputError(f"{one}: at least one positive and one negative are needed")
    held = f"{what} holds {many or len(classes)} classes ({listed(classes)})"
    return InputError(f"{held}: isocost needs two{several}; compare one class with the rest{hint}")


def which_positive(
    what: str, classes: Sequence[Any], cases: Sequence[int] | None = None, ways: Sequence[str] | None = None
) -> InputError:
    """Return the question which class to detect: all are named, none is suggested; `ways` are how an interface spells it."""
    held = [shown(c) for c in classes]
    if cases is not None:
        held = [f"{text} ({n:,} case{'' if n == 1 else 's'})" for text, n in zip(held, cases, strict=True)]
    ways = ways or [f"pos_label={shown(c)}" for c in classes]
    found = f"{what} holds {' and '.join(held)}"
    return InputError(f"which class is positive? {found}; say which to detect: {' or '.join(ways)}")


def two_of_each(positive: Bools, what: str, among: str = "cases") -> None:
    """Raise unless there are at least two positives and two negatives, without which nothing can vary."""
    positives = int(np.count_nonzero(positive))
    for label, many in (("positive", positives), ("negative", positive.size - positives)):
        if many < 2:
            got = f"{counted(many, label)} among {positive.size} {among}"
            raise InputError(f"{what} needs at least 2 positives and 2 negatives, got {got}")

"""Options of figures by name, checked before anything is drawn: the same word means the same in every figure."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.errors import InputError


def checked(make: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor whose options are checked by their names."""

    @wraps(make)
    def made(self: Any, *given: Any, **options: Any) -> None:
        make(self, *given, **{name: _CHECKS.get(name, _as_it_is)(value, name) for name, value in options.items()})

    return made


def _as_it_is(value: Any, _: str) -> Any:
    return value


def _condition(value: Any, name: str) -> Condition | None:
    if value is not None and not isinstance(value, Condition):
        raise InputError(f"{name} must be a Condition, got {type(value).__name__}")
    return value


def _over(value: Any, name: str) -> Condition | Conditions | None:
    if value is not None and not isinstance(value, Condition | Conditions):
        raise InputError(f"{name} must be a Condition or Conditions, got {type(value).__name__}")
    return value


def _prevalence(value: Any, name: str) -> float | None:
    return None if value is None else validate.number(value, name, low=0, high=1)


def _words(value: Any, name: str) -> list[str] | None:
    """Return names as a list; one name stands for itself."""
    if value is None:
        return None
    found = [value] if isinstance(value, str) else _items(value, name, "names")
    if wrong := [item for item in found if not isinstance(item, str)]:
        raise InputError(f"{name} must be names, got {type(wrong[0]).__name__} among them")
    return found


def _items(value: Any, name: str, what: str) -> list[Any]:
    if isinstance(value, str | bytes) or not np.iterable(value):
        raise InputError(f"{name} must be {what} in a list, got {type(value).__name__}")
    return list(value)


def _rates(value: Any, name: str) -> list[float]:
    found = _items(value, name, "rates") if np.iterable(value) else [value]
    return [float(rate) for rate in np.ravel(validate.rates(found, name))] if found else []


def _pairs(value: Any, name: str) -> list[tuple[float, float]]:
    return [validate.interval(pair, name) for pair in _items(value, name, "pairs of numbers")]


def _ranges(value: Any, name: str) -> list[tuple[float, float, str]] | None:
    """Return ranges of t with the name of the better model, as `Bootstrap.significant` does."""
    if value is None:
        return None
    found = _items(value, name, "ranges (t_low, t_high, better)")
    for item in found:
        if not isinstance(item, tuple) or len(item) != 3 or not isinstance(item[2], str):
            raise InputError(f"{name} must be ranges (t_low, t_high, better), got {item!r:.80} among them")
        validate.interval(item[:2], name)
    return found


def _angles(value: Any, name: str) -> tuple[float, float]:
    first, second = validate.pair(value, name, "two angles")
    return validate.number(first, name), validate.number(second, name)


def _of(what: str, *attributes: str) -> Callable[[Any, str], Any]:
    """Return a check that values are results with these attributes, in a list or alone."""

    def check(value: Any, name: str) -> Any:
        if value is None or all(hasattr(value, attribute) for attribute in attributes):
            return value
        for item in _items(value, name, what):
            if not all(hasattr(item, attribute) for attribute in attributes):
                raise InputError(f"{name} must be {what}, got {type(item).__name__} among them")
        return value

    return check


given_winners = _of("what winners() returns", "name", "t_low", "t_high")

_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("apparent", "trivial", "operating_range", "hull", "thresholds", "skull", "values"), validate.flag),
    **dict.fromkeys(("names", "highlight"), _words),
    "condition": _condition,
    "over": _over,
    "prevalence": _prevalence,
    "rates": _rates,
    "unsure": _pairs,
    "view": _angles,
    "band": _of("a band of a bootstrap", "low", "high", "names"),
    "bands": _of("bands of a bootstrap", "low", "high"),
    "significant": _ranges,
    "winners": given_winners,
}

"""Results as data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: infinities as words, NaN as None, results as dicts of their public fields.

    Examples
    --------
    >>> plain({"threshold": float("inf"), "precision": float("nan"), "range": (0, 1)})
    {'threshold': 'Infinity', 'precision': None, 'range': [0, 1]}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        # NumPy's own floats are floats too, and print their type.
        return (
            float(value)
            if math.isfinite(value)
            else None
            if math.isnan(value)
            else "Infinity"
            if value > 0
            else "-Infinity"
        )
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    if hasattr(value, "tolist"):  # NumPy
        return plain(value.tolist())
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value) if field.name[0] != "_"}
    raise TypeError(f"no plain form of {value!r}")

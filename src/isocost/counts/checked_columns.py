"""Columns of a table of counts as somebody passed them: scores in order, and cases that can be added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.curves.sort import whole_numbers
from isocost.errors import InputError
from isocost.validate import Floats

# Every cut is one more comparison of each score.
_MOST_CUTS = 1000
# Sums of all classes below these fit their types, as whole numbers and as floats.
_MOST_CASES, _MOST_WEIGHT = 2**62, 2.0**1023


def ends(values: ArrayLike, name: str) -> Floats:
    """Return the lowest or highest scores of rows."""
    if np.size(values) == 0:
        return np.empty(0)
    return np.asarray(validate.scores(values, name), dtype=np.float64)


def counts(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return the cases of a class: whole numbers as such, weights as floats."""
    array = np.asarray(values) if np.size(values) == 0 else validate.vector(values, name)
    if array.dtype.kind not in "iuf" or not np.all(np.isfinite(array)) or np.any(array < 0):
        raise InputError(f"{name} must be finite counts, not negative; got dtype {array.dtype}")
    with np.errstate(over="ignore"):
        total = float(array.sum(dtype=np.float64))
    # What is made of counts later adds them, the classes too, and must not overflow.
    if total >= (_MOST_WEIGHT if array.dtype.kind == "f" else _MOST_CASES):
        raise InputError(
            f"{name} sum to {total:.3g}, more than isocost can count with: at most 2^62 whole cases or a weight of 2^1023; "
            "divide all counts of every class by the same number"
        )
    if array.dtype.kind == "f":
        return whole_numbers(array.astype(np.float64))
    return array.astype(np.int64, copy=False)


def checked_cuts(values: ArrayLike, label: str | None, names: Sequence[str]) -> Floats:
    """Return the scores between which one column of cases without labels is counted, descending."""
    if label is not None or len(names) != 1:
        raise InputError(
            "cuts= goes with label=None and one column of scores: the cases between them are counted in one pass"
        )
    cuts = np.unique(np.asarray(validate.scores(values, "cuts"), dtype=np.float64))[::-1]
    if cuts.size > _MOST_CUTS:
        raise InputError(
            f"cuts must be at most {_MOST_CUTS} scores, got {cuts.size}: leave them out to count every score"
        )
    return cuts

"""Tables with rows of models and columns of numbers: score counts, and results as they are published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost.engines.columns import NUMERIC
from isocost.engines.duckdb import Engine
from isocost.errors import InputError

Published = Literal["matrices", "points"]
MATRIX = ("tp", "fn", "fp", "tn")
POINT = ("fpr", "tpr")


def published_form(names: Sequence[str]) -> Published | None:
    """Return what published results the columns hold: confusion matrices, points of ROC space, or neither."""
    rest = set(names) - {"model", "threshold"}
    return "matrices" if rest == set(MATRIX) else "points" if rest == set(POINT) else None


def by_model(source: Engine, types: Mapping[str, str], numbers: Sequence[str]) -> dict[str, dict[str, NDArray[Any]]]:
    """Return the columns of numbers of each model, which the column `model` names; without one there is one model, 'score'."""
    for column in numbers:
        if not NUMERIC.match(types[column]):
            raise InputError(f"column {column!r} of {source.name} must hold numbers, got {types[column]}")
    model = "CAST(model AS VARCHAR)" if "model" in types else "'score'"
    text = source.files[0].format in ("csv", "json")
    kinds = {name: "VARCHAR" if name == "model" else "DOUBLE" for name in types} if text else None
    columns = ", ".join(f"CAST({column} AS DOUBLE) + 0.0 AS {column}" for column in numbers)
    found = source.columns(f"SELECT {model} AS model, {columns} FROM {source.table(kinds)}")
    for column in ("model", *numbers):
        if np.ma.is_masked(found[column]):
            raise InputError(f"column {column!r} of {source.name} has missing values")
    names = np.asarray(found["model"])
    if not names.size:
        raise InputError(f"{source.name} holds no rows")
    return {
        str(name): {column: np.asarray(found[column])[names == name] for column in numbers}
        for name in dict.fromkeys(names.tolist())
    }


def read_published(source: Engine, types: Mapping[str, str]) -> dict[str, dict[str, NDArray[Any]]]:
    """Return the published results of each model, by column."""
    numbers = MATRIX if published_form(list(types)) == "matrices" else POINT
    return by_model(source, types, [*numbers, *(["threshold"] if "threshold" in types else [])])

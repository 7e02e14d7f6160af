"""Labels of several classes, a score for each class a model, and what errors cost: checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.errors import ConditionError, InputError
from isocost.validate import Floats


@dataclass(frozen=True, eq=False)
class SeveralClasses:
    """Labels as places in `classes`, a matrix of scores a model, and the cost matrix."""

    index: NDArray[np.intp]
    classes: tuple[Any, ...]
    scores: dict[str, NDArray[Any]]
    costs: Floats | None
    weights: Floats | None

    @classmethod
    def of(cls, y_true: Any, scores: Any, classes: Any, cost_matrix: Any, sample_weight: Any) -> SeveralClasses:
        """Check what was given and put it in order."""
        labels = validate.present(validate.vector(y_true, "y_true"), "y_true")
        found = _classes(labels, classes)
        if len(found) < 2 or len(set(found)) < len(found):
            raise InputError(f"classes must be two or more different labels, got {validate.listed(found)}")
        places = {label: i for i, label in enumerate(found)}
        strange = [label for label in np.unique(labels).tolist() if label not in places]
        absent = [label for label in found if label not in set(labels.tolist())]
        if strange or absent:
            raise InputError(
                f"y_true and classes differ: {validate.listed(strange or absent)} only in {'y_true' if strange else 'classes'}"
            )
        index = np.array([places[label] for label in labels.tolist()])
        if not isinstance(scores, Mapping):
            raise InputError(f"scores must be a dict of name to scores, got {type(scores).__name__}")
        validate.aligned(y_true=y_true, scores=scores, sample_weight=sample_weight)
        columns = {name: matrix(s, f"scores of {name!r}", (labels.size, len(found))) for name, s in scores.items()}
        costs = None if cost_matrix is None else matrix(cost_matrix, "cost_matrix", (len(found), len(found)))
        weights = validate.weights(sample_weight, index == 0)
        return cls(index, found, columns, costs, weights)

    @property
    def gaps(self) -> Floats | None:
        """What each wrong label costs more than the right one."""
        if self.costs is None:
            return None
        gaps = self.costs - np.diag(self.costs)[:, None]
        if np.any(gaps < 0):
            i, j = (int(v) for v in np.argwhere(gaps < 0)[0])
            raise ConditionError(
                f"cost_matrix: calling {self.classes[i]!r} {self.classes[j]!r} costs {self.costs[i, j]:g}, less than the right label "
                f"({self.costs[i, i]:g}); an error that is cheaper than the right answer is not an error"
            )
        return gaps

    def share(self, rows: NDArray[np.bool_]) -> float:
        """Return the share of all cases that some rows make up."""
        mass = np.ones(rows.size) if self.weights is None else self.weights
        return float(mass[rows].sum() / mass.sum())


def matrix(values: Any, name: str, shape: tuple[int, int]) -> NDArray[Any]:
    """Return numbers of the given shape, none missing."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must hold numbers: {error}") from error
    if array.shape != shape:
        raise InputError(f"{name} must have shape {shape}, got {array.shape}")
    if np.isnan(array).any():
        raise InputError(f"{name} has missing values: {int(np.isnan(array).sum())} of {array.size}")
    return array


def _classes(labels: NDArray[Any], given: Any) -> tuple[Any, ...]:
    """Return the classes in order, those found if none are given."""
    try:
        found = tuple(np.unique(labels).tolist() if given is None else given)
        hash(found)
    except TypeError as error:
        raise InputError(f"classes must be a list of plain labels such as 0, 1 and 2: {error}") from error
    return found

"""What labelling cases with one of several classes costs, by rules that need no thresholds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.comparison.several_classes import SeveralClasses, matrix
from isocost.results.result import Result


@dataclass(frozen=True)
class MulticlassCost(Result):
    """Mean cost per case of labels for several classes, by model.

    Attributes
    ----------
    highest : dict of str to float
        Each case gets the class of its highest score.
    least_expected : dict of str to float or None
        Each case gets the label with the lowest expected cost by the model's probabilities; None if scores are not probabilities.
    trivial : float
        Every case gets `trivial_class`, the best single label.
    trivial_class : label

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> ic.multiclass_cost(list("abcabc"), {"model": p}, [[0, 1, 4], [1, 0, 1], [2, 2, 0]]).trivial_class
    'a'
    """

    highest: dict[str, float]
    least_expected: dict[str, float | None]
    trivial: float
    trivial_class: Any


def multiclass_cost(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    cost_matrix: ArrayLike,
    *,
    classes: Sequence[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
) -> MulticlassCost:
    """Return what labelling cases with one of several classes costs, for two rules that need no thresholds.

    Unlike class-by-class comparisons, this is the cost of decisions that can be made: one label per case. It is for one cost matrix; an
    envelope over all of them would need a dimension for each pair of classes.

    Parameters
    ----------
    y_true, scores, classes, sample_weight
        As in `one_vs_rest`.
    cost_matrix : array of shape (k, k)
        What it costs to label a case of class i (row) as class j (column).

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.

    Examples
    --------
    >>> import isocost as ic
    >>> y = ["a", "b", "c", "a", "b", "c"]
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> cost = ic.multiclass_cost(y, {"model": p}, [[0, 1, 4], [1, 0, 1], [2, 2, 0]])
    >>> round(cost.highest["model"], 4), cost.trivial, cost.trivial_class
    (0.1667, 1.0, 'a')
    """
    data = SeveralClasses.of(y_true, scores, classes, cost_matrix, sample_weight)
    costs = matrix(cost_matrix, "cost_matrix", (len(data.classes), len(data.classes)))
    mass = np.ones(data.index.size) if data.weights is None else data.weights

    def paid(labels: NDArray[np.intp]) -> float:
        return float(np.average(costs[data.index, labels], weights=mass))

    singles = [paid(np.full(data.index.size, j)) for j in range(len(data.classes))]
    best = int(np.argmin(singles))
    return MulticlassCost(
        {name: paid(np.argmax(s, axis=1)) for name, s in data.scores.items()},
        {name: paid(np.argmin(s @ costs, axis=1)) if _probable(s) else None for name, s in data.scores.items()},
        singles[best],
        data.classes[best],
    )


def _probable(scores: NDArray[Any]) -> bool:
    return bool(np.all((scores >= 0) & (scores <= 1)) and np.allclose(scores.sum(axis=1), 1, rtol=0, atol=1e-6))

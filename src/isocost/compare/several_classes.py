"""Several classes split into two-class comparisons: each class against the rest, or against each other class."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.compare.comparison import Comparison
from isocost.compare.winners import Winners
from isocost.conditions import Condition, Conditions
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide import Decision
from isocost.errors import ConditionError, InputError, UnknownNameError
from isocost.inference.delong import DeLong, of_pairs
from isocost.measures.registry import measure_named
from isocost.numbers import counted
from isocost.results import Columns, Result, html_table, stacked


@dataclass(frozen=True, eq=False)
class SeveralClasses:
    """Labels as places in `classes`, a matrix of scores per model, and the cost matrix."""

    index: NDArray[np.intp]
    classes: tuple[Any, ...]
    scores: dict[str, NDArray[Any]]
    costs: Floats | None
    weights: Floats | None

    @classmethod
    def of(cls, y_true: Any, scores: Any, classes: Any, cost_matrix: Any, sample_weight: Any) -> SeveralClasses:
        """Check what was given and put it in order."""
        labels = checks.present(checks.vector(y_true, "y_true"), "y_true")
        found = _classes(labels, classes)
        if len(found) < 2 or len(set(found)) < len(found):
            raise InputError(f"classes must be two or more different labels, got {checks.listed(found)}")
        places = {label: i for i, label in enumerate(found)}
        strange = [label for label in np.unique(labels).tolist() if label not in places]
        absent = [label for label in found if label not in set(labels.tolist())]
        if strange or absent:
            raise InputError(
                f"y_true and classes differ: {checks.listed(strange or absent)} only in {'y_true' if strange else 'classes'}"
            )
        index = np.array([places[label] for label in labels.tolist()])
        if not isinstance(scores, Mapping):
            raise InputError(f"scores must be a dict of name to scores, got {type(scores).__name__}")
        checks.aligned(y_true=y_true, scores=scores, sample_weight=sample_weight)
        columns = {name: matrix(s, f"scores of {name!r}", (labels.size, len(found))) for name, s in scores.items()}
        costs = None if cost_matrix is None else matrix(cost_matrix, "cost_matrix", (len(found), len(found)))
        weights = checks.weights(sample_weight, index == 0)
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


Kind = Literal["one-vs-rest", "one-vs-one"]
Weighing = Literal["equal", "cases"]
WEIGHINGS: tuple[Weighing, ...] = ("equal", "cases")


@dataclass(frozen=True, eq=False, repr=False)
class ClassByClass(Mapping[Any, Comparison], Result):
    """A problem of several classes split into two-class comparisons: a mapping from class, or pair of classes, to comparison.

    Each comparison is exact for its own question. Together they are a view, not a decision: thresholds chosen class by class need not
    give each case exactly one label, and no cost curve over all classes follows from them. For decisions about all classes,
    use `ClassComparison`.

    Attributes
    ----------
    kind : {"one-vs-rest", "one-vs-one"}
    comparisons : dict
        By class, or by (positive class, negative class).
    shares : dict
        The share of cases that each comparison's positives (one-vs-rest) or both of its classes (one-vs-one) make up.

    Examples
    --------
    >>> import isocost as ic
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_rest(list("abcabc"), {"model": p})
    >>> list(parts), round(parts.macro("auc")["model"], 4)
    (['a', 'b', 'c'], 0.9583)
    """

    kind: Kind
    comparisons: dict[Any, Comparison]
    shares: dict[Any, float]

    def __getitem__(self, key: Any) -> Comparison:
        """Return the comparison of a class, or of a pair (positive, negative)."""
        if key not in self.comparisons:
            raise UnknownNameError("class" if self.kind == "one-vs-rest" else "pair of classes", key, self.comparisons)
        return self.comparisons[key]

    def __iter__(self) -> Iterator[Any]:
        """Go through the classes or pairs."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """Return how many comparisons there are."""
        return len(self.comparisons)

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names."""
        return next(iter(self.comparisons.values())).names

    def table(self, measure: str, condition: Conditions | Condition | None = None) -> dict[Any, dict[str, float]]:
        """Return a measure of every model, by class or pair and model.

        Parameters
        ----------
        measure : str
            A registered one.
        condition : Conditions or Condition, optional
            For measures that depend on conditions. By default those that the cost matrix gives each comparison, or else all conditions.
        """
        chosen = measure_named(measure)
        return {
            key: {
                str(curve.name): chosen(curve, condition=comparison.condition if condition is None else condition)
                for curve in comparison.curves
            }
            for key, comparison in self.items()
        }

    def macro(
        self, measure: str, condition: Conditions | Condition | None = None, *, weights: Weighing = "equal"
    ) -> dict[str, float]:
        """Return the mean of a measure over the comparisons, by model.

        For the AUC it is the macro average of scikit-learn's `roc_auc_score`; for one-vs-one, Hand and Till's M. It sums up questions
        that nobody faces at once, so use it to summarise, not to decide.

        Parameters
        ----------
        measure, condition
            As in `table`.
        weights : {"equal", "cases"}
            "cases": comparisons are weighted by `shares`.

        References
        ----------
        Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831.
        """
        checks.choice(weights, "weights", WEIGHINGS)
        values = self.table(measure, condition)
        mass = np.array([1.0 if weights == "equal" else self.shares[key] for key in values])
        return {name: float(np.dot([row[name] for row in values.values()], mass) / mass.sum()) for name in self.names}

    def winners(self, condition: Conditions | Condition | None = None) -> dict[Any, Winners]:
        """Return who is cheapest where, for each comparison."""
        return {key: comparison.winners(condition) for key, comparison in self.items()}

    def decide(self) -> dict[Any, Decision]:
        """Return what each comparison alone would decide, under the conditions of the cost matrix if there is one."""
        return {key: comparison.decide() for key, comparison in self.items()}

    def __repr__(self) -> str:
        """Say what was taken apart into what."""
        models = counted(len(self.names), "model")
        return f"<ClassByClass: {counted(len(self), f'{self.kind} comparison')} of {models}: {checks.listed(self)}>"

    def _columns(self) -> Columns:
        values = self.table("auch")
        return stacked({"comparison": str(key), "share": self.shares[key], **values[key]} for key in self)

    def _repr_html_(self) -> str:
        rows = [[str(key), *(f"{v:.4f}" for v in row.values())] for key, row in self.table("auch").items()]
        rows.append(["macro", *(f"{v:.4f}" for v in self.macro("auch").values())])
        return html_table([f"{self.kind}, auch ↑", *self.names], rows)


def one_vs_rest(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    cost_matrix: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassByClass:
    """Compare models class by class, each class against all others, by its own score.

    Parameters
    ----------
    y_true : array of shape (n,)
    scores : dict of name to array of shape (n, k)
        One column per class; higher means more likely.
    classes : sequence of k labels, optional
        The classes of the columns; the sorted labels of `y_true` by default.
    cost_matrix : array of shape (k, k), optional
        What it costs to label a case of class i (row) as class j (column). A false alarm then weighs as much as it costs that case beyond
        the right label. A miss costs as much as the label given instead, which the comparison does not know, so its conditions are the
        range over all of them. Both assume that a case not given this class is otherwise labelled correctly.
    sample_weight : array of shape (n,), optional

    Examples
    --------
    >>> import isocost as ic
    >>> y = ["a", "b", "c", "a", "b", "c"]
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_rest(y, {"model": p}, cost_matrix=[[0, 1, 4], [1, 0, 1], [2, 2, 0]])
    >>> parts
    <ClassByClass: 3 one-vs-rest comparisons of 1 model: 'a', 'b', 'c'>
    >>> {c: round(v["model"], 4) for c, v in parts.table("auc").items()}
    {'a': 1.0, 'b': 0.9167, 'c': 1.0}
    >>> parts["a"].condition
    <Conditions: a miss costs 1–4 false alarms, 25 % positive: t in 0.43–0.75>
    """
    data = SeveralClasses.of(y_true, scores, classes, cost_matrix, sample_weight)
    comparisons, shares = {}, {}
    for a, label in enumerate(data.classes):
        positive, weights, condition = data.index == a, data.weights, None
        if data.gaps is not None:
            excess = np.where(positive, 1.0, data.gaps[data.index, a])
            weights = excess if weights is None else weights * excess
            misses = np.delete(data.gaps[a], a)
            mass = float(weights[positive].sum())
            share = mass / float(weights.sum())
            low, high = float(misses.min()), float(misses.max())
            condition = Conditions.from_costs(cost_fp=1.0, cost_fn=(low, high), prevalence=share)
        columns = {name: s[:, a] for name, s in data.scores.items()}
        comparisons[label] = Comparison.from_scores(positive, columns, sample_weight=weights, condition=condition)
        shares[label] = data.share(positive)
    return ClassByClass("one-vs-rest", comparisons, shares)


def hand_till(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    level: float = 0.90,
) -> dict[str, DeLong]:
    """Return Hand and Till's multi-class AUC of each model with its interval: `one_vs_one(...).macro("auc")`.

    Parameters
    ----------
    y_true, scores, classes
        As in `one_vs_rest`; at least two cases of each class.
    level : float
        Strictly between 0 and 1.

    References
    ----------
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831. The variance is DeLong's, over all pairs at once.

    Examples
    --------
    >>> import isocost as ic
    >>> y = ["a", "b", "c", "a", "b", "c"]
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> ic.compare.hand_till(y, {"model": p})["model"]
    <DeLong: AUC 0.9583, 90 % 0.67 to 0.9962>
    """
    data = SeveralClasses.of(y_true, scores, classes, None, None)
    for label, many in zip(data.classes, np.bincount(data.index, minlength=len(data.classes)), strict=True):
        if many < 2:
            raise InputError(f"an interval needs at least two cases of each class, got {many} of {label!r}")
    return {name: of_pairs(data.index, columns, level) for name, columns in data.scores.items()}


def one_vs_one(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    classes: Sequence[Hashable] | None = None,
    cost_matrix: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ClassByClass:
    """Compare models on every ordered pair of classes, by the score of the first and on the cases of these two alone.

    Parameters
    ----------
    y_true, scores, classes, sample_weight
        As in `one_vs_rest`.
    cost_matrix : array of shape (k, k), optional
        What it costs to label a case of class i (row) as class j (column). The condition of each pair is then exact: its four costs and
        its own prevalence.

    References
    ----------
    Hand & Till (2001), Machine Learning 45:171-186, doi:10.1023/A:1010920819831.

    Examples
    --------
    >>> import isocost as ic
    >>> y = ["a", "b", "c", "a", "b", "c"]
    >>> p = [[.7, .2, .1], [.3, .4, .3], [.2, .2, .6], [.4, .5, .1], [.1, .8, .1], [.3, .3, .4]]
    >>> parts = ic.compare.one_vs_one(y, {"model": p}, cost_matrix=[[0, 1, 4], [1, 0, 1], [2, 2, 0]])
    >>> parts[("a", "c")].condition
    <Condition: a miss costs 2 false alarms, 50 % positive: t = 0.333>
    >>> round(parts.macro("auc")["model"], 4)
    0.9583
    """
    data = SeveralClasses.of(y_true, scores, classes, cost_matrix, sample_weight)
    comparisons, shares = {}, {}
    for a, first in enumerate(data.classes):
        for b, second in enumerate(data.classes):
            if a == b:
                continue
            rows = (data.index == a) | (data.index == b)
            positive = data.index[rows] == a
            weights = None if data.weights is None else data.weights[rows]
            condition = None
            if data.costs is not None:
                mass = positive.astype(float) if weights is None else positive * weights
                total = float(rows.sum()) if weights is None else float(weights.sum())
                c = data.costs
                condition = Condition(c[b, a], c[a, b], float(mass.sum()) / total, cost_tp=c[a, a], cost_tn=c[b, b])
            columns = {name: s[rows, a] for name, s in data.scores.items()}
            key = (first, second)
            comparisons[key] = Comparison.from_scores(positive, columns, sample_weight=weights, condition=condition)
            shares[key] = data.share(rows)
    return ClassByClass("one-vs-one", comparisons, shares)

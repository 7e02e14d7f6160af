"""Splits of a table of cases: of leaves, and ranked by several criteria."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.data import checks
from isocost.data.checks import Floats
from isocost.data.counts import ScoreCounts
from isocost.errors import InputError, UnknownNameError
from isocost.metrics.metric import AnyMetric, get_metric
from isocost.numbers import ROUNDING
from isocost.results import Columns, Result, stacked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def auc_split_table(counts: ArrayLike) -> float:
    """Area under the ROC curve of a split into leaves, ranked by their share of positives; higher is better, 0.5 to 1.

    Parameters
    ----------
    counts : array of shape (2, leaves)
        Positives in the first row, negatives in the second.

    References
    ----------
    Ferri, Flach & Hernández-Orallo (2002), Learning decision trees using the area under the ROC curve, ICML 19:139-146.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.auc_split_table([[8, 1, 3], [2, 10, 4]]), 6)
    0.838542
    """
    shares = checks.shares_of_classes(counts, "counts", classes=2)
    # Equal weights of the classes rank leaves as their own counts do.
    tpr, fpr = shares[:, np.argsort(-shares[0] / shares.sum(axis=0), kind="stable")]
    before = np.cumsum(tpr) - tpr
    return float(np.sum(fpr * (before + tpr / 2)))


def gini_roc_table(counts: ArrayLike) -> float:
    """Gini-ROC of a split of several classes into several branches: higher is better, 0 to 1.

    With r the share of each class in each branch and J classes, (Σ over branches of Σr²/Σr - 1)/(J - 1). It is `gini_roc` for
    two classes and two branches, and χ²/(N(J - 1)) where all classes have equally many cases. It is insensitive to their balance.

    Parameters
    ----------
    counts : array of shape (classes, branches)

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, names it as future work.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.gini_roc_table([[8, 1, 3], [2, 10, 0], [5, 5, 20]]), 6)
    0.363054
    """
    shares = checks.shares_of_classes(counts, "counts")
    return float((np.sum(np.sum(shares**2, axis=0) / shares.sum(axis=0)) - 1) / (len(shares) - 1))


_CRITERIA = ("information_gain", "gini_split", "dkm_split", "gini_roc", "chi_squared")

# Splits that plain data lists by each criterion.
_TOLD = 5


@dataclass(frozen=True)
class Split(Result):
    """One binary split: cases that meet the rule on one side, all others on the other.

    Attributes
    ----------
    rule : str
        What is asked of a case, such as "age ≥ 40".
    column : str
        The column asked about.
    value : object
        The threshold or category in the rule.
    tp, fn, fp, tn : float
        Positives and negatives that meet the rule (tp, fp) and that do not (fn, tn).
    fpr, tpr : float
        The split as a point of ROC space.
    score : float
        The criterion's value.
    """

    rule: str
    column: str
    value: Any
    tp: float
    fn: float
    fp: float
    tn: float
    fpr: float
    tpr: float
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class SplitRanking(Result):
    """All binary splits of a table and their scores.

    Attributes
    ----------
    criteria : tuple of str
        The criteria.
    skew_ratios : tuple of float
        The skew ratios, the first being the data's own unless others were asked for.
    columns : tuple of str
        The column of each split.
    values : tuple
        The threshold or category of each split.
    fpr, tpr : numpy.ndarray
        The splits as points of ROC space.
    positives, negatives : float
        Class totals.
    scores : numpy.ndarray of shape (splits, criteria, skew ratios)
        The value of each split by each criterion at each skew ratio.
    """

    criteria: tuple[str, ...]
    skew_ratios: tuple[float, ...]
    columns: tuple[str, ...]
    values: tuple[Any, ...]
    categorical: tuple[bool, ...]
    fpr: Floats
    tpr: Floats
    positives: float
    negatives: float
    scores: Floats
    directions: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"<SplitRanking: {len(self)} splits, {len(self.criteria)} criteria, {len(self.skew_ratios)} skew ratios>"

    def ranked(self, criterion: str, *, skew_ratio: float | None = None, top: int | None = None) -> list[Split]:
        """Return the splits from best to worst; equal ones in the order of the table.

        Parameters
        ----------
        criterion : str
            One of `criteria`.
        skew_ratio : float, optional
            One of `skew_ratios`; the first by default.
        top : int, optional
            How many; all by default.
        """
        place = self._place(criterion, skew_ratio)
        # Rounding noise must not decide between splits that are mirror images of each other.
        merit = np.round(self.directions[place[0]] * self.scores[:, place[0], place[1]] / ROUNDING)
        order = np.argsort(-merit, kind="stable")[:top]
        return [self._split(int(i), place) for i in order]

    def best(self, criterion: str, *, skew_ratio: float | None = None) -> Split:
        """Return the best split by a criterion at a skew ratio."""
        return self.ranked(criterion, skew_ratio=skew_ratio, top=1)[0]

    def __iter__(self) -> Iterator[tuple[str, float, Split]]:
        """Go over criteria and skew ratios with the best split of each."""
        for criterion in self.criteria:
            for skew_ratio in self.skew_ratios:
                yield criterion, skew_ratio, self.best(criterion, skew_ratio=skew_ratio)

    def _data(self) -> dict[str, Any]:
        best = [
            {"criterion": criterion, "skew_ratio": skew, "splits": self.ranked(criterion, skew_ratio=skew, top=_TOLD)}
            for criterion in self.criteria
            for skew in self.skew_ratios
        ]
        return super()._data() | {"rankings": best}

    def _shown(self) -> dict[str, Any]:
        return {f"best by {criterion} at skew ratio {skew:g}": split for criterion, skew, split in self}

    def _columns(self) -> Columns:
        return stacked({"criterion": criterion, "skew_ratio": skew} | split._data() for criterion, skew, split in self)

    def _place(self, criterion: str, skew_ratio: float | None) -> tuple[int, int]:
        checks.choice(criterion, "criterion", self.criteria)
        if skew_ratio is None:
            return self.criteria.index(criterion), 0
        if skew_ratio not in self.skew_ratios:
            raise UnknownNameError("skew_ratio", skew_ratio, map(str, self.skew_ratios))
        return self.criteria.index(criterion), self.skew_ratios.index(skew_ratio)

    def _split(self, index: int, place: tuple[int, int]) -> Split:
        column, value = self.columns[index], self.values[index]
        fpr, tpr = float(self.fpr[index]), float(self.tpr[index])
        tp, fp = tpr * self.positives, fpr * self.negatives
        rule = f"{column} = {value}" if self.categorical[index] else f"{column} ≥ {value:g}"
        score = float(self.scores[index, place[0], place[1]])
        return Split(rule, column, value, tp, self.positives - tp, fp, self.negatives - fp, fpr, tpr, score)


def rank_splits(
    table: Any,
    y_true: ArrayLike,
    *,
    criteria: Iterable[AnyMetric] = _CRITERIA,
    skew_ratios: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
) -> SplitRanking:
    """Rank all binary splits of a table by splitting criteria at several skews.

    Parameters
    ----------
    table : mapping of name to array, or dataframe
        The columns. Numbers are split at each of their values (column ≥ value), anything else category by category
        (column = category).
    y_true : array of shape (n,)
        Two classes; see `ScoreCounts.from_arrays`.
    criteria : iterable of metrics, optional
        Metrics of `isocost.metrics`, their names, or functions; by default the five splitting criteria.
    skew_ratios : float or array, optional
        Skew ratios c to rank at; by default that of the data, negatives/positives.
    sample_weight : array of shape (n,), optional
        Not negative.
    pos_label : optional
        The label of the positives.

    Returns
    -------
    SplitRanking
        Every split with its scores; `ranked` and `best` order them.

    Notes
    -----
    Each split is a point of ROC space: tpr and fpr are the shares of positives and negatives that meet the rule. Splitting
    criteria do not care which side is called flagged.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> y_true = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> table = {"pure": [1, 1, 0, 0, 0, 0, 0, 0, 0, 0], "broad": [9, 8, 7, 6, 5, 7, 6, 3, 2, 1]}
    >>> ranking = ic.metrics.rank_splits(table, y_true, skew_ratios=[1, 10])
    >>> for criterion, c, split in ranking:
    ...     if criterion in ("gini_split", "dkm_split"):
    ...         print(criterion, c, split.rule, round(split.score, 3))
    gini_split 1.0 broad ≥ 5 0.429
    gini_split 10.0 pure ≥ 1 0.125
    dkm_split 1.0 broad ≥ 5 0.368
    dkm_split 10.0 broad ≥ 5 0.211
    """
    try:
        given = list(criteria)
    except TypeError:
        raise InputError(f"criteria must be a list of metrics, got {type(criteria).__name__}") from None
    metrics = [get_metric(m) for m in given]
    if not metrics:
        raise InputError("criteria is empty: name at least one metric")
    positive = checks.labels(y_true, pos_label)
    checks.aligned(y_true=y_true, table=table, sample_weight=sample_weight)
    weight = checks.weights(sample_weight, positive)
    columns = _columns(table)
    checks.same_length(**columns, y_true=positive)
    if weight is not None:
        # Rows without weight are no rows: they make no split.
        counted = weight > 0
        positive, weight = positive[counted], weight[counted]
        columns = {name: values[counted] for name, values in columns.items()}
    amount = np.ones(positive.size) if weight is None else weight
    total = (float(amount[positive].sum()), float(amount[~positive].sum()))
    metrics = [m.counted(sum(total)) for m in metrics]
    pieces = [_column_splits(name, values, positive, weight) for name, values in columns.items()]
    tp, fp = (np.concatenate([piece[i] for piece in pieces]) for i in (0, 1))
    if not tp.size:
        raise InputError("the table has no binary split: every column holds a single value")
    names = tuple(name for name, piece in zip(columns, pieces, strict=True) for _ in piece[2])
    skews = checks.skew_ratios(total[1] / total[0] if skew_ratios is None else skew_ratios)
    skews = np.atleast_1d(skews).ravel()
    fpr, tpr = fp / total[1], tp / total[0]
    scores = np.stack([m.value_at(fpr[:, None], tpr[:, None], np.ones_like(skews), skews) for m in metrics], axis=1)
    return SplitRanking(
        tuple(m.label for m in metrics), tuple(float(c) for c in skews), names,
        tuple(value for piece in pieces for value in piece[2]),
        tuple(flag for piece in pieces for flag in [piece[3]] * len(piece[2])),
        fpr, tpr, *total, scores, tuple(1.0 if m.direction == "higher" else -1.0 for m in metrics),
    )  # fmt: skip


def _columns(table: Any) -> dict[str, NDArray[Any]]:
    if isinstance(table, Mapping):
        columns = {str(name): checks.vector(values, str(name)) for name, values in table.items()}
    else:
        import narwhals as nw

        try:
            frame = nw.from_native(table, eager_only=True)
        except TypeError as error:
            raise InputError(
                f"table must be a mapping of columns or a dataframe, got {type(table).__name__}"
            ) from error
        columns = {name: checks.vector(frame[name].to_numpy(), name) for name in frame.columns}
    if not columns:
        raise InputError("the table has no columns")
    return columns


def _column_splits(
    name: str, values: NDArray[Any], positive: NDArray[np.bool_], weight: Floats | None
) -> tuple[Floats, Floats, list[Any], bool]:
    """Return true and false positives of each split of a column, the values in the rules, and whether it is categorical."""
    if values.dtype.kind in "biuf":
        counts = ScoreCounts.from_arrays(positive, checks.scores(values, name), sample_weight=weight)
        # Scores descend; rules are listed with rising thresholds.
        tp, fp = (np.cumsum(c)[-2::-1].astype(np.float64) for c in (counts.positives, counts.negatives))
        return tp, fp, counts.scores[-2::-1].tolist(), False
    levels, place = np.unique(checks.present(values, name).astype(str), return_inverse=True)
    amount = np.ones(positive.size) if weight is None else weight
    tp, fp = (np.bincount(place, amount * side, levels.size).astype(np.float64) for side in (positive, ~positive))
    if levels.size < 2:
        return np.empty(0), np.empty(0), [], True
    if levels.size == 2:
        tp, fp, levels = tp[:1], fp[:1], levels[:1]  # the other category is the same split
    return tp, fp, levels.tolist(), True

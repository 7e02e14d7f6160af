"""The rows that several models scored together, from arrays or a dataframe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.data.frames import opened
from isocost.numbers import counted

FoldUse = Literal["pooled", "average", "cluster"]
FOLD_USES: tuple[FoldUse, ...] = ("pooled", "average", "cluster")
# So many columns that are not used are looked at.
_LOOKED_AT = 100


@dataclass(frozen=True, eq=False)
class Cases:
    """Labels and every model's scores of the same cases: what resampling needs beyond the curves.

    Rows of the same mark in `clusters` are drawn together, those of a mark in `folds` have curves of their own. `columns` are others of
    the rows, to be looked at for repeated ids and labels in disguise; `repeats` how many rows are of the same case, scored again by
    repeated splits; `index` the argument that had a pandas index, and that: arrays that come later must be in its order.
    """

    positive: Bools
    scores: dict[str, NDArray[Any]]
    weights: Floats | None = None
    folds: NDArray[Any] | None = None
    clusters: NDArray[Any] | None = None
    columns: dict[str, NDArray[Any]] | None = None
    repeats: NDArray[np.intp] | None = None
    index: checks.RowIndex | None = None

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike] | None,
        sample_weight: ArrayLike | None,
        pos_label: Any,
        fold: Any,
        cluster: Any = None,
        columns: Mapping[str, ArrayLike] | None = None,
    ) -> Cases:
        """Check labels, scores, weights, folds and clusters against each other."""
        scores = checks.by_name(scores)
        index = checks.aligned(
            y_true=y_true, scores=scores, sample_weight=sample_weight, fold=fold, cluster=cluster, columns=columns
        )
        positive = checks.labels(y_true, pos_label)
        checked = {}
        for name, values in scores.items():
            what = f"score {name!r}"
            checked[name] = checks.scores(values, what)
            checks.same_length(**{"y_true": positive, what: checked[name]})
        folds, clusters = _marks(fold, "fold", positive), _marks(cluster, "cluster", positive)
        weights = checks.weights(sample_weight, positive)
        if weights is not None:
            weights, _ = checks.in_range(weights, weights)
        named = {} if columns is None else checks.instance(columns, "columns", Mapping, "a dict of name to column")
        others = {name: np.asarray(values) for name, values in named.items()}
        for name, values in others.items():
            checks.same_length(**{"y_true": positive, f"column {name!r}": values})
        return cls(positive, checked, weights, folds, clusters, others or None, index=index)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self.scores)

    @property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are that weigh something."""
        sides = [self.positive, ~self.positive]
        if self.weights is not None:
            sides = [side & (self.weights > 0) for side in sides]
        each = 1.0 if self.repeats is None else 1 / self.repeats
        positives, negatives = (round(float(np.sum(each * side))) for side in sides)
        return positives, negatives

    def to_resample(self, fold: FoldUse) -> dict[str, Any]:
        """Return the arguments of a bootstrap of these rows."""
        checks.choice(fold, "fold", FOLD_USES)
        advice = "build it with from_scores(fold=) or from_frame(fold=)"
        folds = self.folds
        if fold != "pooled":
            folds = checks.needed(folds, f"fold={fold!r} but this comparison has no folds: {advice}")
        if fold == "cluster":
            checks.left_out("is known of the rows already: use fold='pooled' or 'average'", cluster=self.clusters)
        taken = {"cluster": folds if fold == "cluster" else self.clusters}
        taken |= {"fold": folds} if fold == "average" else {}
        return {"y_true": self.positive, "scores": self.scores, "sample_weight": self.weights, **taken}

    def of_fold(self, fold: Any) -> Cases:
        """Return the rows of one fold."""
        mask = self.folds == fold
        positive = self.positive[mask]
        what = f"fold {fold!r} ({counted(positive.size, 'row')})"
        checks.both_classes(positive.any(), not positive.all(), what, "it has no curve")
        weights, clusters = (None if v is None else v[mask] for v in (self.weights, self.clusters))
        scores = {name: s[mask] for name, s in self.scores.items()}
        index = None if self.index is None else (self.index[0], self.index[1][mask])
        return Cases(positive, scores, weights, clusters=clusters, index=index)


def _marks(given: Any, what: str, positive: Bools) -> NDArray[Any] | None:
    if given is None:
        return None
    marks = checks.groups(given, what)
    checks.same_length(y_true=positive, **{what: marks})
    return marks


def other_columns(frame: Any, used: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the columns of a frame in memory that are neither used nor fractional numbers: what ids and labels can be in."""
    schema = opened(frame)[0].collect_schema()
    return read_columns(frame, [n for n, kind in schema.items() if n not in used and not kind.is_float()][:_LOOKED_AT])


def read_columns(frame: Any, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return columns of any dataframe that narwhals knows and that is in memory, as arrays."""
    table = opened(frame)[0]
    checks.columns(names, table.collect_schema().names())
    return {name: np.asarray(table[name].to_numpy()) for name in dict.fromkeys(names)}

"""The ways to make a ROC curve: from scores, counts, points, labels, classifiers and distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts import ScoreCounts
from isocost.engines.count_table import cumulated
from isocost.errors import InputError
from isocost.ranking.distinct_scores import whole_numbers
from isocost.ranking.sorted_keys import SortedKeys
from isocost.ranking.sorting import sort_scores
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores
from isocost.roc_space.totals import counts_of, whole_total
from isocost.validate import Bools, Floats

if TYPE_CHECKING:
    from isocost.roc_space.curve import RocCurve
    from isocost.roc_space.parametric import ContinuousRocCurve


class FromData:
    """Class methods of `RocCurve` that make one."""

    @classmethod
    def _made(
        cls, fp: NDArray[Any], tp: NDArray[Any], thresholds: Floats, positives: float | None, negatives: float | None,
        name: str | None, given: Bools | None, upper: Floats | None = None,
    ) -> RocCurve:  # fmt: skip
        raise NotImplementedError

    @classmethod
    def _made_of_rows(cls, rows: SortedKeys | SplitScores | TiedScores, name: str | None) -> RocCurve:
        raise NotImplementedError

    @classmethod
    def _made_of_distributions(cls, positive: Any, negative: Any, name: str | None) -> ContinuousRocCurve:
        raise NotImplementedError

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
    ) -> RocCurve:
        """Return the curve of labels and scores; see `ScoreCounts.from_arrays` for the arguments.

        The rows are only sorted at first; the points are laid out when they are asked for, since hull, area and costs do not need
        them.
        """
        if sample_weight is not None:
            counts = ScoreCounts.from_arrays(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
            return cls.from_counts(counts, name=name)
        validate.aligned(y_true=y_true, y_score=y_score)
        positive = validate.labels(y_true, pos_label)
        scores = validate.scores(y_score)
        validate.same_length(y_true=positive, y_score=scores)
        return cls._made_of_rows(sort_scores(positive, scores), name)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803 - as everywhere in scikit-learn
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        name: str | None = None,
    ) -> RocCurve:
        """Return the curve of a fitted scikit-learn classifier on cases it was not trained on.

        Parameters
        ----------
        estimator : fitted classifier
            With `predict_proba` or `decision_function`.
        X : array, sparse matrix or dataframe of shape (n, k)
        y : array of shape (n,)
        sample_weight, pos_label : optional
            As in `ScoreCounts.from_arrays`.
        response_method : {"auto", "predict_proba", "decision_function"}
            "auto" takes probabilities where there are any.
        name : str, optional
            The classifier's class by default.

        Examples
        --------
        >>> import isocost as ic
        >>> from sklearn.linear_model import LogisticRegression
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> ic.RocCurve.from_estimator(LogisticRegression().fit(X, y), X, y)
        <RocCurve 'LogisticRegression': 5 points, 4 on the hull, 2 positives, 2 negatives>
        """
        from isocost.engines.estimators import scores_of

        validate.aligned(X=X, y=y, sample_weight=sample_weight)
        scores = scores_of(estimator, X, pos_label, response_method)
        title = type(estimator).__name__ if name is None else name
        return cls.from_scores(y, scores, sample_weight=sample_weight, pos_label=pos_label, name=title)

    @classmethod
    def from_counts(cls, counts: ScoreCounts, *, name: str | None = None) -> RocCurve:
        """Return the curve of a table of counts per score.

        A bucket of scores counts as one tied score: its end is a threshold. `resolution` says how much finer ones could save.
        """
        if not isinstance(counts, ScoreCounts):
            raise InputError(
                f"from_counts takes ScoreCounts, got {type(counts).__name__}; from_scores takes labels and scores"
            )
        for label, column in (("positives", counts.positives), ("negatives", counts.negatives)):
            if not column.sum() > 0:
                raise InputError(f"{label} sum to 0 in the counts: at least one positive and one negative are needed")
        if counts.unlabelled is not None:
            # Scores that only unlabelled cases have are no points of the curve.
            known = counts.positives + counts.negatives > 0
            ends = None if counts.upper is None else counts.upper[known]
            counts = ScoreCounts(counts.scores[known], counts.positives[known], counts.negatives[known], ends)
        positives, negatives = validate.in_range(counts.positives, counts.negatives)
        fp, tp = cumulated(negatives), cumulated(positives)
        given = np.ones(fp.size, dtype=np.bool_)
        given[[0, -1]] = False
        thresholds = np.concatenate([[np.inf], counts.scores])
        upper = None if counts.upper is None else np.concatenate([[np.inf], counts.upper])
        totals = (cumulated(counts.positives)[-1].item(), cumulated(counts.negatives)[-1].item())
        return cls._made(fp, tp, thresholds, *totals, name, given, upper)

    @classmethod
    def from_points(
        cls,
        fpr: ArrayLike,
        tpr: ArrayLike,
        *,
        thresholds: ArrayLike | None = None,
        positives: float | None = None,
        negatives: float | None = None,
        name: str | None = None,
    ) -> RocCurve:
        """Return any set of crisp classifiers as points; the trivial classifiers are added at the ends.

        Parameters
        ----------
        fpr, tpr : array of shape (k,)
            Rates in [0, 1], in any order.
        thresholds : array of shape (k,), optional
            One per point.
        positives, negatives : float, optional
            Class totals of the data the rates were measured on; give both or none.
        """
        x, y = (np.atleast_1d(validate.rates(v, n)) for v, n in ((fpr, "fpr"), (tpr, "tpr")))
        x, y = validate.vector(x, "fpr"), validate.vector(y, "tpr")
        cut = (
            np.full(x.size, np.nan)
            if thresholds is None
            else np.asarray(validate.scores(np.atleast_1d(thresholds), "thresholds"), float)
        )
        validate.same_length(fpr=x, tpr=y, thresholds=cut)
        if (positives is None) != (negatives is None):
            raise InputError(f"give both class totals or none: got positives={positives!r}, negatives={negatives!r}")
        fp, tp = x, y
        if positives is not None and negatives is not None:
            positives, negatives = (whole_total(v, n) for v, n in ((positives, "positives"), (negatives, "negatives")))
            fp, tp = counts_of(x, negatives), counts_of(y, positives)
            if fp.dtype != tp.dtype:
                fp, tp = fp.astype(np.float64), tp.astype(np.float64)
        return cls._from_crisp(fp, tp, cut, positives, negatives, name)

    @classmethod
    def from_confusion(cls, tp: float, fn: float, fp: float, tn: float, *, name: str | None = None) -> RocCurve:
        """Return one crisp classifier from its confusion matrix, between the trivial classifiers."""
        tp, fn, fp, tn = validate.confusion(tp, fn, fp, tn)
        table = whole_numbers(np.array([fp, tp, fp + tn, tp + fn]))
        return cls._from_crisp(table[:1], table[1:2], np.array([np.nan]), table[3].item(), table[2].item(), name)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
    ) -> RocCurve:
        """Return one crisp classifier from true and predicted labels, between the trivial classifiers.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,)
            Two classes in the same coding; all predictions may be of one class.
        sample_weight : array of shape (n,), optional
            Not negative; whole numbers mean repetitions.
        pos_label : optional
            The label to detect.

        Examples
        --------
        >>> import isocost as ic
        >>> curve = ic.RocCurve.from_predictions([1, 1, 0, 0, 0], [1, 0, 0, 1, 0])
        >>> ic.cost_curve(curve, method="fixed")([0.0, 0.5]).round(4).tolist()
        [0.3333, 0.4167]
        """
        validate.aligned(y_true=y_true, y_pred=y_pred, sample_weight=sample_weight)
        positive, flagged = validate.predictions(y_true, y_pred, pos_label)
        weights = validate.weights(sample_weight, positive)
        mass = np.ones(positive.size) if weights is None else weights
        cells = [float(mass[hit & said].sum()) for hit in (positive, ~positive) for said in (flagged, ~flagged)]
        tp, fn, fp, tn = cells
        return cls.from_confusion(tp, fn, fp, tn, name=name)

    @classmethod
    def _from_crisp(
        cls, fp: NDArray[Any], tp: NDArray[Any], thresholds: Floats,
        positives: float | None, negatives: float | None, name: str | None,
    ) -> RocCurve:  # fmt: skip
        top = (1 if negatives is None else negatives, 1 if positives is None else positives)
        order = np.lexsort((tp, fp))
        fp, tp, thresholds = fp[order], tp[order], thresholds[order]
        given = np.ones(fp.size, dtype=np.bool_)
        if fp[0] != 0 or tp[0] != 0:
            fp, tp = np.concatenate([[0], fp]), np.concatenate([[0], tp])
            thresholds, given = np.concatenate([[np.inf], thresholds]), np.concatenate([[False], given])
        if fp[-1] != top[0] or tp[-1] != top[1]:
            fp, tp = np.concatenate([fp, top[:1]]), np.concatenate([tp, top[1:]])
            thresholds, given = np.concatenate([thresholds, [-np.inf]]), np.concatenate([given, [False]])
        return cls._made(fp, tp, thresholds, positives, negatives, name, given)

    @classmethod
    def from_distributions(cls, positive: Any, negative: Any, *, name: str | None = None) -> ContinuousRocCurve:
        """Return the continuous curve of two score distributions (frozen `scipy.stats`), such as two normals.

        Examples
        --------
        >>> import isocost as ic
        >>> from scipy import stats
        >>> curve = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
        >>> round(ic.auc(curve), 6)
        0.76025
        """
        return cls._made_of_distributions(positive, negative, name)

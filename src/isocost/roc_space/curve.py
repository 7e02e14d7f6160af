"""RocCurve: the operating points of a classifier, and the hull of those worth using."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.counts import ScoreCounts
from isocost.engines.count_table import cumulated
from isocost.errors import InexactError, InputError
from isocost.geometry.hull import upper_hull
from isocost.ranking.distinct_scores import whole_numbers
from isocost.ranking.hull_of_rows import hull_of_rows
from isocost.ranking.sorting import sort_scores
from isocost.results.doors import Bounded, Drawn
from isocost.roc_space import inexact
from isocost.roc_space.calibration import Calibrator
from isocost.roc_space.on_demand import OnDemand
from isocost.roc_space.totals import counts_of, whole_total
from isocost.roc_space.vertex import Vertex
from isocost.validate import Bools, Floats

if TYPE_CHECKING:
    from isocost.roc_space.parametric import ContinuousRocCurve


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(OnDemand, Drawn, Bounded):
    """Operating points from (0, 0) to (1, 1); a case is flagged when its score ≥ the threshold.

    Build one with a class method. The trivial classifiers, which flag nobody and everybody, are always the ends.

    Attributes
    ----------
    fp, tp : ndarray
        Cases flagged wrongly and rightly at each threshold (rates if the class totals are unknown).
    thresholds : ndarray
        Descending; the first is +inf. NaN for points given without thresholds.
    positives, negatives : float or None
        Class totals, or None if unknown.
    name : str or None
    upper : ndarray or None
        Of counts in buckets: the highest score that each point adds to the one before, where `thresholds` is the lowest.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> curve
    <RocCurve 'demo': 6 points, 4 on the hull, 3 positives, 2 negatives>
    """

    _display = "RocDisplay"
    # Set by parametric.py, which builds on this class.
    _continuous: ClassVar[type[ContinuousRocCurve]]

    fp: NDArray[Any]
    tp: NDArray[Any]
    thresholds: Floats
    positives: float | None = None
    negatives: float | None = None
    name: str | None = None
    # False for the trivial ends that isocost added.
    # Made by a factory, so that the class has no attribute of this name and `__getattr__` is asked.
    _given: Bools | None = field(default_factory=lambda: None)
    upper: Floats | None = None

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

        The rows are sorted, and the points laid out only when they are asked for: hull, area and costs need no more.
        """
        if sample_weight is not None:
            counts = ScoreCounts.from_arrays(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
            return cls.from_counts(counts, name=name)
        positive = validate.labels(y_true, pos_label)
        scores = validate.scores(y_score)
        validate.same_length(y_true=positive, y_score=scores)
        curve = RocCurve.__new__(RocCurve)
        curve._hold(sort_scores(positive, scores), name)
        return curve

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

        scores = scores_of(estimator, X, pos_label, response_method)
        title = type(estimator).__name__ if name is None else name
        return cls.from_scores(y, scores, sample_weight=sample_weight, pos_label=pos_label, name=title)

    @classmethod
    def from_counts(cls, counts: ScoreCounts, *, name: str | None = None) -> RocCurve:
        """Return the curve of a table of counts per score.

        Of counts in buckets it holds the points at the buckets' ends, which are certain. Whatever needs the points between
        raises an `InexactError`, unless they cannot matter; `bounds` tells what a measure lies between.
        """
        for label, column in (("positives", counts.positives), ("negatives", counts.negatives)):
            if not column.sum() > 0:
                raise InputError(f"{label} sum to 0 in the counts: at least one positive and one negative are needed")
        fp, tp = cumulated(counts.negatives), cumulated(counts.positives)
        given = np.ones(fp.size, dtype=np.bool_)
        given[[0, -1]] = False
        thresholds = np.concatenate([[np.inf], counts.scores])
        upper = None if counts.upper is None else np.concatenate([[np.inf], counts.upper])
        return RocCurve(fp, tp, thresholds, tp[-1].item(), fp[-1].item(), name, given, upper)

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
        """Return any set of crisp classifiers as points; the trivial classifiers are added as ends.

        Parameters
        ----------
        fpr, tpr : array of shape (k,)
            Rates in [0, 1], in any order.
        thresholds : array of shape (k,), optional
            One per point, kept beside it.
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
        return RocCurve(fp, tp, thresholds, positives, negatives, name, given)

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
        return cls._continuous.build(positive, negative, name)

    @cached_property
    def fpr(self) -> Floats:
        """Share of negatives flagged at each threshold."""
        return np.asarray(self.fp / self.fp[-1], dtype=np.float64)

    @cached_property
    def tpr(self) -> Floats:
        """Share of positives flagged at each threshold."""
        return np.asarray(self.tp / self.tp[-1], dtype=np.float64)

    @property
    def prevalence(self) -> float | None:
        """Share of positives in the data, None if the class totals are unknown."""
        if self.positives is None or self.negatives is None:
            return None
        return self.positives / (self.positives + self.negatives)

    def _prevalence_or(self, prevalence: float | None) -> float:
        """Return the prevalence given, else the data's own, else say that one is needed."""
        if prevalence is not None:
            return validate.number(prevalence, "prevalence", low=0.0, high=1.0)
        if self.prevalence is None:
            raise InputError("the prevalence is unknown (the curve has no class totals): pass prevalence=")
        return self.prevalence

    @property
    def exact(self) -> bool:
        """Whether every operating point is known; not so for counts in buckets."""
        return self.upper is None

    @cached_property
    def _pessimistic(self) -> RocCurve:
        """The lowest curve that the buckets allow: negatives at a bucket's highest score, positives at its lowest; itself if exact."""
        return inexact.split(self, positives_first=False)

    @cached_property
    def _optimistic(self) -> RocCurve:
        """The highest curve that the buckets allow: positives at a bucket's highest score, negatives at its lowest; itself if exact."""
        return inexact.split(self, positives_first=True)

    @cached_property
    def hull_is_exact(self) -> bool:
        """Whether no bucket can hide a vertex of the hull, so that all that follows from the hull is exact."""
        return self.exact or inexact.hull_is_exact(self, self._hull_index)

    @property
    def _is_path(self) -> bool:
        """Whether the points form one monotone path, as thresholds on a score do."""
        return self._rows_given is not None or bool(np.all(self.tp[1:] >= self.tp[:-1]))

    def _require_exact(self, what: str) -> None:
        """Raise unless every operating point is known, saying what needs them."""
        if not (self.exact or inexact.no_width(self)):
            raise InexactError(what)

    def _require_path(self) -> None:
        """Raise unless the points form one monotone path, all of it known."""
        self._require_exact("a number that follows from every point of the curve")
        if not self._is_path:
            raise InputError(
                "the points are crisp classifiers that form no monotone path: use curve.hull instead, which is one"
            )

    @cached_property
    def _hull_index(self) -> NDArray[np.intp]:
        exact = self.fp.dtype.kind == "i" and self.tp.dtype.kind == "i"
        return upper_hull(self.fp, self.tp) if exact else upper_hull(self.fpr, self.tpr)

    @cached_property
    def hull(self) -> RocCurve:
        """The vertices of the upper convex hull, as a curve: the operating points that are cheapest somewhere."""
        if not (self.exact or self.hull_is_exact):
            raise InexactError("the hull, and every cost that follows from it,")
        return self._inner_hull

    @cached_property
    def _inner_hull(self) -> RocCurve:
        """The hull of the points that are certain, all of which can be used; `_optimistic.hull` is as far as it may reach."""
        rows = self._sorted_rows
        if rows is not None:
            fp, tp, thresholds = hull_of_rows(rows)
            inner = np.ones(fp.size, dtype=np.bool_)
            inner[0] = inner[-1] = False
            return RocCurve(fp, tp, thresholds, self.positives, self.negatives, self.name, inner)
        i = self._hull_index
        given = None if self._given is None else self._given[i]
        return RocCurve(self.fp[i], self.tp[i], self.thresholds[i], self.positives, self.negatives, self.name, given)

    @cached_property
    def switch_t(self) -> Floats:
        """The values of t, ascending, at which the cheapest vertex changes: one per edge of the hull."""
        hull = self.hull
        rise = (hull.tp[1:] - hull.tp[:-1])[::-1] * float(hull.fp[-1])
        run = (hull.fp[1:] - hull.fp[:-1])[::-1] * float(hull.tp[-1])
        return np.asarray(rise / (rise + run), dtype=np.float64)

    @property
    def vertices(self) -> list[Vertex]:
        """The hull's vertices from (0, 0) to (1, 1), each with the interval of t on which it is cheapest."""
        hull = self.hull
        ends = np.concatenate([[0.0], self.switch_t, [1.0]])[::-1]
        counted = self.positives is not None
        return [
            Vertex(x, y, cut, t_low, t_high, fp if counted else None, tp if counted else None)
            for x, y, cut, t_low, t_high, fp, tp in zip(
                hull.fpr.tolist(), hull.tpr.tolist(), hull.thresholds.tolist(),
                ends[1:].tolist(), ends[:-1].tolist(), hull.fp.tolist(), hull.tp.tolist(), strict=True,
            )
        ]  # fmt: skip

    def _best_vertex(self, t: Floats) -> NDArray[np.intp]:
        """Return, for each t, the index into `hull` of the cheapest vertex; at a switch, the one with fewer flagged."""
        return self.switch_t.size - np.searchsorted(self.switch_t, t, side="right")

    def optimal_cost(self, t: ArrayLike) -> Floats:
        """Return the normalised cost at each t with the threshold that is best there."""
        t = np.asarray(t, dtype=np.float64)
        best = self._best_vertex(t)
        return np.asarray(t * self.hull.fpr[best] + (1 - t) * (1 - self.hull.tpr[best]))

    def _points_at(self, thresholds: ArrayLike) -> NDArray[np.intp]:
        """Return, for each threshold, the index of the point that flags exactly the scores ≥ it."""
        if np.isnan(self.thresholds).any():
            raise InputError(
                "the curve's points have no thresholds: build it with from_scores, or from_points(thresholds=)"
            )
        # Thresholds descend: the last distinct score that is still ≥ the cut.
        cuts = np.asarray(thresholds, dtype=np.float64)
        at = np.searchsorted(-self.thresholds, -cuts, side="right") - 1
        inexact.check_cuts(self, cuts, at)
        return at

    def calibrator(self, *, prevalence: float | None = None) -> Calibrator:
        """Return the map from scores to probabilities that the hull defines (isotonic; pool adjacent violators).

        Parameters
        ----------
        prevalence : float, optional
            Where the probabilities will be used; the data's own by default.

        Examples
        --------
        >>> import isocost as ic
        >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
        >>> curve.calibrator()([9, 7.5, 7, 6, 4]).tolist()
        [1.0, 0.5, 0.5, 0.5, 0.0]
        """
        return Calibrator.of(self.hull, self._prevalence_or(prevalence), given=prevalence is not None)

    def _with_points(self, fp: NDArray[Any], tp: NDArray[Any], thresholds: Floats, given: Bools | None) -> RocCurve:
        """Return the curve of other points of the same cases, all of them certain."""
        return RocCurve(fp, tp, thresholds, self.positives, self.negatives, self.name, given)

    def _bare(self) -> tuple[Floats, Floats]:
        """Return fpr and tpr of the points themselves, without the trivial ends that isocost added."""
        mask = slice(None) if self._given is None else self._given
        return self.fpr[mask], self.tpr[mask]

    def _renamed(self, name: str | None) -> RocCurve:
        """Return the same curve under another name."""
        if self._sorted_rows is None:
            return replace(self, name=name)
        curve = RocCurve.__new__(RocCurve)
        vars(curve).update(vars(self) | {"name": name})
        for hull in ("hull", "_inner_hull"):  # they bear the name too
            vars(curve).pop(hull, None)
        return curve

    def __len__(self) -> int:
        """Return the number of points, trivial ends included."""
        rows = self._sorted_rows
        return int(self.fp.size) if rows is None else rows.distinct + 1

    def _shown(self) -> dict[str, Any]:
        return {"cheapest for some t": self.vertices} if self.hull_is_exact else {"bounds of auc": self.bounds("auc")}

    def __repr__(self) -> str:
        """Say what the curve holds."""
        title = "RocCurve" if self.name is None else f"RocCurve {self.name!r}"
        on_hull = f"{len(self.hull)} on the hull" if self.hull_is_exact else "hull known within bounds"
        cases = "" if self.positives is None else f", {self.positives:.12g} positives, {self.negatives:.12g} negatives"
        return f"<{title}: {len(self)} points, {on_hull}{cases}>"

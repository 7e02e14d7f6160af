"""RocCurve: the operating points of a classifier, and the hull of those worth using."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.errors import InputError
from isocost.geometry.hull import upper_hull
from isocost.numbers import counted
from isocost.ranking.hull_of_rows import hull_of_rows
from isocost.ranking.sorted_keys import SortedKeys
from isocost.ranking.split_scores import SplitScores
from isocost.ranking.tied_scores import TiedScores
from isocost.results import Columns, Drawn
from isocost.roc_space import resolution
from isocost.roc_space.building import FromData
from isocost.roc_space.calibration import Calibrator
from isocost.roc_space.on_demand import OnDemand
from isocost.roc_space.vertex import Vertex
from isocost.validate import Bools, Floats

if TYPE_CHECKING:
    from isocost.roc_space.parametric import ContinuousRocCurve
    from isocost.roc_space.smoothing import Smoothed


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(FromData, OnDemand, Drawn):
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
        For counts in buckets: the highest score that each point adds to the one before; `thresholds` holds the lowest. A bucket
        is one tied score: its end is a threshold, its inside is not.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> curve
    <RocCurve 'demo': 6 points, 4 on the hull, 3 positives, 2 negatives>
    """

    _display = "RocDisplay"
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
    def _made(
        cls, fp: NDArray[Any], tp: NDArray[Any], thresholds: Floats, positives: float | None, negatives: float | None,
        name: str | None, given: Bools | None, upper: Floats | None = None,
    ) -> RocCurve:  # fmt: skip
        return RocCurve(fp, tp, thresholds, positives, negatives, name, given, upper)

    @classmethod
    def _made_of_rows(cls, rows: SortedKeys | SplitScores | TiedScores, name: str | None) -> RocCurve:
        curve = RocCurve.__new__(RocCurve)
        curve._hold(rows, name)
        return curve

    @classmethod
    def _made_of_distributions(cls, positive: Any, negative: Any, name: str | None) -> ContinuousRocCurve:
        from isocost.roc_space.parametric import ContinuousRocCurve

        return ContinuousRocCurve.build(positive, negative, name)

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
        """Share of positives in the data; None if the class totals are unknown."""
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

    @cached_property
    def resolution(self) -> float:
        """How much normalised cost finer thresholds could save at most, at any costs.

        Above 0 only if scores were counted in buckets and one of these could hide a vertex of the hull.
        """
        return resolution.of_costs(self)

    @cached_property
    def resolution_of_area(self) -> float:
        r"""How far apart the areas are that the scores inside the buckets allow; AUC counts a bucket as ties, in the middle.

        .. math:: \sum_b \frac{p_b n_b}{P N}
        """
        return resolution.of_area(self)

    @property
    def _is_path(self) -> bool:
        """Whether the points form one monotone path, as thresholds on a score do."""
        return self._rows_given is not None or bool(np.all(self.tp[1:] >= self.tp[:-1]))

    def _require_path(self) -> None:
        """Raise unless the points form one monotone path."""
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

    def _choice_at(self, t: float) -> int:
        """Return the vertex of the hull to choose at t: the cheapest, and where one kind of error costs nothing the trivial one."""
        return len(self.hull) - 1 if t <= 0 else int(self._best_vertex(np.asarray(t)))

    def optimal_cost(self, t: ArrayLike) -> Floats:
        """Return the normalised cost at each t with the threshold that is best there."""
        t = validate.rates(t, "t")
        best = self._best_vertex(t)
        return np.asarray(t * self.hull.fpr[best] + (1 - t) * (1 - self.hull.tpr[best]))

    def _points_at(self, thresholds: ArrayLike) -> NDArray[np.intp]:
        """Return, for each threshold, the index of the point that flags exactly the scores ≥ it."""
        cuts = np.asarray(thresholds, dtype=np.float64)
        if np.isnan(self.thresholds).any():
            raise InputError(
                "the curve's points have no thresholds: build it with from_scores, or from_points(thresholds=)"
            )
        # Thresholds descend: the last distinct score that is still ≥ the cut.
        at = np.searchsorted(-self.thresholds, -cuts, side="right") - 1
        resolution.check_cuts(self, cuts, at)
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

    @cached_property
    def _smoothed(self) -> Smoothed:
        """The smooth risk of the cases."""
        from isocost.roc_space.smoothing import Smoothed

        return Smoothed.of(self)

    @cached_property
    def _modelled(self) -> RocCurve:
        from isocost.roc_space.smoothing import modelled

        fit = self._smoothed
        if fit.weights is None:
            return self
        fpr, tpr = modelled(np.diff(fit.flagged, prepend=0.0), fit.risk(fit.thresholds))
        return RocCurve(fpr, tpr, self.thresholds, None, None, self.name)

    def smooth(self) -> RocCurve:
        """Return the rates that a smooth risk curve gives at the thresholds that were seen.

        Its cheapest thresholds are those of `method="smooth"`. Where the cases speak for steps in the risk, or are too few (10 of each
        class, 3 distinct scores), the curve itself is returned.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> y_true, scores = load_german_credit_predictions()
        >>> curve = ic.RocCurve.from_scores(y_true, scores["random_forest"])
        >>> smooth = curve.smooth()
        >>> len(smooth) == len(curve), len(smooth.hull) > len(curve.hull)
        (True, True)
        """
        return self._modelled

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
        vars(curve).pop("hull", None)  # it bears the name too
        return curve

    def __len__(self) -> int:
        """Return the number of points, trivial ends included."""
        rows = self._sorted_rows
        return int(self.fp.size) if rows is None else rows.distinct + 1

    def _columns(self) -> Columns:
        rates = {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}
        counts = {} if self.positives is None else {"fp": self.fp, "tp": self.tp}
        return rates | counts | ({} if self.upper is None else {"upper": self.upper})

    def __getstate__(self) -> dict[str, Any]:
        """Lay the points out, leave the rows and all that is derived behind, and tell counts by their steps, which are small."""
        state = {"fp": self.fp} | vars(self)
        derived = {name for name in state if isinstance(getattr(type(self), name, None), cached_property)}
        kept = {name: value for name, value in state.items() if name not in derived | {"_rows"}}
        steps = {name: np.diff(kept.pop(name), prepend=0) for name in ("fp", "tp") if kept[name].dtype.kind == "i"}
        return kept | {"_steps": {name: step.astype(np.min_scalar_type(step.max())) for name, step in steps.items()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Add the steps up again."""
        steps = state.pop("_steps")
        vars(self).update(state | {name: np.cumsum(step, dtype=np.int64) for name, step in steps.items()})

    def _shown(self) -> dict[str, Any]:
        return {"cheapest for some t": self.vertices}

    def __repr__(self) -> str:
        """Say what the curve holds."""
        title = "RocCurve" if self.name is None else f"RocCurve {self.name!r}"
        cases = (
            ""
            if self.positives is None or self.negatives is None
            else f", {counted(self.positives, 'positive')}, {counted(self.negatives, 'negative')}"
        )
        return f"<{title}: {counted(len(self), 'point')}, {len(self.hull)} on the hull{cases}>"

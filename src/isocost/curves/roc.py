"""RocCurve: the operating points of a classifier, and the hull of those worth using."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented, documented_by
from isocost.curves.hull import reaching, upper_hull
from isocost.curves.sort import SortedRows, sort_scores, whole_numbers
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.data.count import cumulated
from isocost.data.counts import ScoreCounts
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.results import Columns, Drawn, Result

if TYPE_CHECKING:
    from isocost.curves.smooth import Smoothed

# The points that locate an optimum of a continuous curve; each one is then refined to the precision of float64.
_POINTS = 2001

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Vertex(Result):
    """A vertex of the hull: an operating point that is cheapest for every t in [t_low, t_high].

    Attributes
    ----------
    fpr, tpr : float
    threshold : float
        Flag a case when its score is at least this; NaN for a point without a threshold.
    t_low, t_high : float
    fp, tp : float or None
        Cases flagged wrongly and rightly; None if the class totals are unknown.
    """

    fpr: float
    tpr: float
    threshold: float
    t_low: float
    t_high: float
    fp: float | None
    tp: float | None

    @property
    def trivial(self) -> bool:
        """Whether it flags no case or every case."""
        return (self.fpr, self.tpr) in ((0.0, 0.0), (1.0, 1.0))


@documented_by(cites="Provost & Fawcett 2001")
@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Drawn):
    r"""Operating points from (0, 0) to (1, 1); a case is flagged when its score ≥ the threshold.

    Build one with a class method. The trivial classifiers, which flag no case and every case, are always the ends.

    .. math:: \mathrm{fpr} = \mathrm{fp}/N, \quad \mathrm{tpr} = \mathrm{tp}/P

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

    See Also
    --------
    cost_curve : the same classifier in cost space.
    isocost.auc, isocost.voros : numbers that sum it up.

    Examples
    --------
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
    # Whether isocost added the first and the last point, which are trivial.
    _added: tuple[bool, bool] = (False, False)
    upper: Floats | None = None

    def __post_init__(self) -> None:
        """Check the name."""
        if self.name is not None:
            checks.text(self.name, "name")

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
        """Return the curve of labels and scores.

        The rows are only sorted at first: points are laid out when they are read, since hull, area and costs do not need them.

        Parameters
        ----------
        y_score : array of shape (n,)
            The higher, the more likely positive; any scale.
        name : str, optional
        """
        if sample_weight is not None:
            counts = ScoreCounts.from_arrays(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
            return cls.from_counts(counts, name=name)
        checks.aligned(y_true=y_true, y_score=y_score)
        positive = checks.labels(y_true, pos_label)
        scores = checks.scores(y_score)
        checks.same_length(y_true=positive, y_score=scores)
        rows = sort_scores(positive, scores)
        if not isinstance(rows, SortedRows):
            thresholds, fp, tp = rows
            return RocCurve(fp, tp, thresholds, int(tp[-1]), int(fp[-1]), name, (True, True))
        curve = RocCurve.__new__(RocCurve)
        vars(curve).update(
            _rows=rows, positives=rows.positives, negatives=rows.negatives, name=name, _added=(True, True)
        )
        curve.__post_init__()
        return curve

    @classmethod
    def from_counts(cls, counts: ScoreCounts, *, name: str | None = None) -> RocCurve:
        """Return the curve of a table of counts per score.

        A bucket of scores counts as one tied score: its end is a threshold. `resolution` says how much finer ones could save.
        """
        checks.instance(counts, "counts", ScoreCounts, "ScoreCounts (from_scores takes labels and scores)")
        checks.both_classes(counts.positives.sum(), counts.negatives.sum(), "the table of counts")
        if counts.unlabelled is not None:
            # Scores that only unlabelled cases have are not points of the curve.
            known = counts.positives + counts.negatives > 0
            ends = None if counts.upper is None else counts.upper[known]
            counts = ScoreCounts(counts.scores[known], counts.positives[known], counts.negatives[known], ends)
        positives, negatives = checks.in_range(counts.positives, counts.negatives)
        upper = None if counts.upper is None else np.append(np.inf, counts.upper)
        totals = (cumulated(counts.positives)[-1].item(), cumulated(counts.negatives)[-1].item())
        path = (cumulated(negatives), cumulated(positives), np.append(np.inf, counts.scores))
        return RocCurve(*path, *totals, name, (True, True), upper)

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
        name : str, optional
        """
        x, y = (checks.vector(np.atleast_1d(checks.rates(v, n)), n) for v, n in ((fpr, "fpr"), (tpr, "tpr")))
        given = np.full(x.size, np.nan) if thresholds is None else np.atleast_1d(thresholds)
        cut = given if thresholds is None else np.asarray(checks.scores(given, "thresholds"), dtype=np.float64)
        checks.same_length(fpr=x, tpr=y, thresholds=cut)
        if not checks.together("give both class totals or none", positives=positives, negatives=negatives):
            return cls._from_crisp(x, y, cut, None, None, name)
        positives, negatives = (_whole_total(v, n) for v, n in ((positives, "positives"), (negatives, "negatives")))
        fp, tp = _counts_of(x, negatives), _counts_of(y, positives)
        both = np.result_type(fp, tp)
        return cls._from_crisp(fp.astype(both), tp.astype(both), cut, positives, negatives, name)

    @classmethod
    def from_confusion(cls, tp: float, fn: float, fp: float, tn: float, *, name: str | None = None) -> RocCurve:
        """Return one crisp classifier from its confusion matrix, between the trivial classifiers."""
        tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
        table = whole_numbers(np.array([fp, tp, fp + tn, tp + fn]))
        return cls._from_crisp(table[:1], table[1:2], np.array([np.nan]), table[3].item(), table[2].item(), name)

    @classmethod
    def _from_crisp(
        cls, fp: NDArray[Any], tp: NDArray[Any], thresholds: Floats,
        positives: float | None, negatives: float | None, name: str | None,
    ) -> RocCurve:  # fmt: skip
        last = [1 if total is None else total for total in (negatives, positives)]
        order = np.lexsort((tp, fp))
        fp, tp, thresholds = fp[order], tp[order], thresholds[order]
        added = bool(fp[0] != 0 or tp[0] != 0), bool(fp[-1] != last[0] or tp[-1] != last[1])
        ends = zip((0, 0, np.inf), (fp, tp, thresholds), (*last, -np.inf), strict=True)
        fp, tp, thresholds = (
            np.concatenate([[a][: added[0]], column, [b][: added[1]]]).astype(column.dtype) for a, column, b in ends
        )
        return RocCurve(fp, tp, thresholds, positives, negatives, name, added)

    @classmethod
    def from_distributions(cls, positive: Any, negative: Any, *, name: str | None = None) -> ContinuousRocCurve:
        """Return the continuous curve of two score distributions (frozen `scipy.stats`), such as two normals.

        Parameters
        ----------
        positive, negative : frozen `scipy.stats` distribution
            Of the scores of each class.
        name : str, optional

        Examples
        --------
        >>> from scipy import stats
        >>> curve = ic.RocCurve.from_distributions(stats.norm(1, 1), stats.norm(0, 1))
        >>> round(ic.auc(curve), 6)
        0.76025
        """
        for label, dist in (("positive", positive), ("negative", negative)):
            checks.distribution(dist, label, ("pdf", "cdf", "sf", "ppf"), "stats.norm(1, 1)", error=InputError)
        # Equal steps of the logit of each class's distribution function reach from 1e-16 to 1 - 1e-16.
        share = 1 / (1 + np.exp(-np.linspace(-36.5, 36.5, _POINTS)))
        cuts = np.unique(np.concatenate([positive.ppf(share), negative.ppf(share)]))[::-1]
        cuts = cuts[np.isfinite(cuts)]
        fpr, tpr = (np.concatenate([[0.0], dist.sf(cuts), [1.0]]) for dist in (negative, positive))
        thresholds = np.concatenate([[np.inf], cuts, [-np.inf]])
        return ContinuousRocCurve(fpr, tpr, thresholds, name=name, positive=positive, negative=negative)

    def __getattr__(self, name: str) -> Any:
        """Lay the points out from sorted rows when they are first read."""
        if name not in ("fp", "tp", "thresholds") or "_rows" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        thresholds, fp, tp = vars(self)["_rows"].points()
        vars(self).update(thresholds=thresholds, fp=fp, tp=tp)
        return vars(self)[name]

    def __dir__(self) -> list[str]:
        """Name the points also before they are laid out."""
        return [*super().__dir__(), "fp", "tp", "thresholds"]

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

    @property
    def _mixed(self) -> NDArray[np.intp]:
        """Which points add several scores of both classes: the order of these is not known."""
        if self.upper is None:
            return np.zeros(0, dtype=np.intp)
        both = (self.fp[1:] > self.fp[:-1]) & (self.tp[1:] > self.tp[:-1])
        return np.flatnonzero(both & (self.upper[1:] > self.thresholds[1:])) + 1

    @cached_property
    def resolution(self) -> float:
        """How much normalised cost finer thresholds could save at most, at any costs.

        Above 0 only if scores were counted in buckets and one of these could hide a vertex of the hull: the largest gap between the
        lower envelopes of the buckets' ends and of these with the best corner of each bucket. Both are straight between the switches of
        either, so the largest gap is at one of them.
        """
        at = self._mixed
        if whole_counts(self):
            # Whole numbers tell exactly whether a corner is above the hull.
            at = at[reaching(self.fp, self.tp, self._hull_index)[at - 1]]
        if not at.size:
            return 0.0
        corners = np.insert(self.fpr, at, self.fpr[at - 1]), np.insert(self.tpr, at, self.tpr[at])
        finer = RocCurve(*corners, np.full(corners[0].size, np.nan))
        t = np.concatenate([self.switches, finer.switches])
        return float(np.max(self.optimal_cost(t) - finer.optimal_cost(t), initial=0.0))

    @cached_property
    def resolution_of_area(self) -> float:
        r"""How far apart the areas are that the scores inside the buckets allow; AUC counts a bucket as ties, in the middle.

        .. math:: \sum_b \frac{p_b n_b}{P N}
        """
        at = self._mixed
        return float(np.sum((self.fpr[at] - self.fpr[at - 1]) * (self.tpr[at] - self.tpr[at - 1])))

    @cached_property
    def _hull_index(self) -> NDArray[np.intp]:
        return upper_hull(self.fp, self.tp) if whole_counts(self) else upper_hull(self.fpr, self.tpr)

    @cached_property
    def hull(self) -> RocCurve:
        """The vertices of the upper convex hull, as a curve: the operating points that are cheapest somewhere."""
        rows = sorted_rows(self)
        path = (self.fp, self.tp, self.thresholds) if rows is None else rows.hull()
        some: Any = self._hull_index if rows is None else slice(None)
        fp, tp, thresholds = (part[some] for part in path)
        return RocCurve(fp, tp, thresholds, self.positives, self.negatives, self.name, self._added)

    @cached_property
    def switches(self) -> Floats:
        r"""The values of t, ascending, at which the cheapest vertex changes: one per edge of the hull.

        .. math:: t = \frac{\Delta\mathrm{tpr}}{\Delta\mathrm{tpr} + \Delta\mathrm{fpr}}
        """
        hull = self.hull
        rise = (hull.tp[1:] - hull.tp[:-1])[::-1] * float(hull.fp[-1])
        run = (hull.fp[1:] - hull.fp[:-1])[::-1] * float(hull.tp[-1])
        return np.asarray(rise / (rise + run), dtype=np.float64)

    @property
    def vertices(self) -> list[Vertex]:
        """The hull's vertices from (0, 0) to (1, 1), each with the interval of t on which it is cheapest."""
        hull = self.hull
        ends = np.concatenate([[0.0], self.switches, [1.0]])[::-1]
        columns = [hull.fpr, hull.tpr, hull.thresholds, ends[1:], ends[:-1], hull.fp, hull.tp]
        rows = zip(*(column.tolist() for column in columns), strict=True)
        known = self.positives is not None
        return [Vertex(*row[:5], *(row[5:] if known else (None, None))) for row in rows]

    def optimal_cost(self, t: ArrayLike) -> Floats:
        r"""Return the normalised cost at each t with the threshold that is best there.

        .. math:: \min_i \; t \cdot \mathrm{fpr}_i + (1-t)(1-\mathrm{tpr}_i)
        """
        t = checks.rates(t, "t")
        best = best_vertex(self, t)
        return np.asarray(t * self.hull.fpr[best] + (1 - t) * (1 - self.hull.tpr[best]))

    def calibrator(self, *, prevalence: float | None = None) -> Calibrator:
        """Return the map from scores to probabilities that the hull defines (isotonic; pool adjacent violators).

        Parameters
        ----------
        prevalence : float, optional
            Where the probabilities will be used; the data's own by default.

        Examples
        --------
        >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
        >>> curve.calibrator()([9, 7.5, 7, 6, 4]).tolist()
        [1.0, 0.5, 0.5, 0.5, 0.0]
        """
        hull, pi = self.hull, prevalence_or(self, prevalence)
        cuts, ups, downs = known_thresholds(hull)[1:], np.diff(hull.tp), np.diff(hull.fp)
        if prevalence is not None:
            ups, downs = pi * np.diff(hull.tpr), (1 - pi) * np.diff(hull.fpr)
        # A class that does not occur takes no share, even of a step that holds nothing else.
        shares = np.full(ups.size, pi) if pi in (0.0, 1.0) else np.asarray(ups / (ups + downs), dtype=np.float64)
        return Calibrator(cuts, shares, pi)

    @cached_property
    def _smoothed(self) -> tuple[Smoothed, RocCurve]:
        """The smooth risk of the cases, and the curve of its rates."""
        from isocost.curves.smooth import Smoothed

        if self.positives is None or np.isnan(self.thresholds).any() or not is_path(self):
            raise InputError(
                f"method='smooth' needs the cases: {self.name or 'the curve'} is made of points without them"
            )
        fit = Smoothed.of(self)
        rates = fit.rates()
        return fit, self if rates is None else RocCurve(*rates, self.thresholds, None, None, self.name)

    def smooth(self) -> RocCurve:
        """Return the rates that a smooth risk curve gives at the thresholds that were seen.

        Its cheapest thresholds are those of `method="smooth"`. Where the cases support steps in the risk, or are too few (10 of each
        class, 3 distinct scores), the curve itself is returned.

        Examples
        --------
        >>> y_true, scores = load_german_credit_predictions()
        >>> curve = ic.RocCurve.from_scores(y_true, scores["random_forest"])
        >>> smooth = curve.smooth()
        >>> len(smooth) == len(curve), len(smooth.hull) > len(curve.hull)
        (True, True)
        """
        return self._smoothed[1]

    def __len__(self) -> int:
        rows = sorted_rows(self)
        return int(self.fp.size) if rows is None else rows.distinct + 1

    def _columns(self) -> Columns:
        rates = {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}
        counts = {} if self.positives is None else {"fp": self.fp, "tp": self.tp}
        return rates | counts | ({} if self.upper is None else {"upper": self.upper})

    def __getstate__(self) -> dict[str, Any]:
        """Lay the points out, and leave the rows and all that is derived behind."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    def _shown(self) -> dict[str, Any]:
        return {"cheapest for some t": self.vertices}

    def __repr__(self) -> str:
        title = "RocCurve" if self.name is None else f"RocCurve {self.name!r}"
        totals = [] if self.positives is None else [(self.positives, "positive"), (self.negatives or 0, "negative")]
        cases = "".join(f", {counted(many, what)}" for many, what in totals)
        return f"<{title}: {counted(len(self), 'point')}, {len(self.hull)} on the hull{cases}>"


def _whole_total(value: Any, name: str) -> float:
    """Return a class total, an int if it is whole."""
    total = checks.positive(checks.count(value, name), name)
    return int(total) if total == math.floor(total) else total


def _counts_of(rates: Floats, total: float) -> NDArray[Any]:
    """Return whole counts if every rate is one over the total up to rounding, else plain products."""
    product = rates * total
    nearest = np.rint(product)
    if isinstance(total, int) and np.all(np.abs(product - nearest) <= 4 * np.finfo(float).eps * np.maximum(product, 1)):
        return nearest.astype(np.int64)
    return product


def prevalence_or(curve: RocCurve, prevalence: float | None) -> float:
    """Return the prevalence given, else the data's own, else say that one is needed."""
    if prevalence is not None:
        return checks.number(prevalence, "prevalence", low=0.0, high=1.0)
    return checks.needed(
        curve.prevalence, "the prevalence is unknown (the curve has no class totals): pass prevalence="
    )


def sorted_rows(curve: RocCurve) -> SortedRows | None:
    """Return the rows of a curve from scores, until its points are laid out."""
    return None if "fp" in vars(curve) else vars(curve).get("_rows")


def whole_counts(curve: RocCurve) -> bool:
    """Return whether the points are whole numbers of cases, which compare exactly."""
    return bool(curve.fp.dtype.kind == curve.tp.dtype.kind == "i")


def is_path(curve: RocCurve) -> bool:
    """Return whether the points form one monotone path, as thresholds on a score do."""
    return "_rows" in vars(curve) or bool(np.all(curve.tp[1:] >= curve.tp[:-1]))


def require_path(curve: RocCurve) -> None:
    """Raise unless the points form one monotone path."""
    if not is_path(curve):
        raise InputError(
            "the points are crisp classifiers that form no monotone path: use curve.hull instead, which is one"
        )


def best_vertex(curve: RocCurve, t: Floats) -> NDArray[np.intp]:
    """Return, for each t, the index into `hull` of the cheapest vertex; at a switch, the one with fewer flagged."""
    return curve.switches.size - np.searchsorted(curve.switches, t, side="right")


def choice_at(curve: RocCurve, t: float) -> int:
    """Return the vertex of the hull to choose at t: the cheapest, and where one kind of error costs nothing the trivial one."""
    return len(curve.hull) - 1 if t <= 0 else int(best_vertex(curve, np.asarray(t)))


def known_thresholds(curve: RocCurve, what: str = "the curve") -> Floats:
    """Return the threshold of every point."""
    if np.isnan(curve.thresholds).any():
        how = "build it with from_scores, or from_points(thresholds=)"
        raise InputError(f"{what} has points without thresholds: {how}")
    return curve.thresholds


def points_at(curve: RocCurve, thresholds: ArrayLike) -> NDArray[np.intp]:
    """Return, for each threshold, the index of the point that flags exactly the scores ≥ it; refuse one that divides a bucket."""
    cuts = np.asarray(thresholds, dtype=np.float64)
    # Thresholds descend: the last distinct score that is still ≥ the cut.
    at = np.searchsorted(-known_thresholds(curve), -cuts, side="right") - 1
    if curve.upper is not None:
        below = np.minimum(at + 1, len(curve) - 1)
        inside = (cuts > curve.thresholds[below]) & (cuts <= curve.upper[below])
        if inside.any():
            cut, place = np.atleast_1d(cuts)[first := int(np.argmax(inside))], np.atleast_1d(at)[first]
            ends = " or ".join(repr(end) for end in curve.thresholds[place : place + 2].tolist() if math.isfinite(end))
            raise InputError(
                f"threshold {cut:g} divides scores that were counted together in a bucket: "
                f"take {ends}, the ends of buckets beside it"
            )
    return at


def own_points(curve: RocCurve) -> slice:
    """Return which points are the curve's own: without the trivial ends that isocost added."""
    first, last = curve._added  # noqa: SLF001 - users have no need of it
    return slice(int(first), len(curve) - int(last))


def bare_rates(curve: RocCurve) -> tuple[Floats, Floats]:
    """Return fpr and tpr of a curve's own points."""
    own = own_points(curve)
    return curve.fpr[own], curve.tpr[own]


def renamed(curve: RocCurve, name: str | None) -> RocCurve:
    """Return the same curve under another name."""
    if sorted_rows(curve) is None:
        return replace(curve, name=name)
    found = RocCurve.__new__(RocCurve)
    vars(found).update({key: value for key, value in vars(curve).items() if key != "hull"} | {"name": name})
    return found


@dataclass(frozen=True, eq=False, repr=False)
class ContinuousRocCurve(RocCurve):
    """A curve traced by a threshold on scores with known distributions (Ratigan & Cowen, Lemmas 58-59).

    Its `fpr`, `tpr` and `thresholds` are a fine sample for drawing; costs and measures use the distributions themselves.
    Build one with `RocCurve.from_distributions`.

    Attributes
    ----------
    positive, negative : frozen `scipy.stats` distribution
        Of the scores of each class.
    """

    positive: Any = field(default=None, metadata={"data": False})
    negative: Any = field(default=None, metadata={"data": False})

    def _shown(self) -> dict[str, Any]:
        at = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
        best = self.optimal_threshold(at)
        return {"t": at, "best threshold": best, "normalised cost": self.optimal_cost(at)}

    def cost_at(self, threshold: ArrayLike, t: ArrayLike) -> Floats:
        """Return the normalised cost at t of flagging scores ≥ threshold."""
        t, threshold = checks.rates(t, "t"), checks.reals(threshold, "threshold")
        checks.same_shape(threshold=threshold, t=t)
        return np.asarray(t * self.negative.sf(threshold) + (1 - t) * self.positive.cdf(threshold))

    def optimal_threshold(self, t: ArrayLike) -> Floats:
        """Return the cheapest threshold at each t; ±inf where a trivial classifier is cheapest."""
        t = checks.rates(t, "t")
        return self._local_optimum(best_vertex(self, t), t)

    def _local_optimum(self, vertex: NDArray[np.intp], t: Floats) -> Floats:
        """Return the cheapest threshold at t near a vertex of the sampled hull: between the sample points beside it."""
        cut = self.thresholds
        best = self._hull_index[vertex]
        low, high = cut[np.minimum(best + 1, cut.size - 1)], cut[np.maximum(best - 1, 0)]
        inside = np.isfinite(low) & np.isfinite(high)
        low, high = np.where(inside, low, 0.0), np.where(inside, high, 0.0)
        turning = (self._slope(low, t) < 0) & (self._slope(high, t) > 0)
        # Where the cost stops falling.
        found = halved(low, high, lambda cut: self._slope(cut, t) < 0)
        return np.asarray(np.where(inside & turning, found, cut[best]))

    def _slope(self, threshold: Floats, t: Floats) -> Floats:
        return np.asarray((1 - t) * self.positive.pdf(threshold) - t * self.negative.pdf(threshold))

    def optimal_cost(self, t: ArrayLike) -> Floats:
        """Return the normalised cost at each t with the threshold that is best there, trivial ones included."""
        t = checks.rates(t, "t")
        return np.asarray(np.minimum(self.cost_at(self.optimal_threshold(t), t), np.minimum(t, 1 - t)))

    def rates_at(self, threshold: ArrayLike) -> tuple[Floats, Floats]:
        """Return fpr and tpr of flagging scores ≥ threshold."""
        threshold = checks.reals(threshold, "threshold")
        return np.asarray(self.negative.sf(threshold)), np.asarray(self.positive.sf(threshold))

    def tpr_at(self, fpr: ArrayLike) -> Floats:
        """Return the curve as a function of fpr: 1 - P(N⁻¹(1 - fpr))."""
        return np.asarray(self.positive.sf(self.negative.isf(checks.rates(fpr, "fpr"))))

    @property
    def _jumps(self) -> NDArray[np.intp]:
        """The edges of the sampled hull that skip points: there the curve bends inwards, and the best threshold jumps."""
        return np.flatnonzero(np.diff(self._hull_index) > 2)

    @cached_property
    def switches(self) -> Floats:
        """The values of t at which the cheapest sampled point changes; where the curve bends inwards, exactly where it jumps."""
        switch = super().switches[::-1].copy()
        # Short edges in the tails skip points by rounding alone: nothing to gain there.
        long = np.diff(self.hull.fpr) + np.diff(self.hull.tpr) > 1e-4
        edge = self._jumps[long[self._jumps]]
        if edge.size == 0:
            return switch[::-1]
        t = switch[edge]
        for _ in range(4):  # the line that touches the curve at both ends, by steps whose error squares
            x, y = self.rates_at(self._local_optimum(np.stack([edge, edge + 1]), t))
            rise, run = y[1] - y[0], x[1] - x[0]
            found = np.divide(rise, rise + run, out=t.copy(), where=rise + run > 0)
            # A switch must stay between its neighbours.
            ends = np.concatenate([[1.0], switch, [0.0]])
            t = np.where((found < ends[edge]) & (found > ends[edge + 2]), found, t)
        switch[edge] = t
        return switch[::-1]

    @cached_property
    def breaks(self) -> Floats:
        """Values of t between which the cheapest threshold moves smoothly: where the curve is not concave it jumps."""
        return self.switches[::-1][self._jumps][::-1]


def halved(low: Floats, high: Floats, beyond: Callable[[Floats], Any]) -> Floats:
    """Return where, between two ends, what holds at the lower one stops to hold, to the precision of float64."""
    for _ in range(56):
        middle = (low + high) / 2
        above = beyond(middle)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray((low + high) / 2)


class Bin(NamedTuple):
    """Cases of neighbouring scores: their mean score, the share of positives among them, and how many they are."""

    score: float
    share: float
    cases: float


def reliability_bins(curve: RocCurve, bins: int) -> list[Bin]:
    """Return bins of about equal size in ascending order of scores; cases of one score stay together."""
    scores, positives = curve.thresholds[1:], np.diff(curve.tp)
    cases = positives + np.diff(curve.fp)
    done = np.cumsum(cases)
    which = bins - 1 - np.minimum(((done - cases / 2) / done[-1] * bins).astype(int), bins - 1)
    score, share, total = (np.bincount(which, weights, bins) for weights in (cases * scores, positives, cases))
    return [
        Bin(a / n, b / n, n) for a, b, n in zip(score.tolist(), share.tolist(), total.tolist(), strict=True) if n > 0
    ]


@documented_by(
    cites="Fawcett & Niculescu-Mizil (2007), PAV and the ROC convex hull, Machine Learning 68:97-106, doi:10.1007/s10994-007-5011-0",
)
@dataclass(frozen=True, eq=False, repr=False)
class Calibrator(Result):
    """A step function from scores to probabilities: the isotonic fit with the least squared error.

    The scores under one edge of the hull share the probability π·Δtpr / (π·Δtpr + (1-π)·Δfpr) of that edge. At the data's own
    prevalence this is what pooling adjacent violators finds. A new score gets the probability of the step that begins at or below
    it: every threshold worth using treats it like the scores of that step.

    Attributes
    ----------
    thresholds : ndarray
        Descending: the lowest score of each step. Scores below the last get its probability too.
    probabilities : ndarray
        Descending: P(positive) on each step.
    prevalence : float
        The prevalence at which the probabilities hold.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4])
    >>> curve.calibrator()
    <Calibrator: 3 steps, probabilities from 0 to 1 at prevalence 0.5>
    """

    thresholds: Floats
    probabilities: Floats
    prevalence: float

    def __call__(self, scores: ArrayLike) -> Floats:
        """Return the probability of each score, in the shape given."""
        values = np.asarray(scores)
        flat = np.asarray(checks.scores(values.ravel(), "scores"), dtype=np.float64)
        steps = np.minimum(np.searchsorted(-self.thresholds, -flat, side="left"), self.thresholds.size - 1)
        return np.asarray(self.probabilities[steps].reshape(values.shape))

    def __repr__(self) -> str:
        low, high = self.probabilities[-1], self.probabilities[0]
        return (
            f"<Calibrator: {counted(self.probabilities.size, 'step')}, probabilities from {low:.4g} to {high:.4g} "
            f"at prevalence {self.prevalence:.4g}>"
        )


def takes_curve(formula: str = "", **stated: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Check the first argument of a function, and complete its docstring."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(documented(function, formula, **stated))
        def checked(*args: P.args, **options: P.kwargs) -> T:
            given: Any = args[0] if args else options.get("curve")
            if args or "curve" in options:
                how = f"as in {function.__name__}(RocCurve.from_scores(y_true, y_score))"
                checks.instance(given, f"the curve that {function.__name__} takes", RocCurve, f"a RocCurve, {how}")
            return function(*args, **options)

        return checked

    return decorated


def refuse_continuous(curve: Any, what: str) -> None:
    """Raise if a curve has no finite list of operating points; of a sample of it there is one."""
    if isinstance(curve, ContinuousRocCurve):
        sample = "RocCurve.from_points(curve.fpr[1:-1], curve.tpr[1:-1], thresholds=curve.thresholds[1:-1])"
        raise InputError(f"{what} a finite list of operating points, and {curve!r} is continuous: sample it, {sample}")

"""Effective skew, what it says about metrics, and the costs under which the point that a metric chooses is the right one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented_by
from isocost.curves import RocCurve
from isocost.curves.roc import refuse_continuous, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import ConditionError, InputError
from isocost.metrics.loci import SAME, SAMPLE_FPR, SAMPLE_SKEWS, SAMPLE_TPR, turn
from isocost.metrics.metric import AnyMetric, Direction, PointMetric, checked_point, get_metric, one_skew_ratio, scalar
from isocost.numbers import ROUNDING
from isocost.results import Result

Sensitivity = Literal["strong", "weak", "sensitive"]


@overload
def effective_skew(metric: AnyMetric, fpr: float, tpr: float, *, skew_ratio: float = 1.0) -> float: ...
@overload
def effective_skew(metric: AnyMetric, fpr: ArrayLike, tpr: ArrayLike, *, skew_ratio: ArrayLike = 1.0) -> Floats: ...
@documented_by(
    r"-\frac{\partial m / \partial fpr}{\partial m / \partial tpr}",
    see="isocost.metrics.skew_equivalent isocost.metrics.skew_sensitivity isocost.metrics.isometrics",
    cites="Flach 2003, Table 4",
)  # fmt: skip
def effective_skew(metric: AnyMetric, fpr: ArrayLike, tpr: ArrayLike, *, skew_ratio: ArrayLike = 1.0) -> float | Floats:
    """Slope of a metric's isometric through each point: the tpr that it demands there for a little more fpr.

    Above 1 the metric favours the negatives at that point, below 1 the positives; 0 to inf for metrics that reward a
    higher tpr and a lower fpr.

    Returns
    -------
    float or numpy.ndarray
        inf where the isometric is vertical, NaN where it has no direction.

    Notes
    -----
    Closed forms for all metrics of `isocost.metrics`; with u = (tpr + c·fpr)/(1 + c): accuracy c, precision
    tpr/fpr, F-measure tpr/(fpr + β²/c), WRAcc 1, Gini-split, χ² and MCC (u + tpr - 2u·tpr)/(u + fpr - 2u·fpr),
    DKM-split √(tpr(1-tpr)/(fpr(1-fpr))), information gain c·(logit u - logit fpr)/(logit tpr - logit u). Functions
    are differentiated by differences.

    Examples
    --------
    >>> ic.metrics.effective_skew("precision", 0.2, 0.8)
    4.0
    >>> ic.metrics.effective_skew(lambda fpr, tpr, c: tpr**2 - c * fpr**2, [0.2, 0.4], 0.8, skew_ratio=2).round(6).tolist()
    [0.5, 1.0]
    """
    return scalar(get_metric(metric).effective_skew(fpr, tpr, skew_ratio).copy())


@documented_by(
    r"s_a(fpr, tpr, c) = s_b(fpr, tpr, c) \text{ for all } fpr, tpr, c",
    see="isocost.metrics.effective_skew isocost.metrics.agreement", cites="Flach 2003, Definition 1",
)  # fmt: skip
def skew_equivalent(metric_a: AnyMetric, metric_b: AnyMetric) -> bool:
    """Whether two metrics have the same effective skew throughout ROC space for every skew ratio.

    Parameters
    ----------
    metric_a, metric_b : PointMetric, str or callable
        Metrics of `isocost.metrics`, their names, or functions of (fpr, tpr, skew_ratio).

    Returns
    -------
    bool
        Judged at points and skew ratios that fill the space evenly: False is proved by a point, True is not a proof.

    Examples
    --------
    >>> ic.metrics.skew_equivalent("f_measure", "g_measure"), ic.metrics.skew_equivalent("accuracy", "precision")
    (True, False)
    """
    a, b = get_metric(metric_a), get_metric(metric_b)
    return all(bool(np.all(turn(_slopes(a, c), _slopes(b, c)) <= SAME)) for c in SAMPLE_SKEWS)


@documented_by(
    r"\text{strong: } \partial m / \partial c = 0, \quad \text{weak: } \partial s / \partial c = 0 \text{ for the effective skew } s",
    see="isocost.metrics.effective_skew isocost.metrics.skew_equivalent",
    cites="Flach 2003, Definition 2",
)  # fmt: skip
def skew_sensitivity(metric: AnyMetric) -> Sensitivity:
    """How a metric depends on the skew: "strong" or "weak" insensitivity, or "sensitive".

    Returns
    -------
    "strong", "weak" or "sensitive"
        Strongly insensitive: the values do not depend on the skew. Weakly: the isometrics do not, but their values do.

    Notes
    -----
    Judged at points and skew ratios that fill the space evenly.

    Examples
    --------
    >>> [ic.metrics.skew_sensitivity(m) for m in ("gini_roc", "dkm_split", "gini_split")]
    ['strong', 'weak', 'sensitive']
    """
    chosen = get_metric(metric)
    values = [chosen.value_at(SAMPLE_FPR, SAMPLE_TPR, 1.0, c) for c in SAMPLE_SKEWS]
    scale = max(1.0, *(float(np.nanmax(np.abs(v))) for v in values))
    if all(np.allclose(v, values[0], rtol=0.0, atol=ROUNDING * scale, equal_nan=True) for v in values):
        return "strong"
    first = _slopes(chosen, SAMPLE_SKEWS[0])
    same = all(bool(np.all(turn(_slopes(chosen, c), first) <= SAME)) for c in SAMPLE_SKEWS)
    return "weak" if same else "sensitive"


def _slopes(metric: PointMetric, c: float) -> Floats:
    what = f"effective skew at skew ratio {c:g}, where it is constant"
    return _somewhere(metric, metric.effective_skew(SAMPLE_FPR, SAMPLE_TPR, c), what)


def _somewhere(metric: PointMetric, values: Floats, what: str) -> Floats:
    """Return values of a metric that are not all NaN."""
    if np.isnan(values).all():
        raise InputError(f"metric {metric.name!r} has no {what} (all NaN)")
    return values


class Agreement(NamedTuple):
    """How two metrics order pairs of points; `tied` are those tied by just one of them, `against` is the first pair not ordered alike."""

    compatible: bool
    antagonistic: bool
    concordant: int
    discordant: int
    tied: int
    against: tuple[int, int] | None


@documented_by(
    r"[a(x_i) - a(x_j)]\,[b(x_i) - b(x_j)] > 0 \text{ (concordant) or} < 0 \text{ (discordant)}",
    see="isocost.metrics.skew_equivalent",
    cites="Fürnkranz & Flach (2003), An analysis of rule evaluation metrics, ICML 20:202-209",
)  # fmt: skip
def agreement(
    metric_a: AnyMetric, metric_b: AnyMetric, fpr: ArrayLike, tpr: ArrayLike, *, skew_ratio: ArrayLike = 1.0
) -> Agreement:
    """Whether two metrics rank points alike (compatible), oppositely (antagonistic), or neither.

    Parameters
    ----------
    metric_a, metric_b : PointMetric, str or callable
        Metrics of `isocost.metrics`, their names, or functions of (fpr, tpr, skew_ratio).
    fpr, tpr : array
        The points, such as models or thresholds to be ranked.
    skew_ratio : float or array, default 1
        Skew ratio c, positive; one for all points or one each.

    Returns
    -------
    Agreement
        `compatible` and `antagonistic`; the pairs that are `concordant`, `discordant`, and `tied` by just one of the metrics; `against`,
        the first two points that show why the metrics are not compatible. Values closer than 1e-12 of the largest count as ties.

    Examples
    --------
    >>> ic.metrics.agreement("f_measure", "g_measure", [0.1, 0.2, 0.4], [0.5, 0.8, 0.9]).compatible
    True
    >>> found = ic.metrics.agreement("accuracy", "recall", [0.1, 0.2, 0.9], [0.5, 0.8, 0.9])
    >>> found.concordant, found.discordant, found.against
    (1, 2, (0, 2))
    """
    a, b = get_metric(metric_a), get_metric(metric_b)
    h, k, c = checked_point(checks.vector(fpr, "fpr"), checks.vector(tpr, "tpr"), skew_ratio)
    checks.same_length(fpr=h, tpr=k)
    rank_a, rank_b = (_tie_ranks(np.broadcast_to(m.value_at(h, k, 1.0, c), h.shape)) for m in (a, b))
    i, j = np.triu_indices(h.size, 1)
    order_a, order_b = (np.sign(rank[i] - rank[j]) for rank in (rank_a, rank_b))
    differ, product = order_a != order_b, order_a * order_b
    concordant, discordant, tied = (
        int(np.count_nonzero(part)) for part in (product > 0, product < 0, differ & (product == 0))
    )
    first = int(np.argmax(differ)) if differ.any() else None
    against = None if first is None else (int(i[first]), int(j[first]))
    return Agreement(discordant == tied == 0, concordant == tied == 0, concordant, discordant, tied, against)


def _tie_ranks(values: Floats) -> Floats:
    """Return ranks in which values that differ by rounding alone are tied."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order]) > ROUNDING * np.max(np.abs(values), initial=0.0)
    ranks = np.empty(values.shape)
    ranks[order] = np.concatenate([[0.0], np.cumsum(steps)])
    return ranks


@dataclass(frozen=True, repr=False)
class MetricOptimum(Result):
    """The point of a curve that is best by a metric, and when it is also the cheapest.

    Attributes
    ----------
    metric : str
        The metric, with its options.
    direction : "higher" or "lower"
        Which values of it are better.
    value : float
        Its value at the point.
    threshold, fpr, tpr : float
        The point: flag scores ≥ threshold.
    model : str or None
        The curve's name.
    skew_ratio : float
        The class ratio the metric was evaluated at.
    t : float
        The condition under which costs trade tpr against fpr as the metric does at this point: s/(1 + s) for its
        effective skew s; NaN where the metric has no slope or a falling one.
    t_low, t_high : float or None
        The conditions under which the point is the cheapest of its curve; None if it never is.
    excess : float
        The normalised cost the point wastes even at the condition that suits it best; 0 on the hull.
    """

    metric: str
    direction: Direction
    value: float
    threshold: float
    fpr: float
    tpr: float
    model: str | None
    skew_ratio: float
    t: float
    t_low: float | None
    t_high: float | None
    excess: float

    @property
    def on_hull(self) -> bool:
        """Whether some costs make this point the cheapest."""
        return self.t_low is not None

    def _miss_cost(self, t: float) -> float:
        return math.inf if t == 0 else self.skew_ratio * (1 - t) / t

    @property
    def miss_cost(self) -> float:
        """The same as cost_fn/cost_fp: how many false alarms a miss is made to cost."""
        return self._miss_cost(self.t)

    @property
    def miss_costs(self) -> tuple[float, float] | None:
        """The lowest and highest cost_fn/cost_fp at which the point is the cheapest of its curve; None if it never is."""
        if self.t_low is None or self.t_high is None:
            return None
        return self._miss_cost(self.t_high), self._miss_cost(self.t_low)

    def __str__(self) -> str:
        verb = "maximising" if self.direction == "higher" else "minimising"
        start = f"{'' if self.model is None else f'{self.model}: '}{verb} {self.metric} here"
        if self.miss_costs is None:
            return (
                f"{start} chooses a threshold that no costs justify: another is cheaper under every condition, "
                f"by at least {self.excess:.3g} of the worst cost"
            )
        low, high = self.miss_costs
        span = f"{low:.3g} to {high:.3g}"
        if low <= self.miss_cost <= high:
            return f"{start} is the same as {_trade(self.miss_cost)} (the same threshold for {span})"
        return f"{start} is the same as a miss costing {span} false alarms"

    def __repr__(self) -> str:
        return f"<MetricOptimum: {self}>"


def _trade(miss_cost: float) -> str:
    if miss_cost in (0, math.inf):
        return f"a {'miss' if miss_cost == 0 else 'false alarm'} costing nothing"
    many = f"a false alarm costing {1 / miss_cost:.3g} misses" if miss_cost < 1 - SAME else ""
    return many or f"a miss costing {miss_cost:.3g} false alarms"


@takes_curve(
    r"\arg\max_i m(fpr_i, tpr_i, c), \quad t = \frac{s}{1 + s} \text{ for its effective skew } s",
    see="isocost.metrics.effective_skew isocost.metrics.MetricOptimum", cites="Flach 2003",
)  # fmt: skip
def best_point(curve: RocCurve, metric: AnyMetric, *, skew_ratio: float | None = None) -> MetricOptimum:
    """Best operating point of a model by a metric, and the costs that would lead to the same choice.

    Parameters
    ----------
    skew_ratio : float, optional
        The class ratio negatives/positives where the model is used; by default that of the curve's data.

    Returns
    -------
    MetricOptimum
        The point and the translation into costs. Of points with equal values, the one that flags the fewest negatives.

    Notes
    -----
    At the best point P the isometric of slope s touches the curve's hull, as the iso-cost line does at t = s/(1 + s), that
    is at cost_fn/cost_fp = skew_ratio/s. For the F-measure with value F this is (2 - F)/F at beta = 1.

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 1, 0, 0, 1, 0, 0], [0.9, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    >>> best = ic.metrics.best_point(curve, "f_measure")
    >>> print(best)
    maximising f_measure here is the same as a miss costing 1.5 false alarms (the same threshold for 0.5 to 2)
    >>> best.threshold, round(best.value, 3), round(best.t, 3)
    (0.6, 0.8, 0.4)
    """
    refuse_continuous(curve, "best_point needs")
    positives, negatives = curve.positives, curve.negatives
    known = None if positives is None or negatives is None else negatives / positives
    advice = "the class ratio is unknown (the curve has no class totals): pass skew_ratio="
    c = one_skew_ratio(checks.needed(known if skew_ratio is None else skew_ratio, advice, error=ConditionError))
    chosen = get_metric(metric).counted(None if known is None else (positives or 0) + (negatives or 0))
    values = _somewhere(chosen, chosen.value_at(curve.fpr, curve.tpr, 1.0, c), "value at any point of the curve")
    merits = values * (1.0 if chosen.direction == "higher" else -1.0)
    best = np.nanmax(merits)
    tied = np.flatnonzero(merits >= best - ROUNDING * max(1.0, abs(best)))
    # Fewest negatives flagged, then most positives: no point is taken that another tied one dominates.
    index = int(tied[np.lexsort((-curve.tpr[tied], curve.fpr[tied]))[0]])
    threshold, fpr, tpr = (float(axis[index]) for axis in (curve.thresholds, curve.fpr, curve.tpr))
    slope = float(chosen.effective_skew(fpr, tpr, c))
    # No costs trade like a metric that gains from more of both errors, or that has no direction here.
    t = 1.0 if slope == math.inf else slope / (1 + slope) if slope >= 0 else math.nan
    low, high = next(((v.t_low, v.t_high) for v in curve.vertices if (v.fpr, v.tpr) == (fpr, tpr)), (None, None))
    # Waste is convex and piecewise linear in t, and so least at a break.
    breaks = np.concatenate([[0.0], curve.switches, [1.0]])
    waste = breaks * fpr + (1 - breaks) * (1 - tpr) - curve.optimal_cost(breaks)
    excess = float(waste.min()) if low is None else 0.0
    return MetricOptimum(
        chosen.label, chosen.direction, float(values[index]), threshold, fpr, tpr, curve.name, c, t, low, high, excess
    )  # fmt: skip

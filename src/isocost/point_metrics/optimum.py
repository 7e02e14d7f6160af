"""The operating point a metric would choose, and the costs under which it is the right one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from isocost import validate
from isocost.errors import ConditionError, InputError
from isocost.point_metrics.metric import Direction, PointMetric
from isocost.point_metrics.registry import AnyMetric, get_metric
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.validate import Floats

# Values this close, relative to the largest, are one value computed in two ways.
_TIE = 1e-12


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
    miss_cost : float
        The same as cost_fn/cost_fp: how many false alarms a miss is made to cost.
    t_low, t_high : float or None
        The conditions under which the point is the cheapest of its curve; None if it never is.
    miss_cost_low, miss_cost_high : float or None
        The same as cost_fn/cost_fp.
    excess, excess_t : float
        The normalised cost the point wastes even at the condition that suits it best, and that condition; 0 on the hull.
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
    miss_cost: float
    t_low: float | None
    t_high: float | None
    miss_cost_low: float | None
    miss_cost_high: float | None
    excess: float
    excess_t: float

    @property
    def on_hull(self) -> bool:
        """Whether some costs make this point the cheapest."""
        return self.t_low is not None

    def __str__(self) -> str:
        """Say what optimising the metric amounts to."""
        verb = "maximising" if self.direction == "higher" else "minimising"
        start = f"{'' if self.model is None else f'{self.model}: '}{verb} {self.metric} here"
        if self.t_low is None or self.miss_cost_low is None or self.miss_cost_high is None or self.t_high is None:
            return (
                f"{start} chooses a threshold that no costs justify: another is cheaper under every condition, "
                f"by at least {self.excess:.3g} of the worst cost"
            )
        span = f"{self.miss_cost_low:.3g} to {self.miss_cost_high:.3g}"
        if self.t_low <= self.t <= self.t_high:
            return f"{start} is the same as {_trade(self.miss_cost)} (the same threshold for {span})"
        return f"{start} is the same as a miss costing {span} false alarms"

    def __repr__(self) -> str:
        return f"<MetricOptimum: {self}>"


def _trade(miss_cost: float) -> str:
    if math.isinf(miss_cost):
        return "a false alarm costing nothing"
    if miss_cost == 0:
        return "a miss costing nothing"
    if miss_cost >= 1:
        return f"a miss costing {miss_cost:.3g} false alarms"
    return f"a false alarm costing {1 / miss_cost:.3g} misses"


@takes_curve()
def best_point(curve: RocCurve, metric: AnyMetric, *, skew_ratio: float | None = None) -> MetricOptimum:
    """Best operating point of a model by a metric, and the costs that would lead to the same choice.

    Parameters
    ----------
    curve : RocCurve
        The model's curve.
    metric : PointMetric, str or callable
        A metric of `isocost.point_metrics`, its name, or a function of (fpr, tpr, skew_ratio).
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

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 1, 0, 0, 1, 0, 0], [0.9, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
    >>> best = ic.point_metrics.best_point(curve, "f_measure")
    >>> print(best)
    maximising f_measure here is the same as a miss costing 1.5 false alarms (the same threshold for 0.5 to 2)
    >>> best.threshold, round(best.value, 3), round(best.t, 3)
    (0.6, 0.8, 0.4)
    """
    positives, negatives = curve.positives, curve.negatives
    cases = None if positives is None or negatives is None else positives + negatives
    chosen = get_metric(metric).counted(cases)
    c = _class_ratio(curve, skew_ratio)
    threshold, fpr, tpr, value = _search(curve, chosen, c)
    slope = float(chosen.effective_skew(np.asarray(fpr), np.asarray(tpr), np.asarray(c)))
    # No costs trade like a metric that gains from more of both errors, or that has no direction here.
    t = 1.0 if slope == math.inf else slope / (1 + slope) if slope >= 0 else math.nan
    span = _cheapest_range(curve, fpr, tpr, t)
    excess, excess_t = (0.0, t) if span is not None else _excess(curve, fpr, tpr)
    return MetricOptimum(
        metric=chosen.label,
        direction=chosen.direction,
        value=value,
        threshold=threshold,
        fpr=fpr,
        tpr=tpr,
        model=curve.name,
        skew_ratio=c,
        t=t,
        miss_cost=_miss_cost(t, c),
        t_low=None if span is None else span[0],
        t_high=None if span is None else span[1],
        miss_cost_low=None if span is None else _miss_cost(span[1], c),
        miss_cost_high=None if span is None else _miss_cost(span[0], c),
        excess=excess,
        excess_t=excess_t,
    )


def _class_ratio(curve: RocCurve, skew_ratio: float | None) -> float:
    if skew_ratio is not None:
        return float(validate.skew_ratios(validate.number(skew_ratio, "skew_ratio")))
    if curve.positives is None or curve.negatives is None:
        raise ConditionError("the class ratio is unknown (the curve has no class totals): pass skew_ratio=")
    return curve.negatives / curve.positives


def _miss_cost(t: float, c: float) -> float:
    return math.inf if t == 0 else c * (1 - t) / t


def _search(curve: RocCurve, metric: PointMetric, c: float) -> tuple[float, float, float, float]:
    """Return threshold, fpr, tpr and value of the best point."""
    one, weight = np.asarray(1.0), np.asarray(c)
    sign = 1.0 if metric.direction == "higher" else -1.0

    def merit(fpr: Floats, tpr: Floats) -> Floats:
        return sign * metric.value_at(fpr, tpr, one, weight)

    merits = merit(curve.fpr, curve.tpr)
    if np.isnan(merits).all():
        raise InputError(f"metric {metric.name!r} has no value at any point of the curve (all NaN)")
    best = np.nanmax(merits)
    tied = np.flatnonzero(merits >= best - _TIE * max(1.0, abs(best)))
    # Fewest negatives flagged, then most positives: no point is taken that another tied one dominates.
    index = int(tied[np.lexsort((-curve.tpr[tied], curve.fpr[tied]))[0]])
    threshold, fpr, tpr = (float(axis[index]) for axis in (curve.thresholds, curve.fpr, curve.tpr))
    if isinstance(curve, ContinuousRocCurve) and 1 < index < len(curve) - 2:
        from scipy.optimize import minimize_scalar

        found = minimize_scalar(
            lambda cut: -float(merit(*curve.rates_at(cut))),
            bounds=(float(curve.thresholds[index + 1]), float(curve.thresholds[index - 1])),
            method="bounded",
            options={"xatol": 1e-10},
        )
        if -found.fun > merits[index]:
            threshold = float(found.x)
            fpr, tpr = (float(rate) for rate in curve.rates_at(threshold))
    return threshold, fpr, tpr, sign * float(merit(np.asarray(fpr), np.asarray(tpr)))


def _cheapest_range(curve: RocCurve, fpr: float, tpr: float, t: float) -> tuple[float, float] | None:
    if isinstance(curve, ContinuousRocCurve):
        # A smooth curve touches each iso-cost line once: the point is cheapest at its own t or not at all.
        gap = t * fpr + (1 - t) * (1 - tpr) - float(curve.optimal_cost(t))
        return (t, t) if gap <= 1e-9 else None
    for vertex in curve.vertices:
        if (vertex.fpr, vertex.tpr) == (fpr, tpr):
            return vertex.t_low, vertex.t_high
    return None


def _excess(curve: RocCurve, fpr: float, tpr: float) -> tuple[float, float]:
    """Return the smallest waste of a point that is never cheapest; convex and piecewise linear in t, so at a break."""
    breaks = np.concatenate([[0.0], curve.switch_t, [1.0]])
    waste = breaks * fpr + (1 - breaks) * (1 - tpr) - curve.optimal_cost(breaks)
    least = int(np.argmin(waste))
    return float(waste[least]), float(breaks[least])

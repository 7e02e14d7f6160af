"""The cheapest threshold at a condition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.decision.choice import Choice, choice_of, describe
from isocost.errors import ConditionError, InfeasibleError, InputError
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.feasible_region import Kind, Limit


@takes_curve()
def best_threshold(
    curve: RocCurve,
    condition: Condition | Conditions,
    *,
    max_fpr: float | None = None,
    max_flagged: float | None = None,
    min_precision: float | None = None,
) -> Choice:
    """Return the cheapest threshold of a model at a condition, trivial classifiers included.

    For uncertain `Conditions` the one threshold that is cheapest on average: the cost of a fixed threshold is linear in t,
    so it is the best one at the mean of t. Its `normalised_cost` is then that average; there is no one prevalence or unit, so
    `expected_cost` is None, and `precision` and `flagged` refer to the data's own prevalence unless the conditions fix one.

    Where two thresholds cost the same, the one that flags fewer cases is taken. Of counts in buckets whose hull is open it is the
    cheapest of the buckets' ends, and `normalised_cost_low` says what a threshold inside one could cost at least.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions
    max_fpr, max_flagged, min_precision : float, optional
        Limits in [0, 1]: only thresholds that keep all of them are considered. Flagged share and precision are those at the
        condition's prevalence, or at the data's own if the conditions fix none.

    Raises
    ------
    InfeasibleError
        If no threshold that flags a positive keeps `min_precision` together with the other limits.

    References
    ----------
    Provost & Fawcett (2001), Machine Learning 42:203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    <Choice: flag scores ≥ 0.6; catches 100.0% of positives, flags 50.0% of negatives; expected cost 0.35 a case>
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), max_fpr=0.25).threshold
    0.8
    """
    from isocost.roc_space.parametric import ContinuousRocCurve

    if not isinstance(condition, Condition | Conditions):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
    given: dict[Kind, float | None] = {
        "max_fpr": max_fpr, "max_flagged": max_flagged, "min_precision": min_precision
    }  # fmt: skip
    limits = {kind: value for kind, value in given.items() if value is not None}
    if limits:
        return _best_within(curve, condition, limits)
    if isinstance(condition, Conditions):
        return _best_on_average(curve, condition)
    t = condition.t
    if isinstance(curve, ContinuousRocCurve):
        threshold = float(curve.optimal_threshold(t))
        fpr, tpr = (float(v) for v in curve.rates_at(threshold))
        return describe(
            curve.name, threshold, fpr, tpr, condition=condition, prevalence=condition.prevalence, t_low=t, t_high=t
        )
    if not curve.hull_is_exact:
        return _best_of_certain(curve, condition)
    best = int(curve._best_vertex(np.asarray(t)))
    return choice_of(curve.hull, best, condition=condition)


def _best_of_certain(curve: RocCurve, condition: Condition) -> Choice:
    """Return the cheapest end of a bucket, and how much less a threshold inside one could cost."""
    certain = curve._inner_hull
    chosen = choice_of(certain, int(certain._best_vertex(np.asarray(condition.t))), condition=condition)
    least = float(curve._optimistic.optimal_cost(condition.t))
    low = least if least < float(chosen.normalised_cost or 0.0) else None
    return replace(chosen, t_low=None, t_high=None, normalised_cost_low=low)


def _best_within(curve: RocCurve, condition: Condition | Conditions, limits: dict[Kind, float]) -> Choice:
    """Return the cheapest point that keeps the limits: off the hull, perhaps, so all points are looked at."""
    from isocost.roc_space.parametric import ContinuousRocCurve

    if isinstance(curve, ContinuousRocCurve):
        raise InputError("limits need a finite list of operating points: take RocCurve.from_points of a sample")
    over = Conditions.of(condition)
    prevalence = curve._prevalence_or(_prevalence(over, curve))
    checked = [Limit.checked(kind, value, prevalence) for kind, value in limits.items()]
    curve._require_exact("the cheapest threshold under limits")
    inexact.require_undivided(curve, checked, "the cheapest threshold under limits")
    kept = np.all([limit.kept(curve.fpr, curve.tpr) for limit in checked], axis=0)
    if "min_precision" in limits and not np.any(kept & (curve.tp > 0)):
        raise InfeasibleError(
            f"no threshold that flags a positive keeps {' and '.join(map(str, checked))} at prevalence {prevalence:.4g}"
        )
    # Points come with ever more flagged, so the first of equally cheap ones flags fewest.
    cost = Condition.from_t(over.mean).normalised_cost(curve.fpr, curve.tpr)
    best = int(np.argmin(np.where(kept, cost, np.inf)))
    if isinstance(condition, Condition):
        return choice_of(curve, best, condition=condition)
    chosen = choice_of(curve, best, prevalence=prevalence)
    return replace(chosen, normalised_cost=float(cost[best]))


def _prevalence(over: Conditions, curve: RocCurve) -> float | None:
    low, high = (over.ranges or {}).get("prevalence", (0.0, 1.0))
    return low if low == high else curve.prevalence


def _best_on_average(curve: RocCurve, over: Conditions) -> Choice:
    at_mean = best_threshold(curve, Condition.from_t(over.mean))
    return describe(
        curve.name, at_mean.threshold, at_mean.fpr, at_mean.tpr,
        condition=None, prevalence=_prevalence(over, curve),
        t_low=at_mean.t_low, t_high=at_mean.t_high, normalised_cost=at_mean.normalised_cost,
        normalised_cost_low=at_mean.normalised_cost_low,
    )  # fmt: skip

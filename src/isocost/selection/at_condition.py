"""The cheapest threshold at a condition."""

from __future__ import annotations

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.errors import ConditionError
from isocost.roc_space import RocCurve
from isocost.selection.choice import Choice, choice_of, describe


def best_threshold(curve: RocCurve, condition: Condition | Conditions) -> Choice:
    """Return the cheapest threshold of a model at a condition, trivial classifiers included.

    For uncertain `Conditions` the one threshold that is cheapest on average: the cost of a fixed threshold is linear in t,
    so it is the best one at the mean of t. Its `normalised_cost` is then that average; there is no one prevalence or unit, so
    `expected_cost` is None, and `precision` and `flagged` refer to the data's own prevalence unless the conditions fix one.

    Where two thresholds cost the same, the one that flags fewer cases is taken.

    References
    ----------
    Provost & Fawcett (2001), Machine Learning 42:203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    <Choice: flag scores ≥ 0.6; catches 100.0% of positives, flags 50.0% of negatives; expected cost 0.35 a case>
    """
    from isocost.roc_space.parametric import ContinuousRocCurve

    if isinstance(condition, Conditions):
        return _best_on_average(curve, condition)
    if not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
    t = condition.t
    if isinstance(curve, ContinuousRocCurve):
        threshold = float(curve.optimal_threshold(t))
        fpr, tpr = (float(v) for v in curve.rates_at(threshold))
        return describe(
            curve.name, threshold, fpr, tpr, condition=condition, prevalence=condition.prevalence, t_low=t, t_high=t
        )
    best = int(curve.best_vertex(np.asarray(t)))
    return choice_of(curve.hull, best, condition=condition)


def _best_on_average(curve: RocCurve, over: Conditions) -> Choice:
    at_mean = best_threshold(curve, Condition.from_t(over.mean))
    low, high = (over.ranges or {}).get("prevalence", (0.0, 1.0))
    return describe(
        curve.name, at_mean.threshold, at_mean.fpr, at_mean.tpr,
        condition=None, prevalence=low if low == high else curve.prevalence,
        t_low=at_mean.t_low, t_high=at_mean.t_high, normalised_cost=at_mean.normalised_cost,
    )  # fmt: skip

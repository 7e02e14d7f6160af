"""Expected cost of a number of cases in the user's own unit, with the best threshold at each condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.errors import ConditionError
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.validate import Floats


@dataclass(frozen=True, repr=False)
class TotalCost(Result):
    """What a number of cases will cost with the best threshold at each condition, in the unit of the costs.

    Attributes
    ----------
    mean : float or None
        Expected cost. None when the conditions are ranges: they say what is possible, not how likely it is.
    low, high : float
        The lowest and the highest expected cost that the stated costs and prevalences allow.
    cases : float
        Number of cases the costs are for.
    model : str or None
    conditions : str
        In words.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> total = ic.total_cost(curve, ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=0.1), cases=100)
    >>> round(total.low, 4), round(total.high, 4), total.mean
    (16.6667, 45.0, None)
    """

    mean: float | None
    low: float
    high: float
    cases: float
    model: str | None
    conditions: str

    def __repr__(self) -> str:
        """Say the cost in words."""
        span = f"{self.low:.4g}" if self.low == self.high else f"between {self.low:.4g} and {self.high:.4g}"
        mean = "" if self.mean is None or self.low == self.high else f"{self.mean:.4g} expected, "
        return f"<TotalCost: {mean}{span} for {self.cases:g} case{'' if self.cases == 1 else 's'}>"


@takes_curve()
def total_cost(curve: RocCurve, condition: Condition | Conditions, *, cases: float = 1.0) -> TotalCost:
    """Return the expected cost of `cases` cases in the unit of the costs, with the best threshold at each condition; lower is better.

    At known costs and prevalence π the cost per case is min over thresholds of cost_fp·(1-π)·fpr + cost_fn·π·(1-tpr), plus
    what correct decisions cost. `Conditions.from_costs` ranges give exact bounds; beliefs give a mean as well, which accounts
    for costly conditions weighing more than cheap ones: it is not the mean normalised cost times a mean worst cost.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions
        With costs: a Condition, or Conditions made by `from_costs` or `from_beliefs`.
    cases : float
        Number of cases to be decided.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.total_cost(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), cases=1000)
    <TotalCost: 350 for 1000 cases>
    >>> ic.total_cost(curve, ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.1, 0.3)), cases=1000)
    <TotalCost: between 166.7 and 450 for 1000 cases>
    >>> ic.total_cost(curve, ic.Conditions.from_beliefs(cost_fn=(5, 20), prevalence=0.1), cases=1000)
    <TotalCost: 369.7 expected, between 166.7 and 450 for 1000 cases>
    """
    many = validate.count(cases, "cases")
    if isinstance(condition, Condition):
        worst = condition.worst_cost - condition.best_cost
        cost = many * (condition.best_cost + worst * float(curve.optimal_cost(condition.t)))
        return TotalCost(cost, cost, cost, many, curve.name, str(condition))
    condition = Conditions.of(condition)
    if condition.ranges is None:
        raise ConditionError(
            f"{condition!r} is a distribution of t without costs: give them with a Condition, Conditions.from_costs or from_beliefs"
        )
    base = _of_correct_answers(condition)
    low, high = _bounds(curve, condition, base)
    mean = _mean(curve, condition)
    if mean is not None and condition.quantities is not None:
        mean += float(base(np.array(condition.quantities["prevalence"].mean)))
    return TotalCost(None if mean is None else many * mean, many * low, many * high, many, curve.name, str(condition))


def _of_correct_answers(condition: Conditions) -> Callable[[Floats], Floats]:
    """Return what correct answers cost per case at each prevalence; ranges of that would make the bounds inexact."""
    known = {name: (condition.quantities or {}).get(name) for name in ("cost_tp", "cost_tn")}
    for name, quantity in known.items():
        if quantity is not None and quantity.low != quantity.high:
            raise ConditionError(
                f"total_cost needs one {name}, got {quantity.low:g} to {quantity.high:g}: pass a number"
            )
    tp, tn = (0.0 if quantity is None else quantity.mean for quantity in known.values())
    return lambda p: tn * (1 - p) + tp * p


def _mean(curve: RocCurve, condition: Conditions) -> float | None:
    worst, density = condition.worst_cost, condition.density
    if worst is None:
        return None
    if callable(worst):
        from isocost.roc_space.parametric import ContinuousRocCurve

        breaks = curve.breaks if isinstance(curve, ContinuousRocCurve) else curve.switch_t
        return density.expect(lambda t: worst(t) * curve.optimal_cost(t), breaks)
    return density.expect(lambda t: worst * curve.optimal_cost(t), curve.switch_t)


def _bounds(curve: RocCurve, condition: Conditions, base: Callable[[Floats], Floats]) -> tuple[float, float]:
    """Return the lowest and highest cost per case over a box of costs and prevalences.

    The cost grows with both costs and is concave in the prevalence: lowest at an end of the range of prevalences, highest
    where it stops growing, which is an end or a prevalence at which the best threshold changes.
    """
    assert condition.ranges is not None  # noqa: S101 - checked by the caller
    (fp_low, fp_high), (fn_low, fn_high), (p_low, p_high) = (
        condition.ranges[name] for name in ("cost_fp", "cost_fn", "prevalence")
    )
    ends = np.array([p_low, p_high])
    lowest = (_cost(curve, fp_low, fn_low, ends) + base(ends)).min()
    hull = curve.hull
    with np.errstate(invalid="ignore", divide="ignore"):
        run, rise = fp_high * np.diff(hull.fpr), fn_high * np.diff(hull.tpr)
        changes = run / (run + rise)
    inner = changes[(changes > p_low) & (changes < p_high)]
    candidates = np.unique(np.concatenate([ends, inner]))
    costs = _cost(curve, fp_high, fn_high, candidates) + base(candidates)
    highest = costs.max()
    if _is_continuous(curve) and candidates.size > 2:
        # The vertices are a sample here: refine between the neighbours of the best one.
        best = int(np.clip(np.argmax(costs), 1, candidates.size - 2))
        highest = max(
            highest,
            _peak(lambda p: _cost(curve, fp_high, fn_high, p) + base(p), candidates[best - 1], candidates[best + 1]),
        )
    return float(lowest), float(highest)


def _cost(curve: RocCurve, fp: float, fn: float, prevalence: Floats) -> Floats:
    """Return the cost per case at each prevalence; an infinite cost counts only where its error can happen."""
    if _is_continuous(curve) and np.isfinite(fp + fn):
        alarms, misses = fp * (1 - prevalence), fn * prevalence
        worst = alarms + misses
        t = np.divide(alarms, worst, out=np.zeros_like(worst), where=worst > 0)
        return np.asarray(worst * curve.optimal_cost(t))
    hull = curve.hull
    p = prevalence[:, None]
    alarms, misses = (1 - p) * hull.fpr, p * (1 - hull.tpr)
    with np.errstate(invalid="ignore"):
        costs = np.where(alarms > 0, fp * alarms, 0.0) + np.where(misses > 0, fn * misses, 0.0)
    return np.asarray(costs.min(axis=1))


def _peak(cost: Callable[[Floats], Floats], low: float, high: float) -> float:
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(lambda p: -float(cost(np.array([p]))[0]), bounds=(low, high), method="bounded")
    return -float(found.fun)


def _is_continuous(curve: RocCurve) -> bool:
    from isocost.roc_space.parametric import ContinuousRocCurve

    return isinstance(curve, ContinuousRocCurve)

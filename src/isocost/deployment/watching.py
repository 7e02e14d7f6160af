"""Whether a deployed choice is still the cheapest, period by period, and what keeping it costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isocost import validate
from isocost.comparison import Comparison
from isocost.conditions import Condition, Conditions
from isocost.decision.decision import Decision
from isocost.deployment.prevalence import PrevalenceEstimate, PrevalenceMethod, estimate_prevalence
from isocost.deployment.regret import Regret
from isocost.deployment.watched import Alarm, Period, Watch
from isocost.errors import ConditionError, InputError, UnknownNameError


def watch(
    chosen: Decision | Comparison,
    periods: Mapping[Any, Any] | Sequence[Any],
    *,
    condition: Condition | Conditions | None = None,
    current: tuple[str, float] | None = None,
    labels: Mapping[Any, Any] | None = None,
    tolerance: float = 0.0,
    level: float = 0.90,
    error_rate: float = 0.1,
    horizon: int | None = None,
    method: PrevalenceMethod = "likelihood",
    steps: int | None = None,
    unit: str | None = None,
) -> Watch:
    """Return whether a deployed choice is still the cheapest in each period, what keeping it costs, and alarms.

    The prevalence of each period is estimated from its scores (`estimate_prevalence`), so everything rests on label shift: positives
    and negatives score as they did in the reference. The chance of any false alarm over all periods, however many, stays within
    `error_rate`: period i may use error_rate/(kinds·i·(i+1)).

    Parameters
    ----------
    chosen : Decision or Comparison
        A decision of `Comparison.decide`, or a comparison that is decided here at `condition`. Its cases are the reference.
    periods : dict of name to scores, or a sequence of scores
        Scores of the deployed model in each period, without labels: arrays or `ScoreCounts`, whose labelled cases are used as labels.
    condition : Condition or Conditions, optional
        Costs; ranges are taken at their means. A decision has its own.
    current : (model, threshold), optional
        The rule in use, if it is not the decided one.
    labels : dict of name to (y, scores) or ScoreCounts, optional
        Cases whose labels arrived, by period, such as the flagged ones; no case may be in both.
    tolerance : float
        Regret per 1000 cases that is not worth a change.
    level : float
    error_rate : float
        Chance of any false alarm, ever.
    horizon : int, optional
        The number of periods, if it is known in advance; each may then use the same share of the error rate.
    method, steps : optional
        As in `estimate_prevalence`.
    unit : str, optional
        Of the costs; that of the decision by default.

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> comparison = ic.Comparison.from_scores(y, {"m": range(20, 0, -1)})
    >>> decision = comparison.decide(ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25))
    >>> ic.watch(decision, [[20, 19, 18, 20, 17, 19, 20, 16, 18, 20, 19, 20]]).alarm.kind
    'change'
    """
    comparison, costs = _asked(chosen, condition)
    model, threshold = _deployed(chosen, comparison, costs, current)
    named = _by_period(periods)
    if not named:
        raise InputError("periods is empty: pass the scores of at least one period")
    given = _labels_by_period(labels)
    for name in given:
        if name not in named:
            raise UnknownNameError("period of labels", str(name), [str(period) for period in named])
    slack = validate.number(tolerance, "tolerance", low=0.0)
    share = validate.strictly_between(error_rate, "error_rate", 0.0, 1.0)
    length = None if horizon is None else validate.whole(horizon, "horizon", low=len(named))
    curve = comparison[model]
    regret = Regret.of(comparison, costs, model, threshold)
    keep = regret.keep(slack)
    seen = {
        name: estimate_prevalence(curve, scores, method=method, level=level, labels=given.get(name), steps=steps)
        for name, scores in named.items()
    }
    kinds = 3 if any(now.labelled for now in seen.values()) else 2
    found: list[Period] = []
    alarm = None
    for number, (name, now) in enumerate(seen.items(), 1):
        allowed = share / kinds * (1 / (number * (number + 1)) if length is None else 1 / length)
        period, values = _period(name, now, regret, keep, slack, allowed)
        found.append(period)
        if alarm is None and period.alarm:
            alarm = Alarm(name, number, period.alarm[0], values[period.alarm[0]], allowed)
    return Watch(
        tuple(found), model, threshold, keep, validate.level(level), share, alarm, regret.rule(threshold), slack, _unit(chosen, unit)
    )  # fmt: skip


def _period(
    name: Any, now: PrevalenceEstimate, regret: Regret, keep: tuple[float, float] | None, slack: float, allowed: float
) -> tuple[Period, dict[str, float]]:
    more, low, high = regret.interval(now)
    nearest = None if keep is None else float(np.clip(now.estimate, *keep))
    p_value = 1.0 if nearest is None or nearest == now.estimate else now.p_value(nearest)
    values = {"change": p_value, "fit": now.fit_p_value, "labels": now.label_p_value}
    known = {kind: value for kind, value in values.items() if value is not None}
    best_model, best_threshold, best_rule = regret.cheapest(now.estimate)
    period = Period(
        name, now.cases, now.labelled, now.estimate, now.low, now.high, now.fit_p_value, now.label_p_value,
        more <= slack, regret.cost(now.estimate), more, low, high, best_model, best_threshold, p_value, allowed,
        tuple(kind for kind, value in known.items() if value <= allowed), now.if_risks_hold, now.misfit, best_rule,
    )  # fmt: skip
    return period, known


def _unit(chosen: Any, unit: Any) -> str:
    if unit is None:
        return chosen.asked.words.unit if isinstance(chosen, Decision) else ""
    if not isinstance(unit, str):
        raise InputError(f"unit must be text such as '€', got {type(unit).__name__}")
    return unit


def _asked(chosen: Any, condition: Condition | Conditions | None) -> tuple[Comparison, Condition]:
    """Return the comparison and the costs in money."""
    if isinstance(chosen, Decision):
        comparison = chosen._comparison  # noqa: SLF001 - kept for this purpose
        if comparison is None:
            raise InputError("this decision no longer knows its cases: pass the Comparison and condition= instead")
        asked = chosen.asked.over if condition is None else condition
    elif isinstance(chosen, Comparison):
        comparison, asked = chosen, chosen.condition if condition is None else condition
    else:
        raise InputError(f"watch takes a Decision or a Comparison first, got {type(chosen).__name__}")
    if asked is None:
        raise ConditionError("no costs are known: pass condition=Condition(cost_fp=…, cost_fn=…, prevalence=…)")
    return comparison, _one(asked)


def _by_period(periods: Any) -> dict[Any, Any]:
    try:
        return dict(periods) if isinstance(periods, Mapping) else dict(enumerate(periods, 1))
    except TypeError:
        raise InputError(
            f"periods must be a list of scores or a dict of name to scores, got {type(periods).__name__}"
        ) from None


def _labels_by_period(labels: Any) -> dict[Any, Any]:
    if labels is not None and not isinstance(labels, Mapping):
        raise InputError(f"labels must be a dict of period to its labels and scores, got {type(labels).__name__}")
    return dict(labels or {})


def _one(asked: Condition | Conditions) -> Condition:
    if isinstance(asked, Condition):
        return asked
    asked = Conditions.of(asked)
    if asked.means is None:
        raise ConditionError("these conditions have no unit of cost: use Condition or Conditions.from_costs")
    return asked.means


def _deployed(
    chosen: Any, comparison: Comparison, costs: Condition, current: tuple[str, float] | None
) -> tuple[str, float]:
    if current is not None:
        model, threshold = validate.pair(current, "current", "(model, threshold)")
        if model not in comparison.names:
            raise UnknownNameError("model", str(model), comparison.names)
        return str(model), validate.number(threshold, "threshold of current", low=-math.inf, high=math.inf)
    decision = chosen if isinstance(chosen, Decision) else comparison.decide(costs)
    if decision.model not in comparison.names:
        raise InputError(
            f"the decision is {decision.model}, which has no scores to watch: pass current=(model, threshold) of the rule in use"
        )
    return str(decision.model), float(decision.threshold)

"""Choice: a threshold, and everything a person asks next."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from isocost.conditions import Condition
from isocost.conditions.ranges import TRange
from isocost.decision import numbers, wording
from isocost.decision.drift import Drift
from isocost.decision.pricing import Pricing
from isocost.decision.rules import EVERYBODY, NOBODY, SCORED, rule_of
from isocost.results.doors import Drawn
from isocost.results.plain import plain
from isocost.roc_space import RocCurve


@dataclass(frozen=True, repr=False)
class Choice(Drawn):
    """An operating point to deploy: a rule such as "flag cases with score ≥ 0.6", and what it does and costs.

    Attributes
    ----------
    threshold : float
        In full precision; a case is flagged when its score is at least this. +inf flags nobody, NaN if the point has none.
    fpr, tpr : float
    precision : float
        Share of flagged cases that are positive; NaN when nobody is flagged or the prevalence is unknown.
    flagged : float
        Share of all cases flagged; NaN when the prevalence is unknown.
    normalised_cost, expected_cost : float or None
        t·fpr + (1-t)(1-tpr), and the cost per case in the unit of the costs; for uncertain conditions, on average. None without
        costs.
    model : str or None
    rule : str
        What to do with a case, in words: "flag nobody", "flag everybody", or a threshold as the shortest decimal that flags the same
        cases as the full one.
    condition : Condition or None
        The condition at which it is priced; for ranges and beliefs, the one at their means. None without costs.
    prevalence : float or None
        The prevalence that precision and flagged refer to.
    threshold_drift : Drift or None
        How far the condition may move before another threshold of the model is cheaper; None if this one is never the cheapest, or
        if buckets leave that open.
    other_threshold, other_probability : float or None
        A randomised choice uses `other_threshold` with this probability, and `threshold` otherwise.
    normalised_cost_low, tpr_high : float or None
        For counts in buckets, where only the buckets' ends can be chosen: the least that a threshold inside a bucket could cost
        and, under a limit, the most it could catch, if that is better than the choice. If a threshold that was given, or set by the
        scores, divides a bucket, rates and costs are those of the worst case, and these two are those of the best; `to_dict` has
        `fpr_low` too.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> choice = ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> choice.threshold, choice.tpr, choice.fpr, round(choice.expected_cost, 6)
    (0.6, 1.0, 0.5, 0.35)
    """

    _display = "ThresholdsDisplay"

    threshold: float
    fpr: float
    tpr: float
    precision: float
    flagged: float
    normalised_cost: float | None
    expected_cost: float | None
    model: str | None
    rule: str
    condition: Condition | None
    prevalence: float | None
    threshold_drift: Drift | None = None
    other_threshold: float | None = None
    other_probability: float | None = None
    normalised_cost_low: float | None = None
    tpr_high: float | None = None
    # In the best case of a threshold that divides a bucket; plain data have it without the line before it.
    _fpr_low: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data: infinities as text, NaN as null."""
        found: dict[str, Any] = plain({name.lstrip("_"): getattr(self, name) for name in Choice.__dataclass_fields__})
        return found

    def __str__(self) -> str:
        """Say what to do, in words."""
        return wording.choice(self)

    def __repr__(self) -> str:
        """Say what to do, in words."""
        return f"<Choice: {wording.choice(self)}>"


def choice_of(
    curve: RocCurve,
    index: int,
    *,
    whole: RocCurve | None = None,
    condition: Condition | None = None,
    prevalence: float | None = None,
    other: int | None = None,
    probability: float = 0.0,
) -> Choice:
    """Return the choice of point `index` of a curve, mixed with point `other` with the given probability.

    `whole` is the model's own curve where `curve` is only its hull: the score next below a threshold is there.
    """
    fpr, tpr = float(curve.fpr[index]), float(curve.tpr[index])
    if other is not None:
        fpr += probability * (float(curve.fpr[other]) - fpr)
        tpr += probability * (float(curve.tpr[other]) - tpr)
    if prevalence is None:
        prevalence = curve.prevalence if condition is None else condition.prevalence
    span = _optimal_range(curve, index) if other is None else None
    return describe(
        curve.name, float(curve.thresholds[index]), fpr, tpr, condition=condition, prevalence=prevalence,
        rule=rule_of(curve, index, other=other, probability=probability, whole=curve if whole is None else whole),
        threshold_drift=None if span is None else Drift.around(span, condition),
        other_threshold=None if other is None else float(curve.thresholds[other]),
        other_probability=None if other is None else probability,
    )  # fmt: skip


def describe(
    model: str | None,
    threshold: float,
    fpr: float,
    tpr: float,
    *,
    condition: Condition | None,
    prevalence: float | None,
    rule: str,
    normalised_cost: float | None = None,
    **rest: Any,
) -> Choice:
    """Fill in what follows from rates, prevalence and condition; without one, `normalised_cost` may be an average."""
    flagged = precision = math.nan
    if prevalence is not None:
        flagged = prevalence * tpr + (1 - prevalence) * fpr
        precision = prevalence * tpr / flagged if flagged > 0 else math.nan
    return Choice(
        threshold, fpr, tpr, precision, flagged,
        normalised_cost if condition is None else condition.normalised_cost(fpr, tpr),
        None if condition is None else condition.expected_cost(fpr, tpr),
        model, rule, condition, prevalence, **rest,
    )  # fmt: skip


def divided_choice(curve: RocCurve, threshold: float, first: int, last: int, *, prevalence: float | None) -> Choice:
    """Return the choice of a threshold inside the bucket between two points of a curve: its worst case, and the best one."""
    return describe(
        curve.name, threshold, float(curve.fpr[last]), float(curve.tpr[first]), condition=None,
        prevalence=curve.prevalence if prevalence is None else prevalence,
        rule=f"{SCORED}{numbers.threshold(threshold)}", _fpr_low=float(curve.fpr[first]), tpr_high=float(curve.tpr[last]),
    )  # fmt: skip


def trivial_choice(model: str | None, *, everybody: bool, prevalence: float | None) -> Choice:
    """Return the choice to flag everybody or nobody, not priced."""
    rate = float(everybody)
    return describe(
        model, -math.inf if everybody else math.inf, rate, rate, condition=None, prevalence=prevalence,
        rule=EVERYBODY if everybody else NOBODY,
    )  # fmt: skip


def priced(choice: Choice, pricing: Pricing | None) -> Choice:
    """Return a choice with its costs, on average if the conditions are uncertain."""
    if pricing is None:
        return choice
    drift, low = choice.threshold_drift, choice.normalised_cost_low
    if choice._fpr_low is not None and choice.tpr_high is not None:
        low = pricing.normalised(choice._fpr_low, choice.tpr_high)
    return replace(
        choice,
        condition=pricing.known,
        normalised_cost=pricing.normalised(choice.fpr, choice.tpr),
        expected_cost=pricing.expected(choice.fpr, choice.tpr),
        threshold_drift=None if drift is None else Drift.around(drift.t, pricing.known),
        normalised_cost_low=low,
    )


def _optimal_range(curve: RocCurve, index: int) -> TRange | None:
    if not curve.hull_is_exact:
        return None
    hull = curve.hull
    at = np.flatnonzero((hull.fp == curve.fp[index]) & (hull.tp == curve.tp[index]))
    if at.size == 0:
        return None
    ends = np.concatenate([[0.0], curve.switch_t, [1.0]])[::-1]
    return TRange(float(ends[at[0] + 1]), float(ends[at[0]]))

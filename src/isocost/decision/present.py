"""Present practice: what the rule in use costs, what changing saves, and which costs that rule assumes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions.ranges import Pair, TRange
from isocost.cost_space.threshold_choice import fixed_point
from isocost.decision import condition_wording
from isocost.decision.choice import Choice, choice_of
from isocost.decision.limits import Limits, best_within
from isocost.decision.pricing import Pricing
from isocost.errors import UnknownNameError
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve


@dataclass(frozen=True, repr=False)
class ImpliedCosts(Result):
    """The cost ratios for which a threshold is the cheapest of its model, trivial classifiers included.

    Attributes
    ----------
    low, high : float or None
        The range of cost_fn/cost_fp, net of what correct answers cost: how many false alarms a miss costs. Both None if the threshold is
        never the cheapest.
    threshold : float
    prevalence : float
    fpr, tpr : float
    model : str or None
    cheaper : Choice or None
        If the threshold is never the cheapest: a rule, or a mix of two, that is cheaper whatever errors cost.
    """

    low: float | None
    high: float | None
    threshold: float
    prevalence: float
    fpr: float
    tpr: float
    model: str | None = None
    cheaper: Choice | None = None

    def __str__(self) -> str:
        """Say it in words."""
        return condition_wording.implied(self)

    def __repr__(self) -> str:
        """Say it in words."""
        return f"<ImpliedCosts: {self}>"


@dataclass(frozen=True)
class Current(Result):
    """The rule in use.

    Attributes
    ----------
    model : str
    threshold : float
    fpr, tpr : float
    flagged : float
        Share of all cases flagged; NaN when the prevalence is unknown.
    expected_cost : float or None
        Per case in the unit; None without costs.
    saving : float or None
        What changing to the decision saves per case.
    saving_interval : (low, high) or None
        Of the saving, on the same resamples for both rules; None without them.
    implied : ImpliedCosts or None
        The costs that this rule assumes; None if the prevalence is unknown, or buckets leave it open.
    expected_cost_low, saving_low : float or None
        Of a threshold that divides a bucket, whose rates and cost are then those of the worst case: what it costs at least, and what
        changing saves at least, where `saving` is the most. None if they are certain.
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    flagged: float
    expected_cost: float | None
    saving: float | None
    saving_interval: Pair | None = None
    implied: ImpliedCosts | None = None
    expected_cost_low: float | None = None
    saving_low: float | None = None


@takes_curve()
def implied_costs(curve: RocCurve, threshold: float, *, prevalence: float | None = None) -> ImpliedCosts:
    """Return the cost ratios for which a threshold is the cheapest of its model: what a rule in use assumes.

    Parameters
    ----------
    curve : RocCurve
    threshold : float
        The rule "flag scores ≥ threshold": any number, not only a score.
    prevalence : float, optional
        Of the cases in use; the data's own by default.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y_true, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y_true, scores["random_forest"], name="random_forest")
    >>> ic.implied_costs(curve, 0.2486)
    <ImpliedCosts: The rule in use (score ≥ 0.2486) acts as if a miss cost 2.77 to 6.05 false alarms.>
    """
    cut = validate.number(threshold, "threshold")
    pi = validate.inner_rate(curve._prevalence_or(prevalence), "prevalence")
    point = fixed_point(curve, cut)
    fpr, tpr = float(curve.fpr[point]), float(curve.tpr[point])
    span = _cheapest_span(curve, point)
    # At one end of the axis alone one error is free, and others cost as little there: nobody's costs are like that.
    if span is not None and not (span.t_low == span.t_high and span.t_low in (0.0, 1.0)):
        low, high = span.cost_ratio(pi)
        return ImpliedCosts(low, high, cut, pi, fpr, tpr, curve.name)
    hull = curve.hull
    better = np.flatnonzero((hull.fpr <= fpr) & (hull.tpr >= tpr) & ((hull.fpr < fpr) | (hull.tpr > tpr)))
    if better.size:
        cheaper = choice_of(hull, int(better[-1]), whole=curve, prevalence=pi)
    else:
        cheaper = best_within(
            curve, Limits(max_fpr=fpr), pricing=None, prevalence=pi, aim="most_caught", randomised=True
        )
    return ImpliedCosts(None, None, cut, pi, fpr, tpr, curve.name, cheaper)


def current_rule(curves: Sequence[RocCurve], current: Any, chosen: Choice, pricing: Pricing | None) -> Current:
    """Return the rule in use, given as (model, threshold), against the one chosen."""
    name, cut = validate.pair(current, "current", "a pair (model, threshold)")
    known = {str(curve.name): curve for curve in curves}
    if name not in known:
        raise UnknownNameError("model in current", name, known)
    curve, cut = known[name], validate.number(cut, "threshold in current")
    first, last = curve._points_around(cut)
    fpr, tpr = float(curve.fpr[last]), float(curve.tpr[first])
    pi = chosen.prevalence
    settled = pi is not None and 0 < pi < 1 and curve.hull_is_exact and first == last
    found = Current(
        name, cut, fpr, tpr, math.nan if pi is None else pi * tpr + (1 - pi) * fpr, None, None,
        implied=implied_costs(curve, cut, prevalence=pi) if settled else None,
    )  # fmt: skip
    if pricing is None or not pricing.has_unit or chosen.expected_cost is None:
        return found
    now = [
        pricing.condition.expected_cost(float(curve.fpr[a]), float(curve.tpr[b]))
        for a, b in ((first, last), (last, first))
    ]
    then = [chosen.expected_cost, chosen.expected_cost]
    if chosen._fpr_low is not None and chosen.tpr_high is not None:
        then[0] = pricing.condition.expected_cost(chosen._fpr_low, chosen.tpr_high)
    found = replace(found, expected_cost=now[1], saving=now[1] - then[0])
    if first == last and then[0] == then[1]:
        return found
    return replace(found, expected_cost_low=now[0], saving_low=now[0] - then[1])


def _cheapest_span(curve: RocCurve, point: int) -> TRange | None:
    """Return the t at which a point is the cheapest of its curve; None if there is none."""
    hull, switch = curve.hull, curve.switch_t[::-1]
    fp, tp = curve.fp[point], curve.tp[point]
    same = np.flatnonzero((hull.fp == fp) & (hull.tp == tp))
    if same.size:
        ends = np.concatenate([[1.0], switch, [0.0]])
        return TRange(float(ends[same[0] + 1]), float(ends[same[0]]))
    # On an edge between two vertices it is as cheap as both at one t.
    edge = int(np.clip(np.searchsorted(hull.fp, fp, side="right") - 1, 0, len(hull) - 2))
    edges = {edge, max(edge - 1, 0)}
    for e in sorted(edges):
        (x0, x1), (y0, y1) = hull.fp[e : e + 2].tolist(), hull.tp[e : e + 2].tolist()
        inside = x0 <= fp <= x1 and y0 <= tp <= y1
        cross = (Fraction(x1) - Fraction(x0)) * (Fraction(tp.item()) - Fraction(y0)) - (Fraction(y1) - Fraction(y0)) * (
            Fraction(fp.item()) - Fraction(x0)
        )
        if inside and cross == 0:
            return TRange(float(switch[e]), float(switch[e]))
    return None

"""The one threshold of one model: the cheapest, within limits, or as it will be set in use."""

from __future__ import annotations

from dataclasses import replace

from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import TRange
from isocost.cost_space.score_driven import check_probabilities
from isocost.decision import numbers
from isocost.decision.at_rate import best_at_rate, rate_threshold
from isocost.decision.choice import Choice, choice_of, describe, divided_choice, priced
from isocost.decision.drift import Drift
from isocost.decision.limits import Limits, best_within
from isocost.decision.pricing import Pricing
from isocost.decision.question import Question, ThresholdMethod
from isocost.decision.rules import EVERYBODY, NOBODY, SCORED
from isocost.decision.worst_case import minimax
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve


@takes_curve()
def best_threshold(
    curve: RocCurve,
    over: Condition | Conditions | None = None,
    *,
    max_flagged: float | None = None,
    min_precision: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    method: ThresholdMethod = "best",
    threshold: float | None = None,
    prevalence: float | None = None,
    randomised: bool = False,
) -> Choice:
    """Return the threshold to deploy for one model: the same decision as `Comparison.decide`.

    With costs, it is the cheapest rule that keeps every limit, trivial classifiers included. With limits but no costs, it is the
    rule that catches the most positives within them. With neither, equal costs at the data's own prevalence are assumed.

    Ranges of costs and prevalence, and beliefs about them, are priced in the unit of the costs: the average cost of a fixed rule is
    its cost at the mean costs and the mean prevalence. A distribution of t alone has no unit: the mean normalised cost decides,
    `expected_cost` is None, and `precision` and `flagged` refer to `prevalence` or the data's own.

    If two thresholds cost the same, the one that flags fewer cases is taken. If one kind of error costs nothing, the trivial rule
    is taken: flag nobody, or flag everybody. For counts in buckets whose hull is open, it is the cheapest of the buckets' ends, and
    `normalised_cost_low` is the least that a threshold inside a bucket could cost. A threshold that is given, or set by the scores,
    may divide a bucket: rates and costs are then those of the worst case, and `normalised_cost_low` and `tpr_high` are those of the
    best. If a share to be flagged ends inside a bucket, it is reached by mixing the bucket's two ends.

    Parameters
    ----------
    curve : RocCurve
    over : Condition or Conditions, optional
    max_flagged, min_precision, max_fpr, min_tpr : float, optional
        Limits in [0, 1], in any combination. Flagged share and precision are those at the (mean) prevalence of the conditions.
    method : {"best", "score_driven", "rate_driven", "fixed"}
        How the threshold will be set in use. "best": the best one. "score_driven": the one that is right if scores are
        probabilities. "rate_driven": the one that flags the share cost_fn/(cost_fn + cost_fp) of the cases. "fixed": always
        `threshold`.
    threshold : float, optional
        For method="fixed".
    prevalence : float, optional
        Without costs: the prevalence that flagged share and precision refer to; the data's own by default.
    randomised : bool
        Also allow a random mix of two thresholds, under limits.

    Raises
    ------
    InfeasibleError
        If no threshold keeps all limits; the message says how far each can be kept.

    References
    ----------
    Provost & Fawcett (2001), Machine Learning 42:203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    <Choice: flag cases with score ≥ 0.6; catches 100.0% of positives, flags 50.0% of negatives; expected cost 0.35 a case>
    >>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), max_fpr=0.25).threshold
    0.8
    """
    limits = Limits(max_flagged, min_precision, max_fpr, min_tpr)
    question = Question.of(
        over, own_prevalence=curve.prevalence, limits=limits, method=method, threshold=threshold, prevalence=prevalence,
        randomised=randomised,
    )  # fmt: skip
    return choose(curve, question)


def choose(curve: RocCurve, question: Question, *, inner: bool = False) -> Choice:
    """Return the rule of one model that answers a question.

    `inner` leaves out the rules that flag nobody or everybody where a limit leaves any other: they belong to no model.
    """
    pricing, prevalence = question.pricing, question.prevalence_for(curve)
    if question.aim == "least_worst":
        return priced(minimax(curve, over=question.over, randomised=question.randomised), pricing)
    if question.limits.given or pricing is None:
        return best_within(
            curve, question.limits, pricing=pricing, prevalence=prevalence, aim=question.aim,
            randomised=question.randomised, inner=inner,
        )  # fmt: skip
    if question.method != "best":
        found = priced(_as_set(curve, question, pricing, prevalence), pricing)
        low = found.normalised_cost_low
        less = low is not None and low < float(found.normalised_cost or 0.0)
        return replace(found, normalised_cost_low=low if less else None)
    return _cheapest(curve, pricing, prevalence)


def _cheapest(curve: RocCurve, pricing: Pricing, prevalence: float | None) -> Choice:
    from isocost.roc_space.parametric import ContinuousRocCurve

    t = pricing.t
    if isinstance(curve, ContinuousRocCurve):
        threshold = float(curve.optimal_threshold(t))
        fpr, tpr = (float(v) for v in curve.rates_at(threshold))
        drift = Drift.around(TRange(t, t), pricing.known)
        found = describe(
            curve.name, threshold, fpr, tpr, condition=None, prevalence=prevalence, threshold_drift=drift,
            rule=continuous_rule(threshold, fpr, tpr),
        )  # fmt: skip
        return priced(found, pricing)
    if curve.hull_is_exact:
        best = curve._choice_at(t)
        return priced(choice_of(curve.hull, best, whole=curve, prevalence=prevalence), pricing)
    certain = curve._inner_hull
    best = certain._choice_at(t)
    chosen = priced(choice_of(certain, best, whole=curve, prevalence=prevalence), pricing)
    least = float(curve._optimistic.optimal_cost(t))
    low = least if least < float(chosen.normalised_cost or 0.0) else None
    return replace(chosen, threshold_drift=None, normalised_cost_low=low)


def continuous_rule(threshold: float, fpr: float, tpr: float) -> str:
    """Return the rule of a threshold between which and any other there are scores."""
    if (fpr, tpr) in ((0.0, 0.0), (1.0, 1.0)):
        return EVERYBODY if fpr else NOBODY
    return f"{SCORED}{numbers.threshold(threshold)}"


def _as_set(curve: RocCurve, question: Question, pricing: Pricing, prevalence: float | None) -> Choice:
    """Return the rule as it will be set in use, at the condition's own prevalence."""
    if question.method == "fixed":
        cut = float(question.threshold or 0.0)
        first, last = curve._points_around(cut)
        if first < last:
            return divided_choice(curve, cut, first, last, prevalence=prevalence)
        found = choice_of(curve, first, prevalence=prevalence)
        # The rule is the number given, whichever score comes next to it.
        trivial = found.rule in (NOBODY, EVERYBODY)
        return found if trivial else replace(found, threshold=cut, rule=continuous_rule(cut, found.fpr, found.tpr))
    condition = pricing.condition
    misses, alarms = condition.fn_gap, condition.fp_gap
    if not pricing.has_unit:
        pi = curve._prevalence_or(prevalence)
        misses, alarms = condition.pcf * (1 - pi), condition.t * pi
        if not misses + alarms > 0:
            raise InputError(f"method={question.method!r} needs both classes, got prevalence {pi:g}")
    if question.method == "rate_driven":
        share = misses / (misses + alarms)
        finer = best_at_rate(curve, share, prevalence=prevalence)
        low = None if finer is None else pricing.normalised(*finer)
        return replace(rate_threshold(curve, share, prevalence=prevalence), normalised_cost_low=low)
    check_probabilities(curve, "method='score_driven'")
    cut = alarms / (misses + alarms)
    first, last = curve._points_around(cut)
    if first < last:
        return divided_choice(curve, cut, first, last, prevalence=prevalence)
    return choice_of(curve, first, prevalence=prevalence)

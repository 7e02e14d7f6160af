"""A rule chosen on one set of cases, charged on another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from isocost.decision import numbers
from isocost.decision.pricing import Pricing
from isocost.decision.rules import EVERYBODY, NOBODY
from isocost.errors import InputError, UnknownNameError
from isocost.results.result import Result
from isocost.roc_space import RocCurve

if TYPE_CHECKING:
    from isocost.decision.decision import Decision


@dataclass(frozen=True)
class Charged(Result):
    """What a decided rule does and costs on other cases, at the prevalence it was decided for.

    Attributes
    ----------
    cases : float or None
        Number of cases, or their total weight; None if unknown.
    fpr, tpr : float
    flagged, precision : float
        Shares at the prevalence of the decision; NaN if that is unknown. Precision is also NaN if nobody is flagged.
    expected_cost : float or None
        Per case, in the unit of the costs; None without one.
    best_cost : float or None
        What the model's best threshold costs, chosen on these cases with hindsight.
    rule : str
    decided_cost : float or None
        What the decision expected the rule to cost.
    """

    cases: float | None
    fpr: float
    tpr: float
    flagged: float
    precision: float
    expected_cost: float | None
    best_cost: float | None
    rule: str
    decided_cost: float | None

    def __str__(self) -> str:
        """Say what the rule costs there, what it was thought to cost, and what hindsight would save."""
        on = "other cases" if self.cases is None else f"{self.cases:,.10g} other cases"
        does = f"It flags {numbers.percent(self.fpr)} of negatives and catches {numbers.percent(self.tpr)} of positives there."
        if self.expected_cost is None or self.best_cost is None or self.decided_cost is None:
            return f"Charged on {on}. {does}"
        paid, thought, least = (
            numbers.money(1000 * cost) for cost in (self.expected_cost, self.decided_cost, self.best_cost)
        )
        return (
            f"Charged on {on}, the rule costs {paid} per 1000 cases; where it was chosen, {thought}. "
            f"The model's best threshold there would have cost {least}. {does}"
        )


def charged_on(decision: Decision, y_true: ArrayLike, scores: Any, **options: Any) -> Charged:
    """Charge the decided rule on labels and scores: an array of the decided model's, or a mapping of name to scores."""
    given = scores
    if isinstance(scores, Mapping):
        if decision.model not in scores:
            raise UnknownNameError("model among the scores", decision.model, list(scores))
        given = scores[decision.model]
    return charged(decision, RocCurve.from_scores(y_true, given, name=decision.model, **options))


def charged(decision: Decision, curve: RocCurve) -> Charged:
    """Charge the decided rule on a curve of other cases of its model."""
    if decision.review is not None:
        raise InputError("a decision with reviews has two thresholds: charge one without cost_review=")
    fpr, tpr = _rates(decision, curve)
    pi = decision.prevalence
    pricing = None if decision.over is None else Pricing.of(decision.over)
    hull = list(zip(curve.hull.fpr.tolist(), curve.hull.tpr.tolist(), strict=True))
    costs = [] if pricing is None else [cost for x, y in hull if (cost := pricing.expected(x, y)) is not None]
    flagged = math.nan if pi is None else pi * tpr + (1 - pi) * fpr
    known = curve.positives is not None and curve.negatives is not None
    return Charged(
        (curve.positives or 0) + (curve.negatives or 0) if known else None, fpr, tpr, flagged,
        math.nan if pi is None or flagged == 0 else pi * tpr / flagged,
        None if pricing is None else pricing.expected(fpr, tpr), min(costs, default=None), decision.rule, decision.expected_cost,
    )  # fmt: skip


def _rates(decision: Decision, curve: RocCurve) -> tuple[float, float]:
    """Return fpr and tpr of the rule: the trivial ones stay what they are, a mix stays a mix."""
    if decision.rule in (NOBODY, EVERYBODY):
        rate = float(decision.rule == EVERYBODY)
        return rate, rate
    if math.isnan(decision.threshold):
        raise InputError("the rule has no threshold that other cases could be compared with: decide on scores")
    cuts = [(decision.threshold, 1.0)]
    if decision.other_threshold is not None and decision.other_probability is not None:
        share = decision.other_probability
        cuts = [(decision.threshold, 1 - share), (decision.other_threshold, share)]
    points = [(int(curve._points_at(cut)), share) for cut, share in cuts]
    fpr = sum(share * float(curve.fpr[point]) for point, share in points)
    return fpr, sum(share * float(curve.tpr[point]) for point, share in points)

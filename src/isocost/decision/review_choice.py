"""ReviewChoice: two thresholds with a person between them, and everything asked next."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from isocost.conditions import Condition
from isocost.cost_space import CostCurve, cost_curve
from isocost.decision import review_wording
from isocost.decision.choice import Choice, describe
from isocost.decision.review_terms import Terms
from isocost.errors import InputError
from isocost.results.doors import Drawn
from isocost.results.frames import Columns, stacked
from isocost.roc_space import RocCurve
from isocost.roc_space.parametric import ContinuousRocCurve


@dataclass(frozen=True, repr=False)
class ReviewChoice(Drawn):
    """Flag a case when its score ≥ `flag_from`, clear it when its score < `review_from`, and have a person look at the others.

    Shares and rates are those at the condition's prevalence. Costs are per case, in the unit of the costs.

    Attributes
    ----------
    review_from, flag_from : float
        Equal if nobody is reviewed; `flag_from` is +inf if nobody is flagged outright.
    reviewed, flagged, cleared : float
        Shares of all cases: seen by a person, flagged outright, cleared outright. They add up to 1.
    fpr, tpr : float
        In the end, after review.
    expected_cost, expected_cost_without : float
        With the reviews, their price included, and with one threshold for everybody.
    saving : float
        The difference of the two.
    expected_cost_all_reviewed : float
        If everybody were reviewed, whatever the limit.
    worth_up_to : float
        The price above which nobody should be reviewed.
    price_of_capacity : float
        What one more review would save when `max_reviewed` is reached, with the best mixture; 0 if it is not reached.
    probability_low, probability_high : float or None
        The calibrated risks between which a review is worth its price; None if there are none.
    flag_choice, review_choice : Choice
        The two thresholds as choices: who is flagged outright, and who is flagged or reviewed. A mixture has its `other_threshold`.
    without : Choice
        The best single threshold.
    model : str or None
    condition : Condition
        For uncertain conditions, the one with mean costs and mean prevalence: the cost of a band in money depends on nothing else.
    cost_review : float
    max_reviewed : float or None
    reviewer_fpr, reviewer_tpr : float
        Shares of the reviewed negatives and of the reviewed positives that end up flagged.
    expected_cost_low : float or None
        For counts in buckets, where only the buckets' ends can be chosen: the least that thresholds inside buckets could cost, if
        that is less. All other values are those of the buckets' ends.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> band = ic.review_band(curve, ic.Condition(), cost_review=0.25)
    >>> band.review_from, band.flag_from, round(band.reviewed, 4)
    (3.0, 5.0, 0.3333)
    """

    _display = "ReviewDisplay"

    review_from: float
    flag_from: float
    reviewed: float
    flagged: float
    cleared: float
    fpr: float
    tpr: float
    expected_cost: float
    expected_cost_without: float
    saving: float
    expected_cost_all_reviewed: float
    worth_up_to: float
    price_of_capacity: float
    probability_low: float | None
    probability_high: float | None
    flag_choice: Choice
    review_choice: Choice
    without: Choice
    model: str | None
    condition: Condition
    cost_review: float
    max_reviewed: float | None
    reviewer_fpr: float
    reviewer_tpr: float
    expected_cost_low: float | None = None
    _hull: RocCurve | None = field(default=None, compare=False)

    @property
    def randomised(self) -> bool:
        """Whether one of the two thresholds is a mixture."""
        return any(c.other_threshold is not None for c in (self.flag_choice, self.review_choice))

    def on(self, curve: RocCurve) -> ReviewChoice:
        """Return what the same thresholds do on other cases, such as a hold-out.

        The saving is against the same single threshold as here, and may be negative. More than `max_reviewed` may be reviewed
        there. `worth_up_to` and `price_of_capacity` stay what they were.

        Examples
        --------
        >>> import isocost as ic
        >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
        >>> others = ic.RocCurve.from_scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
        >>> ic.review_band(curve, ic.Condition(), cost_review=0.25).on(others).reviewed
        0.3333333333333333
        """
        flag, review, alone = (
            _elsewhere(choice, curve) for choice in (self.flag_choice, self.review_choice, self.without)
        )
        terms = Terms(self.condition, self.reviewer_fpr, self.reviewer_tpr)
        with_review = priced(terms, self.cost_review, flag, review)
        without = float(alone.expected_cost or 0.0)
        return replace(
            self, **with_review, expected_cost_without=without, saving=without - with_review["expected_cost"],
            flag_choice=flag, review_choice=review, without=alone, model=curve.name, expected_cost_low=None,
            _hull=curve if isinstance(curve, ContinuousRocCurve) else curve._inner_hull,
        )  # fmt: skip

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"randomised": self.randomised, "text": str(self)}

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """The three answers, lowest scores first: the scores each applies to, and their share of all cases."""
        ends = (-math.inf, self.review_from, self.flag_from, math.inf)
        shares = (self.cleared, self.reviewed, self.flagged)
        return tuple(
            {"answer": answer, "score_from": low, "score_below": high, "share": share}
            for answer, low, high, share in zip(("clear", "review", "flag"), ends[:-1], ends[1:], shares, strict=True)
        )

    def _columns(self) -> Columns:
        return stacked(self.answers)

    def cost_curve(self) -> CostCurve:
        """Return the cost of the model at every condition with the one threshold that is best there; in buckets, one of their ends."""
        assert self._hull is not None  # noqa: S101 - every band is made with one
        return cost_curve(self._hull)

    def chord(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Return the two points of cost space, (pcf, normalised cost), whose chord gives the cost with reviews; None if none can pay.

        They are the costs of the two thresholds, each at its own condition. Read at the pcf of the condition, the chord is the cost
        of the band; the cost curve there is the cost of one threshold, and the gap between the two is the saving.
        """
        optima = Terms(self.condition, self.reviewer_fpr, self.reviewer_tpr).optima(self.cost_review)
        if optima is None:
            return None
        flag, review = (
            (1 - t, t * choice.fpr + (1 - t) * (1 - choice.tpr))
            for t, choice in zip(optima, (self.flag_choice, self.review_choice), strict=True)
        )
        return flag, review

    def __str__(self) -> str:
        """Say what to do, in words."""
        return review_wording.band(self)

    def __repr__(self) -> str:
        """Say what to do, in words."""
        return f"<ReviewChoice: {self}>"


def priced(terms: Terms, price: float, flag: Choice, review: Choice) -> dict[str, Any]:
    """Return shares, rates and cost of a band that begins to flag and to review with these choices."""
    fpr, tpr = terms.rates((flag.fpr, flag.tpr), (review.fpr, review.tpr))
    reviewed = max(terms.share(review.fpr - flag.fpr, review.tpr - flag.tpr), 0.0)
    flagged = terms.share(flag.fpr, flag.tpr)
    return {
        "reviewed": reviewed, "flagged": flagged, "cleared": max(1.0 - flagged - reviewed, 0.0),
        "fpr": fpr, "tpr": tpr, "expected_cost": terms.condition.expected_cost(fpr, tpr) + price * reviewed,
    }  # fmt: skip


def _elsewhere(choice: Choice, curve: RocCurve) -> Choice:
    """Return the same threshold or mixture on other cases."""
    cuts = [choice.threshold] if choice.other_threshold is None else [choice.threshold, choice.other_threshold]
    if any(math.isnan(cut) for cut in cuts):
        raise InputError("the band has no thresholds, so it says nothing about other cases: make it from scores")
    if isinstance(curve, ContinuousRocCurve):
        points = [tuple(float(rate) for rate in curve.rates_at(cut)) for cut in cuts]
    else:
        points = [(float(curve.fpr[i]), float(curve.tpr[i])) for i in curve._points_at(cuts).tolist()]
    (fpr, tpr), share = points[0], choice.other_probability or 0.0
    fpr, tpr = fpr + share * (points[-1][0] - fpr), tpr + share * (points[-1][1] - tpr)
    return describe(
        curve.name, choice.threshold, fpr, tpr, condition=choice.condition, prevalence=choice.prevalence, rule=choice.rule,
        other_threshold=choice.other_threshold, other_probability=choice.other_probability,
    )  # fmt: skip

"""Flag, clear, or have a person look: the cheapest band of scores to review."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import TRange
from isocost.decision.at_condition import best_threshold, continuous_rule
from isocost.decision.choice import Choice, choice_of, describe
from isocost.decision.drift import Drift
from isocost.decision.review_choice import ReviewChoice, priced
from isocost.decision.review_terms import Edges, Terms
from isocost.decision.review_window import cheapest_pair
from isocost.errors import ConditionError, InputError
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.feasible_region import SLACK
from isocost.roc_space.parametric import ContinuousRocCurve

# What a difference of two equal costs, as shares of the worst, may come out as.
_ROUNDING = 16 * float(np.finfo(np.float64).eps)
NO_PATH = (
    "the points are crisp classifiers that form no monotone path, so no band of scores lies between two of them: "
    "build the curve from scores"
)


@takes_curve()
def review_band(
    curve: RocCurve,
    condition: Condition | Conditions,
    *,
    cost_review: float,
    max_reviewed: float | None = None,
    reviewer_fpr: float = 0.0,
    reviewer_tpr: float = 1.0,
    randomised: bool = False,
) -> ReviewChoice:
    """Return the cheapest pair of thresholds with a person between them: flag, clear, or have somebody look.

    Reviewing a case of risk p gains the cost of the likelier mistake, less what the reviewer's own mistakes cost. Every edge of the
    hull is a stretch of scores of one risk, so the edges that gain more than the price are the band, exactly. Under a limit all
    pairs of thresholds are compared. Of equally cheap bands, the one that reviews the fewest cases is taken, then the one that
    flags the fewest. For counts in buckets, both thresholds are ends of buckets, and `expected_cost_low` is the least that finer
    ones could cost.

    Parameters
    ----------
    curve : RocCurve
        With thresholds on one score. It should count cases: for a curve weighted by amounts, shares are shares of the amount.
    condition : Condition or Conditions
        Uncertain conditions must say what errors cost: use `Conditions.from_costs` or `Conditions.from_beliefs`. The cost of a band
        in money is linear in them, so the best band is the one at the mean costs and the mean prevalence.
    cost_review : float
        Price of one review, in the unit of the costs.
    max_reviewed : float, optional
        Share of all cases that can be reviewed, in [0, 1].
    reviewer_fpr, reviewer_tpr : float
        Shares of the reviewed negatives and of the reviewed positives that end up flagged; a perfect reviewer by default.
    randomised : bool
        Mix two thresholds at random on one side of the band, to use a limit in full.

    References
    ----------
    Chow (1970), On optimum recognition error and reject tradeoff, doi:10.1109/TIT.1970.1054406.
    Pietraszek (2007), On the use of ROC analysis for the optimization of abstaining classifiers, Machine Learning.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y, scores["random_forest"], name="random_forest")
    >>> band = ic.review_band(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), cost_review=0.4)
    >>> band.review_from, band.flag_from, round(band.reviewed, 6)
    (0.127338, 0.544213, 0.731)
    >>> round(band.expected_cost, 6), round(band.expected_cost_without, 6), round(band.worth_up_to, 4)
    (0.3364, 0.502, 0.735)
    >>> limited = ic.review_band(curve, band.condition, cost_review=0.3, max_reviewed=0.1)
    >>> round(limited.expected_cost, 6), round(limited.price_of_capacity, 4)
    (0.46, 0.435)
    """
    at = known_costs(condition)
    terms = Terms.checked(at, reviewer_fpr, reviewer_tpr)
    price = checked_price(cost_review)
    most = None if max_reviewed is None else validate.number(max_reviewed, "max_reviewed", low=0.0, high=1.0)
    check_path(curve)
    if isinstance(curve, ContinuousRocCurve):
        if most is not None:
            raise InputError(
                "max_reviewed needs a finite list of operating points, and this curve comes from distributions: "
                "take RocCurve.from_scores of a sample"
            )
        found = _of_distributions(curve, terms, price)
    else:
        found = _of_points(curve, terms, price, most, randomised=randomised)
    band = _described(curve, terms, price, most, found)
    limited = found.price_of_capacity > 0 and not randomised
    if curve.hull_is_exact and (not limited or inexact.is_complete(curve)):
        return band
    # No two points of any curve in the buckets are cheaper than the best mixture on the highest hull.
    low = _of_points(curve._optimistic, terms, price, most, randomised=True).cost
    rounding = _ROUNDING * (at.worst_cost - at.best_cost + price)
    return replace(band, expected_cost_low=low if low < band.expected_cost - rounding else None)


def known_costs(condition: Condition | Conditions) -> Condition:
    """Return the condition whose costs in money are the mean ones."""
    if isinstance(condition, Condition):
        return condition
    if not isinstance(condition, Conditions):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
    means = condition.means
    if means is None:
        raise ConditionError(
            f"reviews cost money, and these conditions ({condition}) do not say what errors cost: "
            "use Conditions.from_costs or Conditions.from_beliefs"
        )
    return means


def checked_price(cost_review: float) -> float:
    """Return the price of a review: finite, and not negative."""
    price = validate.number(cost_review, "cost_review", low=0.0)
    if math.isinf(price):
        raise InputError(f"cost_review must be finite, got {cost_review!r}")
    return price


def check_path(curve: RocCurve) -> None:
    """Raise unless the points can be thresholds on one score: a band lies between two of them."""
    if not curve._is_path:
        raise InputError(NO_PATH)


@dataclass(frozen=True)
class _Found:
    """Where flagging and reviewing begin, and what that saves."""

    flag: Choice
    review: Choice
    without: Choice
    saving: float
    worth_up_to: float
    price_of_capacity: float = 0.0

    @property
    def cost(self) -> float:
        """What a case costs with it."""
        return float(self.without.expected_cost or 0.0) - self.saving


def _described(curve: RocCurve, terms: Terms, price: float, most: float | None, found: _Found) -> ReviewChoice:
    low, high = terms.risks(price) or (None, None)
    return ReviewChoice(
        found.review.threshold, found.flag.threshold, **priced(terms, price, found.flag, found.review),
        expected_cost_without=float(found.without.expected_cost or 0.0), saving=max(found.saving, 0.0),
        expected_cost_all_reviewed=terms.all_reviewed(price), worth_up_to=found.worth_up_to, price_of_capacity=found.price_of_capacity,
        probability_low=low, probability_high=high, flag_choice=found.flag, review_choice=found.review, without=found.without,
        model=curve.name, condition=terms.condition, cost_review=price, max_reviewed=most,
        reviewer_fpr=terms.reviewer_fpr, reviewer_tpr=terms.reviewer_tpr,
        _hull=curve if isinstance(curve, ContinuousRocCurve) else curve._inner_hull,
    )  # fmt: skip


def _of_points(curve: RocCurve, terms: Terms, price: float, most: float | None, *, randomised: bool) -> _Found:
    edges = Edges.of(curve, terms)
    hull, best, at = edges.hull, edges.best, terms.condition

    @cache
    def vertex(index: int, other: int | None = None, share: float = 0.0) -> Choice:
        found = choice_of(hull, index, whole=curve, condition=at, other=other, probability=share)
        return found if curve.hull_is_exact else replace(found, threshold_drift=None)

    without = vertex(best)
    paying = edges.paying(price)
    filled = np.cumsum(edges.share[paying])
    fits = paying.size if most is None else int(np.searchsorted(filled, most + SLACK, side="right"))
    taken = paying[:fits]
    saving = float(np.sum(edges.share[taken] * (edges.gain[taken] - price)))
    before = int(np.count_nonzero(taken < best))
    flag, review = best - before, best + fits - before
    if most is None or fits == paying.size:
        return _Found(vertex(flag), vertex(review), without, saving, edges.worth_up_to)
    # The limit is reached: of the next edge only a part can be reviewed.
    edge = int(paying[fits])
    capacity = float(edges.gain[edge]) - price
    left = max(most - float(filled[fits - 1] if fits else 0.0), 0.0)
    share = left / float(edges.share[edge])
    found = _Found(without, without, without, 0.0, edges.worth_up_to, capacity)
    if randomised and left > SLACK:
        saving += left * capacity
        if edge < best:
            return replace(found, flag=vertex(flag, flag - 1, share), review=vertex(review), saving=saving)
        return replace(found, flag=vertex(flag), review=vertex(review, review + 1, share), saving=saving)
    if randomised or most == 0:
        return replace(found, flag=vertex(flag), review=vertex(review), saving=saving)
    first, last = cheapest_pair(curve, terms, price, most, capacity=capacity, room=left * capacity)
    if first == last:
        return found
    ends = choice_of(curve, first, condition=at), choice_of(curve, last, condition=at)
    cost = priced(terms, price, *ends)["expected_cost"]
    return replace(found, flag=ends[0], review=ends[1], saving=float(without.expected_cost or 0.0) - cost)


def _of_distributions(curve: ContinuousRocCurve, terms: Terms, price: float) -> _Found:
    at = terms.condition
    without = best_threshold(curve, at)
    worth = worth_of_distributions(curve, terms, without.threshold)
    optima = terms.optima(price)
    if optima is None:
        return _Found(without, without, without, 0.0, worth)
    cuts = [float(curve.optimal_threshold(t)) for t in optima]
    rates = [tuple(float(rate) for rate in curve.rates_at(cut)) for cut in cuts]
    flag, review = (
        describe(
            curve.name,
            cut,
            fpr,
            tpr,
            condition=at,
            prevalence=at.prevalence,
            rule=continuous_rule(cut, fpr, tpr),
            threshold_drift=Drift.around(TRange(t, t), at),
        )
        for cut, (fpr, tpr), t in zip(cuts, rates, optima, strict=True)
    )
    saving = float(without.expected_cost or 0.0) - priced(terms, price, flag, review)["expected_cost"]
    if not saving > 0 or not review.threshold < flag.threshold:
        return _Found(without, without, without, 0.0, worth)
    return _Found(flag, review, without, saving, worth)


def worth_of_distributions(curve: ContinuousRocCurve, terms: Terms, threshold: float) -> float:
    """Return what the first review gains: the most possible where the curve is smooth, less at a corner or a trivial threshold."""
    at = terms.condition
    if terms.most_gained == 0 or not 0 < at.prevalence < 1:
        return 0.0
    if math.isfinite(threshold):
        # Beside the threshold on both sides the likelihood ratio; where it is continuous both are that of the condition.
        step = 1e-9 * max(abs(threshold), 1.0)
        beside = np.array([threshold + step, threshold - step])
        p, n = curve.positive.pdf(beside), curve.negative.pdf(beside)
        t = np.divide(p, p + n, out=np.full(2, at.t), where=p + n > 0)
        t = np.where(np.abs(t - at.t) < 1e-6, at.t, t)
    else:
        vertex = curve._choice_at(at.t)
        switch = np.concatenate([[1.0], curve.switch_t[::-1], [0.0]])
        t = switch[vertex : vertex + 2]
    positive, negative = at.prevalence * t, (1 - at.prevalence) * (1 - t)
    risk = positive / (positive + negative)
    a, b, e, d = at.fp_gap, at.fn_gap, terms.reviewer_fpr, terms.reviewer_tpr
    flagged = (1 - risk[0]) * a * (1 - e) - risk[0] * b * (1 - d)
    cleared = risk[1] * b * d - (1 - risk[1]) * a * e
    return float(np.clip(max(flagged, cleared), 0.0, terms.most_gained))

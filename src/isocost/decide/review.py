"""Flag, clear, or have a person look: the cheapest pair of rules of a model with a person between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions, Pair, at_means
from isocost.curves import CostCurve, RocCurve, cost_curve
from isocost.curves.hull import least_between
from isocost.curves.roc import ContinuousRocCurve, is_path, points_at, refuse_continuous, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.choice import Band, Choice, described
from isocost.decide.question import SLACK, TIE, Question, Reviews
from isocost.decide.rules import Rules
from isocost.decide.say import in_brackets, say
from isocost.errors import InputError
from isocost.results import Columns, Drawn, plain, stacked


def most_gained(at: Condition, look: Reviews) -> float:
    """Return what a review can gain at most, whatever the model: ab(d-e)/(a+b), and 0 for a reviewer no better than chance."""
    return max(at.fp_gap * at.fn_gap * (look.tpr - look.fpr) / (at.fp_gap + at.fn_gap), 0.0)


def priced(at: Condition, look: Reviews, flag: Choice, review: Choice) -> dict[str, float]:
    """Return shares, rates and cost of a band that begins to flag and to review with these choices."""
    p, x, y = at.prevalence, review.fpr - flag.fpr, review.tpr - flag.tpr
    fpr, tpr, reviewed = flag.fpr + look.fpr * x, flag.tpr + look.tpr * y, max((1 - p) * x + p * y, 0.0)
    flagged, cost = (1 - p) * flag.fpr + p * flag.tpr, at.expected_cost(fpr, tpr) + look.cost * reviewed
    return {"reviewed": reviewed, "flagged": flagged, "fpr": fpr, "tpr": tpr, "expected_cost": cost}


def cheapest_pair(x: Floats, y: Floats, p: float, prices: Pair, look: Reviews) -> tuple[int, int]:
    """Return where on a path of rates flagging and reviewing begin: the cheapest pair, at prices w0 of the fpr and w1 of 1 - tpr.

    For each start of flagging the least of a window. Of equal pairs the one that reviews fewest, then the one that flags fewest.
    """
    w0, w1 = prices
    start = (w0 * (1 - look.fpr) - (1 - p) * look.cost) * x - (w1 * (1 - look.tpr) + p * look.cost) * y
    end = (w0 * look.fpr + (1 - p) * look.cost) * x - (w1 * look.tpr - p * look.cost) * y
    flagged = (1 - p) * x + p * y
    last = np.full(x.size, x.size)
    if look.max_reviewed is not None:
        last = np.searchsorted(flagged, flagged + look.max_reviewed + SLACK, side="right")
    least = start + least_between(end, np.arange(x.size), last)
    bound = float(least.min()) + TIE * (w0 + w1 + look.cost)
    pairs = [
        (i, i + int(np.argmax(start[i] + end[i : last[i]] <= bound))) for i in np.flatnonzero(least <= bound).tolist()
    ]
    fewest = min(flagged[j] - flagged[i] for i, j in pairs) + SLACK
    return next((i, j) for i, j in pairs if flagged[j] - flagged[i] <= fewest)


def best_band(rules: Rules, m: int, question: Question) -> Band:
    """Return where flagging and where reviewing begins: the cheapest over all pairs of rules of model m, trivial ones included."""
    look, at = question.reviews, question.at
    assert look is not None  # noqa: S101 - the caller looked
    _check_path(rules.curves[m])
    path = rules.path(m)
    x, y, p, (a, b) = rules.fpr[path], rules.tpr[path], at.prevalence, question.gaps
    ends = cheapest_pair(x, y, p, ((1 - p) * a, p * b), look)
    flag, review = (described(rules, int(path[k]), question) for k in ends)
    found = priced(at, look, flag, review)
    saving = max(float(at.expected_cost(x, y).min()) - found["expected_cost"], 0.0)
    return Band(flag, review, **found, saving=saving, worth_up_to=worth_of_reviews(rules, m, at, look)[0])


def worth_of_reviews(rules: Rules, m: int, at: Condition, look: Reviews) -> Pair:
    """Return the price above which no case of a model should be reviewed, and what one more review saves where a limit is reached.

    An edge of the hull is a stretch of scores of one risk: reviewing it gains the same for each case, the most next to the vertex that is
    cheapest without reviews.
    """
    v, p = rules.hull(rules.path(m)), at.prevalence
    x, y, scale = rules.fpr[v], rules.tpr[v], at.worst_cost - at.best_cost
    cost = at.expected_cost(x, y)
    flagged = np.arange(v.size - 1) < int(np.argmax(cost <= cost.min() + TIE * scale))
    negative, positive = (1 - p) * np.diff(x), p * np.diff(y)
    share = negative + positive
    held = np.where(share > 0, share, 1.0)
    alarms, misses = at.fp_gap * negative / held, at.fn_gap * positive / held
    gain = np.where(flagged, alarms * (1 - look.fpr) - misses * (1 - look.tpr), misses * look.tpr - alarms * look.fpr)
    gain = np.where(gain * share > TIE * scale, np.minimum(gain, most_gained(at, look)), 0.0)
    order = np.argsort(-gain, kind="stable")
    paying = order[(gain[order] - look.cost) * share[order] > TIE * scale]
    full = np.cumsum(share[paying]) > (1.0 if look.max_reviewed is None else look.max_reviewed) + SLACK
    more = float(gain[paying[np.argmax(full)]]) - look.cost if full.any() and look.max_reviewed is not None else 0.0
    return float(gain.max(initial=0.0)), more


@dataclass(frozen=True, repr=False)
class ReviewChoice(Drawn):
    """Flag a case when its score ≥ `flag_from`, clear it when its score < `review_from`, and have a person look at the others.

    Shares and rates are those at the condition's prevalence. Costs are per case, in the unit of the costs.

    Attributes
    ----------
    review_from, flag_from : float
        Equal if no case is reviewed; `flag_from` is +inf if none is flagged outright.
    reviewed, flagged, cleared : float
        Shares of all cases: seen by a person, flagged outright, cleared outright. They add up to 1.
    fpr, tpr : float
        In the end, after review.
    expected_cost, expected_cost_without : float
        With the reviews, their price included, and with one threshold for all cases.
    saving : float
        The difference of the two.
    expected_cost_all_reviewed : float
        If every case were reviewed, whatever the limit.
    worth_up_to : float
        The price above which no case should be reviewed.
    price_of_capacity : float
        What one more review would save when `max_reviewed` is reached; 0 if it is not reached.
    probability_low, probability_high : float or None
        The calibrated risks between which a review is worth its price; None if there are none.
    flag_choice, review_choice : Choice
        The two thresholds as choices: who is flagged outright, and who is flagged or reviewed.
    without : Choice
        The best single threshold.
    model : str or None
    condition : Condition
        For uncertain conditions, the one with mean costs and mean prevalence: the cost of a band depends on nothing else.
    cost_review : float
    max_reviewed : float or None
    reviewer_fpr, reviewer_tpr : float

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> band = ic.decide.review_band(curve, ic.Condition(), cost_review=0.25)
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
    _hull: RocCurve | None = field(default=None, compare=False)

    def on(self, curve: RocCurve) -> ReviewChoice:
        """Return what the same thresholds do on other cases, such as a hold-out.

        The saving is against the same single threshold as here, and may be negative. More than `max_reviewed` may be reviewed
        there. `worth_up_to` and `price_of_capacity` stay what they were.

        Examples
        --------
        >>> import isocost as ic
        >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
        >>> others = ic.RocCurve.from_scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
        >>> ic.decide.review_band(curve, ic.Condition(), cost_review=0.25).on(others).reviewed
        0.3333333333333333
        """
        own = (self.flag_choice, self.review_choice, self.without)
        rates = [rates_of(replace(choice, model="it"), {"it": curve}) for choice in own]
        flag, review, alone = (
            replace(choice, model=curve.name, fpr=fpr, tpr=tpr, expected_cost=None, normalised_cost=None)
            for choice, (fpr, tpr) in zip(own, rates, strict=True)
        )
        found: dict[str, Any] = priced(self.condition, self._look, flag, review)
        without = self.condition.expected_cost(alone.fpr, alone.tpr)
        return replace(
            self, **found, cleared=max(1.0 - found["flagged"] - found["reviewed"], 0.0), expected_cost_without=without,
            saving=without - found["expected_cost"], flag_choice=flag, review_choice=review, without=alone, model=curve.name,
            _hull=curve.hull,
        )  # fmt: skip

    @property
    def _look(self) -> Reviews:
        return Reviews(self.cost_review, self.max_reviewed, self.reviewer_fpr, self.reviewer_tpr)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"text": str(self)}

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """The three answers, lowest scores first: the scores each applies to, and their share of all cases."""
        return answers_between(
            (self.review_from, self.flag_from), {"clear": self.cleared, "review": self.reviewed, "flag": self.flagged}
        )

    def _columns(self) -> Columns:
        return stacked(self.answers)

    def cost_curve(self) -> CostCurve:
        """Return the cost of the model at every condition with the one threshold that is best there."""
        assert self._hull is not None  # noqa: S101 - every band is made with one
        return cost_curve(self._hull)

    def chord(self) -> tuple[Pair, Pair] | None:
        """Return the two points of cost space, (pcf, normalised cost), whose chord gives the cost with reviews; None if none can pay.

        They are the costs of the two thresholds, each at its own condition. Read at the pcf of the condition, the chord is the cost
        of the band; the cost curve there is the cost of one threshold, and the gap between the two is the saving.
        """
        at, look, price = self.condition, self._look, self.cost_review
        a, b, p = at.fp_gap, at.fn_gap, at.prevalence
        if not price < most_gained(at, look) or not 0 < p < 1:
            return None
        # The cost of a band is A1·h1 - B1·k1 + A0·h0 - B0·k0 and a constant: two ordinary optima side by side.
        weighed = (
            ((1 - p) * (a * (1 - look.fpr) - price), p * (b * (1 - look.tpr) + price), self.flag_choice),
            ((1 - p) * (a * look.fpr + price), p * (b * look.tpr - price), self.review_choice),
        )
        flag, review = (
            (misses / (alarms + misses), (alarms * choice.fpr + misses * (1 - choice.tpr)) / (alarms + misses))
            for alarms, misses, choice in weighed
        )
        return flag, review

    def __str__(self) -> str:
        """Say what to do, in words."""
        parts = {"flag_from": self.flag_choice, "review_from": self.review_choice}
        own = {name: value for name, value in super()._data().items() if not isinstance(value, Choice | Condition)}
        said = {
            "question": {"words": self.without.words},
            "without": self.without,
            "review": parts | {"reviewed": self.reviewed},
        }
        return say("band", plain(own | said))

    __repr__ = in_brackets


def answers_between(cuts: tuple[float, float], shares: Mapping[str, float]) -> tuple[dict[str, Any], ...]:
    """Return three answers by rising score: the scores between which each applies, and its share of all cases."""
    ends = (-math.inf, *cuts, math.inf)
    rows = zip(shares, ends[:-1], ends[1:], shares.values(), strict=True)
    return tuple(
        {"answer": name, "score_from": low, "score_below": high, "share": share} for name, low, high, share in rows
    )


def rates_of(choice: Choice, curves: Mapping[str, RocCurve]) -> Pair:
    """Return fpr and tpr of a rule on other cases of its models: a mixture stays a mixture."""
    if choice.other is not None:
        share = float(choice.share or 0.0)
        (x, y), (u, v) = (rates_of(part, curves) for part in (choice.one or replace(choice, other=None), choice.other))
        return x + share * (u - x), y + share * (v - y)
    if choice.rule in ("nobody", "everybody") or math.isinf(choice.threshold):
        rate = float(choice.rule == "everybody" or choice.threshold < 0)
        return rate, rate
    if math.isnan(choice.threshold):
        raise InputError("the rule has no threshold that other cases could be compared with: decide on scores")
    curve = curves[checks.choice(choice.model, "model among the scores", curves)]
    if isinstance(curve, ContinuousRocCurve):
        fpr, tpr = curve.rates_at(choice.threshold)
    else:
        at = int(points_at(curve, choice.threshold))
        fpr, tpr = curve.fpr[at], curve.tpr[at]
    return float(fpr), float(tpr)


@takes_curve()
def review_band(
    curve: RocCurve,
    condition: Condition | Conditions,
    *,
    cost_review: float,
    max_reviewed: float | None = None,
    reviewer_fpr: float = 0.0,
    reviewer_tpr: float = 1.0,
) -> ReviewChoice:
    """Return the cheapest pair of thresholds with a person between them: flag, clear, or have a person look.

    Reviewing a case of risk p gains the cost of the likelier mistake, less what the reviewer's own mistakes cost. All pairs of
    thresholds are compared. Of equally cheap bands, the one that reviews the fewest cases is taken, then the one that flags the fewest.

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

    Returns
    -------
    ReviewChoice

    See Also
    --------
    isocost.best_threshold, isocost.decide.Reviews

    References
    ----------
    .. [1] Chow (1970), On optimum recognition error and reject tradeoff, doi:10.1109/TIT.1970.1054406.
    .. [2] Pietraszek (2007), On the use of ROC analysis for the optimization of abstaining classifiers, Machine Learning.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y, scores["random_forest"], name="random_forest")
    >>> band = ic.decide.review_band(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), cost_review=0.4)
    >>> band.review_from, band.flag_from, round(band.reviewed, 6)
    (0.127338, 0.544213, 0.731)
    >>> round(band.expected_cost, 6), round(band.expected_cost_without, 6), round(band.worth_up_to, 4)
    (0.3364, 0.502, 0.735)
    >>> limited = ic.decide.review_band(curve, band.condition, cost_review=0.3, max_reviewed=0.1)
    >>> round(limited.expected_cost, 6), round(limited.price_of_capacity, 4)
    (0.46, 0.435)
    """
    at = at_means(condition)
    look = Reviews.of(cost_review, max_reviewed, reviewer_fpr, reviewer_tpr)
    if look is None:
        raise InputError("cost_review must be a number, got None")
    _check_path(curve)
    question = Question(condition=at, prevalence=at.prevalence, reviews=look)
    rules = Rules.of([curve], question)
    band, (worth, capacity) = best_band(rules, 0, question), worth_of_reviews(rules, 0, at, look)
    best = rules.first(np.arange(len(rules)), [rules.cost(question.mean)], question.scale)
    without = replace(described(rules, best, question), model=curve.name)
    flag, review = (replace(c, model=curve.name) for c in (band.flag_from, band.review_from))
    if band.reviewed == 0:
        flag = review = without
    found, alone = priced(at, look, flag, review), float(without.expected_cost or 0.0)
    low = high = None
    if look.cost < most_gained(at, look):
        # Between these risks a review gains more than its price (Chow's rule).
        low = (look.cost + at.fp_gap * look.fpr) / (at.fn_gap * look.tpr + at.fp_gap * look.fpr)
        gain = at.fp_gap * (1 - look.fpr)
        high = (gain - look.cost) / (gain + at.fn_gap * (1 - look.tpr))
    return ReviewChoice(
        review_from=review.threshold, flag_from=flag.threshold, **found, cleared=max(1.0 - found["flagged"] - found["reviewed"], 0.0),
        expected_cost_without=alone, saving=max(alone - found["expected_cost"], 0.0),
        expected_cost_all_reviewed=at.expected_cost(look.fpr, look.tpr) + look.cost, worth_up_to=worth, price_of_capacity=capacity,
        probability_low=low, probability_high=high, flag_choice=flag, review_choice=review, without=without, model=curve.name,
        condition=at, cost_review=look.cost, max_reviewed=look.max_reviewed, reviewer_fpr=look.fpr, reviewer_tpr=look.tpr,
        _hull=curve.hull,
    )  # fmt: skip


def _check_path(curve: RocCurve) -> None:
    """Raise unless the points can be thresholds on one score: a band lies between two of them."""
    refuse_continuous(curve, "a band of reviews needs")
    if not is_path(curve):
        raise InputError(
            "the points are crisp classifiers that form no monotone path, so no band of scores lies between two of them: "
            "build the curve from scores"
        )

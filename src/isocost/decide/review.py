"""Flag, clear, or have a person look: the cheapest pair of rules of a model with a person between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions, Pair, at_means
from isocost.curves import RocCurve
from isocost.curves.hull import least_between
from isocost.curves.roc import refuse_continuous, require_path, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.choice import Band, Choice, described
from isocost.decide.question import SLACK, TIE, Question, Reviews, first_least
from isocost.decide.rules import Rules
from isocost.decide.say import in_brackets, say
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
    """Return where on a path of rates flagging and reviewing begin: the cheapest pair, at prices w0 of the fpr and w1 of 1 - tpr."""
    w0, w1 = prices
    start = (w0 * (1 - look.fpr) - (1 - p) * look.cost) * x - (w1 * (1 - look.tpr) + p * look.cost) * y
    end = (w0 * look.fpr + (1 - p) * look.cost) * x - (w1 * look.tpr - p * look.cost) * y
    flagged = (1 - p) * x + p * y
    last = np.full(x.size, x.size)
    if look.max_reviewed is not None:
        last = np.searchsorted(flagged, flagged + look.max_reviewed + SLACK, side="right")
    least = start + least_between(end, np.arange(x.size), last)
    bound = float(least.min()) + TIE * (w0 + w1 + look.cost)
    starts = np.flatnonzero(least <= bound).tolist()
    pairs = [(i, i + int(np.argmax(start[i] + end[i : last[i]] <= bound))) for i in starts]
    # Of equal pairs the one that reviews fewest, then the one that flags fewest.
    fewest = min(flagged[j] - flagged[i] for i, j in pairs) + SLACK
    return next((i, j) for i, j in pairs if flagged[j] - flagged[i] <= fewest)


def best_band(rules: Rules, m: int, question: Question) -> Band:
    """Return where flagging and where reviewing begins: the cheapest over all pairs of rules of model m, trivial ones included."""
    look, at = question.reviews, question.at
    assert look is not None  # noqa: S101 - the caller looked
    refuse_continuous(rules.curves[m], "a band of reviews needs")
    require_path(rules.curves[m])
    path = rules.path(m)
    x, y, p, (a, b) = rules.fpr[path], rules.tpr[path], at.prevalence, question.gaps
    ends = cheapest_pair(x, y, p, ((1 - p) * a, p * b), look)
    flag, review = (described(rules, int(path[k]), question) for k in ends)
    found = priced(at, look, flag, review)
    saving = max(float(at.expected_cost(x, y).min()) - found["expected_cost"], 0.0)
    return Band(flag, review, **found, saving=saving, worth_up_to=worth_of_reviews(rules, m, at, look)[0])


def worth_of_reviews(rules: Rules, m: int, at: Condition, look: Reviews) -> Pair:
    """Return the price above which no case of a model should be reviewed, and what one more review saves where a limit is reached."""
    # An edge of the hull is a stretch of scores of one risk: reviewing it gains the same for each case.
    v, p = rules.hull(rules.path(m)), at.prevalence
    x, y, scale = rules.fpr[v], rules.tpr[v], at.worst_cost - at.best_cost
    cost = at.expected_cost(x, y)
    flagged = np.arange(v.size - 1) < int(first_least(cost, TIE * scale))
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
    reviewed, flagged, cleared, fpr, tpr : float
        Shares of all cases: seen by a person, flagged outright, cleared outright, adding up to 1; and the rates in the end.
    expected_cost, expected_cost_without, saving, expected_cost_all_reviewed : float
        With the reviews, their price included; with one threshold for all cases; the difference; and if every case were reviewed.
    worth_up_to, price_of_capacity : float
        The price above which no case should be reviewed, and what one more review would save when `max_reviewed` is reached, else 0.
    probability_low, probability_high : float or None
        The calibrated risks between which a review is worth its price; None if there are none.
    flag_choice, review_choice, without : Choice
        Who is flagged outright, who is flagged or reviewed, and the best single threshold.
    model, condition, reviews
        For uncertain conditions the one with mean costs and mean prevalence: the cost of a band depends on nothing else.
    """

    _display = "ReviewBarDisplay"

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
    reviews: Reviews

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"text": str(self)}

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """The three answers, lowest scores first: the scores each applies to, and their share of all cases."""
        parts = {"clear": self.cleared, "review": self.reviewed, "flag": self.flagged}
        return answers_between((self.review_from, self.flag_from), parts)

    def _columns(self) -> Columns:
        return stacked(self.answers)

    def __str__(self) -> str:
        parts = {"flag_from": self.flag_choice, "review_from": self.review_choice, "reviewed": self.reviewed}
        own = {name: value for name, value in super()._data().items() if not isinstance(value, Choice | Condition)}
        return say("band", plain(own | {"without": self.without, "review": parts}), self.without.words)

    __repr__ = in_brackets


def answers_between(cuts: tuple[float, float], shares: Mapping[str, float]) -> tuple[dict[str, Any], ...]:
    """Return three answers by rising score: the scores between which each applies, and its share of all cases."""
    ends = (-math.inf, *cuts, math.inf)
    rows = zip(shares, ends[:-1], ends[1:], shares.values(), strict=True)
    return tuple(dict(zip(("answer", "score_from", "score_below", "share"), row, strict=True)) for row in rows)


@takes_curve(
    see="isocost.best_threshold isocost.decide.Reviews",
    cites="Chow (1970), On optimum recognition error and reject tradeoff, doi:10.1109/TIT.1970.1054406; "
    "Pietraszek (2007), On the use of ROC analysis for the optimization of abstaining classifiers, Machine Learning",
)  # fmt: skip
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
    thresholds are compared; of equally cheap bands the one that reviews, and then the one that flags, the fewest cases is taken.

    Parameters
    ----------
    curve : RocCurve
        With thresholds on one score. It should count cases: for a curve weighted by amounts, shares are shares of the amount.
    condition : Condition or Conditions
        Uncertain ones must say what errors cost (`Conditions.from_costs`, `Conditions.from_beliefs`). The cost of a band in money is
        linear in them, so the best band is the one at the mean costs and the mean prevalence.
    cost_review, max_reviewed : float, float or None
        Price of one review, in the unit of the costs, and the share of all cases that can be reviewed.
    reviewer_fpr, reviewer_tpr : float
        Shares of the reviewed negatives and of the reviewed positives that end up flagged; a perfect reviewer by default.

    Returns
    -------
    ReviewChoice

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
    given = Reviews.of(cost_review, max_reviewed, reviewer_fpr, reviewer_tpr)
    look = checks.needed(given, "cost_review must be a number, got None")
    question = Question(condition=at, prevalence=at.prevalence, reviews=look)
    rules = Rules.of([curve], question)
    band, (worth, capacity) = best_band(rules, 0, question), worth_of_reviews(rules, 0, at, look)
    best = rules.first(np.arange(len(rules)), [rules.cost(question.mean)], TIE * question.scale)
    without = replace(described(rules, best, question), model=curve.name)
    flag, review = (replace(c, model=curve.name) for c in (band.flag_from, band.review_from))
    if band.reviewed == 0:
        flag = review = without
    found, alone = priced(at, look, flag, review), float(without.expected_cost or 0.0)
    low = high = None
    a, b = at.fp_gap, at.fn_gap
    if look.cost < most_gained(at, look):
        # Between these risks a review gains more than its price (Chow's rule).
        low = (look.cost + a * look.fpr) / (b * look.tpr + a * look.fpr)
        high = (a * (1 - look.fpr) - look.cost) / (a * (1 - look.fpr) + b * (1 - look.tpr))
    return ReviewChoice(
        review_from=review.threshold, flag_from=flag.threshold, **found, cleared=max(1.0 - found["flagged"] - found["reviewed"], 0.0),
        expected_cost_without=alone, saving=max(alone - found["expected_cost"], 0.0),
        expected_cost_all_reviewed=at.expected_cost(look.fpr, look.tpr) + look.cost, worth_up_to=worth, price_of_capacity=capacity,
        probability_low=low, probability_high=high, flag_choice=flag, review_choice=review, without=without, model=curve.name,
        condition=at, reviews=look,
    )  # fmt: skip

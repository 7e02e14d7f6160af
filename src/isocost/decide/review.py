"""Flag, clear, or have a person look: the cheapest pair of rules of a model with a person between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost.conditions import Condition, Conditions, at_means
from isocost.curves import CostCurve, RocCurve, cost_curve
from isocost.curves.hull import least_between
from isocost.curves.roc import ContinuousRocCurve, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.choice import Band, Choice, described
from isocost.decide.question import SLACK, TIE, Question, Reviews, Words
from isocost.decide.rules import Ints, Rules
from isocost.decide.say import in_brackets, say
from isocost.errors import InputError, UnknownNameError
from isocost.results import Columns, Drawn, plain, stacked

_EPS = float(np.finfo(np.float64).eps)


def most_gained(at: Condition, look: Reviews) -> float:
    """Return what a review can gain at most, whatever the model: ab(d-e)/(a+b), and 0 for a reviewer no better than chance."""
    return max(at.fp_gap * at.fn_gap * (look.tpr - look.fpr) / (at.fp_gap + at.fn_gap), 0.0)


def priced(at: Condition, look: Reviews, flag: Choice, review: Choice) -> dict[str, float]:
    """Return shares, rates and cost of a band that begins to flag and to review with these choices."""
    fpr = flag.fpr + look.fpr * (review.fpr - flag.fpr)
    tpr = flag.tpr + look.tpr * (review.tpr - flag.tpr)
    p = at.prevalence
    reviewed = max((1 - p) * (review.fpr - flag.fpr) + p * (review.tpr - flag.tpr), 0.0)
    cost = at.expected_cost(fpr, tpr) + look.cost * reviewed
    flagged = (1 - p) * flag.fpr + p * flag.tpr
    return {"reviewed": reviewed, "flagged": flagged, "fpr": fpr, "tpr": tpr, "expected_cost": cost}


def best_band(rules: Rules, m: int, question: Question) -> Band:
    """Return where flagging and where reviewing begins: the cheapest over all pairs of rules of model m, trivial ones included.

    For each start of flagging the least of a window. Of equal pairs the one that reviews fewest, then the one that flags fewest.
    """
    look, at = question.reviews, question.at
    assert look is not None  # noqa: S101 - the caller looked
    _check_path(rules.curves[m])
    path = rules.path(m)
    i, j = _cheapest_pair(rules.fpr[path], rules.tpr[path], question, look)
    flag, review = (described(rules, int(path[k]), question) for k in (i, j))
    found = priced(at, look, flag, review)
    single = float(at.expected_cost(rules.fpr[path], rules.tpr[path]).min())
    saving = max(single - found["expected_cost"], 0.0)
    return Band(flag, review, **found, saving=saving, worth_up_to=Edges.of(rules, m, at, look).worth_up_to)


def _cheapest_pair(x: Floats, y: Floats, question: Question, look: Reviews) -> tuple[int, int]:
    """Return the places on the path of a model at which flagging and reviewing begin."""
    p, (a, b) = float(question.prevalence or 0.0), question.gaps
    start = (1 - p) * (a * (1 - look.fpr) - look.cost) * x - p * (b * (1 - look.tpr) + look.cost) * y
    end = (1 - p) * (a * look.fpr + look.cost) * x - p * (b * look.tpr - look.cost) * y
    flagged = (1 - p) * x + p * y
    scale = TIE * (a * (1 - p) + b * p + look.cost)
    if look.max_reviewed is None:
        last = np.full(x.size, x.size - 1)
        least = np.minimum.accumulate(end[::-1])[::-1]
    else:
        last = np.searchsorted(flagged, flagged + look.max_reviewed + SLACK, side="right") - 1
        least = least_between(end, np.arange(x.size), last + 1)
    best = float((start + least).min()) + scale
    pairs = []
    for i in np.flatnonzero(start + least <= best).tolist():
        j = i + int(np.argmax(start[i] + end[i : last[i] + 1] <= best))
        pairs.append((float(flagged[j] - flagged[i]), i, j))
    fewest = min(pair[0] for pair in pairs) + SLACK
    _, i, j = next(pair for pair in pairs if pair[0] <= fewest)
    return i, j


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
        With the reviews, their price included, and with one threshold for all cases.
    saving : float
        The difference of the two.
    expected_cost_all_reviewed : float
        If every case were reviewed, whatever the limit.
    worth_up_to : float
        The price above which nobody should be reviewed.
    price_of_capacity : float
        What one more review would save when `max_reviewed` is reached, with the best mixture; 0 if it is not reached.
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

    @property
    def randomised(self) -> bool:
        """Whether one of the two thresholds is a mixture."""
        return any(c.other is not None for c in (self.flag_choice, self.review_choice))

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
        flag, review, alone = (
            replace(choice, model=curve.name, fpr=fpr, tpr=tpr, expected_cost=None, normalised_cost=None)
            for choice in (self.flag_choice, self.review_choice, self.without)
            for fpr, tpr in [rates_of(_named(choice, "it"), {"it": curve})]
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
        """Return the cost of the model at every condition with the one threshold that is best there."""
        assert self._hull is not None  # noqa: S101 - every band is made with one
        return cost_curve(self._hull)

    def chord(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
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
        parts = {"flag_from": self.flag_choice._fields(), "review_from": self.review_choice._fields()}
        apart = ("flag_choice", "review_choice", "without", "condition")
        own = {name: value for name, value in super()._data().items() if name not in apart}
        words = {"question": {"words": plain(self.without.words)}}
        return say(
            "band",
            plain(own) | words | {"review": parts | {"reviewed": self.reviewed}, "without": self.without._fields()},
        )

    __repr__ = in_brackets


def _named(choice: Choice, name: str) -> Choice:
    """Return a rule, or a mixture of two, as of a model with this name."""
    return replace(choice, model=name, _one=None, other=choice.other and replace(choice.other, model=name))


def rates_of(choice: Choice, curves: Mapping[str, RocCurve]) -> tuple[float, float]:
    """Return fpr and tpr of a rule on other cases of its models: a mixture stays a mixture."""
    if choice.other is not None:
        share = float(choice.share or 0.0)
        first = choice._one or replace(choice, other=None)  # noqa: SLF001 - the first rule of a mixture is no name to show
        (x, y), (u, v) = (rates_of(part, curves) for part in (first, choice.other))
        return x + share * (u - x), y + share * (v - y)
    if choice.rule in ("nobody", "everybody") or math.isinf(choice.threshold):
        rate = float(choice.rule == "everybody" or choice.threshold < 0)
        return rate, rate
    if math.isnan(choice.threshold):
        raise InputError("the rule has no threshold that other cases could be compared with: decide on scores")
    if choice.model not in curves:
        raise UnknownNameError("model among the scores", choice.model, curves)
    curve = curves[str(choice.model)]
    if isinstance(curve, ContinuousRocCurve):
        fpr, tpr = curve.rates_at(choice.threshold)
        return float(fpr), float(tpr)
    at = int(curve._points_at(choice.threshold))
    return float(curve.fpr[at]), float(curve.tpr[at])


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
    randomised : bool
        Mix two thresholds at random on one side of the band, to use a limit in full.

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
    question = _asked(curve, condition, cost_review, max_reviewed, reviewer_fpr, reviewer_tpr)
    at, look = question.at, question.reviews
    assert look is not None  # noqa: S101 - a price is given
    rules = Rules.of([curve], question)
    band, without, edges = best_band(rules, 0, question), _alone(curve, at), Edges.of(rules, 0, at, look)
    if checks.flag(randomised, "randomised") and edges.capacity > 0:
        band = edges.mixed(band, question)
    flag, review = (replace(c, model=curve.name) for c in (band.flag_from, band.review_from))
    if band.reviewed == 0:
        flag = review = replace(without, model=curve.name)
    found = priced(at, look, flag, review)
    alone = float(without.expected_cost or 0.0)
    low = high = None
    if look.cost < most_gained(at, look):
        # Between these risks a review gains more than its price (Chow's rule).
        low = (look.cost + at.fp_gap * look.fpr) / (at.fn_gap * look.tpr + at.fp_gap * look.fpr)
        gain = at.fp_gap * (1 - look.fpr)
        high = (gain - look.cost) / (gain + at.fn_gap * (1 - look.tpr))
    return ReviewChoice(
        review_from=review.threshold, flag_from=flag.threshold, **found, cleared=max(1.0 - found["flagged"] - found["reviewed"], 0.0),
        expected_cost_without=alone, saving=max(alone - found["expected_cost"], 0.0),
        expected_cost_all_reviewed=at.expected_cost(look.fpr, look.tpr) + look.cost, worth_up_to=edges.worth_up_to,
        price_of_capacity=edges.capacity, probability_low=low, probability_high=high, flag_choice=flag, review_choice=review,
        without=replace(without, model=curve.name), model=curve.name, condition=at, cost_review=look.cost, max_reviewed=look.max_reviewed,
        reviewer_fpr=look.fpr, reviewer_tpr=look.tpr, _hull=curve.hull,
    )  # fmt: skip


def _asked(curve: RocCurve, condition: Any, *reviews: Any) -> Question:
    """Return the question of reviews of one model at the mean costs, which must be money."""
    at = at_means(condition)
    look = Reviews.of(*reviews)
    if look is None:
        raise InputError("cost_review must be a number, got None")
    _check_path(curve)
    return Question(condition=at, prevalence=at.prevalence, reviews=look)


def _alone(curve: RocCurve, at: Condition) -> Choice:
    """Return the best single rule: flag nobody and flag everybody before the rules of a model that cost the same, as everywhere."""
    question = Question(condition=at, prevalence=at.prevalence)
    rules = Rules.of([curve], question)
    return described(rules, rules.first(np.arange(len(rules)), [rules.cost(question.mean)], question.scale), question)


def _check_path(curve: RocCurve) -> None:
    """Raise unless the points can be thresholds on one score: a band lies between two of them."""
    if isinstance(curve, ContinuousRocCurve):
        raise InputError(
            "reviews lie between two operating points, and a continuous curve has no finite list of operating points: take a sample of it, "
            "RocCurve.from_points(curve.fpr[1:-1], curve.tpr[1:-1], thresholds=curve.thresholds[1:-1])"
        )
    if not curve._is_path:
        raise InputError(
            "the points are crisp classifiers that form no monotone path, so no band of scores lies between two of them: "
            "build the curve from scores"
        )


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a model's hull, each a stretch of scores of one risk: how many cases it holds and what reviewing one of them gains.

    Attributes
    ----------
    rules : Rules
    vertices : ndarray
        Rows of the table.
    look : Reviews
    best : int
        The vertex that is cheapest without review. Edges before it are flagged, those after it cleared.
    share, gain : ndarray
        Of all cases, and what a review gains, its price aside; it falls away from `best` on both sides.
    rounding : ndarray
        How far the gains may be off.
    """

    rules: Rules
    vertices: Ints
    look: Reviews
    best: int
    share: Floats
    gain: Floats
    rounding: Floats

    @classmethod
    def of(cls, rules: Rules, m: int, at: Condition, look: Reviews) -> Edges:
        """Return the edges of a model of a table."""
        e, d = look.fpr, look.tpr
        v = rules.hull(rules.path(m))
        x, y = rules.fpr[v], rules.tpr[v]
        cost = at.fp_gap * (1 - at.prevalence) * x + at.fn_gap * at.prevalence * (1 - y)
        best = int(np.flatnonzero(cost <= cost.min() + TIE * (at.worst_cost - at.best_cost))[0])
        negative, positive = (1 - at.prevalence) * np.diff(x), at.prevalence * np.diff(y)
        share = negative + positive
        held = np.where(share > 0, share, 1.0)
        alarms, misses = at.fp_gap * negative / held, at.fn_gap * positive / held
        before = np.arange(share.size) < best
        gain = np.where(before, alarms * (1 - e) - misses * (1 - d), misses * d - alarms * e)
        gain = np.minimum(np.where(share > 0, gain, 0.0), most_gained(at, look))
        # Neighbours that are equal up to rounding must not change places.
        gain[:best] = np.minimum.accumulate(gain[:best][::-1])[::-1]
        gain[best:] = np.minimum.accumulate(gain[best:])
        # Rates are quotients: their differences are off by the rounding of rates.
        rounding = 8 * _EPS * (alarms + misses) + 4 * _EPS * (at.fp_gap + at.fn_gap) / held
        return cls(rules, v, look, best, share, gain, rounding)

    @property
    def worth_up_to(self) -> float:
        """The highest price at which a case should still be reviewed."""
        beside = slice(max(self.best - 1, 0), self.best + 1)
        gain = self.gain[beside]
        return float(gain[gain > self.rounding[beside]].max(initial=0.0))

    def paying(self, price: float) -> Ints:
        """Return, best first, the edges that gain more than the price; of equal ones those that are flagged otherwise."""
        edge = np.flatnonzero(self.gain > price + self.rounding + 4 * _EPS * price)
        # From the best vertex outwards on both sides: in this order equal gains keep the band in one piece.
        distance = np.where(edge < self.best, self.best - edge, edge - self.best + 1)
        return edge[np.lexsort((distance, edge >= self.best, -self.gain[edge]))]

    def _fitting(self) -> tuple[Ints, int, float]:
        """Return the paying edges, how many of them fit a limit whole, and how much of the next one does."""
        paying = self.paying(self.look.cost)
        most = 1.0 if self.look.max_reviewed is None else self.look.max_reviewed
        filled = np.cumsum(self.share[paying])
        fits = int(np.searchsorted(filled, most + SLACK, side="right"))
        return paying, fits, max(most - float(filled[fits - 1] if fits else 0.0), 0.0)

    @property
    def capacity(self) -> float:
        """What one more review would save where a limit is reached; 0 if it is not."""
        if self.look.max_reviewed is None:
            return 0.0
        paying, fits, _ = self._fitting()
        return 0.0 if fits == paying.size else float(self.gain[paying[fits]]) - self.look.cost

    def mixed(self, band: Band, question: Question) -> Band:
        """Return the band that uses a limit in full: the next edge is reviewed in part, by mixing two thresholds at random."""
        paying, fits, left = self._fitting()
        edge = int(paying[fits])
        taken = paying[:fits]
        before = int(np.count_nonzero(taken < self.best))
        flag, review = self.best - before, self.best + fits - before
        share = left / float(self.share[edge]) if left > SLACK else 0.0
        ends = (flag, flag - 1) if edge < self.best else (review, review + 1)
        table = self.rules.plus([(int(self.vertices[ends[0]]), int(self.vertices[ends[1]]), share)])
        mixture = described(table, len(table) - 1 if share else int(self.vertices[ends[0]]), question)
        first, second = (described(table, int(self.vertices[k]), question) for k in (flag, review))
        first, second = (mixture, second) if edge < self.best else (first, mixture)
        found = priced(question.at, self.look, first, second)
        return replace(band, flag_from=first, review_from=second, **found)


@dataclass(frozen=True, eq=False, repr=False)
class ReviewCurve(Drawn):
    """The expected cost per case as a function of the price of a review; call it with a price or an array of them.

    It is concave, its slope is the share reviewed, and it is constant from `worth_up_to` on.

    Attributes
    ----------
    breaks : ndarray
        Prices at which the band changes, ascending: the first is 0, the last `worth_up_to`.
    costs : ndarray
        Expected cost per case at the breaks.
    reviewed, review_from, flag_from : ndarray
        The share reviewed and the two thresholds from each break to the next. From the last one on nobody is reviewed.
    worth_up_to : float
        The price above which nobody should be reviewed.
    expected_cost_without : float
        With one threshold for all cases.
    model : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> prices = ic.decide.review_curve(curve, ic.Condition())
    >>> prices.breaks.tolist(), prices.reviewed.round(4).tolist()
    ([0.0, 0.5], [0.3333, 0.0])
    >>> round(prices(0.25), 4), prices([0, 1]).round(4).tolist()
    (0.0833, [0.0, 0.1667])
    """

    _display = "ReviewCurveDisplay"

    breaks: Floats
    costs: Floats
    reviewed: Floats
    review_from: Floats
    flag_from: Floats
    worth_up_to: float
    expected_cost_without: float
    model: str | None

    def __call__(self, price: ArrayLike) -> Any:
        """Return the expected cost per case at a price, or at each of several."""
        try:
            r = np.asarray(price, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"price must be a number or an array of numbers, got {type(price).__name__}") from None
        if not np.all(r >= 0):
            raise InputError(f"price must not be negative or missing, got {r[~(r >= 0)].flat[0]:g}")
        at = np.searchsorted(self.breaks, r, side="right") - 1
        last = at == self.breaks.size - 1
        cost = np.asarray(self.costs[at] + self.reviewed[at] * (np.where(last, self.breaks[at], r) - self.breaks[at]))
        return float(cost) if cost.ndim == 0 else cost

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"text": str(self)}

    def __str__(self) -> str:
        """Say up to which price reviews pay."""
        own = {
            "model": self.model, "worth_up_to": self.worth_up_to, "alone": self.expected_cost_without, "free": float(self.costs[0]),
            "reviewed": float(self.reviewed[0]), "question": {"words": vars(Words())},
        }  # fmt: skip
        return say("review_curve", own)

    __repr__ = in_brackets


@takes_curve()
def review_curve(
    curve: RocCurve, condition: Condition | Conditions, *, reviewer_fpr: float = 0.0, reviewer_tpr: float = 1.0
) -> ReviewCurve:
    """Return the expected cost per case at every price of a review, each with its best band.

    Every edge of the hull is worth reviewing up to its own price, so the curve is exact: straight between those prices.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions
    reviewer_fpr, reviewer_tpr : float
        As in `review_band`.

    References
    ----------
    .. [1] Friedel, Rückert & Kramer (2006), Cost curves for abstaining classifiers, ICML workshop on ROC analysis in machine learning.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y, scores["random_forest"], name="random_forest")
    >>> round(ic.decide.review_curve(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))(0.4), 4)
    0.3364
    """
    question = _asked(curve, condition, 0.0, None, reviewer_fpr, reviewer_tpr)
    at, look = question.at, question.reviews
    assert look is not None  # noqa: S101 - the price is 0
    rules = Rules.of([curve], question)
    edges = Edges.of(rules, 0, at, look)
    paying = edges.paying(0.0)
    share, gain = edges.share[paying], edges.gain[paying]
    # Gains that are equal up to rounding are one break; the first of each is where the band stops to hold it.
    new = np.concatenate([[True], gain[:-1] - gain[1:] > edges.rounding[paying][1:]])[: gain.size]
    first = np.append(np.flatnonzero(new), gain.size)
    breaks = np.concatenate([[0.0], gain[first[:-1]][::-1]])
    # From each break on the edges before it in falling order are reviewed.
    held = first[::-1]
    start = edges.best - np.concatenate([[0], np.cumsum(paying < edges.best)])[held]
    flagged, reached = edges.vertices[start], edges.vertices[start + held]
    reviewed = np.concatenate([[0.0], np.cumsum(share)])[held]
    fpr, tpr = (
        rate[flagged] + share * (rate[reached] - rate[flagged]) for rate, share in ((rules.fpr, look.fpr), (rules.tpr, look.tpr))
    )  # fmt: skip
    alone = edges.vertices[edges.best]
    return ReviewCurve(
        breaks, at.expected_cost(fpr, tpr) + breaks * reviewed, reviewed, rules.threshold[reached], rules.threshold[flagged],
        float(breaks[-1]), at.expected_cost(float(rules.fpr[alone]), float(rules.tpr[alone])), curve.name,
    )  # fmt: skip

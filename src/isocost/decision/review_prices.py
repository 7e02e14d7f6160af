"""What a case costs at every price of a review."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost.conditions import Condition, Conditions
from isocost.decision.at_condition import best_threshold
from isocost.decision.choice import choice_of
from isocost.decision.review import check_path, known_costs, worth_of_distributions
from isocost.decision.review_terms import Edges, Terms
from isocost.errors import InputError
from isocost.results.doors import Drawn
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.validate import Floats

# Prices at which a smooth curve is drawn.
_STEPS = 257


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
        With one threshold for everybody.
    model : str or None
    low : ReviewCurve or None
        Of counts in buckets, whose ends alone can be chosen: what thresholds inside them could cost at least. None if nothing is open.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> prices = ic.review_curve(curve, ic.Condition())
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
    low: ReviewCurve | None = None

    def __call__(self, price: ArrayLike) -> Any:
        """Return the expected cost per case at a price, or at each of several."""
        cost = self._at(self._checked(price))
        return float(cost) if cost.ndim == 0 else cost

    @staticmethod
    def _checked(price: ArrayLike) -> Floats:
        try:
            r = np.asarray(price, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"price must be a number or an array of numbers, got {type(price).__name__}") from None
        if not np.all(r >= 0):
            raise InputError(f"price must not be negative or missing, got {r[~(r >= 0)].flat[0]:g}")
        return r

    def _at(self, r: Floats) -> Floats:
        at = np.searchsorted(self.breaks, r, side="right") - 1
        last = at == self.breaks.size - 1
        return np.asarray(self.costs[at] + self.reviewed[at] * (np.where(last, self.breaks[at], r) - self.breaks[at]))

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"text": str(self)}

    def __str__(self) -> str:
        """Say up to which price reviews pay."""
        who = "" if self.model is None else f"{self.model}: "
        without = f"{self.expected_cost_without:.4g} a case without reviews"
        finer = f"; scores were grouped: finer thresholds could save up to {self.open:.2g} a case" if self.open else ""
        if self.worth_up_to == 0:
            return f"{who}{without}; reviews pay at no price{finer}"
        free = f"{self.costs[0]:.4g} if they are free, with {100 * self.reviewed[0]:.3g} % reviewed"
        return f"{who}{without}, {free}; reviews pay up to {self.worth_up_to:.3g} each{finer}"

    @property
    def open(self) -> float:
        """How much less a case could cost with thresholds inside buckets of scores counted together, at whatever price; 0 if nothing."""
        if self.low is None:
            return 0.0
        prices = np.concatenate([self.breaks, self.low.breaks])
        return float(np.max(self(prices) - self.low(prices), initial=0.0))

    def __repr__(self) -> str:
        """Say up to which price reviews pay."""
        return f"<ReviewCurve: {self}>"


@dataclass(frozen=True, eq=False, repr=False)
class ContinuousReviewCurve(ReviewCurve):
    """What a case costs at every price of a review, by a model whose scores have known distributions.

    The band changes with every price. `breaks` and what belongs to them are a fine sample for drawing; called with a price, the cost is
    that of the distributions themselves.
    """

    _curve: ContinuousRocCurve | None = field(default=None, repr=False)
    _terms: Terms | None = field(default=None, repr=False)

    @classmethod
    def of(cls, curve: ContinuousRocCurve, terms: Terms) -> ContinuousReviewCurve:
        """Return the curve, sampled at equal steps of the price."""
        without = best_threshold(curve, terms.condition)
        worth, alone = worth_of_distributions(curve, terms, without.threshold), float(without.expected_cost or 0.0)
        empty = np.empty(0)
        found = cls(empty, empty, empty, empty, empty, worth, alone, curve.name, _curve=curve, _terms=terms)
        prices = np.linspace(0.0, worth, _STEPS if worth > 0 else 1)
        inner = prices[:-1]
        cuts = (curve.optimal_threshold(t) for t in terms.optima_at(inner))
        flag, review = (np.append(cut, without.threshold) for cut in cuts)
        (h1, k1), (h0, k0) = curve.rates_at(flag), curve.rates_at(review)
        pi = terms.condition.prevalence
        reviewed = (1 - pi) * (h0 - h1) + pi * (k0 - k1)
        return replace(
            found, breaks=prices, costs=found._at(prices), reviewed=reviewed, review_from=review, flag_from=flag
        )

    def _at(self, r: Floats) -> Floats:
        assert self._curve is not None  # noqa: S101 - made with both
        assert self._terms is not None  # noqa: S101
        pays = r < self.worth_up_to
        inner = np.where(pays, r, 0.0)
        flag_fpr, flag_tpr, review_fpr, review_tpr = self._terms.weights(inner)
        t1, t0 = self._terms.optima_at(inner)
        paid = (flag_fpr + flag_tpr) * self._curve.optimal_cost(t1)
        paid = paid + (review_fpr + review_tpr) * self._curve.optimal_cost(t0)
        cost = self._terms.condition.best_cost + paid
        return np.where(pays, np.minimum(cost, self.expected_cost_without), self.expected_cost_without)


@takes_curve()
def review_curve(
    curve: RocCurve,
    condition: Condition | Conditions,
    *,
    reviewer_fpr: float = 0.0,
    reviewer_tpr: float = 1.0,
) -> ReviewCurve:
    """Return the expected cost per case at every price of a review, each with its best band.

    Every edge of the hull is worth reviewing up to its own price, so the curve is exact: straight between those prices. For a curve
    from distributions it is smooth, and just as exact. For counts in buckets it is the cost with the buckets' ends, and `low` is the
    least that thresholds inside them could cost.

    Parameters
    ----------
    curve : RocCurve
    condition : Condition or Conditions
    reviewer_fpr, reviewer_tpr : float
        As in `review_band`.

    References
    ----------
    Friedel, Rückert & Kramer (2006), Cost curves for abstaining classifiers, ICML workshop on ROC analysis in machine learning.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> curve = ic.RocCurve.from_scores(y, scores["random_forest"], name="random_forest")
    >>> prices = ic.review_curve(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> prices
    <ReviewCurve: random_forest: 0.502 a case without reviews, 0 if they are free, with 95.6 % reviewed; reviews pay up to 0.735 each>
    >>> round(prices(0.4), 4)
    0.3364
    """
    terms = Terms.checked(known_costs(condition), reviewer_fpr, reviewer_tpr)
    check_path(curve)
    if isinstance(curve, ContinuousRocCurve):
        return ContinuousReviewCurve.of(curve, terms)
    found = _of_points(curve, terms)
    return found if curve.hull_is_exact else replace(found, low=_of_points(curve._optimistic, terms))


def _of_points(curve: RocCurve, terms: Terms) -> ReviewCurve:
    """Return the curve of a finite list of points."""
    edges = Edges.of(curve, terms)
    hull, best = edges.hull, edges.best
    without = choice_of(hull, best, whole=curve, condition=terms.condition)
    paying = edges.paying(0.0)
    share, gain = edges.share[paying], edges.gain[paying]
    # Gains that are equal up to rounding are one break; the first of each is where the band stops to hold it.
    new = np.concatenate([[True], gain[:-1] - gain[1:] > edges.rounding[paying][1:]])[: gain.size]
    first = np.append(np.flatnonzero(new), gain.size)
    breaks = np.concatenate([[0.0], gain[first[:-1]][::-1]])
    # From each break on the edges before it in falling order are reviewed.
    held = first[::-1]
    flagged = best - np.concatenate([[0], np.cumsum(paying < best)])[held]
    reached = flagged + held
    reviewed = np.concatenate([[0.0], np.cumsum(share)])[held]
    fpr, tpr = terms.rates((hull.fpr[flagged], hull.tpr[flagged]), (hull.fpr[reached], hull.tpr[reached]))
    return ReviewCurve(
        breaks, terms.condition.expected_cost(fpr, tpr) + breaks * reviewed, reviewed,
        hull.thresholds[reached], hull.thresholds[flagged], float(breaks[-1]), float(without.expected_cost or 0.0), curve.name,
    )  # fmt: skip

"""What a review costs and gains: by pair of operating points, and by edge of the hull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.conditions import Condition
from isocost.roc_space import RocCurve
from isocost.validate import Floats

Rate = TypeVar("Rate", float, Floats)
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Terms:
    """The costs of errors and how well the reviewer tells the classes apart; nothing here depends on a model."""

    condition: Condition
    reviewer_fpr: float
    reviewer_tpr: float

    @classmethod
    def checked(cls, condition: Condition, reviewer_fpr: float, reviewer_tpr: float) -> Terms:
        """Return the terms with both rates of the reviewer in [0, 1]."""
        return cls(
            condition,
            validate.number(reviewer_fpr, "reviewer_fpr", low=0.0, high=1.0),
            validate.number(reviewer_tpr, "reviewer_tpr", low=0.0, high=1.0),
        )

    @property
    def most_gained(self) -> float:
        """What a review can gain at most, whatever the model: ab(d-e)/(a+b), and 0 for a reviewer no better than chance."""
        a, b = self.condition.fp_gap, self.condition.fn_gap
        return max(a * b * (self.reviewer_tpr - self.reviewer_fpr) / (a + b), 0.0)

    def risks(self, price: float) -> tuple[float, float] | None:
        """Return the calibrated risks between which a review gains more than its price (Chow's rule); None if nowhere."""
        a, b, e, d = self.condition.fp_gap, self.condition.fn_gap, self.reviewer_fpr, self.reviewer_tpr
        if not price < self.most_gained:
            return None
        return (price + a * e) / (b * d + a * e), (a * (1 - e) - price) / (a * (1 - e) + b * (1 - d))

    def weights(self, price: Rate) -> tuple[Rate, Rate, Rate, Rate]:
        """Return what fpr and tpr weigh where flagging begins, and where reviewing begins: A1, B1, A0, B0.

        The cost of a band is A1·h1 - B1·k1 + A0·h0 - B0·k0 and a constant: two ordinary optima side by side.
        """
        a, b, e, d = self.condition.fp_gap, self.condition.fn_gap, self.reviewer_fpr, self.reviewer_tpr
        pi = self.condition.prevalence
        return (
            (1 - pi) * (a * (1 - e) - price),
            pi * (b * (1 - d) + price),
            (1 - pi) * (a * e + price),
            pi * (b * d - price),
        )

    def optima(self, price: float) -> tuple[float, float] | None:
        """Return the t of both optima, where flagging and where reviewing begins; None if no review can pay."""
        if not price < self.most_gained or not 0 < self.condition.prevalence < 1:
            return None
        return self.optima_at(price)

    def optima_at(self, price: Rate) -> tuple[Rate, Rate]:
        """Return the t of both optima at prices at which a review can pay."""
        a1, b1, a0, b0 = self.weights(price)
        return a1 / (a1 + b1), a0 / (a0 + b0)

    def rates(self, flagged: tuple[Rate, Rate], reached: tuple[Rate, Rate]) -> tuple[Rate, Rate]:
        """Return fpr and tpr after review, from those flagged outright and those flagged or reviewed."""
        (h1, k1), (h0, k0) = flagged, reached
        return h1 + self.reviewer_fpr * (h0 - h1), k1 + self.reviewer_tpr * (k0 - k1)

    def share(self, fpr: float, tpr: float) -> float:
        """Return the share of all cases that these shares of the classes are."""
        return (1 - self.condition.prevalence) * fpr + self.condition.prevalence * tpr

    def all_reviewed(self, price: float) -> float:
        """Return what a case costs if everybody is reviewed."""
        return self.condition.expected_cost(self.reviewer_fpr, self.reviewer_tpr) + price


@dataclass(frozen=True)
class Edges:
    """The edges of a hull, each a stretch of scores: how many cases it holds and what reviewing one of them gains.

    Attributes
    ----------
    hull : RocCurve
    best : int
        The vertex that is cheapest without review. Edges before it are flagged, those after it cleared.
    share : ndarray
        Of all cases.
    gain : ndarray
        A review gains so much, its price aside. It falls away from `best` on both sides.
    rounding : ndarray
        How far the gains may be off.
    """

    hull: RocCurve
    best: int
    share: Floats
    gain: Floats
    rounding: Floats

    @classmethod
    def of(cls, curve: RocCurve, terms: Terms) -> Edges:
        """Return the edges of a curve's hull: of counts in buckets, of that of their ends."""
        hull, condition = curve._inner_hull, terms.condition
        a, b, e, d = condition.fp_gap, condition.fn_gap, terms.reviewer_fpr, terms.reviewer_tpr
        best = (curve if curve.hull_is_exact else hull)._choice_at(condition.t)
        # Differences of counts are exact, those of rates are not.
        negative = (1 - condition.prevalence) * (np.diff(hull.fp) / hull.fp[-1])
        positive = condition.prevalence * (np.diff(hull.tp) / hull.tp[-1])
        share = negative + positive
        held = np.where(share > 0, share, 1.0)
        alarms, misses = a * negative / held, b * positive / held
        before = np.arange(share.size) < best
        gain = np.where(before, alarms * (1 - e) - misses * (1 - d), misses * d - alarms * e)
        gain = np.minimum(np.where(share > 0, gain, 0.0), terms.most_gained)
        # Neighbours that are equal up to rounding must not change places.
        gain[:best] = np.minimum.accumulate(gain[:best][::-1])[::-1]
        gain[best:] = np.minimum.accumulate(gain[best:])
        return cls(hull, best, share, gain, 8 * _EPS * (alarms + misses))

    @property
    def worth_up_to(self) -> float:
        """The highest price at which somebody should still be reviewed."""
        beside = self.gain[max(self.best - 1, 0) : self.best + 1]
        beside = beside[beside > self.rounding[max(self.best - 1, 0) : self.best + 1]]
        return float(beside.max(initial=0.0))

    def paying(self, price: float) -> NDArray[np.intp]:
        """Return, best first, the edges that gain more than the price; of equal ones those that are flagged otherwise."""
        edge = np.flatnonzero(self.gain > price + self.rounding + 4 * _EPS * price)
        # From the best vertex outwards on both sides: in this order equal gains keep the band in one piece.
        distance = np.where(edge < self.best, self.best - edge, edge - self.best + 1)
        return edge[np.lexsort((distance, edge >= self.best, -self.gain[edge]))]

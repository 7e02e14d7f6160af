"""The threshold that flags a given share of cases, and the cut points that are never worth choosing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.conditions import Condition
from isocost.cost_space.shares import Shares
from isocost.decision.choice import Choice, choice_of
from isocost.errors import InputError
from isocost.geometry.hull import upper_hull
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.validate import Floats

# A rate is a quotient of counts: equality with a share asked for is meant up to the rounding of one division.
_SLACK = 4 * float(np.finfo(np.float64).eps)


@takes_curve()
def rate_threshold(
    curve: RocCurve, cost_proportion: float, *, prevalence: float | None = None, randomised: bool = True
) -> Choice:
    """Return the rate-driven choice: the thresholds that flag the share `cost_proportion` of all cases.

    If no single threshold flags exactly that share, the two on either side are mixed so that it is flagged on average: use
    `other_threshold` with probability `other_probability`, and `threshold` otherwise. Only the ranking matters, not the scores.

    Parameters
    ----------
    curve : RocCurve
    cost_proportion : float
        cost_fn/(cost_fn + cost_fp), or any share of cases to flag, in [0, 1].
    prevalence : float, optional
        Of the cases the model will see; the data's own by default.
    randomised : bool
        False: the one threshold whose share is nearest, the lower share if two are equally near; simpler, but biased.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Definition 1 and Example 1, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> choice = ic.rate_threshold(curve, 0.45)
    >>> choice.threshold, choice.other_threshold, round(choice.other_probability, 6), round(choice.flagged, 6)
    (0.8, 0.7, 0.25, 0.45)
    >>> ic.rate_threshold(curve, 0.45, randomised=False).threshold
    0.8
    """
    share = validate.number(cost_proportion, "cost_proportion", low=0.0, high=1.0)
    shares = Shares.of(curve, "cost_proportion", prevalence)
    curve._require_path()
    if np.isnan(curve.thresholds).any():
        raise InputError(
            "the curve's points have no thresholds: build it with from_scores, or from_points(thresholds=)"
        )
    rate = shares.rate
    condition = Condition.from_cost_proportion(share, shares.prevalence)
    after = int(np.searchsorted(rate, share, side="left"))
    nearest = min((i for i in (after - 1, after) if i >= 0), key=lambda i: (abs(float(rate[i]) - share), i))
    if not validate.flag(randomised, "randomised") or abs(float(rate[nearest]) - share) <= _SLACK:
        return choice_of(curve, nearest, condition=condition)
    before = after - 1
    part = float((share - rate[before]) / (rate[after] - rate[before]))
    return choice_of(curve, before, other=after, probability=part, condition=condition)


@dataclass(frozen=True, eq=False, repr=False)
class CutPoints(Result):
    """Some thresholds of a curve, with what each does.

    Attributes
    ----------
    thresholds, fpr, tpr : ndarray
        From the fewest flagged to the most.
    rates : ndarray
        Share of all cases flagged.
    """

    thresholds: Floats
    rates: Floats
    fpr: Floats
    tpr: Floats

    def __len__(self) -> int:
        """Return how many there are."""
        return int(self.rates.size)

    def __repr__(self) -> str:
        """Say how many there are and where."""
        where = f", flagging {self.rates[0]:.4g} to {self.rates[-1]:.4g} of all cases" if len(self) else ""
        return f"<CutPoints: {len(self)}{where}>"


@takes_curve()
def dominated_cuts(
    curve: RocCurve, *, between: tuple[float, float] = (0.0, 1.0), prevalence: float | None = None
) -> CutPoints:
    """Return the cut points never worth choosing: at any costs another one, or a mix of two others, is as cheap or cheaper.

    These are the points of the ROC curve off its hull, or on it but beaten by a neighbour that differs in one error only.

    Parameters
    ----------
    curve : RocCurve
    between : (low, high)
        Only cut points that flag a share of cases in this range can be chosen; they are judged among themselves.
    prevalence : float, optional
        The prevalence at which shares of cases are taken; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), section 8, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.dominated_cuts(curve).thresholds.tolist()
    [inf, 0.9, 0.7, 0.2]
    """
    low, high = validate.interval(between, "between", error=InputError)
    shares = Shares.of(curve, "cost_proportion", prevalence)
    curve._require_path()
    inside = np.flatnonzero((shares.rate >= low - _SLACK) & (shares.rate <= high + _SLACK))
    worth = np.zeros(inside.size, dtype=np.bool_)
    if inside.size:
        worth[worth_choosing(curve, inside)] = True
    rest = inside[~worth]
    return CutPoints(curve.thresholds[rest], shares.rate[rest], curve.fpr[rest], curve.tpr[rest])


def worth_choosing(curve: RocCurve, inside: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return which of some points of a path are the cheapest of them over some range of costs."""
    exact = curve.fp.dtype.kind == "i" and curve.tp.dtype.kind == "i"
    x, y = (curve.fp[inside], curve.tp[inside]) if exact else (curve.fpr[inside], curve.tpr[inside])
    kept = upper_hull(x, y)
    # An end that differs from its neighbour in misses only, or in false alarms only, is never the cheaper of the two.
    if kept.size > 1 and x[kept[0]] == x[kept[1]]:
        kept = kept[1:]
    if kept.size > 1 and y[kept[-1]] == y[kept[-2]]:
        kept = kept[:-1]
    return kept

"""The threshold that flags a given share of cases, and the cut points that are never worth choosing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.conditions import Condition
from isocost.cost_space.shares import Shares
from isocost.decision.choice import Choice, choice_of
from isocost.errors import InputError
from isocost.geometry.hull import upper_hull
from isocost.results.result import Result
from isocost.roc_space import RocCurve, inexact
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
    Of counts in buckets the thresholds are their ends, and `normalised_cost_low` is what finer ones could cost at least.

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
    curve._check_path()
    if np.isnan(curve.thresholds).any():
        raise InputError(
            "the curve's points have no thresholds: build it with from_scores, or from_points(thresholds=)"
        )
    condition = Condition.from_cost_proportion(share, shares.prevalence)
    mixed = validate.flag(randomised, "randomised")
    before, after, nearest = _around(shares.rate, share)
    if before == after or not mixed:
        found = choice_of(curve, nearest, condition=condition)
    else:
        part = float((share - shares.rate[before]) / (shares.rate[after] - shares.rate[before]))
        found = choice_of(curve, before, other=after, probability=part, condition=condition)
    finer = best_at_rate(curve, share, prevalence=prevalence, mixed=mixed)
    low = math.inf if finer is None else condition.normalised_cost(*finer)
    return replace(found, normalised_cost_low=low if low < float(found.normalised_cost or 0.0) else None)


def best_at_rate(
    curve: RocCurve, share: float, *, prevalence: float | None, mixed: bool = True
) -> tuple[float, float] | None:
    """Return fpr and tpr of the best that flags a share of all cases, if that ends inside a bucket; else None.

    Up the left side of the bucket first, then along its top. A single threshold that comes nearest may be any inside it.
    """
    shares = Shares.of(curve, "cost_proportion", prevalence)
    before, after, _ = _around(shares.rate, share)
    if curve.upper is None or before == after:
        return None
    if not (inexact.buckets(curve)[after] if mixed else curve.upper[after] > curve.thresholds[after]):
        return None
    x, y, top = float(curve.fpr[before]), float(curve.tpr[before]), float(curve.tpr[after])
    if not mixed:
        return x, top
    pi, left = shares.prevalence, share - float(shares.rate[before])
    up = min(left / pi, top - y)
    return x + max(left - pi * up, 0.0) / (1 - pi), y + up


def _around(rate: Floats, share: float) -> tuple[int, int, int]:
    """Return the points between which a share of cases is flagged, one twice if it flags just that, and the nearer one."""
    after = int(np.searchsorted(rate, share, side="left"))
    nearest = min((i for i in (after - 1, after) if i >= 0), key=lambda i: (abs(float(rate[i]) - share), i))
    exact = abs(float(rate[nearest]) - share) <= _SLACK
    return (nearest, nearest, nearest) if exact else (after - 1, after, nearest)


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
    """Return which of some points of a curve are the cheapest of them over some range of costs."""
    exact = curve.fp.dtype.kind == "i" and curve.tp.dtype.kind == "i"
    x, y = (curve.fp[inside], curve.tp[inside]) if exact else (curve.fpr[inside], curve.tpr[inside])
    kept = upper_hull(x, y)
    # Of the first two with as many false alarms the one that misses less is the cheaper; beyond the highest point both errors grow.
    if kept.size > 1 and x[kept[0]] == x[kept[1]]:
        kept = kept[1:]
    return kept[: int(np.argmax(y[kept])) + 1]

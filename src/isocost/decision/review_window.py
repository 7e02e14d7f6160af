"""The cheapest two thresholds under a limit on reviews: over all pairs of points, since the best often lie off the hull."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.decision.review_terms import Terms
from isocost.geometry.windows import least_between
from isocost.roc_space import RocCurve
from isocost.roc_space.feasible_region import SLACK
from isocost.validate import Floats

_EPS = float(np.finfo(np.float64).eps)


def cheapest_pair(
    curve: RocCurve, terms: Terms, price: float, most: float, *, capacity: float, room: float
) -> tuple[int, int]:
    """Return the points where flagging and where reviewing begins: the cheapest pair that reviews at most `most` of all cases.

    Parameters
    ----------
    curve : RocCurve
        All of its points are looked at.
    terms : Terms
    price, most : float
        Of a review, and how many are possible.
    capacity : float
        What one more review would save if thresholds could be mixed.
    room : float
        How much dearer than the best mixture some pair within the limit is. A pair that is dearer cannot be the best. At the
        price with `capacity` added both points cost what they cost in excess of their own minimum, so few points are left.
    """
    flag_fpr, flag_tpr, review_fpr, review_tpr = terms.weights(price)
    fpr, tpr = curve.fpr, curve.tpr
    reached = (1 - terms.condition.prevalence) * fpr + terms.condition.prevalence * tpr
    flag = flag_fpr * fpr - flag_tpr * tpr
    review = review_fpr * fpr - review_tpr * tpr
    rounding = 16 * _EPS * (terms.condition.worst_cost - terms.condition.best_cost + price)
    first = _near_least(flag - capacity * reached, room + rounding)
    last = _near_least(review + capacity * reached, room + rounding)
    begin = np.searchsorted(reached[first], reached[last] - most - SLACK)
    end = np.searchsorted(first, last, side="right")
    last, begin, end = (column[begin < end] for column in (last, begin, end))
    total = review[last] + least_between(flag[first], begin, end)
    least = total.min() + rounding
    last = last[total <= least]
    # Of equally cheap pairs the one that reviews fewest, then the one that flags fewest.
    first = first[flag[first] <= least - review[last].min() + rounding]
    partner = first[_last_partner(flag[first], first, review[last], last, least)]
    reviewed = reached[last] - reached[partner]
    fewest = np.flatnonzero(reviewed <= reviewed.min() + SLACK)
    chosen = fewest[np.argmin(reached[partner[fewest]])]
    return int(partner[chosen]), int(last[chosen])


def _near_least(values: Floats, room: float) -> NDArray[np.intp]:
    return np.flatnonzero(values <= values.min() + room)


def _last_partner(
    flag: Floats, first: NDArray[np.intp], review: Floats, last: NDArray[np.intp], least: float
) -> NDArray[np.intp]:
    """Return, for each point where reviewing begins, the nearest before it with which it costs no more than `least`.

    The nearest reviews fewest, so it keeps the limit if any does.
    """
    at = np.searchsorted(first, last, side="right") - 1
    dear = np.flatnonzero(flag[at] + review > least)
    while dear.size:
        at[dear] -= 1
        dear = dear[flag[at[dear]] + review[dear] > least]
    return at

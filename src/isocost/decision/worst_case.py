"""The threshold whose worst cost over a range of conditions is lowest."""

from __future__ import annotations

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.condition import certain
from isocost.decision.choice import Choice, choice_of
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve


@takes_curve()
def minimax(
    curve: RocCurve,
    *,
    over: Conditions | Condition | None = None,
    randomised: bool = False,
    condition: Condition | None = None,
) -> Choice:
    """Return the threshold with the lowest worst-case normalised cost over a range of conditions.

    The cost of a threshold is linear in t, so its worst case is at an end of the range. Over all conditions that is the larger
    of fpr and 1 - tpr.

    Parameters
    ----------
    curve : RocCurve
    over : Conditions, optional
        Only its lowest and highest t matter; all conditions by default.
    randomised : bool
        Also allow a random mix of two thresholds.
    condition : Condition, optional
        To have the costs of the choice stated.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> choice = ic.minimax(curve)
    >>> choice.threshold, round(max(choice.fpr, 1 - choice.tpr), 4)
    (0.8, 0.3333)
    """
    condition = None if condition is None else certain(condition)
    over = Conditions.of(over)
    ends = [Condition.from_t(over.low), Condition.from_t(over.high)]
    if not validate.flag(randomised, "randomised"):
        curve._require_exact("the threshold whose largest cost is smallest")
        worst = np.maximum(*(end.normalised_cost(curve.fpr, curve.tpr) for end in ends))
        best = np.flatnonzero(worst <= worst.min() + 4 * np.finfo(float).eps)[0]
        return choice_of(curve, int(best), condition=condition)
    hull = curve.hull
    low, high = (end.normalised_cost(hull.fpr, hull.tpr) for end in ends)
    # Along the hull low - high falls from positive to negative; mixes matter only on the edge where it changes sign.
    gap = low - high
    best = int(np.argmin(np.maximum(low, high)))
    lowest, mix = np.maximum(low, high)[best], None
    for a in np.flatnonzero(gap[:-1] * gap[1:] < 0).tolist():
        share = float(gap[a] / (gap[a] - gap[a + 1]))
        value = low[a] + share * (low[a + 1] - low[a])
        if value < lowest:
            lowest, mix = value, (a, share)
    if mix is None:
        return choice_of(hull, best, whole=curve, condition=condition)
    return choice_of(hull, mix[0], other=mix[0] + 1, probability=mix[1], whole=curve, condition=condition)

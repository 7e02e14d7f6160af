"""The threshold whose worst cost over a range of conditions is lowest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.condition import certain
from isocost.decision.choice import Choice, choice_of
from isocost.errors import InexactError
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve

_ROUNDING = 4 * float(np.finfo(np.float64).eps)


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
        If given, the choice also says what it costs.

    Raises
    ------
    InexactError
        If a threshold inside a bucket of scores could be better than all that can be used; the message says what is known.

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
        worst, least = (
            np.maximum(*(end.normalised_cost(c.fpr, c.tpr) for end in ends)) for c in (curve, curve._optimistic)
        )
        _require_settled(float(worst.min()), float(least.min()))
        best = np.flatnonzero(worst <= worst.min() + _ROUNDING)[0]
        return choice_of(curve, int(best), condition=condition)
    hull = curve._inner_hull
    lowest, best, share = _least_worst_mix(hull, ends)
    if not curve.hull_is_exact:
        _require_settled(lowest, _least_worst_mix(curve._optimistic.hull, ends)[0])
    if share is None:
        return choice_of(hull, best, whole=curve, condition=condition)
    return choice_of(hull, best, other=best + 1, probability=share, whole=curve, condition=condition)


def _require_settled(lowest: float, least: float) -> None:
    """Raise if a threshold inside a bucket could be better than all that can be used, saying what is known."""
    if least < lowest - _ROUNDING:
        raise InexactError(f"the threshold whose largest cost is smallest ({least:.4g} to {lowest:.4g})", "")


def _least_worst_mix(hull: RocCurve, ends: Sequence[Condition]) -> tuple[float, int, float | None]:
    """Return the lowest worst cost on a hull, its vertex, and with which probability the next one is used; None if it is not."""
    low, high = (end.normalised_cost(hull.fpr, hull.tpr) for end in ends)
    # Along the hull low - high falls from positive to negative; mixes matter only on the edge where it changes sign.
    gap = low - high
    best = int(np.argmin(np.maximum(low, high)))
    lowest, share = float(np.maximum(low, high)[best]), None
    for a in np.flatnonzero(gap[:-1] * gap[1:] < 0).tolist():
        part = float(gap[a] / (gap[a] - gap[a + 1]))
        value = float(low[a] + part * (low[a + 1] - low[a]))
        if value < lowest:
            lowest, best, share = value, a, part
    return lowest, best, share

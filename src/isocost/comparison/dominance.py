"""Dominance: better whatever the condition (ROC space), or at one condition or a range of them (cost space)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.errors import ConditionError, InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import JointHull, rounding
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.validate import Floats

Operating = RocCurve | ArrayLike


def roc_dominates(a: Operating, b: Operating, *, strict: bool = False) -> bool:
    """Return whether `a` is at least as good as `b` in ROC space: then it costs no more under any condition.

    A point dominates another if its fpr is no higher and its tpr no lower. A curve dominates another if each of the other's
    operating points is dominated by one of its own.

    Parameters
    ----------
    a, b : RocCurve or (fpr, tpr)
        A curve stands for its operating points, the trivial ones included; a point for itself.
    strict : bool
        Also require that `b` does not dominate `a`: that one of the inequalities is strict. This is the relation that is
        irreflexive, antisymmetric and transitive.

    Notes
    -----
    For collections the paper adds that no point of `b` may dominate one of `a`. Taken literally, no curve could dominate any other, since
    all of them end in (0, 0) and (1, 1). Even read as strict dominance, a curve of scores would hardly ever dominate, because a threshold
    that only adds false alarms is dominated by its own neighbour, and so by points of worse curves too. For the points of `a` that no
    other point of `a` dominates, the clause follows from the first one, so it is left out; `strict` serves its purpose. Takes time n log
    n.

    References
    ----------
    Ratigan & Cowen, The VOROS: lifting ROC curves to 3D, Definitions 2-3 and Lemma 4.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.comparison.roc_dominates((0.1, 0.8), (0.2, 0.7)), ic.comparison.roc_dominates((0.1, 0.5), (0.15, 0.95))
    (True, False)
    >>> good = ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4])
    >>> fair = ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.3, 0.2, 0.4])
    >>> dominates = ic.comparison.roc_dominates
    >>> dominates(good, fair, strict=True), dominates(good, good), dominates(good, good, strict=True)
    (True, True, False)
    """
    strict = validate.flag(strict, "strict")
    first, second = _points(a, "a"), _points(b, "b")
    # The same weights summed in another order are still the same rates; a rate typed in is what it is.
    slack = rounding((a, b)) if isinstance(a, RocCurve) and isinstance(b, RocCurve) else 0.0
    return _covers(first, second, slack) and not (strict and _covers(second, first, slack))


def cost_dominates(a: Operating, b: Operating, condition: Condition) -> bool:
    """Return whether `a` is strictly cheaper than `b` at a condition, each with its best operating point.

    Parameters
    ----------
    a, b : RocCurve or (fpr, tpr)
        A curve includes the trivial classifiers, so none dominates another where both would flag nobody or everybody.
    condition : Condition

    References
    ----------
    Ratigan & Cowen, The VOROS: lifting ROC curves to 3D, Definitions 22-23.

    Examples
    --------
    The corrected Example 36 of the paper: ROC space cannot rank the two points, but at this condition one costs a tenth of the other.

    >>> import isocost as ic
    >>> rare = ic.Condition.from_t(0.001)
    >>> ic.comparison.cost_dominates((0.15, 0.95), (0.1, 0.5), rare)
    True
    """
    if not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition, got {condition!r}")
    return _cheapest(a, "a", condition) < _cheapest(b, "b", condition)


def dominates_on(joint: JointHull, condition: Conditions, *, strict: bool) -> bool:
    """Return whether the first of two models is never dearer than the second over a range, and if strict somewhere cheaper."""
    if condition.low == condition.high:
        t = np.array(condition.low)
        first, second = (float(curve.optimal_cost(t)) for curve in joint.curves)
        return first < second or (first == second and not strict)
    owners = [set(s.places) for s in joint.stretches if s.t_high > condition.low and s.t_low < condition.high]
    return {1} not in owners and ({0} in owners or not strict)


def _points(value: Operating, name: str) -> tuple[Floats, Floats]:
    if isinstance(value, ContinuousRocCurve):
        raise InputError(
            f"{name} is a continuous curve with infinitely many operating points; "
            "pass RocCurve.from_points(curve.fpr, curve.tpr) to compare a sample of them"
        )
    if isinstance(value, RocCurve):
        return value.fpr, value.tpr
    fpr, tpr = validate.point(value, name)
    return np.array([fpr]), np.array([tpr])


def _covers(a: tuple[Floats, Floats], b: tuple[Floats, Floats], slack: float) -> bool:
    """Return whether every point of b has one of a above and to the left of it, or on it."""
    best = np.maximum.accumulate(a[1])  # fpr ascends along a curve
    reach = np.searchsorted(a[0], b[0] + slack, side="right")
    if np.any(reach == 0):
        return False
    return bool(np.all(best[reach - 1] >= b[1] - slack))


def _cheapest(value: Operating, name: str, condition: Condition) -> float:
    if isinstance(value, RocCurve):
        return float(value.optimal_cost(condition.t))
    return condition.normalised_cost(*validate.point(value, name))

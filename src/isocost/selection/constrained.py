"""The most positives caught under a limit on false alarms, on the number flagged, or on precision."""

from __future__ import annotations

import numpy as np

from isocost import validate
from isocost.conditions import Condition
from isocost.errors import InfeasibleError
from isocost.roc_space import RocCurve
from isocost.selection.choice import Choice, choice_of
from isocost.validate import Floats

# Rates are quotients of counts: equality with a limit is meant up to the rounding of one division.
_SLACK = 4 * float(np.finfo(np.float64).eps)


def neyman_pearson(
    curve: RocCurve, *, max_fpr: float, randomised: bool = False, condition: Condition | None = None
) -> Choice:
    """Return the threshold that catches most positives with at most `max_fpr` of the negatives flagged.

    Parameters
    ----------
    curve : RocCurve
    max_fpr : float
        In [0, 1].
    randomised : bool
        Also allow a random mix of two thresholds, which reaches the hull exactly at `max_fpr`.
    condition : Condition, optional
        To have the costs of the choice stated.

    References
    ----------
    Drummond & Holte (2000), section 2.2.2, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.neyman_pearson(curve, max_fpr=0.25)
    <Choice: flag scores ≥ 0.8; catches 66.7% of positives, flags 0.0% of negatives>
    >>> ic.neyman_pearson(curve, max_fpr=0.25, randomised=True).other_probability
    0.5
    """
    limit = validate.number(max_fpr, "max_fpr", low=0.0, high=1.0)
    return _most_caught(curve, curve.fpr, curve.hull.fpr, limit, randomised=randomised, condition=condition)


def workforce(
    curve: RocCurve,
    *,
    max_flagged: float,
    prevalence: float | None = None,
    randomised: bool = False,
    condition: Condition | None = None,
) -> Choice:
    """Return the threshold that catches most positives when at most `max_flagged` of all cases can be handled.

    Parameters
    ----------
    curve : RocCurve
    max_flagged : float
        Share of all cases, in [0, 1]: prevalence·tpr + (1 - prevalence)·fpr must not exceed it.
    prevalence : float, optional
        Of the cases the model will see; the condition's, or else the data's own, by default.
    randomised : bool
        Also allow a random mix of two thresholds, which uses the whole capacity.
    condition : Condition, optional
        To have the costs of the choice stated.

    References
    ----------
    Drummond & Holte (2000), eq. 12-14, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.workforce(curve, max_flagged=0.4)
    <Choice: flag scores ≥ 0.8; catches 66.7% of positives, flags 0.0% of negatives>
    """
    limit = validate.number(max_flagged, "max_flagged", low=0.0, high=1.0)
    pi = _prevalence(curve, prevalence, condition)
    flagged, on_hull = (pi * c.tpr + (1 - pi) * c.fpr for c in (curve, curve.hull))
    return _most_caught(curve, flagged, on_hull, limit, randomised=randomised, condition=condition, prevalence=pi)


def precision_constrained(
    curve: RocCurve,
    *,
    min_precision: float,
    prevalence: float | None = None,
    randomised: bool = False,
    condition: Condition | None = None,
) -> Choice:
    """Return the threshold that catches most positives with at least `min_precision` of the flagged being positive.

    Parameters
    ----------
    curve : RocCurve
    min_precision : float
        In [0, 1]: prevalence·tpr ≥ min_precision·flagged must hold.
    prevalence : float, optional
        Of the cases the model will see; the condition's, or else the data's own, by default.
    randomised : bool
        Also allow a random mix of two thresholds.
    condition : Condition, optional
        To have the costs of the choice stated.

    Raises
    ------
    InfeasibleError
        If no threshold that flags anybody is precise enough; the message says the highest precision there is.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.precision_constrained(curve, min_precision=0.7).precision, 4)
    0.75
    """
    least = validate.number(min_precision, "min_precision", low=0.0, high=1.0)
    pi = _prevalence(curve, prevalence, condition)
    # prevalence·tpr ≥ least·(prevalence·tpr + (1-prevalence)·fpr): linear, so a limit like the others.
    excess, on_hull = (least * (1 - pi) * c.fpr - (1 - least) * pi * c.tpr for c in (curve, curve.hull))
    if not np.any((excess <= _SLACK) & (curve.tp > 0)):
        flagged = pi * curve.tpr + (1 - pi) * curve.fpr
        reached = np.max(pi * curve.tpr[flagged > 0] / flagged[flagged > 0])
        raise InfeasibleError(
            f"no threshold reaches min_precision={least:g} at prevalence {pi:.4g}: the highest precision is {reached:.4g}"
        )
    return _most_caught(curve, excess, on_hull, 0.0, randomised=randomised, condition=condition, prevalence=pi)


def _prevalence(curve: RocCurve, prevalence: float | None, condition: Condition | None) -> float:
    if prevalence is None and condition is not None:
        prevalence = condition.prevalence
    return curve.prevalence_or(prevalence)


def _most_caught(
    curve: RocCurve,
    use: Floats,
    hull_use: Floats,
    limit: float,
    *,
    randomised: bool,
    condition: Condition | None,
    prevalence: float | None = None,
) -> Choice:
    """Return the point with the highest tpr whose use, linear in (fpr, tpr), is within the limit; at equal tpr the least fpr."""
    if not randomised:
        allowed = np.flatnonzero(use <= limit + _SLACK)
        best = allowed[np.lexsort((curve.fp[allowed], -curve.tp[allowed]))[0]]
        return choice_of(curve, int(best), condition=condition, prevalence=prevalence)
    hull = curve.hull
    # Use is linear, so the last point of the hull within the limit is a vertex or lies on the edge that leaves it.
    inside = np.flatnonzero(hull_use <= limit + _SLACK)
    a = int(inside[-1])
    if a == len(hull) - 1:
        return choice_of(hull, a, condition=condition, prevalence=prevalence)
    share = (limit - hull_use[a]) / (hull_use[a + 1] - hull_use[a])
    if share <= _SLACK:
        return choice_of(hull, a, condition=condition, prevalence=prevalence)
    return choice_of(hull, a, other=a + 1, probability=float(share), condition=condition, prevalence=prevalence)

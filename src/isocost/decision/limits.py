"""The most positives caught under a limit on false alarms, on the number flagged, or on precision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from isocost.conditions import Condition
from isocost.decision.choice import Choice, choice_of
from isocost.errors import InexactError, InfeasibleError
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.curve_argument import takes_curve
from isocost.roc_space.feasible_region import SLACK, Limit


@takes_curve()
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
    limit = Limit.checked("max_fpr", max_fpr)
    return _most_caught(curve, limit, randomised=randomised, condition=condition)


@takes_curve()
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
    pi = _prevalence(curve, prevalence, condition)
    limit = Limit.checked("max_flagged", max_flagged, pi)
    return _most_caught(curve, limit, randomised=randomised, condition=condition, prevalence=pi)


@takes_curve()
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
    pi = _prevalence(curve, prevalence, condition)
    limit = Limit.checked("min_precision", min_precision, pi)
    if not np.any(limit.kept(curve.fpr, curve.tpr) & (curve.tp > 0)):
        if inexact.most_caught(curve, limit) > 0:
            raise InexactError(f"whether a threshold keeps {limit}")
        raise InfeasibleError(
            f"no threshold reaches {limit} at prevalence {pi:.4g}: "
            f"the highest precision is {limit.best(curve.fpr, curve.tpr):.4g}"
        )
    return _most_caught(curve, limit, randomised=randomised, condition=condition, prevalence=pi)


def _prevalence(curve: RocCurve, prevalence: float | None, condition: Condition | None) -> float:
    if prevalence is None and condition is not None:
        prevalence = condition.prevalence
    return curve._prevalence_or(prevalence)


def _most_caught(
    curve: RocCurve,
    limit: Limit,
    *,
    randomised: bool,
    condition: Condition | None,
    prevalence: float | None = None,
) -> Choice:
    """Return the point with the highest tpr that keeps the limit; at equal tpr the one with the least fpr."""
    if not randomised:
        allowed = np.flatnonzero(limit.kept(curve.fpr, curve.tpr))
        best = allowed[np.lexsort((curve.fp[allowed], -curve.tp[allowed]))[0]]
        chosen = choice_of(curve, int(best), condition=condition, prevalence=prevalence)
        most = inexact.most_caught(curve, limit)
        return replace(chosen, tpr_high=most) if most > chosen.tpr else chosen
    hull = curve.hull
    # The limit is linear, so the last point of the hull that keeps it is a vertex or lies on the edge that leaves it.
    a = int(np.flatnonzero(limit.kept(hull.fpr, hull.tpr))[-1])
    if a == len(hull) - 1:
        return choice_of(hull, a, condition=condition, prevalence=prevalence)
    here, there = limit.excess(hull.fpr[a : a + 2], hull.tpr[a : a + 2]).tolist()
    share = -here / (there - here)
    if share <= SLACK:
        return choice_of(hull, a, condition=condition, prevalence=prevalence)
    return choice_of(hull, a, other=a + 1, probability=float(share), condition=condition, prevalence=prevalence)

"""Names for what limits alone decide: the most positives caught within them, costs aside."""

from __future__ import annotations

from isocost import validate
from isocost.conditions import Condition
from isocost.conditions.condition import certain
from isocost.decision.choice import Choice
from isocost.decision.limits import Limits, best_within
from isocost.decision.pricing import Pricing
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve


@takes_curve()
def neyman_pearson(
    curve: RocCurve, *, max_fpr: float, randomised: bool = False, condition: Condition | None = None
) -> Choice:
    """Return the threshold that catches the most positives with at most `max_fpr` of the negatives flagged.

    Parameters
    ----------
    curve : RocCurve
    max_fpr : float
        In [0, 1].
    randomised : bool
        Also allow a random mix of two thresholds, which reaches the hull exactly at `max_fpr`.
    condition : Condition, optional
        If given, the choice also says what it costs.

    References
    ----------
    Drummond & Holte (2000), section 2.2.2, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.neyman_pearson(curve, max_fpr=0.25)
    <Choice: flag cases with score ≥ 0.8; catches 66.7% of positives, flags 0.0% of negatives>
    >>> ic.neyman_pearson(curve, max_fpr=0.25, randomised=True).other_probability
    0.5
    """
    return _most_caught(curve, Limits(max_fpr=max_fpr), condition, None, randomised=randomised)


@takes_curve()
def workforce(
    curve: RocCurve,
    *,
    max_flagged: float,
    prevalence: float | None = None,
    randomised: bool = False,
    condition: Condition | None = None,
) -> Choice:
    """Return the threshold that catches the most positives when at most `max_flagged` of all cases can be handled.

    Parameters
    ----------
    curve : RocCurve
    max_flagged : float
        Share of all cases, in [0, 1]: prevalence·tpr + (1 - prevalence)·fpr must not exceed it.
    prevalence : float, optional
        Prevalence of the cases the model will see; by default the condition's, or else the data's own.
    randomised : bool
        Also allow a random mix of two thresholds, which uses the whole capacity.
    condition : Condition, optional
        If given, the choice also says what it costs.

    References
    ----------
    Drummond & Holte (2000), eq. 12-14, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.workforce(curve, max_flagged=0.4)
    <Choice: flag cases with score ≥ 0.8; catches 66.7% of positives, flags 0.0% of negatives>
    """
    return _most_caught(curve, Limits(max_flagged=max_flagged), condition, prevalence, randomised=randomised)


@takes_curve()
def precision_constrained(
    curve: RocCurve,
    *,
    min_precision: float,
    prevalence: float | None = None,
    randomised: bool = False,
    condition: Condition | None = None,
) -> Choice:
    """Return the threshold that catches the most positives with at least `min_precision` of the flagged being positive.

    Parameters
    ----------
    curve : RocCurve
    min_precision : float
        In [0, 1]: prevalence·tpr ≥ min_precision·flagged must hold.
    prevalence : float, optional
        Prevalence of the cases the model will see; by default the condition's, or else the data's own.
    randomised : bool
        Also allow a random mix of two thresholds.
    condition : Condition, optional
        If given, the choice also says what it costs.

    Raises
    ------
    InfeasibleError
        If no threshold that flags anybody is precise enough; the message gives the highest precision there is.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.precision_constrained(curve, min_precision=0.7).precision, 4)
    0.75
    """
    return _most_caught(curve, Limits(min_precision=min_precision), condition, prevalence, randomised=randomised)


def _most_caught(
    curve: RocCurve, limits: Limits, condition: Condition | None, prevalence: float | None, *, randomised: bool
) -> Choice:
    for kind, value in limits.given.items():
        validate.number(value, kind, low=0.0, high=1.0)
    if prevalence is None and condition is not None:
        prevalence = certain(condition).prevalence
    share = curve._prevalence_or(prevalence) if limits.need_prevalence or prevalence is not None else curve.prevalence
    pricing = None if condition is None else Pricing.of(condition)
    return best_within(curve, limits, pricing=pricing, prevalence=share, aim="most_caught", randomised=randomised)

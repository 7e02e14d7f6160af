"""Limits that hold on new cases: how sure a fixed threshold keeps them, and how much tighter a limit has to be to be sure of it.

A limit bounds a share q of n independent cases from above: of the negatives those flagged, of the positives those missed, of all cases
those flagged, of the flagged ones the false alarms. Counts are compared with the binomial distribution, whatever the law of the scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from isocost.curves import RocCurve
from isocost.curves.roc import points_at, takes_curve
from isocost.data import checks
from isocost.decide.question import LIMITS, Question
from isocost.errors import ConditionError, InfeasibleError, InputError
from isocost.numbers import ROUNDING
from isocost.results import Result

COUNTED = {"max_fpr": "negatives", "min_tpr": "positives", "max_flagged": "cases", "min_precision": "flagged cases"}


@dataclass(frozen=True)
class LimitConfidence(Result):
    """How sure a threshold that was fixed beforehand keeps limits on new cases.

    Attributes
    ----------
    threshold : float
    holds : dict of str to float
        The confidence that each limit holds.
    together : float
        The smallest of them: as sure is one that all hold.
    counts : dict of str to (int, int)
        What a limit counts, and of how many: negatives flagged, positives missed, cases flagged, false alarms among the flagged.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([0] * 50 + [1] * 50, range(100))
    >>> ic.limit_confidence(curve, 49, max_fpr=0.1).counts
    {'max_fpr': (1, 50)}
    """

    threshold: float
    holds: dict[str, float]
    together: float
    counts: dict[str, tuple[int, int]]


@takes_curve(
    r"P(\mathrm{Bin}(n, q) > j)",
    cites="Tong, Feng & Li (2018), Neyman-Pearson classification algorithms and NP receiver operating characteristics, Science Advances "
    "4(2), doi:10.1126/sciadv.aao1659",
)  # fmt: skip
def limit_confidence(
    curve: RocCurve,
    threshold: float,
    *,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    max_flagged: float | None = None,
    min_precision: float | None = None,
) -> LimitConfidence:
    """Return how sure a threshold that was not chosen on these cases keeps limits on new ones.

    for j of n cases counted and a share of at most q allowed: exact, by the binomial test.

    Parameters
    ----------
    curve : RocCurve
        Of independent cases, each counting one.
    threshold : float
        Flags the scores of at least this much.
    max_fpr, min_tpr, max_flagged, min_precision : float, optional
        Limits in [0, 1], at least one. The last two are those at the prevalence of these cases.

    Returns
    -------
    LimitConfidence

    Raises
    ------
    InputError
        If no limit is given, or the curve does not count cases.

    See Also
    --------
    isocost.Comparison.decide : With ``sure=`` it chooses a threshold that keeps limits with a given confidence.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([0] * 50 + [1] * 50, range(100))
    >>> round(ic.limit_confidence(curve, 49, max_fpr=0.1).holds["max_fpr"], 4)
    0.9662
    """
    from scipy.stats import binom

    given = {"max_fpr": max_fpr, "min_tpr": min_tpr, "max_flagged": max_flagged, "min_precision": min_precision}
    limits = {k: checks.number(v, k, low=0, high=1, error=ConditionError) for k, v in given.items() if v is not None}
    checks.some(limits, "what limit_confidence is to hold", "give max_fpr=, min_tpr=, max_flagged= or min_precision=")
    cut = checks.number(threshold, "threshold")
    require_counts(curve, "limit_confidence")
    at = int(points_at(curve, [cut])[0])
    fp, tp, n0, n1 = (int(v) for v in (curve.fp[at], curve.tp[at], curve.fp[-1], curve.tp[-1]))
    seen = (fp + tp, n0 + n1), (fp, fp + tp), (fp, n0), (n1 - tp, n1)
    counts = {kind: pair for kind, pair in zip(LIMITS, seen, strict=True) if kind in limits}
    holds = {}
    for kind, (j, n) in counts.items():
        q = share_allowed(kind, limits[kind])
        holds[kind] = 0.0 if not n else 1.0 if q >= 1 else float(binom.sf(j, n, q))
    return LimitConfidence(cut, holds, min(holds.values()), counts)


def share_allowed(kind: str, limit: float) -> float:
    """Return which share of the cases that a limit counts it allows."""
    return limit if kind.startswith("max") else 1 - limit


def allowed(cases: int, share: float, delta: float) -> int:
    """Return the largest k with P(Bin(cases, share) ≤ k) ≤ delta; -1 if there is none."""
    from scipy.stats import binom

    k = int(binom.ppf(delta, cases, share))
    return k if binom.cdf(k, cases, share) <= delta else k - 1


def needed(share: float, delta: float) -> int | None:
    """Return the fewest cases of which a share can be shown to be kept at all; None if no number is enough."""
    return None if share <= 0 else 1 if share >= 1 else math.ceil(math.log(delta) / math.log1p(-share) - ROUNDING)


def made_sure(question: Question, curves: Sequence[RocCurve]) -> Question:
    """Return the question with limits so tight that a rule which keeps them here is sure to keep the given ones."""
    if question.sure is None:
        return question
    for curve in curves:
        require_counts(curve, "sure=")
    own = curves[0]
    if "max_flagged" in question.limits and question.prevalence != own.prevalence:
        where = f"{own.prevalence:g}, got {question.prevalence:g}"
        raise InputError(f"sure= with max_flagged holds at the prevalence of the data, {where}")
    return tightened(question, int(own.tp[-1]), int(own.fp[-1]), len(curves))


def tightened(question: Question, positives: int, negatives: int, models: int) -> Question:
    """Return the question with limits so tight that a rule of some models which keeps them here is `sure` to keep the given ones.

    Every failure has a probability of at most δ = (1 - sure)/(limits · models), and rates are monotone in the threshold: if the loosest
    threshold that passes keeps a limit, all do.
    """
    if (sure := question.sure) is None:
        return question
    delta = (1 - sure) / (len(question.limits) * models)
    sizes, found = {"max_fpr": negatives, "min_tpr": positives, "max_flagged": positives + negatives}, {}
    for kind, value in question.limits.items():
        n, q = sizes[kind], share_allowed(kind, value)
        k = n if q >= 1 else allowed(n, q, delta)
        if k < 0:
            least, need = needed(q, delta), "no number of cases is enough"
            if least is not None:
                need = f"that needs {least} {COUNTED[kind]} at least, there are {n}"
            raise InfeasibleError(f"{kind}={value:g} cannot be {sure * 100:g} % sure: {need}")
        found[kind] = k / n if kind.startswith("max") else 1 - k / n
    return replace(question, limits=found, sure=None)


def require_counts(curve: RocCurve, what: str) -> None:
    """Raise unless a curve counts cases, each of them once."""
    known = curve.positives is not None
    if not (known and all(np.all(np.asarray(c) == np.floor(c)) for c in (curve.fp, curve.tp))):
        raise InputError(
            f"{what} counts independent cases, each of them once: this curve has weights or no class totals"
        )

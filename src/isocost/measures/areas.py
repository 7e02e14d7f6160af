"""Areas under the ROC curve, whole and partial, and below precision against recall; the equal error rate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import integrate
from isocost.curves import RocCurve
from isocost.curves.forms import det_curve, pr_curve, pr_gain_curve
from isocost.curves.roc import ContinuousRocCurve, refuse_continuous, require_path, sorted_rows, takes_curve
from isocost.data import checks
from isocost.errors import InputError
from isocost.measures.registry import measure

# Points looked at together.
_PART = 2**16


@measure(
    "higher", (0, 1), "ranks path", "Hanley & McNeil 1982", "10.1148/radiology.143.1.7063747",
    place=4, from_areas=True, see="auch partial_auc gini",
    formula=r"\int_0^1 tpr\;d\,fpr = P(s_+ > s_-) + \tfrac12 P(s_+ = s_-)",
)  # fmt: skip
def auc(curve: RocCurve) -> float:
    """Return the area under the ROC curve; higher is better, 0 to 1, 0.5 is chance.

    The probability that a random positive scores higher than a random negative, ties counting one half. The scores are
    never flipped: a classifier that ranks backwards has an area below 0.5.

    Examples
    --------
    >>> ic.auc(ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    0.75
    """
    if isinstance(curve, ContinuousRocCurve):
        return float(integrate(curve.tpr_at, np.linspace(0.0, 1.0, 9)).sum())
    if (rows := sorted_rows(curve)) is not None:
        return rows.twice_won / int(2 * rows.negatives * rows.positives)
    require_path(curve)
    fp, tp = curve.fp, curve.tp
    if (whole := _in_whole_units(fp, tp)) is not None:
        fp, tp = whole
    if fp.dtype.kind == tp.dtype.kind == "i" and int(fp[-1]) * int(tp[-1]) < 2**61:
        # A part of the curve at a time, so that no more memory is needed than it takes.
        parts = (slice(start, start + _PART + 1) for start in range(0, len(curve) - 1, _PART))
        won = sum(int(np.dot(np.diff(fp[part]), tp[part][1:] + tp[part][:-1])) for part in parts)
        return won / int(2 * int(fp[-1]) * int(tp[-1]))
    return float(np.sum(np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1])) / 2)


def _in_whole_units(fp: NDArray[Any], tp: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return weights as whole numbers of a power of two, or None if they are not: scaled weights have the same area to the last bit."""
    if fp.dtype.kind != "f" or tp.dtype.kind != "f":
        return None
    # Below 2^30 a class, twice the pairs fit a whole number.
    scaled = [np.ldexp(c, 30 - int(np.frexp(c[-1])[1])) for c in (fp, tp)]
    if any(np.any(c != np.rint(c)) for c in scaled):
        return None
    return scaled[0].astype(np.int64), scaled[1].astype(np.int64)


@measure(
    "higher", (-1, 1), "ranks path", "Hand & Till 2001", "10.1023/A:1010920819831",
    place=6, from_areas=True, see="auc auch",
    formula=r"2\,AUC - 1",
)  # fmt: skip
def gini(curve: RocCurve) -> float:
    """Return the Gini coefficient 2·AUC - 1; higher is better, -1 to 1, 0 is chance.

    Examples
    --------
    >>> ic.measures.gini(ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    0.5
    """
    return 2 * auc(curve) - 1


@measure(
    "higher", (0.5, 1), "ranks", "Provost & Fawcett 2001", "10.1023/A:1007601015854",
    place=5, optimism="hull", see="auc voros",
    formula=r"\int_0^1 tpr_{hull}\;d\,fpr",
)  # fmt: skip
def auch(curve: RocCurve) -> float:
    """Return the area under the upper convex hull of the ROC curve; higher is better, 0.5 to 1.

    What the area would be if every threshold could be mixed with every other; a lower bound of VOROS over any conditions.

    Examples
    --------
    >>> ic.measures.auch(ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    0.875
    """
    refuse_continuous(curve, "auch needs")
    return auc(curve.hull)


@takes_curve(
    r"\int_a^b tpr\;d\,fpr \quad\text{or}\quad \int_a^b (1 - fpr)\;d\,tpr",
    see="auc isocost.Bootstrap.interval", cites="McClish (1989), Medical Decision Making 9:190-195, doi:10.1177/0272989X8900900307",
)  # fmt: skip
def partial_auc(
    curve: RocCurve,
    *,
    fpr: tuple[float, float] | None = None,
    tpr: tuple[float, float] | None = None,
    normalised: bool = False,
) -> float:
    """Return the area under the curve over a range of fpr, or left of it over a range of tpr; higher is better, at most its width.

    Parameters
    ----------
    fpr, tpr : (low, high)
        Give one of the two.
    normalised : bool
        Rescale so that chance is 0.5 and perfect is 1 (McClish 1989).

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ic.measures.partial_auc(curve, fpr=(0, 0.5)), ic.measures.partial_auc(curve, tpr=(0.5, 1))
    (0.25, 0.25)
    """
    advice = "give one range, fpr= or tpr="
    checks.at_most_one(advice, fpr=fpr, tpr=tpr)
    given, name = (tpr, "tpr") if fpr is None else (fpr, "fpr")
    wide = checks.flag(normalised, "normalised")
    low, high = checks.interval(checks.needed(given, advice), name, wide=wide, error=InputError)
    require_path(curve)
    x, y = (curve.tpr, 1 - curve.fpr) if fpr is None else (curve.fpr, curve.tpr)
    width, start, end = np.diff(x), np.clip(x[:-1], low, high), np.clip(x[1:], low, high)
    slope = np.divide(np.diff(y), width, out=np.zeros(width.size), where=width > 0)
    area = float((end - start) @ (y[:-1] + ((start + end) / 2 - x[:-1]) * slope))
    if not normalised:
        return area
    most = high - low
    chance = (high**2 - low**2) / 2
    least = chance if fpr is not None else most - chance
    return 0.5 * (1 + (area - least) / (most - least))


@measure(
    "higher", (0, 1), "ranks path prevalence steps", "Moffat & Zobel 2008", "10.1145/1416950.1416952",
    place=14, in_report=False, see="pr_area auprg",
    formula=r"\sum_i (tpr_i - tpr_{i-1})\,\frac{\pi\,tpr_i}{\pi\,tpr_i + (1 - \pi)\,fpr_i}",
)  # fmt: skip
def average_precision(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the precision at each threshold, weighted by the positives it adds; higher is better, 0 to 1.

    At the data's own prevalence it is scikit-learn's `average_precision_score`. Ties are taken at the end of their step, so breaking
    a tie between two positives can lower it; `pr_area` does not depend on that.

    Examples
    --------
    >>> round(ic.measures.average_precision(curve), 4)
    0.9167
    """
    return pr_curve(curve, prevalence=prevalence).numbers["average_precision"]


@measure(
    "higher", (0, 1), "ranks path prevalence", "Keilwagen, Grosse & Grau 2014", "10.1371/journal.pone.0092209",
    place=15, in_report=False, see="average_precision auprg",
    formula=r"\int_0^1 \frac{\pi\,tpr}{\pi\,tpr + (1 - \pi)\,fpr}\;d\,tpr",
)  # fmt: skip
def pr_area(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the exact area below precision against recall, thresholds mixed in between; higher is better, 0 to 1.

    See `pr_curve`.

    Examples
    --------
    >>> round(ic.measures.pr_area(curve), 4)
    0.9041
    """
    return pr_curve(curve, prevalence=prevalence).numbers["area"]


@measure(
    "higher", (-np.inf, 1), "ranks path prevalence", "Flach & Kull 2015", "",
    place=16, in_report=False, see="pr_area average_precision",
    formula=r"\int_0^1 \frac{prec - \pi}{(1 - \pi)\,prec}\;d\,\frac{tpr - \pi}{(1 - \pi)\,tpr}",
)  # fmt: skip
def auprg(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the area below precision gain against recall gain, from recall gain 0; higher is better, at most 1.

    0 is chance; worse rankings are negative, without bound. See `pr_gain_curve`.

    Examples
    --------
    >>> round(ic.measures.auprg(curve), 4)
    0.5312
    """
    return pr_gain_curve(curve, prevalence=prevalence).numbers["area"]


@measure(
    "lower", (0, 1), "ranks path", "Martin et al. 1997", "10.21437/Eurospeech.1997-504",
    place=17, in_report=False, see="minimum_error_rate minimum_weighted_loss",
    formula=r"fpr = 1 - tpr",
)  # fmt: skip
def equal_error_rate(curve: RocCurve) -> float:
    """Return the rate at which fpr = 1 - tpr, neighbouring thresholds mixed if needed; lower is better, 0 to 1.

    0.5 is chance. See `det_curve`.

    Examples
    --------
    >>> round(ic.measures.equal_error_rate(curve), 4)
    0.3333
    """
    return det_curve(curve).numbers["equal_error_rate"]

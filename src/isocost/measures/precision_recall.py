"""Areas of precision against recall, plain and as gains."""

from __future__ import annotations

import numpy as np

from isocost.measures.registry import measure
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_form import inner_prevalence
from isocost.roc_space.precision_recall import area_below_precision, average_precision_of
from isocost.roc_space.recall_gain import area_below_gain


@measure(
    "higher", (0, 1), "ranks path prevalence steps", "Moffat & Zobel 2008", "10.1145/1416950.1416952",
    place=14, in_report=False,
)  # fmt: skip
def average_precision(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the precision at each threshold, weighted by the positives it adds; higher is better, 0 to 1.

    At the data's own prevalence it is scikit-learn's `average_precision_score`. Ties are taken at the end of their step, so breaking
    a tie between two positives can lower it; `pr_area` does not depend on that.

    Parameters
    ----------
    curve : RocCurve
    prevalence : float, optional
        Between 0 and 1; the data's own by default.

    References
    ----------
    Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, doi:10.1145/1416950.1416952.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.measures.average_precision(curve), 4)
    0.9167
    """
    pi = inner_prevalence(curve, prevalence)
    curve._require_path()
    return average_precision_of(curve, pi)


@measure(
    "higher", (0, 1), "ranks path prevalence", "Keilwagen, Grosse & Grau 2014", "10.1371/journal.pone.0092209",
    place=15, in_report=False,
)  # fmt: skip
def pr_area(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the exact area below precision against recall, thresholds mixed in between; higher is better, 0 to 1.

    See `pr_curve`, which also gives the area of the worst ranking.

    Parameters
    ----------
    curve, prevalence
        As in `average_precision`.

    References
    ----------
    Keilwagen, Grosse & Grau (2014), Area under precision-recall curves for weighted and unweighted data,
    doi:10.1371/journal.pone.0092209.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.measures.pr_area(curve), 4)
    0.9041
    """
    pi = inner_prevalence(curve, prevalence)
    curve._require_path()
    return area_below_precision(curve, pi)


@measure("higher", (-np.inf, 1), "ranks path prevalence", "Flach & Kull 2015", "", place=16, in_report=False)
def auprg(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the area below precision gain against recall gain, from recall gain 0; higher is better, at most 1.

    0 is chance; worse rankings are negative, without bound. See `pr_gain_curve`.

    Parameters
    ----------
    curve, prevalence
        As in `average_precision`.

    References
    ----------
    Flach & Kull (2015), Precision-recall-gain curves: PR analysis done right, NIPS 28.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.measures.auprg(curve), 4)
    0.5312
    """
    pi = inner_prevalence(curve, prevalence)
    curve._require_path()
    return area_below_gain(curve, pi)

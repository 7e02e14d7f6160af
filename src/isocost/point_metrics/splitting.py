"""Criteria for splits and associations, with curved isometrics: information gain, Gini, DKM, χ² and MCC.

With u = (p·k + q·h)/(p + q), the share of cases that is flagged, and d = k - h:

- Gini-split over the impurity of the parent is χ²/N is MCC²: p·q·d² / ((p + q)²·u·(1 - u));
- information gain is the mutual information of class and flag, D(k‖u) and D(h‖u) weighted by the classes;
- DKM-split over the impurity of the parent is 1 - √(hk) - √((1-h)(1-k)), the squared Hellinger distance of (k, 1-k)
  and (h, 1-h).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import validate
from isocost.point_metrics.making import curved_metric
from isocost.point_metrics.metric import checked_point
from isocost.point_metrics.paths import Line
from isocost.validate import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_FLACH = "Flach (2003), The geometry of ROC space, ICML 20:194-201."
_QUINLAN = "Quinlan (1986), Induction of decision trees, Machine Learning 1:81-106, doi:10.1007/BF00116251."
_BREIMAN = "Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, doi:10.1201/9781315139470."
_FERRI = "Ferri, Flach & Hernández-Orallo (2002), Learning decision trees using the area under the ROC curve, ICML 19:139-146."
_KEARNS = (
    "Kearns & Mansour (1996), On the boosting ability of top-down decision tree learning algorithms, STOC 28:459-468, "
    "doi:10.1145/237814.237994."
)
_MATTHEWS = (
    "Matthews (1975), Comparison of the predicted and observed secondary structure of T4 phage lysozyme, "
    "Biochimica et Biophysica Acta 405:442-451, doi:10.1016/0005-2795(75)90109-9."
)


def _diagonal() -> tuple[Line, ...]:
    return ((1.0, -1.0, 0.0),)


def _diagonal_and_corners() -> tuple[Line, ...]:
    # Perfect association has the same value at every skew; each of these lines meets the square in one corner.
    return ((1.0, -1.0, 0.0), (1.0, -1.0, -1.0), (1.0, -1.0, 1.0))


def _flagged(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    """Return the share of cases flagged and, without cancellation, the rest."""
    return (p * k + q * h) / (p + q), (p * (1 - k) + q * (1 - h)) / (p + q)


def _chi_squared_slope(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    u, rest = _flagged(h, k, p, q)
    return np.asarray((u * (1 - k) + k * rest) / (u * (1 - h) + h * rest))


def _association(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """MCC; 0 where nobody or everybody is flagged, which is its limit there."""
    u, rest = _flagged(h, k, p, q)
    none = (u == 0) | (rest == 0)
    return np.where(none, 0.0, np.sqrt(p * q) / (p + q) * (k - h) / np.sqrt(np.where(none, 1.0, u * rest)))


def _association_gradient(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    u, rest = _flagged(h, k, p, q)
    spread = u * rest
    scale = np.sqrt(p * q) / (p + q) / np.sqrt(spread)
    tilt = (k - h) * (rest - u) / (2 * spread) / (p + q)
    return scale * (-1 - q * tilt), scale * (1 - p * tilt)


def _squared_gradient(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    value = 2 * _association(h, k, p, q)
    by_fpr, by_tpr = _association_gradient(h, k, p, q)
    return value * by_fpr, value * by_tpr


def _gini_gradient(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    scale = 4 * p * q / (p + q) ** 2
    by_fpr, by_tpr = _squared_gradient(h, k, p, q)
    return scale * by_fpr, scale * by_tpr


@curved_metric(
    formula=r"\frac{\sqrt{c}\,(tpr - fpr)}{\sqrt{(tpr + c\,fpr)\,(1 - tpr + c\,(1 - fpr))}}",
    range=(-1, 1),
    reference=_MATTHEWS,
    slope=_chi_squared_slope,
    gradient=_association_gradient,
    indifference=_diagonal_and_corners,
)
def mcc(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Matthews correlation coefficient: the correlation of class and flag.

    Its square is `chi_squared`, so it shares the isometrics of `gini_split`. At (0, 0) and (1, 1) it is 0, its limit.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.mcc.from_confusion(tp=16, fn=4, fp=4, tn=6), 6)
    0.4
    """
    return _association(h, k, p, q)


@curved_metric(
    formula=r"\frac{c\,(tpr - fpr)^2}{(tpr + c\,fpr)\,(1 - tpr + c\,(1 - fpr))}",
    range=(0, 1),
    reference=_FLACH,
    slope=_chi_squared_slope,
    gradient=_squared_gradient,
    indifference=_diagonal_and_corners,
)
def chi_squared(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Pearson's χ² of class and flag, divided by the number of cases.

    It equals `gini_split` times (1 + c)²/(4c). Multiply by the number of cases for the test statistic.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.chi_squared.from_confusion(tp=16, fn=4, fp=4, tn=6), 6)
    0.16
    """
    return _association(h, k, p, q) ** 2


@curved_metric(
    formula=(
        r"\frac{4c}{(1 + c)^2}\left[1 - \frac{(1 + c)\,tpr\,fpr}{tpr + c\,fpr}"
        r" - \frac{(1 + c)(1 - tpr)(1 - fpr)}{1 - tpr + c\,(1 - fpr)}\right]"
    ),
    range=(0, 1),
    reference=_BREIMAN,
    slope=_chi_squared_slope,
    gradient=_gini_gradient,
    indifference=_diagonal,
)
def gini_split(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Decrease of the Gini impurity 4·p·n by a split into flagged and not flagged.

    Skew-sensitive, more so than information gain; `gini_roc` is its skew-insensitive version.

    Examples
    --------
    >>> import isocost as ic
    >>> c, gini = 4.0, ic.point_metrics.gini_split(0.2, 0.7, 4.0)
    >>> round(gini * (1 + c) ** 2 / (4 * c), 6) == round(ic.point_metrics.chi_squared(0.2, 0.7, 4.0), 6)
    True
    """
    return np.asarray(4 * p * q / (p + q) ** 2 * _association(h, k, p, q) ** 2)


@curved_metric(
    formula=r"1 - \frac{2\,tpr\,fpr}{tpr + fpr} - \frac{2(1 - tpr)(1 - fpr)}{2 - tpr - fpr}",
    range=(0, 1),
    reference=_FLACH,
    slope=lambda h, k, p, q: _chi_squared_slope(h, k, np.ones_like(p), np.ones_like(q)),
    gradient=lambda h, k, p, q: _squared_gradient(h, k, np.ones_like(p), np.ones_like(q)),
    indifference=lambda: None,
)
def gini_roc(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Gini-split at skew ratio 1: a strongly skew-insensitive criterion, for χ² as well.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.gini_roc(0.2, 0.7, 9), 6) == round(ic.point_metrics.gini_split(0.2, 0.7, 1), 6)
    True
    """
    return _association(h, k, np.ones_like(p), np.ones_like(q)) ** 2


def _dkm_slope(h: Floats, k: Floats, p: Any, q: Any) -> Floats:  # noqa: ARG001 - weakly skew-insensitive
    return np.asarray(np.sqrt(k * (1 - k) / (h * (1 - h))))


def _dkm_gradient(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    scale = np.sqrt(p * q) / (p + q)
    inner, outer = np.sqrt(k / h), np.sqrt((1 - k) / (1 - h))
    return scale * (outer - inner), scale * (1 / outer - 1 / inner)


@curved_metric(
    formula=r"\frac{2\sqrt{c}}{1 + c}\left[1 - \sqrt{tpr\,fpr} - \sqrt{(1 - tpr)(1 - fpr)}\right]",
    range=(0, 1),
    reference=_KEARNS,
    slope=_dkm_slope,
    gradient=_dkm_gradient,
    indifference=_diagonal,
)
def dkm_split(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Decrease of the impurity 2·√(p·n) of Dietterich, Kearns and Mansour by a split into flagged and not flagged.

    Weakly skew-insensitive: both diagonals are axes of symmetry of its isometrics, at every skew.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.dkm_split(0.2, 0.8, 1), 6)
    0.2
    """
    # 1 - √(hk) - √((1-h)(1-k)) as a sum of squares, exact next to the diagonal.
    distance = ((np.sqrt(k) - np.sqrt(h)) ** 2 + (np.sqrt(1 - k) - np.sqrt(1 - h)) ** 2) / 2
    return np.asarray(2 * np.sqrt(p * q) / (p + q) * distance)


def _divergence(a: Floats, u: Floats, gap: Floats) -> Floats:
    """Return (u - a) - a·log(u/a), a term of a relative entropy made non-negative, for gap = u - a; u where a is 0."""
    safe = np.where(a > 0, a, 1.0)
    return np.where(a > 0, np.maximum(gap - a * np.log1p(gap / safe), 0.0), u)


def _log_ratio(gap: Floats, above: Floats, below: Floats) -> Floats:
    """Return log(above/below) for above - below = gap, exact for close values."""
    return np.where(np.abs(gap) < 0.5 * below, np.log1p(gap / below), np.log(above / below))


def _information_slope(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    # c·(logit u - logit h) / (logit k - logit u)
    u, rest = _flagged(h, k, p, q)
    d = k - h
    left = _log_ratio(p * d / (p + q), u * (1 - h), h * rest)
    right = _log_ratio(q * d / (p + q), k * rest, u * (1 - k))
    inside = (u > 0) & (rest > 0)
    return np.where((d == 0) & inside, 1.0, q / p * left / right)


def _information_gradient(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    # Weights times differences of logits, in bits.
    u, rest = _flagged(h, k, p, q)
    bits = (p + q) * math.log(2)
    left = _log_ratio(p * (k - h) / (p + q), u * (1 - h), h * rest)
    right = _log_ratio(q * (k - h) / (p + q), k * rest, u * (1 - k))
    return -q * left / bits, p * right / bits


@curved_metric(
    formula=(
        r"H\!\left(\frac{tpr + c\,fpr}{1 + c}\right) - \frac{H(tpr) + c\,H(fpr)}{1 + c},"
        r"\quad H(x) = -x\log_2 x - (1 - x)\log_2(1 - x)"
    ),
    range=(0, 1),
    reference=_QUINLAN,
    slope=_information_slope,
    gradient=_information_gradient,
    indifference=_diagonal,
)
def information_gain(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Decrease of entropy, in bits, by a split into flagged and not flagged.

    It is the mutual information of class and flag. Skew-sensitive, less so than Gini-split.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.information_gain([0, 0.3, 0.2], [1, 0.3, 0.7], 1).round(4).tolist()
    [1.0, 0.0, 0.1912]
    """
    u, rest = _flagged(h, k, p, q)
    above, below = q * (k - h) / (p + q), p * (k - h) / (p + q)  # k - u and u - h
    positives = _divergence(k, u, -above) + _divergence(1 - k, rest, above)
    negatives = _divergence(h, u, below) + _divergence(1 - h, rest, -below)
    # A class of weight 0 may be infinitely far from what is flagged: it counts for nothing.
    total = np.where(p > 0, p * positives, 0.0) + np.where(q > 0, q * negatives, 0.0)
    return np.asarray(total / (p + q) / math.log(2))


@curved_metric(
    formula=r"\frac{1 + |tpr - fpr|}{2}",
    range=(0.5, 1),
    reference=_FERRI,
    slope=lambda h, k, p, q: np.ones_like(h + k + p + q),
    gradient=lambda h, k, p, q: (_away(h, k) / -2, _away(h, k) / 2),  # noqa: ARG005 - strongly skew-insensitive
    indifference=lambda: None,
    landscape="parallel",
)
def auc_split(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Area under the ROC curve of a split into two leaves, the purer one ranked first.

    Flach (2003) calls AUC-split skew-sensitive. That is true of the area counted in pairs of cases, positives·negatives·abs(tpr -
    fpr)/2 beyond chance, but not of this share of all pairs. `auc_split_table` takes any number of leaves.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.auc_split.from_confusion(tp=16, fn=4, fp=9, tn=31), 6)
    0.7875
    """
    return np.asarray((1 + np.abs(k - h)) / 2 * np.ones_like(p + q))


def _away(h: Floats, k: Floats) -> Floats:
    """Return 1 above the diagonal, -1 below it; on it the criterion has a kink."""
    return np.where(k == h, np.nan, np.sign(k - h))


def relative_impurity(
    fpr: ArrayLike, tpr: ArrayLike, skew_ratio: ArrayLike = 1.0, *, impurity: str = "gini"
) -> float | Floats:
    """Impurity of the flagged cases, weighted by their share, as a proportion of the impurity of all cases.

    Lower is better, 0 to 1. For "dkm" it does not depend on the skew, which makes DKM-split weakly skew-insensitive.

    Parameters
    ----------
    fpr, tpr : float or array
        False and true positive rate, between 0 and 1.
    skew_ratio : float or array, default 1
        Skew ratio c, positive.
    impurity : "entropy", "gini" or "dkm"
        The impurity of shares (p, n): -p·log p - n·log n, 4·p·n or 2·√(p·n).

    Returns
    -------
    float or numpy.ndarray
        The weighted impurity of the flagged cases over that of all cases; 0 where nobody is flagged.

    Notes
    -----
    For Gini (1 + c)·tpr·fpr/(tpr + c·fpr), for DKM √(tpr·fpr).

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, Table 3.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.relative_impurity(0.2, 0.8, 9, impurity="dkm"), 6)
    0.4
    """
    validate.choice(impurity, "impurity", tuple(_IMPURITIES))
    h, k, c = checked_point(fpr, tpr, skew_ratio)
    u, _ = _flagged(h, k, 1.0, c)
    share = np.where(u > 0, k / (1 + c) / np.where(u > 0, u, 1.0), 0.0)
    result = np.asarray(u * _impurity(share, impurity) / _impurity(1 / (1 + c), impurity))
    return float(result) if result.ndim == 0 else result


def _impurity(share: Floats, impurity: str) -> Floats:
    other = 1 - share
    if impurity == "gini":
        return 4 * share * other
    if impurity == "dkm":
        return np.asarray(2 * np.sqrt(share * other))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [np.where(x > 0, -x * np.log2(np.where(x > 0, x, 1.0)), 0.0) for x in (share, other)]
    return np.asarray(terms[0] + terms[1])


_IMPURITIES = ("entropy", "gini", "dkm")

"""The metrics by formula, splitting criteria included; every metric by name, and all of them for one confusion matrix."""

from __future__ import annotations

import copyreg
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError, UnknownNameError
from isocost.metrics.loci import Line
from isocost.metrics.metric import (
    EVERYWHERE,
    Affine,
    Option,
    PointMetric,
    checked_point,
    curved_metric,
    from_function,
    linear_metric,
)
from isocost.results import Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


_FLACH = "Flach (2003), The geometry of ROC space, ICML 20:194-201."
_FURNKRANZ = (
    "Fürnkranz & Flach (2005), ROC 'n' rule learning, Machine Learning 58:39-77, doi:10.1007/s10994-005-5011-x."
)
_RIJSBERGEN = "Van Rijsbergen (1979), Information Retrieval, Butterworths."
_LAVRAC = "Lavrač, Flach & Zupan (1999), Rule evaluation measures, ILP, doi:10.1007/3-540-48751-4_17."
_YOUDEN = (
    "Youden (1950), Index for rating diagnostic tests, Cancer 3:32-35, "
    "doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3."
)
_VICKERS = (
    "Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26:565-574, doi:10.1177/0272989X06295361."
)
_CESTNIK = "Cestnik (1990), Estimating probabilities: a crucial task in machine learning, ECAI 9:147-149."

_COHEN = (
    "Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20:37-46, "
    "doi:10.1177/001316446002000104."
)

_TPR_AXIS: Line = (1, 0, 0)
_FPR_AXIS: Line = (0, 1, 0)
_ASCENDING: Line = (1, -1, 0)
_DESCENDING: Line = (1, 1, 1)
# h - k = -1 meets the square in the perfect point alone.
_PERFECT: Line = (1, -1, -1)
# h + k = 0 meets the square in the origin alone.
_ORIGIN: Line = (1, 1, 0)


@linear_metric(
    formula=r"\frac{tpr + c\,(1 - fpr)}{1 + c}",
    range=(0, 1), reference=_FLACH, indicator=(_DESCENDING,), indifference=(_DESCENDING,),
)  # fmt: skip
def accuracy(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Share of cases that are classified correctly.

    Its isometrics are the iso-cost lines: parallel, with slope c. On the descending diagonal, where both classes are
    served equally well, it equals tpr and does not depend on the skew. At c = 1 it is `balanced_accuracy`.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.accuracy(0.2, 0.7, 4) == (0.7 + 4 * 0.8) / 5
    True
    """
    return (q, -q, p), (p + q, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{tpr}{tpr + c\,fpr}",
    range=(0, 1), reference=_FLACH, indicator=lambda p, q: (_FPR_AXIS, (q, p, p)), indifference=(_TPR_AXIS, _FPR_AXIS),
)  # fmt: skip
def precision(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Share of the flagged cases that are positive.

    Its isometrics turn about the origin and do not depend on the skew, only their values do (weakly skew-insensitive).
    At (0, 0), where nobody is flagged, no limit exists; the value there is the prevalence 1/(1 + c), the limit along
    the ascending diagonal, where flagging is random.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.precision([0.1, 0.0, 0.0], [0.8, 0.5, 0.0], 4).round(4).tolist()
    [0.6667, 1.0, 0.2]
    """
    return (0.0, 0.0, p), (0.0, q, p)


@linear_metric(
    formula=r"\frac{c\,(1 - fpr)}{c\,(1 - fpr) + 1 - tpr}",
    range=(0, 1), reference=_FLACH, indicator=lambda p, q: ((0, 1, 1), (q, p, q)), indifference=((1, 0, 1), (0, 1, 1)),
)  # fmt: skip
def npv(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Negative predictive value: share of the cases not flagged that are negative.

    What `precision` is to the flagged: its isometrics turn about (1, 1) and do not depend on the skew. At (1, 1), where everybody is
    flagged, it is the share of negatives c/(1 + c), the limit along the ascending diagonal.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.npv.from_confusion(tp=16, fn=4, fp=9, tn=31), 6) == round(31 / 35, 6)
    True
    """
    return (q, -q, 0.0), (p + q, -q, -p)


@linear_metric(formula=r"tpr", range=(0, 1), reference=_FLACH, indicator=EVERYWHERE, indifference=EVERYWHERE)
def recall(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Share of the positives that are flagged: tpr itself.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.recall(0.1, 0.8, 4)
    0.8
    """
    return (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)


@linear_metric(
    formula=r"1 - fpr",
    range=(0, 1), reference=_FLACH, indicator=(_DESCENDING,), indifference=EVERYWHERE,
)  # fmt: skip
def specificity(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Share of the negatives that are not flagged.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.specificity(0.1, 0.8, 4)
    0.9
    """
    return (1.0, -1.0, 0.0), (1.0, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{tpr + 1 - fpr}{2}",
    range=(0, 1), reference=_FLACH, indicator=(_DESCENDING,), indifference=EVERYWHERE,
)  # fmt: skip
def balanced_accuracy(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Mean of tpr and the true negative rate.

    It is accuracy at c = 1, and the area under the ROC curve (0, 0) – (fpr, tpr) – (1, 1).

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.balanced_accuracy(0.1, 0.8), 6)
    0.85
    """
    return (1.0, -1.0, 1.0), (2.0, 0.0, 0.0)


@linear_metric(
    formula=r"tpr - fpr",
    range=(-1, 1), reference=_YOUDEN, indicator=(_TPR_AXIS,), indifference=EVERYWHERE,
)  # fmt: skip
def youden(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Youden's J: height above the ascending diagonal, also known as informedness.

    It is `kappa` at c = 1, and four times `wracc.skew_insensitive`.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.youden(0.1, 0.8), 6)
    0.7
    """
    return (0.0, -1.0, 1.0), (1.0, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{(1 + \beta^2)\,tpr}{tpr + c\,fpr + \beta^2}",
    range=(0, 1), reference=_RIJSBERGEN,
    indicator=lambda p, q, beta: (_FPR_AXIS, (q, p, p)),  # noqa: ARG005 - the same for every beta
    indifference=(_TPR_AXIS, _FPR_AXIS),
    options={"beta": Option(1.0, checks.count, "Weight of recall: beta times as important as precision.")},
)  # fmt: skip
def f_measure(p: Any, q: Any, beta: float) -> tuple[Affine, Affine]:
    """Weighted harmonic mean of precision and recall.

    Its isometrics turn about (-beta²/c, 0): precision with the centre moved to the left. It equals tpr on the line
    tpr + c·fpr = 1, as precision does. It is skew-equivalent to `g_measure` when beta is 1.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.f_measure.from_confusion(tp=16, fn=4, fp=4, tn=6)
    0.8
    >>> round(ic.metrics.f_measure(0.1, 0.8, 4, beta=0.5), 6)
    0.689655
    """
    return (0.0, 0.0, (1 + beta**2) * p), (beta**2 * p, q, p)


@linear_metric(
    formula=r"\frac{tpr}{c\,fpr + 1}",
    range=(0, 1), reference=_FLACH, indicator=(_FPR_AXIS, _TPR_AXIS), indifference=(_TPR_AXIS, _FPR_AXIS),
)  # fmt: skip
def g_measure(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Flach's simplification of the F-measure, TP/(FP + POS), which is also the Jaccard index.

    It has the isometrics of the F-measure, F/(2 - F) for their values, and equals tpr where fpr is 0. It is not the
    geometric mean of precision and recall that others call by the same letter.

    Examples
    --------
    >>> import isocost as ic
    >>> f, g = ic.metrics.f_measure(0.1, 0.8, 4), ic.metrics.g_measure(0.1, 0.8, 4)
    >>> round(g, 6), round(f / (2 - f), 6)
    (0.571429, 0.571429)
    """
    return (0.0, 0.0, p), (p, q, 0.0)


@linear_metric(
    formula=r"\frac{c}{(1 + c)^2}\,(tpr - fpr)",
    range=(-0.25, 0.25), reference=_LAVRAC,
    # (pq/(p+q)²)(k - h) = k, which only the origin satisfies.
    indicator=lambda p, q: ((p * q, (p + q) ** 2 - p * q, 0.0),), indifference=(_ASCENDING,),
)  # fmt: skip
def wracc(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Weighted relative accuracy: true positives in excess of those expected if flagging were independent of class.

    Its isometrics are parallel to the ascending diagonal at every skew (weakly skew-insensitive). Multiply by 4 for
    values from -1 to 1: at c = 1 it is (tpr - fpr)/4, where Flach (2003) re-scales it to tpr - fpr, which is `youden`.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.wracc(0.2, 0.7, 4), 6)
    0.08
    """
    return (0.0, -p * q, p * q), ((p + q) ** 2, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{2c\,(tpr - fpr)}{1 + c + (c - 1)\,tpr + c\,(c - 1)\,fpr}",
    range=(-1, 1), reference=_COHEN, indifference=(_ASCENDING, _PERFECT),
)  # fmt: skip
def kappa(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Cohen's kappa: agreement of class and flag beyond what chance agrees on, relative to what is left.

    Its isometrics turn about (1/(1 - c), 1/(1 - c)); at c = 1 they are parallel and it is `youden`.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.kappa.from_confusion(tp=16, fn=4, fp=9, tn=31), 6)
    0.541176
    """
    return (0.0, -2 * p * q, 2 * p * q), (p * (p + q), q * (q - p), p * (q - p))


@linear_metric(
    formula=r"\frac{(1 + c)\,tpr}{tpr + c\,fpr}",
    range=(0, math.inf), reference=_FLACH,
    indicator=lambda p, q: (_FPR_AXIS, (q, p, p + q)), indifference=(_ASCENDING, _FPR_AXIS),
)  # fmt: skip
def lift(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Precision relative to the share of positives: how many times as many as when flagging at random.

    It has the isometrics of `precision`. At (0, 0) it is 1, the limit along the ascending diagonal.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.lift.from_confusion(tp=16, fn=4, fp=9, tn=31), 6)
    1.92
    """
    return (0.0, 0.0, p + q), (0.0, q, p)


def _odds(threshold: float) -> float:
    return threshold / (1 - threshold)


@linear_metric(
    formula=r"\frac{tpr - c\,w\,fpr}{1 + c},\quad w = \frac{p_t}{1 - p_t}",
    range=(-math.inf, 1), reference=_VICKERS,
    indicator=lambda p, q, threshold: ((_odds(threshold), 1.0, 0.0),),  # noqa: ARG005 - the same at every skew
    indifference=lambda threshold: ((_odds(threshold), 1.0, 0.0),),
    options={
        "threshold": Option(
            0.5,
            lambda value, name: checks.strictly_between(value, name, 0, 1),
            "Probability p_t above which one would act: a false alarm costs p_t/(1 - p_t) of what a catch gains.",
        )
    },
)  # fmt: skip
def net_benefit(p: Any, q: Any, threshold: float) -> tuple[Affine, Affine]:
    """True positives per case, less false positives at their exchange rate.

    Here the skew ratio is the class ratio negatives/positives and the threshold carries the costs: the isometrics have
    slope c·p_t/(1 - p_t). With the default 0.5 the skew ratio carries both, and net benefit ranks as accuracy does: it
    is accuracy less the share of negatives.

    Examples
    --------
    >>> import isocost as ic
    >>> tp, fn, fp, tn = 16, 4, 4, 6
    >>> value = ic.metrics.net_benefit.with_options(threshold=0.2).from_confusion(tp, fn, fp, tn)
    >>> round(value, 6), round(tp / 30 - fp / 30 * 0.25, 6)
    (0.5, 0.5)
    """
    return (0.0, -q * _odds(threshold), p), (p + q, 0.0, 0.0)


_CASES = Option(None, lambda value, name: checks.number(value, name, low=1), "Number of cases the rates come from.")


@linear_metric(
    formula=r"\frac{TP + 1}{TP + FP + 2} = \frac{tpr + (1 + c)/N}{tpr + c\,fpr + 2(1 + c)/N}",
    range=(0, 1), reference=_FURNKRANZ,
    indifference=lambda cases: (_TPR_AXIS, _FPR_AXIS) if math.isinf(cases) else (_ORIGIN,),
    options={"cases": _CASES},
)  # fmt: skip
def laplace(p: Any, q: Any, cases: float) -> tuple[Affine, Affine]:
    """Laplace-corrected precision: precision after one more flagged case of each class.

    Its isometrics turn about (-1/NEG, -1/POS). Rates alone do not say how many cases N they come from, so `cases` must.
    `from_confusion` and `best_point` take it from the counts. As N grows, this approaches precision.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.laplace.from_confusion(tp=16, fn=4, fp=4, tn=6) == 17 / 22
    True
    >>> round(ic.metrics.laplace(0.4, 0.8, 0.5, cases=30), 6)
    0.772727
    """
    extra = (p + q) / cases
    return (extra, 0.0, p), (2 * extra, q, p)


@linear_metric(
    formula=r"\frac{TP + m\,pos}{TP + FP + m} = \frac{tpr + m/N}{tpr + c\,fpr + m\,(1 + c)/N}",
    range=(0, 1), reference=_CESTNIK,
    indifference=lambda m, cases: () if m > 0 and math.isfinite(cases) else (_TPR_AXIS, _FPR_AXIS),
    options={"m": Option(2.0, checks.count, "Number of cases the prior is worth."), "cases": _CASES},
)  # fmt: skip
def m_estimate(p: Any, q: Any, m: float, cases: float) -> tuple[Affine, Affine]:
    """m-estimate of precision: precision after m more flagged cases with the overall share of positives.

    Its isometrics turn about (-m/N, -m/N): m = 0 is precision, and as m grows they approach those of `wracc`.
    `cases` is N; see `laplace`.

    Examples
    --------
    >>> import isocost as ic
    >>> m = ic.metrics.m_estimate
    >>> round(m.from_confusion(tp=16, fn=4, fp=4, tn=6), 6), round((16 + 2 * 20 / 30) / (20 + 2), 6)
    (0.787879, 0.787879)
    >>> m.with_options(m=5, cases=20).rotation_point(4)
    (-0.25, -0.25)
    """
    extra = m / cases
    return (extra * p, 0.0, p), (extra * (p + q), q, p)


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


_DIAGONAL = (_ASCENDING,)
# Perfect association has the same value at every skew; each of the other lines meets the square in one corner.
_DIAGONAL_AND_CORNERS = (_ASCENDING, _PERFECT, (1, -1, 1))


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
    range=(-1, 1), reference=_MATTHEWS,
    slope=_chi_squared_slope, gradient=_association_gradient, indifference=_DIAGONAL_AND_CORNERS,
)  # fmt: skip
def mcc(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Matthews correlation coefficient: the correlation of class and flag.

    Its square is `chi_squared`, so it shares the isometrics of `gini_split`. At (0, 0) and (1, 1) it is 0, its limit.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.mcc.from_confusion(tp=16, fn=4, fp=4, tn=6), 6)
    0.4
    """
    return _association(h, k, p, q)


@curved_metric(
    formula=r"\frac{c\,(tpr - fpr)^2}{(tpr + c\,fpr)\,(1 - tpr + c\,(1 - fpr))}",
    range=(0, 1), reference=_FLACH,
    slope=_chi_squared_slope, gradient=_squared_gradient, indifference=_DIAGONAL_AND_CORNERS,
)  # fmt: skip
def chi_squared(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Pearson's χ² of class and flag, divided by the number of cases.

    It equals `gini_split` times (1 + c)²/(4c). Multiply by the number of cases for the test statistic.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.chi_squared.from_confusion(tp=16, fn=4, fp=4, tn=6), 6)
    0.16
    """
    return _association(h, k, p, q) ** 2


@curved_metric(
    formula=(
        r"\frac{4c}{(1 + c)^2}\left[1 - \frac{(1 + c)\,tpr\,fpr}{tpr + c\,fpr}"
        r" - \frac{(1 + c)(1 - tpr)(1 - fpr)}{1 - tpr + c\,(1 - fpr)}\right]"
    ),
    range=(0, 1), reference=_BREIMAN,
    slope=_chi_squared_slope, gradient=_gini_gradient, indifference=_DIAGONAL,
)  # fmt: skip
def gini_split(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Decrease of the Gini impurity 4·p·n by a split into flagged and not flagged.

    Skew-sensitive, more so than information gain; `gini_roc` is its skew-insensitive version.

    Examples
    --------
    >>> import isocost as ic
    >>> c, gini = 4.0, ic.metrics.gini_split(0.2, 0.7, 4.0)
    >>> round(gini * (1 + c) ** 2 / (4 * c), 6) == round(ic.metrics.chi_squared(0.2, 0.7, 4.0), 6)
    True
    """
    return np.asarray(4 * p * q / (p + q) ** 2 * _association(h, k, p, q) ** 2)


@curved_metric(
    formula=r"1 - \frac{2\,tpr\,fpr}{tpr + fpr} - \frac{2(1 - tpr)(1 - fpr)}{2 - tpr - fpr}",
    range=(0, 1), reference=_FLACH,
    slope=lambda h, k, p, q: _chi_squared_slope(h, k, np.ones_like(p), np.ones_like(q)),
    gradient=lambda h, k, p, q: _squared_gradient(h, k, np.ones_like(p), np.ones_like(q)),
    indifference=EVERYWHERE,
)  # fmt: skip
def gini_roc(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Gini-split at skew ratio 1: a strongly skew-insensitive criterion, for χ² as well.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.gini_roc(0.2, 0.7, 9), 6) == round(ic.metrics.gini_split(0.2, 0.7, 1), 6)
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
    range=(0, 1), reference=_KEARNS,
    slope=_dkm_slope, gradient=_dkm_gradient, indifference=_DIAGONAL,
)  # fmt: skip
def dkm_split(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Decrease of the impurity 2·√(p·n) of Dietterich, Kearns and Mansour by a split into flagged and not flagged.

    Weakly skew-insensitive: both diagonals are axes of symmetry of its isometrics, at every skew.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.dkm_split(0.2, 0.8, 1), 6)
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
        r"\quad H(x) = -x\,\log_2 x - (1 - x)\,\log_2(1 - x)"
    ),
    range=(0, 1), reference=_QUINLAN,
    slope=_information_slope, gradient=_information_gradient, indifference=_DIAGONAL,
)  # fmt: skip
def information_gain(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Decrease of entropy, in bits, by a split into flagged and not flagged.

    It is the mutual information of class and flag. Skew-sensitive, less so than Gini-split.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.information_gain([0, 0.3, 0.2], [1, 0.3, 0.7], 1).round(4).tolist()
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
    range=(0.5, 1), reference=_FERRI,
    slope=lambda h, k, p, q: np.ones_like(h + k + p + q),
    gradient=lambda h, k, p, q: (_away(h, k) / -2, _away(h, k) / 2),  # noqa: ARG005 - strongly skew-insensitive
    indifference=EVERYWHERE,
    landscape="parallel",
)  # fmt: skip
def auc_split(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """Area under the ROC curve of a split into two leaves, the purer one ranked first.

    Flach (2003) calls AUC-split skew-sensitive. That is true of the area counted in pairs of cases, positives·negatives·abs(tpr -
    fpr)/2 beyond chance, but not of this share of all pairs. `auc_split_table` takes any number of leaves.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.metrics.auc_split.from_confusion(tp=16, fn=4, fp=9, tn=31), 6)
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
    >>> round(ic.metrics.relative_impurity(0.2, 0.8, 9, impurity="dkm"), 6)
    0.4
    """
    checks.choice(impurity, "impurity", tuple(_IMPURITIES))
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


# What every function that takes a metric accepts.
AnyMetric = PointMetric | str | Callable[..., Any]

METRICS: Mapping[str, PointMetric] = MappingProxyType(
    {metric.name: metric for metric in list(globals().values()) if isinstance(metric, PointMetric)}
)


def _sent(metric: PointMetric) -> tuple[Any, ...]:
    """Let results travel between processes: a metric of the registry is sent by name, its formulas are code."""
    known = METRICS.get(metric.name)
    if known is not None and metric.closed_form and known.formula == metric.formula:
        return restore, (metric.name, dict(metric.options))
    return _rebuild, (tuple(getattr(metric, f.name) for f in fields(metric)),)


copyreg.pickle(PointMetric, _sent)


def _rebuild(state: tuple[Any, ...]) -> PointMetric:
    return PointMetric(**{f.name: value for f, value in zip(fields(PointMetric), state, strict=True)})


def restore(name: str, options: Mapping[str, Any]) -> PointMetric:
    """Return a registered metric with options: how a stored one comes back."""
    metric = METRICS[name]
    return metric if dict(metric.options) == dict(options) else metric.with_options(**options)


def get_metric(metric: AnyMetric) -> PointMetric:
    """Return the metric with this name, or make one from a function of (fpr, tpr, skew_ratio).

    Examples
    --------
    >>> import isocost as ic
    >>> ic.metrics.get_metric("mcc")
    <PointMetric mcc: higher is better, -1 to 1>
    >>> ic.metrics.get_metric("acuracy")
    Traceback (most recent call last):
    isocost.errors.UnknownNameError: unknown metric 'acuracy': did you mean 'accuracy', ...
    """
    if isinstance(metric, PointMetric):
        return metric
    if isinstance(metric, str):
        if metric not in METRICS:
            raise UnknownNameError("metric", metric, METRICS)
        return METRICS[metric]
    if isinstance(metric, partial) and isinstance(metric.func, PointMetric) and not metric.args:
        return metric.func.with_options(**metric.keywords)
    if callable(metric):
        return from_function(metric)
    raise InputError(f"a metric is a name, a PointMetric or a function of (fpr, tpr, skew_ratio), got {metric!r}")


@dataclass(frozen=True)
class ConfusionMetrics(Result):
    """A confusion matrix as a point of ROC space, with the value of every metric there.

    Attributes
    ----------
    fpr, tpr : float
        The point.
    skew_ratio : float
        Negatives/positives in the matrix.
    cases : float
        Their sum.
    values : dict
        The value of each metric, by name; index the object itself for one of them.
    """

    fpr: float
    tpr: float
    skew_ratio: float
    cases: float
    values: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        if name not in self.values:
            raise UnknownNameError("metric", name, self.values)
        return self.values[name]


def from_confusion(tp: float, fn: float, fp: float, tn: float) -> ConfusionMetrics:
    """All metrics of a confusion matrix, at its own skew.

    Parameters
    ----------
    tp, fn, fp, tn : float
        Counts: positives flagged and missed, negatives flagged and left alone.

    Returns
    -------
    ConfusionMetrics
        The point of ROC space, its skew ratio, and the value of every metric with its default options. For one metric,
        or other options, use the metric's own `from_confusion`.

    Examples
    --------
    >>> import isocost as ic
    >>> found = ic.metrics.from_confusion(tp=16, fn=4, fp=4, tn=6)
    >>> found.fpr, found.tpr, found.skew_ratio, round(found["mcc"], 6), found["precision"]
    (0.4, 0.8, 0.5, 0.4, 0.8)
    """
    tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
    return ConfusionMetrics(
        fpr=fp / (fp + tn),
        tpr=tp / (tp + fn),
        skew_ratio=(fp + tn) / (tp + fn),
        cases=tp + fn + fp + tn,
        values={name: metric.from_confusion(tp, fn, fp, tn) for name, metric in METRICS.items()},
    )

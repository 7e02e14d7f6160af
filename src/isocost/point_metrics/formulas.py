"""Metrics with straight isometrics: ratios of two affine functions of (fpr, tpr).

Each function returns the coefficients of (1, fpr, tpr) in the numerator and in the denominator, for class weights p of
the positives and q of the negatives; the skew ratio is q/p. Everything else follows from them.
"""

from __future__ import annotations

import math
from typing import Any

from isocost import validate
from isocost.point_metrics.making import linear_metric
from isocost.point_metrics.metric import Affine, Option
from isocost.point_metrics.paths import Line

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


def _everywhere(*_: Any, **__: Any) -> None:
    """Say that the whole square belongs to a locus."""


@linear_metric(
    formula=r"\frac{tpr + c\,(1 - fpr)}{1 + c}",
    range=(0, 1),
    reference=_FLACH,
    indicator=lambda p, q: (_DESCENDING,),  # noqa: ARG005 - the same at every skew
    indifference=lambda: (_DESCENDING,),
)
def accuracy(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Share of cases that are classified correctly.

    Its isometrics are the iso-cost lines: parallel, with slope c. On the descending diagonal, where both classes are
    served equally well, it equals tpr and does not depend on the skew. At c = 1 it is `balanced_accuracy`.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.accuracy(0.2, 0.7, 4) == (0.7 + 4 * 0.8) / 5
    True
    """
    return (q, -q, p), (p + q, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{tpr}{tpr + c\,fpr}",
    range=(0, 1),
    reference=_FLACH,
    indicator=lambda p, q: (_FPR_AXIS, (q, p, p)),
    indifference=lambda: (_TPR_AXIS, _FPR_AXIS),
)
def precision(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Share of the flagged cases that are positive.

    Its isometrics turn about the origin and do not depend on the skew, only their values do (weakly skew-insensitive).
    At (0, 0), where nobody is flagged, no limit exists; the value there is the prevalence 1/(1 + c), the limit along
    the ascending diagonal, where flagging is random.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.precision([0.1, 0.0, 0.0], [0.8, 0.5, 0.0], 4).round(4).tolist()
    [0.6667, 1.0, 0.2]
    """
    return (0.0, 0.0, p), (0.0, q, p)


@linear_metric(formula=r"tpr", range=(0, 1), reference=_FLACH, indicator=_everywhere, indifference=_everywhere)
def recall(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Share of the positives that are flagged: tpr itself.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.recall(0.1, 0.8, 4)
    0.8
    """
    return (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)


@linear_metric(
    formula=r"1 - fpr",
    range=(0, 1),
    reference=_FLACH,
    indicator=lambda p, q: (_DESCENDING,),  # noqa: ARG005 - the same at every skew
    indifference=_everywhere,
)
def specificity(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Share of the negatives that are not flagged.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.specificity(0.1, 0.8, 4)
    0.9
    """
    return (1.0, -1.0, 0.0), (1.0, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{tpr + 1 - fpr}{2}",
    range=(0, 1),
    reference=_FLACH,
    indicator=lambda p, q: (_DESCENDING,),  # noqa: ARG005 - the same at every skew
    indifference=_everywhere,
)
def balanced_accuracy(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Mean of tpr and the true negative rate.

    It is accuracy at c = 1, and the area under the ROC curve (0, 0) – (fpr, tpr) – (1, 1).

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.balanced_accuracy(0.1, 0.8), 6)
    0.85
    """
    return (1.0, -1.0, 1.0), (2.0, 0.0, 0.0)


@linear_metric(
    formula=r"tpr - fpr",
    range=(-1, 1),
    reference=_YOUDEN,
    indicator=lambda p, q: (_TPR_AXIS,),  # noqa: ARG005 - the same at every skew
    indifference=_everywhere,
)
def youden(p: Any, q: Any) -> tuple[Affine, Affine]:  # noqa: ARG001 - skew-insensitive
    """Youden's J: height above the ascending diagonal, also known as informedness.

    It is `kappa` at c = 1, and four times `wracc.skew_insensitive`.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.youden(0.1, 0.8), 6)
    0.7
    """
    return (0.0, -1.0, 1.0), (1.0, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{(1 + \beta^2)\,tpr}{tpr + c\,fpr + \beta^2}",
    range=(0, 1),
    reference=_RIJSBERGEN,
    indicator=lambda p, q, beta: (_FPR_AXIS, (q, p, p)),  # noqa: ARG005 - the same for every beta
    indifference=lambda beta: (_TPR_AXIS, _FPR_AXIS),  # noqa: ARG005 - the same for every beta
    options={"beta": Option(1.0, validate.count, "Weight of recall: beta times as important as precision.")},
)
def f_measure(p: Any, q: Any, beta: float) -> tuple[Affine, Affine]:
    """Weighted harmonic mean of precision and recall.

    Its isometrics turn about (-beta²/c, 0): precision with the centre moved to the left. It equals tpr on the line
    tpr + c·fpr = 1, as precision does. It is skew-equivalent to `g_measure` when beta is 1.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.f_measure.from_confusion(tp=16, fn=4, fp=4, tn=6)
    0.8
    >>> round(ic.point_metrics.f_measure(0.1, 0.8, 4, beta=0.5), 6)
    0.689655
    """
    return (0.0, 0.0, (1 + beta**2) * p), (beta**2 * p, q, p)


@linear_metric(
    formula=r"\frac{tpr}{c\,fpr + 1}",
    range=(0, 1),
    reference=_FLACH,
    indicator=lambda p, q: (_FPR_AXIS, _TPR_AXIS),  # noqa: ARG005 - the same at every skew
    indifference=lambda: (_TPR_AXIS, _FPR_AXIS),
)
def g_measure(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Flach's simplification of the F-measure, TP/(FP + POS), which is also the Jaccard index.

    It has the isometrics of the F-measure, F/(2 - F) for their values, and equals tpr where fpr is 0. It is not the
    geometric mean of precision and recall that others call by the same letter.

    Examples
    --------
    >>> import isocost as ic
    >>> f, g = ic.point_metrics.f_measure(0.1, 0.8, 4), ic.point_metrics.g_measure(0.1, 0.8, 4)
    >>> round(g, 6), round(f / (2 - f), 6)
    (0.571429, 0.571429)
    """
    return (0.0, 0.0, p), (p, q, 0.0)


@linear_metric(
    formula=r"\frac{c}{(1 + c)^2}\,(tpr - fpr)",
    range=(-0.25, 0.25),
    reference=_LAVRAC,
    # (pq/(p+q)²)(k - h) = k, which only the origin satisfies.
    indicator=lambda p, q: ((p * q, (p + q) ** 2 - p * q, 0.0),),
    indifference=lambda: (_ASCENDING,),
)
def wracc(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Weighted relative accuracy: true positives in excess of those expected if flagging were independent of class.

    Its isometrics are parallel to the ascending diagonal at every skew (weakly skew-insensitive). Multiply by 4 for
    values from -1 to 1: at c = 1 it is (tpr - fpr)/4, where Flach (2003) re-scales it to tpr - fpr, which is `youden`.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.wracc(0.2, 0.7, 4), 6)
    0.08
    """
    return (0.0, -p * q, p * q), ((p + q) ** 2, 0.0, 0.0)


@linear_metric(
    formula=r"\frac{2c\,(tpr - fpr)}{1 + c + (c - 1)\,tpr + c\,(c - 1)\,fpr}",
    range=(-1, 1),
    reference=_COHEN,
    indifference=lambda: (_ASCENDING, _PERFECT),
)
def kappa(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Cohen's kappa: agreement of class and flag beyond what chance agrees on, relative to what is left.

    Its isometrics turn about (1/(1 - c), 1/(1 - c)); at c = 1 they are parallel and it is `youden`.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.kappa.from_confusion(tp=16, fn=4, fp=9, tn=31), 6)
    0.541176
    """
    return (0.0, -2 * p * q, 2 * p * q), (p * (p + q), q * (q - p), p * (q - p))


@linear_metric(
    formula=r"\frac{(1 + c)\,tpr}{tpr + c\,fpr}",
    range=(0, math.inf),
    reference=_FLACH,
    indicator=lambda p, q: (_FPR_AXIS, (q, p, p + q)),
    indifference=lambda: (_ASCENDING, _FPR_AXIS),
)
def lift(p: Any, q: Any) -> tuple[Affine, Affine]:
    """Precision relative to the share of positives: how many times as many as when flagging at random.

    It has the isometrics of `precision`. At (0, 0) it is 1, the limit along the ascending diagonal.

    Examples
    --------
    >>> import isocost as ic
    >>> round(ic.point_metrics.lift.from_confusion(tp=16, fn=4, fp=9, tn=31), 6)
    1.92
    """
    return (0.0, 0.0, p + q), (0.0, q, p)


def _odds(threshold: float) -> float:
    return threshold / (1 - threshold)


@linear_metric(
    formula=r"\frac{tpr - c\,w\,fpr}{1 + c},\quad w = \frac{p_t}{1 - p_t}",
    range=(-math.inf, 1),
    reference=_VICKERS,
    indicator=lambda p, q, threshold: ((_odds(threshold), 1.0, 0.0),),  # noqa: ARG005 - the same at every skew
    indifference=lambda threshold: ((_odds(threshold), 1.0, 0.0),),
    options={
        "threshold": Option(
            0.5,
            lambda value, name: validate.strictly_between(value, name, 0, 1),
            "Probability p_t above which one would act: a false alarm costs p_t/(1 - p_t) of what a catch gains.",
        )
    },
)
def net_benefit(p: Any, q: Any, threshold: float) -> tuple[Affine, Affine]:
    """True positives per case, less false positives at their exchange rate.

    Here the skew ratio is the class ratio negatives/positives and the threshold carries the costs: the isometrics have
    slope c·p_t/(1 - p_t). With the default 0.5 the skew ratio carries both, and net benefit ranks as accuracy does: it
    is accuracy less the share of negatives.

    Examples
    --------
    >>> import isocost as ic
    >>> tp, fn, fp, tn = 16, 4, 4, 6
    >>> value = ic.point_metrics.net_benefit.with_options(threshold=0.2).from_confusion(tp, fn, fp, tn)
    >>> round(value, 6), round(tp / 30 - fp / 30 * 0.25, 6)
    (0.5, 0.5)
    """
    return (0.0, -q * _odds(threshold), p), (p + q, 0.0, 0.0)


_CASES = Option(None, lambda value, name: validate.number(value, name, low=1), "Number of cases the rates come from.")


@linear_metric(
    formula=r"\frac{TP + 1}{TP + FP + 2} = \frac{tpr + (1 + c)/N}{tpr + c\,fpr + 2(1 + c)/N}",
    range=(0, 1),
    reference=_FURNKRANZ,
    indifference=lambda cases: (_TPR_AXIS, _FPR_AXIS) if math.isinf(cases) else (_ORIGIN,),
    options={"cases": _CASES},
)
def laplace(p: Any, q: Any, cases: float) -> tuple[Affine, Affine]:
    """Laplace-corrected precision: precision after one more flagged case of each class.

    Its isometrics turn about (-1/NEG, -1/POS). Rates alone do not say how many cases N they come from, so `cases` must.
    `from_confusion` and `best_point` take it from the counts. As N grows, this approaches precision.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.laplace.from_confusion(tp=16, fn=4, fp=4, tn=6) == 17 / 22
    True
    >>> round(ic.point_metrics.laplace(0.4, 0.8, 0.5, cases=30), 6)
    0.772727
    """
    extra = (p + q) / cases
    return (extra, 0.0, p), (2 * extra, q, p)


@linear_metric(
    formula=r"\frac{TP + m\,pos}{TP + FP + m} = \frac{tpr + m/N}{tpr + c\,fpr + m\,(1 + c)/N}",
    range=(0, 1),
    reference=_CESTNIK,
    indifference=lambda m, cases: () if m > 0 and math.isfinite(cases) else (_TPR_AXIS, _FPR_AXIS),
    options={"m": Option(2.0, validate.count, "Number of cases the prior is worth."), "cases": _CASES},
)
def m_estimate(p: Any, q: Any, m: float, cases: float) -> tuple[Affine, Affine]:
    """m-estimate of precision: precision after m more flagged cases with the overall share of positives.

    Its isometrics turn about (-m/N, -m/N): m = 0 is precision, and as m grows they approach those of `wracc`.
    `cases` is N; see `laplace`.

    Examples
    --------
    >>> import isocost as ic
    >>> m = ic.point_metrics.m_estimate
    >>> round(m.from_confusion(tp=16, fn=4, fp=4, tn=6), 6), round((16 + 2 * 20 / 30) / (20 + 2), 6)
    (0.787879, 0.787879)
    >>> m.with_options(m=5, cases=20).rotation_point(4)
    (-0.25, -0.25)
    """
    extra = m / cases
    return (extra * p, 0.0, p), (extra * (p + q), q, p)

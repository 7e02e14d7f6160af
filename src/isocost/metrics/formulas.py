"""The metrics by formula, splitting criteria included, and all of them for one confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented_by
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.metrics.loci import Line
from isocost.metrics.metric import EVERYWHERE, METRICS, Option, registered

_FURNKRANZ = "Fürnkranz & Flach (2005), Machine Learning 58:39-77, doi:10.1007/s10994-005-5011-x"
_RIJSBERGEN = "Van Rijsbergen (1979), Information Retrieval, Butterworths"
_LAVRAC = "Lavrač, Flach & Zupan (1999), Rule evaluation measures, ILP, doi:10.1007/3-540-48751-4_17"
_CESTNIK = "Cestnik (1990), Estimating probabilities: a crucial task in machine learning, ECAI 9:147-149"
_COHEN = "Cohen (1960), Educational and Psychological Measurement 20:37-46, doi:10.1177/001316446002000104"
_QUINLAN = "Quinlan (1986), Induction of decision trees, Machine Learning 1:81-106, doi:10.1007/BF00116251"
_BREIMAN = "Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, doi:10.1201/9781315139470"
_KEARNS = "Kearns & Mansour (1996), STOC 28:459-468, doi:10.1145/237814.237994"
_MATTHEWS = "Matthews (1975), Biochimica et Biophysica Acta 405:442-451, doi:10.1016/0005-2795(75)90109-9"

# How a metric changes: by fpr, by tpr, and what to multiply both by.
Grows = tuple[Any, Any, Any]

_TPR_AXIS: Line = (1, 0, 0)
_FPR_AXIS: Line = (0, 1, 0)
_AXES = (_TPR_AXIS, _FPR_AXIS)
_ASCENDING: Line = (1, -1, 0)
_DESCENDING: Line = (1, 1, 1)
# h - k = -1 meets the square in the perfect point alone, h - k = 1 in the worst one, h + k = 0 in the origin.
_PERFECT: Line = (1, -1, -1)
_WORST: Line = (1, -1, 1)
_ORIGIN: Line = (1, 1, 0)

_BETA: Option = (1.0, checks.count, "Weight of recall: beta times as important as precision.")
_PRIOR: Option = (2.0, checks.count, "Number of cases the prior is worth.")
_CASES: Option = (
    None, lambda value, name: checks.number(value, name, low=1), "Number of cases N the rates come from.",
)  # fmt: skip
_THRESHOLD: Option = (
    0.5, checks.inner_rate, "Probability p_t above which one would act: a false alarm costs p_t/(1 - p_t) of what a catch gains.",
)  # fmt: skip


def _odds(threshold: float) -> float:
    return threshold / (1 - threshold)


# Metrics with straight isometrics: numerator and denominator as coefficients of (1, fpr, tpr), with p and q the weights of
# the classes. `indicator` is where the metric equals tpr, `indifference` where it does not depend on the skew.

accuracy = registered(
    "accuracy", "Share of cases that are classified correctly.",
    "Its isometrics are the iso-cost lines: parallel, with slope c. On the descending diagonal, where both classes are\n"
    "served equally well, it equals tpr and does not depend on the skew. At c = 1 it is `balanced_accuracy`.",
    r"\frac{tpr + c\,(1 - fpr)}{1 + c}", "Flach 2003", "balanced_accuracy kappa net_benefit",
    lambda p, q: ((q, -q, p), (p + q, 0.0, 0.0)),
    indicator=(_DESCENDING,), indifference=(_DESCENDING,),
)  # fmt: skip

precision = registered(
    "precision", "Share of the flagged cases that are positive.",
    "Its isometrics turn about the origin and do not depend on the skew, only their values do (weakly skew-insensitive).\n"
    "At (0, 0), where no case is flagged, no limit exists; the value there is the prevalence 1/(1 + c), the limit along\n"
    "the ascending diagonal, where flagging is random.",
    r"\frac{tpr}{tpr + c\,fpr}", "Flach 2003", "npv lift f_measure laplace",
    lambda p, q: ((0.0, 0.0, p), (0.0, q, p)),
    indicator=lambda p, q: (_FPR_AXIS, (q, p, p)), indifference=_AXES,
)  # fmt: skip

npv = registered(
    "npv", "Negative predictive value: share of the cases not flagged that are negative.",
    "What `precision` is to the flagged: its isometrics turn about (1, 1) and do not depend on the skew. At (1, 1), where\n"
    "every case is flagged, it is the share of negatives c/(1 + c), the limit along the ascending diagonal.",
    r"\frac{c\,(1 - fpr)}{c\,(1 - fpr) + 1 - tpr}", "Flach 2003", "precision specificity",
    lambda p, q: ((q, -q, 0.0), (p + q, -q, -p)),
    indicator=lambda p, q: ((0, 1, 1), (q, p, q)), indifference=((1, 0, 1), (0, 1, 1)),
)  # fmt: skip

recall = registered(
    "recall", "Share of the positives that are flagged: tpr itself, also known as sensitivity.",
    "It does not depend on the skew.", "tpr", "Flach 2003", "specificity precision f_measure",
    lambda p, q: ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),  # noqa: ARG005 - skew-insensitive
    indicator=EVERYWHERE, indifference=EVERYWHERE,
)  # fmt: skip

specificity = registered(
    "specificity", "Share of the negatives that are not flagged.",
    "It does not depend on the skew.", "1 - fpr", "Flach 2003", "recall npv balanced_accuracy",
    lambda p, q: ((1.0, -1.0, 0.0), (1.0, 0.0, 0.0)),  # noqa: ARG005 - skew-insensitive
    indicator=(_DESCENDING,), indifference=EVERYWHERE,
)  # fmt: skip

balanced_accuracy = registered(
    "balanced_accuracy", "Mean of tpr and the true negative rate.",
    "It is accuracy at c = 1, and the area under the ROC curve (0, 0) – (fpr, tpr) – (1, 1).",
    r"\frac{tpr + 1 - fpr}{2}", "Flach 2003", "accuracy youden",
    lambda p, q: ((1.0, -1.0, 1.0), (2.0, 0.0, 0.0)),  # noqa: ARG005 - skew-insensitive
    indicator=(_DESCENDING,), indifference=EVERYWHERE,
)  # fmt: skip

youden = registered(
    "youden", "Youden's J: height above the ascending diagonal, also known as informedness.",
    "It is `kappa` at c = 1, and four times `wracc.skew_insensitive`.",
    "tpr - fpr", "Youden 1950", "balanced_accuracy kappa wracc",
    lambda p, q: ((0.0, -1.0, 1.0), (1.0, 0.0, 0.0)),  # noqa: ARG005 - skew-insensitive
    indicator=(_TPR_AXIS,), indifference=EVERYWHERE,
    range=(-1, 1),
)  # fmt: skip

f_measure = registered(
    "f_measure", "Weighted harmonic mean of precision and recall.",
    "Its isometrics turn about (-beta²/c, 0): precision with the centre moved to the left. It equals tpr on the line\n"
    "tpr + c·fpr = 1, as precision does. It is skew-equivalent to `g_measure` when beta is 1.",
    r"\frac{(1 + \beta^2)\,tpr}{tpr + c\,fpr + \beta^2}", _RIJSBERGEN, "precision recall g_measure",
    lambda p, q, beta: ((0.0, 0.0, (1 + beta**2) * p), (beta**2 * p, q, p)),
    indicator=lambda p, q, beta: (_FPR_AXIS, (q, p, p)), indifference=_AXES,  # noqa: ARG005 - the same for every beta
    options={"beta": _BETA},
)  # fmt: skip

g_measure = registered(
    "g_measure", "Flach's simplification of the F-measure, TP/(FP + POS), which is also the Jaccard index.",
    "It has the isometrics of the F-measure, F/(2 - F) for their values, and equals tpr where fpr is 0. It is not the\n"
    "geometric mean of precision and recall that others call by the same letter.",
    r"\frac{tpr}{c\,fpr + 1}", "Flach 2003", "f_measure",
    lambda p, q: ((0.0, 0.0, p), (p, q, 0.0)),
    indicator=_AXES, indifference=_AXES,
)  # fmt: skip

wracc = registered(
    "wracc", "Weighted relative accuracy: true positives in excess of those expected if flagging were independent of class.",
    "Its isometrics are parallel to the ascending diagonal at every skew (weakly skew-insensitive). Multiply by 4 for\n"
    "values from -1 to 1: at c = 1 it is (tpr - fpr)/4, where Flach (2003) re-scales it to tpr - fpr, which is `youden`.",
    r"\frac{c}{(1 + c)^2}\,(tpr - fpr)", _LAVRAC, "youden kappa",
    lambda p, q: ((0.0, -p * q, p * q), ((p + q) ** 2, 0.0, 0.0)),
    # (pq/(p+q)²)(k - h) = k, which only the origin satisfies.
    indicator=lambda p, q: ((p * q, (p + q) ** 2 - p * q, 0.0),), indifference=(_ASCENDING,),
    range=(-0.25, 0.25),
)  # fmt: skip

kappa = registered(
    "kappa", "Cohen's kappa: agreement of class and flag beyond what chance agrees on, relative to what is left.",
    "Its isometrics turn about (1/(1 - c), 1/(1 - c)); at c = 1 they are parallel and it is `youden`.",
    r"\frac{2c\,(tpr - fpr)}{1 + c + (c - 1)\,tpr + c\,(c - 1)\,fpr}", _COHEN, "youden mcc accuracy",
    lambda p, q: ((0.0, -2 * p * q, 2 * p * q), (p * (p + q), q * (q - p), p * (q - p))),
    indifference=(_ASCENDING, _PERFECT),
    range=(-1, 1),
)  # fmt: skip

lift = registered(
    "lift", "Precision relative to the share of positives: how many times as many as when flagging at random.",
    "It has the isometrics of `precision`. At (0, 0) it is 1, the limit along the ascending diagonal.",
    r"\frac{(1 + c)\,tpr}{tpr + c\,fpr}", "Flach 2003", "precision wracc",
    lambda p, q: ((0.0, 0.0, p + q), (0.0, q, p)),
    indicator=lambda p, q: (_FPR_AXIS, (q, p, p + q)), indifference=(_ASCENDING, _FPR_AXIS),
    range=(0, math.inf),
)  # fmt: skip

net_benefit = registered(
    "net_benefit", "True positives per case, less false positives at their exchange rate.",
    "Here the skew ratio is the class ratio negatives/positives and the threshold carries the costs: the isometrics have\n"
    "slope c·p_t/(1 - p_t). With the default 0.5 the skew ratio carries both, and net benefit ranks as accuracy does: it\n"
    "is accuracy less the share of negatives.",
    r"\frac{tpr - c\,w\,fpr}{1 + c},\quad w = \frac{p_t}{1 - p_t}", "Vickers & Elkin 2006", "accuracy",
    lambda p, q, threshold: ((0.0, -q * _odds(threshold), p), (p + q, 0.0, 0.0)),
    indicator=lambda p, q, threshold: ((_odds(threshold), 1.0, 0.0),),  # noqa: ARG005 - the same at every skew
    indifference=lambda threshold: ((_odds(threshold), 1.0, 0.0),),
    range=(-math.inf, 1), options={"threshold": _THRESHOLD},
)  # fmt: skip

laplace = registered(
    "laplace", "Laplace-corrected precision: precision after one more flagged case of each class.",
    "Its isometrics turn about (-1/NEG, -1/POS). Rates alone do not say how many cases N they come from, so `cases` must.\n"
    "`from_confusion` and `best_point` take it from the counts. As N grows, this approaches precision.",
    r"\frac{TP + 1}{TP + FP + 2} = \frac{tpr + (1 + c)/N}{tpr + c\,fpr + 2(1 + c)/N}", _FURNKRANZ, "m_estimate precision",
    lambda p, q, cases: (((p + q) / cases, 0.0, p), (2 * (p + q) / cases, q, p)),
    indifference=lambda cases: _AXES if math.isinf(cases) else (_ORIGIN,),
    options={"cases": _CASES},
)  # fmt: skip

m_estimate = registered(
    "m_estimate", "m-estimate of precision: precision after m more flagged cases with the overall share of positives.",
    "Its isometrics turn about (-m/N, -m/N): m = 0 is precision, and as m grows they approach those of `wracc`.\n"
    "`cases` is N; see `laplace`.",
    r"\frac{TP + m\,pos}{TP + FP + m} = \frac{tpr + m/N}{tpr + c\,fpr + m\,(1 + c)/N}", _CESTNIK, "laplace precision wracc",
    lambda p, q, m, cases: ((m / cases * p, 0.0, p), (m / cases * (p + q), q, p)),
    indifference=lambda m, cases: () if m > 0 and math.isfinite(cases) else _AXES,
    options={"m": _PRIOR, "cases": _CASES},
)  # fmt: skip

# Metrics with curved isometrics: value, and the direction in which it grows with how fast.


def _flagged(h: Floats, k: Floats, p: Any, q: Any) -> tuple[Floats, Floats]:
    """Return the share of cases flagged and, without cancellation, the rest."""
    return (p * k + q * h) / (p + q), (p * (1 - k) + q * (1 - h)) / (p + q)


def _association(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    """MCC; 0 where no case or every case is flagged, which is its limit there."""
    u, rest = _flagged(h, k, p, q)
    none = (u == 0) | (rest == 0)
    return np.where(none, 0.0, np.sqrt(p * q) / (p + q) * (k - h) / np.sqrt(np.where(none, 1.0, u * rest)))


def _association_grows(h: Floats, k: Floats, p: Any, q: Any) -> Grows:
    u, rest = _flagged(h, k, p, q)
    return -u * (1 - k) - k * rest, u * (1 - h) + h * rest, np.sqrt(p * q) / (p + q) / 2 * (u * rest) ** -1.5


def _square(scale: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return value and growth of the square of MCC, times a function of the class weights."""

    def value(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
        return np.asarray(scale(p, q) * _association(h, k, p, q) ** 2)

    def grows(h: Floats, k: Floats, p: Any, q: Any) -> Grows:
        by_fpr, by_tpr, fast = _association_grows(h, k, p, q)
        return by_fpr, by_tpr, 2 * scale(p, q) * _association(h, k, p, q) * fast

    return {"value": value, "grows": grows}


mcc = registered(
    "mcc", "Matthews correlation coefficient: the correlation of class and flag.",
    "Its square is `chi_squared`, so it shares the isometrics of `gini_split`. At (0, 0) and (1, 1) it is 0, its limit.",
    r"\frac{\sqrt{c}\,(tpr - fpr)}{\sqrt{(tpr + c\,fpr)\,(1 - tpr + c\,(1 - fpr))}}", _MATTHEWS, "chi_squared kappa",
    # Perfect association has the same value at every skew.
    value=_association, grows=_association_grows, indifference=(_ASCENDING, _PERFECT, _WORST), range=(-1, 1),
)  # fmt: skip

chi_squared = registered(
    "chi_squared", "Pearson's χ² of class and flag, divided by the number of cases.",
    "It equals `gini_split` times (1 + c)²/(4c). Multiply by the number of cases for the test statistic.",
    r"\frac{c\,(tpr - fpr)^2}{(tpr + c\,fpr)\,(1 - tpr + c\,(1 - fpr))}", "Flach 2003", "mcc gini_split",
    **_square(lambda p, q: 1.0), indifference=(_ASCENDING, _PERFECT, _WORST),  # noqa: ARG005 - the same at every skew
)  # fmt: skip

gini_split = registered(
    "gini_split", "Decrease of the Gini impurity 4·p·n by a split into flagged and not flagged.",
    "Skew-sensitive, more so than information gain; `gini_roc` is its skew-insensitive version.",
    r"\frac{4c}{(1 + c)^2}\left[1 - \frac{(1 + c)\,tpr\,fpr}{tpr + c\,fpr}"
    r" - \frac{(1 + c)(1 - tpr)(1 - fpr)}{1 - tpr + c\,(1 - fpr)}\right]", _BREIMAN, "gini_roc dkm_split information_gain",
    **_square(lambda p, q: 4 * p * q / (p + q) ** 2), indifference=(_ASCENDING,),
)  # fmt: skip

_BALANCED = _square(lambda p, q: 1.0)  # noqa: ARG005 - the same at every skew

gini_roc = registered(
    "gini_roc", "Gini-split at skew ratio 1: a strongly skew-insensitive criterion, for χ² as well.",
    "`gini_roc_table` takes any number of classes and branches.",
    r"1 - \frac{2\,tpr\,fpr}{tpr + fpr} - \frac{2(1 - tpr)(1 - fpr)}{2 - tpr - fpr}", "Flach 2003", "gini_split gini_roc_table",
    value=lambda h, k, p, q: _BALANCED["value"](h, k, np.ones_like(p), np.ones_like(q)),
    grows=lambda h, k, p, q: _BALANCED["grows"](h, k, np.ones_like(p), np.ones_like(q)), indifference=EVERYWHERE,
)  # fmt: skip


def _dkm(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    # 1 - √(hk) - √((1-h)(1-k)) as a sum of squares, exact next to the diagonal.
    distance = ((np.sqrt(k) - np.sqrt(h)) ** 2 + (np.sqrt(1 - k) - np.sqrt(1 - h)) ** 2) / 2
    return np.asarray(2 * np.sqrt(p * q) / (p + q) * distance)


def _dkm_grows(h: Floats, k: Floats, p: Any, q: Any) -> Grows:
    spread_h, spread_k = np.sqrt(h * (1 - h)), np.sqrt(k * (1 - k))
    gap = np.sqrt(k * (1 - h)) - np.sqrt(h * (1 - k))
    return -spread_k, spread_h, np.sqrt(p * q) / (p + q) * gap / (spread_h * spread_k)


dkm_split = registered(
    "dkm_split", "Decrease of the impurity 2·√(p·n) of Dietterich, Kearns and Mansour by a split into flagged and not flagged.",
    "Weakly skew-insensitive: both diagonals are axes of symmetry of its isometrics, at every skew.",
    r"\frac{2\sqrt{c}}{1 + c}\left[1 - \sqrt{tpr\,fpr} - \sqrt{(1 - tpr)(1 - fpr)}\right]", _KEARNS,
    "gini_split information_gain", value=_dkm, grows=_dkm_grows, indifference=(_ASCENDING,),
)  # fmt: skip


def _divergence(a: Floats, u: Floats, gap: Floats) -> Floats:
    """Return (u - a) - a·log(u/a), a term of a relative entropy made non-negative, for gap = u - a; u where a is 0."""
    safe = np.where(a > 0, a, 1.0)
    return np.where(a > 0, np.maximum(gap - a * np.log1p(gap / safe), 0.0), u)


def _information(h: Floats, k: Floats, p: Any, q: Any) -> Floats:
    u, rest = _flagged(h, k, p, q)
    above, below = q * (k - h) / (p + q), p * (k - h) / (p + q)  # k - u and u - h
    positives = _divergence(k, u, -above) + _divergence(1 - k, rest, above)
    negatives = _divergence(h, u, below) + _divergence(1 - h, rest, -below)
    # A class of weight 0 may be infinitely far from what is flagged: it counts for nothing.
    total = np.where(p > 0, p * positives, 0.0) + np.where(q > 0, q * negatives, 0.0)
    return np.asarray(total / (p + q) / math.log(2))


def _log_ratio(gap: Floats, above: Floats, below: Floats) -> Floats:
    """Return log(above/below) for above - below = gap, exact for close values."""
    return np.where(np.abs(gap) < 0.5 * below, np.log1p(gap / below), np.log(above / below))


def _information_grows(h: Floats, k: Floats, p: Any, q: Any) -> Grows:
    u, rest = _flagged(h, k, p, q)
    left = _log_ratio(p * (k - h) / (p + q), u * (1 - h), h * rest)  # logit u - logit h
    right = _log_ratio(q * (k - h) / (p + q), k * rest, u * (1 - k))  # logit k - logit u
    # On the diagonal both vanish, and their ratio is 1 in the limit.
    flat = (k == h) & (u > 0) & (rest > 0)
    return np.where(flat, -1.0, -q * left), np.where(flat, 1.0, p * right), np.where(flat, 0, 1 / (p + q) / math.log(2))


information_gain = registered(
    "information_gain", "Decrease of entropy, in bits, by a split into flagged and not flagged.",
    "It is the mutual information of class and flag. Skew-sensitive, less so than Gini-split.",
    r"H\!\left(\frac{tpr + c\,fpr}{1 + c}\right) - \frac{H(tpr) + c\,H(fpr)}{1 + c},"
    r"\quad H(x) = -x\,\log_2 x - (1 - x)\,\log_2(1 - x)", _QUINLAN, "gini_split dkm_split",
    value=_information, grows=_information_grows, indifference=(_ASCENDING,),
)  # fmt: skip

auc_split = registered(
    "auc_split", "Area under the ROC curve of a split into two leaves, the purer one ranked first.",
    "Flach (2003) calls AUC-split skew-sensitive. That is true of the area counted in pairs of cases,\n"
    "positives·negatives·abs(tpr - fpr)/2 beyond chance, but not of this share of all pairs. `auc_split_table` takes any\n"
    "number of leaves.",
    r"\frac{1 + |tpr - fpr|}{2}", "Ferri, Flach & Hernández-Orallo 2002", "auc_split_table balanced_accuracy",
    value=lambda h, k, p, q: np.asarray((1 + np.abs(k - h)) / 2 * np.ones_like(p + q)),
    # On the diagonal it has a kink.
    grows=lambda h, k, p, q: (-1, 1, np.where(k == h, np.nan, np.sign(k - h) / 2)),  # noqa: ARG005 - skew-insensitive
    indifference=EVERYWHERE, landscape="parallel", range=(0.5, 1),
)  # fmt: skip


@documented_by(
    r"\sum_b \frac{n_b}{N} \left(\sum_{a < b} \frac{p_a}{P} + \frac{p_b}{2P}\right)",
    see="gini_roc_table", cites="Ferri, Flach & Hernández-Orallo 2002",
)  # fmt: skip
def auc_split_table(counts: ArrayLike) -> float:
    """Area under the ROC curve of a split into leaves, ranked by their share of positives; higher is better, 0.5 to 1.

    Parameters
    ----------
    counts : array of shape (2, leaves)
        Positives in the first row, negatives in the second.

    Examples
    --------
    >>> round(ic.metrics.auc_split_table([[8, 1, 3], [2, 10, 4]]), 6)
    0.838542
    """
    shares = checks.shares_of_classes(counts, "counts", classes=2)
    # Equal weights of the classes rank leaves as their own counts do.
    tpr, fpr = shares[:, np.argsort(-shares[0] / shares.sum(axis=0), kind="stable")]
    before = np.cumsum(tpr) - tpr
    return float(np.sum(fpr * (before + tpr / 2)))


@documented_by(
    r"\frac{1}{J - 1} \left(\sum_b \frac{\sum_j r_{jb}^2}{\sum_j r_{jb}} - 1\right)",
    see="auc_split_table", cites="Flach 2003, names it as future work",
)  # fmt: skip
def gini_roc_table(counts: ArrayLike) -> float:
    """Gini-ROC of a split of several classes into several branches: higher is better, 0 to 1.

    With r the share of each of J classes in each branch. It is `gini_roc` for
    two classes and two branches, and χ²/(N(J - 1)) where all classes have equally many cases. It is insensitive to their balance.

    Parameters
    ----------
    counts : array of shape (classes, branches)

    Examples
    --------
    >>> round(ic.metrics.gini_roc_table([[8, 1, 3], [2, 10, 0], [5, 5, 20]]), 6)
    0.363054
    """
    shares = checks.shares_of_classes(counts, "counts")
    return float((np.sum(np.sum(shares**2, axis=0) / shares.sum(axis=0)) - 1) / (len(shares) - 1))


@documented_by(
    r"fpr = \frac{fp}{fp + tn}, \quad tpr = \frac{tp}{tp + fn}, \quad c = \frac{fp + tn}{tp + fn}",
    see="isocost.metrics.PointMetric.from_confusion isocost.RocCurve.from_confusion",
)  # fmt: skip
def from_confusion(tp: float, fn: float, fp: float, tn: float) -> dict[str, float]:
    """All metrics of a confusion matrix, at its own skew.

    Parameters
    ----------
    tp, fn, fp, tn : float
        Counts: positives flagged and missed, negatives flagged and left alone.

    Returns
    -------
    dict of str to float
        The point of ROC space (`fpr`, `tpr`, `skew_ratio`), and the value of every metric with its default options. For one
        metric, or other options, use the metric's own `from_confusion`.

    Examples
    --------
    >>> found = ic.metrics.from_confusion(tp=16, fn=4, fp=4, tn=6)
    >>> found["fpr"], found["tpr"], found["skew_ratio"], round(found["mcc"], 6), found["precision"]
    (0.4, 0.8, 0.5, 0.4, 0.8)
    """
    tp, fn, fp, tn = checks.confusion(tp, fn, fp, tn)
    values = {name: metric.from_confusion(tp, fn, fp, tn) for name, metric in METRICS.items()}
    return {"fpr": fp / (fp + tn), "tpr": tp / (tp + fn), "skew_ratio": (fp + tn) / (tp + fn)} | values

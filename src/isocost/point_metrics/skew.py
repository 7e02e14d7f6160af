"""Effective skew, and what it says about metrics: equivalence, sensitivity, bias, agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from isocost import validate
from isocost.errors import InputError
from isocost.point_metrics.loci import SAMPLE_FPR, SAMPLE_SKEWS, SAMPLE_TPR, turn
from isocost.point_metrics.metric import PointMetric, checked_point
from isocost.point_metrics.registry import AnyMetric, get_metric
from isocost.results.result import Result
from isocost.validate import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Memory for comparing pairs stays at some megabytes whatever the number of points.
_PAIRS_AT_ONCE = 1 << 18

Sensitivity = Literal["strong", "weak", "sensitive"]


@overload
def effective_skew(metric: AnyMetric, fpr: float, tpr: float, *, skew_ratio: float = 1.0) -> float: ...
@overload
def effective_skew(metric: AnyMetric, fpr: ArrayLike, tpr: ArrayLike, *, skew_ratio: ArrayLike = 1.0) -> Floats: ...
def effective_skew(metric: AnyMetric, fpr: ArrayLike, tpr: ArrayLike, *, skew_ratio: ArrayLike = 1.0) -> float | Floats:
    """Slope of a metric's isometric through each point: the trade-off of tpr against fpr it makes there.

    Above 1 the metric favours the negatives at that point, below 1 the positives; 0 to inf for metrics that reward a
    higher tpr and a lower fpr.

    Parameters
    ----------
    metric : PointMetric, str or callable
        A metric of `isocost.point_metrics`, its name, or a function of (fpr, tpr, skew_ratio).
    fpr, tpr : float or array
        False and true positive rate, between 0 and 1.
    skew_ratio : float or array, default 1
        The expected skew ratio c, positive.

    Returns
    -------
    float or numpy.ndarray
        The slope -(∂m/∂fpr)/(∂m/∂tpr); inf where the isometric is vertical, NaN where it has no direction.

    Notes
    -----
    Closed forms for all metrics of `isocost.point_metrics`; with u = (tpr + c·fpr)/(1 + c): accuracy c, precision
    tpr/fpr, F-measure tpr/(fpr + β²/c), WRAcc 1, Gini-split, χ² and MCC (u + tpr - 2u·tpr)/(u + fpr - 2u·fpr),
    DKM-split √(tpr(1-tpr)/(fpr(1-fpr))), information gain c·(logit u - logit fpr)/(logit tpr - logit u). Functions
    are differentiated by complex step.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, Table 4.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.effective_skew("precision", 0.2, 0.8)
    4.0
    >>> ic.effective_skew(lambda fpr, tpr, c: tpr**2 - c * fpr**2, [0.2, 0.4], 0.8, skew_ratio=2).tolist()
    [0.5, 1.0]
    """
    chosen = get_metric(metric)
    h, k, c = checked_point(fpr, tpr, skew_ratio)
    slope = chosen.effective_skew(h, k, c)
    return float(slope) if slope.ndim == 0 else slope.copy()


def skew_equivalent(metric_a: AnyMetric, metric_b: AnyMetric) -> bool:
    """Whether two metrics have the same effective skew throughout ROC space for every skew ratio.

    Parameters
    ----------
    metric_a, metric_b : PointMetric, str or callable
        Metrics of `isocost.point_metrics`, their names, or functions of (fpr, tpr, skew_ratio).

    Returns
    -------
    bool
        Judged at points and skew ratios that fill the space evenly: False is proved by a point, True is not a proof.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, Definition 1.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.skew_equivalent("f_measure", "g_measure"), ic.skew_equivalent("accuracy", "precision")
    (True, False)
    """
    a, b = get_metric(metric_a), get_metric(metric_b)
    allowed = _angle_allowed(a, b)
    return all(bool(np.all(turn(_slopes(a, c), _slopes(b, c)) <= allowed)) for c in SAMPLE_SKEWS)


def skew_sensitivity(metric: AnyMetric) -> Sensitivity:
    """How a metric depends on the skew: "strong" or "weak" insensitivity, or "sensitive".

    Parameters
    ----------
    metric : PointMetric, str or callable
        A metric of `isocost.point_metrics`, its name, or a function of (fpr, tpr, skew_ratio).

    Returns
    -------
    "strong", "weak" or "sensitive"
        Strongly insensitive: the values do not depend on the skew. Weakly: the isometrics do not, but their values do.

    Notes
    -----
    Judged at points and skew ratios that fill the space evenly.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, Definition 2.

    Examples
    --------
    >>> import isocost as ic
    >>> [ic.skew_sensitivity(m) for m in ("gini_roc", "dkm_split", "gini_split")]
    ['strong', 'weak', 'sensitive']
    """
    chosen = get_metric(metric)
    one = np.asarray(1.0)
    values = [chosen.value_at(SAMPLE_FPR, SAMPLE_TPR, one, np.asarray(c)) for c in SAMPLE_SKEWS]
    scale = max(1.0, *(float(np.nanmax(np.abs(v))) for v in values))
    if all(np.allclose(v, values[0], rtol=0.0, atol=1e-12 * scale, equal_nan=True) for v in values):
        return "strong"
    first = _slopes(chosen, SAMPLE_SKEWS[0])
    allowed = _angle_allowed(chosen)
    same = all(bool(np.all(turn(_slopes(chosen, c), first) <= allowed)) for c in SAMPLE_SKEWS)
    return "weak" if same else "sensitive"


def _slopes(metric: PointMetric, c: float) -> Floats:
    slopes = metric.effective_skew(SAMPLE_FPR, SAMPLE_TPR, np.asarray(c))
    if np.isnan(slopes).all():
        raise InputError(f"metric {metric.name!r} is constant at skew ratio {c:g}: it has no effective skew")
    return slopes


def _angle_allowed(*metrics: PointMetric) -> float:
    return 1e-9 if all(m.closed_form for m in metrics) else 1e-6


@dataclass(frozen=True)
class CounterExample(Result):
    """A point and a skew ratio at which a statement about two metrics fails.

    Attributes
    ----------
    fpr, tpr : float
        The point.
    skew_ratio : float
    skew_a, skew_b : float
        The effective skews of the two metrics there.
    """

    fpr: float
    tpr: float
    skew_ratio: float
    skew_a: float
    skew_b: float


@dataclass(frozen=True)
class BiasComparison(Result):
    """Whether one metric is more biased towards the positives than another.

    Attributes
    ----------
    metric_a, metric_b : str
        Their names.
    holds : bool
        True if the effective skew of a is smaller than that of b wherever it was looked at.
    counter_examples : tuple of CounterExample
        Where it is not, the clearest first; empty if it holds.
    checked : int
        The number of points times skew ratios looked at.
    """

    metric_a: str
    metric_b: str
    holds: bool
    counter_examples: tuple[CounterExample, ...]
    checked: int

    def __bool__(self) -> bool:
        return self.holds


def more_biased_to_positives(
    metric_a: AnyMetric, metric_b: AnyMetric, *, skew_ratio: ArrayLike | None = None
) -> BiasComparison:
    """Whether a has a smaller effective skew than b throughout ROC space.

    Parameters
    ----------
    metric_a, metric_b : PointMetric, str or callable
        Metrics of `isocost.point_metrics`, their names, or functions of (fpr, tpr, skew_ratio).
    skew_ratio : float or array, optional
        The skew ratios to look at; by default several from 0.02 to 70.

    Returns
    -------
    BiasComparison
        True as a truth value if it holds, with counter-examples if not. Judged at a lattice of inner points: False is
        proved by its counter-examples, True is not a proof.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201, Theorem 4.

    Examples
    --------
    >>> import isocost as ic
    >>> bool(ic.point_metrics.more_biased_to_positives("f_measure", "precision"))
    True
    >>> found = ic.point_metrics.more_biased_to_positives("accuracy", "precision", skew_ratio=1)
    >>> found.holds, all(e.skew_a >= e.skew_b for e in found.counter_examples)
    (False, True)
    """
    a, b = get_metric(metric_a), get_metric(metric_b)
    skews = np.atleast_1d(validate.skew_ratios(SAMPLE_SKEWS if skew_ratio is None else skew_ratio)).ravel()
    inner = np.arange(1, 40) / 40
    h, k, c = (axis.ravel() for axis in np.meshgrid(inner, inner, skews, indexing="ij"))
    slope_a, slope_b = a.effective_skew(h, k, c), b.effective_skew(h, k, c)
    # Signed angle by which a's isometric is steeper; a tie is a counter-example too, up to the accuracy of the slopes.
    steeper = np.arctan(slope_a) - np.arctan(slope_b)
    fails = np.flatnonzero(steeper >= -_angle_allowed(a, b))
    worst = fails[np.argsort(-steeper[fails], kind="stable")][:5]
    examples = tuple(
        CounterExample(float(h[i]), float(k[i]), float(c[i]), float(slope_a[i]), float(slope_b[i])) for i in worst
    )
    return BiasComparison(a.name, b.name, fails.size == 0, examples, h.size)


@dataclass(frozen=True)
class Agreement(Result):
    """How two metrics order a set of points.

    Attributes
    ----------
    compatible : bool
        a ranks x above y exactly when b does, for all pairs.
    antagonistic : bool
        a ranks x above y exactly when b ranks it below, for all pairs.
    concordant, discordant, tied : int
        Pairs ordered alike, ordered oppositely, and tied by just one of the metrics; pairs tied by both are in none.
    against : tuple of int or None
        Two points that show why the metrics are not compatible: the first such pair.
    """

    compatible: bool
    antagonistic: bool
    concordant: int
    discordant: int
    tied: int
    against: tuple[int, int] | None

    @property
    def equivalent(self) -> bool:
        """Compatible or antagonistic: using either for ranking comes to the same."""
        return self.compatible or self.antagonistic


def agreement(
    metric_a: AnyMetric, metric_b: AnyMetric, fpr: ArrayLike, tpr: ArrayLike, *, skew_ratio: ArrayLike = 1.0
) -> Agreement:
    """Whether two metrics rank points alike (compatible), oppositely (antagonistic), or neither.

    Parameters
    ----------
    metric_a, metric_b : PointMetric, str or callable
        Metrics of `isocost.point_metrics`, their names, or functions of (fpr, tpr, skew_ratio).
    fpr, tpr : array
        The points, such as models or thresholds to be ranked.
    skew_ratio : float or array, default 1
        Skew ratio c, positive; one for all points or one each.

    Returns
    -------
    Agreement
        Values closer than 1e-12 of the largest count as ties. Takes time proportional to the square of the points.

    References
    ----------
    Fürnkranz & Flach (2003), An analysis of rule evaluation metrics, ICML 20:202-209.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.point_metrics.agreement("f_measure", "g_measure", [0.1, 0.2, 0.4], [0.5, 0.8, 0.9]).compatible
    True
    >>> found = ic.point_metrics.agreement("accuracy", "recall", [0.1, 0.2, 0.9], [0.5, 0.8, 0.9])
    >>> found.concordant, found.discordant, found.against
    (1, 2, (0, 2))
    """
    a, b = get_metric(metric_a), get_metric(metric_b)
    h, k, c = checked_point(validate.vector(fpr, "fpr"), validate.vector(tpr, "tpr"), skew_ratio)
    validate.same_length(fpr=h, tpr=k)
    one = np.ones_like(c)
    rank_a, rank_b = (_tie_ranks(np.broadcast_to(m.value_at(h, k, one, c), h.shape)) for m in (a, b))
    concordant = discordant = tied = 0
    against: tuple[int, int] | None = None
    block = max(1, _PAIRS_AT_ONCE // h.size)
    for start in range(0, h.size, block):
        i, j = np.arange(start, min(start + block, h.size))[:, None], np.arange(h.size)[None, :]
        order_a, order_b = (np.where(j > i, np.sign(rank[i] - rank[j]), 0) for rank in (rank_a, rank_b))
        differ = order_a != order_b
        concordant += int(np.count_nonzero(order_a * order_b > 0))
        discordant += int(np.count_nonzero(order_a * order_b < 0))
        tied += int(np.count_nonzero(differ & (order_a * order_b == 0)))
        if against is None and differ.any():
            row, column = np.unravel_index(int(np.argmax(differ)), differ.shape)
            against = (start + int(row), int(column))
    return Agreement(
        compatible=discordant == tied == 0,
        antagonistic=concordant == tied == 0,
        concordant=concordant,
        discordant=discordant,
        tied=tied,
        against=against,
    )


def _tie_ranks(values: Floats) -> Floats:
    """Return ranks in which values that differ by rounding alone are tied."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order]) > 1e-12 * np.max(np.abs(values), initial=0.0)
    ranks = np.empty(values.shape)
    ranks[order] = np.concatenate([[0.0], np.cumsum(steps)])
    return ranks

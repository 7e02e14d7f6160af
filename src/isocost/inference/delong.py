"""DeLong's interval for an area under the ROC curve, and his test for the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.errors import InputError
from isocost.results import Result


def logit_limits(area: float, error: float, level: float) -> tuple[float, float]:
    """Return limits that are symmetric in log(A / (1 - A)); an area of 0 or 1 has no width."""
    if not 0 < area < 1:
        return area, area
    middle = math.log(area / (1 - area))
    reach = NormalDist().inv_cdf((1 + level) / 2) * error / (area * (1 - area))
    low, high = (1 / (1 + math.exp(-min(max(end, -700.0), 700.0))) for end in (middle - reach, middle + reach))
    return low, high


def separated_limits(smaller: int, level: float, *, perfect: bool) -> tuple[float, float]:
    """Return exact limits under complete separation.

    As many disjoint pairs as the smaller class has cases (or clusters) are all in the right order. That has at most the
    probability AUC to the power of their number.
    """
    least = ((1 - level) / 2) ** (1 / smaller)
    return (least, 1.0) if perfect else (0.0, 1 - least)


Scale = Literal["logit", "linear"]
Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
SCALES: tuple[Scale, ...] = ("logit", "linear")


@dataclass(frozen=True, repr=False)
class DeLong(Result):
    """Areas under the ROC curve with limits from their asymptotic normal distribution.

    Attributes
    ----------
    auc : float
        Of the first scores.
    difference : float or None
        auc - auc_b; None for one model.
    low, high : float
        Limits of the difference, or of the area for one model (inside [0, 1] then).
    p_value : float
        For the difference being 0, or the area being ½ for one model, against `alternative`.
    auc_b : float or None
    standard_error : float
        Of the difference, or of the area.
    level : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> import isocost as ic
    >>> result = ic.delong([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    >>> round(result.auc, 4), round(result.standard_error, 4), result.difference
    (0.8889, 0.1571, None)
    """

    auc: float
    difference: float | None
    low: float
    high: float
    p_value: float
    auc_b: float | None
    standard_error: float
    level: float
    alternative: Alternative = "two-sided"

    def __repr__(self) -> str:
        """Say the area or the difference, its limits and the p-value."""
        span = f"{self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}"
        if self.difference is None:
            return f"<DeLong: AUC {self.auc:.4g}, {span}>"
        return (
            f"<DeLong: AUC {self.auc:.4g} − {self.auc_b:.4g} = {self.difference:.4g}, {span}, p = {self.p_value:.3g}>"
        )


def delong(
    y_true: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike | None = None,
    *,
    level: float = 0.90,
    y_true_b: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    scale: Scale = "logit",
    alternative: Alternative = "two-sided",
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
) -> DeLong:
    """Return the AUC with its interval, or the test of the difference of two models; ties count one half.

    The area is a mean over positives and over negatives of how many cases of the other class each of them outranks; the
    spread of these shares gives the variance. Each model is sorted twice; no loop runs over pairs.

    Parameters
    ----------
    y_true : array of shape (n,)
        At least two cases of each class.
    scores_a, scores_b : array of shape (n,)
        Higher means more positive. Two models of the same cases are compared in pairs.
    level : float
        Strictly between 0 and 1.
    y_true_b : array, optional
        Labels of other cases, to which `scores_b` belong; the two models are then independent, and the test is Welch's.
    cluster : array of shape (n,), optional
        Cases that belong together (of one patient, of one day); clusters are independent.
    scale : {"logit", "linear"}
        Where the limits of one area are symmetric. On the logit scale they stay inside (0, 1) and cover better near 1. If the classes
        do not overlap, they are exact. Limits of a difference are linear.
    alternative : {"two-sided", "greater", "less"}
        What the p-value is against: that the first model ranks otherwise than the second (or than chance), better, or worse. The limits
        are always two-sided.
    sample_weight : array of shape (n,), optional
        How much each case counts; every row remains one independent case.
    pos_label : optional
        The label to detect.

    Returns
    -------
    DeLong

    See Also
    --------
    isocost.bootstrap, isocost.cases_needed, isocost.compare.hand_till

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837-845, doi:10.2307/2531595.
    Sun & Xu (2014), IEEE Signal Processing Letters 21:1389-1393, doi:10.1109/LSP.2014.2337313.
    Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, Biometrics 53.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> ic.delong(y, scores["random_forest"])
    <DeLong: AUC 0.7996, 90 % 0.774 to 0.823>
    >>> ic.delong(y, scores["random_forest"], scores["naive_bayes"])
    <DeLong: AUC 0.7996 − 0.7799 = 0.01967, 90 % 0.006211 to 0.03313, p = 0.0162>

    A model that makes no error on 7 negatives and 5 positives may still err:

    >>> ic.delong([0] * 7 + [1] * 5, [0] * 7 + [1] * 5)
    <DeLong: AUC 1, 90 % 0.5493 to 1>
    """
    share = checks.level(level)
    checks.choice(scale, "scale", SCALES)
    checks.choice(alternative, "alternative", ALTERNATIVES)
    if y_true_b is not None:
        return _unpaired(y_true, scores_a, scores_b, y_true_b, share, cluster, sample_weight, pos_label, alternative)
    checks.aligned(y_true=y_true, scores_a=scores_a, scores_b=scores_b, sample_weight=sample_weight, cluster=cluster)
    cases = _Cases.of(y_true, cluster, sample_weight, pos_label)
    first = cases.placed(scores_a, "scores_a")
    if scores_b is None:
        error = math.sqrt(cases.variance(first))
        low, high = _limits(first, error, share, scale, cases)
        chance = _p_value(first.area - 0.5, error, alternative)
        return DeLong(first.area, None, low, high, chance, None, error, share, alternative)
    second = cases.placed(scores_b, "scores_b")
    return _difference(first.area, second.area, cases.variance(first - second), share, alternative)


def _unpaired(
    y_true: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike | None,
    y_true_b: ArrayLike,
    share: float,
    cluster: ArrayLike | None,
    sample_weight: ArrayLike | None,
    pos_label: Any,
    alternative: Alternative,
) -> DeLong:
    if scores_b is None:
        raise InputError("y_true_b= holds the labels of scores_b: pass scores_b too")
    for name, value in (("cluster", cluster), ("sample_weight", sample_weight)):
        if value is not None:
            raise InputError(f"{name}= has one entry for each case of y_true: leave it out where y_true_b= is given")
    found = []
    checks.aligned(y_true=y_true, scores_a=scores_a)
    checks.aligned(y_true_b=y_true_b, scores_b=scores_b)
    for labels, scores, what in ((y_true, scores_a, "scores_a"), (y_true_b, scores_b, "scores_b")):
        cases = _Cases.of(labels, None, None, pos_label)
        placed = cases.placed(scores, what)
        found.append((placed.area, cases.variance(placed), cases.positive.size))
    (area, variance, many), (other, second, more) = found
    # Two variances estimated apart: Welch's degrees of freedom.
    squares = variance**2 / (many - 1) + second**2 / (more - 1)
    freedom = (variance + second) ** 2 / squares if squares > 0 else math.inf
    return _difference(area, other, variance + second, share, alternative, freedom)


def _difference(
    area: float, other: float, variance: float, share: float, alternative: Alternative, freedom: float = math.inf
) -> DeLong:
    error, gap = math.sqrt(variance), area - other
    reach = _quantile((1 + share) / 2, freedom) * error
    chance = _p_value(gap, error, alternative, freedom)
    return DeLong(area, gap, gap - reach, gap + reach, chance, other, error, share, alternative)


def _quantile(share: float, freedom: float) -> float:
    """Return the quantile of the t distribution, the normal with infinite freedom."""
    if math.isinf(freedom):
        return NormalDist().inv_cdf(share)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


def _limits(placed: _Placed, error: float, share: float, scale: Scale, cases: _Cases) -> tuple[float, float]:
    if scale == "linear":
        reach = NormalDist().inv_cdf((1 + share) / 2) * error
        return max(placed.area - reach, 0.0), min(placed.area + reach, 1.0)
    # The area itself may be off by a rounding.
    for extreme in (1.0, 0.0):
        if np.all(placed.positives == extreme):
            return separated_limits(cases.smaller, share, perfect=extreme == 1.0)
    return logit_limits(placed.area, error, share)


@dataclass(frozen=True)
class _Placed:
    """Of each positive the share of negatives below it, and of each negative the share of positives above it."""

    positives: Floats
    negatives: Floats
    area: float

    def __sub__(self, other: _Placed) -> _Placed:
        gaps = self.positives - other.positives, self.negatives - other.negatives
        return _Placed(*gaps, self.area - other.area)


@dataclass(frozen=True)
class _Cases:
    """Labels, what each case counts, and which cluster it belongs to; None if every case is one of its own."""

    positive: Bools
    mass: Floats
    unit: NDArray[np.intp] | None
    counted: Bools

    @classmethod
    def of(
        cls, y_true: ArrayLike, cluster: ArrayLike | None, sample_weight: ArrayLike | None, pos_label: Any
    ) -> _Cases:
        positive = checks.labels(y_true, pos_label)
        weights = checks.weights(sample_weight, positive)
        mass = np.ones(positive.size) if weights is None else weights
        counted = mass > 0
        checks.two_of_each(positive[counted], "DeLong's variance")
        unit = None
        if cluster is not None:
            marks = checks.groups(cluster, "cluster")
            checks.same_length(y_true=positive, cluster=marks)
            unit = np.asarray(np.unique(marks[counted], return_inverse=True)[1], dtype=np.intp)
            for label, rows in (("positives", positive[counted]), ("negatives", ~positive[counted])):
                if np.unique(unit[rows]).size < 2:
                    raise InputError(
                        f"all {label} are in one cluster: DeLong's variance needs at least two with {label}"
                    )
        return cls(positive[counted], mass[counted], unit, counted)

    @property
    def smaller(self) -> int:
        """Cases of the smaller class, or clusters with such cases."""
        rows = (self.positive, ~self.positive)
        if self.unit is None:
            return min(int(np.count_nonzero(r)) for r in rows)
        return min(int(np.unique(self.unit[r]).size) for r in rows)

    def placed(self, scores: ArrayLike, name: str) -> _Placed:
        """Place each case among those of the other class."""
        found = checks.scores(scores, name)
        checks.same_length(**{"y_true": self.counted, name: found})
        positives, negatives = _placements(found[self.counted], self.positive, self.mass)
        return _Placed(positives, negatives, float(positives @ _shares(self.mass[self.positive])))

    def variance(self, placed: _Placed) -> float:
        """Return the variance of an area, or of a difference of two."""
        parts = []
        for values, rows in ((placed.positives, self.positive), (placed.negatives, ~self.positive)):
            share = _shares(self.mass[rows])
            parts.append(share * (values - values @ share))
        if self.unit is None:
            return float(sum(np.sum(part**2) * part.size / (part.size - 1) for part in parts))
        # Clusters add up what their cases contribute, both classes together.
        units = int(self.unit.max()) + 1
        sums, many = [], []
        for part, rows in zip(parts, (self.positive, ~self.positive), strict=True):
            sums.append(np.bincount(self.unit[rows], part, minlength=units))
            many.append(np.unique(self.unit[rows]).size)
        squares = sum(k / (k - 1) * float(np.sum(s**2)) for k, s in zip(many, sums, strict=True))
        return max(0.0, squares + 2 * units / (units - 1) * float(np.sum(sums[0] * sums[1])))


def of_pairs(index: NDArray[np.intp], scores: Floats, level: float) -> DeLong:
    """Return the mean over ordered pairs of classes of the AUC of the first one's score, with limits on the logit scale.

    A case counts in every pair of its class; what it adds to the mean over them has the spread that gives the variance.
    """
    share, many = checks.level(level), scores.shape[1]
    added = np.zeros(index.size)
    area, spread = 0.0, 0.0
    for a in range(many):
        for b in (b for b in range(many) if b != a):
            rows = np.flatnonzero((index == a) | (index == b))
            positive = index[rows] == a
            above, below = _placements(scores[rows, a], positive, np.ones(rows.size))
            added[rows[positive]] += above / (many * (many - 1))
            added[rows[~positive]] += below / (many * (many - 1))
            area += float(above.mean()) / (many * (many - 1))
    for a in range(many):
        own = added[index == a]
        spread += float(own.var(ddof=1)) / own.size
    error = math.sqrt(spread)
    if area in (0.0, 1.0):
        low, high = separated_limits(int(np.bincount(index).min()), share, perfect=area == 1.0)
    else:
        low, high = logit_limits(area, error, share)
    return DeLong(area, None, low, high, _p_value(area - 0.5, error, "two-sided"), None, error, share)


def _shares(mass: Floats) -> Floats:
    return np.asarray(mass / mass.sum())


def _placements(scores: NDArray[Any], positive: Bools, mass: Floats) -> tuple[Floats, Floats]:
    """Return the share of negatives below each positive, and of positives above each negative."""
    found = []
    for of, among, sign in ((positive, ~positive, 1), (~positive, positive, -1)):
        order = np.argsort(scores[among])
        ranked = scores[among][order]
        below = np.concatenate([[0.0], np.cumsum(mass[among][order])])
        left, right = (np.searchsorted(ranked, scores[of], side=side) for side in ("left", "right"))
        half = (below[left] + below[right]) / (2 * below[-1])
        found.append(half if sign > 0 else 1 - half)
    return found[0], found[1]


def _p_value(gap: float, error: float, alternative: Alternative, freedom: float = math.inf) -> float:
    """Return the chance of a gap at least as far on the side, or the sides, of the alternative, if there is none in truth."""
    if gap == 0:
        return 1.0 if alternative == "two-sided" else 0.5
    beyond = 0.0
    if error > 0 and math.isinf(freedom):
        beyond = math.erfc(abs(gap) / error / math.sqrt(2)) / 2
    elif error > 0:
        from scipy.special import stdtr

        beyond = float(stdtr(freedom, -abs(gap) / error))
    if alternative == "two-sided":
        return 2 * beyond
    return beyond if (gap > 0) == (alternative == "greater") else 1 - beyond

"""DeLong's interval for an area under the ROC curve, and his test for the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.data import checks
from isocost.data.checks import Bools, Floats
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


Alternative = Literal["two-sided", "greater", "less"]


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
        span = f"{self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}"
        if self.difference is None:
            return f"<DeLong: AUC {self.auc:.4g}, {span}>"
        return (
            f"<DeLong: AUC {self.auc:.4g} − {self.auc_b:.4g} = {self.difference:.4g}, {span}, p = {self.p_value:.3g}>"
        )


@documented_by(see="isocost.bootstrap isocost.cases_needed isocost.compare.hand_till")
def delong(
    y_true: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike | None = None,
    *,
    level: float = 0.90,
    y_true_b: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> DeLong:
    """Return the AUC with its interval, or the test of the difference of two models; ties count one half.

    The area is a mean over positives and over negatives of how many cases of the other class each of them outranks; the
    spread of these shares gives the variance. Limits of one area are symmetric on the logit scale, where they stay inside (0, 1) and cover
    better near 1; if the classes do not overlap, they are exact. Limits of a difference are linear.

    Parameters
    ----------
    y_true : array of shape (n,)
        At least two cases of each class.
    scores_a, scores_b : array of shape (n,)
        Higher means more positive. Two models of the same cases are compared in pairs.
    y_true_b : array, optional
        Labels of other cases, to which `scores_b` belong; the two models are then independent, and the test is Welch's.
    cluster : array of shape (n,), optional
        Cases that belong together (of one patient, of one day); clusters are independent.
    alternative : {"two-sided", "greater", "less"}
        What the p-value is against: that the first model ranks otherwise than the second (or than chance), better, or worse. The limits
        are always two-sided.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837-845, doi:10.2307/2531595.
    Sun & Xu (2014), IEEE Signal Processing Letters 21:1389-1393, doi:10.1109/LSP.2014.2337313.
    Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, Biometrics 53.

    Examples
    --------
    >>> y, scores = load_german_credit_predictions()
    >>> ic.delong(y, scores["random_forest"])
    <DeLong: AUC 0.7996, 90 % 0.774 to 0.823>
    >>> ic.delong(y, scores["random_forest"], scores["naive_bayes"])
    <DeLong: AUC 0.7996 − 0.7799 = 0.01967, 90 % 0.006211 to 0.03313, p = 0.0162>

    A model that makes no error on 7 negatives and 5 positives may still err:

    >>> ic.delong([0] * 7 + [1] * 5, [0] * 7 + [1] * 5)
    <DeLong: AUC 1, 90 % 0.5493 to 1>
    """
    from scipy.special import stdtrit

    share = checks.level(level)
    checks.choice(alternative, "alternative", get_args(Alternative))
    if y_true_b is not None:
        checks.left_out("has one entry for each case of y_true: leave it out where y_true_b= is given", cluster=cluster)
        checks.needed(scores_b, "y_true_b= holds the labels of scores_b: pass scores_b too")
        checks.aligned(y_true_b=y_true_b, scores_b=scores_b)
    paired = scores_b if y_true_b is None else None
    checks.aligned(y_true=y_true, scores_a=scores_a, scores_b=paired, cluster=cluster)
    cases = _Cases.of(y_true, cluster, pos_label)
    first = cases.placed(scores_a, "scores_a")
    if scores_b is None:
        return _of_area(first[0], math.sqrt(cases.variance(*first)), min(cases.many), share, alternative)
    freedom = math.inf
    if y_true_b is None:
        second = cases.placed(scores_b, "scores_b")
        variance = cases.variance(*(one - other for one, other in zip(first, second, strict=True)))
    else:
        others = _Cases.of(y_true_b, None, pos_label)
        second = others.placed(scores_b, "scores_b")
        v, w = cases.variance(*first), others.variance(*second)
        # Two variances estimated apart: Welch's degrees of freedom.
        squares = v**2 / (cases.positive.size - 1) + w**2 / (others.positive.size - 1)
        variance, freedom = v + w, (v + w) ** 2 / squares if squares > 0 else math.inf
    area, other, error = float(first[0].mean()), float(second[0].mean()), math.sqrt(variance)
    quantile = float(stdtrit(freedom, (1 + share) / 2)) if freedom < math.inf else NormalDist().inv_cdf((1 + share) / 2)
    gap, reach = area - other, quantile * error
    chance = _p_value(gap, error, alternative, freedom)
    return DeLong(area, gap, gap - reach, gap + reach, chance, other, error, share, alternative)


def _of_area(above: Floats, error: float, smaller: int, share: float, alternative: Alternative) -> DeLong:
    """Return an area with its limits, exact ones if the classes do not overlap: then the area itself may be off by a rounding."""
    area = float(above.mean())
    low, high = logit_limits(area, error, share)
    for extreme in (1.0, 0.0):
        if np.all(above == extreme):
            low, high = separated_limits(smaller, share, perfect=extreme == 1.0)
    return DeLong(area, None, low, high, _p_value(area - 0.5, error, alternative), None, error, share, alternative)


@dataclass(frozen=True)
class _Cases:
    """Labels, and the cluster of each case; None if every case is one of its own."""

    positive: Bools
    unit: NDArray[np.intp] | None

    @classmethod
    def of(cls, y_true: ArrayLike, cluster: ArrayLike | None, pos_label: Any) -> _Cases:
        positive = checks.labels(y_true, pos_label)
        checks.two_of_each(positive, "DeLong's variance")
        if cluster is None:
            return cls(positive, None)
        marks = checks.groups(cluster, "cluster")
        checks.same_length(y_true=positive, cluster=marks)
        found = cls(positive, np.asarray(np.unique(marks, return_inverse=True)[1], dtype=np.intp))
        checks.two_of_each(np.repeat([True, False], found.many), "DeLong's variance", "clusters")
        return found

    @property
    def many(self) -> list[int]:
        """Positives and negatives, or clusters with such cases."""
        unit = np.arange(self.positive.size) if self.unit is None else self.unit
        return [np.unique(unit[rows]).size for rows in (self.positive, ~self.positive)]

    def placed(self, scores: Any, name: str) -> tuple[Floats, Floats]:
        """Place each case among those of the other class."""
        found = checks.scores(scores, name)
        checks.same_length(**{"y_true": self.positive, name: found})
        return _placements(found, self.positive)

    def variance(self, above: Floats, below: Floats) -> float:
        """Return the variance of an area, or of a difference of two."""
        parts = [(values - values.mean()) / values.size for values in (above, below)]
        if self.unit is None:
            return float(sum(np.sum(part**2) * part.size / (part.size - 1) for part in parts))
        # Clusters add up what their cases contribute, both classes together.
        units, rows = int(self.unit.max()) + 1, (self.positive, ~self.positive)
        sums = [np.bincount(self.unit[r], part, minlength=units) for r, part in zip(rows, parts, strict=True)]
        squares = sum(k / (k - 1) * float(np.sum(s**2)) for k, s in zip(self.many, sums, strict=True))
        return max(0.0, squares + 2 * units / (units - 1) * float(np.sum(sums[0] * sums[1])))


def of_pairs(index: NDArray[np.intp], scores: Floats, level: float) -> DeLong:
    """Return the mean over ordered pairs of classes of the AUC of the first one's score, with limits on the logit scale.

    A case counts in every pair of its class; what it adds to the mean over them has the spread that gives the variance.
    """
    share, many = checks.level(level), scores.shape[1]
    added, area, pairs = np.zeros(index.size), 0.0, many * (many - 1)
    for a, b in permutations(range(many), 2):
        rows = np.flatnonzero((index == a) | (index == b))
        positive = index[rows] == a
        above, below = _placements(scores[rows, a], positive)
        added[rows[positive]] += above / pairs
        added[rows[~positive]] += below / pairs
        area += float(above.mean()) / pairs
    own = [added[index == a] for a in range(many)]
    error = math.sqrt(sum(float(part.var(ddof=1)) / part.size for part in own))
    return _of_area(np.array([area]), error, min(part.size for part in own), share, "two-sided")


def _placements(scores: NDArray[Any], positive: Bools) -> tuple[Floats, Floats]:
    """Return the share of negatives below each positive, and of positives above each negative."""
    up, down = (np.sort(scores[rows]) for rows in (positive, ~positive))
    above, below = (
        (np.searchsorted(ranked, of, side="left") + np.searchsorted(ranked, of, side="right")) / (2 * ranked.size)
        for ranked, of in ((down, scores[positive]), (up, scores[~positive]))
    )
    return above, 1 - below


def _p_value(gap: float, error: float, alternative: Alternative, freedom: float = math.inf) -> float:
    """Return the chance of a gap at least as far on the side, or the sides, of the alternative, if there is none in truth."""
    if gap == 0:
        return 1.0 if alternative == "two-sided" else 0.5
    from scipy.special import ndtr, stdtr

    deviate = -abs(gap) / error if error > 0 else -math.inf
    beyond = float(ndtr(deviate) if math.isinf(freedom) else stdtr(freedom, deviate))
    if alternative == "two-sided":
        return 2 * beyond
    return beyond if (gap > 0) == (alternative == "greater") else 1 - beyond

"""DeLong's interval for an area under the ROC curve, and his test for the difference of two."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.results.result import Result
from isocost.validate import Bools, Floats


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
        Limits of the difference, or of the area for one model (kept inside [0, 1] then).
    p_value : float
        Two-sided, for the difference being 0, or the area being ½ for one model.
    auc_b : float or None
    standard_error : float
        Of the difference, or of the area.
    level : float

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

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data."""
        return asdict(self)

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
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
) -> DeLong:
    """Return the AUC with its interval, or the paired test of two models on the same cases; ties count one half.

    The area is a mean over positives and over negatives of how many cases of the other class each of them outranks; the
    spread of these shares gives the variance. Two sorts a model, no loop over pairs.

    Parameters
    ----------
    y_true : array of shape (n,)
        At least two cases of each class.
    scores_a, scores_b : array of shape (n,)
        Higher means more positive.
    level : float
        Strictly between 0 and 1.
    sample_weight : array of shape (n,), optional
        What each case counts; every row stays one independent case.
    pos_label : optional

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837-845, doi:10.2307/2531595.
    Sun & Xu (2014), IEEE Signal Processing Letters 21:1389-1393, doi:10.1109/LSP.2014.2337313.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> ic.delong(y, scores["random_forest"])
    <DeLong: AUC 0.7996, 90 % 0.7751 to 0.8241>
    >>> ic.delong(y, scores["random_forest"], scores["naive_bayes"])
    <DeLong: AUC 0.7996 − 0.7799 = 0.01967, 90 % 0.006211 to 0.03313, p = 0.0162>
    """
    share = validate.level(level)
    validate.aligned(y_true=y_true, scores_a=scores_a, scores_b=scores_b, sample_weight=sample_weight)
    positive = validate.labels(y_true, pos_label)
    weights = validate.weights(sample_weight, positive)
    models = [validate.scores(scores_a, "scores_a")]
    if scores_b is not None:
        models.append(validate.scores(scores_b, "scores_b"))
    validate.same_length(y_true=positive, scores_a=models[0], scores_b=models[-1])
    mass = np.ones(positive.size) if weights is None else weights
    counted = mass > 0
    positive, mass = positive[counted], mass[counted]
    validate.two_of_each(positive, "DeLong's variance")
    placed = [_placements(scores[counted], positive, mass) for scores in models]
    areas = [float(of_positives @ _shares(mass[positive])) for of_positives, _ in placed]
    gaps = [placed[0][i] - (placed[1][i] if len(placed) > 1 else 0.0) for i in (0, 1)]
    variance = sum(_variance(gap, mass[rows]) for gap, rows in zip(gaps, (positive, ~positive), strict=True))
    error = math.sqrt(variance)
    reach = NormalDist().inv_cdf((1 + share) / 2) * error
    if scores_b is None:
        low, high = max(areas[0] - reach, 0.0), min(areas[0] + reach, 1.0)
        return DeLong(areas[0], None, low, high, _p_value(areas[0] - 0.5, error), None, error, share)
    gap = areas[0] - areas[1]
    return DeLong(areas[0], gap, gap - reach, gap + reach, _p_value(gap, error), areas[1], error, share)


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


def _variance(placed: Floats, mass: Floats) -> float:
    """Return the variance of a weighted mean of independent cases; S²/m without weights."""
    share = _shares(mass)
    spread = placed - placed @ share
    return float(np.sum((share * spread) ** 2) * placed.size / (placed.size - 1))


def _p_value(gap: float, error: float) -> float:
    if gap == 0:
        return 1.0
    return math.erfc(abs(gap) / error / math.sqrt(2)) if error > 0 else 0.0

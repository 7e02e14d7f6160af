"""Choice: a threshold, and everything a person asks next."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Any

import numpy as np

from isocost.conditions import Condition
from isocost.results.doors import Drawn
from isocost.roc_space import RocCurve


def said(threshold: float) -> str:
    """Return a threshold in six digits, rounded down: rounded up, it would miss the very case it stands for.

    Examples
    --------
    >>> said(0.1164768), said(0.41), said(1.0), said(-2 / 3)
    ('0.116476', '0.41', '1', '-0.666667')
    """
    if not math.isfinite(threshold):
        return f"{threshold:g}"
    with localcontext(prec=6, rounding=ROUND_FLOOR):
        return f"{float(+Decimal(repr(float(threshold)))):.6g}"


@dataclass(frozen=True, repr=False)
class Choice(Drawn):
    """An operating point to deploy: flag a case when its score ≥ `threshold`.

    Attributes
    ----------
    threshold : float
        +inf flags nobody.
    fpr, tpr : float
    precision : float
        Share of flagged cases that are positive; NaN when nobody is flagged or the prevalence is unknown.
    flagged : float
        Share of all cases flagged; NaN when the prevalence is unknown.
    normalised_cost, expected_cost : float or None
        At the condition: t·fpr + (1-t)(1-tpr), and per case in the unit of the costs. None without a condition; over uncertain
        conditions the normalised cost is their average.
    model : str or None
    t_low, t_high : float or None
        The range of t over which this threshold stays the cheapest one of its model; None if it never is, or if buckets leave that
        open.
    condition : Condition or None
    prevalence : float or None
        What precision and flagged refer to.
    other_threshold, other_probability : float or None
        A randomised choice uses `other_threshold` with this probability, and `threshold` otherwise.
    normalised_cost_low, tpr_high : float or None
        Of counts in buckets, whose ends alone can be chosen: the least that a threshold inside one could cost and, under a limit, the
        most it could catch, where that is better than the choice.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> choice = ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> choice.threshold, choice.tpr, choice.fpr, round(choice.expected_cost, 6)
    (0.6, 1.0, 0.5, 0.35)
    """

    _display = "ThresholdsDisplay"

    threshold: float
    fpr: float
    tpr: float
    precision: float
    flagged: float
    normalised_cost: float | None
    expected_cost: float | None
    model: str | None
    t_low: float | None
    t_high: float | None
    condition: Condition | None
    prevalence: float | None
    other_threshold: float | None = None
    other_probability: float | None = None
    normalised_cost_low: float | None = None
    tpr_high: float | None = None

    @property
    def randomised(self) -> bool:
        """Whether the choice mixes two thresholds."""
        return self.other_threshold is not None

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain data."""
        return asdict(self) | {"condition": None if self.condition is None else self.condition.to_dict()}

    def __str__(self) -> str:
        """Say what to do, in words."""
        who = f"{self.model}: " if self.model is not None else ""
        if (self.fpr, self.tpr) == (0.0, 0.0):
            rule = "flag nobody"
        elif (self.fpr, self.tpr) == (1.0, 1.0):
            rule = "flag everybody"
        elif self.randomised:
            rule = (
                f"flag scores ≥ {said(self.threshold)}, but with probability {self.other_probability:.4g} "
                f"flag scores ≥ {said(self.other_threshold or 0.0)} instead"
            )
        elif math.isnan(self.threshold):
            rule = "use it as it is"
        else:
            rule = f"flag scores ≥ {said(self.threshold)}"
        parts = [f"{who}{rule}", f"catches {self.tpr:.1%} of positives, flags {self.fpr:.1%} of negatives"]
        if self.expected_cost is not None:
            parts.append(f"expected cost {self.expected_cost:.4g} a case")
        elif self.normalised_cost is not None:
            parts.append(f"normalised cost {self.normalised_cost:.4g} on average")
        if self.tpr_high is not None:
            parts.append(
                f"inside a bucket of scores counted together, at most {self.tpr_high - self.tpr:.2g} more could be caught"
            )
        if self.normalised_cost_low is not None and self.normalised_cost is not None:
            less = self.normalised_cost - self.normalised_cost_low
            parts.append(
                f"inside a bucket of scores counted together, {less:.2g} of normalised cost could be saved at most"
            )
        return "; ".join(parts)

    def __repr__(self) -> str:
        """Say what to do, in words."""
        return f"<Choice: {self}>"


def choice_of(
    curve: RocCurve,
    index: int,
    *,
    condition: Condition | None = None,
    prevalence: float | None = None,
    other: int | None = None,
    probability: float = 0.0,
) -> Choice:
    """Return the choice of point `index` of a curve, mixed with point `other` with the given probability."""
    fpr, tpr = float(curve.fpr[index]), float(curve.tpr[index])
    if other is not None:
        fpr += probability * (float(curve.fpr[other]) - fpr)
        tpr += probability * (float(curve.tpr[other]) - tpr)
    if prevalence is None:
        prevalence = curve.prevalence if condition is None else condition.prevalence
    low, high = _optimal_range(curve, index) if other is None else (None, None)
    return describe(
        curve.name, float(curve.thresholds[index]), fpr, tpr, condition=condition, prevalence=prevalence, t_low=low, t_high=high,
        other_threshold=None if other is None else float(curve.thresholds[other]),
        other_probability=None if other is None else probability,
    )  # fmt: skip


def describe(
    model: str | None,
    threshold: float,
    fpr: float,
    tpr: float,
    *,
    condition: Condition | None,
    prevalence: float | None,
    normalised_cost: float | None = None,
    **rest: Any,
) -> Choice:
    """Fill in what follows from rates, prevalence and condition; without one, `normalised_cost` may be an average."""
    flagged = precision = math.nan
    if prevalence is not None:
        flagged = prevalence * tpr + (1 - prevalence) * fpr
        precision = prevalence * tpr / flagged if flagged > 0 else math.nan
    return Choice(
        threshold, fpr, tpr, precision, flagged,
        normalised_cost if condition is None else condition.normalised_cost(fpr, tpr),
        None if condition is None else condition.expected_cost(fpr, tpr),
        model, condition=condition, prevalence=prevalence, **rest,
    )  # fmt: skip


def _optimal_range(curve: RocCurve, index: int) -> tuple[float | None, float | None]:
    if not curve.hull_is_exact:
        return None, None
    hull = curve.hull
    at = np.flatnonzero((hull.fp == curve.fp[index]) & (hull.tp == curve.tp[index]))
    if at.size == 0:
        return None, None
    ends = np.concatenate([[0.0], curve.switch_t, [1.0]])[::-1]
    return float(ends[at[0] + 1]), float(ends[at[0]])

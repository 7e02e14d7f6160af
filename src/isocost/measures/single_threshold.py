"""What the single best threshold achieves: Kolmogorov-Smirnov, lowest error rate, lowest weighted loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.measures.h_measure import inner_prevalence, severity
from isocost.measures.of_costs import CostGrid, OfCosts, affine, hat_weights
from isocost.measures.registry import measure
from isocost.roc_space import RocCurve


def _ks_of_costs(grid: CostGrid, _: Conditions | Condition | None, __: dict[str, Any]) -> OfCosts | None:
    return affine(1.0, -2 * hat_weights(grid.pcf, Conditions.from_t(0.5))) if grid.whole else None


@measure(
    "higher",
    (0, 1),
    "ranks",
    "Hand & Anagnostopoulos 2014",
    "10.1016/j.patrec.2013.12.011",
    place=7,
    of_costs=_ks_of_costs,
    optimism="hull",
)
def ks(curve: RocCurve) -> float:
    """Return the Kolmogorov-Smirnov statistic, the largest tpr - fpr; higher is better, 0 to 1.

    It is also Youden's J at the best threshold. One-sided: scores that rank backwards get 0 (or what their best threshold
    reaches), where a two-sided statistic would reward them.

    References
    ----------
    Hand & Anagnostopoulos (2014), Pattern Recognition Letters 40:41-46, doi:10.1016/j.patrec.2013.12.011.
    Youden (1950), Cancer 3:32-35, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.ks(curve), 4)
    0.6667
    """
    # Cheapest where both errors weigh the same; its cost is ½(fpr + 1 - tpr).
    return max(0.0, 1 - 2 * float(curve.optimal_cost(0.5)))


def _error_of_costs(grid: CostGrid, _: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    return grid.at_prevalence(options) if grid.whole and grid.alone else None


@measure(
    "lower",
    (0, 0.5),
    "ranks prevalence",
    "Hand 2009",
    "10.1007/s10994-009-5119-5",
    place=8,
    of_costs=_error_of_costs,
    optimism="hull",
)
def minimum_error_rate(curve: RocCurve, *, prevalence: float | None = None) -> float:
    """Return the lowest share of wrong decisions over all thresholds; lower is better, 0 to 0.5.

    min over thresholds of (1-π)·fpr + π·(1-tpr): 1 - the best accuracy.

    Parameters
    ----------
    curve : RocCurve
    prevalence : float, optional
        π; the data's own by default.

    References
    ----------
    Hand (2009), Machine Learning 77:103-123, doi:10.1007/s10994-009-5119-5.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.minimum_error_rate(curve), 4)
    0.2
    """
    pi = curve._prevalence_or(prevalence)
    return float(curve.optimal_cost(np.asarray(1 - pi)))


def _loss_of_costs(grid: CostGrid, _: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    if not (grid.whole and grid.alone) or grid.varies(options):
        return None
    worst, t = _weighted(severity(options.get("severity_ratio"), grid.prevalence(options)), grid.prevalence(options))
    return affine(0.0, 2 * worst * hat_weights(grid.pcf, Conditions.from_t(t)))


def _weighted(ratio: float, pi: float) -> tuple[float, float]:
    """Return the worst loss at a ratio of severities, and the t that they amount to."""
    alarms, misses = ratio / (1 + ratio) * (1 - pi), pi / (1 + ratio)
    return alarms + misses, alarms / (alarms + misses)


@measure(
    "lower",
    (0, 0.5),
    "ranks prevalence",
    "Hand & Anagnostopoulos 2014",
    "10.1016/j.patrec.2013.12.011",
    place=9,
    of_costs=_loss_of_costs,
    optimism="hull",
)
def minimum_weighted_loss(
    curve: RocCurve, *, severity_ratio: float | None = None, prevalence: float | None = None
) -> float:
    """Return the lowest error rate with false alarms and misses weighted by their severity; lower is better, 0 to 0.5.

    2·min over thresholds of c·(1-π)·fpr + (1-c)·π·(1-tpr), with c = ratio/(1 + ratio): at ratio 1 the lowest error rate.

    Parameters
    ----------
    curve : RocCurve
    severity_ratio : float, optional
        cost_fp/cost_fn. By default π/(1-π), as in the R package `hmeasure`: both trivial classifiers cost the same then.
    prevalence : float, optional
        π; the data's own by default.

    References
    ----------
    Hand & Anagnostopoulos (2014), Pattern Recognition Letters 40:41-46, doi:10.1016/j.patrec.2013.12.011.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.measures.minimum_weighted_loss(curve), 4)
    0.16
    """
    pi = inner_prevalence(curve, prevalence)
    worst, t = _weighted(severity(severity_ratio, pi), pi)
    return float(2 * worst * curve.optimal_cost(np.asarray(t)))

"""VOROS: the volume over the ROC surface, the mean area of lesser classifiers over the conditions."""

from __future__ import annotations

from typing import Any

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.densities import Uniform
from isocost.errors import InputError
from isocost.measures.lesser_area import LesserAreaCurve, area_at
from isocost.measures.of_costs import CostGrid, OfCosts, hat_weights
from isocost.measures.registry import measure
from isocost.roc_space import RocCurve
from isocost.roc_space.parametric import ContinuousRocCurve

# Every t equally likely.
_ALL = Uniform(0.0, 1.0)
_TINY = float(np.finfo(np.float64).tiny)


def _of_costs(grid: CostGrid, condition: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    if options or not grid.alone:
        return None
    pcf, weights = grid.pcf, hat_weights(grid.pcf, Conditions.of(condition))
    # Corrected costs may exceed the trivial classifiers', and the area goes on there: what is clipped is the mean, at the end.
    return lambda costs: area_at(costs, 1 - pcf) @ weights


@measure(
    "higher",
    (0, 1),
    "ranks conditions",
    "Ratigan & Cowen 2025",
    "10.1609/aaai.v39i19.34219",
    place=1,
    of_costs=_of_costs,
    optimism="hull",
)
def voros(
    curve: RocCurve,
    *,
    condition: Conditions | Condition | None = None,
    min_precision: float | None = None,
    max_flagged: float | None = None,
    min_tpr: float | None = None,
    max_fpr: float | None = None,
    prevalence: float | None = None,
    include_trivial: bool = True,
) -> float:
    """Return the volume over the ROC surface; higher is better, 0 to 1, the trivial classifiers alone reach 0.807.

    The probability that a classifier with fpr and tpr drawn uniformly, under a condition drawn from `condition`, costs at least as
    much as this model with the best threshold for that condition. For a hull vertex (h, k) that is cheapest for t in
    [a, b], uniform in t, the integral is

    (b-a)(1 + ½(1-k-h)²) - ½(1-k)² ln(b/a) + ½h² ln((1-b)/(1-a)).

    With constraints only feasible classifiers count, the model's and the random ones: the mean over t of
    area(feasible ∩ {cost ≥ c(t)}) / area(feasible), where c(t) is the cost of the model's cheapest feasible threshold.

    Parameters
    ----------
    curve : RocCurve
    condition : Conditions or Condition, optional
        Every t equally likely by default. For an average uniform in the cost ratio, as in one of the two public implementations by
        the authors' groups, pass `Conditions.uniform(skew_ratio=(low, high))`.
    min_precision, max_flagged, min_tpr, max_fpr : float, optional
        In [0, 1]; the operating point must keep all that are given. Flagging nobody breaks no limit but `min_tpr`.
    prevalence : float, optional
        The prevalence that precision and flagged share refer to. By default the one stated by `condition`, or else the data's own.
    include_trivial : bool
        Whether "flag nobody" and "flag everybody" may be used where they are cheaper than any threshold of the model.
        A continuous curve contains them in any case.

    Raises
    ------
    InfeasibleError
        If no threshold keeps the constraints, or they leave no area; the message says which values could be kept.

    References
    ----------
    Ratigan & Cowen (2025), The VOROS, AAAI 39:20148-20156, doi:10.1609/aaai.v39i19.34219.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> round(ic.voros(curve), 4)
    0.9686
    >>> condition = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.01, 0.03))
    >>> round(ic.voros(curve, condition=condition), 4)
    0.9837
    >>> round(ic.voros(curve, max_flagged=0.5), 4)
    0.982
    """
    condition = Conditions.of(condition)
    limits = {
        "min_precision": min_precision,
        "max_flagged": max_flagged,
        "min_tpr": min_tpr,
        "max_fpr": max_fpr,
    }
    include_trivial = validate.flag(include_trivial, "include_trivial")
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if prevalence is not None:
        validate.number(prevalence, "prevalence", low=0.0, high=1.0)
        if not given.keys() & {"min_precision", "max_flagged"}:
            raise InputError(
                f"prevalence={prevalence:g} goes with min_precision or max_flagged; "
                "where the model will be used is said by condition=, for example Conditions.from_costs(prevalence=)"
            )
    if given:
        from isocost.measures.constrained_voros import constrained_voros

        return constrained_voros(curve, condition, given, prevalence=prevalence, include_trivial=include_trivial)

    if isinstance(curve, ContinuousRocCurve):
        return condition.density.expect(lambda t: area_at(curve.optimal_cost(t), t), curve.breaks)
    if include_trivial and condition.density == _ALL:
        return _over_all(curve)
    return LesserAreaCurve.of(curve, include_trivial=include_trivial).expectation(condition)


def _over_all(curve: RocCurve) -> float:
    """Return the volume when every t is equally likely: the sum of the docstring's integrals, by parts.

    With q the share of positives missed, h that of negatives flagged and s the switch of t on each edge of the hull, it is
    3/2 + ½ Σ (s Δ(q-h)² - ln(s) Δq² + ln(1-s) Δh²).
    """
    hull = curve.hull
    h, q = hull.fp / hull.fp[-1], (hull.tp[-1] - hull.tp) / hull.tp[-1]
    run, rise = h[1:] - h[:-1], q[:-1] - q[1:]
    both = rise + run
    # Of more cases than a float tells apart, two vertices may have the same rates.
    some = both > 0
    s, rest = (np.divide(part, both, out=np.zeros(both.size), where=some) for part in (rise, run))
    squares = (v * v for v in (q - h, q, h))
    apart, missed, flagged = (v[1:] - v[:-1] for v in squares)
    # Where a logarithm is infinite, its factor is 0.
    log_s, log_rest = (np.log(np.maximum(v, _TINY)) for v in (s, rest))
    return float(1.5 + (s @ apart - log_s @ missed + log_rest @ flagged) / 2)

"""How sure is what reviews save: three points of the resampled cost curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.cost_space.averaging import average_roc_curves
from isocost.decision.review import known_costs, review_band
from isocost.decision.review_terms import Terms
from isocost.errors import InputError
from isocost.inference.bands import quantiles
from isocost.inference.intervals import Interval
from isocost.resampling.replicates import JUDGES, JUDGES_OF_TWO
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap


def review_saving(
    boot: Bootstrap,
    name: str,
    condition: Condition | Conditions,
    *,
    cost_review: float,
    max_reviewed: float | None,
    reviewer_fpr: float,
    reviewer_tpr: float,
    level: float,
) -> Interval:
    """Return limits for what the best review band saves against the best single threshold."""
    sample, model = boot._cases("review_saving"), boot._models[name]
    if not model.chosen:
        raise InputError("review_saving needs thresholds that are chosen: leave fixed= out of bootstrap")
    at = known_costs(condition)
    curves = sample.curves(name)
    curve = curves[0] if len(curves) == 1 else average_roc_curves(curves, method="cost")
    band = review_band(
        curve, at, cost_review=cost_review, max_reviewed=max_reviewed,
        reviewer_fpr=reviewer_fpr, reviewer_tpr=reviewer_tpr, randomised=True,
    )  # fmt: skip
    terms = Terms(at, band.reviewer_fpr, band.reviewer_tpr)
    # A limit that binds is a dearer review, less what its full use would pay at the price of capacity.
    price = band.cost_review + band.price_of_capacity
    possible = terms.most_gained > 0 and price <= terms.most_gained and 0 < at.prevalence < 1 and max_reviewed != 0
    if not possible:
        return Interval(0.0, 0.0, 0.0, 0.0, level, "review_saving", (name,), "no review can pay")
    paid = band.price_of_capacity * (band.max_reviewed or 0.0)
    flag_fpr, flag_tpr, review_fpr, review_tpr = terms.weights(price)

    def saved(costs: Floats) -> Floats:
        alone, flag, review = (
            weight * _read(boot.pcf, costs, misses / weight)
            for weight, misses in (
                (at.worst_cost - at.best_cost, at.fn_gap * at.prevalence),
                (flag_fpr + flag_tpr, flag_tpr),
                (review_fpr + review_tpr, review_tpr),
            )
        )
        return np.asarray(alone - flag - review + paid)

    # What the straight lines between the conditions of the grid miss, on the data.
    missed = band.saving - float(saved(model.apparent))
    # Under a limit the three conditions are close together, where the luck of single judges would be most of the spread.
    limited = band.price_of_capacity > 0
    curves_of = model.values("best", boot.pcf, judges=JUDGES_OF_TWO if limited else JUDGES, steady=limited)
    values = np.maximum(saved(curves_of) + missed, 0.0)
    tail = (1 - level) / 2
    low, high = quantiles(values[:, None], (tail, 1 - tail))[:, 0].tolist()
    estimate = float(np.clip(float(saved(model.estimate("best", boot.pcf))) + missed, low, high))
    how = "corrected for optimism, from corrected cost curves"
    return Interval(low, high, estimate, band.saving, level, "review_saving", (name,), how)


def _read(pcf: Floats, costs: Floats, at: float) -> Floats:
    """Return costs at a condition between those of the grid, along the last axis."""
    after = int(np.clip(np.searchsorted(pcf, at), 1, pcf.size - 1))
    share = (at - pcf[after - 1]) / (pcf[after] - pcf[after - 1])
    return np.asarray((1 - share) * costs[..., after - 1] + share * costs[..., after])

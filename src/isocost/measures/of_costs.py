"""Measures that are told by the lowest costs alone: as functions of the costs at each pcf, corrected or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.errors import InputError
from isocost.measures.h_measure import cost_density, severity
from isocost.measures.lesser_area import area_at
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

OfCosts = Callable[[Floats], Floats]


def of_costs(
    boot: Bootstrap, measure: str, over: Conditions | Condition | None, options: dict[str, Any]
) -> OfCosts | None:
    """Return the measure as a function of lowest costs of shape (…, pcf), or None if they do not tell it."""
    pcf = boot.pcf
    # Folds have prevalences of their own, and the mean of areas is not the area at mean costs.
    alone = boot._sample is None or boot._sample.folds == 1
    if measure == "mean_normalised_cost" and not options:
        return _affine(0.0, hat_weights(pcf, Conditions.of(over)))
    if measure == "voros" and not options and alone:
        weights = hat_weights(pcf, Conditions.of(over))
        return lambda costs: area_at(np.minimum(costs, np.minimum(pcf, 1 - pcf)), 1 - pcf) @ weights
    if pcf[0] > 0 or pcf[-1] < 1:
        return None
    if measure == "ks":
        return _affine(1.0, -2 * hat_weights(pcf, Conditions.from_t(0.5)))
    if not alone:
        return None
    own = boot.positives / (boot.positives + boot.negatives)
    pi = own if options.get("prevalence") is None else options["prevalence"]
    match measure:
        case "minimum_error_rate":
            return _affine(0.0, hat_weights(pcf, Conditions.from_t(1 - pi)))
        case "minimum_weighted_loss":
            ratio = severity(options.get("severity_ratio"), pi)
            alarms, misses = ratio / (1 + ratio) * (1 - pi), pi / (1 + ratio)
            worst = alarms + misses
            return _affine(0.0, 2 * worst * hat_weights(pcf, Conditions.from_t(alarms / worst)))
        case "h_measure":
            loss = _loss_weights(pcf, pi, options)
            return _affine(1.0, -loss / (np.minimum(pcf, 1 - pcf) @ loss))
    return None


def _affine(constant: float, weights: Floats) -> OfCosts:
    return lambda costs: constant + costs @ weights


def _loss_weights(pcf: Floats, pi: float, options: dict[str, Any]) -> Floats:
    """Return weights w with w @ costs = the mean loss of the H-measure, costs linear in t between the conditions."""
    t = 1 - pcf[::-1]
    # At the cost share c the loss is worst·cost(t) with worst = π + c·(1-2π) and worst·t = c·(1-π): linear in c, like t.
    c = t * pi / (t * pi + (1 - t) * (1 - pi))
    density = cost_density(options.get("severity_ratio"), options.get("beta"), pi)
    mass, mean = (density.moments(c, kind) for kind in ("1", "t"))
    worst = pi * mass + (1 - 2 * pi) * mean
    return _shared(t, worst, (1 - pi) * mean)


def hat_weights(pcf: Floats, over: Conditions) -> Floats:
    """Return weights w with w @ values = the mean over the conditions of the function that is linear between the values."""
    t = 1 - pcf[::-1]
    low, high = over.low, over.high
    if low < t[0] - 1e-12 or high > t[-1] + 1e-12:
        raise InputError(
            f"the grid covers t from {t[0]:.4g} to {t[-1]:.4g}, but the conditions reach from {low:.4g} to {high:.4g}"
        )
    mass, mean = (over.density.moments(t, kind) for kind in ("1", "t"))
    return _shared(t, mass, mean)


def _shared(t: Floats, mass: Floats, mean: Floats) -> Floats:
    """Share the mass between consecutive t, whose mean is mean/mass, out to its two ends; in the order of pcf."""
    right = (mean - t[:-1] * mass) / np.diff(t)
    weights = np.zeros(t.size)
    weights[1:] += right
    weights[:-1] += mass - right
    return weights[::-1]

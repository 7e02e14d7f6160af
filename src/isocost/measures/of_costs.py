"""Measures that are told by the lowest costs alone: as functions of the costs at each pcf, corrected or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.errors import InputError
from isocost.validate import Floats

OfCosts = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class CostGrid:
    """The conditions at which lowest costs are known, and the cases they are of.

    Attributes
    ----------
    pcf : ndarray
        Ascending.
    own_prevalence : float
        Of the cases.
    alone : bool
        Whether the cases are one fold. Folds have prevalences of their own, and the mean of areas is not the area at mean costs.
    shares : ndarray or None
        The prevalence of each resample, where it is not that of the cases.
    """

    pcf: Floats
    own_prevalence: float
    alone: bool
    shares: Floats | None = None

    @property
    def whole(self) -> bool:
        """Whether it reaches from 0 to 1."""
        return bool(self.pcf[0] <= 0 and self.pcf[-1] >= 1)

    def prevalence(self, options: dict[str, Any]) -> float:
        """Return the prevalence that was asked for, else that of the cases."""
        given = options.get("prevalence")
        return self.own_prevalence if given is None else float(given)

    def at_prevalence(self, options: dict[str, Any]) -> OfCosts:
        """Return the costs at pcf = the prevalence: for one curve that of the cases, for one curve a resample each one's own."""
        if not self.varies(options):
            return affine(0.0, hat_weights(self.pcf, Conditions.from_t(1 - self.prevalence(options))))
        pcf, own, shares = self.pcf, self.own_prevalence, self.shares

        def read(costs: Floats) -> Floats:
            at = np.asarray(own if costs.ndim == 1 else shares)
            after = np.clip(np.searchsorted(pcf, at), 1, pcf.size - 1)
            part = (at - pcf[after - 1]) / (pcf[after] - pcf[after - 1])
            rows = () if costs.ndim == 1 else (np.arange(len(costs)),)
            return np.asarray((1 - part) * costs[(*rows, after - 1)] + part * costs[(*rows, after)])

        return read

    def varies(self, options: dict[str, Any]) -> bool:
        """Return whether each resample has a prevalence of its own, and none was asked for."""
        return self.shares is not None and options.get("prevalence") is None


# Returns the measure as a function of lowest costs of shape (…, pcf), or None if they do not tell it with these options.
FromCosts = Callable[[CostGrid, Conditions | Condition | None, dict[str, Any]], OfCosts | None]


def affine(constant: float, weights: Floats) -> OfCosts:
    """Return the function that adds the weighted costs to a constant."""
    return lambda costs: constant + costs @ weights


def hat_weights(pcf: Floats, condition: Conditions) -> Floats:
    """Return weights w with w @ values = the mean over the conditions of the function that is linear between the values."""
    t = 1 - pcf[::-1]
    low, high = condition.low, condition.high
    if low < t[0] - 1e-12 or high > t[-1] + 1e-12:
        raise InputError(
            f"the grid covers t from {t[0]:.4g} to {t[-1]:.4g}, but the conditions reach from {low:.4g} to {high:.4g}"
        )
    mass, mean = (condition.density.moments(t, kind) for kind in ("1", "t"))
    return shared(t, mass, mean)


def shared(t: Floats, mass: Floats, mean: Floats) -> Floats:
    """Share the mass between consecutive t, whose mean is mean/mass, out to its two ends; in the order of pcf."""
    right = (mean - t[:-1] * mass) / np.diff(t)
    weights = np.zeros(t.size)
    weights[1:] += right
    weights[:-1] += mass - right
    return weights[::-1]

"""Uncertain conditions after a question was answered: one quantity below a value, or from it on."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from isocost.conditions.conditions import Conditions
from isocost.conditions.quantities import Believed, Drawn, Even, Quantity
from isocost.validate import Floats


class Truncated:
    """A frozen, continuous distribution given that its value is in [low, high)."""

    def __init__(self, parent: Any, low: float, high: float) -> None:
        if isinstance(parent, Truncated):
            low, high, parent = max(low, parent.low), min(high, parent.high), parent.parent
        self.parent: Any = parent
        self.low: float = low
        self.high: float = high
        self._below, self._above = float(parent.cdf(low)), float(parent.sf(high))
        # Each from the side on which it loses no digits.
        upper = self._below > 0.5
        self._mass = float(parent.sf(low)) - self._above if upper else float(parent.cdf(high)) - self._below

    def support(self) -> tuple[float, float]:
        """Return both ends."""
        return self.low, self.high

    def cdf(self, x: Any) -> Any:
        """Return P(X ≤ x)."""
        inside = np.clip(x, self.low, self.high)
        if self._below > 0.5:
            return np.clip((self.parent.sf(self.low) - self.parent.sf(inside)) / self._mass, 0.0, 1.0)
        return np.clip((self.parent.cdf(inside) - self._below) / self._mass, 0.0, 1.0)

    def sf(self, x: Any) -> Any:
        """Return P(X > x)."""
        inside = np.clip(x, self.low, self.high)
        if self._below > 0.5:
            return np.clip((self.parent.sf(inside) - self._above) / self._mass, 0.0, 1.0)
        return np.clip((self.parent.cdf(self.high) - self.parent.cdf(inside)) / self._mass, 0.0, 1.0)

    def pdf(self, x: Any) -> Any:
        """Return the density."""
        inside = (np.asarray(x) >= self.low) & (np.asarray(x) <= self.high)
        return np.where(inside, self.parent.pdf(np.clip(x, self.low, self.high)), 0.0) / self._mass

    def ppf(self, u: Any) -> Any:
        """Return the values below which the shares u lie."""
        share = np.asarray(u, dtype=np.float64) * self._mass
        if self._below > 0.5:
            found = self.parent.isf(np.clip(self.parent.sf(self.low) - share, 0.0, 1.0))
        else:
            found = self.parent.ppf(np.clip(self._below + share, 0.0, 1.0))
        return np.clip(found, self.low, self.high)

    def isf(self, u: Any) -> Any:
        """Return the values above which the shares u lie."""
        share = np.asarray(u, dtype=np.float64) * self._mass
        if self._below > 0.5:
            found = self.parent.isf(np.clip(self._above + share, 0.0, 1.0))
        else:
            found = self.parent.ppf(np.clip(float(self.parent.cdf(self.high)) - share, 0.0, 1.0))
        return np.clip(found, self.low, self.high)

    def mean(self) -> float:
        """Return the mean."""
        return self._mean

    @cached_property
    def _mean(self) -> float:
        whole = Believed(self.parent)
        ends = np.array([self.low, self.high])
        _, parts = whole.parts(np.where(np.isfinite(ends), ends, np.sign(ends) * np.finfo(np.float64).max))
        return float((parts[1] if math.isfinite(self.high) else whole.mean) - parts[0]) / self._mass

    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        """Draw numbers."""
        return self.ppf(np.random.default_rng(random_state).random(size))


class Listed:
    """Equally likely values, ascending, as a distribution with steps."""

    def __init__(self, values: Floats) -> None:
        self._values = values

    def support(self) -> tuple[float, float]:
        """Return both ends."""
        return float(self._values[0]), float(self._values[-1])

    def ppf(self, u: Any) -> Floats:
        """Return the values below which the shares u lie."""
        return Drawn(self._values).quantile(np.asarray(u, dtype=np.float64))

    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        """Draw numbers."""
        return self.ppf(np.random.default_rng(random_state).random(size))


def narrowed(over: Conditions, name: str, at: float) -> tuple[Conditions, Conditions]:
    """Return the conditions given that a quantity is below a value, and given that it is at least that."""
    quantities = over.quantities or {}
    less, more = _parts(quantities[name], at)
    held = {other: _typed(quantity) for other, quantity in quantities.items()}
    found = []
    for part in (less, more):
        beliefs = held | {name: part}
        ranges = not any(hasattr(belief, "rvs") for belief in beliefs.values())
        found.append(Conditions.from_costs(**beliefs) if ranges else Conditions.from_beliefs(**beliefs))
    return found[0], found[1]


def _parts(quantity: Quantity, at: float) -> tuple[Any, Any]:
    if isinstance(quantity, Even):
        return (quantity.low, at), (at, quantity.high)
    if isinstance(quantity, Believed):
        low, high = (float(end) for end in quantity.belief.support())
        return Truncated(quantity.belief, low, at), Truncated(quantity.belief, at, high)
    assert isinstance(quantity, Drawn)  # noqa: S101 - what is certain has no parts
    first = int(np.searchsorted(quantity.values, at, side="left"))
    return tuple(_listed(values) for values in (quantity.values[:first], quantity.values[first:]))


def _listed(values: Floats) -> Any:
    return float(values[0]) if values[0] == values[-1] else Listed(values)


def _typed(quantity: Quantity) -> Any:
    """Return what `from_costs` and `from_beliefs` take for a quantity."""
    if isinstance(quantity, Even):
        return quantity.low, quantity.high
    if isinstance(quantity, Believed):
        return quantity.belief
    return Listed(quantity.values) if isinstance(quantity, Drawn) else quantity.mean

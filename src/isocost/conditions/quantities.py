"""One uncertain quantity, a cost or the prevalence: its mean, its quantiles and its partial means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from isocost.conditions.quadrature import integrate
from isocost.validate import Floats

NAMES = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
# A belief without ends is looked at between these quantiles when its worst is asked for.
INNER = (0.01, 0.99)
NODES = 32
_STEPS = 4096


class Quantity(Protocol):
    """A number that may be uncertain."""

    @property
    def mean(self) -> float:
        """The mean; inf if there is none."""

    @property
    def low(self) -> float:
        """The lowest value."""

    @property
    def high(self) -> float:
        """The highest value."""

    def quantile(self, u: Floats) -> Floats:
        """Return the values below which the shares u lie."""

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Return P(X ≤ x) and E[X; X ≤ x]: the mass and the mean up to each value, ascending."""


@dataclass(frozen=True)
class Known:
    """One number."""

    value: float

    @property
    def mean(self) -> float:
        """Return it."""
        return self.value

    @property
    def low(self) -> float:
        """Return it."""
        return self.value

    @property
    def high(self) -> float:
        """Return it."""
        return self.value

    def quantile(self, u: Floats) -> Floats:
        """Return it for every share."""
        return np.full_like(u, self.value)

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Return 0 or 1, and 0 or the value."""
        mass = np.asarray(x >= self.value, dtype=np.float64)
        return mass, mass * self.value


@dataclass(frozen=True)
class Even:
    """Every value from low to high equally likely; low < high."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """Return the middle."""
        return (self.low + self.high) / 2

    def quantile(self, u: Floats) -> Floats:
        """Return values at these shares of the range."""
        return np.asarray(self.low + u * (self.high - self.low))

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Return closed forms."""
        inside = np.clip(x, self.low, self.high)
        mass = (inside - self.low) / (self.high - self.low)
        return np.asarray(mass), np.asarray(mass * (inside + self.low) / 2)


@dataclass(frozen=True)
class Gap:
    """One uniform quantity less another, independent one: a density with a flat top and straight slopes.

    Attributes
    ----------
    low : float
        The lowest value.
    narrow, wide : float
        The widths of both ranges, 0 < narrow ≤ wide.
    """

    low: float
    narrow: float
    wide: float

    @classmethod
    def of(cls, first: Even, second: Even) -> Gap:
        """Return the first less the second."""
        narrow, wide = sorted((first.high - first.low, second.high - second.low))
        return cls(first.low - second.high, narrow, wide)

    @property
    def high(self) -> float:
        """Return the upper end."""
        return self.low + self.narrow + self.wide

    @property
    def mean(self) -> float:
        """Return the middle."""
        return self.low + (self.narrow + self.wide) / 2

    def quantile(self, u: Floats) -> Floats:
        """Return closed forms: on the slopes by a square root."""
        v, w = self.narrow, self.wide
        up, down = (np.sqrt(2 * v * w * np.clip(share, 0, 1)) for share in (u, 1 - u))
        flat = u * w + v / 2
        edge = v / (2 * w)
        return np.asarray(self.low + np.where(u < edge, up, np.where(u > 1 - edge, v + w - down, flat)))

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Return closed forms, on each slope from its own end."""
        v, w = self.narrow, self.wide
        s = np.clip(x - self.low, 0, v + w)
        rest = v + w - s
        rising, falling = s < v, s > w
        # Shares of the widths, so that a range as narrow as a rounding error makes no quotient of its own.
        up, down = np.minimum(s, v), np.minimum(rest, v)
        below, above = ((end / v) * (end / w) for end in (up, down))
        mass = np.where(rising, below / 2, np.where(falling, 1 - above / 2, (s - v / 2) / w))
        flat = v * (v / w) / 3 + (s + v) * ((s - v) / (2 * w))
        part = np.where(rising, below * up / 3, np.where(falling, (v + w) / 2 - above * ((v + w) / 2 - down / 3), flat))
        return np.asarray(mass), np.asarray(self.low * mass + part)


@dataclass(frozen=True, eq=False)
class Believed:
    """A frozen, continuous `scipy.stats` distribution."""

    belief: Any

    @property
    def mean(self) -> float:
        """Return the distribution's own."""
        return float(self.belief.mean())

    @property
    def low(self) -> float:
        """Return the lower end; of a belief without one, the value with 1 % below it."""
        end = float(self.belief.support()[0])
        return end if math.isfinite(end) else float(self.belief.ppf(INNER[0]))

    @property
    def high(self) -> float:
        """Return the upper end; of a belief without one, the value with 1 % above it."""
        end = float(self.belief.support()[1])
        return end if math.isfinite(end) else float(self.belief.ppf(INNER[1]))

    def quantile(self, u: Floats) -> Floats:
        """Return the distribution's own."""
        return np.asarray(self.belief.ppf(u), dtype=np.float64)

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Integrate the quantiles up to each mass; above the middle from the other end, where masses near 1 lose no digits."""
        mass, rest = (np.asarray(share(x), dtype=np.float64) for share in (self.belief.cdf, self.belief.sf))
        lower = _integrals(self.belief.ppf, np.where(mass <= 0.5, mass, 0.0))
        upper = _integrals(self.belief.isf, np.where(mass <= 0.5, 0.0, rest))
        return mass, np.where(mass <= 0.5, lower, self.mean - upper)


def _integrals(quantile: Callable[[Floats], Floats], mass: Floats) -> Floats:
    """Return the integral of a quantile function from 0 to each mass, all of them in one pass."""
    edges, place = np.unique(np.concatenate([[0.0], mass.ravel()]), return_inverse=True)
    sums = np.cumsum(integrate(lambda u: np.asarray(quantile(u), dtype=np.float64), edges, tolerance=1e-12))
    return np.concatenate([[0.0], sums])[place[1:]].reshape(mass.shape)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Equally likely values, ascending: draws of a belief, or its quantiles where it has steps."""

    values: Floats

    @classmethod
    def of(cls, belief: Any, draws: Floats | None) -> Drawn:
        """Return many quantiles of a belief, or its draws if it knows none."""
        if hasattr(belief, "ppf"):
            return cls(np.asarray(belief.ppf((np.arange(_STEPS) + 0.5) / _STEPS), dtype=np.float64))
        return cls(np.sort(np.asarray(draws, dtype=np.float64)))

    @property
    def mean(self) -> float:
        """Return the mean of the values."""
        return float(self.values.mean())

    @property
    def low(self) -> float:
        """Return the lowest value."""
        return float(self.values[0])

    @property
    def high(self) -> float:
        """Return the highest value."""
        return float(self.values[-1])

    def quantile(self, u: Floats) -> Floats:
        """Return the value at each share."""
        return self.values[np.minimum((u * self.values.size).astype(np.intp), self.values.size - 1)]

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Count and add up the values up to each x."""
        sums = np.concatenate([[0.0], np.cumsum(self.values)]) / self.values.size
        at = np.searchsorted(self.values, x, side="right")
        return at / self.values.size, sums[at]


@cache
def gauss_rule() -> tuple[Floats, Floats]:
    """Return the nodes in (0, 1) and the weights of the 32-point Gauss-Legendre rule; the page has the same."""
    x, w = np.polynomial.legendre.leggauss(NODES)
    return (x + 1) / 2, w / 2

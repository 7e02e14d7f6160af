"""How uncertain t is: densities with partial moments, which are all that measures need.

Every density answers `moments(edges, kind)`, the integrals of g(t) between consecutive edges for
g = 1, t, t², 1/t, 1/(1-t), and `expect(g, breaks)` for any bounded g that is smooth between `breaks`.
A moment that is infinite (1/t from 0, 1/(1-t) up to 1) is returned as inf: the caller knows whether its factor vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from isocost.conditions.quadrature import integrate
from isocost.validate import Floats

Kind = Literal["1", "t", "t^2", "1/t", "1/(1-t)"]
Function = Callable[[Floats], Floats]


def _kernel(kind: Kind, t: Floats) -> Floats:
    match kind:
        case "1":
            return np.ones_like(t)
        case "t":
            return t
        case "t^2":
            return t * t
        case "1/t":
            return 1 / t
        case "1/(1-t)":
            return 1 / (1 - t)


class Density(Protocol):
    """A probability distribution of t on [low, high]."""

    @property
    def low(self) -> float:
        """Smallest t that has mass at or just above it."""

    @property
    def high(self) -> float:
        """Largest t that has mass at or just below it."""

    @property
    def closed_form(self) -> bool:
        """Whether the moments of 1/t and 1/(1-t) are exact closed forms, not integrated numerically."""

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Return the integral of the kernel over each interval between consecutive edges."""

    def expect(self, function: Function, breaks: Floats) -> float:
        """Return E[function(t)] for a bounded function that is smooth between `breaks`."""


@dataclass(frozen=True)
class Uniform:
    """Every t in [low, high] equally likely; low < high."""

    low: float
    high: float
    closed_form: ClassVar[bool] = True

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Return closed forms."""
        inside = self.low <= edges[0] and edges[-1] <= self.high
        e = edges if inside else np.clip(edges, self.low, self.high)
        a, b = e[:-1], e[1:]
        width = b - a
        if kind == "1":
            return np.asarray(width / (self.high - self.low))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            match kind:
                case "t":
                    integral = width * (a + b) / 2
                case "t^2":
                    integral = width * (a * a + a * b + b * b) / 3
                case "1/t":
                    # The quotient is exact for near edges, the difference does not overflow for far ones.
                    log_ratio = np.where(width > a, np.log(b) - np.log(a), np.log1p(width / a))
                    integral = np.where(width > 0, log_ratio, 0.0)
                case "1/(1-t)":
                    integral = np.where(width > 0, np.log1p(width / (1 - b)), 0.0)
        return np.asarray(integral / (self.high - self.low))

    def expect(self, function: Function, breaks: Floats) -> float:
        """Integrate adaptively between the breaks."""
        return float(integrate(function, _edges(self, breaks)).sum() / (self.high - self.low))


@dataclass(frozen=True)
class UniformSkew:
    """The skew ratio m = t/(1-t) equally likely anywhere between that of `low` and of `high` < 1.

    The density on t is 1/(1-t)² up to a constant.
    """

    low: float
    high: float
    closed_form: ClassVar[bool] = True

    @property
    def _scale(self) -> float:
        return (self.high - self.low) / ((1 - self.high) * (1 - self.low))

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Return closed forms."""
        e = np.clip(edges, self.low, self.high)
        a, b = e[:-1], e[1:]
        ratio = (b - a) / ((1 - b) * (1 - a))  # difference of the skew ratios
        with np.errstate(divide="ignore", invalid="ignore"):
            log_complement = np.log1p((b - a) / (1 - b))  # log((1-a)/(1-b))
            match kind:
                case "1":
                    integral = ratio
                case "t":
                    integral = ratio - log_complement
                case "t^2":
                    integral = ratio - 2 * log_complement + (b - a)
                case "1/t":
                    integral = np.where(b > a, np.log1p((b - a) / a) + log_complement + ratio, 0.0)
                case "1/(1-t)":
                    integral = ratio * (1 / (1 - b) + 1 / (1 - a)) / 2
        return np.asarray(integral / self._scale)

    def expect(self, function: Function, breaks: Floats) -> float:
        """Integrate adaptively over the skew ratio, between the breaks."""
        edges = _edges(self, breaks)
        ratios = edges / (1 - edges)
        return float(integrate(lambda m: function(m / (1 + m)), ratios).sum() / (ratios[-1] - ratios[0]))


@dataclass(frozen=True)
class Beta:
    """Beta(a, b) on t."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    @property
    def closed_form(self) -> bool:
        """Return whether both means are finite, and not so large that their differences cancel."""
        return min(self.a, self.b) > 1.01

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Return differences of regularised incomplete Beta functions where they exist, else integrate."""
        from scipy.special import betainc

        a, b = self.a, self.b
        e = np.clip(edges, 0.0, 1.0)
        match kind:
            case "1":
                factor, p, q = 1.0, a, b
            case "t":
                factor, p, q = a / (a + b), a + 1, b
            case "t^2":
                factor, p, q = a * (a + 1) / ((a + b) * (a + b + 1)), a + 2, b
            case "1/t":
                factor, p, q = ((a + b - 1) / (a - 1) if a > 1 else np.inf), a - 1, b
            case "1/(1-t)":
                factor, p, q = ((a + b - 1) / (b - 1) if b > 1 else np.inf), a, b - 1
        if np.isfinite(factor):
            return np.asarray(factor * np.diff(betainc(p, q, e)))
        return self._by_quantiles.moments(edges, kind)

    @property
    def _by_quantiles(self) -> Continuous:
        from scipy.special import beta, betainc, betaincinv

        a, b = self.a, self.b

        def ppf(u: Floats) -> Floats:
            t = np.asarray(betaincinv(a, b, u))
            # For some parameters scipy has no answer below 1e-16, where the power law holds to the last digit.
            return np.where(np.isnan(t), (u * a * beta(a, b)) ** (1 / a), t)

        return Continuous(lambda t: betainc(a, b, t), ppf, 0.0, 1.0)

    def expect(self, function: Function, breaks: Floats) -> float:
        """Integrate adaptively between the breaks."""
        return self._by_quantiles.expect(function, breaks)


@dataclass(frozen=True)
class Continuous:
    """Any continuous distribution of t, given by its distribution function and its quantiles.

    Integrals are taken over u = cdf(t): E[g(t)] is the integral of g(ppf(u)), which has no singularity however wild the density.
    """

    cdf: Function
    ppf: Function
    low: float
    high: float
    closed_form: ClassVar[bool] = False

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Take masses from the cdf and integrate the rest adaptively."""
        e = np.clip(edges, self.low, self.high)
        u = np.asarray(self.cdf(e), dtype=np.float64)
        if kind in ("1/t", "1/(1-t)"):
            # An interval that touches the pole is left infinite.
            pole = 0.0 if kind == "1/t" else 1.0
            touching = ((e[:-1] == pole) | (e[1:] == pole)) & (u[1:] > u[:-1])
            result = np.full(e.size - 1, np.inf)
            clear = np.flatnonzero(~touching)  # one run: only the outermost interval with mass can touch
            if clear.size:
                run = slice(clear[0], clear[-1] + 1)
                result[run] = integrate(lambda v: _kernel(kind, self.ppf(v)), u[clear[0] : clear[-1] + 2])
            return result
        return np.diff(u) if kind == "1" else integrate(lambda v: _kernel(kind, self.ppf(v)), u)

    def expect(self, function: Function, breaks: Floats) -> float:
        """Integrate adaptively between the breaks."""
        u = np.asarray(self.cdf(_edges(self, breaks)), dtype=np.float64)
        return float(integrate(lambda v: function(np.asarray(self.ppf(v))), u).sum())


@dataclass(frozen=True, eq=False)
class Atoms:
    """Weighted values of t: a sample of beliefs, or one certain condition."""

    t: Floats
    weights: Floats
    closed_form: ClassVar[bool] = False

    @property
    def low(self) -> float:
        """Return the smallest t."""
        return float(self.t.min())

    @property
    def high(self) -> float:
        """Return the largest t."""
        return float(self.t.max())

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Sum over the atoms of each interval, its left edge included and of the last one both edges."""
        piece = np.searchsorted(edges, self.t, side="right") - 1
        piece[self.t == edges[-1]] = edges.size - 2
        inside = (piece >= 0) & (piece < edges.size - 1)
        with np.errstate(divide="ignore"):
            values = self.weights * _kernel(kind, self.t)
        return np.asarray(np.bincount(piece[inside], values[inside], edges.size - 1), dtype=np.float64)

    def expect(self, function: Function, breaks: Floats) -> float:  # noqa: ARG002 - a sum needs no breaks
        """Return the weighted sum."""
        return float(self.weights @ function(self.t))


def _edges(density: Density, breaks: Floats) -> Floats:
    inner = breaks[(breaks > density.low) & (breaks < density.high)]
    return np.concatenate([[density.low], np.unique(inner), [density.high]])


class Belief(Protocol):
    """What is used of a frozen scipy.stats distribution."""

    def cdf(self, x: Floats) -> Floats:
        """Return the distribution function."""

    def sf(self, x: Floats) -> Floats:
        """Return its complement."""

    def ppf(self, u: Floats) -> Floats:
        """Return the inverse of cdf."""

    def isf(self, u: Floats) -> Floats:
        """Return the inverse of sf."""


@dataclass(frozen=True, eq=False)
class Shifted:
    """A belief about a cost, less a fixed amount."""

    belief: Belief
    by: float

    def cdf(self, x: Floats) -> Floats:
        """Return the distribution function."""
        return self.belief.cdf(x + self.by)

    def sf(self, x: Floats) -> Floats:
        """Return its complement."""
        return self.belief.sf(x + self.by)

    def ppf(self, u: Floats) -> Floats:
        """Return the inverse of cdf."""
        return np.asarray(self.belief.ppf(u) - self.by)

    def isf(self, u: Floats) -> Floats:
        """Return the inverse of sf."""
        return np.asarray(self.belief.isf(u) - self.by)


@dataclass(frozen=True)
class _Pushed:
    """A belief about cost_fp, cost_fn or prevalence seen as one about t, the other two being certain.

    t grows with cost_fp and falls with the other two, so its quantiles are those of the belief.
    """

    name: str
    belief: Belief
    fixed: dict[str, float]

    @property
    def _rising(self) -> bool:
        return self.name == "cost_fp"

    def ppf(self, u: Floats) -> Floats:
        """Return the quantiles of t."""
        x = self.belief.ppf(u) if self._rising else self.belief.isf(u)
        values: dict[str, Any] = {**self.fixed, self.name: x}
        with np.errstate(invalid="ignore"):
            fp, fn = values["cost_fp"] * (1 - values["prevalence"]), values["cost_fn"] * values["prevalence"]
            # Where one cost is infinite, its share is all there is.
            return np.asarray(np.where(np.isinf(fp), 1.0, fp / (fp + fn)))

    def cdf(self, t: Floats) -> Floats:
        """Return the distribution function of t."""
        x = self._belief_at(t)
        return np.asarray(self.belief.cdf(x) if self._rising else self.belief.sf(x))

    def _belief_at(self, t: Floats) -> Floats:
        values = {**self.fixed, self.name: 1.0}
        fp, fn = values["cost_fp"], values["cost_fn"]
        with np.errstate(divide="ignore"):
            if self.name == "prevalence":
                return fp * (1 - t) / (fp * (1 - t) + fn * t)
            odds = values["prevalence"] / (1 - values["prevalence"])
            return fn * odds * t / (1 - t) if self._rising else fp / odds * (1 - t) / t


def pushed_forward(name: str, belief: Belief, fixed: dict[str, float]) -> Density:
    """Return the distribution of t when only `name` (cost_fp, cost_fn or prevalence) is uncertain."""
    pushed = _Pushed(name, belief, fixed)
    low, *inner, high = (float(v) for v in pushed.ppf(np.array([0.0, 0.25, 0.75, 1.0])))
    if inner[0] == inner[1]:  # at prevalence 0 or 1, or beside a cost of 0, t is certain all the same
        return Atoms(np.array(inner[:1]), np.ones(1))
    return Continuous(pushed.cdf, pushed.ppf, low, high)


@dataclass(frozen=True)
class WorstCost:
    """The worst cost per case as a function of t when only `name` is uncertain."""

    name: str
    fixed: dict[str, float]

    def __call__(self, t: Floats) -> Floats:
        """Return the worst cost at each t."""
        fixed = self.fixed
        match self.name:
            case "prevalence":
                return 1 / (t / fixed["cost_fp"] + (1 - t) / fixed["cost_fn"])
            case "cost_fp":
                return fixed["cost_fn"] * fixed["prevalence"] / (1 - t)
            case _:
                return fixed["cost_fp"] * (1 - fixed["prevalence"]) / t

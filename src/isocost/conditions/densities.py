"""How uncertain t is: densities with partial moments, which are all that measures need.

Every density answers `moments(edges, kind)`, the integrals of g(t) between consecutive edges for
g = 1, t, t², 1/t, 1/(1-t), and `expect(g, breaks)` for any bounded g that is smooth between `breaks`.
A moment that is infinite (1/t from 0, 1/(1-t) up to 1) is returned as inf: the caller knows whether its factor vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

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

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Return the integral of the kernel over each interval between consecutive edges."""

    def expect(self, function: Function, breaks: Floats) -> float:
        """Return E[function(t)] for a bounded function that is smooth between `breaks`."""


@dataclass(frozen=True)
class Uniform:
    """Every t in [low, high] equally likely; low < high."""

    low: float
    high: float

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Return closed forms."""
        e = np.clip(edges, self.low, self.high)
        a, b = e[:-1], e[1:]
        width = b - a
        with np.errstate(divide="ignore", invalid="ignore"):
            match kind:
                case "1":
                    integral = width
                case "t":
                    integral = width * (a + b) / 2
                case "t^2":
                    integral = width * (a * a + a * b + b * b) / 3
                case "1/t":
                    integral = np.where(width > 0, np.log1p(width / a), 0.0)
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
        """Integrate adaptively between the breaks."""
        density = integrate(lambda t: function(t) / (1 - t) ** 2, _edges(self, breaks))
        return float(density.sum() / self._scale)


@dataclass(frozen=True)
class Beta:
    """Beta(a, b) on t."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

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
        return _singular_moments(self._pdf, e, kind)

    def _pdf(self, t: Floats) -> Floats:
        from scipy.special import betaln, xlog1py, xlogy

        return np.asarray(np.exp(xlogy(self.a - 1, t) + xlog1py(self.b - 1, -t) - betaln(self.a, self.b)))

    def expect(self, function: Function, breaks: Floats) -> float:
        """Integrate adaptively between the breaks."""
        return float(integrate(lambda t: function(t) * self._pdf(t), _edges(self, breaks)).sum())


@dataclass(frozen=True)
class Continuous:
    """Any density on t, given by its pdf and cdf."""

    pdf: Function
    cdf: Function
    low: float
    high: float

    def moments(self, edges: Floats, kind: Kind) -> Floats:
        """Take masses from the cdf and integrate the rest adaptively."""
        e = np.clip(edges, self.low, self.high)
        if kind == "1":
            return np.diff(self.cdf(e))
        if kind in ("1/t", "1/(1-t)"):
            return _singular_moments(self.pdf, e, kind)
        return integrate(lambda t: _kernel(kind, t) * self.pdf(t), e)

    def expect(self, function: Function, breaks: Floats) -> float:
        """Integrate adaptively between the breaks."""
        return float(integrate(lambda t: function(t) * self.pdf(t), _edges(self, breaks)).sum())


@dataclass(frozen=True, eq=False)
class Atoms:
    """Weighted values of t: a sample of beliefs, or one certain condition."""

    t: Floats
    weights: Floats

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


def _singular_moments(pdf: Function, edges: Floats, kind: Kind) -> Floats:
    """Integrate 1/t or 1/(1-t) against a density; an interval that touches the pole has no finite answer here."""
    pole = 0.0 if kind == "1/t" else 1.0
    touching = ((edges[:-1] == pole) | (edges[1:] == pole)) & (edges[1:] > edges[:-1])
    result = np.full(edges.size - 1, np.inf)
    for run in np.split(np.arange(touching.size), np.flatnonzero(np.diff(touching)) + 1):
        if run.size and not touching[run[0]]:
            result[run] = integrate(lambda t: _kernel(kind, t) * pdf(t), edges[run[0] : run[-1] + 2])
    return result


class Belief(Protocol):
    """What is used of a frozen scipy.stats distribution."""

    def pdf(self, x: Floats) -> Floats:
        """Return the density."""

    def cdf(self, x: Floats) -> Floats:
        """Return the distribution function."""

    def sf(self, x: Floats) -> Floats:
        """Return its complement."""

    def support(self) -> tuple[float, float]:
        """Return the ends of the support."""


def pushed_forward(name: str, belief: Belief, fixed: dict[str, float]) -> Continuous:
    """Return the density of t when only `name` (cost_fp, cost_fn or prevalence) is uncertain."""
    # t/(1-t) = scale · v, with v growing in cost_fp and falling in cost_fn and in the odds of prevalence.
    prevalence, fp, fn = fixed.get("prevalence"), fixed.get("cost_fp"), fixed.get("cost_fn")

    def t_of(x: Floats) -> Floats:
        p = x if prevalence is None else prevalence
        false_alarms = (x if fp is None else fp) * (1 - p)
        return np.asarray(false_alarms / (false_alarms + (x if fn is None else fn) * p))

    def x_of(t: Floats) -> tuple[Floats, Floats]:
        """Return the belief's variable at t and |dx/dt|."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if fp is None:
                scale = fn * prevalence / (1 - prevalence)  # type: ignore[operator]
                return scale * t / (1 - t), scale / (1 - t) ** 2
            if fn is None:
                scale = fp * (1 - prevalence) / prevalence  # type: ignore[operator]
                return scale * (1 - t) / t, scale / t**2
            below = fp * (1 - t) + fn * t
            return fp * (1 - t) / below, fp * fn / below**2

    def pdf(t: Floats) -> Floats:
        x, slope = x_of(t)
        return np.asarray(belief.pdf(x) * slope)

    def cdf(t: Floats) -> Floats:
        x, _ = x_of(t)
        return np.asarray(belief.cdf(x) if name == "cost_fp" else belief.sf(x))

    first, last = (np.asarray(v, dtype=np.float64) for v in belief.support())
    with np.errstate(invalid="ignore"):
        ends = [_limit(t_of(first), at=0.0 if fp is None else 1.0), _limit(t_of(last), at=1.0 if fp is None else 0.0)]
    return Continuous(pdf, cdf, min(ends), max(ends))


def _limit(t: Floats, *, at: float) -> float:
    return at if np.isnan(t) else float(t)

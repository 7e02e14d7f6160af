"""Costs and prevalence, exactly known (`Condition`) or uncertain (`Conditions`), and the quantities they are made of."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np

from isocost._front import documented, documented_by
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import ConditionError
from isocost.numbers import ROUNDING
from isocost.results import Result

__all__ = ["Condition", "Conditions"]

NAMES = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
Range = tuple[float, float]
Pair = tuple[float, float]
Function = Callable[[Floats], Floats]
Rate = TypeVar("Rate", float, Floats)
# A belief without ends is looked at from this quantile on when its worst is asked for; one with steps at so many quantiles.
_INNER, _STEPS = 0.01, 4096
# Integrals: intervals looked at together, halvings of one at most (infinite ends need many), and intervals at most.
_BLOCK, _ROUNDS, _PIECES = 4096, 400, 200_000
_EPS = float(np.finfo(np.float64).eps)
# What a quantity can be: a correct answer may cost less than nothing.
_MOST = sys.float_info.max
_COST, _GAIN = (0.0, _MOST), (-_MOST, _MOST)
_ENDS = dict(zip(NAMES, (_COST, _COST, (0.0, 1.0), _GAIN, _GAIN), strict=True))
_EXAMPLE = "stats.beta(2, 5)"


@documented_by(
    cites="Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978; Drummond & Holte 2000"
)
@dataclass(frozen=True, repr=False)
class Condition(Result):
    """Costs of the four outcomes and the prevalence where the model will be used.

    Only two differences matter to a decision (Elkan 2001): `cost_fp - cost_tn`, how much more a false alarm costs than a correct
    rejection, and `cost_fn - cost_tp`, how much more a miss costs than a catch.

    Parameters
    ----------
    cost_fp, cost_fn : float
        Cost of a false alarm and of a miss, in any unit; not negative, and not both 0.
    prevalence : float
        P(positive) in use, between 0 and 1; the data's own prevalence is not used unless you pass it.
    cost_tp, cost_tn : float
        Cost of a catch and of a correct rejection; negative when it is a gain.

    See Also
    --------
    Conditions : uncertain costs and prevalence.

    Examples
    --------
    >>> credit = ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)
    >>> credit
    <Condition: a miss costs 5 false alarms, 30 % positive: t = 0.318>
    >>> round(credit.skew_ratio, 4), round(credit.pcf, 4), credit.worst_cost
    (0.4667, 0.6818, 2.2)
    """

    cost_fp: float = 1.0
    cost_fn: float = 1.0
    prevalence: float = 0.5
    _: KW_ONLY
    cost_tp: float = 0.0
    cost_tn: float = 0.0

    def __post_init__(self) -> None:
        """Check the costs and the prevalence."""
        for name in NAMES:
            low, high = _ENDS[name]
            value = checks.number(getattr(self, name), name, low=low, high=high, error=ConditionError)
            object.__setattr__(self, name, value)
        for wrong, right, gap in (("cost_fp", "cost_tn", self.fp_gap), ("cost_fn", "cost_tp", self.fn_gap)):
            if gap < 0 or (gap == 0 and getattr(self, right) != 0):
                got = f"{wrong}={getattr(self, wrong):g}, {right}={getattr(self, right):g}"
                raise _no_error(wrong, right, got)
        if not self._fp_share + self._fn_share > 0:
            raise ConditionError(
                f"nothing can go wrong at prevalence {self.prevalence:g} with cost_fp={self.cost_fp:g}, cost_fn={self.cost_fn:g}: "
                "no class that is present has an error cost"
            )

    @classmethod
    def from_t(cls, t: float) -> Condition:
        """Return a condition with this t, half positive, and a worst cost of 1 per case."""
        t = checks.number(t, "t", low=0.0, high=1.0, error=ConditionError)
        return cls(2 * t, 2 * (1 - t))

    @property
    def fp_gap(self) -> float:
        """How much more a false alarm costs than a correct rejection."""
        return self.cost_fp - self.cost_tn

    @property
    def fn_gap(self) -> float:
        """How much more a miss costs than a catch."""
        return self.cost_fn - self.cost_tp

    @property
    def _fp_share(self) -> float:
        return self.fp_gap * (1 - self.prevalence)

    @property
    def _fn_share(self) -> float:
        return self.fn_gap * self.prevalence

    @property
    def t(self) -> float:
        """Share of the worst-case cost that false alarms carry, in [0, 1]."""
        return self._fp_share / (self._fp_share + self._fn_share)

    @property
    def pcf(self) -> float:
        """Share of the worst-case cost that misses carry: 1 - t, the x axis of cost space."""
        return self._fn_share / (self._fp_share + self._fn_share)

    @property
    def skew_ratio(self) -> float:
        """t/(1-t): the slope of iso-cost lines in ROC space; inf when misses cost nothing."""
        return self._fp_share / self._fn_share if self._fn_share > 0 else math.inf

    @property
    def cost_proportion(self) -> float:
        """Cost of a miss as a share of both error costs together, whatever the prevalence."""
        return self.fn_gap / (self.fp_gap + self.fn_gap)

    @property
    def worst_cost(self) -> float:
        """Expected cost per case when every case is classified wrongly."""
        return self.cost_fp * (1 - self.prevalence) + self.cost_fn * self.prevalence

    @property
    def best_cost(self) -> float:
        """Expected cost per case when every case is classified correctly (0 unless cost_tp or cost_tn is given)."""
        return self.cost_tn * (1 - self.prevalence) + self.cost_tp * self.prevalence

    def normalised_cost(self, fpr: Rate, tpr: Rate) -> Rate:
        """Return t·fpr + (1-t)·(1-tpr), between 0 (perfect) and 1 (always wrong)."""
        fpr, tpr = _rates(fpr, tpr)
        return self.t * fpr + self.pcf * (1 - tpr)

    def expected_cost(self, fpr: Rate, tpr: Rate) -> Rate:
        """Return the expected cost per case, in the unit the costs were given in."""
        fpr, tpr = _rates(fpr, tpr)
        return self.best_cost + self._fp_share * fpr + self._fn_share * (1 - tpr)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"t": self.t}

    def __str__(self) -> str:
        """Return the condition in words."""
        return f"{ratio_text(self.fp_gap, self.fn_gap)}, {self.prevalence * 100:.4g} % positive: t = {self.t:.3g}"

    def _shown(self) -> dict[str, Any]:
        return self._data() | {n: getattr(self, n) for n in ("pcf", "skew_ratio", "cost_proportion")}

    def __repr__(self) -> str:
        """Return the condition in words."""
        return f"<Condition: {self}>"


def certain(condition: Any) -> Condition:
    """Return a condition, or say that something else came."""
    what = "a Condition, such as Condition(cost_fp=1, cost_fn=5, prevalence=0.3)"
    found: Condition = checks.instance(condition, "condition", Condition, what)
    return found


def _rates(fpr: Any, tpr: Any) -> tuple[Any, Any]:
    if isinstance(fpr, float) and isinstance(tpr, float) and fpr + tpr == fpr + tpr:
        return fpr, tpr
    x, y = checks.reals(fpr, "fpr"), checks.reals(tpr, "tpr")
    checks.same_shape(fpr=x, tpr=y)
    return (x, y) if x.ndim or y.ndim else (float(x), float(y))


def ratio_text(fp_gap: float, fn_gap: float) -> str:
    """Say how a miss compares with a false alarm, the more expensive one first."""
    if fp_gap == 0 or fn_gap == 0:
        return f"a {'miss' if fp_gap else 'false alarm'} costs nothing"
    if fn_gap == fp_gap:
        return "a miss costs as much as a false alarm"
    ratio, one, other = max((fn_gap / fp_gap, "miss", "false alarms"), (fp_gap / fn_gap, "false alarm", "misses"))
    return f"a {one} costs {ratio:.4g} {other}"


def span_text(low: float, high: float, *, scale: float = 1.0) -> str:
    """Return a range in few digits."""
    # Two digits are what a reader wants, unless they are a hundredth off, or hide that the ends differ or touch 1.
    for digits in (2, 3, 4, 6, 9):
        a, b = f"{low * scale:.{digits}g}", f"{high * scale:.{digits}g}"
        written = (float(a) / scale, low), (float(b) / scale, high)
        near = all(abs(value - end) <= abs(end) / 100 for value, end in written if math.isfinite(end))
        if near and (a != b or low == high) and not (b == f"{scale:g}" and high < 1 and scale == 1):
            break
    return a if a == b else f"{a}–{b}"


def integrate(function: Function, edges: Floats, *, tolerance: float = 64 * _EPS) -> Floats:
    """Return the integral of a function over each interval between consecutive edges: 20 Gauss nodes, intervals halved where needed.

    `scipy.integrate.quad_vec` halves all intervals alike, and needs a thousand times as long at infinite ends of quantile functions.
    """
    nodes, weights = (part / 2 for part in np.polynomial.legendre.leggauss(20))
    nodes += 0.5
    result = np.zeros(edges.size - 1)
    for first in range(0, result.size, _BLOCK):  # few enough to stay in the cache
        owner = first + np.flatnonzero(np.diff(edges[first : first + _BLOCK + 1]) > 0)
        low, width = edges[owner], edges[owner + 1] - edges[owner]
        whole = function(low[:, None] + width[:, None] * nodes) @ weights
        for _ in range(_ROUNDS):
            if not 0 < owner.size <= _PIECES:
                break
            width = width / 2
            starts = np.stack([low, low + width], axis=1)
            halves = function(starts[..., None] + width[:, None, None] * nodes) @ weights
            mean = halves.mean(axis=1)
            error = np.abs(mean - whole)
            open_ = (error > tolerance * np.maximum(np.abs(mean), 1.0)) & (error * width > _EPS / 200)
            open_ &= starts[:, 1] > low
            np.add.at(result, owner[~open_], (2 * width * mean)[~open_])
            owner, low, whole = np.repeat(owner[open_], 2), starts[open_].ravel(), halves[open_].ravel()
            width = np.repeat(width[open_], 2)
        if owner.size or np.isnan(result[first : first + _BLOCK]).any():
            raise ConditionError(
                "the distribution could not be integrated: its density is too irregular or not integrable; "
                "pass a sample of it through Conditions.from_beliefs or a smoother distribution"
            )
    return result


class Quantity:
    """One uncertain number, a cost or the prevalence: its mean and ends, its quantiles and its partial means."""

    mean: Any
    low: Any
    high: Any
    quantile: Any
    parts: Any  # P(X ≤ x) and E[X; X ≤ x] at each x

    def support(self) -> Range:
        """Return the lowest and the highest value there can be."""
        return self.low, self.high

    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        """Draw numbers."""
        return self.quantile(np.random.default_rng(random_state).random(size))


@dataclass(frozen=True)
class Even(Quantity):
    """Every value from low to high equally likely; one number if they are the same."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2 if self.low < self.high else self.low

    def quantile(self, u: Floats) -> Floats:
        return np.asarray(self.low + u * (self.high - self.low))

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        inside = np.clip(x, self.low, self.high)
        mass = np.where(x >= self.high, 1.0, (inside - self.low) / (self.high - self.low or 1.0))
        return mass, mass * (inside + self.low) / 2

    ppf = quantile

    def isf(self, u: Floats) -> Floats:
        return np.asarray(self.high - u * (self.high - self.low))

    def cdf(self, x: Floats) -> Floats:
        return self.parts(x)[0]

    def sf(self, x: Floats) -> Floats:
        return np.clip((self.high - x) / (self.high - self.low), 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Believed(Quantity):
    """A frozen, continuous `scipy.stats` distribution."""

    belief: Any

    @property
    def mean(self) -> float:
        """The distribution's own mean; inf if there is none."""
        return float(self.belief.mean())

    def support(self) -> Range:
        low, high = self.belief.support()
        return float(low), float(high)

    @property
    def low(self) -> float:
        """The lower end; of a belief without one, the value with 1 % below it."""
        end = self.support()[0]
        return end if math.isfinite(end) else float(self.belief.ppf(_INNER))

    @property
    def high(self) -> float:
        """The upper end; of a belief without one, the value with 1 % above it."""
        end = self.support()[1]
        return end if math.isfinite(end) else float(self.belief.isf(_INNER))

    def quantile(self, u: Floats) -> Floats:
        return np.asarray(self.belief.ppf(u), dtype=np.float64)

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Return P(X ≤ x) and E[X; X ≤ x] at each x; above the middle from the other end, where masses near 1 lose no digits."""
        mass, rest = (np.asarray(share(x), dtype=np.float64) for share in (self.belief.cdf, self.belief.sf))
        lower = self._integrals(self.belief.ppf, np.where(mass <= 0.5, mass, 0.0))
        upper = self._integrals(self.belief.isf, np.where(mass <= 0.5, 0.0, rest))
        return mass, np.where(mass <= 0.5, lower, self.mean - upper)

    def _integrals(self, quantile: Function, mass: Floats) -> Floats:
        """Return the integral of a quantile function from 0 to each mass, all of them in one pass."""
        edges, place = np.unique(np.append(0.0, mass), return_inverse=True)
        sums = np.cumsum(integrate(lambda u: np.asarray(quantile(u), dtype=np.float64), edges, tolerance=ROUNDING))
        return np.append(0.0, sums)[place[1:]].reshape(mass.shape)


@dataclass(frozen=True, eq=False)
class Drawn(Quantity):
    """Equally likely values, ascending: draws of a belief, or its quantiles where it has steps."""

    values: Floats
    mean = property(lambda self: float(self.values.mean()))
    low = property(lambda self: float(self.values[0]))
    high = property(lambda self: float(self.values[-1]))

    def quantile(self, u: Floats) -> Floats:
        return self.values[np.minimum((u * self.values.size).astype(np.intp), self.values.size - 1)]

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        sums = np.append(0.0, np.cumsum(self.values)) / self.values.size
        at = np.searchsorted(self.values, x, side="right")
        return at / self.values.size, sums[at]


class Truncated:
    """A frozen, continuous distribution given that its value is in [low, high): the functions of one in `scipy.stats`."""

    def __init__(self, parent: Any, low: float, high: float) -> None:
        if isinstance(parent, Truncated):
            low, high, parent = max(low, parent.ends[0]), min(high, parent.ends[1]), parent.parent
        self.parent: Any = parent
        self.ends: Range = low, high
        # Masses are counted from the side on which they lose no digits.
        self._upper = bool(parent.cdf(low) > 0.5)
        self._first, self._last = (float(self._tail(end)) for end in self.ends)
        self._mass = self._first - self._last
        whole = Believed(parent)
        _, (before, up_to) = whole.parts(np.nan_to_num(np.array(self.ends)))  # of infinite ends the largest numbers
        self._mean = float((up_to if math.isfinite(high) else whole.mean) - before) / self._mass

    def _tail(self, x: Any) -> Any:
        return self.parent.sf(x) if self._upper else -self.parent.cdf(x)

    def _at(self, tail: Any) -> Any:
        found = self.parent.isf(np.clip(tail, 0.0, 1.0)) if self._upper else self.parent.ppf(np.clip(-tail, 0.0, 1.0))
        return np.clip(found, *self.ends)

    def support(self) -> Range:
        return self.ends

    def mean(self) -> float:
        return self._mean

    def cdf(self, x: Any) -> Any:
        return np.clip((self._first - self._tail(np.clip(x, *self.ends))) / self._mass, 0.0, 1.0)

    def sf(self, x: Any) -> Any:
        return np.clip((self._tail(np.clip(x, *self.ends)) - self._last) / self._mass, 0.0, 1.0)

    def ppf(self, u: Any) -> Any:
        return self._at(self._first - np.asarray(u, dtype=np.float64) * self._mass)

    def isf(self, u: Any) -> Any:
        return self._at(self._last + np.asarray(u, dtype=np.float64) * self._mass)

    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        return self.ppf(np.random.default_rng(random_state).random(size))


class Density:
    """A distribution of t on [low, high]; integrals are taken over u = cdf(t), where no density is singular."""

    low: Any
    high: Any
    cdf: Any
    ppf: Any

    def moments(self, edges: Floats) -> tuple[Floats, Floats]:
        """Return the integrals of 1 and of t between consecutive edges."""
        u = np.asarray(self.cdf(np.clip(edges, self.low, self.high)), dtype=np.float64)
        return np.diff(u), integrate(lambda v: np.asarray(self.ppf(v)), u)

    def reciprocals(self, edges: Floats) -> tuple[Floats, Floats, Floats] | None:  # noqa: ARG002 - of those that have them
        """Return the integrals of 1, of 1/t and of 1/(1-t), inf where they are infinite; None unless there are closed forms."""
        return None

    def expect(self, function: Function, breaks: Floats) -> float:
        """Return the mean of any bounded function of t that is smooth between the breaks."""
        inner = breaks[(breaks > self.low) & (breaks < self.high)]
        u = np.asarray(self.cdf(np.concatenate([[self.low], np.unique(inner), [self.high]])), dtype=np.float64)
        return float(integrate(lambda v: function(np.asarray(self.ppf(v))), u).sum())


@dataclass(frozen=True)
class Continuous(Density):
    """Any continuous distribution of t."""

    cdf: Function
    ppf: Function
    low: float
    high: float


@dataclass(frozen=True)
class Uniform(Even, Density):
    """Every t in [low, high] equally likely; low < high."""

    def moments(self, edges: Floats) -> tuple[Floats, Floats]:
        """Return closed forms."""
        inside = self.low <= edges[0] and edges[-1] <= self.high
        e = edges if inside else np.clip(edges, self.low, self.high)
        width, whole = e[1:] - e[:-1], self.high - self.low
        return width / whole, width * (e[:-1] + e[1:]) / 2 / whole

    def reciprocals(self, edges: Floats) -> tuple[Floats, Floats, Floats]:
        """Return logarithms."""
        e = np.clip(edges, self.low, self.high)
        a, b, width = e[:-1], e[1:], e[1:] - e[:-1]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            # The quotient is exact for near edges, the difference does not overflow for far ones.
            below = np.where(width > a, np.log(b) - np.log(a), np.log1p(width / a))
            above = np.log1p(width / (1 - b))
        of_t, of_rest = (np.where(width > 0, part, 0.0) / (self.high - self.low) for part in (below, above))
        return width / (self.high - self.low), of_t, of_rest


@dataclass(frozen=True)
class Beta(Density):
    """Beta(a, b) on t."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    def cdf(self, t: Floats) -> Floats:
        from scipy.special import betainc

        return np.asarray(betainc(self.a, self.b, t))

    def ppf(self, u: Floats) -> Floats:
        from scipy.special import beta, betaincinv

        t = np.asarray(betaincinv(self.a, self.b, u))
        # For some parameters scipy has no answer below 1e-16, where the power law holds to the last digit.
        return np.where(np.isnan(t), (u * self.a * beta(self.a, self.b)) ** (1 / self.a), t)

    def moments(self, edges: Floats) -> tuple[Floats, Floats]:
        """Return differences of regularised incomplete Beta functions."""
        return self._part(edges, 0, 0), self.a / (self.a + self.b) * self._part(edges, 1, 0)

    def reciprocals(self, edges: Floats) -> tuple[Floats, Floats, Floats] | None:
        """Return the same where both means are finite, and not so large that their differences cancel."""
        a, b = self.a, self.b
        if min(a, b) <= 1.01:
            return None
        of_t, of_rest = (a + b - 1) / (a - 1), (a + b - 1) / (b - 1)
        return self._part(edges, 0, 0), of_t * self._part(edges, -1, 0), of_rest * self._part(edges, 0, -1)

    def _part(self, edges: Floats, more_a: int, more_b: int) -> Floats:
        from scipy.special import betainc

        return np.asarray(np.diff(betainc(self.a + more_a, self.b + more_b, np.clip(edges, 0.0, 1.0))))


@dataclass(frozen=True, eq=False)
class Atoms(Density):
    """Weighted values of t: a sample of beliefs, or one certain condition."""

    t: Floats
    weights: Floats
    low = property(lambda self: float(self.t.min()))
    high = property(lambda self: float(self.t.max()))

    def moments(self, edges: Floats) -> tuple[Floats, Floats]:
        """Sum over the atoms of each interval, its left edge included and of the last one both edges."""
        piece = np.searchsorted(edges, self.t, side="right") - 1
        piece[self.t == edges[-1]] = edges.size - 2
        inside = (piece >= 0) & (piece < edges.size - 1)
        weights = self.weights[inside]
        sums = (np.bincount(piece[inside], part, edges.size - 1) for part in (weights, weights * self.t[inside]))
        mass, mean = (np.asarray(total, dtype=np.float64) for total in sums)
        return mass, mean

    def expect(self, function: Function, breaks: Floats) -> float:  # noqa: ARG002 - a sum needs no breaks
        """Return the weighted sum."""
        return float(self.weights @ function(self.t))


@dataclass(frozen=True)
class Pushed(Density):
    """A belief about cost_fp, cost_fn or prevalence, less a fixed amount, seen as one about t; the other two are certain."""

    name: str
    belief: Any
    less: float
    fixed: dict[str, float]
    low = cached_property(lambda self: float(self.ppf(np.array(0.0))))
    high = cached_property(lambda self: float(self.ppf(np.array(1.0))))

    def _shares(self, x: Any) -> tuple[Any, Any]:
        """Return what false alarms and misses carry of the worst cost at values of the belief."""
        values: dict[str, Any] = {**self.fixed, self.name: x}
        return values["cost_fp"] * (1 - values["prevalence"]), values["cost_fn"] * values["prevalence"]

    def ppf(self, u: Floats) -> Floats:
        """Return the quantiles of t."""
        x = (self.belief.ppf(u) if self.name == "cost_fp" else self.belief.isf(u)) - self.less
        with np.errstate(invalid="ignore"):
            fp, fn = self._shares(x)
            # Where one cost is infinite, its share is all there is.
            return np.asarray(np.where(np.isinf(fp), 1.0, fp / (fp + fn)))

    def cdf(self, t: Floats) -> Floats:
        """Return the distribution function of t."""
        x = self._value(t) + self.less
        return np.asarray(self.belief.cdf(x) if self.name == "cost_fp" else self.belief.sf(x))

    def _value(self, t: Floats) -> Floats:
        """Return the value of the belief, net of `less`, at which t is this."""
        with np.errstate(divide="ignore"):
            if self.name == "prevalence":
                fp, fn = self.fixed["cost_fp"] * (1 - t), self.fixed["cost_fn"] * t
                return fp / (fp + fn)
            fp, fn = self._shares(1.0)
            return np.asarray(fn / fp * t / (1 - t) if self.name == "cost_fp" else fp / fn * (1 - t) / t)


def _pushed(beliefs: dict[str, Any], quantities: dict[str, Quantity]) -> Density | None:
    """Return the exact density of t, or None unless one belief alone is uncertain and continuous."""
    [(name, belief), *more] = beliefs.items()
    if more or not _is_continuous(belief) or name in ("cost_tp", "cost_tn"):
        return None
    # Net of what correct answers cost, which is certain here.
    less = {"cost_fp": quantities["cost_tn"].low, "cost_fn": quantities["cost_tp"].low}
    net = {key: quantity.low - less.get(key, 0.0) for key, quantity in quantities.items() if key != name}
    pushed = Pushed(name, belief, less.get(name, 0.0), net)
    inner = pushed.ppf(np.array([0.25, 0.75]))
    # At prevalence 0 or 1, or beside a cost of 0, t is certain; the cost is not.
    return Atoms(inner[:1], np.ones(1)) if inner[0] == inner[1] else pushed


def _sampled(quantities: dict[str, Quantity], draws: dict[str, Floats], size: int) -> Atoms:
    """Return a sample of t, every draw an atom."""
    values: dict[str, Any] = {name: quantity.low for name, quantity in quantities.items()} | draws
    fp = (values["cost_fp"] - values["cost_tn"]) * (1 - values["prevalence"])
    fn = (values["cost_fn"] - values["cost_tp"]) * values["prevalence"]
    if not np.all(fp + fn > 0):
        raise ConditionError("some drawn conditions have no error cost at all: keep the beliefs away from 0")
    return Atoms(fp / (fp + fn), np.full(size, 1 / size))


def _is_continuous(belief: Any) -> bool:
    return hasattr(belief, "pdf") or isinstance(belief, Truncated | Even)


def _quantity(belief: Any, draws: Floats | None) -> Quantity:
    """Return a belief as a quantity: one with steps is known by many quantiles, one that only draws numbers by its draws."""
    if isinstance(belief, Quantity):
        return belief
    if _is_continuous(belief):
        return Believed(belief)
    if hasattr(belief, "ppf"):
        return Drawn(np.asarray(belief.ppf((np.arange(_STEPS) + 0.5) / _STEPS), dtype=np.float64))
    return Drawn(np.sort(np.asarray(draws, dtype=np.float64)))


def _range_of(value: Any, name: str) -> Range:
    """Return how far a number, a pair (low, high) or a frozen distribution reaches."""
    least, most = _ENDS[name]
    if not hasattr(value, "rvs"):
        if np.ndim(value):
            return checks.interval(value, name, low=least, high=most)
        return (checks.number(value, name, low=least, high=most, error=ConditionError),) * 2
    checks.distribution(value, name, ("rvs", "support"), _EXAMPLE)
    low, high = (float(end) for end in value.support())
    if (low < 0 and least == 0) or (high > 1 and most == 1):
        raise ConditionError(f"{name} cannot be all that its belief reaches, from {low:g} to {high:g}; truncate it")
    return low, high


def _net_ranges(ranges: dict[str, Range]) -> dict[str, Range]:
    """Return the ranges of what errors cost more than correct answers, and of the prevalence."""
    found = {}
    for wrong, right in (("cost_fp", "cost_tn"), ("cost_fn", "cost_tp")):
        (low, high), (least, most) = ranges[wrong], ranges[right]
        if (least, most) != (0.0, 0.0) and not low > most:
            raise _no_error(wrong, right, f"{wrong} from {low:g}, {right} up to {most:g}")
        found[wrong] = low - most, high - least
    return found | {"prevalence": ranges["prevalence"]}


def _no_error(wrong: str, right: str, got: str) -> ConditionError:
    return ConditionError(
        f"{wrong} must exceed {right}: got {got}; an error that costs no more than the correct answer is not an error"
    )


@documented
@dataclass(frozen=True, repr=False, eq=False)
class Conditions(Result):
    """A probability distribution over operating conditions, expressed as a distribution of t.

    Build it with one of the class methods; every measure takes it as `condition=`.

    Attributes
    ----------
    density : Density
        The distribution of t: partial moments and expectations.
    text : str
        What it says, in words.
    ranges : dict or None
        The ranges of cost_fp, cost_fn (net of cost_tn and cost_tp) and prevalence it was built from; for beliefs, their supports.
        None if it was built from t alone.
    quantities : dict of str to Quantity, or None
        The costs and the prevalence themselves, independent of each other; None if only t is known. Typed ranges are uniform here.

    See Also
    --------
    Condition : one exactly known condition.

    Examples
    --------
    >>> over = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.01, 0.03))
    >>> over
    <Conditions: a miss costs 5–20 false alarms, 1–3 % positive: t in 0.62–0.95>
    >>> round(over.low, 4), round(over.high, 4)
    (0.6178, 0.9519)
    """

    density: Density = field(metadata={"data": False})
    text: str
    ranges: dict[str, Range] | None = None
    quantities: dict[str, Quantity] | None = field(default=None, metadata={"data": False})

    @property
    def means(self) -> Condition | None:
        """The condition at the mean costs and the mean prevalence; None if only t is known.

        Costs and prevalence are independent of each other, so the average cost of a fixed rule is its cost at this condition.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.Conditions.from_costs(cost_fn=(5, 100), prevalence=(0.01, 0.03)).means
        <Condition: a miss costs 52.5 false alarms, 2 % positive: t = 0.483>
        """
        if self.quantities is None:
            return None
        means = {name: quantity.mean for name, quantity in self.quantities.items()}
        for name, mean in means.items():
            if not np.isfinite(mean):
                raise ConditionError(f"the belief about {name} has no finite mean, so no cost is expected: truncate it")
        return Condition(**means)

    @property
    def low(self) -> float:
        """Lowest t."""
        return float(self.density.low)

    @property
    def high(self) -> float:
        """Highest t."""
        return float(self.density.high)

    @property
    def mean(self) -> float:
        """Mean of t; the mean normalised cost of a fixed threshold depends on nothing else."""
        low, high = self.low, self.high
        if low == high:
            return low
        return float(self.density.moments(np.array([low, high]))[1][0])

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Return P(T ≤ x) and E[T; T ≤ x] at each x, from the moments of the density between the values."""
        values = checks.reals(x, "x")
        # Intervals hold their left edge: an atom at a value is counted up to the next number.
        up_to = np.nextafter(values, np.inf) if isinstance(self.density, Atoms) else values
        ends, place = np.unique(np.clip(up_to, self.low, self.high), return_inverse=True)
        sums = map(np.cumsum, self.density.moments(np.append(self.low, ends)))
        mass, part = (np.where(values < self.low, 0.0, total[place].reshape(values.shape)) for total in sums)
        return mass, part

    @classmethod
    def uniform(
        cls, *, t: Range | None = None, pcf: Range | None = None, skew_ratio: Range | None = None
    ) -> Conditions:
        """Return conditions equally likely over a range of t (or pcf), or of the skew ratio.

        Uniform in t and uniform in pcf are the same thing. Uniform in the skew ratio t/(1-t), that is, in the ratio of costs at a
        fixed prevalence, is different: the density of t is then proportional to 1/(1-t)², most of it at the high end.

        Examples
        --------
        >>> ic.Conditions.uniform(pcf=(0.25, 0.75)).low
        0.25
        >>> round(ic.Conditions.uniform(skew_ratio=(0, 9)).mean, 4)
        0.7442
        """
        checks.at_most_one("pass one range", error=ConditionError, t=t, pcf=pcf, skew_ratio=skew_ratio)
        if skew_ratio is not None:
            m_low, m_high = checks.interval(skew_ratio, "skew_ratio", high=_MOST)
            low, high = m_low / (1 + m_low), m_high / (1 + m_high)
            text = f"skew ratio uniform in {span_text(m_low, m_high)}: t in {span_text(low, high)}"
            # That of a cost_fp beside a cost_fn of 1, both classes equally frequent.
            even = Pushed("cost_fp", Even(m_low, m_high), 0.0, {"cost_fn": 1.0, "prevalence": 0.5})
            return cls.from_t(low) if low == high else cls(even, text)
        if pcf is not None:
            p_low, p_high = checks.interval(pcf, "pcf")
            low, high = 1 - p_high, 1 - p_low
        else:
            low, high = checks.interval((0.0, 1.0) if t is None else t, "t")
        return cls(_between(low, high), f"uniform: t in {span_text(low, high)}")

    @classmethod
    def from_t(cls, t: float) -> Conditions:
        """Return one certain value of t."""
        t = checks.number(t, "t", low=0.0, high=1.0, error=ConditionError)
        return cls(_between(t, t), f"t = {t:.3g}")

    @classmethod
    def from_costs(
        cls,
        cost_fp: float | Range = 1.0,
        cost_fn: float | Range = 1.0,
        prevalence: float | Range = 0.5,
        *,
        cost_tp: float | Range = 0.0,
        cost_tn: float | Range = 0.0,
    ) -> Conditions:
        """Return the range of t that costs and prevalence allow, each a number or (low, high).

        t grows with cost_fp and falls with cost_fn and prevalence, so the ends are exact (Ratigan & Cowen, Lemma 65). Measures take t
        as uniform between them; a decision takes each quantity as uniform on its own range, and prices in the unit of the costs.

        Parameters
        ----------
        cost_fp, cost_fn, prevalence : float or (low, high)
            Cost of a false alarm and of a miss, in any unit, and the share of positives where the model will be used.
        cost_tp, cost_tn : float or (low, high)
            Cost of a catch and of a correct rejection; negative when it is a gain.

        Examples
        --------
        >>> ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=0.02)
        <Conditions: a miss costs 5–20 false alarms, 2 % positive: t in 0.71–0.91>
        """
        given = dict(zip(NAMES, (cost_fp, cost_fn, prevalence, cost_tp, cost_tn), strict=True))
        pairs = {name: _range_of(value, name) for name, value in given.items()}
        (fp_low, fp_high), (fn_low, fn_high), (p_low, p_high), (tp_low, tp_high), (tn_low, tn_high) = pairs.values()
        low = Condition(fp_low, fn_high, p_high, cost_tp=tp_low, cost_tn=tn_high).t
        high = Condition(fp_high, fn_low, p_low, cost_tp=tp_high, cost_tn=tn_low).t
        ranges = _net_ranges(pairs)
        text = f"{_miss_text(ranges)}, {span_text(p_low, p_high, scale=100)} % positive: t in {span_text(low, high)}"
        return cls(_between(low, high), text, ranges, {name: Even(*pair) for name, pair in pairs.items()})

    @classmethod
    def beta(cls, a: float, b: float) -> Conditions:
        """Return a Beta(a, b) density on t; if a > b, false alarms carry more of the cost."""
        for name, value in (("a", a), ("b", b)):
            checks.positive(value, name, error=ConditionError)
        a, b = float(a), float(b)
        return cls(Beta(a, b), f"Beta({a:g}, {b:g}): t in 0–1")

    @classmethod
    def from_distribution(cls, dist: Any) -> Conditions:
        """Return conditions whose t follows any frozen, continuous `scipy.stats` distribution on [0, 1]."""
        checks.distribution(dist, "dist", ("pdf", "cdf", "sf", "ppf", "support"), f"{_EXAMPLE}, and continuous")
        low, high = (float(v) for v in dist.support())
        if low < 0 or high > 1:
            outside = float(dist.cdf(0.0) + dist.sf(1.0))
            # Ends given as (0 - mean)/deviation miss 0 and 1 by the rounding of a quotient.
            if outside > 0 and (low < -4 * _EPS or high > 1 + 4 * _EPS):
                raise ConditionError(
                    f"dist has mass outside [0, 1]: {outside:.3g} of it (support {low:g} to {high:g}); "
                    "truncate or rescale it"
                )
            low, high = max(low, 0.0), min(high, 1.0)
        text = f"{getattr(getattr(dist, 'dist', None), 'name', 'distribution')}: t in {span_text(low, high)}"
        return cls(Continuous(dist.cdf, dist.ppf, low, high), text)

    @classmethod
    def from_beliefs(
        cls,
        *,
        cost_fp: Any = 1.0,
        cost_fn: Any = 1.0,
        prevalence: Any = 0.5,
        cost_tp: Any = 0.0,
        cost_tn: Any = 0.0,
        size: int = 10_000,
        rng: int | np.random.Generator | None = None,
    ) -> Conditions:
        """Return the distribution of t that follows from independent beliefs about costs and prevalence.

        Each belief is a number, a pair (low, high) meaning uniform, or a frozen `scipy.stats` distribution.
        If only one error cost or only the prevalence is uncertain, the density of t is exact (t is monotone in each of them).
        Otherwise it is a sample of `size` draws; the seed is 0 unless `rng` is given, so the same call gives the same numbers.

        Examples
        --------
        >>> from scipy import stats
        >>> over = ic.Conditions.from_beliefs(cost_fn=stats.lognorm(s=0.5, scale=10), prevalence=0.02)
        >>> round(over.mean, 3)
        0.819
        """
        given = dict(zip(NAMES, (cost_fp, cost_fn, prevalence, cost_tp, cost_tn), strict=True))
        ranges = {name: _range_of(value, name) for name, value in given.items()}
        net = _net_ranges(ranges)
        beliefs = {
            name: value if hasattr(value, "rvs") else Even(*ranges[name])
            for name, value in given.items()
            if hasattr(value, "rvs") or ranges[name][0] < ranges[name][1]
        }
        if not beliefs:
            return cls.of(Condition(**{name: low for name, (low, _) in ranges.items()}))
        size = checks.whole(size, "size", low=1, error=ConditionError)
        seed = 0 if rng is None else rng if isinstance(rng, np.random.Generator) else checks.whole(rng, "rng", low=0)
        generator = np.random.default_rng(seed)
        draws = {name: np.asarray(held.rvs(size=size, random_state=generator)) for name, held in beliefs.items()}
        quantities = {
            name: _quantity(beliefs[name], draws[name]) if name in beliefs else Even(*ranges[name]) for name in NAMES
        }
        text = f"beliefs about {', '.join(beliefs)}"
        density = _pushed(beliefs, quantities)
        if density is None:
            density = _sampled(quantities, draws, size)
            text += f" ({size} draws)"
        return cls(density, f"{text}: t in {span_text(density.low, density.high)}", net, quantities)

    @classmethod
    def of(cls, condition: Conditions | Condition | None) -> Conditions:
        """Return what `condition=` stands for: None means every t equally likely, a Condition means that one condition."""
        if condition is None:
            return _anything()
        if isinstance(condition, Condition):
            quantities: dict[str, Quantity] = {name: Even(*[getattr(condition, name)] * 2) for name in NAMES}
            ranges = _net_ranges({name: (quantity.low, quantity.high) for name, quantity in quantities.items()})
            return cls(_between(condition.t, condition.t), str(condition), ranges, quantities)
        if isinstance(condition, Conditions):
            return condition
        raise ConditionError(
            f"condition must be a Condition or Conditions, or None for all, got {condition!r:.80}; "
            "for a range of t use Conditions.uniform(t=(low, high))"
        )

    def __str__(self) -> str:
        """Return the conditions in words."""
        return self.text

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"low": self.low, "mean": self.mean, "high": self.high}

    def _shown(self) -> dict[str, Any]:
        span = {"lowest t": self.low, "mean t": self.mean, "highest t": self.high}
        return span if self.ranges is None else span | self.ranges

    def __repr__(self) -> str:
        """Return the conditions in words."""
        return f"<Conditions: {self.text}>"


def _between(low: float, high: float) -> Density:
    """Return every t of a range equally likely; a range of no width is one certain condition."""
    return Atoms(np.array([low]), np.ones(1)) if low == high else Uniform(low, high)


def _miss_text(ranges: dict[str, Range]) -> str:
    (fp_low, fp_high), (fn_low, fn_high) = ranges["cost_fp"], ranges["cost_fn"]
    if (fp_low, fn_low) == (fp_high, fn_high):
        return ratio_text(fp_low, fn_low)
    if fp_low == 0:
        return f"a false alarm costs {span_text(fp_low, fp_high)}, a miss {span_text(fn_low, fn_high)}"
    return f"a miss costs {span_text(fn_low / fp_high, fn_high / fp_low)} false alarms"


@cache
def _anything() -> Conditions:
    """Return what no `condition=` means; made once, because small curves are measured in less time than it takes."""
    return Conditions.uniform()


def at_means(condition: Any) -> Condition:
    """Return a condition in the unit of the costs: itself, or that at the mean costs and the mean prevalence."""
    if isinstance(condition, Condition):
        return condition
    otherwise = f"these conditions ({condition}) do not say what errors cost: use Conditions.from_costs or Conditions.from_beliefs"
    return checks.needed(Conditions.of(condition).means, otherwise, error=ConditionError)


class Spans(Result):
    """What every result with a `t_low` and a `t_high` can say about that range."""

    t_low: float
    t_high: float

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"pcf_low": self.pcf_low, "pcf_high": self.pcf_high}

    @property
    def pcf_low(self) -> float:
        """Lowest pcf = 1 - t of the range."""
        return 1 - self.t_high

    @property
    def pcf_high(self) -> float:
        """Highest pcf = 1 - t of the range."""
        return 1 - self.t_low

    def cost_ratio(self, prevalence: float) -> Pair:
        """Return the lowest and highest cost_fn/cost_fp of the range when `prevalence` of the cases are positive.

        (1-t)/t · (1-prevalence)/prevalence: how many false alarms one miss costs. 0 and inf stand for t = 1 and t = 0.
        """
        pi = checks.inner_rate(prevalence, "prevalence")
        low, high = (math.inf if t == 0 else (1 - t) / t * (1 - pi) / pi for t in (self.t_high, self.t_low))
        return low, high

    def prevalence(self, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Pair:
        """Return the lowest and highest prevalence of the range when errors cost `cost_fp` and `cost_fn`."""
        costs = Condition(cost_fp, cost_fn, 0.5)
        if costs.fp_gap == 0 or costs.fn_gap == 0:
            raise ConditionError(
                f"a prevalence needs both errors to cost something, got cost_fp={costs.fp_gap:g}, cost_fn={costs.fn_gap:g}"
            )
        a, b = costs.fp_gap, costs.fn_gap
        low, high = (a * (1 - t) / (a * (1 - t) + b * t) for t in (self.t_high, self.t_low))
        return low, high


@dataclass(frozen=True)
class TRange(Spans):
    """Conditions from `t_low` to `t_high`.

    Attributes
    ----------
    t_low, t_high : float

    Examples
    --------
    >>> from isocost.compare import TRange
    >>> span = TRange(0.25, 0.5)
    >>> span.pcf_low, span.pcf_high
    (0.5, 0.75)
    >>> span.cost_ratio(prevalence=0.5)
    (1.0, 3.0)
    >>> span.prevalence(cost_fp=1, cost_fn=3)
    (0.25, 0.5)
    """

    t_low: float
    t_high: float

    def __contains__(self, t: object) -> bool:
        """Return whether t lies in the range, ends included."""
        return isinstance(t, int | float) and self.t_low <= t <= self.t_high


def narrowed(condition: Conditions, name: str, at: float) -> tuple[Conditions, Conditions]:
    """Return the conditions given that a quantity is below a value, and given that it is at least that."""
    held = condition.quantities or {}
    typed = {other: _typed(quantity) for other, quantity in held.items()}
    quantity = held[name]
    low, high = quantity.support()
    if isinstance(quantity, Believed):
        parts: list[Any] = [Truncated(quantity.belief, low, at), Truncated(quantity.belief, at, high)]
    elif isinstance(quantity, Drawn):
        first = int(np.searchsorted(quantity.values, at, side="left"))
        sides = np.split(quantity.values, [first])
        parts = [values[0] if values[0] == values[-1] else Drawn(values) for values in sides]
    else:
        parts = [(low, at), (at, high)]
    less, more = (Conditions.of(stated(typed | {name: part})) for part in parts)
    return less, more


def _typed(quantity: Quantity) -> Any:
    """Return what `from_costs` and `from_beliefs` take for a quantity."""
    if isinstance(quantity, Even):
        return quantity.low if quantity.low == quantity.high else (quantity.low, quantity.high)
    return quantity.belief if isinstance(quantity, Believed) else quantity


GRAMMAR = "a number, LOW:HIGH, lognormal(median, sigma), normal(mean, sd), beta(a, b), triangular(low, mode, high) or uniform(low, high)"
_CALL = re.compile(r"\s*([a-z]+)\s*\(([^()]*)\)\s*", re.ASCII)
# A normal belief that reaches further beyond what is possible is another belief.
_MOST_CUT = 0.01


def stated(values: Mapping[str, Any]) -> Condition | Conditions:
    """Return the condition of costs and a prevalence, each a number, a pair or a distribution; or of `pcf`, a number or a pair."""
    if (pcf := values.get("pcf")) is not None:
        return Conditions.uniform(pcf=pcf) if isinstance(pcf, tuple) else Conditions.from_t(1 - pcf)
    if any(hasattr(value, "rvs") for value in values.values()):
        return Conditions.from_beliefs(**values)
    if any(isinstance(value, tuple) for value in values.values()):
        return Conditions.from_costs(**values)
    return Condition(**values)


def belief_typed(text: str, *, low: float, high: float, number: Callable[[str], float] = float) -> Any:
    """Return the number, the pair or the distribution that a text stands for; nothing in it is evaluated."""
    call = _CALL.fullmatch(text)
    try:
        parts = tuple(number(part) for part in (text.split(":") if call is None else call[2].split(",")))
    except ValueError:
        parts = ()
    if call is None and 1 <= len(parts) <= 2:
        return parts[0] if len(parts) == 1 else parts
    from scipy import stats

    # Of each form how many numbers it takes, whether these can be meant, and what they make.
    forms: dict[str, tuple[int, Callable[..., bool], Callable[..., Any]]] = {
        "lognormal": (2, lambda median, sd: median > 0 and sd > 0, lambda median, sd: stats.lognorm(s=sd, scale=median)),
        "normal": (2, lambda _, sd: sd > 0, lambda mean, sd: _cut_normal(mean, sd, low, high)),
        "beta": (2, lambda a, b: a > 0 and b > 0, stats.beta),
        "triangular": (3, lambda a, mode, b: a <= mode <= b and a < b, lambda a, m, b: stats.triang((m - a) / (b - a), a, b - a)),
        "uniform": (2, lambda a, b: a < b, lambda a, b: (a, b)),
    }  # fmt: skip
    count, possible, make = forms.get("" if call is None else call[1], (0, bool, tuple))
    if not count or len(parts) != count:
        raise ConditionError(f"{text!r} is not {GRAMMAR}")
    if not possible(*parts):
        raise ConditionError(
            f"{text!r} is no distribution: what spreads must be positive, and ends must ascend; use {GRAMMAR}"
        )
    return make(*parts)


def _cut_normal(mean: float, sd: float, low: float, high: float) -> Any:
    from scipy import stats

    cut = float(stats.norm.cdf(low, mean, sd) + stats.norm.sf(high, mean, sd))
    if cut > _MOST_CUT:
        raise ConditionError(
            f"normal({mean:g}, {sd:g}) lies beyond {low:g} to {high:g} with {100 * cut:.2g} %: use lognormal, beta or triangular instead"
        )
    return stats.truncnorm((low - mean) / sd, (high - mean) / sd, loc=mean, scale=sd)


def share_typed(text: str) -> float:
    """Return the share that a text such as "0.3", "30%" or "30 %" stands for, or raise ValueError."""
    number, percent, rest = text.strip().partition("%")
    if not percent:
        return float(number)
    if rest:
        raise ValueError
    try:
        return float(Decimal(number.strip()) / 100)  # the nearest to what was typed, as if typed without the mark
    except ArithmeticError as error:
        raise ValueError from error

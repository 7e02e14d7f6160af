"""Cost space: every operating point is a line, every way of choosing thresholds is a curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.conditions import Atoms, Condition, Conditions, Kind
from isocost.curves.roc import ContinuousRocCurve, RocCurve, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.results import Columns, Drawn

Axis = Literal["pcf", "cost_proportion"]
AXES: tuple[Axis, ...] = ("pcf", "cost_proportion")


def turned(values: Floats, axis: Axis, prevalence: float | None) -> Floats:
    """Return t at each x of the axis, or x at each t: the map is its own inverse, and falls."""
    if axis == "pcf" or prevalence is None:
        return 1 - values
    fp, fn = (1 - values) * (1 - prevalence), values * prevalence
    return np.asarray(fp / (fp + fn))


def roots_of(breaks: Floats, left: Floats, right: Floats, bend: Floats) -> Floats:
    """Return, ascending, the isolated x at which the pieces are 0 or jump across 0; see `CostCurve` for what they are."""
    inner = inner_roots(breaks[:-1], np.diff(breaks), left, right, bend)
    quadratic = bend != 0
    before, after = right[:-1], left[1:]
    crossing = (before == 0) | (after == 0) | (np.sign(before) * np.sign(after) < 0)
    # Inside a stretch of zeros nothing changes.
    flat = (left == 0) & (right == 0) & ~quadratic
    crossing &= ~(flat[:-1] & flat[1:])
    ends = [x for x, value, dull in ((0.0, left[0], flat[0]), (1.0, right[-1], flat[-1])) if value == 0 and not dull]
    return np.unique(np.concatenate([inner, breaks[1:-1][crossing], ends]))


def inner_roots(start: Floats, width: Floats, left: Floats, right: Floats, bend: Floats) -> Floats:
    """Return the x strictly inside pieces at which they are 0, in no order; pieces need not lie side by side."""
    slope, c = right - left + 4 * bend, left
    quadratic = bend != 0
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [np.where(quadratic, np.nan, -c / slope)]
        # c + slope·u - 4·bend·u² = 0, by the formula that does not cancel.
        disc = np.sqrt(slope**2 + 16 * bend * c)
        q = (slope + np.copysign(disc, slope)) / 2
        found += [np.where(quadratic, q / (4 * bend), np.nan), np.where(quadratic, -c / q, np.nan)]
    return np.concatenate([start[ok] + width[ok] * u[ok] for u in found for ok in [(u > 0) & (u < 1)]])


_BLOCK = 16384
_POWERS: tuple[Kind, ...] = ("1", "t", "t^2")


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Drawn):
    """Cost as a function of the operating condition: polynomials of degree ≤ 2 between exact breaks, jumps allowed.

    On piece i, with u = (x - breaks[i]) / (breaks[i+1] - breaks[i]), the value is
    left + (right - left)·u + 4·bend·u·(1 - u): the two end values and how far the middle lies above their chord.

    Attributes
    ----------
    breaks : ndarray of shape (m + 1,)
        Ascending, from 0 to 1; pieces have positive width.
    axis : {"pcf", "cost_proportion"}
        What x is. On "pcf" the value is the normalised cost t·fpr + (1-t)(1-tpr), t = 1 - x. On "cost_proportion", with the
        prevalence π fixed, it is 2·[(1-x)(1-π)·fpr + x·π·(1-tpr)], the scale of Hernández-Orallo, Flach & Ferri (2013).
    prevalence : float or None
        π on the cost_proportion axis.
    name : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.cost_curve(ic.RocCurve.from_points([0.3], [0.7]))
    >>> round(curve.area(), 6), curve([0.2, 0.5]).round(6).tolist()
    (0.21, [0.2, 0.3])
    >>> low, high = curve.operating_range
    >>> round(low, 6), round(high, 6)
    (0.3, 0.7)
    """

    def _display_name(self) -> str:
        return "DifferenceDisplay" if (self.name or "").count(" − ") == 1 else "CostDisplay"

    breaks: Floats
    _left: Floats
    _right: Floats
    _bend: Floats
    axis: Axis = "pcf"
    prevalence: float | None = None
    name: str | None = None

    @classmethod
    def from_values(
        cls, breaks: ArrayLike, left: ArrayLike, right: ArrayLike, bend: ArrayLike | None = None, **about: Any
    ) -> CostCurve:
        """Return the curve with the given pieces; pieces without width are left out."""
        b, lo, hi = (checks.reals(v, n) for v, n in ((breaks, "breaks"), (left, "left"), (right, "right")))
        mid = np.zeros_like(lo) if bend is None else checks.reals(bend, "bend")
        _check_pieces(b, left=lo, right=hi, bend=mid)
        wide = np.diff(b) > 0
        if wide.all():
            return cls(b, lo, hi, mid, **about)
        return cls(np.concatenate([b[:1], b[1:][wide]]), lo[wide], hi[wide], mid[wide], **about)

    @classmethod
    def from_lines(cls, breaks: ArrayLike, at_0: ArrayLike, at_1: ArrayLike, **about: Any) -> CostCurve:
        """Return the curve that follows, on each piece, the line with the given values at x = 0 and x = 1."""
        b, start, end = (checks.reals(v, n) for v, n in ((breaks, "breaks"), (at_0, "at_0"), (at_1, "at_1")))
        _check_pieces(b, at_0=start, at_1=end)
        at = [start * (1 - x) + end * x for x in (b[:-1], b[1:])]
        return cls.from_values(b, at[0], at[1], **about)

    @property
    def _degree(self) -> int:
        """0, 1 or 2: the highest degree of any piece."""
        if np.any(self._bend != 0):
            return 2
        return int(np.any(self._left != self._right))

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The line to draw where no piece is bent: x and cost at both ends of every piece, in order."""
        return np.repeat(self.breaks, 2)[1:-1], np.column_stack([self._left, self._right]).ravel()

    def __call__(self, x: ArrayLike) -> Floats:
        """Return the cost at x in [0, 1]; at a jump, the value to the right of it (to the left at x = 1)."""
        x = checks.rates(x, f"x ({self.axis})")
        piece = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, self._left.size - 1)
        return self._evaluate(x, piece)

    def _evaluate(self, x: Floats, piece: Any) -> Floats:
        if x.ndim == 1 and x.size > _BLOCK:
            # In blocks that stay in the cache: memory costs more than arithmetic.
            parts = (slice(i, i + _BLOCK) for i in range(0, x.size, _BLOCK))
            return np.concatenate([self._evaluate(x[part], piece[part]) for part in parts])
        start = self.breaks[piece]
        u = (x - start) / (self.breaks[piece + 1] - start)
        lo, hi = self._left[piece], self._right[piece]
        # (1-u)·lo + u·hi meets both end values exactly.
        return np.asarray((1 - u) * lo + u * hi + 4 * self._bend[piece] * u * (1 - u))

    def area(self, low: float = 0.0, high: float = 1.0) -> float:
        """Return the integral over x from low to high; over the whole axis, the mean cost when every x is equally likely."""
        low, high = checks.interval((low, high), "area", error=InputError)
        whole = low <= self.breaks[0] and high >= self.breaks[-1]
        part = self if whole else self.restricted(low, high)
        return float(np.diff(part.breaks) @ ((part._left + part._right) / 2 + part._bend * (2 / 3)))

    def restricted(self, low: float, high: float) -> CostCurve:
        """Return the part of the curve on [low, high]; it has no pieces when low = high."""
        low, high = checks.interval((low, high), "the part of the curve", error=InputError)
        cut = self._cut_at(np.array([low, high]))
        i, j = np.searchsorted(cut.breaks, [low, high])
        return replace(
            cut, breaks=cut.breaks[i : j + 1], _left=cut._left[i:j], _right=cut._right[i:j], _bend=cut._bend[i:j]
        )

    def _cut_at(self, x: Floats) -> CostCurve:
        """Return the same curve with breaks also at x, which ascends."""
        place = np.searchsorted(self.breaks, x)
        new = (place > 0) & (place < self.breaks.size)
        new[new] = self.breaks[place[new]] != x[new]
        if not new.any():
            return self
        x, place = x[new], place[new]
        # Inside a piece the curve has one value, the end of what is left of x and the start of what is right.
        value = self._evaluate(x, place - 1)
        at = place + np.arange(place.size)
        breaks, left = _merged(self.breaks, x, at), _merged(self._left, value, at)
        right = _merged(self._right, value, at - 1)
        bend = np.zeros(left.size)
        if self._bend.any():
            width = np.diff(self.breaks)
            share = np.diff(breaks) / _merged(width, width[place - 1], at)
            bend = _merged(self._bend, self._bend[place - 1], at) * share**2
        return replace(self, breaks=breaks, _left=left, _right=right, _bend=bend)

    def expectation(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean of the curve's value over a distribution of conditions."""
        condition = Conditions.of(condition)
        # Where x falls as t grows, pieces and their moments are taken in ascending t.
        edges = self._turned(self.breaks)[::-1]
        if self.axis == "pcf" and not isinstance(condition.density, Atoms):
            moments = [condition.density.moments(edges, kind)[::-1] for kind in _POWERS]
            return self._mean((1 - self.breaks[:-1]) / np.diff(self.breaks), -1 / np.diff(self.breaks), moments)
        return condition.density.expect(lambda t: self(self._turned(t)), edges)

    def mean_normalised_cost(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean over conditions of the normalised cost t·fpr + (1-t)(1-tpr), whichever axis the curve is on."""
        if self.axis == "pcf":
            return self.expectation(condition)
        if self._degree < 2:
            return self._on_axis("pcf").expectation(condition)
        return Conditions.of(condition).density.expect(self._normalised_at, self._turned(self.breaks)[::-1])

    def _normalised_at(self, t: Floats) -> Floats:
        """Return the normalised cost at t of a curve on the cost_proportion axis, even where x rounds to 0 or 1."""
        pi = self._pi
        fn, fp = (1 - t) * (1 - pi), t * pi
        x, rest = fn / (fn + fp), fp / (fn + fp)
        piece = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, self._left.size - 1)
        start, end = self.breaks[piece], self.breaks[piece + 1]
        # The share of the piece passed, and that left: the one measured from the nearer end of the axis is accurate.
        near = x <= 0.5
        u = np.where(near, x - start, rest - (1 - end)) / (end - start)
        u, v = np.where(near, u, 1 - u), np.where(near, 1 - u, u)
        value = v * self._left[piece] + u * self._right[piece] + 4 * self._bend[piece] * u * v
        return np.asarray(value * (fn + fp) / (2 * pi * (1 - pi)))

    def _warped_area(self, distribution: Any) -> float:
        """Return the mean of the curve over a distribution of x itself: the area after the x axis is warped by it.

        On a rate-driven or Kendall curve x is also the rate of cases flagged: "20 % inspected is likelier than 30 %" is such
        a distribution. With the uniform one it is `area()`. For a distribution of conditions see `expectation`.

        Parameters
        ----------
        distribution : frozen `scipy.stats` distribution
            Continuous, on [0, 1].

        Examples
        --------
        >>> import isocost as ic
        >>> from scipy import stats
        >>> curve = ic.curves.kendall_curve(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]))
        >>> round(curve._warped_area(stats.beta(2, 8)), 4), round(curve.area(), 4)
        (0.0098, 0.08)
        """
        density = Conditions.from_distribution(distribution).density
        moments = [density.moments(self.breaks, kind) for kind in _POWERS]
        return self._mean(-self.breaks[:-1] / np.diff(self.breaks), 1 / np.diff(self.breaks), moments)

    def _mean(self, p: Floats, q: Floats, moments: Sequence[Floats]) -> float:
        """Return the mean over a variable v with the given moments 1, v, v² on each piece, where u = p + q·v."""
        m0, m1, m2 = moments
        u1 = p * m0 + q * m1
        u2 = p * p * m0 + 2 * p * q * m1 + q * q * m2
        return float(np.sum(self._left * m0 + (self._right - self._left) * u1 + 4 * self._bend * (u1 - u2)))

    def _x_at(self, condition: Condition) -> float:
        """Return where a condition lies on the curve's axis: the x with the same t."""
        return condition.pcf if self.axis == "pcf" else float(self._turned(np.asarray(condition.t)))

    def _turned(self, values: Floats) -> Floats:
        return turned(values, self.axis, self.prevalence)

    @property
    def _pi(self) -> float:
        assert self.prevalence is not None  # noqa: S101 - the constructors of this axis set it
        return self.prevalence

    @cached_property
    def minimum(self) -> float:
        """The lowest value anywhere."""
        return float(min(self._extremes(np.minimum)))

    @cached_property
    def maximum(self) -> float:
        """The highest value anywhere."""
        return float(max(self._extremes(np.maximum)))

    def _extremes(self, pick: Callable[[Floats, Floats], Floats]) -> Floats:
        ends = pick(self._left, self._right)
        with np.errstate(divide="ignore", invalid="ignore"):
            top = 0.5 + (self._right - self._left) / (8 * self._bend)
        inside = (top > 0) & (top < 1)
        u = np.where(inside, top, 0.0)
        peak = self._left + (self._right - self._left) * u + 4 * self._bend * u * (1 - u)
        return np.where(inside, pick(ends, peak), ends)

    def _combined(self, other: CostCurve, sign: float) -> CostCurve:
        if not isinstance(other, CostCurve):
            return NotImplemented
        if (self.axis, self.prevalence) != (other.axis, other.prevalence):
            raise InputError(
                f"curves on different axes cannot be combined: {self.axis} (prevalence {self.prevalence}) "
                f"and {other.axis} (prevalence {other.prevalence})"
            )
        a, b = self._cut_at(other.breaks), other._cut_at(self.breaks)
        return CostCurve(
            a.breaks,
            a._left + sign * b._left,
            a._right + sign * b._right,
            a._bend + sign * b._bend,
            self.axis,
            self.prevalence,
        )

    def __sub__(self, other: CostCurve) -> CostCurve:
        """Return the difference, exact on the union of the breaks."""
        return self._combined(other, -1.0)

    def __add__(self, other: CostCurve) -> CostCurve:
        """Return the sum, exact on the union of the breaks."""
        return self._combined(other, 1.0)

    def __mul__(self, factor: float) -> CostCurve:
        """Return the curve scaled by a number."""
        f = checks.number(factor, "factor")
        left, right, bend = (part * f for part in (self._left, self._right, self._bend))
        return CostCurve(self.breaks, left, right, bend, self.axis, self.prevalence, self.name)

    __rmul__ = __mul__

    @classmethod
    def mean(cls, curves: Iterable[CostCurve]) -> CostCurve:
        """Return the pointwise mean of curves on one axis."""
        try:
            curves = [*curves]
        except TypeError:
            raise InputError(f"curves must be a list of CostCurve, got {type(curves).__name__}") from None
        if not curves:
            raise InputError("the mean of no curves is not defined: pass at least one")
        for kind in map(type, curves):
            if not issubclass(kind, CostCurve):
                raise InputError(f"curves must hold CostCurve, got {kind.__name__}; make them with cost_curve")
        return reduce(lambda a, b: a + b, curves) * (1 / len(curves))

    def roots(self) -> Floats:
        """Return, ascending, the isolated x at which the curve is 0 or jumps across 0.

        Where it is 0 along a whole stretch, the two ends of the stretch count, if they lie inside (0, 1).
        """
        return roots_of(self.breaks, self._left, self._right, self._bend)

    @property
    def operating_ranges(self) -> list[tuple[float, float]]:
        """The intervals of x on which the curve is strictly below both trivial classifiers."""
        gap = self - trivial_curve(self.axis, self.prevalence)
        gap = gap._snapped()
        cuts = np.union1d(gap.roots(), [0.0, 1.0])
        below = gap((cuts[:-1] + cuts[1:]) / 2) < 0
        return [(low, high) for low, high in zip(cuts[:-1][below].tolist(), cuts[1:][below].tolist(), strict=True)]

    def _snapped(self) -> CostCurve:
        """Return the curve with values that are 0 up to the rounding of a difference set to 0."""
        tiny = 4 * np.finfo(np.float64).eps
        left, right, bend = (np.where(np.abs(v) < tiny, 0.0, v) for v in (self._left, self._right, self._bend))
        return replace(self, _left=left, _right=right, _bend=bend)

    @property
    def operating_range(self) -> tuple[float, float] | None:
        """From the lowest to the highest x at which the curve beats both trivial classifiers; None if it never does."""
        ranges = self.operating_ranges
        return (ranges[0][0], ranges[-1][1]) if ranges else None

    def _on_axis(self, axis: Axis, *, prevalence: float | None = None) -> CostCurve:
        """Return the same costs on the other axis, exactly; only for curves made of straight lines.

        With z = pcf, c = cost_proportion and π the prevalence: z = cπ/(cπ + (1-c)(1-π)) and
        value(c) = 2·(cπ + (1-c)(1-π))·value(z): lines stay lines.
        """
        checks.choice(axis, "axis", AXES)
        if axis == self.axis:
            return self
        if self._degree == 2:
            raise InputError(
                "a curve with quadratic pieces has no polynomial form on the other axis; build it there with cost_curve(axis=)"
            )
        if axis == "cost_proportion":
            if prevalence is None:
                raise InputError("the cost_proportion axis needs a prevalence: pass prevalence=")
            pi = checks.number(prevalence, "prevalence", low=0.0, high=1.0)
            if not 0 < pi < 1:
                raise InputError(f"prevalence must lie strictly between 0 and 1 on this axis, got {pi}")
            z = self.breaks
            c = (1 - pi) * z / ((1 - pi) * z + pi * (1 - z))
            scale = 2 * (c * pi + (1 - c) * (1 - pi))
            about: dict[str, Any] = {"axis": axis, "prevalence": pi}
        else:
            c, pi = self.breaks, self._pi
            weight = c * pi + (1 - c) * (1 - pi)
            c, scale = c * pi / weight, 1 / (2 * weight)
            about = {"axis": axis}
        return CostCurve.from_values(c, self._left * scale[:-1], self._right * scale[1:], name=self.name, **about)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"left": self._left, "right": self._right, "bend": self._bend}

    def _columns(self) -> Columns:
        pieces = {f"{self.axis}_low": self.breaks[:-1], f"{self.axis}_high": self.breaks[1:]}
        return pieces | {"left": self._left, "right": self._right, "bend": self._bend}

    def _shown(self) -> dict[str, Any]:
        breaks = {"breaks": self.breaks, "value there": self(self.breaks)}
        return breaks | {"lowest": self.minimum, "highest": self.maximum, "area": self.area()}

    def __repr__(self) -> str:
        """Say what the curve is."""
        title, n = "CostCurve" if self.name is None else f"CostCurve {self.name!r}", self._left.size
        return f"<{title}: {n} piece{'s' * (n != 1)} of degree ≤ {self._degree} on {self.axis}, area {self.area():.4g}>"


def _merged(old: Floats, new: Floats, at: NDArray[np.intp]) -> Floats:
    """Return `old` with the values `new` put in so that they end up at the indices `at`."""
    result = np.empty(old.size + new.size)
    kept = np.ones(result.size, dtype=np.bool_)
    kept[at] = False
    result[at], result[kept] = new, old
    return result


def trivial_curve(axis: Axis = "pcf", prevalence: float | None = None) -> CostCurve:
    """Return the cost of the cheaper trivial classifier at each x."""
    if axis == "pcf":
        return CostCurve.from_lines([0.0, 0.5, 1.0], [0.0, 1.0], [1.0, 0.0], name="trivial classifiers")
    pi = 0.5 if prevalence is None else prevalence
    return CostCurve.from_lines(
        [0.0, 1 - pi, 1.0], [0.0, 2 * (1 - pi)], [2 * pi, 0.0], axis=axis, prevalence=pi, name="trivial classifiers"
    )


def _check_pieces(breaks: Floats, **columns: Floats) -> None:
    """Raise unless breaks ascend and every column has a value for each piece between them."""
    if breaks.ndim != 1 or breaks.size < 2 or np.any(breaks[1:] < breaks[:-1]):
        raise InputError(f"breaks must be two or more ascending numbers, got shape {breaks.shape}")
    for name, column in columns.items():
        if column.shape != (breaks.size - 1,):
            raise InputError(f"{name} needs one value for each of {breaks.size - 1} pieces, got shape {column.shape}")


def envelope(curve: RocCurve, *, axis: Axis = "pcf", prevalence: float | None = None) -> CostCurve:
    """Return the cheapest cost at each x, trivial classifiers included: one line per hull vertex."""
    hull = curve.hull
    # From (0, 0), cheapest at t = 1, that is pcf = 0, to (1, 1).
    breaks = np.concatenate([[0.0], (1 - curve.switches)[::-1], [1.0]])
    result = CostCurve.from_lines(breaks, hull.fpr, 1 - hull.tpr, name=curve.name)
    return result if axis == "pcf" else result._on_axis(axis, prevalence=curve._prevalence_or(prevalence))


def line(
    fpr: float, tpr: float, *, axis: Axis = "pcf", prevalence: float | None = None, name: str | None = None
) -> CostCurve:
    """Return the cost line of one operating point."""
    if axis == "pcf":
        return CostCurve.from_lines([0.0, 1.0], [fpr], [1 - tpr], name=name)
    pi = 0.5 if prevalence is None else prevalence
    return CostCurve.from_lines(
        [0.0, 1.0], [2 * (1 - pi) * fpr], [2 * pi * (1 - tpr)], axis=axis, prevalence=pi, name=name
    )


@dataclass(frozen=True, eq=False)
class Shares:
    """Flagged cases, false alarms and misses at each point of a curve, as shares of all cases at prevalence π.

    On the cost_proportion axis the cost of a point is 2·[(1-x)·false_alarms + x·misses]; the pcf axis is the same with π = ½.
    At the data's own prevalence the shares are quotients of counts, with no rounding before the division.
    """

    curve: RocCurve
    axis: Axis
    prevalence: float
    own: bool

    @classmethod
    def of(cls, curve: RocCurve, axis: Axis, prevalence: float | None) -> Shares:
        """Return the shares of a curve on an axis; the prevalence is part of x on the pcf axis and has no effect there."""
        if axis == "pcf":
            if prevalence is not None:
                checks.number(prevalence, "prevalence", low=0.0, high=1.0)
            return cls(curve, axis, 0.5, own=False)
        pi = checks.inner_rate(curve._prevalence_or(prevalence), "prevalence")
        return cls(curve, axis, pi, own=prevalence is None)

    @property
    def about(self) -> dict[str, Any]:
        """Axis, prevalence and name, as a `CostCurve` wants them."""
        pi = None if self.axis == "pcf" else self.prevalence
        return {"axis": self.axis, "prevalence": pi, "name": self.curve.name}

    @property
    def _cases(self) -> float:
        return float(self.curve.tp[-1] + self.curve.fp[-1])

    @cached_property
    def rate(self) -> Floats:
        """Share of all cases flagged: π·tpr + (1-π)·fpr."""
        c = self.curve
        if self.own:
            return np.asarray((c.tp + c.fp) / self._cases, dtype=np.float64)
        rate = self.prevalence * c.tpr + (1 - self.prevalence) * c.fpr
        rate[-1] = 1.0
        return np.asarray(rate)

    @cached_property
    def false_alarms(self) -> Floats:
        """Share of all cases that are negatives flagged: (1-π)·fpr."""
        c = self.curve
        share = c.fp / self._cases if self.own else (1 - self.prevalence) * c.fpr
        return np.asarray(share, dtype=np.float64)

    @cached_property
    def hits(self) -> Floats:
        """Share of all cases that are positives flagged: π·tpr."""
        c = self.curve
        share = c.tp / self._cases if self.own else self.prevalence * c.tpr
        return np.asarray(share, dtype=np.float64)

    @cached_property
    def misses(self) -> Floats:
        """Share of all cases that are positives not flagged: π·(1-tpr)."""
        c = self.curve
        share = (c.tp[-1] - c.tp) / self._cases if self.own else self.prevalence * (1 - c.tpr)
        return np.asarray(share, dtype=np.float64)

    def at(self, x: Floats, points: NDArray[np.intp]) -> Floats:
        """Return the cost of some points at the x of the same place."""
        return np.asarray(2 * ((1 - x) * self.false_alarms[points] + x * self.misses[points]))

    def line(self, false_alarms: float, misses: float) -> CostCurve:
        """Return the straight cost curve of constant shares."""
        return CostCurve.from_lines([0.0, 1.0], [2 * false_alarms], [2 * misses], **self.about)


def score_driven(curve: RocCurve, *, axis: Axis = "cost_proportion", prevalence: float | None = None) -> CostCurve:
    """Return the cost of flagging scores ≥ 1 - x: straight pieces that jump where x passes 1 - score."""
    shares = Shares.of(curve, axis, prevalence)
    breaks = np.concatenate([[0.0], 1 - probabilities_of(curve, "method='score_driven'"), [1.0]])
    return CostCurve.from_lines(breaks, 2 * shares.false_alarms, 2 * shares.misses, **shares.about)


def probabilities_of(curve: RocCurve, what: str) -> Floats:
    """Return the distinct scores of a curve, descending, if they can be read as probabilities, all of those in buckets too."""
    if isinstance(curve, ContinuousRocCurve):
        raise InputError(f"{what} needs the scores of cases: a curve of score distributions has none")
    scores = curve.thresholds[1:]
    if np.isnan(scores).any():
        raise InputError(f"{what} needs scores: the curve's points have no thresholds; build it with from_scores")
    if curve.upper is not None:
        checks.probabilities(curve.upper[1:], what)
    return checks.probabilities(scores, what)


@takes_curve()
def kendall_curve(curve: RocCurve, *, prevalence: float | None = None, axis: Axis = "cost_proportion") -> CostCurve:
    """Return the Kendall curve: the rate-driven cost beyond that of a perfect ranker; lower is better, 0 is a perfect ranking.

    2(1-π)·fpr where the share x of cases flagged is at most π, 2π(1-tpr) above: twice the share of cases that are false alarms,
    or misses, when the best-ranked x are flagged. Straight lines between the rates of consecutive points and π. Its area is
    2π(1-π)(1-AUC), the number of discordant pairs times 2/n². It is a difference of two cost curves, not the cost of a classifier.

    Parameters
    ----------
    curve : RocCurve
        A curve made from score distributions is drawn through its fine sample; its `kendall_loss` is exact.
    prevalence : float, optional
        π; the data's own by default.
    axis : {"cost_proportion", "pcf"}
        On pcf, π is ½ and x the mean of fpr and tpr.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Definition 3 and Theorem 2, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> kendall = ic.curves.kendall_curve(curve)
    >>> kendall(kendall.breaks).tolist(), round(kendall.area(), 6)
    ([0.0, 0.0, 0.0, 0.4, 0.0, 0.0], 0.08)
    """
    checks.choice(axis, "axis", AXES)
    shares = Shares.of(curve, axis, prevalence)
    curve._require_path()
    x, pi = shares.rate, shares.prevalence
    # The first point at or after rate π; the path is continued to π itself by a straight line.
    after = int(np.searchsorted(x, pi, side="left"))
    before = after - 1
    part = (pi - x[before]) / (x[after] - x[before])
    alarms, misses = shares.false_alarms, shares.misses
    at_pi = alarms[before] + part * (alarms[after] - alarms[before])
    breaks = np.concatenate([x[:after], [pi], x[after:]])
    value = 2 * np.concatenate([alarms[:after], [at_pi], misses[after:]])
    return CostCurve.from_values(breaks, value[:-1], value[1:], **shares.about)


Skull = Literal["rate_driven", "kendall"]
SKULLS: tuple[Skull, ...] = ("rate_driven", "kendall")


def _rates_reached(paid: Shares, chosen_on: RocCurve | None) -> tuple[Floats, NDArray[np.intp]]:
    """Return the shares of cases flagged at the thresholds of a curve, and the points of the curve to be paid for that have them."""
    paid.curve._require_path()
    if chosen_on is None:
        return paid.rate, np.arange(len(paid.curve))
    chosen_on._require_path()
    rate = Shares.of(chosen_on, paid.axis, paid.prevalence if paid.axis == "cost_proportion" else None).rate
    return rate, same_thresholds(paid.curve, chosen_on)


def rate_driven(
    curve: RocCurve,
    *,
    axis: Axis = "cost_proportion",
    prevalence: float | None = None,
    chosen_on: RocCurve | None = None,
) -> CostCurve:
    """Return the rate-driven cost curve: quadratic between the rates of consecutive points.

    With `chosen_on`, thresholds and mixing probabilities are those that reach the rate on that curve, and the cost is paid on
    `curve`.
    """
    paid = Shares.of(curve, axis, prevalence)
    x, points = _rates_reached(paid, chosen_on)
    value = paid.at(x, points)
    # Between two thresholds both x and the point move in proportion: their product bends the piece.
    bend = np.diff(x) * np.diff(paid.rate[points]) / 2
    return CostCurve.from_values(x, value[:-1], value[1:], bend, **paid.about)


def same_thresholds(curve: RocCurve, other: RocCurve) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return, for each point of `other`, the point of `curve` with that threshold; flagging no case or every case stays so."""
    if np.isnan(other.thresholds).any():
        raise InputError(
            "the points of thresholds_from have no thresholds: build it with from_scores, or from_points(thresholds=)"
        )
    points = curve._points_at(other.thresholds)
    points[0], points[-1] = 0, len(curve) - 1
    return points


def perfect_ranker_curve(*, axis: Axis = "cost_proportion", prevalence: float | None = None) -> CostCurve:
    """Return the rate-driven cost curve of a perfect ranker, which every rate-driven curve contains; area 1/3 - π(1-π).

    2c(π-c) up to c = π and 2(1-c)(c-π) above: 0 only where the share flagged is none, all, or that of the positives.

    Parameters
    ----------
    axis : {"cost_proportion", "pcf"}
    prevalence : float
        π; needed on the cost_proportion axis. On pcf it is ½.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), Lemma 1, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.curves.perfect_ranker_curve(prevalence=0.7)
    >>> curve([0, 0.35, 0.7, 0.85]).round(6).tolist(), round(curve.area(), 6)
    ([0.0, 0.245, 0.0, 0.045], 0.123333)
    """
    checks.choice(axis, "axis", AXES)
    if axis == "pcf":
        pi = 0.5
    elif prevalence is None:
        raise InputError("the cost_proportion axis needs a prevalence: pass prevalence=")
    else:
        pi = checks.number(prevalence, "prevalence", low=0.0, high=1.0)
    breaks = np.array([0.0, pi, 1.0])
    return CostCurve.from_values(
        breaks, [0.0, 0.0], [0.0, 0.0], np.diff(breaks) ** 2 / 2,
        axis=axis, prevalence=None if axis == "pcf" else pi, name="perfect ranker",
    )  # fmt: skip


@takes_curve()
def convex_skull(
    curve: RocCurve, *, of: Skull = "rate_driven", axis: Axis = "cost_proportion", prevalence: float | None = None
) -> CostCurve:
    """Return the convex skull: the rate-driven (or Kendall) curve of the ROC hull; lower is better.

    It is to the hull what the rate-driven curve is to the ROC curve: the cost of flagging the share given by the condition,
    after the scores are calibrated by the hull. The lower envelope, which chooses the best threshold at each condition, lies below it.

    Parameters
    ----------
    curve : RocCurve
    of : {"rate_driven", "kendall"}
    axis : {"cost_proportion", "pcf"}
    prevalence : float, optional
        For "cost_proportion"; the data's own by default.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), section 7, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    >>> round(rate_driven.area(), 4), round(ic.curves.convex_skull(curve).area(), 4)
    (0.1733, 0.1333)
    """
    checks.choice(of, "of", SKULLS)
    checks.choice(axis, "axis", AXES)
    build = rate_driven if of == "rate_driven" else kendall_curve
    return build(curve.hull, axis=axis, prevalence=prevalence)


Method = Literal["best", "smooth", "rate_driven", "score_driven", "fixed", "score_uniform", "rate_uniform"]
METHODS: tuple[Method, ...] = (
    "best",
    "smooth",
    "rate_driven",
    "score_driven",
    "fixed",
    "score_uniform",
    "rate_uniform",
)
# One way of choosing for both of two models, or one for each.
Rules = Method | tuple[Method, Method]


def rules_of_two(method: Any) -> tuple[Method, Method]:
    """Return how either of two models chooses its thresholds.

    Examples
    --------
    >>> rules_of_two("rate_driven"), rules_of_two(("best", "rate_driven"))
    (('rate_driven', 'rate_driven'), ('best', 'rate_driven'))
    """
    pair = method if isinstance(method, tuple) and len(method) == 2 else (method, method)
    one, two = (checks.choice(rule, "method", METHODS) for rule in pair)
    return cast("Method", one), cast("Method", two)


@takes_curve()
def cost_curve(
    curve: RocCurve,
    *,
    method: Method = "best",
    threshold: float | None = None,
    axis: Axis = "pcf",
    prevalence: float | None = None,
    thresholds_from: RocCurve | None = None,
) -> CostCurve:
    """Return the cost of a classifier at every condition; lower is better, 0 to 1 on the pcf axis.

    Parameters
    ----------
    curve : RocCurve
        A curve made from score distributions is drawn through its fine sample; its measures are exact.
    method : {"best", "smooth", "rate_driven", "score_driven", "fixed", "score_uniform", "rate_uniform"}
        How the threshold is chosen at each x.

        - "best": the best one (the lower envelope, trivial classifiers included). Needs labelled cases to choose on.
        - "smooth": the best one under a smooth risk curve (`RocCurve.smooth`), paid for on the cases as they are. Needs labelled cases.
        - "rate_driven": the one that flags the share x of all cases, by a random choice between two thresholds where no single one
          does; quadratic pieces. Needs a ranking only. On pcf the share is the mean of fpr and tpr.
        - "score_driven": 1 - x, which is right if scores are true probabilities; straight pieces with jumps. Needs scores in [0, 1].
          Its area is the Brier score; on pcf, the mean of those of the two classes.
        - "fixed": the same `threshold` everywhere; a straight line.
        - "score_uniform": a random one between 0 and 1; a straight line. Needs scores in [0, 1]. Its area is the mean absolute error.
        - "rate_uniform": one that flags a random share of all cases; a straight line. Its area is 1/6 more than the rate-driven.
    threshold : float, optional
        For "fixed": flag scores ≥ threshold. Not needed if the curve is one crisp classifier (`RocCurve.from_predictions`,
        `from_confusion`, or a single point).
    axis : {"pcf", "cost_proportion"}
        "pcf": normalised cost over PCF(+) = 1 - t. "cost_proportion": 2·[(1-x)(1-π)·fpr + x·π·(1-tpr)], the scale of
        Hernández-Orallo et al. (2013), over x = cost_fn/(cost_fn + cost_fp) at a fixed prevalence π.
    prevalence : float, optional
        π for "cost_proportion", the data's own by default; on pcf it is part of x and changes nothing.
    thresholds_from : RocCurve, optional
        Choose the thresholds on this curve, made from other cases scored by the same model, and price them on `curve`. Without it,
        both happen on the same cases, which flatters "best". A choice to flag no case or every case carries over unchanged.

    References
    ----------
    Drummond & Holte (2000), doi:10.1145/347090.347126.
    Hernández-Orallo, Flach & Ferri (2012), A unified view of performance metrics, JMLR 13:2813-2869.
    Hernández-Orallo, Flach & Ferri (2013), ROC curves in cost space, Machine Learning 93:71-91, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> for method in ("best", "rate_driven", "score_driven"):
    ...     ic.cost_curve(curve, method=method)([0.25, 0.5, 0.75]).round(4).tolist()
    [0.0833, 0.1667, 0.125]
    [0.125, 0.3333, 0.125]
    [0.0833, 0.25, 0.125]
    >>> ic.cost_curve(curve, method="fixed", threshold=0.7)([0.25, 0.5, 0.75]).round(4).tolist()
    [0.4583, 0.4167, 0.375]
    """
    checks.choice(method, "method", METHODS)
    checks.choice(axis, "axis", AXES)
    if threshold is not None and method != "fixed":
        raise InputError(f"threshold={threshold!r} goes with method='fixed': {method!r} chooses its own")
    if thresholds_from is not None and not isinstance(thresholds_from, RocCurve):
        raise InputError(f"thresholds_from must be a RocCurve, got {type(thresholds_from).__name__}")
    shares = Shares.of(curve, axis, prevalence)
    match method:
        case "best":
            if thresholds_from is not None:
                return _chosen_elsewhere(shares, thresholds_from)
            return envelope(curve, axis=axis, prevalence=shares.about["prevalence"])
        case "smooth":
            return _chosen_elsewhere(shares, (thresholds_from or curve).smooth())
        case "rate_driven":
            return rate_driven(curve, axis=axis, prevalence=prevalence, chosen_on=thresholds_from)
        case "score_driven":
            if thresholds_from is not None:
                probabilities_of(thresholds_from, "method='score_driven'")
            return score_driven(curve, axis=axis, prevalence=prevalence)
        case "score_uniform":
            if thresholds_from is not None:
                probabilities_of(thresholds_from, "method='score_uniform'")
            # A case is flagged as often as its score says.
            scores = probabilities_of(curve, "method='score_uniform'")
            return shares.line(float(np.diff(shares.false_alarms) @ scores), float(np.diff(shares.hits) @ (1 - scores)))
        case "rate_uniform":
            rate, points = _rates_reached(shares, thresholds_from)
            return shares.line(*(float(np.trapezoid(v[points], rate)) for v in (shares.false_alarms, shares.misses)))
        case "fixed":
            point = fixed_point(curve, threshold)
            return shares.line(shares.false_alarms[point], shares.misses[point])


def fixed_point(curve: RocCurve, threshold: float | None) -> int:
    """Return the index of the operating point that a threshold on the scores means."""
    if threshold is None:
        if len(curve) - sum(curve._added) == 1:
            return int(curve._added[0])
        raise InputError(f"method='fixed' needs a threshold: the curve has {len(curve)} points")
    return int(curve._points_at(checks.number(threshold, "threshold")))


def _chosen_elsewhere(paid: Shares, chosen_on: RocCurve) -> CostCurve:
    """Return the cost, on one set of cases, of the thresholds that are best on another."""
    curve = paid.curve
    points = same_thresholds(curve, chosen_on.hull)
    breaks = np.concatenate([[0.0], (1 - chosen_on.switches)[::-1], [1.0]])
    result = CostCurve.from_lines(breaks, curve.fpr[points], 1 - curve.tpr[points], name=curve.name)
    return result._on_axis(paid.axis, prevalence=paid.prevalence)

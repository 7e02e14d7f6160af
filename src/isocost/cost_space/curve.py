"""CostCurve: one piecewise-polynomial type for every curve in cost space."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.densities import Atoms, Kind
from isocost.cost_space.axes import AXES, Axis, turned
from isocost.cost_space.roots import roots_of
from isocost.errors import InputError
from isocost.results import Columns, Drawn
from isocost.validate import Floats

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
        b, lo, hi = (validate.reals(v, n) for v, n in ((breaks, "breaks"), (left, "left"), (right, "right")))
        mid = np.zeros_like(lo) if bend is None else validate.reals(bend, "bend")
        _check_pieces(b, left=lo, right=hi, bend=mid)
        wide = np.diff(b) > 0
        if wide.all():
            return cls(b, lo, hi, mid, **about)
        return cls(np.concatenate([b[:1], b[1:][wide]]), lo[wide], hi[wide], mid[wide], **about)

    @classmethod
    def from_lines(cls, breaks: ArrayLike, at_0: ArrayLike, at_1: ArrayLike, **about: Any) -> CostCurve:
        """Return the curve that follows, on each piece, the line with the given values at x = 0 and x = 1."""
        b, start, end = (validate.reals(v, n) for v, n in ((breaks, "breaks"), (at_0, "at_0"), (at_1, "at_1")))
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
        x = validate.rates(x, f"x ({self.axis})")
        piece = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, self._left.size - 1)
        return self._evaluate(x, piece)

    def _limit_from_left(self, x: ArrayLike) -> Floats:
        """Return the cost just left of x: differs from the value at x only where the curve jumps."""
        x = validate.rates(x, f"x ({self.axis})")
        piece = np.clip(np.searchsorted(self.breaks, x, side="left") - 1, 0, self._left.size - 1)
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
        low, high = validate.interval((low, high), "area", error=InputError)
        whole = low <= self.breaks[0] and high >= self.breaks[-1]
        part = self if whole else self.restricted(low, high)
        return float(np.diff(part.breaks) @ ((part._left + part._right) / 2 + part._bend * (2 / 3)))

    def restricted(self, low: float, high: float) -> CostCurve:
        """Return the part of the curve on [low, high]; it has no pieces when low = high."""
        low, high = validate.interval((low, high), "the part of the curve", error=InputError)
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
        >>> curve = ic.kendall_curve(ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2]))
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
        f = validate.number(factor, "factor")
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
        validate.choice(axis, "axis", AXES)
        if axis == self.axis:
            return self
        if self._degree == 2:
            raise InputError(
                "a curve with quadratic pieces has no polynomial form on the other axis; build it there with cost_curve(axis=)"
            )
        if axis == "cost_proportion":
            if prevalence is None:
                raise InputError("the cost_proportion axis needs a prevalence: pass prevalence=")
            pi = validate.number(prevalence, "prevalence", low=0.0, high=1.0)
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

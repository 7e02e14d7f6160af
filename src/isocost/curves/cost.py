"""Cost space: every operating point is a line, every way of choosing thresholds is a curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.conditions import Condition, Conditions
from isocost.curves.roc import (
    RocCurve,
    known_thresholds,
    own_points,
    points_at,
    prevalence_or,
    refuse_continuous,
    require_path,
    takes_curve,
)
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.results import Columns, Drawn

Axis = Literal["pcf", "cost_proportion"]
AXES: tuple[Axis, ...] = ("pcf", "cost_proportion")
# Values that differ by less are the same, added up in another order.
_ROUNDING = 4 * np.finfo(np.float64).eps


def turned(values: Floats, axis: Axis, prevalence: float | None) -> Floats:
    """Return t at each x of the axis, or x at each t: the map is its own inverse, and falls."""
    if axis == "pcf" or prevalence is None:
        return 1 - values
    fp, fn = (1 - values) * (1 - prevalence), values * prevalence
    return np.asarray(fp / (fp + fn))


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Drawn):
    """Cost as a function of the operating condition: polynomials of degree ≤ 2 between exact breaks, jumps allowed.

    On piece i, with u = (x - breaks[i]) / (breaks[i+1] - breaks[i]), the value is
    left + (right - left)·u + 4·bend·u·(1 - u): the two end values and how far the middle lies above their chord.

    Attributes
    ----------
    breaks : ndarray of shape (m + 1,)
        Ascending, from 0 to 1; pieces have positive width.
    left, right, bend : ndarray of shape (m,)
    axis : {"pcf", "cost_proportion"}
        What x is. On "pcf" the value is the normalised cost t·fpr + (1-t)(1-tpr), t = 1 - x. On "cost_proportion", with the
        prevalence π fixed, it is 2·[(1-x)(1-π)·fpr + x·π·(1-tpr)], the scale of Hernández-Orallo, Flach & Ferri (2013).
    prevalence : float or None
        π on the cost_proportion axis.
    name : str or None

    See Also
    --------
    cost_curve : makes one of a ROC curve.
    isocost.curves.average_cost_curves : the mean of several.

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
    left: Floats
    right: Floats
    bend: Floats
    axis: Axis = "pcf"
    prevalence: float | None = None
    name: str | None = None

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The line to draw where no piece is bent: x and cost at both ends of every piece, in order."""
        return np.repeat(self.breaks, 2)[1:-1], np.column_stack([self.left, self.right]).ravel()

    def __call__(self, x: ArrayLike) -> Floats:
        """Return the cost at x in [0, 1]; at a jump, the value to the right of it (to the left at x = 1)."""
        x = checks.rates(x, f"x ({self.axis})")
        piece = _pieces_at(self.breaks, x)
        start = self.breaks[piece]
        u = (x - start) / (self.breaks[piece + 1] - start)
        # (1-u)·left + u·right meets both end values exactly.
        return np.asarray((1 - u) * self.left[piece] + u * self.right[piece] + 4 * self.bend[piece] * u * (1 - u))

    def area(self, low: float = 0.0, high: float = 1.0) -> float:
        """Return the integral over x from low to high; over the whole axis, the mean cost when every x is equally likely."""
        part = self.restricted(low, high)
        return float(np.diff(part.breaks) @ ((part.left + part.right) / 2 + part.bend * (2 / 3)))

    def restricted(self, low: float, high: float) -> CostCurve:
        """Return the part of the curve on [low, high]; it has no pieces when low = high."""
        low, high = checks.interval((low, high), "the range of x", error=InputError)
        ends = np.array([low, high])
        cut = cut_at(self, union(self.breaks, ends[(ends > self.breaks[0]) & (ends < self.breaks[-1])]))
        i, j = np.searchsorted(cut.breaks, [low, high])
        return replace(cut, breaks=cut.breaks[i : j + 1], left=cut.left[i:j], right=cut.right[i:j], bend=cut.bend[i:j])

    def expectation(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean of the curve's value over a distribution of conditions."""
        condition = Conditions.of(condition)
        edges = turned(self.breaks, self.axis, self.prevalence)[::-1]
        return condition.density.expect(lambda t: self(turned(t, self.axis, self.prevalence)), edges)

    def mean_normalised_cost(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean over conditions of the normalised cost t·fpr + (1-t)(1-tpr), whichever axis the curve is on."""
        if isinstance(condition, Condition):
            x, pi = place_of(self, condition), self.prevalence or 0.5
            return float(self(x)) / (1.0 if self.axis == "pcf" else 2 * (x * pi + (1 - x) * (1 - pi)))
        if self.axis == "pcf":
            return self.expectation(condition)
        edges = turned(self.breaks, self.axis, self.prevalence)[::-1]
        return Conditions.of(condition).density.expect(lambda t: normalised_at(self, t), edges)

    @cached_property
    def minimum(self) -> float:
        """The lowest value anywhere."""
        return float(self._turning_values.min())

    @cached_property
    def maximum(self) -> float:
        """The highest value anywhere."""
        return float(self._turning_values.max())

    @property
    def _turning_values(self) -> Floats:
        """The values at both ends of every piece, and inside it where the curve turns."""
        with np.errstate(divide="ignore", invalid="ignore"):
            top = 0.5 + (self.right - self.left) / (8 * self.bend)
        u = np.where((top > 0) & (top < 1), top, 0.0)
        return np.stack([self.left, self.right, (1 - u) * self.left + u * self.right + 4 * self.bend * u * (1 - u)])

    def _combined(self, other: CostCurve, sign: float) -> CostCurve:
        if not isinstance(other, CostCurve):
            return NotImplemented
        if (self.axis, self.prevalence) != (other.axis, other.prevalence):
            raise InputError(
                f"curves on different axes cannot be combined: {self.axis} (prevalence {self.prevalence}) "
                f"and {other.axis} (prevalence {other.prevalence})"
            )
        breaks = union(self.breaks, other.breaks)
        a, b = cut_at(self, breaks), cut_at(other, breaks)
        return replace(
            a, left=a.left + sign * b.left, right=a.right + sign * b.right, bend=a.bend + sign * b.bend, name=None
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
        return replace(self, left=self.left * f, right=self.right * f, bend=self.bend * f)

    __rmul__ = __mul__

    def roots(self) -> Floats:
        """Return, ascending, the isolated x at which the curve is 0 or jumps across 0.

        Where it is 0 along a whole stretch, the two ends of the stretch count, if they lie inside (0, 1).
        """
        left, right, bend, width = self.left, self.right, self.bend, np.diff(self.breaks)
        slope, quadratic = right - left + 4 * bend, bend != 0
        with np.errstate(divide="ignore", invalid="ignore"):
            # left + slope·u - 4·bend·u² = 0, by the formula that does not cancel.
            q = (slope + np.copysign(np.sqrt(slope**2 + 16 * bend * left), slope)) / 2
            found = (np.where(quadratic, q / (4 * bend), -left / slope), np.where(quadratic, -left / q, np.nan))
        inner = [self.breaks[:-1][ok] + width[ok] * u[ok] for u in found for ok in [(u > 0) & (u < 1)]]
        crossing = (right[:-1] == 0) | (left[1:] == 0) | (np.sign(right[:-1]) * np.sign(left[1:]) < 0)
        # Inside a stretch of zeros nothing changes.
        flat = (left == 0) & (right == 0) & ~quadratic
        crossing &= ~(flat[:-1] & flat[1:])
        ends = [
            x for x, value, dull in ((0.0, left[0], flat[0]), (1.0, right[-1], flat[-1])) if value == 0 and not dull
        ]
        return np.unique(np.concatenate([*inner, self.breaks[1:-1][crossing], ends]))

    @property
    def operating_ranges(self) -> list[tuple[float, float]]:
        """The intervals of x on which the curve is strictly below both trivial classifiers."""
        gap = snapped(self - trivial_curve(self.axis, self.prevalence))
        cuts = np.union1d(gap.roots(), [0.0, 1.0])
        below = gap((cuts[:-1] + cuts[1:]) / 2) < 0
        return [(low, high) for low, high in zip(cuts[:-1][below].tolist(), cuts[1:][below].tolist(), strict=True)]

    @property
    def operating_range(self) -> tuple[float, float] | None:
        """From the lowest to the highest x at which the curve beats both trivial classifiers; None if it never does."""
        ranges = self.operating_ranges
        return (ranges[0][0], ranges[-1][1]) if ranges else None

    def _columns(self) -> Columns:
        pieces = {f"{self.axis}_low": self.breaks[:-1], f"{self.axis}_high": self.breaks[1:]}
        return pieces | {"left": self.left, "right": self.right, "bend": self.bend}

    def _shown(self) -> dict[str, Any]:
        breaks = {"breaks": self.breaks, "value there": self(self.breaks)}
        return breaks | {"lowest": self.minimum, "highest": self.maximum, "area": self.area()}

    def __repr__(self) -> str:
        title, n = "CostCurve" if self.name is None else f"CostCurve {self.name!r}", self.left.size
        degree = 2 if self.bend.any() else int(np.any(self.left != self.right))
        return f"<{title}: {n} piece{'s' * (n != 1)} of degree ≤ {degree} on {self.axis}, area {self.area():.4g}>"


def union(*breaks: Floats) -> Floats:
    """Return all breaks in order, each once."""
    if all(np.array_equal(part, breaks[0]) for part in breaks[1:]):
        return breaks[0]
    # They come as runs in order, which a stable sort merges.
    found = np.sort(np.concatenate(breaks), kind="stable")
    return np.asarray(found[np.append(True, found[1:] > found[:-1])])


def cut_at(curve: CostCurve, breaks: Floats) -> CostCurve:
    """Return the same curve with the given breaks, which include its own."""
    if breaks.size == curve.breaks.size:
        return curve
    parts = np.diff(np.searchsorted(breaks, curve.breaks))
    columns = (curve.breaks[:-1], np.diff(curve.breaks), curve.left, curve.right, curve.bend)
    start, width, left, right, bend = (np.repeat(column, parts) for column in columns)
    u, v = ((x - start) / width for x in (breaks[:-1], breaks[1:]))
    lo, hi = (1 - u) * left + u * right, (1 - v) * left + v * right
    if bend.any():
        lo, hi = lo + 4 * bend * u * (1 - u), hi + 4 * bend * v * (1 - v)
        bend = bend * (v - u) ** 2
    return replace(curve, breaks=breaks, left=lo, right=hi, bend=bend)


def _pieces_at(breaks: Floats, x: Floats) -> NDArray[np.intp]:
    return np.clip(np.searchsorted(breaks, x, side="right") - 1, 0, breaks.size - 2)


def from_pieces(
    breaks: ArrayLike, left: ArrayLike, right: ArrayLike, bend: ArrayLike | None = None, **about: Any
) -> CostCurve:
    """Return the cost curve with the given pieces; pieces without width are left out."""
    b, lo, hi = (np.asarray(v, dtype=np.float64) for v in (breaks, left, right))
    mid = np.zeros_like(lo) if bend is None else np.asarray(bend, dtype=np.float64)
    wide = np.diff(b) > 0
    return CostCurve(np.concatenate([b[:1], b[1:][wide]]), lo[wide], hi[wide], mid[wide], **about)


def from_lines(breaks: ArrayLike, at_0: ArrayLike, at_1: ArrayLike, **about: Any) -> CostCurve:
    """Return the cost curve that follows, on each piece, the line with the given values at x = 0 and x = 1."""
    b, start, end = (np.asarray(v, dtype=np.float64) for v in (breaks, at_0, at_1))
    left, right = (start * (1 - x) + end * x for x in (b[:-1], b[1:]))
    return from_pieces(b, left, right, **about)


def snapped(curve: CostCurve) -> CostCurve:
    """Return the curve with values that are 0 up to the rounding of a difference set to 0."""
    left, right, bend = (np.where(np.abs(v) < _ROUNDING, 0.0, v) for v in (curve.left, curve.right, curve.bend))
    return replace(curve, left=left, right=right, bend=bend)


def place_of(curve: CostCurve, condition: Condition) -> float:
    """Return where a condition lies on the curve's axis: the x with the same t."""
    if curve.axis == "pcf":
        return condition.pcf
    if curve.prevalence == condition.prevalence:  # not by way of t, whose rounding could pass a jump
        return condition.cost_proportion
    return float(turned(np.asarray(condition.t), curve.axis, curve.prevalence))


def at_prevalence(curve: CostCurve, pi: float) -> CostCurve:
    """Return a curve of straight lines on pcf on the axis of cost proportions, value(c) = 2·(cπ + (1-c)(1-π))·value(z)."""
    c = turned(1 - curve.breaks, "cost_proportion", pi)
    scale = 2 * (c * pi + (1 - c) * (1 - pi))
    about: dict[str, Any] = {"axis": "cost_proportion", "prevalence": pi, "name": curve.name}
    return from_pieces(c, curve.left * scale[:-1], curve.right * scale[1:], **about)


def normalised_at(curve: CostCurve, t: Floats) -> Floats:
    """Return the normalised cost at t of a curve on the cost_proportion axis, even where x rounds to 0 or 1."""
    pi = cast("float", curve.prevalence)  # every curve on the cost_proportion axis has one
    fn, fp = (1 - t) * (1 - pi), t * pi
    x, rest = fn / (fn + fp), fp / (fn + fp)
    piece = _pieces_at(curve.breaks, x)
    start, end = curve.breaks[piece], curve.breaks[piece + 1]
    # The share of the piece passed, and that left: the one measured from the nearer end of the axis is accurate.
    near = x <= 0.5
    u = np.where(near, x - start, rest - (1 - end)) / (end - start)
    u, v = np.where(near, u, 1 - u), np.where(near, 1 - u, u)
    value = v * curve.left[piece] + u * curve.right[piece] + 4 * curve.bend[piece] * u * v
    return np.asarray(value * (fn + fp) / (2 * pi * (1 - pi)))


@dataclass(frozen=True, eq=False)
class Shares:
    """Cases flagged, false alarms and misses at each point of a curve, as shares of all cases; exact quotients at its own prevalence."""

    curve: RocCurve
    axis: Axis
    prevalence: float
    own: bool

    @classmethod
    def of(cls, curve: RocCurve, axis: Axis, prevalence: float | None) -> Shares:
        """Return the shares of a curve on an axis; the prevalence is part of x on the pcf axis and has no effect there."""
        checks.choice(axis, "axis", AXES)
        if axis == "pcf":
            if prevalence is not None:
                checks.number(prevalence, "prevalence", low=0.0, high=1.0)
            return cls(curve, axis, 0.5, own=False)
        pi = checks.inner_rate(prevalence_or(curve, prevalence), "prevalence")
        return cls(curve, axis, pi, own=prevalence is None)

    @property
    def about(self) -> dict[str, Any]:
        """Axis, prevalence and name, as a `CostCurve` wants them."""
        return _about(self.axis, self.prevalence, self.curve.name)[1]

    def _share(self, counts: NDArray[Any], rates: Floats, weight: float) -> Floats:
        """Divide counts by all cases, or weigh rates of one class by its share."""
        total = float(self.curve.tp[-1] + self.curve.fp[-1]) if self.own else 1.0
        return np.asarray(counts / total if self.own else weight * rates, dtype=np.float64)

    @cached_property
    def rate(self) -> Floats:
        """Share of all cases flagged: π·tpr + (1-π)·fpr."""
        c = self.curve
        rate = np.asarray((c.tp + c.fp) / float(c.tp[-1] + c.fp[-1]) if self.own else self.hits + self.false_alarms)
        rate[-1] = 1.0
        return rate

    @cached_property
    def false_alarms(self) -> Floats:
        """Share of all cases that are negatives flagged: (1-π)·fpr."""
        return self._share(self.curve.fp, self.curve.fpr, 1 - self.prevalence)

    @cached_property
    def hits(self) -> Floats:
        """Share of all cases that are positives flagged: π·tpr."""
        return self._share(self.curve.tp, self.curve.tpr, self.prevalence)

    @cached_property
    def misses(self) -> Floats:
        """Share of all cases that are positives not flagged: π·(1-tpr)."""
        return self._share(self.curve.tp[-1] - self.curve.tp, 1 - self.curve.tpr, self.prevalence)

    def lines(self, inner: Floats, points: Any = slice(None)) -> CostCurve:
        """Return the cost of some points, each until the next of the inner breaks."""
        breaks = np.concatenate([[0.0], inner, [1.0]])
        return from_lines(breaks, 2 * self.false_alarms[points], 2 * self.misses[points], **self.about)

    def line(self, false_alarms: float, misses: float) -> CostCurve:
        """Return the straight cost curve of constant shares."""
        return from_lines([0.0, 1.0], [2 * false_alarms], [2 * misses], **self.about)


def envelope(curve: RocCurve, *, axis: Axis = "pcf", prevalence: float | None = None) -> CostCurve:
    """Return the cheapest cost at each x, trivial classifiers included: one line per hull vertex."""
    shares = Shares.of(curve.hull, axis, prevalence)
    return shares.lines(turned(curve.switches, axis, shares.prevalence)[::-1])


def _about(axis: Axis, prevalence: float | None, name: str | None) -> tuple[float, dict[str, Any]]:
    """Return π on an axis, and what a curve there says of itself."""
    pi = 0.5 if axis == "pcf" or prevalence is None else float(prevalence)
    return pi, {"axis": axis, "prevalence": None if axis == "pcf" else pi, "name": name}


def line(
    fpr: float, tpr: float, *, axis: Axis = "pcf", prevalence: float | None = None, name: str | None = None
) -> CostCurve:
    """Return the cost line of one operating point."""
    pi, about = _about(axis, prevalence, name)
    return from_lines([0.0, 1.0], [2 * (1 - pi) * fpr], [2 * pi * (1 - tpr)], **about)


def trivial_curve(axis: Axis = "pcf", prevalence: float | None = None) -> CostCurve:
    """Return the cost of the cheaper trivial classifier at each x."""
    pi, about = _about(axis, prevalence, "trivial classifiers")
    return from_lines([0.0, 1 - pi, 1.0], [0.0, 2 * (1 - pi)], [2 * pi, 0.0], **about)


def probabilities_of(curve: RocCurve, what: str) -> Floats:
    """Return the distinct scores of a curve, descending, if they can be read as probabilities, all of those in buckets too."""
    refuse_continuous(curve, f"{what} needs")
    if curve.upper is not None:
        checks.probabilities(curve.upper[1:], what)
    return checks.probabilities(known_thresholds(curve)[1:], what)


@takes_curve(
    r"K(x) = 2(1-\pi)\,\mathrm{fpr} \text{ for } x \le \pi, \qquad 2\pi(1-\mathrm{tpr}) \text{ above}",
    see="rate_driven_decomposition isocost.measures.kendall_loss",
    cites="Hernández-Orallo, Flach & Ferri 2013, Definition 3 and Theorem 2",
)  # fmt: skip
def kendall_curve(curve: RocCurve, *, prevalence: float | None = None, axis: Axis = "cost_proportion") -> CostCurve:
    """Return the Kendall curve: the rate-driven cost beyond that of a perfect ranker; lower is better, 0 is a perfect ranking.

    Twice the share of cases that are false alarms, or misses, when the best-ranked share x is flagged; straight between the rates
    of consecutive points and π. Its area is 2π(1-π)(1-AUC). It is a difference of two cost curves, not the cost of a classifier.

    Parameters
    ----------
    curve : RocCurve
        A curve made from score distributions is drawn through its fine sample; its `kendall_loss` is exact.
    axis : {"cost_proportion", "pcf"}
        On pcf, π is ½ and x the mean of fpr and tpr.

    Examples
    --------
    >>> kendall = ic.curves.kendall_curve(curve)
    >>> kendall(kendall.breaks).tolist(), round(kendall.area(), 6)
    ([0.0, 0.0, 0.0, 0.4, 0.0, 0.0], 0.08)
    """
    shares = Shares.of(curve, axis, prevalence)
    require_path(curve)
    x, pi = shares.rate, shares.prevalence
    # False alarms up to rate π, misses from the first point at or after it on; at π itself the path is straight.
    after = int(np.searchsorted(x, pi, side="left"))
    at_pi = np.interp(pi, x[after - 1 : after + 1], shares.false_alarms[after - 1 : after + 1])
    value = 2 * np.concatenate([shares.false_alarms[:after], [at_pi], shares.misses[after:]])
    return from_pieces(np.concatenate([x[:after], [pi], x[after:]]), value[:-1], value[1:], **shares.about)


Skull = Literal["rate_driven", "kendall"]
SKULLS: tuple[Skull, ...] = ("rate_driven", "kendall")


def _rates_reached(paid: Shares, chosen_on: RocCurve | None) -> tuple[Floats, NDArray[np.intp]]:
    """Return the shares of cases flagged at the thresholds of a curve, and the points of the curve to be paid for that have them."""
    require_path(paid.curve)
    if chosen_on is None:
        return paid.rate, np.arange(len(paid.curve))
    require_path(chosen_on)
    rate = Shares.of(chosen_on, paid.axis, paid.prevalence if paid.axis == "cost_proportion" else None).rate
    return rate, same_thresholds(paid.curve, chosen_on)


def rate_driven(
    curve: RocCurve,
    *,
    axis: Axis = "cost_proportion",
    prevalence: float | None = None,
    chosen_on: RocCurve | None = None,
) -> CostCurve:
    """Return the rate-driven cost curve, quadratic between the rates of consecutive points, which `chosen_on` may reach elsewhere."""
    paid = Shares.of(curve, axis, prevalence)
    x, points = _rates_reached(paid, chosen_on)
    value = 2 * ((1 - x) * paid.false_alarms[points] + x * paid.misses[points])
    # Between two thresholds both x and the point move in proportion: their product bends the piece.
    bend = np.diff(x) * np.diff(paid.rate[points]) / 2
    return from_pieces(x, value[:-1], value[1:], bend, **paid.about)


def same_thresholds(curve: RocCurve, other: RocCurve) -> NDArray[np.intp]:
    """Return, for each point of `other`, the point of `curve` with that threshold; flagging no case or every case stays so."""
    points = points_at(curve, known_thresholds(other, "thresholds_from"))
    points[0], points[-1] = 0, len(curve) - 1
    return points


@documented_by(
    r"2x(\pi - x) \text{ for } x \le \pi, \qquad 2(1 - x)(x - \pi) \text{ above}",
    cites="Hernández-Orallo, Flach & Ferri 2013, Lemma 1",
)  # fmt: skip
def perfect_ranker_curve(*, axis: Axis = "cost_proportion", prevalence: float | None = None) -> CostCurve:
    """Return the rate-driven cost curve of a perfect ranker, which every rate-driven curve contains; area 1/3 - π(1-π).

    Parameters
    ----------
    axis : {"cost_proportion", "pcf"}
    prevalence : float
        π; needed on the cost_proportion axis. On pcf it is ½.

    See Also
    --------
    rate_driven_decomposition : a cost curve less this one.

    Examples
    --------
    >>> curve = ic.curves.perfect_ranker_curve(prevalence=0.7)
    >>> curve([0, 0.35, 0.7, 0.85]).round(6).tolist(), round(curve.area(), 6)
    ([0.0, 0.245, 0.0, 0.045], 0.123333)
    """
    checks.choice(axis, "axis", AXES)
    if axis == "cost_proportion":
        checks.number(prevalence, "prevalence", low=0.0, high=1.0)
    pi, about = _about(axis, prevalence, "perfect ranker")
    breaks = np.array([0.0, pi, 1.0])
    return from_pieces(breaks, [0.0, 0.0], [0.0, 0.0], np.diff(breaks) ** 2 / 2, **about)


@takes_curve(
    r"2\,[(1 - x)(1 - \pi)\,fpr + x\,\pi\,(1 - tpr)] \quad\text{where the hull has}\quad \pi\,tpr + (1 - \pi)\,fpr = x",
    see="kendall_curve isocost.cost_curve", cites="Hernández-Orallo, Flach & Ferri 2013, section 7",
)  # fmt: skip
def convex_skull(
    curve: RocCurve, *, of: Skull = "rate_driven", axis: Axis = "cost_proportion", prevalence: float | None = None
) -> CostCurve:
    """Return the convex skull: the rate-driven (or Kendall) curve of the ROC hull; lower is better.

    It is to the hull what the rate-driven curve is to the ROC curve: the cost of flagging the share given by the condition,
    after the scores are calibrated by the hull. The lower envelope, which chooses the best threshold at each condition, lies below it.

    Parameters
    ----------
    of : {"rate_driven", "kendall"}

    Examples
    --------
    >>> rate_driven = ic.cost_curve(curve, method="rate_driven", axis="cost_proportion")
    >>> round(rate_driven.area(), 4), round(ic.curves.convex_skull(curve).area(), 4)
    (0.1733, 0.1333)
    """
    checks.choice(of, "of", SKULLS)
    build = rate_driven if of == "rate_driven" else kendall_curve
    return build(curve.hull, axis=axis, prevalence=prevalence)


Method = Literal["best", "smooth", "rate_driven", "score_driven", "fixed", "score_uniform", "rate_uniform"]
METHODS: tuple[Method, ...] = get_args(Method)


@takes_curve(
    r"Q(x) = (1 - x)\,\mathrm{fpr} + x\,(1 - \mathrm{tpr}) \quad\text{at the threshold chosen at } x = \mathrm{PCF}(+)",
    see="isocost.Comparison.table isocost.curves.rule_regions isocost.curves.convex_skull",
    cites="Drummond & Holte 2000; Hernández-Orallo, Flach & Ferri 2012; Hernández-Orallo, Flach & Ferri 2013",
)  # fmt: skip
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
        For "fixed": flag scores ≥ threshold. Not needed if the curve is one crisp classifier (`RocCurve.from_confusion`, a single
        point, or predictions of 0 and 1 for scores).
    axis : {"pcf", "cost_proportion"}
        "pcf": normalised cost over PCF(+) = 1 - t. "cost_proportion": 2·[(1-x)(1-π)·fpr + x·π·(1-tpr)], the scale of
        Hernández-Orallo et al. (2013), over x = cost_fn/(cost_fn + cost_fp) at a fixed prevalence π.
    prevalence : float, optional
        π for "cost_proportion", the data's own by default; on pcf it is part of x and changes nothing.
    thresholds_from : RocCurve, optional
        Choose the thresholds on this curve, made from other cases scored by the same model, and price them on `curve`. Without it,
        both happen on the same cases, which flatters "best". A choice to flag no case or every case carries over unchanged.

    Examples
    --------
    >>> for method in ("best", "rate_driven", "score_driven"):
    ...     ic.cost_curve(curve, method=method)([0.25, 0.5, 0.75]).round(4).tolist()
    [0.0833, 0.1667, 0.125]
    [0.125, 0.3333, 0.125]
    [0.0833, 0.25, 0.125]
    >>> ic.cost_curve(curve, method="fixed", threshold=0.7)([0.25, 0.5, 0.75]).round(4).tolist()
    [0.4583, 0.4167, 0.375]
    """
    checks.choice(method, "method", METHODS)
    if method != "fixed":
        checks.left_out(f"goes with method='fixed': {method!r} chooses its own", threshold=threshold)
    if thresholds_from is not None:
        checks.instance(thresholds_from, "thresholds_from", RocCurve, "a RocCurve")
    shares = Shares.of(curve, axis, prevalence)
    if thresholds_from is not None and method in ("score_driven", "score_uniform"):
        probabilities_of(thresholds_from, f"method={method!r}")
    match method:
        case "best" if thresholds_from is None:
            return envelope(curve, axis=axis, prevalence=prevalence)
        case "best" | "smooth":
            chosen_on = thresholds_from or curve
            chosen_on = chosen_on if method == "best" else chosen_on.smooth()
            switches = turned(chosen_on.switches, axis, shares.prevalence)[::-1]
            return shares.lines(switches, same_thresholds(curve, chosen_on.hull))
        case "rate_driven":
            return rate_driven(curve, axis=axis, prevalence=prevalence, chosen_on=thresholds_from)
        case "score_driven":
            # Straight pieces that jump where x passes 1 - score.
            return shares.lines(1 - probabilities_of(curve, "method='score_driven'"))
        case "score_uniform":
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
    own = own_points(curve)
    if threshold is None and own.stop - own.start == 1:
        return int(own.start)
    given = checks.needed(threshold, f"method='fixed' needs a threshold: the curve has {len(curve)} points")
    return int(points_at(curve, checks.number(given, "threshold")))

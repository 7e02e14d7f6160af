"""The area of lesser classifiers: how much of ROC space is no better than a given cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.densities import Kind
from isocost.errors import InputError
from isocost.geometry.hull import cheapest
from isocost.results.doors import Drawn
from isocost.results.frames import Columns
from isocost.results.plurals import counted
from isocost.roc_space import RocCurve
from isocost.roc_space.curve_argument import takes_curve
from isocost.validate import Floats


@overload
def lesser_area(cost: float, t: float) -> float: ...
@overload
def lesser_area(cost: ArrayLike, t: ArrayLike) -> Floats: ...
def lesser_area(cost: ArrayLike, t: ArrayLike) -> float | Floats:
    """Return the area of lesser classifiers: the share of ROC space that costs at least `cost` at t; 0 to 1, higher is better.

    The probability that a classifier with fpr and tpr drawn uniformly and independently is no better. With s the smaller
    and l the larger of t and 1 - t it is

    - 1 - cost²/(2·s·l) where cost ≤ s, that is for anything at least as good as the better trivial classifier,
    - 1 - (2·cost - s)/(2·l) between s and l,
    - (1 - cost)²/(2·s·l) where cost ≥ l, that is for anything as bad as both trivial classifiers,

    and 1 - cost at t = 0 and t = 1, where only one of the two rates matters.

    Parameters
    ----------
    cost : float or array
        Normalised cost t·fpr + (1-t)(1-tpr), in [0, 1].
    t : float or array
        In [0, 1]; broadcast against `cost`.

    References
    ----------
    Ratigan & Cowen (2025), The VOROS, AAAI 39:20148-20156, doi:10.1609/aaai.v39i19.34219; Definition 43 and Theorem 62,
    corrected.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.measures.lesser_area(0.25, 0.5)
    0.875
    >>> ic.measures.lesser_area([0.0, 0.25, 1.0], 0.0).tolist()
    [1.0, 0.75, 0.0]
    """
    cost, t = validate.rates(cost, "cost"), validate.rates(t, "t")
    validate.same_shape(cost=cost, t=t)
    area = area_at(cost, t)
    return float(area) if area.ndim == 0 else area


def area_at(cost: Floats, t: Floats) -> Floats:
    """Return what `lesser_area` does, for numbers known to lie in [0, 1] up to rounding."""
    small = np.minimum(t, 1 - t)
    large = 1 - small
    # Quotients before products: cost² would underflow next to t = 0.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        better = 1 - (cost / small) * (cost / large) / 2
        worse = ((1 - cost) / small) * ((1 - cost) / large) / 2
    between = 1 - (2 * cost - small) / (2 * large)
    area = np.where((cost <= small) & (small > 0), better, between)
    return np.asarray(np.where((cost >= large) & (small > 0), worse, area))


@dataclass(frozen=True, eq=False, repr=False)
class LesserAreaCurve(Drawn):
    """The area of lesser classifiers of a whole curve at each t; its mean is the VOROS.

    Between two breaks one operating point is the cheapest, and the area is a + b/t + c/(1-t) with constants a, b, c.

    Attributes
    ----------
    breaks : ndarray of shape (m + 1,)
        Ascending, from 0 to 1.
    fpr, missed : ndarray of shape (m,)
        The cheapest operating point on each piece, as fpr and 1 - tpr.
    name : str or None

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7]))
    >>> curve
    <LesserAreaCurve: 3 pieces, mean 0.8942>
    >>> curve([0.1, 0.5]).round(4).tolist()
    [0.9444, 0.875]
    """

    _display = "LesserAreaDisplay"

    breaks: Floats
    fpr: Floats
    missed: Floats
    name: str | None = None
    # Whether no point is known to cost more than a trivial classifier, as on a hull, which has these too.
    _on_hull: bool = False

    @classmethod
    def of(cls, curve: RocCurve, *, include_trivial: bool = True) -> LesserAreaCurve:
        """Return the curve of the hull, or of the bare points without the trivial classifiers."""
        if validate.flag(include_trivial, "include_trivial"):
            hull = curve.hull
            # Misses counted, not 1 - tpr, so that a vertex with none has exactly 0.
            h, q = hull.fpr[::-1], ((hull.tp[-1] - hull.tp) / hull.tp[-1])[::-1]
            return cls._pieces(np.concatenate([[0.0], curve.switch_t, [1.0]]), h, q, curve.name, on_hull=True)
        x, y = curve._bare()
        if x.size == 0:
            raise InputError(
                "the curve has no operating point besides the trivial classifiers: use include_trivial=True"
            )
        best, switch_t = cheapest(x, y)
        edges = np.concatenate([[0.0], switch_t, [1.0]])
        return cls._split(edges, x[best][::-1], 1 - y[best][::-1], curve.name)

    @classmethod
    def _pieces(
        cls, breaks: Floats, fpr: Floats, missed: Floats, name: str | None, *, on_hull: bool = False
    ) -> LesserAreaCurve:
        wide = breaks[1:] > breaks[:-1]
        if not wide.all():
            breaks, fpr, missed = np.concatenate([breaks[:1], breaks[1:][wide]]), fpr[wide], missed[wide]
        return cls(breaks, fpr, missed, name, on_hull)

    @classmethod
    def _split(cls, breaks: Floats, h: Floats, q: Floats, name: str | None) -> LesserAreaCurve:
        """Cut each piece where the cost meets that of a trivial classifier, and at t = ½: there the formula changes."""
        a, b = breaks[:-1, None], breaks[1:, None]
        with np.errstate(invalid="ignore"):
            cuts = np.stack([q / (1 - h + q), (1 - q) / (1 - q + h), np.full_like(h, 0.5)], axis=1)
        # 0/0: the point is a trivial classifier itself and its cost meets that line everywhere.
        cuts = np.sort(np.clip(np.nan_to_num(cuts, nan=0.5), a, b), axis=1)
        edges = np.concatenate([[breaks[0]], np.concatenate([cuts, b], axis=1).ravel()])
        return cls._pieces(edges, np.repeat(h, 4), np.repeat(q, 4), name)

    def _piece(self, t: Floats) -> NDArray[np.intp]:
        return np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, self.fpr.size - 1)

    def _area(self, t: Floats) -> Floats:
        piece = self._piece(t)
        return area_at(t * self.fpr[piece] + (1 - t) * self.missed[piece], t)

    def __call__(self, t: ArrayLike) -> Floats:
        """Return the area at each t in [0, 1]."""
        return self._area(validate.rates(t, "t"))

    @property
    def coefficients(self) -> tuple[Floats, Floats, Floats]:
        """Arrays a, b, c with area = a + b/t + c/(1-t) on each piece."""
        h, q = self.fpr, self.missed
        if self._on_hull:
            return 1 + (q - h) ** 2 / 2, -0.5 * q**2, -0.5 * h**2
        middle = (self.breaks[:-1] + self.breaks[1:]) / 2
        cost = middle * h + (1 - middle) * q
        small = np.minimum(middle, 1 - middle)
        better = cost <= small
        kinds = [better, cost >= 1 - small, middle <= 0.5]
        zero = np.zeros_like(h)
        a = [1 + (q - h) ** 2 / 2, -((q - h) ** 2) / 2, 0.5 - q + h]
        b = [-(q**2) / 2, (1 - q) ** 2 / 2, zero]
        c = [-(h**2) / 2, (1 - h) ** 2 / 2, 0.5 - h]
        return (
            np.select(kinds, a, default=0.5 - h + q),
            np.select(kinds, b, default=0.5 - q),
            np.select(kinds, c, default=zero),
        )

    def expectation(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean area over a distribution of conditions: the VOROS."""
        density = Conditions.of(condition).density
        if not density.closed_form:
            # The area is bounded and smooth; 1/t and 1/(1-t) alone are neither, and next to the poles full of rounding.
            return density.expect(self._area, self.breaks)
        a, b, c = self.coefficients
        total = a @ density.moments(self.breaks, "1")
        # The area is at most 1, so a pole is touched only with a coefficient that is 0, or so small (a rate below the
        # spacing of floats next to t = 1) that its term cannot be seen.
        singular: tuple[tuple[Floats, Kind], ...] = ((b, "1/t"), (c, "1/(1-t)"))
        for factor, kind in singular:
            moment = density.moments(self.breaks, kind)
            total += factor @ np.where(np.isfinite(moment), moment, 0.0)
        return float(total)

    def _data(self) -> dict[str, Any]:
        points = {"breaks": self.breaks, "fpr": self.fpr, "tpr": 1 - self.missed}
        return {"name": self.name, **points, "missed": self.missed}

    def _columns(self) -> Columns:
        return {"t_low": self.breaks[:-1], "t_high": self.breaks[1:], "fpr": self.fpr, "tpr": 1 - self.missed}

    def __repr__(self) -> str:
        """Say how many pieces there are, and the VOROS."""
        title = "LesserAreaCurve" if self.name is None else f"LesserAreaCurve {self.name!r}"
        return f"<{title}: {counted(self.fpr.size, 'piece')}, mean {self.expectation():.4g}>"


@takes_curve()
def lesser_area_curve(curve: RocCurve, *, include_trivial: bool = True) -> LesserAreaCurve:
    """Return the area of lesser classifiers at every t, exactly: its breaks and the operating point between them.

    Parameters
    ----------
    curve : RocCurve
        From data or points.
    include_trivial : bool
        Whether the trivial classifiers may be used where they are cheaper.

    References
    ----------
    Ratigan & Cowen (2025), doi:10.1609/aaai.v39i19.34219; Definitions 43-44.

    Examples
    --------
    >>> import isocost as ic
    >>> areas = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7]))
    >>> areas.breaks.round(4).tolist()
    [0.0, 0.2727, 0.7778, 1.0]
    >>> round(areas.expectation(ic.Conditions.uniform(t=(0.25, 0.75))), 4)
    0.863
    """
    from isocost.roc_space.parametric import ContinuousRocCurve

    if isinstance(curve, ContinuousRocCurve):
        raise InputError("a continuous curve has no pieces: evaluate lesser_area(curve.optimal_cost(t), t) instead")
    return LesserAreaCurve.of(curve, include_trivial=include_trivial)

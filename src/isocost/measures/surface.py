"""The ROC surface in (fpr, tpr, t): at each t the iso-cost line through the cheapest operating point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost.conditions import Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.roc import refuse_continuous, wanted
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.results import Drawn, Result


@dataclass(frozen=True, eq=False)
class SurfaceGrid(Result):
    """Points of a surface as three arrays of one shape: a row is an iso-cost line, a column runs along t.

    Attributes
    ----------
    fpr, tpr, t : numpy.ndarray
    """

    fpr: Floats
    tpr: Floats
    t: Floats


@dataclass(frozen=True)
class SaddlePatch(Drawn):
    """Part of the level saddle t = (y-k)/((x-h)+(y-k)) of an operating point (h, k): its iso-cost lines for t in [t_low, t_high].

    Attributes
    ----------
    fpr, tpr : float
        The operating point; every line passes through it.
    threshold : float
    t_low, t_high : float
    """

    _display = "RocSurfaceDisplay"

    fpr: float
    tpr: float
    threshold: float
    t_low: float
    t_high: float

    def line(self, t: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
        """Return where the iso-cost line at each t enters and leaves the unit square: fpr, tpr, fpr, tpr."""
        return _iso_cost_line(np.asarray(self.fpr), np.asarray(self.tpr), checks.rates(t, "t"))

    def grid(self, rows: int = 25, columns: int = 25) -> SurfaceGrid:
        """Return `rows` lines at equal steps of t, each with `columns` points at equal steps along it."""
        return _ruled(self.line, np.linspace(self.t_low, self.t_high, rows), columns)


def level_saddle(fpr: float, tpr: float) -> SaddlePatch:
    r"""Return the level saddle of one operating point (h, k): every classifier that costs the same as it, at every t.

    .. math:: t = \frac{y - k}{(x - h) + (y - k)}

    Parameters
    ----------
    fpr, tpr : float
        In [0, 1].

    Returns
    -------
    SaddlePatch

    See Also
    --------
    RocSurface : the saddles of a whole curve, joined.

    References
    ----------
    Ratigan & Cowen (2025), doi:10.1609/aaai.v39i19.34219; Definition 50.

    Examples
    --------
    >>> import isocost as ic
    >>> saddle = ic.measures.level_saddle(0.2, 0.7)
    >>> [round(float(v), 4) for v in saddle.line(0.5)]
    [0.0, 0.5, 0.5, 1.0]
    """
    h, k = (checks.number(v, n, low=0.0, high=1.0) for v, n in ((fpr, "fpr"), (tpr, "tpr")))
    return SaddlePatch(h, k, np.nan, 0.0, 1.0)


@dataclass(frozen=True, repr=False)
class RocSurface(Drawn):
    """The ROC surface of a curve as data for drawing: one patch of a level saddle per hull vertex, joined without gaps.

    The lesser classifiers at t lie below and to the right of the surface's line there; the share of the cube they fill is
    the VOROS.

    Attributes
    ----------
    patches : tuple of SaddlePatch
        From low to high t.
    name : str or None

    See Also
    --------
    level_saddle, isocost.voros

    References
    ----------
    Ratigan & Cowen (2025), doi:10.1609/aaai.v39i19.34219; Definition 52.

    Examples
    --------
    >>> import isocost as ic
    >>> surface = ic.measures.RocSurface.from_curve(ic.RocCurve.from_points([0.2], [0.7], name="one point"))
    >>> surface
    <RocSurface 'one point': 3 patches, t from 0 to 1>
    >>> surface.grid(rows=11, columns=5).fpr.shape
    (13, 5)
    """

    _display = "RocSurfaceDisplay"

    _items = "patches"

    patches: tuple[SaddlePatch, ...]
    name: str | None = None

    @classmethod
    def from_curve(cls, curve: RocCurve, *, condition: Conditions | Condition | None = None) -> RocSurface:
        """Return the surface of a curve with the trivial classifiers, over all t or from the lowest to the highest of `condition`."""
        if not isinstance(curve, RocCurve):
            raise InputError(wanted("RocSurface.from_curve", curve))
        refuse_continuous(curve, "a surface needs")
        condition = Conditions.of(condition)
        patches = tuple(
            SaddlePatch(v.fpr, v.tpr, v.threshold, max(v.t_low, condition.low), min(v.t_high, condition.high))
            for v in reversed(curve.vertices)
            if v.t_low < v.t_high and v.t_low <= condition.high and v.t_high >= condition.low
        )
        # A vertex that only touches the range at one end adds nothing, unless the range is that one t.
        wide = tuple(patch for patch in patches if patch.t_low < patch.t_high)
        return cls(wide or patches[:1], curve.name)

    @property
    def breaks(self) -> Floats:
        """The values of t, ascending, at which the cheapest vertex changes, and both ends."""
        return np.array([self.patches[0].t_low, *(patch.t_high for patch in self.patches)])

    def line(self, t: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
        """Return where the surface's line at each t enters and leaves the unit square: fpr, tpr, fpr, tpr."""
        t = checks.rates(t, "t")
        at = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, len(self.patches) - 1)
        h, k = (np.array([getattr(patch, name) for patch in self.patches])[at] for name in ("fpr", "tpr"))
        return _iso_cost_line(h, k, t)

    def grid(self, rows: int = 101, columns: int = 25) -> SurfaceGrid:
        """Return lines at equal steps of t and at every break, each with `columns` points at equal steps along it."""
        breaks = self.breaks
        rows, columns = (checks.whole(v, n, low=2, high=10_000) for v, n in ((rows, "rows"), (columns, "columns")))
        return _ruled(self.line, np.union1d(np.linspace(breaks[0], breaks[-1], rows), breaks), columns)

    def __repr__(self) -> str:
        """Say how many patches there are."""
        title = "RocSurface" if self.name is None else f"RocSurface {self.name!r}"
        breaks = self.breaks
        return f"<{title}: {len(self.patches)} patches, t from {breaks[0]:.4g} to {breaks[-1]:.4g}>"


def _iso_cost_line(h: Floats, k: Floats, t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Cut the line through (h, k) in direction (1-t, t) to the unit square."""
    with np.errstate(divide="ignore", invalid="ignore"):
        back = np.fmin(h / (1 - t), k / t)
        ahead = np.fmin((1 - h) / (1 - t), (1 - k) / t)
    x0, y0 = h - back * (1 - t), k - back * t
    x1, y1 = h + ahead * (1 - t), k + ahead * t
    x0, y0, x1, y1 = (np.clip(v, 0.0, 1.0) for v in (x0, y0, x1, y1))
    return x0, y0, x1, y1


def _ruled(line: Any, t: Floats, columns: int) -> SurfaceGrid:
    x0, y0, x1, y1 = (v[:, None] for v in line(t))
    u = np.linspace(0.0, 1.0, columns)
    return SurfaceGrid(x0 + u * (x1 - x0), y0 + u * (y1 - y0), np.broadcast_to(t[:, None], (t.size, columns)).copy())

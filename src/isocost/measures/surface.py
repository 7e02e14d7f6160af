"""The ROC surface in (fpr, tpr, t): at each t the iso-cost line through the cheapest operating point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented_by
from isocost.curves import RocCurve, Vertex
from isocost.curves.roc import refuse_continuous
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.results import Drawn


@documented_by(
    r"t = \frac{y - k}{(x - h) + (y - k)}",
    cites="Ratigan & Cowen 2025, Definition 50",
)  # fmt: skip
def level_saddle(fpr: float, tpr: float) -> RocSurface:
    """Return the level saddle of one operating point (h, k): every classifier that costs the same as it, at every t.

    Parameters
    ----------
    fpr, tpr : float
        In [0, 1].

    Returns
    -------
    RocSurface
        With this one patch.

    See Also
    --------
    RocSurface : the saddles of a whole curve, joined.

    Examples
    --------
    >>> saddle = ic.measures.level_saddle(0.2, 0.7)
    >>> [round(float(v), 4) for v in saddle.line(0.5)]
    [0.0, 0.5, 0.5, 1.0]
    """
    h, k = (checks.number(v, n, low=0.0, high=1.0) for v, n in ((fpr, "fpr"), (tpr, "tpr")))
    return RocSurface((Vertex(h, k, np.nan, 0.0, 1.0, None, None),))


@documented_by(see="level_saddle isocost.voros", cites="Ratigan & Cowen 2025, Definition 52")
@dataclass(frozen=True, repr=False)
class RocSurface(Drawn):
    """The ROC surface of a curve as data for drawing: one patch of a level saddle per hull vertex, joined without gaps.

    The lesser classifiers at t lie below and to the right of the surface's line there; the share of the cube they fill is
    the VOROS.

    Attributes
    ----------
    patches : tuple of Vertex
        From low to high t: the operating point through which the iso-cost lines of its t pass.
    name : str or None

    Examples
    --------
    >>> surface = ic.measures.RocSurface.from_curve(ic.RocCurve.from_points([0.2], [0.7], name="one point"))
    >>> surface
    <RocSurface 'one point': 3 patches, t from 0 to 1>
    >>> surface.grid(rows=11, columns=5)[0].shape
    (13, 5)
    """

    _display = "RocSurfaceDisplay"

    _items = "patches"

    patches: tuple[Vertex, ...]
    name: str | None = None

    @classmethod
    def from_curve(cls, curve: RocCurve) -> RocSurface:
        """Return the surface of a curve with the trivial classifiers, over all t."""
        checks.instance(curve, "curve", RocCurve, "a RocCurve")
        refuse_continuous(curve, "a surface needs")
        return cls(tuple(v for v in reversed(curve.vertices) if v.t_low < v.t_high), curve.name)

    @property
    def breaks(self) -> Floats:
        """The values of t, ascending, at which the cheapest vertex changes, and both ends."""
        return np.array([self.patches[0].t_low, *(patch.t_high for patch in self.patches)])

    def line(self, t: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
        """Return where the surface's line at each t enters and leaves the unit square: fpr, tpr, fpr, tpr."""
        t = checks.rates(t, "t")
        at = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, len(self.patches) - 1)
        h, k = (np.array([getattr(patch, name) for patch in self.patches])[at] for name in ("fpr", "tpr"))
        # The line through (h, k) in direction (1-t, t), cut to the unit square.
        with np.errstate(divide="ignore", invalid="ignore"):
            back, ahead = np.fmin(h / (1 - t), k / t), np.fmin((1 - h) / (1 - t), (1 - k) / t)
        ends = (h - back * (1 - t), k - back * t, h + ahead * (1 - t), k + ahead * t)
        x0, y0, x1, y1 = (np.clip(v, 0.0, 1.0) for v in ends)
        return x0, y0, x1, y1

    def grid(self, rows: int = 101, columns: int = 25) -> tuple[Floats, Floats, Floats]:
        """Return fpr, tpr and t of lines at equal steps of t and at every break, each with `columns` points at equal steps along it."""
        breaks = self.breaks
        rows, columns = (checks.whole(v, n, low=2, high=10_000) for v, n in ((rows, "rows"), (columns, "columns")))
        t = np.union1d(np.linspace(breaks[0], breaks[-1], rows), breaks)[:, None]
        x0, y0, x1, y1 = self.line(t)
        u = np.linspace(0.0, 1.0, columns)
        return x0 + u * (x1 - x0), y0 + u * (y1 - y0), np.repeat(t, columns, axis=1)

    def __repr__(self) -> str:
        title = "RocSurface" if self.name is None else f"RocSurface {self.name!r}"
        breaks = self.breaks
        return f"<{title}: {len(self.patches)} patches, t from {breaks[0]:.4g} to {breaks[-1]:.4g}>"

"""The upper hulls of many curves at once, and which blocks of points can reach a hull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Bools, Floats

# Blocks looked at together, few enough to stay in the processor's cache.
_TOGETHER = 2**14
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Hulls:
    """The upper hulls of several replicates of one curve, laid end to end.

    Attributes
    ----------
    fp, tp : ndarray
        Cumulative counts of the vertices; each replicate runs from (0, 0) to its class totals.
    point : ndarray of int
        Which point of the path each vertex is.
    start : ndarray of int, shape (replicates + 1,)
        Where each replicate begins.
    """

    fp: NDArray[Any]
    tp: NDArray[Any]
    point: NDArray[np.intp]
    start: NDArray[np.intp]

    def __len__(self) -> int:
        """Return the number of replicates."""
        return int(self.start.size - 1)

    def rates(self) -> tuple[Floats, Floats]:
        """Return fpr and tpr of every vertex."""
        size, last = np.diff(self.start), self.start[1:] - 1
        return self.fp / np.repeat(self.fp[last], size), self.tp / np.repeat(self.tp[last], size)

    def cheapest(self, pcf: Floats) -> NDArray[np.intp]:
        """Return, for each replicate and pcf, the place of the cheapest vertex; shape (replicates, pcf)."""
        fpr, tpr = self.rates()
        inner = np.ones(fpr.size, dtype=np.bool_)
        inner[self.start[:-1]] = False  # an edge ends at every vertex but the first of its replicate
        ends = np.flatnonzero(inner)
        run, rise = fpr[ends] - fpr[ends - 1], tpr[ends] - tpr[ends - 1]
        # The edge's two vertices cost the same at pcf = run/(run + rise).
        switch = run / (run + rise)
        if len(self) == 1:
            return np.searchsorted(switch, pcf)[None, :]
        # A step of 2 keeps replicates apart. The rounding this adds may miss by an edge. It is mended below, because no
        # replicate may depend on those searched together with it.
        shift = 2.0 * np.arange(len(self))
        apart = switch + np.repeat(shift, np.diff(self.start) - 1)
        before = np.searchsorted(apart, (shift[:, None] + pcf).ravel()).reshape(len(self), pcf.size)
        numbers = np.arange(len(self))[:, None]
        first, last = self.start[:-1, None] - numbers, self.start[1:, None] - numbers - 1
        while np.any(late := (before < last) & (switch[np.minimum(before, switch.size - 1)] < pcf)):
            before += late
        while np.any(soon := (before > first) & (switch[before - 1] >= pcf)):
            before -= soon
        return np.asarray(before + numbers)  # one edge fewer than vertices in each replicate before

    def costs(self, pcf: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """Return the lowest cost of each replicate at each pcf, and the point of the path that has it."""
        fpr, tpr = self.rates()
        best = self.cheapest(pcf)
        return cost_of(fpr[best], tpr[best], pcf), self.point[best]


def cost_of(fpr: float | Floats, tpr: float | Floats, pcf: Floats) -> Floats:
    """Return the normalised cost at each pcf."""
    return np.asarray((1 - pcf) * fpr + pcf * (1 - tpr))


def upper_hulls(x: NDArray[Any], y: NDArray[Any], start: NDArray[np.intp], point: NDArray[np.intp]) -> Hulls:
    """Return the upper hulls of several curves laid end to end.

    Parameters
    ----------
    x, y : ndarray
        Both never fall within a curve. Of points that are equal only the first and last of a curve may stay.
    start : ndarray of int
        Where each curve begins.
    point : ndarray of int
        What each point is called; the first of a curve is 0 and no other is.
    """
    end = np.zeros(x.size, dtype=np.bool_)
    end[start] = end[start - 1] = True
    x, y, point = eliminate(x, y, point, end)
    return Hulls(x, y, point, np.append(np.flatnonzero(point == 0), point.size))


def eliminate(
    x: NDArray[Any], y: NDArray[Any], point: NDArray[np.intp], end: Bools
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    """Drop points on or below the chord of their neighbours, round by round, until only vertices and ends are left.

    Curves lie end to end; `end` marks the first and last point of each. No two others in a row may be equal.
    """
    # One of points above each other, the highest, and one of points beside each other, the leftmost.
    keep = end.copy()
    keep[1:-1] |= (y[1:-1] > y[:-2]) & (x[2:] > x[1:-1])
    at = np.flatnonzero(keep)
    return without_lower(x[at], y[at], point[at], end[at])


def without_lower(
    x: NDArray[Any], y: NDArray[Any], point: NDArray[np.intp], end: Bools
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    """Do so where no two points are equal, except perhaps for one and the end after it."""
    while True:
        dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
        keep = end.copy()
        keep[1:-1] |= dx[:-1] * dy[1:] < dy[:-1] * dx[1:]
        at = np.flatnonzero(keep)
        if at.size == x.size:
            return x, y, point
        x, y, point, end = x[at], y[at], point[at], end[at]


def reaching(
    x: NDArray[Any],
    y: NDArray[Any],
    hull: NDArray[np.intp],
    *,
    left: NDArray[Any] | None = None,
    top: NDArray[Any] | None = None,
) -> Bools:
    """Tell which blocks between consecutive points may hold a vertex: those with a corner above the edge over them.

    Whole numbers are compared exactly while their products fit. Otherwise a corner that is not clearly below counts as above.

    Parameters
    ----------
    x, y : ndarray of shape (blocks + 1,)
        The points between blocks; x never falls.
    hull : ndarray of int
        The vertices of the upper hull of these points, or of several hulls laid end to end.
    left : ndarray of shape (blocks,), optional
        No point of a block lies left of this, where the hull rises: where the block begins, if not given.
    top : ndarray of shape (blocks,), optional
        No point of a block lies above this: where the block ends, if not given.
    """
    begin, top = x[:-1] if left is None else left, y[1:] if top is None else top
    above = np.zeros(begin.size, dtype=np.bool_)
    if hull.size == 1 or not above.size:
        return above
    # Of equal last points the hull has the first; blocks after it have no width and lie at its end.
    vertex = np.append(hull[:-1], x.size - 1)
    run, rise = np.diff(x[vertex]), np.diff(y[vertex])
    width, height = max(abs(float(x[0])), abs(float(x[-1]))), max(abs(float(y.min())), abs(float(top.max())))
    exact = x.dtype.kind == "i" and width * height < 2.0**60
    if not exact:
        run, rise = run.astype(float), rise.astype(float)
    level = run * y[vertex[:-1]] - rise * x[vertex[:-1]]
    spare = 0 if exact else -16 * _EPS * width * height
    falls = bool(np.any(rise < 0))
    for start in range(0, above.size, _TOGETHER):
        stop = min(start + _TOGETHER, above.size)
        few = slice(start, stop)
        first, last = np.searchsorted(vertex, start, side="right") - 1, np.searchsorted(vertex, stop)
        many = np.diff(np.clip(vertex[first : last + 1], start, stop))
        over = [np.repeat(v[first:last], many) for v in (run, rise, level)]
        # Where the hull falls, the right corner is the one that may stand above it.
        corner = np.where(over[1] < 0, x[1:][few], begin[few]) if falls else begin[few]
        np.greater(over[0] * top[few] - over[1] * corner - over[2], spare, out=above[few])
    return above

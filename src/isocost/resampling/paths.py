"""Hulls and envelopes of many resampled curves at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from isocost.validate import Floats


class Curves(Protocol):
    """Replicates of one classifier's curve, whatever they are made from."""

    def __len__(self) -> int:
        """Return the number of replicates."""

    def rates(self, point: NDArray[np.intp], *, start: int = 0) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (replicates, any), from replicate `start` on."""

    def hulls(self) -> Hulls:
        """Return the hull of each replicate."""


@dataclass(frozen=True, eq=False)
class Paths:
    """The ROC paths of several replicates of one classifier.

    Attributes
    ----------
    fp, tp : ndarray of shape (replicates, points)
        Cumulative counts (or weights): point 0 flags nobody, point i the i highest distinct scores.
    """

    fp: NDArray[Any]
    tp: NDArray[Any]

    @classmethod
    def of(cls, positives: NDArray[Any], negatives: NDArray[Any]) -> Paths:
        """Sum up the positives and negatives at each distinct score, scores descending."""
        return cls(_summed(negatives), _summed(positives))

    def __len__(self) -> int:
        """Return the number of replicates."""
        return len(self.fp)

    def rates(self, point: NDArray[np.intp], *, start: int = 0) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (replicates, any), from replicate `start` on."""
        fpr, tpr = (np.take_along_axis(c[start:], point, 1) / c[start:, -1:] for c in (self.fp, self.tp))
        return fpr, tpr

    def hulls(self) -> Hulls:
        """Return the hull of each replicate; whole counts are compared exactly."""
        x, y, width = self.fp, self.tp, self.fp.shape[1]
        # A vertex is reached by going up and left by going right. Looking at the rarer class first leaves least to do.
        able = np.zeros(x.shape, dtype=np.bool_)
        if np.sum(y[:, -1]) <= np.sum(x[:, -1]):
            np.greater(y[:, 1:], y[:, :-1], out=able[:, 1:])
        else:
            np.greater(x[:, 1:], x[:, :-1], out=able[:, :-1])
        able[:, 0] = able[:, -1] = True
        at = np.flatnonzero(able)
        point = at % width
        end = (point == 0) | (point == width - 1)
        fp, tp, point = eliminate(_wide(x.ravel()[at]), _wide(y.ravel()[at]), point, end)
        return Hulls(fp, tp, point, np.append(np.flatnonzero(point == 0), point.size))


def _wide(counts: NDArray[Any]) -> NDArray[Any]:
    # Products of two differences need the room.
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64)


def _summed(counts: NDArray[Any]) -> NDArray[Any]:
    kind = counts.dtype if counts.dtype in (np.float64, np.int64) else np.int32
    path = np.zeros((counts.shape[0], counts.shape[1] + 1), dtype=kind)
    np.cumsum(counts, axis=1, out=path[:, 1:])
    return path


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
        # Replicates are kept apart by a step of 2. The rounding this adds may miss by an edge, which is mended, so that no
        # replicate depends on those searched together with it.
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


def eliminate(
    x: NDArray[Any], y: NDArray[Any], point: NDArray[np.intp], end: NDArray[np.bool_]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    """Drop points on or below the chord of their neighbours, round by round, until only vertices and ends are left.

    Replicates lie end to end; `end` marks the first and last point of each. No two others in a row may be equal.
    """
    # One of points above each other, the highest, and one of points beside each other, the leftmost.
    keep = end.copy()
    keep[1:-1] |= (y[1:-1] > y[:-2]) & (x[2:] > x[1:-1])
    at = np.flatnonzero(keep)
    return without_lower(x[at], y[at], point[at], end[at])


def without_lower(
    x: NDArray[Any], y: NDArray[Any], point: NDArray[np.intp], end: NDArray[np.bool_]
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

"""Which of several cost curves is the lowest where, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.cost_space.curve import CostCurve
from isocost.cost_space.roots import inner_roots
from isocost.validate import Bools, Floats

_BLOCK = 8192

# Values and ends of stretches that differ by less are the same, added up in another order.
_ROUNDING = 4 * np.finfo(np.float64).eps


class Lowest(NamedTuple):
    """A stretch of x on which one curve is the lowest, the first of equal ones; `tied` are equal all over it."""

    which: int
    low: float
    high: float
    tied: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Several curves on pieces that they all have in common; arrays of shape (curves, pieces), as in `CostCurve`."""

    ends: Floats
    left: Floats
    right: Floats
    bend: Floats

    @classmethod
    def of(cls, curves: Sequence[CostCurve], ends: Floats) -> _Pieces:
        """Read the curves between ends that include all their breaks there."""
        middle = (ends[:-1] + ends[1:]) / 2
        left, right, bend = (np.empty((len(curves), middle.size)) for _ in range(3))
        for i, curve in enumerate(curves):
            piece = np.searchsorted(curve.breaks, middle, side="right") - 1
            start, low, high, lift = curve.breaks[piece], curve._left[piece], curve._right[piece], curve._bend[piece]
            width = curve.breaks[piece + 1] - start
            for values, x in ((left, ends[:-1]), (right, ends[1:])):
                u = (x - start) / width
                values[i] = (1 - u) * low + u * high + 4 * lift * u * (1 - u)
            bend[i] = lift * (np.diff(ends) / width) ** 2
        return cls(ends, left, right, bend)

    @property
    def first(self) -> NDArray[np.intp]:
        """The lowest curve in the middle of each piece, the first of equal ones."""
        middle = (self.left + self.right) / 2 + self.bend
        return np.asarray(np.argmax(middle <= middle.min(axis=0) + _ROUNDING, axis=0))

    @property
    def equal(self) -> Bools:
        """Which curves are the lowest at three places inside each piece, which tell two quadratics apart."""
        places = [(1 - u) * self.left + u * self.right + 4 * u * (1 - u) * self.bend for u in (0.25, 0.5, 0.75)]
        return np.asarray(np.all([value <= value.min(axis=0) + _ROUNDING for value in places], axis=0))

    def unsure(self) -> NDArray[np.intp]:
        """Return the pieces inside which the lowest curve may change."""
        first = self.first
        left, right, bend = (part - part[first, np.arange(first.size)] for part in (self.left, self.right, self.bend))
        # A quadratic lies within the range of its ends and of this third corner.
        least = np.minimum(np.minimum(left, right), (left + right) / 2 + 2 * bend)
        earlier = np.arange(len(left))[:, None] < first
        return np.flatnonzero(np.any(np.where(earlier, least <= _ROUNDING, least < -_ROUNDING), axis=0))

    def meetings(self, pieces: NDArray[np.intp]) -> Floats:
        """Return where two curves meet inside some pieces."""
        start, width = self.ends[:-1][pieces], np.diff(self.ends)[pieces]
        found = []
        for a, b in combinations(range(len(self.left)), 2):
            gap = [part[a, pieces] - part[b, pieces] for part in (self.left, self.right, self.bend)]
            found.append(inner_roots(start, width, *(np.where(np.abs(v) < _ROUNDING, 0.0, v) for v in gap)))
        return np.concatenate(found) if found else np.empty(0)


def lowest(curves: Sequence[CostCurve]) -> list[Lowest]:
    """Return the stretches in ascending x; of equal curves the earlier one gets them."""
    breaks = _apart(np.concatenate([[0.0, 1.0], *(curve.breaks for curve in curves)]))
    # In blocks that stay in the cache.
    parts = [_settled(curves, breaks[i : i + _BLOCK + 1]) for i in range(0, breaks.size - 1, _BLOCK)]
    first = np.concatenate([part.first for part in parts])
    equal = np.concatenate([part.equal for part in parts], axis=1)
    ends = np.concatenate([*(part.ends[:-1] for part in parts), [1.0]])
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    tied = np.logical_and.reduceat(equal, starts, axis=1)
    found = []
    for i, (begin, end) in enumerate(zip(starts.tolist(), [*starts[1:].tolist(), first.size], strict=True)):
        which = int(first[begin])
        others = tuple(int(j) for j in np.flatnonzero(tied[:, i]) if j != which)
        found.append(Lowest(which, float(ends[begin]), float(ends[end]), others))
    return found


def _settled(curves: Sequence[CostCurve], breaks: Floats) -> _Pieces:
    """Return pieces inside which no other curve becomes the lowest."""
    pieces = _Pieces.of(curves, breaks)
    unsure = pieces.unsure()
    met = pieces.meetings(unsure) if unsure.size else unsure
    return pieces if not met.size else _Pieces.of(curves, _apart(np.concatenate([breaks, met])))


def _apart(cuts: Floats) -> Floats:
    """Return cuts in ascending order; those that rounding has put apart are one, and the last stays."""
    # Breaks come as runs in order, which a stable sort merges.
    cuts = np.sort(cuts, kind="stable")
    kept = cuts[np.diff(cuts, prepend=-1.0) > _ROUNDING]
    kept[-1] = cuts[-1]
    return np.asarray(kept)

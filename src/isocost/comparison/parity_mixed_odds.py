"""Equal tpr and equal fpr at once by mixing thresholds at random: exactly, without a linear program of all vertices.

Both rates of all groups lie in a square whose sides are as long as the tolerance. Where the square stands decides everything else: each
group then takes the cheapest place under its hull that is inside. What all of them pay is convex in the two places of the square, so
planes that touch it from below find where it is least, and prove it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.parity_mixed import Mixture, told
from isocost.errors import InputError
from isocost.validate import Floats

_EPS = float(np.finfo(np.float64).eps)
# Up to this the bound meets the cost, in units of the largest cost, and a place is within reach; up to the other one it will do.
_NEAR, _FAR = 1e-13, 1e-10
# The slope beside a tolerance is looked for so far off, then closer.
_STEPS = (1e-5, 1e-6, 1e-7, 1e-8)
_MOST_ROUNDS = 500


@dataclass(frozen=True, eq=False)
class OddsHulls:
    """The hulls of several groups, one after another, and what false alarms and misses cost there.

    Attributes
    ----------
    fpr, tpr : ndarray
        Of the vertices; each group begins at (0, 0) and ends at (1, 1).
    point : ndarray of int
        Which operating point each vertex is.
    start : ndarray of int, shape (groups + 1,)
        Where each group begins.
    alarms, misses : ndarray of shape (groups,)
        What an fpr of 1 and a tpr of 0 cost, per case of all groups together.
    """

    fpr: Floats
    tpr: Floats
    point: NDArray[np.intp]
    start: NDArray[np.intp]
    alarms: Floats
    misses: Floats
    _best: NDArray[np.intp] = field(init=False)

    def __post_init__(self) -> None:
        cost = self._each(self.alarms) * self.fpr + self._each(self.misses) * (1 - self.tpr)
        cheap = np.flatnonzero(cost == self._each(np.minimum.reduceat(cost, self.start[:-1])))
        object.__setattr__(self, "_best", cheap[np.searchsorted(cheap, self.start[:-1])])

    def _each(self, of_group: Floats) -> Floats:
        return np.repeat(of_group, np.diff(self.start))

    def _edge(self, values: Floats, at: float | Floats) -> NDArray[np.intp]:
        """Return in each group the last vertex of the first edge that reaches a value; the last edge if none does."""
        wanted = np.broadcast_to(np.asarray(at, dtype=np.float64), self.alarms.shape)
        before = np.add.reduceat((values < self._each(wanted)).astype(np.intp), self.start[:-1])
        return np.asarray(self.start[:-1] + np.clip(before, 1, np.diff(self.start) - 1))

    def height(self, x: float | Floats) -> tuple[Floats, Floats]:
        """Return the greatest tpr of each group at an fpr, and the slope of the hull there; past 1 it is flat."""
        # Of an upright first edge only the upper end counts.
        after = np.maximum(self._edge(self.fpr, x), self._rising)
        run, rise = self.fpr[after] - self.fpr[after - 1], self.tpr[after] - self.tpr[after - 1]
        slope = rise / np.where(run > 0, run, 1.0)
        y = self.tpr[after] - slope * (self.fpr[after] - x)
        past = np.asarray(x) >= 1
        return np.where(past, 1.0, np.minimum(y, 1.0)), np.where(past | (run == 0), 0.0, slope)

    @property
    def _rising(self) -> NDArray[np.intp]:
        """The last vertex of each group's first edge that is not upright."""
        first = np.add.reduceat((self.fpr == 0).astype(np.intp), self.start[:-1])
        return np.asarray(self.start[:-1] + np.minimum(first, np.diff(self.start) - 1))

    def reach(self, y: float) -> tuple[Floats, Floats]:
        """Return the least fpr of each group at which its hull reaches a tpr, and how much more fpr a little more tpr takes."""
        after = self._edge(self.tpr, y)
        run, rise = self.fpr[after] - self.fpr[after - 1], self.tpr[after] - self.tpr[after - 1]
        dear = run / np.where(rise > 0, rise, 1.0)
        return np.clip(self.fpr[after] - dear * (self.tpr[after] - y), 0.0, 1.0), dear

    def places(self, x0: float, y0: float, side: float) -> tuple[Floats, Floats, Floats]:
        """Return fpr and tpr of each group's cheapest place in a square, and by how much costs grow with x0, y0 and the side.

        The last has shape (3, groups).
        """
        top, right = y0 + side, min(x0 + side, 1.0)
        (reaches, dear), (low, dearer) = self.reach(top), self.reach(y0)
        x, by_top = np.minimum(self.fpr[self._best], reaches), top < self.tpr[self._best]
        by_right = x > right
        by_left, by_below = (x < x0) & (low <= x0) & ~by_right, (x < low) & (low > x0) & ~by_right
        free = ~(by_left | by_below | by_right)
        x = np.minimum(np.maximum(x, np.maximum(x0, low)), right)
        height, slope = self.height(x)
        y = np.minimum(height, top)
        along, upwards = self.alarms - self.misses * slope, self.alarms * np.where(free, dear, dearer) - self.misses
        # At the left side the top may bind as well: the place is a corner of the square.
        corner = by_left & (by_top | (height > top))
        # Away from its best place a group pays more: whatever says otherwise is rounding beside a vertex.
        saved = np.where(free & by_top, np.minimum(upwards, 0.0), 0.0) - np.where(corner, self.misses, 0.0)
        pushed = np.where(by_right, np.minimum(along, 0.0), 0.0)
        by_x = pushed + np.where(corner, self.alarms, np.where(by_left, np.maximum(along, 0.0), 0.0))
        by_y = saved + np.where(by_below, np.maximum(upwards, 0.0), 0.0)
        return x, y, np.stack([by_x, by_y, pushed + saved])

    def mixture(self, g: int, x: float, y: float) -> Mixture:
        """Return the vertices of a group that are at a place together, each with its probability: at most three."""
        own = slice(self.start[g], self.start[g + 1])
        u, v, point = self.fpr[own].tolist(), self.tpr[own].tolist(), self.point[own].tolist()
        # From (0, 0) through the place to the edge of the hull behind it.
        turn = [v[i] * x - u[i] * y for i in range(len(u))]
        i = max(i for i in range(1, len(u)) if turn[i] >= 0 or i == 1)
        share = turn[i] / (turn[i] - turn[i + 1]) if i + 1 < len(u) and turn[i] > turn[i + 1] else 0.0
        ahead = [(1 - share, i), *([(share, i + 1)] if share > 0 else [])]
        far = sum(p * (u[k] + v[k]) for p, k in ahead)
        reached = min((x + y) / far, 1.0)
        return told([(1 - reached, point[0]), *((reached * p, point[k]) for p, k in ahead)])


def mixed_odds(hulls: OddsHulls, tolerance: float) -> tuple[list[Mixture], float, float]:
    """Return the mixture of each group, what false alarms and misses cost in all, and what a unit of tolerance more saves at first."""
    scale = float(hulls.alarms.sum() + hulls.misses.sum())
    hulls = replace(hulls, alarms=hulls.alarms / scale, misses=hulls.misses / scale)
    x0, y0, least = _Square(hulls, tolerance).found()
    x, y, _ = hulls.places(x0, y0, tolerance)
    mixtures = [hulls.mixture(g, *place) for g, place in enumerate(zip(x.tolist(), y.tolist(), strict=True))]
    return mixtures, scale * least, scale * _saved(hulls, tolerance, least)


def _saved(hulls: OddsHulls, tolerance: float, least: float) -> float:
    """Return what a unit of tolerance more saves at first: what the planes that meet a little further say, if that lies on one piece."""
    found = 0.0
    for step in _STEPS if tolerance < 1 else ():
        beside = _Square(hulls, min(tolerance + step, 1.0))
        wider, cost = beside.side - tolerance, beside.found()[2]
        found = max((least - cost) / wider, 0.0)
        slope = -beside.slope()
        if abs(cost + slope * wider - least) <= 4 * _NEAR:
            return max(slope, 0.0)
    return found


class _Square:
    """Where a square of some side stands when all groups together pay least: the least of planes that touch the cost from below.

    Each plane says n·(x0, y0, cost) ≥ c, and c grows with the side as `more` says. Three of them, the basis, meet in the lowest place that
    they allow. A plane that this place breaks takes the turn of one of them.
    """

    def __init__(self, hulls: OddsHulls, side: float) -> None:
        self.hulls, self.side = hulls, side
        # Both places are between 0 and 1, and the cost is at least 0.
        self.normal = [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)]
        self.least, self.more = [0.0, -1.0, 0.0, -1.0, 0.0], [0.0] * 5
        self.basis = [0, 2, 4]

    def found(self) -> tuple[float, float, float]:
        """Return both places of the square and the least cost."""
        best, bound = (0.0, 0.0, np.inf), 0.0
        for _ in range(_MOST_ROUNDS):
            *place, bound = self._vertex().tolist()
            # Rounding may put it just outside.
            x0, y0 = (min(max(at, 0.0), 1.0) for at in place)
            cost = self._touched(x0, y0)
            if cost is not None and cost < best[2]:
                best = x0, y0, cost
            if best[2] <= bound + _NEAR:
                return best
            self._settle()
        if best[2] <= bound + _FAR:
            return best
        raise InputError(
            f"equal odds within {self.side:g} cannot be priced to nine digits here: change the tolerance a little"
        )

    def slope(self) -> float:
        """Return by how much the least cost grows with the side, from the planes that meet there."""
        self.found()
        return float(np.array(self.more)[self.basis] @ self._weights((0.0, 0.0, 1.0)))

    def _touched(self, x0: float, y0: float) -> float | None:
        """Add the plane that touches the cost at a place, and return the cost; None if a group cannot be in the square there."""
        hulls, right = self.hulls, min(x0 + self.side, 1.0)
        height, slope = hulls.height(right)
        short = int(np.argmin(height))
        if height[short] < y0 - _NEAR:
            s = float(slope[short])
            self._add((s, -1.0, 0.0), s * right - float(height[short]) - s * self.side, -s)
            return None
        y0 = min(y0, float(height[short]))
        x, y, grows = hulls.places(x0, y0, self.side)
        cost = float((hulls.alarms * x + hulls.misses * (1 - y)).sum())
        by_x, by_y, by_side = grows.sum(axis=1).tolist()
        self._add((-by_x, -by_y, 1.0), cost - by_x * x0 - by_y * y0, by_side)
        return cost

    def _add(self, normal: tuple[float, float, float], least: float, more: float) -> None:
        self.normal.append(normal)
        self.least.append(least)
        self.more.append(more)

    def _vertex(self) -> Floats:
        return np.linalg.solve(np.array(self.normal)[self.basis], np.array(self.least)[self.basis])

    def _weights(self, of: tuple[float, float, float]) -> Floats:
        """Return the weights of the basis that add up to a normal."""
        return np.linalg.solve(np.array(self.normal)[self.basis].T, np.array(of))

    def _settle(self) -> None:
        """Exchange planes until the place where the basis meets breaks none."""
        normal, least = np.array(self.normal), np.array(self.least)
        size = np.abs(normal).max(axis=1)
        for _ in range(_MOST_ROUNDS):
            broken = (least - normal @ self._vertex()) / size
            worst = int(np.argmax(broken))
            if broken[worst] <= 4 * _EPS:
                return
            weights, parts = self._weights((0.0, 0.0, 1.0)), self._weights(self.normal[worst])
            ratio = np.where(
                parts > 1e-13 * size[worst], np.maximum(weights, 0.0) / np.where(parts > 0, parts, 1.0), np.inf
            )
            leaving = int(np.argmin(ratio))
            if not np.isfinite(ratio[leaving]) or worst in self.basis:
                return
            self.basis[leaving] = worst

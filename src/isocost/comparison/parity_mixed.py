"""Equal rates by mixing thresholds at random: exactly, for every tolerance at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.hull import upper_hull
from isocost.validate import Floats

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class LeastCost:
    """The least cost of a group at each rate: convex, straight between its vertices.

    Attributes
    ----------
    rate, cost : ndarray
        Of the vertices; the cost is per case of all groups together.
    point : ndarray of int
        Which operating point of the group each vertex is.
    low, high : int
        The first and the last of the cheapest vertices.
    """

    rate: Floats
    cost: Floats
    point: NDArray[np.intp]
    low: int
    high: int

    @classmethod
    def of(cls, rate: Floats, cost: Floats, point: NDArray[np.intp]) -> LeastCost:
        """Return the lower hull of rates and costs of some points."""
        if not (rate[1:] > rate[:-1]).all():
            order = np.lexsort((cost, rate))
            rate, cost, point = rate[order], cost[order], point[order]
            new = np.append(True, rate[1:] > rate[:-1])
            rate, cost, point = rate[new], cost[new], point[new]
        # The hull takes coordinates between 0 and 1.
        lowest = float(cost.min())
        reach = float(cost.max()) - lowest or 1.0
        vertex = upper_hull(rate, (lowest - cost) / reach)
        rate, cost = rate[vertex], cost[vertex]
        cheap = np.flatnonzero(cost <= lowest + 4 * _EPS * max(reach, abs(lowest)))
        return cls(rate, cost, point[vertex], int(cheap[0]), int(cheap[-1]))

    def mixed(self, rate: float) -> list[tuple[float, int]]:
        """Return the points that have a rate together at least cost, each with its probability."""
        after = int(np.clip(np.searchsorted(self.rate, rate), 1, max(self.rate.size - 1, 1)))
        if self.rate.size == 1:
            return [(1.0, int(self.point[0]))]
        left, right = self.rate[after - 1], self.rate[after]
        share = float((rate - left) / (right - left))
        parts = [(1 - share, int(self.point[after - 1])), (share, int(self.point[after]))]
        return [(p, point) for p, point in parts if p > 4 * _EPS]


@dataclass(frozen=True, eq=False)
class Closing:
    """Closing the gap between the lowest and the highest rate, the cheaper end first.

    Attributes
    ----------
    lowest, highest : float
        Where the two ends stand when every group is as cheap as it can be.
    length, slope : ndarray
        Pieces of the way in the order in which they are closed, and what each costs per unit; slopes never fall.
    raised : ndarray of bool
        Whether the lower end moves, else the upper one.
    """

    lowest: float
    highest: float
    length: Floats
    slope: Floats
    raised: NDArray[np.bool_]

    @classmethod
    def of(cls, groups: Sequence[LeastCost]) -> Closing:
        """Merge the ways from both ends."""
        lowest = min(float(g.rate[g.high]) for g in groups)
        highest = max(float(g.rate[g.low]) for g in groups)
        if highest <= lowest:
            return cls(lowest, lowest, np.empty(0), np.empty(0), np.empty(0, dtype=np.bool_))
        up = _way([(g.rate[g.high :], g.cost[g.high :]) for g in groups], lowest, highest)
        down = _way([(-g.rate[: g.low + 1][::-1], g.cost[: g.low + 1][::-1]) for g in groups], -highest, -lowest)
        length, slope = np.concatenate([up[0], down[0]]), np.concatenate([up[1], down[1]])
        raised = np.repeat([True, False], [up[0].size, down[0].size])
        order = np.argsort(slope, kind="stable")
        length, slope, raised = length[order], slope[order], raised[order]
        # Only the gap is to be closed, not more.
        over = np.maximum(np.cumsum(length) - (highest - lowest), 0.0)
        length = np.maximum(length - over, 0.0)
        kept = length > 0
        return cls(lowest, highest, length[kept], slope[kept], raised[kept])

    @property
    def gap(self) -> float:
        """The tolerance from which on nothing has to be paid."""
        return self.highest - self.lowest

    def closed(self, tolerance: float) -> tuple[float, float, float]:
        """Return where both ends stand at a tolerance, and the slope of the last piece closed."""
        left = max(self.gap - tolerance, 0.0)
        taken = np.clip(left - (np.cumsum(self.length) - self.length), 0.0, self.length)
        low = self.lowest + float(taken[self.raised].sum())
        high = self.highest - float(taken[~self.raised].sum())
        paid = np.flatnonzero(taken > 4 * _EPS)
        return low, max(high, low), float(self.slope[paid[-1]]) if paid.size else 0.0

    def curve(self) -> tuple[Floats, Floats]:
        """Return tolerances and prices at the breaks, from tolerance 0 up."""
        tolerance = np.concatenate([[0.0], np.cumsum(self.length[::-1])])
        price = np.concatenate([np.cumsum(self.length * self.slope)[::-1], [0.0]])
        if self.length.size == 0:
            return tolerance, price
        # Neighbouring pieces of one slope are one piece.
        slope = self.slope[::-1]
        bend = np.concatenate([[True], slope[1:] < slope[:-1] * (1 - 8 * _EPS), [True]])
        return tolerance[bend], price[bend]


def windows_within(groups: Sequence[LeastCost], tolerance: float, price: float) -> tuple[float, float]:
    """Return between which places windows as wide as the tolerance begin that may cost no more than a price; all others cost more."""
    lowest = min(float(g.rate[g.high]) for g in groups)
    highest = max(float(g.rate[g.low]) for g in groups)
    top, bottom = max(float(g.rate[-1]) for g in groups), min(float(g.rate[0]) for g in groups)
    up, down = (np.zeros(0), np.zeros(0)), (np.zeros(0), np.zeros(0))
    if lowest < top:
        up = _way([(g.rate[g.high :], g.cost[g.high :]) for g in groups], lowest, top)
    if bottom < highest:
        down = _way([(-g.rate[: g.low + 1][::-1], g.cost[: g.low + 1][::-1]) for g in groups], -highest, -bottom)
    raising, lowering = lowest + np.append(0.0, np.cumsum(up[0])), highest - np.append(0.0, np.cumsum(down[0]))
    paid = [np.append(0.0, np.cumsum(length * slope)) for length, slope in (up, down)]
    begin = np.unique(np.concatenate([raising, lowering - tolerance]))
    # Past the last vertex of all groups the price stays as it is at least.
    least = np.interp(begin, raising, paid[0]) + np.interp(begin + tolerance, lowering[::-1], paid[1][::-1])
    cheap = np.flatnonzero(least <= price)
    if cheap.size == 0:
        return -math.inf, math.inf
    first, last = int(cheap[0]) - 1, int(cheap[-1]) + 1
    return -math.inf if first < 0 else float(begin[first]), math.inf if last == begin.size else float(begin[last])


def _way(edges: list[tuple[Floats, Floats]], begin: float, end: float) -> tuple[Floats, Floats]:
    """Return lengths and slopes of the sum of rising convex lines between two places, each from its own first place on."""
    starts = np.concatenate([rate[:-1] for rate, _ in edges])
    stops = np.concatenate([rate[1:] for rate, _ in edges])
    rise = np.concatenate([np.diff(cost) for _, cost in edges])
    used = (starts < end) & (stops > begin)
    starts, stops, rise = starts[used], stops[used], rise[used]
    slope = rise / (stops - starts)
    starts, stops = np.maximum(starts, begin), np.minimum(stops, end)
    places = np.unique(np.concatenate([[begin, end], starts, stops]))
    change = np.zeros(places.size)
    np.add.at(change, np.searchsorted(places, starts), slope)
    np.add.at(change, np.searchsorted(places, stops), -slope)
    # A sum of convex lines is convex: what falls is rounding.
    return np.diff(places), np.maximum.accumulate(np.maximum(np.cumsum(change)[:-1], 0.0))

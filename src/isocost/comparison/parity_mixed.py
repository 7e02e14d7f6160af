"""Equal rates by mixing thresholds at random: exactly, for every tolerance at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.hulls import without_lower
from isocost.validate import Bools, Floats

Mixture = list[tuple[float, int]]
_EPS = float(np.finfo(np.float64).eps)
# A part less likely than this is rounding.
_UNLIKELY = 1e-12


def told(parts: Mixture) -> Mixture:
    """Return the parts of a mixture that are there, their probabilities adding up to 1."""
    kept = [(p, point) for p, point in parts if p > _UNLIKELY]
    total = sum(p for p, _ in kept)
    return [(p / total, point) for p, point in kept]


@dataclass(frozen=True, eq=False)
class LeastCosts:
    """The least cost of each group at each rate: convex, straight between its vertices. Groups lie one after another.

    Attributes
    ----------
    rate, cost : ndarray
        Of the vertices; the cost is per case of all groups together.
    point : ndarray of int
        Which operating point each vertex is.
    start : ndarray of int, shape (groups + 1,)
        Where each group begins.
    low, high : ndarray of int, shape (groups,)
        The first and the last of the cheapest vertices of each group.
    """

    rate: Floats
    cost: Floats
    point: NDArray[np.intp]
    start: NDArray[np.intp]
    low: NDArray[np.intp]
    high: NDArray[np.intp]

    @classmethod
    def of(cls, rate: Floats, cost: Floats, point: NDArray[np.intp], start: NDArray[np.intp]) -> LeastCosts:
        """Return the lower hulls of rates and costs of some points of each group."""
        group = np.repeat(np.arange(start.size - 1), np.diff(start))
        if not np.all((rate[1:] > rate[:-1]) | (group[1:] > group[:-1])):
            order = np.lexsort((cost, rate, group))
            rate, cost, point, group = rate[order], cost[order], point[order], group[order]
            new = np.append(True, (rate[1:] > rate[:-1]) | (group[1:] > group[:-1]))
            rate, cost, point, group = rate[new], cost[new], point[new], group[new]
        edge = np.append(True, group[1:] > group[:-1])
        end = edge | np.append(edge[1:], True)
        _, _, vertex = without_lower(rate, -cost, np.arange(rate.size), end)
        rate, cost, point = rate[vertex], cost[vertex], point[vertex]
        start = np.searchsorted(group[vertex], np.arange(start.size))
        first = start[:-1]
        lowest = np.minimum.reduceat(cost, first)
        reach = np.maximum.reduceat(cost, first) - lowest
        spare = 4 * _EPS * np.maximum(np.where(reach > 0, reach, 1.0), np.abs(lowest))
        cheap = np.flatnonzero(cost <= np.repeat(lowest + spare, np.diff(start)))
        low, high = cheap[np.searchsorted(cheap, first)], cheap[np.searchsorted(cheap, start[1:]) - 1]
        return cls(rate, cost, point, start, low, high)

    def mixed(self, groups: NDArray[np.intp], rates: Floats) -> list[Mixture]:
        """Return the points that give some groups a rate at least cost, each point with its probability."""
        wanted = np.full(self.start.size - 1, -math.inf)
        wanted[groups] = rates
        before = np.add.reduceat((self.rate < np.repeat(wanted, np.diff(self.start))).astype(np.intp), self.start[:-1])[
            groups
        ]
        size = np.diff(self.start)[groups]
        after = self.start[groups] + np.clip(before, 1, np.maximum(size - 1, 1))
        found: list[Mixture] = []
        for last, alone, at in zip(after.tolist(), (size == 1).tolist(), rates.tolist(), strict=True):
            if alone:
                found.append([(1.0, int(self.point[last - 1]))])
                continue
            left, right = float(self.rate[last - 1]), float(self.rate[last])
            share = (at - left) / (right - left)
            found.append(told([(1 - share, int(self.point[last - 1])), (share, int(self.point[last]))]))
        return found

    @property
    def lowest(self) -> float:
        """Where the lower end of all rates stands when every group is as cheap as it can be."""
        return float(self.rate[self.high].min())

    @property
    def highest(self) -> float:
        """Where the upper end stands then."""
        return float(self.rate[self.low].max())

    def raising(self, end: float) -> tuple[Floats, Floats]:
        """Return lengths and slopes of what it costs to raise the lower end of all rates up to some place."""
        begin = np.flatnonzero(self._inner & (np.arange(self.rate.size - 1) >= self._each(self.high)[:-1]))
        return _way(self.rate[begin], self.rate[begin + 1], self.cost[begin + 1] - self.cost[begin], self.lowest, end)

    def lowering(self, end: float) -> tuple[Floats, Floats]:
        """Return lengths and slopes of what it costs to lower the upper end of all rates down to some place."""
        begin = np.flatnonzero(self._inner & (np.arange(self.rate.size - 1) < self._each(self.low)[:-1]))
        return _way(
            -self.rate[begin + 1], -self.rate[begin], self.cost[begin] - self.cost[begin + 1], -self.highest, -end
        )

    @property
    def _inner(self) -> Bools:
        """Which steps from one vertex to the next stay within a group."""
        inner = np.ones(self.rate.size, dtype=np.bool_)
        inner[self.start[1:] - 1] = False
        return inner[:-1]

    def _each(self, of_group: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.repeat(of_group, np.diff(self.start))


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
    raised: Bools

    @classmethod
    def of(cls, groups: LeastCosts) -> Closing:
        """Merge the ways from both ends."""
        lowest, highest = groups.lowest, groups.highest
        if highest <= lowest:
            return cls(lowest, lowest, np.empty(0), np.empty(0), np.empty(0, dtype=np.bool_))
        up, down = groups.raising(highest), groups.lowering(lowest)
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


@dataclass(frozen=True, eq=False)
class WindowPrices:
    """What mixtures pay at least if all rates lie in one window of some width: convex in where the window begins.

    Attributes
    ----------
    begin, price : ndarray
        The bends; the price is straight between them, and never falls before the first nor after the last.
    """

    begin: Floats
    price: Floats

    @classmethod
    def of(cls, groups: LeastCosts, width: float) -> WindowPrices:
        """Return the prices of windows of one width."""
        lowest, highest = groups.lowest, groups.highest
        top, bottom = float(groups.rate.max()), float(groups.rate.min())
        none = (np.zeros(0), np.zeros(0))
        up = groups.raising(top) if lowest < top else none
        down = groups.lowering(bottom) if bottom < highest else none
        raising, lowering = lowest + np.append(0.0, np.cumsum(up[0])), highest - np.append(0.0, np.cumsum(down[0]))
        paid = [np.append(0.0, np.cumsum(length * slope)) for length, slope in (up, down)]
        begin = np.unique(np.concatenate([raising, lowering - width]))
        price = np.interp(begin, raising, paid[0]) + np.interp(begin + width, lowering[::-1], paid[1][::-1])
        return cls(begin, price)

    def within(self, price: float) -> tuple[float, float]:
        """Return between which places windows begin that may cost no more than a price; all others cost more."""
        cheap = np.flatnonzero(self.price <= price)
        if cheap.size == 0:
            return -math.inf, math.inf
        first, last = int(cheap[0]) - 1, int(cheap[-1]) + 1
        ends = self.begin
        return -math.inf if first < 0 else float(ends[first]), math.inf if last == ends.size else float(ends[last])


def _way(starts: Floats, stops: Floats, rise: Floats, begin: float, end: float) -> tuple[Floats, Floats]:
    """Return lengths and slopes of the sum of rising convex lines between two places, each from its own first place on."""
    used = (starts < end) & (stops > begin)
    starts, stops, rise = starts[used], stops[used], rise[used]
    slope = rise / (stops - starts)
    starts, stops = np.maximum(starts, begin), np.minimum(stops, end)
    places, at = np.unique(np.concatenate([[begin, end], starts, stops]), return_inverse=True)
    change = np.bincount(at[2:], np.concatenate([slope, -slope]), places.size)
    # A sum of convex lines is convex: what falls is rounding.
    return np.diff(places), np.maximum.accumulate(np.maximum(np.cumsum(change)[:-1], 0.0))

"""Equal rates of groups: with one threshold a group, or by mixing thresholds at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import least_between, least_of, without_lower
from isocost.errors import InputError
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


# Rates that differ by a little more than the tolerance still count as within it.
ROUNDING = 1e-12
# Of windows that cost the same up to rounding so many are added up exactly.
_MOST = 64
# So many groups, those with the fewest points, tell where no window can begin.
_SMALLEST = 8
# Rates are put into so many cells to see which windows are too dear; a window is at most so many cells wide.
_CELLS, _WIDEST = 64, 32


def cheapest_near(
    rate: Floats,
    start: NDArray[np.intp],
    cost: Callable[[NDArray[np.intp]], Floats],
    tolerance: float,
    least: LeastCosts,
) -> NDArray[np.intp]:
    """Return one point a group whose rates lie in one window as wide as the tolerance, at the least cost in all.

    Windows are ruled out from the coarse to the fine: where mixtures of thresholds, which cost less still, are too dear; where a
    small group has no point; where even wider windows are too dear. What is left is compared window by window.

    Parameters
    ----------
    rate : ndarray
        Of all points, one group after another; each group has a point of rate 0.
    start : ndarray of int, shape (groups + 1,)
        Where the points of each group begin.
    cost : callable
        Returns the cost of some points, per case of all groups together.
    tolerance : float
    least : LeastCosts
        The least cost of each group at each rate, mixtures included.
    """
    wide, groups = tolerance + ROUNDING, np.arange(start.size - 1)
    prices = WindowPrices.of(least, wide)
    free = float(least.cost[least.low].sum())
    # Sums over points and over mixtures are rounded apart.
    spare = 1e-8 * max(1.0, float(np.abs(least.cost).max()) * groups.size)
    most = np.inf
    for place in (0.0, float(prices.begin[np.argmin(prices.price)])):
        inside = np.flatnonzero((rate >= place) & (rate <= place + wide))
        first = np.searchsorted(inside, start)
        if np.all(first[1:] > first[:-1]):
            most = min(most, float(np.minimum.reduceat(cost(inside), first[:-1]).sum()))
    low, high = prices.within(most - free + spare)
    begin, end = _possible(rate, start, wide, max(low, -wide), min(high, 1.0))
    kept = _reached(rate, wide, begin, end)
    group = np.searchsorted(start, kept, side="right") - 1
    of, paid = rate[kept], cost(kept)
    if not np.all((of[1:] >= of[:-1]) | (group[1:] > group[:-1])):
        order = np.lexsort((of, group))
        kept, of, paid = kept[order], of[order], paid[order]
    begin, end = _cheap_enough(of, paid, group, wide, begin, end, most, spare)
    some = _reached(of, wide, begin, end)
    # What every window holds is there once a group, the cheapest.
    held = (of[some] >= end[-1]) & (of[some] <= begin[0] + wide)
    if held.any():
        core = some[held]
        some = np.sort(np.append(some[~held], core[_cheapest(paid[core], group[core])]))
    found = cheapest_window(of[some], paid[some], group[some], tolerance)
    assert found is not None  # noqa: S101 - all may flag nobody
    return kept[some[found]]


def _cheapest(cost: Floats, group: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the place of the least cost in each group that is there."""
    anew = np.append(True, group[1:] > group[:-1])
    first = np.flatnonzero(anew)
    least = np.flatnonzero(cost == np.minimum.reduceat(cost, first)[np.cumsum(anew) - 1])
    return least[np.searchsorted(least, first)]


def _possible(rate: Floats, start: NDArray[np.intp], wide: float, low: float, high: float) -> tuple[Floats, Floats]:
    """Return from where to where windows may begin that hold a point of each of the smallest groups."""
    smallest = np.argsort(np.diff(start), kind="stable")[:_SMALLEST].tolist()
    begins, ends = [], []
    for g in smallest:
        own = np.unique(rate[start[g] : start[g + 1]])
        begin = own - wide * (1 + 1e-9)
        apart = begin[1:] > own[:-1]
        begins.append(begin[np.append(True, apart)])
        ends.append(own[np.append(apart, True)])
    at = np.concatenate([*begins, *ends])
    step = np.repeat([1, -1], at.size // 2)
    order = np.lexsort((-step, at))
    whole = np.flatnonzero(np.cumsum(step[order]) == len(smallest))
    begin, end = np.maximum(at[order[whole]], low), np.minimum(at[order[whole + 1]], high)
    some = begin <= end
    return begin[some], end[some]


def _cheap_enough(
    rate: Floats,
    cost: Floats,
    group: NDArray[np.intp],
    wide: float,
    begin: Floats,
    end: Floats,
    most: float,
    spare: float,
) -> tuple[Floats, Floats]:
    """Return from where to where windows may begin that cost no more than `most` or than a window found on the way, up to `spare`.

    Rates are put into cells. All windows that begin in a cell lie in one a little wider, whose cheapest points cost no more.
    """
    low, high = float(begin[0]), float(end[-1])
    cell = max((high - low) / _CELLS, wide / _WIDEST)
    many = int((high - low) / cell) + 1
    # Cells that a window covers for certain, and those that it may touch.
    covered, touched = int(max(wide / cell - 1e-6, 0)), int(wide / cell + 1e-6) + 2
    if many < 4 or cell < 1e-9:
        return begin, end
    row = many + touched
    place = group * row + np.clip(((rate - low) / cell).astype(np.intp), 0, row - 1)
    first = np.flatnonzero(np.append(True, place[1:] > place[:-1]))
    table = np.full((int(group[-1]) + 1, row), np.inf)
    table.ravel()[place[first]] = np.minimum.reduceat(cost, first)
    if covered:
        most = min(most, float(least_of(table, covered)[:, :many].sum(axis=0).min()))
    cheap = np.flatnonzero(least_of(table, touched)[:, :many].sum(axis=0) <= most + spare)
    # Rounding may put a rate into the cell beside its own.
    edges = low + cell * (cheap - 1e-6), low + cell * (cheap + 1 + 1e-6)
    apart = np.append(True, cheap[1:] > cheap[:-1] + 1)
    return np.maximum(edges[0][apart], low), np.minimum(edges[1][np.append(apart[1:], True)], high)


def _reached(rate: Floats, wide: float, begin: Floats, end: Floats) -> NDArray[np.intp]:
    """Return the points of all windows that begin in one of some stretches."""
    within = (rate >= begin[0]) & (rate <= end[-1] + wide)
    # Many stretches that leave out little are not worth telling apart.
    if begin.size > 1 and float((end + wide - begin).sum()) < 0.5 * float(end[-1] + wide - begin[0]):
        within &= rate <= (end + wide)[np.maximum(np.searchsorted(begin, rate, side="right") - 1, 0)]
    return np.flatnonzero(within)


def cheapest_window(rate: Floats, cost: Floats, group: NDArray[np.intp], tolerance: float) -> NDArray[np.intp] | None:
    """Return the points of the cheapest window, one a group; None if no window holds a point of every group.

    Parameters
    ----------
    rate, cost, group : ndarray
        Of all points, one group after another, numbered from 0.
    tolerance : float
    """
    wide, groups = tolerance + ROUNDING, int(group[-1]) + 1
    anew = np.append(True, group[1:] > group[:-1])
    if not np.all((rate[1:] >= rate[:-1]) | anew[1:]):
        order = np.lexsort((rate, group))
        found = cheapest_window(rate[order], cost[order], group, tolerance)
        return None if found is None else order[found]
    # The cheapest point of each group at each rate; a key says both.
    first = np.flatnonzero(np.append(True, rate[1:] > rate[:-1]) | anew)
    least, of = np.minimum.reduceat(cost, first), group[first]
    begins, place = np.unique(rate[first], return_inverse=True)
    many = begins.size
    key = of * many + place
    enters, leaves = np.searchsorted(begins, begins - wide), np.searchsorted(begins, begins + wide, side="right")
    # A group's cheapest point in the window changes only where one of its own points leaves or enters.
    starts = np.arange(groups) * many
    changes = np.concatenate([starts, (key + 1)[place + 1 < many], of * many + enters[place]])
    changes.sort(kind="stable")
    changes = changes[np.append(True, changes[1:] > changes[:-1])]
    of = changes // many
    at = changes - of * many
    inside = np.searchsorted(key, changes), np.searchsorted(key, of * many + leaves[at])
    some = inside[0] < inside[1]
    lowest = np.zeros(at.size)
    lowest[some] = least_between(least, inside[0][some], inside[1][some])
    fresh = np.append(True, of[1:] > of[:-1])

    def summed(values: Floats) -> Floats:
        before = np.where(fresh, 0.0, np.append(0.0, values[:-1]))
        return np.cumsum(np.bincount(at, values - before, many))

    total = summed(lowest)
    possible = np.flatnonzero(summed((~some).astype(np.float64)) == 0)
    if possible.size == 0:
        return None
    # Sums that were kept up along the way are off by rounding: those near the least are added up again.
    sums = total[possible]
    near = possible[np.flatnonzero(sums <= sums.min() + 1e-9 * max(1.0, float(np.abs(total).max())))]
    near = near[np.argsort(total[near], kind="stable")][:_MOST]
    ends = [(np.searchsorted(key, starts + k), np.searchsorted(key, starts + leaves[k])) for k in near.tolist()]
    exact = [sum(least_between(least, *both).tolist()) for both in ends]
    begin = float(begins[near[int(np.argmin(exact))]])
    held = np.flatnonzero((rate >= begin) & (rate <= begin + wide))
    return held[_cheapest(cost[held], group[held])]


# As many points in all are compared pair by pair; of more, windows begin at some of the rates only.
MOST_POINTS = 2000
_SOME = 200


def fixed_odds(
    fpr: Sequence[Floats], tpr: Sequence[Floats], costs: Sequence[Floats], tolerance: float
) -> tuple[list[int], bool]:
    """Return one point a group with both rates within the tolerance, and whether all windows were tried."""
    begins = np.unique(np.concatenate(fpr))
    exact = sum(x.size for x in fpr) <= MOST_POINTS
    if not exact:
        begins = np.unique(np.append(begins[:: max(1, begins.size // _SOME)], 0.0))
    best: list[int] | None = None
    least = np.inf
    for begin in begins.tolist():
        inside = [np.flatnonzero((x >= begin) & (x <= begin + tolerance + ROUNDING)) for x in fpr]
        if not all(i.size for i in inside):
            continue
        cheapest = sum(float(c[i].min()) for c, i in zip(costs, inside, strict=True))
        if cheapest >= least:
            continue
        picked = window(tpr, costs, inside, tolerance)
        if picked is None:
            continue
        cost = sum(float(c[i]) for c, i in zip(costs, picked, strict=True))
        if cost < least:
            least, best = cost, picked
    assert best is not None  # noqa: S101 - flagging nobody is always possible
    return best, exact


def window(
    rates: Sequence[Floats], costs: Sequence[Floats], inside: Sequence[NDArray[np.intp]], tolerance: float
) -> list[int] | None:
    """Return the cheapest points with equal rates among some points of each group; None if there are none."""
    sizes = [i.size for i in inside]
    if not all(sizes):
        return None
    rate, cost = (np.concatenate([one[i] for one, i in zip(of, inside, strict=True)]) for of in (rates, costs))
    chosen = cheapest_window(rate, cost, np.repeat(np.arange(len(sizes)), sizes), tolerance)
    if chosen is None:
        return None
    begins = np.cumsum([0, *sizes[:-1]])
    return [int(i[k]) for i, k in zip(inside, (chosen - begins).tolist(), strict=True)]


# The slope beside a tolerance is looked for so far off, then closer.
_STEPS = (1e-5, 1e-6, 1e-7, 1e-8)


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

    def solved(self, tolerance: float) -> tuple[Floats, float, float]:
        """Return the probability of every vertex, the least cost, and by how much it grows with the tolerance.

        Both rates of all groups lie in a square whose sides are as long as the tolerance; its corner is part of the solution.
        """
        from scipy.optimize import linprog
        from scipy.sparse import block_array, csr_array

        many, groups = self.fpr.size, self.alarms.size
        group = np.repeat(np.arange(groups), np.diff(self.start))
        whole, x, y = (
            csr_array((values, (group, np.arange(many))), shape=(groups, many))
            for values in (np.ones(many), self.fpr, self.tpr)
        )
        ones = csr_array(np.ones((groups, 1)))
        scale = float(self.alarms.sum() + self.misses.sum())
        cost = (self.alarms[group] * self.fpr + self.misses[group] * (1 - self.tpr)) / scale
        limits: Any = block_array(
            [[x, -ones, None], [-x, ones, None], [y, None, -ones], [-y, None, ones]], format="csr"
        )
        sums: Any = block_array([[whole, csr_array((groups, 2))]], format="csr")
        found: Any = linprog(
            np.append(cost, [0.0, 0.0]),
            A_ub=limits,
            b_ub=np.repeat([tolerance, 0.0, tolerance, 0.0], groups),
            A_eq=sums,
            b_eq=np.ones(groups),
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.status != 0:
            raise InputError(
                f"equal odds within {tolerance:g} cannot be priced to nine digits here: change the tolerance a little"
            )
        grows = found.ineqlin.marginals.reshape(4, groups)[[0, 2]].sum()
        return found.x[:many], scale * float(found.fun), scale * float(grows)


def mixed_odds(hulls: OddsHulls, tolerance: float) -> tuple[list[Mixture], float, float]:
    """Return the mixture of each group, what false alarms and misses cost in all, and what a unit of tolerance more saves at first."""
    weight, least, _ = hulls.solved(tolerance)
    ends = hulls.start.tolist()
    pairs = list(zip(weight.tolist(), hulls.point.tolist(), strict=True))
    return [told(pairs[a:b]) for a, b in pairwise(ends)], least, _saved(hulls, tolerance, least)


def _saved(hulls: OddsHulls, tolerance: float, least: float) -> float:
    """Return what a unit of tolerance more saves at first: the slope a little further, if that lies on one piece with the tolerance."""
    found = 0.0
    for step in _STEPS if tolerance < 1 else ():
        wider = min(tolerance + step, 1.0) - tolerance
        _, cost, grows = hulls.solved(tolerance + wider)
        found = max((least - cost) / wider, 0.0)
        if abs(cost - grows * wider - least) <= 1e-12 * max(least, 1e-300):
            return max(-grows, 0.0)
    return found

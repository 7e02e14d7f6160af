"""Equal rates with one threshold a group: all thresholds are looked at, those off the hull too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.parity_mixed import LeastCosts, WindowPrices
from isocost.geometry.windows import least_between, least_of
from isocost.validate import Floats

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

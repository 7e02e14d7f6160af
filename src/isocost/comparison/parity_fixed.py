"""Equal rates with one threshold a group: all thresholds are looked at, those off the hull too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.parity_mixed import Closing, LeastCost, windows_within
from isocost.geometry.windows import least_between
from isocost.validate import Floats

# Rates that differ by a little more than the tolerance still count as within it.
ROUNDING = 1e-12
# Of windows that cost the same up to rounding so many are added up exactly.
_MOST = 64


def cheapest_near(
    rates: Sequence[Floats], costs: Sequence[Floats], tolerance: float, least: Sequence[LeastCost]
) -> list[int] | None:
    """Return one point a group whose rates lie in one window as wide as the tolerance, at the least cost in all; None if none do.

    Mixtures of thresholds cost less still: only where they are cheap enough is looked for points.

    Parameters
    ----------
    rates, costs : list of ndarray
        Of each group's points; the cost per case of all groups together.
    tolerance : float
    least : list of LeastCost
        The least cost of each group at each rate, mixtures included.
    """
    rate, cost = np.concatenate(rates), np.concatenate(costs)
    sizes = [one.size for one in rates]
    group = np.repeat(np.arange(len(sizes)), sizes)
    wide, low, high = tolerance + ROUNDING, -np.inf, np.inf
    begin, _, _ = Closing.of(least).closed(tolerance)
    inside = np.flatnonzero((rate >= begin) & (rate <= begin + wide))
    first = np.searchsorted(group[inside], np.arange(len(sizes) + 1))
    if np.all(first[1:] > first[:-1]):
        # One window that is there tells what the cheapest costs at most.
        most = float(np.minimum.reduceat(cost[inside], first[:-1]).sum())
        free = sum(float(one.cost[one.low]) for one in least)
        slack = 1e-8 * max(1.0, float(np.abs(cost).max()) * len(sizes))
        low, high = windows_within(least, wide, most - free + slack)
    kept = np.flatnonzero((rate >= low) & (rate <= high + wide))
    found = cheapest_window(rate[kept], cost[kept], group[kept], tolerance)
    return None if found is None else (kept[found] - np.cumsum([0, *sizes[:-1]])).astype(int).tolist()


def cheapest_window(rate: Floats, cost: Floats, group: NDArray[np.intp], tolerance: float) -> NDArray[np.intp] | None:
    """Return the points of the cheapest window, one a group; None if no window holds a point of every group.

    Parameters
    ----------
    rate, cost, group : ndarray
        Of all points, one group after another, numbered from 0.
    tolerance : float
    """
    begins, place = np.unique(rate, return_inverse=True)
    many, wide = begins.size, tolerance + ROUNDING
    # The cheapest point of each group at each rate, in that order; a key says both.
    order = np.lexsort((cost, place, group))
    key = group[order] * many + place[order]
    new = np.append(True, key[1:] > key[:-1])
    order, key = order[new], key[new]
    cost = cost[order]
    enters, leaves = np.searchsorted(begins, begins - wide), np.searchsorted(begins, begins + wide, side="right")
    # A group's cheapest point in the window changes only where one of its own points leaves or enters.
    of, at = key // many, key % many
    starts = np.arange(int(group[-1]) + 1) * many
    changes = np.concatenate([starts, (key + 1)[at + 1 < many], of * many + enters[at]])
    changes.sort()
    changes = changes[np.append(True, changes[1:] > changes[:-1])]
    of, at = changes // many, changes % many
    first, last = np.searchsorted(key, changes), np.searchsorted(key, of * many + leaves[at])
    some = first < last
    least = np.zeros(at.size)
    least[some] = least_between(cost, first[some], last[some])
    anew = np.append(True, of[1:] > of[:-1])

    def summed(values: Floats) -> Floats:
        before = np.where(anew, 0.0, np.append(0.0, values[:-1]))
        return np.cumsum(np.bincount(at, values - before, many))

    total = summed(least)
    possible = np.flatnonzero(summed((~some).astype(np.float64)) == 0)
    if possible.size == 0:
        return None
    # Sums that were kept up along the way are off by rounding: those near the least are added up again.
    sums = total[possible]
    near = possible[np.flatnonzero(sums <= sums.min() + 1e-9 * max(1.0, float(np.abs(total).max())))]
    near = near[np.argsort(total[near], kind="stable")][:_MOST]
    ends = [(np.searchsorted(key, starts + k), np.searchsorted(key, starts + leaves[k])) for k in near.tolist()]
    exact = [sum(least_between(cost, *both).tolist()) for both in ends]
    chosen = [
        i + int(np.argmin(cost[i:j])) for i, j in zip(*(e.tolist() for e in ends[int(np.argmin(exact))]), strict=True)
    ]
    return np.asarray(order[chosen])

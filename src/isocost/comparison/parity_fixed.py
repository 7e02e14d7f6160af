"""Equal rates with one threshold a group: all thresholds are looked at, those off the hull too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.windows import least_between
from isocost.validate import Floats

# Rates that differ by a little more than the tolerance still count as within it.
ROUNDING = 1e-12
# Of windows that cost the same up to rounding so many are added up exactly.
_MOST = 64


def cheapest_window(rates: Sequence[Floats], costs: Sequence[Floats], tolerance: float) -> list[int] | None:
    """Return one point a group whose rates lie in one window as wide as the tolerance, at the least cost in all; None if none do.

    Parameters
    ----------
    rates, costs : list of ndarray
        Of each group's points; the cost per case of all groups together.
    tolerance : float
    """
    ranked = [_ranked(rate, cost) for rate, cost in zip(rates, costs, strict=True)]
    begins = np.unique(np.concatenate([rate for _, rate, _ in ranked]))
    wide = tolerance + ROUNDING
    total, missing = np.zeros(begins.size), np.zeros(begins.size, dtype=np.intp)
    for _, rate, cost in ranked:
        # The group's cheapest point in the window changes only where one of its own points leaves or enters.
        at = np.concatenate([[0], np.searchsorted(begins, rate, side="right"), np.searchsorted(begins, rate - wide)])
        at.sort()
        at = at[: np.searchsorted(at, begins.size)]
        first = np.searchsorted(rate, begins[at])
        last = np.searchsorted(rate, begins[at] + wide, side="right")
        some = first < last
        least = np.zeros(at.size)
        least[some] = least_between(cost, first[some], last[some])
        np.add.at(total, at, np.diff(least, prepend=0.0))
        np.add.at(missing, at, np.diff((~some).astype(np.intp), prepend=0))
    total, missing = np.cumsum(total), np.cumsum(missing)
    possible = np.flatnonzero(missing == 0)
    if possible.size == 0:
        return None
    # Sums that were kept up along the way are off by rounding: those near the least are added up again.
    sums = total[possible]
    near = possible[np.flatnonzero(sums <= sums.min() + 1e-9 * max(1.0, float(np.abs(total).max())))]
    near = near[np.argsort(total[near], kind="stable")][:_MOST]
    choices = [[_cheapest(ranks, float(begins[k]), wide) for ranks in ranked] for k in near.tolist()]
    exact = [sum(float(costs[g][point]) for g, point in enumerate(chosen)) for chosen in choices]
    return choices[int(np.argmin(exact))]


def _ranked(rate: Floats, cost: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return the cheapest point at each rate, with its rate and cost, ascending."""
    order = np.lexsort((cost, rate))
    order = order[np.append(True, np.diff(rate[order]) > 0)]
    return order, rate[order], cost[order]


def _cheapest(ranks: tuple[NDArray[np.intp], Floats, Floats], begin: float, wide: float) -> int:
    order, rate, cost = ranks
    first, last = np.searchsorted(rate, begin), np.searchsorted(rate, begin + wide, side="right")
    return int(order[first + int(np.argmin(cost[first:last]))])

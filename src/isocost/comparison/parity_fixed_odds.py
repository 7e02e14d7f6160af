"""Equal tpr and equal fpr at once with one threshold a group: windows in both rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.parity_fixed import ROUNDING, cheapest_window
from isocost.validate import Floats

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

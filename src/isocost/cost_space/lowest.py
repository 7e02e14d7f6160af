"""Which of several cost curves is the lowest where, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from isocost.cost_space.curve import CostCurve
from isocost.validate import Floats

# Values and ends of stretches that differ by less are the same, added up in another order.
_ROUNDING = 4 * np.finfo(np.float64).eps


class Lowest(NamedTuple):
    """A stretch of x on which one curve is the lowest, the first of equal ones; `tied` are equal all over it."""

    which: int
    low: float
    high: float
    tied: tuple[int, ...]


def lowest(curves: Sequence[CostCurve]) -> list[Lowest]:
    """Return the stretches in ascending x; of equal curves the earlier one gets them."""
    ends = _ends(curves)
    values = _inside(curves, ends)
    equal = np.all(values <= values.min(axis=0) + _ROUNDING, axis=1)
    middle = values[:, 1]
    first = np.argmax(middle <= middle.min(axis=0) + _ROUNDING, axis=0)
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    found = []
    for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), first.size], strict=True):
        which = int(first[begin])
        tied = np.flatnonzero(equal[:, begin:end].all(axis=1))
        others = tuple(int(i) for i in tied if i != which)
        found.append(Lowest(which, float(ends[begin]), float(ends[end]), others))
    return found


def _ends(curves: Sequence[CostCurve]) -> Floats:
    """Return where the order of the curves may change: at breaks, and where two of them meet."""
    meetings = [(a - b)._snapped().roots() for a, b in combinations(curves, 2)]
    cuts = np.unique(np.concatenate([[0.0, 1.0], *(curve.breaks for curve in curves), *meetings]))
    # Ends that rounding has put apart are one.
    kept = cuts[np.diff(cuts, prepend=-1.0) > _ROUNDING]
    kept[-1] = 1.0
    return np.asarray(kept)


def _inside(curves: Sequence[CostCurve], ends: Floats) -> Floats:
    """Return the values at three places inside each stretch, which tell two quadratics apart; shape (curves, 3, stretches)."""
    places = [ends[:-1] + share * np.diff(ends) for share in (0.25, 0.5, 0.75)]
    return np.array([[curve(x) for x in places] for curve in curves])

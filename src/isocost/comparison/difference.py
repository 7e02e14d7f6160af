"""By how much one model is cheaper than another, exactly, at every condition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Conditions
from isocost.conditions.densities import Atoms
from isocost.conditions.ranges import Pair
from isocost.cost_space import CostCurve
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import tolerance
from isocost.validate import Floats


@dataclass(frozen=True, repr=False)
class Advantage(Result):
    """How much cheaper `better` is than `worse` over some conditions, each with its best thresholds; may be negative.

    Attributes
    ----------
    better, worse : str
        As they were asked for; a negative mean says that it is the other way round.
    mean : float
        Mean of cost(worse) - cost(better), in normalised cost.
    largest, largest_t : float
        The largest advantage of `better`, and a t where it occurs.
    smallest, smallest_t : float
        The smallest: if negative, `worse` is cheaper there, by that much.
    over : str
        The conditions, in words.
    mean_bounds, largest_bounds, smallest_bounds : (low, high) or None
        For counts in buckets that leave the numbers above open: those are then for the thresholds that can be used, and these bounds hold
        whatever the buckets contain. None if nothing is open.
    """

    better: str
    worse: str
    mean: float
    largest: float
    largest_t: float
    smallest: float
    smallest_t: float
    over: str
    mean_bounds: Pair | None = None
    largest_bounds: Pair | None = None
    smallest_bounds: Pair | None = None

    def __str__(self) -> str:
        """Say it in words."""
        return (
            f"{self.better} against {self.worse} ({self.over}): {self._words(self.mean, self.mean_bounds)} on average, "
            f"at best {self._words(self.largest, self.largest_bounds)} (t = {self.largest_t:.4g}), "
            f"at worst {self._words(self.smallest, self.smallest_bounds)} (t = {self.smallest_t:.4g})"
        )

    @classmethod
    def _words(cls, value: float, bounds: Pair | None = None) -> str:
        if bounds is not None:
            return f"{cls._words(value)} (between {' and '.join(cls._words(end) for end in bounds)})"
        if value == 0:
            return "equal"
        return f"{abs(value):.4g} {'cheaper' if value > 0 else 'dearer'}"

    def __repr__(self) -> str:
        """Say it in words."""
        return f"<Advantage: {self}>"


def difference(a: RocCurve, b: RocCurve, *, name: str | None = None) -> CostCurve:
    """Return cost(a) - cost(b) on pcf, each with its best thresholds: a line between switches of either."""
    t = np.unique(np.concatenate([[0.0], a.switch_t, b.switch_t, [1.0]]))
    # The vertex that is best just above a switch stays so up to the next one.
    on_a, on_b = a._best_vertex(t[:-1]), b._best_vertex(t[:-1])
    slack = tolerance((a, b))
    fpr = _gap(a.hull.fp[on_a], b.hull.fp[on_b], a.hull.fp[-1], b.hull.fp[-1], slack)
    tpr = _gap(a.hull.tp[on_a], b.hull.tp[on_b], a.hull.tp[-1], b.hull.tp[-1], slack)
    # Where the curves meet the two terms cancel; what is left of them is rounding.
    return CostCurve.from_lines((1 - t)[::-1], fpr[::-1], -tpr[::-1], name=name)._snapped()


def _gap(a: NDArray[Any], b: NDArray[Any], of_a: Any, of_b: Any, slack: float) -> Floats:
    """Return a/of_a - b/of_b, rounded once where the totals are the same."""
    gap = (a - b) / of_a if of_a == of_b else a / of_a - b / of_b
    return np.asarray(np.where(np.abs(gap) <= slack, 0.0, gap), dtype=np.float64)


@dataclass(frozen=True)
class Extremes(Result):
    """Highest and lowest value of a continuous, piecewise linear curve over some conditions, and where."""

    highest: float
    highest_t: float
    lowest: float
    lowest_t: float


def extremes(curve: CostCurve, over: Conditions) -> Extremes:
    """Return the extremes, which lie at a break, at an end of the range or, for a sample of conditions, in the sample."""
    if isinstance(over.density, Atoms):
        t = over.density.t[over.density.weights > 0]
        values = curve(1 - t)
    else:
        x = curve.breaks
        inside = x[(x > 1 - over.high) & (x < 1 - over.low)]
        ends = np.array([1 - over.low, 1 - over.high])
        x = np.concatenate([ends[:1], inside[::-1], ends[1:]])
        values, t = curve(x), 1 - x
        t[[0, -1]] = over.low, over.high
    top, bottom = int(np.argmax(values)), int(np.argmin(values))
    return Extremes(float(values[top]), float(t[top]), float(values[bottom]), float(t[bottom]))


def advantage(a: RocCurve, b: RocCurve, names: tuple[str, str], over: Conditions) -> Advantage:
    """Return how much cheaper a is than b over some conditions, with bounds if buckets leave it open."""
    if a.hull_is_exact and b.hull_is_exact:
        return _advantage(a, b, names, over)
    found, low, high = (
        _advantage(*pair, names, over)
        for pair in (
            (a._inner_hull, b._inner_hull),
            (a._inner_hull, b._optimistic),
            (a._optimistic, b._inner_hull),
        )
    )
    return replace(
        found,
        mean_bounds=(low.mean, high.mean),
        largest_bounds=(low.largest, high.largest),
        smallest_bounds=(low.smallest, high.smallest),
    )


def _advantage(a: RocCurve, b: RocCurve, names: tuple[str, str], over: Conditions) -> Advantage:
    gain = difference(b, a)
    ends = extremes(gain, over)
    return Advantage(
        *names, gain.expectation(over), ends.highest, ends.highest_t, ends.lowest, ends.lowest_t, str(over)
    )

"""By how much one model is cheaper than another, exactly, at every condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Conditions
from isocost.conditions.densities import Atoms
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
    condition : str
        The conditions, in words.
    """

    better: str
    worse: str
    mean: float
    largest: float
    largest_t: float
    smallest: float
    smallest_t: float
    condition: str

    def __str__(self) -> str:
        """Say it in words."""
        return (
            f"{self.better} against {self.worse} ({self.condition}): {self._words(self.mean)} on average, "
            f"at best {self._words(self.largest)} (t = {self.largest_t:.4g}), "
            f"at worst {self._words(self.smallest)} (t = {self.smallest_t:.4g})"
        )

    @staticmethod
    def _words(value: float) -> str:
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


def extremes(curve: CostCurve, condition: Conditions) -> Extremes:
    """Return the extremes, which lie at a break, at an end of the range or, for a sample of conditions, in the sample."""
    if isinstance(condition.density, Atoms):
        t = condition.density.t[condition.density.weights > 0]
        values = curve(1 - t)
    else:
        x = curve.breaks
        inside = x[(x > 1 - condition.high) & (x < 1 - condition.low)]
        ends = np.array([1 - condition.low, 1 - condition.high])
        x = np.concatenate([ends[:1], inside[::-1], ends[1:]])
        values, t = curve(x), 1 - x
        t[[0, -1]] = condition.low, condition.high
    top, bottom = int(np.argmax(values)), int(np.argmin(values))
    return Extremes(float(values[top]), float(t[top]), float(values[bottom]), float(t[bottom]))


def advantage(a: RocCurve, b: RocCurve, names: tuple[str, str], condition: Conditions) -> Advantage:
    """Return how much cheaper a is than b over some conditions."""
    gain = difference(b, a)
    ends = extremes(gain, condition)
    return Advantage(
        *names, gain.expectation(condition), ends.highest, ends.highest_t, ends.lowest, ends.lowest_t, str(condition)
    )

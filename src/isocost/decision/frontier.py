"""The rules of a set that are cheapest under some condition, and what choosing among them costs on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition, Conditions
from isocost.conditions.quantities import Even, Gap, Known, Quantity, gauss_rule
from isocost.cost_space.curve import CostCurve
from isocost.geometry.hull import upper_hull
from isocost.validate import Floats

# The quantity that is integrated exactly: first the costs, whose ratio moves the choice.
_EXACT_FIRST = ("cost_fn", "cost_fp", "cost_tp", "cost_tn", "prevalence")
# With more uncertain quantities than these, those of which only the difference counts are taken together.
_MOST_APART = 3
# Nodes worked on together, to save memory.
_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Frontier:
    """Rules as points of ROC space, of which one is cheapest at each t.

    Attributes
    ----------
    fpr, tpr : ndarray
    """

    fpr: Floats
    tpr: Floats

    @cached_property
    def vertices(self) -> NDArray[np.intp]:
        """Which of the points are cheapest somewhere, by ascending fpr: the upper hull from its left end to its highest point."""
        order = np.lexsort((-self.tpr, self.fpr))
        x, y = self.fpr[order], self.tpr[order]
        # Of points above each other the highest alone.
        new = np.concatenate([[True], x[1:] > x[:-1]])
        order, x, y = order[new], x[new], y[new]
        kept = upper_hull(x, y) if x.size > 1 else np.zeros(1, dtype=np.intp)
        top = int(np.argmax(y[kept]))
        return np.asarray(order[kept[: top + 1]])

    @cached_property
    def switches(self) -> Floats:
        """The t, descending along the vertices, at which the cheapest changes: between each vertex and the next."""
        run, rise = np.diff(self.fpr[self.vertices]), np.diff(self.tpr[self.vertices])
        return np.asarray(rise / (rise + run))

    def span(self, owned: NDArray[np.bool_], t: float) -> tuple[float, float]:
        """Return the widest range of t around one over which a vertex that is `owned` is cheapest; t alone if none is there."""
        mine = owned[self.vertices]
        ends = np.concatenate([[1.0], self.switches, [0.0]])
        at = int(np.searchsorted(-self.switches, -t, side="left"))
        if not mine[at] and at + 1 < mine.size and ends[at + 1] == t:
            at += 1
        if not mine[at]:
            return t, t
        first = last = at
        while first > 0 and mine[first - 1]:
            first -= 1
        while last + 1 < mine.size and mine[last + 1]:
            last += 1
        return float(ends[last + 1]), float(ends[first])

    @property
    def curve(self) -> CostCurve:
        """The lowest normalised cost at each pcf."""
        v = self.vertices
        return CostCurve.from_lines(np.concatenate([[0.0], 1 - self.switches, [1.0]]), self.fpr[v], 1 - self.tpr[v])

    def mean_cost(self, over: Conditions) -> float:
        """Return the mean of the lowest cost, net of what correct answers cost: in the unit, or normalised if there is none.

        Exact between the switches in one quantity, in which every cost is linear; by the 32-point Gauss rule in the quantiles of the
        others. Of more than three uncertain quantities, typed ranges of an error's cost and of the correct answer's count as one: their
        difference.
        """
        if over.quantities is None:
            return self.curve.expectation(over)
        return _mean_least(self.fpr[self.vertices], self.tpr[self.vertices], self.switches, over.quantities)

    def least(self, conditions: Sequence[Condition]) -> Floats:
        """Return the lowest cost at each condition, net of what correct answers cost."""
        v = self.vertices
        alarms, misses = weights(conditions)
        return np.asarray((alarms[:, None] * self.fpr[v] + misses[:, None] * (1 - self.tpr[v])).min(axis=1))


def weights(conditions: Sequence[Condition]) -> tuple[Floats, Floats]:
    """Return what false alarms and misses carry of the cost at each condition."""
    alarms = np.array([c.fp_gap * (1 - c.prevalence) for c in conditions])
    misses = np.array([c.fn_gap * c.prevalence for c in conditions])
    return alarms, misses


def corners(over: Conditions) -> list[Condition]:
    """Return the conditions among which the largest regret is found: every cost is linear in each quantity alone."""
    if over.quantities is None:
        return [Condition.from_t(over.low), Condition.from_t(over.high)]
    ends = [
        (quantity.low,) if quantity.low == quantity.high else (quantity.low, quantity.high)
        for quantity in over.quantities.values()
    ]
    found = [dict(zip(over.quantities, values, strict=True)) for values in product(*ends)]
    return [Condition(**values) for values in found if _at_stake(values)]


def _at_stake(values: dict[str, float]) -> bool:
    """Return whether any error can cost anything; elsewhere nothing can be regretted."""
    p = values["prevalence"]
    return (values["cost_fp"] - values["cost_tn"]) * (1 - p) + (values["cost_fn"] - values["cost_tp"]) * p > 0


def _mean_least(fpr: Floats, tpr: Floats, switches: Floats, quantities: dict[str, Quantity]) -> float:
    quantities = _joined(quantities)
    unsure = [name for name in _EXACT_FIRST if not isinstance(quantities[name], Known)]
    exact, *others = unsure or ["cost_fn"]
    nodes, weight = gauss_rule()
    grids = np.meshgrid(*(quantities[name].quantile(nodes) for name in others), indexing="ij")
    shares = np.prod(np.meshgrid(*[weight] * len(others), indexing="ij"), axis=0).ravel() if others else np.ones(1)
    total = 0.0
    for start in range(0, shares.size, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        values = {name: np.array([quantity.mean]) for name, quantity in quantities.items()}
        values |= {name: grid.ravel()[some] for name, grid in zip(others, grids, strict=True)}
        # Both weights are linear in the exact quantity: known from two of its values.
        first, second = (_weights(values | {exact: np.array([x])}, shares[some].size) for x in (0.0, 1.0))
        a, b = ((low, high - low) for low, high in zip(first, second, strict=True))
        # t grows with some quantities, and the vertices come from the last to the first.
        rising = exact in ("cost_fp", "cost_tp")
        parts = _parts(a, b, switches, quantities[exact], rising=rising)
        mass, part = (v[:, ::-1] for v in parts) if rising else parts
        alarms = (a[0][:, None] * mass + a[1][:, None] * part) @ fpr
        misses = (b[0][:, None] * mass + b[1][:, None] * part) @ (1 - tpr)
        total += float(shares[some] @ (alarms + misses))
    return total


def _joined(quantities: dict[str, Quantity]) -> dict[str, Quantity]:
    """Return the same with an error's cost and the correct answer's as one, their gap, where nodes would be too many."""
    joined = dict(quantities)
    if sum(not isinstance(quantity, Known) for quantity in joined.values()) > _MOST_APART:
        for error, correct in (("cost_fn", "cost_tp"), ("cost_fp", "cost_tn")):
            first, second = joined[error], joined[correct]
            if isinstance(first, Even) and isinstance(second, Even):
                joined |= {error: Gap.of(first, second), correct: Known(0.0)}
    return joined


def _weights(values: dict[str, Floats], size: int) -> tuple[Floats, Floats]:
    alarms = (values["cost_fp"] - values["cost_tn"]) * (1 - values["prevalence"])
    misses = (values["cost_fn"] - values["cost_tp"]) * values["prevalence"]
    return np.broadcast_to(alarms, size), np.broadcast_to(misses, size)


def _parts(
    a: tuple[Floats, Floats], b: tuple[Floats, Floats], switches: Floats, quantity: Quantity, *, rising: bool
) -> tuple[Floats, Floats]:
    """Return mass and partial mean of a quantity between the values at which the cheapest rule changes, for every node.

    The weights a[0] + a[1]·x and b[0] + b[1]·x give t = s where x = (b[0]·s - a[0]·(1-s)) / (a[1]·(1-s) - b[1]·s).
    """
    s = switches[None, :]
    over, under = b[0][:, None] * s - a[0][:, None] * (1 - s), a[1][:, None] * (1 - s) - b[1][:, None] * s
    never = np.where((over > 0) == rising, np.inf, -np.inf)  # t stays on one side of s, whatever x
    change = np.divide(over, under, out=never, where=under != 0)
    change = np.maximum.accumulate(change[:, ::-1] if rising else change, axis=1)
    mass, part = quantity.parts(change)
    none = np.zeros((len(change), 1))
    mass = np.concatenate([none, mass, none + 1], axis=1)
    part = np.concatenate([none, part, none + quantity.mean], axis=1)
    return np.diff(mass, axis=1), np.diff(part, axis=1)

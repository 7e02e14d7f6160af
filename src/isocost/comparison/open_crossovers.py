"""Where the cheaper of two models changes, of counts in buckets: between the conditions at which each of them leads for certain."""

from __future__ import annotations

from itertools import pairwise

from isocost.comparison import winners as winning
from isocost.comparison.dominance import dominates_on
from isocost.conditions import Conditions
from isocost.conditions.ranges import TRange
from isocost.errors import InexactError
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import JointHull


def crossovers(a: RocCurve, b: RocCurve) -> list[float]:
    """Return each t at which the cheaper one changes, if what buckets leave open does not matter to that."""
    if a.hull_is_exact and b.hull_is_exact:
        return winning.crossovers(JointHull((a, b)))
    everywhere = Conditions.of(None)
    for one, other in ((a, b), (b, a)):
        if dominates_on(JointHull((one._inner_hull, other._optimistic)), everywhere, strict=False):
            return []
    raise InexactError(
        f"where {a.name} and {b.name} cross",
        f"comparison.crossover_bounds({a.name!r}, {b.name!r}) tells between which conditions",
    )


def crossover_bounds(a: RocCurve, b: RocCurve) -> tuple[TRange, ...]:
    """Return the ranges between conditions at which one model is cheaper for certain, and those at which the other is."""
    if a.hull_is_exact and b.hull_is_exact:
        return tuple(TRange(t, t) for t in crossovers(a, b))
    # Each at its worst against the other at its best.
    leads = sorted(
        (stretch.t_low, stretch.t_high, leader)
        for leader, joint in ((0, (a._inner_hull, b._optimistic)), (1, (a._optimistic, b._inner_hull)))
        for stretch in JointHull(joint).stretches
        if set(stretch.places) == {leader}
    )
    return tuple(TRange(one[1], other[0]) for one, other in pairwise(leads) if one[2] != other[2])

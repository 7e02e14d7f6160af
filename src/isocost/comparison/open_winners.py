"""Who is cheapest where, of counts in buckets: settled where bounds settle it, and else who else it may be.

A model costs at most what its certain points cost and at least what its buckets could hold at best. Both are lower envelopes of
lines, so where one lies below another is found at their crossings, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from isocost.comparison.winners import Win, Winners, WinningPoint, clipped, winners
from isocost.conditions import Conditions
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import JointHull

Range = tuple[float, float]


def bounded_winners(curves: Sequence[RocCurve], names: tuple[str, ...], over: Conditions) -> Winners:
    """Return the winners by what is certain, each with the others that could be cheaper inside their buckets."""
    certain = tuple(curve._inner_hull for curve in curves)
    exact = {name for curve, name in zip(curves, names, strict=True) if curve.hull_is_exact}
    possible = {
        name: _lowest(JointHull((curve._optimistic, *(other for k, other in enumerate(certain) if k != m))))
        for m, (curve, name) in enumerate(zip(curves, names, strict=True))
    }
    cuts = sorted({end for ranges in possible.values() for both in ranges for end in both})
    found: list[Win] = []
    for win in winners(JointHull(certain), names, Conditions.of(None)):
        equal = tuple(name for name in win.tied if {name, win.name} <= exact)
        ends = [win.t_low, *(cut for cut in cuts if win.t_low < cut < win.t_high), win.t_high]
        for low, high in pairwise(ends):
            rivals = tuple(
                name
                for name, ranges in possible.items()
                if name not in (win.name, *equal) and _holds(ranges, low, high)
            )
            part = replace(clipped(win, low, high), tied=equal, open_to=rivals)
            if found and (found[-1].name, found[-1].open_to, found[-1].tied) == (part.name, rivals, equal):
                part = replace(part, t_low=found[-1].t_low, points=_joined(found.pop().points, part.points))
            found.append(part)
    if over.low == over.high:
        last = len(found) - 1
        at = next((i for i, win in enumerate(found) if win.t_low <= over.low < win.t_high), last)
        return Winners((clipped(found[at], over.low, over.high),), names)
    inside = [win for win in found if win.t_high > over.low and win.t_low < over.high]
    return Winners(tuple(clipped(win, over.low, over.high) for win in inside), names)


def _lowest(joint: JointHull) -> list[Range]:
    """Return where the first model costs no more than any other."""
    return [(s.t_low, s.t_high) for s in joint.stretches if 0 in s.places and s.t_low < s.t_high]


def _holds(ranges: Iterable[Range], low: float, high: float) -> bool:
    """Tell whether a stretch without ends inside lies in one of the ranges."""
    middle = (low + high) / 2
    return any(a <= middle <= b for a, b in ranges)


def _joined(one: tuple[WinningPoint, ...], other: tuple[WinningPoint, ...]) -> tuple[WinningPoint, ...]:
    """Return thresholds of neighbouring ranges, the one at their border once."""
    if one and other and one[-1].threshold == other[0].threshold and one[-1].t_high == other[0].t_low:
        return (*one[:-1], replace(one[-1], t_high=other[0].t_high), *other[1:])
    return (*one, *other)

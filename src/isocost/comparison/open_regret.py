"""Regret of counts in buckets: what the thresholds that can be used cost more than the best, and what that lies between.

A model costs at most what its certain points cost and at least what its buckets could hold at best, so a regret is least when the model
is at its best and the others at their worst, and largest the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isocost.comparison.regret import Information, Regret, information, point_regret, regret, safest_point
from isocost.conditions import Conditions
from isocost.cost_space.threshold_choice import fixed_point
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import JointHull


def bounded_regret(
    curves: Sequence[RocCurve], model: int, name: str, threshold: float | None, over: Conditions
) -> Regret:
    """Return the regret of a model, or of one of its thresholds, and what it lies between."""
    if threshold is not None:
        return _of_point(curves, model, fixed_point(curves[model], threshold), name, threshold, over)
    certain, possible = _certain(curves), _possible(curves)
    mixed = [
        JointHull(tuple(one if m == model else other for m, (one, other) in enumerate(zip(own, rest, strict=True))))
        for own, rest in ((possible, certain), (certain, possible))
    ]
    low, high = (regret(joint, model, name, over) for joint in mixed)
    return _between(regret(JointHull(certain), model, name, over), low, high)


def bounded_minimax_regret(
    curves: Sequence[RocCurve], names: tuple[str, ...], over: Conditions, *, fixed: bool
) -> Regret:
    """Return the choice that can be used whose largest regret is smallest, and who may have a safer one inside its buckets."""
    if not fixed:
        all_of_them = [bounded_regret(curves, m, name, None, over) for m, name in enumerate(names)]
        best = min(all_of_them, key=lambda one: one.worst)
        rest = tuple(one.name for one in all_of_them if one is not best and _worst(one)[0] < _worst(best)[1])
        return replace(best, open_to=rest)
    certain = JointHull(_certain(curves)).hull
    m, i, _ = safest_point(curves, certain, over)
    found = _of_point(curves, m, i, names[m], float(curves[m].thresholds[i]), over)
    # The least that any threshold could regret: the best points of a model against the dearest best choices.
    least = [safest_point([curve._optimistic], certain, over)[2] for curve in curves]
    rest = tuple(
        name
        for curve, name, low in zip(curves, names, least, strict=True)
        if not curve.exact and low < _worst(found)[1]
    )
    return replace(found, open_to=rest)


def bounded_information(curves: Sequence[RocCurve], over: Conditions) -> Information:
    """Return what knowing the condition is worth with the thresholds that can be used, and what better ones could cost at least."""
    found, low = (information(JointHull(some), over) for some in (_certain(curves), _possible(curves)))
    return replace(found, fixed_low=low.fixed, one_model_low=low.one_model, perfect_low=low.perfect)


def _certain(curves: Sequence[RocCurve]) -> tuple[RocCurve, ...]:
    return tuple(curve._inner_hull for curve in curves)


def _possible(curves: Sequence[RocCurve]) -> tuple[RocCurve, ...]:
    return tuple(curve._optimistic for curve in curves)


def _of_point(
    curves: Sequence[RocCurve], model: int, index: int, name: str, threshold: float, over: Conditions
) -> Regret:
    low, high = (
        point_regret(curves[model], index, JointHull(some).hull, name, threshold, over)
        for some in (_certain(curves), _possible(curves))
    )
    return _between(low, low, high)


def _between(found: Regret, low: Regret, high: Regret) -> Regret:
    return replace(
        found,
        mean_bounds=(low.mean, high.mean),
        worst_bounds=(low.worst, high.worst),
        curve_bounds=(low.curve, high.curve),
    )


def _worst(found: Regret) -> tuple[float, float]:
    return (found.worst, found.worst) if found.worst_bounds is None else found.worst_bounds

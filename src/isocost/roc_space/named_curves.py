"""The curves of a comparison, each under a name of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from isocost import validate
from isocost.errors import InputError
from isocost.numbers import counted
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import TRIVIAL_NAMES
from isocost.roc_space.parametric import ContinuousRocCurve

# Far more than summing weights can lose, far less than one case of a million.
_ROUNDING = 1e-9


def named_curves(given: Any, *, same_data: bool) -> tuple[RocCurve, ...]:
    """Return the curves in the order given, or say what is wrong with them."""
    if isinstance(given, RocCurve):
        raise InputError("curves must be several RocCurves in a list or dict, got a single one; wrap it in a list")
    named = list(given.items()) if isinstance(given, Mapping) else [(None, c) for c in _listed(given)]
    if not named:
        raise InputError("a comparison needs at least one model, got none")
    curves = tuple(_checked(name, curve, place) for place, (name, curve) in enumerate(named, 1))
    for name in validate.names((curve.name for curve in curves), "model"):
        if name in TRIVIAL_NAMES:
            raise InputError(f"the name {name!r} means a trivial classifier; give the model another")
    return _on_same_data(curves) if validate.flag(same_data, "same_data") else curves


def _listed(given: Any) -> list[Any]:
    try:
        return list(given)
    except TypeError:
        raise InputError(f"curves must be RocCurves in a list or dict, got {given!r}") from None


def _checked(name: Any, curve: Any, place: int) -> RocCurve:
    if not isinstance(curve, RocCurve):
        raise InputError(
            f"curves must be RocCurves, got {type(curve).__name__} at place {place}; for scores use Comparison.from_scores"
        )
    if isinstance(curve, ContinuousRocCurve):
        raise InputError(
            f"{curve!r} is continuous and has no finite list of operating points; "
            "compare a sample of it: RocCurve.from_points(curve.fpr, curve.tpr, name=...)"
        )
    if name is None:
        name = f"model {place}" if curve.name is None else curve.name
    return curve if curve.name == name else curve._renamed(name)


def _on_same_data(curves: Sequence[RocCurve]) -> tuple[RocCurve, ...]:
    """Return the curves with one pair of class totals; sums of weights in another order differ by rounding."""
    known = [c for c in curves if c.positives is not None]
    for curve in known[1:]:
        first = known[0]
        if not all(
            math.isclose(float(a or 0), float(b or 0), rel_tol=_ROUNDING)
            for a, b in ((curve.positives, first.positives), (curve.negatives, first.negatives))
        ):
            raise InputError(
                f"models were measured on different data: {first.name!r} on {counted(float(first.positives or 0), 'positive')} and "
                f"{counted(float(first.negatives or 0), 'negative')}, {curve.name!r} on {curve.positives:.12g} and {curve.negatives:.12g}; "
                "score the same cases, or pass same_data=False to compare their rates all the same"
            )
    return tuple(
        curve
        if curve.positives is None or (curve.positives, curve.negatives) == (known[0].positives, known[0].negatives)
        else replace(curve, positives=known[0].positives, negatives=known[0].negatives)
        for curve in curves
    )

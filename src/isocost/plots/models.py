"""Several models in one figure: which curves, in which order of merit, with which looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from isocost.comparison import Comparison
from isocost.conditions import Condition, Conditions
from isocost.cost_space import cost_curve
from isocost.errors import InputError, UnknownNameError
from isocost.plots.style import PALETTE, Look, looks


def several(given: Any, kind: type, what: str) -> list[Any]:
    """Return one or several results of a kind as a list; a comparison stands for its curves."""
    if isinstance(given, kind):
        return [given]
    given = getattr(given, "curves", given)
    if isinstance(given, str) or not np.iterable(given):
        raise InputError(f"{what} must be one {kind.__name__} or several, got {type(given).__name__}")
    found = list(given.values() if isinstance(given, dict) else given)
    wrong = [v for v in found if not isinstance(v, kind)]
    if wrong:
        raise InputError(
            f"{what} must hold {kind.__name__}s, got {type(wrong[0]).__name__} ({len(wrong)} of {len(found)})"
        )
    if not found:
        raise InputError(f"{what} is empty: nothing to draw")
    return found


def names_of(curves: Sequence[Any], given: Sequence[str] | None = None) -> list[str]:
    """Return the names, "model 1", "model 2", … where there is none; nothing for a single curve without a name."""
    if given is not None:
        found = [given] if isinstance(given, str) else list(given)
        if len(found) != len(curves):
            raise InputError(f"names must be one a curve: got {len(found)} names for {len(curves)} curves")
        return found
    if len(curves) == 1 and curves[0].name is None:
        return [""]
    return [f"model {i}" if curve.name is None else str(curve.name) for i, curve in enumerate(curves, 1)]


def cheapest_five(comparison: Comparison, over: Condition | Conditions | None) -> list[str]:
    """Return the models that all figures of a comparison draw in colour: the cheapest there, or on average over all conditions."""
    if over is None:
        areas = {str(curve.name): cost_curve(curve._inner_hull).area() for curve in comparison.curves}
        ranked = sorted(areas, key=areas.__getitem__)
    else:
        decision = comparison.decide(over)
        ranked = [str(decision.model), *(rival.model for rival in decision.alternatives)]
    return [name for name in ranked if name in comparison.names][: len(PALETTE)]


def looks_of(names: Sequence[str], costs: Sequence[float], highlight: Sequence[str] | None = None) -> list[Look]:
    """Return a look for each model: the highlighted ones first in rank, then those that cost least."""
    chosen = [] if highlight is None else [highlight] if isinstance(highlight, str) else list(highlight)
    for name in chosen:
        if name not in names:
            raise UnknownNameError("model", name, names)
    order = sorted(range(len(names)), key=lambda i: (names[i] not in chosen if chosen else False, costs[i]))
    ranks = [0] * len(names)
    for rank, i in enumerate(order):
        ranks[i] = rank
    return looks(ranks)

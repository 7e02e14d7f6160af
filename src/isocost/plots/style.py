"""Colours, dashes and hatches that tell models apart in colour, in grey and to every kind of eye, and which model gets which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isocost.compare import Comparison
from isocost.conditions import Condition, Conditions
from isocost.curves import cost_curve
from isocost.errors import InputError, UnknownNameError
from isocost.palette import LIGHT, STROKES, slots

Dash = str | tuple[float, tuple[float, ...]]

PALETTE = LIGHT
DASHES: tuple[Dash, ...] = tuple((0, strokes) if strokes else "-" for strokes in STROKES[:-1])
HATCHES = ("", "/////", ".....", "xxxxx", "\\\\\\\\\\")
INK = "#1a1a1a"
MUTED = "#666666"
FAINT = "#8c8c8c"

# As many models as have a colour, and one more that is told apart by being grey.
MOST_NAMED = len(PALETTE) + 1


@dataclass(frozen=True)
class Look:
    """How one model is drawn wherever it appears."""

    colour: str
    dash: Dash
    hatch: str
    width: float
    named: bool = True

    def line(self, **style: Any) -> dict[str, Any]:
        """Return the properties of its lines, the user's own winning."""
        own = {"color": self.colour, "linestyle": self.dash, "linewidth": self.width, "zorder": 3 if self.named else 2}
        return own | style


_GREY = Look(MUTED, (0, STROKES[-1]), "|||||", 1.2)
_REST = Look(FAINT, "-", "", 0.7, named=False)


def looks(ranks: Sequence[int]) -> list[Look]:
    """Return a look for each model, given its rank (0 is best).

    Up to six models keep looks in the order given, whatever the ranks, so that a model looks the same in every figure of one
    comparison. Of more, the best five have colours and names, and the rest are grey: `palette.slots` says which.
    """
    coloured = [Look(c, d, h, 1.6) for c, d, h in zip(PALETTE, DASHES, HATCHES, strict=True)]
    best = [model for model, rank in enumerate(ranks) if rank < len(coloured)]
    return [_REST if slot is None else [*coloured, _GREY][slot] for slot in slots(len(ranks), best)]


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


def cheapest_five(comparison: Comparison, condition: Condition | Conditions | None) -> list[str]:
    """Return the models that all figures of a comparison draw in colour: the cheapest there, or on average over all conditions."""
    if condition is None:
        areas = {str(curve.name): cost_curve(curve).area() for curve in comparison.curves}
        ranked = sorted(areas, key=areas.__getitem__)
    else:
        decision = comparison.decide(condition)
        ranked = [str(decision.model), *(str(rival.model) for rival in decision.alternatives)]
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

"""Colours, dashes and hatches that tell models apart in colour, in grey and to every kind of eye."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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

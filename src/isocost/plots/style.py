"""How figures look: colours and dashes of models, names of axes, sizes of text, and layouts that fit their labels."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from isocost.compare import Comparison
from isocost.conditions import Condition, Conditions
from isocost.curves import cost_curve
from isocost.data import checks
from isocost.palette import LIGHT, STROKES, slots
from isocost.results import atomically

Dash = str | tuple[float, tuple[float, ...]]

PALETTE = LIGHT
DASHES: tuple[Dash, ...] = tuple((0, strokes) if strokes else "-" for strokes in STROKES[:-1])
HATCHES = ("", "/////", ".....", "xxxxx", "\\\\\\\\\\")
INK = "#1a1a1a"
MUTED = "#666666"
FAINT = "#8c8c8c"
DASHED = (0, (4, 2))
# Around texts that lie over something.
HALO = [withStroke(linewidth=2, foreground="white")]

# As many models as have a colour, and one more that is distinguished by being grey.
MOST_NAMED = len(PALETTE) + 1
# The smallest text, as a share of the user's own font size: 8 points of 10.
LEAST = 0.8

AXIS_LABELS = MappingProxyType(
    {
        "fpr": "share of negatives flagged (fpr)",
        "tpr": "share of positives flagged (tpr)",
        "pcf": "share of the worst cost that misses carry (pcf)",
        "cost_proportion": "cost of a miss / (miss + false alarm)",
        "t": "share of the worst cost that false alarms carry (t)",
        "normalised_cost": "normalised cost",
        "flagged": "share of cases flagged",
    }
)


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
    """Return a look for each model, given its rank (0 is best); `palette.slots` says which colours many models have."""
    coloured = [Look(c, d, h, 1.6) for c, d, h in zip(PALETTE, DASHES, HATCHES, strict=True)]
    best = [model for model, rank in enumerate(ranks) if rank < len(coloured)]
    return [_REST if slot is None else [*coloured, _GREY][slot] for slot in slots(len(ranks), best)]


def looks_of(names: Sequence[str], costs: Sequence[float], highlight: Sequence[str] | None = None) -> list[Look]:
    """Return a look for each model: the highlighted ones first in rank, then those that cost least."""
    chosen = highlight or ()
    checks.columns(chosen, names, "model")
    order = sorted(range(len(names)), key=lambda i: (bool(chosen) and names[i] not in chosen, costs[i]))
    return looks([order.index(i) for i in range(len(names))])


def cheapest_five(comparison: Comparison, condition: Condition | Conditions | None) -> list[str]:
    """Return the models that all figures of a comparison draw in colour: the cheapest there, or on average over all conditions."""
    if condition is None:
        areas = {str(curve.name): cost_curve(curve).area() for curve in comparison.curves}
        ranked = sorted(areas, key=areas.__getitem__)
    else:
        decision = comparison.decide(condition)
        ranked = [str(decision.model), *(str(rival.model) for rival in decision.alternatives)]
    return [name for name in ranked if name in comparison.names][: len(PALETTE)]


class OwnFigure(Figure):
    """A figure made for one display: it grows by what stands under its axes, so that a legend takes no space from them."""

    _below = 0.0

    def grow_by(self, inches: float) -> None:
        """Be higher by this much, once for all axes side by side."""
        if inches > self._below:
            width, height = self.get_size_inches()
            self.set_size_inches(width, height + inches - self._below)
            self._below = inches

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save the figure as matplotlib does; a file is written whole or not at all."""
        if not isinstance(fname, (str, PathLike)):
            super().savefig(fname, **options)
            return
        target = Path(fname)
        if not target.suffix and options.get("format") is None:
            target = target.with_name(f"{target.name}.{mpl.rcParams['savefig.format']}")
        with atomically(target) as path:
            super().savefig(path, **options)


def width_of(axes: Axes) -> float:
    """Return how wide the axes are, in inches, before any layout: panels side by side get the same answer."""
    figure, spec = axes.figure, axes.get_subplotspec()
    share = axes.get_position(original=True).width if spec is None else spec.get_position(figure).width  # type: ignore[arg-type]
    return float(share * figure.bbox.width / figure.dpi)


def text_size(axes: Axes, share: float = 1.0) -> float:
    """Return a text size in points that suits the width of the axes and the user's own font size."""
    width = width_of(axes)
    factor = 0.85 if width < 3.2 else 0.9 if width < 4.6 else 1.0
    return float(mpl.rcParams["font.size"]) * max(factor * share, LEAST)


def settle(axes: Axes) -> None:
    """Let the figure's layout, if it has one, give the axes the place they will be drawn at, with labels that fit them."""
    figure = axes.get_figure(root=True)
    engine = None if figure is None else figure.get_layout_engine()
    for _ in range(2):
        if figure is not None and engine is not None:
            engine.execute(figure)
        axes.apply_aspect()
        if not _wrap_labels(axes):
            return


def _wrap_labels(axes: Axes) -> bool:
    """Break the labels of the axes that are longer than the axes into lines, and say whether there was one."""
    if axes.name == "3d":
        return False  # their labels lie along the edges of the cube
    bounds = axes.get_window_extent()
    wrapped = False
    for text, along, most in (
        (axes.xaxis.label, "width", 1.08 * bounds.width),
        (axes.yaxis.label, "height", bounds.height),
        (axes.title, "width", 1.15 * bounds.width),
        *((second.xaxis.label, "width", bounds.width) for second in axes.child_axes),
    ):
        written = text.get_text()
        length = getattr(text.get_window_extent(), along) if written else 0.0
        if length <= most or "\n" in written:
            continue
        lines = min(int(length // most) + 1, 3)
        # A little more than an equal share each, because words do not break.
        text.set_text("\n".join(textwrap.wrap(written, len(written) // lines + 8, break_long_words=False)))
        wrapped = True
    return wrapped

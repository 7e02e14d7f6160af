"""What all figures have in common: looks of models, names of axes, checked options, axes to draw on, the size of text."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from io import BytesIO
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, dataclass_transform

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist, ArtistInspector
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from isocost.compare import Comparison
from isocost.conditions import Condition, Conditions
from isocost.curves import cost_curve
from isocost.data import checks
from isocost.errors import InputError
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

# As many models as have a colour, and one more that is distinguished by being grey.
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


def alike(values: Iterable[Any], message: str) -> None:
    """Refuse results that differ in what one figure can have but once."""
    if len(set(values)) > 1:
        raise InputError(message)


def names_of(results: Sequence[Any]) -> list[str]:
    """Return the names of models, "model 1", "model 2", … where there is none; nothing for a single one without a name."""
    given = [getattr(one, "model", None) or getattr(one, "name", None) for one in results]
    unnamed = "" if len(given) == 1 else "model {}"
    return [unnamed.format(i) if name is None else str(name) for i, name in enumerate(given, 1)]


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
        checks.choice(name, "model", names)
    order = sorted(range(len(names)), key=lambda i: (names[i] not in chosen if chosen else False, costs[i]))
    ranks = [0] * len(names)
    for rank, i in enumerate(order):
        ranks[i] = rank
    return looks(ranks)


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


def _condition(value: Any, name: str) -> Condition | Conditions | None:
    return None if value is None else checks.instance(value, name, Condition | Conditions, "a Condition or Conditions")


def _words(value: Any, name: str) -> list[str] | None:
    """Return names as a list; one name stands for itself."""
    if value is None:
        return None
    found = list(value) if np.iterable(value) and not isinstance(value, str) else [value]
    return [checks.instance(item, name, str, "names") for item in found]


# How options are checked, by their names.
_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("hull", "thresholds", "values", "lift", "significant"), checks.flag),
    **dict.fromkeys(("names", "highlight"), _words),
    "condition": _condition,
    "prevalence": lambda value, name: None if value is None else checks.number(value, name, low=0, high=1),
    "rates": lambda value, name: np.ravel(checks.rates(np.atleast_1d(value), name)).tolist() if np.size(value) else [],
    "between": lambda value, name: None if value is None else checks.interval(value, name),
}


# The smallest text, as a share of the user's own font size: 8 points of 10.
LEAST = 0.8


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
        with atomically(_with_suffix(Path(fname), options.get("format"))) as path:
            super().savefig(path, **options)


def _with_suffix(path: Path, form: str | None) -> Path:
    """Return the file that matplotlib would write: a name without suffix gets that of the default format."""
    return path if path.suffix or form is not None else path.with_name(f"{path.name}.{mpl.rcParams['savefig.format']}")


@dataclass_transform(eq_default=False)
class Display:
    """A figure of a result: `plot` draws it on the given axes, or on a new figure.

    A new figure is made without pyplot: no window opens, nothing has to be closed, and a notebook shows the display as its picture. To
    use pyplot, pass axes made with it: `display.plot(plt.gca())`.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        Where the last `plot` drew.
    figure_ : matplotlib.figure.Figure
        The figure of these axes; save it with `display.figure_.savefig("figure.pdf")`.
    """

    ax_: Any
    figure_: Any
    _size = (4.8, 4.0)
    _keeps_height: ClassVar[bool] = False
    _projection: ClassVar[str | None] = None
    _artist: ClassVar[type[Artist]] = Line2D
    _own_figure = False

    def __init_subclass__(cls) -> None:
        """Make every display a dataclass of its result and options, which are checked by their names."""
        dataclass(eq=False, repr=False)(cls)

    def __post_init__(self) -> None:
        """Check the options, then what this figure needs of its result."""
        for option in fields(self):  # type: ignore[arg-type]
            if option.name in _CHECKS:
                setattr(self, option.name, _CHECKS[option.name](getattr(self, option.name), option.name))
        self._prepare()

    def _prepare(self) -> None:
        """Check the result and work out what is drawn of it."""

    def sized(self, width: float) -> Self:
        """Use a new figure of this width, in inches, and a height that suits it; one column of a paper is about 3.35."""
        wide = checks.number(width, "width", low=1, high=100)
        self._size = (wide, self._size[1] * (1 if self._keeps_height else wide / self._size[0]))
        return self

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw the figure and return the display.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw, a pair of them for two spaces side by side; nothing outside of it is touched.
        **style
            Properties of the main lines, such as `linewidth`, `color` or `alpha`.
        """
        inspector = ArtistInspector(self._artist)
        known = {*inspector.get_setters(), *(a for names in inspector.aliasd.values() for a in names)}
        if unknown := sorted(set(style) - known):
            raise InputError(
                f"{type(self).__name__} has no option, and its {self._artist.__name__} no property, named {unknown[0]!r}; "
                "options of the figure go to the display itself, properties such as linewidth to plot()"
            )
        self._own_figure = ax is None
        axes = self._begin(ax)
        self._draw(axes, style)
        first = np.ravel(axes)[0]
        settle(first)
        self.ax_, self.figure_ = axes, first.figure
        return self

    def _draw(self, axes: Any, style: dict[str, Any]) -> None:
        raise NotImplementedError

    def _begin(self, ax: Any) -> Any:
        """Return the axes to draw on, those given or new ones."""
        if ax is None:
            return OwnFigure(figsize=self._size, layout="constrained").add_subplot(projection=self._projection)
        checks.instance(ax, "ax", Axes, "matplotlib axes")
        if self._projection == "3d" and ax.name != "3d":
            raise InputError("ax must be three-dimensional axes: figure.add_subplot(projection='3d')")
        return ax

    def _repr_png_(self) -> bytes | None:
        # Axes of the caller belong to a figure that the caller shows.
        if not self._own_figure:
            return None
        stream = BytesIO()
        self.figure_.savefig(stream, format="png", dpi=150)
        return stream.getvalue()


class PairDisplay(Display):
    """ROC space and cost space, side by side where there is space."""

    _size = (8.4, 4.2)

    def _begin(self, ax: Any) -> Any:
        if ax is None:
            wide, high = self._size
            # In one column of a paper there is no space side by side.
            size, grid = ((wide, high), (1, 2)) if wide >= 5 else ((wide, 3.8 * high), (2, 1))
            ax = OwnFigure(figsize=size, layout="constrained").subplots(*grid)
        pair = np.asarray(ax, dtype=object).ravel()
        if pair.size != 2 or not all(isinstance(axes, Axes) for axes in pair):
            raise InputError(f"ax must be two matplotlib axes, for ROC space and cost space; got {pair.size}")
        return pair


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


def label_axes(axes: Axes, *, x: str, y: str, title: str | None = None) -> None:
    """Write the labels and set the size of ticks to match."""
    size = text_size(axes)
    axes.set_xlabel(x, fontsize=size)
    axes.set_ylabel(y, fontsize=size)
    axes.tick_params(labelsize=text_size(axes, 0.92))
    if title is not None:
        axes.set_title(title, fontsize=text_size(axes, 1.1), parse_math=False)


def wrap_labels(axes: Axes) -> bool:
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
        said = text.get_text()
        length = getattr(text.get_window_extent(), along) if said else 0.0
        if length <= most or "\n" in said:
            continue
        lines = min(int(length // most) + 1, 3)
        # A little more than an equal share each, because words do not break.
        text.set_text("\n".join(textwrap.wrap(said, len(said) // lines + 8, break_long_words=False)))
        wrapped = True
    return wrapped


def label_cube(axes: Any, *, z: str, view: tuple[float, float]) -> None:
    """Label three-dimensional axes over ROC space and turn them to the viewer."""
    size = text_size(axes)
    for name, text in (("x", AXIS_LABELS["fpr"]), ("y", AXIS_LABELS["tpr"]), ("z", z)):
        lines = textwrap.wrap(text, 28 if name == "z" else 18)
        getattr(axes, f"set_{name}label")(
            "\n".join(lines), fontsize=size, labelpad=(1.1 if name == "z" else 0.7) * size * (len(lines) - 1)
        )
        getattr(axes, f"set_{name}lim")(0, 1)
        getattr(axes, f"set_{name}ticks")([0.0, 0.5, 1.0])
    # Axes meet in the corners, and one number there is enough.
    axes.set_yticks([0.5, 1.0] if view[1] < 0 else [0.0, 0.5])
    axes.set_zticks([0.5, 1.0])
    axes.tick_params(labelsize=text_size(axes, 0.85), pad=-1)
    axes.view_init(elev=view[0], azim=view[1])
    # Labels stand outside of what matplotlib takes for the size of a cube.
    axes.set_box_aspect(None, zoom=0.77)


def settle(axes: Axes) -> None:
    """Let the figure's layout, if it has one, give the axes the place they will be drawn at, with labels that fit them."""
    figure = axes.get_figure(root=True)
    engine = None if figure is None else figure.get_layout_engine()
    for _ in range(2):
        if figure is not None and engine is not None:
            engine.execute(figure)
        axes.apply_aspect()
        if not wrap_labels(axes):
            return

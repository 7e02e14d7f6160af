"""What all figures share: a result and its checked options, drawn on one sheet."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from io import BytesIO
from typing import Any, ClassVar, Self, dataclass_transform, get_args

import numpy as np
from matplotlib.artist import Artist, ArtistInspector
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from mpl_toolkits.mplot3d.axes3d import Axes3D

from isocost._front import completed
from isocost.conditions import Condition, Conditions
from isocost.curves import CostCurve
from isocost.curves.cost import trivial_curve
from isocost.data import checks
from isocost.errors import InputError
from isocost.plots.labels import Points, Tag, name_lines, place
from isocost.plots.style import (
    AXIS_LABELS,
    DASHED,
    HALO,
    INK,
    MUTED,
    Look,
    OwnFigure,
    looks_of,
    settle,
    text_size,
    width_of,
)

# Enough that a parabola looks as round as it is.
_PER_PIECE = 24


def polyline(curve: CostCurve) -> Points:
    """Return the points to draw a curve through: the ends of its pieces, and points between where it is not straight."""
    if not curve.bend.any():
        x, y = curve.ends
    else:
        low, width = curve.breaks[:-1, None], np.diff(curve.breaks)[:, None]
        u = np.linspace(0, 1, _PER_PIECE + 1)[None]
        left, right, bend = (part[:, None] for part in (curve.left, curve.right, curve.bend))
        x = np.where(u == 1, low + width, low + u * width).ravel()
        y = ((1 - u) * left + u * right + 4 * bend * u * (1 - u)).ravel()
    kept = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))
    return x[kept], y[kept]


class Sheet:
    """What a display has drawn on its axes: the lines of its models, and everything else that their names must not cover."""

    def __init__(self, axes: Any, style: dict[str, Any]) -> None:
        self.axes, self.style = axes, style
        self.lines: list[Points] = []
        self.looks: list[Look] = []
        self.ink: list[Points] = []
        self.tags: list[Tag] = []

    def label(self, x: str, y: str) -> None:
        """Name the axes, and set the size of their ticks to match."""
        size = text_size(self.axes)
        self.axes.set_xlabel(x, fontsize=size)
        self.axes.set_ylabel(y, fontsize=size, parse_math=False)
        self.axes.tick_params(labelsize=text_size(self.axes, 0.92))

    def title(self, text: str, share: float = 1.1, **own: Any) -> None:
        """Write a title."""
        self.axes.set_title(text, fontsize=text_size(self.axes, share), parse_math=False, **own)

    def conditions(self, axis: str, y: str, prevalence: float | None) -> None:
        """Make the x axis that of conditions, with a second one on top where a prevalence is given: a miss per false alarm."""
        self.label(AXIS_LABELS[axis], y)
        self.axes.set_xlim(0, 1)
        if prevalence is not None:
            self._ratios(axis, checks.inner_rate(prevalence, "prevalence"))

    def _ratios(self, axis: str, pi: float) -> None:
        axes, size = self.axes, text_size(self.axes)
        # At a cost ratio r: pcf = r·π/(r·π + 1 - π), t = 1 - pcf, and the cost proportion is r/(1 + r) whatever the prevalence.
        weight = 1.0 if axis == "cost_proportion" else pi / (1 - pi)
        ratios = np.array([m * 10.0**k for k in range(-4, 5) for m in (1, 2, 5)])
        x = ratios * weight / (ratios * weight + 1)
        x = 1 - x if axis == "t" else x
        left, right, *at = axes.transData.transform([(v, 0.5) for v in (0, 1, *x)])[:, 0].tolist()
        # Round ratios win over 2s and 5s where there is no space for all.
        spacing = (right - left) * 3.4 * size / (72 * width_of(axes))
        order = sorted(
            range(x.size), key=lambda i: (not math.log10(ratios[i]).is_integer(), abs(math.log10(ratios[i])))
        )
        ticks: list[int] = []
        for i in order:
            inside = left + 0.4 * spacing < at[i] < right - 0.4 * spacing
            if inside and all(abs(at[i] - at[other]) > spacing for other in ticks):
                ticks.append(i)
        top = axes.secondary_xaxis("top", functions=(lambda v: v, lambda v: v))
        top.spines["top"].set_visible(True)
        top.set_xticks(x[ticks], [f"{r:g}:1" if r >= 1 else f"1:{1 / r:g}" for r in ratios[ticks]])
        top.minorticks_off()
        top.tick_params(labelsize=text_size(axes, 0.92))
        where = "" if axis == "cost_proportion" else f" at {100 * pi:.3g} % positive"
        top.set_xlabel(f"cost ratio, miss : false alarm{where}", fontsize=size)

    def models(self, lines: Sequence[Points], looks: Sequence[Look], **own: Any) -> None:
        """Draw the lines of models, the user's own style winning."""
        for points, look in zip(lines, looks, strict=True):
            self.axes.plot(*points, **look.line(**(own | self.style)))
        self.lines += lines
        self.looks += looks

    def aside(self, x: Any, y: Any, text: str = "", **own: Any) -> None:
        """Draw a line that is not of a model, dotted and grey unless asked otherwise, with its name beside it."""
        look: dict[str, Any] = {"color": MUTED, "linewidth": 0.9, "linestyle": ":", "zorder": 2} | own
        self.axes.plot(x, y, **look)
        self._mark((x, y), text, look["color"])

    def dot(self, x: float, y: float, text: str = "", *, bold: bool = True, **own: Any) -> None:
        """Mark a point, with its name beside it."""
        look: dict[str, Any] = {"marker": "o", "color": INK, "markersize": 5, "zorder": 5} | own
        self.axes.plot([x], [y], **look)
        self._mark(([x], [y]), text, look["color"], bold=bold)

    def _mark(self, points: Points, text: str, colour: str, *, bold: bool = False) -> None:
        """Keep names off these points, or write one beside them."""
        if text:
            self.tags.append(Tag(text, points, colour, bold))
        else:
            self.ink.append(points)

    def shade(self, x: Any, low: Any, high: Any, colour: str, *, hatch: str | None = None, **own: Any) -> None:
        """Shade a band in a colour, and in a hatch if there is one."""
        hatched = {} if hatch is None else {"hatch": hatch, "edgecolor": "white", "zorder": 2}
        self.axes.fill_between(
            x, low, high, color=colour, **({"alpha": 0.15, "linewidth": 0, "zorder": 1} | hatched | own)
        )

    def condition(self, at: float | tuple[float, float], top: float) -> None:
        """Draw a line at one condition, or shade a range of them."""
        if isinstance(at, tuple):
            self.axes.axvspan(*at, color=INK, alpha=0.07, linewidth=0, zorder=0)
        else:
            self.axes.axvline(at, color=INK, linewidth=0.9, linestyle=DASHED, zorder=4)
            self.ink.append(([at, at], [0, top]))

    def write(self, text: str, *at: float, **own: Any) -> None:
        """Write a text over what is drawn."""
        look: dict[str, Any] = {
            "fontsize": text_size(self.axes),
            "color": INK,
            "parse_math": False,
            "path_effects": HALO,
        }
        self.axes.text(*at, text, **(look | own))

    def name(self, names: Sequence[str] = (), *, share: float = 0.9, leaders: bool = True) -> None:
        """Name the models, then all else that has a name."""
        name_lines(self.axes, names, self.lines, self.looks, [*self.ink, *(tag.points for tag in self.tags)])
        place(self.axes, self.tags, [*self.ink, *self.lines], share=share, leaders=leaders)


def _names_of(kind: Any) -> list[str]:
    return [one.__name__ for one in get_args(kind) or (kind,)]


def several(given: Any, kind: Any, what: str) -> list[Any]:
    """Return one or several results of a kind as a list; a comparison stands for its curves."""
    if isinstance(given, kind):
        return [given]
    given = getattr(given, "curves", given)
    held = given.values() if isinstance(given, dict) else given if np.iterable(given) else [given]
    named = " or ".join(_names_of(kind))
    found = [given] if isinstance(given, str) else list(held)
    return [
        checks.instance(one, what, kind, f"one {named} or several")
        for one in checks.some(found, what, "nothing to draw")
    ]


def alike(values: Iterable[Any], message: str) -> None:
    """Refuse results that differ in what one figure can have but once."""
    if len(set(values)) > 1:
        raise InputError(message)


def _words(value: Any, name: str) -> list[str]:
    """Return names as a list; one name stands for itself."""
    found = list(value) if np.iterable(value) and not isinstance(value, str) else [value]
    return [checks.instance(item, name, str, "names") for item in found]


# How options that were given are checked, by their names.
_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("hull", "thresholds", "values", "lift", "significant"), checks.flag),
    **dict.fromkeys(("names", "highlight"), _words),
    "condition": lambda value, name: checks.instance(value, name, Condition | Conditions, "a Condition or Conditions"),
    "prevalence": lambda value, name: checks.number(value, name, low=0, high=1),
    "rates": lambda value, name: np.ravel(checks.rates(np.atleast_1d(value), name)).tolist() if np.size(value) else [],
    "between": checks.interval,
}


# Options that mean the same in every figure that has them, for docstrings that leave them out.
_OPTIONS = {
    "highlight": "highlight : sequence of str, optional\n"
    "    With more than six models, the names of those to draw in colour; by default the best five.",
    "prevalence": "prevalence : float, optional\n"
    "    Adds a second axis, the ratio of costs that each x stands for when this share is positive.",
}


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
    # What is drawn, its names and looks.
    made: list[Any]
    names: Any
    looks: Any
    # What the result must be, and whether several of them are drawn.
    _kind: ClassVar[Any] = object
    _several: ClassVar[bool] = False
    _size = (4.8, 4.0)
    _keeps_height: ClassVar[bool] = False
    _projection: ClassVar[str | None] = None
    _artist: ClassVar[type[Artist]] = Line2D
    # Of lines: names of the axes, whether the frame cuts them, and whether the classifiers that ignore the scores are drawn, too.
    _labels: Any
    _clip: bool
    _sided: bool
    _view: tuple[float, float]
    _own_figure = False

    def __init_subclass__(cls, cites: str = "", **settings: Any) -> None:
        """Make every display a dataclass of its result and options, with the settings of its class: `size` is `_size`."""
        for name, value in settings.items():
            setattr(cls, f"_{name}", value)
        dataclass(eq=False, repr=False)(cls)
        if "\nParameters\n" in inspect.cleandoc(cls.__doc__ or ""):
            cls.__doc__ = completed(str(cls.__doc__), inspect.signature(cls), "", _OPTIONS, cites=cites, Returns="")

    def __post_init__(self) -> None:
        """Check the options and the result, then what this figure needs of it."""
        options = fields(self)  # type: ignore[arg-type]
        for option in options:
            if option.name in _CHECKS and (value := getattr(self, option.name)) is not None:
                setattr(self, option.name, _CHECKS[option.name](value, option.name))
        name = next(option.name for option in options if not option.kw_only)
        self.given = getattr(self, name)
        if self._several:
            self.made = several(self.given, self._kind, name)
            setattr(self, name, self.made)
        else:
            checks.instance(self.given, name, self._kind, f"a {' or a '.join(_names_of(self._kind))}")
        self._prepare()

    def _prepare(self) -> None:
        """Check what this figure needs, and work out what is drawn."""

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
        self.ax_ = self._begin(ax)
        sheets = [Sheet(axes, style) for axes in np.ravel(self.ax_)]
        self._draw(*sheets)
        settle(sheets[0].axes)
        self.figure_ = sheets[0].axes.figure
        return self

    def _draw(self, *sheets: Any) -> None:
        raise NotImplementedError

    def _begin(self, ax: Any) -> Any:
        """Return the axes to draw on, those given or new ones."""
        if ax is None:
            return OwnFigure(figsize=self._size, layout="constrained").add_subplot(projection=self._projection)
        checks.instance(ax, "ax", Axes, "matplotlib axes")
        if self._projection is not None:
            checks.instance(ax, "ax", Axes3D, "three-dimensional axes, as of figure.add_subplot(projection='3d')")
        return ax

    def _repr_png_(self) -> bytes | None:
        # Axes of the caller belong to a figure that the caller shows.
        if not self._own_figure:
            return None
        stream = BytesIO()
        self.figure_.savefig(stream, format="png", dpi=150)
        return stream.getvalue()


class PairDisplay(Display, size=(8.4, 4.2)):
    """ROC space and cost space, side by side where there is space."""

    def _begin(self, ax: Any) -> Any:
        if ax is None:
            wide, high = self._size
            # In one column of a paper there is no space side by side.
            size, grid = ((wide, high), (1, 2)) if wide >= 5 else ((wide, 3.8 * high), (2, 1))
            ax = OwnFigure(figsize=size, layout="constrained").subplots(*grid)
        pair = np.asarray(ax, dtype=object).ravel()
        alike((pair.size, 2), f"ax must be two matplotlib axes, for ROC space and cost space; got {pair.size}")
        for axes in pair:
            checks.instance(axes, "ax", Axes, "two matplotlib axes, for ROC space and cost space")
        return pair


class LinesDisplay(Display, size=(5.0, 3.6), labels=("", ""), clip=False):
    """A line each, with its name beside it: a subclass says which, and what stands beside them."""

    def _line(self, one: Any) -> Points:
        """Return the line of one of those that are drawn."""
        return polyline(one)

    def _frame(self, sheet: Sheet) -> None:
        """Prepare the axes."""
        sheet.label(*self._labels)

    def _surround(self, sheet: Sheet) -> None:
        """Set the limits and draw what stands beside the lines."""

    def _draw(self, sheet: Sheet) -> None:
        self._frame(sheet)
        sheet.models([self._line(one) for one in self.made], self.looks, clip_on=self._clip)
        self._surround(sheet)
        sheet.name(self.names)


class ModelsDisplay(LinesDisplay, several=True):
    """One line per model: a subclass says which, and what ranks the models."""

    _: KW_ONLY
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        self.names = self._names()
        self.looks = looks_of(self.names, [self._cost(one) for one in self.made], self.highlight)

    def _names(self) -> list[str]:
        """Return the names of models, "model 1", "model 2", … where there is none; nothing for a single one without a name."""
        given = [getattr(one, "model", None) or getattr(one, "name", None) for one in self.made]
        unnamed = "" if len(given) == 1 else "model {}"
        return [unnamed.format(i) if name is None else str(name) for i, name in enumerate(given, 1)]

    def _named(self) -> list[tuple[Any, Look]]:
        """Return what has a name and a colour, with its look."""
        return [(one, look) for one, look in zip(self.made, self.looks, strict=True) if look.named]

    def _cost(self, one: Any) -> float:
        """Return what ranks the models: lower is better."""
        raise NotImplementedError


class SpaceDisplay(ModelsDisplay, size=(5.0, 4.0), labels=("pcf", AXIS_LABELS["normalised_cost"]), sided=True):
    """A figure along the axis of conditions, of one model or several."""

    _trivial = trivial_curve("pcf", None)

    _: KW_ONLY
    prevalence: float | None = None

    def _frame(self, sheet: Sheet) -> None:
        axis, y = self._labels
        sheet.conditions(axis, y, self.prevalence)
        if self._sided:
            x, y = polyline(self._trivial)
            sheet.axes.plot(x, y, color=MUTED, linewidth=0.9, linestyle=":", zorder=2, gid="trivial")
            for text, part in (("flag nobody", slice(0, 2)), ("flag everybody", slice(1, 3))):
                sheet.tags.append(Tag(text, (x[part], y[part]), MUTED))

"""What all figures have in common: axes to draw on, the size of text, and how a notebook shows them."""

from __future__ import annotations

import textwrap
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist, ArtistInspector
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from isocost import validate
from isocost.errors import InputError
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.options import checked
from isocost.results.whole_files import atomically

# The smallest text, as a share of the user's own font size: 8 points of 10.
LEAST = 0.8


class OwnFigure(Figure):
    """A figure made for one display: it grows by what stands under its axes, so that a legend takes no room from them."""

    _below = 0.0

    def make_room(self, inches: float) -> None:
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
    _size: tuple[float, float] = (4.8, 4.0)
    _keeps_height: ClassVar[bool] = False
    _projection: ClassVar[str | None] = None
    _artist: ClassVar[type[Artist]] = Line2D
    _own_figure = False

    def __init_subclass__(cls) -> None:
        """Let every display check its options."""
        if "__init__" in vars(cls):
            cls.__init__ = checked(cls.__init__)  # type: ignore[method-assign]

    def sized(self, width: float) -> Self:
        """Use a new figure of this width, in inches, and a height that suits it; one column of a paper is about 3.35."""
        wide = validate.number(width, "width", low=1, high=100)
        height = self._size[1] * (1 if self._keeps_height else wide / self._size[0])
        self._size = (wide, height)
        return self

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw the figure and return the display.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; nothing outside of it is touched.
        **style
            Properties of the main lines, such as `linewidth`, `color` or `alpha`.
        """
        self._check(style)
        axes = self._begin(ax)
        self._draw(axes, style)
        settle(axes)
        return self

    def _draw(self, axes: Any, style: dict[str, Any]) -> None:
        raise NotImplementedError

    def _check(self, style: dict[str, Any]) -> None:
        inspector = ArtistInspector(self._artist)
        known = {*inspector.get_setters(), *(a for names in inspector.aliasd.values() for a in names)}
        unknown = sorted(set(style) - known)
        if unknown:
            raise InputError(
                f"{type(self).__name__} has no option, and its {self._artist.__name__} no property, named {unknown[0]!r}; "
                "options of the figure go to the display itself, properties such as linewidth to plot()"
            )

    def _begin(self, ax: Any) -> Axes:
        self._own_figure = ax is None
        if ax is None:
            figure = OwnFigure(figsize=self._size, layout="constrained")
            ax = figure.add_subplot(projection=self._projection)
        elif not isinstance(ax, Axes):
            raise InputError(f"ax must be matplotlib axes, got {type(ax).__name__}")
        elif self._projection == "3d" and ax.name != "3d":
            raise InputError("ax must be three-dimensional axes: figure.add_subplot(projection='3d')")
        axes: Axes = ax
        self.ax_, self.figure_ = axes, axes.figure
        return axes

    def _begin_pair(self, ax: Any) -> Any:
        """Return the axes of ROC space and of cost space, side by side where there is room."""
        self._own_figure = ax is None
        if ax is None:
            wide, high = self._size
            # In one column of a paper there is no room side by side.
            size, grid = ((wide, high), (1, 2)) if wide >= 5 else ((wide, 3.8 * high), (2, 1))
            ax = OwnFigure(figsize=size, layout="constrained").subplots(*grid)
        pair = np.asarray(ax, dtype=object).ravel()
        if pair.size != 2 or not all(isinstance(axes, Axes) for axes in pair):
            raise InputError(f"ax must be two matplotlib axes, for ROC space and cost space; got {pair.size}")
        return pair

    def _repr_png_(self) -> bytes | None:
        # Axes of the caller belong to a figure that the caller shows.
        if not self._own_figure:
            return None
        stream = BytesIO()
        self.figure_.savefig(stream, format="png", dpi=150)
        return stream.getvalue()


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
    room = axes.get_window_extent()
    wrapped = False
    for text, along, most in (
        (axes.xaxis.label, "width", 1.08 * room.width),
        (axes.yaxis.label, "height", room.height),
        (axes.title, "width", 1.15 * room.width),
        *((second.xaxis.label, "width", room.width) for second in axes.child_axes),
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

"""Names beside the lines they belong to, or in a legend under the axes when there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

from isocost.plots.display import OwnFigure, settle, text_size, width_of
from isocost.plots.free_space import Scene, apart, beside, thinned
from isocost.plots.style import FAINT, Look
from isocost.results.short_names import shorten
from isocost.validate import Floats

Points = tuple[Any, Any]


@dataclass(frozen=True)
class Tag:
    """A text and the points of the line (or the one point) it may stand beside."""

    text: str
    x: Floats
    y: Floats
    colour: str
    bold: bool = False


def place(
    axes: Axes, tags: Sequence[Tag], ink: Sequence[Points], *, share: float = 1.0, leaders: bool = True
) -> list[Tag]:
    """Write each tag where it touches nothing; return those that found no such place.

    A tag stands beside its own line if that is the nearest one there, else in a free spot with a thin leader to its line.
    `ink` holds what else is drawn and must not be written over, in data coordinates; texts on the axes are avoided too.
    """
    settle(axes)
    frame = axes.get_window_extent()
    room = np.array([[frame.x0, frame.y0], [frame.x1, frame.y1]])
    lines = [pixels(axes, tag.x, tag.y) for tag in tags]
    other = [pixels(axes, x, y) for x, y in ink]
    taken = np.array([_box(text) for text in axes.texts if text.get_text()]).reshape(-1, 4)
    size = text_size(axes, 0.95 * share)
    left_over = []
    for i, tag in enumerate(tags):
        looks: dict[str, Any] = {
            "color": tag.colour, "fontsize": size, "parse_math": False, "zorder": 6, "ha": "center", "va": "center",
            "fontweight": "bold" if tag.bold else "normal",
            "path_effects": [withStroke(linewidth=2, foreground=axes.get_facecolor())],
        }  # fmt: skip
        trial = axes.text(0.5, 0.5, tag.text, transform=axes.transAxes, **looks)
        extent = _box(trial)[2:] * 2
        trial.remove()
        rivals = np.concatenate([np.empty((0, 2)), *lines[:i], *lines[i + 1 :]])
        scene = Scene(lines[i], rivals, np.concatenate([np.empty((0, 2)), *other]), taken, room)
        spot = beside(scene, extent) or (apart(scene, extent) if leaders else None)
        if spot is None:
            left_over.append(tag)
            continue
        # The anchor is data and the offset points, so that the label stays beside its line when the axes change size.
        anchor = (x, y) = tuple(axes.transData.inverted().transform(spot.anchor).tolist())
        offset = tuple(((spot.middle - spot.anchor) * 72 / axes.figure.dpi).tolist())
        thin = {"arrowstyle": "-", "color": tag.colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
        axes.annotate(
            tag.text, anchor, textcoords="offset points", xytext=offset, annotation_clip=False,
            arrowprops=thin if spot.leader else None, **looks,
        )  # fmt: skip
        if spot.leader:
            axes.plot([x], [y], ".", color=tag.colour, markersize=4, zorder=6, gid="leader")
            other.append(np.linspace(spot.anchor, spot.middle, 40))
        taken = np.concatenate([taken, np.concatenate([spot.middle, extent / 2])[None]])
    return left_over


def name_lines(
    axes: Axes, names: Sequence[str], lines: Sequence[Points], seen: Sequence[Look], ink: Sequence[Points] = ()
) -> None:
    """Name every line that has a name of its own, beside it if all of them fit there, else in a legend below the axes."""
    short = shorten(names)
    tags = [
        Tag(name, np.asarray(x, float), np.asarray(y, float), look.colour)
        for name, (x, y), look in zip(short, lines, seen, strict=True)
        if look.named
    ]
    rest = [line for line, look in zip(lines, seen, strict=True) if not look.named]
    texts, dots = len(axes.texts), len(axes.lines)
    crowded = len(rest) > 0 or bool(place(axes, tags, [*ink, *rest]))
    if crowded:
        for artist in [*axes.texts[texts:], *axes.lines[dots:]]:
            artist.remove()
        legend_of_looks(axes, short, seen)


def legend_of_looks(axes: Axes, names: Sequence[str], seen: Sequence[Look]) -> None:
    """Write a legend of the models with a look of their own, and how many others there are."""
    entries: list[tuple[Artist, str]] = [
        (Line2D([], [], **look.line()), name) for name, look in zip(names, seen, strict=True) if look.named
    ]
    others = sum(not look.named for look in seen)
    if others:
        entries.append((Line2D([], [], color=FAINT, linewidth=0.7), f"{others} other models"))
    legend_below(axes, entries)


def legend_below(axes: Axes, entries: Sequence[tuple[Artist, str]]) -> None:
    """Write a legend under the label of the x axis, in as many columns as fit."""
    size = text_size(axes, 0.95)
    width = 72 * width_of(axes)
    longest = max(len(name) for _, name in entries)
    columns = int(np.clip(width // (0.55 * size * longest + 4 * size), 1, len(entries)))
    settle(axes)
    lines = 1 + axes.get_xlabel().count("\n")
    below = axes.transAxes + ScaledTranslation(0, -(3.0 + 1.2 * lines) * size / 72, axes.figure.dpi_scale_trans)
    # Matplotlib leaves out labels that start with an underscore.
    legend = axes.legend(
        [handle for handle, _ in entries], [f" {name}" if name.startswith("_") else name for _, name in entries],
        loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=columns, frameon=False, fontsize=size,
        handlelength=3.2, borderaxespad=0, columnspacing=1.2, labelspacing=0.3,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)
    if isinstance(axes.figure, OwnFigure):
        axes.figure.make_room(legend.get_window_extent().height / axes.figure.dpi)


def pixels(axes: Axes, x: Any, y: Any) -> Floats:
    """Return points at equal steps along a line, in pixels, those inside the axes only."""
    frame = axes.get_window_extent()
    room = np.array([[frame.x0, frame.y0], [frame.x1, frame.y1]])
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(x) & np.isfinite(y)
    with np.errstate(divide="ignore"):
        points = np.asarray(axes.transData.transform(np.column_stack([x[good], y[good]])))
    points = thinned(points[np.isfinite(points).all(axis=1)])
    return np.asarray(points[(points >= room[0] - 1).all(axis=1) & (points <= room[1] + 1).all(axis=1)])


def _box(text: Text) -> Floats:
    """Return the middle and half the size of a text, in pixels."""
    box = text.get_window_extent()
    return np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, box.width / 2, box.height / 2])

"""Names beside the lines they belong to, where there is space, or in a legend under the axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

from isocost.curves import RocCurve
from isocost.data.checks import Bools, Floats
from isocost.numbers import shorten, threshold
from isocost.plots.style import FAINT, Look, OwnFigure, settle, text_size, width_of

# Directions from a point of a line to the middle of its label.
_SIDES = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0)], dtype=np.float64)
_STEP = 4.0  # between the points that stand for a line
_ANCHORS = 60
_INSET = 5.0  # from the axes' frame


# A place for a label: the point of the line it belongs to, and the middle of its box.
Spot = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Scene:
    """A label's size, its own line, the lines it must not be taken to name, what it must not cover, and the frame."""

    size: Floats
    own: Floats
    rivals: Floats
    ink: Floats
    taken: Floats
    bounds: Floats

    @property
    def anchors(self) -> Floats:
        """Points of the own line, as many as are tried."""
        return np.asarray(self.own[np.unique(np.linspace(0, len(self.own) - 1, _ANCHORS).astype(int))])

    def free(self, middle: Floats) -> Bools:
        """Return which boxes lie inside the axes and touch no label."""
        half, (low, high), taken = self.size / 2, self.bounds, self.taken
        inside = (middle - half >= low + _INSET).all(1) & (middle + half <= high - _INSET).all(1)
        touched = np.all(np.abs(middle[:, None] - taken[:, :2]) < half + taken[:, 2:] + 1, axis=2).any(axis=1)
        return np.asarray(inside & ~touched)

    def beside(self) -> Spot | None:
        """Return the best place that touches nothing and is nearer to the own line than to any other."""
        half, height, anchors = self.size / 2, self.size[1], self.anchors
        gaps = (0.25, 0.6) if len(self.own) == 1 else (0.2, 0.4, 0.8)
        sides = np.concatenate([_SIDES * (half + gap * height) for gap in gaps])
        middle, anchor = (anchors[:, None] + sides).reshape(-1, 2), np.repeat(anchors, len(sides), axis=0)
        free = self.free(middle)
        middle, anchor = middle[free], anchor[free]
        to_own, to_rivals, to_ink = (gap(middle, half, points) for points in (self.own, self.rivals, self.ink))
        fits = (to_own > 0.15 * height) & (to_ink > 0.2 * height) & (to_rivals > np.maximum(1.5 * to_own, 0.3 * height))
        if not fits.any():
            return None
        value = np.where(fits, np.minimum(to_rivals, 3 * height) + np.minimum(to_ink, height) - to_own, -np.inf)
        best = int(np.argmax(value))
        return anchor[best], middle[best]

    def apart(self) -> Spot | None:
        """Return the nearest free place from which a leader reaches the line where it is most distinct from the others."""
        half, height, anchors = self.size / 2, self.size[1], self.anchors
        if len(self.own) > 1:
            clear = gap(anchors, np.zeros(2), self.rivals)
            if clear.max() < 2:
                return None  # nowhere distinct from another line
            anchors = anchors[clear >= min(0.7 * clear.max(), 3 * height)]
        middle = np.stack(np.meshgrid(*np.linspace(self.bounds[0], self.bounds[1], 40).T), axis=-1).reshape(-1, 2)
        middle = middle[self.free(middle)]
        crowd = np.concatenate([self.own, self.rivals, self.ink])
        middle = middle[gap(middle, half, crowd) > 0.3 * height]
        length = np.hypot(*(middle[:, None] - anchors).transpose(2, 0, 1))
        best: tuple[float, Spot] | None = None
        for i, j in zip(*np.unravel_index(np.argsort(length, axis=None)[:40], length.shape), strict=True):
            path = np.linspace(anchors[j], middle[i], max(int(length[i, j] // _STEP), 2))[1:]
            covered = (np.abs(path[:, None] - self.taken[:, :2]) < self.taken[:, 2:] + 2).all(2).any()
            price = float(length[i, j]) + 8.0 * np.count_nonzero(gap(path, np.zeros(2), crowd) < 2)
            if not covered and (best is None or price < best[0]):
                best = price, (anchors[j], middle[i])
        return None if best is None else best[1]


def gap(middle: Floats, half: Floats, points: Floats) -> Floats:
    """Return the distance of each box to the nearest of the points, 0 when one lies inside."""
    if not len(points):
        return np.full(len(middle), np.inf)
    nearest = np.full(len(middle), np.inf)
    # Few enough at a time for the processor's cache, and one root at the end: pixels neither over- nor underflow.
    for part in np.array_split(points, max(len(points) // 50, 1)):
        squares = [np.maximum(np.abs(np.subtract.outer(middle[:, i], part[:, i])) - half[i], 0) ** 2 for i in (0, 1)]
        nearest = np.minimum(nearest, (squares[0] + squares[1]).min(axis=1))
    return np.asarray(np.sqrt(nearest))


Points = tuple[Any, Any]


@dataclass(frozen=True)
class Tag:
    """A text and the points of the line (or the one point) it may stand beside."""

    text: str
    points: Points
    colour: str
    bold: bool = False


def cut_text(curve: RocCurve, cut: float) -> str:
    """Return a threshold of a curve as the shortest decimal that flags the same cases."""
    after = int(np.searchsorted(-curve.thresholds, -cut, side="right"))
    scores = curve.thresholds if curve.upper is None else curve.upper
    return threshold(cut, float(scores[after]) if after < scores.size else -np.inf)


def place(
    axes: Axes, tags: Sequence[Tag], ink: Sequence[Points], *, share: float = 1.0, leaders: bool = True
) -> list[Tag]:
    """Write each tag where it touches neither ink nor texts, beside its line or with a leader to it; return those without a place."""
    settle(axes)
    bounds = _frame(axes)
    lines = [pixels(axes, *tag.points) for tag in tags]
    other = [pixels(axes, *points) for points in ink]
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
        rivals, covered = (np.concatenate([np.empty((0, 2)), *parts]) for parts in (lines[:i] + lines[i + 1 :], other))
        scene = Scene(extent, lines[i], rivals, covered, taken, bounds)
        spot, leader = scene.beside() if len(lines[i]) else None, False
        if spot is None and leaders and len(lines[i]):
            spot, leader = scene.apart(), True
        if spot is None:
            left_over.append(tag)
            continue
        # The anchor is data and the offset points, so that the label stays beside its line when the axes change size.
        anchor, middle = spot
        x, y = axes.transData.inverted().transform(anchor).tolist()
        offset = ((middle - anchor) * 72 / axes.figure.dpi).tolist()
        thin = {"arrowstyle": "-", "color": tag.colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0}
        axes.annotate(
            tag.text, (x, y), textcoords="offset points", xytext=(offset[0], offset[1]), annotation_clip=False,
            arrowprops=thin if leader else None, **looks,
        )  # fmt: skip
        if leader:
            axes.plot([x], [y], ".", color=tag.colour, markersize=4, zorder=6, gid="leader")
            other.append(np.linspace(anchor, middle, 40))
        taken = np.concatenate([taken, np.concatenate([middle, extent / 2])[None]])
    return left_over


def name_lines(
    axes: Axes, names: Sequence[str], lines: Sequence[Points], seen: Sequence[Look], ink: Sequence[Points] = ()
) -> None:
    """Name every line that has a name of its own, beside it if all of them fit there, else in a legend below the axes."""
    if not any(names):
        return
    short = shorten(names)
    tags = [Tag(name, line, look.colour) for name, line, look in zip(short, lines, seen, strict=True) if look.named]
    rest = [line for line, look in zip(lines, seen, strict=True) if not look.named]
    texts, dots = len(axes.texts), len(axes.lines)
    if rest or place(axes, tags, ink):
        for artist in [*axes.texts[texts:], *axes.lines[dots:]]:
            artist.remove()
        entries = [(Line2D([], [], **look.line()), name) for name, look in zip(short, seen, strict=True) if look.named]
        if rest:
            entries.append((Line2D([], [], color=FAINT, linewidth=0.7), f"{len(rest)} other models"))
        legend_below(axes, entries)


def legend_below(axes: Axes, entries: Sequence[tuple[Any, str]]) -> None:
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
        axes.figure.grow_by(legend.get_window_extent().height / axes.figure.dpi)


def pixels(axes: Axes, x: Any, y: Any) -> Floats:
    """Return points at equal steps along a line, in pixels, those inside the axes only."""
    low, high = _frame(axes)
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(x) & np.isfinite(y)
    with np.errstate(divide="ignore"):
        points = np.asarray(axes.transData.transform(np.column_stack([x[good], y[good]])))
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) > 1:
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        at = np.linspace(0, along[-1], max(int(along[-1] // _STEP), 1) + 1)
        points = np.column_stack([np.interp(at, along, points[:, axis]) for axis in (0, 1)])
    return np.asarray(points[((points >= low - 1) & (points <= high + 1)).all(axis=1)])


def _frame(axes: Axes) -> Floats:
    return np.array(axes.get_window_extent().get_points())


def _box(text: Text) -> Floats:
    """Return the middle and half the size of a text, in pixels."""
    box = text.get_window_extent()
    return np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, box.width / 2, box.height / 2])

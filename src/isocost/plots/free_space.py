"""Where in a picture a label has room: beside its line, or apart from it with a leader. All in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isocost.validate import Bools, Floats

# Directions from a point of a line to the middle of its label.
_SIDES = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0)], dtype=np.float64)
_STEP = 4.0  # between the points that stand for a line
_ANCHORS = 60
_INSET = 5.0  # from the axes' frame


@dataclass(frozen=True, eq=False)
class Spot:
    """A place for a label: the point of the line it belongs to, and the middle of its box."""

    anchor: Floats
    middle: Floats
    leader: bool = False


def thinned(points: Floats) -> Floats:
    """Return points at equal steps along a line through many points."""
    if len(points) < 2:
        return points
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, along[-1], max(int(along[-1] // _STEP), 1) + 1)
    return np.column_stack([np.interp(at, along, points[:, axis]) for axis in (0, 1)])


@dataclass(frozen=True, eq=False)
class Scene:
    """What a label has to do with: its own line, the lines it must not be taken to name, and what it must not cover."""

    own: Floats
    rivals: Floats
    ink: Floats
    taken: Floats
    room: Floats


def beside(scene: Scene, size: Floats) -> Spot | None:
    """Return the best place that touches nothing and is nearer to the own line than to any other."""
    own, height = scene.own, size[1]
    if not len(own):
        return None
    anchors = _some(own)
    gaps = (0.25, 0.6) if len(own) == 1 else (0.1, 0.35, 0.8)
    sides = np.concatenate([_SIDES * (0.5 * size + gap * height) for gap in gaps])
    middle = (anchors[:, None] + sides).reshape(-1, 2)
    anchor = np.repeat(anchors, len(sides), axis=0)
    free = _free(middle, size / 2, scene)
    middle, anchor = middle[free], anchor[free]
    if not len(middle):
        return None
    to_own, to_rivals, to_ink = (gap(middle, size / 2, points) for points in (own, scene.rivals, scene.ink))
    fits = (to_own > 0.5) & (to_ink > 0.2 * height) & (to_rivals > np.maximum(1.5 * to_own, 0.3 * height))
    if not fits.any():
        return None
    value = np.where(fits, np.minimum(to_rivals, 3 * height) + np.minimum(to_ink, height) - to_own, -np.inf)
    best = int(np.argmax(value))
    return Spot(anchor[best], middle[best])


def apart(scene: Scene, size: Floats) -> Spot | None:
    """Return the nearest free place from which a leader reaches the line where it is best told from the others."""
    own = scene.own
    if not len(own):
        return None
    anchors = _some(own)
    if len(own) > 1:
        clear = gap(anchors, np.zeros(2), scene.rivals)
        if clear.max() < 2:
            return None  # nowhere told from another line
        anchors = anchors[clear >= min(0.7 * clear.max(), 3 * size[1])]
    grid = np.meshgrid(*(np.linspace(scene.room[0, i], scene.room[1, i], 40) for i in (0, 1)))
    middle = np.column_stack([part.ravel() for part in grid])
    middle = middle[_free(middle, size / 2, scene)]
    crowd = _Crowd(np.concatenate([own, scene.rivals, scene.ink]), scene.room)
    middle = middle[crowd.count(middle, size / 2 + 0.3 * size[1]) == 0]
    if not len(middle):
        return None
    length = np.hypot(*(middle[:, None] - anchors).transpose(2, 0, 1))
    nearest = np.argsort(length, axis=None)[:100]
    best: tuple[float, Spot] | None = None
    for i, j in zip(*np.unravel_index(nearest, length.shape), strict=True):
        path = np.linspace(anchors[j], middle[i], max(int(length[i, j] // _STEP), 2))[1:]
        if (np.abs(path[:, None] - scene.taken[:, :2]) < scene.taken[:, 2:] + 2).all(2).any():
            continue
        crossed = np.count_nonzero(crowd.count(path, np.full(2, 2.0)))
        price = float(length[i, j]) + 8.0 * crossed
        if best is None or price < best[0]:
            best = price, Spot(anchors[j], middle[i], leader=True)
    return None if best is None else best[1]


class _Crowd:
    """Counts points in boxes by a summed-area table of the pixels."""

    def __init__(self, points: Floats, room: Floats) -> None:
        self.corner = room[0]
        self.shape = np.ceil(room[1] - room[0]).astype(int) + 2
        cell = np.clip((points - self.corner).astype(int), 0, self.shape - 1)
        pixels = np.zeros(self.shape + 1)
        np.add.at(pixels, (cell[:, 0] + 1, cell[:, 1] + 1), 1)
        self.table = pixels.cumsum(axis=0).cumsum(axis=1)

    def count(self, middle: Floats, half: Floats) -> Floats:
        """Return how many points lie in each box."""
        low = np.clip((middle - half - self.corner).astype(int), 0, self.shape)
        high = np.clip((middle + half - self.corner).astype(int) + 1, 0, self.shape)
        table = self.table
        (x0, y0), (x1, y1) = low.T, high.T
        return np.asarray(table[x1, y1] - table[x0, y1] - table[x1, y0] + table[x0, y0])


def _some(own: Floats) -> Floats:
    return np.asarray(own[np.unique(np.linspace(0, len(own) - 1, _ANCHORS).astype(int))])


def _free(middle: Floats, half: Floats, scene: Scene) -> Bools:
    """Return which boxes lie inside the axes and touch no label."""
    room, taken = scene.room, scene.taken
    inside = (middle - half >= room[0] + _INSET).all(1) & (middle + half <= room[1] - _INSET).all(1)
    touched = np.all(np.abs(middle[:, None] - taken[:, :2]) < half + taken[:, 2:] + 1, axis=2).any(axis=1)
    return np.asarray(inside & ~touched)


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

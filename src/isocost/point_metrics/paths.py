"""Lines and curves inside the unit square: exact clipping of straight ones, exact tracing of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from isocost.errors import MissingDependencyError
from isocost.results.frames import Columns
from isocost.results.result import Result
from isocost.validate import Floats

# (a, b, c) stands for the line a·fpr + b·tpr = c.
Line = tuple[float, float, float]
Field = Callable[[Floats, Floats], Floats]

# Fine enough to tell neighbouring branches apart; the points themselves do not depend on it.
_CELLS = 192
# Relative rounding allowed when deciding whether a line still touches the square.
_SLACK = 1e-12
# What counts as zero for a metric's value, which is of order one.
_ZERO = 1e-12
# Sides and diagonals: where metrics are constant without changing sign.
_SPECIAL: tuple[Line, ...] = ((1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1), (1, -1, 0), (1, 1, 1))


@dataclass(frozen=True, eq=False)
class Path(Result):
    """A connected line in ROC space.

    Attributes
    ----------
    fpr, tpr : numpy.ndarray
        Its points in order. Two points: a straight segment. One: a single point, such as a corner.
    """

    fpr: Floats
    tpr: Floats

    @property
    def slope(self) -> float:
        """Slope from the first to the last point; NaN for a single point."""
        rise, run = float(self.tpr[-1] - self.tpr[0]), float(self.fpr[-1] - self.fpr[0])
        if run == 0:
            return float("nan") if rise == 0 else float("inf")
        return rise / run


@dataclass(frozen=True, eq=False)
class Locus(Result):
    """Where in ROC space something holds.

    Attributes
    ----------
    whole_square : bool
        True if it holds everywhere.
    paths : tuple of Path
        Otherwise, the lines and single points where it holds; empty if nowhere.
    """

    whole_square: bool
    paths: tuple[Path, ...]

    def _columns(self) -> Columns:
        sizes = [path.fpr.size for path in self.paths]
        return {"path": np.repeat(np.arange(len(sizes)), sizes), **joined(self.paths)}


def joined(paths: Sequence[Path]) -> dict[str, Floats]:
    """Return the points of several paths one after another."""
    return {name: np.concatenate([np.empty(0), *(getattr(p, name) for p in paths)]) for name in ("fpr", "tpr")}


def clip(line: Line) -> Path | None:
    """Return the part of a straight line inside the unit square, left to right (upwards if vertical)."""
    a, b, c = line
    size = abs(a) + abs(b)
    if size == 0:
        return None
    slack = _SLACK * (size + abs(c))
    ends: set[tuple[float, float]] = set()
    for edge in (0.0, 1.0):
        # An intersection with a side that misses it by rounding alone is the side's end.
        if b != 0 and -slack <= (c - a * edge) * np.sign(b) <= abs(b) + slack:
            ends.add((edge, min(max((c - a * edge) / b, 0.0), 1.0)))
        if a != 0 and -slack <= (c - b * edge) * np.sign(a) <= abs(a) + slack:
            ends.add((min(max((c - b * edge) / a, 0.0), 1.0), edge))
    if not ends:
        return None
    low, high = min(ends), max(ends)
    if max(high[0] - low[0], abs(high[1] - low[1])) <= _SLACK:
        high = low
    points = np.array([low] if high == low else [low, high])
    return Path(points[:, 0], points[:, 1])


def clip_all(lines: Iterable[Line]) -> tuple[Path, ...]:
    """Return the parts of straight lines that lie in the unit square."""
    return tuple(path for path in map(clip, lines) if path is not None)


def root_between(field: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return where `field`, of opposite signs at 0 and 1, vanishes; all brackets at once, to the last bit.

    `field` maps positions in [0, 1], one for each bracket, to values; `low` and `high` are its values at the two ends.
    """
    left, right = np.zeros_like(low), np.ones_like(low)
    sign = np.sign(low)
    while True:
        middle = (left + right) / 2
        if not ((middle > left) & (middle < right)).any():
            break
        same = np.sign(field(middle)) == sign
        left, right = np.where(same, middle, left), np.where(same, right, middle)
        if (right - left).max(initial=0.0) < 2**-52:
            break
    return np.where(low == 0, 0.0, np.where(high == 0, 1.0, (left + right) / 2))


def trace(field: Field, *, caller: str) -> Locus:
    """Return where in the unit square `field` is zero.

    contourpy finds which edges of a lattice a curve of sign change crosses; each crossing is then found on its edge by
    bisection, so every point lies on the curve to rounding, whatever the lattice. Where the field touches zero without
    changing sign, only the sides, the two diagonals and the corners are found. Where it is NaN, nothing is.
    """
    try:
        import contourpy
    except ImportError as error:
        raise MissingDependencyError(caller, "contourpy", "plots") from error

    nodes = np.linspace(0.0, 1.0, _CELLS + 1)
    fpr, tpr = np.meshgrid(nodes, nodes)
    heights = np.ma.masked_invalid(field(fpr, tpr))
    if heights.count() and np.ma.max(np.abs(heights)) <= _ZERO:
        return Locus(True, ())
    straight = tuple(path for path in map(clip, _SPECIAL) if path is not None and _vanishes(field, path))
    curves: list[Path] = []
    if heights.count() and heights.min() < 0 < heights.max():
        generator = contourpy.contour_generator(nodes, nodes, heights, name="serial", line_type="Separate")
        for contour in generator.lines(0.0):
            curves.extend(_off_lines(_exact(field, np.asarray(contour)), straight))
    paths = (*straight, *curves)
    corners = (Path(np.array([h]), np.array([k])) for h in (0.0, 1.0) for k in (0.0, 1.0))
    alone = (c for c in corners if _vanishes(field, c) and not any(_meets(path, c) for path in paths))
    return Locus(False, (*paths, *alone))


def inner_points(path: Path) -> tuple[Floats, Floats]:
    """Return points of a path; of a straight one the open segment, as a metric may have no limit at its ends."""
    if path.fpr.size != 2:
        return path.fpr, path.tpr
    share = np.arange(1, 32) / 32
    return path.fpr[0] + share * np.diff(path.fpr), path.tpr[0] + share * np.diff(path.tpr)


def _vanishes(field: Field, path: Path) -> bool:
    return bool(np.all(np.abs(field(*inner_points(path))) <= _ZERO))


def _off_lines(path: Path, lines: tuple[Path, ...]) -> list[Path]:
    """Return the parts of a path off the given lines, along which a contour runs on when the field is zero there."""
    parts = [np.column_stack([path.fpr, path.tpr])]
    for line in lines:
        normal = np.array([line.tpr[1] - line.tpr[0], line.fpr[0] - line.fpr[1]])
        offset = float(normal @ [line.fpr[0], line.tpr[0]])
        parts = [piece for part in parts for piece in _off_line(part, normal, offset)]
    return [Path(part[:, 0], part[:, 1]) for part in parts]


def _off_line(points: Floats, normal: Floats, offset: float) -> list[Floats]:
    height = points @ normal - offset
    edges = np.flatnonzero(np.diff(np.concatenate([[True], np.abs(height) <= _ZERO, [True]])))
    parts = []
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        # Each part keeps the point where it joins the line, which its last two points off the line show best.
        part = points[max(start - 1, 0) : stop + 1].copy()
        for end, near, far in ((0, 1, 2), (-1, -2, -3)):
            on = abs(float(part[end] @ normal) - offset) <= _ZERO
            if on and len(part) > 3:
                a, b = (float(part[i] @ normal) - offset for i in (near, far))
                joint = (
                    np.clip(part[near] + (part[near] - part[far]) * (a / (b - a)), 0.0, 1.0) if b != a else part[end]
                )
                if np.abs(joint - part[end]).max() <= 2 / _CELLS:
                    part[end] = joint
        if len(part) > 1:
            parts.append(part)
    return parts


def _meets(path: Path, corner: Path) -> bool:
    return bool(np.any((path.fpr == corner.fpr) & (path.tpr == corner.tpr)))


def _exact(field: Field, line: Floats) -> Path:
    """Move each point of a lattice contour along its lattice edge onto the curve."""
    cells = line * _CELLS
    # One coordinate is a node, the other lies between two; where both are nodes the edge has no length.
    start, end = np.floor(cells + 1e-9) / _CELLS, np.ceil(cells - 1e-9) / _CELLS

    def along(position: Floats) -> Floats:
        points = start + (end - start) * position[:, None]
        return field(points[:, 0], points[:, 1])

    position = root_between(along, along(np.zeros(len(line))), along(np.ones(len(line))))
    points = start + (end - start) * position[:, None]
    points = points[np.concatenate([[True], np.any(points[1:] != points[:-1], axis=1)])]
    return Path(points[:, 0], points[:, 1])

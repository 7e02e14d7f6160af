"""Derivatives of a function on ROC space, and the lines and curves where it has a value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from isocost.curves.roc import halved
from isocost.data.checks import Floats
from isocost.errors import InputError, MissingDependencyError
from isocost.numbers import ROUNDING
from isocost.results import Columns, Result

# Angles and values of functions that are differentiated are the same up to this.
SAME = math.sqrt(ROUNDING)
_STEP = 2e-3
# Weights of seven equally spaced values, from the first place on, for sixty times the derivative at 0.
_STENCILS = {
    -3: (-1, 9, -45, 0, 45, -9, 1),
    0: (-147, 360, -450, 400, -225, 72, -10),
    -6: (10, -72, 225, -400, 450, -360, 147),
}


def evaluate(function: Callable[..., Any], name: str, *arguments: Floats) -> Floats:
    """Call a user's function on arrays."""
    with np.errstate(divide="ignore", invalid="ignore"):
        result = np.asarray(function(*arguments))
    shape = np.broadcast_shapes(*(a.shape for a in arguments))
    with suppress(ValueError):
        if result.dtype.kind in "biuf":
            return np.broadcast_to(result, shape)
    got = f"{result.dtype} of shape {result.shape} for shape {shape}"
    raise InputError(f"metric {name!r} must return one number for each point, got {got}")


def gradient(function: Callable[..., Any], name: str, *point: Floats) -> tuple[Floats, Floats]:
    """Return the derivatives by fpr and by tpr at points (fpr, tpr, skew_ratio), by seven-point differences."""
    fpr, tpr, skew_ratio = np.broadcast_arrays(*point)
    by_fpr = _derivative(lambda x: evaluate(function, name, x, tpr, skew_ratio), fpr)
    return by_fpr, _derivative(lambda x: evaluate(function, name, fpr, x, skew_ratio), tpr)


def _derivative(along: Callable[[Floats], Floats], x: Floats) -> Floats:
    """Take differences that never leave [0, 1]: centred inside, one-sided at the border."""
    margin = np.minimum(x, 1 - x)
    inside = margin > SAME
    step = np.where(inside, np.minimum(_STEP, margin / 40), _STEP)
    first = np.where(inside, -3, np.where(x < 0.5, 0, -6))
    total: Floats = np.zeros_like(x)
    size: Floats = np.zeros_like(x)
    for index in range(7):
        weight = np.select([first == f for f in _STENCILS], [w[index] for w in _STENCILS.values()])
        value = along(np.clip(x + (first + index) * step, 0.0, 1.0))
        total, size = total + weight * value, size + np.abs(weight * value)
    # What rounding alone can make of the values is no change.
    return np.asarray(np.where(np.abs(total) <= 8 * np.finfo(np.float64).eps * size, 0.0, total / (60 * step)))


def turn(first: Floats, second: Floats) -> Floats:
    """Return the smallest angle between lines of two slopes, in [0, π/2]."""
    gap = np.abs(np.arctan(first) - np.arctan(second))
    return np.asarray(np.minimum(gap, math.pi - gap))


# (a, b, c) stands for the line a·fpr + b·tpr = c.
Line = tuple[float, float, float]
Field = Callable[[Floats, Floats], Floats]

# Fine enough to tell neighbouring branches apart; the points themselves do not depend on it.
_CELLS = 192
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
        Whether it holds everywhere.
    paths : tuple of Path
        Otherwise the lines and single points where it holds.
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
    slack = ROUNDING * (size + abs(c))
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
    if max(high[0] - low[0], abs(high[1] - low[1])) <= ROUNDING:
        high = low
    points = np.array([low] if high == low else [low, high])
    return Path(points[:, 0], points[:, 1])


def clip_all(lines: Iterable[Line]) -> tuple[Path, ...]:
    """Return the parts of straight lines that lie in the unit square."""
    return tuple(path for path in map(clip, lines) if path is not None)


def root_between(field: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return where `field`, with values `low` at 0 and `high` at 1 of opposite signs, vanishes; all brackets at once."""
    found = halved(np.zeros_like(low), np.ones_like(low), lambda middle: np.sign(field(middle)) == np.sign(low))
    return np.where(low == 0, 0.0, np.where(high == 0, 1.0, found))


def trace(field: Field, *, caller: str) -> Locus:
    """Return where in the unit square `field` is zero; of zeros without a change of sign, sides, diagonals and corners."""
    try:
        from contourpy import contour_generator
    except ImportError as error:
        raise MissingDependencyError(caller, "contourpy", "plots") from error

    nodes = np.linspace(0.0, 1.0, _CELLS + 1)
    heights = np.ma.masked_invalid(field(*np.meshgrid(nodes, nodes)))
    known = heights.compressed()
    if known.size and np.abs(known).max() <= ROUNDING:
        return Locus(True, ())
    paths = [path for path in clip_all(_SPECIAL) if _vanishes(field, path)]
    if known.size and known.min() < 0 < known.max():
        found = contour_generator(nodes, nodes, heights, name="serial", line_type="Separate").lines(0.0)
        paths += [_exact(field, np.asarray(contour)) for contour in found]
    for h, k in product((0.0, 1.0), repeat=2):
        corner = Path(np.array([h]), np.array([k]))
        if _vanishes(field, corner) and not any(np.any((path.fpr == h) & (path.tpr == k)) for path in paths):
            paths.append(corner)
    return Locus(False, tuple(paths))


def _vanishes(field: Field, path: Path) -> bool:
    """Tell whether a field is zero on a path; of a straight one the open segment, as a metric may have no limit at its ends."""
    share = np.arange(1, 32) / 32
    points = (ends[0] + share * np.diff(ends) if ends.size == 2 else ends for ends in (path.fpr, path.tpr))
    return bool(np.all(np.abs(field(*points)) <= ROUNDING))


def _exact(field: Field, line: Floats) -> Path:
    """Move each point of a lattice contour along its lattice edge onto the curve."""
    cells = line * _CELLS
    # One coordinate is a node, the other lies between two; where both are nodes the edge has no length.
    slack = _CELLS * ROUNDING
    start, end = np.floor(cells + slack) / _CELLS, np.ceil(cells - slack) / _CELLS

    def along(position: Floats) -> Floats:
        points = start + (end - start) * position[:, None]
        return field(points[:, 0], points[:, 1])

    position = root_between(along, along(np.zeros(len(line))), along(np.ones(len(line))))
    points = start + (end - start) * position[:, None]
    points = points[np.concatenate([[True], np.any(points[1:] != points[:-1], axis=1)])]
    return Path(points[:, 0], points[:, 1])


Landscape = Literal["parallel", "rotating", "nonlinear"]

# Points that fill the square evenly, skews on both sides of 1.
_GOLDEN = np.arange(1, 65)[:, None] * np.array([0.7548776662466927, 0.5698402909980532]) % 1.0
SAMPLE_FPR: Floats = 0.01 + 0.98 * _GOLDEN[:, 0]
SAMPLE_TPR: Floats = 0.01 + 0.98 * _GOLDEN[:, 1]
SAMPLE_SKEWS: tuple[float, ...] = (0.02, 0.2, 0.5, 1.0, 3.0, 10.0, 70.0)

"""Derivatives of a function on ROC space, the lines and curves where it has a value, and the landscape that they show."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost.data.checks import Floats
from isocost.errors import InputError, MissingDependencyError
from isocost.numbers import ROUNDING
from isocost.results import Columns, Result

if TYPE_CHECKING:
    from isocost.metrics.metric import PointMetric


# Angles and values of functions that are differentiated are the same up to this.
SAME = math.sqrt(ROUNDING)
_STEP = 1e-3
# Weights of five equally spaced values, from the first place on, for twelve times the derivative at 0.
_STENCILS = {-2: (1, -8, 0, 8, -1), 0: (-25, 48, -36, 16, -3), -4: (3, -16, 36, -48, 25)}


def evaluate(function: Callable[..., Any], name: str, *arguments: NDArray[Any]) -> NDArray[Any]:
    """Call a user's function on arrays, element by element if it only takes numbers."""
    shape = np.broadcast_shapes(*(a.shape for a in arguments))
    with np.errstate(divide="ignore", invalid="ignore"):
        try:
            result = np.asarray(function(*arguments))
        except (TypeError, ValueError):
            # Written for single numbers (math.sqrt, if fpr > tpr): a second failure is the function's own.
            grid = [np.broadcast_to(a, shape).ravel().tolist() for a in arguments]
            result = np.array([function(*point) for point in zip(*grid, strict=True)]).reshape(shape)
    if result.dtype.kind not in "biufc":
        raise InputError(f"metric {name!r} must return numbers, got {result.dtype} (first value {result.flat[0]!r})")
    try:
        return np.broadcast_to(result, shape)
    except ValueError:
        raise InputError(
            f"metric {name!r} must return one value for each point: got shape {result.shape} for shape {shape}"
        ) from None


def gradient(function: Callable[..., Any], name: str, *point: Floats) -> tuple[Floats, Floats]:
    """Return the derivatives by fpr and by tpr at points (fpr, tpr, skew_ratio)."""
    fpr, tpr, skew_ratio = np.broadcast_arrays(*point)
    by_fpr = _derivative(lambda x: evaluate(function, name, x, tpr, skew_ratio), fpr)
    return by_fpr, _derivative(lambda x: evaluate(function, name, fpr, x, skew_ratio), tpr)


def _derivative(along: Callable[[NDArray[Any]], NDArray[Any]], x: Floats) -> Floats:
    """Return the derivative by complex step, or by differences where the function is not made for that."""
    coarse, fine = _by_differences(along, x, _STEP), _by_differences(along, x, _STEP / 2)
    tiny = np.finfo(np.float64).eps ** 2
    try:
        with warnings.catch_warnings():
            # Discarding an imaginary part is how a function says that it is not made for this.
            warnings.simplefilter("error")
            value = along(x + 1j * tiny)
    except (TypeError, ValueError, Warning):
        return fine
    if value.dtype.kind != "c":
        return fine
    exact = np.asarray(value.imag / tiny, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        # A complex step is exact for analytic functions; anything worse than this was not one (abs, rounding). Next to a
        # pole differences are rough, and say so by depending on their step.
        allowed = 10 * SAME * np.maximum(1.0, np.abs(fine)) + 10 * np.abs(fine - coarse)
        return np.where(np.abs(exact - fine) > allowed, fine, exact)


def _by_differences(along: Callable[[NDArray[Any]], NDArray[Any]], x: Floats, longest: float) -> Floats:
    """Five-point differences that never leave [0, 1]: centred inside, one-sided at the border."""
    margin = np.minimum(x, 1 - x)
    inside = margin > SAME
    step = np.where(inside, np.minimum(longest, longest / _STEP * margin / 4), longest)
    first = np.where(inside, -2, np.where(x < 0.5, 0, -4))
    total: Floats = np.zeros_like(x)
    for index in range(5):
        weight = np.select([first == f for f in _STENCILS], [w[index] for w in _STENCILS.values()])
        value = along(np.clip(x + (first + index) * step, 0.0, 1.0))
        total = total + weight * np.asarray(value.real, dtype=np.float64)
    return np.asarray(total / (12 * step))


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
        from contourpy import contour_generator
    except ImportError as error:
        raise MissingDependencyError(caller, "contourpy", "plots") from error

    nodes = np.linspace(0.0, 1.0, _CELLS + 1)
    heights = np.ma.masked_invalid(field(*np.meshgrid(nodes, nodes)))
    known = heights.compressed()
    if known.size and np.abs(known).max() <= ROUNDING:
        return Locus(True, ())
    paths = [path for path in clip_all(_SPECIAL) if _vanishes(field, path)]
    normals = np.array([(p.tpr[1] - p.tpr[0], p.fpr[0] - p.fpr[1]) for p in paths if p.fpr.size > 1]).reshape(-1, 2)
    offsets = np.array([normal @ (p.fpr[0], p.tpr[0]) for normal, p in zip(normals, paths, strict=False)])
    if known.size and known.min() < 0 < known.max():
        for contour in contour_generator(nodes, nodes, heights, name="serial", line_type="Separate").lines(0.0):
            path = _exact(field, np.asarray(contour))
            paths += _off_lines(np.column_stack([path.fpr, path.tpr]), normals, offsets)
    for h, k in product((0.0, 1.0), repeat=2):
        corner = Path(np.array([h]), np.array([k]))
        if _vanishes(field, corner) and not any(np.any((path.fpr == h) & (path.tpr == k)) for path in paths):
            paths.append(corner)
    return Locus(False, tuple(paths))


def _off_lines(points: Floats, normals: Floats, offsets: Floats) -> list[Path]:
    """Return the parts of a path off the given lines, along which a contour runs on when the field is zero there."""
    away = points @ normals.T - offsets
    on = (np.abs(away) <= ROUNDING).any(axis=1)
    ends, parts = np.flatnonzero(np.diff(np.concatenate([[True], on, [True]]))), []
    for start, stop in zip(ends[::2], ends[1::2], strict=True):
        part = points[max(start - 1, 0) : stop + 1].copy()
        # Each part ends where it joins the line, which its last two points off the line show best.
        for end, joins, near, far in ((0, start - 1, start, start + 1), (-1, stop, stop - 1, stop - 2)):
            if 0 <= joins < len(points) and stop - start > 1:
                line = int(np.argmin(np.abs(away[joins])))
                rise = away[far, line] - away[near, line]
                joint = points[near] + (points[near] - points[far]) * (away[near, line] / (rise or math.inf))
                if np.abs(joint - part[end]).max() <= 2 / _CELLS:
                    part[end] = np.clip(joint, 0.0, 1.0)
        if len(part) > 1:
            parts.append(Path(part[:, 0], part[:, 1]))
    return parts


def inner_points(path: Path) -> tuple[Floats, Floats]:
    """Return points of a path; of a straight one the open segment, as a metric may have no limit at its ends."""
    if path.fpr.size != 2:
        return path.fpr, path.tpr
    share = np.arange(1, 32) / 32
    return path.fpr[0] + share * np.diff(path.fpr), path.tpr[0] + share * np.diff(path.tpr)


def _vanishes(field: Field, path: Path) -> bool:
    return bool(np.all(np.abs(field(*inner_points(path))) <= ROUNDING))


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


def landscape(metric: PointMetric, skew_ratio: float = 1.0) -> tuple[Landscape, tuple[float, float] | None]:
    """Return the landscape of a function, and the rotation point of its lines, from slopes at evenly spread points."""
    h, k = SAMPLE_FPR, SAMPLE_TPR
    slope = metric.effective_skew(h, k, skew_ratio)
    known = np.isfinite(slope) | np.isinf(slope)
    h, k, slope = h[known], k[known], slope[known]
    if not h.size:
        raise InputError(f"metric {metric.name!r} is constant at skew ratio {skew_ratio:g}: it has no isometrics")
    angle = np.arctan(slope)
    for reach in (-0.4, -0.1, 0.1, 0.4):
        there_h, there_k = h + reach * np.cos(angle), k + reach * np.sin(angle)
        inside = (there_h >= 0) & (there_h <= 1) & (there_k >= 0) & (there_k <= 1)
        there = metric.effective_skew(there_h[inside], there_k[inside], skew_ratio)
        if np.any(turn(there, slope[inside]) > SAME):
            return "nonlinear", None
    if np.all(turn(slope, slope[:1]) <= SAME):
        return "parallel", None
    # Lines sin·h - cos·k = const; the point that best lies on all of them.
    rows = np.column_stack([np.sin(angle), -np.cos(angle)])
    offsets = rows[:, 0] * h + rows[:, 1] * k
    centre = np.linalg.lstsq(rows, offsets)[0]
    common = bool(np.all(np.abs(rows @ centre - offsets) <= SAME))
    return "rotating", (float(centre[0]), float(centre[1])) if common else None


def indifference(metric: PointMetric) -> Locus:
    """Return where the values at all sampled skew ratios coincide."""

    def differences(h: Floats, k: Floats) -> list[Floats]:
        base = metric.value_at(h, k, 1.0, 1.0)
        return [metric.value_at(h, k, 1.0, c) - base for c in SAMPLE_SKEWS if c != 1]

    def mixed(h: Floats, k: Floats) -> Floats:
        # Weights without a pattern: differences that do not vanish together do not cancel either, except by chance.
        return np.asarray(sum(math.cos(i + 1) * gap for i, gap in enumerate(differences(h, k))))

    def everywhere(h: Floats, k: Floats) -> bool:
        return all(bool(np.all(np.abs(difference) <= SAME)) for difference in differences(h, k))

    found = trace(mixed, caller=f"skew_indifference of {metric.name}")
    if found.whole_square:
        return Locus(everywhere(SAMPLE_FPR, SAMPLE_TPR), ())
    # A crossing of some skews counts only if every other skew passes through it.
    return Locus(False, tuple(path for path in found.paths if everywhere(*inner_points(path))))

"""Isometrics: lines of ROC space along which a metric keeps its value, and surfaces with the prevalence as third axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented_by
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.metrics.loci import Landscape, Path, clip, joined, root_between, trace
from isocost.metrics.metric import AnyMetric, PointMetric, get_metric, one_skew_ratio
from isocost.results import Columns, Drawn


@dataclass(frozen=True, eq=False)
class Isometric(Path):
    """One connected line along which a metric keeps one value.

    Attributes
    ----------
    value : float
    """

    value: float

    def __repr__(self) -> str:
        points = self.fpr.size
        ends = " to ".join(f"({self.fpr[i]:.3g}, {self.tpr[i]:.3g})" for i in ([0, -1] if points > 1 else [0]))
        return f"<Isometric {self.value:g}: {ends}{f', {points} points' if points > 2 else ''}>"


@dataclass(frozen=True, eq=False)
class Isometrics(Drawn):
    """The isometrics of a metric at one skew ratio; iterate over it for the lines.

    Attributes
    ----------
    metric : PointMetric
        The metric.
    skew_ratio : float
        The skew ratio c.
    landscape : "parallel", "rotating", "nonlinear" or None
        How the lines look; not known for functions.
    rotation_point : tuple of float or None
        The (fpr, tpr) all straight lines pass through, often outside the unit square.
    lines : tuple of Isometric
        The lines, in the order of the values asked for; a value may have several.
    absent : tuple of float
        Values the metric does not reach at this skew.
    """

    _display = "IsometricsDisplay"

    metric: PointMetric
    skew_ratio: float
    landscape: Landscape | None
    rotation_point: tuple[float, float] | None
    lines: tuple[Isometric, ...]
    absent: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Isometric]:
        return iter(self.lines)

    def __getitem__(self, index: int) -> Isometric:
        return self.lines[index]

    def __repr__(self) -> str:
        kind = "" if self.landscape is None else f", {self.landscape}"
        return f"<Isometrics of {self.metric.name} at c = {self.skew_ratio:g}: {len(self.lines)} lines{kind}>"

    def _columns(self) -> Columns:
        sizes = [line.fpr.size for line in self.lines]
        return {"value": np.repeat([line.value for line in self.lines], sizes), **joined(self.lines)}


@documented_by(
    r"\{(fpr, tpr) : m(fpr, tpr, c) = v\}",
    see="isocost.metrics.isosurface isocost.metrics.effective_skew", cites="Flach 2003",
)  # fmt: skip
def isometrics(metric: AnyMetric, values: ArrayLike, *, skew_ratio: float = 1.0) -> Isometrics:
    """Lines in ROC space along which a metric takes the given values, clipped to the unit square.

    Parameters
    ----------
    values : float or array
        The values to draw lines for, within the metric's range.

    Returns
    -------
    Isometrics
        The lines as data, with the type of the landscape and the rotation point.

    Notes
    -----
    Metrics with straight isometrics give exact segments. Others are traced (this needs contourpy, the extra `plots`),
    every point being moved onto the isometric by bisection; closed lines smaller than about 1/200 of the square may be missed.
    Lines include their ends: precision has no limit in the origin, yet its lines start there.

    Examples
    --------
    >>> lines = ic.metrics.isometrics("f_measure", [0.5, 0.8], skew_ratio=5)
    >>> lines
    <Isometrics of f_measure at c = 5: 2 lines, rotating>
    >>> lines.rotation_point
    (-0.2, 0.0)
    >>> [round(line.slope, 4) for line in lines]
    [1.6667, 3.3333]
    """
    chosen = get_metric(metric)
    c = one_skew_ratio(skew_ratio)
    levels, (low, high) = checks.numbers(values, "values"), chosen.range
    rule = f"lie in the range of {chosen.name}, {low:g} to {high:g}"
    checks.every((levels >= low) & (levels <= high), levels, "values", rule)
    found = [(value, _paths(chosen, value, c)) for value in levels.tolist()]
    lines = tuple(Isometric(path.fpr, path.tpr, value) for value, paths in found for path in paths)
    absent = tuple(value for value, paths in found if not paths)
    return Isometrics(chosen, c, chosen.landscape, chosen.rotation_point(c), lines, absent)


def _paths(chosen: PointMetric, value: float, c: float) -> list[Path]:
    line = chosen.straight_isometric(value, c)
    if line is not None:
        path = clip(line)
        return [] if path is None else [path]
    locus = trace(lambda h, k: chosen.value_at(h, k, 1.0, c) - value, caller=f"isometrics of {chosen.name}")
    if chosen.landscape == "parallel":  # straight ones are known by their ends
        return [Path(path.fpr[[0, -1]], path.tpr[[0, -1]]) for path in locus.paths]
    return list(locus.paths)


# The six tetrahedra of a unit cube along its main diagonal: neighbouring cubes then share the edges of their faces.
_TETRAHEDRA = np.array([
    np.cumsum([np.zeros(3, dtype=int), *(np.eye(3, dtype=int)[axis] for axis in order)], axis=0)
    for order in permutations(range(3))
])  # fmt: skip
# The edges that the triangles of a tetrahedron cut, by how many of its corners lie above the level: these come first.
_CUTS = {
    1: [[(0, 1), (0, 2), (0, 3)]],
    2: [[(0, 2), (0, 3), (1, 2)], [(1, 2), (0, 3), (1, 3)]],
    3: [[(0, 3), (1, 3), (2, 3)]],
}


@dataclass(frozen=True, eq=False)
class IsoSurface(Drawn):
    """A triangle mesh of the points of 3D ROC space where a metric has one value.

    Attributes
    ----------
    metric : PointMetric
        The metric.
    value : float
        Its value on the surface.
    fpr, tpr, prevalence : numpy.ndarray
        The coordinates of the vertices, which lie on the surface.
    triangles : numpy.ndarray of shape (m, 3)
        Indices of the vertices of each triangle; none if the metric never has this value.
    """

    _display = "IsoSurfaceDisplay"

    metric: PointMetric
    value: float
    fpr: Floats
    tpr: Floats
    prevalence: Floats
    triangles: NDArray[np.intp]

    def _columns(self) -> Columns:
        return {"fpr": self.fpr, "tpr": self.tpr, "prevalence": self.prevalence}

    def __repr__(self) -> str:
        return f"<IsoSurface of {self.metric.name} = {self.value:g}: {len(self.triangles)} triangles>"


@documented_by(
    r"\{(fpr, tpr, \pi) : m(fpr, tpr, (1 - \pi)/\pi) = v\}",
    see="isocost.metrics.isometrics", cites="Flach 2003, Figure 1",
)  # fmt: skip
def isosurface(
    metric: AnyMetric, value: float, *, prevalence: tuple[float, float] = (0.0, 1.0), cells: int = 24
) -> IsoSurface:
    """Surface over (fpr, tpr, prevalence) on which a metric has one value, as a triangle mesh.

    Parameters
    ----------
    value : float
        The metric's value, within its range.
    prevalence : (float, float)
        The part of the third axis to cover.
    cells : int, default 24
        Cells along each axis. More cells make smaller triangles, not more exact vertices.

    Returns
    -------
    IsoSurface
        The mesh. Vertices lie on the surface up to rounding, or on its rim where the metric jumps, as precision does where no case
        is flagged.

    Notes
    -----
    Marching tetrahedra, each vertex found by bisection on its edge. For accuracy m the surface is
    prevalence = (m + fpr - 1)/(tpr + fpr - 1), and the vertical line fpr = 1 - m, tpr = m.

    Examples
    --------
    >>> surface = ic.metrics.isosurface("accuracy", 0.8)
    >>> accuracy = surface.prevalence * surface.tpr + (1 - surface.prevalence) * (1 - surface.fpr)
    >>> bool(abs(accuracy - 0.8).max() < 1e-12)
    True
    """
    chosen = get_metric(metric)
    level = checks.number(value, "value", low=chosen.range[0], high=chosen.range[1])
    low, high = checks.interval(prevalence, "prevalence", wide=True)
    cells = checks.whole(cells, "cells", low=1, high=512)

    def field(points: Floats) -> Floats:
        share = points[..., 2]
        return chosen.value_at(points[..., 0], points[..., 1], share, 1 - share) - level

    axes = (np.linspace(0, 1, cells + 1), np.linspace(0, 1, cells + 1), np.linspace(low, high, cells + 1))
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    vertices, triangles = _march(field, nodes, cells)
    return IsoSurface(chosen, level, vertices[:, 0], vertices[:, 1], vertices[:, 2], triangles)


def _march(field: Callable[[Floats], Floats], nodes: Floats, cells: int) -> tuple[Floats, NDArray[np.intp]]:
    """Return vertices and triangles of the zero surface of a field on a lattice of (cells + 1)³ nodes."""
    heights = field(nodes)
    side = cells + 1
    corner = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 1, 3)
    index = ((corner + _TETRAHEDRA) @ np.array([side * side, side, 1])).reshape(-1, 4)
    index = index[np.isfinite(heights[index]).all(axis=1)]
    inside = heights[index] >= 0
    count = inside.sum(axis=1)
    pieces = []
    for above, pairs in _CUTS.items():
        own = count == above
        # Corners above the level first, the others after them.
        order = np.argsort(~inside[own], axis=1, kind="stable")
        pieces.append(np.take_along_axis(index[own], order, axis=1)[:, np.array(pairs)].reshape(-1, 3, 2))
    ends = np.concatenate(pieces)
    if not len(ends):
        return np.empty((0, 3)), np.empty((0, 3), dtype=np.intp)
    edges, where = np.unique(np.sort(ends.reshape(-1, 2), axis=1), axis=0, return_inverse=True)
    start, end = nodes[edges[:, 0]], nodes[edges[:, 1]]
    share = root_between(
        lambda position: field(start + (end - start) * position[:, None]), heights[edges[:, 0]], heights[edges[:, 1]]
    )
    points = start + (end - start) * share[:, None]
    # Edges that meet the surface in a common node give one vertex.
    vertices, merged = np.unique(points, axis=0, return_inverse=True)
    triangles = merged.ravel()[where.ravel()].reshape(-1, 3)
    flat = np.any(triangles == np.roll(triangles, 1, axis=1), axis=1)
    return vertices, triangles[~flat]

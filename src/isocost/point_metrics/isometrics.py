"""Isometrics: the lines in ROC space along which a metric keeps its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from isocost import validate
from isocost.errors import InputError
from isocost.point_metrics.metric import PointMetric
from isocost.point_metrics.paths import Path, clip, joined, trace
from isocost.point_metrics.recognition import Landscape
from isocost.point_metrics.registry import AnyMetric, get_metric
from isocost.results.doors import Drawn
from isocost.results.frames import Columns
from isocost.validate import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False)
class Isometric(Path):
    """One connected line along which a metric keeps one value.

    Attributes
    ----------
    fpr, tpr : numpy.ndarray
        Its points in order; two if it is straight, one if the value is reached in a corner only.
    value : float
        The metric's value along the line.
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
    landscape : "parallel", "rotating" or "nonlinear"
        How the lines look.
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
    landscape: Landscape
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
        return (
            f"<Isometrics of {self.metric.name} at c = {self.skew_ratio:g}: {len(self.lines)} lines, {self.landscape}>"
        )

    def _columns(self) -> Columns:
        sizes = [line.fpr.size for line in self.lines]
        return {"value": np.repeat([line.value for line in self.lines], sizes), **joined(self.lines)}


def isometrics(metric: AnyMetric, values: ArrayLike, *, skew_ratio: float = 1.0) -> Isometrics:
    """Lines in ROC space along which a metric takes the given values, clipped to the unit square.

    Parameters
    ----------
    metric : PointMetric, str or callable
        A metric of `isocost.point_metrics`, its name, or a function of (fpr, tpr, skew_ratio).
    values : float or array
        The values to draw lines for, within the metric's range.
    skew_ratio : float, default 1
        Skew ratio c = t/(1-t), positive.

    Returns
    -------
    Isometrics
        The lines as data, with the type of the landscape and the rotation point.

    Notes
    -----
    Metrics with straight isometrics give exact segments. Others are traced (this needs contourpy, the extra `plots`),
    every point being moved onto the isometric by bisection; of a function with a very rough landscape, closed lines
    smaller than about 1/200 of the square may be missed. Lines include their ends: precision has no limit in the
    origin, yet its lines start there.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> lines = ic.isometrics("f_measure", [0.5, 0.8], skew_ratio=5)
    >>> lines
    <Isometrics of f_measure at c = 5: 2 lines, rotating>
    >>> lines.rotation_point
    (-0.2, 0.0)
    >>> [round(line.slope, 4) for line in lines]
    [1.6667, 3.3333]
    """
    chosen = get_metric(metric)
    c = float(validate.skew_ratios(validate.number(skew_ratio, "skew_ratio")))
    lines: list[Isometric] = []
    absent: list[float] = []
    landscape = chosen.landscape
    for value in _levels(chosen, values):
        found = [Isometric(path.fpr, path.tpr, value) for path in _paths(chosen, value, c, landscape)]
        lines.extend(found)
        if not found:
            absent.append(value)
    return Isometrics(chosen, c, landscape, chosen.rotation_point(c), tuple(lines), tuple(absent))


def _levels(metric: PointMetric, values: ArrayLike) -> list[float]:
    levels: Floats = validate.numbers(values, "values")
    low, high = metric.range
    outside = (levels < low) | (levels > high)
    if outside.any():
        raise InputError(
            f"values must lie in the range of {metric.name}, {low:g} to {high:g}: got {levels[outside][0]:g} "
            f"({int(outside.sum())} of {levels.size} values)"
        )
    return [float(v) for v in levels]


def _paths(metric: PointMetric, value: float, c: float, landscape: Landscape) -> list[Path]:
    line = metric.straight_isometric(value, c)
    if line is not None:
        path = clip(line)
        return [] if path is None else [path]
    one, weight = np.asarray(1.0), np.asarray(c)
    locus = trace(lambda h, k: metric.value_at(h, k, one, weight) - value, caller=f"isometrics of {metric.name}")
    if landscape == "nonlinear":
        return list(locus.paths)
    # Straight ones are known by their ends.
    return [Path(path.fpr[[0, -1]], path.tpr[[0, -1]]) if path.fpr.size > 1 else path for path in locus.paths]

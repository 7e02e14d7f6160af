"""What displays of lines share; the axes of cost space, with a second one in cost ratios, and the trivial classifiers' triangle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, fields
from typing import Any, ClassVar, Literal

import numpy as np
from matplotlib.axes import Axes

from isocost.curves import CostCurve
from isocost.curves.cost import Axis, trivial_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.plots.display import (
    AXIS_LABELS,
    MUTED,
    Display,
    label_axes,
    looks_of,
    names_of,
    settle,
    several,
    text_size,
    width_of,
)
from isocost.plots.labels import Points, Sheet, gap, pixels
from isocost.results import Result

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


def finish_x(axes: Axes, axis: Axis, prevalence: float | None) -> None:
    """Set limits, label and the second axis of a cost space."""
    axes.set_xlim(0, 1)
    axes.set_xlabel(AXIS_LABELS[axis], fontsize=text_size(axes))
    axes.tick_params(labelsize=text_size(axes, 0.92))
    if prevalence is not None:
        ratio_axis(axes, axis, prevalence)


def ratio_axis(axes: Axes, axis: Axis | Literal["t"], prevalence: float) -> None:
    """Write, on top, how many false alarms a miss costs at each x."""
    size, pi = text_size(axes), checks.inner_rate(prevalence, "prevalence")
    # At a cost ratio r: pcf = r·π/(r·π + 1 - π), t = 1 - pcf, and the cost proportion is r/(1 + r) whatever the prevalence.
    weight = 1.0 if axis == "cost_proportion" else pi / (1 - pi)
    ratios = np.array([m * 10.0**k for k in range(-4, 5) for m in (1, 2, 5)])
    x = ratios * weight / (ratios * weight + 1)
    if axis == "t":
        x = 1 - x
    low, high = axes.get_xlim()
    left, right, *at = axes.transData.transform([(v, 0.5) for v in (low, high, *x)])[:, 0].tolist()
    # Round ratios win over 2s and 5s where there is no space for all.
    spacing = (right - left) * 3.4 * size / (72 * width_of(axes))
    order = sorted(range(x.size), key=lambda i: (not math.log10(ratios[i]).is_integer(), abs(math.log10(ratios[i]))))
    ticks: list[int] = []
    for i in order:
        inside = low < x[i] < high and left + 0.4 * spacing < at[i] < right - 0.4 * spacing
        if inside and all(abs(at[i] - at[other]) > spacing for other in ticks):
            ticks.append(i)
    top = axes.secondary_xaxis("top", functions=(lambda v: v, lambda v: v))
    top.spines["top"].set_visible(True)
    shown = [(float(x[i]), float(ratios[i])) for i in sorted(ticks)]
    top.set_xticks([at for at, _ in shown], [f"{r:g}:1" if r >= 1 else f"1:{1 / r:g}" for _, r in shown])
    top.minorticks_off()
    top.tick_params(labelsize=text_size(axes, 0.92))
    where = "" if axis == "cost_proportion" else f" at {100 * pi:.3g} % positive"
    top.set_xlabel(f"cost ratio, miss : false alarm{where}", fontsize=size)


def same_axis(curves: list[CostCurve]) -> tuple[Axis, float | None]:
    """Return the axis all curves are on, and its prevalence; refuse curves on different ones."""
    found = {(curve.axis, curve.prevalence) for curve in curves}
    if len(found) > 1:
        listed = " and ".join(sorted(f"{axis} (prevalence {pi})" for axis, pi in found))
        raise InputError(f"curves on different axes cannot share a figure: {listed}")
    return found.pop()


# Along a side from its foot to the peak, and outside of the triangle before inside: first come, first served.
_PLACES = [(share, side) for side in (1, -1) for share in (0.62, 0.5, 0.72, 0.38, 0.82, 0.28, 0.9, 0.2)]


class CostSheet(Sheet):
    """What a display has drawn in cost space, with the two classifiers that ignore the scores as one dotted line."""

    def __init__(self, axes: Axes, style: dict[str, Any], curve: CostCurve | None = None) -> None:
        super().__init__(axes, style)
        self.trivial = trivial_curve("pcf", None) if curve is None else trivial_curve(curve.axis, curve.prevalence)
        self.aside(*polyline(self.trivial), gid="trivial")

    def name(self, names: Sequence[str], *, share: float = 0.9) -> None:
        """Name the two sides of the triangle along them where that covers nothing else, then the models."""
        settle(self.axes)
        covered = [pixels(self.axes, *points) for points in [*self.ink[1:], *self.lines]]
        drawn = np.concatenate([np.empty((0, 2)), *covered])
        for text, end in (("flag nobody", 0.0), ("flag everybody", 1.0)):
            _name_side(self.axes, text, self.trivial, end, drawn)
        super().name(names, share=share)


class LinesDisplay(Display):
    """One line per model: a subclass says which, what ranks the models, and what else is drawn.

    Parameters
    ----------
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the best five.
    """

    _size = (5.0, 3.6)
    _kind: ClassVar[type] = Result
    _labels = ("", "")
    _clip = False

    _: KW_ONLY
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        [name] = [option.name for option in fields(self) if not option.kw_only]
        self.made: list[Any] = several(getattr(self, name), self._kind, name)
        setattr(self, name, self.made)
        self.names = self._names()
        self.looks = looks_of(self.names, [self._cost(one) for one in self.made], self.highlight)

    def _names(self) -> list[str]:
        return names_of(self.made)

    def _cost(self, one: Any) -> float:
        """Return what ranks the models: lower is better."""
        raise NotImplementedError

    def _line(self, one: Any) -> Points:
        """Return the line of a model."""
        raise NotImplementedError

    def _sheet(self, axes: Axes, style: dict[str, Any]) -> Sheet:
        """Name the axes and return a sheet to draw on."""
        label_axes(axes, x=self._labels[0], y=self._labels[1])
        return Sheet(axes, style)

    def _surround(self, sheet: Sheet) -> None:
        """Set the limits and draw what stands beside the models."""

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        sheet = self._sheet(axes, style)
        sheet.models([self._line(one) for one in self.made], self.looks, clip_on=self._clip)
        self._surround(sheet)
        sheet.name(self.names)


class SpaceDisplay(LinesDisplay):
    """A figure along the axis of conditions, of one model or several.

    Parameters
    ----------
    prevalence : float, optional
        Adds a second axis: the ratio of costs that each x stands for when this share is positive.
    """

    _size = (5.0, 4.0)
    _labels = ("", AXIS_LABELS["normalised_cost"])
    _trivial = True

    _: KW_ONLY
    prevalence: float | None = None

    def _sheet(self, axes: Axes, style: dict[str, Any]) -> Sheet:
        label_axes(axes, x="", y=self._labels[1])
        finish_x(axes, "pcf", self.prevalence)
        return CostSheet(axes, style) if self._trivial else Sheet(axes, style)


def _name_side(axes: Axes, text: str, curve: CostCurve, end: float, drawn: Floats) -> None:
    peak, height = float(curve.breaks[1]), curve.maximum
    slope = float(np.degrees(np.arctan2(height, peak) if end == 0 else np.arctan2(-height, 1 - peak)))
    label = axes.text(
        0, 0, text, color=MUTED, ha="center", va="center", fontsize=text_size(axes, 0.85), rotation_mode="anchor", zorder=2.5
    )  # fmt: skip
    box = label.get_window_extent()
    half = np.array([box.width, box.height]) / 2
    label.set(rotation=slope, transform_rotates_text=True)
    foot, top = axes.transData.transform([(end, 0.0), (peak, height)])
    along = (top - foot) / np.hypot(*(top - foot)) * (1 if end == 0 else -1)
    up = np.array([-along[1], along[0]])
    reach = np.abs(half[0] * along) + np.abs(half[1] * up)
    corner, far = axes.get_window_extent().get_points()
    for share, side in _PLACES:
        middle = foot + share * (top - foot) + side * (half[1] + 2) * up
        turned = (drawn - middle) @ np.column_stack([along, up])
        inside = (middle - reach >= corner).all() and (middle + reach <= far).all()
        if inside and gap(np.zeros((1, 2)), half, turned)[0] > 0.35 * half[1]:
            label.set_position(axes.transData.inverted().transform(middle).tolist())
            return
    label.remove()

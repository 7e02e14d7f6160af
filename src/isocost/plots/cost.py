"""Curves in cost space: what each model costs at every condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.cost_space import CostCurve
from isocost.cost_space.curve import trivial_curve
from isocost.cost_space.envelope import line
from isocost.errors import InputError
from isocost.plots import buckets
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.cost_axes import SCALES, Scale, finish_x, polyline, same_axis
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.labels import Points, Tag, name_lines, place
from isocost.plots.models import looks_of, names_of, several
from isocost.plots.style import FAINT, INK, MUTED
from isocost.plots.trivial import draw_trivial, name_trivial
from isocost.plots.winners import draw_strip
from isocost.roc_space import RocCurve

# More lines than this only make a grey wedge.
_MOST_LINES = 300


class CostDisplay(Display):
    """Cost space: the cost of one model or several over all conditions, each under its way of choosing thresholds.

    Parameters
    ----------
    curves : CostCurve or several of them
        From `cost_curve` with any method, or any other cost curve; all on the same axis.
    lines : RocCurve or several of them, optional
        Draw the line of every operating point faintly, at most 300 in all; together they bound the envelope.
    condition : Condition, optional
        Draw a vertical line there, with a dot on the cheapest curve.
    over : Conditions, optional
        Shade the range of uncertain conditions.
    bands : Band or several of them, optional
        Shade the band around the curve of the same name.
    best_case : CostCurve or several of them, optional
        For counts in buckets: the curves of the best case that the buckets allow; `curves` are then those of the worst case. The
        gap between them is shaded, and its width stated.
    winners : list of Win, optional
        Draw a strip along the bottom: who is cheapest where.
    trivial : bool
        Draw the trivial classifiers, which flag nobody or everybody.
    operating_range : bool
        Shade where a curve beats both trivial classifiers; for several curves, draw a bar at the bottom for each.
    prevalence : float, optional
        Adds a second axis: the ratio of costs that each x stands for when this share is positive.
    scale : {"linear", "log-odds"}
        "log-odds" stretches both ends, where positives are rare or errors costly.
    names : sequence of str, optional
        What to call the curves; by default their own names, those of the models.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the cheapest five (at the condition, or on average).

    References
    ----------
    Drummond & Holte (2006), Cost curves, Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> display = ic.plots.CostDisplay(ic.cost_curve(curve), lines=curve, prevalence=0.1).plot()
    >>> display.ax_.get_ylabel()
    'normalised cost'
    """

    _size = (5.0, 4.0)

    def __init__(
        self,
        curves: Any,
        *,
        lines: Any = None,
        condition: Condition | None = None,
        over: Conditions | None = None,
        bands: Any = None,
        best_case: Any = None,
        winners: Sequence[Any] | None = None,
        trivial: bool = True,
        operating_range: bool = False,
        prevalence: float | None = None,
        scale: Scale = "linear",
        names: Sequence[str] | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.curves: list[CostCurve] = several(curves, CostCurve, "curves")
        self.axis, self.fixed_prevalence = same_axis(self.curves)
        self.lines: list[RocCurve] = [] if lines is None else several(lines, RocCurve, "lines")
        self.best_case: list[CostCurve] = buckets.best_cases(best_case, self.curves, CostCurve)
        self.condition = condition
        self.over = over
        self.bands = [] if bands is None else [bands] if hasattr(bands, "low") else list(bands)
        self.winners = winners
        if self.axis != "pcf" and (self.bands or winners is not None):
            raise InputError(f"bands and winners are known on the pcf axis, got curves on {self.axis}")
        self.trivial = trivial
        self.operating_range = operating_range
        self.prevalence = prevalence
        self.scale = scale
        validate.choice(scale, "scale", SCALES)
        self.names = names_of(self.curves, names)
        self.looks = looks_of(self.names, self._costs(), highlight)

    def _costs(self) -> list[float]:
        x = None if self.condition is None else self._x(self.condition)
        return [curve.area() if x is None else float(curve(x)) for curve in self.curves]

    def _x(self, condition: Condition) -> float:
        """Return where a condition lies on the axis."""
        return self.curves[0]._x_at(condition)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = self._limits(axes)
        label_axes(axes, x="", y=self._y_label())
        inner = np.concatenate([curve.breaks for curve in self.curves])
        if self.condition is not None:
            inner = np.append(inner, self._x(self.condition))
        finish_x(axes, self.axis, scale=self.scale, inner=inner, prevalence=self.prevalence)
        ink: list[Points] = []
        self._draw_lines(axes)
        if self.trivial:
            ink.append(draw_trivial(axes, axis=self.axis, prevalence=self.fixed_prevalence, scale=self.scale))
        self._draw_ranges(axes, ink, top)
        for band, look in self._banded():
            if look.named:
                axes.fill_between(band.pcf, band.low, band.high, color=look.colour, alpha=0.16, linewidth=0, zorder=2)
        if self.best_case:
            widths = [(a - b).maximum for a, b in zip(self.curves, self.best_case, strict=True)]
            buckets.say(axes, "cost", max(widths))
        drawn = []
        for i, (curve, look) in enumerate(zip(self.curves, self.looks, strict=True)):
            points = polyline(curve, self.scale)
            if self.best_case:
                buckets.shade(axes, points, polyline(self.best_case[i], self.scale), look)
            # A cost of 0 lies on the frame, which would hide half of its line.
            axes.plot(*points, **look.line(**({"clip_on": self.scale != "linear"} | style)))
            drawn.append(points)
        tags = self._draw_condition(axes, ink, top)
        self._draw_winners(axes, ink, top)
        if self.trivial:
            pi = self.fixed_prevalence
            name_trivial(axes, [*ink[1:], *drawn], axis=self.axis, prevalence=pi, scale=self.scale)
        if any(self.names):
            name_lines(axes, self.names, drawn, self.looks, ink)
        place(axes, tags, [*ink, *drawn], share=0.9)

    def _draw_winners(self, axes: Axes, ink: list[Points], top: float) -> None:
        if self.winners is None:
            return
        draw_strip(axes, self.winners, dict(zip(self.names, self.looks, strict=True)), -0.085 * top, 0.06 * top)
        ink += [((0, 1), (height * top,) * 2) for height in (-0.03, -0.055, -0.08)]
        # As a tick, so that the label of the axis keeps clear of it.
        axes.set_yticks([-0.055 * top], ["cheapest"], minor=True, fontsize=text_size(axes, 0.8), color=MUTED)
        axes.tick_params(axis="y", which="minor", length=0)

    def _limits(self, axes: Axes) -> float:
        values = [curve.maximum for curve in self.curves]
        if self.trivial:
            values.append(trivial_curve(self.axis, self.fixed_prevalence).maximum)
        top = 1.04 * max(values)
        lowest = min(0.0, *(curve.minimum for curve in self.curves))
        axes.set_ylim(1.04 * lowest if self.winners is None else -0.1 * top, top)
        return top

    def _y_label(self) -> str:
        if self.axis == "pcf":
            return AXIS_LABELS["normalised_cost"]
        pi = 0.5 if self.fixed_prevalence is None else self.fixed_prevalence
        return f"cost per case, costs adding up to 2 ({100 * pi:.3g} % positive)"

    def _draw_lines(self, axes: Axes) -> None:
        most = _MOST_LINES // len(self.lines) if self.lines else 0
        for roc in self.lines:
            seen = float(np.clip(30 / min(len(roc), most) / len(self.lines), 0.1, 0.6))
            at = np.unique(np.linspace(0, len(roc) - 1, min(len(roc), most)).astype(int))
            made = [
                line(float(roc.fpr[i]), float(roc.tpr[i]), axis=self.axis, prevalence=self.fixed_prevalence) for i in at
            ]
            segments = [np.column_stack(polyline(one, self.scale)) for one in made]
            axes.add_collection(
                LineCollection(segments, colors=FAINT, linewidths=0.4, alpha=seen, zorder=1), autolim=False
            )

    def _draw_ranges(self, axes: Axes, ink: list[Points], top: float) -> None:
        if self.over is not None:
            low, high = (self._x(Condition.from_t(t)) for t in (self.over.high, self.over.low))
            axes.axvspan(low, high, color=INK, alpha=0.07, linewidth=0, zorder=0)
        if not self.operating_range:
            return
        named = [(curve, look) for curve, look in zip(self.curves, self.looks, strict=True) if look.named]
        for i, (curve, look) in enumerate(named):
            for low, high in curve.operating_ranges:
                if len(self.curves) == 1:
                    axes.axvspan(low, high, color=look.colour, alpha=0.08, linewidth=0, zorder=0)
                else:
                    height = (0.012 + 0.016 * i) * top
                    axes.plot(
                        [low, high], [height] * 2, gid="operating range",
                        **look.line(linewidth=2.2, solid_capstyle="butt", dash_capstyle="butt"),
                    )  # fmt: skip
                    ink.append(((low, high), (height, height)))

    def _banded(self) -> list[tuple[Any, Any]]:
        seen = dict(zip(self.names, self.looks, strict=True))
        pairs = []
        for i, band in enumerate(self.bands):
            look = seen.get(" − ".join(band.names))
            pairs.append((band, self.looks[min(i, len(self.looks) - 1)] if look is None else look))
        return pairs

    def _draw_condition(self, axes: Axes, ink: list[Points], top: float) -> list[Tag]:
        if self.condition is None:
            return []
        x = self._x(self.condition)
        y = min(float(curve(x)) for curve in self.curves)
        axes.axvline(x, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=4)
        axes.plot([x], [y], "o", color=INK, markersize=5, zorder=5)
        ink.append(((x, x), (0, top)))
        least = min((float(curve(x)) for curve in self.best_case), default=y)
        said = f"cost {y:.3g}" if f"{least:.3g}" == f"{y:.3g}" else f"cost {least:.3g} to {y:.3g}"
        return [Tag(said, np.array([x]), np.array([y]), INK, bold=True)]

"""Curves in ROC space, with hulls, iso-cost lines, thresholds and rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.conditions import Condition, certain
from isocost.curves import RocCurve, cost_curve
from isocost.decide import Choice, best_threshold
from isocost.errors import InputError
from isocost.metrics.loci import clip
from isocost.numbers import threshold
from isocost.plots.display import AXIS_LABELS, Display, label_axes
from isocost.plots.labels import Points, Tag, cut_text, name_lines, place
from isocost.plots.style import INK, MUTED, Look, looks_of, names_of, several

_MOST_THRESHOLDS = 16


class RocDisplay(Display):
    """ROC space: the operating points of one model or several, and the cheapest of them at a condition.

    Parameters
    ----------
    curves : RocCurve, several of them, or a Comparison
    condition : Condition, optional
        Marks the cheapest operating point of all and draws the iso-cost line through it: every point on that line costs the same.
    hull : bool
        Draw the hull of each curve; its vertices are the only points that are ever cheapest.
    thresholds : bool
        Write the threshold next to the hull's vertices, as many as there is room for.
    rates : sequence of float
        Draw the line of operating points that flag this share of all cases.
    prevalence : float, optional
        For `rates`; that of the condition, else the data's own.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the cheapest five (at the condition, or on average).

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> display = ic.plots.RocDisplay(curve, condition=ic.Condition(cost_fn=5, prevalence=0.3)).plot()
    >>> display.ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    _size = (4.4, 4.4)
    condition: Condition | None

    def __init__(
        self,
        curves: Any,
        *,
        condition: Condition | None = None,
        hull: bool = True,
        thresholds: bool = False,
        rates: Sequence[float] = (),
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.curves: list[RocCurve] = several(curves, RocCurve, "curves")
        self.condition = None if condition is None else certain(condition)
        self.hull, self.thresholds, self.rates = hull, thresholds, rates
        if prevalence is None and condition is not None:
            prevalence = condition.prevalence
        self.prevalence = self.curves[0]._prevalence_or(prevalence) if len(rates) else prevalence
        self.names = names_of(self.curves)
        self.looks = looks_of(self.names, _costs(self.curves, condition), highlight)

    @property
    def best(self) -> Choice | None:
        """The cheapest choice at the condition."""
        if self.condition is None:
            return None
        choices = [best_threshold(curve, self.condition) for curve in self.curves]
        return min(choices, key=lambda choice: float(choice.normalised_cost or 0.0))

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        lines: list[Points] = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            lines.append(_draw_curve(axes, curve, look, hull=self.hull, style=style))
        ink: list[Points] = [((0, 1), (0, 1)), *((c.fpr, c.tpr) for c in self.curves if c._is_path)]
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=0.8, linestyle=":", zorder=1)
        known = len(ink)
        tags = self._iso_cost(axes) + self._rate_lines(axes)
        ink += [(tag.x, tag.y) for tag in tags]
        label_axes(axes, x=AXIS_LABELS["fpr"], y=AXIS_LABELS["tpr"])
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        name_lines(axes, self.names, lines, self.looks, ink)
        place(axes, tags, [*ink[:known], *lines], share=0.9)
        if self.thresholds:
            said = self.best
            cuts = _threshold_tags(self.curves, self.looks)
            # The cheapest point has its rule written beside it already.
            cuts = [c for c in cuts if said is None or (c.x[0], c.y[0]) != (said.fpr, said.tpr)][:_MOST_THRESHOLDS]
            place(axes, cuts, [*ink, *lines], share=0.9, leaders=len(self.curves) == 1)

    def _rate_lines(self, axes: Axes) -> list[Tag]:
        tags = []
        for rate in self.rates:
            pi = float(self.prevalence if self.prevalence is not None else 0.5)
            path = clip((1 - pi, pi, rate))
            if path is None:
                raise InputError(f"rates must lie between 0 and 1, got {rate!r}")
            axes.plot(path.fpr, path.tpr, color=MUTED, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
            tags.append(Tag(f"{100 * rate:.3g} % flagged", path.fpr, path.tpr, MUTED))
        return tags

    def _iso_cost(self, axes: Axes) -> list[Tag]:
        best, condition = self.best, self.condition
        if best is None or condition is None:
            return []
        t, pcf = condition.t, condition.pcf
        path = clip((t, -pcf, t * best.fpr - pcf * best.tpr))
        assert path is not None  # noqa: S101 - it passes through a point of the square
        axes.plot(path.fpr, path.tpr, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=4)
        axes.plot([best.fpr], [best.tpr], "o", color=INK, markersize=5, zorder=5)
        rule = _rule(best)
        point = Tag(rule, np.array([best.fpr]), np.array([best.tpr]), INK, bold=True)
        return [point, Tag("equal cost", path.fpr, path.tpr, INK)]


def _draw_curve(axes: Axes, curve: RocCurve, look: Look, *, hull: bool, style: dict[str, Any]) -> Points:
    """Draw one model and return the line that its name belongs to."""
    crisp = not curve._is_path or len(curve._bare()[0]) == 1
    if crisp:
        x, y = curve._bare()
        axes.plot(x, y, linestyle="none", marker="x", color=look.colour, markersize=5, zorder=3)
    elif hull:
        axes.plot(curve.fpr, curve.tpr, **look.line(linewidth=0.5 * look.width, linestyle="-", alpha=0.45))
    if hull or crisp:
        shape = curve.hull
        markers = {"marker": "o", "markersize": 2.2} if len(shape) <= 40 and look.named else {}
        axes.plot(shape.fpr, shape.tpr, **look.line(**(markers | style)))
        return shape.fpr, shape.tpr
    axes.plot(curve.fpr, curve.tpr, **look.line(**style))
    return curve.fpr, curve.tpr


def _costs(curves: Sequence[RocCurve], condition: Condition | None) -> list[float]:
    if condition is None:
        return [cost_curve(curve.hull).area() for curve in curves]
    return [float(curve.hull.optimal_cost(condition.t)) for curve in curves]


def _rule(choice: Choice) -> str:
    if choice.rule in ("nobody", "everybody"):
        return f"flag {choice.rule}"
    return f"score ≥ {threshold(choice.threshold, choice.below)}" if np.isfinite(choice.threshold) else "cheapest"


def _threshold_tags(curves: Sequence[RocCurve], seen: Sequence[Look]) -> list[Tag]:
    vertices = [
        (v, curve, look)
        for curve, look in zip(curves, seen, strict=True)
        if look.named
        for v in curve.hull.vertices
        if np.isfinite(v.threshold) and not v.trivial
    ]
    # Those that are best over the widest range of conditions come first.
    vertices.sort(key=lambda found: found[0].t_low - found[0].t_high)
    return [
        Tag(cut_text(curve, v.threshold), np.array([v.fpr]), np.array([v.tpr]), look.colour)
        for v, curve, look in vertices
    ]

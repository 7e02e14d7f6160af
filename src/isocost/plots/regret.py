"""What a choice made before the condition is known costs more than the best one."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.comparison import Regret
from isocost.decision import numbers
from isocost.plots.buckets import say, shade
from isocost.plots.cost_axes import SCALES, Scale, finish_x, polyline
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, name_lines
from isocost.plots.models import looks_of, several


class RegretDisplay(Display):
    """The extra cost of a model, or of a model with one threshold, at every condition; a dot marks the worst.

    Parameters
    ----------
    regrets : Regret or several of them
        From `Comparison.regret` or `Comparison.minimax_regret`.
    prevalence, scale : optional
        As in `CostDisplay`.
    highlight : sequence of str, optional
        With more than six, those to draw in colour; by default the five with the lowest mean.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    >>> comparison = ic.Comparison([a, b])
    >>> display = ic.plots.RegretDisplay([comparison.regret("a"), comparison.regret("b")]).plot()
    >>> display.ax_.get_ylabel()
    'extra cost (normalised)'
    """

    _size = (5.0, 3.6)

    def __init__(
        self, regrets: Any, *, prevalence: float | None = None, scale: Scale = "linear", highlight: Any = None
    ) -> None:
        self.regrets: list[Regret] = several(regrets, Regret, "regrets")
        self.prevalence = prevalence
        self.scale = scale
        validate.choice(scale, "scale", SCALES)
        self.names = [
            r.name if r.threshold is None or np.isnan(r.threshold) else f"{r.name} ≥ {numbers.threshold(r.threshold)}"
            for r in self.regrets
        ]
        self.looks = looks_of(self.names, [r.mean for r in self.regrets], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = max(regret.curve.maximum for regret in self.regrets)
        between = [regret.curve_bounds for regret in self.regrets if regret.curve_bounds is not None]
        top = max([top, *(high.maximum for _, high in between)])
        # Rounding is no regret, and an axis needs a height.
        axes.set_ylim(0, 1.12 * top if top > 1e-9 else 0.1)
        inner = np.concatenate([regret.curve.breaks for regret in self.regrets])
        finish_x(axes, "pcf", scale=self.scale, inner=inner, prevalence=self.prevalence)
        label_axes(axes, x=axes.get_xlabel(), y="extra cost (normalised)")
        drawn: list[Points] = []
        dots: list[Points] = []
        for regret, look in zip(self.regrets, self.looks, strict=True):
            points = polyline(regret.curve, self.scale)
            axes.plot(*points, **look.line(**({"clip_on": self.scale != "linear"} | style)))
            drawn.append(points)
            if regret.curve_bounds is not None:
                low, high = (polyline(bound, self.scale) for bound in regret.curve_bounds)
                shade(axes, low, high, look)
            if look.named:
                axes.plot([1 - regret.worst_t], [regret.worst], "o", color=look.colour, markersize=4, zorder=5)
                dots.append(([1 - regret.worst_t], [regret.worst]))
        if between:
            say(axes, "regrets", max((most - least).maximum for least, most in between))
        name_lines(axes, self.names, drawn, self.looks, dots)

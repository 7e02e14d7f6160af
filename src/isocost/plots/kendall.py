"""What a ranking costs: Kendall curves, rate-driven curves, and their convex skulls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.cost_space import CostCurve, convex_skull, cost_curve, kendall_curve, perfect_ranker_curve
from isocost.cost_space.rate_driven import SKULLS, Skull
from isocost.plots import buckets
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.cost_axes import polyline
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.labels import Points, Tag, name_lines, place
from isocost.plots.models import looks_of, names_of, several
from isocost.plots.style import INK, MUTED
from isocost.roc_space import RocCurve


class KendallDisplay(Display):
    """The Kendall curve of a ranking, or its rate-driven curve, over the share of cases flagged.

    The area under a Kendall curve grows with the number of pairs ranked in the wrong order. The thin line is the convex skull: the same
    curve for the ROC hull. Where the two differ, that share is never worth flagging. For counts in buckets, the worst case is drawn, with
    a shade down to the best.

    Parameters
    ----------
    curves : RocCurve, several of them, or a Comparison
        Built from scores.
    of : {"kendall", "rate_driven"}
        "rate_driven" adds what a perfect ranking costs, which is drawn dotted.
    skull : bool
        Draw the convex skulls.
    between : (float, float), optional
        Shade this range of shares.
    prevalence : float, optional
        The data's own by default.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five with the smallest area.

    References
    ----------
    Hernández-Orallo, Flach & Ferri (2013), ROC curves in cost space, Machine Learning 93:71-91, doi:10.1007/s10994-013-5328-9.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> display = ic.plots.KendallDisplay(curve).plot()
    >>> display.ax_.get_ylabel()
    'cost of the ranking (Kendall curve)'
    """

    _size = (5.0, 3.6)

    def __init__(
        self,
        curves: Any,
        *,
        of: Skull = "kendall",
        skull: bool = True,
        between: tuple[float, float] | None = None,
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        validate.choice(of, "of", SKULLS)
        self.of = of
        roc: list[RocCurve] = several(curves, RocCurve, "curves")
        self.curves = [_curve(of, curve._pessimistic, prevalence) for curve in roc]
        exact = all(curve.exact for curve in roc)
        self.best_case = [] if exact else [_curve(of, curve._optimistic, prevalence) for curve in roc]
        self.skulls = [convex_skull(curve._inner_hull, of=of, prevalence=prevalence) for curve in roc] if skull else []
        self.between = None if between is None else validate.interval(between, "between")
        self.prevalence = roc[0]._prevalence_or(prevalence)
        self.names = names_of(roc)
        self.looks = looks_of(self.names, [curve.area() for curve in self.curves], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = 1.12 * max(curve.maximum for curve in self.curves)
        axes.set(xlim=(0, 1), ylim=(0, top if top > 0 else 0.1))
        what = "cost of the ranking (Kendall curve)" if self.of == "kendall" else "cost (rate-driven curve)"
        label_axes(axes, x=AXIS_LABELS["flagged"], y=what)
        ink: list[Points] = []
        for skull, look in zip(self.skulls, self.looks, strict=False):
            if not look.named:
                continue
            points = polyline(skull)
            axes.plot(*points, color=look.colour, linewidth=0.8, linestyle=(0, (2, 1.5)), zorder=2, gid="skull")
            ink.append(points)
        drawn: list[Points] = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            points = polyline(curve)
            axes.plot(*points, **look.line(**({"clip_on": False} | style)))
            drawn.append(points)
        for best, points, look in zip(self.best_case, drawn, self.looks, strict=False):
            buckets.shade(axes, points, polyline(best), look)
        if self.best_case:
            pairs = zip(self.curves, self.best_case, strict=True)
            buckets.say(axes, "cost", max((worst - best).maximum for worst, best in pairs))
        tags = []
        if self.of == "rate_driven":
            points = polyline(perfect_ranker_curve(prevalence=self.prevalence))
            axes.plot(*points, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
            tags.append(Tag("perfect ranking", points[0], points[1], MUTED))
        if self.between is not None:
            axes.axvspan(*self.between, color=INK, alpha=0.07, linewidth=0, zorder=0)
        if any(self.names):
            name_lines(axes, self.names, drawn, self.looks, ink + [(tag.x, tag.y) for tag in tags])
        if len(ink) > 1:
            said = axes.get_title()
            size = text_size(axes, 0.95)
            axes.set_title(
                f"{said}; thin: convex skulls" if said else "thin: convex skulls",
                fontsize=size,
                loc="center" if said else "right",
            )
        elif ink:
            x, y = (np.asarray(v, dtype=np.float64) for v in ink[0])
            tags.append(Tag("convex skull", x, y, self.looks[0].colour))
        place(axes, tags, [*ink, *drawn], share=0.9)


def _curve(of: Skull, curve: RocCurve, prevalence: float | None) -> CostCurve:
    if of == "kendall":
        return kendall_curve(curve, prevalence=prevalence)
    return cost_curve(curve, method="rate_driven", axis="cost_proportion", prevalence=prevalence)

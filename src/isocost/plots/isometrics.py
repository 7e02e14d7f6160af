"""Isometrics: lines of ROC space along which a metric keeps its value."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from isocost.errors import InputError
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, Tag, legend_below, place
from isocost.plots.models import several
from isocost.plots.style import INK, PALETTE, Dash
from isocost.point_metrics import Isometrics

_DASHES: tuple[Dash, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.2)))


class IsometricsDisplay(Display):
    """Lines of ROC space along which a metric keeps its value, at one skew ratio or several: solid, dashed, dotted.

    Parameters
    ----------
    isometrics : Isometrics or up to three of them
        Of one metric; each skew ratio has its own dash and colour.
    values : bool
        Write the value next to the lines of the first one, as many as there is room for.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> lines = [ic.isometrics("precision", [0.2, 0.5, 0.8], skew_ratio=c) for c in (1, 0.5)]
    >>> display = ic.plots.IsometricsDisplay(lines).plot()
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['skew ratio 1', 'skew ratio 0.5']
    """

    _size = (4.4, 4.6)

    def __init__(self, isometrics: Any, *, values: bool = True) -> None:
        self.isometrics: list[Isometrics] = several(isometrics, Isometrics, "isometrics")
        metrics = {lines.metric.name for lines in self.isometrics}
        if len(metrics) > 1:
            raise InputError(f"isometrics of one metric make one figure, got {' and '.join(sorted(metrics))}")
        if len(self.isometrics) > len(_DASHES):
            raise InputError(f"at most {len(_DASHES)} skew ratios can be told apart, got {len(self.isometrics)}")
        self.values = values

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        drawn: list[Points] = []
        tags: list[Tag] = []
        handles = []
        for k, (lines, dash, colour) in enumerate(zip(self.isometrics, _DASHES, PALETTE, strict=False)):
            looks = {"linestyle": dash, "color": colour, "linewidth": 1.2} | style
            handles.append(Line2D([], [], **looks))
            for line in lines:
                axes.plot(line.fpr, line.tpr, marker="o" if line.fpr.size == 1 else None, markersize=3, **looks)
                drawn.append((line.fpr, line.tpr))
                if k == 0 and self.values:
                    tags.append(Tag(f"{line.value:.3g}", line.fpr, line.tpr, INK))
        name = self.isometrics[0].metric.name.replace("_", " ")
        label_axes(axes, x=AXIS_LABELS["fpr"], y=AXIS_LABELS["tpr"], title=f"Isometrics of {name}")
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        if len(self.isometrics) > 1:
            names = [f"skew ratio {lines.skew_ratio:.3g}" for lines in self.isometrics]
            legend_below(axes, list(zip(handles, names, strict=True)))
        place(axes, tags, drawn[len(tags) :], share=0.9, leaders=False)

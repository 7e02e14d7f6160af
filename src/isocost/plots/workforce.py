"""A limit on the cases that can be looked at, for a set of classifiers, in ROC space and in cost space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.comparison import Comparison, Mix, Part
from isocost.cost_space import cost_curve
from isocost.decision.rules import value_text
from isocost.errors import InputError
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.cost_axes import polyline
from isocost.plots.display import Display, label_axes, settle, text_size
from isocost.plots.labels import name_lines
from isocost.plots.models import looks_of
from isocost.plots.roc import RocDisplay
from isocost.plots.style import INK, MUTED
from isocost.results.short_names import shorten
from isocost.roc_space import RocCurve

# Beyond these the virtual point would squeeze the rest of cost space.
_FURTHEST = (-3.0, 4.0)


class WorkforceDisplay(Display):
    """Which classifier of a set, or which mix of two, catches most while a share of all cases can be looked at.

    Left, ROC space: every rule that fills the workforce lies on the dotted line, and the best one where it meets the joint hull. Right,
    cost space: the same line is one point outside the usual range (left out if it is far away), and the cost line of the rule passes
    through it. `ax_` is the pair of axes, as an array.

    Parameters
    ----------
    models : Comparison, RocCurve or several of them
    flagged : float
        The share of all cases that can be looked at, strictly between 0 and 1.
    prevalence : float, optional
        Of the cases in use; the data's own by default.
    highlight : sequence of str, optional
        As in `RocDisplay`.

    References
    ----------
    Drummond & Holte (2000), Explicitly representing expected cost, KDD, doi:10.1145/347090.347126, figures 13 and 14.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> display = ic.plots.WorkforceDisplay([a, b], 0.3, prevalence=0.2)
    >>> display.mix.first.model, display.mix.second.model
    ('a', 'b')
    """

    _size = (8.4, 4.2)

    def __init__(
        self,
        models: Any,
        flagged: Any = None,
        *,
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        if flagged is None:
            raise InputError("say which share of all cases can be looked at, such as flagged=0.1")
        self.flagged = validate.strictly_between(flagged, "flagged", 0.0, 1.0)
        if not isinstance(models, Comparison):
            models = Comparison([models] if isinstance(models, RocCurve) else models)
        self.comparison: Comparison = models
        self.prevalence = validate.inner_rate(self.comparison.curves[0]._prevalence_or(prevalence), "prevalence")
        self.hybrid = self.comparison.hybrid()
        self.mix: Mix = self.hybrid.at_flagged(self.flagged, prevalence=self.prevalence)
        self.roc = RocDisplay(self.comparison, rates=(self.flagged,), prevalence=self.prevalence, highlight=highlight)
        envelopes = [cost_curve(curve) for curve in self.comparison.curves]
        self.envelopes = envelopes
        self.looks = looks_of(self.comparison.names, [envelope.area() for envelope in envelopes], highlight)

    @property
    def rule(self) -> str:
        """The rule that fills the workforce, in words."""
        first, second = self.mix.first, self.mix.second
        if second is None:
            return self._said(first)
        return f"{self._said(first)}; with probability {self.mix.probability:.3g} {self._said(second)}"

    def _said(self, part: Part) -> str:
        """Return a model and its threshold, where it has one."""
        if not np.isfinite(part.threshold):
            return part.model
        return f"{part.model} ≥ {value_text(self.comparison[part.model], part.threshold)}"

    @property
    def virtual(self) -> tuple[float, float] | None:
        """The point of cost space through which the cost lines of all rules that fill the workforce pass; None at prevalence 0.5."""
        pi = self.prevalence
        # Of a line with slope s through (0, i) it is pcf 1/(1 + s), cost (1 - i)·pcf.
        rest = 2 * pi - 1
        return None if rest == 0 else (pi / rest, (pi - self.flagged) / rest)

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw both spaces and return the display.

        Parameters
        ----------
        ax : pair of matplotlib axes, optional
        **style
            Properties of the lines of the models.
        """
        self._check(style)
        pair = self._begin_pair(ax)
        self._draw_costs(pair[1], style)
        self.roc.plot(pair[0], **style)
        self._draw_hull(pair[0])
        settle(pair[0])
        self.ax_, self.figure_ = pair, pair[0].figure
        return self

    def _draw_hull(self, axes: Axes) -> None:
        hull, mix = self.hybrid.curve, self.mix
        axes.plot(hull.fpr, hull.tpr, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=4, gid="joint hull")
        axes.plot([mix.fpr], [mix.tpr], "o", color=INK, markersize=6, zorder=5, gid="rule")
        said, names = self.rule, self.comparison.names
        for name, short in zip(names, shorten(names), strict=True):
            said = said.replace(name, short) if short != name else said
        axes.set_title(said, fontsize=text_size(axes), parse_math=False)

    def _draw_costs(self, axes: Axes, style: dict[str, Any]) -> None:
        lines = []
        for envelope, look in zip(self.envelopes, self.looks, strict=True):
            points = polyline(envelope)
            axes.plot(*points, **look.line(**style))
            lines.append(points)
        mix, virtual = self.mix, self.virtual
        # A cost line runs from fpr at pcf 0 to 1 - tpr at pcf 1.
        ends = np.array([0.0, 1.0])
        if virtual is not None and _FURTHEST[0] <= virtual[0] <= _FURTHEST[1]:
            axes.plot(*virtual, "o", color=INK, fillstyle="none", markersize=8, zorder=5, gid="virtual point")
            ends = np.array([min(0.0, virtual[0]), max(1.0, virtual[0])])
            for edge in (0.0, 1.0):
                axes.axvline(edge, color=MUTED, linewidth=0.7, zorder=1)
        cost = mix.fpr + ends * (1 - mix.tpr - mix.fpr)
        axes.plot(ends, cost, color=INK, linewidth=1.1, linestyle=(0, (1, 2)), zorder=4, gid="rule")
        label_axes(axes, x=AXIS_LABELS["pcf"], y=AXIS_LABELS["normalised_cost"])
        if any(self.comparison.names):
            name_lines(axes, list(self.comparison.names), lines, self.looks, [(ends, cost)])

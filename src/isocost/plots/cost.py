"""Curves in cost space, alone, next to ROC space, and as sums of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from isocost.compare import Comparison, Mix, Part
from isocost.conditions import Condition, Conditions
from isocost.curves import BrierDecomposition, CostCurve, ParameterBased, RateDrivenDecomposition, RocCurve, cost_curve
from isocost.curves.cost import line, trivial_curve
from isocost.data import checks
from isocost.errors import InputError
from isocost.numbers import shorten
from isocost.plots.axes import draw_trivial, finish_x, name_trivial, polyline, same_axis
from isocost.plots.display import AXIS_LABELS, Display, Scale, label_axes, settle, text_size
from isocost.plots.labels import Points, Tag, cut_text, draw_lines, name_lines, place
from isocost.plots.roc import RocDisplay
from isocost.plots.style import FAINT, INK, MUTED, PALETTE, looks, looks_of, names_of, several
from isocost.plots.winners import draw_strip

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
    condition : Condition or Conditions, optional
        Draw a vertical line there, with a dot on the cheapest curve; of uncertain conditions, shade the range.
    bands : Band or several of them, optional
        Shade the band around the curve of the same name.
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
        condition: Condition | Conditions | None = None,
        bands: Any = None,
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
        self.winners, self.operating_range = winners, operating_range
        self.lines: list[RocCurve] = [] if lines is None else several(lines, RocCurve, "lines")
        self.bands = [] if bands is None else [bands] if hasattr(bands, "low") else list(bands)
        if self.axis != "pcf" and (self.bands or winners is not None):
            raise InputError(f"bands and winners are known on the pcf axis, got curves on {self.axis}")
        self.names = names_of(self.curves, names)
        self.looks = looks_of(self.names, self._costs(), highlight)

    def _costs(self) -> list[float]:
        x = self._x(self.condition) if isinstance(self.condition, Condition) else None
        return [curve.area() if x is None else float(curve(x)) for curve in self.curves]

    def _x(self, condition: Condition) -> float:
        """Return where a condition lies on the axis."""
        return self.curves[0]._x_at(condition)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = self._limits(axes)
        label_axes(axes, x="", y=self._y_label())
        inner = np.concatenate([curve.breaks for curve in self.curves])
        if isinstance(self.condition, Condition):
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
        lines, clip = [polyline(curve, self.scale) for curve in self.curves], self.scale != "linear"
        drawn = draw_lines(axes, lines, self.looks, style, clip=clip)
        tags = self._draw_condition(axes, ink, top)
        self._draw_winners(axes, ink, top)
        if self.trivial:
            pi = self.fixed_prevalence
            name_trivial(axes, [*ink[1:], *drawn], axis=self.axis, prevalence=pi, scale=self.scale)
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
        if isinstance(self.condition, Conditions):
            low, high = (self._x(Condition.from_t(t)) for t in (self.condition.high, self.condition.low))
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
        if not isinstance(self.condition, Condition):
            return []
        x = self._x(self.condition)
        y = min(float(curve(x)) for curve in self.curves)
        axes.axvline(x, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=4)
        axes.plot([x], [y], "o", color=INK, markersize=5, zorder=5)
        ink.append(((x, x), (0, top)))
        return [Tag(f"cost {y:.3g}", np.array([x]), np.array([y]), INK, bold=True)]


class ComparisonDisplay(CostDisplay):
    """The cost curves of all models of a comparison, and along the bottom who is cheapest where.

    Parameters
    ----------
    comparison : Comparison
    condition : Condition or Conditions, optional
        Marked; the comparison's own by default.
    **options
        Options of `CostDisplay`.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    >>> display = ic.plots.ComparisonDisplay(ic.Comparison([a, b])).plot()
    >>> [text.get_text() for text in display.ax_.texts]
    ['flag nobody', 'flag everybody', 'a', 'b']
    """

    def __init__(
        self, comparison: Comparison, *, condition: Condition | Conditions | None = None, **options: Any
    ) -> None:
        if not isinstance(comparison, Comparison):
            raise InputError(f"comparison must be a Comparison, got {type(comparison).__name__}")
        options.setdefault("winners", comparison.winners())
        super().__init__(
            [cost_curve(curve) for curve in comparison.curves],
            condition=comparison.condition if condition is None else condition,
            **options,
        )


class DualityDisplay(Display):
    """ROC space next to cost space: a point on the left is a line on the right, the hull is the lower envelope.

    `ax_` is the pair of axes, as an array.

    Parameters
    ----------
    curves : RocCurve, several of them, or a Comparison
    condition : Condition, optional
        Drawn in both spaces: as the slope of the iso-cost line, and as a place on the axis.
    lines : bool
        Draw the cost lines of all operating points faintly.
    thresholds, highlight : optional
        As in `RocDisplay`.
    prevalence, scale, winners : optional
        As in `CostDisplay`.

    References
    ----------
    Drummond & Holte (2000), Explicitly representing expected cost, KDD, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9], name="two points")
    >>> roc, cost = ic.plots.DualityDisplay(curve).plot().ax_
    >>> cost.get_xlabel()
    'share of the worst cost that misses carry (pcf)'
    """

    _size = (8.4, 4.2)

    def __init__(
        self,
        curves: Any,
        *,
        condition: Condition | None = None,
        lines: bool = False,
        thresholds: bool = False,
        prevalence: float | None = None,
        scale: Any = "linear",
        winners: Sequence[Any] | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.roc = RocDisplay(curves, condition=condition, thresholds=thresholds, highlight=highlight)
        self.cost = CostDisplay(
            [cost_curve(curve) for curve in self.roc.curves], lines=self.roc.curves if checks.flag(lines, "lines") else None,
            condition=condition, prevalence=prevalence, scale=scale, winners=winners, highlight=highlight,
        )  # fmt: skip

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw both spaces and return the display.

        Parameters
        ----------
        ax : pair of matplotlib axes, optional
        **style
            Properties of the main lines in both spaces.
        """
        self._check(style)
        pair = self._begin_pair(ax)
        # Cost space has the larger margins: once they are known, the layout hardly moves.
        self.cost.plot(pair[1], **style)
        self.roc.plot(pair[0], **style)
        settle(pair[0])
        self.ax_, self.figure_ = pair, pair[0].figure
        return self


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
    prevalence: float

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
        self.flagged = checks.strictly_between(flagged, "flagged", 0.0, 1.0)
        if not isinstance(models, Comparison):
            models = Comparison([models] if isinstance(models, RocCurve) else models)
        self.comparison: Comparison = models
        self.prevalence = checks.inner_rate(self.comparison.curves[0]._prevalence_or(prevalence), "prevalence")
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
        return f"{part.model} ≥ {cut_text(self.comparison[part.model], part.threshold)}"

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
        lines = draw_lines(axes, [polyline(envelope) for envelope in self.envelopes], self.looks, style)
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
        name_lines(axes, list(self.comparison.names), lines, self.looks, [(ends, cost)])


class DecompositionDisplay(Display):
    """Total and base of a decomposed cost, with the part between them shaded; every name includes its area.

    Parameters
    ----------
    parts : RateDrivenDecomposition, BrierDecomposition or ParameterBased
        Rate-driven: perfect ranker + Kendall curve. Score-driven (Brier): refinement + calibration. Parameter-based
        selection: lower envelope + the price of the procedure.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> ic.plots.DecompositionDisplay(ic.curves.rate_driven_decomposition(curve)).names
    ['rate-driven: 0.173', 'perfect ranking: 0.0933', 'Kendall curve: 0.08']
    """

    _size = (5.0, 3.8)

    def __init__(self, parts: RateDrivenDecomposition | BrierDecomposition | ParameterBased) -> None:
        if isinstance(parts, RateDrivenDecomposition):
            named = {"rate-driven": parts.total, "perfect ranking": parts.perfect, "Kendall curve": parts.ranking}
        elif isinstance(parts, BrierDecomposition):
            named = {
                "score-driven": parts.total,
                "best threshold": parts.refinement,
                "calibration loss": parts.calibration,
            }
        elif isinstance(parts, ParameterBased):
            named = {"parameter-based": parts.curve, "best classifier": parts.optimal, "price": parts.excess}
        else:
            raise InputError(f"parts must be a decomposition of a cost curve, got {type(parts).__name__}")
        self.curves: list[CostCurve] = list(named.values())
        self.names = [f"{name}: {curve.area():.3g}" for name, curve in named.items()]

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        total, base, _ = self.curves
        axes.set_ylim(0, 1.12 * total.maximum)
        finish_x(axes, total.axis, scale="linear", inner=total.breaks, prevalence=None)
        label_axes(axes, x=axes.get_xlabel(), y="cost")
        # On the breaks of both; only the total may jump.
        x, high = polyline(total + 0.0 * base)
        axes.fill_between(x, base(np.clip(x, 0, 1)), high, color=PALETTE[1], alpha=0.18, linewidth=0, zorder=1)
        seen = looks(range(3))
        drawn = draw_lines(axes, [polyline(curve) for curve in self.curves], seen, style)
        name_lines(axes, self.names, drawn, seen)

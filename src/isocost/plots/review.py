"""Flag, clear, or have a person look: the chord in cost space, the three answers as a bar, and cost against the price of a review."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke

from isocost.decision.review_choice import ReviewChoice
from isocost.decision.review_prices import ReviewCurve
from isocost.errors import InputError
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.cost_axes import finish_x, polyline
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.labels import Points, Tag, legend_below, name_lines, place
from isocost.plots.models import looks_of, several
from isocost.plots.style import HATCHES, INK, MUTED, PALETTE
from isocost.plots.trivial import draw_trivial, name_trivial

_ANSWERS = ("clear", "review", "flag")


class ReviewDisplay(Display):
    """Cost space with a review band as a chord: its gap to the cost curve, at the condition, is what reviews save.

    Parameters
    ----------
    choice : ReviewChoice
    prevalence : float, optional
        As in `CostDisplay`.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], name="demo")
    >>> display = ic.review_band(curve, ic.Condition(), cost_review=0.1).plot()
    >>> display.ax_.get_ylabel()
    'normalised cost'
    """

    _size = (5.0, 4.0)

    def __init__(self, choice: ReviewChoice, *, prevalence: float | None = None) -> None:
        if not isinstance(choice, ReviewChoice):
            raise InputError(f"choice must be one ReviewChoice, got {type(choice).__name__}")
        self.choice = choice
        self.curve = self.choice.cost_curve()
        self.prevalence = prevalence

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        choice, pcf = self.choice, self.choice.condition.pcf
        chord = choice.chord() if choice.reviewed > 0 else None
        ends = np.empty((2, 0)) if chord is None else np.array(chord).T
        axes.set_ylim(0, 1.04 * float(ends[1].max(initial=0.5)))
        label_axes(axes, x="", y=AXIS_LABELS["normalised_cost"])
        finish_x(axes, "pcf", scale="linear", inner=self.curve.breaks, prevalence=self.prevalence)
        trivial = draw_trivial(axes)
        (look,) = looks_of([""], [0.0], None)
        points = polyline(self.curve)
        axes.plot(*points, **look.line(**({"clip_on": False} | style)))
        high, low = (_normalised(choice, cost) for cost in (choice.expected_cost_without, choice.expected_cost))
        ink: list[Points] = [trivial, points, ([pcf, pcf], [0, high])]
        axes.plot(*ink[-1], color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=4, gid="condition")
        axes.plot([pcf], [high], "o", color=INK, markersize=4, zorder=5)
        tags = [
            Tag(f"one threshold: {choice.expected_cost_without:.3g} a case", np.array([pcf]), np.array([high]), INK)
        ]
        if chord is not None:
            bold: dict[str, Any] = {"color": PALETTE[1], "solid_capstyle": "butt"}
            axes.plot(*ends, linewidth=1.6, zorder=4, marker="o", markersize=4, gid="chord", **bold)
            axes.plot([pcf, pcf], [low, high], linewidth=4, zorder=4.5, gid="saving", **bold)
            axes.plot([pcf], [low], "o", color=INK, markersize=4, zorder=5)
            said = f"with reviews: {choice.expected_cost:.3g}"
            tags.insert(0, Tag(said, np.array([pcf]), np.array([low]), PALETTE[1], bold=True))
            ink.append((ends[0], ends[1]))
        name_trivial(axes, ink[1:])
        place(axes, tags, ink, share=0.95)


def _normalised(choice: ReviewChoice, cost: float) -> float:
    at = choice.condition
    return (cost - at.best_cost) / (at.worst_cost - at.best_cost)


class ReviewBarDisplay(Display):
    """The shares of all cases that are cleared, reviewed and flagged, one bar per model.

    Parameters
    ----------
    choices : ReviewChoice or several of them

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], name="demo")
    >>> band = ic.review_band(curve, ic.Condition(), cost_review=0.1)
    >>> ic.plots.ReviewBarDisplay(band).plot().ax_.get_xlabel()
    'share of all cases (%)'
    """

    _size = (5.0, 1.6)
    _artist = Rectangle

    def __init__(self, choices: Any) -> None:
        self.choices: list[ReviewChoice] = several(choices, ReviewChoice, "choices")
        self._size = (5.0, 1.2 + 0.5 * len(self.choices))

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        size = text_size(axes, 0.9)
        halo = [withStroke(linewidth=2.5, foreground="white")]
        looks = list(zip(_ANSWERS, (PALETTE[0], PALETTE[1], MUTED), HATCHES, strict=False))
        for i, choice in enumerate(self.choices):
            left = 0.0
            for row, (_, colour, hatch) in zip(choice.answers, looks, strict=True):
                share = 100 * row["share"]
                own: dict[str, Any] = {
                    "facecolor": colour,
                    "alpha": 0.35,
                    "hatch": hatch,
                    "edgecolor": colour,
                    "linewidth": 0.8,
                }
                axes.add_patch(Rectangle((left, i - 0.32), share, 0.64, **(own | style)))
                if share >= 7:
                    axes.text(
                        left + share / 2,
                        i,
                        f"{share:.3g} %",
                        ha="center",
                        va="center",
                        fontsize=size,
                        color=INK,
                        path_effects=halo,
                    )
                left += share
        axes.set_xlim(0, 100)
        axes.set_ylim(len(self.choices) - 0.5, -0.5)
        names = [choice.model or "" for choice in self.choices]
        axes.set_yticks(range(len(names)), names, fontsize=size)
        for label in axes.get_yticklabels():
            label.set_parse_math(False)
        label_axes(axes, x="share of all cases (%)", y="")
        axes.tick_params(axis="y", length=0)
        legend_below(
            axes,
            [
                (Patch(facecolor=colour, alpha=0.35, hatch=hatch, edgecolor=colour), name)
                for name, colour, hatch in looks
            ],
        )


class ReviewCurveDisplay(Display):
    """Expected cost per case against the price of a review; a dot marks the price above which reviews no longer pay.

    Parameters
    ----------
    curves : ReviewCurve or several of them
        All at one condition.
    highlight : sequence of str, optional
        With more than six, those to draw in colour; by default the five with the lowest cost of free reviews.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], name="demo")
    >>> ic.review_curve(curve, ic.Condition()).plot().ax_.get_xlabel()
    'price of a review'
    """

    _size = (5.0, 3.6)

    def __init__(self, curves: Any, *, highlight: Any = None) -> None:
        self.curves: list[ReviewCurve] = several(curves, ReviewCurve, "curves")
        self.names = [curve.model or "" for curve in self.curves]
        self.looks = looks_of(self.names, [float(curve.costs[0]) for curve in self.curves], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        right = 1.15 * max(curve.worth_up_to for curve in self.curves) or 1.0
        costs = np.concatenate([curve.costs for curve in self.curves])
        low, high = min(0.0, float(costs.min())), float(costs.max())
        axes.set_xlim(0, right)
        axes.set_ylim(low, high + 0.08 * (high - low) if high > low else low + 1.0)
        label_axes(axes, x="price of a review", y="expected cost per case")
        drawn: list[Points] = []
        dots: list[Points] = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            points = (np.append(curve.breaks, right), np.append(curve.costs, curve.expected_cost_without))
            axes.plot(*points, **look.line(**({"clip_on": False} | style)))
            drawn.append(points)
            if look.named:
                dots.append(([curve.worth_up_to], [curve.expected_cost_without]))
                axes.plot(*dots[-1], "o", color=look.colour, markersize=4, zorder=5)
        if any(self.names):
            name_lines(axes, self.names, drawn, self.looks, dots)

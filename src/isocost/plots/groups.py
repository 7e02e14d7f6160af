"""Groups of cases: what each group's threshold does, and what equal rates cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.groups.results import GroupDecision, ParityChoice, PriceCurve
from isocost.plots.display import AXIS_LABELS, Display, label_axes, settle, text_size
from isocost.plots.labels import Points, Tag, draw_lines, name_lines, place
from isocost.plots.style import FAINT, INK, PALETTE, looks_of, several

_WORDS = {"tpr": "equal tpr", "fpr": "equal fpr", "flagged": "equal flagged share", "odds": "equal odds"}


class PriceCurveDisplay(Display):
    """What equal rates cost per case against the tolerance; each line ends where they cost nothing.

    Parameters
    ----------
    curves : PriceCurve or several of them
        Of one set of groups, such as one for each criterion.

    Examples
    --------
    >>> import isocost as ic
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 1, 2], ["a"] * 3 + ["b"] * 3)
    >>> groups.prices(ic.Condition(), criterion="tpr").plot().ax_.get_xlabel()
    'tolerance (percentage points)'
    """

    _size = (5.0, 3.6)

    def __init__(self, curves: Any) -> None:
        self.curves: list[PriceCurve] = several(curves, PriceCurve, "curves")
        self.names = [_WORDS[curve.criterion] for curve in self.curves]
        self.looks = looks_of(self.names, [float(curve.price[0]) for curve in self.curves], None)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        right = 110 * max(float(curve.tolerance[-1]) for curve in self.curves) or 10.0
        top = 1000 * max(float(curve.price[0]) for curve in self.curves)
        axes.set_xlim(0, right)
        axes.set_ylim(0, 1.08 * top or 1.0)
        label_axes(axes, x="tolerance (percentage points)", y="price per 1000 cases")
        lines = [(np.append(100 * c.tolerance, right), np.append(1000 * c.price, 0.0)) for c in self.curves]
        drawn = draw_lines(axes, lines, self.looks, style, clip=False)
        name_lines(axes, self.names, drawn, self.looks)


class GroupsDisplay(Display):
    """The operating point of every group in ROC space, sized by the group's share of cases; arrows lead from one rule to another.

    Parameters
    ----------
    decision : GroupDecision or ParityChoice
    versus : GroupDecision or ParityChoice, optional
        Where the arrows begin: the same groups under another rule.

    Examples
    --------
    >>> import isocost as ic
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 1, 2], ["a"] * 3 + ["b"] * 3)
    >>> groups.decide(ic.Condition()).plot().ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    _size = (4.4, 4.2)

    def __init__(self, decision: Any, *, versus: Any = None) -> None:
        for name, value in (("decision", decision), ("versus", versus)):
            if not isinstance(value, GroupDecision | ParityChoice) and not (name == "versus" and value is None):
                raise InputError(f"{name} must be a GroupDecision or a ParityChoice, got {type(value).__name__}")
        if versus is not None and set(versus.groups) != set(decision.groups):
            raise InputError("versus must be about the same groups")
        self.decision, self.versus = decision, versus

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        seen = [self.decision] if self.versus is None else [self.decision, self.versus]
        places = [(choice.fpr, choice.tpr) for made in seen for choice in made.groups.values()]
        axes.set(**_around(np.array(places, dtype=np.float64)), aspect="equal")
        label_axes(axes, x=AXIS_LABELS["fpr"], y=AXIS_LABELS["tpr"])
        axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8, linestyle=":", gid="diagonal")
        tags, ink = [], []
        settle(axes)
        for name, choice in self.decision.groups.items():
            if np.isnan(choice.fpr) or np.isnan(choice.tpr):
                continue  # a group with one class only has no place in ROC space
            own = {"marker": "o", "markersize": 4 + 14 * choice.share**0.5, "alpha": 0.8, "color": PALETTE[0]}
            axes.plot([choice.fpr], [choice.tpr], gid=f"group {name}", **(own | style))
            if self.versus is not None:
                before = self.versus.groups[name]
                axes.annotate(
                    "", (choice.fpr, choice.tpr), (before.fpr, before.tpr),
                    arrowprops={"arrowstyle": "->", "color": PALETTE[1], "linewidth": 1.2},
                )  # fmt: skip
                ink.append(([before.fpr, choice.fpr], [before.tpr, choice.tpr]))
            tags.append(Tag(name, *_rim(axes, choice.fpr, choice.tpr, own["markersize"] / 2), INK))
        if len(tags) <= 12:
            place(axes, tags, ink, share=0.95)
        else:
            axes.set_title(f"{len(tags)} groups", fontsize=text_size(axes))


def _around(points: Floats) -> dict[str, tuple[float, float]]:
    """Return limits of a square around the points: groups lie close together, and all of ROC space would crowd their names."""
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return {"xlim": (-0.02, 1.02), "ylim": (-0.02, 1.02)}
    low, high = points.min(axis=0), points.max(axis=0)
    side = min(float((high - low).max()) + 0.2, 1.0)
    start = np.clip((low + high - side) / 2, 0, 1 - side)
    (x, y), spare = start.tolist(), 0.02 * side
    return {"xlim": (x - spare, x + side + spare), "ylim": (y - spare, y + side + spare)}


def _rim(axes: Axes, x: float, y: float, radius: float) -> Points:
    """Return the rim of a dot whose radius is in points, for names to stand beside."""
    turn = np.linspace(0, 2 * np.pi, 25)
    step = radius * axes.figure.dpi / 72
    middle = axes.transData.transform((x, y))
    rim = axes.transData.inverted().transform(middle + step * np.column_stack([np.cos(turn), np.sin(turn)]))
    return rim[:, 0], rim[:, 1]

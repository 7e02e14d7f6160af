"""What a threshold does: reviews, tables of choices, scores on both sides of it, and groups."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from isocost.curves import RocCurve
from isocost.curves.roc import is_path, points_at
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.data.counts import ScoreCounts
from isocost.decide import Choice, ReviewChoice
from isocost.decide.cascade import CascadeChoice
from isocost.groups.results import GroupDecision, ParityChoice, PriceCurve
from isocost.numbers import shorten, threshold
from isocost.plots.display import Display, ModelsDisplay, Sheet, alike
from isocost.plots.labels import Points, Tag, legend_below
from isocost.plots.style import AXIS_LABELS, DASHED, FAINT, HATCHES, INK, MUTED, PALETTE, settle, text_size


class ReviewBarDisplay(Display, kind=ReviewChoice | CascadeChoice, several=True, artist=Rectangle):
    """The shares of all cases that are cleared, reviewed (or asked about) and flagged, one bar per model.

    Parameters
    ----------
    choices : ReviewChoice or several of them, or CascadeChoice or several of them

    Examples
    --------
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], name="demo")
    >>> band = ic.decide.review_band(curve, ic.Condition(), cost_review=0.1)
    >>> ic.plots.ReviewBarDisplay(band).plot().ax_.get_xlabel()
    'share of all cases (%)'
    """

    choices: Any

    def _prepare(self) -> None:
        alike(map(type, self.made), "reviews and cascades cannot share a figure: their answers differ")
        self._size = (5.0, 1.2 + 0.5 * len(self.made))

    def _draw(self, sheet: Sheet) -> None:
        axes, size = sheet.axes, text_size(sheet.axes, 0.9)
        looks: list[dict[str, Any]] = [
            {"facecolor": colour, "alpha": 0.35, "hatch": hatch, "edgecolor": colour, "linewidth": 0.8} | sheet.style
            for colour, hatch in zip((PALETTE[0], PALETTE[1], MUTED), HATCHES, strict=False)
        ]
        for i, choice in enumerate(self.made):
            left = 0.0
            for row, look in zip(choice.answers, looks, strict=False):
                share = 100 * row["share"]
                axes.add_patch(Rectangle((left, i - 0.32), share, 0.64, **look))
                if share >= 7:
                    sheet.write(f"{share:.3g} %", left + share / 2, i, ha="center", va="center", fontsize=size)
                left += share
        axes.set(xlim=(0, 100), ylim=(len(self.made) - 0.5, -0.5))
        sheet.label("share of all cases (%)", "")
        names = [choice.model or "" for choice in self.made]
        axes.set_yticks(range(len(names)), names, fontsize=size, parse_math=False)
        axes.tick_params(axis="y", length=0)
        answers = [row["answer"] for row in self.made[0].answers]
        legend_below(axes, [(Patch(**look), answer) for look, answer in zip(looks, answers, strict=False)])


class ScoresDisplay(Display, kind=ScoreCounts | RocCurve, size=(4.8, 3.2), artist=Rectangle):
    """Histograms of the scores: positives upwards, negatives downwards, each as shares of its class.

    Parameters
    ----------
    counts : ScoreCounts or RocCurve
        A curve built from scores stands for its counts.
    threshold : float or Choice, optional
        Draw it, and say which shares of the two classes it flags.
    bins : int
        Bins of equal width from the lowest to the highest finite score; infinite scores are counted in the outermost ones.
        A bucket of scores is one tied score, at its end.

    Examples
    --------
    >>> counts = ic.ScoreCounts.from_arrays([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> display = ic.plots.ScoresDisplay(counts, threshold=0.6, bins=7).plot()
    >>> display.ax_.get_title(), display.ax_.texts[1].get_text()
    ('flag scores ≥ 0.6', 'negatives: 50 % flagged')
    """

    counts: Any
    _: KW_ONLY
    threshold: Any = None
    bins: int = 40

    def _prepare(self) -> None:
        curve = self.counts
        if isinstance(curve, ScoreCounts):
            checks.both_classes(
                curve.positives.any(), curve.negatives.any(), "counts", "a histogram shows shares of both"
            )
            curve = RocCurve.from_counts(curve)
        scores = curve.thresholds[1:] if is_path(curve) and not np.isnan(curve.thresholds).any() else None
        otherwise = "the curve was not built from scores: nothing to draw a histogram of"
        self.scores: Floats = checks.needed(scores, otherwise)
        checks.some(self.scores[np.isfinite(self.scores)], "axis of finite scores", "all scores are infinite")
        self.curve, classes = curve, (curve.tp, curve.fp)
        self.positives, self.negatives = (np.diff(counted) / counted[-1] for counted in classes)
        self._cut = ""
        if self.threshold is not None:
            # A choice brings its threshold in words; a number is written as it was given.
            below = self.threshold.below if isinstance(self.threshold, Choice) else -np.inf
            self.threshold = checks.number(getattr(self.threshold, "threshold", self.threshold), "threshold")
            self._cut = f"flag scores ≥ {threshold(self.threshold, below)}"
        self.bins = checks.whole(self.bins, "bins", low=1, high=10_000)

    def _draw(self, sheet: Sheet) -> None:
        axes, finite = sheet.axes, self.scores[np.isfinite(self.scores)]
        low, high = float(finite.min()), float(finite.max())
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = np.linspace(low, high, self.bins + 1)
        inside = np.clip(self.scores, low, high)
        up, down = (np.histogram(inside, edges, weights=100 * w)[0] for w in (self.positives, self.negatives))
        middle, width = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        for bars, colour, hatch in ((up, PALETTE[1], HATCHES[1]), (-down, PALETTE[0], "")):
            axes.bar(middle, bars, width, color=colour, hatch=hatch, edgecolor="white", linewidth=0.3, **sheet.style)
        axes.axhline(0, color=INK, linewidth=0.8)
        reach = 1.25 * max(up.max(), down.max())
        # A threshold at the highest score is not to be taken for the frame.
        pad = 0.015 * (high - low)
        axes.set(xlim=(low - pad, high + pad), ylim=(-reach, reach))
        name = getattr(self.counts, "name", None)
        title = ": ".join(part for part in (shorten([str(name or "")])[0], self._cut) if part)
        sheet.label("score", "share of the class in a bin (%)")
        sheet.title(title)
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
        cut = np.inf if self.threshold is None else self.threshold
        # Each class is named in a corner that it and the line leave free: positives tend to the right, negatives to the left.
        corners = (0.98, 0.98) if low < cut < (low + high) / 2 else (0.02, 0.02) if cut < high else (0.02, 0.98)
        at = points_at(self.curve, cut)
        for text, rate, x, y, va in (
            ("positives", self.curve.tpr[at], corners[0], 0.97, "top"),
            ("negatives", self.curve.fpr[at], corners[1], 0.03, "bottom"),
        ):
            share = "" if self.threshold is None else f": {100 * float(rate):.3g} % flagged"
            side: dict[str, Any] = {"ha": "left" if x < 0.5 else "right", "va": va, "transform": axes.transAxes}
            sheet.write(text + share, x, y, fontweight="bold", **side)
        if self.threshold is not None:
            line = float(np.clip(cut, low, high))
            axes.axvline(line, color=INK, linewidth=1.1, linestyle=DASHED)
            # Panels that share the axis may reach further.
            axes.axvspan(line, high + 9 * (high - low), color=INK, alpha=0.06, linewidth=0, zorder=0)


_WORDS = {"tpr": "equal tpr", "fpr": "equal fpr", "flagged": "equal flagged share", "odds": "equal odds"}


class PriceCurveDisplay(ModelsDisplay, kind=PriceCurve):
    """What equal rates cost per case against the tolerance; each line ends where they cost nothing.

    Parameters
    ----------
    curves : PriceCurve or several of them
        Of one set of groups, such as one for each criterion.

    Examples
    --------
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 1, 2], ["a"] * 3 + ["b"] * 3)
    >>> groups.prices(ic.Condition(), criterion="tpr").plot().ax_.get_xlabel()
    'tolerance (percentage points)'
    """

    _labels = ("tolerance (percentage points)", "price per 1000 cases")

    curves: Any

    def _names(self) -> list[str]:
        return [_WORDS[one.criterion] for one in self.made]

    def _cost(self, one: PriceCurve) -> float:
        return float(one.price[0])

    def _line(self, one: PriceCurve) -> Points:
        return np.append(100 * one.tolerance, self._right()), np.append(1000 * one.price, 0.0)

    def _right(self) -> float:
        return 110 * max(float(one.tolerance[-1]) for one in self.made) or 10.0

    def _surround(self, sheet: Sheet) -> None:
        top = 1000 * max(self._cost(one) for one in self.made)
        sheet.axes.set(xlim=(0, self._right()), ylim=(0, 1.08 * top or 1.0))


class GroupsDisplay(Display, kind=GroupDecision | ParityChoice, size=(4.4, 4.2)):
    """The operating point of every group in ROC space, sized by the group's share of cases; arrows lead from one rule to another.

    Parameters
    ----------
    decision : GroupDecision or ParityChoice
    versus : GroupDecision or ParityChoice, optional
        Where the arrows begin: the same groups under another rule.

    Examples
    --------
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 1, 2], ["a"] * 3 + ["b"] * 3)
    >>> groups.decide(ic.Condition()).plot().ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    decision: Any
    _: KW_ONLY
    versus: Any = None

    def _prepare(self) -> None:
        if self.versus is not None:
            checks.instance(self.versus, "versus", self._kind, "a GroupDecision or a ParityChoice")
            groups = [frozenset(made.groups) for made in (self.decision, self.versus)]
            alike(groups, "versus must be about the same groups")

    def _draw(self, sheet: Sheet) -> None:
        axes, seen = sheet.axes, [self.decision] if self.versus is None else [self.decision, self.versus]
        places = [(choice.fpr, choice.tpr) for made in seen for choice in made.groups.values()]
        axes.set(**_around(np.array(places, dtype=np.float64)), aspect="equal")
        sheet.label(AXIS_LABELS["fpr"], AXIS_LABELS["tpr"])
        axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8, linestyle=":", gid="diagonal")
        settle(axes)
        for name, choice in self.decision.groups.items():
            if np.isnan(choice.fpr) or np.isnan(choice.tpr):
                continue  # a group with one class only has no place in ROC space
            own = {"marker": "o", "markersize": 4 + 14 * choice.share**0.5, "alpha": 0.8, "color": PALETTE[0]}
            axes.plot([choice.fpr], [choice.tpr], gid=f"group {name}", **(own | sheet.style))
            if self.versus is not None:
                before = self.versus.groups[name]
                arrow = {"arrowstyle": "->", "color": PALETTE[1], "linewidth": 1.2}
                axes.annotate("", (choice.fpr, choice.tpr), (before.fpr, before.tpr), arrowprops=arrow)
                sheet.ink.append(([before.fpr, choice.fpr], [before.tpr, choice.tpr]))
            sheet.tags.append(Tag(name, _rim(axes, choice.fpr, choice.tpr, own["markersize"] / 2), INK))
        if len(sheet.tags) <= 12:
            sheet.name(share=0.95)
        else:
            sheet.title(f"{len(sheet.tags)} groups", 1.0)


def _around(points: Floats) -> dict[str, tuple[float, float]]:
    """Return limits of a square around the points: groups lie close together, and all of ROC space would crowd their names."""
    points = points[np.isfinite(points).all(axis=1)]
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
    side = min(float((high - low).max()) + 0.2, 1.0)
    (x, y), spare = np.clip((low + high - side) / 2, 0, 1 - side).tolist(), 0.02 * side
    return {"xlim": (x - spare, x + side + spare), "ylim": (y - spare, y + side + spare)}


def _rim(axes: Axes, x: float, y: float, radius: float) -> Points:
    """Return the rim of a dot whose radius is in points, for names to stand beside."""
    turn = np.linspace(0, 2 * np.pi, 25)
    step = radius * axes.figure.dpi / 72
    middle = axes.transData.transform((x, y))
    rim = axes.transData.inverted().transform(middle + step * np.column_stack([np.cos(turn), np.sin(turn)]))
    return rim[:, 0], rim[:, 1]

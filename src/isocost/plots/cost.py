"""Cost space: curves, bands and resamples, differences, regrets and winners, alone and next to ROC space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch, Rectangle
from matplotlib.transforms import ScaledTranslation

from isocost import numbers
from isocost.compare import Comparison, Regret
from isocost.compare.winners import Win
from isocost.conditions import Condition, Conditions
from isocost.curves import CostCurve, CostDecomposition, RocCurve, cost_curve
from isocost.curves.cost import from_pieces, line, place_of, trivial_curve
from isocost.curves.roc import prevalence_or
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide import Question
from isocost.decide.decision import decide
from isocost.inference import Band, Bootstrap
from isocost.numbers import shorten
from isocost.plots.display import Display, LinesDisplay, PairDisplay, Sheet, SpaceDisplay, alike, polyline, several
from isocost.plots.labels import Points, cut_text, legend_below
from isocost.plots.roc import RocDisplay
from isocost.plots.style import AXIS_LABELS, DASHED, FAINT, INK, MUTED, PALETTE, Look, looks, looks_of, text_size

_IN_WORDS = {"always-negative": "flag nobody", "always-positive": "flag everybody"}
_PALE = "#dddddd"
_TRIVIAL = {"always-negative": Look(_PALE, "-", "", 1.0), "always-positive": Look(_PALE, "-", "-----", 1.0)}


class WinnersDisplay(Display, kind=Win, several=True, size=(5.0, 1.5), artist=Rectangle, keeps_height=True):
    """A strip that says which model, or which trivial classifier, is cheapest at each condition.

    Parameters
    ----------
    winners : list of Win
        From `Comparison.winners()`.
    names : sequence of str, optional
        The models, in the order that sets their colours and dashes; by default those of the comparison.
    """

    winners: Any
    _: KW_ONLY
    names: Sequence[str] | None = None
    highlight: Sequence[str] | None = None
    prevalence: float | None = None

    def _prepare(self) -> None:
        models = getattr(self.given, "models", None)
        won = dict.fromkeys(win.name for win in self.made if win.name not in _IN_WORDS)
        self.names = list(self.names or models or won)
        lost = [-sum(map(_width, (win for win in self.made if win.name == name))) for name in self.names]
        self.looks = dict(zip(self.names, looks_of(self.names, lost, self.highlight), strict=True))

    def _draw(self, sheet: Sheet) -> None:
        axes = sheet.axes
        axes.set(ylim=(0, 1), yticks=[])
        axes.spines[["left", "right", "top"]].set_visible(False)
        sheet.conditions("pcf", "", self.prevalence)
        _draw_strip(sheet, self.winners, self.looks, 0.05, 0.9, **sheet.style)
        sheet.title("cheapest at each condition", 1.0, loc="left")
        # Each name once, in its widest stretch; or all names in a legend if one does not fit.
        names = list(dict.fromkeys(win.name for win in self.made))
        short = shorten([_IN_WORDS.get(name, name) for name in names])
        box = {"facecolor": "white", "alpha": 0.85, "linewidth": 0, "boxstyle": "square,pad=0.15"}
        fits = []
        for name, text in zip(names, short, strict=True):
            widest = max((win for win in self.made if win.name == name), key=_width)
            at, size = 1 - (widest.t_low + widest.t_high) / 2, text_size(axes, 0.95)
            sheet.write(text, at, 0.5, ha="center", va="center", bbox=box, zorder=5, fontsize=size)
            fits.append(axes.texts[-1].get_window_extent().width <= _width(widest) * axes.bbox.width - 6)
        if not all(fits):
            for text in [*axes.texts]:
                text.remove()
            # From left to right: winners come in the order of t, which runs against pcf.
            looks = [(self.looks | _TRIVIAL)[name] for name in names]
            entries = [(Patch(**_face(look)), text) for text, look in zip(short, looks, strict=True) if look.named]
            others = [(Patch(facecolor=FAINT), f"{len(names) - len(entries)} other models")]
            legend_below(axes, [*reversed(entries), *(others if len(entries) < len(names) else ())])


def _width(win: Win) -> float:
    return win.t_high - win.t_low


def _draw_strip(
    sheet: Sheet, winners: Sequence[Any], seen: dict[str, Look], bottom: float, height: float, **style: Any
) -> None:
    """Draw one rectangle for each stretch; models are distinguished by colour and hatch, trivial classifiers are pale."""
    for win in winners:
        face = _face((_TRIVIAL | seen)[win.name]) | style
        sheet.axes.add_patch(Rectangle((1 - win.t_high, bottom), _width(win), height, zorder=3, **face))


def _face(look: Look) -> dict[str, Any]:
    edge = MUTED if look.colour == _PALE else "white"
    return {"facecolor": look.colour, "edgecolor": edge, "hatch": look.hatch, "linewidth": 0.6}


class DifferenceDisplay(Display, kind=CostCurve | Band, size=(5.0, 3.4), cites="Drummond & Holte 2006"):
    """The difference of two cost curves, with its band and a bar where it is significant.

    Below the line of 0 the first model is cheaper, above it the second.

    Parameters
    ----------
    difference : CostCurve or Band
        From `Comparison.difference(a, b)`: cost of a minus cost of b; or from `Bootstrap.difference(a, b)`: its estimate is then the
        line, with bars along the frame where its band says that the difference is significant.
    names : (str, str), optional
        The two models; by default from the name of the difference, "a − b".
    significant : bool
        Draw these bars.

    Examples
    --------
    >>> ic.plots.DifferenceDisplay(comparison.difference("naive_bayes", "random_forest")).names
    ('naive_bayes', 'random_forest')
    """

    difference: Any
    _: KW_ONLY
    names: Any = None
    significant: bool = True
    prevalence: float | None = None

    def _prepare(self) -> None:
        band = self.given if isinstance(self.given, Band) else None
        self.band, self.bars = band, band.significant() if band is not None and self.significant else []
        if band is not None:
            # Straight between the conditions at which the estimate is known.
            self.difference = from_pieces(band.pcf, band.centre[:-1], band.centre[1:], name=" − ".join(band.names))
        named = (self.difference.name or "").split(" − ")
        self.names = self.names or (named if len(named) == 2 else ("the first", "the second"))
        self.names = checks.one_each(checks.names(self.names, "model"), "names", 2, "models")

    def _draw(self, sheet: Sheet) -> None:
        axes, band = sheet.axes, self.band
        x, y = polyline(self.difference)
        edges: list[Floats] = []
        if band is not None:
            edges = [band.low, band.high]
            sheet.shade(band.pcf, band.low, band.high, MUTED, alpha=0.25)
            if self.bars:
                sheet.title(f"bars: significant ({100 * band.level:.4g} %, {band.kind})", 0.95, loc="right")
            for edge in edges:
                sheet.aside(band.pcf, edge, linewidth=0.6, linestyle="-")
        axes.axhline(0, color=INK, linewidth=0.9, zorder=2)
        axes.plot(x, y, **{"color": INK, "linewidth": 1.6, "zorder": 3, **sheet.style})
        reach = 1.6 * max(*(float(np.max(np.abs(v))) for v in (y, *edges)), numbers.ROUNDING)
        axes.set_ylim(-reach, reach)
        short, size = shorten(self.names, 18), text_size(axes)
        sheet.conditions(self.difference.axis, f"cost of {short[0]} − cost of {short[1]}", self.prevalence)
        # The first model below the line of 0, the second above: name, shade, and a bar beside the name where it is better.
        for i, (height, inset, side) in enumerate([(0, 3, "bottom"), (1, -3, "top")]):
            sheet.shade(x, 0, np.where(np.sign(y) == 2 * i - 1, y, 0.0), PALETTE[i], alpha=0.25)
            axes.annotate(
                f"{short[i]} cheaper", (0, height), xycoords="axes fraction", xytext=(3, inset), textcoords="offset points",
                fontsize=size, va=side, color=INK, parse_math=False,
            )  # fmt: skip
            shift = ScaledTranslation(0, (1 - 2 * i) * (8 + 1.3 * size) / 72, axes.figure.dpi_scale_trans)
            for bar in self.bars:
                if (str(bar.better) != self.names[0]) == i:
                    axes.plot(
                        [1 - bar.t_high, 1 - bar.t_low], [height] * 2, color=PALETTE[i], linewidth=5,
                        transform=axes.get_xaxis_transform() + shift, solid_capstyle="butt", gid="significant",
                    )  # fmt: skip


class RegretDisplay(SpaceDisplay, kind=Regret, size=(5.0, 3.6), labels=("pcf", "extra cost (normalised)"), sided=False):
    """The extra cost of a model, or of a model with one threshold, at every condition; a dot marks the worst.

    Parameters
    ----------
    regrets : Regret or several of them
        From `Comparison.regret`.

    Examples
    --------
    >>> display = ic.plots.RegretDisplay(list(map(comparison.regret, comparison.names))).plot()
    >>> display.ax_.get_ylabel()
    'extra cost (normalised)'
    """

    regrets: Any

    def _names(self) -> list[str]:
        cuts = [np.nan if one.threshold is None else one.threshold for one in self.made]
        pairs = zip(self.made, cuts, strict=True)
        return [one.name if np.isnan(cut) else f"{one.name} ≥ {numbers.threshold(cut)}" for one, cut in pairs]

    def _cost(self, one: Regret) -> float:
        return one.mean

    def _line(self, one: Regret) -> Points:
        return polyline(one.curve)

    def _surround(self, sheet: Sheet) -> None:
        top = max(one.curve.maximum for one in self.made)
        # Rounding is no regret, and an axis needs a height.
        sheet.axes.set_ylim(0, 1.12 * top if top > numbers.ROUNDING else 0.1)
        for one, look in self._named():
            sheet.dot(1 - one.worst_t, one.worst, color=look.colour, markersize=4)


class BandDisplay(SpaceDisplay, kind=Band):
    """Bands for the cost of one model or several: the estimate as a line, its limits as a shade.

    Parameters
    ----------
    bands : Band or several of them
        From `Bootstrap.band`, all of one level and kind.

    Examples
    --------
    >>> band = ic.inference.bootstrap_confusion({"tree": (16, 4, 4, 6)}).band("tree", level=0.9)
    >>> ic.plots.BandDisplay(band).plot().ax_.get_title()
    '90 % pointwise bands'
    """

    bands: Any

    def _prepare(self) -> None:
        super()._prepare()
        kinds = {(band.level, band.kind) for band in self.made}
        alike(kinds, f"bands of one level and kind make one figure, got {len(kinds)} different ones")

    def _names(self) -> list[str]:
        return [" − ".join(band.names) for band in self.made]

    def _cost(self, one: Band) -> float:
        return float(np.mean(one.centre))

    def _line(self, one: Band) -> Points:
        return one.pcf, one.centre

    def _surround(self, sheet: Sheet) -> None:
        top = max(float(np.max(band.high)) for band in self.made)
        low = min(0.0, *(float(np.min(band.low)) for band in self.made))
        sheet.axes.set_ylim(1.04 * low, 1.04 * max(top, 0.5))
        sheet.title(f"{100 * self.made[0].level:.4g} % {self.made[0].kind} bands")
        for band, look in self._named():
            sheet.shade(band.pcf, band.low, band.high, look.colour, hatch=look.hatch)
            for edge in (band.low, band.high):
                sheet.aside(band.pcf, edge, color=look.colour, linewidth=0.5, linestyle=look.dash, gid="edge")


# Enough of the resamples to keep names off all of them.
_AVOIDED = 20


class BootstrapDisplay(SpaceDisplay, kind=Bootstrap, several=False):
    """The cost curves of the resamples, thin, behind the curve of the data: they show how much the answer depends on the cases at hand.

    Thresholds are best on the resample itself; for limits that correct for that, draw `Bootstrap.band`.

    Parameters
    ----------
    bootstrap : Bootstrap
    names : sequence of str, optional
        Which models; all by default.
    resamples : int
        How many of the resamples to draw, from the first on; with more than six models, only those of the best five.

    References
    ----------
    Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 8.

    Examples
    --------
    >>> y, scores = [1, 1, 0, 1, 0] * 10, [0.9, 0.8, 0.7, 0.6, 0.2] * 10
    >>> display = ic.bootstrap(y, {"demo": scores}, n_resamples=50).plot(resamples=20)
    >>> len(display.ax_.collections[0].get_segments())
    20
    """

    bootstrap: Bootstrap
    _: KW_ONLY
    names: Any = None
    resamples: int = 100

    def _prepare(self) -> None:
        found = self.bootstrap.replicates
        self.resamples = checks.whole(self.resamples, "resamples", low=1)
        coloured = self.names if self.highlight is None else self.highlight
        self.names = [checks.choice(name, "model", found) for name in self.names or found]
        # Of some models, each looks as it does among all.
        every = looks_of(list(found), [float(np.mean(one.apparent)) for one in found.values()], coloured)
        self.looks = [dict(zip(found, every, strict=True))[name] for name in self.names]
        self.made = [found[name] for name in self.names]

    def _line(self, one: Any) -> Points:
        return self.bootstrap.pcf, one.apparent

    def _surround(self, sheet: Sheet) -> None:
        pcf, drawn = self.bootstrap.pcf, [one.own[: self.resamples] for one in self.made]
        sheet.axes.set_ylim(0, 1.04 * max(0.5, *(float(costs.max()) for costs in drawn)))
        sheet.title(f"{min(len(costs) for costs in drawn)} resamples")
        for one, look in self._named():
            costs = one.own[: self.resamples]
            _draw_thin(sheet, [(pcf, cost) for cost in costs], look.colour, 0.2)
            sheet.ink += [(pcf, cost) for cost in costs[:_AVOIDED]]


def _draw_thin(sheet: Sheet, lines: Sequence[Points], colour: str, alpha: float, **own: Any) -> None:
    """Draw many thin lines, which do not widen the axes."""
    segments = [np.column_stack(points) for points in lines]
    thin = LineCollection(segments, colors=colour, linewidths=0.4, alpha=alpha, **own)
    sheet.axes.add_collection(thin, autolim=False)


# More lines than this only make a grey wedge.
_MOST_LINES = 300


class CostDisplay(SpaceDisplay, kind=CostCurve, cites="Drummond & Holte 2006"):
    """Cost space: the cost of one model or several over all conditions, each under its way of choosing thresholds.

    Parameters
    ----------
    curves : CostCurve or several of them, or a Comparison
        From `cost_curve` with any method, or any other cost curve; all on the same axis. A comparison brings its condition and winners.
    lines : RocCurve or several of them, optional
        Draw the line of every operating point faintly, at most 300 in all; together they bound the envelope.
    condition : Condition or Conditions, optional
        Draw a vertical line there, with a dot on the cheapest curve; of uncertain conditions, shade the range.
    bands : Band or several of them, optional
        Shade the band around the curve of the same name.
    winners : list of Win, optional
        Draw a strip along the bottom: who is cheapest where.
    names : sequence of str, optional
        What to call the curves; by default as their models.

    Examples
    --------
    >>> display = ic.plots.CostDisplay(ic.cost_curve(curve), lines=curve, prevalence=0.1).plot()
    >>> display.ax_.get_ylabel()
    'normalised cost'
    """

    curves: Any
    _: KW_ONLY
    lines: Any = None
    condition: Condition | Conditions | None = None
    bands: Any = None
    winners: Sequence[Any] | None = None
    names: Any = None

    def __post_init__(self) -> None:
        """Take the curves of a comparison, its condition and its winners."""
        if isinstance(of := self.curves, Comparison):
            self.curves = [cost_curve(curve) for curve in of.curves]
            self.condition = of.condition if self.condition is None else self.condition
            self.winners = of.winners() if self.winners is None else self.winners
        super().__post_init__()

    def _prepare(self) -> None:
        first = self.made[0]
        axes = sorted({f"{curve.axis} (prevalence {curve.prevalence})" for curve in self.made})
        alike(axes, f"curves on different axes cannot share a figure: {' and '.join(axes)}")
        self._trivial = trivial_curve(first.axis, first.prevalence)
        self.at = place_of(first, self.condition) if isinstance(self.condition, Condition) else None
        super()._prepare()
        if first.axis != "pcf":
            why = f"is known on the pcf axis, got curves on {first.axis}"
            checks.left_out(why, bands=self.bands, winners=self.winners)
            pi = 0.5 if first.prevalence is None else first.prevalence
            self._labels = (first.axis, f"cost per case, costs adding up to 2 ({100 * pi:.3g} % positive)")
        self.lines = [] if self.lines is None else several(self.lines, RocCurve, "lines")
        self.bands = [] if self.bands is None else several(self.bands, Band, "bands")
        self.winners = None if self.winners is None else several(self.winners, Win, "winners")

    def _names(self) -> list[str]:
        return checks.one_each(self.names or super()._names(), "names", len(self.made), "curves")

    def _cost(self, one: CostCurve) -> float:
        return one.area() if self.at is None else float(one(self.at))

    def _surround(self, sheet: Sheet) -> None:
        axes, seen = sheet.axes, dict(zip(self.names, self.looks, strict=True))
        top = 1.04 * max(curve.maximum for curve in (*self.made, self._trivial))
        lowest = min(0.0, *(curve.minimum for curve in self.made))
        axes.set_ylim(1.04 * lowest if self.winners is None else -0.1 * top, top)
        self._draw_lines(sheet)
        for i, band in enumerate(self.bands):
            look = seen.get(" − ".join(band.names), self.looks[min(i, len(self.looks) - 1)])
            if look.named:
                sheet.shade(band.pcf, band.low, band.high, look.colour, alpha=0.16, zorder=2)
        if isinstance(self.condition, Conditions):
            sheet.condition((1 - self.condition.high, 1 - self.condition.low), top)
        elif self.at is not None:
            sheet.condition(self.at, top)
            cheapest = min(float(curve(self.at)) for curve in self.made)
            sheet.dot(self.at, cheapest, f"cost {cheapest:.3g}")
        if self.winners is not None:
            _draw_strip(sheet, self.winners, seen, -0.085 * top, 0.06 * top)
            sheet.ink += [((0, 1), (height * top,) * 2) for height in (-0.03, -0.055, -0.08)]
            # As a tick, so that the label of the axis keeps clear of it.
            axes.set_yticks([-0.055 * top], ["cheapest"], minor=True, fontsize=text_size(axes, 0.8), color=MUTED)
            axes.tick_params(axis="y", which="minor", length=0)

    def _draw_lines(self, sheet: Sheet) -> None:
        axis, prevalence = self.made[0].axis, self.made[0].prevalence
        for roc in self.lines:
            count = min(len(roc), _MOST_LINES // len(self.lines))
            at = np.unique(np.linspace(0, len(roc) - 1, count).astype(int))
            rates = [(float(roc.fpr[i]), float(roc.tpr[i])) for i in at]
            drawn = [polyline(line(*pair, axis=axis, prevalence=prevalence)) for pair in rates]
            _draw_thin(sheet, drawn, FAINT, float(np.clip(30 / count / len(self.lines), 0.1, 0.6)), zorder=1)


class DualityDisplay(PairDisplay, cites="Drummond & Holte 2000"):
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
    prevalence, winners : optional
        As in `CostDisplay`.

    Examples
    --------
    >>> curve = ic.RocCurve.from_points([0.1, 0.4], [0.5, 0.9], name="two points")
    >>> roc, cost = ic.plots.DualityDisplay(curve).plot().ax_
    >>> cost.get_xlabel()
    'share of the worst cost that misses carry (pcf)'
    """

    curves: Any
    _: KW_ONLY
    condition: Condition | None = None
    lines: bool = False
    thresholds: bool = False
    prevalence: float | None = None
    winners: Sequence[Any] | None = None
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        both: dict[str, Any] = {"condition": self.condition, "highlight": self.highlight}
        self.roc = RocDisplay(self.curves, thresholds=self.thresholds, **both)
        lines = self.roc.curves if checks.flag(self.lines, "lines") else None
        costs = [cost_curve(curve) for curve in self.roc.curves]
        self.cost = CostDisplay(costs, lines=lines, prevalence=self.prevalence, winners=self.winners, **both)

    def _draw(self, left: Sheet, right: Sheet) -> None:
        # Cost space has the larger margins: once they are known, the layout hardly moves.
        self.cost.plot(right.axes, **right.style)
        self.roc.plot(left.axes, **left.style)


# Beyond these the point that all rules share would squeeze the rest of cost space.
_FURTHEST = (-3.0, 4.0)


class WorkforceDisplay(PairDisplay, cites="Drummond & Holte 2000, figures 13 and 14"):
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

    Examples
    --------
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> display = ic.plots.WorkforceDisplay([a, b], 0.3, prevalence=0.2)
    >>> display.rule
    'b ≥ 0.2 for 37.5 % of the cases, else a ≥ 0.7'
    """

    models: Any
    flagged: Any = None
    _: KW_ONLY
    prevalence: Any = None
    highlight: Sequence[str] | None = None

    def _prepare(self) -> None:
        self.flagged = checks.needed(self.flagged, "say which share of all cases can be looked at, such as flagged=0.1")
        self.flagged = checks.inner_rate(self.flagged, "flagged")
        models = [self.models] if isinstance(self.models, RocCurve) else self.models
        self.comparison = models if isinstance(models, Comparison) else Comparison(models)
        self.prevalence = checks.inner_rate(prevalence_or(self.comparison.curves[0], self.prevalence), "prevalence")
        self.hull = self.comparison.hybrid()
        question = Question.of(max_flagged=self.flagged, prevalence=self.prevalence, randomised=True)
        self.choice = decide(self.comparison.curves, question)
        drawn: dict[str, Any] = {"prevalence": self.prevalence, "highlight": self.highlight}
        self.roc = RocDisplay(self.comparison, rates=(self.flagged,), **drawn)
        self.envelopes = [cost_curve(curve) for curve in self.comparison.curves]
        self.looks = self.roc.looks

    @property
    def rule(self) -> str:
        """The rule that fills the workforce, in words."""
        return self._rule(self.comparison.names)

    def _rule(self, names: Sequence[str]) -> str:
        choice, shown = self.choice, dict(zip(self.comparison.names, names, strict=True))

        def part(of: Any) -> str:
            if of.model not in shown or not np.isfinite(of.threshold):
                return str(shown.get(of.model, of.model))
            return f"{shown[of.model]} ≥ {cut_text(self.comparison[of.model], of.threshold)}"

        if choice.one is None or choice.share is None:
            return part(choice)
        return f"{part(choice.other)} for {100 * choice.share:.3g} % of the cases, else {part(choice.one)}"

    @property
    def virtual(self) -> tuple[float, float] | None:
        """The point of cost space through which the cost lines of all rules that fill the workforce pass; None at prevalence 0.5."""
        pi = self.prevalence
        # Of a line with slope s through (0, i) it is pcf 1/(1 + s), cost (1 - i)·pcf.
        rest = 2 * pi - 1
        return None if rest == 0 else (pi / rest, (pi - self.flagged) / rest)

    def _draw(self, left: Sheet, right: Sheet) -> None:
        self._draw_costs(right)
        self.roc.plot(left.axes, **left.style)
        hull, mix = self.hull, self.choice
        left.aside(hull.fpr, hull.tpr, color=INK, linewidth=0.8, linestyle=DASHED, zorder=4, gid="joint hull")
        left.dot(mix.fpr, mix.tpr, f"{100 * mix.tpr:.3g} % caught", markersize=6, gid="rule")
        left.ink += [line.get_data() for line in left.axes.lines]
        left.name(share=1.0)
        left.title(self._rule(shorten(self.comparison.names)), 1.0)

    def _draw_costs(self, sheet: Sheet) -> None:
        sheet.models([polyline(envelope) for envelope in self.envelopes], self.looks)
        mix, virtual = self.choice, self.virtual
        # A cost line runs from fpr at pcf 0 to 1 - tpr at pcf 1.
        ends = np.array([0.0, 1.0])
        if virtual is not None and _FURTHEST[0] <= virtual[0] <= _FURTHEST[1]:
            meet = f"all rules that flag {100 * self.flagged:.3g} %\nmeet here"
            sheet.dot(*virtual, meet, bold=False, fillstyle="none", markersize=8, gid="virtual point")
            ends = np.array([min(0.0, virtual[0]), max(1.0, virtual[0])])
            for edge in (0.0, 1.0):
                sheet.axes.axvline(edge, color=MUTED, linewidth=0.7, zorder=1)
        cost, dotted = mix.fpr + ends * (1 - mix.tpr - mix.fpr), (0, (1, 2))
        sheet.aside(ends, cost, "cost of the rule", color=INK, linewidth=1.1, linestyle=dotted, zorder=4, gid="rule")
        sheet.label(AXIS_LABELS["pcf"], AXIS_LABELS["normalised_cost"])
        sheet.name(self.comparison.names)


# What a decomposed cost is, and its two parts, the second of which is shaded.
_PARTS = {
    "rate_driven": ("flagging a quota", "perfect ranking", "ranking errors"),
    "score_driven": ("trusting the scores", "best thresholds", "miscalibration"),
    "parameter_based": ("as parameters say", "best classifiers", "price"),
}


class DecompositionDisplay(LinesDisplay, kind=CostDecomposition, size=(5.0, 3.8)):
    """Total and base of a decomposed cost, with the part between them shaded; every name includes its area.

    Parameters
    ----------
    parts : CostDecomposition
        Rate-driven: perfect ranker + Kendall curve. Score-driven (Brier): refinement + calibration. Parameter-based
        selection: lower envelope + the price of the procedure.

    Examples
    --------
    >>> ic.plots.DecompositionDisplay(ic.curves.rate_driven_decomposition(curve)).names
    ['flagging a quota: 0.173', 'perfect ranking: 0.0933', 'ranking errors: 0.08']
    """

    parts: CostDecomposition

    def _prepare(self) -> None:
        self.made = [self.parts.total, self.parts.base, self.parts.excess]
        named = zip(_PARTS[self.parts.of], self.made, strict=True)
        self.names = [f"{name}: {curve.area():.3g}" for name, curve in named]
        self.looks = looks(range(3))

    def _frame(self, sheet: Sheet) -> None:
        sheet.conditions(self.parts.total.axis, "cost", None)

    def _surround(self, sheet: Sheet) -> None:
        total, base, _ = self.made
        sheet.axes.set_ylim(0, 1.12 * total.maximum)
        # On the breaks of both; only the total may jump.
        x, high = polyline(total + 0.0 * base)
        sheet.shade(x, base(np.clip(x, 0, 1)), high, PALETTE[1], alpha=0.18)
        sheet.title(f"shaded: {_PARTS[self.parts.of][2]}", 0.95, loc="right")

"""Cost space: curves, bands and resamples, differences, regrets and winners, alone and next to ROC space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.transforms import ScaledTranslation

from isocost import numbers
from isocost.compare import Comparison, Mix, Part, Regret
from isocost.compare.classes import ClassWinners, in_words
from isocost.conditions import Condition, Conditions
from isocost.curves import BrierDecomposition, CostCurve, ParameterBased, RateDrivenDecomposition, RocCurve, cost_curve
from isocost.curves.cost import line, trivial_curve
from isocost.data import checks
from isocost.errors import InputError, UnknownNameError
from isocost.inference import Band, Bootstrap
from isocost.numbers import shorten
from isocost.plots.axes import draw_trivial, finish_x, name_trivial, polyline, same_axis
from isocost.plots.display import (
    AXIS_LABELS,
    FAINT,
    INK,
    MUTED,
    PALETTE,
    Display,
    Look,
    Scale,
    given_winners,
    label_axes,
    looks,
    looks_of,
    names_of,
    settle,
    several,
    text_size,
)
from isocost.plots.labels import Points, Tag, cut_text, draw_lines, legend_below, name_lines, place
from isocost.plots.roc import RocDisplay

_IN_WORDS = {"always-negative": "flag nobody", "always-positive": "flag everybody"}
_PALE = "#dddddd"
_TRIVIAL = {"always-negative": Look(_PALE, "-", "", 1.0), "always-positive": Look(_PALE, "-", "-----", 1.0)}


class WinnersDisplay(Display):
    """A strip that says which model, or which trivial classifier, is cheapest at each condition.

    Parameters
    ----------
    winners : list of Win
        From `Comparison.winners()`.
    names : sequence of str, optional
        The models, in the order that sets their colours and dashes; by default those of the comparison.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five that win most.
    unsure : sequence of (t_low, t_high)
        Ranges on which the winner is not separated from the runner-up; they are drawn paler.
    prevalence, scale : optional
        As in `CostDisplay`.

    References
    ----------
    Drummond & Holte (2006), Cost curves, Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.
    """

    _size = (5.0, 1.5)
    _keeps_height = True
    _artist = Rectangle

    def __init__(
        self,
        winners: Sequence[Any],
        *,
        names: Sequence[str] | None = None,
        unsure: Sequence[tuple[float, float]] = (),
        prevalence: float | None = None,
        scale: Scale = "linear",
        highlight: Sequence[str] | None = None,
    ) -> None:
        found = given_winners(winners, "winners")
        self.winners = [] if found is None else list(found)
        if not self.winners:
            raise InputError("winners is empty: nothing to draw")
        if names is None:
            won = dict.fromkeys(win.name for win in self.winners if win.name not in _IN_WORDS)
            names = getattr(winners, "models", list(won))
        self.names, self.unsure = list(names), unsure
        lost = [-sum(win.t_high - win.t_low for win in self.winners if win.name == name) for name in self.names]
        self.looks = dict(zip(self.names, looks_of(self.names, lost, highlight), strict=True))

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        axes.set(ylim=(0, 1), yticks=[])
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        ends = np.array([1 - t for win in self.winners for t in (win.t_low, win.t_high)])
        finish_x(axes, "pcf", scale=self.scale, inner=ends, prevalence=self.prevalence)
        draw_strip(axes, self.winners, self.looks, 0.05, 0.9, **style)
        for low, high in self.unsure:
            axes.axvspan(1 - high, 1 - low, ymin=0.05, ymax=0.95, color="white", alpha=0.6, linewidth=0, zorder=4)
        axes.set_title("cheapest at each condition", fontsize=text_size(axes), loc="left")
        self._write_names(axes)

    def _write_names(self, axes: Axes) -> None:
        """Write each name once, in its widest stretch, or all names in a legend if one does not fit."""
        widest: dict[str, tuple[float, float]] = {}
        for win in self.winners:
            low, high = _within(axes, win)
            at = axes.transData.transform([(low, 0), (high, 0)])[:, 0]
            if win.name not in widest or at[1] - at[0] > np.diff(widest[win.name])[0]:
                widest[win.name] = (float(at[0]), float(at[1]))
        short = dict(zip(widest, shorten([_IN_WORDS.get(name, name) for name in widest]), strict=True))
        size = text_size(axes, 0.95)
        before = len(axes.texts)
        for name, (left, right) in widest.items():
            x = float(axes.transData.inverted().transform(((left + right) / 2, 0))[0])
            box = {"facecolor": "white", "alpha": 0.85, "linewidth": 0, "boxstyle": "square,pad=0.15"}
            text = axes.text(
                x,
                0.5,
                short[name],
                ha="center",
                va="center",
                fontsize=size,
                color=INK,
                parse_math=False,
                bbox=box,
                zorder=5,
            )
            if text.get_window_extent().width > right - left - 6:
                break
        else:
            return
        for text in list(axes.texts[before:]):
            text.remove()
        seen = self.looks | _TRIVIAL
        # From left to right: winners come in the order of t, which runs against pcf.
        entries: list[tuple[Artist, str]] = [
            (Patch(**_face(seen[name])), short[name])
            for name in reversed(widest)
            if name in _IN_WORDS or seen[name].named
        ]
        others = len(widest) - len(entries)
        if others:
            entries.append((Patch(facecolor=FAINT), f"{others} other models"))
        legend_below(axes, entries)


def draw_strip(
    axes: Axes, winners: Sequence[Any], seen: dict[str, Look], bottom: float, height: float, **style: Any
) -> None:
    """Draw one rectangle for each stretch; models are distinguished by colour and hatch, trivial classifiers are pale."""
    for win in winners:
        low, high = _within(axes, win)
        if high > low:
            face = _face((_TRIVIAL | seen)[win.name]) | style
            axes.add_patch(Rectangle((low, bottom), high - low, height, zorder=3, **face))


def _within(axes: Axes, win: Any) -> tuple[float, float]:
    low, high = sorted(axes.get_xlim())
    return max(1 - win.t_high, low), min(1 - win.t_low, high)


def _face(look: Look) -> dict[str, Any]:
    edge = MUTED if look.colour == _PALE else "white"
    return {"facecolor": look.colour, "edgecolor": edge, "hatch": look.hatch, "linewidth": 0.6}


_COLOURS = (PALETTE[0], PALETTE[1])


class DifferenceDisplay(Display):
    """The difference of two cost curves, with its band and a bar where it is significant.

    Below the line of 0 the first model is cheaper, above it the second.

    Parameters
    ----------
    difference : CostCurve or Band
        From `Comparison.difference(a, b)`: cost of a minus cost of b; or from `Bootstrap.difference(a, b)`: its estimate is then the
        line, with its own band and significance unless others are given.
    names : (str, str), optional
        The two models; by default from the name of the difference, "a − b".
    band : Band, optional
        From `Bootstrap.difference(a, b)`, around a curve.
    significant : sequence of (t_low, t_high, better), optional
        From `Bootstrap.significant(a, b)`: drawn as a bar along the top, with the name of the better model.
    prevalence, scale : optional
        As in `CostDisplay`.

    References
    ----------
    Drummond & Holte (2006), Cost curves, Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], name="b")
    >>> display = ic.plots.DifferenceDisplay(ic.Comparison([a, b]).difference("a", "b")).plot()
    >>> display.ax_.get_ylabel()
    'cost of a − cost of b'
    """

    _size = (5.0, 3.4)

    def __init__(
        self,
        difference: CostCurve | Band,
        *,
        names: tuple[str, str] | None = None,
        band: Band | None = None,
        significant: Sequence[Any] | None = None,
        prevalence: float | None = None,
        scale: Scale = "linear",
    ) -> None:
        if isinstance(difference, Band):
            band, line = difference, _through(difference)
        elif isinstance(difference, CostCurve):
            line = difference
        else:
            raise InputError(f"difference must be a CostCurve or a Band, got {type(difference).__name__}")
        if band is not None and len(band.names) != 2:
            raise InputError(f"the band must be that of a difference of two models, got one of {band.names[0]!r}")
        if line.axis != "pcf" and (band is not None or significant):
            raise InputError(f"bands are known on the pcf axis, got a curve on {line.axis}")
        self.difference = line
        found = tuple((line.name or "").split(" − "))
        self.names: tuple[str, ...] = found if len(found) == 2 else ("the first", "the second")
        if names is not None:
            self.names = checks.names(names, "model")
            if len(self.names) != 2:
                raise InputError(f"names must be those of the two models, got {len(self.names)}")
        self.band = band
        if significant is None:
            significant = difference.significant() if isinstance(difference, Band) else ()
        self.significant = list(significant)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        x, y = polyline(self.difference, self.scale)
        values = [y]
        if self.band is not None:
            axes.fill_between(
                self.band.pcf, self.band.low, self.band.high, color=MUTED, alpha=0.25, linewidth=0, zorder=1
            )
            for edge in (self.band.low, self.band.high):
                axes.plot(self.band.pcf, edge, color=MUTED, linewidth=0.6, zorder=2)
                values.append(np.asarray(edge))
        axes.axhline(0, color=INK, linewidth=0.9, zorder=2)
        looks: dict[str, Any] = {"color": INK, "linewidth": 1.6, "zorder": 3}
        axes.plot(x, y, **(looks | style))
        for sign, colour in zip((-1, 1), _COLOURS, strict=True):
            axes.fill_between(
                x, 0, np.where(np.sign(y) == sign, y, 0.0), color=colour, alpha=0.25, linewidth=0, zorder=1
            )
        reach = 1.6 * max(*(float(np.max(np.abs(v))) for v in values), 1e-9)
        axes.set_ylim(-reach, reach)
        finish_x(axes, self.difference.axis, scale=self.scale, inner=self.difference.breaks, prevalence=self.prevalence)
        a, b = shorten(self.names, 18)
        label_axes(axes, x=axes.get_xlabel(), y=f"cost of {a} − cost of {b}")
        axes.yaxis.label.set_parse_math(False)
        size = text_size(axes)
        for name, height, side in ((a, 0, "bottom"), (b, 1, "top")):
            inset = (3, 3 if height == 0 else -3)
            axes.annotate(
                f"{name} cheaper", (0, height), xycoords="axes fraction", xytext=inset, textcoords="offset points",
                fontsize=size, va=side, color=INK, parse_math=False,
            )  # fmt: skip
        self._draw_significance(axes, size)

    def _draw_significance(self, axes: Axes, size: float) -> None:
        """Draw a bar beside the name of the model that is better."""
        low, high = sorted(axes.get_xlim())
        inset = (6 + 1.3 * size + 2) / 72
        for t_low, t_high, better in self.significant:
            first = str(better) == self.names[0]
            shift = ScaledTranslation(0, inset if first else -inset, axes.figure.dpi_scale_trans)
            axes.plot(
                [max(1 - t_high, low), min(1 - t_low, high)], [0 if first else 1] * 2, transform=axes.get_xaxis_transform() + shift,
                color=_COLOURS[0 if first else 1], linewidth=5, solid_capstyle="butt", gid="significant",
            )  # fmt: skip
        if self.significant:
            how = "" if self.band is None else f" ({100 * self.band.level:.4g} %, {self.band.kind})"
            axes.set_title(f"bars: significant{how}", fontsize=text_size(axes, 0.95), loc="right")


def _through(band: Band) -> CostCurve:
    """Return the band's estimate as a curve: straight between the conditions at which it is known."""
    return CostCurve.from_values(band.pcf, band.centre[:-1], band.centre[1:], name=" − ".join(band.names))


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
        self.names = [
            r.name if r.threshold is None or np.isnan(r.threshold) else f"{r.name} ≥ {numbers.threshold(r.threshold)}"
            for r in self.regrets
        ]
        self.looks = looks_of(self.names, [r.mean for r in self.regrets], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = max(regret.curve.maximum for regret in self.regrets)
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
            if look.named:
                axes.plot([1 - regret.worst_t], [regret.worst], "o", color=look.colour, markersize=4, zorder=5)
                dots.append(([1 - regret.worst_t], [regret.worst]))
        name_lines(axes, self.names, drawn, self.looks, dots)


class ClassWinnersDisplay(Display):
    """The cost of every model along one entry of the cost matrix; the bar below shows which is cheapest.

    Parameters
    ----------
    winners : ClassWinners
        From `ClassComparison.along`.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the five that win most.

    Examples
    --------
    >>> import isocost as ic
    >>> models = {"a": [[4, 1], [2, 3]], "b": [[5, 0], [3, 2]]}
    >>> winners = ic.ClassComparison.from_confusion(models).along(ic.CostMatrix([[0, 1], [(0.5, 3), 0]]), (1, 0))
    >>> winners.plot().ax_.get_xlabel()
    'cost of labelling 1 as 0'
    """

    _size = (5.0, 3.6)

    def __init__(self, winners: ClassWinners, *, highlight: Any = None) -> None:
        if not isinstance(winners, ClassWinners):
            raise InputError(f"winners must be ClassWinners, got {type(winners).__name__}")
        self.winners = winners
        shares = winners.shares
        self.names = [name for name in winners.curves if not name.startswith("always ") or name in shares]
        self.looks = looks_of(self.names, [-shares.get(name, 0.0) for name in self.names], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        winners = self.winners
        drawn: list[Points] = []
        for name, look in zip(self.names, self.looks, strict=True):
            curve = winners.curves[name]
            x = np.repeat(curve.breaks, 2)[1:-1]
            y = np.repeat(curve.intercepts, 2) + np.repeat(curve.slopes, 2) * x
            axes.plot(x, y, **look.line(**style))
            drawn.append((x.tolist(), y.tolist()))
        top = max(max(y) for _, y in drawn)
        low = min(0.0, *(min(y) for _, y in drawn))
        bar = 0.05 * (top - low)
        axes.set(xlim=(winners.low, winners.high), ylim=(low - 1.5 * bar, top + bar))
        looks = dict(zip(self.names, self.looks, strict=True))
        for win in winners.wins:
            axes.barh(low - bar, win.high - win.low, 0.8 * bar, left=win.low, color=looks[win.model].colour)
        label_axes(axes, x=f"cost of {in_words(winners.number)}", y="cost per case")
        name_lines(axes, self.names, drawn, self.looks, [])


class BandDisplay(Display):
    """Bands for the cost of one model or several: the estimate as a line, its limits as a shade.

    Parameters
    ----------
    bands : Band or several of them
        From `Bootstrap.band`, all of one level and kind.
    apparent : bool
        Also draw, thin, the cost as read off the data, which is lower: thresholds look best on the cases they were chosen on.
    trivial : bool
        Draw the trivial classifiers.
    prevalence, scale, highlight : optional
        As in `CostDisplay`.

    Examples
    --------
    >>> import isocost as ic
    >>> band = ic.inference.bootstrap_confusion({"tree": (16, 4, 4, 6)}).band("tree", level=0.9)
    >>> ic.plots.BandDisplay(band).plot().ax_.get_title()
    '90 % pointwise bands'
    """

    _size = (5.0, 4.0)

    def __init__(
        self,
        bands: Any,
        *,
        apparent: bool = False,
        trivial: bool = True,
        prevalence: float | None = None,
        scale: Scale = "linear",
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.bands: list[Band] = several(bands, Band, "bands")
        self.apparent = apparent
        kinds = {(band.level, band.kind) for band in self.bands}
        if len(kinds) > 1:
            raise InputError(f"bands of one level and kind make one figure, got {len(kinds)} different ones")
        self.names = [" − ".join(band.names) for band in self.bands]
        self.looks = looks_of(self.names, [float(np.mean(band.centre)) for band in self.bands], highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        top = max(float(np.max(band.high)) for band in self.bands)
        low = min(0.0, *(float(np.min(band.low)) for band in self.bands))
        axes.set_ylim(1.04 * low, 1.04 * max(top, 0.5 if self.trivial else 0.0))
        inner = self.bands[0].pcf
        finish_x(axes, "pcf", scale=self.scale, inner=inner, prevalence=self.prevalence)
        level, kind = self.bands[0].level, self.bands[0].kind
        label_axes(
            axes, x=axes.get_xlabel(), y=AXIS_LABELS["normalised_cost"], title=f"{100 * level:.4g} % {kind} bands"
        )
        ink: list[Points] = []
        if self.trivial:
            ink.append(draw_trivial(axes, scale=self.scale))
        drawn: list[Points] = []
        for band, look in zip(self.bands, self.looks, strict=True):
            if look.named:
                shade: dict[str, Any] = {"color": look.colour, "alpha": 0.15, "linewidth": 0, "zorder": 2}
                axes.fill_between(band.pcf, band.low, band.high, hatch=look.hatch, edgecolor="white", **shade)
                for edge in (band.low, band.high):
                    axes.plot(
                        band.pcf, edge, color=look.colour, linewidth=0.5, linestyle=look.dash, zorder=2, gid="edge"
                    )
                    ink.append((band.pcf, edge))
            if self.apparent:
                axes.plot(band.pcf, band.apparent, color=look.colour, linewidth=0.7, zorder=2, gid="apparent")
            axes.plot(band.pcf, band.centre, **look.line(**({"clip_on": self.scale != "linear"} | style)))
            drawn.append((band.pcf, band.centre))
        if self.trivial:
            name_trivial(axes, [*ink[1:], *drawn], scale=self.scale)
        name_lines(axes, self.names, drawn, self.looks, ink)


# Enough of the resamples to keep names off all of them.
_AVOIDED = 20


class BootstrapDisplay(Display):
    """The cost curves of the resamples, thin, behind the curve of the data: they show how much the answer depends on the cases at hand.

    Thresholds are best on the resample itself; for limits that correct for that, draw `Bootstrap.band`.

    Parameters
    ----------
    bootstrap : Bootstrap
    names : sequence of str, optional
        Which models; all by default.
    resamples : int
        How many of the resamples to draw, from the first on; with more than six models, only those of the best five.
    prevalence, scale : optional
        As in `CostDisplay`.
    highlight : sequence of str, optional
        Of more than six models, those to draw in colour; otherwise those named, or else the cheapest five on average.

    References
    ----------
    Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 8.

    Examples
    --------
    >>> import isocost as ic
    >>> y, scores = [1, 1, 0, 1, 0] * 10, [0.9, 0.8, 0.7, 0.6, 0.2] * 10
    >>> display = ic.bootstrap(y, {"demo": scores}, n_resamples=50).plot(resamples=20)
    >>> len(display.ax_.collections[0].get_segments())
    20
    """

    _size = (5.0, 4.0)

    def __init__(
        self,
        bootstrap: Bootstrap,
        *,
        names: Sequence[str] | None = None,
        resamples: int = 100,
        prevalence: float | None = None,
        scale: Scale = "linear",
        highlight: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(bootstrap, Bootstrap):
            raise InputError(f"bootstrap must be a Bootstrap, got {type(bootstrap).__name__}")
        self.bootstrap = bootstrap
        chosen = bootstrap.names if names is None else [names] if isinstance(names, str) else names
        for name in chosen:
            if name not in bootstrap.names:
                raise UnknownNameError("model", name, bootstrap.names)
        self.names = list(chosen)
        self.resamples = checks.whole(resamples, "resamples", low=1)
        # Of some models, each looks as it does among all.
        everyone = list(bootstrap.names)
        costs = [float(np.mean(bootstrap._models[name].apparent)) for name in everyone]
        coloured = self.names if highlight is None and names is not None else highlight
        looks = dict(zip(everyone, looks_of(everyone, costs, coloured), strict=True))
        self.looks = [looks[name] for name in self.names]

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        pcf = self.bootstrap.pcf
        seen = [(self.bootstrap._models[name], look) for name, look in zip(self.names, self.looks, strict=True)]
        top = max(0.5, *(float(model.own[: self.resamples].max()) for model, _ in seen))
        axes.set_ylim(0, 1.04 * top)
        finish_x(axes, "pcf", scale=self.scale, inner=pcf, prevalence=self.prevalence)
        count = min(self.resamples, *(len(model.own) for model, _ in seen))
        label_axes(axes, x=axes.get_xlabel(), y=AXIS_LABELS["normalised_cost"], title=f"{count} resamples")
        drawn: list[Points] = []
        ink: list[Points] = [draw_trivial(axes, scale=self.scale)]
        for model, look in seen:
            drawn.append((pcf, model.apparent))
            axes.plot(
                pcf, model.apparent, **(look.line(**({"clip_on": self.scale != "linear"} | style)) | _cased(look))
            )
            if not look.named:
                continue
            segments = [np.column_stack([pcf, costs]) for costs in model.own[: self.resamples]]
            thin = LineCollection(segments, colors=look.colour, linewidths=0.4, alpha=0.25, zorder=2)
            axes.add_collection(thin, autolim=False)
            ink += [(pcf, costs) for costs in model.own[: min(self.resamples, _AVOIDED)]]
        name_trivial(axes, [*ink[1:], *drawn], scale=self.scale)
        name_lines(axes, self.names, drawn, self.looks, ink)


def _cased(look: Look) -> dict[str, Any]:
    """Return what keeps a line apart from the crowd of its own colour."""
    return (
        {"path_effects": [withStroke(linewidth=look.width + 1.4, foreground="white")], "zorder": 4}
        if look.named
        else {}
    )


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

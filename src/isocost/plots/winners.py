"""Models compared: which is cheapest where, by how much, and what the wrong choice costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.transforms import ScaledTranslation

from isocost import numbers
from isocost.compare import Regret
from isocost.compare.classes import ClassWinners, in_words
from isocost.curves import CostCurve
from isocost.data import checks
from isocost.errors import InputError
from isocost.inference import Band
from isocost.numbers import shorten
from isocost.plots.axes import finish_x, polyline
from isocost.plots.display import Display, Scale, given_winners, label_axes, text_size
from isocost.plots.labels import Points, legend_below, name_lines
from isocost.plots.style import FAINT, INK, MUTED, PALETTE, Look, looks_of, several

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
    """Draw one rectangle for each stretch; models are told apart by colour and hatch, trivial classifiers are pale."""
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

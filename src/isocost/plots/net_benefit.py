"""Decision curves: net benefit over the threshold probability, with bands if they are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.cost_space import NetBenefitCurve
from isocost.errors import InputError
from isocost.inference import NetBenefitBand
from isocost.plots import buckets
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, Tag, name_lines, place
from isocost.plots.models import looks_of, names_of, several
from isocost.plots.style import MUTED
from isocost.validate import Floats

# Enough that p/(1-p) looks as curved as it is.
_PER_PIECE = 8
_MOST_PIECES = 200


class NetBenefitDisplay(Display):
    """Net benefit of models at each threshold probability, next to flagging everybody and flagging nobody; higher is better.

    Parameters
    ----------
    curves : NetBenefitCurve, NetBenefitBand, or several of one kind
        From `net_benefit_curve` or `net_benefit_band`.
    between : (float, float), optional
        The threshold probabilities to show; if not given, from 0 to where the last model stops being useful.
    best_case : NetBenefitCurve or several of them, optional
        For counts in buckets: the curves of the best case that the buckets allow; `curves` are then those of the worst case. The
        gap between them is shaded, and its width stated.
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the best five.

    References
    ----------
    Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26:565-574, doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> display = ic.plots.NetBenefitDisplay(ic.net_benefit_curve(curve)).plot()
    >>> display.ax_.get_ylabel()
    'net benefit per case'
    """

    _size = (5.0, 3.8)

    def __init__(
        self,
        curves: Any,
        *,
        between: tuple[float, float] | None = None,
        best_case: Any = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        first = next(iter(curves), None) if isinstance(curves, list | tuple) else curves
        kind = NetBenefitBand if isinstance(first, NetBenefitBand) else NetBenefitCurve
        self.curves: list[Any] = several(curves, kind, "curves")
        if len({curve.prevalence for curve in self.curves}) > 1:
            raise InputError("curves of one prevalence make one figure: flagging everybody differs between them")
        self.banded = kind is NetBenefitBand
        self.difference = self.banded and len(self.curves[0].names) == 2
        self.best_case: list[NetBenefitCurve] = buckets.best_cases(best_case, self.curves, NetBenefitCurve)
        self.between = (
            _range(self.best_case or self.curves) if between is None else validate.interval(between, "between")
        )
        self.names = names_of(self.curves)
        inside = np.linspace(*self.between, 101)[:-1]
        merit = [-float(np.mean(_values(curve, inside))) for curve in self.curves]
        self.looks = looks_of(self.names, merit, highlight)

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        prevalence = self.curves[0].prevalence
        drawn, shades = [], []
        for curve, look in zip(self.curves, self.looks, strict=True):
            if self.banded and look.named:
                shade: dict[str, Any] = {"color": look.colour, "alpha": 0.15, "linewidth": 0, "zorder": 2}
                axes.fill_between(curve.p, curve.low, curve.high, hatch=look.hatch, edgecolor="white", **shade)
                shades += [(curve.p, curve.low), (curve.p, curve.high)]
            points = _points(curve)
            axes.plot(*points, **look.line(**style))
            drawn.append(points)
        for curve, points, look in zip(self.best_case, drawn, self.looks, strict=False):
            buckets.shade(axes, points, _points(curve), look)
            shades.append(_points(curve))
        axes.set_xlim(*self.between)
        axes.axhline(0, color=MUTED, linewidth=0.9, linestyle=":", zorder=2)
        label_axes(axes, x="threshold probability p", y="net benefit per case")
        tags = []
        if self.difference:
            ends = [end[_seen(c.p, self.between)] for c in self.curves for end in (c.low, c.high)]
            edge = 1.08 * max(float(np.max(np.abs(end))) for end in ends)
            axes.set_ylim(-edge, edge)
            alone = len(self.curves) == 1
            axes.set_ylabel(f"net benefit: {self.names[0]}" if alone else "difference of net benefit per case")
        else:
            axes.set_ylim(-0.2 * prevalence, 1.08 * prevalence)
            x = np.linspace(self.between[0], min(self.between[1], 0.999), 401)
            everybody = prevalence - (1 - prevalence) * x / (1 - x)
            axes.plot(x, everybody, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)), zorder=2, gid="everybody")
            tags.append(Tag("flag everybody", x, everybody, MUTED))
            tags.append(Tag("flag nobody", x, np.zeros_like(x), MUTED))
        if self.best_case:
            buckets.say(axes, "net benefit", self._width())
        ink: list[Points] = [*shades, *((tag.x, tag.y) for tag in tags)]
        if any(self.names) and not (self.difference and len(self.curves) == 1):
            name_lines(axes, self.names, drawn, self.looks, ink)
        place(axes, tags, [*shades, *drawn], share=0.85)

    def _width(self) -> float:
        """Return how far apart worst and best case are at most; between breaks that grows with p."""
        widths = []
        for worst, best in zip(self.curves, self.best_case, strict=True):
            ends = np.union1d(worst.breaks, best.breaks)
            p = np.append(ends[_seen(ends, self.between) & (ends < 1)], min(self.between[1], 1 - 1e-9))
            widths.append(float(np.max(best(p) - worst(p))))
        return max(widths)


def _range(curves: Sequence[Any]) -> tuple[float, float]:
    """Return the threshold probabilities from 0 to just beyond the last at which some model is useful."""
    if isinstance(curves[0], NetBenefitBand):
        return float(min(curve.p[0] for curve in curves)), float(max(curve.p[-1] for curve in curves))
    ends = [high for curve in curves for _, high in curve.useful]
    return 0.0, min(1.0, 1.05 * max(ends)) if ends else 1.0


def _values(curve: Any, p: Floats) -> Floats:
    return np.interp(p, curve.p, curve.centre) if isinstance(curve, NetBenefitBand) else curve(p)


def _seen(p: Floats, between: tuple[float, float]) -> Any:
    return (p >= between[0]) & (p <= between[1])


def _points(curve: Any) -> Points:
    """Return the line to draw: both ends of every jump, and bends between far breaks."""
    if isinstance(curve, NetBenefitBand):
        return curve.p, curve.centre
    low, high = curve.breaks[:-1], curve.breaks[1:]
    steps = np.linspace(0, 1, _PER_PIECE if low.size <= _MOST_PIECES else 2)
    # p = 1 has no odds: the line ends just before.
    p = np.minimum(low[:, None] + (high - low)[:, None] * steps, 1 - 1e-9)
    value = curve.true_share[:, None] - curve.false_share[:, None] * p / (1 - p)
    # Negatives flagged at p near 1 cost without limit: the line leaves the figure long before.
    return p.ravel(), np.maximum(value, -1.0).ravel()

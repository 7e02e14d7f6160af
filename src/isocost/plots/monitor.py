"""A deployed rule over time, and the prevalence of the cases in use."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from isocost import numbers
from isocost.data import checks
from isocost.errors import InputError
from isocost.monitor import PrevalenceEstimate, Watch
from isocost.numbers import shorten
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.style import HATCHES, INK, MUTED, PALETTE


class PrevalenceDisplay(Display):
    """Bars of the cases seen in each step of scores, with the shares expected at the estimate and those of the reference.

    Where bars and expected shares differ, more than the prevalence has moved.

    Parameters
    ----------
    estimate : PrevalenceEstimate

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> found = ic.estimate_prevalence((y, range(20, 0, -1)), [20, 19, 18, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 16, 7])
    >>> ic.plots.PrevalenceDisplay(found).plot().ax_.get_title()
    '24 % positive (90 %: 0 % to 71 %), if only the prevalence moved'
    """

    _size = (4.8, 3.2)
    _artist = Rectangle

    def __init__(self, estimate: PrevalenceEstimate) -> None:
        if not isinstance(estimate, PrevalenceEstimate):
            raise InputError(f"estimate must be a PrevalenceEstimate, got {type(estimate).__name__}")
        self.estimate = estimate

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        found = self.estimate
        steps = found.steps
        # The lowest scores stand left.
        cuts, own, seen, expected = (
            np.asarray(steps[name])[::-1] for name in ("score_from", "reference", "seen", "expected")
        )
        place = np.arange(cuts.size)
        axes.bar(
            place,
            100 * seen,
            0.8,
            label="seen",
            **({"color": PALETTE[0], "hatch": HATCHES[0], "edgecolor": "white"} | style),
        )
        for values, label, colour, dash in (
            (expected, "expected", PALETTE[1], "-"),
            (own, "reference", MUTED, (0, (2, 2))),
        ):
            axes.hlines(100 * values, place - 0.4, place + 0.4, color=colour, linewidth=2, linestyle=dash, label=label)
        names = ["lowest" if i == 0 else f"≥ {cut:.3g}" for i, cut in enumerate(cuts.tolist())]
        axes.set_xticks(place, names)
        low, high = numbers.percent(found.low), numbers.percent(found.high)
        title = f"{numbers.percent(found.estimate)} positive ({100 * found.level:g} %: {low} to {high}), if only the prevalence moved"
        label_axes(axes, x="score", y="share of the cases (%)", title=title)
        axes.tick_params(axis="x", labelrotation=40 if cuts.size > 5 else 0)
        axes.legend(fontsize=text_size(axes), frameon=False, labelcolor=INK)


# Periods named below the axis.
_MOST_NAMED = 8


class WatchDisplay(Display):
    """The share of positives of each period if shares moved, with its interval, and if risks hold; or the cost of the rule.

    Parameters
    ----------
    watch : Watch
    what : {"prevalence", "cost"}

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> decision = ic.Comparison.from_scores(y, {"m": range(20, 0, -1)}).decide(ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25))
    >>> weeks = [[20, 19, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2], [1, 2, 1, 3, 2, 1, 1, 2, 3, 1, 2, 1]]
    >>> ic.watch(decision, weeks).plot(what="cost").ax_.get_ylabel()
    'cost per 1000 cases'
    """

    _size = (6.4, 3.2)

    def __init__(self, watch: Watch, *, what: Literal["prevalence", "cost"] = "prevalence") -> None:
        if not isinstance(watch, Watch):
            raise InputError(f"watch must be a Watch, got {type(watch).__name__}")
        self.what = checks.choice(what, "what", ("prevalence", "cost"))
        self.watch = watch

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        watched, what = self.watch, self.what
        periods, scale = watched.periods, 100 if what == "prevalence" else 1
        place = np.arange(1, len(periods) + 1)
        marker = "o" if place.size < 60 else None
        moved, held = (
            scale * np.array([getattr(getattr(p, name), what) for p in periods], dtype=float)
            for name in ("if_shares_moved", "if_risks_hold")
        )
        if what == "prevalence":
            low, high = (
                scale * np.array([getattr(p.if_shares_moved, end) for p in periods], dtype=float)
                for end in ("low", "high")
            )
            label = f"{100 * watched.level:g} % interval"
            axes.fill_between(place, low, high, color=PALETTE[0], alpha=0.25, linewidth=0, label=label)
        own = {
            "color": PALETTE[0],
            "marker": marker,
            "markersize": 3,
            "linewidth": 1.4,
            "gid": what,
            "label": "if shares moved",
        }
        axes.plot(place, moved, **(own | style))
        axes.plot(place, held, color=MUTED, linestyle=(0, (4, 2)), linewidth=1.4, gid="held", label="if risks hold")
        if what == "cost":
            self._measured(axes, place)
        alarmed = np.array([bool(period.alarm) for period in periods])
        if alarmed.any():
            # Where the scores reject that shares moved, only the other line has money.
            at = np.where(np.isnan(moved), held, moved)[alarmed]
            cross: dict[str, Any] = {
                "color": PALETTE[1],
                "markersize": 7,
                "markeredgewidth": 2,
                "gid": "alarm",
                "label": "alarm",
            }
            axes.plot(place[alarmed], at, "x", **cross)
        names = shorten([str(period.period) for period in periods], 12)
        shown = np.unique(np.linspace(0, place.size - 1, min(_MOST_NAMED, place.size)).astype(int))
        axes.set_xticks(place[shown], [names[i] for i in shown])
        axes.set_ylim(bottom=0)
        unit = f" ({watched.unit})" if watched.unit else ""
        label = "share of positives (%)" if what == "prevalence" else f"cost per 1000 cases{unit}"
        label_axes(axes, x="period", y=label, title=f"{watched.rule.model} ≥ {watched.rule.threshold:g}")
        axes.legend(fontsize=text_size(axes), frameon=False, labelcolor=INK)

    def _measured(self, axes: Axes, place: Any) -> None:
        known = [(x, p) for x, p in zip(place, self.watch.periods, strict=True) if p.cost_low is not None]
        if not known:
            return
        x, low, high = np.array([(x, p.cost_low, p.cost_high) for x, p in known], dtype=float).T
        axes.vlines(x, low, high, color=INK, linewidth=1.4, gid="measured", label="measured")
        dots = [(v, p.cost) for v, p in known if p.cost is not None]
        if dots:
            axes.plot(*zip(*dots, strict=True), "o", color=INK, markersize=3)

"""A deployed choice over time: the prevalence above the range in which the choice stays cheapest, or what keeping it costs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.deployment import Watch
from isocost.errors import InputError
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.style import INK, MUTED, PALETTE
from isocost.results.short_names import shorten

# Periods named below the axis.
_MOST_NAMED = 8


class WatchDisplay(Display):
    """The prevalence of each period with its interval over the range in which the choice stays cheapest, or the regret.

    Parameters
    ----------
    watch : Watch
    what : {"prevalence", "regret"}

    Examples
    --------
    >>> import isocost as ic
    >>> y = [1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> comparison = ic.Comparison.from_scores(y, {"m": range(20, 0, -1)})
    >>> weeks = [[20, 19, 15, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2], [1, 2, 1, 3, 2, 1, 1, 2, 3, 1, 2, 1]]
    >>> watched = ic.watch(comparison, weeks, condition=ic.Condition(cost_fp=1, cost_fn=4, prevalence=0.25))
    >>> watched.plot(what="regret").ax_.get_ylabel()
    'regret per 1000 cases'
    """

    _size = (6.4, 3.2)

    def __init__(self, watch: Watch, *, what: Literal["prevalence", "regret"] = "prevalence") -> None:
        if not isinstance(watch, Watch):
            raise InputError(f"watch must be a Watch, got {type(watch).__name__}")
        validate.choice(what, "what", ("prevalence", "regret"))
        self.watch = watch
        self.what = what

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        watched, what = self.watch, self.what
        scale = 100 if what == "prevalence" else 1
        middle, low, high = (
            scale * np.array([getattr(period, f"{what}{end}") for period in watched.periods])
            for end in ("", "_low", "_high")
        )
        place = np.arange(1, middle.size + 1)
        if what == "prevalence" and watched.keep is not None:
            ends = [100 * end for end in watched.keep]
            axes.axhspan(*ends, color=MUTED, alpha=0.18, linewidth=0, gid="keep", label="the choice stays cheapest")
        marker = "o" if middle.size < 60 else None
        axes.fill_between(
            place, low, high, color=PALETTE[0], alpha=0.25, linewidth=0, label=f"{100 * watched.level:g} % interval"
        )
        axes.plot(
            place,
            middle,
            **({"color": PALETTE[0], "marker": marker, "markersize": 3, "linewidth": 1.4, "gid": what} | style),
        )
        alarmed = np.array([bool(period.alarm) for period in watched.periods])
        if alarmed.any():
            axes.plot(
                place[alarmed],
                middle[alarmed],
                "x",
                color=PALETTE[1],
                markersize=7,
                markeredgewidth=2,
                gid="alarm",
                label="alarm",
            )
        names = shorten([str(period.period) for period in watched.periods], 12)
        shown = np.unique(np.linspace(0, middle.size - 1, min(_MOST_NAMED, middle.size)).astype(int))
        axes.set_xticks(place[shown], [names[i] for i in shown])
        axes.set_ylim(bottom=0)
        unit = f" ({watched.unit})" if watched.unit else ""
        label = "share of positives (%)" if what == "prevalence" else f"regret per 1000 cases{unit}"
        label_axes(axes, x="period", y=label, title=f"{watched.rule}, if only the prevalence moved")
        axes.legend(fontsize=text_size(axes), frameon=False, labelcolor=INK)

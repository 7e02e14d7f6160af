"""Who is cheapest where: a strip along the conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from isocost import validate
from isocost.errors import InputError
from isocost.plots.cost_axes import SCALES, Scale, finish_x
from isocost.plots.display import Display, text_size
from isocost.plots.labels import legend_below
from isocost.plots.models import looks_of
from isocost.plots.options import given_winners
from isocost.plots.style import FAINT, INK, MUTED, Look
from isocost.results.short_names import shorten

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
        self.names = list(names)
        self.unsure = unsure
        self.prevalence = prevalence
        self.scale = scale
        validate.choice(scale, "scale", SCALES)
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
        doubt = (
            " (paler: open, scores counted together)" if any(getattr(w, "open_to", ()) for w in self.winners) else ""
        )
        axes.set_title(f"cheapest at each condition{doubt}", fontsize=text_size(axes), loc="left")
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
            # What buckets leave open is paler.
            doubt = {"alpha": 0.4} if getattr(win, "open_to", ()) else {}
            face = _face((_TRIVIAL | seen)[win.name]) | doubt | style
            axes.add_patch(Rectangle((low, bottom), high - low, height, zorder=3, **face))


def _within(axes: Axes, win: Any) -> tuple[float, float]:
    low, high = sorted(axes.get_xlim())
    return max(1 - win.t_high, low), min(1 - win.t_low, high)


def _face(look: Look) -> dict[str, Any]:
    edge = MUTED if look.colour == _PALE else "white"
    return {"facecolor": look.colour, "edgecolor": edge, "hatch": look.hatch, "linewidth": 0.6}

"""How the scores of both classes are distributed, and what a threshold makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from isocost import validate
from isocost.counts import ScoreCounts
from isocost.decision import Choice, numbers
from isocost.decision.rules import cuts_of
from isocost.errors import InputError
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.style import HATCHES, INK, PALETTE
from isocost.results.short_names import shorten
from isocost.roc_space import RocCurve
from isocost.validate import Floats


class ScoresDisplay(Display):
    """Histograms of the scores: positives upwards, negatives downwards, each as shares of its class.

    Parameters
    ----------
    counts : ScoreCounts or RocCurve
        A curve built from scores stands for its counts.
    threshold : float or Choice, optional
        Draw it, and say which shares of the two classes it flags.
    bins : int
        Bins of equal width from the lowest to the highest finite score; infinite scores are counted in the outermost ones. For counts in
        buckets, a bucket that spans several bins is spread over them evenly, and whiskers show what each may hold.

    Examples
    --------
    >>> import isocost as ic
    >>> counts = ic.ScoreCounts.from_arrays([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
    >>> display = ic.plots.ScoresDisplay(counts, threshold=0.6, bins=7).plot()
    >>> display.ax_.get_title(), display.ax_.texts[1].get_text()
    ('flag scores ≥ 0.6', 'negatives: 50 % flagged')
    """

    _size = (4.8, 3.2)
    _artist = Rectangle

    def __init__(self, counts: ScoreCounts | RocCurve, *, threshold: Any = None, bins: int = 40) -> None:
        self.name = getattr(counts, "name", None)
        if isinstance(counts, RocCurve):
            if not counts._is_path or np.isnan(counts.thresholds).any():
                raise InputError("the curve was not built from scores: nothing to draw a histogram of")
            self.scores: Floats = np.asarray(counts.thresholds[1:], dtype=np.float64)
            self.upper: Floats = self.scores if counts.upper is None else counts.upper[1:]
            self.positives, self.negatives = (np.diff(c) / c[-1] for c in (counts.tp, counts.fp))
        elif isinstance(counts, ScoreCounts):
            self.scores = np.asarray(counts.scores, dtype=np.float64)
            self.upper = self.scores if counts.upper is None else counts.upper
            if not (counts.positives.any() and counts.negatives.any()):
                raise InputError("a histogram shows shares of both classes: these counts have no cases of one of them")
            self.positives, self.negatives = (c / c.sum() for c in (counts.positives, counts.negatives))
        else:
            raise InputError(f"counts must be ScoreCounts or a RocCurve, got {type(counts).__name__}")
        if not np.isfinite(self.scores).any():
            raise InputError("all scores are infinite: there is no axis to draw them on")
        self.threshold = (
            None if threshold is None else validate.number(getattr(threshold, "threshold", threshold), "threshold")
        )
        # A choice brings its threshold in words; a number is written as it was given.
        written = cuts_of(threshold.rule) if isinstance(threshold, Choice) else []
        self._cut = "" if self.threshold is None else written[0] if written else numbers.threshold(self.threshold)
        self.bins = int(validate.number(bins, "bins", low=1, high=10_000))

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        ends = np.concatenate([self.scores, self.upper])
        finite = ends[np.isfinite(ends)]
        low, high = float(finite.min()), float(finite.max())
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = np.linspace(low, high, self.bins + 1)
        rows = np.clip(self.scores, low, high), np.clip(self.upper, low, high)
        up, down = (_binned(*rows, 100 * w, edges) for w in (self.positives, self.negatives))
        middle, width = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        for bins, sign, colour, hatch in ((up, 1, PALETTE[1], HATCHES[1]), (down, -1, PALETTE[0], "")):
            heights = sign * bins.spread
            axes.bar(middle, heights, width, color=colour, hatch=hatch, edgecolor="white", linewidth=0.3, **style)
            if bins.width > 0:
                open_bins = bins.most > bins.least
                axes.vlines(
                    middle[open_bins],
                    sign * bins.least[open_bins],
                    sign * bins.most[open_bins],
                    color=INK,
                    linewidth=0.8,
                )
        axes.axhline(0, color=INK, linewidth=0.8)
        reach = 1.25 * max(up.most.max(), down.most.max())
        # A threshold at the highest score is not to be taken for the frame.
        pad = 0.015 * (high - low)
        axes.set(xlim=(low - pad, high + pad), ylim=(-reach, reach))
        rule = "" if self.threshold is None else f"flag scores ≥ {self._cut}"
        title = ": ".join(part for part in (shorten([str(self.name or "")])[0], rule) if part)
        if up.width > 0 or down.width > 0:
            known = f"scores counted together in buckets, bins known within {max(up.width, down.width):.2g} %"
            title = f"{title}; {known}" if title else known
        label_axes(axes, x="score", y="share of the class in a bin (%)", title=title or None)
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
        cut = np.inf if self.threshold is None else self.threshold
        # Each class is named in the corner it leaves free: positives tend to the right, negatives to the left.
        for text, weights, x, y in (
            ("positives", self.positives, 0.02, 0.97),
            ("negatives", self.negatives, 0.98, 0.03),
        ):
            share = "" if self.threshold is None else f": {self._flagged(weights, cut)} % flagged"
            axes.text(
                x, y, text + share, transform=axes.transAxes, color=INK, fontsize=text_size(axes), fontweight="bold",
                path_effects=[withStroke(linewidth=2, foreground="white")],
                ha="left" if x < 0.5 else "right", va="top" if y > 0.5 else "bottom",
            )  # fmt: skip
        if self.threshold is not None:
            line = float(np.clip(cut, low, high))
            axes.axvline(line, color=INK, linewidth=1.1, linestyle=(0, (4, 2)))
            # Panels that share the axis may reach further.
            axes.axvspan(line, high + 9 * (high - low), color=INK, alpha=0.06, linewidth=0, zorder=0)

    def _flagged(self, weights: Floats, cut: float) -> str:
        """Return the share of a class that is flagged, or what it lies between where the threshold divides a bucket."""
        least, most = (f"{100 * float(weights[ends >= cut].sum()):.3g}" for ends in (self.scores, self.upper))
        return least if least == most else f"{least} to {most}"


@dataclass(frozen=True)
class _Bins:
    """What each bin holds: with every bucket spread evenly, at least, and at most."""

    spread: Floats
    least: Floats
    most: Floats

    @property
    def width(self) -> float:
        return float(np.max(self.most - self.least))


def _binned(low: Floats, high: Floats, weights: Floats, edges: Floats) -> _Bins:
    last = edges.size - 2
    first, final = (np.clip(np.searchsorted(edges, ends, side="right") - 1, 0, last) for ends in (low, high))
    least: Floats = np.bincount(first, weights * (first == final), minlength=last + 1).astype(np.float64)
    spread, most = least.copy(), least.copy()
    for i in np.flatnonzero(first != final):
        inside = slice(first[i], final[i] + 1)
        parts = np.diff(np.clip(edges[first[i] : final[i] + 2], low[i], high[i]))
        spread[inside] += weights[i] * parts / parts.sum()
        most[inside] += weights[i]
    return _Bins(spread, least, most)

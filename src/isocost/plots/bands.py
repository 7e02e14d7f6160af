"""How sure a cost is: bands around cost curves, and the resampled curves themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patheffects import withStroke

from isocost.data import checks
from isocost.errors import InputError, UnknownNameError
from isocost.inference import Band, Bootstrap
from isocost.plots.axes import draw_trivial, finish_x, name_trivial
from isocost.plots.display import AXIS_LABELS, Display, Scale, label_axes
from isocost.plots.labels import Points, name_lines
from isocost.plots.style import Look, looks_of, several


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

"""How sure a cost is: bands around cost curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from isocost import validate
from isocost.errors import InputError
from isocost.inference import Band
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.cost_axes import SCALES, Scale, finish_x
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, name_lines
from isocost.plots.models import looks_of, several
from isocost.plots.trivial import draw_trivial, name_trivial


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
    >>> band = ic.bootstrap_confusion({"tree": (16, 4, 4, 6)}).band("tree", level=0.9)
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
        kinds = {(band.level, band.kind) for band in self.bands}
        if len(kinds) > 1:
            raise InputError(f"bands of one level and kind make one figure, got {len(kinds)} different ones")
        self.apparent = apparent
        self.trivial = trivial
        self.prevalence = prevalence
        self.scale = scale
        validate.choice(scale, "scale", SCALES)
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

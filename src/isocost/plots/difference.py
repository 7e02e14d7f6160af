"""By how much one model is cheaper than another, at every condition, and where that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation

from isocost import validate
from isocost.cost_space import CostCurve
from isocost.errors import InputError
from isocost.inference import Band
from isocost.plots.cost_axes import SCALES, Scale, finish_x, polyline
from isocost.plots.display import Display, label_axes, text_size
from isocost.plots.style import INK, MUTED, PALETTE
from isocost.results.short_names import shorten

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
            self.names = validate.names(names, "model")
            if len(self.names) != 2:
                raise InputError(f"names must be those of the two models, got {len(self.names)}")
        self.band = band
        if significant is None:
            significant = difference.significant() if isinstance(difference, Band) else ()
        self.significant = list(significant)
        self.prevalence = prevalence
        self.scale = scale
        validate.choice(scale, "scale", SCALES)

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

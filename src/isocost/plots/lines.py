"""Figures that draw one line a model: which models, in which order of merit, and their names beside the lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from matplotlib.axes import Axes

from isocost.errors import InputError, UnknownNameError
from isocost.inference.curve_bands import CurveBand, Of
from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, Tag, name_lines, place
from isocost.plots.models import looks_of, several

# Prevalences that differ by rounding alone are one.
_SAME = 1e-9


class LinesDisplay(Display):
    """One line a model of one kind of curve; a subclass says which, and what else is drawn."""

    _kind: ClassVar[type]
    _labels: ClassVar[tuple[str, str]]

    _of: ClassVar[tuple[Of, ...]] = ()

    def __init__(self, curves: Any, *, bands: Any = None, highlight: Sequence[str] | None = None) -> None:
        self.curves: list[Any] = several(curves, self._kind, "curves")
        one, said = len(self.curves) == 1, [self._name(curve) for curve in self.curves]
        self.names = [("" if one else f"model {i}") if name is None else str(name) for i, name in enumerate(said, 1)]
        self.looks = looks_of(self.names, [-self._merit(curve) for curve in self.curves], highlight)
        self.bands: list[CurveBand] = [] if bands is None else several(bands, CurveBand, "bands")
        self._check_bands()

    def _check_bands(self) -> None:
        """Refuse bands of something else, or of a model that is not drawn."""
        for band in self.bands:
            if band.of not in self._of:
                raise InputError(f"bands must be of {' or '.join(self._of)} here, got one of {band.of}")
            # A single curve need not have the name under which its model was resampled.
            if band.name not in self.names and len(self.curves) > 1:
                raise UnknownNameError("model", band.name, self.names)
            own = getattr(self.curves[0], "prevalence", None)
            if band.prevalence is not None and own is not None and abs(band.prevalence - own) > _SAME:
                raise InputError(
                    f"the band is about prevalence {band.prevalence:g}, the curve about {own:g}: make both alike"
                )
        if len({band.level for band in self.bands}) > 1:
            raise InputError("bands of one level make one figure")

    def _name(self, curve: Any) -> str | None:
        """Return the name of the model, if it has one."""
        name: str | None = curve.model
        return name

    def _merit(self, curve: Any) -> float:
        """Return what ranks the models: higher is better."""
        raise NotImplementedError

    def _line(self, curve: Any) -> Points:
        """Return the line of a model."""
        raise NotImplementedError

    def _surround(self, axes: Axes) -> list[Tag]:
        """Set the limits, draw what stands beside the models, and return its names."""
        raise NotImplementedError

    def _limits(self, band: CurveBand) -> tuple[Any, Any, Any]:
        """Return places and limits of a band as they are drawn."""
        return band.at, band.low, band.high

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x=self._labels[0], y=self._labels[1])
        tags = self._surround(axes)
        for band in self.bands:
            place_of = self.names.index(band.name) if band.name in self.names else 0
            x, low, high = self._limits(band)
            axes.fill_between(x, low, high, color=self.looks[place_of].colour, alpha=0.15, linewidth=0, zorder=1)
        if self.bands:
            axes.set_title(f"{100 * self.bands[0].level:g} % pointwise bands")
        drawn = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            points = self._line(curve)
            axes.plot(*points, **look.line(**({"clip_on": True} | style)))
            drawn.append(points)
        if any(self.names):
            name_lines(axes, self.names, drawn, self.looks, [(tag.x, tag.y) for tag in tags])
        place(axes, tags, drawn, share=0.9)

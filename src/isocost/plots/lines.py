"""Figures that draw one line a model: which models, in which order of merit, and their names beside the lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from matplotlib.axes import Axes

from isocost.plots.display import Display, label_axes
from isocost.plots.labels import Points, Tag, name_lines, place
from isocost.plots.models import looks_of, several


class LinesDisplay(Display):
    """One line a model of one kind of curve; a subclass says which, and what else is drawn."""

    _kind: ClassVar[type]
    _labels: ClassVar[tuple[str, str]]

    def __init__(self, curves: Any, *, highlight: Sequence[str] | None = None) -> None:
        self.curves: list[Any] = several(curves, self._kind, "curves")
        one, said = len(self.curves) == 1, [self._name(curve) for curve in self.curves]
        self.names = [("" if one else f"model {i}") if name is None else str(name) for i, name in enumerate(said, 1)]
        self.looks = looks_of(self.names, [-self._merit(curve) for curve in self.curves], highlight)

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

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        label_axes(axes, x=self._labels[0], y=self._labels[1])
        tags = self._surround(axes)
        drawn = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            points = self._line(curve)
            axes.plot(*points, **look.line(**({"clip_on": True} | style)))
            drawn.append(points)
        if any(self.names):
            name_lines(axes, self.names, drawn, self.looks, [(tag.x, tag.y) for tag in tags])
        place(axes, tags, drawn, share=0.9)

"""`result.plot()` on every result that has a figure, without importing matplotlib or the layers above."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from isocost.notebook import Shown

if TYPE_CHECKING:
    from isocost.plots.display import Display


class Drawn(Shown):
    """A result with a figure: names the display in `isocost.plots` that draws it."""

    _display: ClassVar[str] = "Display"

    def _display_name(self) -> str:
        return self._display

    def plot(self, ax: Any = None, **options: Any) -> Display:
        """Draw the result and return its display, with the axes in `ax_` and the figure in `figure_`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a figure of its own if not given (see `isocost.plots`).
        **options
            Options of the display, and properties of its lines such as `linewidth`.
        """
        # By name: importing a layer above would turn the house upside down.
        display = getattr(import_module("isocost.plots"), self._display_name())
        # Subclasses hand options on: those of all constructors count.
        makers = [cls.__init__ for cls in display.__mro__ if "__init__" in vars(cls) and cls is not object]
        known = {name for maker in makers for name in inspect.signature(maker).parameters}
        own = {key: options.pop(key) for key in list(options) if key in known}
        made: Display = display(self, **own).plot(ax, **options)
        return made

"""`result.plot()`: what a layer above does, on the objects of those below, without importing upwards."""

from __future__ import annotations

import inspect
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from isocost.results.result import Result

if TYPE_CHECKING:
    from isocost.plots.display import Display


def above(room: str) -> ModuleType:
    """Return a room above the caller's: the only import upwards."""
    return import_module(f"isocost.{room}")


class Drawn(Result):
    """A result with a figure: names the display in `isocost.plots` that draws it."""

    _display: ClassVar[str] = "Display"

    def _display_name(self) -> str:
        return self._display

    def plot(self, ax: Any = None, **options: Any) -> Display:
        """Draw the result and return its display, with the axes in `ax_` and the figure in `figure_`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure if not given (see `isocost.plots`).
        **options
            Options of the display, and properties of its lines such as `linewidth`.
        """
        display = getattr(above("plots"), self._display_name())
        # Subclasses hand options on: those of all constructors count.
        makers = [cls.__init__ for cls in display.__mro__ if "__init__" in vars(cls) and cls is not object]
        known = {name for maker in makers for name in inspect.signature(maker).parameters}
        own = {key: options.pop(key) for key in list(options) if key in known}
        made: Display = display(self, **own).plot(ax, **options)
        return made

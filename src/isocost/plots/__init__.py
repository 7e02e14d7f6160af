"""Figures of results, drawn with matplotlib (the extra `plots`); one display per result.

A display takes results and computes nothing new. `display.plot()` draws on a figure of its own, made without pyplot: nothing is
shown, nothing has to be closed, and a notebook shows the display as its picture. `display.plot(ax)` draws on your axes and
touches nothing else. Most results have a short-cut, `result.plot()`, that does both.
"""

from isocost._front import attach as _attach
from isocost.errors import MissingDependencyError

try:
    import matplotlib as _  # noqa: F401, ICN001 - only to say which extra is missing
except ImportError as error:
    raise MissingDependencyError("isocost.plots", "matplotlib", "plots") from error

__getattr__, __dir__, __all__ = _attach(__name__)

"""The report in a browser, served on this machine, with other files and columns at hand."""

from __future__ import annotations

from isocost.explorer.explorer import Explorer, View, explore

__all__ = ["Explorer", "View", "explore"]

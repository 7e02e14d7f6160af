"""Rows in the order of one score: sorted, split, counted, and the hull that follows from them."""

from isocost._front import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__)

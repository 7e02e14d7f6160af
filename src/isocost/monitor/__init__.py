"""After deployment: the rule as a file, a gate for new cases, challengers, and the watch."""

from isocost._front import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__)

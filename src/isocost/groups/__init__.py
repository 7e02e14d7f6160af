"""Groups of cases: a threshold for each or one for all, and what equal rates cost."""

from isocost._front import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__)

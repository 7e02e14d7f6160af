"""ROC space: points and curves."""

from isocost._front import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__)

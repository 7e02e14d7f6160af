"""How sure: bands, significance, intervals, averages over evaluations, the certainty of decisions."""

from isocost._front import attach as _attach
from isocost.inference.bootstrap import bootstrap as bootstrap

# Modules are called so too, and would be in the way of these once they are loaded.
from isocost.inference.delong import delong as delong

__getattr__, __dir__, __all__ = _attach(__name__)

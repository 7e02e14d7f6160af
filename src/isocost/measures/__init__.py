"""Numbers that summarise a curve."""

from isocost._front import attach as _attach

# Measures are registered where they are defined. The module is called voros too, and would be in its way once it is loaded.
from isocost.measures import areas as areas
from isocost.measures import costs as costs
from isocost.measures import losses as losses
from isocost.measures.voros import voros as voros

__getattr__, __dir__, __all__ = _attach(__name__)

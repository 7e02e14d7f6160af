"""Several models: who is cheapest where, by how much, and what to deploy; several classes with a cost matrix."""

from isocost._front import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__)

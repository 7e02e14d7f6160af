"""One engine: a question, a table of rules, one decision, and the sentences that say it."""

from isocost._front import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__)

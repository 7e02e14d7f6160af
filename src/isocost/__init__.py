"""Which classifier to deploy, at which threshold, when costs and class balance are uncertain."""

from __future__ import annotations

__version__ = "0.1.0"

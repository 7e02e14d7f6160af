"""Numbers that summarise a curve."""

from __future__ import annotations

from isocost.measures.auc import auc, partial_auc

__all__ = ["auc", "partial_auc"]

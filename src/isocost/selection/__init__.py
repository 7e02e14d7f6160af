"""Which threshold to use: at a condition, under a constraint, or for the worst case."""

from __future__ import annotations

from isocost.selection.at_condition import best_threshold
from isocost.selection.choice import Choice
from isocost.selection.constrained import neyman_pearson, precision_constrained, workforce
from isocost.selection.minimax import minimax
from isocost.selection.rate_driven import CutPoints, dominated_cuts, rate_threshold
from isocost.selection.row_costs import AmountChoice, RowCosts

__all__ = [
    "AmountChoice",
    "Choice",
    "CutPoints",
    "RowCosts",
    "best_threshold",
    "dominated_cuts",
    "minimax",
    "neyman_pearson",
    "precision_constrained",
    "rate_threshold",
    "workforce",
]

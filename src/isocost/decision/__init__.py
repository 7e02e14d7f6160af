"""Which threshold to use: at a condition, under a constraint, or for the worst case."""

from __future__ import annotations

from isocost.decision.at_condition import best_threshold
from isocost.decision.at_rate import CutPoints, dominated_cuts, rate_threshold
from isocost.decision.choice import Choice
from isocost.decision.limits import neyman_pearson, precision_constrained, workforce
from isocost.decision.row_costs import AmountChoice, RowCosts
from isocost.decision.worst_case import minimax

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

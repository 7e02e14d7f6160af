"""The one answer: which model, which rule, what it costs, how sure that is, and where it would change."""

from __future__ import annotations

from isocost.decision.amount_choice import AmountChoice, AmountDecision
from isocost.decision.at_condition import best_threshold
from isocost.decision.at_rate import CutPoints, dominated_cuts, rate_threshold
from isocost.decision.charging import Charged
from isocost.decision.choice import Choice
from isocost.decision.decision import Alternative, Decision
from isocost.decision.drift import Drift
from isocost.decision.limits import Limits
from isocost.decision.named_limits import neyman_pearson, precision_constrained, workforce
from isocost.decision.present import Current, ImpliedCosts, implied_costs
from isocost.decision.question import Question, Reviews, Words
from isocost.decision.row_costs import RowCosts
from isocost.decision.surety import MoreLabels, Surety
from isocost.decision.uncertain import ModelCost, Uncertain
from isocost.decision.worst_case import minimax

__all__ = [
    "Alternative",
    "AmountChoice",
    "AmountDecision",
    "Charged",
    "Choice",
    "Current",
    "CutPoints",
    "Decision",
    "Drift",
    "ImpliedCosts",
    "Limits",
    "ModelCost",
    "MoreLabels",
    "Question",
    "Reviews",
    "RowCosts",
    "Surety",
    "Uncertain",
    "Words",
    "best_threshold",
    "dominated_cuts",
    "implied_costs",
    "minimax",
    "neyman_pearson",
    "precision_constrained",
    "rate_threshold",
    "workforce",
]

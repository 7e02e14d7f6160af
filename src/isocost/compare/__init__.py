"""Several models: who is cheapest where, by how much, and what to deploy; several classes with a cost matrix."""

from __future__ import annotations

from isocost.compare.classes import (
    ClassAlternative,
    ClassComparison,
    ClassConfidence,
    ClassCurve,
    ClassDecision,
    ClassWin,
    ClassWinners,
    CostMatrix,
    hand_till,
    one_vs_one,
    one_vs_rest,
)
from isocost.compare.comparison import Comparison, Provenance
from isocost.compare.regret import Gain, Regret
from isocost.compare.table import MeasureTable, Row
from isocost.compare.winners import Hybrid, Mix, Win, Winners, WinningPoint, cost_dominates, roc_dominates
from isocost.conditions import TRange
from isocost.decide import Alternative, Decision, Drift, ModelCost

__all__ = [
    "Alternative", "ClassAlternative", "ClassComparison", "ClassConfidence", "ClassCurve", "ClassDecision",
    "ClassWin", "ClassWinners", "Comparison", "CostMatrix", "Decision", "Drift", "Gain", "Hybrid", "MeasureTable",
    "Mix", "ModelCost", "Provenance", "Regret", "Row", "TRange", "Win", "Winners", "WinningPoint", "cost_dominates",
    "hand_till", "one_vs_one", "one_vs_rest", "roc_dominates",
]  # fmt: skip

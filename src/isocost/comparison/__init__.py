"""Several models: who is cheapest where, by how much, and what to deploy."""

from __future__ import annotations

from isocost.comparison.class_by_class import ClassByClass
from isocost.comparison.class_winners import ClassCurve, ClassWin, ClassWinners
from isocost.comparison.classes import ClassAlternative, ClassComparison, ClassConfidence, ClassDecision
from isocost.comparison.comparison import Comparison
from isocost.comparison.cost_matrix import CostMatrix
from isocost.comparison.difference import Advantage
from isocost.comparison.dominance import cost_dominates, roc_dominates
from isocost.comparison.group_results import (
    GroupChoice,
    GroupDecision,
    MixturePart,
    OneForAll,
    ParityChoice,
    PriceCurve,
)
from isocost.comparison.groups import GroupBootstrap, Groups
from isocost.comparison.hybrid import Hybrid, Mix, Part
from isocost.comparison.measure_table import MeasureTable, Row
from isocost.comparison.provenance import Provenance
from isocost.comparison.regret import Information, Regret
from isocost.comparison.winners import Win, Winners, WinningPoint
from isocost.conditions.ranges import TRange
from isocost.decide import Alternative, Decision, Drift, ModelCost

__all__ = [
    "Advantage", "Alternative", "ClassAlternative", "ClassByClass", "ClassComparison", "ClassConfidence", "ClassCurve",
    "ClassDecision", "ClassWin", "ClassWinners", "Comparison", "CostMatrix", "Decision", "Drift", "GroupBootstrap", "GroupChoice",
    "GroupDecision", "Groups", "Hybrid", "Information", "MeasureTable", "Mix", "MixturePart", "ModelCost", "OneForAll",
    "ParityChoice", "Part", "PriceCurve", "Provenance", "Regret", "Row", "TRange", "Win", "Winners", "WinningPoint",
    "cost_dominates", "roc_dominates",
]  # fmt: skip

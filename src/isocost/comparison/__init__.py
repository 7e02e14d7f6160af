"""Several models: who is cheapest where, by how much, and what to deploy."""

from __future__ import annotations

from isocost.comparison.comparison import Comparison
from isocost.comparison.difference import Advantage
from isocost.comparison.dominance import cost_dominates, roc_dominates
from isocost.comparison.hybrid import Hybrid, Mix, Part
from isocost.comparison.measure_table import MeasureTable, Row
from isocost.comparison.provenance import Provenance
from isocost.comparison.regret import Information, Regret
from isocost.comparison.winners import Win, WinningPoint
from isocost.conditions.ranges import TRange
from isocost.decision.decision import Alternative, Decision, Drift, ModelCost

__all__ = [
    "Advantage", "Alternative", "Comparison", "Decision", "Drift", "Hybrid", "Information", "MeasureTable", "Mix", "ModelCost", "Part",
    "Provenance", "Regret", "Row", "TRange", "Win", "WinningPoint", "cost_dominates", "roc_dominates",
]  # fmt: skip

# The public names, each with its module: loaded when first used.

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
    one_vs_rest,
)
from isocost.compare.comparison import Comparison
from isocost.compare.regret import Gain, Regret
from isocost.compare.table import MeasureTable, Row
from isocost.compare.winners import Win, Winners, WinningPoint, roc_dominates
from isocost.conditions import TRange
from isocost.decide import Alternative, Decision, Drift, ModelCost

__all__ = [
    "Alternative", "ClassAlternative", "ClassComparison", "ClassConfidence", "ClassCurve", "ClassDecision",
    "ClassWin", "ClassWinners", "Comparison", "CostMatrix", "Decision", "Drift", "Gain", "MeasureTable",
    "ModelCost", "Regret", "Row", "TRange", "Win", "Winners", "WinningPoint", "hand_till",
    "one_vs_rest", "roc_dominates",
]  # fmt: skip

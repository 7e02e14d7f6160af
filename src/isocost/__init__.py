"""Which classifier to deploy, at which threshold, when costs and class balance are uncertain.

>>> import isocost as ic
>>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2])
>>> ic.best_threshold(curve, ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3)).threshold
0.6
"""

from __future__ import annotations

from isocost.conditions import Condition, Conditions
from isocost.cost_space import CostCurve, cost_curve
from isocost.counts import ScoreCounts
from isocost.errors import IsocostError
from isocost.measures import auc, partial_auc
from isocost.roc_space import RocCurve
from isocost.selection import Choice, best_threshold, minimax, neyman_pearson, precision_constrained, workforce

__version__ = "0.1.0"

__all__ = [
    "Choice",
    "Condition",
    "Conditions",
    "CostCurve",
    "IsocostError",
    "RocCurve",
    "ScoreCounts",
    "auc",
    "best_threshold",
    "cost_curve",
    "minimax",
    "neyman_pearson",
    "partial_auc",
    "precision_constrained",
    "workforce",
]

"""Cost space: every operating point is a line, every way of choosing thresholds is a curve."""

from __future__ import annotations

from isocost.cost_space.choice_methods import ChoiceMethods, MethodCost, choice_methods
from isocost.cost_space.curve import CostCurve
from isocost.cost_space.decomposition import (
    BrierDecomposition,
    RateDrivenDecomposition,
    brier_decomposition,
    rate_driven_decomposition,
)
from isocost.cost_space.kendall import kendall_curve
from isocost.cost_space.net_benefit import NetBenefitCurve, net_benefit_curve
from isocost.cost_space.parameter_based import ParameterBased, parameter_based
from isocost.cost_space.rate_driven import convex_skull, perfect_ranker_curve
from isocost.cost_space.rule_regions import RuleRegion, RuleRegions, rule_regions
from isocost.cost_space.threshold_choice import cost_curve

__all__ = [
    "BrierDecomposition",
    "ChoiceMethods",
    "CostCurve",
    "MethodCost",
    "NetBenefitCurve",
    "ParameterBased",
    "RateDrivenDecomposition",
    "RuleRegion",
    "RuleRegions",
    "brier_decomposition",
    "choice_methods",
    "convex_skull",
    "cost_curve",
    "kendall_curve",
    "net_benefit_curve",
    "parameter_based",
    "perfect_ranker_curve",
    "rate_driven_decomposition",
    "rule_regions",
]

# The public names, each with its module: loaded when first used.

from isocost.curves.cost import CostCurve, convex_skull, cost_curve, kendall_curve, perfect_ranker_curve
from isocost.curves.forms import (
    CurveForm,
    NetBenefitCurve,
    det_curve,
    gain_curve,
    net_benefit_curve,
    pr_curve,
    pr_gain_curve,
    rate_curve,
)
from isocost.curves.joint import average_cost_curves, average_roc_curves
from isocost.curves.methods import (
    CostDecomposition,
    RuleRegion,
    RuleRegions,
    brier_decomposition,
    parameter_based,
    rate_driven_decomposition,
    rule_regions,
)
from isocost.curves.roc import Calibrator, ContinuousRocCurve, RocCurve, Vertex

__all__ = [
    "Calibrator",
    "ContinuousRocCurve",
    "CostCurve",
    "CostDecomposition",
    "CurveForm",
    "NetBenefitCurve",
    "RocCurve",
    "RuleRegion",
    "RuleRegions",
    "Vertex",
    "average_cost_curves",
    "average_roc_curves",
    "brier_decomposition",
    "convex_skull",
    "cost_curve",
    "det_curve",
    "gain_curve",
    "kendall_curve",
    "net_benefit_curve",
    "parameter_based",
    "perfect_ranker_curve",
    "pr_curve",
    "pr_gain_curve",
    "rate_curve",
    "rate_driven_decomposition",
    "rule_regions",
]

# The public names, each with its module: loaded when first used.

from isocost.measures.areas import auc, auch, auprg, average_precision, equal_error_rate, gini, partial_auc, pr_area
from isocost.measures.costs import h_measure, ks, mean_normalised_cost, minimum_error_rate, minimum_weighted_loss
from isocost.measures.losses import brier_loss, calibration_loss, kendall_distance, kendall_loss, rate_driven_loss
from isocost.measures.registry import Measure, registered_measures
from isocost.measures.surface import RocSurface, level_saddle
from isocost.measures.voros import LesserAreaCurve, lesser_area, lesser_area_curve, voros

__all__ = [
    "LesserAreaCurve", "Measure", "RocSurface", "auc", "auch", "auprg",
    "average_precision", "brier_loss", "calibration_loss", "equal_error_rate", "gini", "h_measure",
    "kendall_distance", "kendall_loss", "ks", "lesser_area", "lesser_area_curve", "level_saddle",
    "mean_normalised_cost", "minimum_error_rate", "minimum_weighted_loss", "partial_auc", "pr_area",
    "rate_driven_loss", "registered_measures", "voros",
]  # fmt: skip

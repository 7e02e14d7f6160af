"""Numbers that summarise a curve."""

from __future__ import annotations

from isocost.measures.auc import auc, auch, gini, partial_auc
from isocost.measures.bounds import Bounds
from isocost.measures.h_measure import h_measure
from isocost.measures.lesser_area import LesserAreaCurve, lesser_area, lesser_area_curve
from isocost.measures.mean_cost import mean_normalised_cost
from isocost.measures.registry import Measure, registered_measures
from isocost.measures.roc_surface import RocSurface, level_saddle
from isocost.measures.scores import (
    auc_score,
    auch_score,
    brier_loss_score,
    calibration_loss_score,
    gini_score,
    h_measure_score,
    kendall_loss_score,
    ks_score,
    mean_normalised_cost_score,
    minimum_error_rate_score,
    minimum_weighted_loss_score,
    rate_driven_loss_score,
    voros_score,
)
from isocost.measures.single_threshold import ks, minimum_error_rate, minimum_weighted_loss
from isocost.measures.threshold_losses import (
    brier_loss,
    calibration_loss,
    kendall_distance,
    kendall_loss,
    rate_driven_loss,
)
from isocost.measures.total_cost import TotalCost, total_cost
from isocost.measures.voros import voros

__all__ = [
    "Bounds",
    "LesserAreaCurve",
    "Measure",
    "RocSurface",
    "TotalCost",
    "auc",
    "auc_score",
    "auch",
    "auch_score",
    "brier_loss",
    "brier_loss_score",
    "calibration_loss",
    "calibration_loss_score",
    "gini",
    "gini_score",
    "h_measure",
    "h_measure_score",
    "kendall_distance",
    "kendall_loss",
    "kendall_loss_score",
    "ks",
    "ks_score",
    "lesser_area",
    "lesser_area_curve",
    "level_saddle",
    "mean_normalised_cost",
    "mean_normalised_cost_score",
    "minimum_error_rate",
    "minimum_error_rate_score",
    "minimum_weighted_loss",
    "minimum_weighted_loss_score",
    "partial_auc",
    "rate_driven_loss",
    "rate_driven_loss_score",
    "registered_measures",
    "total_cost",
    "voros",
    "voros_score",
]

"""Numbers that summarise a curve."""

from __future__ import annotations

from isocost.measures import scores
from isocost.measures.auc import auc, auch, gini, partial_auc
from isocost.measures.equal_error_rate import equal_error_rate
from isocost.measures.h_measure import h_measure
from isocost.measures.lesser_area import LesserAreaCurve, lesser_area, lesser_area_curve
from isocost.measures.mean_cost import mean_normalised_cost
from isocost.measures.precision_recall import auprg, average_precision, pr_area
from isocost.measures.registry import Measure, registered_measures
from isocost.measures.roc_surface import RocSurface, SaddlePatch, SurfaceGrid, level_saddle
from isocost.measures.scores import ScoreFunction
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
    "LesserAreaCurve",
    "Measure",
    "RocSurface",
    "SaddlePatch",
    "SurfaceGrid",
    "TotalCost",
    "auc",
    "auch",
    "auprg",
    "average_precision",
    "brier_loss",
    "calibration_loss",
    "equal_error_rate",
    "gini",
    "h_measure",
    "kendall_distance",
    "kendall_loss",
    "ks",
    "lesser_area",
    "lesser_area_curve",
    "level_saddle",
    "mean_normalised_cost",
    "minimum_error_rate",
    "minimum_weighted_loss",
    "partial_auc",
    "pr_area",
    "rate_driven_loss",
    "registered_measures",
    "total_cost",
    "voros",
]


def __getattr__(name: str) -> ScoreFunction:
    """Return the form of a registered measure that takes labels and scores: `<name>_score`."""
    if not name.endswith("_score"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: ScoreFunction = getattr(scores, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *(name for name in dir(scores) if name.endswith("_score"))})

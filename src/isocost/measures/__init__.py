"""Numbers that summarise a curve."""

from __future__ import annotations

from isocost.measures.auc import auc, partial_auc
from isocost.measures.threshold_choice import (
    brier_loss,
    calibration_loss,
    kendall_distance,
    kendall_loss,
    rate_driven_loss,
)

__all__ = [
    "auc",
    "brier_loss",
    "calibration_loss",
    "kendall_distance",
    "kendall_loss",
    "partial_auc",
    "rate_driven_loss",
]

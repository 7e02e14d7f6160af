"""Cost space: every operating point is a line, every way of choosing thresholds is a curve."""

from __future__ import annotations

from isocost.cost_space.curve import CostCurve
from isocost.cost_space.threshold_choice import cost_curve

__all__ = ["CostCurve", "cost_curve"]

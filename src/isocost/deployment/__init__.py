"""After deployment: how many cases are positive now, and whether the choice is still the cheapest."""

from __future__ import annotations

from isocost.deployment.prevalence import PrevalenceEstimate, estimate_prevalence, prevalence_cuts
from isocost.deployment.watching import Alarm, Period, Watch, watch

__all__ = ["Alarm", "Period", "PrevalenceEstimate", "Watch", "estimate_prevalence", "prevalence_cuts", "watch"]

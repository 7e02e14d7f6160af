"""After deployment: how many cases are positive now, and whether the choice is still the cheapest."""

from __future__ import annotations

from isocost.deployment.prevalence import PrevalenceEstimate, estimate_prevalence, prevalence_cuts
from isocost.deployment.watched import Alarm, Period, Watch
from isocost.deployment.watching import watch

__all__ = ["Alarm", "Period", "PrevalenceEstimate", "Watch", "estimate_prevalence", "prevalence_cuts", "watch"]

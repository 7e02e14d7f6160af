# The public names, each with its module: loaded when first used.

from isocost.monitor.challenge import Challenge
from isocost.monitor.check import Check, CheckItem, evaluate
from isocost.monitor.prevalence import PrevalenceEstimate, estimate_prevalence
from isocost.monitor.rule import Rule, load_decision
from isocost.monitor.watch import Alarm, Assumed, Period, RuleSaving, ToLabel, Watch

__all__ = [
    "Alarm", "Assumed", "Challenge", "Check", "CheckItem", "Period", "PrevalenceEstimate", "Rule", "RuleSaving", "ToLabel", "Watch",
    "estimate_prevalence", "evaluate", "load_decision",
]  # fmt: skip

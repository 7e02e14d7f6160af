"""Costs and prevalence, exactly known (`Condition`) or uncertain (`Conditions`)."""

from __future__ import annotations

from isocost.conditions.condition import Condition
from isocost.conditions.conditions import Conditions

__all__ = ["Condition", "Conditions"]

"""Groups of cases: a threshold for each or one for all, and what equal rates cost."""

from __future__ import annotations

from isocost.groups.groups import GroupBootstrap, Groups
from isocost.groups.results import (
    GroupChoice,
    GroupDecision,
    MixturePart,
    OneForAll,
    ParityChoice,
    PriceCurve,
    PriceSetter,
)

__all__ = [
    "GroupBootstrap", "GroupChoice", "GroupDecision", "Groups", "MixturePart", "OneForAll", "ParityChoice", "PriceCurve",
    "PriceSetter",
]  # fmt: skip

# The public names, each with its module: loaded when first used.

from isocost.groups.groups import GroupBootstrap, Groups
from isocost.groups.results import (
    GroupChoice,
    GroupDecision,
    MixturePart,
    OneForAll,
    ParityChoice,
    PriceCurve,
)

__all__ = [
    "GroupBootstrap", "GroupChoice", "GroupDecision", "Groups", "MixturePart", "OneForAll", "ParityChoice", "PriceCurve",
]  # fmt: skip

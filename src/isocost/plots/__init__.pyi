# The public names, each with its module: loaded when first used.

from isocost.plots.cost import (
    BandDisplay,
    BootstrapDisplay,
    CostDisplay,
    DecompositionDisplay,
    DifferenceDisplay,
    DualityDisplay,
    RegretDisplay,
    WinnersDisplay,
    WorkforceDisplay,
)
from isocost.plots.decisions import GroupsDisplay, PriceCurveDisplay, ReviewBarDisplay, ScoresDisplay
from isocost.plots.display import Display
from isocost.plots.forms import (
    CalibrationDisplay,
    FormDisplay,
    KendallDisplay,
    LesserAreaDisplay,
    NetBenefitDisplay,
    RatesDisplay,
)
from isocost.plots.roc import IsometricsDisplay, IsoSurfaceDisplay, RocDisplay, RocSurfaceDisplay
from isocost.plots.style import AXIS_LABELS, DASHES, FAINT, HATCHES, INK, MUTED, PALETTE

__all__ = [
    "AXIS_LABELS", "DASHES", "FAINT", "HATCHES", "INK", "MUTED", "PALETTE", "BandDisplay", "BootstrapDisplay",
    "CalibrationDisplay", "CostDisplay", "DecompositionDisplay",
    "DifferenceDisplay", "Display", "DualityDisplay", "FormDisplay", "GroupsDisplay", "IsoSurfaceDisplay", "IsometricsDisplay",
    "KendallDisplay", "LesserAreaDisplay", "NetBenefitDisplay", "PriceCurveDisplay", "RatesDisplay",
    "RegretDisplay", "ReviewBarDisplay", "RocDisplay", "RocSurfaceDisplay", "ScoresDisplay",
    "WinnersDisplay", "WorkforceDisplay",
]  # fmt: skip

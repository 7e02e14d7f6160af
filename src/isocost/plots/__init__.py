"""Figures of results, drawn with matplotlib (the extra `plots`); one display per result.

A display takes results and computes nothing new. `display.plot()` draws on a figure of its own, made without pyplot: nothing is
shown, nothing has to be closed, and a notebook shows the display as its picture. `display.plot(ax)` draws on your axes and
touches nothing else. Most results have a short-cut, `result.plot()`, that does both.
"""

from __future__ import annotations

from isocost.errors import MissingDependencyError

try:
    import matplotlib as _  # noqa: F401, ICN001 - only to say which extra is missing
except ImportError as error:
    raise MissingDependencyError("isocost.plots", "matplotlib", "plots") from error

from isocost.plots.cost import (
    BandDisplay,
    BootstrapDisplay,
    ClassWinnersDisplay,
    ComparisonDisplay,
    CostDisplay,
    DecompositionDisplay,
    DifferenceDisplay,
    DualityDisplay,
    RegretDisplay,
    WinnersDisplay,
    WorkforceDisplay,
)
from isocost.plots.decisions import (
    GroupsDisplay,
    PrevalenceDisplay,
    PriceCurveDisplay,
    ReviewBarDisplay,
    ScoresDisplay,
    WatchDisplay,
)
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
    "CalibrationDisplay", "ClassWinnersDisplay", "ComparisonDisplay", "CostDisplay", "DecompositionDisplay",
    "DifferenceDisplay", "Display", "DualityDisplay", "FormDisplay", "GroupsDisplay", "IsoSurfaceDisplay", "IsometricsDisplay",
    "KendallDisplay", "LesserAreaDisplay", "NetBenefitDisplay", "PrevalenceDisplay", "PriceCurveDisplay", "RatesDisplay",
    "RegretDisplay", "ReviewBarDisplay", "RocDisplay", "RocSurfaceDisplay", "ScoresDisplay", "WatchDisplay",
    "WinnersDisplay", "WorkforceDisplay",
]  # fmt: skip

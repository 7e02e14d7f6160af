"""Figures of results, drawn with matplotlib (the extra `plots`); one display a result.

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

from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.band import BandDisplay
from isocost.plots.bootstrap import BootstrapDisplay
from isocost.plots.calibration import CalibrationDisplay
from isocost.plots.comparison import ComparisonDisplay
from isocost.plots.cost import CostDisplay
from isocost.plots.decomposition import DecompositionDisplay
from isocost.plots.detection import DetDisplay
from isocost.plots.difference import DifferenceDisplay
from isocost.plots.display import Display
from isocost.plots.duality import DualityDisplay
from isocost.plots.gains import GainDisplay
from isocost.plots.groups import GroupsDisplay, PriceCurveDisplay
from isocost.plots.isometrics import IsometricsDisplay
from isocost.plots.isosurface import IsoSurfaceDisplay
from isocost.plots.kendall import KendallDisplay
from isocost.plots.label_value import ValueOfLabelsDisplay
from isocost.plots.lesser_area import LesserAreaDisplay
from isocost.plots.net_benefit import NetBenefitDisplay
from isocost.plots.precision_recall import PrDisplay
from isocost.plots.prevalence import PrevalenceDisplay
from isocost.plots.rates import RatesDisplay
from isocost.plots.recall_gain import PrGainDisplay
from isocost.plots.regret import RegretDisplay
from isocost.plots.review import ReviewBarDisplay, ReviewCurveDisplay, ReviewDisplay
from isocost.plots.roc import RocDisplay
from isocost.plots.scores import ScoresDisplay
from isocost.plots.style import DASHES, FAINT, HATCHES, INK, MUTED, PALETTE
from isocost.plots.surface import RocSurfaceDisplay
from isocost.plots.thresholds import ThresholdsDisplay
from isocost.plots.watch import WatchDisplay
from isocost.plots.winners import WinnersDisplay
from isocost.plots.workforce import WorkforceDisplay

__all__ = [
    "AXIS_LABELS", "DASHES", "FAINT", "HATCHES", "INK", "MUTED", "PALETTE", "BandDisplay", "BootstrapDisplay",
    "CalibrationDisplay", "ComparisonDisplay", "CostDisplay", "DecompositionDisplay", "DetDisplay", "DifferenceDisplay",
    "Display", "DualityDisplay", "GainDisplay", "GroupsDisplay", "IsoSurfaceDisplay", "IsometricsDisplay", "KendallDisplay",
    "LesserAreaDisplay", "NetBenefitDisplay", "PrDisplay", "PrGainDisplay", "PrevalenceDisplay", "PriceCurveDisplay",
    "RatesDisplay", "RegretDisplay", "ReviewBarDisplay", "ReviewCurveDisplay", "ReviewDisplay", "RocDisplay", "RocSurfaceDisplay",
    "ScoresDisplay", "ThresholdsDisplay", "ValueOfLabelsDisplay", "WatchDisplay", "WinnersDisplay", "WorkforceDisplay",
]  # fmt: skip

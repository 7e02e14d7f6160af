# The public names, each with its module: loaded when first used.

from isocost.inference.band import Band, Claim, SignificantPairs
from isocost.inference.bootstrap import Bootstrap, bootstrap
from isocost.inference.confusion import bootstrap_confusion
from isocost.inference.curve_bands import CurveBand, curve_band
from isocost.inference.delong import DeLong, delong
from isocost.inference.intervals import Interval
from isocost.inference.study import CasesNeeded, cases_needed, cases_needed_auc

__all__ = [
    "Band", "Bootstrap", "CasesNeeded", "Claim", "CurveBand", "DeLong", "Interval",
    "SignificantPairs",
    "bootstrap", "bootstrap_confusion",
    "cases_needed", "cases_needed_auc", "curve_band", "delong",
]  # fmt: skip

# The room's public names, each with its home: loaded when first used.

from isocost.curves.joint import average_cost_curves, average_roc_curves
from isocost.inference.bands import Band, Significance
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.cheapest import Cheapest
from isocost.inference.confusion import bootstrap_confusion
from isocost.inference.curve_bands import CurveBand, curve_band
from isocost.inference.delong import DeLong, delong
from isocost.inference.drawing import bootstrap
from isocost.inference.fold_bands import band_over_folds
from isocost.inference.intervals import Interval
from isocost.inference.net_benefit import NetBenefitBand, net_benefit_band
from isocost.inference.pairs import Claim, SignificantPairs
from isocost.inference.posterior import posterior_band
from isocost.inference.roc_bands import RocBand
from isocost.inference.sample_size import CasesNeeded, cases_needed, cases_needed_auc, power_auc
from isocost.inference.unpaired import unpaired
from isocost.resampling.replicates import Replicates

__all__ = [
    "Band", "Bootstrap", "CasesNeeded", "Cheapest", "Claim", "CurveBand", "DeLong", "Interval",
    "NetBenefitBand", "Replicates", "RocBand", "Significance", "SignificantPairs",
    "average_cost_curves", "average_roc_curves", "band_over_folds", "bootstrap", "bootstrap_confusion",
    "cases_needed", "cases_needed_auc", "curve_band", "delong", "net_benefit_band", "posterior_band", "power_auc",
    "unpaired",
]  # fmt: skip

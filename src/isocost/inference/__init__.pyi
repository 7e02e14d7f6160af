# The room's public names, each with its home: loaded when first used.

from isocost.inference.band import Band, Claim, Significance, SignificantPairs, band_over_folds
from isocost.inference.bootstrap import Bootstrap, bootstrap, unpaired
from isocost.inference.confusion import bootstrap_confusion, posterior_band
from isocost.inference.curve_bands import CurveBand, NetBenefitBand, curve_band, net_benefit_band
from isocost.inference.delong import DeLong, delong
from isocost.inference.intervals import Interval
from isocost.inference.replicates import Replicates
from isocost.inference.study import CasesNeeded, cases_needed, cases_needed_auc, power_auc

__all__ = [
    "Band", "Bootstrap", "CasesNeeded", "Claim", "CurveBand", "DeLong", "Interval",
    "NetBenefitBand", "Replicates", "Significance", "SignificantPairs",
    "band_over_folds", "bootstrap", "bootstrap_confusion",
    "cases_needed", "cases_needed_auc", "curve_band", "delong", "net_benefit_band", "posterior_band", "power_auc",
    "unpaired",
]  # fmt: skip

# The room's public names, each with its home: loaded when first used.

from isocost.roc_space.binormal import BinormalFit, fit_binormal
from isocost.roc_space.calibration import Calibrator
from isocost.roc_space.curve import RocCurve
from isocost.roc_space.detection import DetCurve, det_curve
from isocost.roc_space.gains import GainCurve, gain_curve
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.roc_space.precision_recall import PrCurve, pr_curve
from isocost.roc_space.rates_by_threshold import RatesCurve, rates_curve
from isocost.roc_space.recall_gain import PrGainCurve, PrGainVertex, pr_gain_curve
from isocost.roc_space.vertex import Vertex

__all__ = [
    "BinormalFit",
    "Calibrator",
    "ContinuousRocCurve",
    "DetCurve",
    "GainCurve",
    "PrCurve",
    "PrGainCurve",
    "PrGainVertex",
    "RatesCurve",
    "RocCurve",
    "Vertex",
    "det_curve",
    "fit_binormal",
    "gain_curve",
    "pr_curve",
    "pr_gain_curve",
    "rates_curve",
]

"""ROC space: points and curves."""

from __future__ import annotations

from isocost.roc_space.binormal import BinormalFit, fit_binormal
from isocost.roc_space.calibration import Calibrator
from isocost.roc_space.curve import RocCurve
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.roc_space.vertex import Vertex

__all__ = ["BinormalFit", "Calibrator", "ContinuousRocCurve", "RocCurve", "Vertex", "fit_binormal"]

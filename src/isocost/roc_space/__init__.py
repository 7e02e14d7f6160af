"""ROC space: points, curves and the one convex hull."""

from __future__ import annotations

from isocost.roc_space.calibration import Calibrator
from isocost.roc_space.curve import RocCurve, Vertex

__all__ = ["Calibrator", "RocCurve", "Vertex"]

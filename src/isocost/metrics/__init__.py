"""Metrics of one point of ROC space, their isometrics, and what they do under skew.

Every metric is called as `metric(fpr, tpr, skew_ratio)`, with numbers or arrays.
"""

from isocost._front import attach as _attach

# Metrics are registered where they are defined. The module is called isometrics too, and would be in its way once it is loaded.
from isocost.metrics import formulas as formulas
from isocost.metrics.isometrics import isometrics as isometrics

__getattr__, __dir__, __all__ = _attach(__name__)

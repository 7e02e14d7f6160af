"""Accuracy in 3D ROC space.

With the prevalence as third axis, the points of equal accuracy form a surface: 80 % in front, 50 % behind. At the bottom, where
there are no positives, it is the line fpr = 1 − accuracy; going up it turns about the descending diagonal until, where
there are only positives, it is the line tpr = accuracy. A horizontal slice is ROC space at one skew. After Figure 1 of
Flach (2003).
"""

from matplotlib.figure import Figure

import isocost as ic


def draw() -> Figure:
    """Two surfaces as triangle meshes."""
    surfaces = [ic.metrics.isosurface("accuracy", value, cells=16) for value in (0.5, 0.8)]
    return ic.plots.IsoSurfaceDisplay(surfaces).sized(5).plot().figure_

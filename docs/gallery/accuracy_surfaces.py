"""Accuracy in 3D ROC space.

With the prevalence as third axis, the points of equal accuracy form a surface: 80 % in front, 50 % behind. At the bottom, where
there are no positives, it is the line fpr = 1 − accuracy; going up it turns about the descending diagonal until, where
there are only positives, it is the line tpr = accuracy. A horizontal slice is ROC space at one skew. After Figure 1 of
Flach (2003).
"""

import numpy as np
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import isocost as ic


def draw() -> Figure:
    """Two surfaces as triangle meshes."""
    figure = Figure(figsize=(6.4, 5.6), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    for value, colour, alpha in ((0.5, "#56B4E9", 1.0), (0.8, "#D55E00", 0.8)):
        surface = ic.point_metrics.isosurface("accuracy", value, cells=16)
        corners = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])[surface.triangles]
        mesh = Poly3DCollection(corners, facecolors=colour, edgecolors=colour, linewidth=0.2, alpha=alpha, shade=True)
        axes.add_collection3d(mesh)
        axes.plot([], [], "s", color=colour, label=f"{value:.0%} accuracy")
    axes.set(xlabel="fpr", ylabel="tpr", zlabel="prevalence", xlim=(0, 1), ylim=(0, 1), zlim=(0, 1))
    axes.view_init(elev=25, azim=155)
    axes.legend(loc="upper left", frameon=False)
    return figure

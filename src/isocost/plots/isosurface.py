"""Surfaces of one value of a metric, with the prevalence as third axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patheffects import withStroke
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from isocost.plots.display import Display, label_cube, text_size
from isocost.plots.models import several
from isocost.plots.style import INK, PALETTE
from isocost.point_metrics import IsoSurface


class IsoSurfaceDisplay(Display):
    """Surfaces of 3D ROC space on which a metric has one value; a horizontal slice is ROC space at one prevalence.

    Parameters
    ----------
    surfaces : IsoSurface or several of them
        From `point_metrics.isosurface`; each has its value written on it.
    view : (float, float)
        Elevation and azimuth of the viewer, in degrees.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> surface = ic.point_metrics.isosurface("accuracy", 0.8, cells=4)
    >>> ic.plots.IsoSurfaceDisplay(surface).plot().ax_.get_zlabel()
    'prevalence'
    """

    _size = (4.8, 4.4)
    _projection = "3d"
    _artist = Poly3DCollection

    def __init__(self, surfaces: Any, *, view: tuple[float, float] = (25, 155)) -> None:
        self.surfaces: list[IsoSurface] = several(surfaces, IsoSurface, "surfaces")
        self.view = view

    def _draw(self, axes: Any, style: dict[str, Any]) -> None:
        for k, surface in enumerate(self.surfaces):
            if not len(surface.triangles):
                continue
            colour = PALETTE[k % len(PALETTE)]
            points = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])
            looks = {"facecolors": colour, "edgecolors": colour, "linewidth": 0.2, "alpha": 0.75} | style
            axes.add_collection3d(Poly3DCollection(points[surface.triangles], shade=True, **looks))
            axes.text(
                *max(points.tolist(), key=lambda p: (p[2], p[0])), f"{surface.metric.name.replace('_', ' ')} {surface.value:.3g}",
                fontsize=text_size(axes), color=INK, ha="right" if k else "center", va="bottom", parse_math=False, zorder=100,
                path_effects=[withStroke(linewidth=2, foreground="white")],
            )  # fmt: skip
        label_cube(axes, z="prevalence", view=self.view)

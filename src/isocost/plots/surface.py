"""The ROC surface in (fpr, tpr, t), and the level saddle of one operating point."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.patheffects import withStroke
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from isocost import validate
from isocost.errors import InputError
from isocost.measures.roc_surface import RocSurface, SaddlePatch
from isocost.plots.axis_labels import AXIS_LABELS
from isocost.plots.display import Display, label_cube, text_size
from isocost.plots.style import DASHES, INK, PALETTE
from isocost.results.short_names import shorten


class RocSurfaceDisplay(Display):
    r"""The ROC surface of a model, or the level saddle of an operating point: at each t, the line of equal cost.

    t is the share of the worst cost that false alarms carry; the thick line is the cheapest operating point.

    Parameters
    ----------
    surface : RocSurface or SaddlePatch
        From `RocSurface.from_curve` or `level_saddle`.
    t : sequence of float
        Draw the surface's line at these t.
    view : (float, float)
        Elevation and azimuth of the viewer, in degrees.

    References
    ----------
    Ratigan & Cowen (2025), The VOROS, AAAI 39:20148-20156, doi:10.1609/aaai.v39i19.34219.

    Examples
    --------
    >>> import isocost as ic
    >>> display = ic.plots.RocSurfaceDisplay(ic.measures.level_saddle(0.2, 0.7), t=[0.5]).plot()
    >>> display.ax_.get_zlabel().replace("\n", " ")
    'share of the worst cost that false alarms carry (t)'
    """

    _size = (4.8, 4.4)
    _projection = "3d"
    _artist = Poly3DCollection

    def __init__(
        self, surface: RocSurface | SaddlePatch, *, t: Any = (), view: tuple[float, float] = (22, -60)
    ) -> None:
        if not isinstance(surface, RocSurface | SaddlePatch):
            raise InputError(f"surface must be a RocSurface or one of its patches, got {type(surface).__name__}")
        self.surface = surface
        self.t = np.atleast_1d(validate.rates(t, "t")) if np.size(t) else np.empty(0)
        self.view = view

    def _draw(self, axes: Any, style: dict[str, Any]) -> None:
        grid = self.surface.grid()
        looks = {"color": PALETTE[2], "alpha": 0.55, "linewidth": 0, "shade": True} | style
        axes.plot_surface(grid.fpr, grid.tpr, grid.t, rstride=1, cstride=grid.fpr.shape[1] - 1, **looks)
        points = self._operating_points()
        axes.plot(*points.T, color=PALETTE[0], linewidth=1.8, zorder=5)
        for k, t in enumerate(self.t.tolist()):
            x0, y0, x1, y1 = (float(v) for v in self.surface.line(t))
            axes.plot([x0, x1], [y0, y1], [t, t], color=INK, linewidth=1.4, linestyle=DASHES[k % len(DASHES)], zorder=6)
            far = max(((x0, y0), (x1, y1)), key=lambda end: math.dist(end, self._cheapest(t)))
            axes.text(
                *far, t, f" t = {t:.3g} ", fontsize=text_size(axes), color=INK, ha="left" if far == (x1, y1) else "right",
                va="center", zorder=100, path_effects=[withStroke(linewidth=2, foreground="white")],
            )  # fmt: skip
        label_cube(axes, z=AXIS_LABELS["t"], view=self.view)
        if getattr(self.surface, "name", None) is not None:
            axes.set_title(shorten([str(self.surface.name)])[0], fontsize=text_size(axes, 1.1), y=0.9, parse_math=False)  # type: ignore[union-attr]

    def _cheapest(self, t: float) -> tuple[float, float]:
        """Return the operating point that is cheapest at t."""
        path = self._operating_points()
        fpr, tpr, _ = path[min(int(np.searchsorted(path[:, 2], t)), len(path) - 1)]
        return float(fpr), float(tpr)

    def _operating_points(self) -> Any:
        """Return the path of the cheapest operating point as t goes from low to high."""
        patches = self.surface.patches if isinstance(self.surface, RocSurface) else (self.surface,)
        return np.array([(p.fpr, p.tpr, t) for p in patches for t in (p.t_low, p.t_high)])

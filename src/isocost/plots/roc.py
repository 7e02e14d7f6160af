"""ROC space: curves with hulls, iso-cost lines, thresholds and rates; isometrics and surfaces of metrics."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from matplotlib.lines import Line2D
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from isocost.conditions import Condition, certain
from isocost.curves import RocCurve, cost_curve
from isocost.curves.roc import bare_rates, is_path, prevalence_or
from isocost.data import checks
from isocost.decide import Choice, Question
from isocost.decide.decision import decide
from isocost.measures.surface import RocSurface
from isocost.metrics import Isometrics, IsoSurface
from isocost.metrics.loci import clip
from isocost.numbers import shorten, threshold
from isocost.plots.display import Display, ModelsDisplay, Sheet, alike
from isocost.plots.labels import Tag, cut_text, legend_below, place
from isocost.plots.style import AXIS_LABELS, DASHED, DASHES, INK, PALETTE, Dash, Look, text_size

_MOST_THRESHOLDS = 16
_SQUARE: dict[str, Any] = {"xlim": (-0.01, 1.01), "ylim": (-0.01, 1.01), "aspect": "equal"}


class RocDisplay(ModelsDisplay, kind=RocCurve, size=(4.4, 4.4)):
    """ROC space: the operating points of one model or several, and the cheapest of them at a condition.

    Parameters
    ----------
    curves : RocCurve, several of them, or a Comparison
    condition : Condition, optional
        Marks the cheapest operating point of all and draws the iso-cost line through it: every point on that line costs the same.
    hull : bool
        Draw the hull of each curve; its vertices are the only points that are ever cheapest.
    thresholds : bool
        Write the threshold next to the hull's vertices, as many as there is space for.
    rates : sequence of float
        Draw the line of operating points that flag this share of all cases.
    prevalence : float, optional
        For `rates`; that of the condition, else the data's own.

    Examples
    --------
    >>> display = ic.plots.RocDisplay(curve, condition=ic.Condition(cost_fn=5, prevalence=0.3)).plot()
    >>> display.ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    curves: Any
    _: KW_ONLY
    condition: Condition | None = None
    hull: bool = True
    thresholds: bool = False
    rates: Sequence[float] = ()
    prevalence: float | None = None

    def _prepare(self) -> None:
        if self.condition is not None:
            self.condition = certain(self.condition)
            self.prevalence = self.condition.prevalence if self.prevalence is None else self.prevalence
        if len(self.rates):
            self.prevalence = prevalence_or(self.curves[0], self.prevalence)
        super()._prepare()

    def _cost(self, one: RocCurve) -> float:
        if self.condition is None:
            return cost_curve(one.hull).area()
        return float(one.hull.optimal_cost(self.condition.t))

    @property
    def best(self) -> Choice | None:
        """The cheapest choice at the condition."""
        if self.condition is None:
            return None
        return decide(self.curves, Question.of(self.condition)).choice

    def _draw(self, sheet: Sheet) -> None:
        sheet.label(AXIS_LABELS["fpr"], AXIS_LABELS["tpr"])
        sheet.axes.set(**_SQUARE)
        for curve, look in zip(self.curves, self.looks, strict=True):
            self._draw_curve(sheet, curve, look)
        sheet.aside([0, 1], [0, 1], linewidth=0.8, zorder=1)
        best, condition = self.best, self.condition
        if best is not None and condition is not None:
            t, pcf = condition.t, condition.pcf
            sheet.dot(best.fpr, best.tpr, _rule(best))
            level = (t, -pcf, t * best.fpr - pcf * best.tpr)
            self._across(sheet, level, "equal cost", color=INK, linestyle=DASHED, zorder=4)
        pi = 0.5 if self.prevalence is None else float(self.prevalence)
        for rate in self.rates:
            own = {"linewidth": 0.8, "linestyle": (0, (1, 2)), "zorder": 1}
            self._across(sheet, (1 - pi, pi, rate), f"{100 * rate:.3g} % flagged", **own)
        sheet.name(self.names)
        if self.thresholds:
            # The cheapest point has its rule written beside it already.
            cuts = [cut for cut in self._cuts() if best is None or cut.points != ([best.fpr], [best.tpr])]
            ink = [*sheet.ink, *sheet.lines, *(tag.points for tag in sheet.tags)]
            place(sheet.axes, cuts[:_MOST_THRESHOLDS], ink, share=0.9, leaders=len(self.curves) == 1)

    def _across(self, sheet: Sheet, line: tuple[float, float, float], text: str, **own: Any) -> None:
        """Draw a line a·fpr + b·tpr = c, which passes through the square."""
        path = clip(line)
        assert path is not None  # noqa: S101 - through the best point, or at a share between 0 and 1
        sheet.aside(path.fpr, path.tpr, text, **own)

    def _draw_curve(self, sheet: Sheet, curve: RocCurve, look: Look) -> None:
        """Draw one model: its points where it is crisp, its hull, or the curve itself."""
        points, hull = (curve.fpr, curve.tpr), (curve.hull.fpr, curve.hull.tpr)
        crisp = not is_path(curve) or len(bare_rates(curve)[0]) == 1
        if crisp:
            sheet.axes.plot(*bare_rates(curve), linestyle="none", marker="x", color=look.colour, markersize=5, zorder=3)
        else:
            sheet.ink.append(points)
            if self.hull:
                sheet.axes.plot(*points, **look.line(linewidth=0.5 * look.width, linestyle="-", alpha=0.45))
        markers = {"marker": "o", "markersize": 2.2} if len(hull[0]) <= 40 and look.named else {}
        if self.hull or crisp:
            sheet.models([hull], [look], **markers)
        else:
            sheet.models([points], [look])

    def _cuts(self) -> list[Tag]:
        """Return the thresholds of the hulls, those that are best over the widest range of conditions first."""
        vertices = [
            (v, curve, look)
            for curve, look in zip(self.curves, self.looks, strict=True)
            if look.named
            for v in curve.hull.vertices
            if np.isfinite(v.threshold) and not v.trivial
        ]
        vertices.sort(key=lambda found: found[0].t_low - found[0].t_high)
        return [Tag(cut_text(curve, v.threshold), ([v.fpr], [v.tpr]), look.colour) for v, curve, look in vertices]


def _rule(choice: Choice) -> str:
    if choice.rule in ("nobody", "everybody"):
        return f"flag {choice.rule}"
    return f"score ≥ {threshold(choice.threshold, choice.below)}" if np.isfinite(choice.threshold) else "cheapest"


_DASHES: tuple[Dash, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.2)))


class IsometricsDisplay(Display, kind=Isometrics, several=True, size=(4.4, 4.6), cites="Flach 2003"):
    """Lines of ROC space along which a metric keeps its value, at one skew ratio or several: solid, dashed, dotted.

    Parameters
    ----------
    isometrics : Isometrics or up to three of them
        Of one metric; each skew ratio has its own dash and colour.
    values : bool
        Write the value next to the lines of the first one, as many as there is space for.

    Examples
    --------
    >>> lines = [ic.metrics.isometrics("precision", [0.2, 0.5, 0.8], skew_ratio=c) for c in (1, 0.5)]
    >>> display = ic.plots.IsometricsDisplay(lines).plot()
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['skew ratio 1', 'skew ratio 0.5']
    """

    isometrics: Any
    _: KW_ONLY
    values: bool = True

    def _prepare(self) -> None:
        metrics = sorted({lines.metric.name for lines in self.made})
        alike(metrics, f"isometrics of one metric make one figure, got {' and '.join(metrics)}")
        checks.whole(len(self.made), "the number of skew ratios in one figure", low=1, high=len(_DASHES))

    def _draw(self, sheet: Sheet) -> None:
        sheet.label(AXIS_LABELS["fpr"], AXIS_LABELS["tpr"])
        sheet.title(f"Isometrics of {self.made[0].metric.name.replace('_', ' ')}")
        sheet.axes.set(**_SQUARE)
        entries = []
        for k, lines in enumerate(self.made):
            look = {"linestyle": _DASHES[k], "color": PALETTE[k], "linewidth": 1.2} | sheet.style
            entries.append((Line2D([], [], **look), f"skew ratio {lines.skew_ratio:.3g}"))
            for line in lines:
                points = line.fpr, line.tpr
                sheet.axes.plot(*points, marker="o" if line.fpr.size == 1 else None, markersize=3, **look)
                if k == 0 and self.values:
                    sheet.tags.append(Tag(f"{line.value:.3g}", points, INK))
                else:
                    sheet.ink.append(points)
        if len(entries) > 1:
            legend_below(sheet.axes, entries)
        sheet.name(leaders=False)


class CubeDisplay(Display, size=(4.8, 4.4), artist=Poly3DCollection, projection="3d", view=(22, -60)):
    """A figure over ROC space with a third axis, seen from an angle."""

    # Elevation and azimuth of the viewer, in degrees.

    def _cube(self, sheet: Sheet, z: str) -> None:
        """Label the axes and turn them to the viewer."""
        axes, size = sheet.axes, text_size(sheet.axes)
        for name, text in (("x", AXIS_LABELS["fpr"]), ("y", AXIS_LABELS["tpr"]), ("z", z)):
            lines = textwrap.wrap(text, 28 if name == "z" else 18)
            pad = (1.1 if name == "z" else 0.7) * size * (len(lines) - 1)
            getattr(axes, f"set_{name}label")("\n".join(lines), fontsize=size, labelpad=pad)
            axes.set(**{f"{name}lim": (0, 1), f"{name}ticks": [0.0, 0.5, 1.0]})
        # Axes meet in the corners, and one number there is enough.
        axes.set(yticks=[0.5, 1.0] if self._view[1] < 0 else [0.0, 0.5], zticks=[0.5, 1.0])
        axes.tick_params(labelsize=text_size(axes, 0.85), pad=-1)
        axes.view_init(elev=self._view[0], azim=self._view[1])
        # Labels stand outside of what matplotlib takes for the size of a cube.
        axes.set_box_aspect(None, zoom=0.77)


class IsoSurfaceDisplay(CubeDisplay, kind=IsoSurface, several=True, view=(25, 155), cites="Flach 2003"):
    """Surfaces of 3D ROC space on which a metric has one value; a horizontal slice is ROC space at one prevalence.

    Parameters
    ----------
    surfaces : IsoSurface or several of them
        From `metrics.isosurface`; each has its value written on it.

    Examples
    --------
    >>> surface = ic.metrics.isosurface("accuracy", 0.8, cells=4)
    >>> ic.plots.IsoSurfaceDisplay(surface).plot().ax_.get_zlabel()
    'prevalence'
    """

    surfaces: Any

    def _draw(self, sheet: Sheet) -> None:
        for k, surface in enumerate(self.surfaces):
            if not len(surface.triangles):
                continue
            colour = PALETTE[k % len(PALETTE)]
            points = np.column_stack([surface.fpr, surface.tpr, surface.prevalence])
            looks = {"facecolors": colour, "edgecolors": colour, "linewidth": 0.2, "alpha": 0.75} | sheet.style
            sheet.axes.add_collection3d(Poly3DCollection(points[surface.triangles], shade=True, **looks))
            highest = max(points.tolist(), key=lambda p: (p[2], p[0]))
            name = f"{surface.metric.name.replace('_', ' ')} {surface.value:.3g}"
            sheet.write(name, *highest, ha="right" if k else "center", va="bottom", zorder=100)
        self._cube(sheet, "prevalence")


class RocSurfaceDisplay(CubeDisplay, kind=RocSurface, cites="Ratigan & Cowen 2025"):
    r"""The ROC surface of a model, or the level saddle of an operating point: at each t, the line of equal cost.

    t is the share of the worst cost that false alarms carry; the thick line is the cheapest operating point.

    Parameters
    ----------
    surface : RocSurface
        From `RocSurface.from_curve` or `level_saddle`.
    t : sequence of float
        Draw the surface's line at these t.

    Examples
    --------
    >>> display = ic.plots.RocSurfaceDisplay(ic.measures.level_saddle(0.2, 0.7), t=[0.5]).plot()
    >>> display.ax_.get_zlabel().replace("\n", " ")
    'share of the worst cost that false alarms carry (t)'
    """

    surface: RocSurface
    _: KW_ONLY
    t: Any = ()

    def _prepare(self) -> None:
        self.t = np.atleast_1d(checks.rates(self.t, "t")) if np.size(self.t) else np.empty(0)

    def _draw(self, sheet: Sheet) -> None:
        axes, (x, y, z) = sheet.axes, self.surface.grid()
        looks = {"color": PALETTE[2], "alpha": 0.55, "linewidth": 0, "shade": True} | sheet.style
        axes.plot_surface(x, y, z, rstride=1, cstride=x.shape[1] - 1, **looks)
        # The path of the cheapest operating point as t goes from low to high.
        path = np.array([(p.fpr, p.tpr, t) for p in self.surface.patches for t in (p.t_low, p.t_high)])
        axes.plot(*path.T, color=PALETTE[0], linewidth=1.8, zorder=5)
        for k, t in enumerate(self.t.tolist()):
            x0, y0, x1, y1 = (float(v) for v in self.surface.line(t))
            axes.plot([x0, x1], [y0, y1], [t, t], color=INK, linewidth=1.4, linestyle=DASHES[k % len(DASHES)], zorder=6)
            cheapest = path[min(int(np.searchsorted(path[:, 2], t)), len(path) - 1), :2]
            far = max(((x0, y0), (x1, y1)), key=lambda end: math.dist(end, cheapest))
            side = "left" if far == (x1, y1) else "right"
            sheet.write(f" t = {t:.3g} ", *far, t, ha=side, va="center", zorder=100)
        self._cube(sheet, AXIS_LABELS["t"])
        if self.surface.name is not None:
            sheet.title(shorten([str(self.surface.name)])[0], y=0.9)

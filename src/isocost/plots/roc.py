"""ROC space: curves with hulls, iso-cost lines, thresholds and rates; isometrics and surfaces of metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from isocost.conditions import Condition, certain
from isocost.curves import RocCurve, cost_curve
from isocost.data import checks
from isocost.decide import Choice, best_threshold
from isocost.errors import InputError
from isocost.measures.surface import RocSurface, SaddlePatch
from isocost.metrics import Isometrics, IsoSurface
from isocost.metrics.loci import clip
from isocost.numbers import shorten, threshold
from isocost.plots.display import (
    AXIS_LABELS,
    DASHES,
    INK,
    MUTED,
    PALETTE,
    Dash,
    Display,
    Look,
    label_axes,
    label_cube,
    looks_of,
    names_of,
    several,
    text_size,
)
from isocost.plots.labels import Points, Tag, cut_text, legend_below, name_lines, place

_MOST_THRESHOLDS = 16


class RocDisplay(Display):
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
    highlight : sequence of str, optional
        With more than six models, those to draw in colour; by default the cheapest five (at the condition, or on average).

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.RocCurve.from_scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], name="demo")
    >>> display = ic.plots.RocDisplay(curve, condition=ic.Condition(cost_fn=5, prevalence=0.3)).plot()
    >>> display.ax_.get_xlabel()
    'share of negatives flagged (fpr)'
    """

    _size = (4.4, 4.4)
    condition: Condition | None

    def __init__(
        self,
        curves: Any,
        *,
        condition: Condition | None = None,
        hull: bool = True,
        thresholds: bool = False,
        rates: Sequence[float] = (),
        prevalence: float | None = None,
        highlight: Sequence[str] | None = None,
    ) -> None:
        self.curves: list[RocCurve] = several(curves, RocCurve, "curves")
        self.condition = None if condition is None else certain(condition)
        self.hull, self.thresholds, self.rates = hull, thresholds, rates
        if prevalence is None and condition is not None:
            prevalence = condition.prevalence
        self.prevalence = self.curves[0]._prevalence_or(prevalence) if len(rates) else prevalence
        self.names = names_of(self.curves)
        self.looks = looks_of(self.names, _costs(self.curves, condition), highlight)

    @property
    def best(self) -> Choice | None:
        """The cheapest choice at the condition."""
        if self.condition is None:
            return None
        choices = [best_threshold(curve, self.condition) for curve in self.curves]
        return min(choices, key=lambda choice: float(choice.normalised_cost or 0.0))

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        lines: list[Points] = []
        for curve, look in zip(self.curves, self.looks, strict=True):
            lines.append(_draw_curve(axes, curve, look, hull=self.hull, style=style))
        ink: list[Points] = [((0, 1), (0, 1)), *((c.fpr, c.tpr) for c in self.curves if c._is_path)]
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=0.8, linestyle=":", zorder=1)
        known = len(ink)
        tags = self._iso_cost(axes) + self._rate_lines(axes)
        ink += [(tag.x, tag.y) for tag in tags]
        label_axes(axes, x=AXIS_LABELS["fpr"], y=AXIS_LABELS["tpr"])
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        name_lines(axes, self.names, lines, self.looks, ink)
        place(axes, tags, [*ink[:known], *lines], share=0.9)
        if self.thresholds:
            said = self.best
            cuts = _threshold_tags(self.curves, self.looks)
            # The cheapest point has its rule written beside it already.
            cuts = [c for c in cuts if said is None or (c.x[0], c.y[0]) != (said.fpr, said.tpr)][:_MOST_THRESHOLDS]
            place(axes, cuts, [*ink, *lines], share=0.9, leaders=len(self.curves) == 1)

    def _rate_lines(self, axes: Axes) -> list[Tag]:
        tags = []
        for rate in self.rates:
            pi = float(self.prevalence if self.prevalence is not None else 0.5)
            path = clip((1 - pi, pi, rate))
            if path is None:
                raise InputError(f"rates must lie between 0 and 1, got {rate!r}")
            axes.plot(path.fpr, path.tpr, color=MUTED, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
            tags.append(Tag(f"{100 * rate:.3g} % flagged", path.fpr, path.tpr, MUTED))
        return tags

    def _iso_cost(self, axes: Axes) -> list[Tag]:
        best, condition = self.best, self.condition
        if best is None or condition is None:
            return []
        t, pcf = condition.t, condition.pcf
        path = clip((t, -pcf, t * best.fpr - pcf * best.tpr))
        assert path is not None  # noqa: S101 - it passes through a point of the square
        axes.plot(path.fpr, path.tpr, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=4)
        axes.plot([best.fpr], [best.tpr], "o", color=INK, markersize=5, zorder=5)
        rule = _rule(best)
        point = Tag(rule, np.array([best.fpr]), np.array([best.tpr]), INK, bold=True)
        return [point, Tag("equal cost", path.fpr, path.tpr, INK)]


def _draw_curve(axes: Axes, curve: RocCurve, look: Look, *, hull: bool, style: dict[str, Any]) -> Points:
    """Draw one model and return the line that its name belongs to."""
    crisp = not curve._is_path or len(curve._bare()[0]) == 1
    if crisp:
        x, y = curve._bare()
        axes.plot(x, y, linestyle="none", marker="x", color=look.colour, markersize=5, zorder=3)
    elif hull:
        axes.plot(curve.fpr, curve.tpr, **look.line(linewidth=0.5 * look.width, linestyle="-", alpha=0.45))
    if hull or crisp:
        shape = curve.hull
        markers = {"marker": "o", "markersize": 2.2} if len(shape) <= 40 and look.named else {}
        axes.plot(shape.fpr, shape.tpr, **look.line(**(markers | style)))
        return shape.fpr, shape.tpr
    axes.plot(curve.fpr, curve.tpr, **look.line(**style))
    return curve.fpr, curve.tpr


def _costs(curves: Sequence[RocCurve], condition: Condition | None) -> list[float]:
    if condition is None:
        return [cost_curve(curve.hull).area() for curve in curves]
    return [float(curve.hull.optimal_cost(condition.t)) for curve in curves]


def _rule(choice: Choice) -> str:
    if choice.rule in ("nobody", "everybody"):
        return f"flag {choice.rule}"
    return f"score ≥ {threshold(choice.threshold, choice.below)}" if np.isfinite(choice.threshold) else "cheapest"


def _threshold_tags(curves: Sequence[RocCurve], seen: Sequence[Look]) -> list[Tag]:
    vertices = [
        (v, curve, look)
        for curve, look in zip(curves, seen, strict=True)
        if look.named
        for v in curve.hull.vertices
        if np.isfinite(v.threshold) and not v.trivial
    ]
    # Those that are best over the widest range of conditions come first.
    vertices.sort(key=lambda found: found[0].t_low - found[0].t_high)
    return [
        Tag(cut_text(curve, v.threshold), np.array([v.fpr]), np.array([v.tpr]), look.colour)
        for v, curve, look in vertices
    ]


_DASHES: tuple[Dash, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.2)))


class IsometricsDisplay(Display):
    """Lines of ROC space along which a metric keeps its value, at one skew ratio or several: solid, dashed, dotted.

    Parameters
    ----------
    isometrics : Isometrics or up to three of them
        Of one metric; each skew ratio has its own dash and colour.
    values : bool
        Write the value next to the lines of the first one, as many as there is space for.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> lines = [ic.metrics.isometrics("precision", [0.2, 0.5, 0.8], skew_ratio=c) for c in (1, 0.5)]
    >>> display = ic.plots.IsometricsDisplay(lines).plot()
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['skew ratio 1', 'skew ratio 0.5']
    """

    _size = (4.4, 4.6)

    def __init__(self, isometrics: Any, *, values: bool = True) -> None:
        self.values = values
        self.isometrics: list[Isometrics] = several(isometrics, Isometrics, "isometrics")
        metrics = {lines.metric.name for lines in self.isometrics}
        if len(metrics) > 1:
            raise InputError(f"isometrics of one metric make one figure, got {' and '.join(sorted(metrics))}")
        if len(self.isometrics) > len(_DASHES):
            raise InputError(f"at most {len(_DASHES)} skew ratios can be distinguished, got {len(self.isometrics)}")

    def _draw(self, axes: Axes, style: dict[str, Any]) -> None:
        drawn: list[Points] = []
        tags: list[Tag] = []
        handles = []
        for k, (lines, dash, colour) in enumerate(zip(self.isometrics, _DASHES, PALETTE, strict=False)):
            looks = {"linestyle": dash, "color": colour, "linewidth": 1.2} | style
            handles.append(Line2D([], [], **looks))
            for line in lines:
                axes.plot(line.fpr, line.tpr, marker="o" if line.fpr.size == 1 else None, markersize=3, **looks)
                drawn.append((line.fpr, line.tpr))
                if k == 0 and self.values:
                    tags.append(Tag(f"{line.value:.3g}", line.fpr, line.tpr, INK))
        name = self.isometrics[0].metric.name.replace("_", " ")
        label_axes(axes, x=AXIS_LABELS["fpr"], y=AXIS_LABELS["tpr"], title=f"Isometrics of {name}")
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        if len(self.isometrics) > 1:
            names = [f"skew ratio {lines.skew_ratio:.3g}" for lines in self.isometrics]
            legend_below(axes, list(zip(handles, names, strict=True)))
        place(axes, tags, drawn[len(tags) :], share=0.9, leaders=False)


class IsoSurfaceDisplay(Display):
    """Surfaces of 3D ROC space on which a metric has one value; a horizontal slice is ROC space at one prevalence.

    Parameters
    ----------
    surfaces : IsoSurface or several of them
        From `metrics.isosurface`; each has its value written on it.
    view : (float, float)
        Elevation and azimuth of the viewer, in degrees.

    References
    ----------
    Flach (2003), The geometry of ROC space, ICML 20:194-201.

    Examples
    --------
    >>> import isocost as ic
    >>> surface = ic.metrics.isosurface("accuracy", 0.8, cells=4)
    >>> ic.plots.IsoSurfaceDisplay(surface).plot().ax_.get_zlabel()
    'prevalence'
    """

    _size = (4.8, 4.4)
    _projection = "3d"
    _artist = Poly3DCollection

    def __init__(self, surfaces: Any, *, view: tuple[float, float] = (25, 155)) -> None:
        self.surfaces: list[IsoSurface] = several(surfaces, IsoSurface, "surfaces")

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
        self.t = np.atleast_1d(checks.rates(t, "t")) if np.size(t) else np.empty(0)

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

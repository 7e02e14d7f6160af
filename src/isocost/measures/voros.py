"""VOROS: the volume over the ROC surface, the mean area of lesser classifiers over the conditions, with and without limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented_by
from isocost.conditions import Condition, Conditions
from isocost.curves import RocCurve
from isocost.curves.hull import cheapest
from isocost.curves.roc import ContinuousRocCurve, bare_rates, prevalence_or, refuse_continuous, takes_curve
from isocost.data import checks
from isocost.data.checks import Bools, Floats
from isocost.errors import InfeasibleError, InputError
from isocost.measures.registry import CostGrid, OfCosts, hat_weights, measure
from isocost.numbers import counted
from isocost.results import Columns, Drawn


@overload
def lesser_area(cost: float, t: float) -> float: ...
@overload
def lesser_area(cost: ArrayLike, t: ArrayLike) -> Floats: ...
@documented_by(
    r"1 - \frac{c^2}{2 s l} \text{ for } c \le s, \quad 1 - \frac{2c - s}{2l} \text{ between}, \quad "
    r"\frac{(1 - c)^2}{2 s l} \text{ for } c \ge l, \qquad s = \min(t, 1 - t), \quad l = \max(t, 1 - t)",
    see="lesser_area_curve isocost.voros",
    cites="Ratigan & Cowen 2025, Definition 43 and Theorem 62, corrected",
)  # fmt: skip
def lesser_area(cost: ArrayLike, t: ArrayLike) -> float | Floats:
    """Return the area of lesser classifiers: the share of ROC space that costs at least `cost` at t; 0 to 1, higher is better.

    The probability that a classifier with fpr and tpr drawn uniformly and independently is no better: up to s anything at least as
    good as the better trivial classifier, from l on anything as bad as both. At t = 0 and t = 1 only one rate matters: 1 - cost.

    Parameters
    ----------
    cost : float or array
        Normalised cost t·fpr + (1-t)(1-tpr), in [0, 1].
    t : float or array
        In [0, 1]; broadcast against `cost`.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> ic.measures.lesser_area(0.25, 0.5)
    0.875
    >>> ic.measures.lesser_area([0.0, 0.25, 1.0], 0.0).tolist()
    [1.0, 0.75, 0.0]
    """
    cost, t = checks.rates(cost, "cost"), checks.rates(t, "t")
    checks.same_shape(cost=cost, t=t)
    area = area_at(cost, t)
    return float(area) if area.ndim == 0 else area


def area_at(cost: Floats, t: Floats) -> Floats:
    """Return what `lesser_area` does, for numbers known to lie in [0, 1] up to rounding."""
    small = np.minimum(t, 1 - t)
    large = 1 - small
    # Quotients before products: cost² would underflow next to t = 0.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        better = 1 - (cost / small) * (cost / large) / 2
        worse = ((1 - cost) / small) * ((1 - cost) / large) / 2
    between = 1 - (2 * cost - small) / (2 * large)
    area = np.where((cost <= small) & (small > 0), better, between)
    return np.asarray(np.where((cost >= large) & (small > 0), worse, area))


@dataclass(frozen=True, eq=False, repr=False)
class LesserAreaCurve(Drawn):
    """The area of lesser classifiers of a whole curve at each t; its mean is the VOROS.

    Between two breaks one operating point (h, k) is the cheapest: on the hull its area is 1 + ½(1-k-h)² - ½(1-k)²/t - ½h²/(1-t).

    Attributes
    ----------
    breaks : ndarray of shape (m + 1,)
        Ascending, from 0 to 1.
    fpr, missed : ndarray of shape (m,)
        The cheapest operating point on each piece, as fpr and 1 - tpr.
    name : str or None

    See Also
    --------
    lesser_area_curve : makes one of a ROC curve.
    RocSurface : the surface under which the areas lie.

    Examples
    --------
    >>> import isocost as ic
    >>> curve = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7]))
    >>> curve
    <LesserAreaCurve: 3 pieces, mean 0.8942>
    >>> curve([0.1, 0.5]).round(4).tolist()
    [0.9444, 0.875]
    """

    _display = "LesserAreaDisplay"

    breaks: Floats
    fpr: Floats
    missed: Floats
    name: str | None = None
    # Whether no point is known to cost more than a trivial classifier, as on a hull, which has these too.
    _on_hull: bool = False

    def _area(self, t: Floats) -> Floats:
        piece = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, self.fpr.size - 1)
        return area_at(t * self.fpr[piece] + (1 - t) * self.missed[piece], t)

    def __call__(self, t: ArrayLike) -> Floats:
        """Return the area at each t in [0, 1]."""
        return self._area(checks.rates(t, "t"))

    def expectation(self, condition: Conditions | Condition | None = None) -> float:
        """Return the mean area over a distribution of conditions: the VOROS."""
        density = Conditions.of(condition).density
        known = density.reciprocals(self.breaks) if self._on_hull else None
        if known is None:
            # The area is bounded and smooth; 1/t and 1/(1-t) alone are neither, and next to the poles full of rounding.
            return density.expect(self._area, self.breaks)
        h, q = self.fpr, self.missed
        total = (1 + (q - h) ** 2 / 2) @ known[0]
        # The area is at most 1, so a pole is touched only with a coefficient that is 0, or so small (a rate below the
        # spacing of floats next to t = 1) that its term cannot be seen.
        for rate, moment in zip((q, h), known[1:], strict=True):
            total -= rate**2 / 2 @ np.where(np.isfinite(moment), moment, 0.0)
        return float(total)

    def _data(self) -> dict[str, Any]:
        points = {"breaks": self.breaks, "fpr": self.fpr, "tpr": 1 - self.missed}
        return {"name": self.name, **points, "missed": self.missed}

    def _columns(self) -> Columns:
        return {"t_low": self.breaks[:-1], "t_high": self.breaks[1:], "fpr": self.fpr, "tpr": 1 - self.missed}

    def __repr__(self) -> str:
        title = "LesserAreaCurve" if self.name is None else f"LesserAreaCurve {self.name!r}"
        return f"<{title}: {counted(self.fpr.size, 'piece')}, mean {self.expectation():.4g}>"


@takes_curve(
    r"1 - \frac{c(t)^2}{2t(1 - t)}, \quad c(t) = \min_i\,[t\,fpr_i + (1 - t)(1 - tpr_i)]",
    see="lesser_area isocost.voros", cites="Ratigan & Cowen 2025, Definitions 43-44",
)  # fmt: skip
def lesser_area_curve(curve: RocCurve, *, include_trivial: bool = True) -> LesserAreaCurve:
    """Return the area of lesser classifiers at every t, exactly: its breaks and the operating point between them.

    Parameters
    ----------
    curve : RocCurve
        From data or points.
    include_trivial : bool
        Whether the trivial classifiers may be used where they are cheaper.

    Examples
    --------
    >>> areas = ic.measures.lesser_area_curve(ic.RocCurve.from_points([0.2], [0.7]))
    >>> areas.breaks.round(4).tolist()
    [0.0, 0.2727, 0.7778, 1.0]
    >>> round(areas.expectation(ic.Conditions.uniform(t=(0.25, 0.75))), 4)
    0.863
    """
    refuse_continuous(curve, "lesser_area_curve needs")
    if checks.flag(include_trivial, "include_trivial"):
        hull = curve.hull
        # Misses counted, not 1 - tpr, so that a vertex with none has exactly 0.
        h, q = hull.fpr[::-1], ((hull.tp[-1] - hull.tp) / hull.tp[-1])[::-1]
        return _pieces(np.concatenate([[0.0], curve.switches, [1.0]]), h, q, curve.name, on_hull=True)
    x, y = bare_rates(curve)
    checks.some(
        x, "the list of operating points", "besides the trivial classifiers there is none; use include_trivial=True"
    )
    best, switch_t = cheapest(x, y)
    breaks, h, q = np.concatenate([[0.0], switch_t, [1.0]]), x[best][::-1], 1 - y[best][::-1]
    # The formula changes where the cost meets that of a trivial classifier, and at t = ½.
    a, b = breaks[:-1, None], breaks[1:, None]
    with np.errstate(invalid="ignore"):
        cuts = np.stack([q / (1 - h + q), (1 - q) / (1 - q + h), np.full_like(h, 0.5)], axis=1)
    # 0/0: the point is a trivial classifier itself and its cost meets that line everywhere.
    cuts = np.sort(np.clip(np.nan_to_num(cuts, nan=0.5), a, b), axis=1)
    edges = np.concatenate([[breaks[0]], np.concatenate([cuts, b], axis=1).ravel()])
    return _pieces(edges, np.repeat(h, 4), np.repeat(q, 4), curve.name)


def _pieces(breaks: Floats, fpr: Floats, missed: Floats, name: str | None, *, on_hull: bool = False) -> LesserAreaCurve:
    """Return the curve of the pieces that have width."""
    wide = breaks[1:] > breaks[:-1]
    if not wide.all():
        breaks, fpr, missed = np.concatenate([breaks[:1], breaks[1:][wide]]), fpr[wide], missed[wide]
    return LesserAreaCurve(breaks, fpr, missed, name, on_hull)


# Rates are quotients of counts: equality with a limit is meant up to the rounding of one division.
SLACK = 4 * float(np.finfo(np.float64).eps)
_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class FeasibleRegion:
    """All of ROC space that keeps limits: a convex polygon, whose corners run counter-clockwise."""

    limits: dict[str, float]
    prevalence: float
    corners: Floats

    @classmethod
    def within(cls, limits: Mapping[str, float], prevalence: float) -> FeasibleRegion:
        """Cut the unit square with one half-plane after the other; raise InfeasibleError if no area is left."""
        corners, checked = _SQUARE, {kind: checks.number(v, kind, low=0.0, high=1.0) for kind, v in limits.items()}
        for excess in (_excess(kind, value, prevalence) for kind, value in checked.items()):
            over, kept = excess(*corners.T), []
            for a, b, here, after in zip(corners, np.roll(corners, -1, 0), over, np.roll(over, -1), strict=True):
                if here <= 0:
                    kept.append(a)
                if here < 0 < after or after < 0 < here:
                    kept.append(a + (b - a) * (here / (here - after)))
            corners = np.array(kept).reshape(-1, 2)
        region = cls(checked, prevalence, corners)
        # More than a segment, a point or a sliver made by rounding.
        if len(corners) > 2 and region.area > SLACK * float(np.ptp(corners, axis=0).max()):
            return region
        raise InfeasibleError(f"no area of ROC space is left by {region}: loosen a limit")

    @property
    def area(self) -> float:
        """Share of the unit square."""
        (x, y), (u, v) = self.corners.T, np.roll(self.corners, -1, axis=0).T
        return float((x * v - y * u).sum() / 2)

    def feasible(self, fpr: Floats, tpr: Floats) -> Bools:
        """Return which operating points keep every limit, one of those that flag a case among them if a precision is asked for."""
        over = [_excess(kind, value, self.prevalence)(fpr, tpr) for kind, value in self.limits.items()]
        inside, flagging = np.all([np.ones(fpr.size), *(part <= SLACK for part in over)], axis=0), (fpr > 0) | (tpr > 0)
        if (inside & flagging if self.limits.get("min_precision", 0) > 0 else inside).any():
            return np.asarray(inside)
        if len(self.limits) > 1 or not flagging.any():
            raise InfeasibleError(f"no threshold of this curve keeps {self}: loosen a limit")
        fpr, tpr = fpr[flagging], tpr[flagging]
        flagged = self.prevalence * tpr + (1 - self.prevalence) * fpr
        with np.errstate(invalid="ignore"):
            precision = np.nanmax(self.prevalence * tpr / flagged, initial=0.0)
        why = {
            "min_precision": f"the highest precision is {precision:.6g}",
            "max_flagged": f"the lowest flagged share is {flagged.min():.6g}",
            "min_tpr": f"the highest tpr is {tpr.max():.6g}",
            "max_fpr": f"the lowest fpr is {fpr.min():.6g}",
        }[next(iter(self.limits))]
        raise InfeasibleError(f"no threshold of this curve keeps {self}: {why}")

    def __str__(self) -> str:
        at = f" at prevalence {self.prevalence:.4g}" if self.limits.keys() & _OF_PREVALENCE else ""
        return " and ".join(f"{kind}={value:g}" for kind, value in self.limits.items()) + at


def _excess(kind: str, v: float, pi: float) -> Callable[[Floats, Floats], Floats]:
    """Return how far points are beyond a limit, kept where ≤ 0."""
    x, y, most = {
        "min_precision": (v * (1 - pi), (v - 1) * pi, 0.0),
        "max_flagged": (1 - pi, pi, v),
        "min_tpr": (0.0, -1.0, -v),
        "max_fpr": (1.0, 0.0, v),
    }[kind]
    return lambda fpr, tpr: np.asarray(x * fpr + y * tpr - most)


def _constrained(
    curve: RocCurve, condition: Conditions, limits: dict[str, float], prevalence: float | None, *, include_trivial: bool
) -> float:
    """Return the mean over t of area(feasible ∩ {cost ≥ c(t)}) / area(feasible), c(t) the cost of the best feasible point."""
    refuse_continuous(curve, "constraints need")
    # What precision and flagged share refer to: given, stated by the conditions, or the data's own.
    pi = 0.5
    if limits.keys() & _OF_PREVALENCE:
        if prevalence is None and condition.ranges is not None:
            advice = f"say with prevalence= which one {' and '.join(limits)} refer to"
            low, high = condition.ranges["prevalence"]
            prevalence = checks.single(low, high, "the prevalence of the conditions", advice, error=InputError)
        pi = prevalence_or(curve, prevalence)
    region = FeasibleRegion.within(limits, pi)
    x, y = (curve.fpr, curve.tpr) if include_trivial else bare_rates(curve)
    inside = region.feasible(x, y)
    x, y = x[inside], y[inside]
    best, switch_t = cheapest(x, y)
    # Smooth between the values of t at which the best point changes, or its iso-cost line meets a corner.
    share = _LesserShare(region.corners, region.area, x[best][::-1], y[best][::-1], switch_t)
    return condition.density.expect(share, share.breaks)


@dataclass(frozen=True, eq=False)
class _LesserShare:
    """The share of a convex polygon that costs at least as much as the cheapest of some points, as a function of t."""

    corners: Floats
    area: float
    h: Floats
    k: Floats
    switches: Floats

    @property
    def breaks(self) -> Floats:
        """Where the best point changes, or the iso-cost line through it meets a corner."""
        dx = self.corners[:, 0] - self.h[:, None]
        dy = self.corners[:, 1] - self.k[:, None]
        # t·dx = (1-t)·dy
        with np.errstate(divide="ignore", invalid="ignore"):
            meets = dy / (dx + dy)
        edges = np.concatenate([[0.0], self.switches, [1.0]])
        active = (meets > edges[:-1, None]) & (meets < edges[1:, None])
        return np.union1d(self.switches, meets[active])

    def __call__(self, t: Floats) -> Floats:
        """Sum, over the polygon's edges, the part on the more expensive side as triangles with their tip on the iso-cost line."""
        best = np.searchsorted(self.switches, t, side="right")
        # Corners seen from the best point, which lies on the cutting line: the cut itself then spans no area.
        x = self.corners[:, 0] - self.h[best][..., None]
        y = self.corners[:, 1] - self.k[best][..., None]
        costlier = t[..., None] * x - (1 - t[..., None]) * y
        x2, y2, costlier2 = (np.roll(v, -1, axis=-1) for v in (x, y, costlier))
        up, down = (part(costlier, 0) + part(costlier2, 0) for part in (np.maximum, np.minimum))
        with np.errstate(invalid="ignore"):
            part = np.nan_to_num(up / (up - down), nan=0.0)
        total = np.sum(part * (x * y2 - y * x2), axis=-1) / (2 * self.area)
        return np.asarray(np.clip(total, 0.0, 1.0))


_OF_PREVALENCE = {"min_precision", "max_flagged"}


def _of_costs(grid: CostGrid, condition: Conditions | Condition | None, options: dict[str, Any]) -> OfCosts | None:
    if options or not grid.alone:
        return None
    pcf, weights = grid.pcf, hat_weights(grid.pcf, Conditions.of(condition))
    # Corrected costs may exceed the trivial classifiers', and the area goes on there: what is clipped is the mean, at the end.
    return lambda costs: area_at(costs, 1 - pcf) @ weights


@measure(
    "higher", (0, 1), "ranks conditions", "Ratigan & Cowen 2025", "10.1609/aaai.v39i19.34219",
    place=1, of_costs=_of_costs, optimism="hull", see="lesser_area lesser_area_curve mean_normalised_cost",
    cites="Ratigan & Cowen 2025; With limits: partial VOROS, arXiv:2510.18520",
    formula=r"E_t \left[1 - \frac{c(t)^2}{2t(1 - t)}\right],\quad c(t) = \min_i\,[t\,fpr_i + (1 - t)(1 - tpr_i)]",
)  # fmt: skip
def voros(
    curve: RocCurve,
    *,
    condition: Conditions | Condition | None = None,
    min_precision: float | None = None,
    max_flagged: float | None = None,
    min_tpr: float | None = None,
    max_fpr: float | None = None,
    prevalence: float | None = None,
    include_trivial: bool = True,
) -> float:
    """Return the volume over the ROC surface; higher is better, 0 to 1, the trivial classifiers alone reach 0.807.

    The probability that a classifier with fpr and tpr drawn uniformly, under a condition drawn from `condition`, costs at least as
    much as this model with the best threshold for that condition. For a hull vertex (h, k) that is cheapest for t in
    [a, b], uniform in t, the integral is

    (b-a)(1 + ½(1-k-h)²) - ½(1-k)² ln(b/a) + ½h² ln((1-b)/(1-a)).

    With constraints only feasible classifiers count, the model's and the random ones: the mean over t of
    area(feasible ∩ {cost ≥ c(t)}) / area(feasible), where c(t) is the cost of the model's cheapest feasible threshold.

    Parameters
    ----------
    condition : Conditions or Condition, optional
        Every t equally likely by default. For an average uniform in the cost ratio, as in one of the two public implementations by
        the authors' groups, pass `Conditions.uniform(skew_ratio=(low, high))`.
    min_precision, max_flagged, min_tpr, max_fpr : float, optional
        In [0, 1]; the operating point must keep all that are given. Flagging no one breaks no limit but `min_tpr`.
    prevalence : float, optional
        The prevalence that precision and flagged share refer to. By default the one stated by `condition`, or else the data's own.
    include_trivial : bool
        Whether flagging no one and flagging everyone may be used where they are cheaper than any threshold of the model.
        A continuous curve contains them in any case.

    Raises
    ------
    InfeasibleError
        If no threshold keeps the constraints, or they leave no area.

    Examples
    --------
    >>> round(ic.voros(curve), 4)
    0.9686
    >>> condition = ic.Conditions.from_costs(cost_fp=1, cost_fn=(5, 20), prevalence=(0.01, 0.03))
    >>> round(ic.voros(curve, condition=condition), 4)
    0.9837
    >>> round(ic.voros(curve, max_flagged=0.5), 4)
    0.982
    """
    condition = Conditions.of(condition)
    include_trivial = checks.flag(include_trivial, "include_trivial")
    limits = {"min_precision": min_precision, "max_flagged": max_flagged, "min_tpr": min_tpr, "max_fpr": max_fpr}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if not given.keys() & _OF_PREVALENCE:
        example = "condition= says where the model will be used, for example Conditions.from_costs(prevalence=)"
        checks.left_out(f"goes with min_precision or max_flagged; {example}", prevalence=prevalence)
    if given:
        return _constrained(curve, condition, given, prevalence, include_trivial=include_trivial)
    if isinstance(curve, ContinuousRocCurve):
        return condition.density.expect(lambda t: area_at(curve.optimal_cost(t), t), curve.breaks)
    return lesser_area_curve(curve, include_trivial=include_trivial).expectation(condition)

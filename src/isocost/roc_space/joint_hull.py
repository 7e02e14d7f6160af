"""The hull of several models together: its vertices, who owns each, and who is cheapest where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.hull import upper_hull
from isocost.roc_space import RocCurve
from isocost.validate import Floats

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = "always-negative", "always-positive"
TRIVIAL_NAMES = (ALWAYS_NEGATIVE, ALWAYS_POSITIVE)

_EPS = float(np.finfo(np.float64).eps)
# Scaled counts beyond this do not fit int64.
_MOST = 2**62


@dataclass(frozen=True)
class Stretch:
    """A vertex of the joint hull: the cheapest operating point there is for t from `t_low` to `t_high`.

    `places` maps each model that has this point to the vertex of its own hull; it is empty for the trivial classifiers.
    """

    vertex: int
    fpr: float
    tpr: float
    t_low: float
    t_high: float
    places: dict[int, int]
    trivial: str | None


@dataclass(frozen=True)
class Run:
    """Neighbouring stretches, from `first` up to and without `last`, that one or several models win throughout."""

    first: int
    last: int
    models: tuple[int, ...]
    trivial: str | None


@dataclass(frozen=True, eq=False)
class JointHull:
    """The upper hull of the hulls of several models; the lower envelope of their envelopes.

    Two different points cost the same at one t only, so on the open range of t of a vertex exactly the models that have this
    point are cheapest: ties are equality of points, which for counts is exact.
    """

    curves: tuple[RocCurve, ...]

    @cached_property
    def _built(self) -> tuple[RocCurve, list[dict[int, int]]]:
        x, y, counted = _common_scale(self.curves)
        sizes = [len(curve.hull) for curve in self.curves]
        model = np.repeat(np.arange(len(sizes)), sizes)
        place = np.concatenate([np.arange(size) for size in sizes])
        order = np.lexsort((model, y, x))
        x, y, model, place = x[order], y[order], model[order], place[order]
        keep = upper_hull(x, y) if x.dtype.kind == "i" else upper_hull(x / x[-1], y / y[-1])
        # Equal points follow each other; the hull keeps the first of them.
        new = np.concatenate([[True], (np.diff(x) != 0) | (np.diff(y) != 0)])
        group = np.cumsum(new)
        last = np.searchsorted(group, group[keep], side="right")
        owners = [
            dict(zip(model[a:b].tolist(), place[a:b].tolist(), strict=True))
            for a, b in zip(keep.tolist(), last.tolist(), strict=True)
        ]
        first = self.curves[0]
        thresholds = np.full(keep.size, np.nan)
        thresholds[[0, -1]] = np.inf, -np.inf
        given = np.ones(keep.size, dtype=np.bool_)
        given[[0, -1]] = False
        totals = (first.positives, first.negatives) if counted else (None, None)
        return RocCurve(x[keep], y[keep], thresholds, *totals, "hybrid", given), owners

    @property
    def hull(self) -> RocCurve:
        """The joint hull as a curve; its points belong to several models and so have no common threshold."""
        return self._built[0]

    @property
    def owners(self) -> list[dict[int, int]]:
        """For each vertex of the hull, the models that have it and where on their own hull."""
        return self._built[1]

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """The vertices in ascending t, those that are cheapest at a single t only left out.

        But where one kind of error costs nothing, at t = 0 and t = 1, the trivial classifier stands: no model is needed there.
        """
        hull, owners = self.hull, self.owners
        ends = np.concatenate([[0.0], hull.switch_t, [1.0]]).tolist()
        fpr, tpr = hull.fpr.tolist(), hull.tpr.tolist()
        last = len(hull) - 1
        trivial: dict[int, str | None] = {0: ALWAYS_NEGATIVE, last: ALWAYS_POSITIVE}
        return tuple(
            Stretch(v, fpr[v], tpr[v], low, high, {} if v in trivial else owners[v], trivial.get(v))
            for v, low, high in zip(range(last, -1, -1), ends[:-1], ends[1:], strict=True)
            if low < high or v in trivial
        )

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The fewest winners that cover the axis in ascending t: a winner stays until another is strictly cheaper."""
        found: list[Run] = []
        for i, stretch in enumerate(self.stretches):
            if stretch.t_low == stretch.t_high:
                continue
            models = tuple(sorted(stretch.places))
            if found and stretch.trivial is None and found[-1].trivial is None:
                both = tuple(m for m in found[-1].models if m in stretch.places)
                if both:
                    found[-1] = Run(found[-1].first, i + 1, both, None)
                    continue
            found.append(Run(i, i + 1, models, stretch.trivial))
        return tuple(found)

    @cached_property
    def _upper_ends(self) -> Floats:
        return np.array([stretch.t_high for stretch in self.stretches[:-1]])

    def at(self, t: float) -> int:
        """Return which stretch holds t; at a switch the one above, which flags fewer cases, and at 0 the lowest."""
        return 0 if t <= 0 else int(np.searchsorted(self._upper_ends, t, side="right"))

    def run_at(self, stretch: int) -> Run:
        """Return the run a stretch belongs to."""
        alone = Run(stretch, stretch + 1, (), self.stretches[stretch].trivial)
        return next((run for run in self.runs if run.first <= stretch < run.last), alone)

    def range_of(self, stretch: int, model: int) -> tuple[float, float]:
        """Return the widest range of t around a stretch over which no other model is strictly cheaper than `model`."""
        low = high = stretch
        while low > 0 and model in self.stretches[low - 1].places:
            low -= 1
        while high + 1 < len(self.stretches) and model in self.stretches[high + 1].places:
            high += 1
        return self.stretches[low].t_low, self.stretches[high].t_high


def rounding(curves: Sequence[RocCurve]) -> float:
    """Return how far apart equal rates may come out: 0 for counts and given rates, else what summing weights can lose."""
    weighted = [len(curve) for curve in curves if curve.positives is not None and not _exact(curve)]
    return _EPS * max(weighted, default=0)


def tolerance(curves: Sequence[RocCurve]) -> float:
    """Return how near two points must be to count as one: 0 for counts, else the rounding of rates."""
    return 0.0 if all(map(_exact, curves)) else max(rounding(curves), 4 * _EPS)


def _exact(curve: RocCurve) -> bool:
    return curve.fp.dtype.kind == "i" and curve.tp.dtype.kind == "i"


def _common_scale(curves: Sequence[RocCurve]) -> tuple[NDArray[Any], NDArray[Any], bool]:
    """Return x and y of all hull vertices on one scale, and whether they are counts of the first curve's data."""
    hulls = [curve.hull for curve in curves]
    if all(_exact(hull) for hull in hulls):
        totals = [(int(hull.fp[-1]), int(hull.tp[-1])) for hull in hulls]
        n, p = math.lcm(*(t[0] for t in totals)), math.lcm(*(t[1] for t in totals))
        # Rates with different denominators are compared exactly over the common one.
        if max(n, p) < _MOST:
            x, y = (
                np.concatenate([h.fp * (n // t[0]) for h, t in zip(hulls, totals, strict=True)]),
                np.concatenate([h.tp * (p // t[1]) for h, t in zip(hulls, totals, strict=True)]),
            )
            return x, y, len(set(totals)) == 1
    x, y = np.concatenate([h.fpr for h in hulls]), np.concatenate([h.tpr for h in hulls])
    slack = tolerance(curves)
    same = len({(h.positives, h.negatives) for h in hulls}) == 1
    if same and hulls[0].positives is not None and hulls[0].negatives is not None:
        return _merged(x, slack) * hulls[0].negatives, _merged(y, slack) * hulls[0].positives, True
    return _merged(x, slack), _merged(y, slack), False


def _merged(values: Floats, slack: float) -> Floats:
    """Give rates that differ by rounding alone one value, so that equal points are recognised."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    new = np.concatenate([[True], np.diff(ranked) > slack])
    first = ranked[new]
    first[-1] = 1.0  # every hull ends there
    result = np.empty_like(values)
    result[order] = first[np.cumsum(new) - 1]
    return result


def threshold_at(joint: JointHull, stretch: Stretch, model: int | None) -> float:
    """Return the threshold of a model at a stretch of the joint hull; without a model, that of the trivial classifier."""
    if model is None:
        return float(joint.hull.thresholds[stretch.vertex])
    return float(joint.curves[model].hull.thresholds[stretch.places[model]])

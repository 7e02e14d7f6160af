"""Several curves together: named, averaged, and their joint hull."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost._front import documented_by
from isocost.curves.cost import CostCurve, cost_curve, from_pieces
from isocost.curves.hull import upper_hull
from isocost.curves.roc import RocCurve, best_vertex, refuse_continuous, renamed, require_path, whole_counts
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.numbers import ROUNDING

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = "always-negative", "always-positive"
TRIVIAL_NAMES = (ALWAYS_NEGATIVE, ALWAYS_POSITIVE)

_EPS = float(np.finfo(np.float64).eps)
# Scaled counts beyond this do not fit int64.
_MOST = 2**62


@dataclass(frozen=True)
class Stretch:
    """A vertex of the joint hull, cheapest from `t_low` to `t_high`; `places` maps each model that has it to the vertex of its own hull."""

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
    """The upper hull of the hulls of several models: in the open range of t of a vertex, those that have this point are cheapest."""

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
        totals = (first.positives, first.negatives) if counted else (None, None)
        return RocCurve(x[keep], y[keep], thresholds, *totals, "hybrid", (True, True)), owners

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
        """The vertices in ascending t that are cheapest at more than one; at t = 0 and 1 the trivial classifiers."""
        hull, owners = self.hull, self.owners
        ends = np.concatenate([[0.0], hull.switches, [1.0]]).tolist()
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

    def threshold(self, stretch: Stretch, model: int | None) -> float:
        """Return the threshold of a model at a stretch; without a model, that of the trivial classifier."""
        curve, place = (self, stretch.vertex) if model is None else (self.curves[model], stretch.places[model])
        return float(curve.hull.thresholds[place])

    def run_at(self, stretch: int) -> Run:
        """Return the run a stretch belongs to."""
        alone = Run(stretch, stretch + 1, (), self.stretches[stretch].trivial)
        return next((run for run in self.runs if run.first <= stretch < run.last), alone)


def rounding(curves: Sequence[RocCurve]) -> float:
    """Return how far apart equal rates may come out: 0 for counts and given rates, else what summing weights can lose."""
    weighted = [len(curve) for curve in curves if curve.positives is not None and not whole_counts(curve)]
    return _EPS * max(weighted, default=0)


def tolerance(curves: Sequence[RocCurve]) -> float:
    """Return how near two points must be to count as one: 0 for counts, else the rounding of rates."""
    return 0.0 if all(map(whole_counts, curves)) else max(rounding(curves), 4 * _EPS)


def _common_scale(curves: Sequence[RocCurve]) -> tuple[NDArray[Any], NDArray[Any], bool]:
    """Return x and y of all hull vertices on one scale, and whether they are counts of the first curve's data."""
    hulls = [curve.hull for curve in curves]
    if all(whole_counts(hull) for hull in hulls):
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


def named_curves(given: Any, *, same_data: bool) -> tuple[RocCurve, ...]:
    """Return the curves in the order given, or say what is wrong with them."""
    curves = curve_list(given.values() if isinstance(given, Mapping) else given, "comparing", RocCurve)
    keys = list(given) if isinstance(given, Mapping) else [curve.name for curve in curves]
    found = checks.names((f"model {place}" if key is None else key for place, key in enumerate(keys, 1)), "model")
    for name in found:
        if name in TRIVIAL_NAMES:
            raise InputError(f"the name {name!r} means a trivial classifier; give the model another")
    curves = [curve if curve.name == name else renamed(curve, name) for name, curve in zip(found, curves, strict=True)]
    return _on_same_data(curves) if checks.flag(same_data, "same_data") else tuple(curves)


def _on_same_data(curves: Sequence[RocCurve]) -> tuple[RocCurve, ...]:
    """Return the curves with one pair of class totals; sums of weights in another order differ by rounding."""
    known = [(c.name, (c.positives or 0, c.negatives or 0)) for c in curves if c.positives is not None]
    for name, totals in known[1:]:
        if not np.allclose(totals, known[0][1], rtol=1000 * ROUNDING, atol=0.0):
            (p, n), (q, m) = known[0][1], totals
            raise InputError(
                f"models were measured on different data: {known[0][0]!r} on {p:.12g} positives and {n:.12g} negatives, {name!r} on "
                f"{q:.12g} and {m:.12g}; score the same cases, or pass same_data=False to compare their rates all the same"
            )
    return tuple(
        curve
        if curve.positives is None or (curve.positives, curve.negatives) == known[0][1]
        else replace(curve, positives=known[0][1][0], negatives=known[0][1][1])
        for curve in curves
    )


Table = Mapping[str, NDArray[Any]]


def published_curves(tables: Mapping[str, Table]) -> list[RocCurve]:
    """Return the curve of each model, its rows as points; class totals are known where all matrices of all models have the same."""
    totals = {
        pair
        for t in tables.values()
        if "tp" in t
        for pair in zip((t["tp"] + t["fn"]).tolist(), (t["fp"] + t["tn"]).tolist(), strict=True)
    }
    known = dict(zip(("positives", "negatives"), totals.pop(), strict=True)) if len(totals) == 1 else {}
    return [_published(name, table, known) for name, table in tables.items()]


def _published(name: str, table: Table, totals: dict[str, float]) -> RocCurve:
    thresholds = table.get("threshold")
    if "tp" not in table:
        return RocCurve.from_points(table["fpr"], table["tpr"], thresholds=thresholds, name=name)
    cells = {column: table[column] for column in ("tp", "fn", "fp", "tn")}
    for column, counts in cells.items():
        rule = "hold finite counts that are not negative"
        checks.every(np.isfinite(counts) & (counts >= 0), counts, f"{column} of {name!r}", rule)
    tp, fn, fp, tn = cells.values()
    checks.both_classes(np.min(tp + fn), np.min(fp + tn), f"a confusion matrix of {name!r}")
    if tp.size == 1 and totals and thresholds is None:
        return RocCurve.from_confusion(*(float(column[0]) for column in cells.values()), name=name)
    return RocCurve.from_points(fp / (fp + tn), tp / (tp + fn), thresholds=thresholds, name=name, **totals)


Averaging = Literal["vertical", "cost"]


@documented_by(
    r"\bar c(x) = \frac{1}{n} \sum_j c_j(x)",
    see="average_roc_curves isocost.cost_curve", cites="Drummond & Holte 2000, section 2.2.3",
)  # fmt: skip
def average_cost_curves(curves: Iterable[RocCurve | CostCurve]) -> CostCurve:
    """Return the mean cost at each condition, exactly: what is paid on average if each evaluation keeps its own best threshold.

    Points that are best at the same pcf are averaged. Every average of ROC curves combines other points, some of them not the best
    there, so it costs at least this mean (`average_roc_curves`).

    Parameters
    ----------
    curves : list of RocCurve or CostCurve
        ROC curves stand for their optimal cost curves.

    Examples
    --------
    >>> one, two = ic.RocCurve.from_points([0.1], [0.6]), ic.RocCurve.from_points([0.4], [0.9])
    >>> mean = ic.curves.average_cost_curves([one, two])
    >>> mean([0.25, 0.5, 0.75]).round(4).tolist()
    [0.2125, 0.25, 0.2125]
    """
    listed = curve_list(curves, "average_cost_curves")
    paid = [cost_curve(c) if isinstance(c, RocCurve) else c for c in listed]
    return reduce(add, paid) * (1 / len(paid))


@documented_by(
    r"\frac1n \sum_j tpr_j(fpr) \quad\text{or}\quad \frac1n \sum_j (fpr_j, tpr_j)(t)",
    cites="Provost, Fawcett & Kohavi (1998), ICML 15:445-453; Drummond & Holte 2000, section 2.2.3",
)  # fmt: skip
def average_roc_curves(
    curves: Iterable[RocCurve], *, method: Averaging = "vertical", name: str | None = None
) -> RocCurve:
    """Return an average of ROC curves; the method says which points of the curves belong together.

    Parameters
    ----------
    curves : list of RocCurve
        Pass their hulls if the best thresholds will be used.
    method : {"vertical", "cost"}
        "vertical": points of equal fpr, as for choosing by fpr (Neyman-Pearson); exact, with a vertex wherever a curve has one.
        "cost": points that are best at the same condition; this is the average of the cost curves, seen in ROC space. To pool
        all cases, add their `ScoreCounts`.
    name : str, optional

    See Also
    --------
    average_cost_curves : the mean of costs, which no average of ROC curves beats.

    Examples
    --------
    >>> one, two = ic.RocCurve.from_points([0.1], [0.6]), ic.RocCurve.from_points([0.4], [0.9])
    >>> mean = ic.curves.average_roc_curves([one, two], method="vertical")
    >>> mean.fpr.tolist(), mean.tpr.round(4).tolist()
    ([0.0, 0.1, 0.4, 1.0], [0.0, 0.4125, 0.8167, 1.0])
    >>> ic.curves.average_roc_curves([one, two], method="cost").fpr.tolist()
    [0.0, 0.05, 0.25, 0.7, 1.0]
    """
    checks.choice(method, "method", ("vertical", "cost"))
    listed = curve_list(curves, "average_roc_curves", RocCurve)
    for curve in listed:
        require_path(curve)
    if method == "cost":
        edges = np.unique(np.concatenate([[0.0, 1.0], *(c.switches for c in listed)]))
        middle = ((edges[:-1] + edges[1:]) / 2)[::-1]
        # Curves that stand straight up from the origin leave it at once; the trivial classifiers stay the ends.
        best = [(c.hull, best_vertex(c, middle)) for c in listed]
        fpr, tpr = (np.mean([getattr(hull, r)[at] for hull, at in best], axis=0) for r in ("fpr", "tpr"))
        return _through(fpr, tpr, name)
    # Added as curves over fpr, a vertical step of any of them is a jump; means of growing functions grow, up to rounding.
    fpr, tpr = (reduce(add, (from_pieces(c.fpr, c.tpr[:-1], c.tpr[1:]) for c in listed)) * (1 / len(listed))).ends
    return _through(fpr, np.maximum.accumulate(tpr), name)


def curve_list(curves: Any, caller: str, kind: Any = RocCurve | CostCurve) -> list[Any]:
    """Return the curves as a list, checked: at least one, each a curve."""
    several = Iterable if np.iterable(curves) else list  # an array of no dimension is iterable by name only
    listed = list(checks.instance(curves, "curves", several, "a list of curves, of a single one [curve]"))
    checks.some(listed, "curves", f"{caller} takes at least one model")
    for place, curve in enumerate(listed):
        checks.instance(curve, f"curves[{place}]", kind, "a curve, as RocCurve.from_scores makes it")
        refuse_continuous(curve, f"{caller} needs")
    return listed


def _through(fpr: Floats, tpr: Floats, name: str | None) -> RocCurve:
    """Return the curve from (0, 0) through points to (1, 1); points that repeat the one before are left out."""
    fpr, tpr = (np.concatenate([[0.0], rate, [1.0]]) for rate in (fpr, tpr))
    new = np.append(True, (np.diff(fpr) > 0) | (np.diff(tpr) > 0))
    return RocCurve(fpr[new], tpr[new], np.full(int(new.sum()), np.nan), None, None, name, (True, True))

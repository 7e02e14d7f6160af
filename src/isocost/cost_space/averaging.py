"""Several evaluations of one classifier, such as the folds of a cross-validation, as one curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from isocost import validate
from isocost.cost_space import CostCurve, cost_curve
from isocost.counts import ScoreCounts
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.parametric import ContinuousRocCurve
from isocost.validate import Floats

Averaging = Literal["vertical", "threshold", "pooled", "cost"]
AVERAGINGS: tuple[Averaging, ...] = ("vertical", "threshold", "pooled", "cost")


def average_cost_curves(curves: Iterable[RocCurve | CostCurve]) -> CostCurve:
    """Return the mean cost at each condition, exactly: what is paid on average if each evaluation keeps its own best threshold.

    Points that are best at the same pcf are averaged. Every average of ROC curves combines other points, some of them not the best
    there, so it costs at least this mean (`average_roc_curves`).

    Parameters
    ----------
    curves : list of RocCurve or CostCurve
        ROC curves stand for their optimal cost curves.

    References
    ----------
    Drummond & Holte (2000), section 2.2.3, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> one, two = ic.RocCurve.from_points([0.1], [0.6]), ic.RocCurve.from_points([0.4], [0.9])
    >>> mean = ic.average_cost_curves([one, two])
    >>> mean([0.25, 0.5, 0.75]).round(4).tolist()
    [0.2125, 0.25, 0.2125]
    """
    listed = _listed(curves, "average_cost_curves")
    return CostCurve.mean([cost_curve(c) if isinstance(c, RocCurve) else c for c in listed])


def average_roc_curves(
    curves: Iterable[RocCurve], *, method: Averaging = "vertical", name: str | None = None
) -> RocCurve:
    """Return an average of ROC curves; the method says which points of the curves belong together.

    Parameters
    ----------
    curves : list of RocCurve
        Pass their hulls if the best thresholds will be used.
    method : {"vertical", "threshold", "pooled", "cost"}
        "vertical": points of equal fpr, as for choosing by fpr (Neyman-Pearson); exact, with a vertex wherever a curve has one.
        "threshold": points of equal threshold, for scores that mean the same everywhere. "pooled": all cases together, so
        larger evaluations count more. "cost": points that are best at the same condition; this is the average of the cost
        curves, seen in ROC space.
    name : str, optional

    References
    ----------
    Provost, Fawcett & Kohavi (1998), ICML 15:445-453; Swets & Pickett (1982), Evaluation of Diagnostic Systems.
    Drummond & Holte (2000), section 2.2.3, doi:10.1145/347090.347126.

    Examples
    --------
    >>> import isocost as ic
    >>> one, two = ic.RocCurve.from_points([0.1], [0.6]), ic.RocCurve.from_points([0.4], [0.9])
    >>> mean = ic.average_roc_curves([one, two], method="vertical")
    >>> mean.fpr.tolist(), mean.tpr.round(4).tolist()
    ([0.0, 0.1, 0.4, 1.0], [0.0, 0.4125, 0.8167, 1.0])
    >>> ic.average_roc_curves([one, two], method="cost").fpr.tolist()
    [0.0, 0.05, 0.25, 0.7, 1.0]
    """
    validate.choice(method, "method", AVERAGINGS)
    listed = [_checked(c) for c in _listed(curves, "average_roc_curves")]
    match method:
        case "vertical":
            return _vertical(listed, name)
        case "threshold":
            return _by_threshold(listed, name)
        case "pooled":
            return _pooled(listed, name)
        case "cost":
            return _by_cost(listed, name)


def _listed(curves: Iterable[Any], caller: str) -> list[Any]:
    if isinstance(curves, RocCurve | CostCurve) or not isinstance(curves, Iterable):
        raise InputError(f"{caller} takes a list of curves, got {type(curves).__name__}")
    listed = list(np.atleast_1d(curves)) if isinstance(curves, np.ndarray) else list(curves)
    if not listed:
        raise InputError(f"{caller} got no curves: pass at least one")
    for place, curve in enumerate(listed):
        if not isinstance(curve, RocCurve | CostCurve):
            raise InputError(f"{caller} takes curves, got {type(curve).__name__} at place {place}")
        if isinstance(curve, ContinuousRocCurve):
            raise InputError(
                f"the curve at place {place} is continuous: average RocCurve.from_points samples of it instead"
            )
    return listed


def _checked(curve: Any) -> RocCurve:
    if not isinstance(curve, RocCurve):
        raise InputError(f"average_roc_curves takes ROC curves, got {type(curve).__name__}; use average_cost_curves")
    if not curve._is_path:
        raise InputError("the points are crisp classifiers that form no monotone path: average curve.hull instead")
    return curve


def _from_path(fpr: Floats, tpr: Floats, name: str | None, thresholds: Floats | None = None) -> RocCurve:
    """Return the curve through points that begin at (0, 0) and end at (1, 1)."""
    given = np.ones(fpr.size, dtype=np.bool_)
    given[[0, -1]] = False
    cuts = np.full(fpr.size, np.nan) if thresholds is None else thresholds
    return RocCurve(fpr, tpr, cuts, None, None, name, given)


def _vertical(curves: list[RocCurve], name: str | None) -> RocCurve:
    fpr = np.unique(np.concatenate([c.fpr for c in curves]))
    lowest, highest = (np.mean(side, axis=0) for side in zip(*(_heights(c, fpr) for c in curves), strict=True))
    # A vertical step of any curve leaves two points above one another.
    x, y = np.repeat(fpr, 2), np.stack([lowest, highest], axis=1).ravel()
    y = np.maximum.accumulate(y)  # means of growing functions, up to rounding
    new = np.concatenate([[True], (np.diff(x) > 0) | (np.diff(y) > 0)])
    return _from_path(x[new], y[new], name)


def _heights(curve: RocCurve, fpr: Floats) -> tuple[Floats, Floats]:
    """Return the lowest and highest tpr of the path above each fpr."""
    known, first = np.unique(curve.fpr, return_index=True)
    last = np.concatenate([first[1:] - 1, [curve.fpr.size - 1]])
    bottom, top = curve.tpr[first], curve.tpr[last]
    right = np.searchsorted(known, fpr)
    left = np.maximum(right - 1, 0)
    width = np.where(right > left, known[right] - known[left], 1.0)
    share = (fpr - known[left]) / width
    between = (1 - share) * top[left] + share * bottom[right]
    met = known[right] == fpr
    return np.where(met, bottom[right], between), np.where(met, top[right], between)


def _by_threshold(curves: list[RocCurve], name: str | None) -> RocCurve:
    if any(np.isnan(c.thresholds).any() for c in curves):
        raise InputError("method='threshold' needs curves with thresholds: build them from scores")
    cuts = np.unique(np.concatenate([c.thresholds for c in curves]))[::-1]
    at = [np.searchsorted(-c.thresholds, -cuts, side="right") - 1 for c in curves]
    fpr, tpr = (np.mean([getattr(c, r)[i] for c, i in zip(curves, at, strict=True)], axis=0) for r in ("fpr", "tpr"))
    return _from_path(fpr, tpr, name, cuts)


def _pooled(curves: list[RocCurve], name: str | None) -> RocCurve:
    if any(c.positives is None or np.isnan(c.thresholds).any() for c in curves):
        raise InputError("method='pooled' needs curves with counts and thresholds: build them from scores")
    tables = [ScoreCounts(c.thresholds[1:], np.diff(c.tp), np.diff(c.fp)) for c in curves]
    total = tables[0]
    for table in tables[1:]:
        total = total + table
    return RocCurve.from_counts(total, name=name)


def _by_cost(curves: list[RocCurve], name: str | None) -> RocCurve:
    switches = np.unique(np.concatenate([c.switch_t for c in curves]))
    edges = np.concatenate([[0.0], switches, [1.0]])
    middle = ((edges[:-1] + edges[1:]) / 2)[np.diff(edges) > 0][::-1]
    best = [c._best_vertex(middle) for c in curves]
    pairs = [(c.hull.fpr[i], c.hull.tpr[i]) for c, i in zip(curves, best, strict=True)]
    fpr, tpr = (np.mean([pair[k] for pair in pairs], axis=0) for k in (0, 1))
    # A curve that stands straight up from the origin leaves it at once; the trivial classifiers stay the ends.
    ends = (np.concatenate([[e], v, [1.0]]) for e, v in ((0.0, fpr), (0.0, tpr)))
    x, y = ends
    new = np.concatenate([[True], (np.diff(x) > 0) | (np.diff(y) > 0)])
    return _from_path(x[new], y[new], name)

"""Curves of counts in buckets: the lowest and the highest path that the buckets allow, and when they do not matter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InexactError
from isocost.geometry.hulls import reaching
from isocost.roc_space.feasible_region import SLACK, Limit
from isocost.validate import Bools, Floats

if TYPE_CHECKING:
    from isocost.roc_space.curve import RocCurve


def buckets(curve: RocCurve) -> Bools:
    """Tell which points add a bucket of several scores and both classes: between the one before and it lies more."""
    if curve.upper is None:
        return np.zeros(len(curve), dtype=np.bool_)
    both = np.zeros(len(curve), dtype=np.bool_)
    both[1:] = (curve.fp[1:] > curve.fp[:-1]) & (curve.tp[1:] > curve.tp[:-1])
    return np.asarray(both & (curve.upper > curve.thresholds))


def no_width(curve: RocCurve) -> bool:
    """Return whether the path is certain: every bucket holds a single class."""
    return not buckets(curve).any()


def is_complete(curve: RocCurve) -> bool:
    """Return whether every threshold is a point of the curve: one may lie inside a bucket, even of a single class."""
    return curve.upper is None or not bool(np.any(curve.upper[1:] > curve.thresholds[1:]))


def split(curve: RocCurve, *, positives_first: bool) -> RocCurve:
    """Return the curve with each bucket's classes put apart, the better or the worse way round: a bound of every curve it may be.

    One class gets the highest score of the bucket, the other the lowest: the best and the worst case for probabilities too.
    """
    if curve.upper is None:
        return curve
    at = np.flatnonzero(buckets(curve))
    higher = curve.tp if positives_first else curve.fp
    alone = np.concatenate([[False], np.diff(higher) > 0]) & ~buckets(curve)
    # Between two ends of a bucket one corner: above the earlier end, or beside it.
    x, y = (curve.fp[at - 1], curve.tp[at]) if positives_first else (curve.fp[at], curve.tp[at - 1])
    lowest = np.where(alone, curve.upper, curve.thresholds)
    corners = (curve.fp, x), (curve.tp, y), (lowest, curve.upper[at])
    fp, tp, thresholds = (np.insert(column, at, corner) for column, corner in corners)
    given = None if curve._given is None else np.insert(curve._given, at, values=True)
    return curve._with_points(fp, tp, thresholds, given)  # noqa: SLF001 - of the same room


def inner_at_best(curve: RocCurve) -> NDArray[np.intp]:
    """Return the points of the highest curve that a threshold which flags somebody but not everybody may reach, or come near to.

    Inside a highest bucket of negatives alone it comes near to (0, 0), inside a lowest one of positives alone near to (1, 1).
    """
    best = curve._optimistic
    reached = ((best.fpr > 0) | (best.tpr > 0)) & ((best.fpr < 1) | (best.tpr < 1))
    if curve.upper is not None:
        wide = curve.upper > curve.thresholds
        reached[0] |= bool(wide[1] and curve.tp[1] == 0)
        reached[-1] |= bool(wide[-1] and curve.fp[-2] == curve.fp[-1])
    return np.flatnonzero(reached)


def hull_is_exact(curve: RocCurve, hull: NDArray[np.intp]) -> bool:
    """Return whether no bucket can hide a vertex: the corner that is its best case lies above the hull of none."""
    if curve.fp.dtype.kind == curve.tp.dtype.kind == "i":
        return not np.any(buckets(curve)[1:] & reaching(curve.fp, curve.tp, hull))
    # Fractional counts are compared as everywhere else, with the rounding that a hull forgives.
    low, high = curve._pessimistic.hull, curve._optimistic.hull
    return np.array_equal(low.fp, high.fp) and np.array_equal(low.tp, high.tp)


def within_budget(curve: RocCurve, flagged: float, prevalence: float) -> RocCurve:
    """Return the highest curve with one point more: the best that the bucket in which a share of flagged cases runs out can hold."""
    best = curve._optimistic
    rate = (1 - prevalence) * best.fpr + prevalence * best.tpr
    after = int(np.searchsorted(rate, flagged, side="right"))
    # Only up the left side of a bucket; elsewhere the points are all there are.
    if after == len(best) or best.fp[after] != best.fp[after - 1] or prevalence == 0:
        return best
    tpr = (flagged - (1 - prevalence) * best.fpr[after]) / prevalence
    columns = (best.fpr, best.fpr[after]), (best.tpr, tpr), (best.thresholds, best.thresholds[after])
    fpr, tpr, thresholds = (np.insert(column, after, value) for column, value in columns)
    given = None if best._given is None else np.insert(best._given, after, values=True)
    return best._with_points(fpr, tpr, thresholds, given)  # noqa: SLF001 - of the same room


def divided(curve: RocCurve, cuts: Floats, at: NDArray[np.intp]) -> Bools:
    """Tell which thresholds divide the bucket that follows their point: how many of it are flagged is not known."""
    if curve.upper is None or len(curve) == 1:
        return np.zeros(np.shape(cuts), dtype=np.bool_)
    below = np.minimum(at + 1, len(curve) - 1)
    inside = (cuts <= curve.upper[below]) & (curve.upper[below] > curve.thresholds[below])
    return np.asarray((at < len(curve) - 1) & inside)


def check_cuts(curve: RocCurve, cuts: Floats, at: NDArray[np.intp]) -> None:
    """Raise if a threshold divides a bucket."""
    inside = divided(curve, cuts, at)
    if np.any(inside):
        first = np.flatnonzero(np.atleast_1d(inside))[0]
        cut, place = float(np.atleast_1d(cuts)[first]), int(np.atleast_1d(at)[first])
        known = (curve.thresholds[place], curve.thresholds[place + 1])
        ends = " or ".join(repr(float(end)) for end in known if np.isfinite(end))
        raise InexactError(f"the operating point of threshold {cut:g} (that of {ends} is known)", "")


def reachable(curve: RocCurve, limits: Iterable[Limit]) -> tuple[Floats, Floats]:
    """Return fpr and tpr of the best that each bucket could hold within limits: none of its points that keep them is better.

    That point lies on the bucket's left side, since fewer false alarms break no limit, as high as limits allow: their excess is linear
    in tpr there.
    """
    at = _rising(curve)
    x, low, high = curve.fpr[at - 1], curve.tpr[at - 1], curve.tpr[at]
    bottom, top = low.copy(), high.copy()
    for limit in limits:
        below, above = limit.excess(x, low), limit.excess(x, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            meets = low - below / (above - below) * (high - low)
        top = np.where(above <= SLACK, top, np.where(below <= SLACK, np.minimum(top, meets), -np.inf))
        bottom = np.where((below <= SLACK) | (above > SLACK), bottom, np.maximum(bottom, meets))
    possible = bottom <= top + SLACK
    return x[possible], top[possible]


def require_undivided(curve: RocCurve, limits: Iterable[Limit], what: str) -> None:
    """Raise if a limit ends inside a bucket of positives alone: how many of them keep it is not known."""
    at = _rising(curve)
    x, low, high = curve.fpr[at - 1], curve.tpr[at - 1], curve.tpr[at]
    if any(np.any(limit.kept(x, low) & ~limit.kept(x, high)) for limit in limits):
        raise InexactError(what)


def require_steps(curve: RocCurve, what: str) -> None:
    """Raise if positives of several scores were counted together: at which of them the path stops is not known."""
    if _rising(curve).size:
        raise InexactError(what)


def rising(curve: RocCurve) -> Bools:
    """Tell which points add several scores, and positives among them."""
    found = np.zeros(len(curve), dtype=np.bool_)
    found[_rising(curve)] = True
    return found


def _rising(curve: RocCurve) -> NDArray[np.intp]:
    """Return which points add several scores, and positives among them."""
    if curve.upper is None:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero((curve.upper[1:] > curve.thresholds[1:]) & (curve.tp[1:] > curve.tp[:-1])) + 1

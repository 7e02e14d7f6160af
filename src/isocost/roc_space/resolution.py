"""Counts in buckets: what finer thresholds could save, and thresholds that divide a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.geometry.hull import upper_hull
from isocost.geometry.hulls import reaching
from isocost.validate import Bools, Floats

if TYPE_CHECKING:
    from isocost.roc_space.curve import RocCurve


def mixed(curve: RocCurve) -> Bools:
    """Tell which points add several scores of both classes: the order of these is not known."""
    found = np.zeros(len(curve), dtype=np.bool_)
    if curve.upper is not None:
        found[1:] = (curve.fp[1:] > curve.fp[:-1]) & (curve.tp[1:] > curve.tp[:-1])
        found &= curve.upper > curve.thresholds
    return found


def of_costs(curve: RocCurve) -> float:
    """Return the largest gap between the lower envelopes of the buckets' ends and of these with the best corner of each bucket.

    Both envelopes are straight between the switches of either, so the largest gap is at one of them.
    """
    at = np.flatnonzero(mixed(curve))
    if curve.fp.dtype.kind == curve.tp.dtype.kind == "i":
        # Whole numbers tell exactly whether a corner is above the hull.
        at = at[reaching(curve.fp, curve.tp, curve._hull_index)[at - 1]]  # noqa: SLF001 - of the same folder
    if not at.size:
        return 0.0
    fpr, tpr = np.insert(curve.fpr, at, curve.fpr[at - 1]), np.insert(curve.tpr, at, curve.tpr[at])
    best = upper_hull(fpr, tpr)
    ends = _Envelope(curve.hull.fpr, curve.hull.tpr)
    corners = _Envelope(fpr[best], tpr[best])
    t = np.concatenate([ends.switches, corners.switches])
    return max(float(np.max(ends(t) - corners(t), initial=0.0)), 0.0)


class _Envelope:
    """The lowest cost over t of the vertices of a hull."""

    def __init__(self, fpr: Floats, tpr: Floats) -> None:
        self.fpr, self.tpr = fpr, tpr
        rise, run = np.diff(tpr)[::-1], np.diff(fpr)[::-1]
        self.switches = rise / (rise + run)

    def __call__(self, t: Floats) -> Floats:
        at = self.switches.size - np.searchsorted(self.switches, t, side="right")
        return np.asarray(t * self.fpr[at] + (1 - t) * (1 - self.tpr[at]))


def of_area(curve: RocCurve) -> float:
    """Return the share of the pairs of a positive and a negative that are in the same bucket, of several scores."""
    at = np.flatnonzero(mixed(curve))
    return float(np.sum((curve.fpr[at] - curve.fpr[at - 1]) * (curve.tpr[at] - curve.tpr[at - 1])))


def check_cuts(curve: RocCurve, cuts: Floats, at: NDArray[np.intp]) -> None:
    """Raise if a threshold divides the bucket that follows its point: how many of its cases are flagged is not known."""
    if curve.upper is None or len(curve) == 1:
        return
    below = np.minimum(at + 1, len(curve) - 1)
    inside = (at < len(curve) - 1) & (cuts <= curve.upper[below]) & (curve.upper[below] > curve.thresholds[below])
    if np.any(inside):
        first = np.flatnonzero(np.atleast_1d(inside))[0]
        cut, place = float(np.atleast_1d(cuts)[first]), int(np.atleast_1d(at)[first])
        ends = " or ".join(repr(float(end)) for end in curve.thresholds[place : place + 2] if np.isfinite(end))
        raise InputError(
            f"threshold {cut:g} divides scores that were counted together in a bucket: take {ends}, the ends of buckets beside it"
        )

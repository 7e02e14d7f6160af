"""The area under resampled curves from how many cases of either class each stretch of the ranking gets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.inference.halving import Leaves, Whole
from isocost.validate import Floats

# Stretches of a class, if it has so many cases: they make the variance of an area too small by about one part in 100 000.
STRETCHES = 512


@dataclass(frozen=True, eq=False)
class Pairs:
    """Stretches of positives and of negatives, and how often a positive of one is ranked above a negative of the other.

    A pair of stretches that do not overlap is won or lost as a whole; one that does counts with the mean over its cases, which
    is what drawing them gives on average.

    Attributes
    ----------
    negatives, positives : ndarray of int
        Leaves at which the stretches of each class begin, and where the last ends.
    beaten : ndarray of int
        The first stretch of negatives below each stretch of positives altogether, for two orders of tied cases.
    above, below : ndarray of int
        The stretches of positives and negatives that overlap.
    won : ndarray
        How likely a positive of one ranks above a negative of the other; half of it for either order of ties.
    """

    negatives: Whole
    positives: Whole
    beaten: tuple[NDArray[np.intp], ...]
    above: NDArray[np.intp]
    below: NDArray[np.intp]
    won: Floats

    @classmethod
    def of(cls, ups: NDArray[np.int32], downs: NDArray[np.int32], negatives: Leaves, positives: Leaves) -> Pairs:
        """Take the positives and negatives of each distinct score, the highest first."""
        leaf, rank = [], []
        for each in (negatives, positives):
            leaf.append(np.append(np.arange(0, each.many, max(1, each.many // STRETCHES)), each.many))
            rank.append(np.minimum(leaf[-1] * each.size, each.cases))
        before = np.cumsum(downs, dtype=np.int64) - downs
        # Negatives of the same score count as below, and as above; half of either is right.
        orders = [np.repeat(before, ups)]
        if np.any((ups > 0) & (downs > 0)):
            orders.append(np.repeat(before + downs, ups))
        found = [_overlaps(passed, *rank) for passed in orders]
        above, below = (np.concatenate([f[i] for f in found]) for i in (1, 2))
        won = np.concatenate([f[3] for f in found]) / len(orders)
        return cls(leaf[0], leaf[1], tuple(f[0] + 1 for f in found), above, below, won)

    def areas(self, fp: Whole, tp: Whole) -> Floats:
        """Return the area of each resample from the cases before each leaf, shape (resamples, leaves + 1)."""
        fp, tp = fp[:, self.negatives], tp[:, self.positives]
        downs, ups = np.diff(fp), np.diff(tp)
        sure = sum(np.sum(ups * (fp[:, -1:] - fp[:, last]), axis=1) for last in self.beaten) / len(self.beaten)
        shared = np.sum(ups[:, self.above] * downs[:, self.below] * self.won, axis=1)
        return np.asarray((sure + shared) / (fp[:, -1] * tp[:, -1]))


def _overlaps(
    passed: Whole, negatives: Whole, positives: Whole
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], Floats]:
    """Return the last stretch of negatives that each one of positives overlaps, all pairs that do, and their shares won.

    `passed` tells how many negatives are above each positive; the others where the stretches of each class begin.
    """
    ends = passed[positives[:-1]], passed[positives[1:] - 1]
    first, last = (np.minimum(np.searchsorted(negatives, e, side="right") - 1, negatives.size - 2) for e in ends)
    many = last - first + 1
    above = np.repeat(np.arange(positives.size - 1), many)
    below = np.arange(above.size) - np.repeat(np.cumsum(many) - many - first, many)
    start, end, begin = negatives[below], negatives[below + 1], positives[above]
    # Positives before `over` beat the whole stretch, those from there and before `under` only the end of it.
    over = np.clip(np.searchsorted(passed, start, side="right"), begin, positives[above + 1])
    under = np.clip(np.searchsorted(passed, end, side="left"), begin, positives[above + 1])
    sums = np.concatenate([[0], np.cumsum(passed)])
    wins = (end - start) * (over - begin) + end * (under - over) - (sums[under] - sums[over])
    return last, above, below, np.asarray(wins / ((end - start) * (positives[above + 1] - begin)), dtype=np.float64)

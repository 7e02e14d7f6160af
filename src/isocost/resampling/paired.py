"""Resampling many cases that several models scored: drawn once for all models, and each model's hull found from few of them.

A resample is a small whole number for every case. Put in the order of a model's scores and summed up class by class, resamples
laid end to end, it is the model's ROC path at any point; only the ends of blocks of neighbouring scores, and the points of the
blocks that can hold a vertex of the hull, are ever looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from isocost.curves.hull import Hulls, eliminate, reaching, upper_hulls
from isocost.curves.sort import RankedScores
from isocost.resampling.paths import Curves
from isocost.resampling.plain import TRIES, never_complete
from isocost.resampling.protocol import Design
from isocost.resampling.sample import Sample
from isocost.validate import Floats

Whole = NDArray[np.integer]

# Below this many cases there is nothing to gain; the numbers are the same either way.
MANY = 1_000
# Cases of one batch of resamples: bounds the memory, and enough that the work outweighs the calls.
_CELLS = 2**20
# The largest block of memory that glibc learns from to keep, rather than give back, what is freed; 32 MB with its header.
_KEPT = 2**25 - 2**13


class PairedResampler:
    """The resamples of `PlainResampler`, case by case the same, counted in bytes and looked at through blocks.

    Parameters
    ----------
    sample : Sample
    """

    def __init__(self, sample: Sample) -> None:
        positive = sample.positive
        self._entropy, self._stratified = sample.entropy, sample.stratified
        self._sizes = int(np.count_nonzero(~positive)), int(np.count_nonzero(positive))
        self._orders = {name: Order.of(ranked, positive) for name, (ranked,) in sample.models.items()}

    @classmethod
    def takes(cls, design: Design) -> bool:
        """Return True for many single cases that count the same, without folds."""
        return design.alike and not design.counted and design.folds == 1 and design.cases >= MANY

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return about how many scores could be ranked in the time of one resample."""
        return design.cases * design.models / 10

    def data(self, name: str) -> list[Blocked]:
        """Return the curve of one model on the data themselves."""
        once = [np.ones((1, size), dtype=np.uint8) for size in self._sizes]
        return [Blocked(self._orders[name], *once)]

    def batches(self, resamples: int) -> Iterator[Drawn]:
        """Yield consecutive resamples, the first ones first."""
        size = max(1, _CELLS // sum(self._sizes))
        # Allocated and freed, untouched: from then on batches work in the memory of those before them. New memory from the system for
        # each of them would take up to a third of the time.
        np.empty(_KEPT, dtype=np.uint8)
        for first in range(0, resamples, size):
            yield Drawn(self._orders, *self._times(first, min(first + size, resamples), np.uint8))

    def _times(self, first: int, stop: int, kind: Any) -> tuple[Whole, Whole]:
        # Cases come negatives first, so that all of them are one row here.
        drawn = np.zeros((stop - first, sum(self._sizes)), dtype=kind)
        split = self._sizes[0]
        for i, times in enumerate(drawn, first):
            rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*self._entropy, i])))
            if self._stratified:
                for part in (times[:split], times[split:]):
                    _draw(rng, part)
            else:
                for _ in range(TRIES):
                    times[:] = 0
                    _draw(rng, times)
                    if times[:split].any() and times[split:].any():
                        break
                else:
                    raise never_complete()
        # A byte runs over at 256, and then cases are missing.
        missing = int(drawn.sum(dtype=np.int64)) < drawn.size
        return self._times(first, stop, np.int32) if missing else (drawn[:, :split], drawn[:, split:])


def _draw(rng: np.random.Generator, times: Whole) -> None:
    """Add how often each case is drawn."""
    # Whole numbers only, so that every platform draws the same cases.
    picked = rng.integers(0, times.size, size=times.size, dtype=np.int32)
    np.add.at(times, picked.astype(np.intp), times.dtype.type(1))


@dataclass(frozen=True, eq=False)
class Drawn:
    """How often each case of a class is drawn: arrays of shape (resamples, cases)."""

    orders: dict[str, Order]
    negatives: Whole
    positives: Whole

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self.negatives)

    def curves(self, name: str) -> list[Blocked]:
        """Return the curves of one model."""
        return [Blocked(self.orders[name], self.negatives, self.positives)]


@dataclass(frozen=True, eq=False)
class Order:
    """One model's order of the cases, from the highest score down, class by class.

    Attributes
    ----------
    negative, positive : ndarray of int
        The cases of each class in that order, numbered within the class.
    fp, tp : ndarray of int, shape (distinct scores + 1,)
        How many of each class are flagged at each point of the path, on the data.
    above : ndarray of int
        How many negatives have a higher score than each positive; empty if some cases share a score.
    point : ndarray of int, shape (blocks + 1,)
        The points between blocks of neighbouring scores.
    complete : bool
        Whether no vertex of a hull can lie inside a block.
    """

    negative: NDArray[np.intp]
    positive: NDArray[np.intp]
    fp: NDArray[np.intp]
    tp: NDArray[np.intp]
    above: NDArray[np.intp]
    point: NDArray[np.intp]
    complete: bool

    @property
    def early(self) -> bool:
        """Which of points that only cases not drawn lie between is a vertex: as for `Paths`, the first if positives are rarer."""
        return bool(self.tp[-1] <= self.fp[-1])

    @classmethod
    def of(cls, ranked: RankedScores, positive: NDArray[np.bool_], size: int | None = None) -> Order:
        """Split a ranking by class and cut it into blocks of about `size` cases, never between equal scores.

        If one class is so rare that its cases are fewer than blocks, they are cut at each of its cases instead.
        """
        hits = positive[ranked.order]
        distinct = ranked.start.size == hits.size
        start = np.arange(hits.size + 1) if distinct else np.append(ranked.start, hits.size)
        below = np.zeros(hits.size + 1, dtype=np.intp)
        np.cumsum(hits, out=below[1:])
        tp = below if distinct else below[start]
        fp = start - tp
        number = np.where(positive, np.cumsum(positive), np.cumsum(~positive)) - 1
        within = number[ranked.order]
        cases = np.arange(0, hits.size, max(4, round(hits.size ** (1 / 3) / 3)) if size is None else size)
        point = cases if distinct else np.searchsorted(start, cases)
        # A vertex is reached by going up and left by going right: the first of equal ones is after a positive, the last before a negative.
        able = np.flatnonzero(np.diff(tp)) + 1 if tp[-1] <= fp[-1] else np.flatnonzero(np.diff(fp))
        complete = able.size <= point.size
        point = np.concatenate([[0], able if complete else point, [start.size - 1]])
        # In order already; np.unique would load numpy.ma.
        point = point[np.append(True, point[1:] != point[:-1])]
        above = fp[:-1][hits] if distinct else np.zeros(0, dtype=np.intp)
        return cls(within[~hits], within[hits], fp, tp, above, point, complete)


class Blocked(Curves):
    """The ROC paths of several resamples of one model, with what `Paths` tells of them, and their areas.

    Parameters
    ----------
    order : Order
    negatives, positives : ndarray of int, shape (resamples, cases of the class)
        How often each case is drawn.
    """

    def __init__(self, order: Order, negatives: Whole, positives: Whole) -> None:
        self.order, self._size = order, len(negatives)
        self._positives = positives.take(order.positive, axis=1)
        # One sum runs through all resamples: each begins with what those before it have in all.
        self._fp, self._tp = _summed(negatives.take(order.negative, axis=1)), _summed(self._positives)
        self._before = _wide(self._fp[:: order.fp[-1]]), _wide(self._tp[:: order.tp[-1]])

    def __len__(self) -> int:
        """Return the number of resamples."""
        return self._size

    def _at(self, row: NDArray[np.intp], point: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the running sums of negatives and positives at points of resamples."""
        order = self.order
        return self._fp[row * order.fp[-1] + order.fp[point]], self._tp[row * order.tp[-1] + order.tp[point]]

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any)."""
        row = np.arange(len(self))[:, None]
        found = [
            (count - before[row]) / total[row]
            for count, before, total in zip(self._at(row, point), self._before, self.totals(), strict=True)
        ]
        return found[0], found[1]

    def totals(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return negatives and positives of each resample."""
        negatives, positives = (np.diff(before) for before in self._before)
        return negatives, positives

    def hulls(self) -> Hulls:
        """Return the exact hull of each resample; whole counts are compared exactly."""
        point, early = self.order.point, self.order.early
        fp, tp = (_wide(sums) for sums in self._at(np.arange(len(self))[:, None], point))
        x, y = fp.ravel(), tp.ravel()
        end = np.zeros(x.size, dtype=np.bool_)
        end[:: point.size] = end[point.size - 1 :: point.size] = True
        able = end.copy()
        if early:
            able[1:] |= y[1:] > y[:-1]
        else:
            able[:-1] |= x[1:] > x[:-1]
        at = np.flatnonzero(able)
        if self.order.complete:
            within = at % point.size
            return self._found(x[at], y[at], np.flatnonzero(within == 0), point[within])
        _, _, outer = eliminate(x[at], y[at], at, end[at])
        right, up = x[1:] > x[:-1], y[1:] > y[:-1]
        # A block with one class only is a straight line: its vertex is an end, or a point equal to it.
        vertex = np.zeros(x.size, dtype=np.bool_)
        vertex[outer] = True
        straight = (up & ~right & vertex[1:]) if early else (right & ~up & vertex[:-1])
        which = np.flatnonzero((right & up & reaching(x, y, outer)) | straight)
        row, block = np.divmod(which, point.size)
        # Of the points between the ends of a block and one of these ends, the only ones that can be vertices.
        first, size = point[block] + early, np.diff(point)[block]
        begin = np.cumsum(size) - size
        inner = np.arange(int(size.sum())) + np.repeat(first - begin, size)
        rows = np.repeat(row, size)
        u, v = self._at(rows, inner)
        able = np.empty(inner.size, dtype=np.bool_)
        if early:
            np.greater(v[1:], v[:-1], out=able[1:])
            able[begin] = v[begin] > y[which]
        else:
            np.greater(u[1:], u[:-1], out=able[:-1])
            able[begin + size - 1] = x[which + 1] > u[begin + size - 1]
        at = np.flatnonzero(able)
        ends = np.arange(len(self) + 1)
        place = np.searchsorted(rows[at], ends[:-1]), np.searchsorted(rows[at], ends[:-1], side="right")
        return self._finished(_wide(u[at]), _wide(v[at]), inner[at], np.stack(place, axis=1).ravel())

    def _finished(
        self, x: NDArray[np.int64], y: NDArray[np.int64], point: NDArray[np.intp], place: NDArray[np.intp]
    ) -> Hulls:
        """Return the hulls of candidates, with the first and last point of each resample put in their places."""
        order, rows = self.order, np.arange(len(self))
        both = np.stack([rows, rows + 1], axis=1).ravel()
        x, y = (np.insert(v, place, before[both]) for v, before in zip((x, y), self._before, strict=True))
        point = np.insert(point, place, np.tile([0, order.fp.size - 1], len(self)))
        return self._found(x, y, (place + np.arange(place.size))[::2], point)

    def _found(
        self, x: NDArray[np.int64], y: NDArray[np.int64], start: NDArray[np.intp], point: NDArray[np.intp]
    ) -> Hulls:
        """Return the hulls of candidates, ends included; `start` tells where each resample begins."""
        found = upper_hulls(x, y, start, point)
        row = np.repeat(np.arange(len(self)), np.diff(found.start))
        fp, tp = (v - before[row] for v, before in zip((found.fp, found.tp), self._before, strict=True))
        return Hulls(fp, tp, found.point, found.start)

    def areas(self) -> Floats:
        """Return the area under each curve: whole numbers up to the last division."""
        order = self.order
        negatives, positives = self.totals()
        before = self._before[0][:-1] * positives
        fp = sliding_window_view(self._fp, order.fp[-1] + 1)[:: order.fp[-1]]
        if order.above.size:
            # No ties: each positive loses against the negatives above it.
            lost = 2 * (np.multiply(self._positives, fp.take(order.above, axis=1), dtype=np.int64).sum(axis=1) - before)
        else:
            tp = sliding_window_view(self._tp, order.tp[-1] + 1)[:: order.tp[-1]]
            fp, tp = fp.take(order.fp, axis=1).astype(np.int64), tp.take(order.tp, axis=1)
            lost = np.sum(np.diff(tp) * (fp[:, 1:] + fp[:, :-1]), axis=1) - 2 * before
        return np.asarray(1 - lost / (2 * negatives * positives))


def _wide(sums: Whole) -> NDArray[np.int64]:
    # Products of two differences need the room.
    return sums.astype(np.int64)


def _summed(times: Whole) -> NDArray[np.int32]:
    path = np.zeros(times.size + 1, dtype=np.int32)
    np.cumsum(times, out=path[1:])
    return path

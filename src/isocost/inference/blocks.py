"""Resampling many cases of one model without drawing them all: exactly the bootstrap's distribution at a fraction of the cost.

How many positives and negatives each block of neighbouring scores gets is multinomial; within a block every drawn case is
equally likely to be any of its class. Only blocks that can hold a vertex of the resample's hull, or a threshold that is asked
for, need their cases drawn: with blocks of about n^(1/3) cases those are few, and a resample costs about n^(2/3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isocost.hull import blocks_above, upper_hull
from isocost.inference.envelopes import Hulls, cost_of
from isocost.inference.replicates import JUDGES, JUDGES_OF_TWO, Replicates, luck_of
from isocost.inference.sample import Sample
from isocost.validate import Floats

Whole = NDArray[np.int64]

# Below this many cases drawing all of them is as quick.
MANY = 20_000
# Up to so many, the totals of blocks are counted from the block of every case drawn; beyond, they are drawn as totals.
_COUNTED = 700_000


def applies(sample: Sample) -> bool:
    """Return whether resamples can be drawn in blocks: one model, many single cases that count the same, no folds."""
    drawn = sample.resampler
    single = drawn.unit.size == int(drawn.unit.max()) + 1
    return (
        len(sample.models) == 1 and sample.folds == 1 and single and drawn.weights is None and drawn.unit.size >= MANY
    )


def effort(cases: int) -> float:
    """Return about how many cases could be drawn one by one in the time of one resample in blocks."""
    return float(8.0 * cases ** (2 / 3))


def replicates(
    sample: Sample, pcf: Floats, apparent: Floats, n_resamples: int, told: Callable[[int], None]
) -> Replicates:
    """Return the costs of the only model on resamples, as `Collector` gathers them, and its areas."""
    blocks = Blocks.of(sample)
    (data,) = sample.paths(next(iter(sample.models)), sample.data)
    on_data = np.empty((n_resamples + JUDGES_OF_TWO, pcf.size))
    own, few, more = (np.empty((n_resamples, pcf.size)) for _ in range(3))
    areas = np.empty(n_resamples)
    recent: list[NDArray[np.intp]] = []
    for i in range(n_resamples + JUDGES_OF_TWO):
        seed = np.random.SeedSequence([*sample.resampler.entropy, i])
        resample = Resample(blocks, np.random.Generator(np.random.PCG64(seed)))
        cost, points = resample.hull().costs(pcf)
        fpr, tpr = data.rates(points)
        on_data[i] = cost_of(fpr[0], tpr[0], pcf)
        row = i - JUDGES_OF_TWO
        if row >= 0:
            # Earlier resamples chose the thresholds that this one pays for; the last one first.
            fp, tp = resample.at(np.stack(recent[::-1]))
            crossed = cost_of(fp / blocks.negatives, tp / blocks.positives, pcf)
            own[row], few[row], more[row] = cost[0], crossed[:JUDGES].mean(axis=0), crossed.mean(axis=0)
            areas[row] = resample.area()
            told(row + 1)
        recent = [*recent, points[0]][-JUDGES_OF_TWO:]
    return Replicates(apparent, own, few, more, luck_of(on_data), sample.step(pcf), areas=areas)


@dataclass(frozen=True, eq=False)
class Blocks:
    """The cases of one model in blocks of neighbouring scores, from the highest down.

    Attributes
    ----------
    point : ndarray of int, shape (blocks + 1,)
        How many distinct scores lie before each block.
    fp, tp : ndarray of int, shape (blocks + 1,)
        Cases of each class before each block.
    score_of_negative, score_of_positive : ndarray of int
        Which distinct score each case of a class has, the highest first.
    won : ndarray, shape (blocks,)
        The share of pairs of a positive and a negative within each block that are ranked rightly, ties counting half.
    """

    point: NDArray[np.intp]
    fp: Whole
    tp: Whole
    score_of_negative: NDArray[np.int32]
    score_of_positive: NDArray[np.int32]
    won: Floats

    @classmethod
    def of(cls, sample: Sample, size: int | None = None) -> Blocks:
        """Cut the cases into blocks of about `size`, never between equal scores."""
        (ranked,) = next(iter(sample.models.values()))
        hits = sample.resampler.positive[ranked.order]
        start = np.append(ranked.start, hits.size)
        below = np.concatenate([[0], np.cumsum(hits)])
        rows = np.arange(0, hits.size, max(8, round(hits.size ** (1 / 3) / 2)) if size is None else size)
        point = np.unique(np.append(np.searchsorted(start, rows), start.size - 1))
        tp = below[start[point]]
        fp = start[point] - tp
        score = np.repeat(np.arange(start.size - 1, dtype=np.int32), np.diff(start))
        ups = np.diff(below[start])
        downs = np.diff(start) - ups
        # Positives of each score win against the negatives of lower scores in their block, and half of those level.
        block = np.repeat(np.arange(point.size - 1), np.diff(point))
        wins = ups * (fp[1:][block] - np.cumsum(downs) + downs / 2)
        pairs = np.diff(fp) * np.diff(tp)
        share = np.add.reduceat(wins, point[:-1]) / np.maximum(pairs, 1)
        return cls(point, fp, tp, score[~hits], score[hits], share)

    @property
    def negatives(self) -> int:
        """Negative cases, in the data and in every resample."""
        return int(self.fp[-1])

    @property
    def positives(self) -> int:
        """Positive cases, in the data and in every resample."""
        return int(self.tp[-1])

    @cached_property
    def blocks_of_cases(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The block of each negative, and of each positive."""
        number = np.arange(self.won.size, dtype=np.int32)
        return np.repeat(number, np.diff(self.fp)), np.repeat(number, np.diff(self.tp))


class Resample:
    """One resample: the totals of every block at once, the cases of a block when they are needed.

    Parameters
    ----------
    blocks : Blocks
    rng : Generator
    """

    def __init__(self, blocks: Blocks, rng: np.random.Generator) -> None:
        self.blocks, self._rng = blocks, rng
        self.drawn = (
            self._totals(blocks.fp, blocks.blocks_of_cases[0]),
            self._totals(blocks.tp, blocks.blocks_of_cases[1]),
        )
        self.fp, self.tp = (np.concatenate([[0], np.cumsum(d)]) for d in self.drawn)
        self._opened: list[Opened] = []

    def _totals(self, before: Whole, block: NDArray[np.int32]) -> Whole:
        """Return how many cases of a class each block gets: the same distribution either way."""
        many = int(before[-1])
        if self.blocks.negatives + self.blocks.positives > _COUNTED:
            return self._rng.multinomial(many, np.diff(before) / many)
        # Whole numbers only, so that every platform draws the same cases.
        cases = self._rng.integers(0, many, size=many, dtype=np.int32)
        return np.bincount(block[cases], minlength=before.size - 1)

    def open(self, which: NDArray[np.intp]) -> Opened:
        """Draw the cases of some blocks."""
        b = self.blocks
        size = np.diff(b.point)[which]
        begin = np.cumsum(size) - size
        paths = []
        of_class = ((b.fp, self.drawn[0], b.score_of_negative), (b.tp, self.drawn[1], b.score_of_positive))
        for before, drawn, score in of_class:
            many = drawn[which]
            first, width = np.repeat(before[which], many), np.repeat(np.diff(before)[which], many)
            cases = first + (self._rng.random(first.size) * width).astype(np.int64)
            local = score[cases] - np.repeat(b.point[which] - begin, many)
            counts = np.bincount(local, minlength=int(size.sum()))
            # Cumulated over all opened blocks, less what was drawn in those before, plus all that lies before the block.
            start = (self.fp if before is b.fp else self.tp)[which] - (np.cumsum(many) - many)
            paths.append(np.cumsum(counts) + np.repeat(start, size))
        opened = Opened(which, begin, paths[0], paths[1])
        self._opened.append(opened)
        return opened

    def hull(self) -> Hulls:
        """Return the exact hull of the resample's curve."""
        b = self.blocks
        outer, above = blocks_above(self.fp, self.tp, self.tp[1:])
        # A block that got one class only is a straight line.
        which = np.flatnonzero(above & (self.drawn[0] > 0) & (self.drawn[1] > 0))
        inside = self.open(which)
        # A vertex is reached by going up and not left by going up, or it is a vertex of the blocks' ends.
        able = np.ones(inside.fp.size, dtype=np.bool_)
        up = inside.tp[1:] != inside.tp[:-1]
        able[1:] = up
        able[inside.begin] = True
        able[:-1] &= ~(up & (inside.fp[1:] == inside.fp[:-1]))
        kept = np.flatnonzero(able)
        point = kept + np.repeat(
            b.point[which] + 1 - inside.begin, np.diff(np.searchsorted(kept, np.append(inside.begin, able.size)))
        )
        place = np.searchsorted(b.point[outer], point, side="left")
        fp, tp = np.insert(self.fp[outer], place, inside.fp[kept]), np.insert(self.tp[outer], place, inside.tp[kept])
        point = np.insert(b.point[outer], place, point)
        vertex = upper_hull(fp, tp)
        return Hulls(fp[vertex], tp[vertex], point[vertex], np.array([0, vertex.size]))

    def at(self, points: NDArray[np.intp]) -> tuple[Whole, Whole]:
        """Return the negatives and positives among the highest distinct scores, as many as `points` says."""
        b = self.blocks
        block = np.searchsorted(b.point, points, side="right") - 1
        fp, tp = self.fp[block], self.tp[block]
        inside = b.point[block] != points
        missing = np.zeros(b.won.size, dtype=np.bool_)
        missing[block[inside]] = True
        for opened in self._opened:
            missing[opened.which] = False
        self.open(np.flatnonzero(missing))
        for opened in self._opened:
            if opened.which.size:
                found = np.minimum(np.searchsorted(opened.which, block), opened.which.size - 1)
                mine = inside & (opened.which[found] == block)
                local = opened.begin[found[mine]] + points[mine] - b.point[block[mine]] - 1
                fp[mine], tp[mine] = opened.fp[local], opened.tp[local]
        return fp, tp

    def area(self) -> float:
        """Return the area under the curve, pairs within a block at their mean given the block's totals.

        Its mean over resamples is exact and its variance too small by about one part in the square of the number of blocks.
        """
        b = self.blocks
        downs, ups = self.drawn
        won = float(np.sum(ups * (b.negatives - self.fp[1:]))) + float(np.sum(ups * downs * b.won))
        return won / (b.negatives * b.positives)


@dataclass(frozen=True, eq=False)
class Opened:
    """Blocks whose cases were drawn: the curve after each of their distinct scores, blocks end to end."""

    which: NDArray[np.intp]
    begin: NDArray[np.intp]
    fp: Whole
    tp: Whole

"""Resampling many cases of one model without drawing them all: exactly the bootstrap's distribution at a fraction of the cost.

How many cases of each class fall into short stretches of the ranking, the leaves, is drawn first. Where a curve with these
totals cannot reach the hull, whichever cases they are, nothing more is drawn; elsewhere, and at the thresholds that are asked
for, the leaves are opened. Many resamples go through every step together.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from isocost.inference.envelopes import Hulls, cost_of, vertices
from isocost.inference.halving import Drawn, Leaves, Whole
from isocost.inference.pairs import STRETCHES, Pairs
from isocost.inference.replicates import JUDGES, JUDGES_OF_TWO, Replicates, luck_of
from isocost.inference.sample import Sample
from isocost.validate import Floats

if TYPE_CHECKING:
    from concurrent.futures import Future

_Done = TypeVar("_Done")

# Batches that are drawn at the same time, beside the one that is evaluated.
_THREADS = 2
# Below this many cases drawing all of them is as quick.
MANY = 5_000
# Cases in a leaf, at least: fewer leaves are opened in vain, but more are drawn.
_LEAF = 4
# Resamples that go through every step together have about so many leaves, so that all of it stays near the processor.
_TOGETHER = 2**20
# So many stretches of possible vertices are looked at as one before each of them.
_FINER = 6


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
    ranking = Ranking.of(sample)
    total = n_resamples + JUDGES_OF_TWO
    own, few, more, on_data = (np.empty((total, pcf.size)) for _ in range(4))
    areas = np.empty(total)
    chosen = np.zeros((JUDGES_OF_TWO, pcf.size), dtype=np.intp)

    def batch(first: int) -> tuple[int, Resamples, Floats, NDArray[np.intp]]:
        seed = np.random.SeedSequence([*sample.resampler.entropy, first])
        drawn = Resamples(ranking, np.random.Generator(np.random.SFC64(seed)))
        return first, drawn, *drawn.hulls().costs(pcf)

    for first, drawn, cost, points in _ahead(batch, range(0, total, ranking.together)):
        # The last ones of the last batch may be more than are wanted.
        part = slice(first, min(first + ranking.together, total))
        wanted = part.stop - first
        chosen = np.concatenate([chosen[-JUDGES_OF_TWO:], points])
        on_data[part] = cost_of(*ranking.rates(points), pcf)[:wanted]
        # Earlier resamples chose the thresholds that this one pays for; the last one first.
        lags = [JUDGES_OF_TWO - lag for lag in range(1, JUDGES_OF_TWO + 1)]
        fpr, tpr = drawn.rates(np.stack([chosen[lag : lag + len(points)] for lag in lags], axis=1))
        crossed = cost_of(fpr, tpr, pcf)[:wanted]
        own[part], few[part], more[part] = cost[:wanted], crossed[:, :JUDGES].mean(axis=1), crossed.mean(axis=1)
        areas[part] = drawn.areas()[:wanted]
        told(max(0, part.stop - JUDGES_OF_TWO))
    own, few, more, areas = (v[JUDGES_OF_TWO:] for v in (own, few, more, areas))
    return Replicates(apparent, own, few, more, luck_of(on_data), sample.step(pcf), areas=areas)


def _ahead(work: Callable[[int], _Done], of: Iterable[int]) -> Iterator[_Done]:
    """Return what work gives for each, in order, while threads begin the next ones; NumPy lets them run side by side."""
    from concurrent.futures import ThreadPoolExecutor

    begun: deque[Future[_Done]] = deque()
    with ThreadPoolExecutor(_THREADS) as pool:
        for each in of:
            begun.append(pool.submit(work, each))
            if len(begun) > _THREADS:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


@dataclass(frozen=True, eq=False)
class Ranking:
    """The cases of one model from the highest score down, in leaves of either class.

    Attributes
    ----------
    fp, tp : ndarray of int, shape (points,)
        Cases of each class down to each score that positives have, which are the thresholds a resample can choose; the first
        point flags nobody, the last everybody.
    turns : ndarray of int
        Those points after which the curve of some resample can turn to the right: the next score is one that negatives have.
    negatives, positives : Leaves
    levels : list of Stretches
        All turns, first in long stretches, at last in those that have the same leaf of either class.
    pairs : Pairs
        What the area under the curve needs.
    """

    fp: NDArray[np.int32]
    tp: NDArray[np.int32]
    turns: NDArray[np.intp]
    negatives: Leaves
    positives: Leaves
    levels: list[Stretches]
    pairs: Pairs

    @classmethod
    def of(cls, sample: Sample, size: int | None = None) -> Ranking:
        """Cut the cases into leaves."""
        (ranked,) = next(iter(sample.models.values()))
        hits = sample.resampler.positive[ranked.order]
        end = np.append(ranked.start[1:], hits.size)
        tp = np.cumsum(hits, dtype=np.int32)[end - 1]
        fp = end.astype(np.int32) - tp
        many = int(fp[-1]), int(tp[-1])
        negatives, positives = (Leaves(c, _size(c, min(many)) if size is None else size) for c in many)
        ups, downs = np.diff(tp, prepend=np.int32(0)), np.diff(fp, prepend=np.int32(0))
        pairs = Pairs.of(ups, downs, negatives, positives)
        hit = np.flatnonzero(ups)
        turn = np.append(downs[1:], 1)[hit] > 0
        if hit[-1] < ups.size - 1:
            hit, turn = np.append(hit, ups.size - 1), np.append(turn, True)
        turns = np.append(0, np.flatnonzero(turn) + 1)
        fp, tp = (np.concatenate([c[:1] * 0, c[hit]]) for c in (fp, tp))
        levels = [Stretches.of_points(fp[turns], tp[turns], negatives, positives)]
        # Stretches much longer than that reach the hull nearly everywhere.
        while levels[0].left.size > hits.size ** (2 / 3):
            levels.insert(0, levels[0].gathered(_FINER))
        return cls(fp, tp, turns, negatives, positives, levels, pairs)

    @property
    def together(self) -> int:
        """How many resamples are drawn together; which cases they get depends on it."""
        return max(1, min(64, _TOGETHER // (self.negatives.many + self.positives.many)))

    def rates(self, points: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr of points on the data."""
        return self.fp[points] / self.negatives.cases, self.tp[points] / self.positives.cases


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of possible vertices, and the edges of leaves between which the curve passes them.

    The first stretch is the point that flags nobody alone and the last the one that flags everybody.

    Attributes
    ----------
    left : ndarray of int
        Leaves of negatives before the stretch.
    below, above : ndarray of int
        Leaves of positives before the stretch, and up to its end.
    after : ndarray of int
        The next stretch that begins after another leaf of negatives than this one.
    part : ndarray of int
        Where the parts of each stretch begin, and where those of the last end: shorter stretches, or single turns.
    """

    left: NDArray[np.int32]
    below: NDArray[np.int32]
    above: NDArray[np.int32]
    after: NDArray[np.intp]
    part: NDArray[np.intp]

    @classmethod
    def of(
        cls, left: NDArray[np.int32], below: NDArray[np.int32], above: NDArray[np.int32], part: NDArray[np.intp]
    ) -> Stretches:
        """Gather parts that have so many leaves before them and up to their end, given where stretches of them begin."""
        first = part[:-1]
        after = np.searchsorted(left[first], left[first], side="right")
        after[0] = 0
        return cls(left[first], below[first], above[part[1:] - 1], after, part)

    @classmethod
    def of_points(cls, fp: NDArray[np.int32], tp: NDArray[np.int32], negatives: Leaves, positives: Leaves) -> Stretches:
        """Gather points that have the same leaf of either class."""
        left, below = negatives.before(fp), positives.upto(tp)
        new = (left[1:] != left[:-1]) | (below[1:] != below[:-1])
        new[0] = new[-1] = True
        return cls.of(left, below, below + 1, np.concatenate([[0], np.flatnonzero(new) + 1, [fp.size]]))

    def gathered(self, many: int) -> Stretches:
        """Return stretches of `many` of these."""
        last = self.left.size - 1
        part = np.concatenate([[0], np.arange(1, last, many), [last, last + 1]])
        return self.of(self.left, self.below, self.above, part)

    def parts(self, of: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return how many parts some stretches have, and these parts."""
        size = self.part[of + 1] - self.part[of]
        return size, _runs(self.part[of], size)


def _runs(begin: NDArray[np.intp], size: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return runs of consecutive numbers, end to end."""
    return np.asarray(np.arange(int(size.sum())) + np.repeat(begin - (np.cumsum(size) - size), size))


def _size(cases: int, rarer: int) -> int:
    """Return how many cases of a class make a leaf: more the more there are, the rarer class blurring the curve anyway."""
    size = max(_LEAF, (2 * rarer) ** (1 / 3) / 8) * math.sqrt(cases / rarer)
    return max(1, min(int(size + 0.5), cases // STRETCHES))


class Resamples:
    """Several resamples: the totals of every leaf at once, the cases of a leaf when they are needed.

    Parameters
    ----------
    ranking : Ranking
    rng : Generator
    """

    def __init__(self, ranking: Ranking, rng: np.random.Generator) -> None:
        self.ranking, self.many = ranking, ranking.together
        self.negatives = Drawn(ranking.negatives, rng, self.many)
        self.positives = Drawn(ranking.positives, rng, self.many)

    def areas(self) -> Floats:
        """Return the area under each curve, pairs within short stretches at their mean.

        Its mean over resamples is exact and its variance too small by about one part in the square of the number of stretches.
        """
        return self.ranking.pairs.areas(self.negatives.edges, self.positives.edges)

    def rates(self, points: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points, of shape (resamples, …)."""
        row = np.arange(self.many).reshape(-1, *(1,) * (points.ndim - 1))
        fp, tp = self._at(row, points)
        return fp / self.ranking.negatives.cases, tp / self.ranking.positives.cases

    def _at(self, row: NDArray[np.intp], points: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        fp, tp, r = self.ranking.fp[points], self.ranking.tp[points], self.ranking
        return self.negatives.at(row, r.negatives.before(fp), fp), self.positives.at(row, r.positives.upto(tp), tp)

    def hulls(self) -> Hulls:
        """Return the exact hulls of the resamples' curves."""
        first = self.ranking.levels[0].left.size
        row, turn = np.repeat(np.arange(self.many), first), np.tile(np.arange(first), self.many)
        for level in self.ranking.levels:
            kept = self._reaching(level, row, turn)
            size, turn = level.parts(turn[kept])
            row = np.repeat(row[kept], size)
        fp, tp = (c.astype(np.int64) for c in self._at(row, self.ranking.turns[turn]))
        start = np.searchsorted(row, np.arange(self.many + 1))
        fp, tp, vertex = vertices(fp, tp, start)
        return Hulls(fp, tp, self._chosen(row[vertex], turn[vertex], tp), np.searchsorted(vertex, start))

    def _chosen(self, row: NDArray[np.intp], turn: NDArray[np.intp], tp: Whole) -> NDArray[np.intp]:
        """Return the point that is chosen at each vertex: the first that flags all positives which the resample has so far."""
        end = self.ranking.turns[turn]
        begin = np.where(turn > 0, self.ranking.turns[turn - 1] + 1, 0)
        size = end - begin + 1
        rank = self.ranking.tp[_runs(begin, size)]
        found = self.positives.at(np.repeat(row, size), self.ranking.positives.upto(rank), rank)
        fewer = found < np.repeat(tp, size)
        chosen = begin + np.add.reduceat(fewer, np.cumsum(size) - size, dtype=np.int64)
        # Flagging everybody is a choice of its own.
        return np.where(turn == self.ranking.turns.size - 1, end, chosen)

    def _reaching(self, level: Stretches, row: NDArray[np.intp], stretch: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return which stretches may hold a vertex, given those that the coarser levels left.

        The curve passes each stretch somewhere above and left of (fp after its first leaf of negatives, tp before its first
        one of positives), and no point of it is above or left of (fp before the former, tp after its last leaf of positives).
        If this corner lies below the hull of those other points, nothing of the stretch reaches the hull of the curve.
        """
        fp, tp = self.negatives.edges.ravel(), self.positives.edges.ravel()
        before = row * self.negatives.edges.shape[1] + level.left[stretch]
        of_row = row * self.positives.edges.shape[1]
        x, y = fp[before + 1], tp[of_row + level.below[stretch]]
        start = np.searchsorted(row, np.arange(self.many + 1))
        # Where the first and the last point are is certain.
        x[start[:-1]] = y[start[:-1]] = 0
        x[start[1:] - 1], y[start[1:] - 1] = self.ranking.negatives.cases, self.ranking.positives.cases
        x, y, hull = vertices(x, y, start)
        dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
        # Each edge of that hull is the one above the stretches that begin at or after its left end.
        width = level.left.size
        begin = np.searchsorted(row * width + stretch, row[hull] * width + level.after[stretch[hull]])
        dx, dy, height = (np.repeat(v, np.diff(begin)) for v in (dx, dy, dx * y[:-1] - dy * x[:-1]))
        return np.flatnonzero(dx * tp[of_row + level.above[stretch]] - dy * fp[before] >= height)

"""Resampling many cases of one model without drawing them all: exactly the bootstrap's distribution at a fraction of the cost.

How many cases of each class fall into blocks of the ranking is drawn first. A block whose cases cannot reach the hull of the
curve, whichever they are, is left at that; any other is parted in two, again and again, down to single thresholds. Many
resamples go through every step together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from isocost.curves.hull import Hulls, reaching, upper_hull, without_lower
from isocost.resampling.paths import Curves
from isocost.resampling.protocol import Design
from isocost.resampling.sample import Sample
from isocost.resampling.urns import Counts, Urn, binomial
from isocost.validate import Floats

if TYPE_CHECKING:
    from concurrent.futures import Future

_Done = TypeVar("_Done")
Places = NDArray[np.int64]

# Batches that are drawn at the same time, beside the one that is evaluated.
_THREADS = 2
# Below this many cases drawing all of them is as quick.
MANY = 5_000
# Blocks to begin with, at least: they make the variance of an area too small by about one part in 100 000.
_BLOCKS = 512
# Resamples that go through every step together have about so many blocks to begin with, so that all stays near the processor;
# too few at a time, and threads wait for each other.
_TOGETHER, _FEWEST, _MOST = 2**18, 8, 256


class BlockResampler:
    """Draws how many cases fall into blocks of one model's ranking, and more where a hull may be reached.

    Parameters
    ----------
    sample : Sample
    """

    def __init__(self, sample: Sample) -> None:
        self._entropy, self._ranking = sample.entropy, Ranking.of(sample)

    @classmethod
    def takes(cls, design: Design) -> bool:
        """Return True for one model of many single cases that count the same, without folds; its thresholds are chosen."""
        alone = design.models == 1 and design.folds == 1 and not design.fixed
        return alone and design.alike and design.stratified and not design.counted and design.cases >= MANY

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return about how many scores could be ranked in the time of one resample."""
        return float(8.0 * design.cases ** (2 / 3))

    def data(self, name: str) -> list[OnData]:  # noqa: ARG002 - there is one model
        """Return the curve of the model on the data themselves."""
        return [OnData(self._ranking)]

    def batches(self, resamples: int) -> Iterator[Resamples]:
        """Yield consecutive resamples, as many at a time as are drawn together."""
        yield from _ahead(self._batch, range(0, resamples, self._ranking.together))

    def _batch(self, first: int) -> Resamples:
        seed = np.random.SeedSequence([*self._entropy, first])
        drawn = Resamples(self._ranking, np.random.Generator(np.random.SFC64(seed)), self._ranking.together)
        drawn.hulls()  # in a thread of its own
        return drawn


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
    """The cases of one model from the highest score down, in blocks.

    Attributes
    ----------
    fp, tp : ndarray of int, shape (points,)
        Cases of each class down to each score that positives have, which are the thresholds a resample can choose; the first
        point flags nobody, the last everybody.
    edges : ndarray of int, shape (blocks + 1,)
        The points between which the blocks lie.
    won : ndarray of shape (blocks,)
        How likely a positive of a block is ranked above a negative of the same block.
    """

    fp: Counts
    tp: Counts
    edges: Places
    won: Floats
    negatives: Urn
    positives: Urn

    @classmethod
    def of(cls, sample: Sample, blocks: int | None = None) -> Ranking:
        """Cut the cases into blocks."""
        (curve,) = sample.curves(next(iter(sample.models)))
        fp, tp = curve._path()
        hit = np.flatnonzero(np.diff(tp, prepend=0))
        tied = fp[hit] - np.where(hit > 0, fp[hit - 1], 0)
        if hit[-1] < fp.size - 1:
            hit, tied = np.append(hit, fp.size - 1), np.append(tied, 0)
        fp, tp = (np.concatenate([np.zeros(1, dtype=np.int32), c[hit].astype(np.int32)]) for c in (fp, tp))
        # Where negatives come before the next such score, or with it, the curve of some resample can turn to the right.
        turn = np.append(fp[1:] > fp[:-1], True)
        # Blocks of equally many turns have about the same chance to reach the hull, whatever its slope there.
        turn[0] = True
        turns = np.flatnonzero(turn)
        last = turns.size - 1
        blocks = min(last, max(_BLOCKS, int(3 * last ** (2 / 3))) if blocks is None else blocks)
        edges = turns[np.arange(blocks + 1) * last // blocks]
        begin, end = edges[:-1], edges[1:]
        many, hits = (c[end].astype(np.int64) - c[begin] for c in (fp, tp))
        # Twice the pairs lost within a block, ties once: a positive loses against the negatives that come before it.
        above = (tp[1:] - tp[:-1]) * (2 * fp[1:].astype(np.int64) - tied)
        lost = np.add.reduceat(above, begin) - 2 * hits * fp[begin]
        won = 1 - lost / np.maximum(2 * many * hits, 1)
        return cls(fp, tp, edges, won, *(Urn(np.diff(c[edges])) for c in (fp, tp)))

    @property
    def together(self) -> int:
        """How many resamples are drawn together; which cases they get depends on it."""
        return max(_FEWEST, min(_MOST, _TOGETHER // self.won.size))

    def areas(self, downs: NDArray[np.integer], ups: NDArray[np.integer]) -> Floats:
        """Return the area under curves from the negatives and positives of each block, shape (curves, blocks).

        Pairs within a block count with their mean over its cases, which is what drawing them gives on average. The mean over
        resamples is exact, and the variance too small by about one part in the square of the number of blocks.
        """
        # Positives win against the negatives after their block, and against some within.
        beaten = self.negatives.cases - np.cumsum(downs, axis=1) + downs * self.won
        return np.asarray(np.sum(ups * beaten, axis=1) / (self.negatives.cases * self.positives.cases))


class OnData(Curves):
    """The curve on the data themselves.

    Parameters
    ----------
    ranking : Ranking
    """

    def __init__(self, ranking: Ranking) -> None:
        self._ranking = ranking

    def __len__(self) -> int:
        """Return 1."""
        return 1

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points."""
        fp, tp = self._ranking.fp, self._ranking.tp
        return fp[point] / fp[-1], tp[point] / tp[-1]

    def hulls(self) -> Hulls:
        """Return the hull."""
        fp, tp = (c.astype(np.int64) for c in (self._ranking.fp, self._ranking.tp))
        point = upper_hull(fp, tp)
        return Hulls(fp[point], tp[point], point, np.array([0, point.size]))


@dataclass(eq=False)
class Parts:
    """Stretches of the rankings of several resamples, laid end to end as if they were one long curve.

    Attributes
    ----------
    low, high : ndarray of int
        The points between which each stretch lies: after the first, up to the second.
    x, y : ndarray of int
        Negatives and positives drawn before it, those of earlier resamples included.
    downs, ups : ndarray of int
        Negatives and positives drawn in it.
    finer : ndarray of int or None
        Where its own parts begin in the next finer list; -1 if it is not there. None in the finest list.
    """

    low: Places
    high: Places
    x: Places
    y: Places
    downs: Counts
    ups: Counts
    finer: Places | None = None

    def take(self, at: Places) -> Parts:
        """Return some of them."""
        return Parts(self.low[at], self.high[at], self.x[at], self.y[at], self.downs[at], self.ups[at])

    def part(self, at: Places, middle: Places, downs: Counts, ups: Counts) -> None:
        """Cut stretches, which are here twice in a row, at points up to which so many cases of them are drawn."""
        right = at + 1
        self.high[at] = self.low[right] = middle
        self.downs[at], self.ups[at] = downs, ups
        self.downs[right] -= downs
        self.ups[right] -= ups
        self.x[right] += downs
        self.y[right] += ups


class Resamples(Curves):
    """Several resamples: the totals of every block at once, more where a hull may be reached.

    Parameters
    ----------
    ranking : Ranking
    rng : Generator
    many : int
        How many resamples.
    """

    def __init__(self, ranking: Ranking, rng: np.random.Generator, many: int) -> None:
        self.ranking, self.many, self._rng = ranking, many, rng
        edges = ranking.edges
        downs, ups = (urn.draw(rng, self.many).ravel() for urn in (ranking.negatives, ranking.positives))
        low, high = (np.tile(e, self.many) for e in (edges[:-1], edges[1:]))
        x, y = (np.cumsum(c, dtype=np.int64) - c for c in (downs, ups))
        self._lists = [Parts(low, high, x, y, downs, ups)]
        self._hulls: Hulls | None = None

    def __len__(self) -> int:
        """Return the number of resamples."""
        return self.many

    def curves(self, name: str) -> list[Resamples]:  # noqa: ARG002 - there is one model
        """Return the curves of the model: these."""
        return [self]

    def areas(self) -> Floats:
        """Return the area under each curve."""
        parts, shape = self._lists[0], (self.many, self.ranking.won.size)
        return self.ranking.areas(parts.downs.reshape(shape), parts.ups.reshape(shape))

    def hulls(self) -> Hulls:
        """Return the exact hulls of the resamples' curves."""
        if self._hulls is None:
            self._hulls = self._found()
        return self._hulls

    def _found(self) -> Hulls:
        last = self.ranking.fp.size - 1
        while True:
            parts = self._lists[-1]
            end = parts.high == last
            vertex, may_hold = _hull_of_ends(parts, end)
            at_vertex = np.zeros(parts.low.size, dtype=np.bool_)
            at_vertex[vertex] = True
            # Of points that are the same in a resample the first is chosen: look for it, except at the end.
            opened = (may_hold | (at_vertex & ~end)) & (parts.high - parts.low > 1)
            if not opened.any():
                break
            self._part(parts, at_vertex | opened, opened)
        return self._laid_out(parts, vertex)

    def _laid_out(self, parts: Parts, vertex: Places) -> Hulls:
        """Return the vertices as hulls, each from its own origin."""
        negatives, positives = self.ranking.negatives.cases, self.ranking.positives.cases
        point = parts.high[vertex]
        fp, tp = parts.x[vertex] + parts.downs[vertex], parts.y[vertex] + parts.ups[vertex]
        row = np.cumsum(point == point[-1]) - (point == point[-1])
        fp, tp = fp - row * negatives, tp - row * positives
        start = np.concatenate([[0], np.flatnonzero(point == point[-1]) + 1])
        fp, tp, point = (np.insert(v, start[:-1], 0) for v in (fp, tp, point))
        return Hulls(fp, tp, point, start + np.arange(start.size))

    def _part(self, parts: Parts, kept: NDArray[np.bool_], opened: NDArray[np.bool_]) -> None:
        """Make the next finer list of the stretches that are kept, the opened ones in two parts."""
        at = np.flatnonzero(kept)
        many = 1 + opened[at].astype(np.int64)
        first = np.cumsum(many) - many
        parts.finer = np.full(parts.low.size, -1)
        parts.finer[at] = first
        finer = parts.take(np.repeat(at, many))
        twice = first[many > 1]
        low, high = finer.low[twice], finer.high[twice]
        middle = (low + high) >> 1
        finer.part(twice, middle, *self._before(middle, low, high, finer.downs[twice], finer.ups[twice]))
        self._lists.append(finer)

    def _before(self, point: Places, low: Places, high: Places, downs: Counts, ups: Counts) -> tuple[Counts, Counts]:
        """Return how many negatives and positives of those drawn between two points are drawn before one between them."""
        part, whole = [], []
        for c in (self.ranking.fp, self.ranking.tp):
            begin = c[low]
            part.append(c[point] - begin)
            whole.append(c[high] - begin)
        drawn = binomial(self._rng, *(np.concatenate(v) for v in ([downs, ups], part, whole)))
        return drawn[: low.size], drawn[low.size :]

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any); a second call would draw anew what the hulls left open."""
        points = point
        negatives, positives = self.ranking.negatives.cases, self.ranking.positives.cases
        asked = points.reshape(self.many, -1)
        # The place of each comes along in the lowest bits, so that sorting plain numbers is enough.
        bits = asked.shape[1].bit_length()
        packed = np.sort((asked << bits) | np.arange(asked.shape[1]), axis=1)
        place, point = packed & ((1 << bits) - 1), packed >> bits
        new = np.ones(point.shape, dtype=np.bool_)
        np.not_equal(point[:, 1:], point[:, :-1], out=new[:, 1:])
        row = np.nonzero(new)[0]
        number = (np.cumsum(new) - 1).reshape(new.shape)
        found = []
        for count, total in zip(self._at(row, point[new]), (negatives, positives), strict=True):
            rate = np.empty(asked.shape)
            np.put_along_axis(rate, place, ((count - row * total) / total)[number], axis=1)
            found.append(rate.reshape(points.shape))
        return found[0], found[1]

    def _at(self, row: Places, point: Places) -> tuple[Places, Places]:
        """Return the negatives and positives drawn up to different points, ascending."""
        known = self._around(row, point)
        # Several points of one stretch come one after the other: each parts what the one before it has left.
        first = np.ones(row.size, dtype=np.bool_)
        first[1:] = (row[1:] != row[:-1]) | (known.low[1:] != known.low[:-1])
        number = np.arange(row.size)
        number -= np.maximum.accumulate(np.where(first, number, 0))
        for k in range(int(number.max()) + 1):
            now = np.flatnonzero(number == k)
            for v in (known.low, known.x, known.y, known.downs, known.ups) if k else ():
                v[now] = v[now - 1]
            rest = known.take(now)
            downs, ups = self._before(point[now], rest.low, rest.high, rest.downs, rest.ups)
            known.low[now] = point[now]
            known.x[now], known.downs[now] = rest.x + downs, rest.downs - downs
            known.y[now], known.ups[now] = rest.y + ups, rest.ups - ups
        return known.x, known.y

    def _around(self, row: Places, point: Places) -> Parts:
        """Return the shortest stretch that holds each point: at its end or before."""
        stretch = row * self.ranking.won.size + np.maximum(np.searchsorted(self.ranking.edges, point) - 1, 0)
        going, found, where = np.arange(row.size), [], []
        for parts, next_list in zip(self._lists, [*self._lists[1:], None], strict=True):
            finer = np.full(stretch.size, -1) if parts.finer is None else parts.finer[stretch]
            last = finer < 0
            found.append(parts.take(stretch[last]))
            where.append(going[last])
            going, stretch = going[~last], finer[~last]
            if next_list is not None:
                stretch += point[going] > next_list.high[stretch]
        order = np.empty(row.size, dtype=np.intp)
        order[np.concatenate(where)] = np.arange(row.size)
        low, high, x, y = (
            np.concatenate(v)[order] for v in zip(*((f.low, f.high, f.x, f.y) for f in found), strict=True)
        )
        downs, ups = (np.concatenate(v)[order] for v in ([f.downs for f in found], [f.ups for f in found]))
        return Parts(low, high, x, y, downs, ups)


def _hull_of_ends(parts: Parts, end: NDArray[np.bool_]) -> tuple[Places, NDArray[np.bool_]]:
    """Return which stretches end at a vertex of the hulls of all ends, and which may hold one of their own."""
    zero = np.zeros(1, dtype=np.int64)
    x, y = np.concatenate([zero, parts.x + parts.downs]), np.concatenate([zero, parts.y + parts.ups])
    last = np.concatenate([[True], end])
    higher = last.copy()
    higher[1:] |= parts.ups > 0
    at = np.flatnonzero(higher)
    _, _, vertex = without_lower(x[at], y[at], at, last[at])
    # Between two stretches of the list there may be others: a stretch begins at its own x, not where the one before ends.
    return vertex[1:] - 1, reaching(x, y, vertex, left=parts.x)

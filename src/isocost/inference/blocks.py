"""Resampling many cases without looking at all of them: exactly the bootstrap's distribution at a fraction of the cost."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from isocost.curves.hull import Hulls, eliminate, reaching, upper_hull, upper_hulls, without_lower
from isocost.curves.roc import path_counts
from isocost.curves.sort import RankedScores
from isocost.data.checks import Floats
from isocost.inference.resample import (
    TRIES,
    Curves,
    Design,
    PlainResampler,
    Resampler,
    Sample,
    never_complete,
)

if TYPE_CHECKING:
    from concurrent.futures import Future


Counts = NDArray[np.int32]

# Random words of each kind are enough for so many coins.
_WORDS = ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64))
# For more coins than that NumPy's binomials are quicker than bits.
_MOST = 255
# When fewer than one number in so many has coins left, NumPy's binomials finish.
_FEW = 8
# Cells of a table of Poisson numbers, and the largest mean that has one.
_CELLS = 2**10
_TABLED = 300
# Standard deviations by which Poisson numbers stay below the total.
_BELOW = 4.0


class Poisson:
    """Poisson numbers of several means, looked up in tables.

    A random number in [0, 1) stands for the first outcome whose cumulated probability is above it. Between two numbers of ten
    binary digits it is mostly the same, so that their digits tell the outcome; where they do not, it is searched for.

    Parameters
    ----------
    means : ndarray
        The largest determines the size of the tables: not more than some hundreds.
    """

    def __init__(self, means: Floats) -> None:
        most = int(means.max() + 9 * math.sqrt(means.max()) + 20)
        outcome = np.arange(most)
        factorial = np.cumsum(np.log(np.maximum(outcome, 1)))
        # A mean of zero gives zero.
        log_mean = np.log(np.maximum(means, 1e-300))[:, None]
        below = np.cumsum(np.exp(outcome * log_mean - means[:, None] - factorial), axis=1)
        number = np.arange(means.size)[:, None]
        # The steps of all means one after the other, each within its own unit.
        self._steps, self._outcomes = (number + np.minimum(below, 1.0)).ravel(), most
        cuts = number + np.arange(_CELLS + 1) / _CELLS
        first = np.searchsorted(self._steps, cuts[:, :-1], side="right") - number * most
        last = np.searchsorted(self._steps, cuts[:, 1:], side="left") - number * most
        self._table = np.where(first == last, first, -1).astype(np.int32).ravel()

    def draw(self, rng: np.random.Generator, which: NDArray[np.intp], resamples: int) -> NDArray[np.int32]:
        """Return numbers of the means that `which` lists, shape (resamples, which)."""
        bits = rng.bit_generator.random_raw(resamples * which.size).reshape(resamples, which.size)
        counts = self._table[(bits >> np.uint64(54)).view(np.int64) + _CELLS * which]
        some = np.flatnonzero(counts < 0)
        number = which[some % which.size]
        place = number + (bits.ravel()[some] >> np.uint64(11)) * 2.0**-53
        counts.ravel()[some] = np.searchsorted(self._steps, place, side="right") - number * self._outcomes
        return np.asarray(counts)


class Urn:
    """The cases of one class in blocks, to be drawn with replacement.

    Parameters
    ----------
    sizes : ndarray of int
        Cases in each block.
    """

    def __init__(self, sizes: Counts) -> None:
        self.cases, self.blocks = int(sizes.sum()), sizes.size
        # The block of each case.
        self._block = np.repeat(np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), sizes)
        means = sizes * max(0.0, 1 - _BELOW / math.sqrt(self.cases))
        self._large = np.flatnonzero(means > _TABLED)
        self._means = means[self._large]
        means[self._large] = 0
        kinds, self._kind = np.unique(means, return_inverse=True)
        self._poisson = Poisson(kinds)

    def draw(self, rng: np.random.Generator, resamples: int) -> Counts:
        """Return how many cases each block gets, shape (resamples, blocks), as many in all as there are.

        Poisson numbers are, given their sum, as if so many cases were drawn. So most cases come by Poisson numbers, which are meant
        to stay a little below the total, and the rest one by one.
        """
        counts = self._apart(rng, resamples)
        while np.any(over := (total := counts.sum(axis=1)) > self.cases):
            counts[over] = self._apart(rng, int(np.count_nonzero(over)))
        rest = self.cases - total
        case = rng.integers(0, self.cases, size=int(rest.sum()))
        place = np.repeat(np.arange(resamples) * self.blocks, rest) + self._block[case]
        counts += np.bincount(place, minlength=counts.size).reshape(counts.shape)
        return counts

    def _apart(self, rng: np.random.Generator, resamples: int) -> Counts:
        counts = self._poisson.draw(rng, self._kind, resamples)
        counts[:, self._large] = rng.poisson(self._means, size=(resamples, self._large.size))
        return counts


def binomial(rng: np.random.Generator, coins: Counts, part: Counts, whole: Counts) -> Counts:
    """Return how many of the coins, each of which shows heads with probability part/whole, do so.

    A random number in [0, 1) is below the probability if at the first binary digit in which they differ the probability has the
    one. Digit by digit, half of the coins that are left differ, as many as a random word has ones: of a few digits, nearly all.
    """
    won = np.zeros(coins.size, dtype=np.int32)
    left = coins.astype(np.uint8)
    many = np.flatnonzero(coins > _MOST)
    won[many], left[many] = rng.binomial(coins[many], part[many] / whole[many]), 0
    above, below = part.astype(np.uint32), whole.astype(np.uint32)
    # First those that need several words, until one is enough.
    while (some := np.flatnonzero(left > _WORDS[-1][0])).size:
        some_left, some_above = left[some], above[some]
        won[some] += _digit(rng, some_left, some_above, below[some])
        left[some], above[some] = some_left, some_above
    while _FEW * np.count_nonzero(left) > left.size:
        won += _digit(rng, left, above, below)
    some = np.flatnonzero(left)
    won[some] += rng.binomial(left[some], above[some] / below[some])
    return won


def _digit(
    rng: np.random.Generator, left: NDArray[np.uint8], above: NDArray[np.uint32], below: NDArray[np.uint32]
) -> NDArray[np.uint8]:
    """Look at the next binary digit of above/below: return how many of the coins are won, and take them and the lost ones away."""
    # By long division.
    above <<= 1
    digit = above >= below
    above -= below * digit
    most = int(left.max())
    width, kind = next((w for w in _WORDS if most <= w[0]), _WORDS[-1])
    differ = np.zeros_like(left)
    # NumPy 2.0 does not clip at more than the type holds.
    for coins in [left] if most <= width else [np.clip(left, i, min(i + 64, 255)) - i for i in range(0, most, 64)]:
        bits = rng.bit_generator.random_raw(-(-left.size * width // 64)).view(kind)[: left.size]
        differ += np.bitwise_count(bits >> (width - coins).astype(kind))
    # Where the digit is one, those that differ are won and the others left; where it is zero, those that do not are left.
    ones = np.negative(digit.view(np.int8)).view(np.uint8)
    left -= differ
    left ^= differ
    left &= ones
    left ^= differ
    return differ & ones


Whole = NDArray[np.integer]

# Below this many cases there is nothing to gain; the numbers are the same either way.
PAIRED_FROM = 1_000
# Cases of one batch of resamples: bounds the memory, and enough that the work outweighs the calls.
_BATCH = 2**20
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
        return design.alike and not design.counted and design.folds == 1 and design.cases >= PAIRED_FROM

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
        size = max(1, _BATCH // sum(self._sizes))
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
    # Products of two differences need more digits.
    return sums.astype(np.int64)


def _summed(times: Whole) -> NDArray[np.int32]:
    path = np.zeros(times.size + 1, dtype=np.int32)
    np.cumsum(times, out=path[1:])
    return path


_Done = TypeVar("_Done")
Places = NDArray[np.int64]

# Batches that are drawn at the same time, beside the one that is evaluated.
_THREADS = 2
# Below this many cases drawing all of them is as quick.
BLOCKS_FROM = 5_000
# Blocks to begin with, at least: they make the variance of an area too small by about one part in 100 000.
_BLOCKS = 512
# Resamples that go through every step together have about so many blocks to begin with, so that all stays near the processor;
# too few at a time, and threads wait for each other.
_TOGETHER, _FEWEST, _MOST_TOGETHER = 2**18, 8, 256


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
        return alone and design.alike and design.stratified and not design.counted and design.cases >= BLOCKS_FROM

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
        fp, tp = path_counts(curve)
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
        return max(_FEWEST, min(_MOST_TOGETHER, _TOGETHER // self.won.size))

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


# The quickest first.
ENGINES: tuple[type[Resampler], ...] = (BlockResampler, PairedResampler, PlainResampler)


def choose(sample: Sample, *, fixed: bool) -> Resampler:
    """Return the engine for a sample."""
    return _first(sample.design(fixed=fixed))(sample)


def effort(design: Design) -> float:
    """Return about how many scores could be ranked in the time of one resample."""
    return _first(design).effort(design)


def _first(design: Design) -> type[Resampler]:
    return next(engine for engine in ENGINES if engine.takes(design))

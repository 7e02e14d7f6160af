"""Resampling many cases of one model without drawing all of them: exactly the bootstrap's distribution at a fraction of the cost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.data.checks import Floats
from isocost.inference.resample import Counts, Curves, Sample, Whole

# Cells of a table of Poisson numbers, and the largest mean that has one.
_CELLS = 2**10
_TABLED = 300
# Standard deviations by which Poisson numbers stay below the total.
_BELOW = 4.0
# Below this many cases drawing all of them is as quick.
BLOCKS_FROM = 200_000
# Blocks at least: they make the variance of an area too small by about one part in 100 000.
_BLOCKS = 512
# Resamples that are drawn together have about so many blocks, so that all stays near the processor.
_TOGETHER, _FEWEST, _MOST_TOGETHER = 2**18, 8, 256


class Poisson:
    """Poisson numbers of several means, looked up in tables.

    A random number in [0, 1) stands for the first outcome whose cumulated probability is above it. Between two numbers of ten
    binary digits it is mostly the same, so that their digits tell the outcome; where they do not, it is searched for.
    """

    def __init__(self, means: Floats) -> None:
        most = int(means.max() + 9 * math.sqrt(means.max()) + 20)
        outcome = np.arange(most)
        factorial = np.cumsum(np.log(np.maximum(outcome, 1)))
        # A mean of zero gives zero.
        log_mean = np.log(means, out=np.zeros(means.shape), where=means > 0)[:, None]
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
    """The cases of one class in blocks, to be drawn with replacement."""

    def __init__(self, sizes: Whole) -> None:
        self.cases, self.blocks = int(sizes.sum()), sizes.size
        # The block of each case.
        self._block = np.repeat(np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), sizes)
        means = sizes * max(0.0, 1 - _BELOW / math.sqrt(self.cases))
        self._large = np.flatnonzero(means > _TABLED)
        self._means = means[self._large]
        means[self._large] = 0
        kinds, self._kind = np.unique(means, return_inverse=True)
        self._poisson = Poisson(kinds)

    def draw(self, rng: np.random.Generator, resamples: int) -> Whole:
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

    def _apart(self, rng: np.random.Generator, resamples: int) -> Whole:
        counts = self._poisson.draw(rng, self._kind, resamples)
        counts[:, self._large] = rng.poisson(self._means, size=(resamples, self._large.size))
        return counts


@dataclass(frozen=True, eq=False)
class Ranking:
    """The cases of one model from the highest score down, in blocks.

    `fp` and `tp` count them down to each score that positives have, which are the cuts a resample can choose; the first flags nobody, the
    last everybody. `edges` are the cuts between blocks, `won` how likely a positive of a block is ranked above a negative of it, and
    `cut_of` the first cut that flags each negative, and each positive, from the highest score down.
    """

    fp: Whole
    tp: Whole
    edges: Whole
    won: Floats
    urns: tuple[Urn, Urn]
    cut_of: tuple[Whole, Whole]

    @classmethod
    def of(cls, sample: Sample, blocks: int | None = None) -> Ranking:
        """Cut the cases into blocks."""
        (curve,) = sample.curves(sample.models[0])
        fp, tp = (np.asarray(counts, dtype=np.int64) for counts in (curve.fp, curve.tp))
        hit = np.flatnonzero(np.diff(tp)) + 1
        tied = fp[hit] - fp[hit - 1]
        if hit[-1] < fp.size - 1:
            hit, tied = np.append(hit, fp.size - 1), np.append(tied, 0)
        fp, tp = (np.append(0, counts[hit]) for counts in (fp, tp))
        last = hit.size
        blocks = min(last, max(_BLOCKS, int(6 * last ** (2 / 3))) if blocks is None else blocks)
        edges = np.arange(blocks + 1) * last // blocks
        begin, end = edges[:-1], edges[1:]
        many, hits = (counts[end] - counts[begin] for counts in (fp, tp))
        # Twice the pairs lost within a block, ties once: a positive loses against the negatives that come before it.
        above = np.diff(tp) * (2 * fp[1:] - tied)
        lost = np.add.reduceat(above, begin) - 2 * hits * fp[begin]
        won = 1 - lost / np.maximum(2 * many * hits, 1)
        urns = Urn(many.astype(np.int32)), Urn(hits.astype(np.int32))
        down, up = (np.repeat(np.arange(1, last + 1, dtype=np.int32), np.diff(counts)) for counts in (fp, tp))
        return cls(fp, tp, edges, won, urns, (down, up))

    @property
    def together(self) -> int:
        """How many resamples are drawn together; which cases they get depends on it."""
        return max(_FEWEST, min(_MOST_TOGETHER, _TOGETHER // self.won.size))


class BlockResampler:
    """Draws how many cases fall into blocks of one model's ranking, and which ones where that matters."""

    def __init__(self, sample: Sample) -> None:
        self._entropy, self.ranking = sample.entropy, Ranking.of(sample)

    @classmethod
    def takes(cls, sample: Sample) -> bool:
        """Return True for one model of many single cases that count the same, without folds."""
        return (
            len(sample.models) == 1 and sample.folds == 1 and sample.alike and sample.stratified
            and sample.positive.size >= BLOCKS_FROM
        )  # fmt: skip

    @property
    def data(self) -> Counts:
        """The curve on the data themselves."""
        return Counts.of_path(self.ranking.fp, self.ranking.tp, np.arange(1.0, self.ranking.fp.size))

    def counts(self, name: str, drawn: Curves) -> list[Curves]:  # noqa: ARG002 - there is one model
        """Return the curves of the model: these."""
        return [drawn]

    def draws(self, start: int, stop: int) -> Iterator[Resamples]:
        """Yield consecutive resamples, as many at a time as are drawn together; the last batch may hold more than are wanted."""
        for first in range(start, stop, self.ranking.together):
            seed = np.random.SeedSequence([*self._entropy, first])
            yield Resamples(self.ranking, np.random.Generator(np.random.SFC64(seed)), self.ranking.together)


class Resamples(Curves):
    """Several resamples: the totals of every block at once, and the cases of a block when it is first looked into."""

    def __init__(self, ranking: Ranking, rng: np.random.Generator, many: int) -> None:
        self.ranking, self.many, self._rng = ranking, many, rng
        self.cuts, self.edges = np.arange(ranking.fp.size), ranking.edges
        # The first edge that flags as much as each cut.
        self._edge = np.searchsorted(self.edges, self.cuts)
        self._drawn = [urn.draw(rng, many) for urn in ranking.urns]
        self._before = [np.zeros((many, self.edges.size), dtype=np.int64) for _ in range(2)]
        for before, drawn in zip(self._before, self._drawn, strict=True):
            np.cumsum(drawn, axis=1, out=before[:, 1:])
        # Of each block that was looked into, in turn: its number among those of all resamples, and where its counts at cuts begin.
        self._known = np.zeros(0, dtype=np.int64)
        self._begin = np.zeros(0, dtype=np.int64)
        self._inside = [np.zeros(0, dtype=np.int64) for _ in range(2)]

    def __len__(self) -> int:
        """Return the number of resamples."""
        return self.many

    @property
    def totals(self) -> tuple[Whole, Whole]:
        """The negatives and positives of each resample."""
        negatives, positives = (np.full(self.many, urn.cases) for urn in self.ranking.urns)
        return negatives, positives

    def flagged(self, cuts: Whole) -> tuple[Whole, Whole]:
        """Return the negatives and positives that some cuts flag on every resample, shape (resamples, cuts)."""
        if cuts.size == self.edges.size and np.array_equal(cuts, self.edges):
            return self._before[0], self._before[1]
        return self.at(np.arange(self.many)[:, None], cuts)

    def at(self, row: Whole, cut: Whole) -> tuple[Whole, Whole]:
        """Return the negatives and positives that cuts of resamples flag."""
        row, cut = np.broadcast_arrays(row, cut)
        edge = self._edge[cut]
        found = [before[row, edge] for before in self._before]
        within = np.flatnonzero(self.edges[edge] != cut)
        if within.size:
            key = row.ravel()[within] * self.ranking.won.size + edge.ravel()[within] - 1
            new = np.append(True, key[1:] != key[:-1])
            self._look_into(np.unique(key[new]))
            begin = self._begin[np.searchsorted(self._known, key[new])] - self.edges[edge.ravel()[within[new]] - 1] - 1
            place = cut.ravel()[within] + begin[np.cumsum(new) - 1]
            for counts, inside in zip(found, self._inside, strict=True):
                counts.ravel()[within] = inside[place]
        return found[0], found[1]

    def _look_into(self, keys: Whole) -> None:
        """Draw the cases of blocks, as many as fell into each, unless they are drawn already."""
        keys = np.setdiff1d(keys, self._known, assume_unique=True)
        row, block = np.divmod(keys, self.ranking.won.size)
        size = np.diff(self.edges)[block]
        begin = np.cumsum(size) - size
        paths = (self.ranking.fp, self.ranking.tp)
        for i, (drawn, before, path, cut_of) in enumerate(
            zip(self._drawn, self._before, paths, self.ranking.cut_of, strict=True)
        ):
            first, many = path[self.edges[block]], drawn[row, block]
            cases = path[self.edges[block + 1]] - first
            case = np.repeat(first, many) + (self._rng.random(int(many.sum())) * np.repeat(cases, many)).astype(
                np.int64
            )
            place = np.repeat(begin - self.edges[block] - 1, many) + cut_of[case]
            summed = np.cumsum(np.bincount(place, minlength=int(size.sum())))
            start = before[row, block] - np.append(0, summed)[begin]
            self._inside[i] = np.concatenate([self._inside[i], summed + np.repeat(start, size)])
        known = np.concatenate([self._known, keys])
        order = np.argsort(known)
        begin = np.concatenate([self._begin, begin + self._inside[0].size - int(size.sum())])
        self._known, self._begin = known[order], begin[order]

    def areas(self) -> Floats:
        """Return the area under each curve.

        Pairs within a block count with their mean over its cases, which is what drawing them gives on average. The mean over
        resamples is exact, and the variance too small by about one part in the square of the number of blocks.
        """
        (downs, ups), (before, _), (n0, n1) = self._drawn, self._before, self.totals
        # Positives win against the negatives after their block, and against some within.
        beaten = n0[:, None] - before[:, 1:] + downs * self.ranking.won
        return np.asarray(np.sum(ups * beaten, axis=1) / (n0 * n1))

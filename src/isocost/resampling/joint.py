"""Resampling joint counts: cases known by the blocks of scores they fell into, so that every cost is known within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.counts.joint_counts import JointCounts
from isocost.curves.hull import Hulls
from isocost.curves.sort import RankedScores
from isocost.errors import InputError
from isocost.resampling.paths import Curves, Paths
from isocost.resampling.plain import TRIES, never_complete
from isocost.resampling.protocol import Design
from isocost.resampling.sample import Sample
from isocost.validate import Floats

# Cells of one batch of resamples: bounds the memory whatever the number of rows and resamples.
_CELLS = 2**21


def sample_of(
    joint: JointCounts, given: dict[str, Any], entropy: tuple[int, ...], *, stratified: bool = True
) -> Sample:
    """Return the rows of a table, those of each class apart, ready to be resampled; nothing else may be given."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name}= goes with labels and scores; joint counts hold the cases already")
    sizes = [int(counts.sum()) for counts in (joint.positives, joint.negatives)]
    validate.two_of_each(np.repeat([True, False], np.minimum(sizes, 2)), "resampling")
    some = [np.flatnonzero(counts) for counts in (joint.negatives, joint.positives)]
    row = np.concatenate(some)
    positive = np.repeat([False, True], [rows.size for rows in some])
    cases = np.where(positive, joint.positives[row], joint.negatives[row])
    strata = (np.flatnonzero(~positive), np.flatnonzero(positive)) if stratified else (np.arange(row.size),)
    nothing = np.zeros(row.size, dtype=np.intp)
    models: dict[str, tuple[RankedScores, ...]] = {
        name: (RankedScores.of_blocks(joint.blocks[row, i], joint.low[i], joint.high[i]),)
        for i, name in enumerate(joint.names)
    }
    return Sample(
        positive, np.arange(row.size), strata, nothing, None, entropy, models, counted=cases, stratified=stratified
    )


class JointResampler:
    """Draws how many cases of each row of a table come into a resample.

    Parameters
    ----------
    sample : Sample
    """

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    @classmethod
    def takes(cls, design: Design) -> bool:
        """Return True for joint counts."""
        return design.counted

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return the number of rows to rank."""
        return design.cases * design.models

    def data(self, name: str) -> list[BlockEnds]:
        """Return the curve of one model on the data themselves."""
        return Drawn(self._sample, self._sample.data).curves(name)

    def batches(self, resamples: int) -> Iterator[Drawn]:
        """Yield consecutive resamples, the first ones first."""
        for times in self.draws(0, resamples):
            yield Drawn(self._sample, times)

    def draws(self, start: int, stop: int) -> Iterator[NDArray[np.int64]]:
        """Yield how many cases of each row are drawn in consecutive resamples."""
        size = max(1, _CELLS // self._sample.positive.size)
        for first in range(start, stop, size):
            yield np.stack([self._draw(i) for i in range(first, min(first + size, stop))])

    def _draw(self, replicate: int) -> NDArray[np.int64]:
        """Return how many cases of each row are drawn: as if they were drawn one by one and counted."""
        sample = self._sample
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*sample.entropy, replicate])))
        cases = np.asarray(sample.data[0], dtype=np.int64)
        drawn = np.empty_like(cases)
        for _ in range(TRIES):
            for rows in sample.strata:
                total = int(cases[rows].sum())
                drawn[rows] = rng.multinomial(total, cases[rows] / total)
            if drawn[sample.positive].any() and drawn[~sample.positive].any():
                return drawn
        raise never_complete()


@dataclass(frozen=True, eq=False)
class Drawn:
    """How many cases of each row are drawn: an array of shape (resamples, rows)."""

    sample: Sample
    times: NDArray[Any]

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self.times)

    def curves(self, name: str) -> list[BlockEnds]:
        """Return the curves of one model."""
        (ranked,) = self.sample.models[name]
        return [BlockEnds(ranked, *ranked.totals(self.times, self.sample.positive))]


class BlockEnds(Curves):
    """The ROC paths of several resamples of one model at the ends of its blocks, and the best that can lie between.

    Parameters
    ----------
    ranked : RankedScores
    positives, negatives : ndarray of int, shape (resamples, blocks)
    """

    def __init__(self, ranked: RankedScores, positives: NDArray[np.int64], negatives: NDArray[np.int64]) -> None:
        self._positives, self._negatives = positives, negatives
        self._open = (
            np.zeros(ranked.scores.size, dtype=np.bool_) if ranked.upper is None else ranked.upper > ranked.scores
        )
        self._paths = Paths.of(positives, negatives)

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self._paths)

    def rates(self, point: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any)."""
        return self._paths.rates(point)

    def totals(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return negatives and positives of each resample."""
        return self._paths.totals()

    def hulls(self) -> Hulls:
        """Return the hull of each resample's block ends: points that can be used."""
        return self._paths.hulls()

    def lowest(self, pcf: Floats) -> Floats | None:
        """Return costs at each pcf that no order of the cases inside the blocks undercuts: positives first in each."""
        if not self._open.any():
            return None
        twice = np.repeat(np.arange(self._open.size), 1 + self._open)
        # Of a block that is there twice, the first holds the positives and the second the negatives.
        first = np.concatenate([[True], twice[1:] != twice[:-1]])
        second = np.concatenate([first[1:], [True]])
        best = Paths.of(self._positives[:, twice] * first, self._negatives[:, twice] * second)
        return best.hulls().costs(pcf)[0]

    def areas(self) -> Floats:
        """Return the area under each curve if each block's cases were tied: half way between the least and the most it can be."""
        fp, tp = self._paths.fp, self._paths.tp
        won = np.sum(self._positives * (2 * fp[:, -1:] - fp[:, 1:] - fp[:, :-1]).astype(float), axis=1)
        return np.asarray(won / (2.0 * fp[:, -1] * tp[:, -1]))

    def room(self) -> Floats:
        """Return how far each area may be from that, to either side."""
        pairs = np.sum((self._positives * self._negatives.astype(float))[:, self._open], axis=1)
        return np.asarray(pairs / (2.0 * self._paths.fp[:, -1] * self._paths.tp[:, -1]))

"""Resampling joint counts: cases known by the blocks of scores they fell into, so that every cost is known within bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.counts.joint_counts import JointCounts
from isocost.errors import InputError
from isocost.geometry.hulls import Hulls
from isocost.resampling.paths import Paths
from isocost.resampling.plain import RankedScores, Resampler
from isocost.resampling.replicates import JUDGES_OF_TWO, Collector, Replicates
from isocost.resampling.sample import Sample
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap
    from isocost.inference.intervals import Quantity


def sample_of(joint: JointCounts, given: dict[str, Any], entropy: tuple[int, ...]) -> Sample:
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
    strata = np.flatnonzero(~positive), np.flatnonzero(positive)
    nothing = np.zeros(row.size, dtype=np.intp)
    models: dict[str, tuple[RankedScores, ...]] = {
        name: (RankedScores.of_blocks(joint.blocks[row, i], joint.low[i], joint.high[i]),)
        for i, name in enumerate(joint.names)
    }
    return Sample(Resampler(positive, np.arange(row.size), strata, nothing, None, entropy, cases), models, {})


def replicates(
    sample: Sample,
    pcf: Floats,
    lines: dict[str, list[int]],
    apparent: dict[str, Floats],
    n_resamples: int,
    told: Callable[[int], None],
) -> dict[str, Replicates]:
    """Return the costs of each model on resamples at the ends of its blocks, and by how much the truth may differ."""
    gathered = {name: Collector(pcf, sample.paths(name, sample.data), lines.get(name)) for name in sample.models}
    rooms = {name: float(_ends(sample, name, sample.data).room()[0]) for name in sample.models}
    for first, drawn in sample.resampler.batches(0, n_resamples + JUDGES_OF_TWO):
        for name, collector in gathered.items():
            ends = _ends(sample, name, drawn)
            collector.add([ends], ends.areas(), ends.lowest(pcf))
            rooms[name] = max(rooms[name], float(ends.room().max()))
        told(max(0, first + len(drawn) - JUDGES_OF_TWO))
    step = sample.step(pcf)
    found = {}
    for name, collector in gathered.items():
        made = collector.finish(apparent[name], step)
        slack = None
        if made.chosen and sample.models[name][0].upper is not None:
            slack = np.maximum(collector.slack, apparent[name] - _ends(sample, name, sample.data).lowest(pcf)[0])
        found[name] = replace(made, slack=slack, slack_of_area=rooms[name])
    return found


def room(boot: Bootstrap, what: Quantity, names: tuple[str, ...]) -> tuple[float, float]:
    """Return by how much a number may be less and more because scores are known up to their block, on any resample."""
    less = more = 0.0
    for sign, name in zip((1, -1), names, strict=False):
        model = boot.models[name]
        if what.name == "auc":
            below = above = model.slack_of_area
        elif model.slack is None or what.of_costs is None:
            continue
        else:
            costs = model.values("best", boot.pcf)
            change = what.of_costs(np.maximum(costs - model.slack, 0.0)) - what.of_costs(costs)
            below, above = max(0.0, -float(change.min())), max(0.0, float(change.max()))
        less, more = (less + below, more + above) if sign == 1 else (less + above, more + below)
    return less, more


def _ends(sample: Sample, name: str, drawn: NDArray[Any]) -> BlockEnds:
    (ranked,) = sample.models[name]
    return BlockEnds(ranked, *ranked.totals(drawn, sample.resampler.positive))


class BlockEnds:
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

    def rates(self, point: NDArray[np.intp], *, start: int = 0) -> tuple[Floats, Floats]:
        """Return fpr and tpr at points of shape (resamples, any), from resample `start` on."""
        return self._paths.rates(point, start=start)

    def hulls(self) -> Hulls:
        """Return the hull of each resample's block ends: points that can be used."""
        return self._paths.hulls()

    def lowest(self, pcf: Floats) -> Floats:
        """Return costs at each pcf that no order of the cases inside the blocks undercuts: positives first in each."""
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

"""What one model costs on every resample, with thresholds chosen on it and on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isocost.geometry.hulls import cost_of
from isocost.resampling.paths import Curves, Paths
from isocost.validate import Floats

Target = Literal["best", "chosen", "apparent"]
TARGETS: tuple[Target, ...] = ("best", "chosen", "apparent")

# How many other resamples choose the thresholds that a resample pays for: for one model, and for a difference of two,
# in which the noise of two choices adds up. The coverage study settled both numbers: with fewer the values spread wider than
# the estimates do from sample to sample, with more they spread less.
JUDGES = 3
JUDGES_OF_TWO = 4

# Thresholds chosen on n cases cost, on the same cases, less than the best one by some m (about n^(-2/3)) and, on new cases,
# more than it by m/3. A resample repeats this with noise twice as large: by k·m on itself and k·m/3 on the original data,
# k = 2^(2/3). Where the thresholds come from elsewhere the cost is cross, where they come from the resample it is own, and
# w·cross - (w-1)·own has the mean of the best cost for w = 3/2 and of the chosen thresholds' cost for w = 3/2 + 2^(-5/3).
WEIGHT: dict[Target, float] = {"best": 1.5, "chosen": 1.5 + 2 ** (-5 / 3), "apparent": 0.0}


@dataclass(frozen=True, eq=False)
class Replicates:
    """Normalised costs of one model at each pcf, on the data and on every resample.

    Attributes
    ----------
    apparent : ndarray of shape (pcf,)
        On the data themselves.
    own : ndarray of shape (resamples, pcf)
        On each resample, with the thresholds that are best on it.
    cross, cross_of_two : ndarray of shape (resamples, pcf) or None
        On each resample, with the thresholds that are best on some others, on average: three of them, and four for
        differences of two models. None if no threshold is chosen: crisp classifiers and fixed thresholds.
    luck_of_two : ndarray of shape (resamples, pcf) or None
        By how much those four happened to choose worse than resamples do on average, judged on the data.
    step : ndarray of shape (pcf,)
        What one case more or less in each class makes of the cost.
    probability : ndarray of shape (resamples,) or None
        Of each resample, if they are not equally likely.
    areas : ndarray of shape (resamples,) or None
        The AUC on each resample, where it came along with the costs.
    slack : ndarray of shape (pcf,) or None
        By how much costs may be lower, on the data and on any resample, where scores are known up to their block.
    slack_of_area : float
        How far the AUC may be from that of tied blocks, to either side, on the data and on any resample.
    """

    apparent: Floats
    own: Floats
    cross: Floats | None
    cross_of_two: Floats | None
    luck_of_two: Floats | None
    step: Floats
    probability: Floats | None = None
    areas: Floats | None = None
    slack: Floats | None = None
    slack_of_area: float = 0.0

    @property
    def chosen(self) -> bool:
        """Whether thresholds were chosen at each condition, so that optimism is an issue."""
        return self.cross is not None

    def values(self, target: Target, pcf: Floats, *, judges: int = JUDGES, steady: bool = False) -> Floats:
        """Return one curve a resample whose spread and centre are those of the estimated cost.

        `steady` takes out what the four judges' luck made of it: rough from one pcf to the next, it would be counted over
        and over in the largest deviation along a curve, while the estimate, over all resamples, has none of it.
        """
        cross = self.cross if judges == JUDGES and target == "best" else self.cross_of_two
        if cross is None or target == "apparent":
            return self.own
        if steady and self.luck_of_two is not None:
            cross = cross - self.luck_of_two
        return self._corrected(cross, self.own, target, pcf)

    def estimate(self, target: Target, pcf: Floats) -> Floats:
        """Return the cost estimated at each pcf."""
        if self.cross_of_two is None or target == "apparent":
            return self.apparent
        return self._corrected(self.cross_of_two.mean(axis=0), self.own.mean(axis=0), target, pcf)

    @staticmethod
    def _corrected(cross: Floats, own: Floats, target: Target, pcf: Floats) -> Floats:
        weight = WEIGHT[target]
        cost = weight * cross - (weight - 1) * own
        # The best threshold is never dearer than flagging nobody or everybody; a chosen one may be.
        return np.minimum(cost, np.minimum(pcf, 1 - pcf)) if target == "best" else cost


class Collector:
    """Gathers the costs of one model from consecutive batches of resamples.

    The first `JUDGES_OF_TWO` resamples only choose thresholds; each later one pays for those of the ones before it.

    Parameters
    ----------
    pcf : ndarray
    data : list of Paths
        Of the data themselves, one a fold.
    line : list of int, optional
        The point of the path that a fixed threshold means, one a fold; nothing is chosen then.
    """

    def __init__(self, pcf: Floats, data: list[Paths], line: list[int] | None = None) -> None:
        self.pcf, self.data, self.line = pcf, data, line
        self._parts: list[tuple[Floats, ...]] = []
        self._areas: list[Floats] = []
        self.slack = np.zeros(pcf.size)
        self._recent: dict[int, NDArray[np.intp]] = {}

    @property
    def first(self) -> Floats:
        """Costs of the first resample with its own thresholds."""
        return np.asarray(self._parts[0][0][0])

    def add(self, folds: Sequence[Curves], areas: Floats | None = None, lowest: Floats | None = None) -> None:
        """Take in the curves of one batch, one entry a fold; costs are averaged over the folds.

        `areas` where they are known; `lowest` where costs may be lower, as the lowest that they may be.
        """
        if areas is not None:
            self._areas.append(areas)
        costs = [
            self._kept(paths, i) if self.line is not None else self._chosen(paths, i) for i, paths in enumerate(folds)
        ]
        self._parts.append(tuple(np.asarray(sum(part) / len(folds)) for part in zip(*costs, strict=True)))
        if lowest is not None and self.line is None:
            self.slack = np.max([self.slack, *(self._parts[-1][0] - lowest)], axis=0)

    def _kept(self, paths: Curves, fold: int) -> tuple[Floats, ...]:
        assert self.line is not None  # noqa: S101 - the caller looked
        fpr, tpr = paths.rates(np.full((len(paths), 1), self.line[fold]))
        cost = cost_of(fpr, tpr, self.pcf)
        return (cost,)

    def _chosen(self, paths: Curves, fold: int) -> tuple[Floats, ...]:
        own, point = paths.hulls().costs(self.pcf)
        points = np.concatenate([self._recent.get(fold, point[:0]), point])
        self._recent[fold] = points[-JUDGES_OF_TWO:]
        size = len(own)
        skipped = min(size, max(0, JUDGES_OF_TWO + size - len(points)))  # the first ones have too few before them
        few, more = np.zeros_like(own), np.zeros_like(own)
        for lag in range(1, JUDGES_OF_TWO + 1):
            begin = len(points) - size + skipped - lag
            fpr, tpr = paths.rates(points[begin : begin + size - skipped], start=skipped)
            cost = cost_of(fpr, tpr, self.pcf)
            more[skipped:] += cost / JUDGES_OF_TWO
            if lag <= JUDGES:
                few[skipped:] += cost / JUDGES
        fpr, tpr = self.data[fold].rates(point.reshape(1, -1))
        on_data = cost_of(fpr.reshape(point.shape), tpr.reshape(point.shape), self.pcf)
        return own, few, more, on_data

    def finish(self, apparent: Floats, step: Floats) -> Replicates:
        """Return everything gathered."""
        own, *rest = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        areas = np.concatenate(self._areas)[JUDGES_OF_TWO:] if self._areas else None
        if self.line is not None:
            return Replicates(apparent, own[JUDGES_OF_TWO:], None, None, None, step, areas=areas)
        few, more, on_data = rest
        own, few, more = (part[JUDGES_OF_TWO:] for part in (own, few, more))
        return Replicates(apparent, own, few, more, luck_of(on_data), step, areas=areas)


def luck_of(on_data: Floats) -> Floats:
    """Return by how much the four judges of each resample chose worse than all do on average, from costs on the data."""
    size = len(on_data) - JUDGES_OF_TWO
    four = sum(on_data[JUDGES_OF_TWO - lag :][:size] for lag in range(1, JUDGES_OF_TWO + 1)) / JUDGES_OF_TWO
    return np.asarray(four - on_data.mean(axis=0))

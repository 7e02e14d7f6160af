"""What one model costs on every resample, with thresholds chosen on it and on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from isocost.curves.hull import cost_of
from isocost.data.checks import Floats
from isocost.inference.resample import JUDGES_OF_TWO, Curves

Target = Literal["best", "chosen", "apparent"]
TARGETS: tuple[Target, ...] = ("best", "chosen", "apparent")

# How many other resamples choose the thresholds that a resample pays for: for one model, and for a difference of two,
# in which the noise of two choices adds up. The coverage study settled both numbers: with fewer the values spread wider than
# the estimates do from sample to sample, with more they spread less.
JUDGES = 3

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
        On each resample, with the thresholds that are best on other resamples, averaged over three of these, or over four for
        differences of two models. None if no threshold is chosen, as for crisp classifiers and fixed thresholds.
    luck_of_two : ndarray of shape (resamples, pcf) or None
        How much worse those four happened to choose than resamples do on average, judged on the data.
    step : ndarray of shape (pcf,)
        How much one case more or less in each class changes the cost.
    probability : ndarray of shape (resamples,) or None
        Of each resample, if they are not equally likely.
    areas : ndarray of shape (resamples,) or None
        The AUC on each resample, if it was found along with the costs.
    slack : ndarray of shape (pcf,) or None
        How much lower costs may be, on the data and on any resample, if scores are known only by their block.
    slack_of_area : float
        How far the AUC may be from that of tied blocks, to either side, on the data and on any resample.
    coarse : bool
        Whether there are so few different scores that there is hardly a threshold to choose.
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
    coarse: bool = False

    @property
    def chosen(self) -> bool:
        """Whether thresholds were chosen at each condition, which makes their costs optimistic."""
        return self.cross is not None

    def changed(self, names: Sequence[str], change: Callable[[Floats], Floats]) -> Replicates:
        """Return the same with some of its arrays changed, those that are there."""
        found = {name: getattr(self, name) for name in names}
        changed: dict[str, Any] = {name: change(value) for name, value in found.items() if value is not None}
        return replace(self, **changed)

    def at(self, pcf: Floats, other: Floats) -> Replicates:
        """Return the same at other conditions, interpolated linearly between those at which costs are known."""
        after = np.clip(np.searchsorted(pcf, other), 1, max(pcf.size - 1, 1))
        share = np.zeros(other.size) if pcf.size == 1 else (other - pcf[after - 1]) / np.diff(pcf)[after - 1]

        def read(costs: Floats) -> Floats:
            if pcf.size == 1:
                return costs
            before, there = costs[..., after - 1], costs[..., after]
            # Exactly what is known where it is known.
            return np.where(share == 1, there, before + share * (there - before))

        costs = ("apparent", "own", "cross", "cross_of_two", "luck_of_two", "slack")
        return replace(self.changed(costs, read), step=_step_at(self.step, pcf, other))

    def values(
        self, target: Target, pcf: Floats, *, judges: int = JUDGES, steady: bool = False, clipped: bool = True
    ) -> Floats:
        """Return one curve per resample; together they have the spread and the centre of the estimated cost.

        `steady` removes the luck of the four judges. It is rough from one pcf to the next, so the largest deviation along a curve
        would count it over and over, while the estimate, taken over all resamples, is free of it. `clipped` keeps the best cost
        below that of the trivial classifiers.
        """
        cross = self.cross if judges == JUDGES and target == "best" else self.cross_of_two
        if cross is None or target == "apparent":
            return self.own
        if steady and self.luck_of_two is not None:
            cross = cross - self.luck_of_two
        return _corrected(cross, self.own, target, pcf, clipped=clipped)

    def estimate(self, target: Target, pcf: Floats, *, clipped: bool = True) -> Floats:
        """Return the cost estimated at each pcf."""
        if self.cross_of_two is None or target == "apparent":
            return self.apparent
        return _corrected(self.cross_of_two.mean(axis=0), self.own.mean(axis=0), target, pcf, clipped=clipped)


def _corrected(cross: Floats, own: Floats, target: Target, pcf: Floats, *, clipped: bool) -> Floats:
    weight = WEIGHT[target]
    cost = weight * cross - (weight - 1) * own
    # The best threshold never costs more than flagging nobody or everybody; a chosen one may.
    return np.minimum(cost, np.minimum(pcf, 1 - pcf)) if clipped and target == "best" else cost


def _step_at(step: Floats, pcf: Floats, other: Floats) -> Floats:
    """Return the step at other conditions: the hypotenuse of a share of pcf and a share of 1 - pcf, read off the two ends."""
    if pcf.size == 1:
        return step
    ends = pcf[[0, -1]]
    shares = np.linalg.solve(np.stack([ends**2, (1 - ends) ** 2], axis=1), step[[0, -1]] ** 2)
    return np.sqrt(np.maximum(np.stack([other**2, (1 - other) ** 2], axis=1) @ shares, 0.0))


class Collector:
    """Gathers the costs of one model from consecutive batches of resamples.

    The first `JUDGES_OF_TWO` resamples only choose thresholds; each later one pays for those of the ones before it.

    Parameters
    ----------
    pcf : ndarray
    data : sequence of Curves
        Of the data themselves, one per fold.
    line : list of int, optional
        The point of the path that a fixed threshold means, one per fold; nothing is chosen then.
    """

    def __init__(self, pcf: Floats, data: Sequence[Curves], line: list[int] | None = None) -> None:
        self.pcf, self.data, self.line = pcf, data, line
        self._parts: list[tuple[Floats, ...]] = []
        self._areas: list[Floats] = []
        self._shares: list[Floats] = []
        self._recent = [np.zeros((JUDGES_OF_TWO, pcf.size), dtype=np.intp) for _ in data]
        self._slack: Floats | None = None
        self._open_width = 0.0
        if line is None:
            self.apparent = _mean([curves.hulls().costs(pcf)[0][0] for curves in data])
        else:
            self.apparent = _mean([self._kept(curves, k)[0][0] for k, curves in enumerate(data)])
        self._open(data, self.apparent[None, :])

    def add(self, folds: Sequence[Curves]) -> None:
        """Take in the curves of one batch, one entry per fold; costs are averaged over the folds."""
        costs = [
            self._kept(curves, k) if self.line is not None else self._chosen(curves, k)
            for k, curves in enumerate(folds)
        ]
        self._parts.append(tuple(_mean(part) for part in zip(*costs, strict=True)))
        totals = [curves.totals() for curves in folds]
        if all(found is not None for found in totals):
            negatives, positives = (np.sum([found[i] for found in totals if found is not None], axis=0) for i in (0, 1))
            self._shares.append(positives / (positives + negatives))
        if len(folds) == 1 and (areas := folds[0].areas()) is not None:
            self._areas.append(areas)
        self._open(folds, self._parts[-1][0])

    def shares(self, resamples: int) -> Floats:
        """Return the share of positives in each resample."""
        return np.concatenate(self._shares)[JUDGES_OF_TWO : JUDGES_OF_TWO + resamples]

    def _open(self, folds: Sequence[Curves], costs: Floats) -> None:
        """Widen what the blocks leave open by what they do on some curves."""
        for curves in folds:
            open_width, lowest = curves.open_width(), None if self.line is not None else curves.lowest(self.pcf)
            if open_width is not None:
                self._open_width = max(self._open_width, float(open_width.max()))
            if lowest is not None:
                gap = np.max(costs - lowest, axis=0)
                self._slack = np.maximum(gap, 0.0 if self._slack is None else self._slack)

    def _kept(self, curves: Curves, fold: int) -> tuple[Floats, ...]:
        assert self.line is not None  # noqa: S101 - the caller looked
        fpr, tpr = curves.rates(np.full((len(curves), 1), self.line[fold]))
        return (cost_of(fpr, tpr, self.pcf),)

    def _chosen(self, curves: Curves, fold: int) -> tuple[Floats, ...]:
        own, point = curves.hulls().costs(self.pcf)
        # Earlier resamples chose the thresholds that this one pays for; the last one first. The first ones have too few before
        # them and are dropped at the end.
        points = np.concatenate([self._recent[fold], point])
        self._recent[fold] = points[-JUDGES_OF_TWO:]
        judges = np.stack([points[JUDGES_OF_TWO - lag :][: len(own)] for lag in range(1, JUDGES_OF_TWO + 1)], axis=1)
        fpr, tpr = (rate.reshape(judges.shape) for rate in curves.rates(judges.reshape(len(own), -1)))
        crossed = cost_of(fpr, tpr, self.pcf)
        fpr, tpr = (rate.reshape(point.shape) for rate in self.data[fold].rates(point.reshape(1, -1)))
        return own, crossed[:, :JUDGES].mean(axis=1), crossed.mean(axis=1), cost_of(fpr, tpr, self.pcf)

    def finish(self, step: Floats, resamples: int, *, coarse: bool = False) -> Replicates:
        """Return everything gathered; more than so many resamples are left out."""
        total = resamples + JUDGES_OF_TWO
        own, *rest = (np.concatenate(part)[:total] for part in zip(*self._parts, strict=True))
        areas = np.concatenate(self._areas)[JUDGES_OF_TWO:total] if self._areas else None
        few, more, on_data = rest or (None, None, None)
        few, more = (None if part is None else part[JUDGES_OF_TWO:] for part in (few, more))
        return Replicates(
            self.apparent,
            own[JUDGES_OF_TWO:],
            few,
            more,
            None if on_data is None else luck_of(on_data),
            step,
            areas=areas,
            slack=self._slack,
            slack_of_area=self._open_width,
            coarse=coarse,
        )


def _mean(parts: Sequence[Floats]) -> Floats:
    return np.asarray(parts[0] if len(parts) == 1 else sum(parts) / len(parts))


def luck_of(on_data: Floats) -> Floats:
    """Return by how much the four judges of each resample chose worse than all do on average, from costs on the data."""
    size = len(on_data) - JUDGES_OF_TWO
    four = sum(on_data[JUDGES_OF_TWO - lag :][:size] for lag in range(1, JUDGES_OF_TWO + 1)) / JUDGES_OF_TWO
    return np.asarray(four - on_data.mean(axis=0))

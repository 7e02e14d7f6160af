"""What one model costs on every resample, with thresholds chosen on it and on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from isocost.curves import RocCurve
from isocost.curves.hull import cost_of
from isocost.data.checks import Floats
from isocost.inference.resample import JUDGES_OF_TWO, Counts, Whole
from isocost.measures.areas import auc

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
    """Normalised costs of one model at each pcf, on the data (`apparent`) and on every resample, shape (resamples, pcf).

    `own` has the thresholds that are best on the resample, `cross` and `cross_of_two` those that are best on three other resamples, or on
    four for differences of two models, on average; None if no threshold is chosen, as for crisp classifiers and fixed thresholds.
    `luck_of_two` is how much worse those four happened to choose than resamples do on average, judged on the data, `step` how much one
    case more or less in each class changes the cost, `probability` that of each resample if they are not equally likely, `areas` the AUC on
    each, and `coarse` tells whether there are so few different scores that there is hardly a threshold to choose.
    """

    apparent: Floats
    own: Floats
    cross: Floats | None
    cross_of_two: Floats | None
    luck_of_two: Floats | None
    step: Floats
    probability: Floats | None = None
    areas: Floats | None = None
    coarse: bool = False

    @property
    def chosen(self) -> bool:
        """Whether thresholds were chosen at each condition, which makes their costs optimistic."""
        return self.cross is not None

    def at(self, pcf: Floats, other: Floats) -> Replicates:
        """Return the same at other conditions, interpolated linearly between those at which costs are known."""
        costs = {name: getattr(self, name) for name in ("apparent", "own", "cross", "cross_of_two", "luck_of_two")}
        changed: Any = {
            name: np.array([np.interp(other, pcf, row) for row in np.atleast_2d(value)]).reshape(*value.shape[:-1], -1)
            for name, value in costs.items()
            if value is not None
        }
        return replace(self, step=_step_at(self.step, pcf, other), **changed)

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
    """

    def __init__(
        self, pcf: Floats, data: Sequence[Counts], fixed: list[int] | None = None, exact: RocCurve | None = None
    ) -> None:
        self.pcf, self.data, self.fixed = pcf, data, fixed
        self._parts: list[tuple[Floats, ...]] = []
        self._areas: list[Floats] = []
        self._totals: list[Whole] = []
        self._recent = [np.zeros((JUDGES_OF_TWO, pcf.size), dtype=np.intp) for _ in data]
        at_ends = _mean([self._costs(curves, k, judged=False)[0][0] for k, curves in enumerate(data)])
        self.inside, self.area_inside = np.zeros(pcf.size), 0.0
        if exact is not None:
            self.area_inside = auc(exact) - float(data[0].areas()[0])
            if fixed is None:
                hull = exact.hull
                self.inside = at_ends - np.min(cost_of(hull.fpr[:, None], hull.tpr[:, None], pcf), axis=0)
        self.apparent = at_ends - self.inside

    def add(self, folds: Sequence[Counts]) -> None:
        """Take in the curves of one batch, one entry per fold; costs and areas are averaged over the folds."""
        costs = [self._costs(curves, k) for k, curves in enumerate(folds)]
        self._parts.append(tuple(_mean(part) for part in zip(*costs, strict=True)))
        totals = [curves.totals for curves in folds]
        self._totals.append(np.sum(totals, axis=0))
        self._areas.append(_mean([curves.areas() for curves in folds]))

    @property
    def shares(self) -> Floats:
        """The share of positives in each resample."""
        negatives, positives = np.concatenate(self._totals, axis=1)[:, JUDGES_OF_TWO:]
        return np.asarray(positives / (positives + negatives))

    def _costs(self, curves: Counts, fold: int, *, judged: bool = True) -> tuple[Floats, ...]:
        if self.fixed is not None:
            fpr, tpr = curves.rates(np.array([self.fixed[fold]]))
            return (cost_of(fpr, tpr, self.pcf),)
        own, cut = curves.hulls().costs(self.pcf)
        if not judged:
            return (own,)
        # Earlier resamples chose the thresholds that this one pays for; the last one first. The first ones have too few before
        # them and are dropped at the end.
        cuts = np.concatenate([self._recent[fold], cut])
        self._recent[fold] = cuts[-JUDGES_OF_TWO:]
        judges = np.stack([cuts[JUDGES_OF_TWO - lag :][: len(own)] for lag in range(1, JUDGES_OF_TWO + 1)], axis=1)
        fpr, tpr = (rate.reshape(judges.shape) for rate in curves.rates(judges.reshape(len(own), -1)))
        crossed = cost_of(fpr, tpr, self.pcf)
        fpr, tpr = (rate.reshape(cut.shape) for rate in self.data[fold].rates(cut.reshape(1, -1)))
        return own, crossed[:, :JUDGES].mean(axis=1), crossed.mean(axis=1), cost_of(fpr, tpr, self.pcf)

    def finish(self, step: Floats, *, coarse: bool = False) -> Replicates:
        """Return everything gathered."""
        own, *chosen = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        areas = np.concatenate(self._areas)[JUDGES_OF_TWO:] + self.area_inside
        few, more = (part[JUDGES_OF_TWO:] - self.inside for part in chosen[:2]) if chosen else (None, None)
        luck = None
        if chosen:  # by how much the four judges of each resample chose worse than all do on average, on the data
            on_data, size = chosen[2], len(own) - JUDGES_OF_TWO
            four = sum(on_data[JUDGES_OF_TWO - lag :][:size] for lag in range(1, JUDGES_OF_TWO + 1)) / JUDGES_OF_TWO
            luck = four - on_data.mean(axis=0)
        own = own[JUDGES_OF_TWO:] - self.inside
        return Replicates(self.apparent, own, few, more, luck, step, areas=areas, coarse=coarse)


def _mean(parts: Sequence[Floats]) -> Floats:
    return np.asarray(parts[0] if len(parts) == 1 else sum(parts) / len(parts))

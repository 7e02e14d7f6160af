"""Honest costs: model and threshold are chosen on a resample and paid for on the cases it left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.conditions import Condition, Conditions
from isocost.decision import best_threshold
from isocost.decision.choice import Choice
from isocost.errors import ConditionError, InputError
from isocost.geometry.hulls import cost_of
from isocost.inference.bands import quantiles
from isocost.resampling import engine
from isocost.resampling.paths import Paths
from isocost.resampling.replicates import JUDGES_OF_TWO, WEIGHT
from isocost.resampling.sample import Sample
from isocost.results.result import Result
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from isocost.validate import Floats


@dataclass(frozen=True)
class Chosen(Result):
    """How often one model (or trivial classifier) was chosen, and with which thresholds.

    Attributes
    ----------
    model : str
    share : float
        Of the resamples.
    threshold_low, threshold, threshold_high : float
        The median threshold, between the limits that hold the share `level` of all.
    """

    model: str
    share: float
    threshold_low: float
    threshold: float
    threshold_high: float


@dataclass(frozen=True, repr=False)
class Honest(Result):
    """What the whole procedure "choose model and threshold on such data" costs on new cases.

    Attributes
    ----------
    choice : Choice
        Made on the data.
    apparent : float
        Its normalised cost on the cases it was chosen on.
    cost : float
        Mean normalised cost of choices made on resamples and priced on the cases left out: a little too high, since a resample holds
        fewer different cases than the data.
    low, high : float
        Limits for the true cost of the choice.
    optimism : float
        cost - apparent.
    expected_cost : float
        `cost` per case in the unit of the condition's costs.
    level : float
    chosen : tuple of Chosen
        Which models the resamples chose, the most frequent first; thresholds as the median with limits that hold the share
        `level` of them.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> honest = resampled.honest(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> honest.choice.model, round(honest.apparent, 3), round(honest.cost, 2)
    ('random_forest', 0.228, 0.25)
    >>> [(c.model, round(c.share, 1)) for c in honest.chosen]
    [('random_forest', 0.6), ('naive_bayes', 0.3), ('logistic_regression', 0.1)]
    """

    choice: Choice
    apparent: float
    cost: float
    low: float
    high: float
    optimism: float
    expected_cost: float
    level: float
    chosen: tuple[Chosen, ...]

    def __repr__(self) -> str:
        """Say what it costs, and how sure the choice is."""
        first = self.chosen[0]
        return (
            f"<Honest: cost {self.cost:.4g} ({self.level * 100:.4g} % {self.low:.4g} to {self.high:.4g}), looked like "
            f"{self.apparent:.4g}; {first.model!r} chosen in {first.share * 100:.0f} % of resamples>"
        )


def honest(sample: Sample, condition: Condition | Conditions, level: float, n_resamples: int) -> Honest:
    """Evaluate the choice of model and threshold out of bag."""
    if isinstance(condition, Conditions):
        condition = Condition.from_t(condition.mean)
    elif not isinstance(condition, Condition):
        raise ConditionError(f"condition must be a Condition or Conditions, got {condition!r}")
    if sample.folds > 1:
        raise InputError(
            "thresholds differ from fold to fold, so there is no one choice to be honest about: leave out fold="
        )
    curves = [curve for name in sample.models for curve in sample.curves(name)]
    choices = [best_threshold(curve, condition) for curve in curves]
    choice = min(choices, key=lambda c: condition.normalised_cost(c.fpr, c.tpr))
    apparent = condition.normalised_cost(choice.fpr, choice.tpr)
    picks, own, cross, outside = _walk(sample, np.array([condition.pcf]), n_resamples)
    fpr, tpr = outside[0] / outside[1], outside[2] / outside[3]
    cost = condition.normalised_cost(fpr, tpr)
    weight = WEIGHT["chosen"]
    values = weight * cross - (weight - 1) * own
    tail = (1 - level) / 2
    low, high = (quantiles(values[:, None], (tail, 1 - tail))[:, 0] - values.mean() + cost).clip(0, 1).tolist()
    found = tuple(_chosen(sample, picks, tail))
    return Honest(choice, apparent, cost, low, high, cost - apparent, condition.expected_cost(fpr, tpr), level, found)


def _walk(sample: Sample, pcf: Floats, n_resamples: int) -> tuple[NDArray[np.intp], Floats, Floats, list[float]]:
    """Return (model, point) chosen on each resample, its cost there, the cost of earlier choices there, and sums left out."""
    names = list(sample.models)
    picks: list[NDArray[np.intp]] = []
    own: list[Floats] = []
    cross: list[Floats] = []
    outside = np.zeros(4)
    before = np.zeros((0, 2), dtype=np.intp)
    first = 0
    for drawn in engine.draws(sample, 0, n_resamples + JUDGES_OF_TWO):
        paths = [sample.paths(name, drawn)[0] for name in names]
        found = [p.hulls().costs(pcf) for p in paths]
        costs, points = (np.concatenate([f[i] for f in found], axis=1) for i in (0, 1))
        model = np.argmin(costs, axis=1)
        rows = np.arange(len(drawn))
        pick = np.stack([model, points[rows, model]], axis=1)
        recent = np.concatenate([before, pick])
        counted = np.flatnonzero(first + rows >= JUDGES_OF_TWO)
        picks.append(pick[counted])
        own.append(costs[rows, model][counted])
        judged = [
            _paid(paths, recent[len(before) + counted - lag], counted, pcf) for lag in range(1, JUDGES_OF_TWO + 1)
        ]
        cross.append(np.mean(judged, axis=0))
        left = np.where(drawn == 0, sample.data, 0)
        outside += _left_out([sample.paths(name, left)[0] for name in names], pick[counted], counted)
        before = recent[-JUDGES_OF_TWO:]
        first += len(drawn)
    if not np.all(outside[[1, 3]] > 0):
        raise InputError("no resample left out a case of each class: honest costs need more cases or resamples")
    return np.concatenate(picks), np.concatenate(own), np.concatenate(cross), outside.tolist()


def _paid(paths: list[Paths], pick: NDArray[np.intp], rows: NDArray[np.intp], pcf: Floats) -> Floats:
    cost = np.empty(rows.size)
    for k, path in enumerate(paths):
        mine = pick[:, 0] == k
        at, point = rows[mine], pick[mine, 1]
        fpr, tpr = path.fp[at, point] / path.fp[at, -1], path.tp[at, point] / path.tp[at, -1]
        cost[mine] = cost_of(fpr, tpr, pcf)
    return cost


def _left_out(paths: list[Paths], pick: NDArray[np.intp], rows: NDArray[np.intp]) -> Floats:
    """Return sums over resamples: false positives, negatives, true positives, positives among the cases left out."""
    sums = np.zeros(4)
    for k, path in enumerate(paths):
        mine = pick[:, 0] == k
        at, point = rows[mine], pick[mine, 1]
        sums += [path.fp[at, point].sum(), path.fp[at, -1].sum(), path.tp[at, point].sum(), path.tp[at, -1].sum()]
    return sums


def _chosen(sample: Sample, picks: NDArray[np.intp], tail: float) -> list[Chosen]:
    found = []
    groups: dict[str, list[Floats]] = {}
    for k, (name, (ranked,)) in enumerate(sample.models.items()):
        points = picks[picks[:, 0] == k, 1]
        cuts = np.concatenate([[np.inf], ranked.scores])[points]
        for label, mask in (
            (ALWAYS_NEGATIVE, points == 0),
            (ALWAYS_POSITIVE, points == ranked.scores.size),
            (name, (points > 0) & (points < ranked.scores.size)),
        ):
            if mask.any():
                cut = np.full(int(mask.sum()), -np.inf) if label == ALWAYS_POSITIVE else cuts[mask]
                groups.setdefault(label, []).append(cut)
    for label, parts in groups.items():
        cuts = np.sort(np.concatenate(parts))
        low, middle, high = quantiles(cuts[:, None], (tail, 0.5, 1 - tail))[:, 0].tolist()
        found.append(Chosen(label, cuts.size / len(picks), low, middle, high))
    return sorted(found, key=lambda c: -c.share)

"""What uncertain conditions leave open about a rule: its regret, the safest rule, and what knowing more would save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import Pair
from isocost.decision.choice import Choice, choice_of, priced, trivial_choice
from isocost.decision.frontier import Frontier, corners, weights
from isocost.decision.limits import Limits, kept_while
from isocost.decision.pricing import Pricing
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.feasible_region import FeasibleRegion
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from isocost.validate import Floats

# What a difference of two equal costs in [0, 1] may come out as.
_ROUNDING = 64 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ModelCost(Result):
    """Mean cost of a model whose threshold is chosen anew at each condition: per case in the unit, or normalised if there is none."""

    model: str
    mean: float


@dataclass(frozen=True)
class Uncertain(Result):
    """What is open about a rule while the conditions are; costs per case in the unit, or normalised where there is none.

    Attributes
    ----------
    mean_regret, worst_regret : float
        What the rule costs more than the best one at each condition: on average, and at most.
    worst_at : Condition
        Where that is; of a belief without ends, between the quantiles 0.01 and 0.99.
    safest : Choice or None
        The rule with the smallest worst regret, if it is another one.
    safest_regret : float
        Its worst regret.
    information : float
        What knowing the condition before choosing would save on average: the mean regret of the best rule.
    rechosen : tuple of ModelCost
        The models by mean cost when the threshold may be chosen anew at each condition.
    limits_kept : (low, high) or None
        The prevalences at which the rule keeps its limits, which are kept at the mean; None if none depends on it.
    """

    mean_regret: float
    worst_regret: float
    worst_at: Condition
    safest: Choice | None
    safest_regret: float
    information: float
    rechosen: tuple[ModelCost, ...]
    limits_kept: Pair | None = None


def uncertain(curves: Sequence[RocCurve], chosen: Choice, pricing: Pricing, limits: Limits) -> Uncertain | None:
    """Return what is open about a choice; None if the conditions are known, or buckets leave the curves open."""
    over = pricing.over
    if over is None or not all(curve.hull_is_exact for curve in curves):
        return None
    rules = _Rules.of(curves, limits, pricing.condition.prevalence if pricing.has_unit else None)
    own = [rules.frontier_of(m, limited=bool(limits.given)) for m in range(len(curves))]
    found = [frontier for frontier in own if frontier is not None]
    trivial = rules.owner < 0
    frontier = Frontier(
        np.concatenate([rules.fpr[trivial], *(f.fpr for f in found)]),
        np.concatenate([rules.tpr[trivial], *(f.tpr for f in found)]),
    )
    ends = corners(over)
    alarms, misses = weights(ends)
    least = frontier.least(ends)
    scale = pricing.unit_cost
    regret = alarms * chosen.fpr + misses * (1 - chosen.tpr) - least
    # Where it is the best one, rounding alone would say where the regret is largest.
    regret[regret <= _ROUNDING * scale] = 0.0
    worst = int(np.argmax(regret))
    perfect = frontier.mean_cost(over)
    mean = scale * pricing.normalised(chosen.fpr, chosen.tpr) - perfect
    best = scale * float(np.min(pricing.normalised(frontier.fpr, frontier.tpr))) - perfect
    largest = np.max(alarms * rules.fpr[:, None] + misses * (1 - rules.tpr[:, None]) - least, axis=1)
    safest = int(np.argmin(largest))
    other = largest[safest] < regret[worst] - _ROUNDING * scale
    return Uncertain(
        max(mean, 0.0), max(float(regret[worst]), 0.0), ends[worst],
        priced(rules.choice(safest, chosen.prevalence), pricing) if other else None,
        max(float(largest[safest] if other else regret[worst]), 0.0), max(best, 0.0), _rechosen(curves, own, over),
        kept_while(limits, chosen.fpr, chosen.tpr),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Rules:
    """Every rule that keeps the limits: the trivial classifiers first, then each model's points."""

    curves: Sequence[RocCurve]
    owner: np.ndarray
    place: np.ndarray
    fpr: Floats
    tpr: Floats

    @classmethod
    def of(cls, curves: Sequence[RocCurve], limits: Limits, prevalence: float | None) -> _Rules:
        points = [(np.array([0.0, 1.0]), np.array([0.0, 1.0])), *((curve.fpr, curve.tpr) for curve in curves)]
        fpr, tpr = (np.concatenate([pair[i] for pair in points]) for i in (0, 1))
        owner = np.repeat(np.arange(-1, len(curves)), [pair[0].size for pair in points])
        place = np.concatenate([np.arange(pair[0].size) for pair in points])
        if not limits.given:
            return cls(curves, owner, place, fpr, tpr)
        if prevalence is None:
            known = {curve.prevalence for curve in curves}
            prevalence = known.pop() if len(known) == 1 else None
        kept = FeasibleRegion(limits.at(prevalence), np.empty((0, 2))).contains(fpr, tpr)
        return cls(curves, owner[kept], place[kept], fpr[kept], tpr[kept])

    def frontier_of(self, model: int, *, limited: bool) -> Frontier | None:
        """Return the rules of one model among which the cheapest is; without limits its hull has them all."""
        if not limited:
            return Frontier(self.curves[model].hull.fpr, self.curves[model].hull.tpr)
        own = self.owner == model
        return Frontier(self.fpr[own], self.tpr[own]) if own.any() else None

    def choice(self, index: int, prevalence: float | None) -> Choice:
        owner, place = int(self.owner[index]), int(self.place[index])
        if owner < 0:
            name = ALWAYS_POSITIVE if place else ALWAYS_NEGATIVE
            return trivial_choice(name, everybody=bool(place), prevalence=prevalence)
        return choice_of(self.curves[owner], place, prevalence=prevalence)


def _rechosen(curves: Sequence[RocCurve], own: Sequence[Frontier | None], over: Conditions) -> tuple[ModelCost, ...]:
    """Return the models that keep the limits, by mean cost when their threshold may follow the condition."""
    means = [
        ModelCost(str(curve.name), frontier.mean_cost(over))
        for curve, frontier in zip(curves, own, strict=True)
        if frontier is not None
    ]
    return tuple(sorted(means, key=lambda model: model.mean))

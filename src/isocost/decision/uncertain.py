"""What uncertain conditions leave open about a rule: its regret, the safest rule, and what knowing more would save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import Pair
from isocost.decision.choice import Choice, choice_of, priced, trivial_choice
from isocost.decision.frontier import Frontier, corners, weights
from isocost.decision.limits import Limits, is_open, kept_while
from isocost.decision.pricing import Pricing
from isocost.results.result import Result
from isocost.roc_space import RocCurve, inexact
from isocost.roc_space.feasible_region import FeasibleRegion, Limit
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from isocost.validate import Floats

# What a difference of two equal costs in [0, 1] may come out as.
_ROUNDING = 64 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ModelCost(Result):
    """Mean cost of a model whose best threshold is chosen at each condition.

    Attributes
    ----------
    model : str
    mean : float
        Per case in the unit of the costs, or normalised if there is none.
    mean_low : float or None
        For counts in buckets: the least that thresholds inside them could cost; None if that is not less.
    """

    model: str
    mean: float
    mean_low: float | None = None


@dataclass(frozen=True)
class Uncertain(Result):
    """What uncertain conditions leave open about a rule; costs are per case in the unit, or normalised if there is none.

    For counts in buckets, regrets are measured against the thresholds that can be used, the buckets' ends. The bounds allow for
    thresholds inside the buckets; they are None if nothing is open.

    Attributes
    ----------
    mean_regret, worst_regret : float
        How much more the rule costs than the best one at each condition: on average, and at most.
    worst_at : Condition
        Where that is; for a belief without ends, between the quantiles 0.01 and 0.99.
    safest : Choice or None
        The rule with the smallest worst regret, if it is a different one.
    safest_regret : float
        Its worst regret.
    information : float
        What knowing the condition before choosing would save on average: the mean regret of the best rule.
    rechosen : tuple of ModelCost
        The models by mean cost when the threshold may be chosen anew at each condition.
    limits_kept : (low, high) or None
        The prevalences at which the rule keeps its limits, which are kept at the mean; None if none depends on it.
    mean_regret_high, worst_regret_high, safest_regret_high : float or None
        What the regrets are at most, whatever the buckets hold.
    safest_regret_low : float or None
        To how little a threshold inside a bucket could bring the smallest worst regret; None if that is not less.
    information_bounds : (low, high) or None
        What `information` lies between.
    """

    mean_regret: float
    worst_regret: float
    worst_at: Condition
    safest: Choice | None
    safest_regret: float
    information: float
    rechosen: tuple[ModelCost, ...]
    limits_kept: Pair | None = None
    mean_regret_high: float | None = None
    worst_regret_high: float | None = None
    safest_regret_high: float | None = None
    safest_regret_low: float | None = None
    information_bounds: Pair | None = None


def uncertain(curves: Sequence[RocCurve], chosen: Choice, pricing: Pricing, limits: Limits) -> Uncertain | None:
    """Return what is open about a choice; None if the conditions are known."""
    over = pricing.over
    if over is None:
        return None
    rules = _Rules.of(curves, limits, pricing.condition.prevalence if pricing.has_unit else None)
    own = [rules.frontier_of(m) for m in range(len(curves))]
    ends = corners(over)
    best = _Best.of(rules, own, pricing, over, ends)
    alarms, misses = weights(ends)
    scale = pricing.unit_cost
    least, regret = (_regret(*point, ends, best.least, scale) for point in _best_and_worst(chosen))
    worst = int(np.argmax(regret))
    low, price = (scale * pricing.normalised(*point) for point in _best_and_worst(chosen))
    largest = np.max(alarms * rules.fpr[:, None] + misses * (1 - rules.tpr[:, None]) - best.least, axis=1)
    safest = int(np.argmin(largest))
    other = largest[safest] < regret[worst] - _ROUNDING * scale
    found = Uncertain(
        _positive(low - best.perfect, scale), float(np.max(least)), ends[worst],
        priced(rules.choice(safest, chosen.prevalence), pricing) if other else None,
        max(float(largest[safest] if other else np.max(least)), 0.0), _positive(best.fixed - best.perfect, scale),
        _rechosen(curves, own, over), kept_while(limits, chosen.fpr, chosen.tpr),
    )  # fmt: skip
    inside = rules.inside_buckets()
    least_inside = np.max(alarms * inside[0][:, None] + misses * (1 - inside[1][:, None]) - best.least, axis=1)
    lowest = max(float(np.min(least_inside, initial=np.inf)), 0.0)
    if lowest < found.safest_regret - _ROUNDING * scale:
        found = replace(found, safest_regret_low=lowest)
    if chosen._fpr_low is None and not any(is_open(curve, limits) for curve in curves):
        return found
    reached = [rules.reached(m) for m in range(len(curves))]
    hidden = _Best.of(rules, reached, pricing, over, ends)
    above = best.least - hidden.least
    return replace(
        found,
        mean_regret_high=_positive(price - hidden.perfect, scale),
        worst_regret_high=float(np.max(regret + above)),
        safest_regret_high=float(
            np.max(alarms * rules.fpr[safest] + misses * (1 - rules.tpr[safest]) - hidden.least)
            if other
            else np.max(regret + above)
        ),
        information_bounds=(
            _positive(hidden.fixed - best.perfect, scale),
            _positive(best.fixed - hidden.perfect, scale),
        ),
        rechosen=_bounded(found.rechosen, curves, reached, over),
    )


def _positive(cost: float, scale: float) -> float:
    """Return a cost that is none if no more than rounding."""
    return 0.0 if cost <= _ROUNDING * scale else cost


def _best_and_worst(chosen: Choice) -> tuple[Pair, Pair]:
    """Return fpr and tpr of a rule at best and at worst: the same unless its threshold divides a bucket."""
    worst = chosen.fpr, chosen.tpr
    if chosen._fpr_low is None or chosen.tpr_high is None:
        return worst, worst
    return (chosen._fpr_low, chosen.tpr_high), worst


def _regret(fpr: float, tpr: float, ends: Sequence[Condition], least: Floats, scale: float) -> Floats:
    """Return what a point costs more than the least at each condition; where it is the best one rounding would not say 0."""
    alarms, misses = weights(ends)
    regret = alarms * fpr + misses * (1 - tpr) - least
    return np.where(regret <= _ROUNDING * scale, 0.0, regret)


@dataclass(frozen=True, eq=False)
class _Best:
    """What the best choices cost: at each of some conditions, on average when made anew at each, and when made once."""

    least: Floats
    perfect: float
    fixed: float

    @classmethod
    def of(
        cls,
        rules: _Rules,
        own: Sequence[Frontier | None],
        pricing: Pricing,
        over: Conditions,
        ends: Sequence[Condition],
    ) -> _Best:
        found = [frontier for frontier in own if frontier is not None]
        trivial = rules.owner < 0
        frontier = Frontier(
            np.concatenate([rules.fpr[trivial], *(f.fpr for f in found)]),
            np.concatenate([rules.tpr[trivial], *(f.tpr for f in found)]),
        )
        fixed = pricing.unit_cost * float(np.min(pricing.normalised(frontier.fpr, frontier.tpr)))
        return cls(frontier.least(ends), frontier.mean_cost(over), fixed)


@dataclass(frozen=True, eq=False)
class _Rules:
    """Every rule that keeps the limits: the trivial classifiers first, then each model's points."""

    curves: Sequence[RocCurve]
    limits: tuple[Limit, ...]
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
            return cls(curves, (), owner, place, fpr, tpr)
        if prevalence is None:
            known = {curve.prevalence for curve in curves}
            prevalence = known.pop() if len(known) == 1 else None
        checked = limits.at(prevalence)
        kept = FeasibleRegion(checked, np.empty((0, 2))).contains(fpr, tpr)
        return cls(curves, checked, owner[kept], place[kept], fpr[kept], tpr[kept])

    def frontier_of(self, model: int) -> Frontier | None:
        """Return the rules of one model among which the cheapest is; without limits its hull has them all."""
        if not self.limits:
            hull = self.curves[model]._inner_hull
            return Frontier(hull.fpr, hull.tpr)
        own = self.owner == model
        return Frontier(self.fpr[own], self.tpr[own]) if own.any() else None

    def reached(self, model: int) -> Frontier | None:
        """Return the same with the best that thresholds inside buckets could be."""
        curve, certain = self.curves[model], self.frontier_of(model)
        if not self.limits:
            return Frontier(curve._optimistic.hull.fpr, curve._optimistic.hull.tpr)
        fpr, tpr = inexact.reachable(curve, self.limits)
        if certain is None:
            return Frontier(fpr, tpr) if fpr.size else None
        return Frontier(np.concatenate([certain.fpr, fpr]), np.concatenate([certain.tpr, tpr]))

    def inside_buckets(self) -> tuple[Floats, Floats]:
        """Return fpr and tpr of the best that each bucket of each model could hold within the limits, on the hull or not."""
        points = [inexact.reachable(curve, self.limits) for curve in self.curves]
        return np.concatenate([fpr for fpr, _ in points]), np.concatenate([tpr for _, tpr in points])

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


def _bounded(
    models: Sequence[ModelCost], curves: Sequence[RocCurve], reached: Sequence[Frontier | None], over: Conditions
) -> tuple[ModelCost, ...]:
    """Return the models with the least that thresholds inside their buckets could cost."""
    least = {
        str(curve.name): frontier.mean_cost(over)
        for curve, frontier in zip(curves, reached, strict=True)
        if frontier is not None
    }
    return tuple(
        replace(model, mean_low=least[model.model] if least[model.model] < model.mean - _ROUNDING else None)
        for model in models
    )

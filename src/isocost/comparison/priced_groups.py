"""Groups at their conditions: what every threshold costs there, and the rules that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from isocost.comparison.group_points import GroupPoints, cheapest, cheapest_for_all
from isocost.comparison.group_results import Criterion, GroupChoice, GroupDecision, MixturePart, ParityChoice
from isocost.comparison.parity_fixed import ROUNDING, cheapest_near
from isocost.comparison.parity_mixed import Closing, LeastCost
from isocost.comparison.parity_odds import Mixture, fixed_odds, mixed_odds
from isocost.conditions import Condition
from isocost.validate import Floats

_NEEDED: dict[Criterion, tuple[str, ...]] = {
    "tpr": ("positives",),
    "fpr": ("negatives",),
    "odds": ("positives", "negatives"),
    "flagged": (),
}


@dataclass(frozen=True, eq=False)
class PricedGroups:
    """The points of several groups, each with the condition it is priced at.

    Attributes
    ----------
    models : tuple of str
    points : dict of str to GroupPoints
    at : dict of str to Condition
    prevalence : str
        Which prevalences the conditions have, in words.
    """

    models: tuple[str, ...]
    points: Mapping[str, GroupPoints]
    at: Mapping[str, Condition]
    prevalence: str

    @cached_property
    def costs(self) -> list[Floats]:
        """The cost of every point of each group, per case of all groups together."""
        return [points.share * points.cost(self.at[name]) for name, points in self.points.items()]

    @cached_property
    def corner_costs(self) -> list[Floats]:
        """The cost of each group's corners alone."""
        return [
            points.share * self.at[name].expected_cost(points.fpr[points.corner], points.tpr[points.corner])
            for name, points in self.points.items()
        ]

    @cached_property
    def best(self) -> list[int]:
        """The cheapest point of each group."""
        return [cheapest(points, cost) for points, cost in zip(self.points.values(), self.corner_costs, strict=True)]

    def each(self) -> GroupDecision:
        """Return the cheapest threshold of each group."""
        return self._decision([[(1.0, point)] for point in self.best])

    def one(self) -> GroupDecision:
        """Return the one model and threshold that are cheapest for all."""
        points, threshold = cheapest_for_all(list(self.points.values()), len(self.models), self.costs)
        found = self._decision([[(1.0, point)] for point in points])
        # Each group has the one threshold, also where none of its own scores is equal to it.
        below = max(choice.mixture[0].below for choice in found.groups.values())
        return replace(found, groups={name: choice.at(threshold, below) for name, choice in found.groups.items()})

    def closing(self, criterion: Criterion) -> Closing | None:
        """Return how the gap between rates is closed; None if no group has the rate."""
        bound = self._bound(criterion)
        return Closing.of([self._least(g, criterion) for g in bound]) if bound else None

    def _least(self, g: int, criterion: Criterion) -> LeastCost:
        """Return the least cost of a group at each rate."""
        corner = self._of[g][1].corner
        return LeastCost.of(self._rate(g, criterion)[corner], self.corner_costs[g], corner)

    @cached_property
    def _of(self) -> list[tuple[str, GroupPoints]]:
        return list(self.points.items())

    def parity(self, criterion: Criterion, tolerance: float, *, randomised: bool) -> ParityChoice:
        """Return the cheapest rule under which rates differ by no more than the tolerance."""
        free, bound = self.each(), self._bound(criterion)
        parts: list[Mixture] = [[(1.0, point)] for point in self.best]
        exact, slope, low = True, 0.0 if randomised else None, None
        if len(bound) > 1 and self._gap(free, bound, criterion) > tolerance + ROUNDING:
            if criterion == "odds":
                mixed, slope, exact, low = self._equal_odds(bound, tolerance, randomised=randomised)
            else:
                mixed, slope = self._equal_rate(bound, criterion, tolerance, randomised=randomised)
            for g, mixture in zip(bound, mixed, strict=True):
                parts[g] = mixture
        chosen = self._decision(parts)
        cost, there = chosen.expected_cost, set(bound)
        return ParityChoice(
            chosen.groups, criterion, tolerance, randomised, cost, max(cost - free.expected_cost, 0.0),
            None if slope is None else 0.01 * slope, self._gap(chosen, bound, criterion),
            tuple(name for g, name in enumerate(self.points) if g not in there), free, exact, cost if low is None else min(low, cost),
        )  # fmt: skip

    def _equal_rate(
        self, bound: Sequence[int], criterion: Criterion, tolerance: float, *, randomised: bool
    ) -> tuple[list[Mixture], float | None]:
        rates = [self._rate(g, criterion) for g in bound]
        least = [self._least(g, criterion) for g in bound]
        if not randomised:
            points = cheapest_near(rates, [self.costs[g] for g in bound], tolerance, least)
            assert points is not None  # noqa: S101 - flagging nobody is always possible
            return [[(1.0, point)] for point in points], None
        low, high, slope = Closing.of(least).closed(tolerance)
        mixed = []
        for one, rate, g in zip(least, rates, bound, strict=True):
            # Of equally cheap rules one without a mixture.
            pure = [self.best[g], *(int(one.point[k]) for k in (one.low, one.high))]
            kept = [point for point in pure if low <= float(rate[point]) <= high]
            mixed.append([(1.0, kept[0])] if kept else one.mixed(min(max(float(rate[self.best[g]]), low), high)))
        return mixed, slope

    def _equal_odds(
        self, bound: Sequence[int], tolerance: float, *, randomised: bool
    ) -> tuple[list[Mixture], float | None, bool, float | None]:
        points = list(self.points.values())
        fpr, tpr = [points[g].fpr for g in bound], [points[g].tpr for g in bound]
        costs = [self.costs[g] for g in bound]
        if randomised:
            mixed, _, slope = mixed_odds(fpr, tpr, costs, tolerance)
            return mixed, slope, True, None
        found, exact = fixed_odds(fpr, tpr, costs, tolerance)
        low = None
        if not exact:
            rest = sum(float(self.costs[g][self.best[g]]) for g in range(len(points)) if g not in bound)
            low = mixed_odds(fpr, tpr, costs, tolerance)[1] + rest
        return [[(1.0, point)] for point in found], None, exact, low

    def _rate(self, g: int, criterion: Criterion) -> Floats:
        name, points = self._of[g]
        if criterion == "flagged":
            return points.flagged(self.at[name].prevalence)
        return points.tpr if criterion == "tpr" else points.fpr

    def _bound(self, criterion: Criterion) -> list[int]:
        """Return the groups that have the rates a criterion is about."""
        needed = _NEEDED[criterion]
        return [
            g for g, points in enumerate(self.points.values()) if all(getattr(points, total) > 0 for total in needed)
        ]

    def _decision(self, parts: Sequence[Mixture]) -> GroupDecision:
        groups = {name: self._choice(name, mixture) for name, mixture in zip(self.points, parts, strict=True)}
        total = sum(choice.share * choice.cost for choice in groups.values())
        shares = {name: points.share for name, points in self.points.items()}
        return GroupDecision(groups, total, shares, self.prevalence)

    def _choice(self, name: str, mixture: Mixture) -> GroupChoice:
        points, condition = self.points[name], self.at[name]
        parts = tuple(
            MixturePart(
                p, self.models[int(points.model[i])], float(points.threshold[i]), float(points.fpr[i]), float(points.tpr[i]),
                points.below(i),
            )
            for p, i in mixture
        )  # fmt: skip
        single = parts[0] if len(parts) == 1 else None
        if single is None:
            fpr, tpr = (sum(part.probability * getattr(part, rate) for part in parts) for rate in ("fpr", "tpr"))
        else:
            fpr, tpr = single.fpr, single.tpr
        flagged = condition.prevalence * tpr + (1 - condition.prevalence) * fpr
        return GroupChoice(
            name, points.share, None if single is None else single.model, None if single is None else single.threshold,
            fpr if points.negatives > 0 else float("nan"), tpr if points.positives > 0 else float("nan"), flagged,
            condition.expected_cost(fpr, tpr), condition, points.positives, points.negatives, parts,
        )  # fmt: skip

    def _gap(self, decision: GroupDecision, bound: Sequence[int], criterion: Criterion) -> float:
        """Return the largest difference of rates between the groups that have them."""
        names = list(self.points)
        chosen = [decision.groups[names[g]] for g in bound]
        rates = ("fpr", "tpr") if criterion == "odds" else (criterion,)
        return max(
            (float(np.ptp([getattr(choice, rate) for choice in chosen])) for rate in rates if chosen), default=0.0
        )

"""Groups at their conditions: what every threshold costs there, and the rules that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isocost.comparison.group_hulls import hull_points
from isocost.comparison.group_points import GroupPoints, cheapest, cheapest_for_all
from isocost.comparison.group_results import Criterion, GroupChoice, GroupDecision, MixturePart, ParityChoice
from isocost.comparison.parity_fixed import ROUNDING, cheapest_near
from isocost.comparison.parity_fixed_odds import fixed_odds
from isocost.comparison.parity_mixed import Closing, LeastCosts, Mixture
from isocost.comparison.parity_mixed_odds import OddsHulls, mixed_odds
from isocost.conditions import Condition
from isocost.validate import Floats

_NEEDED: dict[Criterion, tuple[str, ...]] = {
    "tpr": ("positives",),
    "fpr": ("negatives",),
    "odds": ("positives", "negatives"),
    "flagged": (),
}
Places = NDArray[np.intp]
# Some points, or all.
Some = NDArray[np.intp] | slice


@dataclass(frozen=True, eq=False)
class PricedGroups:
    """The points of several groups, each with the condition it is priced at.

    Attributes
    ----------
    models : tuple of str
    points : GroupPoints
    at : dict of str to Condition
        Of every group, in the order of the points.
    prevalence : str
        Which prevalences the conditions have, in words.
    """

    models: tuple[str, ...]
    points: GroupPoints
    at: Mapping[str, Condition]
    prevalence: str

    @cached_property
    def _terms(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Each group's prevalence, the cost of no error, and what false alarms and misses add to it."""
        values = [
            (c.prevalence, c.best_cost, c.fp_gap * (1 - c.prevalence), c.fn_gap * c.prevalence)
            for c in self.at.values()
        ]
        prevalence, best, alarms, misses = np.array(values).T
        return prevalence, best, alarms, misses

    def _paid(self, group: Places, fpr: Floats, tpr: Floats) -> Floats:
        """Return what some groups pay at some rates, per case of the group."""
        _, best, alarms, misses = self._terms
        return best[group] + alarms[group] * fpr + misses[group] * (1 - tpr)

    def cost(self, some: Some) -> Floats:
        """Return the cost of some points, per case of all groups together."""
        group = self.points.group[some]
        return self.points.share[group] * self._paid(group, self.points.fpr[some], self.points.tpr[some])

    @cached_property
    def corner_cost(self) -> Floats:
        """The cost of the corners."""
        return self.cost(self.points.corner)

    @cached_property
    def best(self) -> Places:
        """The cheapest point of each group."""
        return cheapest(self.points, self.corner_cost)

    def each(self) -> GroupDecision:
        """Return the cheapest threshold of each group."""
        return self._decision(self.best)

    def one(self) -> GroupDecision:
        """Return the one model and threshold that are cheapest for all."""
        found, threshold = cheapest_for_all(self.points, len(self.models), self.cost(slice(None)))
        decision = self._decision(found)
        # Each group has the one threshold, also where none of its own scores is equal to it.
        below = max(choice.mixture[0].below for choice in decision.groups.values())
        return replace(decision, groups={name: choice.at(threshold, below) for name, choice in decision.groups.items()})

    def closing(self, criterion: Criterion) -> Closing | None:
        """Return how the gap between rates is closed; None if no group has the rate."""
        bound = self._bound(criterion)
        return Closing.of(self._least(bound, criterion)) if bound.size else None

    def _least(self, bound: Places, criterion: Criterion) -> LeastCosts:
        """Return the least cost of some groups at each rate."""
        some, start = _of_groups(self.points.corner_start, bound)
        corner = self.points.corner[some]
        return LeastCosts.of(self._rate(corner, criterion), self.corner_cost[some], corner, start)

    def parity(self, criterion: Criterion, tolerance: float, *, randomised: bool) -> ParityChoice:
        """Return the cheapest rule under which rates differ by no more than the tolerance."""
        free, bound = self.each(), self._bound(criterion)
        chosen, exact, slope, low = free, True, 0.0 if randomised else None, None
        if bound.size > 1 and self._gap(free, bound, criterion) > tolerance + ROUNDING:
            if criterion == "odds":
                chosen, slope, exact, low = self._equal_odds(free, bound, tolerance, randomised=randomised)
            elif randomised:
                chosen, slope = self._mixed_rate(free, bound, criterion, tolerance)
            else:
                chosen = self._fixed_rate(free, bound, criterion, tolerance)
        cost, there = chosen.expected_cost, set(bound.tolist())
        return ParityChoice(
            chosen.groups, criterion, tolerance, randomised, cost, max(cost - free.expected_cost, 0.0),
            None if slope is None else 0.01 * slope, self._gap(chosen, bound, criterion),
            tuple(name for g, name in enumerate(self.at) if g not in there), free, exact, cost if low is None else min(low, cost),
        )  # fmt: skip

    def _fixed_rate(self, free: GroupDecision, bound: Places, criterion: Criterion, tolerance: float) -> GroupDecision:
        some, start = _of_groups(self.points.start, bound)
        rate = self._rate(some, criterion)
        number = np.arange(self.points.model.size)[some]
        found = cheapest_near(
            rate, start, lambda inside: self.cost(number[inside]), tolerance, self._least(bound, criterion)
        )
        chosen = self.best.copy()
        chosen[bound] = number[found]
        return self._decision(chosen, free)

    def _mixed_rate(
        self, free: GroupDecision, bound: Places, criterion: Criterion, tolerance: float
    ) -> tuple[GroupDecision, float]:
        least = self._least(bound, criterion)
        low, high, slope = Closing.of(least).closed(tolerance)
        best = self._rate(self.best[bound], criterion)
        # Where the tolerance leaves room on either side, fewer groups may need a mixture there.
        spare = max(tolerance - (high - low), 0.0)
        windows = [(low, high), (low, high + spare), (low - spare, high)] if spare else [(low, high)]
        pure = [self._pure(least, best, *window) for window in windows]
        fewest = int(np.argmin([np.count_nonzero(points < 0) for points in pure]))
        low, high = windows[fewest]
        chosen, at = self.best.copy(), pure[fewest]
        moved = np.flatnonzero(at < 0)
        chosen[bound] = np.where(at < 0, chosen[bound], at)
        mixed = least.mixed(moved, np.clip(best[moved], low, high))
        return self._decision(chosen, free, dict(zip(bound[moved].tolist(), mixed, strict=True))), slope

    def _pure(self, least: LeastCosts, best: Floats, low: float, high: float) -> Places:
        """Return for each group a cheapest point whose rate lies in a window, -1 if there is none: of equally cheap rules no mixture."""
        bound = self.points.group[least.point[least.start[:-1]]]
        found = np.where((best >= low) & (best <= high), self.best[bound], -1)
        for vertex in (least.low, least.high):
            inside = (least.rate[vertex] >= low) & (least.rate[vertex] <= high)
            found = np.where((found < 0) & inside, least.point[vertex], found)
        return found

    def _equal_odds(
        self, free: GroupDecision, bound: Places, tolerance: float, *, randomised: bool
    ) -> tuple[GroupDecision, float | None, bool, float | None]:
        if randomised:
            mixed, _, slope = mixed_odds(self._odds_hulls(bound), tolerance)
            return self._decision(self.best, free, dict(zip(bound.tolist(), mixed, strict=True))), slope, True, None
        points = self.points
        own, start = _of_groups(points.start, bound)
        some = np.arange(points.model.size)[own]
        fpr, tpr, cost = (
            np.split(column, start[1:-1]) for column in (points.fpr[some], points.tpr[some], self.cost(some))
        )
        found, exact = fixed_odds(fpr, tpr, cost, tolerance)
        chosen, low = self.best.copy(), None
        chosen[bound] = some[start[:-1] + found]
        if not exact:
            rest = np.setdiff1d(np.arange(len(self.at)), bound)
            sure = float((points.share * self._terms[1])[bound].sum() + self.cost(self.best[rest]).sum())
            low = mixed_odds(self._odds_hulls(bound), tolerance)[1] + sure
        return self._decision(chosen, free), None, exact, low

    def _odds_hulls(self, bound: Places) -> OddsHulls:
        points, (_, _, alarms, misses) = self.points, self._terms
        vertices = [hull_points(points, g) for g in bound.tolist()]
        some, start = np.concatenate(vertices), np.cumsum([0, *(own.size for own in vertices)])
        share = points.share[bound]
        return OddsHulls(points.fpr[some], points.tpr[some], some, start, share * alarms[bound], share * misses[bound])

    def _rate(self, some: Some, criterion: Criterion) -> Floats:
        """Return the rate of some points that a criterion is about."""
        points = self.points
        if criterion == "flagged":
            prevalence = self._terms[0][points.group[some]]
            return prevalence * points.tpr[some] + (1 - prevalence) * points.fpr[some]
        return points.tpr[some] if criterion == "tpr" else points.fpr[some]

    def _bound(self, criterion: Criterion) -> Places:
        """Return the groups that have the rates a criterion is about."""
        there = np.ones(len(self.at), dtype=np.bool_)
        for total in _NEEDED[criterion]:
            there &= getattr(self.points, total) > 0
        return np.flatnonzero(there)

    def _decision(
        self, chosen: Places, free: GroupDecision | None = None, mixed: Mapping[int, Mixture] | None = None
    ) -> GroupDecision:
        """Return a point for each group, or a mixture; a group that stays at its best is taken from the free decision."""
        known, mixed = {} if free is None else free.groups, mixed or {}
        stays = np.full(chosen.size, free is not None) & (chosen == self.best)
        stays[list(mixed)] = False
        new = np.flatnonzero(~stays)
        mixtures = [mixed.get(g) or [(1.0, i)] for g, i in zip(new.tolist(), chosen[new].tolist(), strict=True)]
        names = list(self.at)
        made = {names[g]: one for g, one in zip(new.tolist(), self._choices(names, new, mixtures), strict=True)}
        groups = {name: made[name] if name in made else known[name] for name in names}
        total = sum(choice.share * choice.cost for choice in groups.values())
        shares = dict(zip(names, self.points.share.tolist(), strict=True))
        return GroupDecision(groups, total, shares, self.prevalence)

    def _choices(self, names: Sequence[str], new: Places, mixtures: Sequence[Mixture]) -> Iterator[GroupChoice]:
        """Yield the choices of some groups."""
        if not mixtures:
            return
        points = self.points
        some = np.array([i for mixture in mixtures for _, i in mixture], dtype=np.intp)
        columns = [column[some].tolist() for column in (points.model, points.threshold, points.fpr, points.tpr)]
        flat = zip(*columns, points.below(some).tolist(), strict=True)
        every = [
            tuple(
                MixturePart(p, self.models[model], threshold, fpr, tpr, below)
                for (p, _), (model, threshold, fpr, tpr, below) in zip(mixture, flat, strict=False)
            )
            for mixture in mixtures
        ]
        first = np.cumsum([0, *(len(mixture) for mixture in mixtures)])[:-1]
        probability = np.array([p for mixture in mixtures for p, _ in mixture])
        fpr, tpr = (np.add.reduceat(probability * rate[some], first) for rate in (points.fpr, points.tpr))
        prevalence, positives, negatives = self._terms[0][new], points.positives[new], points.negatives[new]
        flagged, cost = prevalence * tpr + (1 - prevalence) * fpr, self._paid(new, fpr, tpr)
        # A rate of an absent class is no number.
        fpr, tpr = np.where(negatives > 0, fpr, np.nan), np.where(positives > 0, tpr, np.nan)
        numbers = (points.share[new], fpr, tpr, flagged, cost, positives, negatives)
        for g, parts, (share, x, y, hit, paid, p, n) in zip(
            new.tolist(), every, zip(*(column.tolist() for column in numbers), strict=True), strict=True
        ):
            (model, threshold) = (parts[0].model, parts[0].threshold) if len(parts) == 1 else (None, None)
            yield GroupChoice(names[g], share, model, threshold, x, y, hit, paid, self.at[names[g]], p, n, parts)

    def _gap(self, decision: GroupDecision, bound: Places, criterion: Criterion) -> float:
        """Return the largest difference of rates between the groups that have them."""
        chosen = list(decision.groups.values())
        rates = ("fpr", "tpr") if criterion == "odds" else (criterion,)
        return max(
            (float(np.ptp([getattr(chosen[g], rate) for g in bound])) for rate in rates if bound.size), default=0.0
        )


def _of_groups(start: Places, bound: Places) -> tuple[Some, Places]:
    """Return the places of some groups that lie one after another, and where each of them begins there."""
    if bound.size == start.size - 1:
        return slice(None), start
    size = np.diff(start)[bound]
    begin = np.append(0, np.cumsum(size))
    return np.arange(begin[-1]) + np.repeat(start[bound] - begin[:-1], size), begin

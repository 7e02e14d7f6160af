"""Equal rates of groups: with one threshold per group, or by mixing thresholds at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from isocost.conditions import Condition
from isocost.curves.hull import least_between, without_lower
from isocost.data.checks import Bools, Floats
from isocost.errors import InputError
from isocost.groups.points import GroupPoints, Places, cheapest, cheapest_for_all, hull_points
from isocost.groups.results import (
    Criterion,
    GroupChoice,
    GroupDecision,
    MixturePart,
    ParityChoice,
    PriceSetter,
)

# Points with their probabilities.
Mixture = list[tuple[float, int]]
# Some points, or all.
Some = Places | slice
_EPS = float(np.finfo(np.float64).eps)
# Rates that differ by a little more than the tolerance still count as within it.
_ROUNDING = 1e-12
# A part of a mixture less likely than this is rounding.
_UNLIKELY = 1e-12
# Of windows that cost the same up to rounding so many are added up exactly.
_MOST = 64
# As many points in all are compared pair by pair; of more, windows begin at some of the rates only.
MOST_POINTS = 2000
_SOME = 200
# So far beyond a tolerance the slope of the price is taken.
_STEP = 1e-7
# At most so many groups, those with the fewest cases, are tried as the one that sets the price; fewer if there are many points.
_SETTERS, _SETTER_POINTS, _SETTER_ODDS = 20, 10**6, 5 * 10**4
_NEEDED: dict[Criterion, tuple[str, ...]] = {
    "tpr": ("positives",),
    "fpr": ("negatives",),
    "odds": ("positives", "negatives"),
    "flagged": (),
}


@dataclass(frozen=True, eq=False)
class PricedGroups:
    """The points of several groups, each with the condition it is priced at, in the order of the points."""

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

    @cached_property
    def each(self) -> GroupDecision:
        """The cheapest threshold of each group."""
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

    def parity(
        self, criterion: Criterion, tolerance: float, *, randomised: bool, without: int | None = None
    ) -> ParityChoice:
        """Return the cheapest rule under which rates differ by no more than the tolerance, in all groups or in all but one."""
        free, bound = self.each, self._bound(criterion)
        there = set(bound.tolist())
        bound = bound[bound != without]
        chosen, exact, slope, low = free, True, 0.0 if randomised else None, None
        if bound.size > 1 and self._gap(free, bound, criterion) > tolerance + _ROUNDING:
            if criterion == "odds":
                chosen, slope, exact, low = self._equal_odds(bound, tolerance, randomised=randomised)
            elif randomised:
                chosen, slope = self._mixed_rate(bound, criterion, tolerance)
            else:
                some, start = _of_groups(self.points.start, bound)
                number = np.arange(self.points.model.size)[some]
                group = np.repeat(np.arange(bound.size), np.diff(start))
                picked = cheapest_window(self._rate(some, criterion), self.cost(number), group, tolerance)
                assert picked is not None  # noqa: S101 - all may flag nobody
                chosen = self._decision(self._moved(bound, number[picked]))
        cost = chosen.expected_cost
        return ParityChoice(
            chosen.groups, criterion, tolerance, randomised, cost, max(cost - free.expected_cost, 0.0),
            None if slope is None else 0.01 * slope, self._gap(chosen, bound, criterion),
            tuple(name for g, name in enumerate(self.at) if g not in there), free, exact, cost if low is None else min(low, cost),
        )  # fmt: skip

    def set_by(self, found: ParityChoice) -> PriceSetter | None:
        """Return the group without which the price would be half or less, and least; None if no group alone sets it."""
        bound = self._bound(found.criterion)
        if found.price <= 0 or bound.size < 3:
            return None
        cases = self.points.positives + self.points.negatives
        names, lowest = list(self.at), []
        most = _SETTER_ODDS if found.criterion == "odds" else _SETTER_POINTS
        tried = max(1, min(_SETTERS, most // self.points.model.size))
        for g in bound[np.argsort(cases[bound], kind="stable")][:tried].tolist():
            rest = self.parity(found.criterion, found.tolerance, randomised=found.randomised, without=g)
            lowest.append(PriceSetter(names[g], float(cases[g]), rest.price))
        least = min(lowest, key=lambda setter: setter.price_without)
        return least if least.price_without <= found.price / 2 else None

    def _moved(self, bound: Places, points: Places) -> Places:
        """Return the point of each group: its cheapest, but for some groups another."""
        chosen = self.best.copy()
        chosen[bound] = points
        return chosen

    def _mixed_rate(self, bound: Places, criterion: Criterion, tolerance: float) -> tuple[GroupDecision, float]:
        least = self._least(bound, criterion)
        low, high, slope = Closing.of(least).closed(tolerance)
        best = self._rate(self.best[bound], criterion)
        # Where the tolerance leaves slack on either side, fewer groups may need a mixture there.
        spare = max(tolerance - (high - low), 0.0)
        windows = [(low, high), (low, high + spare), (low - spare, high)] if spare else [(low, high)]
        pure = [self._pure(least, bound, best, *window) for window in windows]
        fewest = int(np.argmin([np.count_nonzero(points < 0) for points in pure]))
        at = pure[fewest]
        moved = np.flatnonzero(at < 0)
        mixed = least.mixed(moved, np.clip(best[moved], *windows[fewest]))
        chosen = self._moved(bound, np.where(at < 0, self.best[bound], at))
        return self._decision(chosen, dict(zip(bound[moved].tolist(), mixed, strict=True))), slope

    def _pure(self, least: LeastCosts, bound: Places, best: Floats, low: float, high: float) -> Places:
        """Return for each group a cheapest point whose rate lies in a window, -1 if there is none: of equally cheap rules no mixture."""
        found = np.where((best >= low) & (best <= high), self.best[bound], -1)
        for vertex in (least.low, least.high):
            inside = (least.rate[vertex] >= low) & (least.rate[vertex] <= high)
            found = np.where((found < 0) & inside, least.point[vertex], found)
        return found

    def _equal_odds(
        self, bound: Places, tolerance: float, *, randomised: bool
    ) -> tuple[GroupDecision, float | None, bool, float | None]:
        points = self.points
        if randomised:
            mixed, _, slope = self._odds_hulls(bound).mixed(tolerance)
            return self._decision(self.best, dict(zip(bound.tolist(), mixed, strict=True))), slope, True, None
        own, start = _of_groups(points.start, bound)
        some = np.arange(points.model.size)[own]
        group = np.repeat(np.arange(bound.size), np.diff(start))
        found, exact = fixed_odds(points.fpr[some], points.tpr[some], self.cost(some), group, tolerance)
        low = None
        if not exact:
            rest = np.setdiff1d(np.arange(len(self.at)), bound)
            sure = float((points.share * self._terms[1])[bound].sum() + self.cost(self.best[rest]).sum())
            low = self._odds_hulls(bound).solved(tolerance)[1] + sure
        return self._decision(self._moved(bound, some[found])), None, exact, low

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

    def _decision(self, chosen: Places, mixed: Mapping[int, Mixture] | None = None) -> GroupDecision:
        """Return a point for each group, or a mixture; a group that stays at its best is taken from the free decision."""
        mixed = mixed or {}
        stays = chosen == self.best if "each" in self.__dict__ else np.zeros(chosen.size, dtype=np.bool_)
        stays[list(mixed)] = False
        new = np.flatnonzero(~stays)
        mixtures = [mixed.get(g) or [(1.0, i)] for g, i in zip(new.tolist(), chosen[new].tolist(), strict=True)]
        names = list(self.at)
        made = {names[g]: one for g, one in zip(new.tolist(), self._choices(names, new, mixtures), strict=True)}
        groups = {name: made[name] if name in made else self.each.groups[name] for name in names}
        total = sum(choice.share * choice.cost for choice in groups.values())
        return GroupDecision(groups, total, dict(zip(names, self.points.share.tolist(), strict=True)), self.prevalence)

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
        # A rate of an absent class is not a number.
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
    """Return the places of some groups, one after another, and where each of them begins there."""
    if bound.size == start.size - 1:
        return slice(None), start
    size = np.diff(start)[bound]
    begin = np.append(0, np.cumsum(size))
    return np.arange(begin[-1]) + np.repeat(start[bound] - begin[:-1], size), begin


def _kept(parts: Mixture) -> Mixture:
    """Return the parts of a mixture that are not rounding, their probabilities adding up to 1."""
    kept = [(p, point) for p, point in parts if p > _UNLIKELY]
    total = sum(p for p, _ in kept)
    return [(p / total, point) for p, point in kept]


@dataclass(frozen=True, eq=False)
class LeastCosts:
    """The least cost of each group at each rate: convex, straight between its vertices, group by group from `start`."""

    rate: Floats
    cost: Floats
    # The operating point of each vertex; then the first and the last of the cheapest vertices of each group.
    point: Places
    start: Places
    low: Places
    high: Places

    @classmethod
    def of(cls, rate: Floats, cost: Floats, point: Places, start: Places) -> LeastCosts:
        """Return the lower hulls of rates and costs of some points of each group."""
        group = np.repeat(np.arange(start.size - 1), np.diff(start))
        order = np.lexsort((cost, rate, group))
        new = np.append(True, (np.diff(rate[order]) > 0) | (np.diff(group[order]) > 0))
        order = order[new]
        rate, cost, point, group = rate[order], cost[order], point[order], group[order]
        edge = np.append(True, group[1:] > group[:-1])
        _, _, vertex = without_lower(rate, -cost, np.arange(rate.size), edge | np.append(edge[1:], True))
        rate, cost, point = rate[vertex], cost[vertex], point[vertex]
        start = np.searchsorted(group[vertex], np.arange(start.size))
        first = start[:-1]
        lowest = np.minimum.reduceat(cost, first)
        reach = np.maximum.reduceat(cost, first) - lowest
        spare = 4 * _EPS * np.maximum(np.where(reach > 0, reach, 1.0), np.abs(lowest))
        cheap = np.flatnonzero(cost <= np.repeat(lowest + spare, np.diff(start)))
        low, high = cheap[np.searchsorted(cheap, first)], cheap[np.searchsorted(cheap, start[1:]) - 1]
        return cls(rate, cost, point, start, low, high)

    def mixed(self, groups: Places, rates: Floats) -> list[Mixture]:
        """Return the points that give some groups a rate at least cost, each point with its probability."""
        found: list[Mixture] = []
        for g, at in zip(groups.tolist(), rates.tolist(), strict=True):
            rate, point = (column[self.start[g] : self.start[g + 1]] for column in (self.rate, self.point))
            right = int(np.clip(np.searchsorted(rate, at), 1, max(rate.size - 1, 1)))
            share = 0.0 if rate.size == 1 else float((at - rate[right - 1]) / (rate[right] - rate[right - 1]))
            found.append(_kept([(1 - share, int(point[right - 1])), (share, int(point[min(right, rate.size - 1)]))]))
        return found

    def way(self, *, up: bool, begin: float, end: float) -> tuple[Floats, Floats]:
        """Return lengths and slopes of what it costs to move the lower end of all rates up, or the upper end down, between two places."""
        inner = np.ones(self.rate.size, dtype=np.bool_)
        inner[self.start[1:] - 1] = False
        sizes, place = np.diff(self.start), np.arange(self.rate.size)
        beyond = place >= np.repeat(self.high, sizes) if up else place < np.repeat(self.low, sizes)
        left = np.flatnonzero(inner & beyond)
        starts, stops, rise = self.rate[left], self.rate[left + 1], self.cost[left + 1] - self.cost[left]
        if not up:
            starts, stops, rise, begin, end = -stops, -starts, -rise, -begin, -end
        used = (starts < end) & (stops > begin)
        starts, stops, slope = starts[used], stops[used], rise[used] / (stops - starts)[used]
        starts, stops = np.maximum(starts, begin), np.minimum(stops, end)
        places, at = np.unique(np.concatenate([[begin, end], starts, stops]), return_inverse=True)
        change = np.bincount(at[2:], np.concatenate([slope, -slope]), places.size)
        # A sum of convex lines is convex: what falls is rounding.
        return np.diff(places), np.maximum.accumulate(np.maximum(np.cumsum(change)[:-1], 0.0))


@dataclass(frozen=True, eq=False)
class Closing:
    """Closing the gap between the lowest and the highest rate, the cheaper end first."""

    # Where the two ends stand when every group is as cheap as it can be.
    lowest: float
    highest: float
    # Pieces in the order in which they are closed, what each costs per unit (never falling), and whether the lower end moves.
    length: Floats
    slope: Floats
    raised: Bools

    @classmethod
    def of(cls, groups: LeastCosts) -> Closing:
        """Merge the ways from both ends."""
        lowest, highest = float(groups.rate[groups.high].min()), float(groups.rate[groups.low].max())
        if highest <= lowest:
            return cls(lowest, lowest, np.empty(0), np.empty(0), np.empty(0, dtype=np.bool_))
        up = groups.way(up=True, begin=lowest, end=highest)
        down = groups.way(up=False, begin=highest, end=lowest)
        length, slope = np.concatenate([up, down], axis=1)
        raised = np.repeat([True, False], [up[0].size, down[0].size])
        order = np.argsort(slope, kind="stable")
        length, slope, raised = length[order], slope[order], raised[order]
        # Only the gap is to be closed, not more.
        over = np.maximum(np.cumsum(length) - (highest - lowest), 0.0)
        length = np.maximum(length - over, 0.0)
        kept = length > 0
        return cls(lowest, highest, length[kept], slope[kept], raised[kept])

    def closed(self, tolerance: float) -> tuple[float, float, float]:
        """Return where both ends stand at a tolerance, and the slope of the last piece closed."""
        left = max(self.highest - self.lowest - tolerance, 0.0)
        taken = np.clip(left - (np.cumsum(self.length) - self.length), 0.0, self.length)
        low = self.lowest + float(taken[self.raised].sum())
        high = self.highest - float(taken[~self.raised].sum())
        paid = np.flatnonzero(taken > 4 * _EPS)
        return low, max(high, low), float(self.slope[paid[-1]]) if paid.size else 0.0

    def curve(self) -> tuple[Floats, Floats]:
        """Return tolerances and prices at the breaks, from tolerance 0 up."""
        tolerance = np.concatenate([[0.0], np.cumsum(self.length[::-1])])
        price = np.concatenate([np.cumsum(self.length * self.slope)[::-1], [0.0]])
        if self.length.size == 0:
            return tolerance, price
        # Neighbouring pieces of one slope are one piece.
        slope = self.slope[::-1]
        bend = np.concatenate([[True], slope[1:] < slope[:-1] * (1 - 8 * _EPS), [True]])
        return tolerance[bend], price[bend]


def cheapest_window(rate: Floats, cost: Floats, group: Places, tolerance: float) -> Places | None:
    """Return the points of the cheapest window of rates, one per group; None if no window holds a point of every group.

    Points come group by group, numbered from 0.
    """
    wide, groups = tolerance + _ROUNDING, int(group[-1]) + 1
    anew = np.append(True, group[1:] > group[:-1])
    if not np.all((rate[1:] >= rate[:-1]) | anew[1:]):
        order = np.lexsort((rate, group))
        found = cheapest_window(rate[order], cost[order], group, tolerance)
        return None if found is None else order[found]
    # The cheapest point of each group at each rate; a key holds both.
    first = np.flatnonzero(np.append(True, rate[1:] > rate[:-1]) | anew)
    least, of = np.minimum.reduceat(cost, first), group[first]
    begins, place = np.unique(rate[first], return_inverse=True)
    many = begins.size
    key = of * many + place
    enters, leaves = np.searchsorted(begins, begins - wide), np.searchsorted(begins, begins + wide, side="right")
    # A group's cheapest point in the window changes only where one of its own points leaves or enters.
    starts = np.arange(groups) * many
    changes = np.sort(np.concatenate([starts, (key + 1)[place + 1 < many], of * many + enters[place]]), kind="stable")
    changes = changes[np.append(True, changes[1:] > changes[:-1])]
    of = changes // many
    at = changes - of * many
    inside = np.searchsorted(key, changes), np.searchsorted(key, of * many + leaves[at])
    some = inside[0] < inside[1]
    lowest = np.zeros(at.size)
    lowest[some] = least_between(least, inside[0][some], inside[1][some])
    fresh = np.append(True, of[1:] > of[:-1])

    def summed(values: Floats) -> Floats:
        before = np.where(fresh, 0.0, np.append(0.0, values[:-1]))
        return np.cumsum(np.bincount(at, values - before, many))

    total = summed(lowest)
    possible = np.flatnonzero(summed((~some).astype(np.float64)) == 0)
    if possible.size == 0:
        return None
    # Sums that were kept up along the way are off by rounding: those near the least are added up again.
    sums = total[possible]
    near = possible[np.flatnonzero(sums <= sums.min() + 1e-9 * max(1.0, float(np.abs(total).max())))]
    near = near[np.argsort(total[near], kind="stable")][:_MOST]
    ends = [(np.searchsorted(key, starts + k), np.searchsorted(key, starts + leaves[k])) for k in near.tolist()]
    exact = [sum(least_between(least, *both).tolist()) for both in ends]
    begin = float(begins[near[int(np.argmin(exact))]])
    held = np.flatnonzero((rate >= begin) & (rate <= begin + wide))
    # Of each group the first of its cheapest points.
    begun = np.flatnonzero(np.append(True, group[held[1:]] > group[held[:-1]]))
    cheap = np.flatnonzero(
        cost[held] == np.repeat(np.minimum.reduceat(cost[held], begun), np.diff(np.append(begun, held.size)))
    )
    return held[cheap[np.searchsorted(cheap, begun)]]


def fixed_odds(fpr: Floats, tpr: Floats, cost: Floats, group: Places, tolerance: float) -> tuple[Places, bool]:
    """Return one point per group with both rates within the tolerance, and whether all windows were tried."""
    begins, groups = np.unique(fpr), int(group[-1]) + 1
    exact = fpr.size <= MOST_POINTS
    if not exact:
        begins = np.unique(np.append(begins[:: max(1, begins.size // _SOME)], 0.0))
    best, least = None, np.inf
    for begin in begins.tolist():
        inside = np.flatnonzero((fpr >= begin) & (fpr <= begin + tolerance + _ROUNDING))
        first = np.searchsorted(group[inside], np.arange(groups + 1))
        if not np.all(first[1:] > first[:-1]) or np.minimum.reduceat(cost[inside], first[:-1]).sum() >= least:
            continue
        picked = cheapest_window(tpr[inside], cost[inside], group[inside], tolerance)
        if picked is not None and cost[inside[picked]].sum() < least:
            best, least = inside[picked], float(cost[inside[picked]].sum())
    assert best is not None  # noqa: S101 - flagging nobody is always possible
    return best, exact


@dataclass(frozen=True, eq=False)
class OddsHulls:
    """The vertices of the hulls of several groups, from (0, 0) to (1, 1), one group after another from `start`."""

    fpr: Floats
    tpr: Floats
    point: Places
    start: Places
    # What an fpr of 1 and a tpr of 0 cost in each group, per case of all groups together.
    alarms: Floats
    misses: Floats

    def solved(self, tolerance: float) -> tuple[Floats, float, float]:
        """Return the probability of every vertex, the least cost, and by how much it grows with the tolerance.

        Both rates of all groups lie in a square whose sides are as long as the tolerance; its corner is part of the solution.
        """
        from scipy.optimize import linprog
        from scipy.sparse import block_array, csr_array

        many, groups = self.fpr.size, self.alarms.size
        group = np.repeat(np.arange(groups), np.diff(self.start))
        whole, x, y = (
            csr_array((values, (group, np.arange(many))), shape=(groups, many))
            for values in (np.ones(many), self.fpr, self.tpr)
        )
        ones = csr_array(np.ones((groups, 1)))
        scale = float(self.alarms.sum() + self.misses.sum())
        cost = (self.alarms[group] * self.fpr + self.misses[group] * (1 - self.tpr)) / scale
        limits: Any = block_array(
            [[x, -ones, None], [-x, ones, None], [y, None, -ones], [-y, None, ones]], format="csr"
        )
        sums: Any = block_array([[whole, csr_array((groups, 2))]], format="csr")
        found: Any = linprog(
            np.append(cost, [0.0, 0.0]),
            A_ub=limits,
            b_ub=np.repeat([tolerance, 0.0, tolerance, 0.0], groups),
            A_eq=sums,
            b_eq=np.ones(groups),
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.status != 0:
            raise InputError(
                f"equal odds within {tolerance:g} cannot be priced to nine digits here: change the tolerance a little"
            )
        grows = found.ineqlin.marginals.reshape(4, groups)[[0, 2]].sum()
        return found.x[:many], scale * float(found.fun), scale * float(grows)

    def mixed(self, tolerance: float) -> tuple[list[Mixture], float, float]:
        """Return the mixture of each group, what false alarms and misses cost in all, and what a unit of tolerance more saves at first."""
        weight, least, _ = self.solved(tolerance)
        parts = list(zip(weight.tolist(), self.point.tolist(), strict=True))
        saved = max(-self.solved(tolerance + _STEP)[2], 0.0) if tolerance < 1 else 0.0
        return [_kept(parts[a:b]) for a, b in pairwise(self.start.tolist())], least, saved

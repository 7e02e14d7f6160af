"""Equal rates of groups: with one threshold per group, or by mixing thresholds at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np

from isocost.conditions import Condition
from isocost.curves.hull import least_between, without_lower
from isocost.data.checks import Bools, Floats
from isocost.decide.question import TIE, first_least
from isocost.errors import InputError
from isocost.groups.points import GroupPoints, Places, cheapest_for_all, hull_points
from isocost.groups.results import Criterion, GroupChoice, GroupDecision, MixturePart, ParityChoice
from isocost.numbers import ROUNDING

# Points with their probabilities.
Mixture = list[tuple[float, int]]
# Some points, or all.
Some = Places | slice
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class PricedGroups:
    """The points of several groups, each with the condition it is priced at, in the order of the points."""

    models: tuple[str, ...]
    points: GroupPoints
    at: Mapping[str, Condition]
    prevalence: str

    @cached_property
    def _terms(self) -> Floats:
        """Each group's prevalence, the cost of no error, and what false alarms and misses add to it; shape (4, groups)."""
        values = [
            (c.prevalence, c.best_cost, c.fp_gap * (1 - c.prevalence), c.fn_gap * c.prevalence)
            for c in self.at.values()
        ]
        return np.array(values).T

    def cost(self, some: Some) -> Floats:
        """Return the cost of some points, per case of all groups together."""
        group = self.points.group[some]
        _, best, alarms, misses = self._terms
        paid = best[group] + alarms[group] * self.points.fpr[some] + misses[group] * (1 - self.points.tpr[some])
        return np.asarray(self.points.share[group] * paid)

    def paid(self, rates: Floats) -> Floats:
        """Return what fpr and tpr of each group cost per case of it."""
        _, best, alarms, misses = self._terms
        return np.asarray(best + alarms * rates[0] + misses * (1 - rates[1]))

    @cached_property
    def corner_cost(self) -> Floats:
        """The cost of the corners."""
        return self.cost(self.points.corner)

    @cached_property
    def best(self) -> Places:
        """The cheapest point of each group; of equally cheap ones the first model's that flags fewest."""
        start, cost = self.points.corner_start, self.corner_cost
        slack = TIE * np.maximum(1.0, np.maximum.reduceat(np.abs(cost), start[:-1]))
        return self.points.corner[_first_of_each(cost, start, slack)]

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
        some, group = _of_groups(self.points.corner_start, bound)
        corner = self.points.corner[some]
        return LeastCosts.of(self._rate(corner, criterion), self.corner_cost[some], corner, group)

    def parity(self, criterion: Criterion, tolerance: float, randomised: bool) -> ParityChoice:
        """Return the cheapest rule under which rates differ by no more than the tolerance."""
        chosen, bound = self.each, self._bound(criterion)
        left_out = tuple(name for g, name in enumerate(self.at) if g not in set(bound.tolist()))
        slope = 0.0 if randomised else None
        if bound.size > 1 and self._gap(chosen, bound, criterion) > tolerance + ROUNDING:
            if not randomised:
                own, group = _of_groups(self.points.start, bound)
                some = np.arange(self.points.model.size)[own]
                picked = cheapest_window(self._rate(some, criterion), self.cost(some), group, tolerance)
                chosen = self._decision(self._moved(bound, some[picked]))
            elif criterion == "odds":
                mixed, slope = self._odds(bound, tolerance)
                chosen = self._decision(self.best, dict(zip(bound.tolist(), mixed, strict=True)))
            else:
                chosen, slope = self._mixed_rate(bound, criterion, tolerance)
        cost, free = chosen.expected_cost, self.each.expected_cost
        return ParityChoice(
            chosen.groups, criterion, tolerance, randomised, cost, max(cost - free, 0.0),
            None if slope is None else 0.01 * slope, self._gap(chosen, bound, criterion), left_out, self.each,
        )  # fmt: skip

    def _moved(self, bound: Places, points: Places) -> Places:
        """Return the point of each group: its cheapest, but for some groups another."""
        chosen = self.best.copy()
        chosen[bound] = points
        return chosen

    def _mixed_rate(self, bound: Places, criterion: Criterion, tolerance: float) -> tuple[GroupDecision, float]:
        least = self._least(bound, criterion)
        low, high, slope = Closing.of(least).closed(tolerance)
        best = self._rate(self.best[bound], criterion)
        # With slack on either side fewer groups need a mixture.
        spare = max(tolerance - (high - low), 0.0) / 2
        low, high = low - spare, high + spare
        # A cheapest point of each group whose rate lies between the two, -1 if there is none: of equally cheap rules no mixture.
        at = np.where((best >= low) & (best <= high), self.best[bound], -1)
        for vertex in (least.low, least.high):
            inside = (least.rate[vertex] >= low) & (least.rate[vertex] <= high)
            at = np.where((at < 0) & inside, least.point[vertex], at)
        moved = np.flatnonzero(at < 0)
        mixed = least.mixed(moved, np.clip(best[moved], low, high))
        chosen = self._moved(bound, np.where(at < 0, self.best[bound], at))
        return self._decision(chosen, dict(zip(bound[moved].tolist(), mixed, strict=True))), slope

    def _odds(self, bound: Places, tolerance: float) -> tuple[list[Mixture], float]:
        """Return the mixture of each group, and what a unit of tolerance more saves at first."""
        points, (_, _, alarms, misses) = self.points, self._terms
        vertices = [hull_points(points, g) for g in bound.tolist()]
        some, start = np.concatenate(vertices), np.cumsum([0, *(own.size for own in vertices)])
        group, share = np.repeat(np.arange(bound.size), np.diff(start)), points.share[bound]
        weights = share * alarms[bound], share * misses[bound]
        probability, *_ = mixed_odds(points.fpr[some], points.tpr[some], group, *weights, tolerance)
        after = min(tolerance + ROUNDING**0.5, 1.0)
        slope = mixed_odds(points.fpr[some], points.tpr[some], group, *weights, after)[2] if tolerance < 1 else 0.0
        parts = list(zip(probability.tolist(), some.tolist(), strict=True))
        return [_kept(parts[a:b]) for a, b in pairwise(start.tolist())], max(-slope, 0.0)

    def _rate(self, some: Some, criterion: Criterion) -> Floats:
        """Return the rate of some points that a criterion is about."""
        points = self.points
        if criterion == "flagged":
            prevalence = self._terms[0][points.group[some]]
            return np.asarray(prevalence * points.tpr[some] + (1 - prevalence) * points.fpr[some])
        return points.tpr[some] if criterion == "tpr" else points.fpr[some]

    def _bound(self, criterion: Criterion) -> Places:
        """Return the groups that have the rates a criterion is about."""
        positives, negatives = self.points.positives > 0, self.points.negatives > 0
        there = {"tpr": positives, "fpr": negatives, "odds": positives & negatives}
        return np.flatnonzero(there.get(criterion, positives | negatives))

    def _decision(self, chosen: Places, mixed: Mapping[int, Mixture] | None = None) -> GroupDecision:
        """Return the decision that takes a point in each group, and a mixture of points in some."""
        points, prevalence = self.points, self._terms[0]
        mixtures = [(mixed or {}).get(g, [(1.0, i)]) for g, i in enumerate(chosen.tolist())]
        start = np.cumsum([0, *map(len, mixtures)])
        share, some = (np.array(part) for part in zip(*chain.from_iterable(mixtures), strict=True))
        ends = points.threshold[some], points.fpr[some], points.tpr[some], points.below(some)
        models = [self.models[m] for m in points.model[some].tolist()]
        columns = (share.tolist(), models, *(end.tolist() for end in ends))
        parts = [MixturePart(*row) for row in zip(*columns, strict=True)]
        fpr, tpr = (np.add.reduceat(share * rate, start[:-1]) for rate in ends[1:3])
        flagged, cost = prevalence * tpr + (1 - prevalence) * fpr, self.paid(np.stack([fpr, tpr]))
        # A rate of an absent class is not a number.
        fpr, tpr = np.where(points.negatives > 0, fpr, np.nan), np.where(points.positives > 0, tpr, np.nan)
        rows = (points.share, fpr, tpr, flagged, cost, points.positives, points.negatives)
        groups = {}
        for (name, at), (a, b), (part, x, y, flags, paid, positives, negatives) in zip(
            self.at.items(), pairwise(start.tolist()), zip(*(row.tolist() for row in rows), strict=True), strict=True
        ):
            own = tuple(parts[a:b])
            model, cut = (own[0].model, own[0].threshold) if len(own) == 1 else (None, None)
            groups[name] = GroupChoice(name, part, model, cut, x, y, flags, paid, at, positives, negatives, own)
        return GroupDecision(groups, sum(choice.share * choice.cost for choice in groups.values()), self.prevalence)

    def _gap(self, decision: GroupDecision, bound: Places, criterion: Criterion) -> float:
        """Return the largest difference of rates between the groups that have them."""
        chosen = list(decision.groups.values())
        rates = ("fpr", "tpr") if criterion == "odds" else (criterion,)
        gaps = [float(np.ptp([getattr(chosen[g], rate) for g in bound])) for rate in rates if bound.size]
        return max(gaps, default=0.0)


def _of_groups(start: Places, bound: Places) -> tuple[Some, Places]:
    """Return the places of some groups, one after another, and the number of the group of each."""
    size = np.diff(start)[bound]
    begin = np.cumsum(size) - size
    group = np.repeat(np.arange(bound.size), size)
    if bound.size == start.size - 1:
        return slice(None), group
    return np.arange(size.sum()) + np.repeat(start[bound] - begin, size), group


def _kept(parts: Mixture) -> Mixture:
    """Return the parts of a mixture that are not rounding, their probabilities adding up to 1."""
    kept = [(p, point) for p, point in parts if p > ROUNDING]
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
    def of(cls, rate: Floats, cost: Floats, point: Places, group: Places) -> LeastCosts:
        """Return the lower hulls of rates and costs of some points of each group."""
        order = np.lexsort((cost, rate, group))
        new = np.append(True, (np.diff(rate[order]) > 0) | (np.diff(group[order]) > 0))
        order = order[new]
        rate, cost, point, group = rate[order], cost[order], point[order], group[order]
        edge = np.append(True, group[1:] > group[:-1])
        _, _, vertex = without_lower(rate, -cost, np.arange(rate.size), edge | np.append(edge[1:], True))
        rate, cost, point = rate[vertex], cost[vertex], point[vertex]
        start = np.searchsorted(group[vertex], np.arange(group[-1] + 2))
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


def cheapest_window(rate: Floats, cost: Floats, group: Places, tolerance: float) -> Places:
    """Return the points of the cheapest window of rates, one per group; all groups may flag nobody, so there is one.

    Points come group by group, numbered from 0.
    """
    wide, groups = tolerance + ROUNDING, int(group[-1]) + 1
    anew = np.append(True, group[1:] > group[:-1])
    order = np.lexsort((rate, group))
    rate, cost = rate[order], cost[order]
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
    # Sums that were kept up along the way are off by rounding: of equal ones the first is taken.
    sums = total[possible]
    begin = float(begins[possible[first_least(sums, ROUNDING * max(1.0, float(np.abs(total).max())))]])
    held = np.flatnonzero((rate >= begin) & (rate <= begin + wide))
    return order[held[_first_of_each(cost[held], np.searchsorted(group[held], np.arange(groups + 1)), 0.0)]]


def mixed_odds(
    fpr: Floats, tpr: Floats, group: Places, alarms: Floats, misses: Floats, tolerance: float
) -> tuple[Floats, float, float]:
    """Return the probability of every vertex of the groups' hulls, the least cost, and by how much it grows with the tolerance.

    `alarms` and `misses` are what an fpr of 1 and a tpr of 0 cost in each group. Both rates of all groups lie in a square whose sides are
    as long as the tolerance; its corner is part of the solution.
    """
    from scipy.optimize import linprog
    from scipy.sparse import block_array, csr_array

    many, groups = fpr.size, alarms.size
    whole, x, y = (
        csr_array((values, (group, np.arange(many))), shape=(groups, many)) for values in (np.ones(many), fpr, tpr)
    )
    ones = csr_array(np.ones((groups, 1)))
    scale = float(alarms.sum() + misses.sum())
    cost = (alarms[group] * fpr + misses[group] * (1 - tpr)) / scale
    limits: Any = block_array([[x, -ones, None], [-x, ones, None], [y, None, -ones], [-y, None, ones]], format="csr")
    sums: Any = block_array([[whole, csr_array((groups, 2))]], format="csr")
    exact = 100 * ROUNDING
    found: Any = linprog(
        np.append(cost, [0.0, 0.0]),
        A_ub=limits,
        b_ub=np.repeat([tolerance, 0.0, tolerance, 0.0], groups),
        A_eq=sums,
        b_eq=np.ones(groups),
        method="highs-ds",
        options={"primal_feasibility_tolerance": exact, "dual_feasibility_tolerance": exact},
    )
    if found.status != 0:
        raise InputError(
            f"equal odds within {tolerance:g} cannot be priced to nine digits here: change the tolerance a little"
        )
    grows = found.ineqlin.marginals.reshape(4, groups)[[0, 2]].sum()
    return found.x[:many], scale * float(found.fun), scale * float(grows)


def _first_of_each(costs: Floats, start: Places, slack: Any) -> Places:
    """Return where costs are the least in each stretch, the first of equal ones; `start` ends with the number of costs."""
    cheap = np.flatnonzero(costs <= np.repeat(np.minimum.reduceat(costs, start[:-1]) + slack, np.diff(start)))
    return np.asarray(cheap[np.searchsorted(cheap, start[:-1])])

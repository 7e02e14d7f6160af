"""Groups of cases: thresholds and their costs in each, equal rates, and how sure the differences are."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.conditions import Condition
from isocost.engines.any_frame import require_in_memory
from isocost.engines.cases import Cases, read_columns
from isocost.errors import ConditionError, FewCasesWarning, InputError, UnknownNameError
from isocost.groups.parity import (
    ROUNDING,
    Closing,
    LeastCosts,
    Mixture,
    OddsHulls,
    cheapest_near,
    fixed_odds,
    mixed_odds,
)
from isocost.groups.points import (
    GroupPoints,
    RuleHull,
    cheapest,
    cheapest_for_all,
    hull_for_all,
    hull_points,
    hulls_of_groups,
    named_codes,
    points_by_group,
)
from isocost.groups.results import (
    CRITERIA,
    Criterion,
    GroupChoice,
    GroupDecision,
    MixturePart,
    OneForAll,
    ParityChoice,
    PriceCurve,
)
from isocost.inference.band import quantiles
from isocost.inference.confidence import JUDGES, A, Four, ends, minus
from isocost.inference.intervals import Interval
from isocost.numbers import counted
from isocost.results import Result
from isocost.validate import Bools, Floats

Rule = Literal["each", "one", "parity"]
What = Literal["cost", "tpr", "fpr", "flagged", "extra_cost", "price"]
WHAT: tuple[What, ...] = ("cost", "tpr", "fpr", "flagged", "extra_cost", "price")
Choices = Mapping[str, GroupChoice]

_FEW = 20
# So many shares of a class are drawn for the limits of a rate.
_DRAWN = 4000


@dataclass(frozen=True, eq=False)
class GroupRows:
    """The cases behind groups: what resampling needs beyond the counts."""

    positive: Bools
    codes: NDArray[np.intp]
    scores: tuple[NDArray[Any], ...]
    weights: Floats | None

    @cached_property
    def _cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The group and class of each row as one number, the rows in that order, and how many rows have each."""
        cell = 2 * self.codes + self.positive
        return cell, np.argsort(cell, kind="stable"), np.bincount(cell)

    def multiplicities(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return how often each case is drawn: with replacement, within its group and class."""
        cell, order, sizes = self._cells
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        drawn = first + np.floor(rng.random(cell.size) * np.repeat(sizes, sizes)).astype(np.intp)
        return np.bincount(order[drawn], minlength=cell.size)

    def flagged(self, models: Sequence[str], choices: Choices) -> Floats:
        """Return with which probability each case is flagged."""
        found = np.zeros(self.positive.size)
        cell, order, _ = self._cells
        ends = np.searchsorted(cell[order], 2 * np.arange(len(choices) + 1))
        for choice, first, last in zip(choices.values(), ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            own = order[first:last]
            for part in choice.mixture:
                if part.nobody:
                    continue
                found[own] += part.probability * (self.scores[models.index(part.model)][own] >= part.threshold)
        return found

    def sums(self, flagged: Floats, mass: NDArray[Any] | None, groups: int) -> Floats:
        """Return what is flagged, then what there is, of each group's negatives and positives; shape (2, 2, groups).

        `mass` is what each case counts, 1 if None.
        """
        cell, *_ = self._cells
        weight = np.ones(flagged.size) if mass is None else mass
        found = [np.bincount(cell, column, 2 * groups).reshape(groups, 2).T for column in (weight * flagged, weight)]
        return np.stack(found)

    def worth(self, groups: int) -> Floats:
        """Return how many cases of equal weight the negatives and positives of each group are worth; shape (2, groups)."""
        cell, *_ = self._cells
        weight = np.ones(cell.size) if self.weights is None else self.weights
        total, squares = (np.bincount(cell, column, 2 * groups).reshape(groups, 2).T for column in (weight, weight**2))
        return np.asarray(total**2 / np.where(squares > 0, squares, 1.0))

    def rates(self, flagged: Floats, mass: NDArray[Any] | None, groups: int) -> Floats:
        """Return fpr and tpr in each group, 0 for an absent class; shape (2, groups)."""
        hit, total = self.sums(flagged, mass, groups)
        return np.asarray(hit / np.where(total > 0, total, 1.0))


@dataclass(frozen=True, eq=False, repr=False)
class GroupBootstrap(Result):
    """Rules chosen on the data and on resamples of the cases of each group and class.

    Attributes
    ----------
    names : tuple of str
        The groups.
    n_resamples : int
    rules : tuple of str
        What can be asked about: "each", "one", and "parity" if a criterion was given.
    few : tuple of str
        Groups with fewer than 20 positives or negatives.
    """

    names: tuple[str, ...]
    n_resamples: int
    rules: tuple[Rule, ...]
    few: tuple[str, ...]
    _shares: Floats
    _conditions: tuple[Condition, ...]
    _chosen: dict[Rule, Choices]
    # Of the rules that resamples choose, fpr and tpr: of shape (resamples, 2, groups) on their own resample and on others, and (2, groups)
    # on cases left out.
    _own: dict[Rule, Floats]
    _cross: dict[Rule, Floats]
    _left_out: dict[Rule, Floats]
    # Of shape (2, groups): how many cases of equal weight the negatives and positives of each group are worth; and the seed.
    _sizes: Floats
    _seed: tuple[int, ...]

    def interval(
        self,
        what: What,
        *,
        group: str | None = None,
        versus: str | None = None,
        rule: Rule = "each",
        level: float = 0.90,
    ) -> Interval:
        """Return limits for one number.

        Parameters
        ----------
        what : {"cost", "tpr", "fpr", "flagged", "extra_cost", "price"}
            Of a rule: its cost per case, or a rate. "extra_cost": how much more one threshold for all costs than one for each. "price":
            what equal rates cost.
        group : str, optional
            Of one group; a rate needs one, while other numbers are about all groups together if it is not given.
        versus : str, optional
            Another group: the limits are for the difference.
        rule : {"each", "one", "parity"}
            For costs and rates.
        level : float

        Notes
        -----
        A rule looks better on the cases it was chosen on. Every resample chooses again and pays on the cases it left out, so costs and
        differences of costs have the estimate and the limits of `isocost.inference.confidence.ends`, as every decision has. Differences
        may be negative: one threshold for all is never cheaper on the cases it was chosen on, and often is on new ones. A rate of the rule
        chosen on the data is a share of a class; its limits are Jeffreys', which have a width even at 0 and 1.
        """
        validate.choice(what, "what", WHAT)
        share = validate.level(level)
        for name in (group, versus):
            if name is not None and name not in self.names:
                raise UnknownNameError("group", name, self.names)
        if versus is not None and group is None:
            raise InputError("versus= compares two groups: pass group= as well")
        if what in ("tpr", "fpr", "flagged") and group is None:
            raise InputError(f"{what} is of one group: pass group=")
        validate.choice(rule, "rule", ("each", "one", "parity"))
        if rule not in self.rules or (what == "price" and "parity" not in self.rules):
            raise InputError(
                f"no rule of equal rates was resampled: pass criterion= to bootstrap; here are {', '.join(self.rules)}"
            )
        names = (group or "all groups",) if versus is None else (str(group), versus)
        if what in ("cost", "extra_cost", "price"):
            four = self._four(what, rule, group)
            four = four if versus is None else minus(four, self._four(what, rule, versus))
            estimate, low, high, _ = ends(*four, share)
            return Interval(low, high, estimate, four[0], share, what, names, "chosen anew, paid for on cases left out")
        values, estimate = self._rate(what, rule, str(group))
        if versus is not None:
            others, other = self._rate(what, rule, versus)
            values, estimate = values - others, estimate - other
        tail = (1 - share) / 2
        low, high = quantiles(values[:, None], (tail, 1 - tail))[:, 0].tolist()
        # A rate of 0 or 1 lies at the end of what it can be.
        how = "shares of a class, half a case added on either side"
        return Interval(min(low, estimate), max(high, estimate), estimate, estimate, share, what, names, how)

    def _four(self, what: What, rule: Rule, group: str | None) -> Four:
        """Return a cost, or a difference of costs, here, on cases left out, and on every resample with its own and others' rules."""
        if what == "cost":
            return self._cost(rule, group)
        return minus(self._cost("one" if what == "extra_cost" else "parity", group), self._cost("each", group))

    def _rate(self, what: What, rule: Rule, group: str) -> tuple[Floats, float]:
        """Return draws of a rate of the rule chosen on the data, and the rate."""
        g = self.names.index(group)
        apparent = float(getattr(self._chosen[rule][group], what))
        if np.isnan(apparent):
            raise InputError(f"group {group!r} has no {what}: it has no case of that class")
        fpr, tpr = self._drawn(self._chosen[rule][group], g)
        pi = self._conditions[g].prevalence
        return {"fpr": fpr, "tpr": tpr, "flagged": pi * tpr + (1 - pi) * fpr}[what], apparent

    def _drawn(self, choice: GroupChoice, g: int) -> tuple[Floats, Floats]:
        """Return an fpr and a tpr as shares of a class can be, half a case added on either side: at 0 or 1 resamples never move."""
        rng = np.random.default_rng([*self._seed, g])
        rates = (choice.fpr, choice.tpr)
        hits = [
            0.0 if np.isnan(rate) else float(rate * size) for rate, size in zip(rates, self._sizes[:, g], strict=True)
        ]
        fpr, tpr = (
            rng.beta(hit + 0.5, max(size - hit, 0.0) + 0.5, _DRAWN)
            for hit, size in zip(hits, self._sizes[:, g].tolist(), strict=True)
        )
        return fpr, tpr

    def _cost(self, rule: Rule, group: str | None) -> Four:
        """Return what a rule costs here, on cases left out, and on every resample with its own and others' rules."""
        weight = self._shares if group is None else np.eye(len(self.names))[self.names.index(group)]
        here = float(np.array([choice.cost for choice in self._chosen[rule].values()]) @ weight)

        def cost(rates: Floats) -> Floats:
            each = [at.expected_cost(rates[..., 0, g], rates[..., 1, g]) for g, at in enumerate(self._conditions)]
            return np.asarray(np.stack(each, axis=-1) @ weight)

        return here, float(cost(self._left_out[rule])), cost(self._own[rule]), cost(self._cross[rule])

    def __str__(self) -> str:
        """Say what was resampled."""
        text = f"{len(self.names)} groups, {self.n_resamples} resamples, rules {', '.join(self.rules)}"
        return f"{text}; {len(self.few)} with fewer than {_FEW} positives or negatives" if self.few else text

    def __repr__(self) -> str:
        """Say what was resampled."""
        return f"<GroupBootstrap: {self}>"


def resample_groups(
    groups: Groups,
    rows: GroupRows,
    at: dict[str, Condition],
    rules: dict[Rule, Callable[[Groups], Choices]],
    anew: Callable[[NDArray[Any]], Groups],
    n_resamples: int,
    rng: tuple[int, ...],
) -> GroupBootstrap:
    """Choose the rules on the data and on every resample, and pay for them on others and on the cases left out.

    `anew` makes the groups of the same cases with other weights.
    """
    chosen = {name: rule(groups) for name, rule in rules.items()}
    generator = np.random.default_rng(list(rng))
    many, total = len(groups.names), max(n_resamples, JUDGES + 1)
    judges = {name: _Judges(rows, groups.models, many, total) for name in rules}
    for _ in range(total):
        drawn = rows.multiplicities(generator)
        mass: NDArray[Any] = drawn if rows.weights is None else drawn * rows.weights
        resampled = anew(mass)
        for name, rule in rules.items():
            judges[name].add(rule(resampled), mass, drawn == 0)
    sizes = np.bincount(2 * rows.codes + rows.positive, minlength=2 * many).reshape(many, 2).min(axis=1)
    few = tuple(name for name, size in zip(groups.names, sizes.tolist(), strict=True) if size < _FEW)
    if few:
        named = ", ".join(map(repr, few[:5])) + (f" and {len(few) - 5} more" if len(few) > 5 else "")
        text = f"Fewer than {_FEW} positives or negatives in {named}: intervals there cover less than their level"
        warnings.warn(text, FewCasesWarning, stacklevel=3)
    return GroupBootstrap(
        groups.names, total, tuple(rules), few, np.array(list(groups.shares.values())), tuple(at.values()), chosen,
        {name: judge.own for name, judge in judges.items()}, {name: judge.crossed() for name, judge in judges.items()},
        {name: judge.left_out() for name, judge in judges.items()}, rows.worth(many), rng,
    )  # fmt: skip


class _Judges:
    """Rules that resamples choose: paid for on their own resample, on the three after it (cyclically) and on the cases they left out."""

    def __init__(self, rows: GroupRows, models: Sequence[str], groups: int, resamples: int) -> None:
        self.rows, self.models, self.groups = rows, models, groups
        self.own, self._cross = np.zeros((resamples, 2, groups)), np.zeros((resamples, 2, groups))
        self._outside, self._done = np.zeros((2, 2, groups)), 0
        self._recent: list[Floats] = []
        self._first: list[NDArray[Any]] = []

    def add(self, choices: Choices, mass: NDArray[Any], outside: Bools) -> None:
        """Take in the rules chosen on one resample."""
        rows, b = self.rows, self._done
        hit = rows.flagged(self.models, choices)
        self.own[b] = rows.rates(hit, mass, self.groups)
        for other in self._recent:
            self._cross[b] += rows.rates(other, mass, self.groups) / JUDGES
        left: NDArray[Any] = outside if rows.weights is None else outside * rows.weights
        self._outside += rows.sums(hit, left, self.groups)
        self._recent = [*self._recent, hit][-JUDGES:]
        self._first += [mass] if b < JUDGES else []
        self._done += 1

    def crossed(self) -> Floats:
        """Return the rates on each resample of the rules of the three before it; the last ones are before the first."""
        found = self._cross.copy()
        for b, mass in enumerate(self._first):
            for hit in self._recent[b:]:
                found[b] += self.rows.rates(hit, mass, self.groups) / JUDGES
        return found

    def left_out(self) -> Floats:
        """Return rates on cases left out; a class of one case is never left out, and has the mean of the corrected rates."""
        hit, total = self._outside
        corrected = A * self.crossed() - (A - 1) * self.own
        return np.where(total > 0, hit / np.where(total > 0, total, 1.0), corrected.mean(axis=0))


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


Prevalence = Literal["own", "condition"]
PREVALENCES: tuple[Prevalence, ...] = ("own", "condition")


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result):
    """One or several models used in several groups of cases: sites, products, regions, or groups named in a regulation.

    Costs are those of one `Condition`; each group keeps its own prevalence in the data unless told otherwise. A dict of group to
    Condition is taken as it is. isocost prices requirements; it does not judge them.

    Attributes
    ----------
    names : tuple of str
        The groups, sorted.
    models : tuple of str
    shares : dict of str to float
        Share of all cases, by weight.

    Examples
    --------
    >>> import isocost as ic
    >>> groups = ic.Groups.from_scores([1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.4, 0.6, 0.8, 0.3], ["a", "a", "b", "b", "b", "a"])
    >>> groups
    <Groups: 2 groups, 1 model, 6 cases>
    >>> groups.decide(ic.Condition()).thresholds
    {'a': 0.9, 'b': 0.8}
    >>> round(float(groups.cost_of_one_threshold(ic.Condition())), 4)
    0.0
    """

    names: tuple[str, ...]
    models: tuple[str, ...]
    _points: GroupPoints
    _cases: int
    _rows: GroupRows | None = field(default=None, metadata={"rows": True})

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        scores: ArrayLike | Mapping[str, ArrayLike],
        group: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> Groups:
        """Return the groups of labelled and scored cases.

        Parameters
        ----------
        y_true : array of shape (n,)
            Two classes, as in `ScoreCounts.from_arrays`; a group may have one class only.
        scores : array of shape (n,), dict of name to array, or dataframe
            One model, called "score", or several.
        group : array of shape (n,)
            Which group a case belongs to.
        sample_weight, pos_label : optional
            As in `ScoreCounts.from_arrays`.
        """
        several = isinstance(scores, Mapping) or hasattr(type(scores), "columns")
        given: dict[str, Any] = validate.by_name(scores) if several else {"score": scores}
        rows = Cases.from_scores(y_true, given, sample_weight, pos_label, None)
        validate.aligned(y_true=y_true, group=group)
        marks = validate.groups(group, "group")
        validate.same_length(y_true=rows.positive, group=marks)
        names, codes = named_codes(marks)
        points = points_by_group(codes, len(names), rows.positive, list(rows.scores.values()), rows.weights)
        if not points.share.all():
            empty = names[int(np.argmin(points.share))]
            raise InputError(f"the weights of group {empty!r} sum to 0: leave its rows out")
        held = GroupRows(rows.positive, codes, tuple(rows.scores.values()), rows.weights)
        return cls(names, tuple(rows.scores), points, rows.positive.size, held)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str,
        scores: str | Sequence[str],
        group: str,
        weight: str | None = None,
        pos_label: Any = None,
    ) -> Groups:
        """Return the groups of a dataframe's rows, which must be in memory; the arguments name its columns.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> frame = pd.DataFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "site": ["n", "n", "s", "s"]})
        >>> ic.Groups.from_frame(frame, label="y", scores="s", group="site").names
        ('n', 's')
        """
        models = validate.names([scores] if isinstance(scores, str) else scores, "score column")
        require_in_memory(frame, "a comparison of groups")
        data = read_columns(frame, [label, *models, group, *([] if weight is None else [weight])])
        return cls.from_scores(
            data[label], {name: data[name] for name in models}, data[group],
            sample_weight=None if weight is None else data[weight], pos_label=pos_label,
        )  # fmt: skip

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of all cases, by weight."""
        return dict(zip(self.names, self._points.share.tolist(), strict=True))

    def hull(self, group: str) -> tuple[Floats, Floats]:
        """Return fpr and tpr of the vertices of a group's hull, all models together; a rate of an absent class is 0.

        Examples
        --------
        >>> import isocost as ic
        >>> groups = ic.Groups.from_scores([1, 0, 1, 0], [4, 3, 2, 1], ["n", "n", "n", "n"])
        >>> [rate.tolist() for rate in groups.hull("n")]
        [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0]]
        """
        points, g = self._points, self.names.index(validate.choice(group, "group", self.names))
        kept = hull_points(points, g)
        return points.fpr[kept], points.tpr[kept]

    def rule_hulls(self, *, prevalence: Prevalence = "own") -> tuple[dict[str, RuleHull], RuleHull]:
        """Return the rules of each group that are cheapest at some costs, and those of one threshold for all.

        At any costs that are the same in all groups, and at prevalences as in `conditions`, one of them is the cheapest.

        Examples
        --------
        >>> import isocost as ic
        >>> each, one = ic.Groups.from_scores([1, 0, 1, 0], [4, 3, 2, 1], ["n", "n", "s", "s"]).rule_hulls()
        >>> one.rule
        ('flag nobody', 'flag score ≥ 4', 'flag score ≥ 2', 'flag score ≥ 1')
        """
        validate.choice(prevalence, "prevalence", PREVALENCES)
        points = self._points
        share = points.prevalence if prevalence == "own" else np.full(points.share.size, 0.5)
        whole = hull_for_all(points, self.models, points.share * (1 - share), points.share * share)
        return dict(zip(self.names, hulls_of_groups(points, self.models), strict=True)), whole

    def conditions(
        self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own"
    ) -> dict[str, Condition]:
        """Return the condition that each group is priced at.

        Parameters
        ----------
        condition : Condition, or dict of group to Condition
            A dict is taken as it is.
        prevalence : {"own", "condition"}
            With one Condition: each group's own share of positives in the data, or that of the condition.
        """
        validate.choice(prevalence, "prevalence", PREVALENCES)
        if isinstance(condition, Mapping):
            for name in condition:
                if name not in self.names:
                    raise UnknownNameError("group", name, self.names)
            lacking = [name for name in self.names if name not in condition]
            if lacking:
                raise InputError(f"condition lacks the group {lacking[0]!r}: give every group a Condition")
            found = {name: condition[name] for name in self.names}
        elif prevalence == "own" and isinstance(condition, Condition):
            own = self._points.prevalence.tolist()
            made = {p: replace(condition, prevalence=p) for p in set(own)}
            found = {name: made[p] for name, p in zip(self.names, own, strict=True)}
        else:
            found = dict.fromkeys(self.names, condition)
        for at in found.values():
            if not isinstance(at, Condition):
                raise ConditionError(f"condition must be a Condition or a dict of group to Condition, got {at!r}")
        prevalence_of = np.array([at.prevalence for at in found.values()])
        for kind, total, weight in (
            ("positive", self._points.positives, prevalence_of),
            ("negative", self._points.negatives, 1 - prevalence_of),
        ):
            for g in np.flatnonzero((total == 0) & (weight > 0))[:1].tolist():
                raise ConditionError(
                    f"group {self.names[g]!r} has no {kind} cases, but its condition expects some: "
                    "use prevalence='own' or leave it out"
                )
        return found

    def case_weights(self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own") -> Floats:
        """Return weights of the cases that give every group the prevalence it is priced at and keep its share.

        With these weights, all cases together have the rates and the prevalence of all groups together, so one threshold for all can be
        decided and resampled as for any other cases.

        Examples
        --------
        >>> import isocost as ic
        >>> groups = ic.Groups.from_scores([1, 0, 0, 1, 0], [5, 4, 3, 2, 1], ["a", "a", "a", "b", "b"])
        >>> groups.case_weights(ic.Condition(prevalence=0.5), prevalence="condition").round(12).tolist()
        [1.5, 0.75, 0.75, 1.0, 1.0]
        """
        at, rows = self.conditions(condition, prevalence=prevalence), self._held("case_weights")
        weight = np.ones(rows.positive.size) if rows.weights is None else rows.weights.astype(np.float64)
        factor = np.ones((len(self.names), 2))
        for g, (share, own) in enumerate(zip(self._points.prevalence.tolist(), at.values(), strict=True)):
            now = (1 - share, share)
            asked = (1 - own.prevalence, own.prevalence)
            factor[g] = [a / b if b > 0 and a != b else 1.0 for a, b in zip(asked, now, strict=True)]
        return np.asarray(weight * factor[rows.codes, rows.positive.astype(np.intp)])

    def decide(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        thresholds: Literal["each", "one"] = "each",
        prevalence: Prevalence = "own",
    ) -> GroupDecision:
        """Return the cheapest model and threshold of each group, or the one pair that is cheapest for all together.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        thresholds : {"each", "one"}
        """
        validate.choice(thresholds, "thresholds", ("each", "one"))
        priced = self._priced(condition, prevalence)
        return priced.each() if thresholds == "each" else priced.one()

    def cost_of_one_threshold(
        self, condition: Condition | Mapping[str, Condition], *, prevalence: Prevalence = "own"
    ) -> OneForAll:
        """Return how much more one model and one threshold for all groups cost than one for each."""
        each = self.decide(condition, thresholds="each", prevalence=prevalence)
        one = self.decide(condition, thresholds="one", prevalence=prevalence)
        more = {name: max(one[name].cost - each[name].cost, 0.0) for name in self.names}
        return OneForAll(sum(self.shares[name] * extra for name, extra in more.items()), more, each, one)

    def parity(
        self,
        condition: Condition | Mapping[str, Condition],
        criterion: Criterion = "tpr",
        tolerance: float = 0.0,
        randomised: bool = False,
        *,
        prevalence: Prevalence = "own",
    ) -> ParityChoice:
        """Return the cheapest rule under which a rate differs between groups by no more than a tolerance.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        criterion : {"tpr", "fpr", "flagged", "odds"}
            "flagged" is the share of cases flagged; "odds" is tpr and fpr, each within the tolerance.
        tolerance : float
            Between 0 and 1.
        randomised : bool
            Allow random mixtures of thresholds, which never cost more. Otherwise each group has one threshold.

        References
        ----------
        Hardt, Price & Srebro (2016), Equality of opportunity in supervised learning, NeurIPS 29.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.parity(ic.Condition(), "tpr", randomised=True)
        <ParityChoice: equal tpr costs 0 per 1000 cases (each group at its own share of positives)>
        """
        validate.choice(criterion, "criterion", CRITERIA)
        within = validate.number(tolerance, "tolerance", low=0.0, high=1.0)
        return self._priced(condition, prevalence).parity(
            criterion, within, randomised=validate.flag(randomised, "randomised")
        )

    def prices(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        criterion: Literal["tpr", "fpr", "flagged"],
        prevalence: Prevalence = "own",
    ) -> PriceCurve:
        """Return what equal rates cost at every tolerance, exactly, with thresholds mixed at random.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0, 1, 0, 1, 0], [8, 6, 7, 2, 5, 4, 1, 3]
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 4 + ["b"] * 4)
        >>> groups.prices(ic.Condition(), criterion="flagged")
        <PriceCurve: equal flagged share costs nothing>
        """
        validate.choice(criterion, "criterion", CRITERIA[:3])
        closing = self._priced(condition, prevalence).closing(criterion)
        return PriceCurve(criterion, *((np.zeros(1), np.zeros(1)) if closing is None else closing.curve()))

    def bootstrap(
        self,
        condition: Condition | Mapping[str, Condition],
        *,
        criterion: Criterion | None = None,
        tolerance: float = 0.0,
        randomised: bool = False,
        prevalence: Prevalence = "own",
        n_resamples: int = 200,
        rng: int | np.random.Generator | None = None,
    ) -> GroupBootstrap:
        """Resample the cases of each group and class, to say how sure costs, rates and prices are.

        Parameters
        ----------
        condition, prevalence
            As in `conditions`.
        criterion, tolerance, randomised : optional
            As in `parity`; without a criterion there is no rule of equal rates to ask about.
        n_resamples : int
        rng : int or Generator, optional
            Seed; 0 if not given.

        Examples
        --------
        >>> import isocost as ic
        >>> y, s = [1, 1, 0, 0] * 20, list(range(80))
        >>> groups = ic.Groups.from_scores(y, s, ["a"] * 40 + ["b"] * 40)
        >>> groups.bootstrap(ic.Condition(), n_resamples=50)
        <GroupBootstrap: 2 groups, 50 resamples, rules each, one>
        """
        at = self.conditions(condition, prevalence=prevalence)
        rules: dict[Rule, Callable[[Groups], Mapping[str, GroupChoice]]] = {
            "each": lambda groups: groups.decide(at).groups,
            "one": lambda groups: groups.decide(at, thresholds="one").groups,
        }
        if criterion is not None:
            validate.choice(criterion, "criterion", CRITERIA)
            rules["parity"] = lambda groups: groups.parity(at, criterion, tolerance, randomised).groups
        total = validate.whole(n_resamples, "n_resamples", low=1)
        return resample_groups(self, self._held("bootstrap"), at, rules, self._resampled, total, validate.entropy(rng))

    def _held(self, purpose: str) -> GroupRows:
        if self._rows is None:
            raise InputError(f"{purpose} needs the cases, which do not travel in a pickle: build the groups again")
        return self._rows

    def _resampled(self, mass: NDArray[Any]) -> Groups:
        """Return the groups of the same cases with other weights."""
        rows = self._held("bootstrap")
        points = points_by_group(rows.codes, len(self.names), rows.positive, list(rows.scores), mass)
        return replace(self, _points=points)

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"shares": self.shares}

    def _priced(self, condition: Condition | Mapping[str, Condition], prevalence: Prevalence) -> PricedGroups:
        at = self.conditions(condition, prevalence=prevalence)
        return PricedGroups(self.models, self._points, at, _prevalences(condition, prevalence))

    def __repr__(self) -> str:
        """Say how many there are."""
        groups, models = counted(len(self.names), "group"), counted(len(self.models), "model")
        return f"<Groups: {groups}, {models}, {self._cases} cases>"


def _prevalences(condition: Condition | Mapping[str, Condition], prevalence: Prevalence) -> str:
    if not isinstance(condition, Condition):
        return "each group at its own condition"
    return (
        "each group at its own share of positives"
        if prevalence == "own"
        else f"{100 * condition.prevalence:.4g} % positive in every group"
    )

"""How sure the costs, rates and prices of groups are: resamples within each group and class."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.comparison.group_results import GroupChoice
from isocost.conditions import Condition
from isocost.errors import FewCasesWarning, InputError, UnknownNameError
from isocost.inference.bands import quantiles
from isocost.inference.intervals import Interval
from isocost.resampling.replicates import JUDGES_OF_TWO, WEIGHT
from isocost.results.result import Result
from isocost.validate import Bools, Floats

if TYPE_CHECKING:
    from isocost.comparison.groups import Groups

Rule = Literal["each", "one", "parity"]
What = Literal["cost", "tpr", "fpr", "flagged", "extra_cost", "price"]
WHAT: tuple[What, ...] = ("cost", "tpr", "fpr", "flagged", "extra_cost", "price")
Choices = Mapping[str, GroupChoice]

_FEW = 20
# So many resamples choose their own rules, to see how much better a rule looks on the cases it was chosen on.
_CHOOSING = 200
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
    """Rules chosen on the data, judged on resamples of the cases of each group and class.

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
    # Of shape (resamples, 2, groups): fpr and tpr of each rule.
    _rates: dict[Rule, Floats]
    # The same of rules chosen anew, corrected for what choosing flatters, and of shape (2, groups) on cases left out.
    _corrected: dict[Rule, Floats]
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
        A rule looks better on the cases it was chosen on. Resamples that choose again show by how much: the estimate of a cost is what
        their rules cost on the cases they left out. Its limits have the spread of what rules cost on their own resample and on others,
        weighted as in `Bootstrap.honest`. For extra costs and prices, the rules of the data are resampled, and the limits span both the
        plain and the corrected ones. They may be negative: a price is at least 0 on the data even if it is really 0. A rate of the rule
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
        values, apparent, estimate = self._values(what, rule, group)
        if versus is not None:
            others, other, its = self._values(what, rule, versus)
            values, apparent, estimate = values - others, apparent - other, estimate - its
        tail = (1 - share) / 2
        low, high = quantiles(values[:, None], (tail, 1 - tail))[:, 0].tolist()
        how = "shares of a class, half a case added on either side"
        if what == "cost":
            centre = float(values.mean())
            low, high, how = (
                low - centre + estimate,
                high - centre + estimate,
                "chosen anew, paid for on cases left out",
            )
        elif what in ("extra_cost", "price"):
            shift = estimate - apparent
            low, high, how = min(low, low + shift), max(high, high + shift), "spanning plain and corrected limits"
        else:
            # A rate of 0 or 1 lies at the end of what it can be.
            low, high = min(low, estimate), max(high, estimate)
        names = (group or "all groups",) if versus is None else (str(group), versus)
        return Interval(low, high, estimate, apparent, share, what, names, how)

    def _values(self, what: What, rule: Rule, group: str | None) -> tuple[Floats, float, float]:
        """Return a number on every resample, on the data, and its estimate without optimism."""
        if what in ("extra_cost", "price"):
            more, less = (
                self._cost(r, group, self._rates[r]) for r in ("one" if what == "extra_cost" else "parity", "each")
            )
            return more[0] - less[0], more[1] - less[1], more[2] - less[2]
        if what == "cost":
            return self._cost(rule, group, self._corrected[rule])
        assert group is not None  # noqa: S101 - checked by the caller
        g = self.names.index(group)
        apparent = float(getattr(self._chosen[rule][group], what))
        if np.isnan(apparent):
            raise InputError(f"group {group!r} has no {what}: it has no case of that class")
        fpr, tpr = self._drawn(self._chosen[rule][group], g)
        pi = self._conditions[g].prevalence
        values = {"fpr": fpr, "tpr": tpr, "flagged": pi * tpr + (1 - pi) * fpr}[what]
        return values, apparent, apparent

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

    def _cost(self, rule: Rule, group: str | None, rates: Floats) -> tuple[Floats, float, float]:
        """Return what a rule costs at the rates of every resample, on the data, and on cases left out."""
        left_out = self._left_out[rule]
        costs = np.stack([at.expected_cost(rates[:, 0, g], rates[:, 1, g]) for g, at in enumerate(self._conditions)], 1)
        outside = np.array([at.expected_cost(*left_out[:, g].tolist()) for g, at in enumerate(self._conditions)])
        own = np.array([choice.cost for choice in self._chosen[rule].values()])
        if group is None:
            return costs @ self._shares, float(own @ self._shares), float(outside @ self._shares)
        g = self.names.index(group)
        return costs[:, g], float(own[g]), float(outside[g])

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
    """Judge the rules that are best on the data on every resample; the first ones choose their own too.

    `anew` makes the groups of the same cases with other weights.
    """
    chosen = {name: rule(groups) for name, rule in rules.items()}
    generator = np.random.default_rng(list(rng))
    many = len(groups.names)
    rates: dict[Rule, Floats] = {name: np.zeros((n_resamples, 2, many)) for name in rules}
    hits = {name: rows.flagged(groups.models, choices) for name, choices in chosen.items()}
    judges = {name: _Judges(rows, groups.models, many) for name in rules}
    choosing = min(_CHOOSING, n_resamples) + JUDGES_OF_TWO
    for k in range(max(n_resamples, choosing)):
        drawn = rows.multiplicities(generator)
        mass: NDArray[Any] = drawn if rows.weights is None else drawn * rows.weights
        if k < n_resamples:
            for name, hit in hits.items():
                rates[name][k] = rows.rates(hit, mass, many)
        if k < choosing:
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
        groups.names, n_resamples, tuple(rules), few, np.array(list(groups.shares.values())), tuple(at.values()), chosen, rates,
        {name: judge.corrected() for name, judge in judges.items()}, {name: judge.left_out() for name, judge in judges.items()},
        rows.worth(many), rng,
    )  # fmt: skip


class _Judges:
    """Rules that resamples choose anew: paid for on their own resample, on later ones, and on the cases they left out.

    The first few resamples only choose; each later one pays for the rules of those before it.
    """

    def __init__(self, rows: GroupRows, models: Sequence[str], groups: int) -> None:
        self.rows, self.models, self.groups = rows, models, groups
        self._recent: list[Floats] = []
        self._own: list[Floats] = []
        self._cross: list[Floats] = []
        self._outside = np.zeros((2, 2, groups))

    def add(self, choices: Choices, mass: NDArray[Any], outside: Bools) -> None:
        """Take in the rules chosen on one resample."""
        rows = self.rows
        hit = rows.flagged(self.models, choices)
        if len(self._recent) == JUDGES_OF_TWO:
            self._own.append(rows.rates(hit, mass, self.groups))
            self._cross.append(np.mean([rows.rates(other, mass, self.groups) for other in self._recent], axis=0))
        left: NDArray[Any] = outside if rows.weights is None else outside * rows.weights
        self._outside += rows.sums(hit, left, self.groups)
        self._recent = [*self._recent, hit][-JUDGES_OF_TWO:]

    def corrected(self) -> Floats:
        """Return rates on every resample whose mean is that of chosen rules on new cases."""
        weight = WEIGHT["chosen"]
        return np.asarray(weight * np.array(self._cross) - (weight - 1) * np.array(self._own))

    def left_out(self) -> Floats:
        """Return rates on cases left out; a class of one case is never left out, and has the mean of the corrected rates."""
        hit, total = self._outside
        return np.where(total > 0, hit / np.where(total > 0, total, 1.0), self.corrected().mean(axis=0))

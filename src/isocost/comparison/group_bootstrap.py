"""How sure the costs, rates and prices of groups are: resamples within each group and class."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from isocost import validate
from isocost.comparison.group_results import GroupChoice
from isocost.conditions import Condition
from isocost.errors import FewCasesWarning, InputError, UnknownNameError
from isocost.inference.bands import quantiles
from isocost.inference.intervals import Interval
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
# What a rule loses between its own cases and others grows with the noise to the power 2/3, and a resample has more noise than the data: the
# plain difference is 2^(-1/3) of the loss (Kim & Pollard 1990, doi:10.1214/aos/1176347498).
_SEEN = 2 ** (-1 / 3)


@dataclass(frozen=True, eq=False)
class GroupRows:
    """The cases behind groups: what resampling needs beyond the counts."""

    positive: Bools
    codes: NDArray[np.intp]
    scores: tuple[NDArray[Any], ...]
    weights: Floats | None

    def multiplicities(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return how often each case is drawn: with replacement, within its group and class."""
        cell = 2 * self.codes + self.positive
        order = np.argsort(cell, kind="stable")
        sizes = np.bincount(cell)
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        drawn = first + np.floor(rng.random(cell.size) * np.repeat(sizes, sizes)).astype(np.intp)
        return np.bincount(order[drawn], minlength=cell.size)

    def flagged(self, models: Sequence[str], choices: Choices) -> Floats:
        """Return with which probability each case is flagged."""
        found = np.zeros(self.positive.size)
        for g, choice in enumerate(choices.values()):
            own = np.flatnonzero(self.codes == g)
            for part in choice.mixture:
                found[own] += part.probability * (self.scores[models.index(part.model)][own] >= part.threshold)
        return found

    def rates(self, flagged: Floats, mass: NDArray[Any] | None, groups: int) -> tuple[Floats, Floats]:
        """Return fpr and tpr in each group, 0 for an absent class; `mass` is what each case counts, 1 if None."""
        weight = np.ones(flagged.size) if mass is None else mass
        found = []
        for label in (False, True):
            own = self.positive == label
            total = np.bincount(self.codes[own], weight[own], groups)
            hit = np.bincount(self.codes[own], (weight * flagged)[own], groups)
            found.append(hit / np.where(total > 0, total, 1.0))
        return found[0], found[1]


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
    # Of shape (resamples, groups): fpr and tpr of each rule.
    _rates: dict[Rule, tuple[Floats, Floats]]
    # What each rule's cost in each group is too low by.
    _optimism: dict[Rule, Floats]

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
            Of a rule: its cost per case, or a rate. "extra_cost": what one threshold for all costs more than one for each. "price": what
            equal rates cost.
        group : str, optional
            Of one group; all together if not given, which a rate cannot be.
        versus : str, optional
            Another group: the limits are for the difference.
        rule : {"each", "one", "parity"}
            For costs and rates.
        level : float

        Notes
        -----
        A rule looks better on the cases it was chosen on. Costs are shifted by that optimism, as resamples that choose anew show it. Of
        extra costs and prices the limits span both the shifted and the plain ones. They may be negative: a price is at least 0 on the data
        even where it is 0 in truth.
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
        if rule not in self.rules or (what == "price" and "parity" not in self.rules):
            raise InputError(
                f"no rule of equal rates was resampled: pass criterion= to bootstrap; here are {', '.join(self.rules)}"
            )
        values, apparent, shift = self._values(what, rule, group)
        if versus is not None:
            others, other, less = self._values(what, rule, versus)
            values, apparent, shift = values - others, apparent - other, shift - less
        tail = (1 - share) / 2
        low, high = quantiles(values[:, None], (tail, 1 - tail))[:, 0].tolist()
        estimate, how = apparent + shift, "percentiles"
        if what == "cost":
            low, high, how = (
                low + shift,
                high + shift,
                "corrected for optimism, as resamples that choose anew show it",
            )
        elif what in ("extra_cost", "price"):
            low, high, how = (
                min(low, low + shift),
                max(high, high + shift),
                "spanning plain and corrected limits",
            )
        names = (group or "all groups",) if versus is None else (str(group), versus)
        return Interval(low, high, estimate, apparent, share, what, names, how)

    def _values(self, what: What, rule: Rule, group: str | None) -> tuple[Floats, float, float]:
        """Return a number on every resample, on the data, and what is to be added to it for optimism."""
        if what in ("extra_cost", "price"):
            more = self._values("cost", "one" if what == "extra_cost" else "parity", group)
            less = self._values("cost", "each", group)
            return more[0] - less[0], more[1] - less[1], more[2] - less[2]
        fpr, tpr = self._rates[rule]
        if what == "cost":
            costs = np.stack([at.expected_cost(fpr[:, g], tpr[:, g]) for g, at in enumerate(self._conditions)], axis=1)
            own = np.array([choice.cost for choice in self._chosen[rule].values()])
            if group is None:
                return costs @ self._shares, float(own @ self._shares), float(self._optimism[rule] @ self._shares)
            g = self.names.index(group)
            return costs[:, g], float(own[g]), float(self._optimism[rule][g])
        assert group is not None  # noqa: S101 - checked by the caller
        g = self.names.index(group)
        apparent = float(getattr(self._chosen[rule][group], what))
        if np.isnan(apparent):
            raise InputError(f"group {group!r} has no {what}: it has no case of that class")
        if what == "flagged":
            pi = self._conditions[g].prevalence
            return pi * tpr[:, g] + (1 - pi) * fpr[:, g], apparent, 0.0
        return (tpr if what == "tpr" else fpr)[:, g], apparent, 0.0

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
    """Judge the rules that are best on the data on every resample, and see on the first ones what choosing anew would promise.

    `anew` makes the groups of the same cases with other weights.
    """
    chosen = {name: rule(groups) for name, rule in rules.items()}
    generator = np.random.default_rng(list(rng))
    many = len(groups.names)
    rates: dict[Rule, tuple[Floats, Floats]] = {
        name: (np.zeros((n_resamples, many)), np.zeros((n_resamples, many))) for name in rules
    }
    lost: dict[Rule, Floats] = {name: np.zeros(many) for name in rules}
    hits = {name: rows.flagged(groups.models, choices) for name, choices in chosen.items()}
    choosing = min(_CHOOSING, n_resamples)
    for k in range(n_resamples):
        mass: NDArray[Any] = rows.multiplicities(generator)
        mass = mass if rows.weights is None else mass * rows.weights
        for name, hit in hits.items():
            rates[name][0][k], rates[name][1][k] = rows.rates(hit, mass, many)
        if k < choosing:
            drawn = anew(mass)
            for name, rule in rules.items():
                promised = rule(drawn)
                fpr, tpr = rows.rates(rows.flagged(groups.models, promised), rows.weights, many)
                paid = [
                    condition.expected_cost(float(fpr[g]), float(tpr[g])) for g, condition in enumerate(at.values())
                ]
                lost[name] += (np.array(paid) - [choice.cost for choice in promised.values()]) / choosing
    sizes = np.bincount(2 * rows.codes + rows.positive, minlength=2 * many).reshape(many, 2).min(axis=1)
    few = tuple(name for name, size in zip(groups.names, sizes.tolist(), strict=True) if size < _FEW)
    if few:
        named = ", ".join(map(repr, few[:5])) + (f" and {len(few) - 5} more" if len(few) > 5 else "")
        text = f"Fewer than {_FEW} positives or negatives in {named}: intervals there cover less than their level"
        warnings.warn(text, FewCasesWarning, stacklevel=3)
    return GroupBootstrap(
        groups.names, n_resamples, tuple(rules), few, np.array(list(groups.shares.values())), tuple(at.values()), chosen, rates,
        {name: loss / _SEEN for name, loss in lost.items()},
    )  # fmt: skip

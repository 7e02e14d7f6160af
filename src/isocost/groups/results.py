"""Decisions about groups of cases: a choice per group, one rule for all, equal rates and their price."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost import numbers
from isocost.conditions import Condition
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.decide.say import in_brackets, say
from isocost.numbers import counted
from isocost.results import Columns, Drawn, Result, plain, stacked

Criterion = Literal["tpr", "fpr", "flagged", "odds"]
CRITERIA: tuple[Criterion, ...] = ("tpr", "fpr", "flagged", "odds")


@dataclass(frozen=True)
class MixturePart(Result):
    """One threshold of a rule that mixes several at random, and how often it is used.

    Attributes
    ----------
    probability : float
    model : str
    threshold : float
    fpr, tpr : float
    below : float
        The next score below the threshold; every threshold between the two flags the same cases.
    """

    probability: float
    model: str
    threshold: float
    fpr: float
    tpr: float
    below: float

    @property
    def nobody(self) -> bool:
        """Whether nobody is flagged, even where some scores are infinite."""
        return self.threshold == math.inf and self.fpr == 0 and self.tpr == 0

    @property
    def rule(self) -> str:
        """What to do, in words; the threshold as printed flags the same cases."""
        if self.nobody:
            return "flag nobody"
        return f"flag {self.model} ≥ {numbers.threshold(self.threshold, self.below)}"


@dataclass(frozen=True, repr=False)
class GroupChoice(Result):
    """What to do with the cases of one group.

    Attributes
    ----------
    group : str
    share : float
        Of all cases, by weight.
    model, threshold : str and float, or None
        None if several thresholds are mixed.
    fpr, tpr : float
        NaN if the group has no case of that class.
    flagged : float
        Share of the group's cases.
    cost : float
        Per case of the group, in the unit of the costs.
    condition : Condition
        What the group was priced at.
    positives, negatives : float
    mixture : tuple of MixturePart
        Its parts; a single part is one threshold.
    """

    group: str
    share: float
    model: str | None
    threshold: float | None
    fpr: float
    tpr: float
    flagged: float
    cost: float
    condition: Condition
    positives: float
    negatives: float
    mixture: tuple[MixturePart, ...]

    @property
    def randomised(self) -> bool:
        """Whether several thresholds are mixed."""
        return len(self.mixture) > 1

    def at(self, threshold: float, below: float) -> GroupChoice:
        """Return the same choice under another threshold that flags the same cases."""
        (part,) = self.mixture
        return replace(self, threshold=threshold, mixture=(replace(part, threshold=threshold, below=below),))

    @property
    def rule(self) -> str:
        """What to do, in words."""
        if not self.randomised:
            return self.mixture[0].rule
        parts = [f"{part.rule} with probability {numbers.digits(part.probability)}" for part in self.mixture]
        return " or ".join(parts)

    def __str__(self) -> str:
        return f"{self.group}: {self.rule}; {_money(self.cost)} per 1000 cases"

    __repr__ = in_brackets


class _OfGroups(Drawn):
    """A result with one choice per group."""

    _display = "GroupsDisplay"
    groups: Mapping[str, GroupChoice]

    def __getitem__(self, group: str) -> GroupChoice:
        return self.groups[checks.choice(group, "group", tuple(self.groups))]

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"groups": list(self.groups.values())}

    def _columns(self) -> Columns:
        return stacked(self.groups.values())

    @property
    def thresholds(self) -> dict[str, float | None]:
        """The threshold of each group; None where several are mixed."""
        return {name: choice.threshold for name, choice in self.groups.items()}


@dataclass(frozen=True, repr=False)
class GroupDecision(_OfGroups):
    """The cheapest rule for several groups, with one threshold each or one for all.

    Attributes
    ----------
    groups : dict of str to GroupChoice
    expected_cost : float
        Per case of all groups together.
    prevalence : str
        Which prevalences the groups were priced at, in words.
    """

    groups: Mapping[str, GroupChoice]
    expected_cost: float
    prevalence: str

    def __str__(self) -> str:
        lines = [f"{_money(self.expected_cost)} per 1000 cases ({self.prevalence})"]
        return "\n".join([*lines, *map(str, self.groups.values())])

    def __repr__(self) -> str:
        return f"<GroupDecision: {counted(len(self.groups), 'group')}, {_money(self.expected_cost)} per 1000 cases>"


@dataclass(frozen=True, repr=False)
class OneForAll(Result):
    """How much more one model and one threshold for all groups cost than one for each.

    Attributes
    ----------
    extra_cost : float
        Per case of all groups together.
    by_group : dict of str to float
        Per case of each group; never negative.
    each, one : GroupDecision
    """

    extra_cost: float
    by_group: Mapping[str, float]
    each: GroupDecision
    one: GroupDecision

    def __str__(self) -> str:
        return self.reported()

    def reported(self, interval: Sequence[float] | None = None, level: float = 0.9) -> str:
        """Say what it costs on these cases, or the interval of what it costs on new ones."""
        return _say("one_for_all", extra_cost=self.extra_cost, interval=interval, level=level)

    __repr__ = in_brackets


@dataclass(frozen=True, repr=False)
class ParityChoice(_OfGroups):
    """The cheapest rule under which rates differ between groups by no more than a tolerance, and what that costs.

    Attributes
    ----------
    groups : dict of str to GroupChoice
    criterion : str
    tolerance : float
    randomised : bool
        Whether thresholds may be mixed at random.
    expected_cost : float
        Per case of all groups together.
    price : float
        How much more it costs than the best threshold for each group.
    price_per_point : float or None
        What a little more tolerance would save, per percentage point; None if thresholds are not mixed, because the price then has steps.
    gap : float
        The largest difference of rates that remains.
    left_out : tuple of str
        Groups without a case of the class that the rate is about.
    unconstrained : GroupDecision
    """

    groups: Mapping[str, GroupChoice]
    criterion: Criterion
    tolerance: float
    randomised: bool
    expected_cost: float
    price: float
    price_per_point: float | None
    gap: float
    left_out: tuple[str, ...]
    unconstrained: GroupDecision

    def reported(
        self, cost: Mapping[str, Any] | None = None, price: Sequence[float] | None = None, level: float = 0.9
    ) -> str:
        """Say which rule it is and what it costs, here or with intervals of cost and price on new cases."""
        own = {k: v for k, v in self.to_dict().items() if k not in ("groups", "unconstrained")}
        found = own | {"new": cost, "interval": price, "level": level, "prevalence": self.unconstrained.prevalence}
        found |= {"points": 100 * self.tolerance, "apart": 100 * self.gap}
        return _say("parity", parity=found)

    def __str__(self) -> str:
        return "\n".join([self.reported(), *map(str, self.groups.values())])

    def __repr__(self) -> str:
        return f"<ParityChoice: {self.criterion} within {self.tolerance:g}, {_money(self.price)} more per 1000 cases>"


@dataclass(frozen=True, eq=False, repr=False)
class PriceCurve(Drawn):
    """What equal rates cost at every tolerance, with thresholds mixed at random; call it with a tolerance or an array of them.

    Attributes
    ----------
    criterion : str
    tolerance, price : ndarray
        The breaks, from tolerance 0 up to where the price is 0; it is straight between them, convex and falling.
    """

    _display = "PriceCurveDisplay"

    criterion: Criterion
    tolerance: Floats
    price: Floats

    def __call__(self, tolerance: ArrayLike) -> Any:
        """Return the price per case at a tolerance, or at each of several."""
        price = np.interp(checks.rates(tolerance, "tolerance"), self.tolerance, self.price)
        return float(price) if price.ndim == 0 else price

    def __str__(self) -> str:
        found = {"criterion": self.criterion, "price": float(self.price[0]), "points": 100 * self.tolerance[-1]}
        return _say("parity_prices", parity=found)

    __repr__ = in_brackets


def _say(key: str, **data: Any) -> str:
    """Return a sentence in the usual words."""
    return say(key, plain(data))


def _money(cost: float) -> str:
    """Return what 1000 cases cost."""
    return numbers.money(1000 * cost)

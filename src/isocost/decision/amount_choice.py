"""The threshold, and the model, of lowest cost when each case has costs of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass

from isocost.decision.numbers import amount, digits, percent, threshold
from isocost.results.frames import Columns, stacked
from isocost.results.result import Result


@dataclass(frozen=True, repr=False)
class AmountChoice(Result):
    """A threshold and what it costs when each case has its own costs.

    Attributes
    ----------
    threshold : float
        Flag a case when its score ≥ it; inf flags nobody, -inf everybody.
    total, per_case : float
        Cost of all cases together and per case, in the unit of the costs, with misses counted `multiplier` times.
    savings : float
        1 - total/(total of the cheaper trivial classifier); it can reach 1 only if correct decisions cost nothing.
    flagged : float
        Share of all cases flagged.
    amount_caught, amount_alarmed : float
        Share of what misses could cost that is caught, and of what false alarms could cost that is spent on them: tpr and fpr of the
        curve of amounts.
    multiplier : float
        The multiplier at which the threshold was chosen.
    multiplier_low, multiplier_high : float
        The range of multipliers over which it stays the cheapest.

    Examples
    --------
    >>> import isocost as ic
    >>> costs = ic.RowCosts.from_columns([1, 0, 1, 0], cost_fp=10, cost_fn=[200, 0, 15, 0])
    >>> for choice in costs.envelope([0.9, 0.7, 0.5, 0.1]):
    ...     print(choice.threshold, round(choice.multiplier_low, 4), round(choice.multiplier_high, 4))
    0.9 0.0 0.6667
    0.5 0.6667 inf
    """

    threshold: float
    total: float
    per_case: float
    savings: float
    flagged: float
    amount_caught: float
    amount_alarmed: float
    multiplier: float
    multiplier_low: float
    multiplier_high: float

    @property
    def rule(self) -> str:
        """What to do, in words."""
        if self.is_trivial:
            return "flag everybody" if self.flagged else "flag nobody"
        return f"flag scores ≥ {threshold(self.threshold)}"

    @property
    def is_trivial(self) -> bool:
        """Whether it flags nobody, or everybody; where a score is infinite, "≥ ∞" flags somebody."""
        return self.flagged == 0 or self.threshold == -math.inf

    def __str__(self) -> str:
        """Say what to do, in words."""
        return (
            f"{self.rule}: {self.per_case:.6g} a case; catches {self.amount_caught:.1%} of the amount at stake with "
            f"{self.flagged:.1%} of the cases flagged; cheapest while misses count {self.multiplier_low:.4g} to "
            f"{self.multiplier_high:.4g} times"
        )

    def __repr__(self) -> str:
        """Say what to do, in words."""
        return f"<AmountChoice: {self}>"


@dataclass(frozen=True, repr=False)
class AmountDecision(Result):
    """The cheapest of several models when each case has its own costs.

    Attributes
    ----------
    choices : dict of str to AmountChoice
        The best threshold of each model.
    flag_nobody, flag_everybody : float
        Cost per case of each, in the unit of the costs.
    unit : str
        The unit in which costs are printed.

    Examples
    --------
    >>> import isocost as ic
    >>> costs = ic.RowCosts.from_columns([1, 0, 1, 0], cost_fp=10, cost_fn=[200, 0, 15, 0])
    >>> print(costs.decide({"a": [0.9, 0.7, 0.5, 0.1], "b": [0.9, 0.6, 0.5, 0.7]}))
    Deploy a: flag scores ≥ 0.5. Cost 2500 per 1000 cases: 1250 less than b, the next best model, 2500 less than flagging everybody ...
    """

    choices: dict[str, AmountChoice]
    flag_nobody: float
    flag_everybody: float
    unit: str = ""

    @property
    def model(self) -> str | None:
        """The cheapest model; None if the best it can do is to flag everybody or nobody."""
        best = min(self.choices, key=lambda name: self.choices[name].total)
        return None if self.choices[best].is_trivial else best

    @property
    def choice(self) -> AmountChoice:
        """The cheapest threshold: that of `model`, or a trivial one."""
        return min(self.choices.values(), key=lambda choice: choice.total)

    def __str__(self) -> str:
        """Say what to do, what it costs and how far that holds."""
        choice, model = self.choice, self.model
        others = {name: found.per_case for name, found in self.choices.items() if name != model}
        rivals = {"flagging everybody": self.flag_everybody, "flagging nobody": self.flag_nobody}
        same = [name for name, cost in {**others, **rivals}.items() if cost == choice.per_case]
        if others and model is not None:
            nearest = min(others, key=lambda name: others[name])
            rivals = {f"{nearest}, the next best model": others[nearest], **rivals}
        said = [
            f"{self._money(cost - choice.per_case)} less than {name}"
            for name, cost in rivals.items()
            if cost > choice.per_case
        ]
        compared = f": {', '.join(said[:-1])}{' and ' if said[:-1] else ''}{said[-1]}" if said else ""
        counted = "" if choice.multiplier == 1 else f" with misses counted {choice.multiplier:g} times"
        names = " and ".join(same)
        if same and same[0] not in others:
            names = names.capitalize()
        tied = f" {names} {'costs' if len(same) == 1 else 'cost'} the same." if model and same else ""
        return (
            f"Deploy {model or 'no model'}: {choice.rule}.{tied} Cost {self._money(choice.per_case)} per 1000 cases{counted}{compared}. "
            f"It flags {percent(choice.flagged)} of cases and catches {percent(choice.amount_caught)} of what misses could cost. "
            f"This threshold stays best while misses count {_between(choice.multiplier_low, choice.multiplier_high)}."
        )

    def __repr__(self) -> str:
        """Say what to do, in words."""
        return f"<AmountDecision: {self}>"

    def _money(self, per_case: float) -> str:
        return amount(1000 * per_case, self.unit)

    def _columns(self) -> Columns:
        return stacked(
            {"model": name, **choice._data()}
            for name, choice in sorted(self.choices.items(), key=lambda item: item[1].total)
        )


def _between(low: float, high: float) -> str:
    """Return a range of multipliers in words."""
    if math.isinf(high):
        return "any number of times" if low == 0 else f"at least {_times(low)}"
    return f"at most {_times(high)}" if low == 0 else f"{digits(low)} to {digits(high)} times"


def _times(x: float) -> str:
    return "once" if digits(x) == "1" else f"{digits(x)} times"

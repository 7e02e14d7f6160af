"""How far conditions may drift before another choice is cheaper."""

from __future__ import annotations

from dataclasses import dataclass

from isocost.conditions import Condition
from isocost.conditions.ranges import Pair, TRange, drift_of_cost_ratio, drift_of_prevalence
from isocost.decision.numbers import digits
from isocost.results.result import Result


@dataclass(frozen=True)
class Drift(Result):
    """How far the condition may move, everything else fixed, before the decision is no longer the cheapest.

    Attributes
    ----------
    t : TRange
        The range of t; for uncertain conditions, of the t at their means.
    cost_ratio : (low, high) or None
        Range of cost_fn/cost_fp, how many false alarms one miss costs, at the condition's prevalence; None if no costs are known.
    prevalence : (low, high) or None
        Range of the prevalence at the condition's costs; None if no costs are known, or if limits move with it.
    """

    t: TRange
    cost_ratio: Pair | None
    prevalence: Pair | None

    @classmethod
    def around(cls, span: TRange, condition: Condition | None, *, limited: bool = False) -> Drift:
        """Return a range of t, also as cost ratios and prevalences if the condition has costs."""
        if condition is None:
            return cls(span, None, None)
        prevalence = None if limited else drift_of_prevalence(span, condition)
        return cls(span, drift_of_cost_ratio(span, condition), prevalence)

    def __str__(self) -> str:
        """Say the ranges in words."""
        said = [f"t {digits(self.t.t_low)} to {digits(self.t.t_high)}"]
        if self.cost_ratio is not None:
            said.append(f"a miss costs {digits(self.cost_ratio[0])} to {digits(self.cost_ratio[1])} false alarms")
        if self.prevalence is not None:
            said.append(f"{digits(100 * self.prevalence[0])} to {digits(100 * self.prevalence[1])} % positive")
        return ", or ".join(said)

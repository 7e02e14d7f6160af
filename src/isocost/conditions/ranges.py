"""A range of t, and the same range in the words of the person who decides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from isocost import validate
from isocost.conditions import Condition
from isocost.errors import ConditionError
from isocost.results import Result

Pair = tuple[float, float]


class Spans(Result):
    """What every result with a `t_low` and a `t_high` can say about that range."""

    t_low: float
    t_high: float

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"pcf_low": self.pcf_low, "pcf_high": self.pcf_high}

    @property
    def pcf_low(self) -> float:
        """Lowest pcf = 1 - t of the range."""
        return 1 - self.t_high

    @property
    def pcf_high(self) -> float:
        """Highest pcf = 1 - t of the range."""
        return 1 - self.t_low

    def cost_ratio(self, prevalence: float) -> Pair:
        """Return the lowest and highest cost_fn/cost_fp of the range when `prevalence` of the cases are positive.

        (1-t)/t · (1-prevalence)/prevalence: how many false alarms one miss costs. 0 and inf stand for t = 1 and t = 0.
        """
        pi = _inside(prevalence)
        return _ratio(self.t_high, pi), _ratio(self.t_low, pi)

    def prevalence(self, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Pair:
        """Return the lowest and highest prevalence of the range when errors cost `cost_fp` and `cost_fn`."""
        even = Condition(cost_fp, cost_fn, 0.5)
        return _prevalence(self.t_high, even), _prevalence(self.t_low, even)


@dataclass(frozen=True)
class TRange(Spans):
    """Conditions from `t_low` to `t_high`.

    Examples
    --------
    >>> from isocost.compare import TRange
    >>> span = TRange(0.25, 0.5)
    >>> span.pcf_low, span.pcf_high
    (0.5, 0.75)
    >>> span.cost_ratio(prevalence=0.5)
    (1.0, 3.0)
    >>> span.prevalence(cost_fp=1, cost_fn=3)
    (0.25, 0.5)
    """

    t_low: float
    t_high: float

    def __contains__(self, t: object) -> bool:
        """Return whether t lies in the range, ends included."""
        return isinstance(t, int | float) and self.t_low <= t <= self.t_high


def drift_of_cost_ratio(span: Spans, condition: Condition) -> Pair:
    """Return how far cost_fn/cost_fp may go at the condition's prevalence before t leaves the range."""
    if not 0 < condition.prevalence < 1:
        return 0.0, math.inf  # with one class alone t does not depend on the costs
    return span.cost_ratio(condition.prevalence)


def drift_of_prevalence(span: Spans, condition: Condition) -> Pair:
    """Return how far the prevalence may go at the condition's costs before t leaves the range."""
    if condition.fp_gap == 0 or condition.fn_gap == 0:
        return 0.0, 1.0  # when only one kind of error costs anything, t does not depend on the prevalence
    return span.prevalence(condition.fp_gap, condition.fn_gap)


def _inside(prevalence: float) -> float:
    pi = validate.number(prevalence, "prevalence", low=0.0, high=1.0, error=ConditionError)
    if not 0 < pi < 1:
        raise ConditionError(f"a cost ratio needs a prevalence strictly between 0 and 1, got {prevalence!r}")
    return pi


def _ratio(t: float, prevalence: float) -> float:
    return math.inf if t == 0 else (1 - t) / t * (1 - prevalence) / prevalence


def _prevalence(t: float, costs: Condition) -> float:
    if costs.fp_gap == 0 or costs.fn_gap == 0:
        raise ConditionError(
            f"a prevalence needs both errors to cost something, got cost_fp={costs.fp_gap:g}, cost_fn={costs.fn_gap:g}"
        )
    misses = costs.fp_gap * (1 - t)
    return misses / (misses + costs.fn_gap * t)

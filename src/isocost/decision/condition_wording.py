"""Conditions, and how far they may move, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from isocost.conditions import Condition, Conditions
from isocost.conditions.quantities import Even
from isocost.decision.numbers import digits, share

if TYPE_CHECKING:
    from isocost.conditions.ranges import Pair
    from isocost.decision.decision import Decision
    from isocost.decision.drift import Drift
    from isocost.decision.present import ImpliedCosts


def condition(decision: Decision) -> str:
    """Return what the rule is priced for; of ranges and beliefs, with the means it was priced at."""
    over, mean = decision.asked.over, decision.condition
    if over is None:
        return "no costs given"
    if isinstance(over, Condition):
        return _certain(over)
    if mean is None:
        low, high, average = (digits(1 - t) for t in (over.high, over.low, over.mean))
        return f"PCF(+) {low}" if over.low == over.high else f"PCF(+) {low} to {high}, {average} on average"
    unsure = any(quantity.low != quantity.high for quantity in (over.quantities or {}).values())
    return _means(over, mean) if unsure else _certain(mean)


def _certain(condition: Condition) -> str:
    """Say the ratio of costs and the prevalence."""
    alarm, miss = condition.fp_gap, condition.fn_gap
    positive = f"{digits(100 * condition.prevalence, 4)} % positive"
    if alarm == 0:
        return f"a false alarm costs nothing, {positive}"
    if miss == 0:
        return f"a miss costs nothing, {positive}"
    if alarm == miss:
        return f"a miss costs as much as a false alarm, {positive}"
    if miss > alarm:
        return f"a miss costs {_alarms(digits(miss / alarm, 4))}, {positive}"
    more = digits(alarm / miss, 4)
    return f"a false alarm costs {more} {'miss' if more == '1' else 'misses'}, {positive}"


def _means(over: Conditions, mean: Condition) -> str:
    """Say each uncertain quantity with its range and its mean."""
    words = {
        "cost_fp": "a false alarm costs",
        "cost_fn": "a miss costs",
        "cost_tp": "a catch costs",
        "cost_tn": "a correct rejection costs",
    }
    parts = []
    for name, quantity in (over.quantities or {}).items():
        unsure = quantity.low != quantity.high
        if name == "prevalence":
            own = share(mean.prevalence)
            ends = f"{_range(quantity.low, quantity.high, scale=100)} %"
            even = f"{ends} positive, {own} on average"
            average = even if isinstance(quantity, Even) else f"{own} positive on average"
            parts.append(average if unsure else f"{own} positive")
        elif unsure:
            ends = f"{_range(quantity.low, quantity.high)}, " if isinstance(quantity, Even) else ""
            parts.append(f"{words[name]} {ends}{digits(quantity.mean)} on average")
        elif name in ("cost_fp", "cost_fn") or quantity.mean != 0:
            parts.append(f"{words[name]} {digits(quantity.mean)}")
    return "; ".join(parts)


def _range(low: float, high: float, *, scale: float = 1.0) -> str:
    return f"{digits(scale * low)}–{digits(scale * high)}"


def drift(drift: Drift) -> str:
    """Say how far costs may move, or else the prevalence."""
    texts = []
    if drift.cost_ratio is not None:
        texts.append(f"{_costs(drift.cost_ratio)} (at this prevalence)")
    if drift.prevalence is not None:
        texts.append(f"{_share(drift.prevalence)} (at these costs)")
    if not texts:
        return f"PCF(+) is between {digits(drift.t.pcf_low)} and {digits(drift.t.pcf_high)} on average"
    return ", or ".join(texts)


def _costs(ratio: Pair) -> str:
    low, high = ratio
    if low == 0 and math.isinf(high):
        return "whatever errors cost"
    if math.isinf(high):
        return f"a miss costs at least {_alarms(digits(low))}"
    if low == 0:
        return f"a miss costs at most {_alarms(digits(high))}"
    return f"a miss costs {digits(low)} to {digits(high)} false alarms"


def _alarms(many: str) -> str:
    return f"{many} false alarm{'' if many == '1' else 's'}"


def _share(prevalence: Pair) -> str:
    low, high = (100 * p for p in prevalence)
    if (low, high) == (0, 100):
        return "whatever the prevalence"
    if low == 0:
        return f"at most {digits(high)} % are positive"
    if high == 100:
        return f"at least {digits(low)} % are positive"
    return f"{digits(low)} to {digits(high)} % are positive"


def kept_while(low: float, high: float) -> str:
    """Return between which prevalences limits are kept."""
    if low <= 0 and high >= 1:
        return "The limits are kept at every prevalence."
    if high >= 1:
        return f"The limits are kept from a prevalence of {share(low)} on."
    if low <= 0:
        return f"The limits are kept up to a prevalence of {share(high)}."
    return f"The limits are kept while the prevalence is {share(low)} to {share(high)}."


def implied(found: ImpliedCosts) -> str:
    """Return which costs a rule in use assumes."""
    rule = f"The rule in use (score ≥ {digits(found.threshold, 6)})"
    if found.low is None or found.high is None:
        better = "" if found.cheaper is None else f" Cheaper at every cost: {found.cheaper.rule}."
        return f"{rule} is not the cheapest of its model at any costs.{better}"
    if found.low == 0 and math.isinf(found.high):
        return f"{rule} is the cheapest of its model whatever errors cost."
    if math.isinf(found.high):
        return f"{rule} acts as if a miss cost at least {_alarms(digits(found.low))}."
    if found.low == 0:
        return f"{rule} acts as if a miss cost at most {_alarms(digits(found.high))}."
    return f"{rule} acts as if a miss cost {digits(found.low)} to {digits(found.high)} false alarms."

"""What scores that were counted together in groups leave open about a choice or a decision, in plain words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from isocost.conditions.ranges import Pair
from isocost.decision.condition_wording import drift
from isocost.decision.cost_wording import cost, estimate
from isocost.decision.numbers import percent

if TYPE_CHECKING:
    from isocost.decision.choice import Choice
    from isocost.decision.decision import Alternative, Decision


def ends_of(*texts: str) -> str:
    """Return what lies between two texts, or the one that both are."""
    return " to ".join(dict.fromkeys(texts))


def listed(parts: Sequence[str]) -> str:
    """Return several things as one text."""
    *before, last = parts
    return f"{', '.join(before)}{' and ' if before else ''}{last}"


def amount_of(decision: Decision, per_case: float) -> str:
    """Return a cost per case as it is said: per 1000 cases in the unit, or normalised."""
    return cost(per_case, unit_said(decision))


def unit_said(decision: Decision) -> str | None:
    """Return the unit in which costs are said; None where they are normalised."""
    return None if decision.expected_cost is None else decision.asked.words.unit


def unit_cost(decision: Decision) -> float:
    """Return what a normalised cost of 1 is per case in the unit; 1 without one."""
    return 1.0 if decision.condition is None else decision.condition.worst_cost - decision.condition.best_cost


def width(decision: Decision) -> float:
    """Return how much less the rule may cost, normalised, because its threshold divides a bucket; 0 if it does not."""
    pricing = decision.asked.pricing
    if pricing is None or decision._fpr_low is None or decision.tpr_high is None:
        return 0.0
    low = pricing.normalised(decision._fpr_low, decision.tpr_high)
    return max(float(decision.normalised_cost or 0.0) - low, 0.0)


def spans(choice: Choice) -> tuple[Pair, Pair, Pair]:
    """Return what fpr, tpr and the share flagged lie between: one number twice unless the threshold divides a bucket."""
    if choice._fpr_low is None or choice.tpr_high is None:
        return (choice.fpr,) * 2, (choice.tpr,) * 2, (choice.flagged,) * 2
    fpr, tpr = (choice._fpr_low, choice.fpr), (choice.tpr, choice.tpr_high)
    pi = math.nan if choice.prevalence is None else choice.prevalence
    fewest, most = (pi * y + (1 - pi) * x for x, y in zip(fpr, tpr, strict=True))
    return fpr, tpr, (fewest, most)


def inside_a_group(choice: Choice) -> list[str]:
    """Say what a threshold that divides a bucket does and costs, from the best to the worst case."""
    (least, alarms), (caught, most), _ = spans(choice)
    shares = ends_of(f"{caught:.1%}", f"{most:.1%}"), ends_of(f"{least:.1%}", f"{alarms:.1%}")
    parts = [f"catches {shares[0]} of positives, flags {shares[1]} of negatives"]
    if choice.condition is not None:
        paid = (choice.condition.expected_cost(x, y) for x, y in ((least, most), (alarms, caught)))
        parts.append(f"expected cost {ends_of(*(f'{each:.4g}' for each in paid))} a case")
    elif choice.normalised_cost is not None:
        low = choice.normalised_cost if choice.normalised_cost_low is None else choice.normalised_cost_low
        parts.append(f"normalised cost {ends_of(f'{low:.4g}', f'{choice.normalised_cost:.4g}')} on average")
    return [*parts, "scores were grouped, and the threshold lies inside a group"]


def less_inside_a_group(decision: Decision, rival: Alternative) -> str:
    """Say how much less than a rival a rule costs whose threshold divides a bucket; empty if it does not."""
    open_by, extra = width(decision), float(rival.extra or 0.0)
    if open_by == 0:
        return ""
    least = extra if rival.extra_low is None else rival.extra_low
    ends = [least, extra + open_by] if least > 0 else [extra + open_by]
    said = ends_of(*(amount_of(decision, end * unit_cost(decision)) for end in ends))
    return f"{'' if least > 0 else 'at most '}{said} less"


def changes(low: float, high: float, unit: str) -> str:
    """Say what leaving present practice saves per case, from the least to the most."""
    ends = [cost(abs(end), unit) for end in (low, high)]
    if low < 0 < high:
        return f"changing costs up to {ends[0]}, or saves up to {ends[1]} (scores were grouped)"
    ends = ends if low >= 0 else ends[::-1]
    return f"changing {'saves' if low >= 0 else 'costs'} {ends_of(*ends)} (scores were grouped)"


def buckets(decision: Decision) -> str:
    """Say what scores counted together in buckets leave open, as opposed to what the sample does."""
    cheaper = [a.model for a in decision.alternatives if a.extra_low is not None and a.extra_low < 0]
    text = _finer(decision)
    if cheaper:
        return f"{text} {listed(cheaper)} could be the cheapest model. Counting finer would tell; more data would not."
    text = f"{text} No other model can be cheaper."
    if decision.asked.method in ("score_driven", "rate_driven") or decision.asked.reviews is not None:
        return text
    wide = decision.model_drift
    if wide is None or wide.t.t_low == wide.t.t_high:
        return f"{text} How far costs may move before that changes is not known."
    if wide.t.t_low <= 0 and wide.t.t_high >= 1:
        return f"{text} That holds at all costs{'' if wide.prevalence is None and wide.cost_ratio else ' and prevalences'}."
    return f"{text} That holds while {drift(wide)}, and perhaps beyond."


def _finer(decision: Decision) -> str:
    """Say what thresholds inside groups could save, or that the one in use lies inside one."""
    if decision._fpr_low is not None:
        return "Scores were grouped, and this threshold lies inside a group: how many of its cases are flagged is not known."
    if decision.asked.method in ("score_driven", "fixed"):
        return "Scores were grouped, and thresholds of other models lie inside groups."
    saved = float(decision.normalised_cost or 0.0) - float(decision.normalised_cost_low or 0.0)
    if saved > 0:
        saving = estimate(saved * unit_cost(decision), unit_said(decision))
        return f"Scores were grouped: a finer threshold could save up to {saving}."
    return "Scores were grouped, and no finer threshold is cheaper here."


def hidden_catch(decision: Decision) -> str:
    """Say how many more positives thresholds inside buckets could catch within the limits."""
    more = [a.model for a in decision.alternatives if a.tpr_high is not None and a.tpr_high > decision.tpr]
    if decision.tpr_high is None and not more:
        return ""
    caught = (decision.tpr_high, *(a.tpr_high for a in decision.alternatives))
    high = max(most for most in caught if most is not None)
    text = f"Scores were grouped: a finer threshold could catch up to {percent(high)} of positives."
    return f"{text} {listed(more)} could catch most. Counting finer would tell; more data would not." if more else text

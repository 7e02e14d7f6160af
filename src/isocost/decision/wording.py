"""Every sentence about a choice or a decision: plain functions from results to text; the page has a twin of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from isocost.conditions import Condition
from isocost.decision import cost_wording, review_wording
from isocost.decision.condition_wording import condition, drift, implied, kept_while
from isocost.decision.group_wording import (
    amount_of,
    buckets,
    changes,
    ends_of,
    hidden_catch,
    inside_a_group,
    less_inside_a_group,
    listed,
    spans,
    unit_cost,
    unit_said,
    width,
)
from isocost.decision.label_wording import advice, more_labels
from isocost.decision.numbers import amount, digits, percent, share
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, TRIVIAL_NAMES

if TYPE_CHECKING:
    from isocost.decision.choice import Choice
    from isocost.decision.decision import Alternative, Decision
    from isocost.decision.surety import Surety
    from isocost.decision.uncertain import Uncertain

DOING = {ALWAYS_NEGATIVE: "flagging nobody", ALWAYS_POSITIVE: "flagging everybody"}
_LIMITS = {
    "max_flagged": "flags at most {} of cases",
    "min_precision": "has at least {} of the flagged {positive}",
    "max_fpr": "flags at most {} of negatives",
    "min_tpr": "catches at least {} of positives",
}
_SET = {
    "score_driven": "Thresholds are set by taking scores for probabilities.",
    "rate_driven": "Thresholds are set to flag the share of cases that costs ask for.",
    "fixed": "Every model keeps the threshold given.",
}
GRADES = {"clear": "Clear", "leaning": "Leaning", "open": "Open"}


def decision(decision: Decision) -> str:
    """Return the whole answer, a line for each thing asked."""
    said = says(decision)
    first = " ".join(text for text in (said["rule"], said["aim"]) if text)
    lines = [first, *(said[key] for key in ("price", "sure", "holds", "follows", "current")), *decision.warnings]
    return "\n".join(line for line in lines if line)


def says(decision: Decision) -> dict[str, str]:
    """Return every sentence by what it answers; empty where there is nothing to say."""
    return {
        "rule": rule(decision),
        "aim": aim(decision),
        "price": price(decision),
        "sure": sure(decision),
        "holds": holds(decision),
        "follows": follows(decision),
        "current": current(decision),
    }


def verdict(decision: Decision) -> str:
    """Return what to do and what it costs, on one line, without capital and full stop."""
    text = rule(decision).rstrip(".")
    assumed = "no costs given, assumed: " if decision.asked.assumed else ""
    return f"{text[0].lower()}{text[1:]}; {_cost(decision)} ({assumed}{condition(decision)})"


def choice(choice: Choice) -> str:
    """Return what one model's rule does and costs."""
    who = f"{choice.model}: " if choice.model is not None else ""
    if choice._fpr_low is not None:
        return "; ".join([f"{who}{choice.rule}", *inside_a_group(choice)])
    parts = [f"{who}{choice.rule}", f"catches {choice.tpr:.1%} of positives, flags {choice.fpr:.1%} of negatives"]
    if choice.expected_cost is not None:
        parts.append(f"expected cost {choice.expected_cost:.4g} a case")
    elif choice.normalised_cost is not None:
        parts.append(f"normalised cost {choice.normalised_cost:.4g} on average")
    if choice.tpr_high is not None:
        parts.append(
            f"scores were grouped: a finer threshold could catch up to {choice.tpr_high - choice.tpr:.2g} more"
        )
    if choice.normalised_cost_low is not None and choice.normalised_cost is not None:
        less = choice.normalised_cost - choice.normalised_cost_low
        if less > 0:
            parts.append(f"scores were grouped: a finer threshold could save up to {less:.2g} of normalised cost")
    return "; ".join(parts)


def rule(decision: Decision) -> str:
    """Return what to do with a case."""
    who = "no model" if decision.model in TRIVIAL_NAMES else str(decision.model)
    return f"Deploy {who}: {decision.rule}{_ties(decision)}."


def _ties(decision: Decision) -> str:
    if not decision.tied:
        return ""
    same = {a.model for a in decision.alternatives if a.identical}
    twins, others = [n for n in decision.tied if n in same], [n for n in decision.tied if n not in same]
    parts = []
    if twins:
        parts.append(f"{listed(twins)} {'is' if len(twins) == 1 else 'are'} identical on these cases")
    if others:
        verb = "costs" if len(others) == 1 else "cost"
        equal = "catches as many" if decision.asked.aim == "most_caught" else f"{verb} the same"
        parts.append(f"{listed([DOING.get(n, n) for n in others])} {equal}")
    return f" ({'; '.join(parts)})"


def aim(decision: Decision) -> str:
    """Return how it was chosen, where costs alone did not decide."""
    asked = decision.asked
    limits = " and ".join(
        _LIMITS[kind].format(share(value), positive=asked.words.positive) for kind, value in asked.limits.given.items()
    )
    if asked.aim == "most_caught":
        return f"No costs given. Of all rules that {_plural(limits)} it catches most positives."
    if asked.aim == "least_worst":
        return "Its cost in the worst of the conditions is the lowest."
    if asked.assumed and decision.prevalence is not None:
        return f"No costs given. Assumed: equal costs, {share(decision.prevalence)} {asked.words.positive}."
    if limits:
        return f"It is the cheapest rule that {limits}."
    return _SET.get(asked.method, "")


def _plural(text: str) -> str:
    for one, many in (("flags", "flag"), ("has", "have"), ("catches", "catch")):
        text = text.replace(f"{one} at", f"{many} at")
    return text


def _cost(decision: Decision) -> str:
    less, unit = width(decision), decision.asked.words.unit
    if decision.per_1000 is not None:
        ends = decision.per_1000 - 1000 * less * unit_cost(decision), decision.per_1000
        return f"expected cost {ends_of(*(amount(end, unit) for end in ends))} per 1000 cases"
    if decision.normalised_cost is not None:
        ends = decision.normalised_cost - less, decision.normalised_cost
        return f"mean normalised cost {ends_of(*(digits(end, 4) for end in ends))}"
    return f"catches {percent(decision.tpr)} of positives and flags {percent(decision.fpr)} of negatives"


def price(decision: Decision) -> str:
    """Return what it costs, against what."""
    span = None if decision.surety is None else decision.surety.interval
    about = [] if decision.asked.aim == "most_caught" else [condition(decision)]
    if span is not None and decision.surety is not None and cost_wording.varies(span):
        about.insert(0, f"{share(decision.surety.level)} interval {cost_wording.span(span, unit_said(decision))}")
    text = _cost(decision)
    text = f"{text[0].upper()}{text[1:]}" + (f" ({'; '.join(about)})" if about else "")
    rivals = _compared(decision)
    done = "" if decision.normalised_cost is None else _does(decision)
    return f"{text}{': ' if rivals else ''}{rivals}.{done}"


def _does(decision: Decision) -> str:
    fpr, tpr, flagged = spans(decision)
    caught = ends_of(*map(percent, tpr))
    if math.isnan(decision.flagged):
        return f" It catches {caught} of positives and flags {ends_of(*map(percent, fpr))} of negatives."
    return f" It flags {ends_of(*map(percent, flagged))} of cases and catches {caught} of the {_them(decision)}."


def _them(decision: Decision) -> str:
    word = decision.asked.words.positive
    return "positives" if word == "positive" else f"{word} ones"


def _compared(decision: Decision) -> str:
    priced = [a for a in decision.alternatives if a.extra is not None]
    if not priced:
        return ""
    first, *rest = priced
    parts: list[str] = []
    for rival in (first, *(a for a in rest if a.model in TRIVIAL_NAMES)):
        who = DOING.get(rival.model, rival.model)
        extra = float(rival.extra or 0.0)
        next_best = ", the next best model" if rival is first and rival.model not in TRIVIAL_NAMES else ""
        if less := less_inside_a_group(decision, rival):
            parts.append(f"{less} than {who}{next_best}")
            continue
        if extra == 0:
            parts.append(f"as much as {who}")
            continue
        more = cost_wording.cost(abs(extra if rival.extra_cost is None else rival.extra_cost), unit_said(decision))
        most = "at most " if rival.extra_low is not None else ""
        parts.append(f"{most}{more} {'less' if extra > 0 else 'more'} than {who}{next_best}")
    return listed(parts)


def sure(decision: Decision) -> str:
    """Return how sure it is, always with the number, and what to do about it."""
    found = decision.surety
    if found is None:
        return ""
    if found.grade is None:
        return " ".join(["How sure this is cannot be said.", *found.doubts])
    often = f"cheapest in {percent(float(found.share or 0.0))} of {found.n_resamples} resamples"
    twins = [a.model for a in decision.alternatives if a.identical]
    same = [f"The same as {listed(twins)}."] if twins else []
    graded = f"{GRADES[found.grade]}{' against the others' if twins else ''}: {often}."
    return " ".join([*same, graded, *found.doubts, *_do(decision, found)])


def _do(decision: Decision, found: Surety) -> list[str]:
    if found.grade == "clear" or found.regret is None or found.worst_regret is None:
        return []
    per = "" if decision.expected_cost is None else " per 1000"
    expected, worst = (
        cost_wording.estimate(regret, unit_said(decision)) for regret in (found.regret, found.worst_regret)
    )
    texts = [advice(f"{expected}{per}", worst, share((1 + found.level) / 2))]
    if found.labels is not None:
        texts.append(more_labels(found.labels.enough, priced=found.labels.cost_per_label is not None))
    return [text for text in texts if text]


def holds(decision: Decision) -> str:
    """Return over which cost ratios and prevalences the decision holds."""
    if decision.normalised_cost_low is not None:
        return buckets(decision)
    if decision.asked.aim == "most_caught":
        return hidden_catch(decision)
    wide, narrow = decision.model_drift, decision.threshold_drift
    if wide is None or narrow is None or wide.t.t_low == wide.t.t_high:
        return ""
    who = "This" if decision.model in TRIVIAL_NAMES else str(decision.model)
    if wide.t.t_low <= 0 and wide.t.t_high >= 1:
        text = f"{who} is cheapest at all costs{'' if wide.prevalence is None and wide.cost_ratio else ' and prevalences'}."
    else:
        text = f"{who} stays cheapest while {drift(wide)}."
    if narrow == wide or decision.model in TRIVIAL_NAMES:
        return text
    return f"{text} This threshold stays best while {drift(narrow)}."


def follows(decision: Decision) -> str:
    """Return what uncertain conditions leave open (regret, the safest rule, what knowing more would save), or what reviews are worth."""
    if decision.review is not None:
        return review_wording.decided(decision.review, decision.asked.words.unit)
    if decision.asked.reviews is not None:
        return review_wording.NOBODY
    found = decision.uncertain
    if found is None:
        return ""
    per = "" if decision.expected_cost is None else " per 1000 cases"
    mean = _between(decision, found.mean_regret, found.mean_regret_high)
    most = found.worst_regret if found.worst_regret_high is None else found.worst_regret_high
    texts = [
        (
            f"Over these conditions the rule costs {mean}{per} more than the best one at each, on average; "
            f"at most {amount_of(decision, most)} ({_at(found.worst_at, decision)})."
        )
    ]
    if found.safest is not None:
        who = DOING.get(str(found.safest.model), f"{found.safest.model}, {found.safest.rule}")
        certain = found.safest_regret_high is None and found.safest_regret_low is None
        usable = "" if certain else " of a threshold between groups of scores"
        least = _between(decision, found.safest_regret, found.safest_regret_high)
        texts.append(f"The smallest worst regret{usable} is {least}: {who}.")
    if found.safest_regret_low is not None:
        texts.append(
            f"A threshold inside a group may have a worst regret of only {amount_of(decision, found.safest_regret_low)}."
        )
    known = (found.information, None) if found.information_bounds is None else found.information_bounds
    texts.append(f"Knowing the condition before choosing would save {_between(decision, *known)} on average.")
    if found.limits_kept is not None:
        texts.append(kept_while(*found.limits_kept))
    best = _best_rechosen(found)
    if best != [decision.model] and len(found.rechosen) > 1:
        texts.append(f"If the threshold can follow the condition, {' or '.join(best)} is the best model.")
    return " ".join(texts)


def _between(decision: Decision, low: float, high: float | None) -> str:
    """Return a cost, or the two that buckets leave it between where they are told apart."""
    return ends_of(*(amount_of(decision, end) for end in (low, high) if end is not None))


def _best_rechosen(found: Uncertain) -> list[str]:
    """Return the models that may be the best with thresholds that follow the condition; one unless buckets leave it open."""
    first, *rest = found.rechosen
    return [first.model, *(m.model for m in rest if m.mean_low is not None and m.mean_low < first.mean)]


def _at(condition: Condition, decision: Decision) -> str:
    if decision.expected_cost is None:
        return f"at PCF(+) {digits(condition.pcf)}"
    costs = f"a miss of {digits(condition.cost_fn)}, a false alarm of {digits(condition.cost_fp)}"
    return f"at {costs} and {share(condition.prevalence)} positive"


def current(decision: Decision) -> str:
    """Return what the rule in use assumes and costs, and what changing saves."""
    found = decision.current
    if found is None:
        return ""
    texts = [] if found.implied is None else [implied(found.implied)]
    if found.expected_cost is None or found.saving is None:
        return " ".join(texts)
    unit = decision.asked.words.unit
    least = found.expected_cost if found.expected_cost_low is None else found.expected_cost_low
    cost = ends_of(*(cost_wording.cost(end, unit) for end in (least, found.expected_cost)))
    saving = cost_wording.cost(abs(found.saving), unit)
    span = ""
    if found.saving_interval is not None and decision.surety is not None:
        span = f" ({share(decision.surety.level)} interval {cost_wording.span(found.saving_interval, unit)})"
    mean = decision.condition
    ratio = "" if mean is None or mean.fp_gap == 0 else f"At {digits(mean.fn_gap / mean.fp_gap)} it"
    change = (
        "changing saves nothing"
        if found.saving == 0
        else f"changing {'saves' if found.saving > 0 else 'costs'} {saving}{span}"
    )
    if found.saving_low is not None:
        change = changes(found.saving_low, found.saving, unit)
    texts.append(f"{ratio or 'It'} costs {cost} per 1000 cases; {change}.")
    return " ".join(texts)


def rival(rival: Alternative) -> str:
    """Return a rival's name with its rule, for tables."""
    return DOING.get(rival.model, f"{rival.model}: {rival.rule}" if rival.rule else rival.model)

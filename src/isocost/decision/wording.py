"""Decisions in plain words."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from isocost.decision.choice import said
from isocost.roc_space.joint_hull import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, TRIVIAL_NAMES

if TYPE_CHECKING:
    from isocost.comparison.winners import Win
    from isocost.conditions.ranges import Pair
    from isocost.decision.decision import Alternative, Decision, Drift

_RULES = {ALWAYS_NEGATIVE: "flag nobody", ALWAYS_POSITIVE: "flag everybody"}
_DOING = {ALWAYS_NEGATIVE: "flagging nobody", ALWAYS_POSITIVE: "flagging everybody"}


def verdict(decision: Decision, where: str) -> str:
    """Return what to do, what it costs and where, without capital and full stop."""
    ties = f" (or {' or '.join(_DOING.get(name, name) for name in decision.tied)}, which costs the same)"
    if decision.model in TRIVIAL_NAMES:
        rule = f"use no model, {_RULES[str(decision.model)]}"
    elif math.isnan(decision.threshold):
        rule = f"deploy {decision.model} as it is"
    else:
        rule = f"deploy {decision.model} and flag scores ≥ {said(decision.threshold)}"
        if not decision.hulls_are_exact:
            rule += " (the cheapest end of a bucket of scores)"
    cost = (
        f"mean normalised cost {decision.normalised_cost:.4g}"
        if decision.per_1000 is None
        else f"expected cost {amount(decision.per_1000)} per 1000 cases"
    )
    return f"{rule}{ties if decision.tied else ''}: {cost} ({where})"


def decision(decision: Decision) -> str:
    """Return the whole decision: what, against what, and how far it holds, a line each."""
    where = decision.condition if decision.conditions is None else decision.conditions
    what = verdict(decision, str(where).replace(": t ", "; t "))
    limits = _limits(decision) if decision.conditions is None else _uncertain(decision)
    return f"{what[0].upper()}{what[1:]}.\n{_rivals(decision)}\n{limits}"


def _rivals(decision: Decision) -> str:
    trivial = (rival for rival in (decision.flag_everybody, decision.flag_nobody) if rival is not None)
    rivals = dict.fromkeys([decision.runner_up.model, *(rival.model for rival in trivial)])
    texts = [_rival(rival) for rival in decision.alternatives if rival.model in rivals]
    text = ", ".join(texts)
    text = f"{text[0].upper()}{text[1:]}." if decision.runner_up.model in TRIVIAL_NAMES else f"{text}."
    if decision.hulls_are_exact and any(a.extra_low is not None and a.model in rivals for a in decision.alternatives):
        text += " At most: scores were counted together in buckets, which may hide a better threshold."
    return text


def _rival(rival: Alternative) -> str:
    if rival.model in TRIVIAL_NAMES:
        who = _DOING[rival.model]
    else:
        who = rival.model if math.isnan(rival.threshold) else f"{rival.model} at ≥ {said(rival.threshold)}"
    if rival.extra == 0:
        return f"{who} costs the same"
    more = f"{rival.extra:.4g}" if rival.extra_cost is None else amount(1000 * rival.extra_cost)
    if rival.extra_low is not None:
        return f"{who} costs at most {more} more"
    return f"{who} costs {more} more"


def _buckets(decision: Decision) -> str:
    """Say what scores counted together in buckets leave open, as opposed to what the sample does."""
    cheaper = [a for a in decision.alternatives if a.extra_low is not None and a.extra_low < 0]
    unit = decision.condition.worst_cost - decision.condition.best_cost if decision.condition is not None else 1.0
    saved = float(decision.normalised_cost or 0.0) - float(
        decision.normalised_cost_low if decision.normalised_cost_low is not None else decision.normalised_cost or 0.0
    )
    text = "Scores were counted together in buckets, and only their ends can be chosen: "
    text += (
        f"thresholds inside could save {amount(1000 * saved * unit)} at most"
        if saved
        else "nothing inside is cheaper here"
    )
    if cheaper:
        names = " or ".join(a.model for a in cheaper)
        return f"{text}, and {names} could be the cheapest model. Counting finer would tell; more data would not."
    return f"{text}, and no other model can be cheaper. How far costs may move before that changes is not known."


def _limits(decision: Decision) -> str:
    if not decision.hulls_are_exact:
        return _buckets(decision)
    if decision.model in TRIVIAL_NAMES:
        return f"That stays cheapest while {drift(decision.model_drift)}."
    if decision.threshold_drift == decision.model_drift:
        return f"Model and threshold stay cheapest while {drift(decision.model_drift)}."
    return (
        f"{decision.model} stays the cheapest model while {drift(decision.model_drift)}; "
        f"this threshold stays best while {drift(decision.threshold_drift)}."
    )


def drift(drift: Drift) -> str:
    """Say how far costs may move, or else the prevalence."""
    texts = []
    if drift.cost_ratio is not None:
        texts.append(_costs(drift.cost_ratio))
    if drift.prevalence is not None:
        texts.append(_share(drift.prevalence))
    return ", other things equal, or ".join(texts)


def _costs(ratio: Pair) -> str:
    low, high = ratio
    if low == 0 and math.isinf(high):
        return "errors cost whatever they may"
    if math.isinf(high):
        return f"a miss costs at least {low:.3g} false alarms"
    if low == 0:
        return f"a miss costs at most {high:.3g} false alarms"
    return f"a miss costs {low:.3g} to {high:.3g} false alarms"


def _share(prevalence: Pair) -> str:
    low, high = (100 * p for p in prevalence)
    if (low, high) == (0, 100):
        return "any share is positive"
    if low == 0:
        return f"at most {high:.3g} % are positive"
    if high == 100:
        return f"at least {low:.3g} % are positive"
    return f"{low:.3g} to {high:.3g} % are positive"


def _uncertain(decision: Decision) -> str:
    span = decision.threshold_drift.t
    best, *others = decision.rechosen
    texts = [
        f"It stays the cheapest single choice while the mean of t stays between {span.t_low:.3g} and {span.t_high:.3g}.",
        f"Knowing the condition before choosing would save {decision.information:.3g} on average.",
        f"If the threshold can follow the condition, {best.model} is the best model (mean {best.mean:.4g}",
    ]
    if others:
        gap = others[0].mean - best.mean
        texts[-1] += f"; {others[0].model} {f'{gap:.3g} more' if gap > 0 else 'just as good'}"
    return " ".join([*texts[:-1], f"{texts[-1]}).", *_in_units(decision)])


def _in_units(decision: Decision) -> list[str]:
    best = decision.in_units
    if best is None or best.expected_cost is None or best.extra_cost is None:
        return []
    cost = f"{amount(1000 * best.expected_cost)} per 1000 cases"
    if (best.fpr, best.tpr) == (decision.fpr, decision.tpr):
        return [f"Its expected cost in the unit of the costs is {cost}, the lowest of all."]
    who = _DOING.get(best.model, best.model)
    where = "" if best.model in TRIVIAL_NAMES or math.isnan(best.threshold) else f" at ≥ {said(best.threshold)}"
    less = amount(-1000 * best.extra_cost)
    return [
        f"In the unit of the costs, where dear conditions weigh more, {who}{where} is cheapest: {cost}, {less} less."
    ]


def amount(value: float) -> str:
    """Return a cost with four digits, never in powers of ten unless it is minute."""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def as_html(decision: Decision, winners: Sequence[Win]) -> str:
    """Return the decision and who wins where, for notebooks."""
    rows = "".join(
        f"<tr><td>{html.escape(win.name)}</td><td>{win.t_low:.4g}</td><td>{win.t_high:.4g}</td>"
        f"<td>{html.escape(', '.join(win.tied))}</td></tr>"
        for win in winners
    )
    return (
        f"<p>{html.escape(str(decision))}</p>"
        f"<table><thead><tr><th>cheapest</th><th>from t</th><th>to t</th><th>tied with</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )

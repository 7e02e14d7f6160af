"""Numbers and sentences of the report: the twin of page/words.js, held equal by a test."""

from __future__ import annotations

import math
from typing import Any

from isocost.decision.numbers import amount, digits, money, percent, share
from isocost.report.verdict import EVERYBODY, NOBODY, trivial

_FEW_CASES = 50
_GRADES = {"clear": "Clear", "probable": "Probable", "open": "Open"}


def cut(x: float | None, *, alone: bool = True) -> str:
    """Return a threshold of a score; without one, a model that is a single point is used as it is."""
    if x is None:
        return "as it is" if alone else "at this point"
    return f"≥ {digits(x, 4)}"


def rule(row: dict[str, Any]) -> str:
    """Return what to do with cases."""
    if row["model"] == NOBODY:
        return "Use no model: flag nobody."
    if row["model"] == EVERYBODY:
        return "Use no model: flag everybody."
    if row["threshold"] is None and not row["alone"]:
        return f"Use {row['name']} where it catches {percent(row['tpr'])} with {percent(row['fpr'])} false alarms."
    if row["threshold"] is None:
        return f"Use {row['name']} as it is."
    return f"Use {row['name']}, flag cases with score {cut(row['threshold'])}."


def _named(row: dict[str, Any]) -> str:
    return {NOBODY: "flagging nobody", EVERYBODY: "flagging everybody"}.get(row["model"], str(row["name"]))


def price(found: dict[str, Any], unit: str) -> str:
    """Return what it costs, against what."""
    chosen, span = found["chosen"], found["chosen"]["interval"]
    interval = "" if span is None else f" (95 % interval {amount(span[0], unit)} to {amount(span[1], unit)})"
    what = f"{'Expected' if found['expected'] else 'Mean'} cost {amount(chosen['amount'], unit)} per 1000 cases"
    first, *rest = found["rivals"]
    parts = []
    for row in (first, *(r for r in rest if r["model"] < 0)):
        if row["extra"] == 0:
            parts.append(f"as much as {_named(row)}")
        else:
            next_best = ", the next best model" if row is first and row["model"] >= 0 else ""
            parts.append(f"{amount(row['extra_amount'], unit)} less than {_named(row)}{next_best}")
    *before, last = parts
    return f"{what}{interval}: {', '.join(before)}{' and ' if before else ''}{last}."


def sure(found: dict[str, Any], summary: dict[str, Any]) -> str:
    """Return how sure it is, always with the number."""
    if found["grade"] is None:
        many = summary["data"]["n"] or 0
        without = "without resamples" + (
            ", which take long for so many cases (n_resamples=40 in Python, or --resamples 40, draws some)"
            if many >= 1e6
            else ""
        )
        without = without if summary["data"]["rows"] else "from counts, and intervals need the rows"
        return f"How sure this is cannot be said: the report was made {without}."
    often = f"cheapest in {percent(found['chosen']['share'])} of {summary['replicates']['n']} resampled data sets"
    return {
        "clear": f"Clear: {often}.",
        "probable": f"Probable, not certain: {often}.",
        "open": f"Open: only {often}, so the data cannot settle it.",
    }[found["grade"]]


def _between(span: list[float], ends: tuple[float, float], say: Any, words: tuple[str, str, str]) -> str:
    low, high = span
    anything, subject, unit = words
    if low <= ends[0] and high >= ends[1]:
        return anything
    if high >= ends[1]:
        return f"{subject} at least {say(low)}{unit}"
    if low <= ends[0]:
        return f"{subject} at most {say(high)}{unit}"
    return f"{subject} between {say(low)} and {say(high)}{unit}"


def holds(found: dict[str, Any]) -> str:
    """Return over which cost ratios and prevalences the choice holds."""
    chosen = found["chosen"]
    who = "That" if chosen["model"] < 0 else chosen["name"]
    low, high = found["reach"]
    if low <= 0 and high >= 1:
        than = "" if chosen["model"] < 0 else f" than {who}"
        return f"Nothing here is cheaper{than}, whatever the costs and the prevalence."
    ratio_words = ("errors cost whatever they may", "a miss costs", " false alarms")
    ratio = _between(found["ratio"], (0.0, math.inf), digits, ratio_words)
    share_words = ("any share of cases is positive", "positives are", " of cases")
    prevalence = _between(found["prevalence"], (0.0, 1.0), share, share_words)
    if found["unsure"]:
        return (
            f"{who} stays cheapest while PCF(+) is between {digits(low)} and {digits(high)} on average "
            f"({ratio} at this prevalence)."
        )
    return f"{who} stays cheapest while {ratio} at this prevalence, or {prevalence} at these costs."


def following(found: dict[str, Any], summary: dict[str, Any]) -> str:
    """Return what changes if the threshold may follow the condition, or if all conditions weighed alike."""
    follow = found["follow"]
    if follow is None:
        return ""
    span = follow.get("interval")
    unit, name = summary["unit"], summary["models"][follow["model"]]["name"]
    interval = "" if span is None else f" (95 % interval {amount(span[0], unit)} to {amount(span[1], unit)})"
    text = f"If the threshold may follow the condition, {name} is best: mean cost {amount(follow['amount'], unit)}{interval}."
    if found["alike"] is None:
        return text
    return f"{text} With every condition weighing alike, however little is at stake, the choice would be: {rule(found['alike'])}"


def warnings(found: dict[str, Any], summary: dict[str, Any]) -> list[str]:
    """Return what a reader should be wary of."""
    texts = []
    for kind in ("positive", "negative"):
        count = summary["data"][f"{kind}s"]
        if count is not None and count < _FEW_CASES:
            texts.append(f"Only {digits(count)} {kind} cases: every number here is rough.")
    if found["thin"]:
        texts.append(
            "At this condition the choice rests on fewer than five cases of a class: the data can hardly tell."
        )
    chosen = found["chosen"]
    model = summary["models"][chosen["model"]] if chosen["model"] >= 0 else None
    if model and (chosen["fpr"], chosen["tpr"]) == (0.0, 1.0) and model["positives"] is not None:
        # The probability of no error at all is 5 % at these rates.
        misses, alarms = (1 - 0.05 ** (1 / model[kind]) for kind in ("positives", "negatives"))
        texts.append(
            f"Not one error was seen; still up to {share(misses)} of positives may be missed and up to {share(alarms)} "
            "of negatives flagged (95 % limits)."
        )
    if model and model["calibration"] and abs(model["calibration"]["z"]) > 1.96 and not trivial(chosen):
        texts.append(
            f"The scores of {model['name']} are not calibrated probabilities: "
            "use the threshold above, not the one probability theory gives."
        )
    return texts


def decision(found: dict[str, Any], summary: dict[str, Any]) -> dict[str, Any]:
    """Return the decision in words, with the numbers a program would want beside them."""
    chosen = found["chosen"]
    return {
        "rule": rule(chosen),
        "price": price(found, summary["unit"]),
        "sure": sure(found, summary),
        "holds": holds(found),
        "following": following(found, summary),
        "warnings": warnings(found, summary),
        "grade": found["grade"],
        "model": None if chosen["model"] < 0 else chosen["name"],
        "threshold": chosen["threshold"],
        "normalised_cost": chosen["cost"],
        "unsure": found["unsure"],
        "expected": found["expected"],
        "pcf": found["pcf"],
        "per_1000": chosen["amount"],
        "share": chosen["share"],
    }


def grade(found: dict[str, Any]) -> str:
    """Return the grade as one word."""
    return "No intervals" if found["grade"] is None else _GRADES[found["grade"]]


def condition(start: dict[str, Any], *, unsure: bool) -> str:
    """Return a condition in one line."""
    gap = (start["cost_fn"] - start["cost_tp"]) / (start["cost_fp"] - start["cost_tn"])
    ratio = f"{digits(gap)} : 1" if gap >= 1 else f"1 : {digits(1 / gap)}"
    text = (
        f"{share(start['prevalence'])} of cases positive, a miss costs {money(start['cost_fn'])}, "
        f"a false alarm {money(start['cost_fp'])} ({ratio})"
    )
    if not unsure:
        return f"{text}."
    if start.get("shape") == "bell":
        factor = math.sqrt(start["below"] * start["above"])
        return f"{text}, the cost of a miss log-normal, 95 % within a factor {digits(factor)}."
    below, above = ("any" if start[k] is None else digits(start[k]) for k in ("below", "above"))
    return f"{text}, unsure by a factor {above if below == above else f'{below} down and {above} up'}."


def table(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the threshold table, cheapest first, the trivial classifiers last."""
    rows = sorted(found["rows"], key=lambda r: r["extra"])
    return [{k: v for k, v in row.items() if k != "model"} for row in (*rows, *found["ends"])]

"""Numbers and sentences of the report: the twin of page/words.js, held equal by a test."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from isocost.report.verdict import EVERYBODY, NOBODY, trivial

_FEW_CASES = 50
_GRADES = {"clear": "Clear", "probable": "Probable", "open": "Open"}


def digits(x: float, n: int = 3) -> str:
    """Return a number with n significant digits, never in powers of ten; halves round away from 0."""
    exact = Decimal(x)
    if abs(x) < 1e-12:
        return "0"
    place = exact.adjusted() - n + 1
    rounded = _to_place(exact, place)
    if rounded.adjusted() - n + 1 > place:
        rounded = _to_place(exact, place + 1)
    text = format(rounded.quantize(1) if rounded == rounded.to_integral_value() else rounded.normalize(), "f")
    return re.sub(r"\B(?=(\d{3})+$)", ",", text) if abs(rounded) >= 10_000 else text


def _to_place(x: Decimal, place: int) -> Decimal:
    return x.quantize(Decimal(1).scaleb(place), rounding=ROUND_HALF_UP)


def fixed(x: float, decimals: int) -> str:
    """Return a number with so many decimals; halves round away from 0."""
    return format(_to_place(Decimal(x), -decimals), "f")


def money(x: float) -> str:
    """Return a cost: three digits, or to whole units from 1000 on."""
    return digits(x, max(4, math.ceil(math.log10(abs(x) + 1)))) if abs(x) >= 1000 else digits(x, 3)


def amount(x: float, unit: str, *, unsure: bool, gap: bool = False) -> str:
    """Return an amount in the unit, or a share of the worst cost where unsure; a difference of shares is in points."""
    if unsure:
        return f"{digits(100 * x)} {'points' if gap else '%'}"
    if re.fullmatch(r"[^\w\s]{1,2}", unit):
        return f"{'−' if x < 0 else ''}{unit}{money(abs(x))}"
    return f"{money(x)} {unit}" if unit else money(x)


def percent(x: float) -> str:
    """Return a share as a percentage: more digits next to 0 and 100."""
    y = 100 * x
    far = min(abs(y), abs(100 - y))
    if far < 1e-9:
        return f"{round(y)} %"
    if far >= 10:
        return f"{fixed(y, 0)} %"
    if far >= 0.1:
        return f"{fixed(y, 1)} %"
    return f"{digits(y, 2)} %" if y < 50 else f"{fixed(y, 3)} %"


def share(x: float) -> str:
    """Return a share as a percentage with three digits, for limits."""
    return f"{digits(100 * x)} %"


def cut(x: float | None) -> str:
    """Return a threshold of a score."""
    return "as it is" if x is None else f"≥ {digits(x, 4)}"


def rule(row: dict[str, Any]) -> str:
    """Return what to do with cases."""
    if row["model"] == NOBODY:
        return "Use no model: flag nobody."
    if row["model"] == EVERYBODY:
        return "Use no model: flag everybody."
    if row["threshold"] is None:
        return f"Use {row['name']} as it is."
    return f"Use {row['name']}, flag cases with score {cut(row['threshold'])}."


def _named(row: dict[str, Any]) -> str:
    return {NOBODY: "flagging nobody", EVERYBODY: "flagging everybody"}.get(row["model"], str(row["name"]))


def price(found: dict[str, Any], unit: str) -> str:
    """Return what it costs, against what."""
    unsure, chosen = found["unsure"], found["chosen"]

    def say(x: float) -> str:
        return amount(x, unit, unsure=unsure)

    span = chosen["interval"]
    interval = "" if span is None else f" (95 % interval {say(span[0])} to {say(span[1])})"
    what = (
        f"Mean cost {say(chosen['amount'])} of what getting every case wrong would cost"
        if unsure
        else f"Expected cost {say(chosen['amount'])} per 1000 cases"
    )
    first, *rest = found["rivals"]
    parts = []
    for row in (first, *(r for r in rest if r["model"] < 0)):
        if row["extra"] == 0:
            parts.append(f"as much as {_named(row)}")
        else:
            next_best = ", the next best model" if row is first and row["model"] >= 0 else ""
            parts.append(
                f"{amount(row['extra_amount'], unit, unsure=unsure, gap=True)} less than {_named(row)}{next_best}"
            )
    *before, last = parts
    return f"{what}{interval}: {', '.join(before)}{' and ' if before else ''}{last}."


def sure(found: dict[str, Any], replicates: int | None) -> str:
    """Return how sure it is, always with the number."""
    if found["grade"] is None:
        return "How sure this is cannot be said: the report holds no resampled data."
    often = f"cheapest in {percent(found['chosen']['share'])} of {replicates} resampled data sets"
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
    if found["unsure"]:
        low, high = found["reach"]
        return f"{who} stays the cheapest model while the mean of PCF(+) lies between {digits(low)} and {digits(high)}."
    ratio_words = ("errors cost whatever they may", "a miss costs", " false alarms")
    ratio = _between(found["ratio"], (0.0, math.inf), digits, ratio_words)
    share_words = ("any share of cases is positive", "positives are", " of cases")
    prevalence = _between(found["prevalence"], (0.0, 1.0), share, share_words)
    if found["reach"][0] <= 0 and found["reach"][1] >= 1:
        return f"{who} is cheapest whatever the costs and the prevalence."
    return f"{who} stays cheapest while {ratio} at this prevalence, or {prevalence} at these costs."


def following(found: dict[str, Any], models: list[dict[str, Any]]) -> str:
    """Return what changes if the threshold may follow the condition."""
    follow = found["follow"]
    if follow is None:
        return ""
    span = follow.get("interval")
    interval = "" if span is None else f" (95 % interval {share(span[0])} to {share(span[1])})"
    name = models[follow["model"]]["name"]
    return f"If the threshold may follow the condition, {name} is best: mean cost {share(follow['mean'])}{interval}."


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
    if model and model["calibration"] and abs(model["calibration"]["z"]) > 1.96 and not trivial(chosen):
        texts.append(
            f"The scores of {model['name']} are not calibrated probabilities: "
            "use the threshold above, not the one probability theory gives."
        )
    return texts


def decision(found: dict[str, Any], summary: dict[str, Any]) -> dict[str, Any]:
    """Return the decision in words, with the numbers a program would want beside them."""
    chosen = found["chosen"]
    replicates = None if summary["replicates"] is None else summary["replicates"]["n"]
    return {
        "rule": rule(chosen),
        "price": price(found, summary["unit"]),
        "sure": sure(found, replicates),
        "holds": holds(found),
        "following": following(found, summary["models"]),
        "warnings": warnings(found, summary),
        "grade": found["grade"],
        "model": None if chosen["model"] < 0 else chosen["name"],
        "threshold": chosen["threshold"],
        "normalised_cost": chosen["cost"],
        "per_1000": None if found["unsure"] else chosen["amount"],
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
    below, above = ("any" if start[k] is None else digits(start[k]) for k in ("below", "above"))
    return f"{text}, unsure by a factor {above if below == above else f'{below} down and {above} up'}."


def table(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the threshold table, cheapest first, the trivial classifiers last."""
    rows = sorted(found["rows"], key=lambda r: r["extra"])
    return [{k: v for k, v in row.items() if k != "model"} for row in (*rows, *found["ends"])]

"""Groups of cases in a report: their summary as plain data, and their section of the page without JavaScript."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from isocost import numbers
from isocost.conditions import NAMES, Condition
from isocost.data import checks
from isocost.decide.say import say
from isocost.errors import ConditionError, FewCasesWarning
from isocost.groups import Groups
from isocost.report.figures import capital, paragraphs, table
from isocost.results import plain

if TYPE_CHECKING:
    from isocost.groups import GroupDecision, OneForAll, ParityChoice


CRITERIA: tuple[Literal["tpr", "fpr", "flagged"], ...] = ("tpr", "fpr", "flagged")
# With more groups their intervals would take long; the table and the sums are still there.
MOST_RESAMPLED = 200
RESAMPLES = 200


def payload(groups: Any, summary: Mapping[str, Any], prevalence: Any) -> dict[str, Any]:
    """Return everything about the groups at the condition of a report."""
    checks.instance(groups, "groups", Groups, "Groups, made by Groups.from_scores or from_frame")
    at: dict[str, Any] = {"condition": _condition(summary), "prevalence": prevalence}
    level, resamples = summary["level"], summary["draws"]
    found = groups.cost_of_one_threshold(**at)
    boot = None
    if resamples is not None and len(groups.names) <= MOST_RESAMPLED:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewCasesWarning)  # the report itself names them
            boot = groups.bootstrap(**at, n_resamples=RESAMPLES, rng=0)
    extra = None if boot is None else list(boot.interval("extra_cost", level=level))
    limits = None if boot is None else {name: boot.interval("cost", group=name, level=level) for name in groups.names}
    rows = rows_of(found.each, found, limits)
    for row in rows:
        shared = found.one[row["group"]]
        row["one"] = {"tpr": shared.tpr, "fpr": shared.fpr, "cost": shared.cost}
    # Where one threshold for all costs most comes first.
    rows.sort(key=lambda row: -row["extra_cost"])
    prices = [groups.prices(**at, criterion=criterion) for criterion in CRITERIA]
    # With an infinite threshold only groups with flagged cases show the one rule.
    shared = max(found.one.groups.values(), key=lambda choice: choice.flagged > 0)
    made: dict[str, Any] = plain({
        "text": found.reported(extra, level), "prevalence": found.each.prevalence, "expected_cost": found.each.expected_cost,
        "one": {"rule": shared.rule, "expected_cost": found.one.expected_cost}, "extra_cost": found.extra_cost,
        "interval": None if boot is None else list(boot.interval("cost", level=level)), "extra_interval": extra,
        "few": [] if boot is None else list(boot.few), "rows": rows,
        "prices": [{"criterion": p.criterion, "tolerance": p.tolerance, "price": p.price} for p in prices],
    })  # fmt: skip
    return made


def _condition(summary: Mapping[str, Any]) -> Condition:
    """Return the condition of the report's decision, ranges at their means."""
    known = summary["decision"]["question"]["quantities"]
    advice = "groups need costs: give the report a Condition, or Conditions made from costs"
    checks.needed(known.get("cost_fn"), advice, error=ConditionError)
    return Condition(**{name: known[name]["mean"] for name in NAMES})


def rows_of(
    chosen: GroupDecision | ParityChoice, one_for_all: OneForAll, limits: Mapping[str, Sequence[float]] | None
) -> list[dict[str, Any]]:
    """Return a row per group: what is done, what becomes of its cases, what they cost, and how much more under one rule for all."""
    kept = ("group", "share", "positives", "negatives", "model", "threshold", "rule", "tpr", "fpr", "flagged", "cost")
    return [
        {of: plain(getattr(choice, of)) for of in kept} | {
            "prevalence": choice.condition.prevalence, "extra_cost": one_for_all.by_group[name],
            "interval": None if limits is None else list(limits[name]),
        }
        for name, choice in chosen.groups.items()
    ]  # fmt: skip


# Groups shown at once; the others unfold.
FIRST = 12
_TOLERANCE = "What it costs to keep the groups within a tolerance of each other, with cut-offs mixed at random."


def section(summary: dict[str, Any]) -> str:
    """Return the section about groups; nothing if the report has none."""
    found = summary.get("groups")
    if found is None:
        return ""
    words, level = summary["decision"]["question"]["words"], summary["level"]
    rows = [cells(row, words) for row in found["rows"]]
    reported = paragraphs(sentences(found, words, level), words["unit"])
    caption = f"The cheapest cut-off of each group, and what becomes of 1000 of its {words['cases']}"
    named = [*map(capital, heads(words, level))]
    shown, rest = (table(named, part, caption) if part else "" for part in (rows[:FIRST], rows[FIRST:]))
    if rest:
        rest = f"<details><summary>Show all {len(rows)} groups</summary>{rest}</details>"
    prices = paragraphs((price_text(curve, words) for curve in found["prices"]), words["unit"], tag="li")
    equal = f'<h3>What equal shares cost</h3><p class="sub">{escape(_TOLERANCE)}</p><ul>{prices}</ul>'
    parts = f"<h2>Groups</h2><div>{reported}</div>{shown}{rest}{equal}"
    return f'<section class="groups" aria-label="Groups">{parts}</section>'


def rule(text: str, words: dict[str, str]) -> str:
    """Return a rule of a group in the reader's words."""
    flag, cases = words["flag"], words["cases"]
    return text.replace("flag cases with", f"{flag} {cases} with").replace("flag ", f"{flag} ", 1)


def sentences(found: dict[str, Any], words: dict[str, str], level: float) -> list[str]:
    """Return the sentences about all groups together."""
    own = {name: found[name] for name in ("expected_cost", "interval")} | {"at": found["prevalence"], "level": level}
    reported = [say("per_group", own | {"question": {"words": words}})]
    # On the cases at hand one cut-off for all never looks cheaper: without an interval that is no answer.
    if found["extra_interval"] is not None:
        about = {"question": {"words": words}, "interval": found["extra_interval"], "level": level}
        reported.append(f"{say('one_for_all', about)} It would be: {rule(found['one']['rule'], words)}.")
    if found["few"]:
        shown = ", ".join(found["few"][:5]) + (f" and {len(found['few']) - 5} more" if len(found["few"]) > 5 else "")
        reported.append(
            f"Fewer than 20 {words['positives']} or {words['negatives']} in {shown}: the ranges there are too narrow."
        )
    return reported


def heads(words: dict[str, str], level: float) -> list[str]:
    """Return the names of the table's columns."""
    unit = words["unit"]
    cost = f"cost per 1000, {unit}" if unit else "cost per 1000"
    named = [
        words["cases"], f"share of {words['positives']}", f"{words['flag']} if", "caught", "missed",
        f"{words['negatives']} {words['flagged']}",
        f"not {words['flagged']}", words["flagged"],
    ]  # fmt: skip
    return ["group", *named, f"{cost}, here", f"on new {words['cases']}, {numbers.percent(level)}"]


def price_text(curve: dict[str, Any], words: dict[str, str]) -> str:
    """Say what equal rates cost, and from which tolerance on they are free."""
    about = {"criterion": curve["criterion"], "price": curve["price"][0], "points": 100 * curve["tolerance"][-1]}
    return say("parity_prices", {"question": {"words": words}, "parity": about})


def cells(row: dict[str, Any], words: dict[str, str]) -> list[str]:
    """Return one group as text, a smaller line after a line break: outcomes, shares of their class, and costs of 1000 of its cases."""
    pi = row["prevalence"]
    tpr, fpr = (0.0 if row[rate] is None else row[rate] for rate in ("tpr", "fpr"))
    missed, left = (None if row[rate] is None else 1 - row[rate] for rate in ("tpr", "fpr"))
    counted = [
        (pi * tpr, row["tpr"]), (pi * (1 - tpr), missed), ((1 - pi) * fpr, row["fpr"]), ((1 - pi) * (1 - fpr), left),
    ]  # fmt: skip
    return [
        row["group"], numbers.digits(row["positives"] + row["negatives"], 15), numbers.percent(pi),
        rule(row["rule"], words).removeprefix(f"{words['flag']} ").replace(f" or {words['flag']} ", " or "),
        *("–" if rate is None else f"{numbers.digits(1000 * share)}\n{numbers.percent(rate)}" for share, rate in counted),
        numbers.percent(row["flagged"]), numbers.money(1000 * row["cost"]),
        "–" if row["interval"] is None else numbers.rough_span([1000 * end for end in row["interval"]], ""),
    ]  # fmt: skip

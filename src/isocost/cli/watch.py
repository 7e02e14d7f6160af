"""isocost watch: is a deployed rule still right."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import numpy as np

from isocost import numbers
from isocost.cli.deployed import Deployed
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command
from isocost.data.rows import label_typed
from isocost.errors import InputError
from isocost.monitor import Challenge, Watch
from isocost.monitor import watch as over_periods
from isocost.report import save_watch
from isocost.results import check_writable

_SHOWN: dict[str, Any] = {
    "period": "period", "cases": ("cases", str), "labelled": ("labelled", str), "cost": ("cost per 1000", numbers.money),
    "cost_low": ("from", numbers.money), "cost_high": ("to", numbers.money), "moved": ("if shares moved", numbers.percent),
    "moved_regret": ("regret", numbers.money), "held": ("if risks hold", numbers.percent), "held_regret": ("regret then", numbers.money),
    "alarm": "alarm", "advice": "advice", "change_to": ("change to", numbers.threshold), "to_label": ("to label", str),
}  # fmt: skip
_PAGE = "Where to write the result: .html (a page that opens offline), .json, .csv (the table with all digits), .md or text."


@command(
    "rule deployed by label positive missing TEXT ignore-below error-rate to-label challenge fail-on-alarm level title RESULT",
    suffixes=(),
)
def watch(session: Session) -> Answer:
    """Watch a deployed rule: what it costs, whether another threshold is cheaper, and which cases to label to know.

    Files are periods in the order of their names. Rows with a label are measured; without labels two assumptions are shown side by side,
    and a change is advised only if both agree. Nothing is stored: pass the last 32 periods each time.

    \b
    Examples:
      isocost watch --rule rule.json --deployed 'week-*.csv' --ignore-below 20
      isocost watch --rule rule.json --deployed 'week-*.parquet' --label y --to-label next.csv --fail-on-alarm
      isocost watch --rule rule.json --deployed year.csv --by week --ignore-below 20 -o watch.html
      isocost watch --rule rule.json --deployed 'week-*.csv' --challenge challenge.json -o watch.html
    """
    given, rule, output, positive = session.given, session.given["rule"], session.output, session.given["positive"]
    check_writable(given["to_label"], (".csv",))
    challenge = None if given["challenge"] is None else _challenge(given["challenge"], output)
    classes = None if positive is None else (label_typed(positive),)
    turned = rule.model.startswith("-")
    source = Deployed(
        given, session.messages, rule.model.removeprefix("-"), turned, given["label"], classes, given["by"]
    )
    counted = source.periods(np.array((rule.reference or {}).get("cuts", []), dtype=np.float64))
    limits = {name: given[name] for name in ("ignore_below", "level", "error_rate")}
    watched = over_periods.watch(rule, counted, **limits)
    if given["to_label"] is not None:
        rows = source.write_to_label(watched.periods[-1], given["to_label"])
        session.messages.say(
            f"Wrote {given['to_label']}: {rows:,} rows to label" if rows else "Nothing needs a label now."
        )
    if output is not None and Path(output).suffix == ".html":
        save_watch(watched, output, given["title"], challenge)
        session.wrote(output)
        session.output = None
    data = {"files": list(given["deployed"]), "text": str(watched), "watch": watched.to_dict()}
    code = 1 if given["fail_on_alarm"] and watched.alarm is not None else 0
    return Answer([_table(watched), str(watched)], data, code=code)


def _challenge(path: str, output: str | None) -> dict[str, Any]:
    """Return the challenge that a file holds."""
    if output is None or Path(output).suffix != ".html":
        raise click.UsageError("--challenge is shown on the page only: add -o watch.html")
    try:
        held = json.loads(Path(path).read_text(encoding="utf-8"))["challenge"]
        complete = all(field.name in held for field in fields(Challenge) if not field.name.startswith("_"))
    except (ValueError, KeyError, TypeError):
        complete = False
    if not complete:
        raise InputError(f"--challenge {path} is not what `isocost challenge -o challenge.json` writes")
    return dict(held)


def _table(watched: Watch) -> Table:
    """Return one row per period: for people in percent, for spreadsheets with all digits."""
    full = [
        {
            **{name: getattr(period, name) for name in ("period", "cases", "labelled", "cost", "cost_low", "cost_high")},
            "moved": None if period.if_shares_moved.rejected else period.if_shares_moved.prevalence,
            "moved_regret": period.if_shares_moved.regret, "held": period.if_risks_hold.prevalence,
            "held_regret": period.if_risks_hold.regret, "alarm": period.alarm, "advice": period.advice, "change_to": period.change_to,
            "to_label": None if period.to_label is None else period.to_label.count,
        }
        for period in watched.periods
    ]  # fmt: skip
    # What no period has is not shown.
    return Table.of(full, {key: head for key, head in _SHOWN.items() if any(row[key] not in (None, 0) for row in full)})

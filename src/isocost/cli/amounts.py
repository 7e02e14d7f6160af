"""Costs that differ from case to case: columns of them, and the answer in what they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from isocost.cli.options import stacked
from isocost.cli.output import Answer
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.cli.session import Session
    from isocost.decide.amounts import AmountDecision

    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # generic in newer versions of click only

_OUTCOMES = ("fp", "fn", "tp", "tn")
# What changes nothing about the costs themselves.
_TOGETHER = {
    "files", "label", "scores", "lower_is_positive", "fold", "positive", "missing", "decimal", "encoding", "memory", "cost_fp", "cost_fn",
    "cost_tp", "cost_tn", "cost_columns", "multiplier", "unit", "as_json", "output", "quiet", "verbose",
}  # fmt: skip
_MEASURED = {"names", "cluster", "resamples", "level", "seed"}
_NOTE = "Amounts: every case counts what being wrong about it costs. Rates and measures are shares of amounts, not of cases."


class CostColumn(_ParamType):
    """A column, after the outcome that it prices."""

    name = "outcome=column"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """Return what the help page shows."""
        return "[OUTCOME=]COLUMN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Return the name of the cost, and the column; misses unless another outcome is named."""
        if isinstance(value, tuple):
            return value
        outcome, mark, column = str(value).partition("=")
        if not mark or outcome not in _OUTCOMES:
            outcome, column = "fn", str(value)
        if not column:
            self.fail(f"{value!r} names no column; such as amount, or fp=handling", param, ctx)
        return f"cost_{outcome}", column


amount_options = stacked(
    click.option(
        "--cost-column", "cost_columns", type=CostColumn(), multiple=True,
        help="Column of what a miss costs, case by case, such as the amount of a transaction; fp=, tp= or tn= before it for another "
        "outcome. Repeatable. The other costs are numbers.",
    ),
    click.option(
        "--multiplier", type=click.FloatRange(0, min_open=True), metavar="N",
        help="With --cost-column: misses count this many times what they cost. Default: 1.",
    ),
)  # fmt: skip


def terms(ctx: click.Context, given: Mapping[str, Any], *, measured: bool = False) -> dict[str, Any] | None:
    """Return the costs that are no columns, and the multiplier; None without columns. What has no meaning with them is refused."""
    columns = dict(given.get("cost_columns", ()))
    if not columns:
        if given.get("multiplier") is not None:
            raise click.UsageError("--multiplier goes with --cost-column")
        return None
    if len(columns) < len(given["cost_columns"]):
        raise click.UsageError("--cost-column names two columns for one outcome: keep one")
    fit = _TOGETHER | (_MEASURED if measured else set())
    for param in ctx.command.params:
        name = str(param.name)
        if name not in fit and ctx.get_parameter_source(name) not in (ParameterSource.DEFAULT, None):
            raise click.UsageError(f"{param.opts[-1]} has no meaning with --cost-column: drop it{_instead(name)}")
    numbers = {}
    for outcome in _OUTCOMES:
        name = f"cost_{outcome}"
        value = given[name]
        if value is None:
            continue
        if name in columns:
            raise click.UsageError(f"--cost-{outcome} and the column {columns[name]!r} price the same: keep one")
        if not isinstance(value, float):
            raise click.UsageError(f"--cost-{outcome} beside --cost-column must be one number")
        numbers[name] = value
    for outcome, what in (("fp", "false alarm"), ("fn", "miss")):
        if f"cost_{outcome}" not in numbers | columns:
            raise click.UsageError(
                f"say what a {what} costs, in the unit of the column: --cost-{outcome}, or --cost-column {outcome}=COLUMN"
            )
    multiplier = given["multiplier"]
    return {"numbers": numbers, "multiplier": multiplier or 1.0, "note": _NOTE if measured else ""}


def _instead(name: str) -> str:
    hints = {
        "prevalence": "; the cases say how much is at stake on either side, and --multiplier changes it",
        "weight": "; the costs weigh the cases",
        "resamples": "; `isocost measure` with the same columns and --resamples has intervals",
    }
    return hints.get(name, "")


def chosen(session: Session, output: str | None) -> None:
    """Print the cheapest model and threshold, and what the others cost."""
    costs, given = session.data.row_costs, session.given
    assert costs is not None  # noqa: S101 - asked for
    rows = session.data.rows("--cost-column")
    multiplier = session.data.amounts["multiplier"] if session.data.amounts else 1.0
    found = costs.decide(rows.scores, multiplier=multiplier, unit=given["unit"] or "")
    alarms, misses = costs.at_stake
    data = {
        "data": session.data.to_dict(),
        "amounts": {
            **found.to_dict(), "model": found.model, "at_stake": {"false_alarms": alarms, "misses": misses},
            "unavoidable": costs.unavoidable,
        },
    }  # fmt: skip
    session.give(Answer("choose", [str(found), _table(found)], data), output)


def _table(found: AmountDecision) -> TextTable:
    from isocost.numbers import amount, percent

    choices = sorted(found.choices.items(), key=lambda item: item[1].total)
    shown = [
        [name, c.rule.replace("flag scores", "score"), percent(c.flagged), percent(c.amount_caught), amount(1000 * c.per_case)]
        for name, c in choices
    ] + [
        ["no model", "flag everybody", percent(1.0), percent(1.0), amount(1000 * found.flag_everybody)],
        ["no model", "flag nobody", percent(0.0), percent(0.0), amount(1000 * found.flag_nobody)],
    ]  # fmt: skip
    fields = (
        "threshold",
        "flagged",
        "amount_caught",
        "amount_alarmed",
        "per_case",
        "total",
        "savings",
        "multiplier_low",
        "multiplier_high",
    )
    heads = ["model", "rule", "flagged", "amount caught", f"{found.unit} per 1000".strip()]
    return TextTable(
        heads, shown, names=list(found.choices), right=heads[2:],
        data_columns=["model", *fields], data_rows=[[name, *(getattr(c, field) for field in fields)] for name, c in choices],
    )  # fmt: skip

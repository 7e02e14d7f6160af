"""Costs that differ from case to case: the columns of --cost-column, what goes with them, and the answer of `choose` from them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from isocost.cli import options
from isocost.cli.output import Answer, Table
from isocost.numbers import amount, percent

if TYPE_CHECKING:
    from isocost.cli.session import Session

# Options that have a meaning with --cost-column, and those that have one in these commands besides.
_WITH = {
    "files", "label", "scores", "lower_is_positive", "fold", "positive", "missing", "decimal", "encoding", "memory", "cost_fp", "cost_fn",
    "cost_tp", "cost_tn", "cost_columns", "multiplier", "unit", "as_json", "output", "quiet", "verbose",
}  # fmt: skip
_ALSO = {
    "measure": {"names", "cluster", "resamples", "level", "seed"},
    "report": {"cluster", "resamples", "level", "seed", "title", "good_enough", "independent", "words", "current"},
}
_INSTEAD = {
    "prevalence": "; the cases say how much is at stake on either side, and --multiplier changes it",
    "weight": "; the costs weigh the cases",
    "resamples": "; `isocost measure` with the same columns and --resamples has intervals",
}
_NOTE = "Amounts: every case counts what being wrong about it costs. Rates and measures are shares of amounts, not of cases."
_FIELDS = (
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


def amounts(ctx: click.Context, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the costs that are no columns, and the multiplier; None without columns. What has no meaning with them is refused."""
    columns = dict(given.get("cost_columns", ()))
    if not columns:
        if given.get("multiplier") is not None:
            raise click.UsageError("--multiplier goes with --cost-column")
        return None
    if len(columns) < len(given["cost_columns"]):
        raise click.UsageError("--cost-column names two columns for one outcome: keep one")
    also = _ALSO.get(str(ctx.command.name), set())
    for param in options.given_besides(ctx, _WITH | also):
        instead = _INSTEAD.get(str(param.name), "")
        raise click.UsageError(f"{param.opts[-1]} has no meaning with --cost-column: drop it{instead}")
    numbers = {name: given[name] for name in map("cost_{}".format, options.OUTCOMES) if given[name] is not None}
    for name, cost in numbers.items():
        if name in columns:
            raise click.UsageError(f"{options.spelt(name)} and the column {columns[name]!r} price the same: keep one")
        if not isinstance(cost, float):
            raise click.UsageError(f"{options.spelt(name)} beside --cost-column must be one number")
    for outcome, what in (("fp", "false alarm"), ("fn", "miss")):
        if f"cost_{outcome}" not in numbers | columns:
            raise click.UsageError(
                f"say what a {what} costs, in the unit of the column: --cost-{outcome}, or --cost-column {outcome}=COLUMN"
            )
    return {"numbers": numbers, "multiplier": given["multiplier"] or 1.0, "note": _NOTE if also else ""}


def written(session: Session) -> dict[str, Any]:
    """Return how the costs are given in Python, where `data` is the table, and to the command."""
    terms, source = session.data.amounts, session.data.source
    assert terms is not None and source is not None  # noqa: S101, PT018 - the columns were named
    columns, named, factor = source.columns, dict(session.given["cost_columns"]), terms["multiplier"]
    label, turned = f"data[{columns.label!r}]", list(columns.turned)
    prices = {name: repr(cost) for name, cost in terms["numbers"].items()}
    prices |= {name: f"data[{column!r}]" for name, column in named.items()}
    positive = "" if session.given["positive"] is None else f", pos_label={session.data.facts['positive']!r}"
    costs = (
        f"ic.RowCosts.from_columns({label}, {', '.join(f'{name}={price}' for name, price in prices.items())}{positive})"
    )
    more = f"{positive}{f', lower_is_positive={turned!r}' if turned else ''}"
    more += "" if columns.cluster is None else f", cluster=data[{columns.cluster!r}]"
    scores = f"{{name: data[name] for name in {list(columns.scores)!r}}}"
    options_of = [f"{options.spelt(name)} {cost!r}" for name, cost in terms["numbers"].items()]
    options_of += [
        shlex.join(["--cost-column", f"{name.removeprefix('cost_')}={column}" if name != "cost_fn" else column])
        for name, column in named.items()
    ]
    return {
        "python": [
            f"costs = {costs}",
            f"comparison = ic.Comparison.from_scores({label}, {scores}, sample_weight=costs.weights{more})",
        ],
        "condition": f"costs.per_case({'' if factor == 1 else repr(factor)})",
        "command": " ".join([*options_of, *([] if factor == 1 else [f"--multiplier {factor!r}"])]),
    }


def by_amounts(session: Session) -> Answer:
    """Return the cheapest model and threshold where each case has its own costs, and what the others cost."""
    costs, terms = session.data.row_costs, session.data.amounts
    assert costs is not None and terms is not None  # noqa: S101, PT018 - the columns were named
    found = costs.decide(session.data.rows("--cost-column").scores, multiplier=terms["multiplier"], unit=session.unit)
    choices = sorted(found.choices.items(), key=lambda item: item[1].total)
    trivial = (("flag everybody", 1.0, found.flag_everybody), ("flag nobody", 0.0, found.flag_nobody))
    rows = [
        [name, c.rule.replace("flag scores", "score"), percent(c.flagged), percent(c.amount_caught), amount(1000 * c.per_case)]
        for name, c in choices
    ] + [["no model", rule, percent(share), percent(share), amount(1000 * cost)] for rule, share, cost in trivial]  # fmt: skip
    heads = ["model", "rule", "flagged", "amount caught", f"{found.unit} per 1000".strip()]
    full = [{"model": name, **{field: getattr(c, field) for field in _FIELDS}} for name, c in choices]
    at_stake = dict(zip(("false_alarms", "misses"), costs.at_stake, strict=True))
    data = {**found.to_dict(), "model": found.model, "at_stake": at_stake, "unavoidable": costs.unavoidable}
    return Answer([str(found), Table(heads, rows, right=heads[2:], full=full)], {"amounts": data})

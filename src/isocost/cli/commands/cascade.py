"""isocost cascade: a cheap model first, an expensive one between two of its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from isocost.cli import options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.decide.cascade import CascadeChoice


@click.command("cascade", short_help="A cheap model first: when to ask the expensive one.")
@options.files
@options.label
@click.option("--first", required=True, metavar="COLUMN", help="Scores of the cheap model, which every case gets.")
@click.option(
    "--then", required=True, metavar="COLUMN", help="Scores of the expensive model, which is asked about some."
)
@click.option(
    "--cost-call", required=True, type=click.FloatRange(0), metavar="PRICE",
    help="Price of asking the expensive model about one case, in the unit of the costs.",
)  # fmt: skip
@options.weight
@options.positive
@options.missing
@options.text_options
@options.cluster
@options.condition_options
@options.resamples(100, "on which the cascade is chosen and by whose left-out cases it is judged")
@options.seed
@options.unit
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table with all digits), .md or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Find between which scores of a cheap model to ask an expensive one, what that costs, and what a call is worth.

    Cases below the band are cleared, cases above it are flagged, and in between the expensive model decides. The three thresholds are
    the cheapest of all. They fit noise, too, so cascade and single models are also compared on cases left out by resamples.

    \b
    Examples:
      isocost cascade predictions.csv --label y --first small --then big --cost-call 0.05 --cost-fn 5 --prevalence 30%
      isocost cascade predictions.csv --label y --first small --then big --cost-call 0.05 --cost-fn 5 --resamples 0 --json
    """
    from isocost.cli import decisions

    given["scores"] = (given["first"], given["then"])
    session = Session.start(ctx, given, output)
    comparison = decisions.compared(session, with_cases=True)
    total = given["resamples"] or None
    with session.messages.progress(f"resampling {total} times"):
        found = comparison.cascade(
            given["first"], given["then"], session.condition, cost_call=given["cost_call"], n_resamples=total,
            rng=given["seed"], unit=given["unit"] or "",
        )  # fmt: skip
    data = {"data": session.data.to_dict(), "text": str(found), "cascade": found.to_dict()}
    session.give(Answer("cascade", [str(found), _table(found)], data), output)


def _table(found: CascadeChoice) -> TextTable:
    """Return what the cascade and each model alone cost, here and on new cases."""
    from isocost import numbers

    names = ["cascade", f"{found.first} alone", f"{found.then} for every case"]
    here = [found.expected_cost, found.expected_cost_first, found.expected_cost_then]
    columns = {"per 1000 here": here} | (
        {} if found.new_cases is None else {"per 1000 new": list(found.new_cases.values())}
    )
    shown = [[numbers.money(1000 * cost) for cost in costs] for costs in columns.values()]
    return TextTable(
        ["use", *columns], list(zip(names, *shown, strict=True)), right=set(columns),
        data_columns=["use", "expected_cost", "new_cases"][: 1 + len(columns)],
        data_rows=list(zip(names, *columns.values(), strict=True)),
    )  # fmt: skip

"""isocost cascade: a cheap model first, an expensive one between two of its scores."""

from __future__ import annotations

from typing import Any

import click

from isocost import numbers
from isocost.cli import decisions, options
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session
from isocost.decide.cascade import CascadeChoice


@click.command
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
@options.results()
@click.pass_context
def cascade(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Find between which scores of a cheap model to ask an expensive one, what that costs, and what a call is worth.

    Cases below the band are cleared, cases above it are flagged, and in between the expensive model decides. The three thresholds are
    the cheapest of all. They fit noise, too, so cascade and single models are also compared on cases left out by resamples.

    \b
    Examples:
      isocost cascade predictions.csv --label y --first small --then big --cost-call 0.05 --cost-fn 5 --prevalence 30%
      isocost cascade predictions.csv --label y --first small --then big --cost-call 0.05 --cost-fn 5 --resamples 0 --json
    """
    given["scores"] = (given["first"], given["then"])
    session = Session.start(ctx, given, output)
    comparison = decisions.compared(session, with_cases=True)
    total = given["resamples"] or None
    with session.messages.progress(f"resampling {total} times"):
        found = comparison.cascade(
            given["first"], given["then"], session.condition, cost_call=given["cost_call"], n_resamples=total,
            rng=given["seed"], unit=session.unit,
        )  # fmt: skip
    data = {"data": session.data.to_dict(), "text": str(found), "cascade": found.to_dict()}
    session.give(Answer("cascade", [str(found), _table(found)], data), output)


def _table(found: CascadeChoice) -> Table:
    """Return what the cascade and each model alone cost, here and on new cases."""
    uses = ["cascade", f"{found.first} alone", f"{found.then} for every case"]
    costs = {"expected_cost": [found.expected_cost, found.expected_cost_first, found.expected_cost_then]}
    costs |= {} if found.new_cases is None else {"new_cases": list(found.new_cases.values())}
    full = [{"use": use, **{name: own[i] for name, own in costs.items()}} for i, use in enumerate(uses)]
    heads = ["use", "per 1000 here", "per 1000 new"][: 1 + len(costs)]
    rows = [[use, *(numbers.money(1000 * own[i]) for own in costs.values())] for i, use in enumerate(uses)]
    return Table(heads, rows, right=heads[1:], full=full)

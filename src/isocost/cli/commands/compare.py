"""isocost compare: models side by side."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from isocost.cli import options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.compare import Comparison


@click.command("compare", short_help="Measures, who wins where, and what is significant.")
@options.files
@options.data_options
@options.average_folds
@options.cluster
@options.group
@options.condition_options
@options.unit
@options.resamples(None, "of the cases, to judge significance", "1000, or as many as take a quarter of a minute")
@options.level
@options.seed
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table of measures) or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Compare models: who is cheapest under the costs given and elsewhere, every measure, and which differences are significant.

    Conditions run along t, the share of the worst cost that false alarms carry; they are those that costs and prevalence
    allow, or all. Significance is for all pairs of models and all these conditions at once, by resampling the cases, the same ones
    for all models.

    \b
    Examples:
      isocost compare predictions.csv --label y
      isocost compare predictions.csv --label y --cost-fn 5:20 --prevalence 0.01:0.03
      isocost compare predictions.csv --label y --json
    """
    from isocost.cli import condition_options, decisions, grouping, intervals, measuring
    from isocost.conditions import Conditions

    session = Session.start(ctx, given, output)
    over = session.over
    comparison = decisions.compared(session, with_cases=False)
    decision = None if over is None else comparison.decide(**session.priced(), unit=given["unit"] or "")
    measured = comparison.table(over)
    # One condition has one winner, whom `choose` tells; here all conditions are of interest then.
    said = given["prevalence"]
    prevalence = said if isinstance(said, float) else comparison.prevalence
    parts: list[str | TextTable] = [*([] if decision is None else [str(decision)]), *measuring.printed(measured, over)]
    winners, won = decisions.winners(comparison, prevalence, over if isinstance(over, Conditions) else None)
    parts.append(winners)
    crossings, crossed = _crossovers(comparison)
    parts += [crossings] if crossings.rows else []
    significance = intervals.significance(session, over)
    parts += significance.parts
    by_group = None
    if given["group"] is not None:
        table, by_group = grouping.measured(session, over)
        parts.append(table)
    data = {
        "data": session.data.to_dict(), "condition": condition_options.to_dict(over),
        "decision": None if decision is None else decision.to_dict(), "measures": measuring.to_dicts(measured),
        "winners": won, "crossovers": crossed, "significance": significance.data, "groups": by_group,
    }  # fmt: skip
    session.give(Answer("compare", parts, data), output)


def _crossovers(comparison: Comparison) -> tuple[TextTable, list[dict[str, Any]]]:
    found: list[dict[str, Any]] = [
        {"a": a, "b": b, "t": comparison.crossovers(a, b)} for a, b in combinations(comparison.names, 2)
    ]
    rows = [[pair["a"], pair["b"], ", ".join(f"{t:.4g}" for t in pair["t"]) or "never"] for pair in found]
    return TextTable(
        ["model", "and model", "the cheaper one changes at t ="], rows, "Crossovers", names=comparison.names
    ), found

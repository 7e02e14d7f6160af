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
    from isocost.comparison import Comparison


@click.command("compare", short_help="Measures, who wins where, and what is significant.")
@options.files
@options.data_options
@options.average_folds
@options.cluster
@options.group
@options.tolerance
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
    winners, won = _winners(comparison, over if isinstance(over, Conditions) else None, prevalence)
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


def _winners(comparison: Comparison, over: Any, prevalence: float | None) -> tuple[TextTable, list[dict[str, Any]]]:
    from isocost.cli import intervals

    found: list[dict[str, Any]] = []
    for win in comparison.winners(over):
        ratio = (None, None) if prevalence in (None, 0.0, 1.0) else win.cost_ratio(prevalence)
        found.append(
            {
                "model": win.name, **intervals.t_and_pcf(win.t_low, win.t_high),
                "cost_ratio_low": ratio[0], "cost_ratio_high": ratio[1], "tied": list(win.tied),
                "open_to": list(win.open_to),
            }
        )  # fmt: skip
    names = ["cheapest", "t_low", "t_high", "pcf_low", "pcf_high", "cost_ratio_low", "cost_ratio_high"]
    rows = [list(win.values())[: len(names)] for win in found]
    for key, head in (("tied", "tied with"), ("open_to", "or, in its buckets")):
        if any(win[key] for win in found):
            names, rows = [*names, head], [[*row, ", ".join(win[key])] for row, win in zip(rows, found, strict=True)]
    at = (
        ""
        if not prevalence
        else f" (cost_ratio: false alarms that one miss costs, with {100 * prevalence:.4g} % positive)"
    )
    title = f"Who is cheapest where{at}"
    return TextTable(names, rows, title, names=comparison.names), found


def _crossovers(comparison: Comparison) -> tuple[TextTable, list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []
    for a, b in combinations(comparison.names, 2):
        spans = comparison.crossover_bounds(a, b)
        certain = all(span.t_low == span.t_high for span in spans) and _settled(comparison, a, b)
        between = None if certain else [[span.t_low, span.t_high] for span in spans]
        found.append({"a": a, "b": b, "t": [span.t_low for span in spans] if certain else None, "between": between})
    rows = [[pair["a"], pair["b"], _changes(pair)] for pair in found]
    return TextTable(
        ["model", "and model", "the cheaper one changes at t ="], rows, "Crossovers", names=comparison.names
    ), found


def _settled(comparison: Comparison, a: str, b: str) -> bool:
    """Tell whether every crossing of two models is known."""
    from isocost.errors import InexactError

    try:
        comparison.crossovers(a, b)
    except InexactError:
        return False
    return True


def _changes(pair: dict[str, Any]) -> str:
    if pair["t"] is not None:
        return ", ".join(f"{t:.4g}" for t in pair["t"]) or "never"
    return ", ".join(f"{low:.4g} to {high:.4g}" for low, high in pair["between"]) or "open"

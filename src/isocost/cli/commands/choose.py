"""isocost choose: the model and threshold to deploy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from isocost.cli import options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.cli.limit_options import Limit
    from isocost.decision import Choice
    from isocost.decision.decision import Decision

LIMITS = ("max_fpr", "max_flagged", "min_precision", "minimax")


@click.command("choose", short_help="Model and threshold to deploy, and what they cost.")
@options.files
@options.data_options
@options.condition_options
@click.option("--max-fpr", type=options.SHARE, help="Flag at most this share of the negatives.")
@click.option("--max-flagged", type=options.SHARE, help="Flag at most this share of all cases.")
@click.option("--min-precision", type=options.SHARE, help="At least this share of the flagged must be positive.")
@click.option(
    "--minimax", is_flag=True, help="Lowest cost in the worst case over the conditions (all, if none is given)."
)
@click.option("--randomised", is_flag=True, help="Under a limit, also allow a random mix of two thresholds.")
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table) or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Choose the model and the threshold to deploy: a case is flagged when its score ≥ the threshold.

    By default the cheapest choice at the condition, or on average if a cost or the prevalence is a range. With a limit, the
    choice that catches most positives within it.

    \b
    Examples:
      isocost choose predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02
      isocost choose predictions.csv --label y --cost-fn 5:20 --prevalence 0.01:0.03
      isocost choose predictions.csv --label y --max-flagged 0.1
      cat predictions.csv | isocost choose - --label y --positive yes --max-fpr 0.01 --json
    """
    from isocost.cli import condition_options, limit_options

    limit = limit_options.asked({name: given[name] for name in LIMITS}, randomised=given["randomised"])
    session = Session.start(ctx, given, output)
    condition = session.over if limit is not None else session.condition
    result = _cheapest(session, condition) if limit is None else _limited(session, limit, condition)
    text, table, data = result
    head = {"data": session.data.to_dict(), "condition": condition_options.to_dict(condition)}
    session.give(Answer("choose", [text, table], head | data), output)


def _cheapest(session: Session, condition: Any) -> tuple[str, TextTable, dict[str, Any]]:
    from isocost.comparison import Comparison

    decision = Comparison(session.data.curves).decide(condition)
    table = _alternatives(decision)
    data = {"limit": None, "decision": decided(decision), "text": str(decision), "models": table_data(table)}
    return str(decision), table, data


def decided(choice: Choice) -> dict[str, Any]:
    """Return what the JSON form says about a choice."""
    names = (
        "model", "threshold", "fpr", "tpr", "precision", "flagged", "normalised_cost", "expected_cost",
        "other_threshold", "other_probability", "normalised_cost_low", "tpr_high",
    )  # fmt: skip
    span = None if choice.threshold_drift is None else choice.threshold_drift.t
    ends = {"t_low": None, "t_high": None} if span is None else {"t_low": span.t_low, "t_high": span.t_high}
    return {name: getattr(choice, name) for name in names} | ends


COLUMNS = ("model", "threshold", "tpr", "fpr", "normalised_cost", "expected_cost", "extra")


def _alternatives(decision: Decision) -> TextTable:
    """Return the decision, each other model and the trivial classifiers, cheapest first."""
    first = (
        decision.model,
        decision.threshold,
        decision.tpr,
        decision.fpr,
        decision.normalised_cost,
        decision.expected_cost,
        0.0,
    )
    rest = [
        (a.model, a.threshold, a.tpr, a.fpr, a.normalised_cost, a.expected_cost, a.extra) for a in decision.alternatives
    ]
    if any(a.extra_low is not None for a in decision.alternatives):
        lows = [0.0, *(a.extra if a.extra_low is None else a.extra_low for a in decision.alternatives)]
        rows = [(*row, low) for row, low in zip([first, *rest], lows, strict=True)]
        return TextTable((*COLUMNS, "extra_low"), rows)
    return TextTable(COLUMNS, [first, *rest])


def table_data(table: TextTable) -> list[dict[str, Any]]:
    """Return the rows of a table as JSON objects."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _limited(session: Session, limit: Limit, condition: Any) -> tuple[str, TextTable, dict[str, Any]]:
    found = limit.best(session.data.curves, condition)
    names = ["model", "threshold", "tpr", "fpr", "flagged", "precision", "expected_cost", "remark"]
    if any(choice is not None and choice.tpr_high is not None for _, choice, _ in found.tried):
        names.insert(3, "tpr_high")
    rows = [
        [*(getattr(choice, name) for name in names[:-1]), ""]
        if choice is not None
        else [model, *[None] * (len(names) - 2), remark]
        for model, choice, remark in found.tried
    ]
    if not any(row[-1] for row in rows):
        names, rows = names[:-1], [row[:-1] for row in rows]
    table = TextTable(names, rows)
    text = f"{limit.text}: {found.choice}."
    rivals = [
        model for model, choice, _ in found.tried if choice is not None and (choice.tpr_high or 0) > found.choice.tpr
    ]
    if rivals := [model for model in rivals if model != found.choice.model]:
        text += f" Scores counted together in buckets leave open whether {' or '.join(rivals)} could catch more."
    data = {"limit": limit.to_dict(), "decision": decided(found.choice), "text": text, "models": table_data(table)}
    return text, table, data

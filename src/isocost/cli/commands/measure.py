"""isocost measure: numbers that sum up a model."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import amounts, each_class, options, question_options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    from isocost.measures.registry import MEASURES

    return [name for name in MEASURES if name.startswith(incomplete)]


@click.command("measure", short_help="AUC, VOROS, H-measure, expected cost and others, with intervals.")
@options.files
@click.option(
    "-m", "--measure", "names", metavar="NAME", multiple=True, shell_complete=_complete,
    help="Measure to compute; repeatable. Default: all. `--list` names them.",
)  # fmt: skip
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, help="List the measures and stop.",
    callback=lambda ctx, _, on: _list(ctx, on=on),
)  # fmt: skip
@options.data_options
@each_class.each_class
@options.average_folds
@options.cluster
@options.condition_options
@amounts.amount_options
@question_options.limits
@click.option(
    "--rates", type=options.Rates(),
    help="For the losses of rankings: only between these shares of cases flagged, such as 0.1:0.5.",
)  # fmt: skip
@options.resamples(0, "of the cases, for confidence intervals")
@options.level
@options.seed
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table) or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, names: tuple[str, ...], **given: Any) -> None:
    """Measure models. Measures that average over conditions do so over those given, or over all.

    With a limit, VOROS is computed among the rules that keep it. With --rates, the losses of rankings are computed between two
    shares of cases flagged. The table lists only measures to which the options given apply.

    \b
    Examples:
      isocost measure --list
      isocost measure predictions.csv --label y
      isocost measure predictions.csv --label y -m voros -m auc --resamples 2000
      isocost measure predictions.csv --label y --max-flagged 10% --min-precision 50%
      isocost measure predictions.csv --label y --rates 0.1:0.5
      isocost measure predictions.csv --label fraud --cost-fp 15 --cost-column amount -m mean_normalised_cost --resamples 1000
      isocost measure wines.csv --label cultivar --each-class -m auc -m auprg
      isocost measure predictions.csv --label y -m mean_normalised_cost --cost-fn 5:20 --prevalence 0.01:0.03
    """
    from isocost.cli import condition_options, intervals, measuring
    from isocost.compare import Comparison

    asked = measuring.options(given)
    measures = measuring.chosen(names, asked)
    if given["each_class"]:
        each_class.measured(ctx, given | {"names": names}, measures, output)
        return
    session = Session.start(ctx, given, output, amounts=amounts.terms(ctx, given, measured=True))
    over = session.over
    measured = Comparison(session.data.curves).table(over, measures=[measure.name for measure in measures], **asked)
    found = intervals.intervals(session, measures, over, asked)
    values = [row | {"intervals": found.get(row["model"])} for row in measuring.to_dicts(measured)]
    data = {
        "data": session.data.to_dict(), "condition": condition_options.to_dict(over), "options": asked,
        "better": measuring.directions(measures),
        "level": given["level"] if found else None, "measures": values,
    }  # fmt: skip
    parts = measuring.printed(measured, over, asked) if not found else [_with_intervals(values, given["level"])]
    session.give(Answer("measure", parts, data), output)


def _with_intervals(values: list[dict[str, Any]], level: float) -> TextTable:
    rows = [
        [row["model"], name, value, *row["intervals"].get(name, (None, None, None))]
        for row in values
        for name, value in row["values"].items()
    ]
    title = f"Measures with {100 * level:g} % intervals; estimate: without the optimism of choosing thresholds on the same cases"
    return TextTable(
        ["model", "measure", "value", "estimate", "low", "high"], rows, title, names=[row["model"] for row in values]
    )


def _list(ctx: click.Context, *, on: bool) -> None:
    if not on or ctx.resilient_parsing:
        return
    from isocost.measures.registry import MEASURES

    rows = [
        [m.name, "higher" if m.higher_is_better else "lower", m.low, m.high, ", ".join(sorted(m.needs)), m.reference]
        for m in MEASURES.values()
    ]
    Answer("measure", [TextTable(["measure", "better", "from", "to", "needs", "reference"], rows)], {}).give(
        as_json=False, output=None
    )
    ctx.exit()

"""isocost measure: numbers that sum up a model."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import options
from isocost.cli.output import Result, Table
from isocost.cli.session import Session


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    from isocost.measures.registry import MEASURES

    return [name for name in MEASURES if name.startswith(incomplete)]


@click.command("measure", short_help="AUC, VOROS, H-measure, expected cost and others.")
@options.files
@click.option(
    "-m", "--measure", "names", metavar="NAME", multiple=True, shell_complete=_complete,
    help="Measure to take; repeatable. Default: all. `--list` names them.",
)  # fmt: skip
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, help="List the measures and stop.",
    callback=lambda ctx, _, on: _list(ctx, on=on),
)  # fmt: skip
@options.data_options
@options.condition_options
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table) or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, names: tuple[str, ...], **given: Any) -> None:
    """Measure models. Measures that average over conditions do so over those given, or over all.

    \b
    Examples:
      isocost measure --list
      isocost measure predictions.csv --label y
      isocost measure predictions.csv --label y -m voros -m auc
      isocost measure predictions.csv --label y -m expected_cost --cost-fn 5:20 --prevalence 0.01:0.03
    """
    from isocost.cli import conditions, measuring
    from isocost.comparison import Comparison

    measures = measuring.chosen(names)
    session = Session.start(ctx, given, output)
    over = session.over
    measured = Comparison(session.data.curves).table(over, measures=[measure.name for measure in measures])
    data = {
        "data": session.data.to_dict(), "condition": conditions.to_dict(over), "better": measuring.directions(measures),
        "measures": measuring.to_dicts(measured),
    }  # fmt: skip
    session.give(Result("measure", measuring.printed(measured, over), data), output)


def _list(ctx: click.Context, *, on: bool) -> None:
    if not on or ctx.resilient_parsing:
        return
    from isocost.measures.registry import MEASURES

    rows = [
        [m.name, "higher" if m.higher_is_better else "lower", m.low, m.high, ", ".join(sorted(m.needs)), m.reference]
        for m in MEASURES.values()
    ]
    Result("measure", [Table(["measure", "better", "from", "to", "needs", "reference"], rows)], {}).give(
        as_json=False, output=None
    )
    ctx.exit()

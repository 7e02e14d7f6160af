"""isocost watch: is a deployed choice still the cheapest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli import limit_options, options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.cli.text_table import TextTable

if TYPE_CHECKING:
    from isocost.deployment import Watch

_HEADS = {
    "period": "period", "cases": "cases", "labelled": "labelled", "prevalence": "positive",
    "prevalence_low": "from", "prevalence_high": "to", "if_risks_hold": "if risks hold",
    "cost": "cost per 1000", "regret": "regret", "regret_low": "least", "regret_high": "most",
    "fit_p_value": "fit p", "label_p_value": "labels p", "best_rule": "cheapest now", "alarm": "alarm",
}  # fmt: skip


@click.command("watch", short_help="After deployment: is the choice still the cheapest?")
@options.files
@options.data_options
@options.deployed(required=True)
@click.option(
    "--by",
    metavar="COLUMN",
    help="Column of periods in the deployed files, such as a date. Default: each file is a period.",
)
@options.condition_options
@click.option(
    "--current", type=limit_options.RuleInUse(), help="The rule in use. Default: the cheapest on the reference."
)
@click.option(
    "--ignore-below",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    metavar="PER_1000",
    help="Regret per 1000 cases that is not worth a change.",
)
@click.option(
    "--error-rate",
    type=options.Share(inside=True),
    default=0.1,
    show_default=True,
    help="Chance of any false alarm over all periods.",
)
@click.option("--horizon", type=click.IntRange(1), metavar="N", help="How many periods there will be. Default: no end.")
@click.option("--fail-on-alarm", is_flag=True, help="Exit code 1 if there is an alarm.")
@options.unit
@options.level
@click.option("--title", help="Title of the page.")
@options.json_flag
@options.output(
    "Where to write the result: .html (a page that opens offline), .json, .csv (the table with all digits) or text."
)
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Watch a deployed choice: how many cases are positive now, is it still the cheapest, and what does keeping it cost.

    FILES are the labelled reference on which the choice was made. Deployed files hold the score of the model in use; rows with a
    label in the reference's column of labels are used as labels, rows without one as unlabelled cases.

    Everything assumes that only the prevalence moved: positives and negatives score as they did in the reference.

    \b
    Examples:
      isocost watch reference.csv --label y --score m --deployed 'week-*.parquet' --cost-fn 5 --prevalence 30%
      isocost watch reference.csv --label y --deployed year.csv --by week --cost-fn 5 --current m:0.25 --ignore-below 20
      isocost watch reference.csv --label y --deployed 'week-*.csv' --cost-fn 5 -o watch.html --fail-on-alarm
    """
    import isocost as ic
    from isocost.cli import condition_options, decisions, deployed
    from isocost.decision.wording import DOING
    from isocost.errors import InputError, UnknownNameError

    session = Session.start(ctx, given, output)
    comparison = decisions.compared(session, with_cases=False)
    over = session.condition
    current = given["current"]
    model = str(comparison.decide(over).model if current is None else current[0])
    if current is not None and model not in comparison.names:
        raise UnknownNameError("model of --current", model, comparison.names)
    if model not in comparison.names:
        raise InputError(
            f"the cheapest choice is {DOING[model]}, which has no scores to watch: name the rule in use with --current"
        )
    weeks = deployed.periods(session, model, ic.prevalence_cuts(comparison[model]), given["by"])
    watched = ic.watch(
        comparison, weeks, condition=over, current=current, tolerance=given["ignore_below"], level=given["level"],
        error_rate=given["error_rate"], horizon=given["horizon"], unit=given["unit"] or "",
    )  # fmt: skip
    data = {
        "data": session.data.to_dict(), "condition": condition_options.to_dict(over), "text": str(watched), "watch": watched.to_dict(),
    }  # fmt: skip
    answer = Answer("watch", [_table(watched), str(watched)], data)
    if output is not None and Path(output).suffix == ".html":
        watched.save(output, title=given["title"])
        session.messages.say(f"Wrote {output}")
        answer.give(as_json=given["as_json"], output=None)
    else:
        session.give(answer, output)
    ctx.exit(1 if given["fail_on_alarm"] and watched.alarm is not None else 0)


def _table(watched: Watch) -> TextTable:
    """Return one row a period: for people in percent, for spreadsheets with all digits."""
    from isocost.decision import numbers

    rows = [period.to_dict() for period in watched.periods]
    shares = ("prevalence", "prevalence_low", "prevalence_high", "if_risks_hold")
    money = ("cost", "regret", "regret_low", "regret_high")
    # What no period has is not shown.
    heads = {
        key: head for key, head in _HEADS.items() if any(row[key] not in (None, 0, []) for row in rows) or key in money
    }

    def cell(key: str, value: Any) -> Any:
        if value is None:
            return None
        if key in shares:
            return numbers.percent(value)
        return numbers.money(value) if key in money else ", ".join(value) if key == "alarm" else value

    right = {heads[key] for key in (*shares, *money) if key in heads}
    return TextTable(
        list(heads.values()), [[cell(key, row[key]) for key in heads] for row in rows], right=right,
        data_columns=list(rows[0]), data_rows=[[" ".join(v) if isinstance(v, list) else v for v in row.values()] for row in rows],
    )  # fmt: skip

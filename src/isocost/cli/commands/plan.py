"""isocost plan: how many labelled cases a study needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from isocost.cli import options
from isocost.cli.options import Share
from isocost.cli.output import Answer, Messages
from isocost.cli.session import Session
from isocost.errors import InputError

if TYPE_CHECKING:
    from isocost.inference.study import CasesNeeded

# What goes without a file.
_ALONE = ("auc", "negatives_per_positive", "power", "level", "as_json", "output", "quiet", "verbose")


@click.command("plan", short_help="How many labelled cases a study needs.")
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="[PILOT]...")
@options.data_options
@options.cluster
@options.condition_options
@click.option(
    "--difference", type=float, metavar="PER_1000",
    help="The smallest difference of cost per 1000 cases that matters. Default: the one that the pilot shows.",
)  # fmt: skip
@click.option("--auc", type=Share(inside=True), help="Without a pilot: the AUC of one model, to be told from chance.")
@click.option(
    "--negatives-per-positive", type=click.FloatRange(0, min_open=True), default=1.0, show_default=True, metavar="N",
    help="With --auc: how many negatives the study has for each positive.",
)  # fmt: skip
@click.option(
    "--power",
    type=Share(inside=True),
    default=0.80,
    show_default=True,
    help="How likely the study finds the difference.",
)
@options.level
@options.resamples(2000, "of the pilot's cases, for how much the difference varies")
@options.seed
@options.unit
@options.json_flag
@options.output("Where to write the result: .json or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Plan a study: how many labelled cases tell two models apart, with a pilot that scored both, or one model from chance.

    A pilot has one row per case, with a column of labels and one of scores for each of the two models. The difference it
    shows is uncertain: it is better to say with --difference which one matters. The study has the pilot's share of positives.

    \b
    Examples:
      isocost plan pilot.csv --label y --score a --score b --cost-fp 1 --cost-fn 5 --prevalence 10% --difference 20
      isocost plan --auc 0.75 --negatives-per-positive 3
    """
    if given["auc"] is not None:
        _only_without_a_file(ctx)
        answer = _of_area(given)
        messages = Messages(given["quiet"], given["verbose"])
        answer.give(as_json=given["as_json"], output=output)
        if output is not None:
            messages.say(f"Wrote {output}")
        return
    if not given["files"]:
        raise click.UsageError("name the file of a pilot, or assume an area with --auc")
    if ctx.get_parameter_source("negatives_per_positive") != ParameterSource.DEFAULT:
        raise click.UsageError("--negatives-per-positive goes with --auc; a study has the pilot's share of positives")
    session = Session.start(ctx, given, output)
    session.give(_of_pilot(session), output)


def _only_without_a_file(ctx: click.Context) -> None:
    for parameter in ctx.command.params:
        name = str(parameter.name)
        if name not in _ALONE and ctx.get_parameter_source(name) != ParameterSource.DEFAULT and ctx.params[name]:
            what = "a file" if name == "files" else parameter.opts[0]
            raise click.UsageError(f"--auc needs no pilot: {what} does not go with it")


def _of_area(given: dict[str, Any]) -> Answer:
    from isocost.inference.study import cases_needed_auc

    found = cases_needed_auc(
        given["auc"], negatives_per_positive=given["negatives_per_positive"], power=given["power"], level=given["level"]
    )
    return _answer(found, None, None, "")


def _of_pilot(session: Session) -> Answer:
    from isocost.cli import condition_options, intervals

    models = session.data.models
    if len(models) != 2:
        raise InputError(
            f"a study tells two models apart, got {len(models)}: choose them with --score, of {', '.join(models)}"
        )
    if session.given["resamples"] == 0:
        raise InputError("a plan needs resamples of the pilot: leave --resamples out, or ask for 2000")
    over, asked = session.condition, session.given["difference"]
    found = intervals.resampled(session, "planning a study", single=True).cases_needed(
        *models, over, difference=asked, power=session.given["power"], level=session.given["level"]
    )
    if asked is None:
        session.messages.say(
            "The difference is the one that the pilot shows, which is uncertain. Say with --difference which one matters."
        )
    return _answer(found, session.data.to_dict(), condition_options.to_dict(over), session.given["unit"] or "")


def _answer(found: CasesNeeded, data: dict[str, Any] | None, condition: dict[str, Any] | None, unit: str) -> Answer:
    return Answer("plan", [found.sentence(unit)], {"data": data, "condition": condition, "plan": found.to_dict()})

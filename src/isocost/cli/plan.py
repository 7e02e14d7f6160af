"""isocost plan: how many labelled cases a study needs."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from isocost.cli import decisions, options
from isocost.cli.output import Answer, Messages
from isocost.cli.session import Session, condition_to_dict
from isocost.errors import InputError
from isocost.inference.study import CasesNeeded, cases_needed_auc

# What goes without a file.
_ALONE = {"negatives_per_positive", "auc", "power", "level", "as_json", "output", "quiet", "verbose"}


@click.command
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="[PILOT]...")
@options.data_options
@options.cluster
@options.condition_options
@click.option(
    "--difference", type=float, metavar="PER_1000",
    help="The smallest difference of cost per 1000 cases that matters. Default: the one that the pilot shows.",
)  # fmt: skip
@click.option("--auc", type=options.INNER_SHARE, help="Without a pilot: the AUC of one model, to be told from chance.")
@click.option(
    "--negatives-per-positive", type=click.FloatRange(0, min_open=True), default=1.0, show_default=True, metavar="N",
    help="With --auc: how many negatives the study has for each positive.",
)  # fmt: skip
@click.option(
    "--power", type=options.INNER_SHARE, default=0.80, show_default=True, help="How likely the study finds the difference."
)  # fmt: skip
@options.level
@options.resamples(2000, "of the pilot's cases, for how much the difference varies")
@options.seed
@options.unit
@options.results("Where to write the result: .json or text.")
@click.pass_context
def plan(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Plan a study: how many labelled cases tell two models apart, with a pilot that scored both, or one model from chance.

    A pilot has one row per case, with a column of labels and one of scores for each of the two models. The difference it
    shows is uncertain: it is better to say with --difference which one matters. The study has the pilot's share of positives.

    \b
    Examples:
      isocost plan pilot.csv --label y --score a --score b --cost-fp 1 --cost-fn 5 --prevalence 10% --difference 20
      isocost plan --auc 0.75 --negatives-per-positive 3
    """
    if given["auc"] is not None:
        for param in options.given_besides(ctx, _ALONE):
            if ctx.params[str(param.name)]:
                what = "a file" if param.name == "files" else param.opts[0]
                raise click.UsageError(f"--auc needs no pilot: {what} does not go with it")
        asked = {name: given[name] for name in ("negatives_per_positive", "power", "level")}
        _answer(cases_needed_auc(given["auc"], **asked), None, None, "").give(as_json=given["as_json"], output=output)
        if output is not None:
            Messages(given["quiet"]).say(f"Wrote {output}")
        return
    if not given["files"]:
        raise click.UsageError("name the file of a pilot, or assume an area with --auc")
    if ctx.get_parameter_source("negatives_per_positive") != ParameterSource.DEFAULT:
        raise click.UsageError("--negatives-per-positive goes with --auc; a study has the pilot's share of positives")
    session = Session.start(ctx, given, output)
    session.give(_of_pilot(session), output)


def _of_pilot(session: Session) -> Answer:
    models = session.data.models
    if len(models) != 2:
        raise InputError(
            f"a study tells two models apart, got {len(models)}: choose them with --score, of {', '.join(models)}"
        )
    if session.given["resamples"] == 0:
        raise InputError("a plan needs resamples of the pilot: leave --resamples out, or ask for 2000")
    over, difference = session.condition, session.given["difference"]
    found = decisions.resampled(session, "planning a study", single=True).cases_needed(
        *models, over, difference=difference, power=session.given["power"], level=session.given["level"]
    )
    if difference is None:
        session.messages.say(
            "The difference is the one that the pilot shows, which is uncertain. Say with --difference which one matters."
        )
    return _answer(found, session.data.to_dict(), condition_to_dict(over), session.unit)


def _answer(found: CasesNeeded, data: dict[str, Any] | None, condition: dict[str, Any] | None, unit: str) -> Answer:
    return Answer("plan", [found.sentence(unit)], {"data": data, "condition": condition, "plan": found.to_dict()})

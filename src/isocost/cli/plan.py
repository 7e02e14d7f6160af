"""isocost plan: how many labelled cases a study needs."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from isocost.cli import decisions, options
from isocost.cli.output import Answer
from isocost.cli.session import Session, command, condition_to_dict
from isocost.errors import InputError
from isocost.inference.study import CasesNeeded, cases_needed_auc

# What goes without a file.
_ALONE = {"negatives_per_positive", "auc", "power", "level", "as_json", "output", "quiet", "verbose"}


@command("FILES DATA cluster CONDITION difference auc negatives-per-positive power level resamples seed unit RESULT")
def plan(session: Session) -> Answer:
    """Plan a study: how many labelled cases tell two models apart, with a pilot that scored both, or one model from chance.

    A pilot has one row per case, with a column of labels and one of scores for each of the two models. The difference it
    shows is uncertain: it is better to say with --difference which one matters. The study has the pilot's share of positives.

    \b
    Examples:
      isocost plan pilot.csv --label y --score a --score b --cost-fp 1 --cost-fn 5 --prevalence 10% --difference 20
      isocost plan --auc 0.75 --negatives-per-positive 3
    """
    given, ctx = session.given, session.ctx
    if given["auc"] is not None:
        for param in options.given_besides(ctx, _ALONE):
            if ctx.params[str(param.name)]:
                what = "a file" if param.name == "files" else param.opts[0]
                raise click.UsageError(f"--auc needs no pilot: {what} does not go with it")
        found = cases_needed_auc(
            given["auc"], **{name: given[name] for name in ("negatives_per_positive", "power", "level")}
        )
        return _answer(found, {"data": None, "condition": None})
    if not given["files"]:
        raise click.UsageError("name the file of a pilot, or assume an area with --auc")
    if ctx.get_parameter_source("negatives_per_positive") != ParameterSource.DEFAULT:
        raise click.UsageError("--negatives-per-positive goes with --auc; a study has the pilot's share of positives")
    models, difference = session.data.models, given["difference"]
    if len(models) != 2:
        raise InputError(
            f"a study tells two models apart, got {len(models)}: choose them with --score, of {', '.join(models)}"
        )
    if given["resamples"] == 0:
        raise InputError("a plan needs resamples of the pilot: leave --resamples out, or ask for 2000")
    over = session.condition
    needed = decisions.resampled(session, "planning a study", single=True).cases_needed(
        *models, over, difference=difference, power=given["power"], level=given["level"]
    )  # fmt: skip
    if difference is None:
        session.messages.say(
            "The difference is the one that the pilot shows, which is uncertain. Say with --difference which one matters."
        )
    return _answer(needed, {"condition": condition_to_dict(over)}, session.unit)


def _answer(found: CasesNeeded, data: dict[str, Any], unit: str = "") -> Answer:
    return Answer([found.sentence(unit)], {**data, "plan": found.to_dict()})

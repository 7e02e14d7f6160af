"""isocost ask: the one question about costs that is worth asking."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import click

from isocost import numbers
from isocost.cli import decisions, options
from isocost.cli.output import Answer, Table
from isocost.cli.session import COSTS, Session
from isocost.conditions import Conditions, Even
from isocost.decide.ask import CostQuestion


@click.command
@options.files
@options.data_options
@options.condition_options
@click.option(
    "--about",
    type=click.Choice([name.replace("_", "-") for name in COSTS]),
    help="What to ask about. Default: the uncertain quantity whose question is worth most.",
)
@click.option(
    "--questions", type=click.IntRange(1, 6), default=1, show_default=True, metavar="N",
    help="How many questions may be asked in all, 1 to 6.",
)  # fmt: skip
@options.unit
@options.results()
@click.pass_context
def ask(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Ask the one question about uncertain costs, or the share of positives, whose answer saves most.

    Give what is uncertain as a range or a belief. The question is a choice between two outcomes; the two commands below it go on
    from either answer. When no answer is worth anything, the command says so.

    \b
    Examples:
      isocost ask predictions.csv --label y --cost-fn 1:20 --prevalence 30%
      isocost ask predictions.csv --label y --cost-fn 1:20 --prevalence 10%:50% --about prevalence --questions 3
    """
    session = Session.start(ctx, given, output)
    comparison = decisions.compared(session, with_cases=False)
    about = None if given["about"] is None else given["about"].replace("-", "_")
    found = comparison.ask(session.condition, about=about, questions=given["questions"], unit=session.unit)
    data = {"data": session.data.to_dict(), "text": str(found), "question": found.to_dict()}
    parts: list[Any] = [str(found)]
    if found.at is not None:
        parts.append(_table(found))
        lines = [
            f"If {answer}: {typed}"
            for answer, over in (("yes", found.more), ("no", found.less))
            if (typed := _next(ctx.meta["isocost.arguments"], found.about, over))
        ]
        parts += ["\n".join(lines)] if lines else []
    session.give(Answer("ask", parts, data), output)


def _table(found: CostQuestion) -> Table:
    """Return what to do after each answer, and how many of 1000 cases are then false alarms and misses."""
    heads = ["answer", "chance", "model", "rule", "false alarms", "misses"]
    shown = [
        [row["answer"], numbers.percent(row["chance"]), row["model"], row["rule"], *map(numbers.digits, list(row.values())[-2:])]
        for row in found.answers
    ]  # fmt: skip
    return Table(heads, shown, right={"chance", "false alarms", "misses"}, full=found.answers)


def _next(arguments: Sequence[str], about: str, over: Conditions | None) -> str:
    """Return the command that goes on from an answer; nothing if the answer cannot be typed as a range."""
    quantity = None if over is None or over.quantities is None else over.quantities[about]
    if not isinstance(quantity, Even) or quantity.low == quantity.high:
        return ""
    option, typed = f"--{about.replace('_', '-')}", f"{quantity.low:.12g}:{quantity.high:.12g}"
    words = list(arguments)
    for i, word in enumerate(words):
        if word.startswith(f"{option}="):
            words[i] = f"{option}={typed}"
        elif word == option and i + 1 < len(words):
            words[i + 1] = typed
    return shlex.join(["isocost", *words])

"""isocost ask: the one question about costs that is worth asking."""

from __future__ import annotations

import shlex
from typing import Any

from isocost import numbers
from isocost.cli import decisions, options
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command
from isocost.conditions import Conditions, Even


@command("FILES DATA CONDITION about questions unit RESULT")
def ask(session: Session) -> Answer:
    """Ask the one question about uncertain costs, or the share of positives, whose answer saves most.

    Give what is uncertain as a range or a belief. The question is a choice between two outcomes; the two commands below it go on
    from either answer. When no answer is worth anything, the command says so.

    \b
    Examples:
      isocost ask predictions.csv --label y --cost-fn 1:20 --prevalence 30%
      isocost ask predictions.csv --label y --cost-fn 1:20 --prevalence 10%:50% --about prevalence --questions 3
    """
    comparison = decisions.compared(session, with_cases=False)
    about = None if session.given["about"] is None else session.given["about"].replace("-", "_")
    found = comparison.ask(session.condition, about=about, questions=session.given["questions"], unit=session.unit)
    parts: list[Any] = [str(found)]
    if found.at is not None:
        shown = {"answer": "answer", "chance": ("chance", numbers.percent), "model": "model", "rule": "rule"}
        counts = zip(list(found.answers[0])[-2:], ("false alarms", "misses"), strict=True)
        parts.append(Table.of(found.answers, shown | {key: (head, numbers.digits) for key, head in counts}))
        ways = {"yes": _next(session, found.about, found.more), "no": _next(session, found.about, found.less)}
        lines = [f"If {answer}: {typed}" for answer, typed in ways.items() if typed]
        parts += ["\n".join(lines)] if lines else []
    return Answer(parts, {"text": str(found), "question": found.to_dict()})


def _next(session: Session, about: str, over: Conditions | None) -> str:
    """Return the command that goes on from an answer; nothing if the answer cannot be typed as a range."""
    quantity = None if over is None or over.quantities is None else over.quantities[about]
    if not isinstance(quantity, Even) or quantity.low == quantity.high:
        return ""
    option, typed = options.spelt(about), f"{quantity.low:.12g}:{quantity.high:.12g}"
    words = list(session.ctx.meta["isocost.arguments"])
    for i, word in enumerate(words):
        if word.startswith(f"{option}="):
            words[i] = f"{option}={typed}"
        elif word == option:
            words[i + 1] = typed
    return shlex.join(["isocost", *words])

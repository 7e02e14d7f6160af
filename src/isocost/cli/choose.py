"""isocost choose: the model and threshold to deploy."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import decisions, deployed, options
from isocost.cli.amounts import by_amounts
from isocost.cli.check import columns_of, rows_of
from isocost.cli.groups import Grouping
from isocost.cli.groups import check as check_groups
from isocost.cli.output import Answer
from isocost.cli.session import Session, command
from isocost.decide import Decision
from isocost.errors import InputError
from isocost.monitor import Rule, evaluate
from isocost.results import check_writable


@command(
    "FILES DATA cluster CONDITION pcf AMOUNTS deployed QUESTION group thresholds parity within evaluate rule save unit "
    "resamples level seed RESULT"
)
def choose(session: Session) -> Answer:
    """Choose the model and the rule to deploy: a case is flagged when its score ≥ the threshold.

    With costs, the cheapest rule that keeps every limit; ranges are priced at their means, in the unit of the costs. With limits
    and no costs, the rule that catches most positives within them. With neither, who is cheapest where.

    \b
    Examples:
      isocost choose predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 2%
      isocost choose predictions.csv --label y --cost-fn 5:20 --prevalence 1%:3% --max-flagged 10%
      isocost choose predictions.csv --label y --max-flagged 10% --min-precision 50%
      isocost choose predictions.csv --label y --cost-fn 5 --current scorecard:0.5 --unit €
      isocost choose predictions.csv --label y --cost-fn 5 --prevalence 30% --max-fpr 10% --sure 90%
      isocost choose predictions.csv --label y --cost-fn 5 --cluster patient --good-enough 20
      isocost choose predictions.csv --label fraud --cost-fp 15 --cost-tp 15 --cost-column amount --unit €
      isocost choose valid.csv --label y --cost-fn 5 --evaluate test.csv
      isocost choose --rule rule.json --evaluate test.csv --label y
      isocost choose predictions.csv --label y --cost-fn 5 --prevalence 30% --save rule.json
      isocost choose predictions.csv --label y --cost-fn 5 --deployed this-week.parquet
      isocost choose predictions.csv --label y --cost-fn 5 --prevalence 30% --cost-review 0.3 --max-reviewed 10%
      isocost choose predictions.csv --label y --cost-fn 5 --group site --parity tpr --within 5%
      cat predictions.csv | isocost choose - --label y --positive yes --max-fpr 0.01 --json
    """
    given = session.given
    check_writable(given["save"], (".json",))
    if given["rule"] is not None:
        return _evaluated(session)
    if not given["files"]:
        raise click.MissingParameter(ctx=session.ctx, param=session.ctx.command.params[0])
    if given["cost_columns"]:
        return by_amounts(session)
    check_groups(given)
    # A mix is for equal rates alone.
    question = options.asked({**given, "randomised": given["randomised"] and given["group"] is None})
    at, said, estimated = deployed.at_estimate(session)
    # Resamples do not tell whether the assumption about the cases in use holds, so no grade may rest on them.
    total = decisions.resamples(session) if estimated is None else None
    groups = None if given["group"] is None else Grouping(at)
    weights = None if groups is None else groups.weights

    def decided(at: Session) -> Decision:
        return decisions.decided(at, total=total, weights=weights, **question, **at.priced())

    decision, settled = decided(at), True
    if estimated is not None:
        decision, verdict, settled = deployed.agreed(session, decision, decided(session))
        said = f"{said}\n{verdict}"
    parts, data = _shown(at, decision, settled=settled)
    parts = [*filter(None, [said]), *parts]
    data |= {} if estimated is None else {"prevalence": estimated | {"settled": settled}}
    if groups is not None:
        more, added = groups.answered(total)
        parts, data = [*parts, *more], data | added
    if given["evaluate"] is not None:
        evaluation = decisions.evaluated(session, decision)
        data["evaluation"] = evaluation.to_dict()
        parts.append(str(evaluation))
    if given["save"] is not None:
        session.wrote(Rule.of(decision).save(given["save"]))
    return Answer(parts, data)


def _shown(at: Session, decision: Decision, *, settled: bool) -> tuple[list[Any], dict[str, Any]]:
    """Return the decision in words and as data; whatever rule serves all groups best breaks that of equal rates, and is not shown."""
    question, equal = decision.question, at.given["parity"] is not None
    if equal and not question.costs_given:
        raise InputError("what equal rates cost depends on what errors cost: give --cost-fn or --cost-fp as well")
    parts, data = [], {"decision": None if equal else decision.to_dict()}
    if settled and not equal:
        text, found = decisions.as_it_is(at, decision)
        parts += [str(decision), decisions.table(decision), *filter(None, [text])]
        data |= {} if found is None else {"as_it_is": found}
    if not question.costs_given and not question.limits:
        parts.append(decisions.winners(decisions.compared(at, with_cases=False), question.prevalence)[0])
    return parts, data


def _evaluated(session: Session) -> Answer:
    """Say what the rule of a file does and costs on the cases of --evaluate, on which nothing is chosen."""
    given, rule = session.given, session.given["rule"]
    if given["files"] or given["evaluate"] is None or given["save"] is not None:
        raise click.UsageError("--rule chooses nothing: name the cases with --evaluate, and leave out FILES and --save")
    session.given = {**given, "files": (given["evaluate"],), **columns_of([rule], given)}
    rows = rows_of(session.data, rule)
    found = evaluate(rule, rows.y_true, rows.scores, group=rows.group, rng=given["seed"])
    return Answer([str(found)], {"evaluation": found.to_dict()})

"""isocost choose: the model and threshold to deploy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from isocost.cli import amounts, group_options, options, question_options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.results import check_writable

if TYPE_CHECKING:
    from isocost.decide import Decision


@click.command("choose", short_help="Model and threshold to deploy, their cost, and how sure that is.")
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="FILES...")
@options.data_options
@options.cluster
@options.condition_options
@amounts.amount_options
@options.deployed()
@question_options.question_options
@group_options.group_options
@click.option(
    "--evaluate", type=click.Path(), metavar="FILE",
    help="Other cases, with the same columns: what the rule, chosen on FILES or of --rule, does and costs on them.",
)  # fmt: skip
@question_options.rule
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the rule to this .json file, for check and watch.",
)
@options.unit
@options.resamples(None, "of the cases, to say how sure the answer is", "200, and 1000 where that matters")
@options.level
@options.seed
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table with all digits), .md or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
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
    from isocost.cli import decisions, deployed, grouping
    from isocost.errors import InputError
    from isocost.monitor import Rule

    check_writable(given["save"], (".json",))
    if given["rule"] is not None:
        _evaluate(ctx, given, output)
        return
    if not given["files"]:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if (terms := amounts.terms(ctx, given)) is not None:
        amounts.chosen(Session.start(ctx, given, output, amounts=terms), output)
        return
    groups = group_options.asked(given)
    question = question_options.asked(group_options.without(given))
    read = Session.start(ctx, given, output)
    session, said, estimated = deployed.at_estimate(read)
    # Resamples do not tell whether the assumption about the cases in use holds, so no grade may rest on them.
    total = decisions.resamples(session) if estimated is None else None
    found = None if groups is None else grouping.Grouping.of(session)

    def decided(at: Session) -> Decision:
        return decisions.decided(
            at, total=total, weights=None if found is None else found.weights, **question,
            **at.priced(limited=question_options.limited(given)),
        )  # fmt: skip

    decision, settled = decided(session), True
    if estimated is not None:
        decision, verdict, settled = deployed.agreed(read, decision, decided(read))
        said = f"{said}\n{verdict}"
    data = {"data": session.data.to_dict(), "decision": decision.to_dict()}
    data |= {} if estimated is None else {"prevalence": estimated | {"settled": settled}}
    parts: list[Any] = [*([said] if said else [])]
    if groups is not None and groups.parity is not None:
        # Whatever rule serves all groups best breaks the rule of equal rates: it is not the answer.
        data["decision"] = None
        if not decision.question.costs_given:
            raise InputError("what equal rates cost depends on what errors cost: give --cost-fn or --cost-fp as well")
    elif settled:
        parts += [str(decision), decisions.table(decision, session.data.models)]
    if not decision.question.costs_given and not decision.question.limits:
        parts.append(decisions.winners(decisions.compared(session, with_cases=False), decision.question.prevalence)[0])
    if groups is not None and found is not None:
        more, added = grouping.answered(session, found, groups, total)
        parts, data = [*parts, *more], data | added
    if given["evaluate"] is not None:
        evaluation = decisions.evaluated(ctx, session, decision)
        data["evaluation"] = evaluation.to_dict()
        parts.append(str(evaluation))
    if given["save"] is not None:
        session.messages.say(f"Wrote {Rule.of(decision).save(given['save'])}")
    session.give(Answer("choose", parts, data), output)


def _evaluate(ctx: click.Context, given: dict[str, Any], output: str | None) -> None:
    """Say what the rule of a file does and costs on the cases of --evaluate, on which nothing is chosen."""
    from isocost.cli.commands.check import columns_of, rows_of
    from isocost.monitor import evaluate

    if given["files"] or given["evaluate"] is None or given["save"] is not None:
        raise click.UsageError("--rule chooses nothing: name the cases with --evaluate, and leave out FILES and --save")
    rule = given["rule"]
    session = Session.start(ctx, {**given, "files": (given["evaluate"],), **columns_of([rule], given)}, output)
    rows = rows_of(session.data, rule)
    found = evaluate(rule, rows.y_true, rows.scores, group=rows.group, rng=given["seed"])
    session.give(
        Answer("choose", [str(found)], {"data": session.data.to_dict(), "evaluation": found.to_dict()}), output
    )

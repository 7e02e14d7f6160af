"""isocost choose: the model and threshold to deploy."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import amounts, group_options, label_options, limit_options, options, review_options
from isocost.cli.output import Answer
from isocost.cli.session import Session


@click.command("choose", short_help="Model and threshold to deploy, their cost, and how sure that is.")
@options.files
@options.data_options
@options.cluster
@options.condition_options
@amounts.amount_options
@options.deployed()
@limit_options.limit_options
@limit_options.method_options
@review_options.review_options
@label_options.label_options
@group_options.group_options
@click.option(
    "--charge", type=click.Path(), metavar="FILE",
    help="Other cases, with the same columns: what the rule, chosen on FILES, costs on them.",
)  # fmt: skip
@options.unit
@options.resamples(None, "of the cases, to say how sure the answer is", "200, or as many as take a quarter of a minute")
@options.level
@options.seed
@options.json_flag
@options.output("Where to write the result: .json, .csv (the table with all digits) or text.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Choose the model and the rule to deploy: a case is flagged when its score ≥ the threshold.

    With costs, the cheapest rule that keeps every limit; ranges are priced at their means, in the unit of the costs. With limits
    and no costs, the rule that catches most positives within them. With neither, equal costs are assumed.

    \b
    Examples:
      isocost choose predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 2%
      isocost choose predictions.csv --label y --cost-fn 5:20 --prevalence 1%:3% --max-flagged 10%
      isocost choose predictions.csv --label y --max-flagged 10% --min-precision 50%
      isocost choose predictions.csv --label y --cost-fn 5 --current scorecard:0.5 --unit €
      isocost choose predictions.csv --label y --cost-fn 5 --cluster patient --label-cost 0.2 --cases 50000
      isocost choose predictions.csv --label fraud --cost-fp 15 --cost-tp 15 --cost-column amount --unit €
      isocost choose valid.csv --label y --cost-fn 5 --charge test.csv
      isocost choose predictions.csv --label y --cost-fn 5 --deployed this-week.parquet
      isocost choose predictions.csv --label y --cost-fn 5 --prevalence 30% --cost-review 0.3 --max-reviewed 10%
      isocost choose predictions.csv --label y --cost-fn 5 --group site --parity tpr --within 5%
      cat predictions.csv | isocost choose - --label y --positive yes --max-fpr 0.01 --json
    """
    from isocost.cli import decisions, deployed, grouping

    if (terms := amounts.terms(ctx, given)) is not None:
        amounts.chosen(Session.start(ctx, given, output, amounts=terms), output)
        return
    groups = group_options.asked(given)
    asked = limit_options.asked(group_options.without(given)) | review_options.asked(given) | label_options.asked(given)
    session, said, estimated = deployed.at_estimate(Session.start(ctx, given, output))
    total = decisions.resamples(session)
    found = None if groups is None else grouping.Grouping.of(session)
    decision = decisions.decided(
        session, total=total, weights=None if found is None else found.weights, **asked,
        **session.priced(limited=limit_options.limited(given)),
    )  # fmt: skip
    data = {"data": session.data.to_dict(), "decision": decision.to_dict()}
    data |= {} if estimated is None else {"prevalence": estimated}
    parts: list[Any] = [*([said] if said else []), str(decision), decisions.table(decision, session.data.models)]
    if groups is not None and found is not None:
        more, added = grouping.answered(session, found, groups, total)
        parts, data = [*parts, *more], data | added
    if given["charge"] is not None:
        charged = decisions.charged(ctx, session, decision)
        data["charged"] = charged.to_dict()
        parts.append(str(charged))
    session.give(Answer("choose", parts, data), output)

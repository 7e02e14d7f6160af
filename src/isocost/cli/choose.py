"""isocost choose: the model and threshold to deploy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from isocost.cli import decisions, deployed, options
from isocost.cli.check import columns_of, rows_of
from isocost.cli.groups import Grouping
from isocost.cli.groups import check as check_groups
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session
from isocost.decide import Decision
from isocost.errors import InputError
from isocost.monitor import Rule, evaluate
from isocost.numbers import amount, percent
from isocost.results import check_writable

# Options that have a meaning with --cost-column.
_WITH_AMOUNTS = {
    "files", "label", "scores", "lower_is_positive", "fold", "positive", "missing", "decimal", "encoding", "memory", "cost_fp", "cost_fn",
    "cost_tp", "cost_tn", "cost_columns", "multiplier", "unit", "as_json", "output", "quiet", "verbose",
}  # fmt: skip
_MEASURED = {"names", "cluster", "resamples", "level", "seed"}
_INSTEAD = {
    "prevalence": "; the cases say how much is at stake on either side, and --multiplier changes it",
    "weight": "; the costs weigh the cases",
    "resamples": "; `isocost measure` with the same columns and --resamples has intervals",
}


@click.command
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="FILES...")
@options.data_options
@options.cluster
@options.condition_options
@options.pcf
@options.amount_options
@options.deployed()
@options.question_options
@options.group_options
@click.option(
    "--evaluate", type=click.Path(), metavar="FILE",
    help="Other cases, with the same columns: what the rule, chosen on FILES or of --rule, does and costs on them.",
)  # fmt: skip
@options.rule
@click.option(
    "--save", type=click.Path(dir_okay=False), metavar="FILE", help="Write the rule to this .json file, for check and watch."
)  # fmt: skip
@options.unit
@options.resamples(None, "of the cases, to say how sure the answer is", "200, and 1000 where that matters")
@options.level
@options.seed
@options.results()
@click.pass_context
def choose(ctx: click.Context, /, output: str | None, **given: Any) -> None:
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
    check_writable(given["save"], (".json",))
    if given["rule"] is not None:
        _evaluate(ctx, given, output)
        return
    if not given["files"]:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if (terms := amounts(ctx, given)) is not None:
        _by_amounts(Session.start(ctx, given, output, amounts=terms), output)
        return
    check_groups(given)
    grouped = given["group"] is not None
    # A mix is for equal rates alone.
    question = options.asked({**given, "randomised": given["randomised"] and not grouped})
    read = Session.start(ctx, given, output)
    session, said, estimated = deployed.at_estimate(read)
    # Resamples do not tell whether the assumption about the cases in use holds, so no grade may rest on them.
    total = decisions.resamples(session) if estimated is None else None
    groups = Grouping.of(session) if grouped else None

    def decided(at: Session) -> Decision:
        return decisions.decided(
            at, total=total, weights=None if groups is None else groups.weights, **question, **at.priced(limited=options.limited(given))
        )  # fmt: skip

    decision, settled = decided(session), True
    if estimated is not None:
        decision, verdict, settled = deployed.agreed(read, decision, decided(read))
        said = f"{said}\n{verdict}"
    data: dict[str, Any] = {"data": session.data.to_dict(), "decision": decision.to_dict()}
    data |= {} if estimated is None else {"prevalence": estimated | {"settled": settled}}
    parts: list[Any] = [said] if said else []
    if given["parity"] is not None:
        # Whatever rule serves all groups best breaks the rule of equal rates: it is not the answer.
        data["decision"] = None
        if not decision.question.costs_given:
            raise InputError("what equal rates cost depends on what errors cost: give --cost-fn or --cost-fp as well")
    elif settled:
        parts += [str(decision), decisions.table(decision)]
    if not decision.question.costs_given and not decision.question.limits:
        parts.append(decisions.winners(decisions.compared(session, with_cases=False), decision.question.prevalence)[0])
    if groups is not None:
        more, added = groups.answered(total)
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
    if given["files"] or given["evaluate"] is None or given["save"] is not None:
        raise click.UsageError("--rule chooses nothing: name the cases with --evaluate, and leave out FILES and --save")
    rule = given["rule"]
    session = Session.start(ctx, {**given, "files": (given["evaluate"],), **columns_of([rule], given)}, output)
    rows = rows_of(session.data, rule)
    found = evaluate(rule, rows.y_true, rows.scores, group=rows.group, rng=given["seed"])
    data = {"data": session.data.to_dict(), "evaluation": found.to_dict()}
    session.give(Answer("choose", [str(found)], data), output)


def amounts(ctx: click.Context, given: Mapping[str, Any], *, measured: bool = False) -> dict[str, Any] | None:
    """Return the costs that are no columns, and the multiplier; None without columns. What has no meaning with them is refused."""
    columns = dict(given["cost_columns"])
    if not columns:
        if given["multiplier"] is not None:
            raise click.UsageError("--multiplier goes with --cost-column")
        return None
    if len(columns) < len(given["cost_columns"]):
        raise click.UsageError("--cost-column names two columns for one outcome: keep one")
    for param in options.given_besides(ctx, _WITH_AMOUNTS | (_MEASURED if measured else set())):
        instead = _INSTEAD.get(str(param.name), "")
        raise click.UsageError(f"{param.opts[-1]} has no meaning with --cost-column: drop it{instead}")
    numbers = {}
    for outcome in options.OUTCOMES:
        name = f"cost_{outcome}"
        if given[name] is None:
            continue
        if name in columns:
            raise click.UsageError(f"--cost-{outcome} and the column {columns[name]!r} price the same: keep one")
        if not isinstance(given[name], float):
            raise click.UsageError(f"--cost-{outcome} beside --cost-column must be one number")
        numbers[name] = given[name]
    for outcome, what in (("fp", "false alarm"), ("fn", "miss")):
        if f"cost_{outcome}" not in numbers | columns:
            raise click.UsageError(
                f"say what a {what} costs, in the unit of the column: --cost-{outcome}, or --cost-column {outcome}=COLUMN"
            )
    note = "Amounts: every case counts what being wrong about it costs. Rates and measures are shares of amounts, not of cases."
    return {"numbers": numbers, "multiplier": given["multiplier"] or 1.0, "note": note if measured else ""}


def _by_amounts(session: Session, output: str | None) -> None:
    """Print the cheapest model and threshold where each case has its own costs, and what the others cost."""
    costs, terms = session.data.row_costs, session.data.amounts
    assert costs is not None  # noqa: S101 - the columns were named
    assert terms is not None  # noqa: S101
    found = costs.decide(session.data.rows("--cost-column").scores, multiplier=terms["multiplier"], unit=session.unit)
    alarms, misses = costs.at_stake
    at_stake = {"at_stake": {"false_alarms": alarms, "misses": misses}, "unavoidable": costs.unavoidable}
    data = {"data": session.data.to_dict(), "amounts": {**found.to_dict(), "model": found.model, **at_stake}}
    choices = sorted(found.choices.items(), key=lambda item: item[1].total)
    rows = [
        [name, c.rule.replace("flag scores", "score"), percent(c.flagged), percent(c.amount_caught), amount(1000 * c.per_case)]
        for name, c in choices
    ] + [
        ["no model", "flag everybody", percent(1.0), percent(1.0), amount(1000 * found.flag_everybody)],
        ["no model", "flag nobody", percent(0.0), percent(0.0), amount(1000 * found.flag_nobody)],
    ]  # fmt: skip
    fields = (
        "threshold", "flagged", "amount_caught", "amount_alarmed", "per_case", "total", "savings", "multiplier_low", "multiplier_high"
    )  # fmt: skip
    heads = ["model", "rule", "flagged", "amount caught", f"{found.unit} per 1000".strip()]
    full = [{"model": name, **{field: getattr(c, field) for field in fields}} for name, c in choices]
    session.give(Answer("choose", [str(found), Table(heads, rows, right=heads[2:], full=full)], data), output)

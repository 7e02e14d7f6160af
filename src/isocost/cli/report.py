"""isocost report and isocost extract: the whole analysis as one page, and the data inside one."""

from __future__ import annotations

import click

from isocost.cli import decisions, groups, options
from isocost.cli.amounts import written
from isocost.cli.output import Answer
from isocost.cli.session import Session, command, condition_to_dict
from isocost.compare.published import APART
from isocost.report.report import SUFFIXES, Report
from isocost.results import atomically, check_writable


@command(
    "FILES DATA cluster group CONDITION pcf AMOUNTS QUESTION evaluate title unit resamples level seed RESULT",
    suffixes=SUFFIXES,
)
def report(session: Session) -> Answer:
    """Write the whole analysis as one page on which anyone can drag the costs and see the answer move, and print the decision.

    The page is one file that opens offline. Score counts have no cases to resample, so their page shows no intervals. Nor
    does the page of a single model with more cases than can be resampled in seconds, unless --resamples is given. For several
    models with millions of cases, and for cases that do not fit --memory, blocks of scores are resampled.

    \b
    Examples:
      isocost report predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02 -o report.html
      isocost report predictions.csv --label y --cost-fn 5:20 --prevalence 0.01:0.03 --title "Fraud, May" -o report.html
      isocost report predictions.csv --label bad --cost-fn 5 --word case=applicant --word cases=applicants -o report.html
      isocost report predictions.csv --label y --cost-fn 5 --prevalence 0.3 --cost-review 0.3 --max-reviewed 10% -o report.html
      isocost report valid.csv --label y --cost-fn 5 --max-flagged 10% --sure 90% --evaluate test.csv -o report.html
      isocost report predictions.csv --label fraud --cost-fp 15 --cost-tp 15 --cost-column amount --unit € -o report.html
    """
    given, data, output = session.given, session.data, str(session.output)
    asked, over = {**options.asked(given), **session.priced()}, session.condition
    if data.row_costs is not None and data.amounts is not None:
        over = asked["condition"] = data.row_costs.per_case(data.amounts["multiplier"])
    grouped = given["group"] is not None
    comparison = decisions.compared(session, with_cases=_resampled(session) or grouped)
    with session.messages.progress("writing the page"):
        made = comparison.report(
            **asked, title=given["title"], unit=session.unit, n_resamples=given["resamples"], level=given["level"], rng=given["seed"],
            **(groups.reported(session) if grouped else {}),
        )  # fmt: skip
    notes = data.facts["notes"] if data.amounts is not None else []
    notes += [APART] if data.published and data.published.agreement is None and len(data.models) > 1 else []
    if data.source is not None:
        notes += [data.source.introduction(), *data.source.notes]
        amounts = None if data.amounts is None else written(session)
        made = made.noted(notes, file=data.source.source.name, label=data.source.columns.label, amounts=amounts)
    elif notes:
        made = made.noted(notes)
    evaluation = None
    if given["evaluate"] is not None:
        evaluation = decisions.evaluated(session, comparison.decide(**asked, unit=session.unit))
        made = made.evaluated(evaluation, given["evaluate"])
    with atomically(output) as path:
        made.save(path)
    session.wrote(output)
    session.output = None
    held = {"condition": condition_to_dict(over), "text": str(made), "output": output}
    held |= {} if evaluation is None else {"evaluation": evaluation.to_dict()}
    return Answer([str(made), *([] if evaluation is None else [str(evaluation)])], held)


def _resampled(session: Session) -> bool:
    """Tell whether the page will hold resamples; unless a number is given, only if the cases fit the memory and are not too many."""
    data, total = session.data, session.given["resamples"]
    if data.published:
        return bool(total != 0)
    if data.source is None:
        return False
    if total == 0:
        return not data.together and data.fits
    if total is not None or data.together or data.fits:
        return True
    session.messages.say(
        f"The page shows no intervals: {data.source.cases:,} cases are too many to load and resample by default; "
        "--resamples 200 does, if --memory allows."
    )
    return False


@click.command
@options.options_of("extract", "REPORT output")
def extract(report: str, output: str | None) -> None:
    """Take the data out of a REPORT (.html or .json): everything it says, and enough to make it again.

    \b
    Examples:
      isocost extract report.html > report.json
      isocost extract report.html -o report.md
    """
    check_writable(output, SUFFIXES)
    found = Report.load(report)
    if output is None:
        click.echo(found.json)
        return
    with atomically(output) as path:
        found.save(path)

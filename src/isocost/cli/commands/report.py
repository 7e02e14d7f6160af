"""isocost report: the whole analysis as one page."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import options, question_options
from isocost.cli.output import Answer
from isocost.cli.session import Session
from isocost.results import atomically


@click.command("report", short_help="The whole analysis as one page to open and to share.")
@options.files
@options.data_options
@options.cluster
@options.group
@options.condition_options
@question_options.question_options
@click.option("--title", help="Title of the page.")
@options.unit
@click.option(
    "--resamples", type=click.IntRange(0), metavar="N",
    help="Resamples of the cases that the page holds for its intervals; 0 for none. Default: 200, fewer or none for many models or cases.",
)  # fmt: skip
@options.level
@options.seed
@options.json_flag
@options.output("Where to write it: .html (a page that opens offline), .json or .md.", required=True)
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str, **given: Any) -> None:
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
    """
    from isocost.cli import condition_options, decisions, grouping
    from isocost.report.report import SUFFIXES

    question = question_options.asked(given)
    session = Session.start(ctx, given, output, suffixes=SUFFIXES)
    over = session.condition
    resamples = given["resamples"]
    grouped = given["group"] is not None
    comparison = decisions.compared(session, with_cases=_resampled(session, resamples) or grouped)
    with session.messages.progress("writing the page"):
        report = comparison.report(
            **session.priced(limited=question_options.limited(given)), **question, title=given["title"], unit=given["unit"] or "",
            n_resamples=resamples, level=given["level"], rng=given["seed"], **(grouping.reported(session) if grouped else {}),
        )  # fmt: skip
    if session.data.source is not None:
        source = session.data.source
        told = (source.introduction(), *source.notes)
        report = report.noted(told, file=source.source.name, label=source.columns.label)
    if session.data.published and len(session.data.models) > 1:
        from isocost.compare.published import APART

        report = report.noted((APART,))
    with atomically(output) as path:
        report.save(path)
    session.messages.say(f"Wrote {output}")
    data = {
        "data": session.data.to_dict(), "condition": condition_options.to_dict(over), "text": str(report), "output": output,
    }  # fmt: skip
    Answer("report", [str(report)], data).give(as_json=given["as_json"], output=None)


def _resampled(session: Session, asked: int | None) -> bool:
    """Tell whether the page will hold resamples; unless they are asked for, only if the cases fit the memory and are not too many."""
    source = session.data.source
    if session.data.published:
        return asked != 0
    if source is None:
        return False
    if asked == 0:
        return not session.data.together and source.size <= source.memory
    if asked is not None or session.data.together:
        return True
    if source.size <= source.memory:
        return True
    session.messages.say(
        f"The page shows no intervals: {source.cases:,} cases are too many to load and resample by default; "
        "--resamples 200 does, if --memory allows."
    )
    return False

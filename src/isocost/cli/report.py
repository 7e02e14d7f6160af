"""isocost report, extract and explore: the whole analysis as one page, the data inside one, and the page served on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from isocost.cli import groups, options
from isocost.cli.choose import evaluated
from isocost.cli.data import WORDS, asked
from isocost.cli.output import Answer
from isocost.cli.session import Session, amounts, command, condition_to_dict, costs_given
from isocost.compare.comparison import APART
from isocost.data import checks
from isocost.data.files import TextForm, Upload
from isocost.data.rows import open_files
from isocost.errors import InputError
from isocost.explorer import explorer
from isocost.report.report import SUFFIXES, Report
from isocost.results import check_writable

# What a report is asked, saved or served.
_ASKED = "DATA cluster group CONDITION pcf AMOUNTS QUESTION evaluate title unit resamples level seed"


@command(f"FILES {_ASKED} RESULT", suffixes=SUFFIXES)
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
    """
    given, data, output = session.given, session.data, str(session.output)
    question, over = {**options.asked(given), **session.priced()}, session.condition
    if data.row_costs is not None and data.amounts is not None:
        over = question["condition"] = data.row_costs.per_case(data.amounts["multiplier"])
    grouped = given["group"] is not None
    comparison = data.with_cases("resampling") if _resampled(session) or grouped else data.comparison
    with session.messages.progress("writing the page"):
        made = comparison.report(
            **question, title=given["title"], n_resamples=given["resamples"], level=given["level"], rng=given["seed"],
            **(groups.reported(session) if grouped else {}),
        )  # fmt: skip
    notes = data.facts["notes"] if data.amounts is not None else []
    notes += [APART] if data.published and data.published.agreement is None and len(data.models) > 1 else []
    read: dict[str, Any] = {}
    if data.source is not None:
        columns, positive = data.source.columns, None if given["positive"] is None else data.facts["positive"]
        terms = None if data.amounts is None else explorer.amounts_written(columns, data.amounts, positive)
        notes += [data.source.introduction(), *data.source.notes]
        read = {"file": data.source.source.name, "label": columns.label, "amounts": terms}
    made = made.noted(notes, **read) if notes else made
    held = {"condition": condition_to_dict(over), "text": str(made), "output": output}
    parts = [str(made)]
    if given["evaluate"] is not None:
        evaluation = evaluated(session, comparison.decide(**question))
        made = made.evaluated(evaluation, given["evaluate"])
        held["evaluation"] = evaluation.to_dict()
        parts.append(str(evaluation))
    made.save(output)
    session.wrote(output)
    session.output = None
    return Answer(parts, held)


def _resampled(session: Session) -> bool:
    """Tell whether the page will hold resamples; unless a number is given, only if the cases fit the memory and are not too many."""
    data, total = session.data, session.given["resamples"]
    if data.source is None:
        return bool(data.published and total != 0)
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
    else:
        found.save(output)


@command(f"FILE {_ASKED} port no-browser")
def explore(session: Session) -> None:
    """Serve the report of FILE, up to 100 MB, on this machine, and open it in the browser.

    On the page another file can be opened, columns and words chosen, second looks priced, the resampling changed and the report
    saved. The server listens on 127.0.0.1 only, its address holds a secret, nothing is written, and Ctrl-C ends it.

    \b
    Examples:
      isocost explore predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02
      isocost explore valid.csv --label y --cost-fn 5 --evaluate test.csv
      isocost explore --no-browser --port 8000
    """
    given = session.given
    view = None if given["file"] is None else _view(session)
    explorer.explore(explorer.Explorer(view, port=given["port"] or 0), browse=not given["no_browser"])


def _view(session: Session) -> explorer.View:
    given, (roles, form) = session.given, asked(session.given)
    terms = amounts(given)
    settings = explorer.Settings(
        costs_given(given), given["title"], given["resamples"], given["seed"], given["level"], options.asked(given),
        None if given["evaluate"] is None else _upload(given["evaluate"], form), None if terms is None else terms["multiplier"],
    )  # fmt: skip
    # With --positive, what does not fit is an error at once; without it, the page asks.
    ask = roles.positive is None
    words, memory = explorer.WORDS if ask else WORDS, given["memory"] or explorer.MEMORY
    # The bytes are in UTF-8 by now, whatever the file was in.
    upload, form = _upload(given["file"], form), TextForm(form.decimal)
    return explorer.view_of(upload, roles, settings, form=form, words=words, memory=memory, ask=ask)


def _upload(name: str, form: TextForm) -> Upload:
    """Return a file as if it was dropped on the page."""
    with open_files(name, form, WORDS) as files:
        file = checks.one_each(files, name, 1, "file that the explorer shows")[0]
        size = file.path.stat().st_size
        if size > explorer.MOST_BYTES:
            limit = f"{file.name} has {size / 1e6:.0f} MB, the explorer takes up to {explorer.MOST_BYTES / 1e6:.0f}"
            raise InputError(f"{limit}: use `isocost report` for larger files")
        return Upload(file.path.read_bytes(), Path(file.name).name)

"""isocost extract: the data inside a report."""

from __future__ import annotations

import click

from isocost.cli import options


@click.command("extract", short_help="The data inside a report, as JSON.")
@click.argument("report", type=click.Path(exists=True, dir_okay=False))
@options.output("Where to write it: .json, .md (decision and table) or .html (the page anew).")
def command(report: str, output: str | None) -> None:
    """Take the data out of a REPORT (.html or .json): everything it says, and enough to make it again.

    \b
    Examples:
      isocost extract report.html > report.json
      isocost extract report.html -o report.md
    """
    from isocost.report.report import SUFFIXES, Report
    from isocost.results import atomically, check_writable

    check_writable(output, SUFFIXES)
    found = Report.load(report)
    if output is None:
        click.echo(found.json)
        return
    with atomically(output) as path:
        found.save(path)

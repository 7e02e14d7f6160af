"""isocost merge: score counts of several places added up."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import options
from isocost.cli.session import Session
from isocost.errors import InputError


@click.command("merge", short_help="Add up score counts of several files.")
@options.files
@click.option("--score", "scores", metavar="MODEL", multiple=True, help="Model to keep; repeatable. Default: all.")
@options.output("Where to write the sum: .parquet, .arrow, .feather or .csv. Default: CSV to standard output.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Add up tables of score counts, model by model: exactly the counts of all rows together.

    \b
    Examples:
      isocost merge north.parquet south.parquet -o all.parquet
      isocost merge 'counts/*.parquet' -o all.parquet
    """
    from isocost.data import counts

    session = Session.start(ctx, given, output, suffixes=counts.SUFFIXES)
    if session.data.has_rows:
        raise InputError(
            f"{', '.join(session.data.names)} holds predictions, not score counts: run `isocost count` on them first"
        )
    session.write_counts(output)

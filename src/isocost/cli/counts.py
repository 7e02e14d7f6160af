"""isocost count and isocost merge: rows to score counts, and counts of several places added up."""

from __future__ import annotations

import sys
from typing import Any

import click

from isocost.cli import options
from isocost.cli.session import Session
from isocost.data import counts as count_tables
from isocost.errors import InputError


@click.command
@options.files
@options.data_options
@options.output("Where to write the table: .parquet, .arrow, .feather or .csv. Default: CSV to standard output.")
@options.chatter
@click.pass_context
def count(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Reduce predictions to score counts: how many positives and negatives got each score.

    The table is all that the other commands need (except for resampling, which needs the cases), it holds no single case,
    and tables of several shards or sites add up with `isocost merge`.

    \b
    Examples:
      isocost count predictions.parquet --label y -o counts.parquet
      isocost count 'shards/*.parquet' --label y --score model_a --score model_b -o counts.parquet
      isocost choose counts.parquet --cost-fn 5
    """
    _write(Session.start(ctx, given, output, suffixes=count_tables.SUFFIXES), output)


@click.command
@options.files
@click.option("--score", "scores", metavar="MODEL", multiple=True, help="Model to keep; repeatable. Default: all.")
@options.output("Where to write the sum: .parquet, .arrow, .feather or .csv. Default: CSV to standard output.")
@options.chatter
@click.pass_context
def merge(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Add up tables of score counts, model by model: exactly the counts of all rows together.

    \b
    Examples:
      isocost merge north.parquet south.parquet -o all.parquet
      isocost merge 'counts/*.parquet' -o all.parquet
    """
    session = Session.start(ctx, given, output, suffixes=count_tables.SUFFIXES)
    if session.data.has_rows:
        raise InputError(
            f"{', '.join(session.data.names)} holds predictions, not score counts: run `isocost count` on them first"
        )
    _write(session, output)


def _write(session: Session, output: str | None) -> None:
    """Write the score counts of all models, or print them as CSV."""
    counts = session.data.counts
    if session.data.has_rows:
        _ = session.data.curves  # which warns of scores that rank backwards or too well
    if output is None:
        sys.stdout.write(count_tables.as_csv(counts))
        return
    count_tables.write(counts, output)
    rows = sum(len(table) for table in counts.values())
    session.messages.say(f"Wrote {output}: {rows:,} rows for {', '.join(counts)}")

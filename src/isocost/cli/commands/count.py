"""isocost count: rows to score counts."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import options
from isocost.cli.session import Session


@click.command("count", short_help="Reduce predictions to counts per score, to share or merge.")
@options.files
@options.data_options
@options.output("Where to write the table: .parquet, .arrow, .feather or .csv. Default: CSV to standard output.")
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, output: str | None, **given: Any) -> None:
    """Reduce predictions to score counts: how many positives and negatives got each score.

    The table is all that the other commands need (except for resampling, which needs the cases), it holds no single case,
    and tables of several shards or sites add up with `isocost merge`.

    \b
    Examples:
      isocost count predictions.parquet --label y -o counts.parquet
      isocost count 'shards/*.parquet' --label y --score model_a --score model_b -o counts.parquet
      isocost choose counts.parquet --cost-fn 5
    """
    from isocost.data import counts

    session = Session.start(ctx, given, output, suffixes=counts.SUFFIXES)
    session.write_counts(output)

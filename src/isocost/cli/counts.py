"""isocost count and isocost merge: rows to score counts, and counts of several places added up."""

from __future__ import annotations

import sys
from pathlib import Path

from isocost.cli.session import Session, command
from isocost.data import counts as count_tables
from isocost.errors import InputError


@command("FILES DATA output quiet", suffixes=count_tables.SUFFIXES)
def count(session: Session) -> None:
    """Reduce predictions to score counts: how many positives and negatives got each score.

    The table is all that the other commands need (except for resampling, which needs the cases), it holds no single case,
    and tables of several shards or sites add up with `isocost merge`.

    \b
    Examples:
      isocost count predictions.parquet --label y -o counts.parquet
      isocost count 'shards/*.parquet' --label y --score model_a --score model_b -o counts.parquet
      isocost choose counts.parquet --cost-fn 5
    """
    _write(session)


@command("FILES score output quiet", suffixes=count_tables.SUFFIXES)
def merge(session: Session) -> None:
    """Add up tables of score counts, model by model: exactly the counts of all rows together.

    \b
    Examples:
      isocost merge north.parquet south.parquet -o all.parquet
      isocost merge 'counts/*.parquet' -o all.parquet
    """
    if session.data.source is not None:
        names = ", ".join(session.data.names)
        raise InputError(f"{names} holds predictions, not score counts: run `isocost count` on them first")
    _write(session)


def _write(session: Session) -> None:
    """Write the score counts of all models, or print them as CSV."""
    counts, output = session.data.counts, session.output
    if session.data.source is not None:
        _ = session.data.curves  # which warns of scores that rank backwards or too well
    columns = count_tables.stacked(counts)
    if output is None:
        sys.stdout.write(count_tables.to_text(columns))
        return
    count_tables.save(Path(output), columns)
    session.wrote(output, f": {sum(map(len, counts.values())):,} rows for {', '.join(counts)}")

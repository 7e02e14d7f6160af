"""Cases counted between a few cuts in one pass, whatever their number: all that estimating a prevalence needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.curves.sort import whole_numbers
from isocost.engines.any_frame import collected, narwhals, opened, require_columns, require_numbers
from isocost.engines.count_table import CLOSED, CountTable
from isocost.engines.failures import run
from isocost.engines.file_checks import FileChecks, label_typed
from isocost.engines.reader import open_files, open_table
from isocost.errors import InputError
from isocost.validate import Floats, infinite

if TYPE_CHECKING:
    from isocost.engines.columns import Roles
    from isocost.engines.duckdb import Progress
    from isocost.engines.reader import OpenTable, Paths
    from isocost.engines.text_files import TextForm

# Rows of periods, labels and parts: more means that a column of numbers was taken for periods or labels.
_MOST_ROWS = 200_000
# In place of a part.
_MISSING, _INFINITE = -1, -2


def count_frame(frame: Any, score: str, weight: str | None, cuts: Floats) -> CountTable:
    """Return the cases of a frame between cuts: one query."""
    nw = narwhals()
    table, engine = opened(frame)
    names = [score, *([] if weight is None else [weight])]
    schema = require_columns(table, names, engine)
    require_numbers(schema, names, engine)
    value = nw.col(score).cast(nw.Float64)
    number = nw.lit(1, nw.Int64) if weight is None else nw.col(weight).cast(nw.Float64)
    part = nw.lit(0, nw.Int64)
    for cut in cuts.tolist():
        part = part + nw.when(value >= cut).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
    # Not finite and not infinite: NaN, understood by every engine.
    missing = value.is_null() | (~value.is_finite() & (value.abs() != float("inf")))
    chosen = table.select(
        score=value + nw.lit(0.0, nw.Float64),
        number=number,
        part=nw.when(missing)
        .then(nw.lit(_MISSING, nw.Int64))
        .otherwise(nw.when(value.abs() == float("inf")).then(nw.lit(_INFINITE, nw.Int64)).otherwise(part)),
    )
    sums = {"low": nw.col("score").min(), "high": nw.col("score").max(), "cases": nw.col("number").sum()}
    wrong = {"least": nw.col("number").min(), "most": nw.col("number").max()}
    got = run(
        engine,
        f"counting column {score!r}",
        lambda: collected(chosen.group_by("part").agg(**sums, **wrong, rows=nw.len())),
    )
    rows = [dict(zip(got.columns, row, strict=True)) for row in got.iter_rows()]
    if not rows:
        raise InputError(f"the {engine} is empty: at least one score is needed")
    parts = {int(row["part"]): int(row["rows"]) for row in rows}
    if lost := parts.get(_MISSING):
        raise InputError(
            f"column {score!r} of the {engine} has missing values (NaN or null): {lost} of "
            f"{sum(parts.values())} rows; drop those rows first"
        )
    if endless := parts.get(_INFINITE):
        raise InputError(infinite(f"column {score!r} of the {engine}", endless, sum(parts.values()), None))
    if not all(row["least"] is not None and row["least"] >= 0 and np.isfinite(row["most"]) for row in rows):
        raise InputError(f"column {weight!r} of the {engine} must hold weights that are finite and not negative")
    rows.sort(key=lambda row: -row["part"])
    return _table(
        np.array([float(row["low"]) for row in rows]),
        np.array([float(row["high"]) for row in rows]),
        whole_numbers(np.array([float(row["cases"]) for row in rows])),
    )


def count_files(
    paths: Paths, roles: Roles, form: TextForm, memory: str | int | None, progress: Progress | None, cuts: Floats
) -> CountTable:
    """Return the cases of files between cuts: one query."""
    with open_files(paths, form) as files, open_table(files, form=form, memory=memory, progress=progress) as table:
        (found,) = in_use(table, roles, cuts).periods.values()
    return _table(found.low, found.high, found.unlabelled)


def _table(low: Floats, high: Floats, cases: NDArray[Any]) -> CountTable:
    return CountTable(low, high, cases, np.zeros_like(cases), np.full(low.size, CLOSED))


@dataclass(frozen=True, eq=False)
class InUse:
    """Cases of one period between cuts, from the highest scores to the lowest: parts that hold none are left out."""

    low: Floats
    high: Floats
    positives: NDArray[Any]
    negatives: NDArray[Any]
    unlabelled: NDArray[Any]

    @property
    def counted(self) -> tuple[Floats, NDArray[Any], NDArray[Any], Floats, NDArray[Any]]:
        """What score counts are made of."""
        return self.low, self.positives, self.negatives, self.high, self.unlabelled


@dataclass(frozen=True)
class Found:
    """The cases of each period, in order, and how many rows had no score and were left out."""

    periods: dict[Any, InUse]
    dropped: int


def in_use(table: OpenTable, roles: Roles, cuts: Floats, classes: tuple[Any, ...] | None = None) -> Found:
    """Count the cases of files between cuts by period (the column `fold` of the roles) and class, in one query.

    Rows without a label are unlabelled cases. `classes` are the positive and the negative label; 1 and 0 if not given.
    """
    checks = _checked(table, roles)
    used = checks.used
    part = " + ".join(f"(s0 >= CAST({cut!r} AS DOUBLE))::INTEGER" for cut in cuts.tolist()) or "0"
    columns = {
        "part": f"CASE WHEN s0 IS NULL OR isnan(s0) THEN {_MISSING} WHEN isinf(s0) THEN {_INFINITE} ELSE {part} END",
        "period": '"fold"' if used.fold is not None else "0",
        "label": "CAST(label AS VARCHAR)" if used.label is not None else "NULL",
        "weight": '"weight"' if used.weight is not None else "1",
    }
    rows = table.engine.rows(
        f"SELECT period, label, part, count(*), sum(weight), min(s0), max(s0), min(weight), max(weight) FROM (SELECT s0, "
        f"{', '.join(f'{sql} AS {name}' for name, sql in columns.items())} FROM {checks.relation}) "
        f"GROUP BY period, label, part LIMIT {_MOST_ROWS}"
    )
    return _arranged(rows, checks, roles, classes)


def unlabelled_rows(
    table: OpenTable, roles: Roles, score_from: float, score_below: float, period: str | None
) -> NDArray[np.intp]:
    """Return the rows without a label and with scores from one number to below another, in random order.

    Of one period (a value of the column `fold` of the roles) if it is given.
    """
    if table.engine.files[0].format == "arrow":
        table.engine.query("SET threads = 1")  # several threads may change the order of its rows
    checks = _checked(table, roles)
    label = "label IS NULL OR lower(trim(CAST(label AS VARCHAR))) = 'nan'" if checks.used.label is not None else "TRUE"
    fold = 'CAST("fold" AS VARCHAR)' if period is not None else "NULL"
    found = table.engine.columns(
        f"SELECT s0, CAST({label} AS TINYINT) AS free, {fold} AS period FROM {checks.relation}"
    )
    scores, free = np.ma.filled(found["s0"], np.nan), np.asarray(found["free"], dtype=np.bool_)
    inside = free & (scores >= score_from) & ((scores < score_below) | (score_below == np.inf))
    if period is not None:
        inside &= np.asarray(found["period"], dtype=object) == period
    rows: NDArray[np.intp] = np.random.default_rng(0).permutation(np.flatnonzero(inside))
    return rows


def _checked(table: OpenTable, roles: Roles) -> FileChecks:
    checks = FileChecks(table.engine, table.columns(roles), table.look, roles)
    checks.left_out()
    checks.lay_out(every=True)
    return checks


def _arranged(rows: list[tuple[Any, ...]], checks: FileChecks, roles: Roles, classes: tuple[Any, ...] | None) -> Found:
    name, used = checks.source.name, checks.used
    if len(rows) == _MOST_ROWS:
        raise InputError(
            f"{name} has more periods or labels than can be watched: is {used.fold or used.label!r} the right column?"
        )
    if not rows:
        raise InputError(f"{name} holds no rows, only column names")
    endless, lost = (sum(int(row[3]) for row in rows if row[2] == part) for part in (_INFINITE, _MISSING))
    if endless:
        what = f"column {used.scores[0]!r} of {name}"
        raise InputError(infinite(what, endless, sum(int(row[3]) for row in rows), None))
    if lost and roles.missing == "error":
        raise InputError(
            f"column {used.scores[0]!r} of {name} has missing values (empty, null or NaN): {lost} of "
            f"{sum(int(row[3]) for row in rows)} rows; {checks.source.words.missing} to leave such rows out"
        )
    if any(row[0] is None for row in rows):
        raise InputError(f"column {used.fold!r} of {name} has missing values: every row must have a period")
    if not all(row[7] is not None and row[7] >= 0 and np.isfinite(row[8]) for row in rows if row[2] >= 0):
        raise InputError(f"column {used.weight!r} of {name} must hold weights that are finite and not negative")
    sides = {label: _side(label, classes, used.label, checks) for label in {row[1] for row in rows}}
    found: dict[Any, dict[int, list[Any]]] = {}
    for period, label, part, _, cases, low, high, *_ in rows:
        if part < 0:
            continue
        cells = found.setdefault(period, {}).setdefault(int(part), [np.inf, -np.inf, 0, 0, 0])
        cells[0], cells[1] = min(cells[0], low), max(cells[1], high)
        cells[2 + sides[label]] += cases
    if not found:
        raise InputError(f"all rows of {name} miss a score: nothing is left")
    periods = {}
    for period in sorted(found, key=lambda key: (isinstance(key, str), key)):
        parts = [found[period][part] for part in sorted(found[period], reverse=True)]
        low, high, *counts = (np.array(column, dtype=np.float64) for column in zip(*parts, strict=True))
        periods[period] = InUse(low, high, *(whole_numbers(column) for column in counts))
    return Found(periods, lost)


def _side(label: str | None, classes: tuple[Any, ...] | None, column: str | None, checks: FileChecks) -> int:
    """Return 0 for a positive, 1 for a negative and 2 for a case without a label."""
    if label is None or label.strip().lower() == "nan":
        return 2
    value = label_typed(label)
    positive, negatives = (1, (0, -1)) if classes is None else (classes[0], classes[1:])
    if value == positive:
        return 0
    if value in negatives or not negatives:
        return 1
    known = " and ".join(map(repr, (positive, negatives[0])))
    raise InputError(
        f"column {column!r} of {checks.source.name} holds the label {value!r}; those of the reference are {known}"
    )

"""Cases of which only some are labelled: labels and scores in memory, and chosen rows written out as they are in the file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.engines.file_checks import FileChecks, Found
from isocost.errors import InputError
from isocost.results import atomically
from isocost.validate import Floats, located, scores

if TYPE_CHECKING:
    from isocost.engines.columns import Roles
    from isocost.engines.reader import OpenTable

_AT_ONCE = 2**14


@dataclass(frozen=True)
class PartLabelled:
    """Labels (True, False, or None if unknown) and scores of the same cases, in the order of the rows."""

    labels: NDArray[Any]
    scores: dict[str, Floats]
    label: str
    positive: Any


def part_labelled(table: OpenTable, roles: Roles) -> PartLabelled:
    """Load the cases of files; an empty label is unknown, an empty score is an error."""
    used, source = table.columns(roles), table.engine
    checks = FileChecks(source, used, table.look, roles)
    checks.left_out()
    if source.files[0].format == "arrow":
        source.query("SET threads = 1")  # several threads may change the order of its rows
    checks.lay_out(every=True)
    unknown = checks.missing()["label"]
    groups = source.rows(
        f"SELECT label, count(*) FROM {checks.relation} WHERE NOT ({unknown}) GROUP BY label LIMIT 100"
    )
    classes = checks.classes(Found(0, {label: (int(rows), rows) for label, rows in groups}, []), both=False)
    wanted = ", ".join("?" * len(classes.labels))
    state = f"CASE WHEN {unknown} THEN -1 {f'WHEN label IN ({wanted}) THEN 1 ' if wanted else ''}ELSE 0 END"
    columns = ", ".join(f"s{i}" for i in range(len(used.scores)))
    found = source.columns(
        f"SELECT CAST({state} AS TINYINT) AS state, {columns} FROM {checks.relation}", classes.labels
    )
    if not found["state"].size:
        raise InputError(f"{source.name} holds no rows, only column names")
    kept = {}
    for i, name in enumerate(used.models):
        values = np.ma.filled(found[f"s{i}"], np.nan)
        if np.isnan(values).any():
            raise InputError(
                f"column {used.scores[i]!r} of {source.name} has missing values (empty, null or NaN): {located(np.isnan(values))}; "
                "every case needs both scores"
            )
        kept[name] = scores(values, f"column {used.scores[i]!r} of {source.name}")
    labels = np.array([False, True, None], dtype=object)[found["state"]]
    return PartLabelled(labels, kept, str(used.label), classes.positive)


def write_rows(table: OpenTable, rows: Sequence[int] | NDArray[np.intp], output: str | Path) -> None:
    """Write some rows with all their columns as CSV, in the order given."""
    source, types = table.engine, table.look.types
    is_text = source.files[0].format in ("csv", "json")
    place = {int(row): i for i, row in enumerate(rows)}
    kept: list[tuple[Any, ...]] = [()] * len(place)

    def pick(done: Any) -> None:
        row = 0
        while part := done.fetchmany(_AT_ONCE):
            for values in part:
                if row in place:
                    kept[place[row]] = values
                row += 1

    source.query(f"SELECT * FROM {source.table(dict.fromkeys(types, 'VARCHAR') if is_text else None)}", then=pick)
    with atomically(output) as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(types)
        writer.writerows(["" if value is None else value for value in values] for values in kept)

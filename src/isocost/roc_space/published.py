"""Curves of published results: confusion matrices and points of ROC space, one row each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.roc_space.curve import RocCurve

Table = Mapping[str, NDArray[Any]]


def published_curves(tables: Mapping[str, Table]) -> list[RocCurve]:
    """Return the curve of each model; class totals are known where all matrices of all models have the same.

    Several rows of a model are its points.
    """
    totals = {pair for table in tables.values() if "tp" in table for pair in _totals(table)}
    shared = totals.pop() if len(totals) == 1 else None
    return [_curve(name, table, shared) for name, table in tables.items()]


def _totals(table: Table) -> list[tuple[float, float]]:
    pairs = zip((table["tp"] + table["fn"]).tolist(), (table["fp"] + table["tn"]).tolist(), strict=True)
    return list(pairs)


def _curve(name: str, table: Table, totals: tuple[float, float] | None) -> RocCurve:
    thresholds = table.get("threshold")
    if "tp" not in table:
        return RocCurve.from_points(table["fpr"], table["tpr"], thresholds=thresholds, name=name)
    cells = [table[column] for column in ("tp", "fn", "fp", "tn")]
    bad = ~np.all([np.isfinite(column) & (column >= 0) for column in cells], axis=0)
    bad |= (cells[0] + cells[1] == 0) | (cells[2] + cells[3] == 0)
    if bad.any():
        at = int(np.argmax(bad))
        shown = ", ".join(f"{column[at]:g}" for column in cells)
        raise InputError(
            f"confusion matrices hold counts that are not negative, with positives and negatives: {name!r} has "
            f"tp, fn, fp, tn = {shown}"
        )
    if len(cells[0]) == 1 and totals is not None and thresholds is None:
        return RocCurve.from_confusion(*(float(column[0]) for column in cells), name=name)
    tp, fn, fp, tn = cells
    known = {} if totals is None else {"positives": totals[0], "negatives": totals[1]}
    return RocCurve.from_points(fp / (fp + tn), tp / (tp + fn), thresholds=thresholds, name=name, **known)

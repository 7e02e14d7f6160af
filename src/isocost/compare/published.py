"""Models known by published results alone: confusion matrices, of which cases can be drawn, or points of ROC space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.compare.comparison import Comparison
from isocost.curves.joint import Table, published_curves
from isocost.data.joint import MOST_MODELS, JointCases, JointCounts

APART = "Models are resampled apart: the file does not tell on which cases they agree."
_CELLS = ("tp", "fn", "fp", "tn")


def published_comparison(tables: Mapping[str, Table]) -> Comparison:
    """Compare published results, with cases to resample if each model has one confusion matrix and all have the same totals.

    Which cases two models agree on is not published: they are drawn as if right and wrong independently within each class.
    """
    curves = published_curves(tables)
    cases = _cases(tables)
    if cases is None:
        return Comparison(curves)
    return Comparison._from_rows(JointCases(cases), None, curves)  # noqa: SLF001 - its curves have no scores to be made from


def can_be_resampled(tables: Mapping[str, Table]) -> bool:
    """Return whether there is one whole confusion matrix per model, for few models, all with the same totals and two of each class."""
    if len(tables) > MOST_MODELS or not all(
        set(_CELLS) <= set(table) and len(table["tp"]) == 1 for table in tables.values()
    ):
        return False
    cells = np.array([[float(table[cell][0]) for cell in _CELLS] for table in tables.values()])
    totals = np.stack([cells[:, 0] + cells[:, 1], cells[:, 2] + cells[:, 3]])
    same = np.all(totals == totals[:, :1])
    return bool(same and np.all(cells == np.round(cells)) and totals.min() >= 2)


def _cases(tables: Mapping[str, Table]) -> JointCounts | None:
    if not can_be_resampled(tables):
        return None
    cells = {cell: [int(table[cell][0]) for table in tables.values()] for cell in _CELLS}
    ups, positives = _independent(cells["tp"], cells["tp"][0] + cells["fn"][0])
    downs, negatives = _independent(cells["fp"], cells["fp"][0] + cells["tn"][0])
    ends = tuple(np.array([1.0, 0.0]) for _ in tables)
    nothing: list[Any] = [np.zeros_like(positives), np.zeros_like(negatives)]
    return JointCounts(
        tuple(tables), ends, ends, np.concatenate([ups, downs]),
        np.concatenate([positives, nothing[1]]), np.concatenate([nothing[0], negatives]),
    )  # fmt: skip


def _independent(flagged: Sequence[int], total: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return combinations of blocks (0 flagged, 1 not) of all models, and how many cases of a class each has.

    Each model flags its own number of cases, the same share of every combination of the others as nearly as whole cases allow.
    """
    blocks, counts = np.zeros((1, 0), dtype=np.int32), np.array([total], dtype=np.int64)
    for number in flagged:
        whole, rest = np.divmod(counts * number, total)
        extra = number - int(whole.sum())
        # What is left of the number goes to the combinations that are owed most of a case.
        whole[np.argsort(-rest, kind="stable")[:extra]] += 1
        blocks = np.concatenate([np.c_[blocks, np.full(len(blocks), which)] for which in (0, 1)]).astype(np.int32)
        counts = np.concatenate([whole, counts - whole])
        blocks, counts = blocks[counts > 0], counts[counts > 0]
    return blocks, counts

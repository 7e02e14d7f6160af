"""Models known by published results alone: confusion matrices, of which cases can be drawn, or points of ROC space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from isocost.compare.comparison import Comparison
from isocost.curves.joint import Table, published_curves
from isocost.data.joint import MOST_MODELS

APART = "Models are resampled apart: the file does not tell on which cases they agree."
_CELLS = ("tp", "fn", "fp", "tn")


def published_comparison(tables: Mapping[str, Table]) -> Comparison:
    """Compare published results, with cases to resample if each model has one confusion matrix and all have the same totals."""
    if not can_be_resampled(tables):
        return Comparison(published_curves(tables))
    return Comparison.from_confusion(matrices_of(tables), joint=agreement_of(tables))


def matrices_of(tables: Mapping[str, Table]) -> dict[str, list[float]]:
    """Return tp, fn, fp and tn of each model."""
    return {name: [float(table[cell][0]) for cell in _CELLS] for name, table in tables.items()}


def agreement_of(tables: Mapping[str, Table]) -> Any:
    """Return on which cases two models or more agree; None where that is not known."""
    return getattr(tables, "agreement", None) if len(tables) > 1 else None


def can_be_resampled(tables: Mapping[str, Table]) -> bool:
    """Return whether there is one whole confusion matrix per model, for few models, all with the same totals and two of each class."""
    if len(tables) > MOST_MODELS or not all(
        set(_CELLS) <= set(table) and len(table["tp"]) == 1 for table in tables.values()
    ):
        return False
    cells = np.array(list(matrices_of(tables).values()))
    totals = np.stack([cells[:, 0] + cells[:, 1], cells[:, 2] + cells[:, 3]])
    same = np.all(totals == totals[:, :1])
    return bool(same and np.all(cells == np.round(cells)) and totals.min() >= 2)

"""Paired resamples of the data, packed for the page: without them a dragged condition would have no interval."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import validate
from isocost.conditions import Conditions
from isocost.counts import ScoreCounts
from isocost.errors import InputError
from isocost.report.verdict import LEVEL, SCALE, decoded
from isocost.roc_space import RocCurve
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.comparison import Comparison
    from isocost.comparison.rows import Rows

GRID = 101
MOST = 200
# What all replicates together may take in the file, in bytes of base64.
BUDGET = 560_000


def replicates(
    comparison: Comparison, count: int | None, rng: int | np.random.Generator | None
) -> dict[str, Any] | None:
    """Return packed replicates; None if none are wanted, or if there are no rows to draw from."""
    if count is None:
        each = GRID * 2 * 4 / 3 * len(comparison.curves)
        count = min(MOST, int(BUDGET / each))
    elif validate.number(count, "replicates", low=0) != int(count) or count == 1:
        raise InputError(f"replicates must be a whole number, 0 or at least 2, got {count!r}")
    if count == 0 or comparison.rows is None:
        return None
    from isocost.report.summary import nodes

    grid = nodes(GRID)
    costs = _costs(comparison.rows, int(count), grid, np.random.default_rng(0 if rng is None else rng))
    return packed(costs, grid) | {"seed": 0 if rng is None else rng if isinstance(rng, int) else None}


def packed(costs: Floats, grid: Floats) -> dict[str, Any]:
    """Return costs of shape (models, replicates, grid) as the summary holds them."""
    trivial = np.minimum(grid, 1 - grid)
    part = np.divide(costs, trivial, out=np.zeros_like(costs), where=trivial > 0)
    steps = np.rint(np.clip(part, 0, 1) * SCALE).astype("<u2")
    return {"n": costs.shape[1], "grid": grid.tolist(), "data": base64.b64encode(steps.tobytes()).decode("ascii")}


def _costs(rows: Rows, count: int, grid: Floats, rng: np.random.Generator) -> Floats:
    """Draw the same rows for all models, and let each choose its best thresholds on them."""
    positive = rows.positive
    weights = np.ones(positive.size) if rows.weights is None else rows.weights
    places = [np.unique(-np.asarray(s, dtype=np.float64), return_inverse=True) for s in rows.scores.values()]
    costs = np.empty((len(places), count, grid.size))
    classes = [np.flatnonzero(positive), np.flatnonzero(~positive)]
    for b in range(count):
        times = np.zeros(positive.size)
        # Class by class, so that every replicate has both.
        for members in classes:
            times[members] = rng.multinomial(members.size, np.full(members.size, 1 / members.size))
        times *= weights
        for m, (scores, place) in enumerate(places):
            counts = [np.bincount(place, np.where(mask, times, 0), scores.size) for mask in (positive, ~positive)]
            curve = RocCurve.from_counts(ScoreCounts(-scores, *counts))
            costs[m, b] = curve.optimal_cost(1 - grid)
    return costs


def measure_intervals(
    draws: dict[str, Any] | None, models: int, name: str, over: Conditions | None
) -> tuple[list[float] | None, list[float] | None]:
    """Return the interval of a measure for each model, where the replicates hold what it needs."""
    if draws is None or name != "expected_cost" or over is not None:
        return None, None
    costs = decoded(draws, models)
    assert costs is not None  # noqa: S101 - there are draws
    means = np.trapezoid(costs, np.asarray(draws["grid"]), axis=2)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=1)
    return low.tolist(), high.tolist()

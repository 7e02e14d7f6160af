"""The cases of each resample, counted between the thresholds that the page holds: what rules cost on it that stay as they are."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.report import bit_columns
from isocost.resampling.engine import draws
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.resampling.sample import Sample
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.report.packed_resamples import Draws

# What the counts may take in the file, in bytes of base64: as much as resampled costs and curves leave, up to a limit.
BUDGET, ROOM, PER_MODEL = 260_000, 660_000, 4_000
# So many cases are drawn once more in all, which takes a second or two.
WORK = 30_000_000
# With more rows hardly any two fall between the same thresholds of all models.
MOST_ROWS = 20_000

Model = Mapping[str, Any]


def drawn_cases(found: Draws, models: Sequence[Model]) -> list[dict[str, Any]] | None:
    """Return tables of cases drawn, as the summary holds them; None if they would take too much room or time.

    One table of all models, at every threshold of their curves, where that fits the file. Else one a model, at the thresholds of its
    hull.
    """
    sample, total = found.bootstrap._sample, found.costs.shape[1]
    if sample is None or sample.counted is not None or sample.positive.size * total > WORK:
        return None
    taken = len(json.dumps(models)) + found.costs.size * 8 / 3 + PER_MODEL * len(models)
    room = min(BUDGET, ROOM - taken)
    if sample.positive.size <= MOST_ROWS:
        together = _tables(sample, total, models, "roc", [range(len(models))], room)
        if together is not None:
            return together
    return _tables(sample, total, models, "hull", [[m] for m in range(len(models))], room)


def _tables(
    sample: Sample, total: int, models: Sequence[Model], part: str, groups: Sequence[Sequence[int]], room: float
) -> list[dict[str, Any]] | None:
    """Return one table a group of models; None if a model's curve is not that of the rows, or if there is no room."""
    places = [_places(sample, model, part) for model in models]
    cells = []
    for group in groups:
        at = [places[m] for m in group]
        if any(rows is None for rows in at):
            return None
        weights = np.ones(sample.positive.size) if sample.weights is None else sample.weights
        rows = np.column_stack([sample.positive, *(rows for rows in at if rows is not None), weights])
        cells.append(np.unique(rows, axis=0, return_inverse=True))
    # Every cell takes at least two bits.
    if sum(kinds.shape[0] for kinds, _ in cells) * total / 3 > room:
        return None
    times = [np.zeros((total, kinds.shape[0]), dtype=np.int64) for kinds, _ in cells]
    done = 0
    for batch in draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + total):
        drawn = batch if sample.weights is None else np.rint(batch / sample.weights)
        for row in drawn:
            for (kinds, cell), counts in zip(cells, times, strict=True):
                counts[done] = np.bincount(cell.ravel(), row, minlength=kinds.shape[0])
            done += 1
    tables = [
        _packed(kinds, counts, group, part, weighted=sample.weights is not None)
        for (kinds, _), counts, group in zip(cells, times, groups, strict=True)
    ]
    return tables if len(json.dumps(tables)) <= room else None


def _places(sample: Sample, model: Model, part: str) -> NDArray[np.intp] | None:
    """Return from which point of its curve on each case is flagged; None where the points are not those of the rows."""
    held = model[part]
    if None in held["threshold"]:
        return None
    # The first point flags nobody, whatever the scores.
    cuts = np.array([float(cut) for cut in held["threshold"]])[1:]
    scores = np.asarray(sample.scores[model["name"]], dtype=np.float64)
    place = 1 + np.searchsorted(-cuts, -scores, side="left")
    if np.any(cuts[1:] >= cuts[:-1]) or place.max() > cuts.size:
        return None
    for rows, counted in ((~sample.positive, held["fp"]), (sample.positive, held["tp"])):
        mass = None if sample.weights is None else sample.weights[rows]
        sums = np.cumsum(np.bincount(place[rows], mass, minlength=cuts.size + 1))
        if not np.allclose(sums, counted, rtol=1e-9, atol=1e-9):
            return None
    return np.asarray(place, dtype=np.intp)


def _packed(
    kinds: Floats, times: NDArray[np.int64], group: Sequence[int], part: str, *, weighted: bool
) -> dict[str, Any]:
    return {
        "models": list(group),
        "at": part,
        "negatives": int(np.count_nonzero(kinds[:, 0] == 0)),
        "places": [_base64(column.astype("<u2").tobytes()) for column in kinds[:, 1:-1].T],
        "weights": kinds[:, -1].tolist() if weighted else None,
        **bit_columns.written(times),
    }


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")

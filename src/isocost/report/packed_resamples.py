"""Paired resamples of the data, packed for the page: without them a dragged condition would have no interval."""

from __future__ import annotations

import base64
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import validate
from isocost.conditions import Conditions
from isocost.errors import FewCasesWarning, InputError
from isocost.inference.intervals import together
from isocost.inference.quantity import quantity
from isocost.measures.registry import Measure
from isocost.report.verdict import LEVEL, SCALE, decoded, limits
from isocost.resampling.engine import effort
from isocost.resampling.protocol import Design
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.roc_space import RocCurve
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.comparison import Comparison
    from isocost.inference import Bootstrap

GRID = 101
MOST = 200
# What all replicates together may take in the file, in bytes of base64.
BUDGET = 560_000
# By default so many cases are ranked and drawn in all, which takes ten or twenty seconds; fewer resamples than FEWEST say too little to
# be shown.
WORK, FEWEST = 100_000_000, 40
# Every resample has its cost curve anyway. Measures that need more look at all its cases, so only where that is quick.
MOST_CASES = 100_000


@dataclass(frozen=True, eq=False)
class Draws:
    """Resamples as the summary holds them, and the bootstrap they came from."""

    packed: dict[str, Any]
    bootstrap: Bootstrap
    cases: int
    curves: tuple[RocCurve, ...]

    def mean_interval(self, model: int, over: Conditions, stake: float | None) -> list[float]:
        """Return limits of a model's mean cost over conditions when its threshold may follow them."""
        grid = np.asarray(self.packed["grid"])
        costs = decoded(self.packed, len(self.bootstrap._models))
        assert costs is not None  # noqa: S101 - there are draws
        return limits(
            np.array([weighed_mean(partial(np.interp, xp=grid, fp=c), over, stake, grid) for c in costs[model]])
        )

    def intervals(
        self, measures: Mapping[str, Measure], over: Conditions | None
    ) -> dict[str, list[tuple[float, float] | None]]:
        """Return the limits of measures, one a model; None where there are none."""
        names = list(self.bootstrap._models)
        quick = self.cases * len(names) > MOST_CASES
        found: dict[str, list[tuple[float, float] | None]] = {measure: [None] * len(names) for measure in measures}
        for i, name in enumerate(names):
            curve = self.curves[i]
            asked = [
                m
                for m, measure in measures.items()
                if measure.in_report and (measure.of_costs is not None or not quick) and not measure.unavailable(curve)
            ]
            wanted = [quantity(self.bootstrap, m, over=over, threshold=None, condition=None, options={}) for m in asked]
            for m, interval in zip(asked, together(self.bootstrap, name, wanted, LEVEL), strict=True):
                found[m][i] = interval.low, interval.high
        return found


def weighed_mean(cost: Any, over: Conditions, stake: float | None, breaks: Floats) -> float:
    """Return the mean of a cost over pcf, each condition weighed by what is at stake there if that is known."""
    worst = None if stake is None else over.worst_cost

    def value(t: Floats) -> Floats:
        weight = 1.0 if worst is None else np.asarray(worst(t) if callable(worst) else worst)
        return np.asarray(weight * cost(1 - t))

    return float(over.density.expect(value, np.sort(1 - breaks))) / (1.0 if stake is None else stake)


def nodes(count: int) -> Floats:
    """Return an odd count of places on [0, 1] that crowd at both ends, where rare classes and lopsided costs live."""
    low = np.sin(np.linspace(0, np.pi / 2, count // 2 + 1)[:-1] / 2) ** 2
    return np.concatenate([low, [0.5], 1 - low[::-1]])


def drawn(comparison: Comparison, count: int | None, rng: int | np.random.Generator | None) -> Draws | None:
    """Return resamples; None if none are wanted, or if there are too few rows to draw from."""
    if count is None:
        rows = comparison._rows
        count = (
            0 if rows is None else by_default(rows.positive.size, len(rows.scores), weighted=rows.weights is not None)
        )
    elif validate.number(count, "replicates", low=0) != int(count) or count == 1:
        raise InputError(f"replicates must be a whole number, 0 or at least 2, got {count!r}")
    if count == 0 or comparison._rows is None:
        return None
    positives = int(comparison._rows.positive.sum())
    cases = comparison._rows.positive.size
    if min(positives, cases - positives) < 2:
        return None
    grid = nodes(GRID)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewCasesWarning)  # the report itself says so
        bootstrap = comparison.bootstrap(int(count), rng, grid=grid, progress=False)
    # Differences matter most here, so thresholds are judged as they are for a difference of two.
    costs = np.stack([model.values("best", grid, judges=JUDGES_OF_TWO) for model in bootstrap._models.values()])
    seed = 0 if rng is None else rng if isinstance(rng, int) else None
    return Draws(packed(costs, grid) | {"seed": seed}, bootstrap, cases, tuple(comparison.curves))


def by_default(cases: int, models: int, *, weighted: bool) -> int:
    """Return how many resamples fit the page and can be drawn in time; ranking the cases for them is a part of the work."""
    ranked = cases * models
    in_time = int((WORK - ranked) / effort(Design(cases, models, alike=not weighted)))
    return min(MOST, int(BUDGET / (GRID * 2 * 4 / 3 * models)), in_time) if in_time >= FEWEST else 0


def packed(costs: Floats, grid: Floats) -> dict[str, Any]:
    """Return costs of shape (models, replicates, grid) as the summary holds them."""
    trivial = np.minimum(grid, 1 - grid)
    part = np.divide(costs, trivial, out=np.zeros_like(costs), where=trivial > 0)
    steps = np.rint(np.clip(part, 0, 1) * SCALE).astype("<u2")
    return {"n": costs.shape[1], "grid": grid.tolist(), "data": base64.b64encode(steps.tobytes()).decode("ascii")}


def bands(packed: dict[str, Any], models: int) -> list[dict[str, list[float]]]:
    """Return the middle of the replicates at every pcf of the grid, one band a model."""
    costs = decoded(packed, models)
    assert costs is not None  # noqa: S101 - there are replicates
    ends = np.quantile(costs, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=1)
    return [{"low": ends[0, i].round(6).tolist(), "high": ends[1, i].round(6).tolist()} for i in range(models)]

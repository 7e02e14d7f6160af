"""Paired resamples of the data, packed for the page: without them a dragged condition would have no interval."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.counts.joint_cases import JointCases
from isocost.decision.pricing import Pricing
from isocost.errors import FewCasesWarning, InputError
from isocost.inference.drawing import first_resamples
from isocost.inference.effort import MOST, affordable
from isocost.inference.inside_blocks import saved_inside
from isocost.inference.intervals import together
from isocost.inference.pairs import FEWEST as FEWEST_FOR_CLAIMS
from isocost.inference.pairs import SignificantPairs
from isocost.inference.quantity import quantity
from isocost.measures.registry import Measure
from isocost.report import bit_columns
from isocost.results.progress import in_notebook
from isocost.roc_space import RocCurve
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.comparison import Comparison
    from isocost.inference import Bootstrap

GRID = 101
# A cost as much as that of the cheaper trivial classifier; up to twice as much is held.
SCALE = 32767
# What all resamples together may take in the file, in bytes of base64.
BUDGET = 350_000
# Every resample has its cost curve anyway. Measures that need more look at all its cases, so only where that is quick.
MOST_CASES = 100_000


@dataclass(frozen=True, eq=False)
class Draws:
    """Resampled costs of every model, and the bootstrap they came from.

    Attributes
    ----------
    costs : ndarray of shape (models, resamples, grid)
    loss : ndarray of shape (models, grid)
        What a threshold chosen on these cases costs more than the best one, on average.
    saved : ndarray of shape (models, grid)
        What thresholds inside blocks of scores save on the data at best. Of models whose hull is known, costs are less by it.
    grid : ndarray
        The pcf, that of the author's condition among them.
    seed : int or None
        None if a generator was given.
    bootstrap : Bootstrap
        The resamples that the page holds.
    significant : SignificantPairs or None
        Which models are significantly cheaper than which others at some condition; None if there are too few resamples to tell.
    declared : SignificantPairs or None
        The same at the author's conditions only.
    """

    costs: Floats
    loss: Floats
    saved: Floats
    grid: Floats
    seed: int | None
    bootstrap: Bootstrap
    cases: int
    curves: tuple[RocCurve, ...]
    significant: SignificantPairs | None = None
    declared: SignificantPairs | None = None

    @property
    def claims(self) -> dict[str, Any] | None:
        """Significance as the summary holds it."""
        if self.significant is None or self.declared is None:
            return None
        found = {
            name: [vars(claim) for claim in pairs]
            for name, pairs in (("anywhere", self.significant), ("declared", self.declared))
        }
        return {"level": self.significant.level, "n_resamples": self.significant.n_resamples, **found}

    @property
    def packed(self) -> dict[str, Any]:
        """As the summary holds them."""
        loss, saved = ([row.round(9).tolist() for row in of_model] for of_model in (self.loss, self.saved))
        found = [self.bootstrap._models[str(curve.name)].slack for curve in self.curves]
        slack = [(np.zeros(self.grid.size) if row is None else row).round(9).tolist() for row in found]
        in_blocks = any(row is not None for row in found)
        blocks = {"saved": saved if in_blocks else None, "slack": slack if in_blocks else None}
        return packed(self.costs, self.grid) | {"seed": self.seed, "loss": loss} | blocks

    def intervals(
        self, measures: Mapping[str, Measure], over: Condition | Conditions | None, level: float
    ) -> dict[str, list[tuple[float, float] | None]]:
        """Return the limits of measures, one a model; None where there are none."""
        names = [str(curve.name) for curve in self.curves]
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
            for m, interval in zip(asked, together(self.bootstrap, name, wanted, level), strict=True):
                found[m][i] = interval.low, interval.high
        return found


def nodes(count: int) -> Floats:
    """Return an odd count of places on [0, 1] that crowd at both ends, where rare classes and lopsided costs live."""
    low = np.sin(np.linspace(0, np.pi / 2, count // 2 + 1)[:-1] / 2) ** 2
    return np.concatenate([low, [0.5], 1 - low[::-1]])


def drawn(
    comparison: Comparison,
    count: int | None,
    rng: int | np.random.Generator | None,
    over: Condition | Conditions,
    level: float,
) -> Draws | None:
    """Return resamples; None if none are wanted, or if there are too few rows to draw from.

    More are drawn than the page holds if that takes little time: words of significance need more.
    """
    rows = comparison._rows
    total = None
    if count is None:
        count = total = 0
        if rows is not None:
            if isinstance(rows, JointCases):  # whose effort does not grow with the cases
                count = total = held(len(rows.names))
            else:
                alike = rows.weights is None and rows.clusters is None
                count, total = by_default(sum(rows.sizes), len(rows.names), alike=alike)
    elif validate.number(count, "n_resamples", low=0) != int(count) or count == 1:
        raise InputError(f"n_resamples must be a whole number, 0 or at least 2, got {count!r}")
    if count == 0 or rows is None:
        return None
    cases = sum(rows.sizes)
    if min(rows.sizes) < 2:
        return None
    total = int(count) if total is None else total
    grid = np.union1d(nodes(GRID), [Pricing.of(over).condition.pcf])
    seed = int(rng.integers(2**62)) if isinstance(rng, np.random.Generator) else 0 if rng is None else rng
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewCasesWarning)  # the report itself says so
        every = comparison.bootstrap(total, seed, grid=grid, progress=in_notebook())
    bootstrap = first_resamples(every, int(count))
    curves = tuple(comparison.curves)
    models = [bootstrap._models[str(curve.name)] for curve in curves]
    saved, at_best = (
        np.stack([saved_inside(m, curve, grid, at_best=best) for m, curve in zip(models, curves, strict=True)])
        for best in (False, True)
    )
    tested = total >= FEWEST_FOR_CLAIMS and len(models) > 1
    return Draws(
        np.maximum(np.stack([model.best for model in models]) - saved[:, None], 0.0), np.stack([model.lost for model in models]),
        at_best, grid, None if isinstance(rng, np.random.Generator) else seed, bootstrap, cases, curves,
        every.significant_pairs(level) if tested else None, every.significant_pairs(level, over=over) if tested else None,
    )  # fmt: skip


def by_default(cases: int, models: int, *, alike: bool) -> tuple[int, int]:
    """Return how many resamples the page holds, and how many are drawn: as many as fit, or as words of significance need, in time."""
    in_time = affordable(cases, models, alike=alike)
    kept = min(held(models), in_time)
    return kept, FEWEST_FOR_CLAIMS if models > 1 and in_time >= FEWEST_FOR_CLAIMS else kept


def held(models: int) -> int:
    """Return how many resamples fit the page."""
    return min(MOST, int(BUDGET / (GRID * 2 * 4 / 3 * models)))


def packed(costs: Floats, grid: Floats) -> dict[str, Any]:
    """Return costs of shape (models, resamples, grid) as the summary holds them."""
    trivial = np.minimum(grid, 1 - grid)
    part = np.divide(costs, trivial, out=np.zeros_like(costs), where=trivial > 0)
    steps = np.rint(np.clip(part, 0, 2) * SCALE).astype(np.int64)
    # From one pcf to the next a cost changes by much the same in every resample, so what is left needs fewer bits.
    moved = np.diff(steps, axis=2, prepend=0)
    columns = moved.transpose(1, 0, 2).reshape(costs.shape[1], -1)
    return {"n": costs.shape[1], "grid": grid.tolist()} | bit_columns.written(columns)


def decoded(resamples: Mapping[str, Any], models: int) -> Floats:
    """Return the costs of every resample, shape (models, resamples, grid)."""
    grid = np.asarray(resamples["grid"])
    moved = bit_columns.read(resamples, resamples["n"]).reshape(resamples["n"], models, grid.size)
    return np.asarray(moved.cumsum(axis=2).transpose(1, 0, 2) / SCALE * np.minimum(grid, 1 - grid))


def bands(draws: Draws, level: float) -> list[dict[str, list[float]]]:
    """Return limits of the cost at every pcf of the grid, one band a model: those of the library."""
    found = [draws.bootstrap.band(str(curve.name), level) for curve in draws.curves]
    return [{"low": band.low.round(7).tolist(), "high": band.high.round(7).tolist()} for band in found]

"""Bands of costs under other ways of choosing thresholds than the best one: nothing is tuned, so nothing flatters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from isocost import validate
from isocost.cost_space.threshold_choice import METHODS, Method, cost_curve
from isocost.errors import InputError
from isocost.inference import bands
from isocost.inference.bands import Band, Kind
from isocost.inference.cost_bands import Within
from isocost.inference.quantity import resampled_curves
from isocost.resampling import engine
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.resampling.sample import Sample
from isocost.roc_space import RocCurve
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap


def rule_band(
    boot: Bootstrap,
    within: Within,
    names: tuple[str, ...],
    method: Method,
    prevalence: float | None,
    *,
    level: float,
    kind: Kind,
) -> Band:
    """Return limits for the cost of a model under a rule, or for the difference of two, on the same resamples."""
    validate.choice(method, "method", METHODS)
    if method in ("best", "fixed"):
        raise InputError(
            f"method={method!r} has no band of its own: leave it out for the best thresholds, or use interval(threshold=)"
        )
    sample = boot._cases(f"a band with method={method!r}")
    own = boot.positives / (boot.positives + boot.negatives)
    pi = own if prevalence is None else validate.inner_rate(prevalence, "prevalence")
    t = 1 - within.pcf

    def cost(curve: RocCurve) -> Floats:
        line = cost_curve(curve, method=method, axis="cost_proportion", prevalence=pi)
        return line._normalised_at(t)  # noqa: SLF001 - at every t at once, also at the ends

    signed = list(zip(names, (1.0, -1.0), strict=False))
    apparent = np.sum([sign * np.mean([cost(c) for c in sample.curves(name)], axis=0) for name, sign in signed], axis=0)
    parts = [
        sum(sign * _on(sample, name, drawn, cost) for name, sign in signed)
        for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + boot.n_resamples)
    ]
    step = np.max([within.models[name].step for name in names], axis=0)
    low, high = bands.limits(np.concatenate(parts), level, kind, step)
    bottom = 0.0 if len(names) == 1 else -1.0
    low, high = low.clip(bottom, 1.0), high.clip(bottom, 1.0)
    what = f"the {'true cost' if len(names) == 1 else 'difference of the true costs'} when thresholds are chosen as {method} says"
    return Band(within.pcf, low, np.clip(apparent, low, high), high, apparent, level, kind, what, names)


def _on(sample: Sample, name: str, drawn: Floats, cost: Callable[[RocCurve], Floats]) -> Floats:
    """Return the costs on each resample, averaged over folds; shape (resamples, pcf)."""
    folds = [
        [cost(curve) for curve in resampled_curves(ranked, paths, name, hull_only=False)]
        for ranked, paths in zip(sample.models[name], sample.paths(name, drawn), strict=True)
    ]
    return np.asarray(np.mean(np.array(folds, dtype=np.float64), axis=0))

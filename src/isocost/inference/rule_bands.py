"""Bands of costs under other ways of choosing thresholds than the best one: nothing is tuned, so nothing flatters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from isocost import validate
from isocost.curves import RocCurve
from isocost.curves.cost import METHODS, Method, Rules, cost_curve, rules_of_two
from isocost.errors import InputError
from isocost.inference import bands
from isocost.inference.bands import Band, Kind
from isocost.inference.cost_bands import Within
from isocost.inference.quantity import resampled_curves
from isocost.resampling import engine
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.resampling.sample import Sample
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap


def rule_band(
    boot: Bootstrap,
    within: Within,
    names: tuple[str, ...],
    method: Rules,
    prevalence: float | None,
    *,
    level: float,
    kind: Kind,
) -> Band:
    """Return limits for the cost of a model under a rule, or for the difference of two, on the same resamples."""
    rules = rules_of_two(validate.choice(method, "method", METHODS) if len(names) == 1 else method)
    for rule in rules:
        if rule in ("best", "fixed"):
            raise InputError(
                f"method={rule!r} has no band of its own: leave it out for the best thresholds, or use interval(threshold=)"
            )
    sample = boot._cases(f"a band with method={method!r}")
    own = boot.positives / (boot.positives + boot.negatives)
    pi = own if prevalence is None else validate.inner_rate(prevalence, "prevalence")
    t = 1 - within.pcf

    def cost(rule: Method) -> Callable[[RocCurve], Floats]:
        def of(curve: RocCurve) -> Floats:
            line = cost_curve(curve, method=rule, axis="cost_proportion", prevalence=pi)
            return line._normalised_at(t)  # noqa: SLF001 - at every t at once, also at the ends

        return of

    signed = list(zip(names, map(cost, rules), (1.0, -1.0), strict=False))
    apparent = np.sum(
        [sign * np.mean([paid(c) for c in sample.curves(name)], axis=0) for name, paid, sign in signed], axis=0
    )
    parts = [
        sum(sign * _on(sample, name, drawn, paid) for name, paid, sign in signed)
        for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + boot.n_resamples)
    ]
    step = np.max([within.models[name].step for name in names], axis=0)
    low, high = bands.limits(np.concatenate(parts), level, kind, step)
    bottom = 0.0 if len(names) == 1 else -1.0
    low, high = low.clip(bottom, 1.0), high.clip(bottom, 1.0)
    ways = " and ".join(dict.fromkeys(rules[: len(names)]))
    what = f"the {'true cost' if len(names) == 1 else 'difference of the true costs'} when thresholds are chosen as {ways} says"
    said = names if rules[0] == rules[1] else tuple(f"{n} ({rule})" for n, rule in zip(names, rules, strict=True))
    return Band(within.pcf, low, np.clip(apparent, low, high), high, apparent, level, kind, what, said)


def _on(sample: Sample, name: str, drawn: Floats, cost: Callable[[RocCurve], Floats]) -> Floats:
    """Return the costs on each resample, averaged over folds; shape (resamples, pcf)."""
    folds = [
        [cost(curve) for curve in resampled_curves(ranked, paths, name, hull_only=False)]
        for ranked, paths in zip(sample.models[name], sample.paths(name, drawn), strict=True)
    ]
    return np.asarray(np.mean(np.array(folds, dtype=np.float64), axis=0))

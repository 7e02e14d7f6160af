"""Bands of costs and of their differences, from resamples and only over the conditions that are asked about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isocost.conditions import Condition, Conditions
from isocost.errors import InputError
from isocost.inference import bands
from isocost.inference.bands import Band, Kind, quantiles
from isocost.resampling.replicates import JUDGES_OF_TWO, Replicates, Target
from isocost.validate import Floats

# Over a shorter range of pcf the luck of the judges is the same everywhere, and belongs to the deviation.
_SHORT = 0.1
_NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class Within:
    """Costs at the conditions that are asked about.

    Attributes
    ----------
    pcf : ndarray
    models : dict of str to Replicates
    """

    pcf: Floats
    models: dict[str, Replicates]

    @classmethod
    def of(cls, pcf: Floats, models: dict[str, Replicates], over: Condition | Conditions | None) -> Within:
        """Keep the conditions inside a range, and add its ends; all of them if none is given."""
        if over is None:
            return cls(pcf, models)
        asked = Conditions.of(over)
        first, last = 1 - asked.high, 1 - asked.low
        if first < pcf[0] - _NEAR or last > pcf[-1] + _NEAR:
            raise InputError(
                f"the grid covers t from {1 - pcf[-1]:.4g} to {1 - pcf[0]:.4g}, but the conditions reach from "
                f"{asked.low:.4g} to {asked.high:.4g}"
            )
        inside = pcf[(pcf > first + _NEAR) & (pcf < last - _NEAR)]
        ends = [
            pcf[near] if abs(pcf[near := int(np.argmin(np.abs(pcf - end)))] - end) <= _NEAR else end
            for end in (first, last)
        ]
        kept = np.unique(np.concatenate([ends[:1], inside, ends[1:]]))
        if np.array_equal(kept, pcf):
            return cls(pcf, models)
        return cls(kept, {name: model.at(pcf, kept) for name, model in models.items()})

    @property
    def trivial(self) -> Floats:
        """The cost of the better trivial classifier."""
        return np.minimum(self.pcf, 1 - self.pcf)

    @property
    def long(self) -> bool:
        """Whether the range is long enough for the judges' luck to change along it."""
        return bool(self.pcf[-1] - self.pcf[0] >= _SHORT - _NEAR)


def band_of(within: Within, name: str, level: float, kind: Kind, target: Target) -> Band:
    """Return limits for the cost of a model."""
    model, pcf = within.models[name], within.pcf
    estimate = model.estimate(target, pcf)
    # Single curves stop at the trivial classifiers, so their mean lies below the estimate there.
    middle = estimate if model.chosen and target != "apparent" else None
    low, high = bands.limits(model.values(target, pcf), level, kind, model.step, model.probability, middle=middle)
    if kind == "pointwise" and model.chosen and target == "best":
        # Where thresholds cost nearly the same, or a trivial classifier does, corrected costs spread too little downwards.
        tail = quantiles(model.own, ((1 - level) / 2,))[0]
        low = np.minimum(low, estimate + tail - model.own.mean(axis=0))
        low = np.minimum(low, tail) if model.coarse else low
    top = within.trivial if model.chosen and target == "best" else 1.0
    low, high = (low if model.slack is None else low - model.slack).clip(0.0, top), high.clip(0.0, top)
    centre = np.clip(estimate, low, high)
    what = bands.covers(target, chosen=model.chosen)
    return Band(pcf, low, centre, high, model.apparent, level, kind, what, (name,), model.slack)


@dataclass(frozen=True, eq=False)
class Gap:
    """The difference of two models on every resample.

    Attributes
    ----------
    names : (str, str)
    values : ndarray of shape (resamples, pcf)
    estimate : ndarray of shape (pcf,)
    middle : ndarray of shape (pcf,) or None
        What simultaneous bands lie around; the mean of the values if None.
    step : ndarray of shape (pcf,)
    """

    names: tuple[str, str]
    values: Floats
    estimate: Floats
    middle: Floats | None
    step: Floats

    @classmethod
    def of(cls, within: Within, names: tuple[str, str], target: Target, *, steady: bool) -> Gap:
        """Subtract the second model's costs from the first's."""
        first, second = (within.models[name] for name in names)
        one, two = (m.values(target, within.pcf, judges=JUDGES_OF_TWO, steady=steady) for m in (first, second))
        estimate = first.estimate(target, within.pcf) - second.estimate(target, within.pcf)
        middle = estimate if (first.chosen or second.chosen) and target != "apparent" else None
        return cls(names, one - two, estimate, middle, np.maximum(first.step, second.step))


def difference_of(within: Within, names: tuple[str, str], level: float, kind: Kind, target: Target) -> Band:
    """Return limits for the difference of two models."""
    first, second = (within.models[name] for name in names)
    gap = Gap.of(within, names, target, steady=kind == "simultaneous" and within.long)
    low, high = bands.limits(gap.values, level, kind, gap.step, first.probability, middle=gap.middle)
    if kind == "pointwise" and first.chosen and second.chosen and target == "best":
        own = first.own - second.own
        ends = quantiles(own, ((1 - level) / 2, (1 + level) / 2)) + gap.estimate - own.mean(axis=0)
        low, high = np.minimum(low, ends[0]), np.maximum(high, ends[1])
    return clipped_difference(within, gap, low, high, level, kind, target)


def clipped_difference(
    within: Within, gap: Gap, low: Floats, high: Floats, level: float, kind: Kind, target: Target
) -> Band:
    """Return the band of a difference, as wide as blocks leave open and no wider than costs can differ."""
    first, second = (within.models[name] for name in gap.names)
    top = within.trivial if first.chosen and second.chosen and target == "best" else 1.0
    below, above = (m.slack if m.slack is not None else np.zeros(within.pcf.size) for m in (first, second))
    low, high = np.clip(low - below, -top, top), np.clip(high + above, -top, top)
    unknown = None if first.slack is None and second.slack is None else below + above
    what = "the difference of " + bands.covers(target, chosen=first.chosen or second.chosen)
    centre = np.clip(gap.estimate, low, high)
    apparent = first.apparent - second.apparent
    return Band(within.pcf, low, centre, high, apparent, level, kind, what, gap.names, unknown)

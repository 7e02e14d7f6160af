"""Bias-corrected and accelerated percentiles (Efron 1987)."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.inference.bands import quantiles
from isocost.inference.quantity import Quantity
from isocost.resampling.sample import Sample
from isocost.validate import Floats

# Blocks of each stratum left out in turn to see how the spread of an estimate changes with its value.
_BLOCKS = 50


def bca(
    sample: Sample, what: Quantity, names: tuple[str, ...], values: Floats, apparent: float, level: float
) -> tuple[float, float]:
    """Return bias-corrected and accelerated percentiles, the acceleration from blocks of cases left out in turn."""
    normal = NormalDist()
    below = (np.count_nonzero(values < apparent) + np.count_nonzero(values == apparent) / 2) / values.size
    if not 0 < below < 1:
        raise InputError(
            f"method='bca' fails: all resamples lie on one side of the estimate {apparent:.4g}; use 'auto'"
        )
    z0 = normal.inv_cdf(below)
    cubes = squares = 0.0
    for units in sample.strata:
        blocks = np.array_split(units, min(_BLOCKS, units.size))
        left = np.concatenate([_without(sample, block) for block in blocks])
        theta = sum(sign * what.on(sample, n, left) for n, sign in zip(names, (1, -1), strict=False))
        pull = (len(blocks) - 1) * (np.mean(theta) - theta)
        cubes += float(np.sum(pull**3)) / len(blocks) ** 3
        squares += float(np.sum(pull**2)) / len(blocks) ** 2
    speed = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    tail = (1 - level) / 2
    shares = []
    for share in (tail, 1 - tail):
        z = z0 + normal.inv_cdf(share)
        shares.append(normal.cdf(z0 + z / (1 - speed * z)))
    first, last = quantiles(values[:, None], (shares[0], shares[1]))[:, 0].tolist()
    return first, last


def _without(sample: Sample, units: NDArray[np.intp]) -> NDArray[Any]:
    """Return the data without some units, as a resample."""
    left = sample.data.copy()
    left[0, np.isin(sample.unit, units)] = 0
    return left

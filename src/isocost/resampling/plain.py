"""The plain way to resample: every case is drawn. What all other engines are tested against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.resampling.paths import Paths
from isocost.resampling.protocol import Design
from isocost.resampling.sample import Sample

# Cells of one batch of replicates: bounds the memory whatever the number of rows and replicates.
_CELLS = 2**21
# A replicate that misses a class is drawn again; so many times in a row means it will never have both.
TRIES = 1000


@dataclass(frozen=True, eq=False)
class Drawn:
    """How often each row is drawn, times its weight: an array of shape (resamples, rows)."""

    sample: Sample
    times: NDArray[Any]

    def __len__(self) -> int:
        """Return the number of resamples."""
        return len(self.times)

    def curves(self, name: str) -> list[Paths]:
        """Return the curves of one model, one entry a fold."""
        return self.sample.paths(name, self.times)


class PlainResampler:
    """Draws rows, or whole clusters of rows, with replacement inside strata.

    Parameters
    ----------
    sample : Sample
    """

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    @classmethod
    def takes(cls, design: Design) -> bool:
        """Return True for all cases that are there one by one."""
        return not design.counted

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return the number of scores to rank."""
        return design.cases * design.models

    def data(self, name: str) -> list[Paths]:
        """Return the curves of one model on the data themselves, one entry a fold."""
        return self._sample.paths(name, self._sample.data)

    def batches(self, resamples: int) -> Iterator[Drawn]:
        """Yield consecutive resamples, the first ones first."""
        for times in self.draws(0, resamples):
            yield Drawn(self._sample, times)

    def draws(self, start: int, stop: int) -> Iterator[NDArray[Any]]:
        """Yield how often each row is drawn, times its weight, in consecutive resamples."""
        sample = self._sample
        size = max(1, _CELLS // sample.positive.size)
        check = not sample.always_complete
        for first in range(start, stop, size):
            yield np.stack([self._draw(i, check=check) for i in range(first, min(first + size, stop))])

    def _draw(self, replicate: int, *, check: bool) -> NDArray[Any]:
        sample = self._sample
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*sample.entropy, replicate])))
        for _ in range(TRIES):
            times = np.empty(sample.units, dtype=np.int32)
            for units in sample.strata:
                # Whole numbers only, so that every platform draws the same rows.
                picked = rng.integers(0, units.size, size=units.size, dtype=np.int32)
                times[units] = np.bincount(picked, minlength=units.size)
            rows = times[sample.unit]
            if not check or self._complete(rows):
                return rows if sample.weights is None else rows * sample.weights
        if sample.single:
            raise never_complete()
        raise InputError(
            f"Cannot resample whole clusters: one class occurs in too few of the {sample.units}. "
            "Use fewer clusters per class or drop cluster="
        )

    def _complete(self, rows: NDArray[Any]) -> bool:
        parts, positive = self._sample.parts, self._sample.positive
        seen = np.bincount(2 * parts + positive, rows > 0, minlength=2 * self._sample.folds)
        return bool(np.all(seen > 0))


def never_complete() -> InputError:
    """Return what to say if hardly any draw has both classes."""
    return InputError("Cannot resample: one class has too few cases to be in every resample. Use stratified=True")

"""What every way to resample has in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from isocost.resampling.paths import Curves
    from isocost.resampling.sample import Sample


@dataclass(frozen=True)
class Design:
    """What decides how cases can be resampled.

    Attributes
    ----------
    cases, models, folds : int
    alike : bool
        Whether every row is one case that counts one and is drawn alone.
    counted : bool
        Whether cases come as joint counts.
    fixed : bool
        Whether a threshold is settled beforehand for some model.
    stratified : bool
        Whether the class totals stay as they are.
    """

    cases: int
    models: int
    folds: int = 1
    alike: bool = True
    counted: bool = False
    fixed: bool = False
    stratified: bool = True


class Batch(Protocol):
    """Consecutive resamples of the same cases for all models."""

    def __len__(self) -> int:
        """Return the number of resamples."""

    def curves(self, name: str) -> Sequence[Curves]:
        """Return the curves of one model on these resamples, one entry a fold."""


class Resampler(Protocol):
    """Draws resamples of a sample and finds each model's curves on them.

    Resample i depends on the cases, the seed and i alone: neither on batches, nor on how many resamples there are, nor on the
    order of the rows. Every engine has the distribution of `PlainResampler`: the same means, variances and paired covariances of
    costs at each condition.
    """

    def __init__(self, sample: Sample) -> None: ...

    @classmethod
    def takes(cls, design: Design) -> bool:
        """Return whether such cases can be resampled this way."""

    @classmethod
    def effort(cls, design: Design) -> float:
        """Return about how many scores could be ranked in the time of one resample."""

    def data(self, name: str) -> Sequence[Curves]:
        """Return the curves of one model on the data themselves, one entry a fold; points are numbered as on resamples."""

    def batches(self, resamples: int) -> Iterator[Batch]:
        """Yield consecutive resamples, the first ones first; the last batch may hold more than are wanted."""

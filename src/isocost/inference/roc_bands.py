"""How sure a ROC curve is: tpr at each fpr on resamples of the cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.errors import InputError
from isocost.inference.bands import KINDS, Kind, quantiles
from isocost.resampling import engine
from isocost.resampling.paths import Paths
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.resampling.sample import Sample
from isocost.results import Result
from isocost.validate import Floats

if TYPE_CHECKING:
    from isocost.curves import RocCurve


@dataclass(frozen=True, eq=False, repr=False)
class RocBand(Result):
    """Limits for the tpr of a model at given fprs.

    Attributes
    ----------
    fpr : ndarray
        Ascending.
    low, centre, high : ndarray
        tpr; `centre` is that of the data: the highest at a vertical step, on the straight line between two points.
    level : float
    kind : {"pointwise", "simultaneous"}
        "pointwise": at any one fpr the truth lies inside with this confidence. "simultaneous": at all of them at once.
    name : str

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> band = resampled.roc_band("random_forest", fpr=[0.1, 0.2, 0.5])
    >>> band
    <RocBand: 90 % pointwise for 'random_forest', 3 fprs; at 0.2: 0.5667 to 0.69>
    """

    fpr: Floats
    low: Floats
    centre: Floats
    high: Floats
    level: float
    kind: Kind
    name: str

    def __repr__(self) -> str:
        """Say what the band is about, with its limits in the middle."""
        i = self.fpr.size // 2
        return (
            f"<RocBand: {self.level * 100:.4g} % {self.kind} for {self.name!r}, {self.fpr.size} fprs; "
            f"at {self.fpr[i]:.4g}: {self.low[i]:.4g} to {self.high[i]:.4g}>"
        )


def tpr_at(curve: RocCurve, fpr: float) -> float:
    """Return the tpr of a curve at an fpr: the highest at a vertical step, on the straight line between two points."""
    return float(rates_at(curve.fpr, curve.tpr, np.array([fpr]))[0])


def roc_band(sample: Sample, name: str, n_resamples: int, level: float, kind: Kind, fpr: int | ArrayLike) -> RocBand:
    """Return limits for the tpr at each fpr."""
    validate.choice(kind, "kind", KINDS)
    share, x = validate.level(level), _grid(fpr)
    values = np.concatenate(
        [_rates(sample, name, drawn, x) for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + n_resamples)]
    )
    centre = _rates(sample, name, sample.data, x)[0]
    if kind == "pointwise":
        low, high = quantiles(values, ((1 - share) / 2, (1 + share) / 2))
    else:
        # As wide everywhere: the largest deviation along the curve.
        furthest = np.max(np.abs(values - centre), axis=1)
        reach = float(quantiles(furthest[:, None], (share,))[0, 0])
        low, high = (centre - reach).clip(0.0, 1.0), (centre + reach).clip(0.0, 1.0)
    return RocBand(x, low, centre, high, share, kind, name)


def _grid(fpr: int | ArrayLike) -> Floats:
    if isinstance(fpr, int):
        return np.linspace(0.0, 1.0, validate.whole(fpr, "fpr", low=2))
    x = validate.rates(fpr, "fpr")
    if x.ndim != 1 or x.size == 0 or np.any(np.diff(x) <= 0):
        raise InputError("fpr must be a number of places, or ascending rates such as [0.05, 0.1, 0.2]")
    return x


def _rates(sample: Sample, name: str, drawn: NDArray[Any], x: Floats) -> Floats:
    """Return the tpr of each resample at each fpr, averaged over folds."""
    folds = [_of_paths(paths, x) for paths in sample.paths(name, drawn)]
    return np.asarray(sum(folds) / len(folds))


def _of_paths(paths: Paths, x: Floats) -> Floats:
    rates = zip(paths.fp / paths.fp[:, -1:], paths.tp / paths.tp[:, -1:], strict=True)
    return np.stack([rates_at(fpr, tpr, x) for fpr, tpr in rates])


def rates_at(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
    """Return the tpr of a path at each fpr: the highest at a vertical step, on the straight line between two points."""
    last = np.searchsorted(fpr, x, side="right") - 1
    after = np.minimum(last + 1, fpr.size - 1)
    run = np.where(after > last, fpr[after] - fpr[last], 1.0)
    return np.asarray(tpr[last] + (x - fpr[last]) / run * (tpr[after] - tpr[last]))

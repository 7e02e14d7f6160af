"""How sure the field's other curves are: precision, gains and error rates on resamples of the cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.curves import RocCurve
from isocost.errors import InputError, UnknownNameError
from isocost.inference.bands import quantiles
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.roc_bands import rates_at
from isocost.resampling import engine
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.results import Result
from isocost.validate import Floats

Of = Literal["pr", "pr_gain", "gain", "det", "tpr", "tnr"]
OF: tuple[Of, ...] = ("pr", "pr_gain", "gain", "det", "tpr", "tnr")
_AXES: dict[Of, tuple[str, str]] = {
    "pr": ("recall", "precision"),
    "pr_gain": ("recall gain", "precision gain"),
    "gain": ("share flagged", "tpr"),
    "det": ("fpr", "fnr"),
    "tpr": ("threshold", "tpr"),
    "tnr": ("threshold", "tnr"),
}
# More places than this are not told apart in a figure.
_MOST_PLACES = 401
_Read = Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand(Result):
    """Limits for a curve of one model: at each place the truth lies inside with the stated confidence.

    Attributes
    ----------
    of : {"pr", "pr_gain", "gain", "det", "tpr", "tnr"}
        Precision at a recall, precision gain at a recall gain, tpr at a share of cases flagged, share missed at an fpr, or tpr or
        tnr at a threshold.
    at : ndarray
        The places, ascending.
    low, centre, high : ndarray
        `centre` is that of the data.
    level : float
    prevalence : float or None
        Held fixed; None for rates, which do not depend on it.
    name : str

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> ic.inference.curve_band(resampled, "random_forest", "gain", at=[0.1, 0.2, 0.5])
    <CurveBand: 90 % for 'random_forest', tpr at 3 places; at share flagged 0.2: 0.4133 to 0.48>
    """

    of: Of
    at: Floats
    low: Floats
    centre: Floats
    high: Floats
    level: float
    prevalence: float | None
    name: str

    def __repr__(self) -> str:
        """Say what the band is about, with its limits in the middle."""
        i, (along, what) = self.at.size // 2, _AXES[self.of]
        return (
            f"<CurveBand: {self.level * 100:.4g} % for {self.name!r}, {what} at {self.at.size} places; "
            f"at {along} {self.at[i]:.4g}: {self.low[i]:.4g} to {self.high[i]:.4g}>"
        )


def curve_band(
    resampled: Bootstrap,
    name: str,
    of: Of,
    *,
    at: ArrayLike | None = None,
    level: float = 0.90,
    prevalence: float | None = None,
) -> CurveBand:
    """Return limits for a curve of a model: precision-recall, gains, DET, or rates against the threshold.

    At each place every resample is read exactly, with neighbouring thresholds mixed, and the limits are percentiles. No threshold is
    chosen on the data, so there is no optimism to correct for.

    Parameters
    ----------
    resampled : Bootstrap
        From `bootstrap` or `Comparison.bootstrap`, of cases without folds.
    name : str
    of : {"pr", "pr_gain", "gain", "det", "tpr", "tnr"}
        "pr": precision at each recall. "pr_gain": precision gain at each recall gain. "gain": share of positives caught at each share
        of cases flagged. "det": share of positives missed at each fpr. "tpr", "tnr": either rate at each threshold.
    at : array, optional
        The places, ascending; by default the points of the model's own curve, or 401 of them if there are more.
    level : float
        At any one place the truth lies inside with this confidence.
    prevalence : float, optional
        Where the model will be used; the data's own by default. The resamples keep it fixed.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> band = ic.inference.curve_band(resampled, "random_forest", "pr", at=[0.2, 0.8], prevalence=0.1)
    >>> band.low.round(2).tolist(), band.high.round(2).tolist()
    ([0.45, 0.17], [0.72, 0.23])
    """
    if not isinstance(resampled, Bootstrap):
        raise InputError(f"curve_band takes what bootstrap() returns, got {type(resampled).__name__}")
    validate.choice(of, "of", OF)
    sample = resampled._cases("curve_band")
    if name not in sample.models:
        raise UnknownNameError("model", name, sample.models)
    if sample.folds > 1:
        raise InputError("curve_band is about one curve, and folds have one each: resample without fold=")
    share, curve = validate.level(level), sample.curves(name)[0]
    pi = _prevalence(curve, of, prevalence)
    places = _own_places(curve, of, pi) if at is None else _places(at, of)
    read = _threshold_reader(sample.models[name][0].scores, of) if of in ("tpr", "tnr") else _reader(of, pi)
    values = np.concatenate(
        [
            _read_all(sample.paths(name, drawn)[0], read, places)
            for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + resampled.n_resamples)
        ]
    )
    low, high = quantiles(values, ((1 - share) / 2, (1 + share) / 2))
    centre = _read_all(sample.paths(name, sample.data)[0], read, places)[0]
    return CurveBand(of, places, low, centre, high, share, pi, name)


def _prevalence(curve: RocCurve, of: Of, given: float | None) -> float | None:
    if of in ("pr", "pr_gain", "gain"):
        return validate.inner_rate(curve._prevalence_or(given), "prevalence")
    if given is not None:
        raise InputError(f"prevalence changes nothing about {' and '.join(_AXES[of])}: leave it out")
    return None


def _places(at: ArrayLike, of: Of) -> Floats:
    x = validate.reals(at, "at") if of in ("pr_gain", "tpr", "tnr") else validate.rates(at, "at")
    if x.ndim != 1 or x.size == 0 or np.any(np.diff(x) <= 0):
        raise InputError("at must hold ascending places such as [0.1, 0.2, 0.5]")
    if of == "pr" and x[0] <= 0:
        raise InputError("at must be above 0: nobody flagged has no precision")
    if of == "pr_gain" and x[-1] > 1:
        raise InputError("at must not be above 1: no recall gain is")
    return x


def _own_places(curve: RocCurve, of: Of, pi: float | None) -> Floats:
    """Return where the curve of the data has points."""
    if of in ("tpr", "tnr"):
        found = np.asarray(curve.thresholds, dtype=np.float64)
        found = found[np.isfinite(found)]
    elif of == "det":
        found = curve.fpr
    elif of == "gain":
        assert pi is not None  # noqa: S101 - settled
        found = pi * curve.tpr + (1 - pi) * curve.fpr
    else:
        found = curve.tpr[curve.tpr > 0]
        if of == "pr_gain":
            assert pi is not None  # noqa: S101 - settled
            found = 1 - pi / (1 - pi) * (1 - found) / found
            found = np.append(0.0, found[found > 0])
    found = np.unique(found)
    if found.size > _MOST_PLACES:
        found = found[np.linspace(0, found.size - 1, _MOST_PLACES).round().astype(int)]
    return found


def _read_all(paths: Any, read: _Read, places: Floats) -> Floats:
    rates = zip(paths.fp / paths.fp[:, -1:], paths.tp / paths.tp[:, -1:], strict=True)
    return np.stack([read(fpr, tpr, places) for fpr, tpr in rates])


def _reader(of: Of, prevalence: float | None) -> _Read:
    """Return what reads a path of fpr and tpr at places along its curve."""
    pi = 0.5 if prevalence is None else prevalence
    if of == "gain":
        return lambda fpr, tpr, x: np.interp(x, pi * tpr + (1 - pi) * fpr, tpr)
    if of == "det":
        return lambda fpr, tpr, x: 1 - rates_at(fpr, tpr, x)
    if of == "pr":
        return lambda fpr, tpr, x: pi * x / (pi * x + (1 - pi) * _lowest_at(tpr, fpr, x))

    def gained(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
        caught = 1 / (1 + (1 - x) * (1 - pi) / pi)
        return np.asarray(1 - _lowest_at(tpr, fpr, caught) / caught)

    return gained


def _lowest_at(tpr: Floats, fpr: Floats, x: Floats) -> Floats:
    """Return the lowest fpr at each tpr, on the straight line between two points."""
    after = np.searchsorted(tpr, x, side="left")
    before = np.maximum(after - 1, 0)
    rise = np.where(after > before, tpr[after] - tpr[before], 1.0)
    return np.asarray(fpr[before] + (x - tpr[before]) / rise * (fpr[after] - fpr[before]))


def _threshold_reader(scores: Floats, of: Of) -> _Read:
    """Return what reads a path at thresholds: its point i flags the i highest scores."""

    def read(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
        place = scores.size - np.searchsorted(scores[::-1], x, side="left")
        return tpr[place] if of == "tpr" else 1 - fpr[place]

    return read

"""Bands of other curves over resamples: precision-recall, gains, DET, decision curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError, UnknownNameError
from isocost.inference import band, blocks
from isocost.inference.band import Kind, quantiles, rates_at
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.replicates import JUDGES_OF_TWO
from isocost.inference.resample import Sample
from isocost.results import Drawn, Result

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
    checks.choice(of, "of", OF)
    sample = resampled._cases("curve_band")
    if name not in sample.models:
        raise UnknownNameError("model", name, sample.models)
    if sample.folds > 1:
        raise InputError("curve_band is about one curve, and folds have one each: resample without fold=")
    share, curve = checks.level(level), sample.curves(name)[0]
    pi = _prevalence(curve, of, prevalence)
    places = _own_places(curve, of, pi) if at is None else _places(at, of)
    read = _threshold_reader(sample.models[name][0].scores, of) if of in ("tpr", "tnr") else _reader(of, pi)
    values = np.concatenate(
        [
            _read_all(sample.paths(name, drawn)[0], read, places)
            for drawn in blocks.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + resampled.n_resamples)
        ]
    )
    low, high = quantiles(values, ((1 - share) / 2, (1 + share) / 2))
    centre = _read_all(sample.paths(name, sample.data)[0], read, places)[0]
    return CurveBand(of, places, low, centre, high, share, pi, name)


def _prevalence(curve: RocCurve, of: Of, given: float | None) -> float | None:
    if of in ("pr", "pr_gain", "gain"):
        return checks.inner_rate(curve._prevalence_or(given), "prevalence")
    if given is not None:
        raise InputError(f"prevalence changes nothing about {' and '.join(_AXES[of])}: leave it out")
    return None


def _places(at: ArrayLike, of: Of) -> Floats:
    x = checks.reals(at, "at") if of in ("pr_gain", "tpr", "tnr") else checks.rates(at, "at")
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


@dataclass(frozen=True, eq=False, repr=False)
class NetBenefitBand(Drawn):
    """Limits for the net benefit of a model that flags scores ≥ p, at many threshold probabilities p.

    Attributes
    ----------
    p : ndarray
        Threshold probabilities, ascending.
    low, centre, high : ndarray
        Net benefit per case, or the difference of two; `centre` is that of the data. No threshold is chosen on the data, so there
        is no optimism to correct for.
    treat_all : ndarray
        Net benefit of flagging everybody.
    level : float
    kind : {"pointwise", "simultaneous"}
    names : tuple of str
        The model, or the two whose difference (first minus second) it is.
    prevalence : float
        Held fixed.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> ic.inference.net_benefit_band(resampled, "logistic_regression", p=[0.1, 0.2, 0.4])
    <NetBenefitBand: 90 % pointwise for 'logistic_regression', 3 threshold probabilities; at 0.2: 0.162 to 0.1862>
    """

    _display = "NetBenefitDisplay"

    p: Floats
    low: Floats
    centre: Floats
    high: Floats
    treat_all: Floats
    level: float
    kind: Kind
    names: tuple[str, ...]
    prevalence: float

    @property
    def name(self) -> str:
        """The model, or the two whose difference it is."""
        return " − ".join(self.names)

    def __repr__(self) -> str:
        """Say what the band is about, with its limits in the middle."""
        who = " − ".join(repr(n) for n in self.names)
        i = self.p.size // 2
        return (
            f"<NetBenefitBand: {self.level * 100:.4g} % {self.kind} for {who}, {self.p.size} threshold probabilities; "
            f"at {self.p[i]:.4g}: {self.low[i]:.4g} to {self.high[i]:.4g}>"
        )


def net_benefit_band(
    resampled: Bootstrap,
    name: str,
    *,
    versus: str | None = None,
    p: ArrayLike | None = None,
    level: float = 0.90,
    kind: Kind = "pointwise",
    prevalence: float | None = None,
) -> NetBenefitBand:
    """Return limits for the decision curve of a model, or for the difference of two, from resamples.

    Parameters
    ----------
    resampled : Bootstrap
        From `bootstrap` or `Comparison.bootstrap`; the scores must be probabilities.
    name : str
    versus : str, optional
        Another model: the limits are for the difference `name` minus `versus`, paired.
    p : array, optional
        Threshold probabilities below 1, ascending; 0, 0.01, …, 0.99 if not given.
    level : float
        Strictly between 0 and 1.
    kind : {"pointwise", "simultaneous"}
        "pointwise": right at any one p with this confidence. "simultaneous": right at all of them at once.
    prevalence : float, optional
        Where the model will be used; the data's own by default. The resamples keep it fixed, so the band does not include doubt about it.

    References
    ----------
    Vickers, Cronin, Elkin & Gonen (2008), Extensions to decision curve analysis, BMC Medical Informatics and Decision Making 8:53,
    doi:10.1186/1472-6947-8-53.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> band = ic.inference.net_benefit_band(resampled, "logistic_regression", versus="naive_bayes", p=[0.2, 0.4])
    >>> band.low.round(3).tolist(), band.high.round(3).tolist()
    ([-0.011, -0.009], [0.006, 0.02])
    """
    if not isinstance(resampled, Bootstrap):
        raise InputError(f"net_benefit_band takes what bootstrap() returns, got {type(resampled).__name__}")
    sample = resampled._cases("net_benefit_band")
    x = checks.rates(np.arange(100) / 100 if p is None else p, "p")
    if x.ndim != 1 or x.size == 0 or x[-1] >= 1 or np.any(np.diff(x) <= 0):
        raise InputError("p must be ascending threshold probabilities below 1, such as [0.1, 0.2, 0.3]")
    checks.choice(kind, "kind", band.KINDS)
    share = checks.level(level)
    names = (name,) if versus is None else (name, versus)
    for model in names:
        _check(sample, model)
    positives, negatives = sample.totals
    own = positives / (positives + negatives)
    pi = own if prevalence is None else checks.inner_rate(prevalence, "prevalence")
    # Net benefit is π - weight · normalised cost at pcf = π / weight.
    weight = pi + (1 - pi) * x / (1 - x)
    pcf = pi / weight
    costs = [
        _costs(sample, names, x, pcf, drawn)
        for drawn in blocks.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + resampled.n_resamples)
    ]
    low, high = band.limits(np.concatenate(costs), share, kind, sample.step(pcf))
    centre = _costs(sample, names, x, pcf, sample.data)[0]
    top = pi if versus is None else 0.0
    treat_all = pi - (1 - pi) * x / (1 - x)
    low, centre, high = (top - weight * cost for cost in (high, centre, low))
    return NetBenefitBand(x, low, centre, high, treat_all, share, kind, names, pi)


def _check(sample: Sample, name: str) -> None:
    if name not in sample.models:
        raise UnknownNameError("model", name, sample.models)
    checks.probabilities(np.concatenate([ranked.scores for ranked in sample.models[name]]), "net_benefit_band")


def _costs(sample: Sample, names: tuple[str, ...], p: Floats, pcf: Floats, drawn: Any) -> Floats:
    """Return the normalised cost (or the difference of two) of flagging scores ≥ p on each resample."""
    total: Any = 0.0
    for sign, name in zip((1, -1), names, strict=False):
        fp = tp = all_fp = all_tp = np.zeros(())
        for ranked, paths in zip(sample.models[name], sample.paths(name, drawn), strict=True):
            points = ranked.scores.size - np.searchsorted(ranked.scores[::-1], p, side="left")
            fp, tp = fp + paths.fp[:, points], tp + paths.tp[:, points]
            all_fp, all_tp = all_fp + paths.fp[:, -1:], all_tp + paths.tp[:, -1:]
        total = total + sign * ((1 - pcf) * fp / all_fp + pcf * (1 - tp / all_tp))
    return np.asarray(total, dtype=np.float64)

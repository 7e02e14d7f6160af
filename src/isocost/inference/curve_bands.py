"""Bands of curves read off every resample: ROC, precision-recall, gains, DET, rates against the threshold, net benefit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.inference.band import KINDS, Kind, quantiles
from isocost.inference.resample import Sample, replicated
from isocost.results import Result

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

Of = Literal["roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr", "net_benefit"]
_AXES: dict[Of, tuple[str, str]] = {
    "roc": ("fpr", "tpr"),
    "pr": ("recall", "precision"),
    "pr_gain": ("recall gain", "precision gain"),
    "gain": ("share flagged", "tpr"),
    "det": ("fpr", "fnr"),
    "tpr": ("threshold", "tpr"),
    "tnr": ("threshold", "tnr"),
    "net_benefit": ("threshold probability", "net benefit"),
}
# More places than this cannot be seen in a figure.
_MOST_PLACES = 401
_Read = Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand(Result):
    """Limits for a curve of one model, or for the difference of two, at many places.

    Attributes
    ----------
    of : {"roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr", "net_benefit"}
        Tpr at an fpr, precision at a recall, precision gain at a recall gain, tpr at a share of cases flagged, share missed at an fpr, tpr
        or tnr at a threshold, or net benefit per case at a threshold probability.
    at : ndarray
        The places, ascending.
    low, centre, high : ndarray
        `centre` is that of the data.
    level : float
    kind : {"pointwise", "simultaneous"}
        "pointwise": at any one place the truth lies inside with this confidence. "simultaneous": at all of them at once.
    prevalence : float or None
        Held fixed; None for rates, which do not depend on it.
    names : tuple of str
        The model, or the two whose difference (first minus second) it is.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> ic.inference.curve_band(resampled, "random_forest", "gain", at=[0.1, 0.2, 0.5])
    <CurveBand: 90 % pointwise for 'random_forest', tpr at 3 places; at share flagged 0.2: 0.4133 to 0.48>
    """

    of: Of
    at: Floats
    low: Floats
    centre: Floats
    high: Floats
    level: float
    kind: Kind
    prevalence: float | None
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The model, or the two whose difference it is."""
        return " − ".join(self.names)

    def __repr__(self) -> str:
        """Say what the band is about, with its limits in the middle."""
        i, (along, what) = self.at.size // 2, _AXES[self.of]
        who = " − ".join(map(repr, self.names))
        return (
            f"<CurveBand: {self.level * 100:.4g} % {self.kind} for {who}, {what} at {self.at.size} places; "
            f"at {along} {self.at[i]:.4g}: {self.low[i]:.4g} to {self.high[i]:.4g}>"
        )


def curve_band(
    resampled: Bootstrap,
    name: str,
    of: Of,
    *,
    versus: str | None = None,
    at: ArrayLike | None = None,
    level: float = 0.90,
    kind: Kind = "pointwise",
    prevalence: float | None = None,
) -> CurveBand:
    """Return limits for a curve of a model: ROC, precision-recall, gains, DET, rates against the threshold, or net benefit.

    At each place every resample is read exactly, with neighbouring thresholds mixed. The limits are percentiles; simultaneous ones have the
    same width everywhere (of net benefit, in normalised cost). No threshold is chosen on the data, so there is no optimism to correct for.

    Parameters
    ----------
    resampled : Bootstrap
        From `bootstrap` or `Comparison.bootstrap`. ROC curves and net benefits of folds are averaged, others are of cases without folds.
    name : str
    of : {"roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr", "net_benefit"}
        "roc": tpr at each fpr. "pr": precision at each recall. "pr_gain": precision gain at each recall gain. "gain": share of positives
        caught at each share of cases flagged. "det": share of positives missed at each fpr. "tpr", "tnr": either rate at each threshold.
        "net_benefit": of flagging scores ≥ p, which must be probabilities, at each p below 1: the decision curve.
    versus : str, optional
        Another model: the limits are for the difference `name` minus `versus`, paired.
    at : array, optional
        The places, ascending; by default the points of the model's own curve, or 401 of them if there are more; for net benefit
        0, 0.01, …, 0.99.
    level : float
    kind : {"pointwise", "simultaneous"}
        Whether the truth lies inside at any one place with this confidence, or at all of them at once.
    prevalence : float, optional
        Where the model will be used; the data's own by default. The resamples keep it fixed.

    Returns
    -------
    CurveBand

    See Also
    --------
    isocost.Bootstrap.band, isocost.curves.net_benefit_curve

    References
    ----------
    Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic and laboratory tests, Statistics in
    Medicine 13:499-508.
    Vickers, Cronin, Elkin & Gonen (2008), Extensions to decision curve analysis, BMC Medical Informatics and Decision Making 8:53,
    doi:10.1186/1472-6947-8-53.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> band = ic.inference.curve_band(resampled, "random_forest", "pr", at=[0.2, 0.8], prevalence=0.1)
    >>> band.low.round(2).tolist(), band.high.round(2).tolist()
    ([0.45, 0.17], [0.72, 0.23])
    """
    checks.choice(of, "of", get_args(Of))
    checks.choice(kind, "kind", KINDS)
    if not hasattr(resampled, "replicates"):
        raise InputError(f"curve_band takes what bootstrap() returns, got {type(resampled).__name__}")
    sample, share = resampled.cases("curve_band"), checks.level(level)
    names = (name,) if versus is None else (name, versus)
    for model in names:
        checks.choice(model, "model", sample.models)
        if of == "net_benefit":
            checks.probabilities(sample.scores[model], "net benefit")
    if sample.folds > 1 and of not in ("roc", "net_benefit"):
        raise InputError("curve_band is about one curve, and folds have one each: resample without fold=")
    curve, pi = sample.curves(name)[0], _prevalence(sample, of, prevalence)
    places = _own_places(curve, of, pi) if at is None else _places(at, of)
    read = [partial(_values, sample, model, of, pi, places) for model in names]
    drawn, centre = replicated(sample, read, resampled.n_resamples)
    if kind == "pointwise":
        low, high = quantiles(drawn, ((1 - share) / 2, (1 + share) / 2))
    else:
        unit = pi + (1 - pi) * places / (1 - places) if of == "net_benefit" else np.ones(places.size)
        reach = quantiles(np.max(np.abs(drawn - centre) / unit, axis=1)[:, None], (share,))[0, 0] * unit
        least, most = {"pr_gain": (-math.inf, 1.0), "net_benefit": (-math.inf, pi)}.get(of, (0.0, 1.0))
        least, most = (least, most) if versus is None else (least - most, most - least)
        low, high = (np.clip(end, least, most) for end in (centre - reach, centre + reach))
    return CurveBand(of, places, low, centre, high, share, kind, None if math.isnan(pi) else pi, names)


def _prevalence(sample: Sample, of: Of, given: float | None) -> float:
    """Return the share of positives that a curve is read at; NaN for rates, which do not depend on it."""
    if of in ("pr", "pr_gain", "gain", "net_benefit"):
        positives, negatives = sample.totals
        return positives / (positives + negatives) if given is None else checks.inner_rate(given, "prevalence")
    checks.left_out(f"changes nothing about {' and '.join(_AXES[of])}: leave it out", prevalence=given)
    return math.nan


def _values(sample: Sample, name: str, of: Of, pi: float, places: Floats, drawn: NDArray[Any]) -> Floats:
    """Return the curve of a model at places on each resample, the mean over folds."""
    folds = []
    for counts in sample.counts(name, drawn):
        read = _reader(of, pi, counts.order.thresholds)
        rates = counts.rates(np.arange(counts.order.negatives.size))
        folds.append([read(fpr, tpr, places) for fpr, tpr in zip(*rates, strict=True)])
    return np.asarray(np.mean(folds, axis=0))


def _places(at: ArrayLike, of: Of) -> Floats:
    x = checks.reals(at, "at") if of in ("pr_gain", "tpr", "tnr") else checks.rates(at, "at")
    if x.ndim != 1 or x.size == 0 or np.any(np.diff(x) <= 0):
        raise InputError("at must hold ascending places such as [0.1, 0.2, 0.5]")
    if {"pr": x[0] <= 0, "pr_gain": x[-1] > 1, "net_benefit": x[-1] >= 1}.get(of, False):
        raise InputError(f"{_AXES[of][1]} has no value at {_AXES[of][0]} {x[0] if of == 'pr' else x[-1]:g}")
    return x


def _own_places(curve: RocCurve, of: Of, pi: float) -> Floats:
    """Return where the curve of the data has points."""
    caught = curve.tpr[curve.tpr > 0]
    if of in ("tpr", "tnr"):
        found = np.asarray(curve.thresholds, dtype=np.float64)
    elif of == "pr":
        found = caught
    elif of == "pr_gain":
        found = np.append(0.0, np.maximum(1 - pi / (1 - pi) * (1 - caught) / caught, 0.0))
    elif of == "net_benefit":
        found = np.arange(100) / 100
    else:
        found = pi * curve.tpr + (1 - pi) * curve.fpr if of == "gain" else curve.fpr
    found = np.unique(found[np.isfinite(found)])
    if found.size > _MOST_PLACES:
        found = found[np.linspace(0, found.size - 1, _MOST_PLACES).round().astype(int)]
    return found


def _reader(of: Of, pi: float, scores: Floats) -> _Read:
    """Return what reads a path of fpr and tpr at places along its curve; its point i flags the i highest scores."""

    def lowest(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
        """Return the lowest fpr at each tpr: on the straight line between two points."""
        return 1 - rates_at(1 - tpr[::-1], 1 - fpr[::-1], 1 - x)

    def gained(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
        caught = 1 / (1 + (1 - x) * (1 - pi) / pi)
        return 1 - lowest(fpr, tpr, caught) / caught

    def place(x: Floats) -> NDArray[np.intp]:
        return scores.size - np.searchsorted(scores[::-1], x, side="left")

    readers: dict[Of, _Read] = {
        "roc": rates_at,
        "det": lambda fpr, tpr, x: 1 - rates_at(fpr, tpr, x),
        "gain": lambda fpr, tpr, x: np.interp(x, pi * tpr + (1 - pi) * fpr, tpr),
        "pr": lambda fpr, tpr, x: pi * x / (pi * x + (1 - pi) * lowest(fpr, tpr, x)),
        "pr_gain": gained,
        "tpr": lambda _, tpr, x: tpr[place(x)],
        "tnr": lambda fpr, _, x: 1 - fpr[place(x)],
        "net_benefit": lambda fpr, tpr, x: pi * tpr[place(x)] - (1 - pi) * fpr[place(x)] * x / (1 - x),
    }
    return readers[of]


def rates_at(fpr: Floats, tpr: Floats, x: Floats) -> Floats:
    """Return the tpr of a path at each fpr: the highest at a vertical step, on the straight line between two points."""
    last = np.searchsorted(fpr, x, side="right") - 1
    after = np.minimum(last + 1, fpr.size - 1)
    run = np.where(after > last, fpr[after] - fpr[last], 1.0)
    return np.asarray(tpr[last] + (x - fpr[last]) / run * (tpr[after] - tpr[last]))


def tpr_at(curve: RocCurve, fpr: float) -> float:
    """Return the tpr of a curve at an fpr: the highest at a vertical step, on the straight line between two points."""
    return float(rates_at(curve.fpr, curve.tpr, np.array([fpr]))[0])

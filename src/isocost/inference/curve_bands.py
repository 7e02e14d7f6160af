"""Bands of curves read off every resample: ROC, precision-recall, gains, DET, rates against the threshold, net benefit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost._front import documented, documented_by
from isocost.curves import RocCurve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.inference.band import KINDS, Kind, quantiles, simultaneous
from isocost.inference.bootstrap import Bootstrap
from isocost.inference.intervals import rates_at
from isocost.inference.resample import Sample, replicated
from isocost.results import Result

Of = Literal["roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr", "net_benefit"]
# More places than this cannot be seen in a figure.
_MOST_PLACES = 401


@documented
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
        i, (along, what, _) = self.at.size // 2, _FORMS[self.of]
        who = " − ".join(map(repr, self.names))
        return (
            f"<CurveBand: {self.level * 100:.4g} % {self.kind} for {who}, {what} at {self.at.size} places; "
            f"at {along} {self.at[i]:.4g}: {self.low[i]:.4g} to {self.high[i]:.4g}>"
        )


@documented_by(see="isocost.Bootstrap.band isocost.curves.net_benefit_curve")
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
    at : array, optional
        The places, ascending; by default the points of the model's own curve, or 401 of them if there are more; for net benefit
        0, 0.01, …, 0.99.
    kind : {"pointwise", "simultaneous"}
        Whether the truth lies inside at any one place with this confidence, or at all of them at once.
    prevalence : float, optional
        Where the model will be used; the data's own by default. The resamples keep it fixed.

    References
    ----------
    Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic and laboratory tests, Statistics in
    Medicine 13:499-508.
    Vickers, Cronin, Elkin & Gonen (2008), Extensions to decision curve analysis, BMC Medical Informatics and Decision Making 8:53,
    doi:10.1186/1472-6947-8-53.

    Examples
    --------
    >>> band = ic.inference.curve_band(resampled, "random_forest", "pr", at=[0.2, 0.8], prevalence=0.1)
    >>> band.low.round(2).tolist(), band.high.round(2).tolist()
    ([0.45, 0.17], [0.72, 0.23])
    """
    checks.choice(of, "of", get_args(Of))
    checks.choice(kind, "kind", KINDS)
    checks.instance(resampled, "resampled", Bootstrap, "what bootstrap() returns")
    sample, share = resampled.cases("curve_band"), checks.level(level)
    names = (name,) if versus is None else (name, versus)
    for model in names:
        checks.choice(model, "model", sample.models)
        if of == "net_benefit":
            checks.probabilities(sample.scores[model], "net benefit")
    many = sample.folds if sample.folds > 1 and of not in ("roc", "net_benefit") else None
    checks.left_out("has a curve for each of them, and curve_band is about one: resample without fold=", fold=many)
    curve, pi = sample.curves(name)[0], _prevalence(sample, of, prevalence)
    places = _own_places(curve, of, pi) if at is None else _places(at, of)
    read = [partial(_values, sample, model, of, pi, places) for model in names]
    drawn, centre = replicated(sample, read, resampled.n_resamples)
    if kind == "pointwise":
        low, high = quantiles(drawn, ((1 - share) / 2, (1 + share) / 2))
    else:
        unit = pi + (1 - pi) * places / (1 - places) if of == "net_benefit" else np.ones(places.size)
        _, [ends] = simultaneous([(drawn, centre, np.stack([unit, unit]))], share)
        least, most = {"pr_gain": (-math.inf, 1.0), "net_benefit": (-math.inf, pi)}.get(of, (0.0, 1.0))
        least, most = (least, most) if versus is None else (least - most, most - least)
        low, high = (np.clip(end, least, most) for end in ends)
    return CurveBand(of, places, low, centre, high, share, kind, None if math.isnan(pi) else pi, names)


def _prevalence(sample: Sample, of: Of, given: float | None) -> float:
    """Return the share of positives that a curve is read at; NaN for rates, which do not depend on it."""
    if of in ("pr", "pr_gain", "gain", "net_benefit"):
        positives, negatives = sample.totals
        return positives / (positives + negatives) if given is None else checks.inner_rate(given, "prevalence")
    checks.left_out(f"changes nothing about {' and '.join(_FORMS[of][:2])}: leave it out", prevalence=given)
    return math.nan


def _values(sample: Sample, name: str, of: Of, pi: float, places: Floats, drawn: NDArray[Any]) -> Floats:
    """Return the curve of a model at places on each resample, the mean over folds."""
    folds = []
    for counts in sample.counts(name, drawn):
        rates = zip(*counts.rates(np.arange(counts.order.negatives.size)), strict=True)
        folds.append([_FORMS[of][2](_Path(*pair, counts.order.thresholds, pi), places) for pair in rates])
    return np.asarray(np.mean(folds, axis=0))


def _places(at: ArrayLike, of: Of) -> Floats:
    numbers = checks.reals if of in ("pr_gain", "tpr", "tnr") else checks.rates
    x = checks.ascending(numbers(checks.vector(at, "at"), "at"), "at")
    known = {"pr": x > 0, "pr_gain": x <= 1, "net_benefit": x < 1}.get(of, np.isfinite(x) | True)
    checks.every(known, x, "at", f"lie where {_FORMS[of][1]} has a value")
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


class _Path(NamedTuple):
    """A resample's rates; point i flags the i highest scores."""

    fpr: Floats
    tpr: Floats
    scores: Floats
    pi: float

    def lowest(self, tpr: Floats) -> Floats:
        """Return the lowest fpr at each tpr: on the straight line between two points."""
        return 1 - rates_at(1 - self.tpr[::-1], 1 - self.fpr[::-1], 1 - tpr)

    def flagging(self, score: Floats) -> tuple[Floats, Floats]:
        """Return fpr and tpr of flagging scores from so much on."""
        place = self.scores.size - np.searchsorted(self.scores[::-1], score, side="left")
        return self.fpr[place], self.tpr[place]

    def precision(self, tpr: Floats) -> Floats:
        """Return the precision at each recall."""
        return self.pi * tpr / (self.pi * tpr + (1 - self.pi) * self.lowest(tpr))

    def precision_gain(self, gain: Floats) -> Floats:
        """Return the precision gain at each recall gain."""
        caught = 1 / (1 + (1 - gain) * (1 - self.pi) / self.pi)
        return 1 - self.lowest(caught) / caught

    def net_benefit(self, risk: Floats) -> Floats:
        """Return the net benefit of flagging from each risk on."""
        fpr, tpr = self.flagging(risk)
        return self.pi * tpr - (1 - self.pi) * fpr * risk / (1 - risk)


# What each form is drawn along, what it is, and what reads it there.
_FORMS: dict[Of, tuple[str, str, Callable[[_Path, Floats], Floats]]] = {
    "roc": ("fpr", "tpr", lambda path, x: rates_at(path.fpr, path.tpr, x)),
    "pr": ("recall", "precision", _Path.precision),
    "pr_gain": ("recall gain", "precision gain", _Path.precision_gain),
    "gain": (
        "share flagged",
        "tpr",
        lambda path, x: np.interp(x, path.pi * path.tpr + (1 - path.pi) * path.fpr, path.tpr),
    ),
    "det": ("fpr", "fnr", lambda path, x: 1 - rates_at(path.fpr, path.tpr, x)),
    "tpr": ("threshold", "tpr", lambda path, x: path.flagging(x)[1]),
    "tnr": ("threshold", "tnr", lambda path, x: 1 - path.flagging(x)[0]),
    "net_benefit": ("threshold probability", "net benefit", _Path.net_benefit),
}

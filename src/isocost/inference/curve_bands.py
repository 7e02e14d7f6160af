"""Bands of curves read off every resample: ROC, precision-recall, gains, DET, decision curves, other ways to choose thresholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.curves import RocCurve, cost_curve
from isocost.curves.cost import METHODS, Method, Rules, normalised_at, rules_of_two
from isocost.curves.roc import prevalence_or
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.inference.band import KINDS, Band, Kind, Within, limits
from isocost.inference.resample import Sample, replicated
from isocost.results import Drawn, Result

if TYPE_CHECKING:
    from isocost.inference.bootstrap import Bootstrap

Of = Literal["roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr"]
_AXES: dict[Of, tuple[str, str]] = {
    "roc": ("fpr", "tpr"),
    "pr": ("recall", "precision"),
    "pr_gain": ("recall gain", "precision gain"),
    "gain": ("share flagged", "tpr"),
    "det": ("fpr", "fnr"),
    "tpr": ("threshold", "tpr"),
    "tnr": ("threshold", "tnr"),
}
# More places than this cannot be seen in a figure.
_MOST_PLACES = 401
_Read = Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand(Result):
    """Limits for a curve of one model at many places.

    Attributes
    ----------
    of : {"roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr"}
        Tpr at an fpr, precision at a recall, precision gain at a recall gain, tpr at a share of cases flagged, share missed at an fpr, or
        tpr or tnr at a threshold.
    at : ndarray
        The places, ascending.
    low, centre, high : ndarray
        `centre` is that of the data.
    level : float
    kind : {"pointwise", "simultaneous"}
        "pointwise": at any one place the truth lies inside with this confidence. "simultaneous": at all of them at once.
    prevalence : float or None
        Held fixed; None for rates, which do not depend on it.
    name : str

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
    name: str

    def __repr__(self) -> str:
        """Say what the band is about, with its limits in the middle."""
        i, (along, what) = self.at.size // 2, _AXES[self.of]
        return (
            f"<CurveBand: {self.level * 100:.4g} % {self.kind} for {self.name!r}, {what} at {self.at.size} places; "
            f"at {along} {self.at[i]:.4g}: {self.low[i]:.4g} to {self.high[i]:.4g}>"
        )


def curve_band(
    resampled: Bootstrap,
    name: str,
    of: Of,
    *,
    at: ArrayLike | None = None,
    level: float = 0.90,
    kind: Kind = "pointwise",
    prevalence: float | None = None,
) -> CurveBand:
    """Return limits for a curve of a model: ROC, precision-recall, gains, DET, or rates against the threshold.

    At each place every resample is read exactly, with neighbouring thresholds mixed. The limits are percentiles; simultaneous ones have the
    same width everywhere. No threshold is chosen on the data, so there is no optimism to correct for.

    Parameters
    ----------
    resampled : Bootstrap
        From `bootstrap` or `Comparison.bootstrap`; ROC curves of folds are averaged, the others are of cases without folds.
    name : str
    of : {"roc", "pr", "pr_gain", "gain", "det", "tpr", "tnr"}
        "roc": tpr at each fpr. "pr": precision at each recall. "pr_gain": precision gain at each recall gain. "gain": share of positives
        caught at each share of cases flagged. "det": share of positives missed at each fpr. "tpr", "tnr": either rate at each threshold.
    at : array, optional
        The places, ascending; by default the points of the model's own curve, or 401 of them if there are more.
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
    net_benefit_band, isocost.Bootstrap.band

    References
    ----------
    Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic and laboratory tests, Statistics in
    Medicine 13:499-508.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> band = ic.inference.curve_band(resampled, "random_forest", "pr", at=[0.2, 0.8], prevalence=0.1)
    >>> band.low.round(2).tolist(), band.high.round(2).tolist()
    ([0.45, 0.17], [0.72, 0.23])
    """
    checks.choice(of, "of", tuple(_AXES))
    checks.choice(kind, "kind", KINDS)
    sample = _sample(resampled, "curve_band", name)
    if sample.folds > 1 and of != "roc":
        raise InputError("curve_band is about one curve, and folds have one each: resample without fold=")
    share, curve = checks.level(level), sample.curves(name)[0]
    pi = _prevalence(curve, of, prevalence)
    places = _own_places(curve, of, pi) if at is None else _places(at, of)
    order = sample.orders(name)[0]
    read = _reader(of, 0.5 if pi is None else pi, order.thresholds)

    def values(drawn: NDArray[Any]) -> Floats:
        folds = []
        for counts in sample.counts(name, drawn):
            rates = counts.rates(np.arange(counts.order.negatives.size))
            folds.append([read(fpr, tpr, places) for fpr, tpr in zip(*rates, strict=True)])
        return np.asarray(np.mean(folds, axis=0))

    drawn, centre = replicated(sample, [values], resampled.n_resamples)
    low, high = limits(drawn, share, kind, np.zeros(places.size), middle=centre, even=True)
    if kind == "simultaneous":
        low, high = low.clip(0.0, 1.0), high.clip(0.0, 1.0)
    return CurveBand(of, places, low, centre, high, share, kind, pi, name)


def _sample(resampled: Bootstrap, caller: str, *names: str) -> Sample:
    """Return the cases behind a bootstrap, once it is sure that there are some and that models are called so."""
    if not hasattr(resampled, "replicates"):
        raise InputError(f"{caller} takes what bootstrap() returns, got {type(resampled).__name__}")
    sample: Sample = resampled.cases(caller)
    for name in names:
        checks.choice(name, "model", sample.models)
    return sample


def _prevalence(curve: RocCurve, of: Of, given: float | None) -> float | None:
    if of in ("pr", "pr_gain", "gain"):
        return checks.inner_rate(prevalence_or(curve, given), "prevalence")
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
    elif of in ("det", "roc"):
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

    Returns
    -------
    NetBenefitBand

    See Also
    --------
    curve_band, isocost.curves.net_benefit_curve

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
    names = (name,) if versus is None else (name, versus)
    sample = _sample(resampled, "net_benefit_band", *names)
    x = checks.rates(np.arange(100) / 100 if p is None else p, "p")
    if x.ndim != 1 or x.size == 0 or x[-1] >= 1 or np.any(np.diff(x) <= 0):
        raise InputError("p must be ascending threshold probabilities below 1, such as [0.1, 0.2, 0.3]")
    checks.choice(kind, "kind", KINDS)
    share = checks.level(level)
    for model in names:
        checks.probabilities(sample.scores[model], "net_benefit_band")
    positives, negatives = sample.totals
    pi = positives / (positives + negatives) if prevalence is None else checks.inner_rate(prevalence, "prevalence")
    # Net benefit is π - weight · normalised cost at pcf = π / weight.
    weight = pi + (1 - pi) * x / (1 - x)
    pcf = pi / weight
    costs, centre = replicated(
        sample, [partial(_costs, sample, model, x, pcf) for model in names], resampled.n_resamples
    )
    low, high = limits(costs, share, kind, sample.step(pcf))
    top = pi if versus is None else 0.0
    treat_all = pi - (1 - pi) * x / (1 - x)
    low, centre, high = (top - weight * cost for cost in (high, centre, low))
    return NetBenefitBand(x, low, centre, high, treat_all, share, kind, names, pi)


def _costs(sample: Sample, name: str, p: Floats, pcf: Floats, drawn: NDArray[Any]) -> Floats:
    """Return the normalised cost of flagging scores ≥ p on each resample."""
    fp = tp = n0 = n1 = np.zeros(())
    for counts in sample.counts(name, drawn):
        cuts = counts.order.thresholds.size - np.searchsorted(counts.order.thresholds[::-1], p, side="left")
        more, totals = counts.flagged(cuts), counts.totals
        fp, tp, n0, n1 = fp + more[0], tp + more[1], n0 + totals[0], n1 + totals[1]
    return np.asarray((1 - pcf) * fp / n0[:, None] + pcf * (1 - tp / n1[:, None]))


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
    """Return limits for the cost of a model whose thresholds are chosen in another way, or for the difference of two.

    Nothing is tuned on the data, so nothing is corrected.
    """
    rules = rules_of_two(checks.choice(method, "method", METHODS) if len(names) == 1 else method)
    for rule in rules:
        if rule in ("best", "fixed"):
            raise InputError(
                f"method={rule!r} has no band of its own: leave it out for the best thresholds, or use interval(threshold=)"
            )
    sample = boot.cases(f"a band with method={method!r}")
    own = boot.positives / (boot.positives + boot.negatives)
    pi = own if prevalence is None else checks.inner_rate(prevalence, "prevalence")
    t = 1 - within.pcf

    def costs(name: str, rule: Method) -> Callable[[NDArray[Any]], Floats]:
        def paid(curve: RocCurve) -> Floats:
            line = cost_curve(curve, method=rule, axis="cost_proportion", prevalence=pi)
            return normalised_at(line, t)

        def on(drawn: NDArray[Any]) -> Floats:
            found = [[paid(curve) for curve in counts.curves(name)] for counts in sample.counts(name, drawn)]
            return np.asarray(np.mean(np.array(found, dtype=np.float64), axis=0))

        return on

    values, apparent = replicated(sample, [costs(*each) for each in zip(names, rules, strict=False)], boot.n_resamples)
    step = np.max([within.models[name].step for name in names], axis=0)
    low, high = limits(values, level, kind, step)
    bottom = 0.0 if len(names) == 1 else -1.0
    low, high = low.clip(bottom, 1.0), high.clip(bottom, 1.0)
    ways = " and ".join(dict.fromkeys(rules[: len(names)]))
    what = f"the {'true cost' if len(names) == 1 else 'difference of the true costs'} when thresholds are chosen as {ways} says"
    said = names if rules[0] == rules[1] else tuple(f"{n} ({rule})" for n, rule in zip(names, rules, strict=True))
    return Band(within.pcf, low, np.clip(apparent, low, high), high, apparent, level, kind, what, said)

"""How sure a decision curve is: net benefit on resamples of the cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.errors import InputError, UnknownNameError
from isocost.inference import bands
from isocost.inference.bands import Kind
from isocost.inference.bootstrap import Bootstrap
from isocost.resampling import engine
from isocost.resampling.replicates import JUDGES_OF_TWO
from isocost.resampling.sample import Sample
from isocost.results import Drawn
from isocost.validate import Floats


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
    x = validate.rates(np.arange(100) / 100 if p is None else p, "p")
    if x.ndim != 1 or x.size == 0 or x[-1] >= 1 or np.any(np.diff(x) <= 0):
        raise InputError("p must be ascending threshold probabilities below 1, such as [0.1, 0.2, 0.3]")
    validate.choice(kind, "kind", bands.KINDS)
    share = validate.level(level)
    names = (name,) if versus is None else (name, versus)
    for model in names:
        _check(sample, model)
    positives, negatives = sample.totals
    own = positives / (positives + negatives)
    pi = own if prevalence is None else validate.inner_rate(prevalence, "prevalence")
    # Net benefit is π - weight · normalised cost at pcf = π / weight.
    weight = pi + (1 - pi) * x / (1 - x)
    pcf = pi / weight
    costs = [
        _costs(sample, names, x, pcf, drawn)
        for drawn in engine.draws(sample, JUDGES_OF_TWO, JUDGES_OF_TWO + resampled.n_resamples)
    ]
    low, high = bands.limits(np.concatenate(costs), share, kind, sample.step(pcf))
    centre = _costs(sample, names, x, pcf, sample.data)[0]
    top = pi if versus is None else 0.0
    treat_all = pi - (1 - pi) * x / (1 - x)
    low, centre, high = (top - weight * cost for cost in (high, centre, low))
    return NetBenefitBand(x, low, centre, high, treat_all, share, kind, names, pi)


def _check(sample: Sample, name: str) -> None:
    if name not in sample.models:
        raise UnknownNameError("model", name, sample.models)
    validate.probabilities(np.concatenate([ranked.scores for ranked in sample.models[name]]), "net_benefit_band")


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

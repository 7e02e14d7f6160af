"""The binormal model of a curve: scores that some rising transformation makes normal in both classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from isocost.curves.roc import ContinuousRocCurve, RocCurve, is_path, takes_curve
from isocost.data import checks
from isocost.data.checks import Floats
from isocost.errors import InputError
from isocost.numbers import ROUNDING
from isocost.results import Result

Method = Literal["likelihood", "regression"]
METHODS: tuple[Method, ...] = ("likelihood", "regression")


@dataclass(frozen=True, repr=False)
class BinormalFit(Result):
    """A smooth model of an empirical curve, tpr = Φ(intercept + slope·Φ⁻¹(fpr)); not the curve itself.

    Attributes
    ----------
    intercept, slope : float
        Negatives score N(0, 1), positives N(intercept/slope, 1/slope²) after the transformation.
    method : {"likelihood", "regression"}
    points : int
        Operating points (regression) or score categories (likelihood) used.
    curve : ContinuousRocCurve
        The model as a continuous curve, named as such.

    Examples
    --------
    >>> import isocost as ic
    >>> fit = ic.curves.fit_binormal(ic.RocCurve.from_points([0.1, 0.3, 0.6], [0.4, 0.7, 0.9]), method="regression")
    >>> fit
    <BinormalFit (a model): intercept 1.035, slope 0.9999, AUC 0.7679>
    """

    intercept: float
    slope: float
    method: Method
    points: int
    curve: ContinuousRocCurve

    @property
    def auc(self) -> float:
        """Area under the model's curve, Φ(intercept/√(1 + slope²))."""
        return 0.5 * (1 + math.erf(self.intercept / math.sqrt(2 * (1 + self.slope**2))))

    def _data(self) -> dict[str, Any]:
        return super()._data() | {"auc": self.auc}

    def __repr__(self) -> str:
        """Say that it is a model."""
        return f"<BinormalFit (a model): intercept {self.intercept:.4g}, slope {self.slope:.4g}, AUC {self.auc:.4g}>"


@takes_curve()
def fit_binormal(curve: RocCurve, *, method: Method = "likelihood", categories: int = 20) -> BinormalFit:
    r"""Fit the binormal model to a curve.

    .. math:: tpr = \Phi(a + b\,\Phi^{-1}(fpr))

    Only the order of the scores matters. The model is smooth where the data are few and may be wrong in the tails: measures
    of the fitted curve are statements about the model.

    Parameters
    ----------
    curve : RocCurve
        With at least two operating points whose fpr and tpr both lie strictly between 0 and 1.
    method : {"likelihood", "regression"}
        "likelihood": maximum likelihood of the counts per score (Dorfman & Alf 1969), neighbouring scores merged into at
        most `categories`; buckets of scores stay whole. "regression": least squares of Φ⁻¹(tpr) on Φ⁻¹(fpr), which needs no class totals.
    categories : int
        At least 3.

    Returns
    -------
    BinormalFit

    See Also
    --------
    isocost.RocCurve.from_distributions

    References
    ----------
    Dorfman & Alf (1969), J. Math. Psychology 6:487-496, doi:10.1016/0022-2496(69)90019-4.
    Hanley (1988), Medical Decision Making 8:197-203, doi:10.1177/0272989X8800800308.

    Examples
    --------
    >>> import numpy as np
    >>> import isocost as ic
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 2000)
    >>> curve = ic.RocCurve.from_scores(y, rng.normal(size=2000) + 1.2 * y)
    >>> fit = ic.curves.fit_binormal(curve)
    >>> fit
    <BinormalFit (a model): intercept 1.253, slope 1.031, AUC 0.8084>
    >>> round(ic.voros(fit.curve), 4), round(ic.voros(curve), 4)
    (0.9043, 0.907)
    """
    checks.choice(method, "method", METHODS)
    if isinstance(curve, ContinuousRocCurve):
        raise InputError("a continuous curve is a model already: fit an empirical one")
    inside = (curve.fpr > 0) & (curve.fpr < 1) & (curve.tpr > 0) & (curve.tpr < 1)
    distinct = len(set(zip(curve.fpr[inside].tolist(), curve.tpr[inside].tolist(), strict=True)))
    if distinct < 2:
        raise InputError(
            f"a binormal fit needs two operating points with fpr and tpr strictly between 0 and 1, the curve has {distinct}"
        )
    intercept, slope = _regress(curve.fpr[inside], curve.tpr[inside])
    points = distinct
    if method == "likelihood":
        negatives, positives = _categories(curve, checks.whole(categories, "categories", low=3, high=10_000))
        intercept, slope = _maximise(negatives, positives, intercept, slope)
        points = negatives.size
    return BinormalFit(intercept, slope, method, points, _model(curve.name, intercept, slope))


def _model(name: str | None, intercept: float, slope: float) -> ContinuousRocCurve:
    from scipy.stats import norm

    title = "binormal model" if name is None else f"{name} (binormal model)"
    return RocCurve.from_distributions(norm(intercept / slope, 1 / slope), norm(0, 1), name=title)


def _regress(fpr: Floats, tpr: Floats) -> tuple[float, float]:
    from scipy.special import ndtri

    u, v = ndtri(fpr), ndtri(tpr)
    spread = u - u.mean()
    slope = float(spread @ v / (spread @ spread)) if np.ptp(u) > 0 else 0.0
    if not slope > 0:
        raise InputError("tpr does not rise with fpr among the inner points: a binormal curve cannot be fitted")
    return float(v.mean() - slope * u.mean()), slope


def _categories(curve: RocCurve, most: int) -> tuple[Floats, Floats]:
    """Return negatives and positives per category of neighbouring scores, ascending."""
    if curve.positives is None or not is_path(curve):
        raise InputError(
            "method='likelihood' needs counts per score: build the curve from scores, or use method='regression'"
        )
    # Cuts at equal steps of (fpr + tpr)/2, moved to the next distinct score; (0, 0) and (1, 1) are always cuts.
    along = (curve.fpr + curve.tpr) / 2
    at = np.unique(np.searchsorted(along, np.linspace(0, 1, most + 1) - ROUNDING).clip(0, along.size - 1))
    negatives, positives = (np.diff(total[at])[::-1].astype(np.float64) for total in (curve.fp, curve.tp))
    return negatives, positives


def _maximise(negatives: Floats, positives: Floats, intercept: float, slope: float) -> tuple[float, float]:
    """Return the maximum-likelihood intercept and slope; the cuts between categories are fitted along."""
    from scipy.optimize import minimize
    from scipy.special import ndtri

    share = np.cumsum(negatives + 0.5)[:-1] / (negatives.sum() + 0.5 * negatives.size)
    cuts = ndtri(share)
    start = np.concatenate([cuts[:1], np.log(np.maximum(np.diff(cuts), 1e-3)), [intercept, math.log(slope)]])
    found = minimize(_minus_log_likelihood, start, (negatives, positives), jac=True, method="BFGS")
    intercept, slope = float(found.x[-2]), math.exp(found.x[-1])
    if not (np.isfinite(found.fun) and abs(intercept) < 50 and 1e-3 < slope < 1e3):
        raise InputError(
            "the likelihood of a binormal curve has no maximum here (the classes are separated, or nearly so): "
            "use the empirical curve, or method='regression'"
        )
    return intercept, slope


def _minus_log_likelihood(x: Floats, negatives: Floats, positives: Floats) -> tuple[float, Floats]:
    """Return -log likelihood and its gradient in (first cut, log gaps, intercept, log slope)."""
    from scipy.special import ndtr

    gaps, a, b = np.exp(x[1:-2]), x[-2], math.exp(x[-1])
    cuts = x[0] + np.concatenate([[0.0], np.cumsum(gaps)])
    value, pulls, bells = 0.0, [], []
    for counts, z in ((negatives, cuts), (positives, b * cuts - a)):
        mass = np.maximum(np.diff(np.concatenate([[0.0], ndtr(z), [1.0]])), np.finfo(np.float64).tiny)
        value -= float(counts @ np.log(mass))
        per_mass = counts / mass
        pulls.append(per_mass[1:] - per_mass[:-1])
        bells.append(np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi))
    on_negative, on_positive = (pull * bell for pull, bell in zip(pulls, bells, strict=True))
    on_cuts = on_negative + b * on_positive
    # A gap moves every cut after it.
    on_gaps = np.cumsum(on_cuts[::-1])[::-1][1:] * gaps
    on_slope = float(cuts @ on_positive) * b
    return value, np.concatenate([[on_cuts.sum()], on_gaps, [-on_positive.sum(), on_slope]])

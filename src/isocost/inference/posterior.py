"""Bayesian bands for one threshold: Beta posteriors of its two rates, their weighted sum exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.errors import InputError
from isocost.inference.bands import Band
from isocost.validate import Floats

_STEPS = 8
_SPREAD = np.array([1e-9, 1e-6, 1e-3, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 1 - 1e-3, 1 - 1e-6, 1 - 1e-9])


def posterior_band(
    tp: float,
    fn: float,
    fp: float,
    tn: float,
    *,
    level: float = 0.90,
    prior: tuple[float, float] = (0.5, 0.5),
    grid: int | ArrayLike = 201,
    name: str = "classifier",
) -> Band:
    """Return credible limits for the cost of one classifier at each condition, from its confusion matrix.

    With a Beta prior on each rate, the rates after seeing the counts are Beta too: fpr ~ Beta(fp + a, tn + b) and 1 - tpr ~
    Beta(fn + a, tp + b), independent. The cost at t is t·fpr + (1-t)·(1-tpr); its quantiles come from the exact distribution
    function, not from draws. Unlike a band from resamples, it has width even if a rate is 0 or 1 in the data.

    Parameters
    ----------
    tp, fn, fp, tn : float
        Counts, not negative, at least one case of each class.
    level : float
        Strictly between 0 and 1.
    prior : (a, b)
        Of each error rate; (0.5, 0.5) is Jeffreys', (1, 1) uniform.
    grid : int or array
        How many conditions, equally spaced in pcf from 0 to 1, or which ones.
    name : str

    References
    ----------
    Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16:101-133,
    doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> import isocost as ic
    >>> band = ic.inference.posterior_band(20, 0, 4, 6, grid=[0.0, 0.5, 1.0])
    >>> band.low.round(3).tolist(), band.high.round(3).tolist()
    ([0.185, 0.102, 0.0], [0.653, 0.341, 0.09])
    """
    tp, fn, fp, tn = validate.confusion(tp, fn, fp, tn)
    share = validate.level(level)
    a, b = _prior(prior)
    pcf = validate.pcf_grid(grid)
    alarms, misses = _Beta(fp + a, tn + b), _Beta(fn + a, tp + b)
    tail = (1 - share) / 2
    low, high = (_quantiles(q, pcf, alarms, misses) for q in (tail, 1 - tail))
    centre = (1 - pcf) * alarms.mean + pcf * misses.mean
    apparent = (1 - pcf) * fp / (fp + tn) + pcf * fn / (tp + fn)
    what = "the true cost of the classifier as it is, given the counts and the prior"
    return Band(pcf, low, centre, high, apparent, share, "pointwise", what, (name,))


def _prior(prior: tuple[float, float]) -> tuple[float, float]:
    first, second = validate.pair(prior, "prior", "a pair of positive numbers")
    a, b = (validate.number(v, "prior", low=0.0) for v in (first, second))
    if not (0.5 <= a < np.inf and 0.5 <= b < np.inf):
        raise InputError(f"prior must be two finite numbers of at least 0.5, Jeffreys' prior, got {prior!r}")
    return a, b


class _Beta:
    """A Beta distribution, also in the angle whose squared sine is the rate: its density there is bounded."""

    def __init__(self, a: float, b: float) -> None:
        from scipy.special import betaln

        self.a, self.b = a, b
        self._log = float(betaln(a, b))

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def cdf(self, x: Floats) -> Floats:
        from scipy.special import betainc

        return np.asarray(betainc(self.a, self.b, np.clip(x, 0.0, 1.0)))

    def ppf(self, q: float | Floats) -> Floats:
        from scipy.special import betaincinv

        return np.asarray(betaincinv(self.a, self.b, q), dtype=np.float64)

    def angle_density(self, angle: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            logs = (2 * self.a - 1) * np.log(np.sin(angle)) + (2 * self.b - 1) * np.log(np.cos(angle))
        return np.asarray(2 * np.exp(np.nan_to_num(logs, neginf=-np.inf) - self._log))


def _quantiles(q: float, pcf: Floats, alarms: _Beta, misses: _Beta) -> Floats:
    """Return the q-quantile of the cost at each pcf."""
    inner = (pcf > 0) & (pcf < 1)
    found = np.where(pcf == 1, misses.ppf(q), alarms.ppf(q))
    x = pcf[inner]
    # Both rates below their p-quantiles: probability p². Both above: (1-p)². So these two costs enclose the quantile.
    low, high = ((1 - x) * alarms.ppf(p) + x * misses.ppf(p) for p in (1 - (1 - q) ** 0.5, q**0.5))
    short, over = (_probability(c, x, alarms, misses) - q for c in (low, high))
    for _ in range(_STEPS):
        # Ridders (1979): bend the function straight by an exponential factor, then take the chord.
        middle = (low + high) / 2
        gap = _probability(middle, x, alarms, misses) - q
        root = middle - (middle - low) * gap / np.sqrt(gap**2 - np.minimum(short * over, -1e-300))
        value = _probability(root, x, alarms, misses) - q
        points, gaps = (
            np.sort(np.stack([low, middle, root, high]), axis=0),
            np.sort(np.stack([short, gap, value, over]), axis=0),
        )
        # The last point with a probability that is still too small, and the one after it.
        at = np.clip(np.sum(gaps < 0, axis=0) - 1, 0, 2)[None, :]
        low, high = (np.take_along_axis(points, at + i, 0)[0] for i in (0, 1))
        short, over = (np.take_along_axis(gaps, at + i, 0)[0] for i in (0, 1))
        if np.all(np.minimum(-short, over) < 1e-15):
            break
    found[inner] = root
    return found


def _probability(cost: Floats, pcf: Floats, alarms: _Beta, misses: _Beta) -> Floats:
    """Return P(t·fpr + pcf·miss ≤ cost), integrating over the angle of the fpr between where the miss rate is 1 and 0."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    t = 1 - pcf
    first, last = (np.clip(v / t, 0.0, 1.0) for v in (cost - pcf, cost))
    from_, to = (np.arcsin(np.sqrt(v))[:, None] for v in (first, last))
    # Panels follow the bulk of the fpr and shrink towards both ends, where the integrand may rise like a square root.
    bulk = np.arcsin(np.sqrt(alarms.ppf(_SPREAD)))
    near = (to - from_) * 2.0 ** -np.arange(1, 22)
    edges = np.concatenate([from_, from_ + near, np.broadcast_to(bulk, (pcf.size, bulk.size)), to - near, to], axis=1)
    edges = np.sort(np.clip(edges, from_, to), axis=1)
    width = np.diff(edges, axis=1)[:, :, None]
    angle = edges[:, :-1, None] + width * (nodes + 1) / 2
    miss = (cost[:, None, None] - t[:, None, None] * np.sin(angle) ** 2) / pcf[:, None, None]
    inside = alarms.angle_density(angle) * misses.cdf(miss) @ (weights / 2)
    return np.asarray(np.sum(inside * width[:, :, 0], axis=1) + alarms.cdf(first))

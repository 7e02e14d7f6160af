"""Continuous ROC curves: the operating points of two score distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost import validate
from isocost.errors import InputError
from isocost.roc_space.curve import RocCurve
from isocost.validate import Floats

# The points that locate an optimum; each one is then refined to the precision of float64.
_POINTS = 2001
_GOLDEN = (3 - 5**0.5) / 2


@dataclass(frozen=True, eq=False, repr=False)
class ContinuousRocCurve(RocCurve):
    """A curve traced by a threshold on scores with known distributions (Ratigan & Cowen, Lemmas 58-59).

    Its `fpr`, `tpr` and `thresholds` are a fine sample for drawing; costs and measures use the distributions themselves.
    Build one with `RocCurve.from_distributions`.

    Attributes
    ----------
    positive, negative : frozen `scipy.stats` distribution
        Of the scores of each class.
    """

    positive: Any = field(default=None, metadata={"data": False})
    negative: Any = field(default=None, metadata={"data": False})

    @classmethod
    def build(cls, positive: Any, negative: Any, name: str | None) -> ContinuousRocCurve:
        """Check the distributions and sample the curve, dense in both tails."""
        for label, dist in (("positive", positive), ("negative", negative)):
            if not all(hasattr(dist, method) for method in ("pdf", "cdf", "sf", "ppf")):
                raise InputError(
                    f"{label} must be a frozen, continuous scipy.stats distribution such as stats.norm(1, 1), got {dist!r}"
                )
        # Equal steps of the logit of each class's distribution function reach from 1e-16 to 1 - 1e-16.
        share = 1 / (1 + np.exp(-np.linspace(-36.5, 36.5, _POINTS)))
        cuts = np.unique(np.concatenate([positive.ppf(share), negative.ppf(share)]))[::-1]
        cuts = cuts[np.isfinite(cuts)]
        fpr, tpr = (np.concatenate([[0.0], dist.sf(cuts), [1.0]]) for dist in (negative, positive))
        thresholds = np.concatenate([[np.inf], cuts, [-np.inf]])
        return cls(fpr, tpr, thresholds, None, None, name, None, positive=positive, negative=negative)

    def _shown(self) -> dict[str, Any]:
        at = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
        best = self.optimal_threshold(at)
        return {"t": at, "best threshold": best, "normalised cost": self.optimal_cost(at)}

    def cost_at(self, threshold: ArrayLike, t: ArrayLike) -> Floats:
        """Return the normalised cost at t of flagging scores ≥ threshold."""
        t, threshold = validate.rates(t, "t"), validate.reals(threshold, "threshold")
        validate.same_shape(threshold=threshold, t=t)
        return np.asarray(t * self.negative.sf(threshold) + (1 - t) * self.positive.cdf(threshold))

    def optimal_threshold(self, t: ArrayLike) -> Floats:
        """Return the cheapest threshold at each t; ±inf where a trivial classifier is cheapest."""
        t = validate.rates(t, "t")
        return self._local_optimum(self._best_vertex(t), t)

    def _local_optimum(self, vertex: NDArray[np.intp], t: Floats) -> Floats:
        """Return the cheapest threshold at t near a vertex of the sampled hull: between the sample points beside it."""
        cut = self.thresholds
        best = self._hull_index[vertex]
        low, high = cut[np.minimum(best + 1, cut.size - 1)], cut[np.maximum(best - 1, 0)]
        inside = np.isfinite(low) & np.isfinite(high)
        low, high = np.where(inside, low, 0.0), np.where(inside, high, 0.0)
        turning = (self._slope(low, t) < 0) & (self._slope(high, t) > 0)
        found = self._by_slope(low, high, t)
        if not np.all(turning | ~inside):
            found = np.where(turning, found, self._by_comparison(low, high, t))
        return np.asarray(np.where(inside, found, cut[best]))

    def _by_slope(self, a: Floats, b: Floats, t: Floats) -> Floats:
        """Halve the interval in which the cost stops falling."""
        for _ in range(56):
            middle = (a + b) / 2
            down = self._slope(middle, t) < 0
            a, b = np.where(down, middle, a), np.where(down, b, middle)
        return np.asarray((a + b) / 2)

    def _by_comparison(self, a: Floats, b: Floats, t: Floats) -> Floats:
        """Narrow by golden section where the densities do not show the turn; finds half the digits."""
        left, right = a + _GOLDEN * (b - a), b - _GOLDEN * (b - a)
        at_left, at_right = self.cost_at(left, t), self.cost_at(right, t)
        for _ in range(60):
            down = at_left <= at_right
            a, b = np.where(down, a, left), np.where(down, right, b)
            left, right = a + _GOLDEN * (b - a), b - _GOLDEN * (b - a)
            at_left, at_right = self.cost_at(left, t), self.cost_at(right, t)
        return np.asarray((a + b) / 2)

    def _slope(self, threshold: Floats, t: Floats) -> Floats:
        return np.asarray((1 - t) * self.positive.pdf(threshold) - t * self.negative.pdf(threshold))

    def optimal_cost(self, t: ArrayLike) -> Floats:
        """Return the normalised cost at each t with the threshold that is best there, trivial ones included."""
        t = validate.rates(t, "t")
        return np.asarray(np.minimum(self.cost_at(self.optimal_threshold(t), t), np.minimum(t, 1 - t)))

    def rates_at(self, threshold: ArrayLike) -> tuple[Floats, Floats]:
        """Return fpr and tpr of flagging scores ≥ threshold."""
        threshold = validate.reals(threshold, "threshold")
        return np.asarray(self.negative.sf(threshold)), np.asarray(self.positive.sf(threshold))

    def threshold_at_rate(self, rate: ArrayLike, prevalence: float) -> Floats:
        """Return the threshold at which the share `rate` of all cases is flagged."""
        rate = validate.rates(rate, "rate")
        prevalence = validate.number(prevalence, "prevalence", low=0.0, high=1.0)
        sampled = prevalence * self.tpr + (1 - prevalence) * self.fpr
        # Between finite thresholds: beyond the outermost ones is less than rounding.
        after = np.clip(np.searchsorted(sampled, rate), 2, sampled.size - 2)
        low, high = self.thresholds[after], self.thresholds[after - 1]
        for _ in range(56):
            middle = (low + high) / 2
            fpr, tpr = self.rates_at(middle)
            many = prevalence * tpr + (1 - prevalence) * fpr >= rate
            low, high = np.where(many, middle, low), np.where(many, high, middle)
        return np.asarray((low + high) / 2)

    def tpr_at(self, fpr: ArrayLike) -> Floats:
        """Return the curve as a function of fpr: 1 - P(N⁻¹(1 - fpr))."""
        return np.asarray(self.positive.sf(self.negative.isf(validate.rates(fpr, "fpr"))))

    def t_at(self, fpr: ArrayLike) -> Floats:
        """Return the t at which the point above `fpr` would be optimal: r'/(1 + r'), r' the likelihood ratio there.

        It is optimal in fact only where the curve touches its hull. NaN where neither class has a density, as at the ends.
        """
        cut = self.negative.isf(validate.rates(fpr, "fpr"))
        p, n = self.positive.pdf(cut), self.negative.pdf(cut)
        with np.errstate(invalid="ignore"):
            return np.asarray(p / (p + n))

    @property
    def _jumps(self) -> NDArray[np.intp]:
        """The edges of the sampled hull that skip points: there the curve bends inwards, and the best threshold jumps."""
        return np.flatnonzero(np.diff(self._hull_index) > 2)

    @cached_property
    def switch_t(self) -> Floats:
        """The values of t at which the cheapest sampled point changes; where the curve bends inwards, exactly where it jumps."""
        switch = super().switch_t[::-1].copy()
        # Short edges in the tails skip points by rounding alone: nothing to gain there.
        long = np.diff(self.hull.fpr) + np.diff(self.hull.tpr) > 1e-4
        edge = self._jumps[long[self._jumps]]
        if edge.size == 0:
            return switch[::-1]
        t = switch[edge]
        for _ in range(4):  # the line that touches the curve at both ends, by steps whose error squares
            x, y = self.rates_at(self._local_optimum(np.stack([edge, edge + 1]), t))
            rise, run = y[1] - y[0], x[1] - x[0]
            found = np.divide(rise, rise + run, out=t.copy(), where=rise + run > 0)
            # A switch must stay between its neighbours.
            ends = np.concatenate([[1.0], switch, [0.0]])
            t = np.where((found < ends[edge]) & (found > ends[edge + 2]), found, t)
        switch[edge] = t
        return switch[::-1]

    @cached_property
    def breaks(self) -> Floats:
        """Values of t between which the cheapest threshold moves smoothly: where the curve is not concave it jumps."""
        return self.switch_t[::-1][self._jumps][::-1]

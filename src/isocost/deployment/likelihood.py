"""The prevalence that makes the scores in use most likely, and how far it may be from that.

Steps are numbered k; p and q are the shares of reference positives and negatives in each, d = p - q, f = πp + (1-π)q the share expected
at prevalence π, and ρ = πp/f the risk in a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from isocost.deployment.steps import Steps
from isocost.results.frames import Columns
from isocost.validate import Floats

# Where labels make the score function infinite, its ends are evaluated just inside.
_EDGE = 1e-12


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The likelihood of a prevalence given counts in steps."""

    steps: Steps

    @property
    def _labels(self) -> bool:
        return bool(self.steps.labelled.any())

    def score(self, pi: float) -> float:
        """Return the derivative of the log-likelihood: A'/π - B'/(1-π) + Σ m·d/f. It falls."""
        p, q = self.steps.rates
        total = float(np.sum(self.steps.unlabelled * (p - q) / (pi * p + (1 - pi) * q)))
        ups, downs = int(self.steps.labelled_positives.sum()), int(self.steps.labelled_negatives.sum())
        if ups:
            total += ups / pi if pi > 0 else math.inf
        if downs:
            total -= downs / (1 - pi) if pi < 1 else math.inf
        return total

    def variance(self, pi: float) -> float:
        """Return the variance of the score: of the cases in use, of their labels, and of the reference's own cases."""
        s = self.steps
        p, q = s.rates
        f = pi * p + (1 - pi) * q
        seen = s.unlabelled + s.labelled
        cases = int(seen.sum())
        found = cases * float(np.sum((p - q) ** 2 / f))
        if self._labels:
            risk = pi * p / f
            found += float(np.sum(s.labelled * risk * (1 - risk))) / (pi * (1 - pi)) ** 2
        share = np.divide(s.unlabelled, seen, out=np.zeros(f.size), where=seen > 0)
        w = np.where(seen > 0, cases * f * share, s.unlabelled.sum() * f)
        g, h = w * q / f**2, w * p / f**2
        found += float(p @ g**2 - (p @ g) ** 2) / float(s.positives.sum())
        return found + float(q @ h**2 - (q @ h) ** 2) / float(s.negatives.sum())

    def z(self, pi: float) -> float:
        """Return how many standard deviations the score is from 0 if the prevalence is π."""
        if self._labels:
            pi = min(max(pi, _EDGE), 1 - _EDGE)
        return self.score(pi) / math.sqrt(self.variance(pi))

    def maximum(self) -> float:
        """Return the most likely prevalence."""
        if self.score(0.0) <= 0:
            return 0.0
        if self.score(1.0) >= 0:
            return 1.0
        return _root(self.score, 0.0, 1.0)

    def interval(self, estimate: float, quantile: float) -> tuple[float, float]:
        """Return the prevalences that the score does not reject."""
        return interval_of(self.z, estimate, quantile)

    def misfit(self, estimate: float) -> tuple[float, float | None]:
        """Return half the sum of differences between shares seen and expected, and how likely such are if only the prevalence moved."""
        from scipy.special import chdtrc

        s = self.steps
        p, q = s.rates
        f = estimate * p + (1 - estimate) * q
        seen = s.unlabelled + s.labelled
        size = 0.5 * float(np.sum(np.abs(seen / seen.sum() - f)))
        statistic, degrees = self.fit(estimate)
        return size, None if degrees is None else float(chdtrc(degrees, max(statistic, 0.0)))

    def fit(self, estimate: float) -> tuple[float, int | None]:
        """Return the statistic of the fit test and its degrees of freedom; None for two steps, which always fit."""
        s = self.steps
        p, q = s.rates
        if p.size < 3:
            return 0.0, None
        seen = s.unlabelled + s.labelled
        cases = int(seen.sum())
        f = estimate * p + (1 - estimate) * q
        rest = (seen - cases * f)[:-1]
        spread = cases * _spread(f)
        spread += cases**2 * estimate**2 * _spread(p) / float(s.positives.sum())
        spread += cases**2 * (1 - estimate) ** 2 * _spread(q) / float(s.negatives.sum())
        d = (p - q)[:-1]
        solved = np.linalg.solve(spread, np.column_stack([rest, d]))
        statistic = float(rest @ solved[:, 0])
        if estimate in (0.0, 1.0):
            return statistic, p.size - 1
        return statistic - float(rest @ solved[:, 1]) ** 2 / float(d @ solved[:, 1]), p.size - 2

    def shares(self, estimate: float) -> Columns:
        """Return where each step begins, and its share in the reference, seen in use and expected at an estimate."""
        s = self.steps
        p, q = s.rates
        own, seen = s.positives + s.negatives, s.unlabelled + s.labelled
        expected = estimate * p + (1 - estimate) * q
        return {"score_from": s.cuts, "reference": own / own.sum(), "seen": seen / seen.sum(), "expected": expected}

    def if_risks_hold(self) -> float:
        """Return the prevalence if the risk at each score, not the scores of each class, stayed as it was."""
        s = self.steps
        p, q = s.rates
        own = float(s.positives.sum() / (s.positives.sum() + s.negatives.sum()))
        risk = own * p / (own * p + (1 - own) * q)
        known = int(s.labelled_positives.sum())
        return (float(s.unlabelled @ risk) + known) / float(s.unlabelled.sum() + s.labelled.sum())

    def labels_fit(self) -> float | None:
        """Return how likely the labels are if the prevalence is what the scores alone say; None without labels or if they say nothing."""
        s = self.steps
        if not self._labels:
            return None
        none = np.zeros_like(s.unlabelled)
        alone = Likelihood(Steps(s.cuts, s.positives, s.negatives, s.unlabelled + s.labelled, none, none))
        pi = alone.maximum()
        p, q = s.rates
        f = pi * p + (1 - pi) * q
        risk = pi * p / f
        expected = float(s.labelled @ risk)
        slope = float(s.labelled @ (p * q / f**2))
        information = float(np.sum((s.unlabelled + s.labelled) * ((p - q) / f) ** 2))
        if information == 0:
            return None  # scores that say nothing of the prevalence contradict no label
        spread = float(s.labelled @ (risk * (1 - risk))) + slope**2 * alone.variance(pi) / information**2
        return two_sided((float(s.labelled_positives.sum()) - expected) / math.sqrt(spread))


def interval_of(z: Callable[[float], float], estimate: float, quantile: float) -> tuple[float, float]:
    """Return the prevalences at which a falling deviate is no further from 0 than the quantile."""
    if (estimate == 0 and z(0.0) < -quantile) or (estimate == 1 and z(1.0) > quantile):
        return estimate, estimate  # even the nearest prevalence is rejected
    low = 0.0 if z(0.0) <= quantile else _root(lambda x: z(x) - quantile, 0.0, estimate)
    high = 1.0 if z(1.0) >= -quantile else _root(lambda x: z(x) + quantile, estimate, 1.0)
    return low, high


def two_sided(z: float) -> float:
    """Return how likely a normal deviate is at least this far from 0."""
    return math.erfc(abs(z) / math.sqrt(2))


def _spread(shares: Floats) -> Floats:
    """Return the covariance of one case's step, the last step left out."""
    inner = shares[:-1]
    return np.asarray(np.diag(inner) - np.outer(inner, inner))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function crosses 0 by halving to the last digit."""
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if function(middle) > 0:
            low = middle
        else:
            high = middle

"""The interval and the fit test of a prevalence by drawing reference and cases in use again, instead of closed forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isocost.deployment.likelihood import Likelihood
from isocost.deployment.steps import Counts, Steps
from isocost.validate import Floats


@dataclass(frozen=True, eq=False)
class Resampled:
    """Estimates of samples drawn from what was seen, and how often samples drawn under label shift fit as badly."""

    estimates: Floats
    fit_p_value: float

    def interval(self, estimate: float, level: float) -> tuple[float, float]:
        """Return the middle share of the estimates, stretched to hold the one of the data."""
        low, high = np.quantile(self.estimates, [(1 - level) / 2, (1 + level) / 2])
        return min(float(low), estimate), max(float(high), estimate)


def resampled(judge: Likelihood, estimate: float, n_resamples: int, rng: np.random.Generator) -> Resampled:
    """Draw the counts of each step again, so many times."""
    steps = judge.steps
    estimates = np.array([Likelihood(_seen_again(steps, rng)).maximum() for _ in range(n_resamples)])
    statistic, _ = judge.fit(estimate)
    as_bad = 0
    for _ in range(n_resamples):
        drawn = Likelihood(_expected_again(steps, estimate, rng))
        as_bad += drawn.fit(drawn.maximum())[0] >= statistic
    return Resampled(estimates, (1 + as_bad) / (1 + n_resamples))


def _seen_again(steps: Steps, rng: np.random.Generator) -> Steps:
    """Draw as many cases of every kind from the steps in which cases were."""
    used = np.concatenate([steps.unlabelled, steps.labelled_positives, steps.labelled_negatives])
    parts = np.split(_drawn(used, rng), 3)
    return Steps(steps.cuts, _drawn(steps.positives, rng), _drawn(steps.negatives, rng), *parts)


def _expected_again(steps: Steps, estimate: float, rng: np.random.Generator) -> Steps:
    """Draw cases as if only the prevalence had moved: labels go to the same share of each step."""
    p, q = steps.rates
    f = estimate * p + (1 - estimate) * q
    seen = steps.unlabelled + steps.labelled
    now = rng.multinomial(int(seen.sum()), f / f.sum())
    share = np.divide(steps.labelled, seen, out=np.zeros(f.size), where=seen > 0)
    labelled = rng.binomial(now, share)
    ups = rng.binomial(labelled, np.clip(estimate * p / f, 0.0, 1.0))
    positives, negatives = (
        rng.multinomial(int(count.sum()), rates / rates.sum())
        for count, rates in ((steps.positives, p), (steps.negatives, q))
    )
    return Steps(steps.cuts, positives, negatives, now - labelled, ups, labelled - ups)


def _drawn(counts: Counts, rng: np.random.Generator) -> Counts:
    total = int(counts.sum())
    return counts if total == 0 else rng.multinomial(total, counts / total)

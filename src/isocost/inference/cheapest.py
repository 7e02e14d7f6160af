"""How often each model is the cheapest over the resamples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isocost import validate
from isocost.conditions import Condition
from isocost.curves.joint import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from isocost.resampling.replicates import JUDGES_OF_TWO, Replicates
from isocost.results import Columns, Result
from isocost.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Cheapest(Result):
    """How often each choice is the cheapest in the resamples: a measure of doubt, not a posterior probability.

    Attributes
    ----------
    pcf : ndarray
    probability : dict of str to ndarray
        Of each model and of "always-negative" and "always-positive"; they add up to 1 at each pcf.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=200)
    >>> shares = resampled.cheapest().at(ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3))
    >>> {name: round(share, 1) for name, share in shares.items() if share > 0}
    {'logistic_regression': 0.1, 'random_forest': 0.7, 'naive_bayes': 0.3}
    """

    pcf: Floats
    probability: dict[str, Floats]

    def at(self, condition: Condition | float) -> dict[str, float]:
        """Return the shares at one condition (or pcf), interpolated between the known ones."""
        pcf = (
            condition.pcf if isinstance(condition, Condition) else validate.number(condition, "pcf", low=0.0, high=1.0)
        )
        return {name: float(np.interp(pcf, self.pcf, share)) for name, share in self.probability.items()}

    def _columns(self) -> Columns:
        return {"pcf": self.pcf, **self.probability}

    def __repr__(self) -> str:
        """Name who leads on most conditions."""
        leader = max(self.probability, key=lambda name: float(self.probability[name].mean()))
        return f"<Cheapest: {len(self.probability)} choices, {leader!r} most often over all conditions>"


def cheapest(models: dict[str, Replicates], pcf: Floats) -> Cheapest:
    """Count, at each condition, the resamples on which each model or a trivial classifier is the cheapest."""
    costs = np.stack([m.values("best", pcf, judges=JUDGES_OF_TWO) for m in models.values()])
    # A model that only repeats a trivial classifier is not needed there: ties go to the trivial one.
    trivial = np.broadcast_to(np.minimum(pcf, 1 - pcf), costs.shape[1:])
    lowest = np.minimum(costs.min(axis=0), trivial)
    best = (costs == lowest) & (lowest < trivial)
    shared = best / np.maximum(best.sum(axis=0), 1)
    weight = next(iter(models.values())).probability
    share = {name: np.average(s, axis=0, weights=weight) for name, s in zip(models, shared, strict=True)}
    nobody = np.average(~best.any(axis=0), axis=0, weights=weight)
    negative = np.where(pcf < 0.5, 1.0, np.where(pcf == 0.5, 0.5, 0.0))
    share |= {ALWAYS_NEGATIVE: nobody * negative, ALWAYS_POSITIVE: nobody * (1 - negative)}
    return Cheapest(pcf, share)

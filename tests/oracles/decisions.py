"""The one answer, slow and obvious: every model, every threshold, exact fractions, nothing shared with the library."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from oracles.brute_force import points


def exact(number):
    """The number that was typed: 0.3 is three tenths."""
    return Fraction(str(number))


@dataclass(frozen=True)
class Rule:
    """Flag scores at or above a threshold of a model; no model for flagging nobody or everybody."""

    model: str | None
    threshold: float
    fpr: Fraction
    tpr: Fraction

    def flagged(self, prevalence):
        """Share of all cases."""
        return prevalence * self.tpr + (1 - prevalence) * self.fpr

    def precision(self, prevalence):
        """Share of the flagged that are positive; None if nobody is flagged."""
        flagged = self.flagged(prevalence)
        return None if flagged == 0 else prevalence * self.tpr / flagged


def rules(y, models, weights=None):
    """Every rule that the data offer, and the two that need no model."""
    trivial = [Rule(None, np.inf, Fraction(0), Fraction(0)), Rule(None, -np.inf, Fraction(1), Fraction(1))]
    return trivial + [
        Rule(name, threshold, fpr, tpr)
        for name, scores in models.items()
        for fpr, tpr, threshold in points(y, scores, weights)
    ]


@dataclass(frozen=True)
class Prices:
    """What errors cost on average: ranges are uniform and independent, so the means of costs and prevalence are enough."""

    cost_fp: Fraction
    cost_fn: Fraction
    prevalence: Fraction

    @classmethod
    def of(cls, cost_fp=1, cost_fn=1, prevalence=0.5):
        """Each a number or (low, high)."""

        def mean(value):
            ends = value if isinstance(value, tuple) else (value, value)
            return (exact(ends[0]) + exact(ends[1])) / 2

        return cls(mean(cost_fp), mean(cost_fn), mean(prevalence))

    def expected_cost(self, fpr, tpr):
        """Per case."""
        return (1 - self.prevalence) * self.cost_fp * fpr + self.prevalence * self.cost_fn * (1 - tpr)


def keeps(rule, prevalence, max_flagged=None, min_precision=None, max_fpr=None, min_tpr=None):
    """Whether a rule keeps every limit; flagging nobody keeps any precision."""
    precision = rule.precision(prevalence)
    return (
        (max_flagged is None or rule.flagged(prevalence) <= exact(max_flagged))
        and (min_precision is None or precision is None or precision >= exact(min_precision))
        and (max_fpr is None or rule.fpr <= exact(max_fpr))
        and (min_tpr is None or rule.tpr >= exact(min_tpr))
    )


def lowest_cost(found, prices, **limits):
    """The lowest expected cost of a rule that keeps the limits; None if none does."""
    costs = [prices.expected_cost(r.fpr, r.tpr) for r in found if keeps(r, prices.prevalence, **limits)]
    return min(costs, default=None)


def most_caught(found, prevalence, **limits):
    """The highest tpr of a rule that keeps the limits; None if none does."""
    return max((r.tpr for r in found if keeps(r, prevalence, **limits)), default=None)


def at_score(y, scores, threshold, weights=None):
    """The exact rates of "score ≥ threshold", a score being the number that was typed."""
    found = points(y, scores, weights)
    reached = [(fpr, tpr) for fpr, tpr, cut in found if (exact(cut) if np.isfinite(cut) else cut) >= threshold]
    return max(reached, key=lambda rates: rates[0] + rates[1])


def at_share(y, scores, share, prevalence, weights=None):
    """The exact rates where this share of all cases is flagged: ties are broken by chance, as a straight line."""
    path = [(fpr, tpr, prevalence * tpr + (1 - prevalence) * fpr) for fpr, tpr, _ in points(y, scores, weights)]
    for (x0, y0, r0), (x1, y1, r1) in pairwise(path):
        if r0 <= share <= r1:
            part = (share - r0) / (r1 - r0) if r1 > r0 else Fraction(0)
            return x0 + part * (x1 - x0), y0 + part * (y1 - y0)
    return path[-1][:2]


def mixes(found, prevalence, **limits):
    """The rates of every rule that keeps the limits, and of every mix of two rules that just keeps one of them."""
    bounds = {name: exact(value) for name, value in limits.items() if value is not None}
    excess = {
        "max_flagged": lambda x, y, v: prevalence * y + (1 - prevalence) * x - v,
        "min_precision": lambda x, y, v: v * (prevalence * y + (1 - prevalence) * x) - prevalence * y,
        "max_fpr": lambda x, _, v: x - v,
        "min_tpr": lambda _, y, v: v - y,
    }
    kept = []
    for a in found:
        kept.append((a.fpr, a.tpr))
        for b in found:
            for name, value in bounds.items():
                at_a, at_b = excess[name](a.fpr, a.tpr, value), excess[name](b.fpr, b.tpr, value)
                if at_a < 0 < at_b:
                    part = at_a / (at_a - at_b)
                    kept.append((a.fpr + part * (b.fpr - a.fpr), a.tpr + part * (b.tpr - a.tpr)))
    return [(x, y) for x, y in set(kept) if all(excess[name](x, y, value) <= 0 for name, value in bounds.items())]

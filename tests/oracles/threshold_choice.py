"""Slow and obvious: the cost of one classifier at one condition under each way of choosing its threshold, in fractions."""

from fractions import Fraction
from itertools import pairwise

from oracles import brute_force


def prevalence_of(y, w=None):
    """Share of positives, weights counted."""
    w = [Fraction(1)] * len(y) if w is None else [Fraction(float(v)) for v in w]
    return sum(v for v, label in zip(w, y, strict=True) if label == 1) / sum(w)


def cost(x, pi, fpr, tpr):
    """Cost of a point at cost proportion x: 2·[(1-x)(1-π)·fpr + x·π·(1-tpr)]; at π = ½ the normalised cost at pcf x."""
    return 2 * ((1 - x) * (1 - pi) * fpr + x * pi * (1 - tpr))


def point_at_rate(point_list, pi, rate):
    """The point (fpr, tpr) of the path at which the share flagged is `rate`, by walking along it."""
    rates = [pi * tpr + (1 - pi) * fpr for fpr, tpr, *_ in point_list]
    for (a, low), (b, high) in pairwise(zip(point_list, rates, strict=True)):
        if low <= rate <= high:
            part = (rate - low) / (high - low)
            return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
    raise AssertionError(f"no rate {rate} on the path")


def rate_driven(sample, pi, x):
    """Cost at x when the share x of cases is flagged."""
    x = Fraction(x)
    return cost(x, pi, *point_at_rate(brute_force.points(sample.y, sample.s, sample.w), pi, x))


def kendall(sample, pi, x):
    """Twice the false alarms while fewer than the positives are flagged, twice the misses after that."""
    x = Fraction(x)
    fpr, tpr = point_at_rate(brute_force.points(sample.y, sample.s, sample.w), pi, x)
    return 2 * (1 - pi) * fpr if x <= pi else 2 * pi * (1 - tpr)


def score_driven(sample, pi, x):
    """Cost at x when a case is flagged as soon as x reaches 1 - score."""
    w = [1] * len(sample.y) if sample.w is None else [Fraction(float(v)) for v in sample.w]
    rows = [(label, x >= 1 - float(s), weight) for label, s, weight in zip(sample.y, sample.s, w, strict=True)]
    share = {
        label: Fraction(sum(v for one, hit, v in rows if one == label and hit))
        / sum(v for one, _, v in rows if one == label)
        for label in (0, 1)
    }
    return cost(Fraction(x), pi, share[0], share[1])


def discordant_pairs(y, s, w=None):
    """Pairs of a positive and a negative in the wrong order, ties one half, weights multiplied."""
    w = [1] * len(y) if w is None else [Fraction(float(v)) for v in w]
    total = Fraction(0)
    for label_a, a, wa in zip(y, s, w, strict=True):
        for label_b, b, wb in zip(y, s, w, strict=True):
            if label_a == 1 and label_b == 0:
                total += wa * wb * (Fraction(1, 2) if a == b else int(a < b))
    return total

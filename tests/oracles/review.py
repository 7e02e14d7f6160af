"""Review bands by trying every pair of thresholds, every number a fraction."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from oracles import brute_force


@dataclass(frozen=True)
class Band:
    """Two thresholds and what they do; ordered by cost, then by how many are reviewed, then by how many are flagged."""

    cost: Fraction
    reviewed: Fraction
    flagged: Fraction
    review_from: float
    flag_from: float

    @property
    def rank(self):
        """What the best band has the least of."""
        return self.cost, self.reviewed, self.flagged


def bands(points, *, cost_fp, cost_fn, prevalence, price, reviewer_fpr=0, reviewer_tpr=1, cost_tp=0, cost_tn=0):
    """Every band: of each class, who is flagged outright, who is reviewed and flagged, and who is let go."""
    positive, negative = Fraction(prevalence), 1 - Fraction(prevalence)
    found = []
    # Flagging everybody is a rule of its own, without a threshold: −inf.
    points = [(h, k, -math.inf if h == k == 1 else cut) for h, k, cut in points]
    for i, (h1, k1, flag_from) in enumerate(points):
        for h0, k0, review_from in points[i:]:
            fpr = h1 + Fraction(reviewer_fpr) * (h0 - h1)
            tpr = k1 + Fraction(reviewer_tpr) * (k0 - k1)
            reviewed = negative * (h0 - h1) + positive * (k0 - k1)
            cost = negative * (fpr * cost_fp + (1 - fpr) * cost_tn) + positive * ((1 - tpr) * cost_fn + tpr * cost_tp)
            flagged = negative * h1 + positive * k1
            found.append(Band(cost + Fraction(price) * reviewed, reviewed, flagged, review_from, flag_from))
    return found


def best(found, most=None):
    """The cheapest band within a limit."""
    return min((band for band in found if most is None or band.reviewed <= most), key=lambda band: band.rank)


def best_mixture(found, most):
    """The least cost of any two bands mixed at random so that no more than the limit is reviewed on average."""
    cheapest = {}
    for band in found:
        cheapest[band.reviewed] = min(band.cost, cheapest.get(band.reviewed, band.cost))
    corners = []
    for x, y in sorted(cheapest.items()):
        # A corner above the line between its neighbours is in no mixture that is cheapest.
        while len(corners) > 1 and _above(corners[-2], corners[-1], (x, y)):
            corners.pop()
        corners.append((x, y))
    least = min(y for x, y in corners if x <= most)
    for (x0, y0), (x1, y1) in pairwise(corners):
        if x0 <= most < x1:
            least = min(least, y0 + (y1 - y0) * (most - x0) / (x1 - x0))
    return least


def _above(left, middle, right):
    (x0, y0), (x, y), (x1, y1) = left, middle, right
    return (y - y0) * (x1 - x0) >= (y1 - y0) * (x - x0)


def points(sample):
    """Operating points of a sample, exact."""
    return brute_force.points(sample.y, sample.s, sample.w)

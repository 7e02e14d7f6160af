"""Slow and obvious: areas by clipping polygons, means over t by many small Gauss rules between every crossing."""

import itertools

import numpy as np

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


def clip(corners, a, b, c):
    """The part of a convex polygon where a·x + b·y ≤ c."""
    kept = []
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        g1, g2 = a * x1 + b * y1 - c, a * x2 + b * y2 - c
        if g1 <= 0:
            kept.append((x1, y1))
        if g1 * g2 < 0:
            share = g1 / (g1 - g2)
            kept.append((x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
    return kept


def area(corners):
    """Shoelace."""
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2 if corners else 0


def lesser_area(cost, t, region=SQUARE):
    """Area of the part of a region with t·x + (1-t)(1-y) ≥ cost."""
    return area(clip(region, -t, 1 - t, 1 - t - cost))


def region(pi, *, min_precision=0, max_flagged=1, min_tpr=0, max_fpr=1):
    """The feasible polygon."""
    corners = clip(SQUARE, min_precision * (1 - pi), -(1 - min_precision) * pi, 0)
    corners = clip(corners, 1 - pi, pi, max_flagged)
    corners = clip(corners, 0, -1, -min_tpr)
    return clip(corners, 1, 0, max_fpr)


def crossings(lines):
    """Every t in (0, 1) at which two of the points (x, y) cost the same."""
    found = []
    for (x1, y1), (x2, y2) in itertools.combinations(lines, 2):
        dx, dy = float(x1 - x2), float(y1 - y2)
        if dx + dy != 0 and 0 < dy / (dx + dy) < 1:
            found.append(dy / (dx + dy))
    return found


def mean(function, cuts, low=0.0, high=1.0, density=None):
    """Mean of a function of t that is smooth between the cuts, under a density (uniform if none), by 16-point Gauss rules."""
    # Halving towards 0 and 1 keeps each rule away from poles just outside it.
    ladder = 0.5 ** np.arange(1, 200)
    edges = np.array(sorted({low, high, *(float(c) for c in cuts), *ladder, *(1 - ladder)}))
    edges = edges[(edges >= low) & (edges <= high)]
    nodes, weights = np.polynomial.legendre.leggauss(16)
    total = 0.0
    for a, b in itertools.pairwise(edges.tolist()):
        t = (a + b) / 2 + (b - a) / 2 * nodes
        values = np.array([float(function(v)) for v in t])
        total += (b - a) / 2 * float(weights @ (values if density is None else values * density(t)))
    return total if density is not None else total / (high - low)

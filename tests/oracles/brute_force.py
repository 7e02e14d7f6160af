"""Slow and obvious: every threshold tried, every number a fraction."""

from fractions import Fraction

import numpy as np


def points(y, s, w=None):
    """Every operating point as exact fractions (fpr, tpr) with its threshold, by applying score >= threshold."""
    y, s = np.asarray(y), np.asarray(s)
    w = [Fraction(1)] * len(y) if w is None else [Fraction(float(v)) for v in w]
    positives = sum(v for v, label in zip(w, y, strict=True) if label == 1)
    negatives = sum(v for v, label in zip(w, y, strict=True) if label != 1)
    found = []
    scores = sorted({float(v) for v, weight in zip(s, w, strict=True) if weight > 0}, reverse=True)
    for threshold in [None, *scores]:
        flagged = np.zeros(len(s), dtype=bool) if threshold is None else s >= threshold
        tp = sum(v for v, label, hit in zip(w, y, flagged, strict=True) if hit and label == 1)
        fp = sum(v for v, label, hit in zip(w, y, flagged, strict=True) if hit and label != 1)
        found.append((Fraction(fp) / negatives, Fraction(tp) / positives, np.inf if threshold is None else threshold))
    return found


def cost(t, fpr, tpr):
    """Normalised cost of one point."""
    return t * fpr + (1 - t) * (1 - tpr)


def envelope(point_list, t):
    """Lowest cost at t over all points."""
    return min(cost(t, x, y) for x, y, *_ in point_list)


def hull(point_list):
    """Vertices of the upper hull with the trivial classifiers added, by trying every pair of points as a chord."""
    distinct = sorted({(Fraction(x), Fraction(y)) for x, y, *_ in point_list} | {(0, 0), (1, 1)})
    return [p for p in distinct if p in ((0, 0), (1, 1)) or not _covered(p, distinct)]


def _covered(p, others):
    """Whether another point stands above p, or a chord passes above or through it."""
    if any(q[0] == p[0] and q[1] > p[1] for q in others):
        return True
    left = [q for q in others if q[0] < p[0]]
    right = [q for q in others if q[0] > p[0]]
    return any(
        (b[1] - a[1]) * (p[0] - a[0]) + a[1] * (b[0] - a[0]) >= p[1] * (b[0] - a[0]) for a in left for b in right
    )


def auc(y, s, w=None):
    """Share of positive-negative pairs ranked rightly, ties one half."""
    w = [Fraction(1)] * len(y) if w is None else [Fraction(float(v)) for v in w]
    good = total = Fraction(0)
    for label_a, a, wa in zip(y, s, w, strict=True):
        for label_b, b, wb in zip(y, s, w, strict=True):
            if label_a == 1 and label_b != 1:
                total += wa * wb
                good += wa * wb * (Fraction(1, 2) if a == b else int(a > b))
    return good / total

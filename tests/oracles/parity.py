"""Rules for groups by trying everything, every number a fraction."""

from fractions import Fraction
from itertools import product

import numpy as np

from oracles import brute_force


def points(y, scores, mask):
    """Every (fpr, tpr, threshold) of one group; an absent class has rate 0 and weighs nothing."""
    y, s = np.asarray(y)[mask], np.asarray(scores)[mask]
    if 0 < y.sum() < y.size:
        return brute_force.points(y, s)
    cuts = [None, *sorted(set(s.tolist()), reverse=True)]
    shares = [Fraction(0) if c is None else Fraction(int((s >= c).sum()), y.size) for c in cuts]
    ends = [np.inf if c is None else c for c in cuts]
    return [(Fraction(0), x, c) if y.all() else (x, Fraction(0), c) for x, c in zip(shares, ends, strict=True)]


def costs(found, cost_fp, cost_fn, prevalence, share):
    """The cost of each point, per case of all groups."""
    return [share * ((1 - prevalence) * cost_fp * x + prevalence * cost_fn * (1 - y)) for x, y, _ in found]


def deterministic(rates, cost, tolerance):
    """The least total cost of one point a group whose rates (one or several lists of them) are within the tolerance."""
    least = None
    for chosen in product(*(range(len(c)) for c in cost)):
        for rate in rates:
            values = [rate[g][i] for g, i in enumerate(chosen)]
            if max(values) - min(values) > tolerance:
                break
        else:
            total = sum(cost[g][i] for g, i in enumerate(chosen))
            least = total if least is None else min(least, total)
    return least


def least_at(rate, cost, value):
    """The least cost at a rate: every pair of points mixed."""
    found = [c for r, c in zip(rate, cost, strict=True) if r == value]
    for a, ca in zip(rate, cost, strict=True):
        for b, cb in zip(rate, cost, strict=True):
            if a < value < b:
                found.append(ca + (value - a) / (b - a) * (cb - ca))
    return min(found)


def randomised(rates, cost, tolerance):
    """The least total cost of mixtures: a sum of convex lines in where the window begins, so least at a break of one."""
    every = {r for rate in rates for r in rate}
    begins = {v for r in every for v in (r, r - tolerance) if 0 <= v <= 1} | {Fraction(0)}
    totals = []
    for begin in begins:
        ends = [begin, min(begin + tolerance, Fraction(1))]
        totals.append(
            sum(
                min(least_at(rate, c, v) for v in {*ends, *(r for r in rate if ends[0] <= r <= ends[1])})
                for rate, c in zip(rates, cost, strict=True)
            )
        )
    return min(totals)


def mixed_odds(groups, cost, tolerance):
    """The least total cost of mixtures of all points with both rates within the tolerance: a dense program, limits pair by pair."""
    from scipy.optimize import linprog

    sizes = [len(points) for points in groups]
    ends = np.cumsum([0, *sizes])
    rows, most = [], []
    for rate in (0, 1):
        for g in range(len(groups)):
            for h in range(len(groups)):
                if g == h:
                    continue
                row = np.zeros(ends[-1])
                row[ends[g] : ends[g + 1]] = [float(point[rate]) for point in groups[g]]
                row[ends[h] : ends[h + 1]] -= [float(point[rate]) for point in groups[h]]
                rows.append(row)
                most.append(float(tolerance))
    whole = np.zeros((len(groups), ends[-1]))
    for g in range(len(groups)):
        whole[g, ends[g] : ends[g + 1]] = 1
    found = linprog(
        [float(c) for own in cost for c in own],
        A_ub=np.array(rows) if rows else None,
        b_ub=most or None,
        A_eq=whole,
        b_eq=np.ones(len(groups)),
        method="highs-ipm",
    )
    return found.fun


def equal_odds(groups, prevalences, shares, cost_fp, cost_fn):
    """The least cost of one (fpr, tpr) that every group can have by mixing: least where two of their chords meet."""
    chords = [[(a, b) for a in points for b in points if a[0] <= b[0]] for points in groups]
    places = {point[0] for points in groups for point in points}
    every = [chord for own in chords for chord in own]
    for (ax, ay, _), (bx, by, _) in every:
        for (cx, cy, _), (dx, dy, _) in every:
            slope = (by - ay) * (dx - cx) - (dy - cy) * (bx - ax)
            if slope:
                # Both chords as y·(width) = …: where they meet.
                x = (
                    (cy * (dx - cx) - cx * (dy - cy)) * (bx - ax) - (ay * (bx - ax) - ax * (by - ay)) * (dx - cx)
                ) / slope
                if 0 <= x <= 1:
                    places.add(x)
    best = None
    for x in places:
        y = min(max(_height(chord, x) for chord in own) for own in chords)
        cost = sum(
            share * ((1 - pi) * cost_fp * x + pi * cost_fn * (1 - y))
            for pi, share in zip(prevalences, shares, strict=True)
        )
        best = cost if best is None else min(best, cost)
    return best


def _height(chord, x):
    (ax, ay, _), (bx, by, _) = chord
    if not ax <= x <= bx:
        return Fraction(0)
    return max(ay, by) if ax == bx else ay + (by - ay) * (x - ax) / (bx - ax)
